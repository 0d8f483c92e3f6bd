/*
 * Findings about idle time: each cause that takes enough of the window is named with its advice,
 * below the finding that the GPU is idle.
 */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

static struct scenario *begin(void **state)
{
    scenario_gpu(*state, 0, "NVIDIA H100 80GB HBM3");
    return *state;
}

/* A loop with 2 of 10 ms idle per step, during which its thread is in a call. Gives the start of
 * the gap of step i. */
static const struct loop gappy = {.idle = MS(2.5)};

static int64_t gap_of(int i)
{
    return loop_step(&gappy, i + 1) - gappy.idle;
}

static void is_under_idle(struct scenario *s, const char *rule)
{
    loop_fires(s, rule);
    loop_same_time(s, rule, "gpu-idle");
}

/* A call of 2 ms in the gap of each step from `first` on. */
static void call_each_step(struct scenario *s, int64_t thread, const char *name, int first)
{
    for (int i = first; i < 20; i++)
        scenario_call(s, thread, name, gap_of(i) + US(100), gap_of(i) + MS(2.2));
    scenario_findings(s);
}

/* cudaMalloc of 2 ms in each step. */
SCENARIO(test_allocation)
{
    struct scenario *s = begin(state);

    call_each_step(s, loop_run(s, &gappy), "cudaMalloc_v3020", 0);
    is_under_idle(s, "allocation");
    loop_severity(s, "allocation", "medium");
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'allocation'", "finding"), "cudaMalloc"));
}

/* The near miss: the GPU works while memory is allocated. */
SCENARIO(test_allocation_under_work)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.ahead = MS(6), .start = MS(20)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++)
        scenario_call(s, thread, "cudaMalloc_v3020",
                      loop_step(&loop, i) + US(26) * 4 - MS(6) + US(8),
                      loop_step(&loop, i) + US(26) * 4 - MS(6) + US(70));
    scenario_findings(s);
    loop_is_healthy(s);
}

/* A graph is captured and instantiated anew in each step. */
SCENARIO(test_graph_instantiation)
{
    struct scenario *s = begin(state);

    call_each_step(s, loop_run(s, &gappy), "cudaGraphInstantiate_v12000", 0);
    is_under_idle(s, "graph-instantiation");
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'graph-instantiation'", "next_step"), "once"));
}

/* The near miss: instantiated once, launched 200 times. */
SCENARIO(test_graph_instantiated_once)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_call(s, thread, "cudaGraphInstantiate_v12000", MS(1), MS(4));
    for (int i = 0; i < 200; i++) {
        int64_t at = MS(6) + i * MS(5);
        int64_t call =
            scenario_call(s, thread, "cudaGraphLaunch_v10000", at - US(400), at - US(360));

        scenario_graph(s, call, 0, 7, 3, at, at + MS(4.95));
    }
    scenario_findings(s);
    loop_is_healthy(s);
}

/* Modules are loaded in each step. */
SCENARIO(test_module_loading)
{
    struct scenario *s = begin(state);

    call_each_step(s, loop_run(s, &gappy), "cuModuleLoadData", 0);
    is_under_idle(s, "module-loading");
}

/* A wait for the whole GPU in each step, and then Python: the queue is drained. */
SCENARIO(test_synchronize_each_step)
{
    struct scenario *s = begin(state);
    int64_t thread = loop_run(s, &gappy);

    for (int i = 0; i < 20; i++)
        scenario_call(s, thread, "cudaDeviceSynchronize_v3020", gap_of(i) - MS(0.02),
                      gap_of(i) + US(10));
    scenario_findings(s);
    is_under_idle(s, "sync-while-idle");
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'sync-while-idle'", "finding"),
                           "cudaDeviceSynchronize"));
    loop_is_quiet(s, "allocation");
}

