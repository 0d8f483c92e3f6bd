/*
 * Unit tests: names that frameworks give their kernels, the kind of work each does, and whose code
 * it is.
 */
#include "analysis/names/kernel_family.h"
#include "support/cm.h"

#include <stdio.h>
#include <string.h>

#define ELEMENT "void at::native::vectorized_elementwise_kernel<(int)4, at::native::"

static const struct {
    const char *family, *engine, *name; /* engine NULL: the name does not tell */
} cases[] = {
    {"collective", "NCCL",
     "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)"},
    {"collective", "NVSHMEM", "void nvshmem_reduce_scatter<float>(T1 *)"},
    {"collective", NULL,
     "void vllm::cross_device_reduce_1stage<__nv_bfloat16, (int)8>(vllm::RankData *)"},
    {"collective", NULL, "void tensor_allreduce_oneshot<(int)8>(T1)"},
    {"collective", "NVSHMEM", "void deep_ep::intranode::dispatch<(int)8, (int)768>(int4 *)"},
    {"attention", "FlashAttention",
     "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128>>(flash::Flash_fwd_params)"},
    {"attention", "FlashAttention", "flash_fwd_kernel"},
    {"attention", "FlashAttention",
     "void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<T1>>>(T1)"},
    {"attention", "FlashInfer", "void flashinfer::BatchPrefillWithPagedKVCacheKernel<(int)1>(T1)"},
    {"attention", "CUTLASS", "fmha_cutlassF_bf16_aligned_64x64_rf_sm80"},
    {"attention", NULL, "void vllm::paged_attention_v1_kernel<float, (int)128>(T1 *)"},
    {"attention", NULL, "kernel_unified_attention_2d"},
    {"attention", NULL, "_attn_fwd"},
    {"gemm", "cuBLAS", "ampere_sgemm_128x64_tn"},
    {"gemm", "cuBLAS",
     "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x256x8_execute_kernel__5x_cublas"},
    {"gemm", "cuBLAS", "nvjet_hsh_128x256_64x4_2x1_v_bz_TNT"},
    {"gemm", "cuBLAS",
     "std::enable_if<!T7, void>::type internal::gemvx::kernel<int, int, float>(T13)"},
    {"gemm", "cuBLAS", "void cublasLt::splitKreduce_kernel<(int)32, (int)16, int, float>(T1)"},
    {"gemm", "cuBLAS",
     "void cutlass::Kernel<cutlass_80_tensorop_s1688f16gemm_256x128_16x3_tn_align4>(T1::Params)"},
    {"gemm", "CUTLASS",
     "void cutlass::Kernel<cutlass::gemm::kernel::GemmSplitKParallel<T1>>(T1::Params)"},
    {"gemm", "CUTLASS",
     "void cutlass::Kernel<cutlass::reduction::kernel::ReduceSplitK<T1>>(T1::Params)"},
    {"gemm", "DeepGEMM", "void deep_gemm::sm90_fp8_gemm_1d2d_impl<(unsigned int)0>(float *)"},
    {"gemm", "cuDNN", "implicit_convolve_sgemm"},
    {"gemm", "cuDNN", "sm80_xmma_wgrad_implicit_gemm_indexed_tf32f32"},
    {"gemm", "Triton", "triton_tem_fused_mm_4"},
    {"gemm", NULL, "void marlin::Marlin<__half, (int)256>(const int4 *)"},
    {"attention", NULL, "fmhaSm100fKernel_QkvBfloat16OBfloat16H128PagedKvCausalP32VarSeqQ128Kv128"},
    {"attention", NULL, "mla_decode_kernel"},
    {"gemm", NULL, "bmm_Bfloat16_E2m1E2m1_Fp32_t128x64x256_s4_transOut_swiGlu_dynBatch_sm100f"},
    {"gemm", NULL, "_scaled_mm_kernel"},
    {"gemm", NULL, "MatrixMulCUDA"},
    {"gemm", "cuBLAS", "void cublasLt::epilogue::impl::globalKernel<(int)8, (int)32, float>(T1)"},
    {"gemm", NULL, "void mul_mat_vec_q<(ggml_type)2>(const void *)"},
    {"moe", NULL, "fused_moe_kernel"},
    {"moe", NULL, "void vllm::moe::topkGatingSoftmax<(int)4>(const float *)"},
    {"moe", NULL, "void moe_align_block_size_kernel<int>(T1 *)"},
    {"moe", NULL, "_fwd_kernel_ep_scatter_1"},
    {"norm", NULL, "void vllm::rms_norm_kernel<c10::BFloat16>(T1 *)"},
    {"norm", "torch native",
     "void at::native::<unnamed>::vectorized_layer_norm_kernel<float, float>(int)"},
    {"norm", "cuDNN", "bn_fw_tr_1C11_kernel_NCHW"},
    {"norm", "Triton", "triton_red_fused_add_native_layer_norm_3"},
    {"norm", "Triton", "triton_per_fused__to_copy_mean_rsqrt_norm_1"},
    {"reduction", NULL, "void <unnamed>::softmax_warp_forward<float, float, float, (int)7>(T2 *)"},
    {"reduction", "torch native", "cunn_SoftMaxForward"},
    {"reduction", "torch native",
     "void at::native::reduce_kernel<(int)512, (int)1, at::native::ReduceOp<float, "
     "at::native::NormTwoOps<float>>>(T3)"},
    {"reduction", NULL, "DeviceReduceSingleTileKernel"},
    {"reduction", "torch native",
     "void at_cuda_detail::cub::CUB_200200_900_NS::DeviceRadixSortOnesweepKernel<T1>(T2)"},
    {"reduction", "Triton", "triton_red_fused__to_copy_sum_2"},
    {"reduction", NULL, "input_reduce_fusion_3"},
    {"reduction", NULL,
     "void multi_tensor_apply_kernel<TensorListMetadata<(int)1>, L2NormFunctor<float>>(int)"},
    {"reduction", "torch native", "void at::native::<unnamed>::max_pool_forward_nchw<float>(T1)"},
    {"reduction", "cuDNN", "void cudnn::pooling_fw_4d_kernel<float, float>(T1)"},
    {"reduction", "cuBLAS", "void nrm2_kernel<float, float>(cublasNrm2Params<int, float>)"},
    {"sampling", NULL, "rejection_greedy_sample_kernel"},
    {"sampling", "FlashInfer",
     "void flashinfer::sampling::TopKTopPSamplingFromProbKernel<(unsigned int)1024>(T1 *)"},
    {"sampling", "torch native", "void at::native::sbtopk::gatherTopK<float, unsigned int>(T1)"},
    {"embedding", "torch native",
     "void at::native::<unnamed>::embedding_backward_feature_kernel<float>(T1)"},
    {"embedding", "torch native",
     "void at::native::<unnamed>::indexSelectLargeIndex<float, long>(T1)"},
    {"copy", "torch native",
     "void "
     "at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::"
     "TensorIteratorBase &)::[lambda()]>(int)"},
    {"copy", "torch native",
     "void at::native::<unnamed>::CatArrayBatchedCopy<float, unsigned int>(T1 *)"},
    {"copy", "torch native", "void at::native::index_elementwise_kernel<(int)128>(long)"},
    {"copy", "torch native", "void at::native::vectorized_gather_kernel<(int)16, long>(char *)"},
    {"copy", "cuDNN", "void cudnn::ops::nchwToNhwcKernel<float>(T1)"},
    {"copy", "cuDNN", "void tensorTransformGeneric<float, float>(cudnnTensorStruct)"},
    {"copy", "torch native", "void at::native::im2col_kernel<float>(long)"},
    {"copy", NULL, "loop_dynamic_update_slice_fusion"},
    {"copy", NULL, "wrapped_convert"},
    {"copy", NULL, "cpy_f32_f16"},
    {"copy", NULL, "loop_transpose_fusion"},
    {"memory", "torch native",
     ELEMENT "FillFunctor<float>, std::array<char *, (unsigned long)1>>(int, T2, T3)"},
    {"memory", NULL, "set_mla_kv_buffer_kernel"},
    {"memory", NULL, "void vllm::indexer_k_quant_and_cache_kernel<c10::BFloat16>(T1 *)"},
    {"memory", NULL, "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16>(T1 *)"},
    {"elementwise", "torch native",
     ELEMENT "CUDAFunctor_add<float>, std::array<char *, (unsigned long)3>>(int, T2, T3)"},
    {"elementwise", "torch native",
     ELEMENT "<unnamed>::silu_kernel(at::TensorIteratorBase &)::[lambda()]>(int)"},
    {"elementwise", "torch native",
     "void "
     "at::native::<unnamed>::multi_tensor_apply_kernel<at::native::<unnamed>::FusedAdamMathFunctor<"
     "float>>(T1)"},
    {"elementwise", "torch native",
     "void at::native::<unnamed>::distribution_elementwise_grid_stride_kernel<float, (int)4, void "
     "at::native::templates::cuda::normal_and_transform<T1>>(T1)"},
    {"elementwise", "Triton", "triton_poi_fused__to_copy_add_convolution_native_layer_norm_3"},
    {"elementwise", NULL, "void vllm::act_and_mul_kernel<c10::BFloat16>(T1 *)"},
    {"elementwise", NULL,
     "void vllm::rotary_embedding_kernel<c10::BFloat16, (bool)1>(const long *)"},
    {"elementwise", NULL, "void per_token_group_quant_8bit_kernel<c10::BFloat16>(const T1 *)"},
    {"elementwise", NULL, "loop_add_fusion_2"},
    {"elementwise", NULL, "wrapped_add"},
    {"elementwise", "FlashInfer",
     "void flashinfer::activation::act_and_mul_kernel<__nv_bfloat16, &silu>(T1 *)"},
    {"elementwise", "torch native",
     "void at::native::<unnamed>::upsample_nearest2d_nhwc_out_frame<float>(T1)"},
    /* what no family has, among it words that sound like one */
    {"other", NULL, "lattice_boltzmann_step"},
    {"other", NULL,
     "void clover::par_ranged2d_kernel<advec_cell_kernel(int)::[lambda(int, "
     "int)]>(clover::Range2d, T1)"},
    {"other", "FlashInfer", "create_flashinfer_kv_indices_triton"},
    {"other", NULL, "fusion_12"},
    {"other", NULL, "void tcnn::fill_rollover<float>(unsigned int, T1 *)"},
    {"other", NULL, "convert_rgba32(unsigned long)"},
    {"other", NULL, ""},
};

