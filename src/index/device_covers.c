/*
 * The covers of each device: one per class, their union, and work beside communication.
 */
#include "core/bisect.h"
#include "core/bits.h"
#include "core/threads.h"
#include "index/builds.h"
#include "index/cover_data.h"
#include "index/kind_work.h"
#include "index/lane_merge.h"
#include "index/trace_data.h"

/* Covers after the classes: any class; communication and compute at once; communication and any
 * other. */
enum { ANY_WORK = NSC_N_OP_CLASSES, OVERLAP, HIDDEN, N_COVERS };

/* One worker per device merges its lanes once and adds each row to its class and to the union. */
struct device_job {
    struct nsc_trace *trace;
    bool *failed; /* one per device */
};

static uint32_t *list_lanes(const struct nsc_trace *trace, uint32_t group, uint32_t *n)
{
    NSC_VEC(uint32_t) lanes = {0};

    for (struct nsc_lane_walk at = nsc_device_lanes(trace, group); nsc_lane_walk_next(&at);)
        *NSC_VEC_ADD(&lanes) = at.lane;
    *n = (uint32_t)lanes.n;
    return lanes.at;
}

/* Rows of each class. A row adds at most one interval to a cover, so no cover reserves more than it
 * can use. */
static void count_common(uint32_t count[N_COVERS])
{
    if (count[NSC_OP_COMM] && count[NSC_OP_COMPUTE])
        count[OVERLAP] = count[NSC_OP_COMM] + count[NSC_OP_COMPUTE];
    if (count[NSC_OP_COMM] && count[NSC_OP_COMM] < count[ANY_WORK])
        count[HIDDEN] = count[ANY_WORK];
}

static bool init_writers(struct nsc_cover_writer writers[N_COVERS], const uint32_t count[N_COVERS])
{
    bool done = true;

    for (int i = 0; i < N_COVERS; i++) {
        writers[i].cover = NULL;
        if (count[i] > 0)
            done = nsc_cover_writer_init(&writers[i], count[i]) && done;
    }
    return done;
}

/* The latest end of each class so far; INT64_MIN: none. */
struct reach {
    nsc_time compute, comm, rest;
};

/* Adds the time that a row shares with earlier rows of the other side. Rows come by start, so those
 * rows cover exactly the time from this start to their latest end. */
static void add_common(struct nsc_cover_writer *writer, struct nsc_window row, nsc_time reach)
{
    if (writer->cover)
        nsc_cover_writer_add(writer, row.t0, row.t1 < reach ? row.t1 : reach);
}

static void extend(nsc_time *reach, nsc_time end)
{
    *reach = end > *reach ? end : *reach;
}

static void add_work(struct nsc_cover_writer writers[N_COVERS], struct reach *reach,
                     enum nsc_op_class work, struct nsc_window row)
{
    nsc_cover_writer_add(&writers[work], row.t0, row.t1);
    nsc_cover_writer_add(&writers[ANY_WORK], row.t0, row.t1);
    if (work == NSC_OP_COMM) {
        add_common(&writers[OVERLAP], row, reach->compute);
        add_common(&writers[HIDDEN], row, reach->rest);
        extend(&reach->comm, row.t1);
        return;
    }
    if (work == NSC_OP_COMPUTE) {
        add_common(&writers[OVERLAP], row, reach->comm);
        extend(&reach->compute, row.t1);
    }
    add_common(&writers[HIDDEN], row, reach->comm);
    extend(&reach->rest, row.t1);
}

static struct nsc_cover *end_writer(struct nsc_cover_writer *writer)
{
    return writer->cover ? nsc_cover_writer_end(writer) : NULL;
}

static void end_writers(struct nsc_device_covers *covers, struct nsc_cover_writer writers[N_COVERS])
{
    for (int i = 0; i < NSC_N_OP_CLASSES; i++)
        covers->work[i] = end_writer(&writers[i]);
    covers->busy = end_writer(&writers[ANY_WORK]);
    covers->overlap = end_writer(&writers[OVERLAP]);
    covers->hidden = end_writer(&writers[HIDDEN]);
}

/* ---- of a device: first count rows, then merge ---- */

struct merging {
    const struct nsc_trace *trace;
    const uint64_t *mask;
    uint32_t *lanes;
    uint32_t n_lanes;
    uint32_t count[N_COVERS];
    struct nsc_cover_writer writers[N_COVERS];
};

/* An instant covers nothing. */
static inline bool is_selected(const struct merging *merging, nsc_event row)
{
    return merging->trace->events.duration[row] != 0 &&
           (!merging->mask || nsc_bits_get(merging->mask, row));
}

