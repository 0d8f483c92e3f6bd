/*
 * Recordings that imitate whole jobs, such as training, serving and simulations, each with its truth.
 */
#include "scenarios/flow.h"
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

static struct scenario *begin(void **state)
{
    return *state;
}

/* Fails unless the rule is found, with these words in a column. */
static void has(struct scenario *s, const char *rule, const char *column, const char *words)
{
    char where[200];

    snprintf(where, sizeof where, "rule = '%s' AND %s LIKE '%%%s%%'", rule, column, words);
    if (scenario_count(s, "findings", where) == 0)
        fail_msg(
            "no %s with %s among: %s", rule, words,
            scenario_text(s, "findings", NULL,
                          "(SELECT group_concat(rule || ': ' || finding, '; ') FROM findings)"));
}

static void has_not(struct scenario *s, const char *rule, const char *column, const char *words)
{
    char where[200];

    snprintf(where, sizeof where, "rule = '%s' AND %s LIKE '%%%s%%'", rule, column, words);
    if (scenario_count(s, "findings", where) > 0)
        fail_msg("%s: %s", rule, scenario_text(s, "findings", where, column));
}

/* No finding above information. */
static void no_fault(struct scenario *s)
{
    if (loop_faults(s, NULL) != 0)
        fail_msg("a fault: %s",
                 scenario_text(s, "findings", "severity IN ('high', 'medium', 'low')",
                               "rule || ' ' || finding"));
}

/* Right or withheld. */
static void has_iterations_or_none(struct scenario *s, int n)
{
    int found = loop_iterations(s);

    if (found != 0)
        assert_int_equal(found, n);
}

static void host(struct flow *f, int64_t ns)
{
    f->host += ns;
}

static void os(struct flow *f, const char *call, int64_t ns)
{
    scenario_os(f->s, f->thread, call, f->host, f->host + ns);
    f->host += ns;
}

/* A blocking copy of pageable memory. */
static void copy_now(struct flow *f, enum scenario_copy kind, int64_t bytes, int64_t ns)
{
    int64_t start = f->gpu > f->host + US(8) ? f->gpu : f->host + US(8);
    int64_t call = scenario_call(f->s, f->thread, "cudaMemcpy_v3020", f->host, start + ns + US(4));

    scenario_copy(f->s, call, f->device, 7, kind, true, bytes, start, start + ns);
    f->gpu = start + ns;
    f->host = f->gpu + US(4);
}

static void call_now(struct flow *f, const char *name, int64_t ns)
{
    (void)scenario_call(f->s, f->thread, name, f->host, f->host + ns);
    f->host += ns;
}

static void ranged(struct flow *f, const char *name, int64_t start)
{
    scenario_range(f->s, f->thread, name, start, f->host);
}

/* OpenACC: three arrays go to the host for a halo exchange and come back at once. */
SCENARIO(test_openacc_three_arrays)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        static const int64_t bytes[] = {20 << 20, 12 << 20, 7 << 20};

        flow_run(&f, "relax_12_gpu", MS(3));
        for (int k = 0; k < 3; k++)
            copy_now(&f, DEVICE_TO_HOST, bytes[k], bytes[k] / 20);
        host(&f, US(50));
        for (int k = 0; k < 3; k++)
            copy_now(&f, HOST_TO_DEVICE, bytes[k], bytes[k] / 20);
    }
    scenario_findings(f.s);
    has(f.s, "transfers", "severity", "high");
}

/* Near miss: gradients out, the CPU's Adam for 6 ms (samples), parameters in. */
SCENARIO(test_offloaded_adam)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++) {
        flow_layer(&f, MS(8));
        copy_now(&f, DEVICE_TO_HOST, 20 << 20, MS(1));
        for (int k = 0; k < 10; k++)
            scenario_sample(f.s, f.thread, f.host + US(100) + k * US(550), "adam_step_avx512");
        host(&f, MS(6));
        copy_now(&f, HOST_TO_DEVICE, 20 << 20, MS(1));
    }
    scenario_findings(f.s);
    has(f.s, "cpu-work", "finding", "adam_step_avx512");
    has_not(f.s, "transfers", "next_step", "keep the data on the GPU");
}

