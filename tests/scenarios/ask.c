/* Questions in people's words: each gets the right skill and the right figures. */
#include "scenarios/flow.h"

#include <stdio.h>
#include <string.h>

/* 20 steps of 10 ms: two layers with a large and a small kernel, a copy of 1 MB, an all-reduce, and
 * 1 ms idle. */
static void make_training(struct scenario *s)
{
    int64_t thread = scenario_thread(s, 4100, 4100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 20; i++) {
        int64_t t = MS(10) * i + MS(1);
        int64_t copy = scenario_call(s, thread, "cudaMemcpyAsync_v3020", t, t + US(10));

        scenario_range(s, thread, "train step", t, t + MS(10));
        scenario_range(s, thread, "self attention", t + US(20), t + US(120));
        scenario_copy(s, copy, 0, 7, HOST_TO_DEVICE, false, 1 << 20, t + US(20), t + US(70));
        scenario_launch(s, thread, t + US(30), 0, 7,
                        "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", t + US(80),
                        t + MS(6));
        scenario_launch(s, thread, t + US(150), 0, 7, "vectorized_elementwise_kernel", t + MS(6),
                        t + MS(7));
        scenario_launch(s, thread, t + US(200), 0, 20, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
                        t + MS(7), t + MS(9));
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + US(300), t + MS(9));
    }
}

struct asked {
    const char *question, *skill, *says; /* skill NULL: declined */
};

static const struct asked asked[] = {
    {"why is step 12 slow", "iteration_detail -p iteration=12", "Iteration 12 is not slow"},
    {"how long is iteration #4?", "iteration_detail -p iteration=4", "it lasts 10.0 ms"},
    {"what happens in iteration 3?", "iteration_detail -p iteration=3", "sm90_xmma_gemm"},
    {"what happens in the last step", "iteration_detail -p iteration=19", "Iteration 19"},
    {"is it memory-bound?", "kernel_metrics", "Timing does not show"},
    {"which thread launches most kernels", "cpu_gpu_pipeline", "Thread 4100"},
    {"which kernel dominates step 3", "iteration_detail -p iteration=3", "5.92 ms in 1"},
    {"which steps are slow?", "iteration_stats", "0 of 20 iterations are slow"},
    {"how many steps are there?", "iteration_stats", "20 iterations: the period"},
    {"is it healthy?", "findings", "Communication is exposed on GPU 0"},
    {"is everything ok", "findings", "Communication is exposed on GPU 0"},
    {"how long is an iteration", "iteration_stats", "10.0 ms"},
    {"why is my GPU idle?", "idle", "GPU 0 is idle"},
    {"where do the bubbles come from", "idle", "idle"},
    {"why are there bubbles in the pipeline?", "idle", "idle"},
    {"how large is the pipeline bubble?", "bound", "in communication alone for"},
    {"is it cpu-bound or gpu-bound?", "bound", "GPU 0"},
    {"what is the bottleneck", "bound", "GPU 0"},
    {"which kernel is the hottest?", "top_kernels", "sm90_xmma_gemm"},
    {"what are the most expensive kernels", "top_kernels", "20 launches"},
    {"how much communication is exposed", "exposed", "40.0 ms"},
    {"does communication overlap with compute?", "exposed", "40.0 ms"},
    {"which collectives take longest", "nccl_breakdown", "AllReduce"},
    {"how expensive is the allreduce", "nccl_breakdown", "AllReduce"},
    {"how fast are the copies?", "copies", "host to device"},
    {"which memcpy calls are pageable", "copies", "pinned"},
    {"how much memory is used", "memory_use", "not recorded"},
    {"what is the memory peak", "memory_use", "not recorded"},
    {"do I use pinned memory", "copies", "pinned to device"},
    {"which copy blocks the host", "copies", "0.0 % of the 20 copies host to device"},
    {"show me host to device transfers", "copies", "20 copies host to device"},
    {"what does attention cost", "name_totals -p name=attention", "20 in all"},
    {"what does the allreduce cost", "nccl_breakdown", "AllReduce"},
    {"is my data loading the problem", "idle", "Most idle time of GPU 0"},
    {"is the GPU waiting for the all-reduce", "bound", "GPU 0: communication runs alone for"},
    {"does the GPU wait for copies", "bound", "GPU 0: copies run alone for"},
    {"how much time is spent in gemms", "families", "118 ms in all"},
    {"how long do cudaMemcpyAsync calls take", "name_totals -p name=cudaMemcpyAsync -p type=call",
     "10.0 µs on average"},
    {"how much time is spent in softmax", "name_totals -p name=softmax", "has softmax in its name"},
    {"time in softmax", "name_totals -p name=softmax", "has softmax in its name"},
    {"is there any overlap of copies and compute", "copies", "run for 1.00 ms"},
    {"time spent in memcpy", "copies", "20 copies host to device"},
    {"how much time goes into the gemm kernels", "families", "118 ms in all"},
    {"which iteration is slowest", "iteration_timing", "The longest is iteration"},
    {"which step was the fastest?", "iteration_timing", "The shortest is iteration"},
    {"are the steps getting slower?", "iteration_stats", "neither a drift nor a change"},
    {"how much time does the CPU wait for the GPU?", "sync", "synchronizing calls"},
    {"does the GPU wait for the CPU?", "idle", "Most idle time of GPU 0"},
    {"which ranges have the most exposed communication", "layers -p limit=0",
     "has most exposed communication"},
    {"how much time is lost to launch latency?", "launch", "launch calls take"},
    {"how many GPUs are there?", "gpu_summary", "runs 60 kernels (streams: 2); each GPU"},
    {"are the iterations steady?", "iteration_stats", "0 of 20 iterations are slow"},
    {"are the training steps steady?", "iteration_stats", "0 of 20 iterations are slow"},
    {"how many processes use the GPU?", "thread_calls", "Processes that call CUDA: 1"},
    {"which collective costs the most time?", "nccl_breakdown", "AllReduce"},
    {"which collective costs the most exposed time?", "findings", "Communication is exposed"},
    {"why was the first request slow?", "iteration_detail -p iteration=0", "Iteration 0"},
    {"what is the throughput", "iteration_stats", "10.0 ms"},
    {"how long is a batch", "iteration_stats", "10.0 ms"},
    {"is the profiler slowing things down", "quality", "launch"},
    {"how much faster could it be", "ceiling", "at most"},
    {"which calls stall the host thread", "sync", "synchronizing calls"},
    {"what dominates GPU time", "top_kernels", "sm90_xmma_gemm"},
    {"compare gpu 0 and gpu 1", "breakdown", "it computes for"},
    {"is the load balanced across GPUs", "breakdown", "it computes for"},
    {"are batches copied asynchronously", "copies", "20 copies host to device"},
    {"how long do kernels wait in the queue", "launch", "kernels queue for"},
    {"how far ahead does the CPU run", "launch", "kernels queue for"},
    {"where does python spend its time", "thread_utilization", "No CPU samples"},
    {"how much could we gain by hiding communication", "exposed", "40.0 ms of it exposed"},
    {"what's the total runtime", "gpu_summary", "(200 ms)"},
    {"which range waits the most", "host_sync_parent_ranges", "of all waits"},
    {"how much does the embedding cost", "name_totals -p name=embedding",
     "has embedding in its name"},
    {"where does the time go", "breakdown", "it computes for"},
    {"what fraction of the time is the GPU computing", "breakdown", "it computes for"},
    {"what percentage is communication", "exposed", "20.0 % of the window"},
    {"how big are the messages", "nccl_bandwidth", "not recorded"},
    {"what bandwidth does allreduce get", "nccl_bandwidth", "not recorded"},
    {"is overlap between compute and nccl good", "exposed", "40.0 ms"},
    {"which stream does the communication run on", "exposed", "Stream 20 of GPU 0"},
    {"does the run get slower over time", "iteration_stats", "neither a drift nor a change"},
    {"is this program GPU bound or CPU bound?", "bound", "GPU 0: "},
    {"would CUDA graphs help?", "bound", "launch overhead"},
    {"how many kernels are launched per second?", "launch", "a ms"},
    {"are there too many small kernels?", "launch", "of 60 kernels are below 10 us"},
    {"how long does one training step take?", "iteration_stats", "10.0 ms"},
    {"how much time is spent in cudaMemcpyAsync?",
     "name_totals -p name=cudaMemcpyAsync -p type=call", "200 µs together"},
    {"which NVTX range takes longest?", "nvtx_tree", "train step, 200 ms in all"},
    {"how long is the warmup", "iteration_stats", "10.0 ms"},
    {"how many tokens per second", "iteration_stats", "10.0 ms"},
    {"which GPU works least", "gpu_summary", "GPU 0 runs kernels least"},
    {"what should I do next", "findings", ""},
    {"what does the CPU do all the time", "thread_utilization", "No CPU samples"},
    {"what is the arithmetic intensity", "mfu", "No MFU"},
    {"what share does flash have", "name_totals -p name=flash", "has flash in its name"},
    {"do we use tensor cores?", "tensor_core_usage", "100.0 %"},
    {"what MFU do we reach", "mfu", "No MFU"},
    {"are CUDA graphs used", "graphs", "GPU 0"},
    {"what is the launch overhead?", "launch", "launch calls take"},
    {"how long do we block in synchronize", "sync", "synchronizing calls"},
    {"which layer takes longest?", "layers", "self attention"},
    {"attention", "name_totals -p name=attention", "self attention (NVTX range): 20 in all"},
    {"which stream is busiest?", "stream_concurrency", "stream 7 of GPU 0"},
    {"how many kernels are there", "gpu_summary", "60 kernels"},
    {"what is the longest gap", "idle", "The longest gap of GPU 0 takes 1.0"},
    {"which single kernel is the longest", "kernel_instances", "5.92 ms"},
    {"how long does the gemm take", "families", "118 ms in all"},
    {"how much time goes to 'vectorized_elementwise'?",
     "name_totals -p name=vectorized_elementwise", "20.0 ms of GPU work"},
    {"vectorized_elementwise_kernel", "name_totals -p name=vectorized_elementwise_kernel",
     "20 in all"},
    {"how long does cudaMemcpyAsync take", "name_totals -p name=cudaMemcpyAsync -p type=call",
     "10.0 µs on average"},
    {"how many streams are used", "gpu_summary", "(streams: 2)"},
    {"how long is the recording?", "gpu_summary", "(200 ms)"},
    {"which GPU is the busiest", "gpu_summary", "GPU 0 runs kernels longest"},
    {"why is the GPU waiting", "idle", "GPU 0 is idle"},
    {"is the launch late on the CPU", "launch", "launch calls take"},
    {"how many streams run in parallel", "concurrency", "at once"},
    {"what is the potential speedup?", "ceiling", "at most"},
    {"can I trust this recording", "quality", "launch"},
    {"what should I fix first?", "findings", ""},
    {"how do I make this faster", "findings", ""},
    {"give me an overview", "gpu_summary", "60 kernels"},
    {"how long does module loading take", "module_loading", "No loading"},
    {"which line of python is it", "own_code", "No call stack"},
    {"does the garbage collector run", "gc_impact", "No allocations"},
    {"Why is my GPU not fully used?", "idle", "GPU 0 is idle"},
    {"where do we lose the most time", "findings", ""},
    {"what does the CPU do while the GPU waits", "idle", "Most idle time of GPU 0"},
    {"do we wait for the data loader", "idle", "Most idle time of GPU 0"},
    {"is the input pipeline slow", "idle", "Most idle time of GPU 0"},
    {"what do my threads wait for", "idle", "Most idle time of GPU 0"},
    {"how many kernels are launched per step", "iteration_timing", "3 kernels"},
    {"what is the critical path of an iteration", "critical_path", "of the critical path"},
    {"which NVTX range launches the most GPU work", "nvtx_tree", "train step"},
    {"does the optimizer take long", "name_totals -p name=optimizer", "No kernel or range"},
    {"is the GIL a problem", "name_totals -p name=GIL", "Python's lock"},
    {"does python's garbage collector hurt", "gc_impact", "No allocations"},
    {"is the GPU throttling", "iteration_stats", "not recorded"},
    {"how fast is decode", NULL, "tells of prefill or decode"},
    {"how long is prefill", NULL, "tells of prefill or decode"},
    {"is there unified memory migration", "copies", "host to device"},
    {"which kernels should I fuse", "launch", "short and often launched"},
    {"which python function is slow", "thread_utilization", "No CPU samples"},
    {"is this recording any good", "quality", "launch"},
    {"how many times do we call .item()", "copies", "20 copies host to device"},
    {"what takes up the rest of each step besides compute", "breakdown", "it computes for"},
    {"will a bigger batch help", "bound", "a larger batch hides at most that"},
    {"do forward and backward overlap", "concurrency", "at once"},
    {"what blocks the compute stream", "dependencies", "does not compute"},
    {"why is there a hole after the optimizer", "idle", "Most idle time of GPU 0"},
    {"is NVLink saturated", "nccl_bandwidth", "not recorded"},
    {"time per output token", "iteration_stats", "Tokens are not recorded"},
    {"prefill vs decode time", NULL, "tells of prefill or decode"},
    {"is I/O a bottleneck", "findings", "No finding is about files"},
    {"are we host-bound?", "bound", "GPU 0: "},
    {"how much time goes into MPI", "findings", "No finding is about MPI"},
    {"how much time could I save by prefetching", "ceiling", "at most"},
    {"how much data does each allreduce move", "nccl_bandwidth", "not recorded"},
    {"what is the dram bandwidth utilization", "kernel_metrics", "not recorded"},
    {"is GPU 0 faster than GPU 1", "breakdown", "it computes for"},
    {"are both GPUs busy", "breakdown", "it computes for"},
    {"which kernel has the largest variance", NULL, "no question"},
    {"which GPU is busier", "gpu_summary", "GPU 0 runs kernels longest"},
    {"why does the GPU run dry", "idle", "GPU 0 is idle"},
    {"is my code thread safe", NULL, "no question"},
    {"what is the meaning of life", NULL, "no question"},
    {"what learning rate should I use", NULL, "no question"},
    {"can you rewrite my data loader", NULL, "no question"},
    {"is the loss converging", NULL, "no question"},
    {"what is the accuracy of the model", NULL, "no question"},
    {"what is the weather", NULL, "no question"},
    {"sing me a song", NULL, "no question"},
    {"what is the capital of France", NULL, "no question"},
    {"who won the world cup", NULL, "no question"},
    {"tell me a joke", NULL, "no question"},
};

