/*
 * The rules about idle GPUs: gaps between operations, and stretches of low use.
 *
 * Both look at the operations of a process on a device, from its first start to its last end. The
 * profiler's own work for the process (flushing its data, stopping) counts as an operation on each
 * of its devices, because the program is not to blame for it.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"

#include <math.h>
#include <stdlib.h>

/* An operation on a device. */
struct op {
    nsc_time start, end;
    uint32_t place; /* number of its device, in order of first occurrence */
    int64_t context;
};

struct place {                    /* a device of a process */
    int64_t pid, device, context; /* context of its first operation */
    nsc_time start, end;
};

struct row {
    nsc_time duration, start;
    double use; /* percent */
    uint32_t place;
    int64_t context; /* context of the operation before a gap */
    uint32_t number; /* as it is written, from 1 on */
};

struct looking {
    const struct nsc_stats_input *input;
    NSC_VEC(struct op) ops; /* by place, then start */
    NSC_VEC(struct place) places;
    NSC_VEC(struct row) rows;
};

static uint32_t find_place(struct looking *looking, const struct nsc_track *track)
{
    struct place place = {nsc_stats_pid(track), track->device, track->context, 0, 0};

    for (size_t i = looking->places.n; i > 0; i--) {
        const struct place *at = &looking->places.at[i - 1];

        if (at->pid == place.pid && at->device == place.device)
            return (uint32_t)(i - 1);
    }
    *NSC_VEC_ADD(&looking->places) = place;
    return (uint32_t)(looking->places.n - 1);
}

NSC_COMPARE(compare_ops, struct op, NSC_LEAST(place) || NSC_LEAST(start) || NSC_LEAST(end))

static void span_places(struct looking *looking)
{
    for (size_t i = 0; i < looking->ops.n; i++) {
        const struct op *op = &looking->ops.at[i];
        struct place *place = &looking->places.at[op->place];
        bool first = i == 0 || looking->ops.at[i - 1].place != op->place;

        if (first) {
            place->start = op->start;
            place->context = op->context;
        }
        if (first || op->end > place->end)
            place->end = op->end;
    }
}

static bool is_of_the_profiler(struct nsc_text name)
{
    return nsc_text_is(name, "CUDA profiling data flush overhead") ||
           nsc_text_is(name, "CUDA profiling stop overhead") ||
           nsc_text_is(name, "CUDA profiling overhead");
}

/* Adds the profiler's own time to each device of its process, as far as it lies between the first
 * and the last operation. */
static void add_overhead(struct looking *looking)
{
    static const uint8_t kinds[] = {NSC_KIND_OVERHEAD};
    const struct nsc_trace *trace = looking->input->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_stats_list list = nsc_stats_list(looking->input, kinds, sizeof kinds);
    struct nsc_stats_names names;

    nsc_stats_names_init(&names, looking->input);
    for (uint32_t i = 0; i < list.n; i++) {
        nsc_time start = events->start[list.event[i]];
        nsc_time end = nsc_event_end(events, list.event[i]);
        int64_t pid = nsc_stats_pid(nsc_stats_track(trace, list.event[i]));

        if (!is_of_the_profiler(nsc_stats_name(&names, list.event[i])))
            continue;
        for (uint32_t p = 0; p < looking->places.n; p++) {
            const struct place *place = &looking->places.at[p];

            if (place->pid == pid && start > place->start && end < place->end)
                *NSC_VEC_ADD(&looking->ops) = (struct op){start, end, p, place->context};
        }
    }
    nsc_stats_names_fini(&names);
    free(list.event);
}

static void sort_ops(struct looking *looking)
{
    NSC_VEC_SORT(&looking->ops, compare_ops);
}

