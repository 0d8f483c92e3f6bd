/* Sums the gaps of a device. */
#include "analysis/base/shared.h"
#include "analysis/device/idle_data.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"

#include <stdlib.h>
#include <string.h>

static const nsc_time size_limits[NSC_IDLE_SIZES - 1] = {10000, 100000, 1000000};

static void keep_longest(struct nsc_idle *idle, const struct nsc_idle_gap *gap)
{
    nsc_time length = nsc_span(gap->of.start, gap->of.end);
    uint32_t at = idle->n_longest;

    while (at > 0 &&
           nsc_span(idle->longest[at - 1].of.start, idle->longest[at - 1].of.end) < length)
        at--;
    if (at == NSC_IDLE_LONGEST)
        return;
    if (idle->n_longest < NSC_IDLE_LONGEST)
        idle->longest = nsc_xrealloc(idle->longest, ++idle->n_longest, sizeof *idle->longest);
    memmove(&idle->longest[at + 1], &idle->longest[at],
            (idle->n_longest - 1 - at) * sizeof *idle->longest);
    idle->longest[at] = *gap;
}

/* ---- causes ---- */

static struct nsc_idle_group *find_group(struct nsc_idle_totals *totals,
                                         const struct nsc_gap_piece *piece)
{
    uint32_t at = nsc_tally_group(
        &totals->tally, (uint64_t)piece->part << 32 | nsc_idle_name(totals, piece->call),
        (uint64_t)(piece->thread + 1) << 32 | nsc_idle_name(totals, piece->range));

    if (at == totals->groups.n)
        *NSC_VEC_ADD(&totals->groups) = (struct nsc_idle_group){.cause = {.part = piece->part,
                                                                          .call = piece->call,
                                                                          .inside = NSC_NONE,
                                                                          .range = piece->range,
                                                                          .thread = piece->thread},
                                                                .gap = NSC_NONE};
    return &totals->groups.at[at];
}

/* Counts the CPU samples of a lane in a piece. */
static void add_lane(struct nsc_idle_totals *totals, uint32_t group,
                     const struct nsc_gap_piece *piece, uint32_t number)
{
    const struct nsc_trace *trace = totals->walk.scope->trace;
    const struct nsc_lane *lane = &nsc_trace_lanes(trace, NULL)[number];
    uint32_t *near = nsc_sparse_at(&totals->walk.host.near, number);
    nsc_event row = nsc_lane_find_near(trace, number, piece->start, lane->first + *near);

    *near = row - lane->first;
    for (; row - lane->first < lane->n && nsc_trace_events(trace)->start[row] < piece->end; row++)
        if (nsc_tally_add(&totals->samples, group, nsc_idle_name(totals, row), 1) ==
            totals->sampled.n)
            *NSC_VEC_ADD(&totals->sampled) = row;
}

/* Counts the CPU samples of a thread in a piece in which it works. */
static void add_samples(struct nsc_idle_totals *totals, uint32_t group,
                        const struct nsc_gap_piece *piece)
{
    const struct nsc_trace *trace = totals->walk.scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    bool is_work =
        piece->part == NSC_GAP_CPU || (piece->part == NSC_GAP_DRAINED && piece->inside == NSC_NONE);
    uint32_t t = is_work && piece->thread != NSC_NONE
                     ? nsc_thread_track(trace, piece->thread, NSC_TRACK_SAMPLES)
                     : NSC_NONE;

    if (t == NSC_NONE)
        return;
    for (; t < nsc_group_end(tracks, piece->thread) && tracks[t].kind == NSC_TRACK_SAMPLES; t++)
        for (uint32_t k = 0; k < tracks[t].n_lanes; k++)
            add_lane(totals, group, piece, tracks[t].first_lane + k);
}

/* Counts the call inside that of the piece; mostly it has the name of the one before. */
static void add_inside(struct nsc_idle_totals *totals, struct nsc_idle_group *group,
                       const struct nsc_gap_piece *piece)
{
    uint64_t name = nsc_idle_name(totals, piece->inside);

    if (group->inside_name != name) {
        group->inside_name = name;
        group->inside =
            nsc_tally_group(&totals->inside, (uint64_t)(group - totals->groups.at), name);
        if (group->inside == totals->inner.n)
            *NSC_VEC_ADD(&totals->inner) = piece->inside;
    }
    nsc_tally_count(&totals->inside, group->inside, nsc_span(piece->start, piece->end));
}