/* Asks, and returns the text of a part of the answer: "Answer", "Do", "Check with". */
static const char *ask(struct scenario *s, const char *question, const char *part)
{
    char line[300];

    snprintf(line, sizeof line, "ask @ \"%s\"", question);
    scenario_ask(s, line);
    snprintf(line, sizeof line, "part = '%s'", part);
    return scenario_text(s, "answer", line, "text");
}

/* Questions, and a part of the answer to each. */
struct told {
    const char *question, *says;
};

static void check_told(struct scenario *s, const struct told told[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *answer = ask(s, told[i].question, "Answer");

        if (!strstr(answer, told[i].says))
            fail_msg("%s: %s", told[i].question, answer);
    }
}

static void check(struct scenario *s, const struct asked *of)
{
    const char *answer = ask(s, of->question, "Answer");
    char line[300];

    if (!strstr(answer, of->says))
        fail_msg("%s: %s", of->question, answer);
    if (of->skill) {
        snprintf(line, sizeof line, "nsyscope skill run %s FILE", of->skill);
        assert_string_equal(scenario_text(s, "answer", "part = 'Check with'", "text"), line);
        assert_int_equal(scenario_count(s, "answer", "part IN ('Confidence', 'Do')"), 2);
    } else {
        assert_int_equal(scenario_count(s, "answer", "part = 'Nearest'"), 3);
        assert_int_equal(scenario_count(s, "answer", "part = 'Evidence'"), 0);
    }
    assert_true(strlen(scenario_output(s)) < 8000);
}

SCENARIO(test_questions)
{
    struct scenario *s = *state;

    make_training(s);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        check(s, &asked[i]);
}

/* A cause that a finding states is not denied, and costs what the finding says. Truth: 20 steps of 10 ms of work, a
 * wait, and 5 ms without a call, in which CPU samples are in a function or a range is open. */