static void init_looking(struct looking *looking, const struct nsc_stats_input *input)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL,     NSC_KIND_GRAPH,     NSC_KIND_COPY_HTOD,
                                    NSC_KIND_COPY_DTOH,  NSC_KIND_COPY_DTOD, NSC_KIND_COPY_PTOP,
                                    NSC_KIND_COPY_OTHER, NSC_KIND_MEMSET};
    const struct nsc_events *events = nsc_trace_events(input->trace);
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizeof kinds);
    const struct nsc_track *last = NULL;
    uint32_t place = 0;

    *looking = (struct looking){.input = input};
    for (uint32_t i = 0; i < list.n; i++) {
        const struct nsc_track *track = nsc_stats_track(input->trace, list.event[i]);

        if (track != last)
            place = find_place(looking, track);
        last = track;
        *NSC_VEC_ADD(&looking->ops) =
            (struct op){events->start[list.event[i]], nsc_event_end(events, list.event[i]), place,
                        track->context};
    }
    free(list.event);
    sort_ops(looking);
    span_places(looking);
    add_overhead(looking);
    sort_ops(looking);
}

static void fill_row(void *context, uint32_t at, struct nsc_stats_cell cells[])
{
    struct looking *looking = context;
    const struct row *row = &looking->rows.at[at];
    const struct place *place = &looking->places.at[row->place];
    uint32_t c = 0;

    cells[c++] = nsc_cell_of_int(row->number);
    if (looking->input->id == NSC_STATS_GPU_TIME_UTIL)
        cells[c++] = nsc_cell_of_real(row->use);
    cells[c++] = nsc_cell_of_int(row->duration);
    cells[c++] = nsc_cell_of_int(row->start);
    cells[c++] = nsc_cell_of_int(place->pid);
    cells[c++] = nsc_cell_of_int(place->device);
    cells[c++] = nsc_cell_of_int(row->context);
}

/* Writes rows in the order of compare, at most as many as requested, and frees all. */
static enum nsc_status end_looking(struct looking *looking, const struct nsc_stats_sink *sink,
                                   int (*compare)(const void *context, uint32_t a, uint32_t b))
{
    uint32_t n = (uint32_t)looking->rows.n, limit = looking->input->arguments.rows;
    uint32_t *index = nsc_sort_numbers(n);
    enum nsc_status status = looking->ops.n ? NSC_OK : NSC_ENODATA;

    nsc_sort_by(index, n, compare, looking);
    for (uint32_t i = 0; i < n; i++)
        looking->rows.at[index[i]].number = i + 1;
    nsc_stats_put_list(sink, index, limit && limit < n ? limit : n, fill_row, looking);
    free(index);
    NSC_VEC_FINI(&looking->ops);
    NSC_VEC_FINI(&looking->places);
    NSC_VEC_FINI(&looking->rows);
    return status;
}

/* ---- gaps ---- */

static void find_gaps(struct looking *looking)
{
    nsc_time covered = 0, gap;
    int64_t context = 0; /* context of the operation that ended last */

    for (size_t i = 0; i < looking->ops.n; i++) {
        const struct op *op = &looking->ops.at[i];
        bool first = i == 0 || looking->ops.at[i - 1].place != op->place;

        gap = first ? 0 : nsc_span(covered, op->start);
        if (gap > looking->input->arguments.gap)
            *NSC_VEC_ADD(&looking->rows) = (struct row){gap, covered, 0, op->place, context, 0};
        if (first || op->end > covered) {
            covered = op->end;
            context = op->context;
        }
    }
}

static int compare_gaps(const void *context, uint32_t a, uint32_t b)
{
    const struct looking *looking = context;
    const struct row *x = &looking->rows.at[a], *y = &looking->rows.at[b];
    int order = NSC_ORDER(y->duration, x->duration);

    return order ? order : NSC_ORDER(x->start, y->start);
}

enum nsc_status nsc_stats_gpu_gaps(const struct nsc_stats_input *input,
                                   const struct nsc_stats_sink *sink)
{
    struct looking looking;

    init_looking(&looking, input);
    find_gaps(&looking);
    return end_looking(&looking, sink, compare_gaps);
}

