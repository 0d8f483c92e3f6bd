/* Advice: a next step appears only if the recording shows that its premise holds. */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

static struct scenario *begin(void **state)
{
    scenario_gpu(*state, 0, "NVIDIA A100-SXM4-80GB");
    return *state;
}

/* The next step of the finding of a rule holds the words. */
static void advises(struct scenario *s, const char *rule, const char *words)
{
    char where[100];
    const char *next;

    snprintf(where, sizeof where, "rule = '%s'", rule);
    next = scenario_text(s, "findings", where, "next_step");
    if (!strstr(next, words))
        fail_msg("%s does not advise \"%s\": %s", rule, words, next);
}

static void does_not_advise(struct scenario *s, const char *rule, const char *words)
{
    char where[100];
    const char *next;

    snprintf(where, sizeof where, "rule = '%s'", rule);
    next = scenario_text(s, "findings", where, "next_step");
    if (strstr(next, words))
        fail_msg("%s advises \"%s\": %s", rule, words, next);
}

struct copying {
    int stream;
    bool pageable;
    int64_t bytes, length;
    int n; /* a step, one after the other */
    const char *call, *range;
    bool to_host;
};

/* A loop of 20 steps of 10 ms; at the end of each, copies run while the GPU computes nothing. */
static void copy_each_step(struct scenario *s, const struct copying *of)
{
    const struct loop loop = {.idle = of->n * of->length + US(100)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++)
        for (int k = 0; k < of->n; k++) {
            int64_t at = loop_step(&loop, i + 1) - loop.idle + US(20) + k * of->length;
            int64_t call = scenario_call(s, thread, of->call, at - US(5), at + of->length - US(2));

            if (of->range)
                scenario_range(s, thread, of->range, at - US(6), at + of->length - US(1));
            scenario_copy(s, call, 0, of->stream, of->to_host ? DEVICE_TO_HOST : HOST_TO_DEVICE,
                          of->pageable, of->bytes, at, at + of->length - 200);
        }
    scenario_findings(s);
}

/* 30 MB of pageable memory each step, in the range "to_device": pin it. */
SCENARIO(test_pageable)
{
    struct scenario *s = begin(state);

    copy_each_step(s, &(struct copying){7, true, 30 << 20, MS(2.5), 1, "cudaMemcpyAsync_v3020",
                                        "to_device", false});
    advises(s, "transfers", "pinned");
    advises(s, "transfers", "cudaMemcpyAsync_v3020 in the range to_device");
}

/* The same memory is pinned already: no advice to pin it, but to use a separate stream. */
SCENARIO(test_pinned_on_the_stream_of_kernels)
{
    struct scenario *s = begin(state);

    copy_each_step(s, &(struct copying){7, false, 60 << 20, MS(2.5), 1, "cudaMemcpyAsync_v3020",
                                        "to_device", false});
    does_not_advise(s, "transfers", "pinned");
    advises(s, "transfers", "a stream of their own");
}

/* Pinned and on a stream of their own already: only an earlier start helps. */
SCENARIO(test_own_stream_already)
{
    struct scenario *s = begin(state);

    copy_each_step(s, &(struct copying){13, false, 60 << 20, MS(2.5), 1, "cudaMemcpyAsync_v3020",
                                        NULL, false});
    does_not_advise(s, "transfers", "give them a stream of their own");
    advises(s, "transfers", "one step earlier");
}

/* Results copied to the host cannot be copied earlier, but the next work can start beside them. */
SCENARIO(test_results_to_the_host)
{
    struct scenario *s = begin(state);

    copy_each_step(s, &(struct copying){13, false, 60 << 20, MS(2.5), 1, "cudaMemcpyAsync_v3020",
                                        "save", true});
    does_not_advise(s, "transfers", "earlier");
    advises(s, "transfers", "launch the next work before you wait for them");
}

/* Large pinned batches, and a pageable .item() of 4 bytes each step: nearly all bytes are pinned,
 * so no advice to pin, although half of the copies are pageable. */
SCENARIO(test_item_beside_pinned_batches)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(2.6)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++) {
        int64_t at = loop_step(&loop, i + 1) - MS(2.5);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - US(9), at - US(5));

        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, false, 60 << 20, at, at + MS(2.4));
        call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", at + MS(2.4), at + MS(2.41));
        scenario_copy(s, call, 0, 7, DEVICE_TO_HOST, true, 4, at + MS(2.41), at + MS(2.412));
    }
    scenario_findings(s);
    does_not_advise(s, "transfers", "pinned");
}