/* Pipeline of two GPUs through the host, several buffers a step. */
SCENARIO(test_two_gpus_through_host)
{
    struct flow a = flow_begin(begin(state), 100, 0), b;

    scenario_gpu(a.s, 1, "NVIDIA H100 80GB HBM3");
    b = a;
    b.device = 1;
    for (int i = 0; i < 30; i++) {
        static const int64_t bytes[] = {24 << 20, 9 << 20};

        flow_layer(&a, MS(3));
        for (int k = 0; k < 2; k++)
            copy_now(&a, DEVICE_TO_HOST, bytes[k], bytes[k] / 20);
        b.host = a.host;
        for (int k = 0; k < 2; k++)
            copy_now(&b, HOST_TO_DEVICE, bytes[k], bytes[k] / 20);
        flow_layer(&b, MS(3));
        flow_synchronize(&b);
        a.host = b.host;
    }
    scenario_findings(a.s);
    has(a.s, "transfers", "next_step", "directly");
}

/* A plain server: process python, gemm kernels, epoll_wait between requests; no fault. */
SCENARIO(test_flask_server)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 20; k++)
            flow_run(&f, "sm90_gemm_bf16", US(200));
        flow_synchronize(&f);
        os(&f, "epoll_wait", MS(60));
    }
    scenario_findings(f.s);
    no_fault(f.s);
}

/* The same in pthread_cond_wait of a thread named uvicorn: a server waits for requests. */
SCENARIO(test_uvicorn_server)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    f.thread = scenario_thread(f.s, 100, 101, "uvicorn");
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 20; k++)
            flow_run(&f, "sm90_gemm_bf16", US(200));
        flow_synchronize(&f);
        os(&f, "pthread_cond_wait", MS(60));
    }
    scenario_findings(f.s);
    no_fault(f.s);
}

/* Training that waits in epoll_wait for a parameter server; ranges "train_step": a fault. */
SCENARIO(test_training_epoll)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(6));
        os(&f, "epoll_wait", MS(6));
        ranged(&f, "train_step", start);
    }
    scenario_findings(f.s);
    has(f.s, "waits-for-threads", "severity", "high");
    has_not(f.s, "gpu-idle", "finding", "requests");
}

/* A dataloader whose batch is late; the main thread waits in a range of the loader. */
SCENARIO(test_late_loader)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++) {
        int64_t start = f.host;

        os(&f, "pthread_cond_timedwait", MS(7));
        ranged(&f, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", start);
        flow_train_step(&f, MS(9));
    }
    scenario_findings(f.s);
    has(f.s, "input-pipeline", "severity", "high");
    loop_is_quiet(f.s, "cpu-bottleneck");
}

/* The same, hidden: nothing. */
SCENARIO(test_healthy_training)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++)
        flow_train_step(&f, MS(20));
    scenario_findings(f.s);
    no_fault(f.s);
}

/* torch.compile recompiles in each third step: compilation. */
SCENARIO(test_recompiles)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++) {
        int64_t start = f.host;

        if (i % 3 == 0) {
            host(&f, MS(25));
            ranged(&f, "torch._dynamo.convert_frame.compile_inner", start);
        }
        flow_train_step(&f, MS(10));
    }
    scenario_findings(f.s);
    has(f.s, "compilation", "severity", "high");
}

/* A warm-up that compiles once, then healthy. */
SCENARIO(test_compiled_once)
{
    struct flow f = flow_begin(begin(state), 100, 0);
    int64_t start = f.host;

    flow_train_step(&f, MS(10));
    host(&f, MS(80));
    ranged(&f, "torch._dynamo compile_inner", start);
    for (int i = 0; i < 40; i++)
        flow_train_step(&f, MS(10));
    scenario_findings(f.s);
    no_fault(f.s);
}

/* GC in every eighth step. */
SCENARIO(test_gc)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 48; i++) {
        flow_train_step(&f, MS(5));
        if (i % 8 == 7) {
            int64_t start = f.host;

            host(&f, MS(12));
            ranged(&f, "GC [Generation 2]", start);
        }
    }
    scenario_findings(f.s);
    has(f.s, "garbage-collection", "severity", "m");
}

/* cudaFree and cudaMalloc in each step take a third. */
SCENARIO(test_allocations)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        flow_train_step(&f, MS(6));
        call_now(&f, "cudaFree_v3020", MS(1));
        call_now(&f, "cudaMalloc_v3020", MS(2));
    }
    scenario_findings(f.s);
    has(f.s, "allocation", "severity", "h");
}

/* A wait after every short kernel: wait less often, no graphs. */
SCENARIO(test_waits_after_each)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 1500; i++) {
        flow_run(&f, i % 2 ? "dot_kernel" : "axpy_kernel", US(6));
        flow_synchronize(&f);
    }
    scenario_findings(f.s);
    has(f.s, "sync-while-idle", "next_step", "less often");
    has_not(f.s, "sync-while-idle", "next_step", "graph");
}

