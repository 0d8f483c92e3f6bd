/*
 * Property test of answers that are shared before questions are asked (finding/share): each skill and
 * finding gives what it gives without a store. The traces have no GPU, one or several, one export or
 * several, calls that launch one op or several, and iterations or none.
 */
#include "analysis/base/shared.h"
#include "analysis/finding/steady.h"
#include "analysis/skill/skill.h"
#include "share/sheet_write.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 12, STEP = 10000000, LATE = STEP / 10 }; /* ns */

struct loop {
    struct dice *dice;
    struct nsc_test_row rows[1024];
    uint32_t n;
};

static struct nsc_test_row *add(struct loop *loop, uint8_t kind, uint32_t rank, nsc_time start,
                                nsc_time length)
{
    struct nsc_test_row *row = &loop->rows[loop->n++];

    assert_true(loop->n < sizeof loop->rows / sizeof *loop->rows);
    *row = (struct nsc_test_row){.kind = kind,
                                 .process = 1 + rank,
                                 .tid = 1,
                                 .context = 1,
                                 .capture_no = rank,
                                 .start = start,
                                 .end = start + length};
    return row;
}

/* Some calls, each with the ops it launches, in an iteration that begins at t. */
static void add_step(struct loop *loop, uint32_t rank, uint32_t n_gpus, uint32_t most_ops,
                     nsc_time t)
{
    static const char *const names[] = {"gemm", "relu", "ncclDevKernel_AllReduce", NULL};

    add(loop, NSC_KIND_NVTX_RANGE, rank, t, STEP * 9 / 10)->name = "step";
    for (uint32_t call = 0; call < 1 + n_gpus; call++) {
        uint32_t correlation = loop->n + 1;
        struct nsc_test_row *row =
            add(loop, NSC_KIND_API_RUNTIME, rank, t + (call + 1) * LATE, LATE / 4);

        row->name = most_ops > 1 ? "cudaGraphLaunch_v10000" : "cudaLaunchKernel_v7000";
        row->correlation = correlation;
        for (uint64_t op = dice_below(loop->dice, most_ops) + 1; op > 0; op--) {
            uint64_t which = dice_below(loop->dice, 4);

            row = add(loop, which < 3 ? NSC_KIND_KERNEL : NSC_KIND_COPY_HTOD, rank,
                      t + (call + 1) * LATE + (nsc_time)dice_below(loop->dice, 4 * LATE),
                      1 + (nsc_time)dice_below(loop->dice, 2 * LATE));
            row->name = names[which];
            row->correlation = correlation;
            row->device = call % n_gpus;
            row->stream = 7 + (int64_t)dice_below(loop->dice, 2);
        }
    }
}

static struct nsc_trace *build_loop(struct loop *loop, uint32_t n_exports, uint32_t n_gpus,
                                    uint32_t most_ops)
{
    loop->n = 0;
    for (uint32_t rank = 0; rank < n_exports; rank++)
        for (uint32_t step = 0; step < STEPS; step++)
            add_step(loop, rank, n_gpus, most_ops, (nsc_time)step * STEP);
    return nsc_test_trace_build(loop->rows, loop->n);
}

static char *answer(const struct nsc_skill *skill, const struct nsc_scope *scope)
{
    struct nsc_sheet_style style = {.format = NSC_SHEET_AS_JSON};
    struct nsc_question question = nsc_question_of(skill, scope, NULL);
    struct nsc_buf text = NSC_BUF_INIT(1u << 24);
    struct nsc_sheets sheets = {0};

    nsc_skill_run(&sheets, &question);
    nsc_sheets_write(&text, &sheets, &style);
    nsc_sheets_fini(&sheets);
    return text.bytes;
}

/* What the store has before: nothing, a few answers, or all that are shared about the whole. */
enum store { IS_EMPTY, HAS_SOME, HAS_ALL, N_STORES };

static void fill(struct nsc_scope *scope, enum store store)
{
    struct nsc_steady steady;

    if (store == HAS_SOME)
        free(answer(nsc_skill_find("breakdown"), scope));
    if (store == HAS_ALL) {
        nsc_steady_share(&steady, scope, NULL);
        nsc_steady_close(&steady, scope);
    }
}

/* Asks all questions of a scope and its steady state. Returns whether it has one. */
static bool compare(struct nsc_scope shared, enum store store)
{
    struct nsc_scope plain = shared;
    struct nsc_steady steady, plain_steady;
    bool is_narrow;
    uint32_t n;
    const struct nsc_skill *skills = nsc_skills(&n);

    nsc_shared_open(&shared);
    fill(&shared, store);
    nsc_steady_share(&steady, &shared, NULL);
    nsc_steady_open(&plain_steady, &plain);
    is_narrow = steady.is_narrow;
    assert_int_equal(is_narrow, plain_steady.is_narrow);
    assert_string_equal(steady.words, plain_steady.words);
    for (uint32_t i = 0; i < n; i++) {
        char *with = answer(&skills[i], &shared);
        char *without = answer(&skills[i], &plain);

        if (strcmp(with, without) != 0)
            fail_msg("%s: %s\nis not %s", skills[i].name, with, without);
        free(with);
        free(without);
    }
    nsc_steady_close(&steady, &shared);
    nsc_shared_close(&shared);
    nsc_steady_close(&plain_steady, &plain);
    return is_narrow;
}

TEST(loops_with_a_steady_state)
{
    struct dice dice = dice_new(613);
    struct loop loop = {.dice = &dice};

    for (uint32_t n_exports = 1; n_exports <= 3; n_exports++)
        for (uint32_t n_gpus = 1; n_gpus <= 3; n_gpus++)
            for (uint32_t most_ops = 1; most_ops <= 4; most_ops += 3) {
                struct nsc_trace *trace = build_loop(&loop, n_exports, n_gpus, most_ops);

                for (int store = IS_EMPTY; store < N_STORES; store++)
                    assert_true(compare(nsc_scope_all(trace), (enum store)store));
                nsc_trace_free(trace);
            }
}

/* What gpu_world rolls: also windows, masks, ties and exports of very many GPUs. */
TEST(any_trace)
{
    struct gpu_world world = {.dice = dice_new(614)};

    for (int round = 0; round < 40; round++) {
        gpu_world_roll(&world);
        (void)compare(world.scope, (enum store)(round % N_STORES));
        gpu_world_clear(&world);
    }
}

TEST(no_gpu)
{
    const struct nsc_test_row rows[] = {
        {.kind = NSC_KIND_NVTX_RANGE, .process = 1, .tid = 1, .start = 1, .end = 9, .name = "a"},
        {.kind = NSC_KIND_API_RUNTIME, .process = 1, .tid = 1, .start = 2, .end = 4, .name = "b"}};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 2);

    assert_false(compare(nsc_scope_all(trace), IS_EMPTY));
    nsc_trace_free(trace);
}
