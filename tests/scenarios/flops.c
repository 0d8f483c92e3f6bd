/* FLOPs: peaks, GPUs in use, kernels on tensor cores. */
#include "scenarios/scenario.h"

#include <string.h>

#define BF16 "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1"

static void add_hardware(struct scenario *s, int device, int sms, int64_t bandwidth)
{
    scenario_sql(s, "UPDATE TARGET_INFO_GPU SET smCount = %d, memoryBandwidth = %lld WHERE id = %d",
                 sms, (long long)bandwidth, device);
}

/* One range of 10 ms that launches a kernel of 8 ms on each of n GPUs. */
static void add_step(struct scenario *s, int n, const char *model, const char *kernel)
{
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_range(s, thread, "step", MS(1), MS(11));
    for (int gpu = 0; gpu < n; gpu++) {
        scenario_gpu(s, gpu, model);
        scenario_launch(s, thread, MS(1.1) + US(10) * gpu, gpu, 7, kernel, MS(2), MS(10));
    }
}

static double mfu(struct scenario *s)
{
    return scenario_real(s, "region_mfu", "time = 'kernels, union'", "mfu");
}

static bool has_mfu(struct scenario *s)
{
    return scenario_count(s, "region_mfu", "mfu IS NOT NULL") > 0;
}

/* 3.9576e12 operations in 8 ms are 494.7 TFLOP/s: half of an H100. */
SCENARIO(test_one_gpu)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA H100 80GB HBM3", BF16);
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=3.9576e12 @");
    assert_float_equal(mfu(s), 50, 0.1);
}

/* The same operations on two GPUs: a quarter of both. */
SCENARIO(test_two_gpus)
{
    struct scenario *s = *state;

    add_step(s, 2, "NVIDIA H100 80GB HBM3", BF16);
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=3.9576e12 @");
    assert_float_equal(mfu(s), 25, 0.1);
    scenario_ask(s, "skill run arithmetic_intensity -p flops=3.9576e12 @");
    assert_float_equal(scenario_real(s, "arithmetic_intensity", NULL, "mfu"), 25, 0.1);
}

/* A GPU that does nothing has no peak to reach. */
SCENARIO(test_a_gpu_that_does_not_work)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA H100 80GB HBM3", BF16);
    scenario_gpu(s, 1, "NVIDIA H100 80GB HBM3");
    scenario_ask(s, "skill run arithmetic_intensity -p flops=3.9576e12 @");
    assert_float_equal(scenario_real(s, "arithmetic_intensity", NULL, "mfu"), 50, 0.1);
}

/* Parts that are not in the table: no MFU instead of a wrong one. */
static void check_refused(struct scenario *s, const char *model)
{
    add_step(s, 1, model, BF16);
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=3.9576e11 @");
    assert_false(has_mfu(s));
    assert_non_null(strstr(scenario_output(s), "-p peak="));
}

SCENARIO(test_mig_is_refused)
{
    check_refused(*state, "NVIDIA A100-SXM4-80GB MIG 3g.40gb");
}

SCENARIO(test_laptops_are_refused)
{
    check_refused(*state, "NVIDIA GeForce RTX 4090 Laptop GPU");
}

SCENARIO(test_max_q_is_refused)
{
    check_refused(*state, "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition");
}

/* A slice whose name does not give its size: 42 of 132 multiprocessors. */
SCENARIO(test_a_slice_is_known_by_its_size)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA H100 80GB HBM3", BF16);
    add_hardware(s, 0, 42, 1675000000000);
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=3.9576e11 @");
    assert_false(has_mfu(s));
}

/* The peak that is given counts on any part. */
SCENARIO(test_a_given_peak)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA A100-SXM4-80GB MIG 3g.40gb", BF16);
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=3.9576e11 -p peak=100 @");
    assert_float_equal(mfu(s), 49.47, 0.1);
}

/* 80 TFLOP/s, not the 71 of a part without Ti. */
SCENARIO(test_3090_ti)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA GeForce RTX 3090 Ti", "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_tn");
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=3.2e11 @");
    assert_float_equal(mfu(s), 50, 0.1);
}