SCENARIO(test_questions_about_causes)
{
    static const struct {
        const char *function, *range, *question, *says;
    } told[] = {
        {"gc_collect_main", NULL, "Does garbage collection cost time?", "Python collects garbage"},
        {"gc_collect_main", NULL, "Is Python's GC a problem?", "Python collects garbage"},
        {"gc_collect_main", NULL, "is torch.compile recompiling?", "No finding is about it"},
        {"Adam_Optimizer::Step_AVX", NULL, "Is the optimizer running on the CPU?",
         "Step_AVX holds"},
        {NULL, "_compile.compile_inner", "Is torch.compile recompiling?", "the program compiles"},
        {NULL, "_compile.compile_inner", "does the gc hurt?", "No finding is about it"},
        {"llvm::SelectionDAGISel::run", NULL, "How much time does compilation cost?",
         "the program compiles"},
        {"llvm::legacy::PassManager::run", NULL, "Does JIT compiling cost time?",
         "the program compiles"},
        {"llvmpipe_draw_arrays", NULL, "Is torch.compile recompiling?", "No finding is about it"},
        {"pullvm_step", NULL, "How much time does compilation cost?", "No finding is about it"},
        {NULL, NULL, "How much time does compilation cost?", "No finding is about it"},
        {NULL, NULL, "How much do the synchronizations cost?", "Work after cudaStreamSync"},
        {NULL, NULL, "What would I gain by removing .item()?", "Work after cudaStreamSync"},
        {NULL, NULL, "Why does each step take so long?", "Work after cudaStreamSync"},
        {NULL, NULL, "what slows the step down?", "Work after cudaStreamSync"},
        {NULL, NULL, "how can I speed up the steps?", "Work after cudaStreamSync"},
        {NULL, NULL, "is the main thread preempted?", "No finding is about it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct scenario *s = scenario_new();
        struct flow f = flow_begin(s, 100, 0);
        const char *answer;

        for (int step = 0; step < 20; step++) {
            int64_t start = f.host;

            flow_run(&f, "sm90_xmma_gemm_qkv", MS(10));
            flow_synchronize(&f);
            for (int ms = 0; told[i].function && ms < 5; ms++)
                scenario_sample(s, f.thread, f.host + ms * MS(1) + US(300), told[i].function);
            if (told[i].range)
                scenario_range(s, f.thread, told[i].range, f.host + US(1), f.host + MS(5));
            f.host += MS(5);
            scenario_range(s, f.thread, "step", start, f.host);
        }
        answer = ask(s, told[i].question, "Answer");
        if (!strstr(answer, told[i].says))
            fail_msg("%s: %s", told[i].question, answer);
        scenario_free(s);
    }
}

/* Truth: of 24 steps each `every`-th runs a kernel more, and takes 24 ms instead of 12; of 0 every one that is a
 * square. */
static const char *ask_of_turns(struct scenario *s, int every, const char *question)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0, root = 0; i < 24; i++) {
        int64_t start = f.host;
        bool is_square = root * root == i;

        flow_run(&f, "sm90_xmma_gemm", MS(12));
        root += is_square;
        if (every > 0 ? i % every == every - 1 : is_square)
            flow_run(&f, "flash_fwd_kernel", MS(12));
        flow_synchronize(&f);
        scenario_range(s, f.thread, "step", start, f.host);
    }
    return ask(s, question, "Answer");
}

SCENARIO(test_questions_about_turns)
{
    static const struct {
        int every;
        const char *question, *says;
    } told[] = {
        {2, "Is every second step slower?", "12 iterations are of the longest kind, one in 2:"},
        {3, "is every third step slower?", "8 iterations are of the longest kind, one in 3:"},
        {0, "is every second step slower?", "5 iterations are of the longest kind: it has"},
        {100, "is every second step slower?", "0 of 24 iterations are slow"},
    };

    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct scenario *s = scenario_new();
        const char *answer = ask_of_turns(s, told[i].every, told[i].question);

        if (!strstr(answer, told[i].says))
            fail_msg("%s: %s", told[i].question, answer);
        scenario_free(s);
    }
    scenario_gpu(*state, 0, "NVIDIA H100 80GB HBM3");
    scenario_kernel(*state, 0, 0, 7, "flash_fwd_kernel", MS(1), MS(2));
    assert_non_null(
        strstr(ask(*state, "is every second step slower?", "Answer"), "No iterations were found"));
}

/* Truth: two GPUs compute for some ms in each of 20 steps of 10 ms, and the one that is done waits in an all-reduce. */
static void wait_for_each_other(struct scenario *s, const int ms[2])
{
    struct flow of[2] = {flow_begin(s, 100, 0), flow_begin(s, 101, 1)};

    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 2; k++) {
            int64_t start = of[k].host;

            flow_run(&of[k], "sm90_xmma_gemm", MS(ms[k]));
            flow_run(&of[k], "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", MS(10 - ms[k]));
            flow_synchronize(&of[k]);
            scenario_range(s, of[k].thread, "step", start, of[k].host);
        }
}

SCENARIO(test_questions_about_gpus_that_wait)
{
    static const struct {
        int ms[2];
        const char *question, *says;
    } told[] = {
        {{9, 3}, "Which GPU waits for which?", "Communication is exposed on GPU 1"},
        {{9, 3}, "Which GPU waits for which?", "GPU 0 computes for 120 ms longer"},
        {{3, 9}, "does GPU 0 wait for GPU 1?", "GPU 1 computes for 120 ms longer"},
        {{8, 8}, "Which GPU waits for which?", "No GPU is known to wait for another one"},
        {{9, 3}, "does the GPU wait for the CPU?", "idle"},
        {{9, 3}, "are both GPUs equally busy?", "The busiest is GPU 0"},
        {{9, 3}, "how many processes use the GPUs?", "Processes that call CUDA: 2"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct scenario *s = scenario_new();
        const char *answer;

        wait_for_each_other(s, told[i].ms);
        answer = ask(s, told[i].question, "Answer");
        if (!strstr(answer, told[i].says))
            fail_msg("%s: %s", told[i].question, answer);
        scenario_free(s);
    }
}

/* Truth: GPU 10 waits for the host after each kernel, GPU 1 never. */
SCENARIO(test_questions_about_a_gpu_by_its_number)
{
    struct scenario *s = *state;
    struct flow slow = flow_begin(s, 100, 10);
    struct flow busy = flow_begin(s, 101, 1);

    for (int i = 0; i < 20; i++) {
        flow_run(&slow, "sm90_xmma_gemm", MS(10));
        flow_synchronize(&slow);
        slow.host += MS(5);
        flow_run(&busy, "sm90_xmma_gemm", MS(15));
    }
    assert_non_null(strstr(ask(s, "how much do the synchronizations cost on GPU 10?", "Answer"),
                           "holds GPU 10"));
    assert_null(
        strstr(ask(s, "how much do the synchronizations cost on GPU 1?", "Answer"), "GPU 10"));
}

/* Truth: 10 prefills of 30 ms, each before 5 decodes of 2 ms. */
SCENARIO(test_questions_that_compare_phases)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++) {
        int64_t start = f.host;

        flow_run(&f, i % 6 == 0 ? "flash_fwd_kernel" : "paged_attention_v2_kernel",
                 MS(i % 6 == 0 ? 30 : 2));
        flow_synchronize(&f);
        scenario_range(s, f.thread, i % 6 == 0 ? "prefill" : "decode", start, f.host);
    }
    assert_non_null(strstr(ask(s, "Why are prefills slower than decodes?", "Answer"),
                           "prefill on GPU 0: 10 spans take 300 ms"));
}

/* What the asker wants to do is no subject, and a question about what is not recorded gets no figure of something
 * else. */
SCENARIO(test_questions_about_their_subject)
{
    static const struct told told[] = {
        {"Which kernel should I optimize first?", "sm90_xmma_gemm takes most kernel time"},
        {"what can we improve?", "Healthy"},
        {"how much time does the optimizer take", "optimizer_kernel (kernel): 12 in all"},
        {"Is NVLink used?", "No copies between GPUs are recorded"},
        {"how much data do the GPUs exchange", "No copies between GPUs"},
        {"how long did the whole run take?", "It goes from"},
        {"why is the GPU idle between the steps?", "GPU 0 is idle for"},
    };
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12; i++) {
        int64_t start = f.host;

        flow_run(&f, "sm90_xmma_gemm", MS(5));
        flow_run(&f, "optimizer_kernel", MS(1));
        flow_run(&f, "improve_kernel", MS(1));
        flow_copy(&f, DEVICE_TO_HOST, 4096, US(3));
        flow_synchronize(&f);
        scenario_range(s, f.thread, "step", start, f.host);
    }
    check_told(s, told, sizeof told / sizeof *told);
}

/* Where no skill answers, the command that does is the one to check with. */
SCENARIO(test_questions_for_other_commands)
{
    static const char *const told[][2] = {
        {"how many SMs does the GPU have", "nsyscope info FILE"},
        {"how many copies are larger than 1 MB", "nsyscope skill run copies FILE"},
        {"how many different kernels are there", "nsyscope skill run top_kernels FILE"},
        {"how many registers does the kernel use", "nsyscope FILE"},
        {"how many syncs are there per step", "nsyscope iters FILE"},
        {"how much power does the GPU draw", "nsyscope info FILE"},
        {"what is my batch size", "nsyscope tree FILE"},
        {"which API call takes the longest in total", "nsyscope stats FILE -r cuda_api_sum"},
        {"which tables does the export have", "nsyscope schema FILE"},
        {"what tables and columns are in the schema?", "nsyscope schema FILE"},
        {"are there page faults", "nsyscope info FILE"},
        {"how many page faults were there", "nsyscope info FILE"},
        {"how many graph launches are there",
         "nsyscope skill run name_totals -p name=GraphLaunch -p type=call FILE"},
        {"who is waiting for whom", "nsyscope ranks FILE..."},
        {"is the load balanced between the ranks", "nsyscope ranks FILE..."},
        {"is the load balanced between the processes", "nsyscope ranks FILE"},
        {"who holds up the all-reduce", "nsyscope ranks FILE..."},
    };
    struct scenario *s = *state;

    make_training(s);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_string_equal(ask(s, told[i][0], "Check with"), told[i][1]);
}