/* ---- use ---- */

/* Adds the part of each chunk that an operation takes, in ns. */
static void add_use(nsc_time use[], const struct op *op, const struct place *place, nsc_time chunk,
                    uint32_t n)
{
    nsc_time start = nsc_later(op->start, place->start), end = nsc_earlier(op->end, place->end);
    uint32_t first = (uint32_t)(nsc_span(place->start, start) / chunk);

    for (uint32_t i = first; i < n; i++) {
        nsc_time t0 = place->start + (nsc_time)i * chunk;
        nsc_time t1 = i + 1 < n ? t0 + chunk : place->end;

        if (t0 >= end)
            return;
        use[i] = nsc_sum(use[i], nsc_span(nsc_later(start, t0), nsc_earlier(end, t1)));
    }
}

/* Lists chunks of low use, with neighbours merged. */
static void add_chunks(struct looking *looking, const nsc_time use[], uint32_t place,
                       nsc_time chunk, uint32_t n)
{
    const struct place *of = &looking->places.at[place];
    nsc_time used = 0, from = 0;
    bool open = false;

    for (uint32_t i = 0; i <= n; i++) {
        nsc_time t0 = i < n ? of->start + (nsc_time)i * chunk : of->end;
        nsc_time t1 = i + 1 < n ? t0 + chunk : of->end;
        bool low =
            i < n && t1 > t0 && nsc_percent(use[i], t1 - t0) < looking->input->arguments.threshold;

        if (open && !low)
            *NSC_VEC_ADD(&looking->rows) =
                (struct row){t0 - from, from, nsc_percent(used, t0 - from), place, of->context, 0};
        if (low && !open) {
            from = t0;
            used = 0;
        }
        used = low ? nsc_sum(used, use[i]) : used;
        open = low;
    }
}

static void narrow_place(struct place *place, const struct nsc_stats_arguments *arguments)
{
    if (arguments->has_start)
        place->start = nsc_later(place->start, arguments->start);
    if (arguments->has_end)
        place->end = nsc_earlier(place->end, arguments->end);
}

static void find_use(struct looking *looking, uint32_t place)
{
    uint32_t n = looking->input->arguments.chunks;
    nsc_time span, chunk, *use;

    narrow_place(&looking->places.at[place], &looking->input->arguments);
    span = nsc_span(looking->places.at[place].start, looking->places.at[place].end);
    if (span == 0)
        return;
    chunk = span / n + (span % n != 0);
    if (span / chunk < n) /* too short for n chunks */
        n = (uint32_t)(span / chunk + (span % chunk != 0));
    use = nsc_xcalloc(n, sizeof *use);
    for (size_t i = 0; i < looking->ops.n; i++)
        if (looking->ops.at[i].place == place)
            add_use(use, &looking->ops.at[i], &looking->places.at[place], chunk, n);
    add_chunks(looking, use, place, chunk, n);
    free(use);
}

/* Orders the least used first, by tenths of a percent; of equals the shorter. */
static int compare_use(const void *context, uint32_t a, uint32_t b)
{
    const struct looking *looking = context;
    const struct row *x = &looking->rows.at[a], *y = &looking->rows.at[b];
    double k = floor(x->use * 10 + 0.5), l = floor(y->use * 10 + 0.5);
    int order = NSC_ORDER(k, l);

    order = order ? order : NSC_ORDER(x->duration, y->duration);
    return order ? order : NSC_ORDER(x->start, y->start);
}

enum nsc_status nsc_stats_gpu_time_util(const struct nsc_stats_input *input,
                                        const struct nsc_stats_sink *sink)
{
    struct looking looking;

    init_looking(&looking, input);
    for (uint32_t place = 0; place < looking.places.n; place++)
        find_use(&looking, place);
    return end_looking(&looking, sink, compare_use);
}
