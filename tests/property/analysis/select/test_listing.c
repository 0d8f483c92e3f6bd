/*
 * Property tests of listings: each order equals a sort of all its rows, and positions are found in
 * both directions.
 */
#include "analysis/select/listing.h"
#include "core/bits.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 200, MAX_LANES = 512 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[MAX_ROWS];
    char texts[MAX_ROWS][32];
    struct nsc_trace *trace;
    uint64_t mask[(MAX_ROWS + 63) / 64];
    bool masked;
    struct nsc_summary *summary;
    uint32_t lanes[MAX_LANES];
    uint32_t n_lanes;
    struct nsc_window window;
    nsc_event taken[MAX_ROWS];
    uint32_t n;
    struct nsc_pool *pool; /* NULL now and then */
};

static const struct world *sorted_world; /* qsort has no context */
static enum nsc_listing_order sorted_order;

static bool is_taken(const struct world *world, nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    bool wanted = false;

    for (uint32_t i = 0; i < world->n_lanes; i++)
        wanted |= world->lanes[i] == nsc_trace_lane_of(world->trace, row);
    return wanted && (!world->masked || nsc_bits_get(world->mask, row)) &&
           events->start[row] < world->window.t1 &&
           nsc_event_touch_end(events, row) > world->window.t0;
}

static void roll_rows(struct world *world, uint32_t n)
{
    uint64_t bits = dice_below(&world->dice, 4) ? 1 + dice_below(&world->dice, 8) : 36;
    uint64_t span = dice_below(&world->dice, 2) ? 12 : 2000;
    uint64_t exports = 1 + dice_below(&world->dice, 2);

    for (uint32_t i = 0; i < n; i++) {
        nsc_time start = (nsc_time)dice_below(&world->dice, span);

        (void)snprintf(world->texts[i], sizeof world->texts[i], "%c%llu",
                       "aAbB"[dice_below(&world->dice, 4)],
                       (unsigned long long)dice_below(&world->dice, 3));
        world->rows[i] = (struct nsc_test_row){
            .kind = NSC_KIND_KERNEL,
            .process = 1,
            .context = 1,
            .stream = (int64_t)dice_below(&world->dice, 4),
            .capture_no = (uint32_t)dice_below(&world->dice, exports),
            .name = world->texts[i],
            .start = start,
            .end = start + (dice_below(&world->dice, 3)
                                ? (nsc_time)(dice_next(&world->dice) >> (64 - bits))
                                : 0),
        };
    }
    world->trace = nsc_test_trace_build(world->rows, n);
}

static void roll_world(struct world *world)
{
    uint32_t n_lanes = 0;

    roll_rows(world, (uint32_t)dice_below(&world->dice, MAX_ROWS));
    for (uint32_t i = 0; i < MAX_ROWS; i++)
        if (dice_below(&world->dice, 3))
            nsc_bits_set(world->mask, i);
        else
            nsc_bits_unset(world->mask, i);
    world->masked = dice_below(&world->dice, 2);
    world->summary = nsc_summary_build(world->trace, world->masked ? world->mask : NULL);
    (void)nsc_trace_lanes(world->trace, &n_lanes);
    world->n_lanes = 0;
    for (uint32_t lane = 0; lane < n_lanes && lane < MAX_LANES; lane++)
        if (dice_below(&world->dice, 3))
            world->lanes[world->n_lanes++] = lane;
    world->window.t0 = (nsc_time)dice_below(&world->dice, 1000);
    if (dice_below(&world->dice, 2))
        world->window.t0 = 0;
    world->window.t1 = world->window.t0 + 1 + (nsc_time)dice_below(&world->dice, 2000);
    world->n = 0;
    for (nsc_event row = 0; row < nsc_trace_events(world->trace)->n; row++)
        if (is_taken(world, row))
            world->taken[world->n++] = row;
}

static int compare_names(nsc_event a, nsc_event b)
{
    char left[NSC_NAME_BYTES];
    char right[NSC_NAME_BYTES];
    struct nsc_text x = nsc_trace_event_text(sorted_world->trace, a, true, left);
    struct nsc_text y = nsc_trace_event_text(sorted_world->trace, b, true, right);

    /* A letter and a digit each. */
    if ((x.bytes[0] | 32) != (y.bytes[0] | 32))
        return (x.bytes[0] | 32) - (y.bytes[0] | 32);
    if (x.bytes[1] != y.bytes[1])
        return x.bytes[1] - y.bytes[1];
    return x.bytes[0] - y.bytes[0];
}

static int compare_taken(const void *a, const void *b)
{
    const struct nsc_events *events = nsc_trace_events(sorted_world->trace);
    nsc_event x = *(const nsc_event *)a;
    nsc_event y = *(const nsc_event *)b;
    nsc_time dx = nsc_event_duration(events, x);
    nsc_time dy = nsc_event_duration(events, y);

    if (sorted_order == NSC_LISTING_TIME && events->start[x] != events->start[y])
        return events->start[x] < events->start[y] ? -1 : 1;
    if (sorted_order == NSC_LISTING_DURATION && dx != dy)
        return dx > dy ? -1 : 1;
    if (sorted_order == NSC_LISTING_NAME && compare_names(x, y) != 0)
        return compare_names(x, y);
    return x < y ? -1 : x > y;
}

static void check_listing(struct world *world, const struct nsc_listing *listing)
{
    sorted_world = world;
    sorted_order = listing->order;
    qsort(world->taken, world->n, sizeof *world->taken, compare_taken);
    assert_int_equal(listing->n, world->n);
    for (int k = 0; k < 12; k++) {
        nsc_event out[MAX_ROWS];
        uint32_t from = (uint32_t)dice_below(&world->dice, world->n + 2);
        uint32_t n = (uint32_t)dice_below(&world->dice, 60);
        uint32_t got = nsc_listing_at(listing, from, n, out);
        uint32_t left = from < world->n ? world->n - from : 0;

        assert_int_equal(got, n < left ? n : left);
        for (uint32_t i = 0; i < got; i++) {
            assert_int_equal(out[i], world->taken[from + i]);
            assert_int_equal(nsc_listing_find(listing, out[i]), from + i);
        }
    }
    for (nsc_event row = 0; row < nsc_trace_events(world->trace)->n; row++)
        assert_true((nsc_listing_find(listing, row) == NSC_NONE) == !is_taken(world, row));
    assert_int_equal(nsc_listing_find(listing, NSC_NONE), NSC_NONE);
}

static void check_orders(struct world *world, struct nsc_listing *listing)
{
    check_listing(world, listing);
    for (int k = 0; k < 4; k++) {
        assert_true(nsc_listing_sort(
            listing, world->pool,
            (enum nsc_listing_order)dice_below(&world->dice, NSC_N_LISTING_ORDERS), true));
        check_listing(world, listing);
    }
}

TEST(orders_equal_sorted_rows)
{
    struct world *world = calloc(1, sizeof *world);
    struct nsc_pool *pool = nsc_pool_new(3);

    world->dice = dice_new(31);
    for (int i = 0; i < 500; i++) {
        struct nsc_listing listing;

        roll_world(world);
        world->pool = i % 50 ? pool : NULL;
        nsc_listing_init(&listing, world->trace, world->summary, world->window, world->lanes,
                         world->n_lanes);
        check_orders(world, &listing);
        nsc_listing_fini(&listing);
        nsc_summary_free(world->summary);
        nsc_trace_free(world->trace);
    }
    nsc_pool_free(pool);
    free(world);
}