/* Truth: 12 steps, in every third of which a kernel packs a checkpoint; each runs a convolution of 2 ms. */
SCENARIO(test_questions_about_kernels_of_steps)
{
    static const struct told told[] = {
        {"which steps run kernel pack_checkpoint_kernel?",
         "runs in 4 iterations on GPU 0: 2, 5, 8, 11."},
        {"is pack_checkpoint_kernel in every step", "runs in 4 iterations"},
        {"in which iterations does layer_norm_kernel run", "runs in 12 iterations"},
        {"how long do the convolutions take?", "conv2d (kernel): 12 in all, 24.0 ms together"},
        {"how much time do convolutions take per step", "2.00 ms on average"},
        {"what share do the xmma kernels have?",
         "The 2 names of kernels below take 84.0 ms together, 85.7 %"},
    };
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12; i++) {
        int64_t start = f.host;

        flow_run(&f, "sm90_xmma_gemm_qkv", MS(5));
        flow_run(&f, "sm80_xmma_fprop_bf16_nhwc_conv2d", MS(2));
        flow_run(&f, "layer_norm_kernel", MS(1));
        if (i % 3 == 2)
            flow_run(&f, "pack_checkpoint_kernel", MS(0.5));
        flow_synchronize(&f);
        scenario_range(s, f.thread, "step", start, f.host);
    }
    check_told(s, told, sizeof told / sizeof *told);
}

/* Truth: 12 steps of 4 kernels, but the first, of warm-up, runs 9 and is the longest, and step 7 runs 5 and is
 * the longest but for that. Two threads call CUDA; no calls of cuBLAS are recorded, then three are. */
SCENARIO(test_questions_without_the_warm_up)
{
    static const char *const told[][2] = {
        {"how many kernels per iteration",
         "4 kernels (the median), at least 4 and at most 5, without the warm-up"},
        {"which iteration is slowest", "The longest is iteration 7"},
        {"which step was the fastest", "The shortest is iteration 4"},
        {"which kernel takes the least time", "layer_norm_kernel takes least kernel time: 13.0 ms"},
        {"which kernels take at least 2 ms", "gemm_kernel takes most kernel time"},
        {"how many threads call CUDA", "Threads that call CUDA: 2. Thread 100 of process 100"},
        {"how many cuBLAS calls are there", "No calls of cuBLAS are recorded"},
    };
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int64_t loader = scenario_thread(s, 100, 101, "pt_data_pin");

    for (int i = 0; i < 12; i++) {
        int64_t start = f.host;

        for (int k = 0; k < (i == 0 ? 8 : i == 7 ? 4 : 3); k++)
            flow_run(&f, "gemm_kernel", i == 4 ? MS(2.9) : MS(3));
        flow_run(&f, "layer_norm_kernel", i == 0 ? MS(2) : MS(1));
        flow_synchronize(&f);
        scenario_range(s, f.thread, "step", start, f.host);
        (void)scenario_call(s, loader, "cudaHostAlloc_v3020", start, start + US(5));
    }
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const char *answer = ask(s, told[i][0], "Answer");

        if (!strstr(answer, told[i][1]))
            fail_msg("%s: %s", told[i][0], answer);
    }
    scenario_sql(
        s, "CREATE TABLE CUBLAS_EVENTS (start INTEGER NOT NULL, end INTEGER NOT NULL, "
           "eventClass INTEGER NOT NULL, globalTid INTEGER NOT NULL, nameId INTEGER NOT NULL)");
    for (int i = 0; i < 3; i++)
        scenario_sql(s, "INSERT INTO CUBLAS_EVENTS VALUES (%lld, %lld, 46, %lld, %lld)",
                     (long long)MS(50 + i), (long long)MS(50 + i) + US(3), (long long)f.thread,
                     (long long)scenario_string(s, "cublasSgemm_v2"));
    assert_non_null(strstr(ask(s, "how many cuBLAS calls are there", "Answer"),
                           "Calls of cuBLAS: 3 (threads: 1)."));
}

/* Lengths of kernels, and questions that went to the wrong row once. Each says what it can. */
SCENARIO(test_questions_about_counts)
{
    static const struct told told[] = {
        {"which kernels are below 5 us", "Of kernels shorter than 5.00 us: There are no kernels."},
        {"how many kernels are below 1.5 ms", "runs 20 kernels"},
        {"how many kernels are longer than 1.5 ms?", "runs 40 kernels"},
        {"how many kernels take less than 20 microseconds", "No GPU runs kernels"},
        {"how many gaps are longer than 1 ms", "only questions about kernels"},
        {"how many SMs does the GPU have", "hardware"},
        {"which cuda version was used", "versions"},
        {"how many GPUs are used", "60 kernels"},
        {"what takes most time", "sm90_xmma_gemm"},
        {"how long is the longest kernel", "The longest kernel takes 5.92 ms"},
        {"how much time does the CPU spend in cudaMemcpyAsync", "20 in all"},
        {"how many bytes are copied to the device", "20.0 MiB"},
        {"how many copies are larger than 1 MB", "by size"},
        {"how many threads launch kernels", "Thread 4100"},
        {"how many iterations are there", "20 iterations: the period"},
        {"what is the p95 of the step time", "95th percentile of 10.0 ms"},
        {"what is the average step time", "mean of 10.0 ms"},
        {"is the training getting slower", "median of 10.0 ms"},
        {"how many different kernels are there", "top_kernels"},
        {"how many registers does the kernel use", "registers"},
        {"how many syncs are there per step", "iters"},
    };
    struct scenario *s = *state;

    make_training(s);
    check_told(s, told, sizeof told / sizeof *told);
}

/* ---- a time, a GPU, a stream, iterations ---- */

struct narrowed {
    const char *question, *says;
    int64_t t0, t1; /* the window of the answer */
};

/* 20 steps of 10 ms from 1 ms on; the first event of the recording is the first step. */
static const struct narrowed narrowed[] = {
    {"what happens between 21 ms and 41 ms?", "Between 0.021", MS(21), MS(41)},
    {"why is the GPU idle from 0.021 s to 0.041 s", "GPU 0 is idle for 2.", MS(21), MS(41)},
    {"how many kernels run between 21 and 41 ms", "6 kernels", MS(21), MS(41)},
    {"top kernels in 21ms-41ms", "2 launches", MS(21), MS(41)},
    {"which kernels take longest between 0.021 and 0.041", "2 launches", MS(21), MS(41)},
    {"first 10 ms", "In the first 10.0 ms of the recording", MS(1), MS(11)},
    {"what happens in the last 20000 us?", "In the last 20.0 ms", MS(181), MS(201)},
    {"how idle is the gpu in the last second", "In the last 1.00 s", MS(1), MS(201)},
    {"what happens after 0.181 s", "Between 0.181", MS(181), MS(201)},
    {"which kernels run before 21 ms?", "2 launches", MS(1), MS(21)},
    {"what happens at 35 ms", "In iteration 3, which holds 0.035", MS(31), MS(41)},
    {"iterations 3 to 5", "In iterations 3 to 5", MS(31), MS(61)},
    {"why is the gpu idle in steps 3-5?", "In iterations 3 to 5: GPU 0 is idle for 3.", MS(31),
     MS(61)},
    {"how much communication is exposed in iteration 3", "2.00 ms of it exposed", MS(31), MS(41)},
    {"what happens in the first 2 steps", "In iterations 0 to 1", MS(1), MS(21)},
    {"why is the gpu idle in the last step", "In iteration 19: GPU 0", MS(191), MS(201)},
    {"which kernel is the hottest on stream 20", "AllReduce", MS(1), MS(201)},
    {"what runs on GPU 0", "GPU 0", MS(1), MS(201)},
    {"kernels longer than 1 ms", "sm90_xmma_gemm", MS(1), MS(201)}, /* a duration is no time */
};

SCENARIO(test_places)
{
    struct scenario *s = *state;

    make_training(s);
    for (size_t i = 0; i < sizeof narrowed / sizeof *narrowed; i++) {
        const struct narrowed *of = &narrowed[i];
        const char *answer = ask(s, of->question, "Answer");
        char window[100];

        if (!strstr(answer, of->says))
            fail_msg("%s: %s", of->question, answer);
        snprintf(window, sizeof window, "\"start_ns\": %lld,\n        \"end_ns\": %lld\n",
                 (long long)of->t0, (long long)of->t1);
        if (!strstr(scenario_output(s), window))
            fail_msg("%s: the window is not %s", of->question, window);
    }
}