/* The near miss: the same wait with the GPU idle for 1 %. */
SCENARIO(test_synchronize_costs_little)
{
    struct scenario *s = begin(state);
    const struct loop loop = {0};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++)
        scenario_call(s, thread, "cudaDeviceSynchronize_v3020", loop_step(&loop, i + 1) - US(50),
                      loop_step(&loop, i + 1) - US(33));
    scenario_findings(s);
    loop_is_healthy(s);
}

/* The launching thread reads files in each gap. */
SCENARIO(test_file_io)
{
    struct scenario *s = begin(state);
    int64_t thread = loop_run(s, &gappy);

    for (int i = 0; i < 20; i++)
        scenario_os(s, thread, "read", gap_of(i) + US(50), gap_of(i) + MS(2.3));
    scenario_findings(s);
    is_under_idle(s, "file-io");
    loop_is_quiet(s, "cpu-bottleneck");
}

/* MPI in each gap: the host is late because of another rank, not because of files. */
SCENARIO(test_mpi)
{
    struct scenario *s = begin(state);
    int64_t thread = loop_run(s, &gappy);

    scenario_sql(s, "CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER NOT NULL, end INTEGER, "
                    "globalTid INTEGER, textId INTEGER, commHandle INTEGER)");
    for (int i = 0; i < 20; i++) {
        scenario_sql(s, "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (%lld, %lld, %lld, %lld, 1)",
                     (long long)gap_of(i) + 50000, (long long)gap_of(i) + 2300000,
                     (long long)thread, (long long)scenario_string(s, "MPI_Allreduce"));
        scenario_os(s, thread, "poll", gap_of(i) + US(60), gap_of(i) + MS(2.2));
    }
    scenario_findings(s);
    is_under_idle(s, "mpi-waits");
    loop_is_quiet(s, "file-io");
}

/* The launches are not recorded: no cause is named. */
SCENARIO(test_unknown_launches)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 20; i++) {
        scenario_kernel(s, 0, 0, 7, "flash_fwd_kernel", MS(10) + i * MS(10), MS(17) + i * MS(10));
        scenario_call(s, thread, "cudaMalloc_v3020", MS(17.1) + i * MS(10), MS(19.5) + i * MS(10));
    }
    scenario_findings(s);
    loop_is_quiet(s, "allocation");
    loop_is_quiet(s, "sync-while-idle");
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "finding"),
                           "not assessable"));
}

/* 40 kernels every 100 ms on a thread that waits in a call until the next ones. */
static int64_t work_now_and_then(struct scenario *s, const char *thread_name, const char *kernel,
                                 const char *call)
{
    int64_t thread = scenario_thread(s, 100, 100, thread_name);

    for (int i = 0; i < 30; i++) {
        int64_t at = MS(10) + i * MS(100);

        for (int k = 0; k < 40; k++)
            scenario_launch(s, thread, at + k * US(100), 0, 7, kernel, at + US(20) + k * US(100),
                            at + US(118) + k * US(100));
        if (call)
            scenario_os(s, thread, call, at + MS(4.1), at + MS(99.9));
    }
    return thread;
}

/* Fails unless the GPU is idle because there are no requests, and nothing is a fault. */
static void waits_for_requests(struct scenario *s)
{
    scenario_findings(s);
    assert_int_equal(loop_faults(s, NULL), 0);
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'gpu-idle'", "finding"), "requests"));
}

/* Fails unless the GPU is idle because its thread waits for another one. */
static void waits_for_threads(struct scenario *s)
{
    scenario_findings(s);
    loop_severity(s, "gpu-idle", "high");
    loop_severity(s, "waits-for-threads", "high");
    assert_null(strstr(scenario_text(s, "findings", "rule = 'gpu-idle'", "finding"), "requests"));
}

/* A server with a request every 100 ms: the GPU is idle because there are no requests. */
SCENARIO(test_server_without_load)
{
    work_now_and_then(begin(state), "VLLM::EngineCore", "flash_fwd_kernel", "epoll_wait");
    waits_for_requests(*state);
}