/* Decode without graphs: 200 kernels of 3 us by calls of 8 us. */
SCENARIO(test_eager_decode)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 200; k++)
            flow_run(&f, k % 2 ? "gemv_kernel" : "rms_norm_kernel", US(3));
        flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
        flow_synchronize(&f);
    }
    scenario_findings(f.s);
    has(f.s, "small-launches", "severity", "h");
    assert_int_equal(loop_iterations(f.s), 30);
}

/* The same in a graph: healthy enough. */
SCENARIO(test_graph_decode)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 60; i++) {
        flow_run_graph(&f, 5, MS(4));
        flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
        flow_synchronize(&f);
    }
    scenario_findings(f.s);
    no_fault(f.s);
    assert_int_equal(loop_iterations(f.s), 60);
}

/* Checkpoints of 60 ms every ten steps under no range: no slow steps. */
SCENARIO(test_checkpoints)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(10));
        ranged(&f, "step", start);
        if (i % 10 == 9) {
            copy_now(&f, DEVICE_TO_HOST, 300 << 20, MS(20));
            os(&f, "write", MS(40));
        }
    }
    scenario_findings(f.s);
    loop_is_quiet(f.s, "slow-iterations");
    assert_int_equal(loop_iterations(f.s), 40);
}

/* 15 steps of an operator range alone. */
SCENARIO(test_fifteen_steps)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 15; i++) {
        int64_t start = f.host;

        flow_layer(&f, MS(6));
        flow_layer(&f, MS(6));
        flow_run(&f, "multi_tensor_apply_adam", MS(1));
        flow_synchronize(&f);
        ranged(&f, "aten::convolution_overrideable_step", start);
        host(&f, US(100));
    }
    assert_int_equal(loop_iterations(f.s), 15);
}

/* The host runs far ahead: launches of a step take 1 ms, its kernels 20 ms: periods are the GPU's. */
SCENARIO(test_far_ahead)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++) {
        int64_t start = f.host;

        for (int k = 0; k < 8; k++)
            flow_layer(&f, MS(2.5));
        ranged(&f, "train_step", start);
        host(&f, US(200));
    }
    assert_int_equal(loop_iterations(f.s), 30);
    scenario_near(scenario_int(f.s, TIMING, "iteration = 10", "duration_ns"), MS(20), 5);
}

/* The same without ranges. */
SCENARIO(test_far_ahead_no_ranges)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 4; k++)
            flow_layer(&f, MS(5));
        flow_run(&f, "multi_tensor_apply_adam", MS(1));
        host(&f, US(200));
    }
    has_iterations_or_none(f.s, 30);
}

/* Throttling: from step 30 of 60 on all kernels take 20 % longer. */
SCENARIO(test_throttles)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 60; i++)
        flow_train_step(&f, i < 30 ? MS(10) : MS(12));
    scenario_findings(f.s);
    has(f.s, "level-change", "severity", "m");
}

/* FP32 matrix kernels on an A100. */
SCENARIO(test_sgemm)
{
    struct scenario *s = begin(state);
    struct flow f = flow_begin(s, 100, 0);

    scenario_sql(s, "UPDATE TARGET_INFO_GPU SET name = 'NVIDIA A100-SXM4-80GB'");
    for (int i = 0; i < 30; i++)
        for (int k = 0; k < 5; k++) {
            flow_run(&f, "ampere_sgemm_128x128_nn", MS(2));
            flow_run(&f, "vectorized_elementwise_kernel", US(200));
        }
    scenario_findings(s);
    has(s, "no-tensor-cores", "severity", "high");
}

/* 1000 copies of 1 KiB a step. */
SCENARIO(test_tiny_copies)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 200; k++)
            copy_now(&f, HOST_TO_DEVICE, 1024, US(2));
        flow_layer(&f, MS(2));
    }
    scenario_findings(f.s);
    has(f.s, "transfers", "next_step", "batch");
}

/* All-reduce at the end of the step, exposed for 30 %. */
SCENARIO(test_exposed_allreduce)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++) {
        int64_t start = f.host;

        for (int k = 0; k < 4; k++)
            flow_layer(&f, MS(1.75));
        flow_run(&f, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", MS(3));
        flow_run(&f, "multi_tensor_apply_adam", US(300));
        flow_synchronize(&f);
        ranged(&f, "step", start);
    }
    scenario_findings(f.s);
    has(f.s, "exposed-communication", "severity", "high");
}