/* What is not there is told so, and nothing is measured. */
SCENARIO(test_places_that_are_not_there)
{
    static const char *const questions[][2] = {
        {"what happens between 5 s and 6 s", "Nothing is recorded then"},
        {"why is the gpu idle at 3.5 s", "Nothing is recorded then"},
        {"why is step 99 slow", "There are 20 iterations, from 0 to 19"},
        {"what happens in iterations 18 to 25", "There are 20 iterations"},
        {"why is GPU 3 idle", "GPU 3 has no part"},
        {"how busy is stream 8", "No work on a stream 8 is recorded"},
        {"how long does backprop take?", "has backprop in its name"},
        {"how long does 'no_such_kernel' take", "has no_such_kernel in its name"}};
    struct scenario *s = *state;

    make_training(s);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const char *answer = ask(s, questions[i][0], "Answer");

        if (!strstr(answer, questions[i][1]))
            fail_msg("%s: %s", questions[i][0], answer);
        assert_int_equal(scenario_count(s, "answer", "part = 'Evidence'"), 0);
    }
}

/* Allocations of 4 and 6 GB; the first is freed later: the peak is 10 GB, while both exist. */
SCENARIO(test_memory)
{
    struct scenario *s = *state;

    make_training(s);
    scenario_sql(s, "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER NOT NULL, globalPid "
                    "INTEGER, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, bytes INTEGER "
                    "NOT NULL, memKind INTEGER NOT NULL, memoryOperationType INTEGER NOT NULL)");
    scenario_sql(
        s,
        "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (%lld, %lld, 0, 1, 4294967296, "
        "2, 0), (%lld, %lld, 0, 1, 6442450944, 2, 0), (%lld, %lld, 0, 1, 4294967296, 2, 1)",
        (long long)MS(2), 4100LL << 24, (long long)MS(50), 4100LL << 24, (long long)MS(120),
        4100LL << 24);
    scenario_sql(s, "UPDATE TARGET_INFO_GPU SET totalMemory = 85899345920");
    scenario_ask(s, "ask @ 'what is the memory peak?'");
    assert_string_equal(scenario_text(s, "answer", "part = 'Answer'", "text"),
                        "GPU 0: at most 10.0 GiB of 80.0 GiB, from 0.050 000 000 s on; 6.0 GiB at "
                        "the end (memory in use (device) of process 4100).");
    scenario_ask(s, "ask @ 'how much memory is used in the last 10 ms'");
    assert_non_null(
        strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), "at most 6.0 GiB of 80"));
    scenario_ask(s, "skill run memory_use @ --trim 0 40ms");
    assert_int_equal(scenario_int(s, "memory_use", NULL, "peak_bytes"), 4294967296);
    assert_int_equal(scenario_count(s, "memory_use", NULL), 1);
}

/* The end of a very long question is ignored, even if it has a name or a quote. */
SCENARIO(test_long_questions)
{
    static const char *const ends[][2] = {{"", "_kernel"}, {"'", "'"}};
    struct scenario *s = *state;

    make_training(s);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char line[4000];
        int n = snprintf(line, sizeof line, "ask @ \"which kernels take longest? %s", ends[i][0]);

        memset(line + n, 'x', 3000);
        snprintf(line + n + 3000, sizeof line - (size_t)n - 3000, "%s\"", ends[i][1]);
        scenario_ask(s, line);
        assert_non_null(
            strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), "sm90_xmma_gemm"));
    }
}

/* A compiled kernel and the range that launches it have the same name: each has its own figures. */
SCENARIO(test_a_range_named_like_its_kernel)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 4100, 4100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 20; i++) {
        int64_t t = MS(1) + MS(10) * i;

        scenario_range(s, thread, "triton_poi_fused_0", t, t + US(100));
        scenario_launch(s, thread, t + US(10), 0, 7, "triton_poi_fused_0", t + US(80), t + MS(6));
    }
    scenario_ask(s, "ask @ 'how long does triton_poi_fused_0 take'");
    assert_non_null(
        strstr(scenario_text(s, "answer", "part = 'Answer'", "text"),
               "20 in all, 118 ms together, 5.92 ms on average, the longest 5.92 ms; 118 ms of GPU "
               "work, 100.0 % of all"));
    scenario_ask(s, "skill run name_totals @ -p name=triton");
    assert_int_equal(scenario_count(s, "name_totals", "count = 20"), 2);
    assert_int_equal(scenario_int(s, "name_totals", "kind LIKE 'NVTX%'", "avg_ns"), US(100));
}

/* A step that idles 6 ms longer than the others is slow, and its idle time is named; its twin is
 * not slow. */
SCENARIO(test_a_slow_step)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 4100, 4100, "python");
    int64_t t = MS(1);

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 20; i++) {
        int64_t period = i == 12 ? MS(16) : MS(10);

        scenario_range(s, thread, "train step", t, t + period);
        scenario_launch(s, thread, t + US(30), 0, 7, "gemm_kernel", t + US(80), t + MS(9));
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + US(300), t + MS(9));
        t += period;
    }
    scenario_ask(s, "ask @ 'why is step 12 slow?'");
    assert_string_equal(
        scenario_text(s, "answer", "part = 'Answer'", "text"),
        "Iteration 12 is slow: it lasts 16.0 ms, the median of its kind is 10.0 "
        "ms. The largest difference is in idle time: 7.08 ms here, 1.08 ms usually.");
    scenario_ask(s, "ask @ 'why is step 11 slow?'");
    assert_string_equal(
        scenario_text(s, "answer", "part = 'Answer'", "text"),
        "Iteration 11 is not slow: it lasts 10.0 ms, the median of its kind is 10.0 ms.");
    scenario_ask(s, "ask @ 'why is step 13 slow?'");
    assert_string_equal(
        scenario_text(s, "answer", "part = 'Answer'", "text"),
        "Iteration 13 is not slow: it lasts 10.0 ms, the median of its kind is 10.0 ms. But the "
        "one before takes 16.0 ms, until the GPU work of this one begins.");
    scenario_ask(s, "ask @ 'are there slow iterations?'");
    assert_string_equal(scenario_text(s, "answer", "part = 'Answer'", "text"),
                        "1 of 20 iterations are slow; the slowest is iteration 12: the period has "
                        "a median of 10.0 ms, at least 10.0 ms and at most 16.0 ms.");
}

/* ---- layers ---- */

/* 8 steps of 12 layers; layer 7 takes `slow` times as long as the others. */
static void make_layers(struct scenario *s, double slow)
{
    int64_t thread = scenario_thread(s, 4100, 4100, "python");
    int64_t t = MS(1);

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 8; i++) {
        char text[40];
        int64_t start = t;

        snprintf(text, sizeof text, "step %d", i);
        for (int k = 0; k < 12; k++) {
            int64_t length = k == 7 ? (int64_t)(slow * (double)US(500)) : US(500);
            char layer[40];

            snprintf(layer, sizeof layer, "layer%02d", k);
            scenario_range(s, thread, layer, t, t + US(40));
            scenario_launch(s, thread, t + US(10), 0, 7, "gemm_kernel", t + US(30),
                            t + US(30) + length);
            t += length + US(50);
        }
        scenario_range(s, thread, text, start, t);
    }
}

SCENARIO(test_the_slowest_layer)
{
    struct scenario *s = *state;

    make_layers(s, 3);
    scenario_ask(s, "ask @ 'which layer is slowest?'");
    assert_string_equal(scenario_text(s, "answer", "part = 'Answer'", "text"),
                        "Of 12 ranges layer#, layer07 takes most GPU work: 12.0 ms in 8 instances, "
                        "300.0 % of their median; the slowest takes 5 % more than the median, or "
                        "more.");
    scenario_ask(s, "skill run layers @");
    assert_int_equal(scenario_count(s, "layers", "path LIKE '%layer%'"), 1);
    assert_int_equal(scenario_count(s, "numbered_layers", NULL), 12);
    scenario_ask(s, "skill run layers @ -p fold=off -p limit=0");
    assert_int_equal(scenario_count(s, "layers", "path LIKE '%layer%'"), 8 * 12);
    assert_int_equal(scenario_int(s, "layers", "path = 'step 3 / layer07'", "work_ns"), US(1500));
    scenario_ask(s, "skill run projection @ -p fold=off -p limit=0");
    assert_int_equal(scenario_int(s, "projection", "path = 'step 3'", "work_ns"), US(7000));
    scenario_ask(s, "skill run nvtx_tree @ -p fold=off -p limit=0");
    assert_int_equal(scenario_int(s, "nvtx_tree", "range = 'layer07'", "gpu_work_ns"), US(1500));
    scenario_ask(s, "skill run nvtx_tree @");
    assert_int_equal(scenario_count(s, "nvtx_tree", "range LIKE '%layer%'"), 1);
    assert_int_equal(scenario_run(s, "skill run layers @ -p fold=maybe"), 2);
}

/* Layers that are alike: none is blamed. */
SCENARIO(test_layers_alike)
{
    struct scenario *s = *state;

    make_layers(s, 1.02);
    scenario_ask(s, "ask @ 'which layer is slowest?'");
    assert_non_null(strstr(scenario_text(s, "answer", "part = 'Answer'", "text"),
                           "none stands out: all are within 5 % of the median"));
}

