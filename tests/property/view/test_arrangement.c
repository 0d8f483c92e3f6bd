/*
 * Property tests of the arrangement of rows: after any changes, groups stay whole and the lines
 * equal those of a plain walk.
 */
#include "core/bits.h"
#include "core/text.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"
#include "view/model/arrangement.h"
#include "view/model/rows.h"

#include <stdlib.h>

enum { MAX_ROWS = 40, MAX_TRACKS = 256, WORLDS = 200, CHANGES = 30 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[MAX_ROWS];
    struct nsc_trace *trace;
    const struct nsc_track *tracks;
    uint32_t n;
    uint64_t folds[MAX_TRACKS / 64];
    struct nsc_arrangement arrangement;
    struct nsc_rows lines;
};

static void roll_trace(struct world *world)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL, NSC_KIND_COPY_HTOD, NSC_KIND_NVTX_RANGE,
                                    NSC_KIND_API_RUNTIME, NSC_KIND_OSRT};
    uint32_t n = 1 + (uint32_t)dice_below(&world->dice, MAX_ROWS);
    uint64_t exports = 1 + dice_below(&world->dice, 3);

    for (uint32_t i = 0; i < n; i++) {
        nsc_time start = (nsc_time)dice_below(&world->dice, 100);

        world->rows[i] =
            (struct nsc_test_row){.kind = kinds[dice_below(&world->dice, 5)],
                                  .process = 1,
                                  .tid = 1 + (uint32_t)dice_below(&world->dice, 4),
                                  .device = (int64_t)dice_below(&world->dice, 3),
                                  .stream = (int64_t)dice_below(&world->dice, 4),
                                  .start = start,
                                  .end = start + (nsc_time)dice_below(&world->dice, 50),
                                  .name = dice_below(&world->dice, 2) ? "gemm" : "ncclAllReduce",
                                  .capture_no = (uint32_t)dice_below(&world->dice, exports)};
    }
    world->trace = nsc_test_trace_build(world->rows, n);
    world->tracks = nsc_trace_tracks(world->trace, &world->n);
    assert_true(world->n <= MAX_TRACKS);
}

static void change(struct world *world)
{
    struct nsc_arrangement *arrangement = &world->arrangement;
    uint32_t track = (uint32_t)dice_below(&world->dice, world->n);
    const char *wrong = NULL;

    switch (dice_below(&world->dice, 8)) {
    case 0:
        nsc_arrangement_hide(arrangement, world->trace, track);
        break;
    case 1:
        (void)nsc_arrangement_reveal(arrangement, world->trace, track);
        assert_false(nsc_arrangement_hides(arrangement, track));
        break;
    case 2:
        (void)nsc_arrangement_match(arrangement, world->trace,
                                    nsc_text_from(dice_below(&world->dice, 2) ? "S[12]" : "thread"),
                                    &wrong);
        assert_null(wrong);
        break;
    case 3:
        (void)nsc_arrangement_pin_toggle(
            arrangement, (struct nsc_pin){track, (uint32_t)dice_below(&world->dice, 3),
                                          (uint8_t)dice_below(&world->dice, NSC_LINE_COUNTER + 1)});
        break;
    case 4:
        arrangement->height[track] = (uint8_t)dice_below(&world->dice, NSC_ARRANGEMENT_HEIGHT + 1);
        break;
    case 5:
        if (dice_below(&world->dice, 2))
            nsc_bits_set(world->folds, track);
        else
            nsc_bits_unset(world->folds, track);
        break;
    default:
        (void)nsc_arrangement_move(arrangement, world->trace, track, dice_below(&world->dice, 2));
    }
}

/* Every track occurs once, each group's tracks directly after its header. */
static void check_order(const struct world *world)
{
    uint32_t place[MAX_TRACKS];
    bool seen[MAX_TRACKS] = {false};

    for (uint32_t i = 0; i < world->n; i++) {
        uint32_t track = nsc_arrangement_track(&world->arrangement, i);

        assert_true(track < world->n && !seen[track]);
        seen[track] = true;
        place[track] = i;
    }
    for (uint32_t g = 0; g < world->n; g++)
        for (uint32_t k = g + 1; k < world->tracks[g].skip; k++) {
            assert_true(place[k] > place[g]);
            assert_true(place[k] - place[g] < world->tracks[g].skip - g);
        }
}

static bool is_below_fold(const struct world *world, uint32_t track)
{
    for (uint32_t g = 0; g < track; g++)
        if (world->tracks[g].skip > track && nsc_bits_get(world->folds, g))
            return true;
    return false;
}

