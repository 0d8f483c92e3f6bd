/*
 * The covers of each device: one a class of work, their union, and what runs beside communication.
 */
#include "core/threads.h"
#include "index/cover_data.h"
#include "index/lane_merge.h"
#include "index/trace_data.h"

/* Beside the classes: any work; communication and compute at once; communication and any other. */
enum { ANY_WORK = NSC_N_WORK, OVERLAP, HIDDEN, N_COVERS };

/* One device at a time by one worker: its lanes are merged once, each row feeds its class and the
 * union. */
struct device_job {
    struct nsc_trace *trace;
    bool *failed; /* one a device */
};

static void add_stream_lanes(const struct nsc_trace *trace, uint32_t group, uint32_t lanes[],
                             uint32_t *n)
{
    for (uint32_t t = group; t < trace->tracks[group].skip; t++) {
        const struct nsc_track *track = &trace->tracks[t];

        for (uint32_t k = 0; track->kind == NSC_TRACK_STREAM && k < track->n_lanes; k++) {
            if (lanes)
                lanes[*n] = track->first_lane + k;
            ++*n;
        }
    }
}

static uint32_t *list_lanes(const struct nsc_trace *trace, uint32_t group, uint32_t *n)
{
    uint32_t *lanes = NULL;

    *n = 0;
    add_stream_lanes(trace, group, NULL, n);
    lanes = nsc_xmalloc((size_t)*n * sizeof *lanes + 1);
    *n = 0;
    add_stream_lanes(trace, group, lanes, n);
    return lanes;
}

/* Rows of each class, so that no cover reserves more than it can use: each row adds at most one
 * interval to each. */
static void count_work(const struct nsc_trace *trace, const uint32_t lanes[], uint32_t n_lanes,
                       uint32_t count[N_COVERS])
{
    for (uint32_t i = 0; i < n_lanes; i++) {
        const struct nsc_lane *lane = &trace->lanes[lanes[i]];

        for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
            enum nsc_work work = NSC_WORK_COMPUTE;

            if (trace->events.duration[row] == 0 || !nsc_trace_work_of(trace, row, &work))
                continue;
            count[work]++;
            count[ANY_WORK]++;
        }
    }
    if (count[NSC_WORK_COMM] && count[NSC_WORK_COMPUTE])
        count[OVERLAP] = count[NSC_WORK_COMM] + count[NSC_WORK_COMPUTE];
    if (count[NSC_WORK_COMM] && count[NSC_WORK_COMM] < count[ANY_WORK])
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

/* How far the rows of a class reach so far; nothing has begun at INT64_MIN. */
struct reach {
    nsc_time compute, comm, rest;
};

/*
 * What a row has in common with those of the other side that started before it, or with it. Rows
 * come by start, so from its start on those cover exactly what is left of their reach.
 */
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
                     enum nsc_work work, struct nsc_window row)
{
    nsc_cover_writer_add(&writers[work], row.t0, row.t1);
    nsc_cover_writer_add(&writers[ANY_WORK], row.t0, row.t1);
    if (work == NSC_WORK_COMM) {
        add_common(&writers[OVERLAP], row, reach->compute);
        add_common(&writers[HIDDEN], row, reach->rest);
        extend(&reach->comm, row.t1);
        return;
    }
    if (work == NSC_WORK_COMPUTE) {
        add_common(&writers[OVERLAP], row, reach->comm);
        extend(&reach->compute, row.t1);
    }
    add_common(&writers[HIDDEN], row, reach->comm);
    extend(&reach->rest, row.t1);
}

static void merge_work(const struct nsc_trace *trace, const uint32_t lanes[], uint32_t n_lanes,
                       struct nsc_cover_writer writers[N_COVERS])
{
    const struct nsc_events *events = &trace->events;
    struct reach reach = {INT64_MIN, INT64_MIN, INT64_MIN};
    struct nsc_lane_merge merge;

    nsc_lane_merge_init(&merge, trace, lanes, n_lanes);
    for (nsc_event row = 0; (row = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        enum nsc_work work = NSC_WORK_COMPUTE;

        if (events->duration[row] == 0 || !nsc_trace_work_of(trace, row, &work))
            continue;
        add_work(writers, &reach, work,
                 (struct nsc_window){events->start[row], nsc_event_end(events, row)});
    }
    nsc_lane_merge_fini(&merge);
}

static struct nsc_cover *end_writer(struct nsc_cover_writer *writer)
{
    return writer->cover ? nsc_cover_writer_end(writer) : NULL;
}

static void end_writers(struct nsc_device_covers *covers, struct nsc_cover_writer writers[N_COVERS])
{
    for (int i = 0; i < NSC_N_WORK; i++)
        covers->work[i] = end_writer(&writers[i]);
    covers->busy = end_writer(&writers[ANY_WORK]);
    covers->overlap = end_writer(&writers[OVERLAP]);
    covers->hidden = end_writer(&writers[HIDDEN]);
}

static void build_device(void *context, unsigned worker, uint32_t i)
{
    struct device_job *job = context;
    uint32_t n_lanes = 0;
    uint32_t *lanes = list_lanes(job->trace, job->trace->group_track[i], &n_lanes);
    uint32_t count[N_COVERS] = {0};
    struct nsc_cover_writer writers[N_COVERS];
    bool done = false;

    (void)worker;
    count_work(job->trace, lanes, n_lanes, count);
    done = init_writers(writers, count);
    if (done)
        merge_work(job->trace, lanes, n_lanes, writers);
    end_writers(&job->trace->covers[i], writers);
    job->failed[i] = !done;
    free(lanes);
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

/* The trace owns the covers it lends out as const. */
static void free_owned(const struct nsc_cover **cover)
{
    union {
        const struct nsc_cover *lent;
        struct nsc_cover *owned;
    } both = {.lent = *cover};

    nsc_cover_free(both.owned);
    *cover = NULL;
}

void nsc_trace_free_covers(struct nsc_trace *trace)
{
    if (!trace->covers)
        return;
    for (uint32_t i = 0; i < trace->n_groups; i++) {
        free_owned(&trace->covers[i].busy);
        free_owned(&trace->covers[i].hidden);
        free_owned(&trace->covers[i].overlap);
        for (int k = 0; k < NSC_N_WORK; k++)
            free_owned(&trace->covers[i].work[k]);
    }
    trace->covers = NULL;
}

const struct nsc_device_covers *nsc_trace_device_covers(const struct nsc_trace *trace,
                                                        uint32_t group)
{
    for (uint32_t i = 0; trace->covers && i < trace->n_groups; i++)
        if (trace->group_track[i] == group)
            return &trace->covers[i];
    return NULL;
}