/* Kernels whose names contain words of questions: the questions are not about them. */
SCENARIO(test_names_that_hold_plain_words)
{
    static const char *const questions[][2] = {{"compare gpu 0 and gpu 1", "it computes for"},
                                               {"are batches copied asynchronously", "no copies"},
                                               {"where does python spend its time", "samples"}};
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 4100, 4100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_launch(s, thread, MS(1), 0, 7, "compare_elementwise_kernel", MS(2), MS(4));
    scenario_launch(s, thread, MS(3), 0, 7, "CatArrayBatchedCopy", MS(4), MS(5));
    scenario_launch(s, thread, MS(4), 0, 7, "python_kernel", MS(5), MS(6));
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        char line[100];

        snprintf(line, sizeof line, "ask @ '%s'", questions[i][0]);
        scenario_ask(s, line);
        if (!strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), questions[i][1]))
            fail_msg("%s: %s", questions[i][0],
                     scenario_text(s, "answer", "part = 'Answer'", "text"));
    }
}

/* Two GPUs without collectives: no rank can be called late, and the work of each is the
 * evidence. */
SCENARIO(test_two_ranks_without_collectives)
{
    struct scenario *s = *state;

    for (int gpu = 0; gpu < 2; gpu++) {
        int64_t thread = scenario_thread(s, 4100 + gpu, 4100 + gpu, "python");

        scenario_gpu(s, gpu, "NVIDIA H100 80GB HBM3");
        scenario_launch(s, thread, MS(1), gpu, 7, "gemm_kernel", MS(2), MS(4 + 2 * gpu));
    }
    scenario_ask(s, "ask @ 'rank 1 against 0'");
    assert_int_equal(
        scenario_count(s, "answer", "part = 'Evidence' AND text LIKE 'GPU 0, %Compute 2.00 ms%'"),
        1);
    assert_int_equal(
        scenario_count(s, "answer", "part = 'Evidence' AND text LIKE 'GPU 1, %Compute 4.00 ms%'"),
        1);
}

/* A single rank cannot be late; the answer says which exports are needed. */
SCENARIO(test_one_rank)
{
    struct scenario *s = *state;

    make_training(s);
    scenario_ask(s, "ask @ 'is rank 1 slower than rank 0?'");
    assert_non_null(
        strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), "Nothing can be said"));
}

/* Advice for what is not there would be wrong: the line says where to look instead. */
SCENARIO(test_advice_without_an_answer)
{
    static const char *const told[][2] = {
        {"how much memory is used", "Record with --cuda-memory-usage=true."},
        {"is the GIL a problem", "Record with --trace=python-gil."},
        {"does python's garbage collector hurt", "See what is recorded: nsyscope info FILE."},
        {"how much communication is exposed",
         "Overlap exposed collectives with compute: buckets, prefetch, another stream."},
    };
    struct scenario *s = *state;

    make_training(s);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_string_equal(ask(s, told[i][0], "Do"), told[i][1]);
}

/* Of two GPUs, one runs kernels for `longer` more than the other's 20 ms. */
static const char *ask_busiest(struct scenario *s, int64_t longer)
{
    for (int gpu = 0; gpu < 2; gpu++) {
        int64_t thread = scenario_thread(s, 4100 + gpu, 4100 + gpu, "python");

        scenario_gpu(s, gpu, "NVIDIA H100 80GB HBM3");
        scenario_launch(s, thread, MS(1), gpu, 7, "gemm_kernel", MS(2), MS(22) + gpu * longer);
    }
    return ask(s, "which gpu is slowest", "Answer");
}

SCENARIO(test_busiest_gpu_of_two_alike)
{
    assert_non_null(strstr(ask_busiest(*state, US(190)), "differ by less than 1 %"));
}

SCENARIO(test_busiest_gpu_of_two)
{
    const char *answer = ask_busiest(*state, US(210));

    assert_null(strstr(answer, "differ by less"));
    assert_non_null(strstr(answer, "GPU 1 runs kernels longest"));
}

/* Of two GPUs, the first is always at work, and the second waits 6 of 10 ms for a file: an answer
 * about "the GPU" is about the second, with the first among the evidence. One about GPU 0 is not. */
SCENARIO(test_the_gpu_with_the_problem)
{
    static const char *const questions[] = {"what bounds the GPU", "why is the GPU idle",
                                            "is the GPU waiting for the CPU",
                                            "what is the longest gap"};
    struct scenario *s = *state;

    for (int gpu = 0; gpu < 2; gpu++) {
        int64_t thread = scenario_thread(s, 4100 + gpu, 4100 + gpu, "python");

        scenario_gpu(s, gpu, "NVIDIA H100 80GB HBM3");
        for (int64_t i = 0; i < 10; i++) {
            int64_t t = MS(1) + MS(10) * i;
            int64_t late = gpu * MS(6);

            if (gpu)
                scenario_os(s, thread, "read", t, t + late);
            scenario_launch(s, thread, t + late + US(10), gpu, 7, "gemm_kernel", t + late + US(20),
                            t + MS(10));
        }
    }
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        assert_non_null(strstr(ask(s, questions[i], "Answer"), "GPU 1"));
    scenario_ask(s, "ask @ 'what bounds the GPU'");
    assert_int_equal(
        scenario_count(s, "answer", "part = 'Evidence' AND text LIKE 'GPU 0, %GPU-bound%'"), 1);
    assert_non_null(strstr(ask(s, "what bounds GPU 0", "Answer"), "GPU 0: GPU-bound"));
}

/* The copies are pinned, and 50 us of 10 ms: the answer about them does not advise to pin. */
SCENARIO(test_advice_about_copies_has_a_premise)
{
    struct scenario *s = *state;

    make_training(s);
    scenario_ask(s, "ask @ \"how fast are the copies?\"");
    assert_null(strstr(scenario_output(s), "Pin host memory"));
    assert_non_null(strstr(scenario_output(s), "skill run findings"));
}

/* 64 MiB to the device, and 1 MiB from it if `is_back`. */
static void copy_batches(struct scenario *s, bool is_back)
{
    int64_t thread = scenario_thread(s, 4100, 4100, "python");
    int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", MS(1), MS(1.1));

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, false, 64 << 20, MS(2), MS(6));
    if (is_back)
        scenario_copy(s, call, 0, 8, DEVICE_TO_HOST, false, 1 << 20, MS(7), MS(8));
}

/* A question that names a direction is answered with the copies of that direction. */
SCENARIO(test_direction_of_copies)
{
    static const char *const back[] = {"How many bytes are copied from the device to the host?",
                                       "what is the bandwidth of d2h copies",
                                       "how much data is copied to the CPU"};
    static const char *const there[] = {"How many bytes are copied from the host to the GPU?",
                                        "how many bytes are copied in all"};

    copy_batches(*state, true);
    for (int i = 0; i < 3; i++)
        assert_non_null(strstr(ask(*state, back[i], "Answer"), "1.0 MiB"));
    for (int i = 0; i < 2; i++)
        assert_non_null(strstr(ask(*state, there[i], "Answer"), "64.0 MiB"));
    assert_string_equal(ask(*state, "do h2d and d2h copies run at the same time?", "Check with"),
                        "nsyscope skill run kernel_overlap_matrix FILE");
}

SCENARIO(test_no_copies_of_a_direction)
{
    copy_batches(*state, false);
    assert_string_equal(ask(*state, "how many bytes are copied to the host", "Answer"),
                        "No copies go device to host.");
}

/* The confidence is about the answer to this question: it names the words that the answer leaves
 * out. */
SCENARIO(test_words_that_an_answer_leaves_out)
{
    static const char *const unheard[][2] = {
        {"why are the early kernels slow", "\"early\""},
        {"what takes most time in layer 35", "\"35\""},
        {"is there a hole after the optimizer", "\"optimizer\""},
    };
    static const char *const heard[] = {
        "which kernel is the hottest?", "why is my GPU idle?", "how much communication is exposed",
        "what happens in iteration 3?", "how long does the gemm take"};

    make_training(*state);
    for (size_t i = 0; i < sizeof unheard / sizeof *unheard; i++) {
        const char *confidence = ask(*state, unheard[i][0], "Confidence");

        if (!strstr(confidence, "but not about") || !strstr(confidence, unheard[i][1]))
            fail_msg("%s: %s", unheard[i][0], confidence);
    }
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++)
        assert_string_equal(ask(*state, heard[i], "Confidence"), "measured from the recording");
}

