/*
 * Builds the frames of a flame graph: finds them by path while walking the events, then sorts them
 * into preorder.
 */
#include "analysis/ranges/flame.h"

#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "core/bits.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/idtable.h"
#include "index/lane_merge.h"
#include "index/names.h"
#include "index/preorder.h"

#include <stdlib.h>
#include <string.h>

struct flame_build {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_flame_query *query;
    uint32_t most;
    bool is_cut;
    NSC_VEC(struct nsc_flame_frame) frames; /* parents before their children */
    nsc_name *alias;                        /* by name of a range: the name it is merged with */
    struct nsc_idtable known;               /* the frames by parent, name and is_work */
};

/* ---- frames by path ---- */

static bool equals_frame(const void *context, uint32_t id, const void *key)
{
    const struct nsc_flame_frame *frame = &((const struct flame_build *)context)->frames.at[id];
    const struct nsc_flame_frame *other = key;

    return frame->parent == other->parent && frame->name == other->name &&
           frame->is_work == other->is_work;
}

/* Whether the texts of two events of a frame differ. */
static bool is_other_text(const struct flame_build *build, nsc_event a, nsc_event b)
{
    nsc_name name = build->events->name[a];

    return a != b &&
           (name != build->events->name[b] || (nsc_trace_names(build->trace)->counters[name] &&
                                               !nsc_trace_same_text(build->trace, a, b)));
}

/* The frame of an event below parent; parent itself if there are too many frames. */
static uint32_t find_frame(struct flame_build *build, uint32_t parent, nsc_event event,
                           bool is_work)
{
    nsc_name name = build->events->name[event];
    struct nsc_flame_frame wanted = {.name = is_work ? name : build->alias[name],
                                     .is_work = is_work,
                                     .parent = parent,
                                     .slowest = event};
    uint64_t hash = nsc_hash_mix(nsc_hash_mix(is_work, parent), wanted.name);
    uint32_t id = nsc_idtable_find(&build->known, hash, equals_frame, build, &wanted);

    if (id != NSC_NONE) {
        struct nsc_flame_frame *frame = &build->frames.at[id];

        frame->is_mixed =
            frame->is_mixed || (!is_work && is_other_text(build, event, frame->slowest));
        return id;
    }
    if (build->frames.n >= build->most && parent != NSC_NONE) {
        build->is_cut = true;
        return parent;
    }
    id = (uint32_t)build->frames.n;
    *NSC_VEC_ADD(&build->frames) = wanted;
    nsc_idtable_add(&build->known, hash, id);
    return id;
}

static void note_longest(struct flame_build *build, uint32_t frame, nsc_event event, nsc_time ns)
{
    struct nsc_flame_frame *at = &build->frames.at[frame];

    if (ns > at->longest) {
        at->longest = ns;
        at->slowest = event;
    }
}

/* ns of the event, inside the window or whole; 0 if it does not count. */
static nsc_time time_of(const struct flame_build *build, nsc_event event)
{
    struct nsc_window w = build->query->window;
    nsc_time start = build->events->start[event];
    nsc_time end = nsc_event_end(build->events, event);

    if (build->query->mask && !nsc_bits_get(build->query->mask, event))
        return 0;
    start = start > w.t0 ? start : w.t0;
    end = end < w.t1 ? end : w.t1;
    if (end <= start)
        return 0;
    return build->query->is_whole ? nsc_event_duration(build->events, event) : end - start;
}

/* ---- GPU work ---- */

static void add_work(struct flame_build *build, struct nsc_path path, nsc_event event, nsc_time ns)
{
    uint32_t frame = NSC_NONE;

    for (uint32_t i = 0; i < path.n; i++) {
        frame = find_frame(build, frame, path.rows[i], false);
        note_longest(build, frame, path.rows[i], ns);
    }
    frame = find_frame(build, frame, event, true);
    note_longest(build, frame, event, ns);
    build->frames.at[frame].total = nsc_sum(build->frames.at[frame].total, ns);
    build->frames.at[frame].count++;
}

static void add_lane_work(struct flame_build *build, struct nsc_path_memo *memo, uint32_t lane)
{
    struct nsc_row_range rows = nsc_lane_rows(build->trace, lane, build->query->window);

    for (nsc_event i = rows.first; i < rows.end; i++) {
        nsc_event launch = nsc_event_launch(build->trace, i);
        nsc_time ns = time_of(build, i);

        if (ns > 0 && (build->query->by == NSC_FLAME_GPU || launch != NSC_NONE))
            add_work(build, nsc_path_memo_find(memo, i, lane, launch), i, ns);
    }
}

/* Adds the ops of each frame to the frames around it. */
static void raise_totals(struct flame_build *build)
{
    for (size_t i = build->frames.n; i-- > 0;) {
        const struct nsc_flame_frame *frame = &build->frames.at[i];

        if (frame->parent != NSC_NONE) {
            struct nsc_flame_frame *parent = &build->frames.at[frame->parent];

            parent->total = nsc_sum(parent->total, frame->total);
            parent->count += frame->count;
        }
    }
}