SCENARIO(test_v100_pcie)
{
    struct scenario *s = *state;

    add_step(s, 1, "Tesla V100-PCIE-16GB", "volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn");
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=4.48e11 @");
    assert_float_equal(mfu(s), 50, 0.1);
    assert_non_null(strstr(scenario_output(s), "dense (fp16, tensor cores)"));
}

/* Turing has no bf16, so its peak is that of fp16. The name of the L4 begins like its
 * successor's. */
SCENARIO(test_the_word_of_the_peak)
{
    static const char *const parts[][2] = {{"Tesla T4", "dense (fp16, tensor cores: assumed"},
                                           {"NVIDIA L4", "dense (bf16, tensor cores: assumed"}};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct scenario *s = scenario_new();

        add_step(s, 1, parts[i][0], "triton_mm_kernel");
        scenario_ask(s, "skill run region_mfu -p name=step -p flops=1e11 @");
        if (!strstr(scenario_output(s), parts[i][1]))
            fail_msg("%s: %s", parts[i][0], scenario_output(s));
        scenario_free(s);
    }
}

/* Single precision without tensor cores: against 19.5 TFLOP/s of an A100, not 312. */
SCENARIO(test_fp32_peak)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA A100-SXM4-80GB", "ampere_sgemm_128x64_tn");
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=7.8e10 @");
    assert_float_equal(mfu(s), 50, 0.1);
}

/* Half the time in single precision, half in bf16: there is no common peak. */
SCENARIO(test_mixed_precision_has_no_peak)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA A100-SXM4-80GB");
    scenario_range(s, thread, "step", MS(1), MS(11));
    scenario_launch(s, thread, MS(1.1), 0, 7, "ampere_sgemm_128x64_tn", MS(2), MS(6));
    scenario_launch(s, thread, MS(1.2), 0, 7,
                    "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn", MS(6), MS(10));
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=7.8e10 @");
    assert_false(has_mfu(s));
}

SCENARIO(test_tf32_peak)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA A100-SXM4-80GB",
             "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16_stage4_warpsize2x2x1");
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=6.24e11 @");
    assert_float_equal(mfu(s), 50, 0.1);
}

/* More than the peak is no MFU. */
SCENARIO(test_impossible)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA H100 80GB HBM3", BF16);
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=1e15 @");
    assert_false(has_mfu(s));
}

/* The bandwidth is the export's own; the ridge follows it. */
SCENARIO(test_bandwidth_of_the_export)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA GH200 120GB", BF16);
    add_hardware(s, 0, 132, 4900000000000);
    scenario_ask(s, "skill run arithmetic_intensity -p flops=3.9576e12 @");
    assert_float_equal(scenario_real(s, "arithmetic_intensity", NULL, "memory_gbps"), 4900, 1);
    assert_float_equal(scenario_real(s, "arithmetic_intensity", NULL, "ridge"), 201.9, 0.2);
}

/* A MIG slice whose GPU is named as a whole: the process had 42 of 132 multiprocessors. */
SCENARIO(test_a_slice_is_known_by_its_cuda_device)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA H100 80GB HBM3", BF16);
    add_hardware(s, 0, 132, 3352320000000);
    scenario_sql(s, "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid "
                    "INTEGER, uuid TEXT, numMultiprocessors INTEGER)");
    scenario_sql(s, "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 100, 'MIG', 42)");
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=3.9576e11 @");
    assert_false(has_mfu(s));
}

/* 989.4 and 312 TFLOP/s together: 5.2056e12 operations in 8 ms are half of them. */
SCENARIO(test_two_models)
{
    struct scenario *s = *state;

    add_step(s, 2, "NVIDIA H100 80GB HBM3", BF16);
    scenario_sql(s, "UPDATE TARGET_INFO_GPU SET name = 'NVIDIA A100-SXM4-80GB' WHERE id = 1");
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=5.2056e12 @");
    assert_float_equal(mfu(s), 50, 0.1);
}