/* Lines of a track after the pinned ones, counted row by row. */
static uint32_t lines_wanted(const struct world *world, uint32_t track)
{
    const struct nsc_arrangement *arrangement = &world->arrangement;
    uint32_t height = nsc_arrangement_height(arrangement, world->trace, track);
    uint32_t n = 0;

    if (nsc_arrangement_hides(arrangement, track) || is_below_fold(world, track))
        return 0;
    for (uint32_t i = 0; i < world->tracks[track].n_lanes && i < NSC_ROWS_MAX_LANES; i++)
        n += nsc_arrangement_pin_find(arrangement, (struct nsc_pin){track, i, NSC_LINE_LANE}) ==
                     arrangement->n_pins
                 ? height
                 : 0;
    return n;
}

static void check_lines(struct world *world)
{
    uint32_t found[MAX_TRACKS] = {0};

    nsc_rows_build(&world->lines, world->trace, world->folds);
    for (size_t i = 0; i < world->lines.n; i++) {
        const struct nsc_line *line = &world->lines.at[i];
        size_t first = nsc_rows_first(&world->lines, i);

        assert_true(line->part < line->parts && line->parts <= NSC_ARRANGEMENT_HEIGHT);
        assert_int_equal(world->lines.at[first].part, 0);
        assert_int_equal(world->lines.at[first].lane, line->lane);
        if (i < world->lines.n_pinned)
            assert_true(nsc_arrangement_pin_find(&world->arrangement, nsc_rows_pin(line)) <
                        world->arrangement.n_pins);
        else if (line->kind == NSC_LINE_LANE)
            found[line->track]++;
    }
    for (uint32_t i = 0; i < world->n; i++)
        assert_int_equal(found[i],
                         nsc_track_is_group(world->tracks[i].kind) ? 0 : lines_wanted(world, i));
}

TEST(groups_stay_whole)
{
    struct world *world = calloc(1, sizeof *world);

    assert_non_null(world);
    world->dice = dice_new(41);
    for (int i = 0; i < WORLDS; i++) {
        roll_trace(world);
        for (size_t k = 0; k < MAX_TRACKS / 64; k++)
            world->folds[k] = 0;
        nsc_arrangement_init(&world->arrangement, world->trace);
        world->lines.arrangement = &world->arrangement;
        for (int k = 0; k < CHANGES; k++) {
            change(world);
            check_order(world);
            check_lines(world);
        }
        nsc_trace_free(world->trace);
    }
    nsc_arrangement_fini(&world->arrangement);
    nsc_rows_fini(&world->lines);
    free(world);
}

/* A block moves down, and up again, by the same number of steps. */
TEST(moving_back_undoes)
{
    struct world *world = calloc(1, sizeof *world);

    assert_non_null(world);
    world->dice = dice_new(42);
    for (int i = 0; i < WORLDS; i++) {
        uint32_t track = 0;
        uint32_t steps = 0;

        roll_trace(world);
        nsc_arrangement_init(&world->arrangement, world->trace);
        track = (uint32_t)dice_below(&world->dice, world->n);
        while (nsc_arrangement_move(&world->arrangement, world->trace, track, true))
            steps++;
        check_order(world);
        for (; steps; steps--)
            assert_true(nsc_arrangement_move(&world->arrangement, world->trace, track, false));
        for (uint32_t k = 0; k < world->n; k++)
            assert_int_equal(nsc_arrangement_track(&world->arrangement, k), k);
        nsc_trace_free(world->trace);
    }
    nsc_arrangement_fini(&world->arrangement);
    free(world);
}

/* The reported order restores the arrangement from the natural one and from any other. */
TEST(the_order_comes_back)
{
    struct world *world = calloc(1, sizeof *world);
    struct nsc_arrangement again = {0};
    uint32_t moved[MAX_TRACKS];

    assert_non_null(world);
    world->dice = dice_new(43);
    for (int i = 0; i < WORLDS; i++) {
        uint32_t n = 0;

        roll_trace(world);
        nsc_arrangement_init(&world->arrangement, world->trace);
        nsc_arrangement_init(&again, world->trace);
        assert_int_equal(nsc_arrangement_moved(&again, world->trace, moved), 0);
        for (uint64_t k = dice_below(&world->dice, 20); k; k--)
            (void)nsc_arrangement_move(&world->arrangement, world->trace,
                                       (uint32_t)dice_below(&world->dice, world->n),
                                       dice_below(&world->dice, 2));
        n = nsc_arrangement_moved(&world->arrangement, world->trace, moved);
        nsc_arrangement_sort(&again, world->trace, moved, n);
        for (uint32_t k = 0; k < world->n; k++)
            assert_int_equal(again.order[k], world->arrangement.order[k]);
        n = 0;
        for (uint32_t k = 0; k < world->n; k++) /* of some only: groups stay whole */
            if (dice_below(&world->dice, 2))
                moved[n++] = k;
        nsc_arrangement_sort(&world->arrangement, world->trace, moved, n);
        check_order(world);
        nsc_trace_free(world->trace);
    }
    nsc_arrangement_fini(&world->arrangement);
    nsc_arrangement_fini(&again);
    free(world);
}
