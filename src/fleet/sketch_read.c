/* Reads sketches into the ranks of a job. */
#include "fleet/sketch_read.h"

#include "analysis/job/rank_rows.h"
#include "core/sum.h"
#include "core/text.h"
#include "fleet/column.h"
#include "fleet/sketch.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 64 /* collectives of a series, whatever others take */ };

struct reading {
    struct nsc_sketch_reader *reader;
    struct nsc_fleet *fleet;
    const struct nsc_json_tree *tree;
    uint32_t first_rank; /* of the document */
};

void nsc_sketch_reader_init(struct nsc_sketch_reader *reader, struct nsc_fleet *fleet, uint32_t n)
{
    reader->fleet = fleet;
    reader->most = n > 1024 ? 2048 : n < 256 ? 8192 : (1u << 21) / n;
    reader->scratch = nsc_xcalloc(NSC_COLUMN_MOST, sizeof *reader->scratch);
    reader->keeps_parts = false;
}

void nsc_sketch_reader_fini(struct nsc_sketch_reader *reader)
{
    free(reader->scratch);
}

static int64_t int_of(const struct reading *reading, uint32_t node, const char *key)
{
    int64_t value = 0;

    (void)nsc_json_get_int(&value, reading->tree, nsc_json_find(reading->tree, node, key));
    return value;
}

static nsc_str text_of(const struct reading *reading, uint32_t node, const char *key)
{
    struct nsc_text text = nsc_json_member_text(reading->tree, node, key);

    return nsc_strpool_add(&reading->fleet->texts, text.bytes, text.n);
}

/* Reads a column to the scratch, in ns; its length, SIZE_MAX if it is none. */
static size_t column_of(const struct reading *reading, uint32_t node, const char *key, int64_t unit)
{
    struct nsc_text text;
    size_t n = SIZE_MAX;

    if (nsc_json_get_text(&text, reading->tree, nsc_json_find(reading->tree, node, key)))
        n = nsc_column_get(reading->reader->scratch, NSC_COLUMN_MOST, text);
    for (size_t i = 0; n != SIZE_MAX && i < n; i++)
        reading->reader->scratch[i] = nsc_product(unit, reading->reader->scratch[i]);
    return n;
}

/* ---- ranks ---- */

/* Keeps a class by row. Parts are not negative. */
static void keep_part(const struct reading *reading, struct nsc_fleet_rank *rank, unsigned class,
                      uint32_t node, int64_t unit)
{
    float *out = rank->parts + (size_t) class * rank->n_rows;

    if (column_of(reading, node, "ns", unit) == rank->n_rows)
        for (uint32_t i = 0; i < rank->n_rows; i++)
            out[i] = (float)nsc_earlier(nsc_later(0, reading->reader->scratch[i]), INT64_MAX / 4);
}

static void read_part(const struct reading *reading, struct nsc_fleet_rank *rank, uint32_t node,
                      int64_t unit)
{
    nsc_str cause = text_of(reading, node, "cause");
    struct nsc_text word = nsc_fleet_text(reading->fleet, text_of(reading, node, "class"));
    nsc_time total = int_of(reading, node, "total_ns");

    if (cause && rank->n_causes < NSC_FLEET_CAUSES) {
        rank->causes[rank->n_causes].word = cause;
        rank->causes[rank->n_causes++].total = total;
    }
    for (unsigned class = 0; class < NSC_N_PART_CLASSES && !cause; class ++)
        if (nsc_text_is(word, nsc_part_class_word((enum nsc_part_class) class))) {
            rank->total[class] = total;
            if (rank->parts)
                keep_part(reading, rank, class, node, unit);
        }
}