/* Counts rows by kind and by whether their names mean communication. */
static void count_kinds(uint32_t kinds[NSC_N_KINDS][2], const struct merging *merging,
                        const struct nsc_lane *lane)
{
    const struct nsc_events *events = &merging->trace->events;
    const uint8_t *flags = merging->trace->names.flags;

    for (nsc_event row = lane->first; row < lane->first + lane->n; row++)
        if (is_selected(merging, row))
            kinds[events->kind[row]][(flags[events->name[row]] & NSC_NAME_COMM) != 0]++;
}

static void count_rows(struct merging *merging)
{
    uint32_t kinds[NSC_N_KINDS][2] = {{0}};

    for (uint32_t i = 0; i < merging->n_lanes; i++)
        count_kinds(kinds, merging, &merging->trace->lanes[merging->lanes[i]]);
    for (int kind = 0; kind < NSC_N_KINDS; kind++)
        for (int comm = 0; comm < 2; comm++) {
            enum nsc_op_class class = NSC_OP_COMPUTE;

            if (!nsc_op_class_of_kind(&class, (uint8_t)kind, comm != 0))
                continue;
            merging->count[class] += kinds[kind][comm];
            merging->count[ANY_WORK] += kinds[kind][comm];
        }
    count_common(merging->count);
}

static void merge_rows(struct merging *merging)
{
    const struct nsc_events *events = &merging->trace->events;
    struct reach reach = {INT64_MIN, INT64_MIN, INT64_MIN};
    struct nsc_lane_merge merge;

    nsc_lane_merge_init(&merge, merging->trace, merging->lanes, merging->n_lanes);
    for (nsc_event row = 0; (row = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        enum nsc_op_class class = NSC_OP_COMPUTE;

        if (is_selected(merging, row) &&
            nsc_op_class_of_row(events, &merging->trace->names, row, &class))
            add_work(merging->writers, &reach, class,
                     (struct nsc_window){events->start[row], nsc_event_end(events, row)});
    }
    nsc_lane_merge_fini(&merge);
}

bool nsc_device_covers_build(struct nsc_device_covers *out, const struct nsc_trace *trace,
                             uint32_t group, const uint64_t *mask)
{
    struct merging merging = {.trace = trace, .mask = mask};
    bool done;

    merging.lanes = list_lanes(trace, group, &merging.n_lanes);
    count_rows(&merging);
    done = init_writers(merging.writers, merging.count);
    if (done)
        merge_rows(&merging);
    *out = (struct nsc_device_covers){0};
    end_writers(out, merging.writers);
    if (!done)
        nsc_device_covers_fini(out);
    free(merging.lanes);
    return done;
}

/* ---- of a whole trace ---- */

static void build_device(void *context, unsigned worker, uint32_t i)
{
    struct device_job *job = context;

    (void)worker;
    job->failed[i] = !nsc_device_covers_build(&job->trace->covers[i], job->trace,
                                              job->trace->group_track[i], NULL);
}

bool nsc_trace_build_covers(struct nsc_trace *trace, struct nsc_pool *pool)
{
    struct device_job job = {.trace = trace};
    bool done = true;

    trace->covers = NSC_ARENA_ARRAY(&trace->arena, struct nsc_device_covers, trace->n_groups);
    job.failed = nsc_xcalloc((size_t)trace->n_groups + 1, sizeof *job.failed);
    nsc_pool_run(pool, trace->n_groups, build_device, &job);
    for (uint32_t i = 0; i < trace->n_groups; i++)
        done = done && !job.failed[i];
    free(job.failed);
    return done;
}

/* The trace owns its covers, although it lends them as const. */
static void free_owned(const struct nsc_cover **cover)
{
    nsc_cover_free((struct nsc_cover *)(uintptr_t)*cover);
    *cover = NULL;
}

void nsc_device_covers_fini(struct nsc_device_covers *covers)
{
    free_owned(&covers->busy);
    free_owned(&covers->hidden);
    free_owned(&covers->overlap);
    for (int k = 0; k < NSC_N_OP_CLASSES; k++)
        free_owned(&covers->work[k]);
}

void nsc_trace_free_covers(struct nsc_trace *trace)
{
    for (uint32_t i = 0; trace->covers && i < trace->n_groups; i++)
        nsc_device_covers_fini(&trace->covers[i]);
    trace->covers = NULL;
}

const struct nsc_device_covers *nsc_trace_device_covers(const struct nsc_trace *trace,
                                                        uint32_t group)
{
    uint32_t low = 0;
    uint32_t high = trace->covers ? trace->n_groups : 0;
    uint32_t n = high;

    NSC_BISECT(low, high, middle, trace->group_track[middle] < group);
    return low < n && trace->group_track[low] == group ? &trace->covers[low] : NULL;
}
