/*
 * Every rule of idle_cause.def: two recordings that fire it, and for all rules together two near
 * misses and one that is not assessable. (idle.c has another one for Python's lock.)
 */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

/* What the launching thread does in the gap. */
struct act {
    enum { CALL, LAUNCH, OS, RANGE, MPI, SAMPLED, OFF } by;
    const char *name;
};

static const struct rule {
    const char *name;
    struct act acts[2];
} rules[] = {
    {"module-loading", {{CALL, "cuModuleLoadData"}, {CALL, "cuLibraryLoadData"}}},
    {"graph-instantiation",
     {{CALL, "cudaGraphInstantiate_v12000"}, {CALL, "cudaStreamEndCapture_v10000"}}},
    {"allocation", {{CALL, "cudaHostAlloc_v3020"}, {CALL, "cudaHostRegister_v4000"}}},
    {"long-launches", {{LAUNCH, "cudaLaunchKernel_v7000"}, {LAUNCH, "cuLaunchKernelEx"}}},
    {"garbage-collection", {{RANGE, "gc.collect"}, {RANGE, "[GC] generation 2"}}},
    {"gil", {{RANGE, "Waiting for GIL"}}},
    {"mpi-waits", {{MPI, "MPI_Allreduce"}, {MPI, "MPI_Wait"}}},
    {"sync-while-idle",
     {{CALL, "cudaDeviceSynchronize_v3020"}, {CALL, "cudaStreamSynchronize_v3020"}}},
    {"file-io", {{OS, "fread"}, {OS, "pwrite64"}}},
    {"waits-for-threads", {{OS, "pthread_mutex_lock"}, {OS, "pthread_cond_wait"}}},
    {"off-cpu", {{OFF, "on no CPU"}}},
    {"compilation", {{RANGE, "torch._dynamo.compile_fx"}, {SAMPLED, "nvrtcCompileProgram"}}},
    {"cpu-work", {{SAMPLED, "adam_step"}, {SAMPLED, "tokenize"}}},
    {"input-pipeline", {{RANGE, "dataloader.__next__"}, {RANGE, "load_batch"}}},
    {"sleeps", {{OS, "nanosleep"}, {OS, "usleep"}}},
    {"network", {{OS, "recv"}, {OS, "sendmsg"}}},
    {"other-calls", {{CALL, "cudaGetDeviceProperties_v12000"}, {OS, "ioctl"}}},
};
enum { N_RULES = sizeof rules / sizeof *rules, STEPS = 20 };

/* Steps of 10 ms with kernels of 1 ms. */
static const struct loop gappy = {.idle = MS(2.5), .kernel = US(900)};

static int64_t gap_of(int step)
{
    return loop_step(&gappy, step + 1) - gappy.idle;
}

static void do_act(struct scenario *s, int64_t thread, struct act act, int64_t start, int64_t end)
{
    static const char *const others[] = {"a", "b", "c", "d", "e"};

    switch (act.by) {
    case CALL:
        scenario_call(s, thread, act.name, start, end);
        break;
    case LAUNCH: /* usually such calls are short */
        for (int k = 0; k < 3; k++)
            scenario_call(s, thread, act.name, start - MS(1) + k * US(30),
                          start - MS(1) + k * US(30) + US(5));
        scenario_kernel(s, scenario_call(s, thread, act.name, start, end), 0, 7, "head_kernel",
                        end + US(3), end + US(10));
        break;
    case OS:
        scenario_os(s, thread, act.name, start, end);
        break;
    case RANGE:
        scenario_range(s, thread, act.name, start, end);
        break;
    case SAMPLED: /* and other functions before and after */
        for (int64_t k = 0, t = start - MS(1.5); k < 42; k++, t += US(90))
            scenario_sample(s, thread, t, t >= start && t < end ? act.name : others[k / 9]);
        break;
    case OFF: /* the thread is on a CPU for the rest of the step */
        scenario_on_cpu(s, thread, start - MS(7.4), start);
        scenario_on_cpu(s, thread, end, start + MS(2.6));
        break;
    case MPI:
        scenario_sql(s,
                     "CREATE TABLE IF NOT EXISTS MPI_COLLECTIVES_EVENTS (start INTEGER NOT "
                     "NULL, end INTEGER, globalTid INTEGER, textId INTEGER, commHandle INTEGER)");
        scenario_sql(s, "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (%lld, %lld, %lld, %lld, 1)",
                     (long long)start, (long long)end, (long long)thread,
                     (long long)scenario_string(s, act.name));
        break;
    }
}

static int count(struct scenario *s, const char *rule)
{
    char where[100];

    snprintf(where, sizeof where, "rule = '%s'", rule);
    return scenario_count(s, "findings", where);
}

/* Each act takes 2.2 of the 10 ms of each step, and the GPU is idle meanwhile. */
TEST(test_each_rule_fires)
{
    for (int r = 0; r < N_RULES; r++)
        for (int k = 0; k < 2 && rules[r].acts[k].name; k++) {
            struct scenario *s = scenario_new();
            int64_t thread;

            scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
            thread = loop_run(s, &gappy);
            for (int i = 0; i < STEPS; i++)
                do_act(s, thread, rules[r].acts[k], gap_of(i) + US(60), gap_of(i) + MS(2.3));
            scenario_ask(s, "analyze @");
            if (loop_faults(s, rules[r].name) != 1)
                fail_msg("%s does not fire by %s", rules[r].name, rules[r].acts[k].name);
            for (int other = 0; other < N_RULES; other++)
                if (other != r && loop_faults(s, rules[other].name) > 0)
                    fail_msg("%s fires by %s", rules[other].name, rules[r].acts[k].name);
            scenario_free(s);
        }
}