/* The same server, whose thread takes requests from a queue. */
SCENARIO(test_server_without_load_at_a_queue)
{
    work_now_and_then(begin(state), "VLLM::EngineCore", "flash_fwd_kernel", "pthread_cond_wait");
    waits_for_requests(*state);
    scenario_ask(*state, "skill run bound @");
    assert_string_equal(scenario_text(*state, "bound", NULL, "verdict"), "waits for requests");
    scenario_ask(*state, "ask @ 'why is the GPU idle most of the time?'");
    assert_true(loop_notes(*state, "Most of it: wait for requests"));
}

/* The same behind a web server. */
SCENARIO(test_web_server_at_a_queue)
{
    work_now_and_then(begin(state), "uvicorn", "flash_fwd_kernel", "pthread_cond_wait");
    waits_for_requests(*state);
}

/* The near miss: a training job waits in epoll_wait for its loader, and has an optimizer. */
SCENARIO(test_training_at_epoll)
{
    work_now_and_then(begin(state), "python", "multi_tensor_apply_kernel<FusedAdamFunctor>",
                      "epoll_wait");
    waits_for_threads(*state);
}

/* The near miss: of this program, in pt_main_thread, ranges mark the steps. */
SCENARIO(test_steps_at_epoll)
{
    struct scenario *s = begin(state);
    int64_t thread = work_now_and_then(s, "pt_main_thread", "gemm", "epoll_wait");

    for (int i = 0; i < 30; i++)
        scenario_range(s, thread, "step", MS(9) + i * MS(100), MS(108) + i * MS(100));
    waits_for_threads(s);
}

/* Nothing says that a program is a server: a wait at a queue is for another thread. */
SCENARIO(test_a_program_at_a_queue)
{
    work_now_and_then(begin(state), "simulate", "stencil", "pthread_cond_wait");
    waits_for_threads(*state);
}

/* The sick twin of the server: another thread reads a file and wakes the one that launches. */
SCENARIO(test_server_that_waits_for_a_file)
{
    struct scenario *s = begin(state);
    int64_t reader = scenario_thread(s, 100, 101, "loader");

    work_now_and_then(s, "VLLM::EngineCore", "flash_fwd_kernel", "pthread_cond_wait");
    for (int i = 0; i < 30; i++) {
        scenario_os(s, reader, "read", MS(14) + i * MS(100), MS(109.85) + i * MS(100));
        scenario_os(s, reader, "pthread_cond_signal", MS(109.87) + i * MS(100),
                    MS(109.88) + i * MS(100));
    }
    scenario_findings(s);
    loop_severity(s, "gpu-idle", "high");
    loop_severity(s, "file-io", "high");
}

/* The sick twin: the same gaps, but the thread is in no call. */
SCENARIO(test_server_with_a_slow_scheduler)
{
    struct scenario *s = begin(state);

    work_now_and_then(s, "VLLM::EngineCore", "flash_fwd_kernel", NULL);
    scenario_findings(s);
    loop_severity(s, "gpu-idle", "high");
    loop_severity(s, "cpu-bottleneck", "high");
    assert_null(
        strstr(scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "evidence"), "not counted"));
}

/* It waits for requests in a third of that time: what the finding leaves out is named. */
SCENARIO(test_server_with_a_slow_scheduler_and_few_requests)
{
    struct scenario *s = begin(state);
    int64_t thread = work_now_and_then(s, "VLLM::EngineCore", "flash_fwd_kernel", NULL);

    for (int i = 0; i < 30; i++)
        scenario_os(s, thread, "pthread_cond_wait", MS(15) + i * MS(100), MS(45) + i * MS(100));
    scenario_findings(s);
    loop_severity(s, "cpu-bottleneck", "high");
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "evidence"),
                           "31.2 % of the idle time, in waits for requests"));
}

/* What the CPU does for most of the late time leads, and no other finding says it again. */
static void keeps_waiting(struct scenario *s, const char *rule)
{
    loop_leads(s, rule);
    loop_is_quiet(s, "cpu-bottleneck");
}