/* 200 copies of 16 KB each step: batch them. */
SCENARIO(test_many_small_copies)
{
    struct scenario *s = begin(state);

    copy_each_step(s, &(struct copying){7, false, 16 << 10, US(12), 200, "cudaMemcpyAsync_v3020",
                                        "collate", false});
    advises(s, "transfers", "batch");
    advises(s, "transfers", "collate");
}

/* 200 results of 16 KB each step: read them together. */
SCENARIO(test_many_small_results)
{
    struct scenario *s = begin(state);

    copy_each_step(s, &(struct copying){7, false, 16 << 10, US(12), 200, "cudaMemcpyAsync_v3020",
                                        "read", true});
    advises(s, "transfers", "the results of several steps at once");
    does_not_advise(s, "transfers", "batch");
}

/* Short kernels that depend on each other, and a wait for each: wait less often; graphs do not help. */
SCENARIO(test_waits_between_short_kernels)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "solver");

    for (int i = 0; i < 3000; i++) {
        int64_t t = MS(5) + i * US(30);

        scenario_launch(s, thread, t, 0, 7, "cg_dot", t + US(8), t + US(14));
        scenario_call(s, thread, "cudaStreamSynchronize_v3020", t + US(6), t + US(16));
    }
    scenario_findings(s);
    loop_leads(s, "sync-while-idle");
    advises(s, "sync-while-idle", "wait less often");
    does_not_advise(s, "sync-while-idle", "graph");
}

/* The model is copied once before the loop, from pageable memory: it does not recur. */
SCENARIO(test_model_is_loaded_once)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.start = MS(60)};
    int64_t thread = loop_run(s, &loop);

    for (int k = 0; k < 10; k++) {
        int64_t at = MS(5) + k * MS(5);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - US(9), at + MS(4.9));

        scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, true, 30 << 20, at, at + MS(4.9));
    }
    scenario_range(s, thread, "init_model", MS(4), MS(57));
    scenario_run(s, "analyze @ --format json");
    if (!strstr(scenario_output(s), "\"transfers\""))
        return; /* outside the steady state */
    scenario_findings(s);
    advises(s, "transfers", "in the range init_model come once");
}

/* Copies and next to no compute: there is nothing to hide them under. */
SCENARIO(test_no_compute_to_hide_under)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "python");

    for (int i = 0; i < 50; i++) {
        int64_t at = MS(5) + i * MS(10);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - US(9), at - US(5));

        scenario_copy(s, call, 0, 13, HOST_TO_DEVICE, false, 200 << 20, at, at + MS(9.5));
        scenario_launch(s, thread, at, 0, 7, "scale", at + MS(9.6), at + MS(9.7));
    }
    scenario_findings(s);
    advises(s, "transfers", "Too little compute");
    does_not_advise(s, "transfers", "stream of their own");
}

/* Each step copies a buffer to the host and, `later`, one of `bytes` to a GPU, while no kernel runs. */
static void detour(struct scenario *s, int device, int64_t bytes, int64_t later)
{
    const struct loop loop = {.idle = MS(6)};
    int64_t thread = loop_run(s, &loop);

    scenario_gpu(s, 1, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 20; i++) {
        int64_t at = loop_step(&loop, i + 1) - MS(5.8);
        int64_t up = at + US(810) + later;

        scenario_copy(s, scenario_call(s, thread, "cudaMemcpyAsync_v3020", at - US(10), at), 0, 7,
                      DEVICE_TO_HOST, false, 20 << 20, at, at + US(800));
        scenario_copy(s, scenario_call(s, thread, "cudaMemcpyAsync_v3020", up - US(10), up), device,
                      7, HOST_TO_DEVICE, false, bytes, up, up + US(800));
    }
    scenario_findings(s);
}

/* The same bytes go to the host and to another GPU: peer access. */
SCENARIO(test_copies_to_another_gpu)
{
    detour(begin(state), 1, 20 << 20, 0);
    assert_true(scenario_count(*state, "findings",
                               "rule = 'transfers' AND next_step LIKE '%peer access%'") > 0);
}

/* They come back: the data can stay. */
SCENARIO(test_copies_to_and_fro)
{
    detour(begin(state), 0, 20 << 20, US(300));
    advises(*state, "transfers", "keep the data on the GPU");
}