/* Adds a piece to the sums. */
static void add_piece(struct nsc_idle_totals *totals, const struct nsc_gap_piece *piece)
{
    nsc_time length = nsc_span(piece->start, piece->end);
    struct nsc_idle_group *group = find_group(totals, piece);
    nsc_time *part = &totals->idle->part[piece->part];

    add_samples(totals, (uint32_t)(group - totals->groups.at), piece);
    *part = nsc_sum(*part, length);
    if (group->gap != totals->idle->n_gaps) {
        *NSC_VEC_ADD(&totals->touched) = (uint32_t)(group - totals->groups.at);
        group->gap = totals->idle->n_gaps;
        group->in_gap = 0;
        group->piece = piece;
        group->cause.gaps++;
    }
    group->in_gap += length;
    if (length > nsc_span(group->piece->start, group->piece->end))
        group->piece = piece;
    group->cause.ns = nsc_sum(group->cause.ns, length);
    if (length > group->longest) {
        group->longest = length;
        group->cause.call = piece->call;
        group->cause.range = piece->range;
        group->cause.sleep = piece->sleep;
    }
    if (piece->inside != NSC_NONE)
        add_inside(totals, group, piece);
}

/* The largest cause of the current gap. Sets the range with the most late time. */
static struct nsc_idle_cause judge_gap(struct nsc_idle_totals *totals, struct nsc_gap *gap)
{
    const struct nsc_idle_group *largest = NULL, *late = NULL;

    for (size_t i = 0; i < totals->touched.n; i++) {
        const struct nsc_idle_group *group = &totals->groups.at[totals->touched.at[i]];

        if (!largest || group->in_gap > largest->in_gap)
            largest = group;
        if (group->cause.part < NSC_GAP_LATE && group->in_gap > (late ? late->in_gap : 0))
            late = group;
    }
    if (late)
        gap->range = late->piece->range;
    if (!largest)
        return (struct nsc_idle_cause){.part = NSC_GAP_UNKNOWN};
    return (struct nsc_idle_cause){.part = largest->cause.part,
                                   .call = largest->piece->call,
                                   .inside = largest->piece->inside,
                                   .range = largest->piece->range,
                                   .thread = largest->cause.thread,
                                   .sleep = largest->piece->sleep,
                                   .ns = largest->in_gap};
}

static void add_gap(struct nsc_idle_totals *totals, struct nsc_gap *gap)
{
    struct nsc_idle *idle = totals->idle;
    nsc_time length = nsc_span(gap->start, gap->end);
    struct nsc_idle_gap told;
    uint32_t size = 0;

    while (size < NSC_IDLE_SIZES - 1 && length >= size_limits[size])
        size++;
    idle->sizes[size]++;
    idle->n_gaps++;
    idle->idle = nsc_sum(idle->idle, length);
    NSC_VEC_CLEAR(&totals->touched);
    for (size_t i = 0; i < totals->walk.pieces.n; i++)
        add_piece(totals, &totals->walk.pieces.at[i]);
    if (gap->drained != NSC_NONE)
        idle->after_drain = nsc_sum(idle->after_drain, nsc_gap_late(gap));
    if (idle->n_longest < NSC_IDLE_LONGEST ||
        length > nsc_span(idle->longest[NSC_IDLE_LONGEST - 1].of.start,
                          idle->longest[NSC_IDLE_LONGEST - 1].of.end)) {
        told.cause = judge_gap(totals, gap);
        told.of = *gap;
        keep_longest(idle, &told);
    }
}

static void fini_totals(struct nsc_idle_totals *totals)
{
    nsc_gap_walk_fini(&totals->walk);
    nsc_tally_fini(&totals->tally);
    nsc_tally_fini(&totals->inside);
    nsc_tally_fini(&totals->samples);
    NSC_VEC_FINI(&totals->sampled);
    NSC_VEC_FINI(&totals->inner);
    NSC_VEC_FINI(&totals->groups);
    NSC_VEC_FINI(&totals->touched);
}

static void fini_idle(void *answer)
{
    struct nsc_idle *idle = answer;

    free(idle->causes);
    free(idle->ranges);
    free(idle->longest);
}