/* A semaphore in the gap of each step, in a range. */
static void wait_each_step(struct scenario *s, const char *range)
{
    int64_t thread = loop_run(s, &gappy);

    for (int i = 0; i < 20; i++) {
        scenario_range(s, thread, range, gap_of(i) + US(100), gap_of(i) + MS(2.3));
        scenario_os(s, thread, "sem_wait", gap_of(i) + US(110), gap_of(i) + MS(2.29));
    }
    scenario_findings(s);
}

/* Inside the loader's range the cause is the input pipeline, and the advice is more workers. */
SCENARIO(test_waits_in_the_loader)
{
    struct scenario *s = begin(state);

    wait_each_step(s, "dataloader.__next__");
    keeps_waiting(s, "input-pipeline");
    is_under_idle(s, "input-pipeline");
    loop_is_quiet(s, "waits-for-threads");
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'input-pipeline'", "next_step"),
                           "more workers"));
}

/* In any other range nothing speaks of an input pipeline. */
SCENARIO(test_waits_elsewhere)
{
    struct scenario *s = begin(state);

    wait_each_step(s, "join_solvers");
    keeps_waiting(s, "waits-for-threads");
    is_under_idle(s, "waits-for-threads");
    loop_is_quiet(s, "input-pipeline");
    assert_null(strstr(scenario_text(s, "findings", "rule = 'waits-for-threads'", "next_step"),
                       "more workers"));
}

/* loss.item() drains the queue; then Python works in a range until the end of the gap. */
static void drain_then_work(struct scenario *s, const char *range)
{
    int64_t thread = loop_run(s, &gappy);

    for (int i = 0; i < 20; i++) {
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", gap_of(i) - MS(1),
                      gap_of(i) + US(20));
        scenario_range(s, thread, range, gap_of(i) + US(100), gap_of(i) + MS(2.3));
    }
    scenario_findings(s);
}

/* The next batch is fetched there: that is the cause, not the wait before it. */
SCENARIO(test_loader_after_a_wait)
{
    struct scenario *s = begin(state);

    drain_then_work(s, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    keeps_waiting(s, "input-pipeline");
    is_under_idle(s, "input-pipeline");
    loop_is_quiet(s, "sync-while-idle");
}

/* Python in a range of another name after the wait: the wait is the cause. */
SCENARIO(test_python_after_a_wait)
{
    struct scenario *s = begin(state);

    drain_then_work(s, "log_metrics");
    keeps_waiting(s, "sync-while-idle");
    is_under_idle(s, "sync-while-idle");
    loop_is_quiet(s, "input-pipeline");
}

/* Would the work be hidden without the wait? Each step has 10 ms of kernels and a wait for them; then the
 * thread works for `work` in a function, or in two ("a|b") in turn, and is on a CPU for the first tenth of that. */
static void wait_then_work(struct scenario *s, int64_t work, const char *function, bool is_off)
{
    const struct loop loop = {.period = MS(10) + work, .idle = work};
    int64_t thread = loop_run(s, &loop);
    const char *bar = function ? strchr(function, '|') : NULL;
    char first[40] = "";

    if (function)
        snprintf(first, sizeof first, "%.*s", (int)strcspn(function, "|"), function);
    for (int i = 0; i < 20; i++) {
        int64_t gap = loop_step(&loop, i + 1) - work;

        scenario_call(s, thread, "cudaStreamSynchronize_v3020", gap - MS(1), gap + US(20));
        for (int k = 0; function && k < 10; k++)
            scenario_sample(s, thread, gap + US(100) + k * work / 12,
                            bar && k % 2 ? bar + 1 : first);
        if (is_off)
            scenario_on_cpu(s, thread, gap - MS(10), gap + work / 10);
    }
    scenario_findings(s);
}

/* The work takes twice as long as the kernels: it is the cause, wherever the host waits. */
SCENARIO(test_work_that_no_wait_holds_up)
{
    struct scenario *s = begin(state);

    wait_then_work(s, MS(20), NULL, false);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "finding"),
                           "CPU work between launches"));
    loop_is_quiet(s, "sync-while-idle");
}