/* The place of a cause that is no call: a range around it. */
SCENARIO(test_a_range_is_a_place)
{
    struct scenario *s = *state;
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    thread = loop_run(s, &gappy);
    for (int i = 0; i < STEPS; i++)
        scenario_range(s, thread, "torch._dynamo.compile_fx", gap_of(i) + US(60),
                       gap_of(i) + MS(2.3));
    assert_int_equal(
        scenario_run(s, "render @ --size 120x40 --keys 'F / c o m p i l e s Enter Enter'"), 0);
    assert_non_null(strstr(scenario_output(s), "answers: range 2.24 ms"));
}

/* The near miss: the same gap, of which each act takes 0.12 ms. The GPU is idle, but none of them
 * is a cause. */
SCENARIO(test_short_acts)
{
    struct scenario *s = *state;
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    thread = loop_run(s, &gappy);
    for (int i = 0; i < STEPS; i++)
        for (int r = 0; r < N_RULES; r++)
            do_act(s, thread, rules[r].acts[0], gap_of(i) + US(60) + r * US(150),
                   gap_of(i) + US(180) + r * US(150));
    scenario_ask(s, "analyze @");
    assert_int_equal(count(s, "gpu-idle"), 1);
    for (int r = 0; r < N_RULES; r++)
        if (loop_faults(s, rules[r].name) > 0)
            fail_msg("%s fires for 1.2 %%", rules[r].name);
}

/* The near miss: the thread does all this far ahead of a busy GPU. */
SCENARIO(test_hidden_acts)
{
    struct scenario *s = *state;
    const struct loop loop = {.ahead = MS(9), .start = MS(20), .kernel = US(900)};
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    thread = loop_run(s, &loop);
    for (int i = 0; i < STEPS; i++)
        for (int r = 0; r < N_RULES; r++)
            if (rules[r].acts[0].by != LAUNCH)
                do_act(s, thread, rules[r].acts[0],
                       loop_step(&loop, i) - MS(9) + US(10) + r % 9 * US(901) + r / 9 * US(400),
                       loop_step(&loop, i) - MS(9) + US(390) + r % 9 * US(901) + r / 9 * US(400));
    scenario_ask(s, "analyze @");
    loop_is_healthy(s);
}

/* The launches are not recorded, so the causes of the gaps are not assessable. */
SCENARIO(test_unknown_launches)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < STEPS; i++) {
        scenario_kernel(s, 0, 0, 7, "flash_fwd_kernel", loop_step(&gappy, i), gap_of(i));
        for (int r = 0; r < N_RULES; r++)
            if (rules[r].acts[0].by != LAUNCH)
                do_act(s, thread, rules[r].acts[0], gap_of(i) + US(60) + r * US(150),
                       gap_of(i) + US(200) + r * US(150));
    }
    scenario_ask(s, "analyze @");
    assert_int_equal(count(s, "gpu-idle"), 1);
    for (int r = 0; r < N_RULES; r++)
        assert_int_equal(count(s, rules[r].name), 0);
    loop_abstains(s, "cpu-bottleneck", 1);
}

/* The GPU is idle for half of each step, in which the thread waits for Python's lock, then allocates
 * and then works. Shares of that time. Returns what keeps the GPU waiting. */
static void hold_up(struct scenario *s, double lock, double memory)
{
    const struct loop half = {.idle = MS(5), .kernel = US(900)};
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    thread = loop_run(s, &half);
    for (int i = 0; i < STEPS; i++) {
        int64_t t = loop_step(&half, i + 1) - MS(4.99);
        int64_t locked = t + (int64_t)(lock * (double)MS(4.95));

        do_act(s, thread, (struct act){RANGE, "Waiting for GIL"}, t, locked);
        do_act(s, thread, (struct act){CALL, "cudaMalloc_v3020"}, locked,
               locked + (int64_t)(memory * (double)MS(4.95)));
    }
    scenario_findings(s);
}

static const char *keeps_waiting(struct scenario *s, double lock, double memory)
{
    hold_up(s, lock, memory);
    return scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "finding");
}

SCENARIO(test_two_causes_share_the_late_time)
{
    struct scenario *s = *state;

    assert_non_null(strstr(keeps_waiting(s, .49, .49), "waiting: several causes"));
    assert_null(strstr(scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "next_step"),
                       "work between launches"));
}

SCENARIO(test_three_causes_share_the_late_time)
{
    assert_non_null(strstr(keeps_waiting(*state, .4, .35), "waiting: several causes"));
}

/* CPU work takes most, though not half. */
SCENARIO(test_work_takes_most_of_the_late_time)
{
    assert_non_null(strstr(keeps_waiting(*state, .3, .33), "waiting: CPU work between"));
}

/* The lock takes just over half. */
SCENARIO(test_one_of_three_takes_half)
{
    hold_up(*state, .58, .2);
    loop_leads(*state, "gil");
    loop_is_quiet(*state, "cpu-bottleneck");
}