static void add_gpu(struct flame_build *build)
{
    struct nsc_path_memo *memo = nsc_path_memo_new(build->trace);
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(build->trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(build->trace, NULL);

    for (uint32_t lane = 0; lane < n; lane++)
        if (tracks[lanes[lane].track].kind == NSC_TRACK_STREAM)
            add_lane_work(build, memo, lane);
    nsc_path_memo_free(memo);
    raise_totals(build);
}

/* ---- ranges ---- */

struct lane_frames {
    struct nsc_row_range rows; /* rows of a lane in the window */
    uint32_t *at;              /* by row, starting at rows.first: its frame */
};

/* Adds the ranges of a lane. above: the ranges around them; empty for the outermost lane. */
static struct lane_frames add_lane(struct flame_build *build, uint32_t lane,
                                   struct lane_frames above)
{
    const struct nsc_events *events = build->events;
    struct lane_frames out = {nsc_lane_rows(build->trace, lane, build->query->window), NULL};
    nsc_event p = above.rows.first;

    out.at = nsc_xmalloc((size_t)(out.rows.end - out.rows.first) * sizeof *out.at + 1);
    for (nsc_event row = out.rows.first; row < out.rows.end; row++) {
        nsc_time ns = time_of(build, row);
        uint32_t frame = NSC_NONE;

        while (p < above.rows.end && nsc_event_touch_end(events, p) <= events->start[row])
            p++;
        if (p < above.rows.end && events->start[p] <= events->start[row])
            frame = above.at[p - above.rows.first];
        if (ns > 0) {
            frame = find_frame(build, frame, row, false);
            note_longest(build, frame, row, ns);
            build->frames.at[frame].total = nsc_sum(build->frames.at[frame].total, ns);
            build->frames.at[frame].count++;
        }
        out.at[row - out.rows.first] = frame;
    }
    return out;
}

static void add_cpu(struct flame_build *build)
{
    struct lane_frames above = {0};

    for (struct nsc_lane_walk at = nsc_trace_all_lanes(build->trace, NSC_TRACK_BIT(NSC_TRACK_NVTX));
         nsc_lane_walk_next(&at);) {
        bool is_top = at.lane == at.tracks[at.track].first_lane;
        struct lane_frames lane =
            add_lane(build, at.lane, is_top ? (struct lane_frames){0} : above);

        free(above.at);
        above = lane;
    }
    free(above.at);
}

/* ---- CPU samples and calls by stack ---- */

/* By frame of the stacks: what is there and below. */
struct stack_sum {
    uint64_t n;
    nsc_time total, longest;
    nsc_event slowest; /* the first of the longest; valid if total */
};

static void add_to(struct stack_sum *sum, const struct flame_build *build, struct stack_sum part)
{
    if (part.longest > sum->longest ||
        (part.longest == sum->longest &&
         build->events->start[part.slowest] < build->events->start[sum->slowest])) {
        sum->longest = part.longest;
        sum->slowest = part.slowest;
    }
    sum->n += part.n;
    sum->total = nsc_sum(sum->total, part.total);
}

static void sum_samples(struct stack_sum *sums, const struct flame_build *build)
{
    const struct nsc_stacks *stacks = build->query->stacks;
    struct nsc_window w = build->query->window;

    for (size_t i = 0; i < stacks->samples.n; i++) {
        struct nsc_sample_stack at = stacks->samples.at[i];
        nsc_time start = build->events->start[at.event];

        if (start >= w.t0 && start < w.t1 &&
            (!build->query->mask || nsc_bits_get(build->query->mask, at.event)))
            add_to(&sums[at.frame], build, (struct stack_sum){1, 1, 1, at.event});
    }
}

static void sum_calls(struct stack_sum *sums, const struct flame_build *build)
{
    const struct nsc_stacks *stacks = build->query->stacks;

    for (size_t i = 0; i < stacks->calls.n; i++) {
        struct nsc_call_stack at = stacks->calls.at[i];
        nsc_time ns = time_of(build, at.event);
        nsc_time *idle = build->query->idle->blocks[at.event / NSC_SPARSE_BLOCK];

        if (ns > 0)
            add_to(&sums[at.frame], build, (struct stack_sum){1, ns, ns, at.event});
        ns = idle ? idle[at.event % NSC_SPARSE_BLOCK] : 0;
        if (ns > 0)
            add_to(&sums[at.idle], build, (struct stack_sum){0, ns, ns, at.event});
    }
}

/* Adds the frames with something in the window; parents come first in the stacks. */
static void add_stacks(struct flame_build *build)
{
    const struct nsc_stacks *stacks = build->query->stacks;
    size_t n = stacks ? stacks->frames.n : 0;
    struct stack_sum *sums = nsc_xcalloc(n + 1, sizeof *sums);
    uint32_t *frame_of = nsc_xmalloc((n + 1) * sizeof *frame_of);

    if (n && build->query->by == NSC_FLAME_OWN)
        sum_calls(sums, build);
    else if (n)
        sum_samples(sums, build);
    for (size_t i = n; i-- > 0;)
        if (stacks->frames.at[i].parent != NSC_NONE && sums[i].total)
            add_to(&sums[stacks->frames.at[i].parent], build, sums[i]);
    for (size_t i = 0; i < n; i++) {
        uint32_t parent = stacks->frames.at[i].parent;

        parent = parent == NSC_NONE ? NSC_NONE : frame_of[parent];
        frame_of[i] = parent;
        if (sums[i].total && build->frames.n >= build->most && parent != NSC_NONE) {
            build->is_cut = true;
        } else if (sums[i].total) {
            frame_of[i] = (uint32_t)build->frames.n;
            *NSC_VEC_ADD(&build->frames) =
                (struct nsc_flame_frame){.name = stacks->frames.at[i].name,
                                         .parent = parent,
                                         .count = sums[i].n,
                                         .total = sums[i].total,
                                         .slowest = sums[i].slowest,
                                         .longest = sums[i].longest};
        }
    }
    build->is_cut = build->is_cut || (stacks && stacks->is_cut);
    free(sums);
    free(frame_of);
}

/* ---- preorder ---- */

/* Siblings by total, the greatest first; ties keep the order of the trace. */
static void order_frames(struct flame_build *build, struct nsc_preorder *order)
{
    uint32_t n = (uint32_t)build->frames.n;
    struct nsc_flame_frame *frames = build->frames.at;
    struct nsc_sort_pair *pairs = nsc_xmalloc(2 * (size_t)n * sizeof *pairs + 1);
    uint32_t *parents = nsc_xmalloc(n * sizeof *parents + 1);
    nsc_time *taken = nsc_xcalloc((size_t)n + 1, sizeof *taken); /* by parent; roots at n */

    for (uint32_t i = 0; i < n; i++) {
        parents[i] = frames[i].parent;
        pairs[i] = (struct nsc_sort_pair){~(uint64_t)frames[i].total, i};
    }
    nsc_preorder_build(order, parents, pairs, n);
    for (uint32_t k = 0; k < n; k++) {
        struct nsc_flame_frame *frame = &frames[pairs[k].value];
        nsc_time *before = &taken[frame->parent == NSC_NONE ? n : frame->parent];

        frame->at = *before;
        *before = nsc_sum(*before, frame->total);
    }
    for (uint32_t i = 0; i < n; i++)
        frames[i].self = frames[i].total > taken[i] ? frames[i].total - taken[i] : 0;
    free(pairs);
    free(parents);
    free(taken);
}

static struct nsc_flame *finish(struct flame_build *build)
{
    struct nsc_flame *flame = nsc_xcalloc(1, sizeof *flame);
    uint32_t n = (uint32_t)build->frames.n;
    struct nsc_preorder order;

    order_frames(build, &order);
    flame->frames = nsc_xmalloc((size_t)n * sizeof *flame->frames + 1);
    flame->n = n;
    flame->is_cut = build->is_cut;
    for (uint32_t i = 0; i < n; i++) { /* parents first */
        struct nsc_flame_frame *frame = &flame->frames[order.position[i]];

        *frame = build->frames.at[i];
        frame->skip = order.position[i] + order.size[i];
        if (frame->parent == NSC_NONE) {
            flame->whole = nsc_sum(flame->whole, frame->total);
        } else {
            frame->parent = order.position[frame->parent];
            frame->depth = flame->frames[frame->parent].depth + 1;
            frame->at = nsc_sum(flame->frames[frame->parent].at, frame->at);
        }
        flame->levels = frame->depth + 1 > flame->levels ? frame->depth + 1 : flame->levels;
    }
    nsc_preorder_fini(&order);
    return flame;
}

struct nsc_flame *nsc_flame_build(const struct nsc_trace *trace,
                                  const struct nsc_flame_query *query)
{
    const struct nsc_trace *captured = nsc_trace_captured(trace);
    bool by_capture = captured && query->by == NSC_FLAME_CAPTURED;
    struct flame_build build = {.trace = by_capture ? captured : trace,
                                .events = nsc_trace_events(by_capture ? captured : trace),
                                .query = query,
                                .most = query->most ? query->most : NSC_FLAME_MOST};
    struct nsc_flame *flame = NULL;

    build.alias = nsc_names_fold_digits(trace);
    if (query->by == NSC_FLAME_GPU || by_capture)
        add_gpu(&build);
    else if (query->by == NSC_FLAME_CPU)
        add_cpu(&build);
    else if (query->by >= NSC_FLAME_SAMPLES)
        add_stacks(&build);
    flame = finish(&build);
    nsc_idtable_fini(&build.known);
    free(build.alias);
    NSC_VEC_FINI(&build.frames);
    return flame;
}

void nsc_flame_free(struct nsc_flame *flame)
{
    if (!flame)
        return;
    free(flame->frames);
    free(flame);
}