/* Four buffers leave a GPU one after the other, and enter the same or another one `later`, `more` bytes larger. */
static void burst(struct scenario *s, int device, int64_t later, int64_t more)
{
    int64_t thread = scenario_thread(s, 100, 100, "solver");
    int64_t t = MS(2);

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    if (device)
        scenario_gpu(s, device, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 25; i++) {
        (void)scenario_launch(s, thread, t, 0, 7, "stencil_kernel", t + US(8), t + MS(3));
        t += MS(3) + US(10);
        for (int k = 0; k < 8; k++) {
            int64_t bytes = (10 + k % 4) << 20;
            int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", t - US(5), t - US(1));

            t += k == 4 ? later : 0;
            scenario_copy(s, call, k < 4 ? 0 : device, 7, k < 4 ? DEVICE_TO_HOST : HOST_TO_DEVICE,
                          false, bytes + (k < 4 ? 0 : more), t, t + bytes / 25);
            t += bytes / 25 + US(4);
        }
        if (device)
            (void)scenario_launch(s, thread, t, device, 7, "stencil_kernel", t + US(8), t + MS(3));
    }
    scenario_findings(s);
}

SCENARIO(test_bursts_to_another_gpu)
{
    burst(begin(state), 1, US(30), 0);
    assert_true(scenario_count(*state, "findings",
                               "rule = 'transfers' AND next_step LIKE '%peer access%'") > 0);
}

SCENARIO(test_bursts_to_and_fro)
{
    burst(begin(state), 0, US(30), 0);
    advises(*state, "transfers", "keep the data on the GPU");
}

/* The near misses: the CPU works on them for 12 ms, and other sizes. */
SCENARIO(test_bursts_with_work_between)
{
    burst(begin(state), 1, MS(12), 0);
    does_not_advise(*state, "transfers", "bring");
}

SCENARIO(test_bursts_of_other_buffers)
{
    burst(begin(state), 1, US(30), 5 << 20);
    does_not_advise(*state, "transfers", "bring");
}

/* The near misses: another buffer, and the same one after 3 ms of work of the host. */
SCENARIO(test_copies_of_other_buffers)
{
    detour(begin(state), 0, 12 << 20, 0);
    does_not_advise(*state, "transfers", "bring");
}

SCENARIO(test_copies_much_later)
{
    detour(begin(state), 0, 20 << 20, MS(3));
    does_not_advise(*state, "transfers", "bring");
}

/* Migrations of unified memory: prefetch and advise, never pin. */
SCENARIO(test_unified_memory)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(2.6)};

    loop_run(s, &loop);
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 25; k++) {
            int64_t at = loop_step(&loop, i + 1) - MS(2.55) + k * US(100);

            scenario_sql(s,
                         "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, "
                         "streamId, globalPid, bytes, copyKind, srcKind, dstKind) VALUES (%lld, "
                         "%lld, 0, 1, 0, %lld, 65536, 11, 0, 4)",
                         (long long)at, (long long)at + US(98), 100LL << 24);
        }
    scenario_findings(s);
    advises(s, "transfers", "cudaMemPrefetchAsync");
    does_not_advise(s, "transfers", "cudaHostAlloc");
}

/* ---- communication ---- */

/* Communication of 2 ms by a kernel, behind the compute of each step, on a stream. */
static void communicate_each_step(struct scenario *s, const char *kernel, int stream,
                                  const struct loop *of, bool is_torch)
{
    static const char *const plain[] = {"my_stencil_kernel", "my_norm_kernel", NULL};
    struct loop loop = *of;
    int64_t thread;

    loop.names = is_torch ? NULL : plain;
    thread = loop_run(s, &loop);
    for (int i = 0; i < 20; i++)
        scenario_launch(s, thread, loop_step(&loop, i + 1) - loop.idle - US(400), 0, stream, kernel,
                        loop_step(&loop, i + 1) - loop.idle + US(20),
                        loop_step(&loop, i + 1) - US(40));
    scenario_findings(s);
}

static void reduce_each_step(struct scenario *s, int stream, const struct loop *of, bool is_torch)
{
    communicate_each_step(s, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)",
                          stream, of, is_torch);
}

/* On its own stream, with compute to hide under, in PyTorch: smaller buckets. */
SCENARIO(test_exposed_in_torch)
{
    struct scenario *s = begin(state);

    reduce_each_step(s, 20, &(struct loop){.idle = MS(2), .ahead = MS(4)}, true);
    advises(s, "exposed-communication", "bucket");
    does_not_advise(s, "exposed-communication", "stream of its own and issue");
    assert_non_null(strstr(
        scenario_text(s, "findings", "rule = 'exposed-communication'", "evidence"), "0.0 % under"));
}