static bool read_rows(const struct reading *reading, struct nsc_fleet_rank *rank, uint32_t node)
{
    int64_t unit = int_of(reading, node, "unit_ns");
    size_t n = column_of(reading, node, "starts", unit);
    uint32_t parts = nsc_json_find(reading->tree, node, "parts");

    if (n == 0 || n > NSC_RANK_ROWS)
        return false;
    rank->n_rows = (uint32_t)n;
    rank->of_a_row =
        (uint32_t)nsc_later(1, nsc_earlier(int_of(reading, node, "of_a_row"), INT32_MAX));
    rank->start = nsc_xcalloc(n, sizeof *rank->start);
    memcpy(rank->start, reading->reader->scratch, n * sizeof *rank->start);
    if (reading->reader->keeps_parts)
        rank->parts = nsc_xcalloc(n * NSC_N_PART_CLASSES, sizeof *rank->parts);
    rank->span = nsc_span(rank->start[0], int_of(reading, node, "end_ns"));
    NSC_JSON_EACH (at, reading->tree, parts)
        read_part(reading, rank, at, unit);
    return true;
}

static void read_interludes(const struct reading *reading)
{
    struct nsc_fleet *fleet = reading->fleet;
    uint32_t list = nsc_json_find(reading->tree, 0, "interludes");
    uint32_t first = (uint32_t)fleet->interludes.n;

    NSC_JSON_EACH (at, reading->tree, list)
        *NSC_VEC_ADD(&fleet->interludes) = (struct nsc_fleet_interlude){
            text_of(reading, at, "name"), (uint32_t)int_of(reading, at, "after")};
    for (size_t i = reading->first_rank; i < fleet->ranks.n; i++) {
        fleet->ranks.at[i].first_interlude = first;
        fleet->ranks.at[i].n_interludes = (uint32_t)fleet->interludes.n - first;
    }
}

static bool read_ranks(const struct reading *reading)
{
    uint32_t identity = nsc_json_find(reading->tree, 0, "identity");
    uint32_t list = nsc_json_find(reading->tree, 0, "ranks");
    struct nsc_fleet_rank like = {.number = -1,
                                  .host = text_of(reading, identity, "host"),
                                  .label = text_of(reading, identity, "file"),
                                  .export_no = (uint32_t)reading->fleet->exports.n};

    if (reading->reader->keeps_parts)
        like.path = text_of(reading, identity, "path");
    (void)nsc_json_get_int(&like.number, reading->tree,
                           nsc_json_find(reading->tree, identity, "rank"));
    NSC_JSON_EACH (at, reading->tree, list) {
        struct nsc_fleet_rank *rank = NSC_VEC_ADD(&reading->fleet->ranks);

        *rank = like;
        rank->pid = (uint32_t)int_of(reading, at, "pid");
        rank->gpu = int_of(reading, at, "gpu");
        for (int p = 0; p < NSC_N_PARALLELS; p++) {
            const char *word = nsc_parallel_word((enum nsc_parallel)p);

            rank->mesh[p] = -1;
            if (word)
                (void)nsc_json_get_int(&rank->mesh[p], reading->tree,
                                       nsc_json_find(reading->tree, at, word));
        }
        if (!read_rows(reading, rank, nsc_json_find(reading->tree, at, "iterations")))
            return false;
    }
    *NSC_VEC_ADD(&reading->fleet->exports) = (struct nsc_rank_export){like.label, 0};
    return reading->fleet->ranks.n > reading->first_rank;
}

/* ---- collectives ---- */

/* Marks the collectives that the rank computes beside: each second run. */
static void read_beside(const struct reading *reading, const struct nsc_fleet_series *series,
                        uint32_t node, uint32_t step)
{
    uint8_t *beside = reading->fleet->beside.at + series->first;
    int64_t kept = (int64_t)(reading->fleet->beside.n - series->first);
    size_t n = column_of(reading, node, "beside", 1);
    int64_t at = 0;

    for (size_t i = 0; n != SIZE_MAX && i < n; i++) {
        int64_t end = nsc_sum(at, nsc_later(0, reading->reader->scratch[i]));

        for (; at < end && at < kept * step; at++)
            if (at % step == 0)
                beside[at / step] = i % 2;
        at = end;
    }
}

