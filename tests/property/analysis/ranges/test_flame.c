/* Property tests of flame graphs: frames equal sums over all events of each path. */
#include "nsyscope/calltree.h"

#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "analysis/ranges/flame.h"
#include "core/bits.h"
#include "core/die.h"
#include "index/names.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/gpu_world.h"

enum { ROUNDS = 400, STEPS = NSC_PATH_MOST + 1 };

/* Names from the root, and whether the last one is an op's. */
struct stack {
    nsc_name name[STEPS];
    uint32_t n;
    bool is_work;
};

static nsc_time inside(const struct nsc_trace *trace, const struct nsc_flame_query *query,
                       nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time start = events->start[event];
    nsc_time end = nsc_event_end(events, event);

    if (query->mask && !nsc_bits_get(query->mask, event))
        return 0;
    start = start > query->window.t0 ? start : query->window.t0;
    end = end < query->window.t1 ? end : query->window.t1;
    return end > start ? end - start : 0;
}

static bool is_work(enum nsc_flame_by by)
{
    return by == NSC_FLAME_GPU || by == NSC_FLAME_CAPTURED;
}

static bool counts(const struct nsc_trace *trace, enum nsc_flame_by by, nsc_event event)
{
    const struct nsc_lane *lane = &nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, event)];

    return nsc_trace_tracks(trace, NULL)[lane->track].kind ==
               (is_work(by) ? NSC_TRACK_STREAM : NSC_TRACK_NVTX) &&
           (by != NSC_FLAME_CAPTURED ||
            nsc_event_launch(nsc_trace_captured(trace), event) != NSC_NONE);
}

/* By name of a range: the name it is merged with. */
static nsc_name *alias;

/* The stack of an event that counts; its own name comes last. */
static void stack_of(struct stack *out, const struct nsc_trace *trace,
                     const struct nsc_flame_query *query, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event rows[STEPS];
    uint32_t n = 0;

    *out = (struct stack){.is_work = is_work(query->by)};
    if (is_work(query->by)) {
        n = nsc_event_path(query->by == NSC_FLAME_CAPTURED ? nsc_trace_captured(trace) : trace,
                           event, rows, NSC_PATH_MOST);
        for (uint32_t i = 0; i < n; i++)
            out->name[out->n++] = alias[events->name[rows[i]]];
        out->name[out->n++] = events->name[event];
        return;
    }
    for (nsc_event i = event; i != NSC_NONE && n < STEPS; i = nsc_nvtx_parent(trace, i)) {
        nsc_time end = nsc_event_touch_end(events, i);

        if (events->start[i] >= query->window.t1 || end <= query->window.t0)
            break; /* the chain ends with a range outside of the window */
        if (inside(trace, query, i) > 0)
            rows[n++] = i;
    }
    while (n > 0)
        out->name[out->n++] = alias[events->name[rows[--n]]];
}

static void stack_of_frame(struct stack *out, const struct nsc_flame *flame, uint32_t frame)
{
    uint32_t at = flame->frames[frame].depth;

    *out = (struct stack){.n = at + 1, .is_work = flame->frames[frame].is_work};
    for (uint32_t i = frame; i != NSC_NONE; i = flame->frames[i].parent)
        out->name[at--] = flame->frames[i].name;
}

/* Whether inner is outer, or lies below it. */
static bool is_below(const struct stack *outer, const struct stack *inner)
{
    if (outer->n > inner->n || (outer->is_work && outer->n < inner->n) ||
        (outer->n == inner->n && outer->is_work != inner->is_work))
        return false;
    for (uint32_t i = 0; i < outer->n; i++)
        if (outer->name[i] != inner->name[i])
            return false;
    return true;
}

static void check_frame(const struct nsc_flame *flame, uint32_t at, const struct nsc_trace *trace,
                        const struct nsc_flame_query *query)
{
    const struct nsc_flame_frame *frame = &flame->frames[at];
    struct stack outer;
    struct stack inner;
    nsc_time total = 0;
    nsc_time longest = 0;
    uint64_t n = 0;
    bool is_mixed = false;

    stack_of_frame(&outer, flame, at);
    for (nsc_event i = 0; i < nsc_trace_events(trace)->n; i++) {
        nsc_time ns = counts(trace, query->by, i) ? inside(trace, query, i) : 0;

        if (ns <= 0)
            continue;
        stack_of(&inner, trace, query, i);
        if (!is_below(&outer, &inner) || (query->by == NSC_FLAME_CPU && inner.n != outer.n))
            continue;
        total += ns;
        n++;
        longest = ns > longest ? ns : longest;
        is_mixed = is_mixed ||
                   (query->by == NSC_FLAME_CPU && !nsc_trace_same_text(trace, i, frame->slowest));
    }
    assert_int_equal(frame->total, total);
    assert_int_equal(frame->count, n);
    assert_int_equal(frame->longest, longest);
    if (query->by == NSC_FLAME_CPU)
        assert_int_equal(frame->is_mixed, is_mixed);
}