static bool find_purpose(void *out, const struct nsc_scope *scope, uint32_t device)
{
    (void)device;
    *(enum nsc_purpose *)out = nsc_trace_purpose(scope->trace);
    return true;
}

/* Sums the waits for requests. The names are only read for a wait that may be one. */
static void add_requests(struct nsc_idle *idle, const struct nsc_scope *scope)
{
    static const struct nsc_shared_kind kind = {sizeof idle->purpose, find_purpose, NULL};
    bool is_asked = false;

    for (uint32_t i = 0; i < idle->n_causes; i++) {
        const struct nsc_idle_cause *cause = &idle->causes[i];

        if (cause->part != NSC_GAP_EVENTS && cause->part != NSC_GAP_LOCK)
            continue;
        if (!is_asked)
            (void)nsc_shared_ask(&idle->purpose, NULL, &kind, scope, NSC_NONE);
        is_asked = true;
        if (nsc_awaits_requests(scope->trace, cause->call, idle->purpose))
            idle->requests = nsc_sum(idle->requests, cause->ns);
    }
}

static bool build_idle(void *answer, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_idle *out = answer;
    struct nsc_idle_totals totals = {.idle = out};
    bool result = nsc_gap_walk_init(&totals.walk, scope, device);
    struct nsc_gap gap;

    *out = (struct nsc_idle){.device = device, .window = totals.walk.ops.window};
    while (nsc_gap_walk_next(&totals.walk, &gap))
        add_gap(&totals, &gap);
    out->busy = nsc_window_length(out->window) - out->idle;
    nsc_idle_fold(&totals);
    add_requests(out, scope);
    fini_totals(&totals);
    return result;
}

void nsc_idle_fini(struct nsc_idle *idle)
{
    if (!idle->is_kept)
        fini_idle(idle);
}

bool nsc_idle_build(struct nsc_idle *out, const struct nsc_scope *scope, uint32_t device)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_idle), build_idle, fini_idle};
    bool result = nsc_shared_ask(out, &out->is_kept, &kind, scope, device) &&
                  !nsc_scope_is_stopped(scope); /* half of the gaps is no answer */

    if (!result)
        nsc_idle_fini(out);
    return result;
}

nsc_time nsc_idle_late(const struct nsc_idle *idle)
{
    return nsc_gap_sum(idle->part, 0, NSC_GAP_LATE);
}

bool nsc_awaits_requests(const struct nsc_trace *trace, nsc_event call, enum nsc_purpose purpose)
{
    static const char *const words[] = {"epoll", NULL};
    static const char *const of_server[] = {"poll", "cond_", "sem_", NULL};

    return call != NSC_NONE && purpose != NSC_PURPOSE_TRAINING &&
           nsc_text_contains_any(nsc_event_name(trace, call),
                                 purpose == NSC_PURPOSE_SERVING ? of_server : words);
}

/* By call, nsc_time: how long GPUs are idle in gaps that end with what it launched. */
static void sum_by_call(struct nsc_sparse *out, const struct nsc_scope *scope)
{
    nsc_sparse_init(out, nsc_trace_events(scope->trace)->n, sizeof(nsc_time));
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_gap_walk walk;
        struct nsc_gap gap;

        if (nsc_gap_walk_init(&walk, scope, d))
            while (nsc_gap_walk_next(&walk, &gap))
                if (gap.call != NSC_NONE) {
                    nsc_time *ns = nsc_sparse_at(out, gap.call);

                    *ns = nsc_sum(*ns, nsc_span(gap.start, gap.end));
                }
        nsc_gap_walk_fini(&walk);
    }
}

struct nsc_flame *nsc_idle_flame(const struct nsc_trace *trace, struct nsc_flame_query query,
                                 struct nsc_progress *stop)
{
    struct nsc_scope scope = nsc_scope_all(trace);
    struct nsc_sparse idle = {0};
    struct nsc_flame *flame = NULL;

    scope.mask = query.mask;
    scope.window = query.window;
    scope.has_window = query.window.t0 > INT64_MIN;
    scope.stop = stop;
    if (query.by == NSC_FLAME_OWN && query.stacks && query.stacks->calls.n)
        sum_by_call(&idle, &scope);
    query.idle = &idle;
    flame = nsc_flame_build(trace, &query);
    nsc_sparse_fini(&idle);
    return flame;
}