/* The same in an MPI code without PyTorch: no word of DDP. */
SCENARIO(test_exposed_without_torch)
{
    struct scenario *s = begin(state);

    reduce_each_step(s, 20, &(struct loop){.idle = MS(2), .ahead = MS(4)}, false);
    does_not_advise(s, "exposed-communication", "DDP");
}

/* An AllGather of weights: earlier prefetch, not gradient buckets. */
SCENARIO(test_exposed_gathers)
{
    struct scenario *s = begin(state);

    communicate_each_step(s, "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage)", 20,
                          &(struct loop){.idle = MS(2), .ahead = MS(4)}, true);
    advises(s, "exposed-communication", "prefetch");
    does_not_advise(s, "exposed-communication", "bucket_cap_mb");
}

/* Pipeline stages send to each other: neither buckets nor prefetch. */
SCENARIO(test_exposed_sends)
{
    struct scenario *s = begin(state);

    communicate_each_step(s, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", 20,
                          &(struct loop){.idle = MS(2), .ahead = MS(4)}, true);
    advises(s, "exposed-communication", "micro-batches");
    does_not_advise(s, "exposed-communication", "bucket_cap_mb");
    does_not_advise(s, "exposed-communication", "prefetch");
}

/* In the gap of each step, communication kernels of this length, one after the other. */
static void communicate_in_pieces(struct scenario *s, const char *kernel, int64_t length)
{
    const struct loop loop = {.idle = MS(2.5), .ahead = MS(4)};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++) {
        int64_t gap = loop_step(&loop, i + 1) - loop.idle;

        for (int64_t at = gap + US(10); at + length < gap + MS(2.4); at += length + US(1))
            scenario_launch(s, thread, gap - MS(3) + (at - gap) / 2, 0, 20, kernel, at,
                            at + length);
    }
    scenario_findings(s);
}

/* Truth: 80 messages of 28 us a step are mostly latency. */
SCENARIO(test_many_small_messages)
{
    communicate_in_pieces(begin(state), "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)", US(28));
    advises(*state, "exposed-communication", "larger buckets");
    does_not_advise(*state, "exposed-communication", "gradient");
}

SCENARIO(test_many_small_scatters)
{
    communicate_in_pieces(begin(state), "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(x)", US(40));
    advises(*state, "exposed-communication", "send more in each");
}

/* The near misses: messages that take longer, and sends between stages. */
SCENARIO(test_some_larger_messages)
{
    communicate_in_pieces(begin(state), "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)", US(150));
    does_not_advise(*state, "exposed-communication", "send more in each");
}

SCENARIO(test_small_sends)
{
    communicate_in_pieces(begin(state), "ncclDevKernel_SendRecv(x)", US(28));
    does_not_advise(*state, "exposed-communication", "send more in each");
    advises(*state, "exposed-communication", "micro-batches");
}

/* On the stream of the kernels: it needs a separate stream. */
SCENARIO(test_communication_on_the_stream_of_kernels)
{
    struct scenario *s = begin(state);

    reduce_each_step(s, 7, &(struct loop){.idle = MS(2), .ahead = MS(4)}, true);
    advises(s, "exposed-communication", "give it a stream of its own");
}

/* 95 % communication: there is no compute to hide it under, and no advice to do so. */
SCENARIO(test_only_communication)
{
    struct scenario *s = begin(state);

    reduce_each_step(
        s, 20, &(struct loop){.idle = MS(9.5), .kernel = US(200), .ahead = MS(10), .start = MS(20)},
        true);
    advises(s, "exposed-communication", "too little compute");
}

/* Hidden under compute: not exposed. */
SCENARIO(test_overlapped)
{
    struct scenario *s = begin(state);
    const struct loop loop = {0};
    int64_t thread = loop_run(s, &loop);

    for (int i = 0; i < 20; i++)
        scenario_launch(s, thread, loop_step(&loop, i) + MS(3), 0, 20,
                        "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL", loop_step(&loop, i) + MS(4),
                        loop_step(&loop, i) + MS(8));
    scenario_findings(s);
    loop_is_healthy(s);
    loop_is_quiet(s, "exposed-communication");
}

/* ---- matrix kernels ---- */

