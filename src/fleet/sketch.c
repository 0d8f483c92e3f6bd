/* Writes the sketch of an export. */
#include "fleet/sketch.h"

#include "analysis/base/device_ops.h"
#include "analysis/job/fleet.h"
#include "analysis/job/rank_rows.h"
#include "analysis/names/parallel.h"
#include "core/json_write.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "fleet/column.h"
#include "fleet/sketch_names.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    INTERLUDES = 64, /* the longest */
    NAME_BYTES = 160,
    RANKS = 512,
    FINE_LEVELS = 18,
    LEVELS = FINE_LEVELS + 9, /* the last keeps one rank */
    LONG_SERIES = 1 << 16,    /* collectives */
    US = 1000
};

struct sketch {
    const struct nsc_sketch_question *question;
    struct nsc_iterations iterations;
    struct nsc_rank_ops ops;
    struct nsc_all_rank_rows rows;
    uint32_t *series; /* numbers of those kept, in order */
    uint32_t n_series;
    struct nsc_buf names; /* the members of sketch_names.h */
    struct nsc_json json; /* that writes them */
    int64_t unit;         /* ns */
    uint32_t most;        /* collectives of a series */
    uint32_t pack;        /* rows in one */
    uint32_t n_ranks;     /* kept, the first */
    uint32_t n_gpus;
};

/* ---- the export ---- */

static struct nsc_text text_of(const struct sketch *sketch, nsc_str id)
{
    return nsc_trace_string(sketch->question->scope->trace, id);
}

static void put_identity(struct nsc_json *json, const struct sketch *sketch)
{
    const struct nsc_trace_info *info = nsc_trace_info(sketch->question->scope->trace);
    const char *slash = strrchr(sketch->question->path, '/');
    int64_t number = nsc_fleet_number_in(sketch->question->path);

    nsc_json_open(json, "identity", '{');
    if (number >= 0)
        nsc_json_int(json, "rank", number);
    else
        nsc_json_null(json, "rank");
    nsc_sketch_text(json, "host", text_of(sketch, info->host), NAME_BYTES);
    nsc_sketch_text(json, "file", nsc_text_from(slash ? slash + 1 : sketch->question->path),
                    NAME_BYTES);
    nsc_json_int(json, "utc_start_ns", info->utc_start);
    nsc_sketch_text(json, "path", nsc_text_from(sketch->question->path), 4 * NAME_BYTES);
    nsc_json_close(json, '}');
}

static void put_environment(struct nsc_json *json, const struct sketch *sketch)
{
    const struct nsc_trace *trace = sketch->question->scope->trace;
    const struct nsc_trace_info *info = nsc_trace_info(trace);

    nsc_json_open(json, "environment", '{');
    nsc_sketch_text(json, "nsys", text_of(sketch, info->version), NAME_BYTES);
    nsc_sketch_text(json, "schema", text_of(sketch, info->schema), NAME_BYTES);
    nsc_json_open(json, "gpus", '[');
    for (uint32_t d = NSC_NONE, n = 0;
         n < NSC_SKETCH_GPUS && (d = nsc_device_next(trace, d)) != NSC_NONE; n++)
        nsc_sketch_text(json, NULL, text_of(sketch, nsc_trace_track(trace, d)->label), NAME_BYTES);
    nsc_json_close(json, ']');
    nsc_json_int(json, "duration_ns", info->duration);
    nsc_json_uint(json, "events", nsc_trace_events(trace)->n);
    nsc_json_close(json, '}');
}

/* ---- iterations ---- */

/* Times by row, pack rows in one: their sums, or the first of each. */
static void put_rows(struct nsc_json *json, const char *key, const struct sketch *sketch,
                     const nsc_time values[], uint32_t n, bool is_sum)
{
    int64_t *packed = nsc_xcalloc((size_t)n + 1, sizeof *packed);
    uint32_t k = 0;

    for (uint32_t i = 0; i < n; i += sketch->pack, k++) {
        packed[k] = values[i];
        for (uint32_t j = i + 1; is_sum && j < n && j < i + sketch->pack; j++)
            packed[k] = nsc_sum(packed[k], values[j]);
        packed[k] /= sketch->unit;
    }
    nsc_sketch_column(json, key, packed, k);
    free(packed);
}