SCENARIO(test_fp8_peak)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA H100 80GB HBM3", "nvjet_qqtst_128x256_128x4_2x1_v_bz_TNN");
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=7.9156e12 @");
    assert_float_equal(mfu(s), 50, 0.1);
}

/* Int8 and fp4 have peaks that the table does not hold. */
SCENARIO(test_int8_has_no_peak)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA H100 80GB HBM3",
             "sm80_xmma_gemm_i8i8_i8i32_f32_tn_n_tilesize128x128x64");
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=3.9576e12 @");
    assert_false(has_mfu(s));
}

/* The range's own kernels decide, not the others: fp32 in a bf16 recording. */
SCENARIO(test_precision_of_the_range)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA A100-SXM4-80GB");
    scenario_range(s, thread, "check", MS(1), MS(11));
    scenario_launch(s, thread, MS(1.1), 0, 7, "ampere_sgemm_128x64_tn", MS(2), MS(10));
    scenario_launch(s, thread, MS(12), 0, 7,
                    "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn", MS(13), MS(900));
    scenario_ask(s, "skill run region_mfu -p name=check -p flops=7.8e10 @");
    assert_float_equal(mfu(s), 50, 0.1);
}

/* Graphs recorded whole take ten times as long as named kernels: the precision is unknown. */
SCENARIO(test_few_kernels_beside_opaque_graphs)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python"), call;

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_launch(s, thread, MS(1), 0, 7, BF16, MS(1.1), MS(2.1));
    call = scenario_call(s, thread, "cudaGraphLaunch_v10000", MS(3), MS(3.1));
    scenario_graph(s, call, 0, 7, 3, MS(3.2), MS(13.2));
    scenario_ask(s, "skill run mfu -p flops=1e12 @");
    assert_int_equal(scenario_count(s, "mfu", "mfu IS NOT NULL"), 0);
    assert_non_null(strstr(scenario_output(s), "graphs recorded whole"));
}

/* No name shows the precision: bf16 is assumed, and the answer says so. */
SCENARIO(test_assumed_precision)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA H100 80GB HBM3", "stencil_kernel");
    scenario_ask(s, "skill run region_mfu -p name=step -p flops=3.9576e12 @");
    assert_non_null(strstr(scenario_output(s), "assumed"));
}

/* ---- MFU from what ranges tell ---- */

static void add_layer(struct scenario *s, const char *text, int64_t at)
{
    int64_t thread = (int64_t)100 << 24 | 100;

    scenario_range(s, thread, text, at, at + US(200));
    scenario_launch(s, thread, at + US(20), 0, 7, BF16, at + US(300), at + US(300) + MS(1));
}

/* vLLM's markers: 2 x 4096 x 4096 x 14336 operations in each of 10 layers of 1 ms: 481 TFLOP/s. */
SCENARIO(test_markers_of_vllm)
{
    struct scenario *s = *state;

    (void)scenario_thread(s, 100, 100, "VLLM::Worker");
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 10; i++)
        add_layer(s,
                  "{'Module': 'model.layers.0.mlp.gate_up_proj', 'TrainableParams': {'weight': "
                  "[14336, 4096]}, 'StaticParams': {'in_features': 4096, 'out_features': 14336}, "
                  "'Inputs': [[4096, 4096]], 'Outputs': [[4096, 14336]]}",
                  MS(1) + MS(2) * i);
    scenario_ask(s, "skill run mfu @");
    assert_float_equal(scenario_real(s, "mfu", "time = 'the time kernels run'", "tflop"), 4.8104,
                       0.001);
    assert_float_equal(scenario_real(s, "mfu", "time = 'the time kernels run'", "mfu"), 48.6, 0.1);
}

/* aten shapes: linear holds addmm, which counts once. */
SCENARIO(test_aten_shapes)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 10; i++) {
        int64_t at = MS(1) + MS(2) * i;

        scenario_range(s, thread,
                       "aten::linear, op_id = 12, sizes = [[4096, 4096], [14336, 4096], [14336]]",
                       at - US(10), at + US(210));
        add_layer(
            s,
            "aten::addmm, seq = 7, op_id = 13, sizes = [[14336], [4096, 4096], [4096, 14336], "
            "[], []]",
            at);
    }
    scenario_ask(s, "skill run mfu @");
    assert_float_equal(scenario_real(s, "mfu", "time = 'the time kernels run'", "tflop"), 4.8104,
                       0.001);
}