static const char *const sgemms[] = {"ampere_sgemm_128x64_tn", "ampere_sgemm_128x128_nn",
                                     "void at::native::vectorized_elementwise_kernel<4>", NULL};

/* FP32 matrix products in PyTorch on an A100: TF32 or bf16. */
SCENARIO(test_sgemm)
{
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = sgemms});
    scenario_findings(s);
    loop_severity(s, "no-tensor-cores", "high");
    advises(s, "no-tensor-cores", "torch.set_float32_matmul_precision");
}

/* cuBLAS's "ffma" kernels are FP32 although their names contain "xmma"; without PyTorch the advice
 * is about cuBLAS. */
SCENARIO(test_ffma_without_torch)
{
    static const char *const names[] = {
        "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x256x8_stage3_warpsize1x4x1_ffma_aligna4",
        NULL};
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = names});
    scenario_findings(s);
    loop_severity(s, "no-tensor-cores", "high");
    advises(s, "no-tensor-cores", "CUBLAS_TF32_TENSOR_OP_MATH");
    does_not_advise(s, "no-tensor-cores", "torch");
}

/* A T4 has no TF32: FP16 is the advice. */
SCENARIO(test_sgemm_on_a_t4)
{
    static const char *const names[] = {"volta_sgemm_128x64_tn",
                                        "void at::native::elementwise_kernel<512>", NULL};
    struct scenario *s = *state;

    scenario_gpu(s, 0, "Tesla T4");
    loop_run(s, &(struct loop){.names = names});
    scenario_findings(s);
    advises(s, "no-tensor-cores", "float16");
    does_not_advise(s, "no-tensor-cores", "allow TF32");
}

/* A P100 has no tensor cores: nothing to advise. */
SCENARIO(test_sgemm_without_tensor_cores)
{
    static const char *const names[] = {"maxwell_sgemm_128x64_tn", NULL};
    struct scenario *s = *state;

    scenario_gpu(s, 0, "Tesla P100-PCIE-16GB");
    loop_run(s, &(struct loop){.names = names});
    scenario_findings(s);
    loop_is_healthy(s);
    loop_is_quiet(s, "no-tensor-cores");
}

/* TF32 products, and one small sgemm of the head: quiet. */
SCENARIO(test_tf32_with_a_small_sgemm)
{
    static const char *const names[] = {
        "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16_stage4_tensor16x8x8",
        "ampere_fp16_s16816gemm_fp16_256x128_ldg8_f2f_stages_64x3_tn",
        "cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4", "ampere_sgemm_32x32_sliced1x4_tn",
        NULL};
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = names});
    scenario_findings(s);
    loop_is_healthy(s);
    loop_is_quiet(s, "no-tensor-cores");
    loop_is_quiet(s, "small-launches");
}

/* FP64 products of a simulation are what they are: quiet. */
SCENARIO(test_dgemm)
{
    static const char *const names[] = {"ampere_dgemm_128x64_tn", NULL};
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = names});
    scenario_findings(s);
    loop_is_healthy(s);
}

/* sgemm takes all of the matrix time, but only 3 % of the GPU's: no finding. */
SCENARIO(test_little_matrix_time)
{
    static const char *const names[] = {
        "stencil", "stencil", "stencil", "stencil", "stencil", "stencil",
        "stencil", "stencil", "stencil", "stencil", "stencil", "stencil",
        "stencil", "stencil", "stencil", "stencil", "stencil", "stencil",
        "stencil", "stencil", "stencil", "stencil", "stencil", "stencil",
        "stencil", "stencil", "stencil", "stencil", "stencil", "ampere_sgemm_128x64_tn",
        NULL};
    struct scenario *s = begin(state);

    loop_run(s, &(struct loop){.names = names});
    scenario_findings(s);
    loop_is_healthy(s);
}

/* ---- launches ---- */

/* Tiny kernels, each launched when the previous one has ended, singly or as graphs of one
 * kernel. */
static void launch_alone(struct scenario *s, bool by_graphs, const char *kernel)
{
    int64_t thread = scenario_thread(s, 100, 100, "solver");
    int64_t t = MS(10);

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 3000; i++, t += US(14)) {
        int64_t call = scenario_call(
            s, thread, by_graphs ? "cudaGraphLaunch_v10000" : "cudaLaunchKernel_v7000", t,
            t + US(6));

        scenario_kernel(s, call, 0, 7, kernel, t + US(9), t + US(12));
    }
    scenario_findings(s);
}

/* n kernels of ns, one per period, each launched by a known call when the previous one has
 * ended. */