static void put_parts(struct nsc_json *json, const struct sketch *sketch,
                      const struct nsc_rank_rows *rows)
{
    nsc_json_open(json, "parts", '[');
    for (size_t i = 0; i < rows->parts.n; i++) {
        const struct nsc_row_part *part = &rows->parts.at[i];

        nsc_json_open(json, NULL, '{');
        nsc_json_puts(json, "class", nsc_part_class_word(part->class));
        if (part->cause)
            nsc_json_text(json, "cause", nsc_strpool_text(&sketch->ops.pool, part->cause));
        nsc_json_int(json, "total_ns", part->total);
        put_rows(json, "ns", sketch, part->ns, rows->n, true);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

static void put_iterations(struct nsc_json *json, const struct sketch *sketch,
                           const struct nsc_rank_rows *rows)
{
    const struct nsc_iterations *of = &sketch->iterations;

    nsc_json_open(json, "iterations", '{');
    nsc_json_puts(json, "by", nsc_iterations_by_word(of->by));
    nsc_sketch_text(json, "name", nsc_text_from(of->label), NAME_BYTES);
    nsc_json_uint(json, "n", of->n);
    nsc_json_uint(json, "of_a_row", (uint64_t)rows->each * sketch->pack);
    nsc_json_uint(json, "rows", (rows->n + sketch->pack - 1) / sketch->pack);
    nsc_json_int(json, "unit_ns", sketch->unit);
    put_rows(json, "starts", sketch, rows->start, rows->n, false);
    nsc_json_int(json, "end_ns", rows->end);
    put_parts(json, sketch, rows);
    nsc_json_close(json, '}');
}

NSC_COMPARE(compare_interludes, struct nsc_interlude *const,
            NSC_BY(NSC_ORDER(nsc_window_length((*y)->taken), nsc_window_length((*x)->taken))) ||
                NSC_BY(NSC_ORDER(*x, *y)))

/* The longest interludes: checkpoints, evaluations. */
static void put_interludes(struct nsc_json *json, const struct sketch *sketch)
{
    const struct nsc_iterations *of = &sketch->iterations;
    const struct nsc_interlude **order = nsc_xcalloc((size_t)of->n_interludes + 1, sizeof *order);
    char scratch[NSC_NAME_BYTES];

    for (uint32_t i = 0; i < of->n_interludes; i++)
        order[i] = &of->interludes[i];
    qsort(order, of->n_interludes, sizeof *order, compare_interludes);
    nsc_json_open(json, "interludes", '[');
    for (uint32_t i = 0; i < of->n_interludes && i < INTERLUDES; i++) {
        nsc_json_open(json, NULL, '{');
        nsc_sketch_text(
            json, "name",
            nsc_trace_event_text(sketch->question->scope->trace, order[i]->event, true, scratch),
            NAME_BYTES);
        nsc_json_uint(json, "after", order[i]->after);
        nsc_json_int(json, "ns", nsc_span(order[i]->taken.t0, order[i]->taken.t1));
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
    free(order);
}

static void put_ranks(struct nsc_json *json, const struct sketch *sketch)
{
    nsc_json_open(json, "ranks", '[');
    for (size_t i = 0; i < sketch->n_ranks; i++) {
        const struct nsc_rank_place *place = &sketch->ops.ranks.at[i];

        nsc_json_open(json, NULL, '{');
        nsc_json_uint(json, "pid", place->pid);
        nsc_json_int(json, "gpu", place->gpu);
        for (int p = 0; p < NSC_N_PARALLELS; p++)
            if (place->mesh[p] >= 0 && nsc_parallel_word((enum nsc_parallel)p))
                nsc_json_int(json, nsc_parallel_word((enum nsc_parallel)p), place->mesh[p]);
        put_iterations(json, sketch, &sketch->rows.at.at[sketch->rows.of[i]]);
        nsc_json_close(json, '}');
    }
    nsc_json_close(json, ']');
}

/* ---- collectives ---- */

/* Every how many collectives of a series are kept: a power of two, so that ranks have some in common. */
static uint32_t every_of(const struct sketch *sketch, const struct nsc_collective_series *series)
{
    uint32_t every = 1;

    while (series->n / every > sketch->most)
        every *= 2;
    return every;
}

/* The lengths of runs of collectives that the rank does not compute beside, and then of those that it does; nothing if it does not
 * compute beside any. */
static void put_beside(struct nsc_json *json, const struct nsc_rank_op ops[], uint32_t n,
                       uint32_t every)
{
    int64_t *runs = nsc_xcalloc((size_t)n + 1, sizeof *runs);
    uint32_t last = 0;

    for (uint32_t i = 0; i < n; i += every) {
        last += nsc_fleet_is_beside(&ops[i]) != (bool)(last % 2);
        runs[last]++;
    }
    if (last > 0)
        nsc_sketch_column(json, "beside", runs, (size_t)last + 1);
    free(runs);
}

static void put_ops(struct nsc_json *json, const struct sketch *sketch,
                    const struct nsc_collective_series *series)
{
    const struct nsc_rank_op *ops = &sketch->ops.ops.at[series->first];
    int64_t *gaps = nsc_xcalloc(series->n, sizeof *gaps);
    int64_t *lasts = nsc_xcalloc(series->n, sizeof *lasts);
    int64_t before = 0;
    uint32_t every = every_of(sketch, series);
    uint32_t n = 0;

    for (uint32_t i = 0; i < series->n; i += every, n++) {
        int64_t start = ops[i].start / sketch->unit;

        gaps[n] = start - before;
        lasts[n] = ops[i].end / sketch->unit - start;
        before = start + lasts[n];
    }
    nsc_sketch_column(json, "gaps", gaps, n);
    nsc_sketch_column(json, "lasts", lasts, n);
    put_beside(json, ops, series->n, every);
    free(gaps);
    free(lasts);
}

static void put_series(struct nsc_json *json, const struct sketch *sketch,
                       const struct nsc_collective_series *series)
{
    struct nsc_fleet_series said = {0};
    const char *parallel;

    if (series->rank >= sketch->n_ranks)
        return;
    nsc_fleet_name_parallel(&said, &sketch->ops.ops.at[series->first], series->n);
    parallel = nsc_parallel_word(said.parallel);

    nsc_json_open(json, NULL, '{');
    nsc_json_uint(json, "rank", series->rank);
    nsc_sketch_text(json, "kernel", nsc_strpool_text(&sketch->ops.pool, series->name), NAME_BYTES);
    nsc_json_int(json, "communicator", series->comm);
    nsc_json_int(json, "stream", series->stream);
    if (!said.is_silent)
        nsc_json_puts(json, "parallel", parallel ? parallel : "mixed");
    nsc_json_uint(json, "n", series->n);
    nsc_json_uint(json, "every", every_of(sketch, series));
    nsc_json_int(json, "unit_ns", sketch->unit);
    put_ops(json, sketch, series);
    nsc_json_close(json, '}');
}

static int compare_longer(const void *context, uint32_t a, uint32_t b)
{
    const struct nsc_rank_ops *ops = context;

    return NSC_ORDER(ops->all_series.at[b].n, ops->all_series.at[a].n);
}

NSC_COMPARE(compare_numbers, uint32_t, NSC_BY(NSC_ORDER(*x, *y)))

static void choose_series(struct sketch *sketch)
{
    uint32_t n = (uint32_t)sketch->ops.all_series.n;

    sketch->series = nsc_sort_numbers(n);
    nsc_sort_by(sketch->series, n, compare_longer, &sketch->ops);
    sketch->n_series = n < NSC_SKETCH_SERIES ? n : NSC_SKETCH_SERIES;
    qsort(sketch->series, sketch->n_series, sizeof *sketch->series, compare_numbers);
}

/* ---- the whole ---- */

/* Says what is coarser than the export. */
static void put_left_out(struct nsc_json *json, const struct sketch *sketch)
{
    bool is_thin = false;
    char line[80];

    for (uint32_t i = 0; i < sketch->n_series; i++)
        is_thin |= every_of(sketch, &sketch->ops.all_series.at[sketch->series[i]]) > 1;
    nsc_json_open(json, "left_out", '[');
    if (sketch->unit > 1)
        nsc_json_puts(json, NULL, "times of iterations and collectives are cut to whole us");
    if (is_thin)
        nsc_json_puts(json, NULL, "only every 2nd, 4th ... collective of long series is kept");
    if (sketch->ops.all_series.n > sketch->n_series)
        nsc_json_puts(json, NULL, "only the longest series of collectives are kept");
    for (size_t i = 0; i < sketch->rows.at.n; i++)
        if (sketch->rows.at.at[i].each * sketch->pack > 1) {
            nsc_json_puts(json, NULL, "iterations are added up, of_a_row in one");
            break;
        }
    (void)snprintf(line, sizeof line, "only the first %u of %zu ranks are kept", sketch->n_ranks,
                   sketch->ops.ranks.n);
    if (sketch->n_ranks < sketch->ops.ranks.n)
        nsc_json_puts(json, NULL, line);
    if (sketch->n_gpus > NSC_SKETCH_GPUS)
        nsc_json_puts(json, NULL, "of very many GPUs only the first are listed, with their copies");
    nsc_json_close(json, ']');
}

static void put_all(struct nsc_buf *out, const struct sketch *sketch)
{
    struct nsc_json json;

    nsc_json_init(&json, out, false);
    nsc_json_open(&json, NULL, '{');
    nsc_json_puts(&json, "format", NSC_SKETCH_FORMAT);
    put_identity(&json, sketch);
    put_environment(&json, sketch);
    put_ranks(&json, sketch);
    put_interludes(&json, sketch);
    nsc_json_open(&json, "series", '[');
    for (uint32_t i = 0; i < sketch->n_series; i++)
        put_series(&json, sketch, &sketch->ops.all_series.at[sketch->series[i]]);
    nsc_json_close(&json, ']');
    nsc_buf_putc(out, ',');
    nsc_buf_join(out, &sketch->names);
    put_left_out(&json, sketch);
    nsc_json_close(&json, '}'); /* and a line break */
}

/* How coarse level i is: whole us from the second on, then shorter series, then fewer rows, at last fewer ranks. */
static void set_level(struct sketch *sketch, unsigned i)
{
    unsigned fine = i < FINE_LEVELS ? i : FINE_LEVELS - 1;
    uint32_t most = (uint32_t)RANKS >> (i - fine);

    sketch->unit = i == 0 ? 1 : US;
    sketch->most = i < 2 ? NSC_COLUMN_MOST : (uint32_t)LONG_SERIES >> (fine - 2);
    sketch->pack = i < 10 ? 1 : UINT32_C(1) << (fine - 9);
    sketch->n_ranks = sketch->ops.ranks.n < most ? (uint32_t)sketch->ops.ranks.n : most;
}

static void gather_rows(struct sketch *sketch)
{
    const struct nsc_scope *scope = sketch->question->scope;

    nsc_rank_ops_init(&sketch->ops);
    nsc_rank_ops_add(&sketch->ops, scope, sketch->question->fields, "");
    if (sketch->ops.ranks.n == 0) { /* no GPU and no MPI: one rank all the same */
        struct nsc_rank_place place = {.gpu = NSC_RANK_NO_GPU, .track = NSC_NONE};

        memset(place.mesh, -1, sizeof place.mesh);
        *NSC_VEC_ADD(&sketch->ops.ranks) = place;
    }
    nsc_rank_rows_build(&sketch->rows, &sketch->ops.pool, scope, &sketch->iterations, &sketch->ops);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;)
        sketch->n_gpus++;
    choose_series(sketch);
}

static void gather_part(void *context, unsigned worker, uint32_t i)
{
    struct sketch *sketch = context;

    (void)worker;
    if (i == 0)
        nsc_sketch_names_write(&sketch->json, sketch->question);
    else
        gather_rows(sketch);
}

/* The findings and the other parts, on all cores: the sketch of 10 M kernels takes
 * 3.4 s instead of 3.9. */
static void gather(struct sketch *sketch)
{
    const struct nsc_sketch_question *question = sketch->question;
    struct nsc_findings findings = {.ascii = true, .is_of_losses = true};

    (void)nsc_iterations_ask(&sketch->iterations, question->scope);
    nsc_json_init(&sketch->json, &sketch->names, false);
    sketch->json.depth = 1; /* inside the sketch */
    (void)nsc_findings_run_with(&findings, question->scope, question->fields,
                                &(struct nsc_finding_others){2, gather_part, sketch}, NULL);
    nsc_sketch_findings_write(&sketch->json, &findings);
    sketch->json.depth = 0;
    nsc_findings_fini(&findings);
}

void nsc_sketch_write(struct nsc_buf *out, const struct nsc_sketch_question *question)
{
    struct sketch sketch = {.question = question, .names = NSC_BUF_INIT(SIZE_MAX)};
    size_t before = out->n;

    gather(&sketch);
    for (unsigned i = 0; i < LEVELS && (i == 0 || out->n - before > NSC_SKETCH_BYTES); i++) {
        out->n = before;
        set_level(&sketch, i);
        put_all(out, &sketch);
    }
    nsc_rank_rows_fini(&sketch.rows);
    free(sketch.series);
    nsc_buf_fini(&sketch.names);
    nsc_rank_ops_fini(&sketch.ops);
    nsc_iterations_fini(&sketch.iterations);
}

bool nsc_sketch_is(const char *path)
{
    char bytes[sizeof NSC_SKETCH_BEGIN - 1];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is = fd >= 0 && read(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes &&
              memcmp(bytes, NSC_SKETCH_BEGIN, sizeof bytes) == 0;

    if (fd >= 0)
        (void)close(fd);
    return is;
}
