/*
 * Property test of the phases of iterations: their times equal those found kernel by kernel, from
 * all ranges around each call.
 */
#include "analysis/ranges/iteration_phases.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { MAX_ROWS = 800, STEPS = 12, STEP = 1000 };

struct world {
    struct dice dice;
    struct nsc_test_row rows[MAX_ROWS];
    const char
        *phase[MAX_ROWS]; /* for a range: the phase it names, or NULL; for a call: the phase it
                           * starts in */
    uint32_t n;
    struct nsc_trace *trace;
};

static void add_range(struct world *world, const char *name, nsc_time start, nsc_time end)
{
    world->rows[world->n++] = (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                                    .process = 1,
                                                    .tid = 1,
                                                    .name = name,
                                                    .start = start,
                                                    .end = end};
}

/* A kernel of the only stream, which runs after the previous one. */
static nsc_time add_launch(struct world *world, nsc_time call, nsc_time gpu)
{
    nsc_time start = gpu > call + 3 ? gpu : call + 3;
    nsc_time end = start + 1 + (nsc_time)dice_below(&world->dice, 12);
    struct nsc_test_row row = {.kind = NSC_KIND_API_RUNTIME,
                               .process = 1,
                               .tid = 1,
                               .name = "cudaLaunchKernel",
                               .start = call,
                               .end = call + 2,
                               .correlation = world->n + 1};

    world->rows[world->n] = row;
    row.kind = NSC_KIND_KERNEL;
    row.context = row.stream = 1;
    row.name = "gemm";
    row.start = start;
    row.end = end;
    world->rows[world->n + 1] = row;
    world->n += 2;
    return end;
}

/* Nested ranges in [t0, t1), some with equal bounds, some without a phase in their name. */
static void add_inside(struct world *world, nsc_time t0, nsc_time t1, unsigned depth)
{
    static const char *const names[] = {"forward",       "backward", "optimizer.step",  "prefill",
                                        "decode tokens", "mlp",      "forward_backward"};

    while (depth > 0 && t0 + 8 < t1) {
        nsc_time start = t0 + (nsc_time)dice_below(&world->dice, 8);
        nsc_time end = start + (nsc_time)dice_below(&world->dice, (uint64_t)(t1 - start) + 1);

        add_range(world, names[dice_below(&world->dice, 7)], start, end);
        add_inside(world, start, end, depth - 1);
        /* a range that starts where one without length does is around it: its row would come first */
        t0 = end + (start == end) + (nsc_time)dice_below(&world->dice, 200);
    }
}

static void roll(struct world *world)
{
    nsc_time gpu = 0;

    world->n = 0;
    for (nsc_time i = 0; i < STEPS; i++) {
        nsc_time t0 = i * STEP;

        add_range(world, "train_step", t0, t0 + STEP - 10);
        add_inside(world, t0 + 1, t0 + STEP - 11, 3);
        for (nsc_time k = 0; k < 20; k++)
            gpu = add_launch(world, t0 + k * 45 + (nsc_time)dice_below(&world->dice, 40), gpu);
    }
    world->trace = nsc_test_trace_build(world->rows, world->n);
}

/* ---- kernel by kernel ---- */

static const char *word_of(const char *name)
{
    static const char *const words[] = {"forward", "backward", "optimizer", "prefill", "decode"};
    const char *found = NULL;

    for (int i = 0; i < 5; i++)
        if (strstr(name, words[i])) {
            if (found)
                return NULL;
            found = words[i];
        }
    return found;
}

static bool is_serving(const char *word)
{
    return strcmp(word, "prefill") == 0 || strcmp(word, "decode") == 0;
}

/* Rows of ranges precede those inside them, so the last one that names a phase is the innermost. */
static const char *phase_at(const struct world *world, nsc_time t)
{
    const char *phase = "other";

    for (uint32_t i = 0; i < world->n; i++) {
        const struct nsc_test_row *row = &world->rows[i];
        const char *word = row->kind == NSC_KIND_NVTX_RANGE ? world->phase[i] : NULL;
        nsc_time end = row->end > row->start ? row->end : row->start + 1;

        if (word && row->start <= t && t < end && !(is_serving(phase) && !is_serving(word)))
            phase = word;
    }
    return phase;
}

