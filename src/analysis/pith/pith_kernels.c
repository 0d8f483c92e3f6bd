/*
 * Measures the kernels in the window of a rank: the purpose of each stream, and how much of each
 * stage's communication overlaps compute.
 */
#include "nsyscope/cover.h"

#include "analysis/pith/pith.h"
#include "analysis/ranges/process_ranges.h"
#include "core/bisect.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct kernel {
    nsc_event event;
    uint32_t stream; /* index in streams */
    nsc_time at;     /* time of its launch, else its start */
};

struct work {
    struct nsc_pith *pith;
    const struct nsc_pith_query *query;
    const struct nsc_pith_rank *rank;
    uint32_t rank_at;
    size_t first_stream;         /* of the rank */
    NSC_VEC(uint32_t) lanes;     /* of its streams */
    NSC_VEC(struct kernel) comm; /* kernels on communication streams; parity: one entry per call */
    uint8_t *is_nccl;            /* by name: 1 begins with "nccl" in any case, 2 in lower case */
    uint64_t *compute;           /* one bit per track: it is a compute stream */
    struct nsc_sort_pair *calls; /* parity: (correlation id, event); NULL: none */
    size_t n_calls;
};

/* ---- which kernels ---- */

static bool is_inside(const struct work *work, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(work->query->trace);

    if (work->query->mask && !nsc_bits_get(work->query->mask, event))
        return false;
    return events->kind[event] == NSC_KIND_KERNEL && events->start[event] >= work->rank->start &&
           nsc_event_end(events, event) <= work->rank->end;
}

static struct nsc_row_range rows_of(const struct work *work, uint32_t lane)
{
    struct nsc_window window = {work->rank->start, work->rank->end};

    if (window.t1 < INT64_MAX)
        window.t1++; /* includes an instant at the end */
    if (window.t0 >= window.t1)
        return (struct nsc_row_range){0, 0};
    return nsc_lane_rows(work->query->trace, lane, window);
}

static void judge_names(struct work *work)
{
    const struct nsc_names *names = nsc_trace_names(work->query->trace);

    work->is_nccl = nsc_xcalloc((size_t)names->n + 1, 1);
    for (nsc_name i = 1; i < names->n; i++) {
        struct nsc_text text = nsc_trace_string(work->query->trace, names->brief[i]);

        if (text.n >= 4 && strncasecmp(text.bytes, "nccl", 4) == 0)
            work->is_nccl[i] = memcmp(text.bytes, "nccl", 4) == 0 ? 2 : 1;
    }
}

static void find_lanes(struct work *work)
{
    uint32_t n_lanes = 0, n_tracks = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(work->query->trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(work->query->trace, &n_tracks);

    for (uint32_t l = 0; l < n_lanes; l++)
        if (tracks[lanes[l].track].kind == NSC_TRACK_STREAM &&
            tracks[lanes[l].track].process == work->rank->process)
            *NSC_VEC_ADD(&work->lanes) = l;
    work->compute = nsc_xcalloc(nsc_bits_words(n_tracks) + 1, sizeof *work->compute);
}

static const struct nsc_track *track_of(const struct work *work, uint32_t lane)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(work->query->trace, NULL);

    return nsc_trace_track(work->query->trace, lanes[lane].track);
}

/* ---- streams ---- */

static uint32_t stream_of(struct work *work, int64_t number)
{
    struct nsc_pith_stream *streams = work->pith->streams.at;

    for (size_t i = work->first_stream; i < work->pith->streams.n; i++)
        if (streams[i].stream == number)
            return (uint32_t)i;
    *NSC_VEC_ADD(&work->pith->streams) =
        (struct nsc_pith_stream){.rank = work->rank_at, .stream = number};
    return (uint32_t)work->pith->streams.n - 1;
}

static void count_lane(struct work *work, uint32_t lane)
{
    const struct nsc_events *events = nsc_trace_events(work->query->trace);
    struct nsc_row_range rows = rows_of(work, lane);

    for (nsc_event i = rows.first; i < rows.end; i++) {
        struct nsc_pith_stream *stream;
        bool is_comm = work->is_nccl[events->name[i]] != 0;
        nsc_time *sum;
        uint32_t at;

        if (!is_inside(work, i))
            continue;
        at = stream_of(work, track_of(work, lane)->stream); /* may move them */
        stream = &work->pith->streams.at[at];
        work->pith->n_kernels++;
        *(is_comm ? &stream->n_comm : &stream->n_comp) += 1;
        sum = is_comm ? &stream->comm : &stream->comp;
        *sum = nsc_sum(*sum, nsc_event_duration(events, i));
    }
}

NSC_COMPARE(compare_streams, struct nsc_pith_stream, NSC_LEAST(stream))

static void count_streams(struct work *work)
{
    size_t n;

    for (size_t l = 0; l < work->lanes.n; l++)
        count_lane(work, work->lanes.at[l]);
    n = work->pith->streams.n - work->first_stream;
    if (n)
        qsort(work->pith->streams.at + work->first_stream, n, sizeof *work->pith->streams.at,
              compare_streams);
}