/* A loop that polls with sleeps. */
SCENARIO(test_sleep_loop)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        flow_layer(&f, MS(3));
        flow_synchronize(&f);
        os(&f, "clock_nanosleep", MS(5));
    }
    scenario_findings(f.s);
    has(f.s, "sleeps", "severity", "high");
}

/* Reads of a file each step by the launching thread. */
SCENARIO(test_reads)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        os(&f, "read", MS(4));
        flow_layer(&f, MS(4));
        flow_synchronize(&f);
    }
    scenario_findings(f.s);
    has(f.s, "file-io", "severity", "high");
}

/* Reads of one of four steps: 20 %. */
SCENARIO(test_reads_sometimes)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        if (i % 4 == 0)
            os(&f, "pread64", MS(8));
        flow_train_step(&f, MS(5));
    }
    scenario_findings(f.s);
    has(f.s, "file-io", "severity", "h");
}

/* Graphs instantiated in each step. */
SCENARIO(test_graph_each_step)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        call_now(&f, "cudaStreamBeginCapture_v10000", US(20));
        call_now(&f, "cudaStreamEndCapture_v10000", US(300));
        call_now(&f, "cudaGraphInstantiate_v12000", MS(2));
        flow_run_graph(&f, 5 + i, MS(4));
        flow_synchronize(&f);
    }
    scenario_findings(f.s);
    has(f.s, "graph-instantiation", "severity", "high");
}

/* Denoising steps of a diffusion model: 50 calls of the same UNet, no ranges. */
SCENARIO(test_diffusion)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 50; i++) {
        flow_run(&f, "time_embedding_kernel", US(20));
        for (int k = 0; k < 6; k++)
            flow_layer(&f, MS(1) + k * US(100));
        flow_run(&f, "scheduler_step_kernel", US(30));
        if (i % 10 == 9)
            flow_synchronize(&f);
    }
    scenario_findings(f.s);
    no_fault(f.s);
    has_iterations_or_none(f.s, 50);
}

/* MPI_Allreduce each step with a GPU: the rank waits in MPI. */
SCENARIO(test_mpi)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    scenario_sql(f.s, "CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER NOT NULL, end INTEGER, "
                      "globalTid INTEGER, textId INTEGER, commHandle INTEGER)");
    for (int i = 0; i < 40; i++) {
        flow_run(&f, "stencil", MS(5));
        flow_synchronize(&f);
        scenario_sql(f.s, "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (%lld, %lld, %lld, %lld, 1)",
                     (long long)f.host, (long long)f.host + 3000000, (long long)f.thread,
                     (long long)scenario_string(f.s, "MPI_Allreduce"));
        host(&f, MS(3.05));
    }
    scenario_findings(f.s);
    has(f.s, "mpi-waits", "severity", "high");
    loop_is_quiet(f.s, "sync-while-idle");
}

/* A thread off the CPU after each wait. */
SCENARIO(test_off_cpu)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        flow_layer(&f, MS(5));
        flow_synchronize(&f);
        scenario_on_cpu(f.s, f.thread, start, f.host + US(50));
        host(&f, MS(4));
    }
    scenario_findings(f.s);
    has(f.s, "off-cpu", "severity", "high");
    scenario_ask(f.s, "skill run idle @"); /* which says the same */
    assert_in_range(scenario_sum(f.s, "idle_causes", "cause = 'off the CPU'", "idle_ns"), MS(150),
                    MS(160));
    assert_true(scenario_sum(f.s, "idle_causes", "cause LIKE 'after a wait%'", "idle_ns") < MS(5));
}

/* A thread off the CPU for 4 ms between batches that take 1 ms: idle time says so, like the finding. */
SCENARIO(test_off_cpu_between)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        flow_layer(&f, MS(1));
        flow_synchronize(&f);
        scenario_on_cpu(f.s, f.thread, start, f.host + MS(1));
        host(&f, MS(5));
    }
    scenario_findings(f.s);
    has(f.s, "off-cpu", "severity", "high");
    scenario_ask(f.s, "skill run idle @");
    assert_in_range(scenario_sum(f.s, "idle_causes", "cause = 'off the CPU'", "idle_ns"), MS(150),
                    MS(160));
    assert_in_range(scenario_sum(f.s, "idle_causes", "cause = 'CPU work'", "idle_ns"), MS(35),
                    MS(41));
    assert_string_equal(scenario_text(f.s, "gaps", NULL, "cause"), "off the CPU");
    scenario_ask(f.s, "sql @ \"SELECT COUNT(*) AS n FROM gap WHERE cause = 'off the CPU'\"");
    assert_in_range(scenario_int(f.s, "query", NULL, "n"), 39, 40);
    assert_int_equal(scenario_run(f.s, "render @ --size 120x30 --keys b"), 0);
    assert_non_null(strstr(scenario_output(f.s), "CPU late: off the CPU 4.0"));
}