/* A phase in the question is the one that is told; so is a direction of kernels with one name. */
SCENARIO(test_phases_and_directions)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 4100, 4100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 8; i++) {
        int64_t t = MS(1) + MS(20) * i;

        scenario_range(s, thread, "prefill", t, t + MS(10));
        for (int k = 0; k < 10; k++)
            scenario_launch(s, thread, t + k * MS(1), 0, 7, "flash_fwd_kernel",
                            t + k * MS(1) + US(10), t + k * MS(1) + US(110));
        scenario_range(s, thread, "decode", t + MS(10), t + MS(20));
        scenario_launch(s, thread, t + MS(10), 0, 7, "flash_bwd_kernel", t + MS(10.01),
                        t + MS(19.95));
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + MS(10.1), t + MS(19.96));
    }
    assert_non_null(strstr(ask(s, "is prefill host-bound?", "Answer"), "prefill on GPU 0: CPU-"));
    assert_non_null(strstr(ask(s, "is decode host-bound?", "Answer"), "decode on GPU 0: GPU-"));
    assert_non_null(strstr(ask(s, "how long does flash forward take", "Answer"), "flash_fwd"));
    assert_non_null(strstr(ask(s, "how long does flash take", "Answer"), "flash_bwd"));
}

/* Decoding: the kernels tell it, though no range does. */
SCENARIO(test_decoding_without_ranges)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 30; i++) {
        flow_run(&f, "paged_attention_v2_kernel", MS(1));
        flow_run(&f, "gemv_kernel", MS(2));
        flow_synchronize(&f);
    }
    assert_non_null(strstr(ask(s, "how fast is decode", "Answer"), "decoding steps among them"));
    assert_non_null(strstr(ask(s, "prefill vs decode time", "Answer"), "No ranges mark both"));
}

/* Graphs recorded whole may hide the kernels of a language model. */
SCENARIO(test_decoding_in_whole_graphs)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 30; i++) {
        flow_run_graph(&f, 3, MS(3));
        flow_synchronize(&f);
    }
    assert_non_null(strstr(ask(s, "how fast is decode", "Answer"), "decoding steps among them"));
}

/* The near miss: graphs of a training run. */
SCENARIO(test_no_decoding_in_graphs_of_training)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 30; i++) {
        flow_run_graph(&f, 3, MS(3));
        flow_run(&f, "multi_tensor_apply_adam", MS(1));
        flow_synchronize(&f);
    }
    assert_non_null(strstr(ask(s, "how fast is decode", "Answer"), "tells of prefill or decode"));
}

/* A program without GPU: 6 ms of each 10 ms it computes, for `file` it writes, the rest it waits for a
 * lock. */
static void write_files(struct scenario *s, int64_t file)
{
    int64_t thread = scenario_thread(s, 100, 100, "solver");

    for (int i = 0; i < 40; i++) {
        int64_t t = MS(1) + i * MS(10);

        scenario_range(s, thread, "simulate", t, t + MS(6));
        if (file > 0)
            scenario_os(s, thread, "fsync", t + MS(6), t + MS(6) + file);
        scenario_os(s, thread, "pthread_mutex_lock", t + MS(6) + file, t + MS(9.99));
    }
}

/* Calls of the OS are found by name, and the general finding answers what is about no GPU. */
SCENARIO(test_questions_about_a_recording_without_gpu)
{
    write_files(*state, MS(3.8));
    assert_non_null(strstr(ask(*state, "how much time is spent in pthread_mutex_lock?", "Answer"),
                           "40 in all"));
    assert_string_equal(ask(*state, "how much time is spent in system calls?", "Check with"),
                        "nsyscope stats FILE -r osrt_sum");
    assert_string_equal(ask(*state, "does the program use the GPU?", "Answer"),
                        "No GPU has work there.");
    assert_non_null(
        strstr(ask(*state, "how long does the program run?", "Answer"), "is its length"));
    assert_non_null(strstr(ask(*state, "what is the bottleneck?", "Answer"), "in calls of the OS"));
}

SCENARIO(test_files_on_the_cpu)
{
    write_files(*state, MS(3.8));
    assert_non_null(strstr(ask(*state, "is I/O a bottleneck?", "Answer"), "38.0 %"));
    assert_non_null(strstr(ask(*state, "what about I/O", "Answer"), "38.0 %"));
    assert_non_null(
        strstr(ask(*state, "how much time do we spend writing files", "Answer"), "38.0 %"));
}

SCENARIO(test_some_files_on_the_cpu)
{
    write_files(*state, MS(0.5));
    assert_non_null(strstr(ask(*state, "is disk access slow?", "Answer"), "5.0 %"));
}

/* The near miss: it waits, but for no file. */
SCENARIO(test_locks_are_no_files)
{
    write_files(*state, 0);
    assert_non_null(strstr(ask(*state, "is I/O a bottleneck?", "Answer"), "No finding"));
}

/* ---- the recording itself ---- */

/* Launch calls of which `lost` in 100 have no kernel, and a warning of the profiler. */
static void lose_kernels(struct scenario *s, int lost)
{
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 1000; i++) {
        int64_t t = MS(1) + i * US(100);

        if (i % 100 < lost)
            scenario_call(s, thread, "cudaLaunchKernel_v7000", t, t + US(5));
        else
            scenario_launch(s, thread, t, 0, 7, "gemm", t + US(8), t + US(90));
    }
    scenario_sql(s, "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER NOT NULL, timestampType "
                    "INTEGER NOT NULL, source INTEGER NOT NULL, severity INTEGER NOT NULL, text "
                    "TEXT NOT NULL, globalPid INTEGER)");
    scenario_sql(s, "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, 2, 'Not all CUDA events might "
                    "have been collected.', NULL)");
}

SCENARIO(test_lost_events)
{
    lose_kernels(*state, 30);
    assert_non_null(strstr(ask(*state, "were events lost?", "Answer"), "30.0 %"));
}

/* Every answer says so first, whatever it is about. */
SCENARIO(test_answers_of_a_recording_that_lost_events)
{
    static const char *const asks[] = {"skill run idle @", "skill run top_kernels @",
                                       "ask @ 'why is the GPU idle?'"};

    lose_kernels(*state, 30);
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        scenario_ask(*state, asks[i]);
        assert_non_null(strstr(scenario_output(*state), "The profiler lost events: 30.0 %"));
    }
    assert_non_null(strstr(ask(*state, "is the GPU really idle there?", "Answer"), "not known"));
    assert_non_null(strstr(ask(*state, "which kernel takes longest?", "Answer"), "gemm"));
}

/* The near miss: all launches have their work. */
SCENARIO(test_no_lost_events)
{
    lose_kernels(*state, 0);
    scenario_ask(*state, "skill run idle @");
    assert_null(strstr(scenario_output(*state), "The profiler lost events"));
    assert_non_null(strstr(ask(*state, "did nsys lose any kernels or events", "Answer"), "No:"));
}

SCENARIO(test_cost_of_the_profiler)
{
    lose_kernels(*state, 0);
    assert_non_null(
        strstr(ask(*state, "how much does the profiler cost", "Answer"), "work of its own"));
}

/* Two streams take turns. */
SCENARIO(test_streams_that_do_not_overlap)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 100; i++)
        scenario_launch(s, thread, MS(1) + i * MS(1), 0, 7 + i % 2, "gemm",
                        MS(1) + i * MS(1) + US(10), MS(2) + i * MS(1));
    assert_non_null(strstr(ask(s, "why do my streams not overlap?", "Answer"), "at most 1:"));
}

/* A decoder whose host is late: the cause is told, not the median of the steps. */
SCENARIO(test_why_decode_is_slow)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        flow_run(&f, "paged_attention_decode", MS(2));
        flow_synchronize(&f);
        scenario_os(s, f.thread, "read", f.host, f.host + MS(3));
        f.host += MS(3);
        scenario_range(s, f.thread, "decode", start, f.host);
    }
    assert_non_null(strstr(ask(s, "why is decode slow?", "Answer"), "read holds GPU 0"));
}

/* 40 steps of which each fourth waits for a file. */
SCENARIO(test_why_steps_are_slow)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(8));
        if (i % 4 == 2) {
            scenario_os(s, f.thread, "read", f.host, f.host + MS(9));
            f.host += MS(9);
        }
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
    assert_non_null(
        strstr(ask(s, "why is every fourth step slow?", "Answer"), "slow: read holds GPU 0"));
    assert_non_null(strstr(ask(s, "what is the bottleneck of this training?", "Answer"), "read"));
    assert_non_null(strstr(ask(s, "are the copies a problem?", "Answer"), "No finding"));
    assert_non_null(strstr(ask(s, "which steps are slow?", "Answer"), "one in 4"));
}

/* 40 steps, each with a range on the host: of `slow` ns in some steps, of `usual` in the others, 0: none. Work of `rest` ns in
 * no range follows in the slow ones. The answer to why some are slow. */
static const char *slow_by_a_range(struct scenario *s, int every, int64_t slow, int64_t usual,
                                   int64_t rest)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        bool is_slow = i % every == 12;
        int64_t start = f.host;
        int64_t ns = is_slow ? slow : usual;

        flow_train_step(&f, MS(8));
        if (ns > 0)
            scenario_range(s, f.thread, "evaluate", f.host, f.host + ns);
        f.host += ns + (is_slow ? rest : 0);
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
    return ask(s, "why are some steps slow?", "Answer");
}