/* ---- communication kernels and when they were launched ---- */

static nsc_time launch_or_start(const struct work *work, nsc_event kernel, nsc_event call)
{
    const struct nsc_events *events = nsc_trace_events(work->query->trace);

    return call != NSC_NONE && events->start[call] != 0 ? events->start[call]
                                                        : events->start[kernel];
}

static const struct nsc_track *track_of_event(const struct work *work, nsc_event event)
{
    return track_of(work, nsc_trace_lane_of(work->query->trace, event));
}

/* Parity: sorts the calls of the process by correlation id, then row. */
static void sort_calls(struct work *work)
{
    const struct nsc_fields *calls = work->query->calls;
    struct nsc_sort_pair *pairs;
    int64_t id = 0;

    if (!work->query->parity || !nsc_fields_has(calls, 0) ||
        !nsc_fields_has(work->query->kernels, 0))
        return;
    pairs = nsc_xmalloc((2 * (size_t)calls->n + 1) * sizeof *pairs);
    for (uint32_t row = 0; row < calls->n; row++)
        if (nsc_fields_int(&id, calls, 0, row) &&
            track_of_event(work, calls->event[row])->process == work->rank->process)
            pairs[work->n_calls++] = (struct nsc_sort_pair){(uint64_t)id, calls->event[row]};
    nsc_sort_pairs(pairs, pairs + work->n_calls, work->n_calls);
    work->calls = pairs;
}

/* Adds the kernel once for each call with its correlation id; returns how often. */
static uint32_t add_each_call(struct work *work, nsc_event event, uint32_t stream)
{
    size_t lo = 0, hi = work->n_calls;
    uint32_t n = 0;
    int64_t id = 0;

    if (!work->calls ||
        !nsc_fields_int(&id, work->query->kernels, 0, nsc_fields_find(work->query->kernels, event)))
        return 0;
    NSC_BISECT(lo, hi, mid, work->calls[mid].key < (uint64_t)id);
    for (; lo < work->n_calls && work->calls[lo].key == (uint64_t)id; lo++, n++)
        *NSC_VEC_ADD(&work->comm) =
            (struct kernel){event, stream, launch_or_start(work, event, work->calls[lo].value)};
    return n;
}

static void add_comm(struct work *work, nsc_event event, uint32_t stream)
{
    const struct nsc_events *events = nsc_trace_events(work->query->trace);

    if (!add_each_call(work, event, stream))
        *NSC_VEC_ADD(&work->comm) =
            (struct kernel){event, stream, launch_or_start(work, event, events->link[event])};
}

static void gather_comm(struct work *work)
{
    for (size_t l = 0; l < work->lanes.n; l++) {
        uint32_t lane = work->lanes.at[l];
        uint32_t track = nsc_trace_lanes(work->query->trace, NULL)[lane].track;
        struct nsc_row_range rows = rows_of(work, lane);

        for (nsc_event i = rows.first; i < rows.end; i++) {
            uint32_t stream;

            if (!is_inside(work, i))
                continue;
            stream = stream_of(work, track_of(work, lane)->stream);
            if (work->pith->streams.at[stream].n_comp > 0)
                nsc_bits_set(work->compute, track);
            else
                add_comm(work, i, stream);
        }
    }
}

static nsc_event *find_innermost(const struct work *work)
{
    size_t n = work->comm.n;
    nsc_time *at = nsc_xmalloc((n + 1) * sizeof *at);
    nsc_event *found = nsc_xmalloc((n + 1) * sizeof *found);
    struct nsc_process_query query = {.trace = work->query->trace,
                                      .nvtx = work->query->nvtx,
                                      .process = work->rank->process,
                                      .cap = work->query->parity ? NSC_PITH_CAP : 0};

    for (size_t i = 0; i < n; i++)
        at[i] = work->comm.at[i].at;
    nsc_process_innermost(found, &query, at, (uint32_t)n);
    free(at);
    return found;
}

/* ---- purposes ---- */

static bool holds(struct nsc_text text, const char *word)
{
    size_t n = strlen(word);

    for (size_t at = 0; at + n <= text.n; at++)
        if (memcmp(text.bytes + at, word, n) == 0)
            return true;
    return false;
}