/* Ranges without shapes: no MFU. */
SCENARIO(test_no_shapes_no_mfu)
{
    struct scenario *s = *state;

    (void)scenario_thread(s, 100, 100, "python");
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 10; i++)
        add_layer(s, "aten::addmm, seq = 7, op_id = 13", MS(1) + MS(2) * i);
    scenario_ask(s, "skill run mfu @");
    assert_int_equal(scenario_count(s, "mfu", NULL), 0);
}

/* Operations of a token and tokens a second. */
SCENARIO(test_tokens)
{
    struct scenario *s = *state;

    add_step(s, 1, "NVIDIA H100 80GB HBM3", BF16);
    scenario_ask(s, "skill run mfu -p flops=1.4e10 -p tokens=10000 @");
    assert_float_equal(scenario_real(s, "mfu", NULL, "tflops"), 140, 0.01);
    assert_float_equal(scenario_real(s, "mfu", NULL, "mfu"), 14.15, 0.1);
}

#define ADDMM \
    "aten::addmm, seq = 7, op_id = 13, sizes = [[14336], [4096, 4096], [4096, 14336], [], []]"

/* The forward pass has shapes, the backward pass, which takes twice as long, has none: no MFU. */
SCENARIO(test_backward_without_shapes)
{
    struct scenario *s = *state;
    int64_t backward = scenario_thread(s, 100, 101, "pt_autograd_0");

    (void)scenario_thread(s, 100, 100, "python");
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 10; i++) {
        add_layer(s, ADDMM, MS(1) + MS(4) * i);
        scenario_launch(s, backward, MS(2) + MS(4) * i, 0, 7, BF16, MS(2.4) + MS(4) * i,
                        MS(4.4) + MS(4) * i);
    }
    scenario_ask(s, "skill run mfu @");
    assert_int_equal(scenario_count(s, "mfu", NULL), 0);
    assert_non_null(strstr(scenario_output(s), "33.3 %"));
}

/* Products on the CPU, in a loader, are none of the GPU's. */
SCENARIO(test_products_on_the_cpu)
{
    struct scenario *s = *state;
    int64_t loader = scenario_thread(s, 100, 102, "loader");

    (void)scenario_thread(s, 100, 100, "python");
    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 10; i++) {
        add_layer(s, ADDMM, MS(1) + MS(2) * i);
        scenario_range(s, loader, ADDMM, MS(1) + MS(2) * i, MS(2) + MS(2) * i);
    }
    scenario_ask(s, "skill run mfu @");
    assert_float_equal(scenario_real(s, "mfu", "time = 'the time kernels run'", "tflop"), 4.8104,
                       0.001);
}

/* Shapes recorded during the capture of a graph do not describe its replays. */
SCENARIO(test_captured_layers)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_range(s, thread, ADDMM, MS(1), MS(1.2));
    for (int i = 0; i < 5; i++) {
        int64_t call = scenario_call(s, thread, "cudaGraphLaunch_v10000", MS(2) + MS(2) * i,
                                     MS(2.1) + MS(2) * i);

        scenario_kernel(s, call, 0, 7, BF16, MS(2.2) + MS(2) * i, MS(3.2) + MS(2) * i);
    }
    scenario_ask(s, "skill run mfu @");
    assert_int_equal(scenario_count(s, "mfu", NULL), 0);
}

/* ---- matrix kernels ---- */

static void add_kernels(struct scenario *s, const char *const names[], int n)
{
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < n; i++)
        scenario_launch(s, thread, MS(1) * i + US(10), 0, 7, names[i], MS(1) * i + US(100),
                        MS(1) * i + US(600));
    scenario_ask(s, "skill run tensor_core_usage @");
}