/* The near miss: it takes half as long. */
SCENARIO(test_work_that_a_wait_holds_up)
{
    struct scenario *s = begin(state);

    wait_then_work(s, MS(5), NULL, false);
    keeps_waiting(s, "sync-while-idle");
    is_under_idle(s, "sync-while-idle");
}

/* An optimizer on the CPU, which the samples name, needs what the wait waits for. */
SCENARIO(test_optimizer_on_the_cpu)
{
    struct scenario *s = begin(state);

    wait_then_work(s, MS(6), "adam_step_avx512", false);
    keeps_waiting(s, "cpu-work");
    is_under_idle(s, "cpu-work");
    assert_non_null(
        strstr(scenario_text(s, "findings", "rule = 'cpu-work'", "finding"), "adam_step_avx512"));
    loop_is_quiet(s, "sync-while-idle");
}

/* The near miss: the samples only tell that Python is interpreted. */
SCENARIO(test_python_on_the_cpu)
{
    struct scenario *s = begin(state);

    wait_then_work(s, MS(6), "_PyEval_EvalFrameDefault", false);
    is_under_idle(s, "sync-while-idle");
    loop_is_quiet(s, "cpu-work");
}

/* These functions of Python only run while it collects garbage. */
SCENARIO(test_collection_by_its_samples)
{
    wait_then_work(begin(state), MS(6), "visit_reachable", false);
    keeps_waiting(*state, "garbage-collection");
    is_under_idle(*state, "garbage-collection");
    loop_is_quiet(*state, "cpu-work");
}

SCENARIO(test_collection_after_no_wait)
{
    wait_then_work(begin(state), MS(20), "gc_collect_main", false);
    is_under_idle(*state, "garbage-collection");
}

/* Several of them take turns. */
SCENARIO(test_collection_by_several_functions)
{
    wait_then_work(begin(state), MS(20), "dict_traverse|visit_decref", false);
    is_under_idle(*state, "garbage-collection");
}

/* The near miss: half of the samples are in the program. */
SCENARIO(test_half_of_the_samples_in_a_collection)
{
    wait_then_work(begin(state), MS(20), "dict_traverse|tokenize", false);
    loop_is_quiet(*state, "garbage-collection");
}

/* The near miss: the program visits nodes of its own. */
SCENARIO(test_visits_of_a_program)
{
    wait_then_work(begin(state), MS(6), "visit_nodes", false);
    loop_is_quiet(*state, "garbage-collection");
    is_under_idle(*state, "cpu-work");
}

/* In each gap a thread writes; the launching thread is in `call` meanwhile, or it writes itself. */
static void write_in_gaps(struct scenario *s, const char *call)
{
    int64_t thread = loop_run(s, &gappy);
    int64_t writer = call ? scenario_thread(s, 100, 101, "logger") : thread;

    for (int i = 0; i < 20; i++) {
        if (call)
            scenario_os(s, thread, call, gap_of(i) + US(90), gap_of(i) + MS(2.21));
        scenario_os(s, writer, "write", gap_of(i) + US(100), gap_of(i) + MS(2.2));
    }
    scenario_findings(s);
    is_under_idle(s, "file-io");
}

static bool tells(struct scenario *s, const char *column, const char *words)
{
    return strstr(scenario_text(s, "findings", "rule = 'file-io'", column), words);
}

/* Truth: the logger writes under a lock that the launching thread needs. */
SCENARIO(test_lock_held_by_a_writer)
{
    write_in_gaps(begin(state), "pthread_mutex_lock");
    assert_true(tells(*state, "finding", "waits in pthread_mutex_lock for a thread that reads or"));
    assert_true(tells(*state, "next_step", "under the lock"));
    scenario_ask(*state, "ask @ 'what does the launching thread wait for while the GPU is idle?'");
    assert_true(loop_notes(*state, "waits in pthread_mutex_lock"));
}