static void launch_slowly(struct scenario *s, int n, int64_t ns, int64_t period, bool is_known)
{
    int64_t thread = scenario_thread(s, 100, 100, "solver");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < n; i++) {
        int64_t t = MS(10) + i * period;
        int64_t call = scenario_call(s, thread, "cudaLaunchKernel_v7000", t, t + US(6));

        scenario_kernel(s, is_known ? call : 0, 0, 7, "stencil", t + US(9), t + US(9) + ns);
    }
    scenario_findings(s);
}

/* Kernels of 5 us every 40 us: the GPU starves on small launches. */
SCENARIO(test_small_launches)
{
    launch_slowly(*state, 3000, US(5), US(40), true);
    loop_severity(*state, "small-launches", "high");
}

/* The same with 8 of 30 us. */
SCENARIO(test_small_launches_with_less_idle_time)
{
    launch_slowly(*state, 2000, US(8), US(30), true);
    loop_severity(*state, "small-launches", "high");
}

/* The near misses: kernels of 100 us with equal pauses are not small; 600 launches are few. */
SCENARIO(test_long_kernels_with_pauses)
{
    launch_slowly(*state, 1500, US(100), US(200), true);
    loop_fires(*state, "gpu-idle");
    loop_is_quiet(*state, "small-launches");
}

SCENARIO(test_few_small_launches)
{
    launch_slowly(*state, 600, US(5), US(40), true);
    loop_fires(*state, "gpu-idle");
    loop_is_quiet(*state, "small-launches");
}

/* No launch is known: whether small launches starve the GPU is not assessable. */
SCENARIO(test_small_kernels_of_unknown_launches)
{
    launch_slowly(*state, 3000, US(5), US(40), false);
    loop_abstains(*state, "small-launches", 1);
    loop_abstains(*state, "cpu-bottleneck", 1);
}

/* Graphs are in use already: larger ones are the advice. */
SCENARIO(test_starved_on_graphs)
{
    launch_alone(*state, true, "tensorrt_llm::kernels::sample");
    advises(*state, "small-launches", "more work into each");
}

/* Kernels of 4 us with 1 us between them, issued long before, by 20 graphs of 150 or singly. */
static void short_kernels_in_turn(struct scenario *s, bool by_graphs)
{
    int64_t thread = scenario_thread(s, 100, 100, "solver");
    int64_t call = 0;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 3000; i++) {
        if (!by_graphs || i % 150 == 0)
            call = scenario_call(s, thread,
                                 by_graphs ? "cudaGraphLaunch_v10000" : "cudaLaunchKernel_v7000",
                                 MS(1) + i * US(3), MS(1) + i * US(3) + US(2));
        scenario_kernel(s, call, 0, 7, "stencil", MS(11) + i * US(5), MS(11) + i * US(5) + US(4));
    }
    scenario_findings(s);
}

/* The gaps lie between the kernels of graphs: another graph does not shorten them. */
SCENARIO(test_gaps_inside_graphs)
{
    short_kernels_in_turn(*state, true);
    advises(*state, "gpu-idle", "of a stream or graph. Fewer and longer ones");
}

SCENARIO(test_gaps_in_a_stream)
{
    short_kernels_in_turn(*state, false);
    advises(*state, "gpu-idle", "of a stream or graph. Fewer and longer ones");
    loop_is_quiet(*state, "small-launches");
}

/* torch.compile is for PyTorch only. */
SCENARIO(test_starved_without_torch)
{
    launch_alone(*state, false, "stencil");
    advises(*state, "small-launches", "CUDA graphs, fused kernels");
    does_not_advise(*state, "small-launches", "torch");
}

/* Another library's "intnat::NativeInteger" is not PyTorch's "at::native". */
SCENARIO(test_starved_in_a_namesake)
{
    launch_alone(*state, false, "void intnat::NativeIntegerT<unsigned long>::add");
    does_not_advise(*state, "small-launches", "torch");
}

SCENARIO(test_starved_in_torch)
{
    launch_alone(*state, false, "void at::native::vectorized_elementwise_kernel<4>");
    advises(*state, "small-launches", "torch.compile");
}

/* 20 steps; the host reads a number after each kernel and works 2 ms. */
static void read_results(struct scenario *s, const char *kernel)
{
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 20; i++) {
        int64_t t = MS(1) + i * MS(5);
        int64_t call = scenario_call(s, thread, "cudaMemcpy_v3020", t + US(20), t + MS(3));

        (void)scenario_launch(s, thread, t, 0, 7, kernel, t + US(9), t + MS(2.9));
        scenario_copy(s, call, 0, 7, DEVICE_TO_HOST, true, 8, t + MS(2.95), t + MS(2.952));
    }
    scenario_ask(s, "analyze @");
}