/* Keeps every 2nd, 4th ... collective of a series, so that it has at most `most`. */
static void read_ops(const struct reading *reading, struct nsc_fleet_series *series, uint32_t node,
                     uint32_t most)
{
    struct nsc_fleet *fleet = reading->fleet;
    int64_t unit = int_of(reading, node, "unit_ns");
    size_t n = column_of(reading, node, "gaps", unit);
    int64_t *gaps;
    nsc_time before = 0;
    uint32_t step = 1;

    if (n == SIZE_MAX || n == 0)
        return;
    gaps = nsc_xmalloc(n * sizeof *gaps);
    memcpy(gaps, reading->reader->scratch, n * sizeof *gaps);
    while (n / step > most)
        step *= 2;
    if (column_of(reading, node, "lasts", unit) == n)
        for (size_t i = 0; i < n; i++) {
            nsc_time start = nsc_sum(before, gaps[i]);

            before = nsc_sum(start, reading->reader->scratch[i]);
            if (i % step)
                continue;
            *NSC_VEC_ADD(&fleet->start) = start;
            *NSC_VEC_ADD(&fleet->beside) = false;
            *NSC_VEC_ADD(&fleet->lasts) =
                (float)nsc_earlier(nsc_later(0, reading->reader->scratch[i]), INT64_MAX / 4);
        }
    read_beside(reading, series, node, step);
    series->every *= step;
    free(gaps);
}

static enum nsc_parallel parallel_of(struct nsc_text word)
{
    for (unsigned p = 1; p < NSC_N_PARALLELS; p++)
        if (nsc_text_is(word, nsc_parallel_word((enum nsc_parallel)p)))
            return (enum nsc_parallel)p;
    return NSC_PARALLEL_UNKNOWN;
}

static void read_series(const struct reading *reading)
{
    struct nsc_fleet *fleet = reading->fleet;
    uint32_t list = nsc_json_find(reading->tree, 0, "series");
    size_t first = fleet->series.n;
    uint32_t n_ranks = (uint32_t)(fleet->ranks.n - reading->first_rank);
    uint32_t left = reading->reader->most * n_ranks;
    uint32_t n = 0;

    /* a document with more is no sketch of ours, and each is compared with all before */
    NSC_JSON_EACH (at, reading->tree, list) {
        struct nsc_fleet_series series = {
            .name = text_of(reading, at, "kernel"),
            .rank = (uint32_t)int_of(reading, at, "rank"),
            .comm = int_of(reading, at, "communicator"),
            .parallel = parallel_of(nsc_fleet_text(fleet, text_of(reading, at, "parallel"))),
            .every = (uint32_t)nsc_later(1, nsc_earlier(int_of(reading, at, "every"), 1 << 24)),
            .first = fleet->start.n};

        if (series.rank >= n_ranks || fleet->series.n - first == NSC_SKETCH_SERIES)
            continue;
        series.is_silent = nsc_json_find(reading->tree, at, "parallel") == NSC_NONE;
        series.rank += reading->first_rank;
        read_ops(reading, &series, at, left / 2 + LEAST);
        nsc_fleet_add_series(fleet, series, reading->first_rank);
        n = fleet->series.at[fleet->series.n - 1].n;
        left -= n < left ? n : left;
    }
}

/* ---- all ---- */

enum nsc_status nsc_sketch_read(struct nsc_sketch_reader *reader,
                                const struct nsc_json_tree *sketch, struct nsc_error *error)
{
    struct nsc_fleet *fleet = reader->fleet;
    struct reading reading = {reader, fleet, sketch, (uint32_t)fleet->ranks.n};

    if (!nsc_text_is(nsc_json_member_text(sketch, 0, "format"), NSC_SKETCH_FORMAT))
        return nsc_fail(error, NSC_EFORMAT, "no sketch; make it by nsyscope sketch FILE");
    if (!read_ranks(&reading)) {
        while (fleet->ranks.n > reading.first_rank)
            nsc_fleet_rank_fini(&fleet->ranks.at[--fleet->ranks.n]);
        return nsc_fail(error, NSC_EFORMAT, "the sketch is damaged: its iterations cannot be read");
    }
    read_interludes(&reading);
    read_series(&reading);
    return NSC_OK;
}