SCENARIO(test_names_that_mislead)
{
    static const char *const names[] = {
        "void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<float>(long)",
        "void at::native::(anonymous namespace)::upsample_bilinear2d_out_frame<float>(int)",
        "void convert_fp32_to_bf16_kernel(float const*, __nv_bfloat16*)",
        "void cublasLt::splitKreduce_kernel<32, 16, int, float>(float)",
        "void at::native::(anonymous namespace)::cuComputeGradGammaBeta<float>(int)",
        "triton_poi_fused__to_copy_convolution_relu_3",
        "triton_red_fused_addmm_gelu_native_layer_norm_1",
        "void fp32_to_bf16_conversion_kernel<4>(float const*)",
        "void flash::flash_bwd_dot_do_o_kernel<true, Flash_bwd_kernel_traits>(Flash_bwd_params)",
        "__get_group_gemm_starts(int*, float**)",
        "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::"
        "FusedAdamMathFunctor<float, 4>>(at::native::TensorListMetadata<4>)",
        "void fused_norm_kernel<NormMaskOp>(float*)",
        "void cutlass::Kernel<cutlass::reduction::kernel::ReduceSplitK<cutlass::MatrixShape<4, "
        "256>>>",
    };
    struct scenario *s = *state;

    add_kernels(s, names, sizeof names / sizeof *names);
    assert_int_equal(scenario_int(s, "tensor_core_usage", NULL, "kernels"), 0);
}

SCENARIO(test_new_names_on_tensor_cores)
{
    static const char *const names[] = {
        "sm90_fp8_gemm_1d2d_impl<7168u, 2048u>",
        "cutlass3x_sm100_tensorop_gemm_f16_f16_f32_128x256x64",
        "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT",
        "void deep_gemm::fp8_gemm_kernel<4096u, 7168u>(float*)",
        "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128>>(Flash_fwd_params)",
        "nvjet_sm100_qqtst_256x128_64x6_2x1_2cta_v_bz_TNT",
        "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x256_16x3_nn_align4>(Params)",
        "void device_kernel<MmaMultistage<GemmShape<128, 128>, bfloat16_t, wmma>>(Params)",
    };
    struct scenario *s = *state;

    add_kernels(s, names, 8);
    assert_int_equal(scenario_int(s, "tensor_core_usage", NULL, "kernels"), 8);
    assert_int_equal(scenario_int(s, "tensor_core_usage", NULL, "tensor_kernels"), 8);
}

SCENARIO(test_plain_names)
{
    static const char *const names[] = {"ampere_sgemm_128x64_tn",
                                        "cutlass_80_simt_sgemm_256x128_8x4_nn_align1",
                                        "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize_ffma",
                                        "sm90_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x64x8"};
    struct scenario *s = *state;

    add_kernels(s, names, 4);
    assert_int_equal(scenario_int(s, "tensor_core_usage", NULL, "kernels"), 4);
    assert_int_equal(scenario_int(s, "tensor_core_usage", NULL, "tensor_kernels"), 0);
    assert_int_equal(scenario_count(s, "other_matrix_kernels", "precision = 'fp32'"), 4);
}

/* All work is in graphs recorded whole: their kernels are unknown, and the answer says so. */
SCENARIO(test_opaque_graphs)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 5; i++) {
        int64_t call = scenario_call(s, thread, "cudaGraphLaunch_v10000", MS(10) * i + US(10),
                                     MS(10) * i + US(40));

        scenario_graph(s, call, 0, 7, 3, MS(10) * i + US(50), MS(10) * i + MS(9));
    }
    scenario_ask(s, "skill run tensor_core_usage @");
    assert_int_equal(scenario_count(s, "tensor_core_usage", NULL), 0);
    assert_non_null(strstr(scenario_output(s), "the kernels are unknown in 5 graph"));
    scenario_ask(s, "skill run mfu -p flops=1e12 @");
    assert_int_equal(scenario_count(s, "mfu", "mfu IS NOT NULL"), 0);
    scenario_ask(s, "skill run mfu -p flops=1e12 -p peak=989 @");
    assert_int_equal(scenario_count(s, "mfu", "mfu IS NOT NULL"), 2);
}