/* .item() is for PyTorch only. */
SCENARIO(test_results_without_torch)
{
    read_results(*state, "solver(double*)");
    advises(*state, "sync-while-idle", "wait less often");
    does_not_advise(*state, "sync-while-idle", ".item()");
}

SCENARIO(test_results_in_torch)
{
    read_results(*state, "void at::native::reduce_kernel<512>");
    advises(*state, "sync-while-idle", ".item()");
}

/* Long graphs with Python between them: launches are no problem, so no advice about graphs. */
SCENARIO(test_python_between_graphs)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "trtllm-serve");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 200; i++) {
        int64_t t = MS(10) + i * MS(2);
        int64_t call = scenario_call(s, thread, "cudaGraphLaunch_v10000", t - US(30), t - US(8));

        for (int k = 0; k < 40; k++)
            scenario_kernel(s, call, 0, 7, "gemm", t + k * US(20), t + k * US(20) + US(19));
    }
    scenario_findings(s);
    does_not_advise(s, "cpu-bottleneck", "graphs");
}

/* Two kernels, each of whose launches loads a module. The first call is before the window, so
 * launch calls do not exceed the window, and fewer launches would save nothing. */
SCENARIO(test_modules_loaded_in_two_launches)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "trtllm-serve");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 2; i++) {
        int64_t at = MS(10) + i * MS(18);
        int64_t call = scenario_call(s, thread, "cudaLaunchKernel_v7000", at, at + MS(17.5));

        scenario_kernel(s, call, 0, 7, "void at::native::kernel1", at + MS(17.51),
                        at + MS(17.51) + US(2));
    }
    scenario_findings(s);
    does_not_advise(s, "long-launches", "graphs");
    loop_is_quiet(s, "cpu-bottleneck");
}

/* A second of compiling, one slow launch call and thirty kernels: fewer launches would save
 * nothing. */
SCENARIO(test_few_launches_one_slow)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "trtllm-serve");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 30; i++) {
        int64_t t = MS(10) + i * MS(30);
        int64_t took = i == 7 ? MS(120) : US(6);
        int64_t at = t + (i > 7 ? MS(120) : 0);
        int64_t call = scenario_call(s, thread, "cudaLaunchKernel_v7000", at, at + took);

        scenario_kernel(s, call, 0, 7, "void at::native::kernel1", at + took + US(2),
                        at + took + US(5));
    }
    scenario_findings(s);
    does_not_advise(s, "cpu-bottleneck", "graphs");
}

/* Whether finding and answer say that CPU work may be a wait. */
static bool doubts(struct scenario *s)
{
    static const char words[] = "a wait looks like CPU work";
    bool is_told;

    scenario_findings(s);
    is_told = strstr(scenario_text(s, "findings", "rule = 'cpu-bottleneck'", "evidence"), words);
    scenario_ask(s, "ask @ \"what is the GPU waiting for?\"");
    assert_non_null(strstr(scenario_text(s, "answer", "part = 'Answer'", "text"), "CPU work"));
    assert_int_equal(
        strstr(scenario_text(s, "answer", "part = 'Confidence'", "text"), words) != NULL, is_told);
    return is_told;
}

/* CPU work between launches, without ranges and samples: the advice is to record them. */
SCENARIO(test_work_without_a_name)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.range = "", .idle = MS(4), .ahead = US(8)};

    loop_run(s, &loop);
    assert_true(doubts(s));
    scenario_findings(s);
    advises(s, "cpu-bottleneck", "record NVTX ranges");
    does_not_advise(s, "cpu-bottleneck", "named here");
}

/* The near misses: calls of the OS, or samples, would tell a wait. */
SCENARIO(test_work_beside_calls_of_the_os)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.range = "", .idle = MS(4), .ahead = US(8)};

    loop_run(s, &loop);
    scenario_os(s, 7, "read", US(1), US(2));
    assert_false(doubts(s));
}

SCENARIO(test_work_beside_samples)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.range = "", .idle = MS(4), .ahead = US(8)};

    loop_run(s, &loop);
    scenario_sample(s, 7, US(1), "main");
    assert_false(doubts(s));
}