/* Truth: the evaluation runs in the slow steps only. */
SCENARIO(test_steps_with_an_evaluation)
{
    assert_non_null(strstr(slow_by_a_range(*state, 13, MS(9), 0, 0),
                           "3 of 40 iterations are slow, those with evaluate"));
}

/* Truth: the range in every 13th step only launches; its kernels run afterwards. */
SCENARIO(test_steps_with_a_histogram)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(8));
        if (i % 13 == 12) {
            int64_t launch = f.host;

            flow_run(&f, "histogram_kernel", MS(9));
            scenario_range(s, f.thread, "log_histograms", launch, f.host);
        }
        flow_synchronize(&f);
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
    assert_non_null(strstr(ask(s, "why are some steps slow?", "Answer"),
                           "3 of 40 iterations are slow, those with log_histograms"));
}

SCENARIO(test_the_step_with_an_evaluation)
{
    assert_non_null(strstr(slow_by_a_range(*state, 40, MS(30), 0, MS(9)),
                           "1 of 40 iterations is slow, the one with evaluate"));
}

/* The near misses: it runs in every step, or takes a small part of what is more. */
SCENARIO(test_every_step_has_an_evaluation)
{
    assert_null(strstr(slow_by_a_range(*state, 13, MS(9), MS(1), 0), "evaluate"));
    assert_non_null(strstr(scenario_output(*state), "3 of 40 iterations are slow"));
}

SCENARIO(test_a_short_evaluation)
{
    assert_null(strstr(slow_by_a_range(*state, 13, MS(2), 0, MS(9)), "evaluate"));
    assert_non_null(strstr(scenario_output(*state), "3 of 40 iterations are slow"));
}

/* The near miss: two threads run it, in half of the slow steps. */
SCENARIO(test_an_evaluation_of_two_threads)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int64_t other = scenario_thread(s, 100, 101, "worker");

    for (int i = 0; i < 48; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(8));
        if (i % 24 == 11) {
            scenario_range(s, f.thread, "evaluate", f.host, f.host + MS(9));
            scenario_range(s, other, "evaluate", f.host, f.host + MS(9));
        }
        f.host += i % 12 == 11 ? MS(9) : 0;
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
    assert_non_null(
        strstr(ask(s, "why are some steps slow?", "Answer"), "4 of 48 iterations are slow"));
    assert_null(strstr(scenario_output(s), "evaluate"));
}

/* 40 steps with attention under other names; each tenth has more of it and a convolution. */
static struct scenario *with_families(void **state)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        flow_layer(&f, MS(4));
        if (i % 10 == 3) {
            flow_run(&f, "flash_fwd_kernel", i == 13 ? US(900) : US(500));
            flow_run(&f, "implicit_convolve_sgemm", MS(1));
        }
        flow_synchronize(&f);
        scenario_range(s, f.thread, "train_step", start, f.host);
    }
    return s;
}

/* Truth: the kernels of a family are known by their names, whether these have its word or not. */
SCENARIO(test_time_of_a_family)
{
    struct scenario *s = with_families(state);

    assert_non_null(strstr(ask(s, "how much time is spent in attention kernels?", "Answer"),
                           "attention take 50.4 ms in all on GPU 0"));
    assert_non_null(strstr(ask(s, "what does matmul cost?", "Answer"), "gemm take 100 ms in all"));
}

SCENARIO(test_steps_of_a_family)
{
    struct scenario *s = with_families(state);

    assert_non_null(strstr(ask(s, "which steps run attention?", "Answer"),
                           "run in 40 iterations of GPU 0, for a median of 1.20 ms: longest in "
                           "iteration 13 (2.10 ms)"));
}

/* The near miss: a range or kernel has the word, and is what the question names. */
SCENARIO(test_a_range_named_like_a_family)
{
    struct scenario *s = with_families(state);

    scenario_range(s, scenario_thread(s, 100, 100, "python"), "attention", MS(1), MS(3));
    assert_non_null(strstr(ask(s, "how much time is spent in attention?", "Answer"),
                           "attention (NVTX range): 1 in all"));
}

/* No question lists the steps in which a kernel runs: how many kernels a step has is no answer. */
SCENARIO(test_steps_of_a_kernel)
{
    scenario_run(with_families(state), "ask @ 'in which steps do convolution kernels run?'");
    assert_null(strstr(scenario_output(*state), "An iteration runs"));
}

/* Truth: of 60 kernels the elementwise ones are the shortest (1 ms, 20 ms in all), and have the least time. The last: no answer ranks from the least. */
SCENARIO(test_questions_turned_round)
{
    static const struct told told[] = {
        {"which kernel takes the least time",
         "vectorized_elementwise_kernel takes least kernel time"},
        {"what is the shortest kernel", "The shortest kernel takes 1.00 ms on GPU 0: vectorized"},
        {"how long is the longest kernel", "The longest kernel takes 5.92 ms"},
        {"which kernels take at least 1 ms", "sm90_xmma_gemm"},
        {"which step was the fastest?", "The shortest is iteration"},
        {"which copy is the smallest", "This is no question"},
        {"which thread launches the fewest kernels", "This is no question"},
    };

    make_training(*state);
    check_told(*state, told, sizeof told / sizeof *told);
}

/* Truth: three kernels run 3, 2 and 1 times a step; the first step, of warm-up, runs 40 more. Three graphs are
 * launched. */
SCENARIO(test_questions_about_launches)
{
    static const struct told told[] = {
        {"which kernel has the most launches", "than void scale<float>(float): 60 times on GPU 0"},
        {"which kernel is launched most often?",
         "than void scale<float>(float): 60 times on GPU 0"},
        {"which kernel takes most time", "solve takes most kernel time"},
        {"how many times is cudaGraphLaunch called", "cudaGraphLaunch (CUDA runtime call): 3 in"},
        {"how long does cudaGraphLaunch take", "cudaGraphLaunch (CUDA runtime call): 3 in all"},
        {"would CUDA graphs help?", "graphs save at most"},
        {"how many graphs are there", "graphs recorded whole"},
    };
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++) {
        int64_t start = f.host;

        for (int k = 0; i == 0 && k < 40; k++)
            flow_run(&f, "init_kernel", US(20));
        for (int k = 0; k < 5; k++)
            flow_run(&f, k < 3 ? "void scale<float>(float)" : "void scale<int>(int)", US(50));
        flow_run(&f, "solve", MS(5));
        if (i < 3)
            scenario_call(s, f.thread, "cudaGraphLaunch_v10000", f.host, f.host + US(5));
        flow_synchronize(&f);
        scenario_range(s, f.thread, "step", start, f.host);
    }
    check_told(s, told, sizeof told / sizeof *told);
}

/* Truth: two GPUs run 3 and 1 kernels, and get 1 and 2 MiB. */
SCENARIO(test_questions_about_all_gpus)
{
    static const struct told told[] = {
        {"how many kernels are there", "All GPUs run 4 kernels."},
        {"how much data is copied to the GPUs in total", "All GPUs: 3.0 MiB"},
        {"how many kernels does GPU 1 run", "GPU 1 runs 1 kernels"},
        {"how many kernels are longer than 1.5 ms", "GPU 1 runs 1 kernels"},
    };
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int gpu = 0; gpu < 2; gpu++) {
        int64_t copy =
            scenario_call(s, thread, "cudaMemcpyAsync_v3020", US(10 + gpu), US(11 + gpu));

        scenario_gpu(s, gpu, "NVIDIA H100 80GB HBM3");
        scenario_copy(s, copy, gpu, 7, HOST_TO_DEVICE, false, (1 + gpu) << 20, US(20), US(70));
        for (int i = 0; i < (gpu == 0 ? 3 : 1); i++)
            scenario_launch(s, thread, MS(3) * i + US(100), gpu, 7, "solve", MS(3) * i + MS(1),
                            MS(3) * i + MS(2 + gpu));
    }
    check_told(s, told, sizeof told / sizeof *told);
    assert_null(strstr(ask(s, "how many kernels does GPU 1 run", "Answer"), "All"));
}

/* Truth: a thread waits for Python's lock for 2 ms. */
SCENARIO(test_questions_about_the_gil)
{
    static const struct told told[] = {
        {"how long do threads wait for the GIL", "Waiting for GIL (NVTX range): 1 in all, 2.00 ms"},
        {"how much time is spent waiting for the GIL", "Waiting for GIL (NVTX range): 1 in all"},
        {"how long do threads wait for the GPU", "synchronizing calls"},
    };
    struct scenario *s = *state;

    make_training(s);
    assert_non_null(strstr(ask(s, "how long do threads wait for the GIL", "Answer"),
                           "No wait for Python's lock is recorded"));
    scenario_range(s, scenario_thread(s, 4100, 4100, "python"), "Waiting for GIL", US(100),
                   US(2100));
    check_told(s, told, sizeof told / sizeof *told);
}