static enum nsc_pith_purpose purpose_of(struct nsc_text range)
{
    static const struct {
        const char *word;
        enum nsc_pith_purpose purpose;
    } words[] = {{"stage2_f", NSC_PITH_EP_A2A},          {"stage2_b", NSC_PITH_EP_A2A},
                 {"stage4_f", NSC_PITH_EP_A2A},          {"stage4_b", NSC_PITH_EP_A2A},
                 {"stage1_f", NSC_PITH_CP_RING},         {"stage1_b", NSC_PITH_CP_RING},
                 {"pipeline send/recv", NSC_PITH_PP_P2P}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (holds(range, words[i].word))
            return words[i].purpose;
    return NSC_PITH_UNKNOWN;
}

static struct nsc_text text_of(const struct work *work, nsc_event range,
                               char scratch[NSC_NAME_BYTES])
{
    return range == NSC_NONE ? (struct nsc_text){"", 0}
                             : nsc_trace_event_text(work->query->trace, range, false, scratch);
}

/* Names streams by their communication kernels; "compute" means not named yet. */
static void name_streams(struct work *work, const nsc_event *ranges)
{
    char scratch[NSC_NAME_BYTES];

    for (size_t i = 0; i < work->comm.n; i++) {
        struct nsc_pith_stream *stream = &work->pith->streams.at[work->comm.at[i].stream];
        enum nsc_pith_purpose purpose = purpose_of(text_of(work, ranges[i], scratch));

        if (stream->purpose == NSC_PITH_COMPUTE)
            stream->purpose = purpose;
        else if (stream->purpose != purpose)
            stream->purpose = NSC_PITH_MIXED;
    }
}

/* ---- stages ---- */

/* Finds the last "stageN_d" in a text, N 1 to 5, d one of fbw; false if there is none. */
static bool find_stage(uint8_t *number, char *pass, struct nsc_text text)
{
    for (size_t at = text.n; at-- > 0;)
        if (text.n - at >= 8 && memcmp(text.bytes + at, "stage", 5) == 0 &&
            text.bytes[at + 5] >= '1' && text.bytes[at + 5] <= '5' && text.bytes[at + 6] == '_' &&
            strchr("bfw", text.bytes[at + 7]) && text.bytes[at + 7]) {
            *number = (uint8_t)(text.bytes[at + 5] - '0');
            *pass = text.bytes[at + 7];
            return true;
        }
    return false;
}

static bool keep_compute(const void *context, nsc_event event)
{
    const struct work *work = context;
    const struct nsc_events *events = nsc_trace_events(work->query->trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(work->query->trace, NULL);

    return is_inside(work, event) && work->is_nccl[events->name[event]] != 2 &&
           nsc_bits_get(work->compute, lanes[nsc_trace_lane_of(work->query->trace, event)].track);
}

static void add_stage_kernel(struct nsc_pith_stage *stage, nsc_time length, nsc_time hidden)
{
    double share = nsc_percent(hidden, length);

    stage->n++;
    stage->comm = nsc_sum(stage->comm, length);
    stage->exposed = nsc_sum(stage->exposed, length - hidden);
    if (length <= 0)
        return;
    stage->least = !stage->has_spread || share < stage->least ? share : stage->least;
    stage->most = !stage->has_spread || share > stage->most ? share : stage->most;
    stage->has_spread = true;
}

static void measure_stages(struct work *work, const nsc_event *ranges,
                           const struct nsc_cover *compute)
{
    const struct nsc_events *events = nsc_trace_events(work->query->trace);
    struct nsc_pith_stage stages[15] = {{0}}; /* stage1_b, stage1_f, stage1_w, stage2_b ... */
    char scratch[NSC_NAME_BYTES];

    for (size_t i = 0; i < work->comm.n; i++) {
        nsc_event kernel = work->comm.at[i].event;
        struct nsc_window window = {events->start[kernel], nsc_event_end(events, kernel)};
        uint8_t number = 0;
        char pass = 0;
        struct nsc_pith_stage *stage;

        if (!find_stage(&number, &pass, text_of(work, ranges[i], scratch)))
            continue;
        stage = &stages[(number - 1) * 3 + (pass == 'b' ? 0 : pass == 'f' ? 1 : 2)];
        stage->rank = work->rank_at;
        stage->number = number;
        stage->pass = pass;
        add_stage_kernel(stage, window.t1 - window.t0,
                         window.t1 > window.t0 ? nsc_cover_measure(compute, window) : 0);
    }
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (stages[i].n)
            *NSC_VEC_ADD(&work->pith->stages) = stages[i];
}

void nsc_pith_add_kernels(struct nsc_pith *pith, const struct nsc_pith_query *query, uint32_t rank)
{
    struct work work = {.pith = pith,
                        .query = query,
                        .rank = &pith->ranks.at[rank],
                        .rank_at = rank,
                        .first_stream = pith->streams.n};
    struct nsc_cover *compute = NULL;
    nsc_event *ranges = NULL;

    find_lanes(&work);
    judge_names(&work);
    count_streams(&work);
    sort_calls(&work);
    gather_comm(&work);
    ranges = find_innermost(&work);
    name_streams(&work, ranges);
    compute =
        nsc_cover_build(query->trace, work.lanes.at, (uint32_t)work.lanes.n, keep_compute, &work);
    if (!compute)
        nsc_die_oom();
    measure_stages(&work, ranges, compute);
    nsc_cover_free(compute);
    free(ranges);
    NSC_VEC_FINI(&work.comm);
    NSC_VEC_FINI(&work.lanes);
    free(work.compute);
    free(work.calls);
    free(work.is_nccl);
}
