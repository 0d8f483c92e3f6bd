/* Reads sketches into the ranks of a job. */
#include "fleet/fleet.h"

#include "core/bisect.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "fleet/column.h"
#include "fleet/sketch.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMN = 1 << 18, /* most values of a column: one a character */
    LEAST = 64        /* collectives of a series, whatever others take */
};

struct reading {
    struct nsc_fleet *fleet;
    const struct nsc_json_tree *tree;
    uint32_t first_rank; /* of the document */
};

void nsc_fleet_init(struct nsc_fleet *fleet, uint32_t n)
{
    memset(fleet, 0, sizeof *fleet);
    nsc_strpool_init(&fleet->texts);
    fleet->most = n > 1024 ? 2048 : n < 256 ? 8192 : (1u << 21) / n;
    fleet->scratch = nsc_xcalloc(COLUMN, sizeof *fleet->scratch);
}

struct nsc_text nsc_fleet_text(const struct nsc_fleet *fleet, nsc_str id)
{
    return nsc_strpool_text(&fleet->texts, id);
}

static int64_t int_of(const struct reading *reading, uint32_t node, const char *key)
{
    int64_t value = 0;

    (void)nsc_json_get_int(&value, reading->tree, nsc_json_find(reading->tree, node, key));
    return value;
}

static nsc_str text_of(const struct reading *reading, uint32_t node, const char *key)
{
    struct nsc_text text = {"", 0};

    (void)nsc_json_get_text(&text, reading->tree, nsc_json_find(reading->tree, node, key));
    return nsc_strpool_add(&reading->fleet->texts, text.bytes, text.n);
}

/* Walks an array. */
static uint32_t first_of(const struct reading *reading, uint32_t array)
{
    return nsc_json_is(reading->tree, array, NSC_JSON_ARRAY) ? array + 1 : 0;
}

static uint32_t end_of(const struct reading *reading, uint32_t array)
{
    return nsc_json_is(reading->tree, array, NSC_JSON_ARRAY) ? reading->tree->nodes[array].next : 0;
}

/* Reads a column to the scratch, in ns; its length, SIZE_MAX if it is none. */
static size_t column_of(const struct reading *reading, uint32_t node, const char *key, int64_t unit)
{
    struct nsc_text text;
    size_t n = SIZE_MAX;

    if (nsc_json_get_text(&text, reading->tree, nsc_json_find(reading->tree, node, key)))
        n = nsc_column_get(reading->fleet->scratch, COLUMN, text);
    for (size_t i = 0; n != SIZE_MAX && i < n; i++)
        reading->fleet->scratch[i] = nsc_product(unit, reading->fleet->scratch[i]);
    return n;
}

/* ---- ranks ---- */

static void read_part(const struct reading *reading, struct nsc_fleet_rank *rank, uint32_t node)
{
    nsc_str cause = text_of(reading, node, "cause");
    struct nsc_text word = nsc_fleet_text(reading->fleet, text_of(reading, node, "class"));
    nsc_time total = int_of(reading, node, "total_ns");

    if (cause && rank->n_causes < NSC_FLEET_CAUSES) {
        rank->causes[rank->n_causes].word = cause;
        rank->causes[rank->n_causes++].total = total;
    }
    for (unsigned class = 0; class < NSC_N_PART_CLASSES && !cause; class ++)
        if (nsc_text_is(word, nsc_part_class_word((enum nsc_part_class) class)))
            rank->total[class] = total;
}

static bool read_rows(const struct reading *reading, struct nsc_fleet_rank *rank, uint32_t node)
{
    size_t n = column_of(reading, node, "starts", int_of(reading, node, "unit_ns"));
    uint32_t parts = nsc_json_find(reading->tree, node, "parts");
    uint32_t end = end_of(reading, parts);

    if (n == 0 || n > NSC_FLEET_ROWS)
        return false;
    rank->n_rows = (uint32_t)n;
    rank->of_a_row =
        (uint32_t)nsc_later(1, nsc_earlier(int_of(reading, node, "of_a_row"), INT32_MAX));
    rank->start = nsc_xcalloc(n, sizeof *rank->start);
    memcpy(rank->start, reading->fleet->scratch, n * sizeof *rank->start);
    for (uint32_t at = first_of(reading, parts); at != end; at = reading->tree->nodes[at].next)
        read_part(reading, rank, at);
    return true;
}

static void read_interludes(const struct reading *reading)
{
    struct nsc_fleet *fleet = reading->fleet;
    uint32_t list = nsc_json_find(reading->tree, 0, "interludes");
    uint32_t end = end_of(reading, list);
    uint32_t first = (uint32_t)fleet->interludes.n;

    for (uint32_t at = first_of(reading, list); at != end; at = reading->tree->nodes[at].next)
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
    uint32_t end = end_of(reading, list);
    struct nsc_fleet_rank like = {.number = -1, .host = text_of(reading, identity, "host")};

    (void)nsc_json_get_int(&like.number, reading->tree,
                           nsc_json_find(reading->tree, identity, "rank"));
    for (uint32_t at = first_of(reading, list); at != end; at = reading->tree->nodes[at].next) {
        struct nsc_fleet_rank *rank = NSC_VEC_ADD(&reading->fleet->ranks);

        *rank = like;
        if (!read_rows(reading, rank, nsc_json_find(reading->tree, at, "iterations")))
            return false;
    }
    return reading->fleet->ranks.n > reading->first_rank;
}