/* Every fifth batch has a longer sequence: more work, no fault. */
SCENARIO(test_longer_batches)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 50; i++) {
        int64_t start = f.host;

        flow_train_step(&f, i % 5 == 4 ? MS(16) : MS(10));
        ranged(&f, i % 5 == 4 ? "train_step seq=8192" : "train_step seq=4096", start);
    }
    scenario_findings(f.s);
    loop_is_quiet(f.s, "slow-iterations");
}

/* One step of 40 waits 50 ms in pthread_mutex_lock. */
SCENARIO(test_one_slow)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(10));
        if (i == 22)
            os(&f, "pthread_mutex_lock", MS(60));
        ranged(&f, "train_step", start);
    }
    scenario_findings(f.s);
    has(f.s, "slow-iterations", "severity", "m");
    scenario_ask(f.s, "ask @ 'which steps are slow and why?'");
    assert_non_null(strstr(scenario_output(f.s), "22"));
}

/* Modules are loaded in the first step only: healthy. */
SCENARIO(test_module_loading_first_only)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    call_now(&f, "cuModuleLoadData", MS(50));
    for (int i = 0; i < 40; i++) {
        if (i == 0)
            call_now(&f, "cuLibraryLoadData", MS(30));
        flow_train_step(&f, MS(10));
    }
    scenario_findings(f.s);
    no_fault(f.s);
}

/* An activation offload: out in the forward pass, back 10 ms later while kernels run: hidden. */
SCENARIO(test_hidden_offload)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.steps = 30};
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    thread = loop_run(s, &loop);
    for (int i = 0; i < 30; i++) {
        int64_t at = loop_step(&loop, i) + MS(1);

        scenario_copy(s,
                      scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - US(20), at - US(15)),
                      0, 13, DEVICE_TO_HOST, false, 32 << 20, at, at + MS(1.5));
        scenario_copy(
            s, scenario_call(s, thread, "cudaMemcpyAsync_v3020", at + MS(5), at + MS(5) + US(5)), 0,
            14, HOST_TO_DEVICE, false, 32 << 20, at + MS(5.1), at + MS(6.6));
    }
    scenario_findings(s);
    loop_is_healthy(s);
}

/* A pinned cache would help: embeddings of 24 MB copied in each step from pageable memory. */
SCENARIO(test_embeddings)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 30; i++) {
        copy_now(&f, HOST_TO_DEVICE, 24 << 20, MS(4));
        flow_train_step(&f, MS(6));
    }
    scenario_findings(f.s);
    has(f.s, "transfers", "next_step", "pinned");
}

/* Two requests waves to an LLM server with prefill and decode; no fault from idle times. */
SCENARIO(test_llm_server)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    f.thread = scenario_thread(f.s, 100, 102, "VLLM::EngineCore");
    for (int i = 0; i < 60; i++) {
        if (i % 12 == 0)
            for (int k = 0; k < 8; k++)
                flow_layer(&f, MS(2));
        flow_run_graph(&f, 5, MS(6));
        flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
        flow_synchronize(&f);
        if (i % 12 == 11)
            os(&f, "epoll_wait", MS(120));
    }
    scenario_findings(f.s);
    no_fault(f.s);
}

/* A hyper-parameter search: three independent phases of training with setup on the CPU between. */
SCENARIO(test_three_runs)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int run = 0; run < 3; run++) {
        host(&f, MS(100));
        for (int i = 0; i < 20; i++)
            flow_train_step(&f, MS(10));
    }
    assert_int_equal(loop_iterations(f.s), 60);
}

/* MD: 100 steps of three short kernels, a list is rebuilt every ten. */
SCENARIO(test_md)
{
    struct flow f = flow_begin(begin(state), 100, 0);

    for (int i = 0; i < 100; i++) {
        if (i % 10 == 0)
            flow_run(&f, "build_neighbour_list", US(600));
        flow_run(&f, "nonbonded_force", US(400));
        flow_run(&f, "bonded_force", US(60));
        flow_run(&f, "integrate", US(40));
    }
    scenario_findings(f.s);
    no_fault(f.s);
    has_iterations_or_none(f.s, 100);
}