TEST(names_tell_the_kind_of_work_and_the_maker)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nsc_text name = nsc_text_from(cases[i].name);
        const char *family = nsc_kernel_family_word(nsc_kernel_family_of(name));
        const char *engine = nsc_kernel_engine_of(name);

        if (strcmp(family, cases[i].family) != 0)
            fail_msg("%s is %s", cases[i].name, family);
        if (strcmp(engine ? engine : "", cases[i].engine ? cases[i].engine : "") != 0)
            fail_msg("%s is of %s", cases[i].name, engine ? engine : "no engine");
    }
}

/* Every kernel of some fifty public recordings, and kernels of frameworks of today that these lack, at most
 * 300 bytes of the name of each, and what a person says that it does. A family that is told must be right; "other" is a lack, not an error. */
TEST(real_names_are_judged_by_hand)
{
    char line[512];
    FILE *file = fopen(NSC_TEST_SOURCE_DIR "/tests/fixtures/kernel_families.tsv", "r");
    int n = 0, right = 0, wrong = 0;

    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *name = strchr(line, '\t');
        const char *told;

        assert_non_null(name);
        *name++ = '\0';
        name[strcspn(name, "\n")] = '\0';
        told = nsc_kernel_family_word(nsc_kernel_family_of(nsc_text_from(name)));
        n++;
        right += strcmp(told, line) == 0;
        if (strcmp(told, line) != 0 && strcmp(told, "other") != 0) {
            wrong++;
            printf("%s, not %s: %s\n", told, line, name);
        }
    }
    fclose(file);
    printf("%d names: %d right, %d wrong\n", n, right, wrong);
    assert_true(n > 650);
    assert_true(100 * right >= 97 * n);
    assert_true(100 * wrong <= n);
}

TEST(brackets_that_close_nothing_and_long_names_end)
{
    char name[5000];

    memset(name, '<', sizeof name);
    assert_int_equal(nsc_kernel_family_of((struct nsc_text){name, sizeof name}), NSC_FAMILY_OTHER);
    memset(name, '>', sizeof name);
    assert_int_equal(nsc_kernel_family_of((struct nsc_text){name, sizeof name}), NSC_FAMILY_OTHER);
    memcpy(name, "gemm", 4);
    assert_int_equal(nsc_kernel_family_of((struct nsc_text){name, sizeof name}), NSC_FAMILY_MATRIX);
    assert_int_equal(nsc_kernel_family_of((struct nsc_text){"\0reduce", 7}), NSC_FAMILY_REDUCTION);
}