/* The same by a condition: no lock is held too long. */
SCENARIO(test_wait_for_a_writer)
{
    write_in_gaps(begin(state), "pthread_cond_wait");
    assert_true(tells(*state, "finding", "waits in pthread_cond_wait for a thread that"));
    assert_false(tells(*state, "next_step", "under the lock"));
}

/* The near miss: it writes itself. */
SCENARIO(test_own_writes)
{
    write_in_gaps(begin(state), NULL);
    assert_true(tells(*state, "finding", ": the launching thread reads or writes files"));
    assert_true(tells(*state, "next_step", "Read ahead of time"));
}

SCENARIO(test_thread_off_the_cpu)
{
    struct scenario *s = begin(state);

    wait_then_work(s, MS(6), NULL, true);
    keeps_waiting(s, "off-cpu");
    is_under_idle(s, "off-cpu");
    loop_is_quiet(s, "sync-while-idle");
}

/* DeepSpeed fetches parameters, no batches. */
SCENARIO(test_fetching_parameters)
{
    struct scenario *s = begin(state);

    drain_then_work(s, "PartitionedParameterCoordinator.fetch_sub_module");
    keeps_waiting(s, "sync-while-idle");
    loop_is_quiet(s, "input-pipeline");
}

/* A layer's first norm and a diffusers pipeline are not input pipelines. */
SCENARIO(test_other_inputs_and_pipelines)
{
    static const char *const ranges[] = {"input_layernorm", "StableDiffusionPipeline.decode"};

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        struct scenario *s = scenario_new();

        scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
        drain_then_work(s, ranges[i]);
        keeps_waiting(s, "sync-while-idle");
        loop_is_quiet(s, "input-pipeline");
        scenario_free(s);
    }
}

/* Another process fetches batches while the GPU works: nothing is late. */
SCENARIO(test_loader_behind_work)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.ahead = MS(6), .start = MS(20)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 1; i < 20; i++)
        scenario_range(s, thread, "dataloader.__next__", loop_step(&loop, i) - MS(1),
                       loop_step(&loop, i) - US(100));
    scenario_findings(s);
    loop_is_quiet(s, "input-pipeline");
    loop_is_quiet(s, "cpu-bottleneck");
}

/* The thread sleeps in each gap: no file, no pipeline. */
SCENARIO(test_sleeps)
{
    struct scenario *s = begin(state);
    int64_t thread = loop_run(s, &gappy);

    for (int i = 0; i < 20; i++)
        scenario_os(s, thread, "usleep", gap_of(i) + US(100), gap_of(i) + MS(2.3));
    scenario_findings(s);
    is_under_idle(s, "sleeps");
    loop_is_quiet(s, "file-io");
    keeps_waiting(s, "sleeps");
}

/* The wait for Python's lock is named by one finding. */
SCENARIO(test_gil)
{
    struct scenario *s = begin(state);
    int64_t thread = loop_run(s, &gappy);

    for (int i = 0; i < 20; i++)
        scenario_range(s, thread, "Waiting for GIL", gap_of(i) + US(100), gap_of(i) + MS(2.3));
    scenario_findings(s);
    is_under_idle(s, "gil");
    keeps_waiting(s, "gil");
}

/* The profiler flushes its buffers in each gap: neither the CPU nor the host is the cause. */
SCENARIO(test_profiler)
{
    struct scenario *s = begin(state);
    static const struct loop half = {.idle = MS(5.5)};
    int64_t thread = loop_run(s, &half);

    scenario_sql(s, "CREATE TABLE PROFILER_OVERHEAD (start INTEGER NOT NULL, end INTEGER NOT NULL, "
                    "nameId INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, "
                    "returnValue INTEGER)");
    for (int i = 0; i < 20; i++)
        scenario_sql(s, "INSERT INTO PROFILER_OVERHEAD VALUES (%lld, %lld, %lld, %lld, NULL, NULL)",
                     (long long)(loop_step(&half, i + 1) - half.idle + US(20)),
                     (long long)(loop_step(&half, i + 1) - US(40)),
                     (long long)scenario_string(s, "Buffer Flush"), (long long)thread);
    scenario_findings(s);
    loop_is_quiet(s, "cpu-bottleneck");
}

