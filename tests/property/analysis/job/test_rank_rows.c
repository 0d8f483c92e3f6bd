/*
 * Property test of the rows of ranks: the parts of each row equal those of a sweep of its window alone, however many lines of iterations
 * share a device, and the causes add up to its idle time.
 */
#include "analysis/job/rank_rows.h"
#include "support/cm.h"
#include "support/gpu_world.h"

enum { ROUNDS = 600, LINES = 4, MOST = 6, RANKS = 12 };

struct lines {
    struct nsc_iterations of;
    struct nsc_iteration_line line[LINES];
    struct nsc_iteration at[LINES * MOST];
};

/* Lines of iterations that ascend, some with time between them, some of a process that another has too. */
static void roll_lines(struct lines *lines, struct gpu_world *world)
{
    uint32_t n_tracks = 0;

    (void)nsc_trace_tracks(world->trace, &n_tracks);
    *lines = (struct lines){0};
    lines->of.n_lines = (uint32_t)dice_below(&world->dice, LINES + 1);
    for (uint32_t i = 0; i < lines->of.n_lines; i++) {
        struct nsc_iteration *at = &lines->at[i * MOST];
        nsc_time t = (nsc_time)dice_below(&world->dice, GPU_WORLD_SPAN);

        lines->line[i] =
            (struct nsc_iteration_line){.track = (uint32_t)dice_below(&world->dice, n_tracks),
                                        .n = 1 + (uint32_t)dice_below(&world->dice, MOST),
                                        .at = at};
        for (uint32_t k = 0; k < lines->line[i].n; k++) {
            at[k].window.t0 = t + (nsc_time)dice_below(&world->dice, 2) * 10;
            at[k].window.t1 = at[k].window.t0 + (nsc_time)dice_below(&world->dice, 200);
            t = at[k].window.t1;
        }
    }
    lines->of.lines = lines->line;
    if (lines->of.n_lines > 0) {
        lines->of.at = lines->line[0].at;
        lines->of.n = lines->line[0].n;
    }
}

static void roll_ranks(struct nsc_rank_ops *ops, struct gpu_world *world)
{
    uint32_t n_tracks = 0, n = 1 + (uint32_t)dice_below(&world->dice, RANKS);
    uint32_t device = NSC_NONE;
    const struct nsc_track *tracks = nsc_trace_tracks(world->trace, &n_tracks);

    for (uint32_t i = 0; i < n; i++) {
        device = gpu_world_next_device(world, device);
        *NSC_VEC_ADD(&ops->ranks) = (struct nsc_rank_place){
            .track = device, .process = tracks[dice_below(&world->dice, n_tracks)].process};
    }
}

static uint32_t line_of(const struct lines *lines, const struct nsc_trace *trace, uint64_t process)
{
    for (uint32_t i = 0; i < lines->of.n_lines; i++)
        if (nsc_trace_track(trace, lines->line[i].track)->process == process)
            return i;
    return lines->of.n_lines > 0 ? 0 : NSC_NONE;
}

/* The parts of a window, by class. */
static void check_row(const struct nsc_rank_rows *rows, uint32_t row, const struct nsc_scope *scope,
                      uint32_t device, struct nsc_window window)
{
    struct nsc_part_segment segment = {window, 0};
    struct nsc_part_question question = {scope, &device, device != NSC_NONE, &segment, 1};
    struct nsc_recording_parts parts = {0};
    nsc_time want[NSC_N_PART_CLASSES] = {0}, causes = 0;
    struct nsc_strpool texts;

    nsc_strpool_init(&texts);
    nsc_recording_parts_measure(&parts, &texts, &question);
    for (size_t i = 0; i < parts.list.n; i++)
        want[parts.list.at[i].class] += parts.list.at[i].total;
    for (unsigned class = 0; class < NSC_N_PART_CLASSES; class ++)
        assert_int_equal(rows->parts.at[class].ns[row], want[class]);
    for (size_t i = NSC_N_PART_CLASSES; i < rows->parts.n; i++)
        causes += rows->parts.at[i].ns[row];
    assert_true(causes <= want[NSC_PART_IDLE]);
    if (rows->parts.n < NSC_N_PART_CLASSES + NSC_RANK_CAUSES)
        assert_int_equal(causes, want[NSC_PART_IDLE]);
    NSC_VEC_FINI(&parts.list);
    nsc_strpool_fini(&texts);
}

static void check_rank(const struct nsc_rank_rows *rows, const struct lines *lines,
                       const struct nsc_scope *scope, const struct nsc_rank_place *rank)
{
    uint32_t line = line_of(lines, scope->trace, rank->process);

    assert_int_equal(rows->n, line == NSC_NONE ? 1 : lines->line[line].n);
    for (uint32_t r = 0; r < rows->n; r++) {
        struct nsc_window window =
            line == NSC_NONE ? scope->window : lines->line[line].at[r].window;

        assert_int_equal(rows->start[r], window.t0);
        check_row(rows, r, scope, rank->track, window);
    }
}

TEST(test_rows_equal_sweeps_of_their_windows)
{
    struct gpu_world world = {.dice = dice_new(141)};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_all_rank_rows rows;
        struct nsc_rank_ops ops;
        struct lines lines;

        gpu_world_roll(&world);
        roll_lines(&lines, &world);
        nsc_rank_ops_init(&ops);
        roll_ranks(&ops, &world);
        nsc_rank_rows_build(&rows, &ops.pool, &world.scope, &lines.of, &ops);
        for (size_t i = 0; i < ops.ranks.n; i++)
            check_rank(&rows.at.at[rows.of[i]], &lines, &world.scope, &ops.ranks.at[i]);
        nsc_rank_rows_fini(&rows);
        nsc_rank_ops_fini(&ops);
        gpu_world_clear(&world);
    }
}