/* ---- collectives ---- */

static nsc_time typical(const struct nsc_fleet *fleet, const struct nsc_fleet_series *series)
{
    nsc_time some[33];
    uint32_t n = series->n < 33 ? series->n : 33;

    for (uint32_t i = 0; i < n; i++)
        some[i] = (nsc_time)fleet->lasts.at[series->first + (size_t)i * series->n / n];
    qsort(some, n, sizeof *some, nsc_time_compare);
    return n ? some[(n - 1) / 2] : 0;
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
    memcpy(gaps, fleet->scratch, n * sizeof *gaps);
    while (n / step > most)
        step *= 2;
    if (column_of(reading, node, "lasts", unit) == n)
        for (size_t i = 0; i < n; i++) {
            nsc_time start = nsc_sum(before, gaps[i]);

            before = nsc_sum(start, fleet->scratch[i]);
            if (i % step)
                continue;
            *NSC_VEC_ADD(&fleet->start) = start;
            *NSC_VEC_ADD(&fleet->lasts) = (float)fleet->scratch[i];
            series->n++;
        }
    series->every *= step;
    free(gaps);
}

static void read_series(const struct reading *reading)
{
    struct nsc_fleet *fleet = reading->fleet;
    uint32_t list = nsc_json_find(reading->tree, 0, "series");
    uint32_t end = end_of(reading, list);
    size_t first = fleet->series.n;
    uint32_t n_ranks = (uint32_t)(fleet->ranks.n - reading->first_rank);
    uint32_t left = fleet->most * n_ranks;

    /* a document with more is no sketch of ours, and each is compared with all before */
    for (uint32_t at = first_of(reading, list);
         at != end && fleet->series.n - first < NSC_SKETCH_SERIES;
         at = reading->tree->nodes[at].next) {
        struct nsc_fleet_series series = {
            .name = text_of(reading, at, "kernel"),
            .rank = (uint32_t)int_of(reading, at, "rank"),
            .comm = int_of(reading, at, "communicator"),
            .every = (uint32_t)nsc_later(1, nsc_earlier(int_of(reading, at, "every"), 1 << 24)),
            .first = fleet->start.n};

        if (series.rank >= n_ranks)
            continue;
        series.rank += reading->first_rank;
        for (size_t k = first; k < fleet->series.n; k++)
            series.ordinal += fleet->series.at[k].rank == series.rank &&
                              fleet->series.at[k].name == series.name &&
                              fleet->series.at[k].comm == series.comm;
        read_ops(reading, &series, at, left / 2 + LEAST);
        left -= series.n < left ? series.n : left;
        series.typical = typical(fleet, &series);
        *NSC_VEC_ADD(&fleet->series) = series;
    }
}

/* ---- all ---- */

enum nsc_status nsc_fleet_add(struct nsc_fleet *fleet, const struct nsc_json_tree *sketch,
                              struct nsc_error *error)
{
    struct reading reading = {fleet, sketch, (uint32_t)fleet->ranks.n};
    struct nsc_text format;

    if (!nsc_json_get_text(&format, sketch, nsc_json_find(sketch, 0, "format")) ||
        !nsc_text_is(format, NSC_SKETCH_FORMAT))
        return nsc_fail(error, NSC_EFORMAT, "no sketch; make it by nsyscope sketch FILE");
    if (!read_ranks(&reading)) {
        while (fleet->ranks.n > reading.first_rank)
            free(fleet->ranks.at[--fleet->ranks.n].start);
        return nsc_fail(error, NSC_EFORMAT, "the sketch is damaged: its iterations cannot be read");
    }
    read_interludes(&reading);
    read_series(&reading);
    return NSC_OK;
}

void nsc_fleet_number(struct nsc_fleet *fleet)
{
    bool is_own = true;

    for (size_t i = 0; i < fleet->ranks.n; i++)
        is_own = is_own && fleet->ranks.at[i].number >= 0 &&
                 (i == 0 || fleet->ranks.at[i].number > fleet->ranks.at[i - 1].number);
    for (size_t i = 0; i < fleet->ranks.n && !is_own; i++)
        fleet->ranks.at[i].number = (int64_t)i;
}

uint32_t nsc_fleet_row_at(const struct nsc_fleet_rank *rank, nsc_time t)
{
    uint32_t low = 0;
    uint32_t high = rank->n_rows;

    NSC_BISECT(low, high, middle, rank->start[middle] <= t);
    return low ? low - 1 : 0;
}

void nsc_fleet_fini(struct nsc_fleet *fleet)
{
    for (size_t i = 0; i < fleet->ranks.n; i++)
        free(fleet->ranks.at[i].start);
    NSC_VEC_FINI(&fleet->ranks);
    NSC_VEC_FINI(&fleet->series);
    NSC_VEC_FINI(&fleet->interludes);
    NSC_VEC_FINI(&fleet->start);
    NSC_VEC_FINI(&fleet->lasts);
    nsc_strpool_fini(&fleet->texts);
    free(fleet->scratch);
}
