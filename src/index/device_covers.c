/*
 * The covers of each device: one a class of work, their union, and compute and communication at
 * once.
 */
#include "core/threads.h"
#include "index/cover_data.h"
#include "index/lane_merge.h"
#include "index/trace_data.h"

/* Beside the classes: any work, and any but communication, kept only where there is communication.
 */
enum { ANY_WORK = NSC_N_WORK, REST, N_COVERS };

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

/* Rows of each class, so that no cover reserves more than it can use. */
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
            count[REST] += work != NSC_WORK_COMM;
        }
    }
    if (count[NSC_WORK_COMM] == 0)
        count[REST] = 0;
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

static void merge_work(const struct nsc_trace *trace, const uint32_t lanes[], uint32_t n_lanes,
                       struct nsc_cover_writer writers[N_COVERS])
{
    const struct nsc_events *events = &trace->events;
    struct nsc_lane_merge merge;

    nsc_lane_merge_init(&merge, trace, lanes, n_lanes);
    for (nsc_event row = 0; (row = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        enum nsc_work work = NSC_WORK_COMPUTE;
        nsc_time end = 0;

        if (events->duration[row] == 0 || !nsc_trace_work_of(trace, row, &work))
            continue;
        end = nsc_event_end(events, row);
        nsc_cover_writer_add(&writers[work], events->start[row], end);
        nsc_cover_writer_add(&writers[ANY_WORK], events->start[row], end);
        if (work != NSC_WORK_COMM && writers[REST].cover)
            nsc_cover_writer_add(&writers[REST], events->start[row], end);
    }
    nsc_lane_merge_fini(&merge);
}

static bool end_writers(struct nsc_device_covers *covers, struct nsc_cover_writer writers[N_COVERS])
{
    for (int i = 0; i < NSC_N_WORK; i++)
        if (writers[i].cover)
            covers->work[i] = nsc_cover_writer_end(&writers[i]);
    if (writers[ANY_WORK].cover)
        covers->busy = nsc_cover_writer_end(&writers[ANY_WORK]);
    if (writers[REST].cover)
        covers->rest = nsc_cover_writer_end(&writers[REST]);
    if (!covers->work[NSC_WORK_COMPUTE] || !covers->work[NSC_WORK_COMM])
        return true;
    covers->overlap =
        nsc_cover_intersect(covers->work[NSC_WORK_COMPUTE], covers->work[NSC_WORK_COMM]);
    return covers->overlap != NULL;
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
    job->failed[i] = !end_writers(&job->trace->covers[i], writers) || !done;
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
        free_owned(&trace->covers[i].rest);
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