/* Checks order, places and sums of the frames alone. */
static void check_shape(const struct nsc_flame *flame)
{
    nsc_time whole = 0;
    nsc_time roots_end = 0;

    for (uint32_t i = 0; i < flame->n; i++) {
        const struct nsc_flame_frame *frame = &flame->frames[i];
        nsc_time below = 0;
        nsc_time before = INT64_MAX;

        assert_true(frame->depth < flame->levels);
        if (frame->parent == NSC_NONE) {
            assert_int_equal(frame->at, roots_end);
            roots_end += frame->total;
            whole += frame->total;
        }
        for (uint32_t k = i + 1; k < frame->skip; k = flame->frames[k].skip) {
            assert_int_equal(flame->frames[k].parent, i);
            assert_int_equal(flame->frames[k].at, frame->at + below);
            assert_true(flame->frames[k].total <= before);
            before = flame->frames[k].total;
            below += before;
        }
        assert_int_equal(frame->self, frame->total > below ? frame->total - below : 0);
    }
    assert_int_equal(flame->whole, whole);
}

/* Every event that counts has a frame: sums over all roots, and over all frames, match. */
static nsc_time sum_of_events(const struct nsc_trace *trace, const struct nsc_flame_query *query)
{
    nsc_time sum = 0;

    for (nsc_event i = 0; i < nsc_trace_events(trace)->n; i++)
        sum += counts(trace, query->by, i) ? inside(trace, query, i) : 0;
    return sum;
}

static void check_query(const struct nsc_trace *trace, const struct nsc_flame_query *query)
{
    struct nsc_flame *flame = nsc_flame_build(trace, query);
    nsc_time sum = 0;

    assert_false(flame->is_cut);
    check_shape(flame);
    for (uint32_t i = 0; i < flame->n; i++) {
        check_frame(flame, i, trace, query);
        sum += flame->frames[i].total;
    }
    assert_int_equal(is_work(query->by) ? flame->whole : sum, sum_of_events(trace, query));
    nsc_flame_free(flame);
}

/* With too few frames, the time stays in the frames around. */
static void check_cut(const struct nsc_trace *trace, struct nsc_flame_query query, uint32_t most)
{
    struct nsc_flame *flame = NULL;

    query.most = most;
    flame = nsc_flame_build(trace, &query);
    check_shape(flame);
    if (is_work(query.by))
        assert_int_equal(flame->whole, sum_of_events(trace, &query));
    nsc_flame_free(flame);
}

static void roll_mask(uint64_t *mask, uint32_t n, struct dice *dice)
{
    for (uint32_t i = 0; i < n; i++)
        if (dice_below(dice, 4))
            nsc_bits_set(mask, i);
}

static void check_world(struct gpu_world *world)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    uint64_t *mask = nsc_xcalloc(nsc_bits_words(events->n) + 1, sizeof *mask);
    nsc_time t0 = (nsc_time)dice_below(&world->dice, GPU_WORLD_SPAN);
    struct nsc_window windows[] = {
        {INT64_MIN / 4, INT64_MAX / 4},
        {t0, t0 + 1 + (nsc_time)dice_below(&world->dice, GPU_WORLD_SPAN)}};

    alias = nsc_names_fold_digits(world->trace);
    roll_mask(mask, events->n, &world->dice);
    nsc_test_captures(world->trace, &world->dice);
    for (int i = 0; i < 12; i++) {
        static const enum nsc_flame_by by[] = {NSC_FLAME_GPU, NSC_FLAME_CPU, NSC_FLAME_CAPTURED};
        struct nsc_flame_query query = {
            .by = by[i % 3], .mask = i / 3 & 1 ? mask : NULL, .window = windows[i / 6]};

        if (query.by == NSC_FLAME_CAPTURED && !nsc_trace_captured(world->trace))
            continue;

        check_query(world->trace, &query);
        check_cut(world->trace, query, 1 + (uint32_t)dice_below(&world->dice, 4));
    }
    free(mask);
    free(alias);
}

TEST(test_equals_sums)
{
    struct gpu_world world = {.dice = dice_new(0xf1a3)};

    for (int round = 0; round < ROUNDS; round++) {
        gpu_world_roll(&world);
        check_world(&world);
        gpu_world_clear(&world);
    }
}
