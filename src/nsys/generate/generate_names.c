/*
 * Names of kernels and operations as training frameworks have them.
 */
#include "nsys/generate/generate_tables.h"

const struct nsc_kernel_name nsc_compute_names[NSC_N_COMPUTE_NAMES] = {
    {"flash_fwd_kernel",
     "void flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128, (int)128, (int)64, (int)4>, "
     "(bool)1>(Params)",
     38000},
    {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x256x64",
     "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x256x64_warpgroupsize2x1x1", 52000},
    {"vectorized_elementwise_kernel",
     "void at::native::vectorized_elementwise_kernel<(int)4, at::native::GeluCUDAKernelImpl>(int, "
     "T2, T3)",
     6200},
    {"layer_norm_kernel", "void layer_norm_kernel<c10::BFloat16, float>(const T1 *, T1 *, int)",
     7400},
    {"CUDAFunctor_add",
     "void at::native::elementwise_kernel<(int)128, (int)4, CUDAFunctor_add<float>>(int, T3)",
     4100},
    {"softmax_warp_forward",
     "void softmax_warp_forward<float, float, float, (int)9>(T2 *, const T1 *, int)", 5300},
    {"flash_bwd_dq_dk_dv_kernel",
     "void flash_bwd_dq_dk_dv_kernel<Flash_bwd_kernel_traits<(int)128>>(Params)", 71000},
    {"reduce_kernel", "void at::native::reduce_kernel<(int)512, (int)1, ReduceOp<float>>(T3)",
     8800},
    {"multi_tensor_apply_kernel",
     "void multi_tensor_apply_kernel<TensorListMetadata<(int)4>, AdamFunctor<float>>(T1)", 24000},
    {"fused_dropout_kernel",
     "void fused_dropout_kernel_vec<c10::BFloat16, float, (int)4>(TensorInfo, double)", 5900},
    {"triton_poi_fused_add_mul_0", "triton_poi_fused_add_mul_0", 3600},
    {"embedding_dense_backward_kernel",
     "void embedding_backward_feature_kernel<float>(const long *, T1 *)", 9100},
};

const struct nsc_kernel_name nsc_comm_names[NSC_N_COMM_NAMES] = {
    {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
     "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)", 180000},
    {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL",
     "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)", 130000},
    {"ncclDevKernel_AllGather_RING_LL", "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage)",
     95000},
};

const char *const nsc_op_names[NSC_N_COMPUTE_NAMES] = {"aten::scaled_dot_product_attention",
                                                       "aten::linear",
                                                       "aten::gelu",
                                                       "aten::layer_norm",
                                                       "aten::add",
                                                       "aten::softmax",
                                                       "ScaledDotProductFlashAttentionBackward0",
                                                       "aten::sum",
                                                       "Optimizer.step#AdamW.step",
                                                       "aten::dropout",
                                                       "aten::mul",
                                                       "EmbeddingBackward0"};