/* The same in a range: the range is named. */
SCENARIO(test_work_in_a_range)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.idle = MS(4), .ahead = US(8)};

    loop_run(s, &loop);
    assert_true(doubts(s));
    scenario_findings(s);
    advises(s, "cpu-bottleneck", "ranges named here");
    does_not_advise(s, "cpu-bottleneck", "record NVTX ranges");
}

/* Small copies that keep the host busy: batch them; no graphs. */
SCENARIO(test_copies_keep_the_host_busy)
{
    struct scenario *s = *state;
    static const struct loop loop = {.idle = MS(3)};
    int64_t thread;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    thread = loop_run(s, &loop);
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 300; k++) {
            int64_t t = loop_step(&loop, i + 1) - loop.idle + US(10) + k * US(9);
            int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", t, t + US(5));

            scenario_copy(s, call, 0, 7, HOST_TO_DEVICE, false, 8192, t + US(6), t + US(8));
        }
    scenario_findings(s);
    advises(s, "cpu-bottleneck", "batch");
    does_not_advise(s, "cpu-bottleneck", "graphs");
}

/* ---- graphs and ranges ---- */

/* Decoding by graphs recorded whole: record them node by node. Not a fault. */
SCENARIO(test_opaque_graphs)
{
    struct scenario *s = begin(state);
    int64_t thread = scenario_thread(s, 100, 100, "VLLM::EngineCore");

    for (int i = 0; i < 100; i++) {
        int64_t at = MS(5) + i * MS(5);
        int64_t call =
            scenario_call(s, thread, "cudaGraphLaunch_v10000", at - US(400), at - US(360));

        scenario_graph(s, call, 0, 7, 3, at, at + MS(4.9));
    }
    scenario_findings(s);
    loop_is_healthy(s);
    advises(s, "opaque-graphs", "--cuda-graph-trace=node");
    loop_abstains(s, "exposed-communication", 0);
    loop_abstains(s, "no-tensor-cores", 0);
    loop_abstains(s, "top-kernel", 1);
}

/* Passes of 5 ms, of which a graph recorded whole takes a part. */
static void partly_in_graphs(struct scenario *s, double graph)
{
    int64_t thread = scenario_thread(s, 100, 100, "VLLM::EngineCore");

    for (int i = 0; i < 60; i++) {
        int64_t at = MS(5) + i * MS(5);
        int64_t call =
            scenario_call(s, thread, "cudaGraphLaunch_v10000", at - US(400), at - US(360));

        scenario_graph(s, call, 0, 7, 3, at, at + MS(graph));
        scenario_launch(s, thread, at - US(350), 0, 7, "flash_fwd_kernel", at + MS(graph) + US(1),
                        at + MS(4.98));
    }
    scenario_findings(s);
}

/* Truth: most of the busy time, 60 %, has no kernels to look at. */
SCENARIO(test_most_in_opaque_graphs)
{
    partly_in_graphs(begin(state), 3);
    loop_fires(*state, "opaque-graphs");
    loop_is_healthy(*state);
}

/* The near miss: 40 %. */
SCENARIO(test_some_in_opaque_graphs)
{
    partly_in_graphs(begin(state), 2);
    loop_is_quiet(*state, "opaque-graphs");
}

/* A graph among many kernels: nothing to say about it. */
SCENARIO(test_one_graph_among_kernels)
{
    struct scenario *s = begin(state);
    const struct loop loop = {0};
    int64_t thread = loop_run(s, &loop);
    int64_t at = loop_step(&loop, 20);

    scenario_graph(s, scenario_call(s, thread, "cudaGraphLaunch_v10000", at - US(40), at - US(30)),
                   0, 7, 3, at, at + MS(2));
    scenario_findings(s);
    loop_is_quiet(s, "opaque-graphs");
}

/* A skill without rows says why, and not what the window is. */
SCENARIO(test_reason_of_no_rows)
{
    struct scenario *s = begin(state);
    const struct loop loop = {.range = ""};

    loop_run(s, &loop);
    scenario_findings(s);
    assert_string_equal(scenario_text(s, "skills", "skill = 'exposed'", "why_none"),
                        "There are no communication kernels in the window.");
    assert_string_equal(scenario_text(s, "skills", "skill = 'nccl_anomaly'", "why_none"),
                        "The window has no communication kernels.");
    assert_string_equal(scenario_text(s, "skills", "skill = 'projection'", "why_none"),
                        "There are no NVTX push/pop ranges in the window.");
}
