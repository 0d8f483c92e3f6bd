/* Property tests of scopes: membership and clipping follow from each event's times. */
#include "analysis/base/device_ops.h"
#include "analysis/base/scope.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_ROWS = 80, ROUNDS = 200 };
#ifdef NSC_SMALL
enum { SOON = 3 };
#else
enum { SOON = MAX_ROWS };
#endif

static struct nsc_trace *roll_trace(struct dice *dice)
{
    struct nsc_test_row rows[MAX_ROWS];
    uint32_t n = 1 + (uint32_t)dice_below(dice, MAX_ROWS);

    for (uint32_t i = 0; i < n; i++) {
        nsc_time start = (nsc_time)dice_below(dice, 100);

        rows[i] = (struct nsc_test_row){.kind = dice_below(dice, 2) ? NSC_KIND_KERNEL
                                                                    : NSC_KIND_NVTX_RANGE,
                                        .process = 1,
                                        .tid = 1,
                                        .stream = (int64_t)dice_below(dice, 3),
                                        .name = "x",
                                        .start = start,
                                        .end = start + (nsc_time)dice_below(dice, 20)};
    }
    return nsc_test_trace_build(rows, n);
}

static void check_event(const struct nsc_scope *scope, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    nsc_time start = events->start[event];
    nsc_time end = nsc_event_end(events, event);
    bool touches = start < scope->window.t1 &&
                   (end > scope->window.t0 || (start == end && start >= scope->window.t0));
    bool has = touches && (!scope->mask || nsc_bits_get(scope->mask, event));
    nsc_time from = 0;
    nsc_time to = 0;

    assert_int_equal(nsc_scope_has(scope, event), has);
    assert_int_equal(nsc_scope_clip(scope, event, &from, &to), has);
    if (!has)
        return;
    assert_true(from == (start > scope->window.t0 ? start : scope->window.t0));
    assert_true(to == (end < scope->window.t1 ? end : scope->window.t1));
}

/* Whether the rows of a lane are exactly its members, without a mask. */
static void check_lanes(const struct nsc_scope *scope)
{
    struct nsc_scope bare = *scope;
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, &n_lanes);

    bare.mask = NULL;
    for (uint32_t lane = 0; lane < n_lanes; lane++) {
        nsc_event first = 0;
        nsc_event end = 0;

        nsc_scope_rows(scope, lane, &first, &end);
        for (nsc_event row = lanes[lane].first; row < lanes[lane].first + lanes[lane].n; row++)
            assert_int_equal(row >= first && row < end, nsc_scope_has(&bare, row));
    }
}

/* Whether a cursor passes the members of the tracks [first, end) of these kinds, in order. */
static void check_cursor(struct nsc_scope_cursor at, uint32_t first, uint32_t end, uint32_t kinds)
{
    const struct nsc_scope *scope = at.scope;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, NULL);

    for (uint32_t t = first; t < end; t++)
        for (uint32_t k = 0; kinds >> tracks[t].kind & 1 && k < tracks[t].n_lanes; k++) {
            const struct nsc_lane *lane = &lanes[tracks[t].first_lane + k];

            for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
                if (!nsc_scope_has(scope, row))
                    continue;
                assert_true(nsc_scope_next(&at));
                assert_int_equal(at.row, row);
                assert_int_equal(at.track, t);
                assert_int_equal(at.lane, tracks[t].first_lane + k);
            }
        }
    assert_false(nsc_scope_next(&at));
}

static void check_cursors(const struct nsc_scope *scope)
{
    const uint32_t streams = NSC_TRACK_BIT(NSC_TRACK_STREAM);
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n);

    check_cursor(nsc_scope_open(scope, UINT32_MAX), 0, n, UINT32_MAX);
    check_cursor(nsc_scope_open(scope, streams), 0, n, streams);
    check_cursor(nsc_scope_open_devices(scope, streams), 0, n, streams);
    for (uint32_t t = 0; t < n; t++) {
        check_cursor(nsc_scope_open_track(scope, t), t, t + 1, UINT32_MAX);
        if (tracks[t].kind == NSC_TRACK_DEVICE)
            check_cursor(nsc_scope_open_device(scope, t), t, nsc_group_end(tracks, t), streams);
    }
}

/* A cursor and the ops of a device end soon after a stop, and those that begin later at once. */
static void check_stop(struct nsc_scope scope, struct dice *dice)
{
    struct nsc_progress progress = {0};
    uint32_t device = nsc_device_next(scope.trace, NSC_NONE);
    uint64_t before = dice_below(dice, MAX_ROWS);
    struct nsc_device_ops ops;
    int passed = 0;

    scope.stop = &progress;
    for (int later = 0; later < 2; later++, passed = 0) {
        struct nsc_scope_cursor at = nsc_scope_open(&scope, UINT32_MAX);

        for (uint64_t i = 0; i < before && !later; i++)
            (void)nsc_scope_next(&at);
        progress.cancel = true;
        while (nsc_scope_next(&at))
            passed++;
        assert_true(passed <= (later ? 0 : SOON));
    }
    if (device == NSC_NONE)
        return;
    nsc_device_ops_init(&ops, &scope, device);
    assert_false(nsc_device_ops_step(&ops));
    progress.cancel = false;
    (void)nsc_device_ops_step(&ops);
    progress.cancel = true;
    assert_false(nsc_device_ops_step(&ops));
    nsc_device_ops_fini(&ops);
}

TEST(test_scope_is_what_touches_the_window)
{
    struct dice dice = dice_new(71);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_trace *trace = roll_trace(&dice);
        struct nsc_scope scope = nsc_scope_all(trace);
        uint32_t n = nsc_trace_events(trace)->n;
        uint64_t mask[2] = {dice_next(&dice), dice_next(&dice)};

        scope.window.t0 = (nsc_time)dice_below(&dice, 110);
        scope.window.t1 = scope.window.t0 + 1 + (nsc_time)dice_below(&dice, 40);
        if (dice_below(&dice, 2))
            scope.mask = mask;
        for (nsc_event event = 0; event < n; event++)
            check_event(&scope, event);
        check_lanes(&scope);
        check_cursors(&scope);
        check_stop(scope, &dice);
        nsc_trace_free(trace);
    }
}