static void find_phases(struct world *world)
{
    for (uint32_t i = 0; i < world->n; i++)
        world->phase[i] =
            world->rows[i].kind == NSC_KIND_NVTX_RANGE ? word_of(world->rows[i].name) : NULL;
    for (uint32_t i = 0; i < world->n; i++)
        if (world->rows[i].kind == NSC_KIND_API_RUNTIME)
            world->phase[i] = phase_at(world, world->rows[i].start);
}

/* The time of a phase: each kernel counts from the end of the previous one to its own end. */
static nsc_time time_of(const struct world *world, const char *phase, nsc_time from)
{
    nsc_time sum = 0;
    nsc_time before = from;

    for (uint32_t i = 0; i + 1 < world->n; i++) {
        const struct nsc_test_row *call = &world->rows[i];
        nsc_time end = call[1].end;

        if (call->kind != NSC_KIND_API_RUNTIME || end <= before || call->start < from)
            continue;
        sum += strcmp(world->phase[i], phase) == 0 ? end - before : 0;
        before = end;
    }
    return sum;
}

/* Each call has the phase of its process at its start. */
static void check_calls(const struct world *world, const struct nsc_job_phases *job, nsc_time from)
{
    const struct nsc_process_phases *of = &job->list.at[0];

    assert_ptr_equal(nsc_job_phases_of(job, of->process), of);
    assert_null(nsc_job_phases_of(job, of->process + 1));
    for (uint32_t i = 0; i < world->n; i++)
        if (world->rows[i].kind == NSC_KIND_API_RUNTIME && world->rows[i].start >= from)
            assert_string_equal(nsc_process_phases_at(of, world->rows[i].start), world->phase[i]);
}

static bool check(const struct world *world)
{
    struct nsc_scope scope = nsc_scope_all(world->trace);
    struct nsc_iterations iterations;
    struct nsc_job_phases job = {0};
    const struct nsc_process_phases *phases;
    struct nsc_window steady = {0};
    bool found = nsc_iterations_find(&iterations, world->trace) && !iterations.on_gpu &&
                 nsc_steady_state(&steady, &iterations) && nsc_job_phases_find(&job, &scope);

    phases = job.list.at;
    found = found && strstr(phases->name[0], "kind") == NULL;
    for (uint32_t i = 0; found && i < phases->n; i++) {
        assert_int_equal(phases->time[i], time_of(world, phases->name[i], steady.t0));
    }
    if (found) {
        assert_int_equal(phases->spans[0].window.t0, steady.t0);
        check_calls(world, &job, steady.t0);
    }
    nsc_job_phases_fini(&job);
    nsc_iterations_fini(&iterations);
    return found;
}

TEST(test_innermost)
{
    static struct world world;
    uint32_t n = 0;

    world.dice = dice_new(0x9a5e);
    for (unsigned i = 0; i < 200; i++) {
        roll(&world);
        find_phases(&world);
        n += check(&world);
        nsc_trace_free(world.trace);
    }
    assert_true(n > 130);
}

/* The phases of a job that is stopped are those of none, and nothing stays behind (the sanitizer looks). */
TEST(a_stopped_job_has_no_phases)
{
    static struct world world;
    struct nsc_progress stopped = {.cancel = true};
    struct nsc_job_phases job;
    struct nsc_scope scope;

    world.dice = dice_new(0x9a5f);
    roll(&world);
    nsc_trace_free(world.trace);
    for (uint32_t i = 0; i < world.n; i++)
        world.rows[i].capture_no = i >= world.n / 2;
    world.trace = nsc_test_trace_build(world.rows, world.n);
    scope = nsc_scope_all(world.trace);
    assert_true(nsc_job_phases_find(&job, &scope));
    nsc_job_phases_fini(&job);
    scope.stop = &stopped;
    assert_false(nsc_job_phases_find(&job, &scope));
    nsc_job_phases_fini(&job);
    nsc_trace_free(world.trace);
}