/* ---- the report, GPU by GPU ---- */

/* Kernels of 3 us every 14 us, launched when the previous one has ended; or every 4 us from a deep
 * queue. */
static void run_tiny(struct scenario *s, int gpu, bool is_deep)
{
    int64_t thread = scenario_thread(s, 100 + gpu, 100 + gpu, "python");

    scenario_gpu(s, gpu, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 3000; i++) {
        int64_t start = MS(20) + i * (is_deep ? US(3.2) : US(14));
        int64_t launch = is_deep ? MS(10) + i * US(3.1) : start - US(9);
        int64_t call = scenario_call(s, thread, "cudaLaunchKernel_v7000", launch, launch + US(2.5));

        scenario_kernel(s, call, gpu, 7, "tiny", start, start + US(3));
    }
}

/* GPU 0 starves in a storm, GPU 1 is busy from a deep queue: each has its own row. */
SCENARIO(test_report_a_gpu_each)
{
    struct scenario *s = *state;

    run_tiny(s, 0, false);
    run_tiny(s, 1, true);
    scenario_ask(s, "report --json @");
    assert_int_equal(scenario_count(s, "gpu_idle", "device_id = 0 AND idle_pct_of_window > 70"), 1);
    assert_int_equal(scenario_count(s, "gpu_idle", "device_id = 1 AND idle_pct_of_window < 10"), 1);
    assert_int_equal(scenario_count(s, "storm_by_gpu", NULL), 2);
    assert_int_equal(scenario_int(s, "storm_by_gpu", "is_launch_storm", "device_id"), 0);
    assert_int_equal(scenario_count(s, "storm_by_gpu", "is_launch_storm"), 1);
    assert_int_equal(scenario_int(s, "storm_by_pid", "is_launch_storm", "pid"), 100);
    assert_int_equal(scenario_count(s, "storm_by_pid", "is_launch_storm"), 1);
}

/* The rate alone is not a storm, neither in the sheet nor in the findings. */
SCENARIO(test_report_of_a_deep_queue)
{
    run_tiny(*state, 0, true);
    scenario_ask(*state, "report --json @");
    assert_int_equal(scenario_count(*state, "launch_storm", "is_launch_storm"), 0);
    assert_int_equal(scenario_count(*state, "storm_by_gpu", "is_launch_storm"), 0);
}

/* Python of 2 ms in a range in the gap of each step; numbered: the texts differ in a number. */
static void work_in_ranges(struct scenario *s, const char *name, bool numbered)
{
    int64_t thread = loop_run(s, &gappy);

    for (int i = 0; i < 20; i++) {
        char text[80];

        snprintf(text, sizeof text, "%s", name);
        if (numbered)
            snprintf(text, sizeof text, "%s %d", name, 10 * i);
        scenario_range(s, thread, text, gap_of(i) + US(100), gap_of(i) + MS(2.2));
    }
    scenario_findings(s);
}

/* Ranges whose texts differ in numbers are one, in findings and in the idle skill: nearly all of the idle
 * time passes in "IO #". */
SCENARIO(test_ranges_that_differ_in_numbers)
{
    struct scenario *s = begin(state);

    work_in_ranges(s, "IO", true);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "evidence"),
                           "ms pass in the range IO #"));

    scenario_ask(s, "skill run idle @");
    assert_string_equal(scenario_text(s, "idle_causes", "cause = 'CPU work'", "range"), "IO #");
    assert_int_equal(scenario_count(s, "idle_places", "range = 'IO #'"), 1);
}

/* The near miss: the digit of a single name stays. */
SCENARIO(test_a_digit_of_one_name)
{
    struct scenario *s = begin(state);

    work_in_ranges(s, "3D_backbone", false);
    assert_non_null(strstr(scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "evidence"),
                           "ms pass in the range 3D_backbone"));
}
