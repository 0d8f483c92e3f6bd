/*
 * Unit tests: names that frameworks give their kernels, and the kind of work each does.
 */
#include "analysis/names/kernel_name.h"
#include "support/cm.h"

TEST(names_tell_the_kind_of_work)
{
    static const struct {
        const char *name;
        enum nsc_kernel_family family;
    } cases[] = {
        {"flash_fwd_kernel", NSC_FAMILY_ATTENTION},
        {"fmha_cutlassF_bf16_aligned_64x64_rf_sm80", NSC_FAMILY_ATTENTION},
        {"ampere_sgemm_128x64_tn", NSC_FAMILY_MATRIX},
        {"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x256x8", NSC_FAMILY_MATRIX},
        {"nvjet_hsh_128x256_64x4_2x1_v_bz_TNT", NSC_FAMILY_MATRIX},
        {"implicit_convolve_sgemm", NSC_FAMILY_MATRIX},
        {"vectorized_layer_norm_kernel", NSC_FAMILY_NORM},
        {"cunn_SoftMaxForward", NSC_FAMILY_NORM},
        {"bn_fw_tr_1C11_kernel_NCHW", NSC_FAMILY_NORM},
        {"reduce_kernel", NSC_FAMILY_REDUCTION},
        {"DeviceReduceSingleTileKernel", NSC_FAMILY_REDUCTION},
        {"vectorized_elementwise_kernel", NSC_FAMILY_ELEMENTWISE},
        {"triton_poi_fused_add_mul_3", NSC_FAMILY_ELEMENTWISE},
        {"multi_tensor_apply_kernel", NSC_FAMILY_ELEMENTWISE},
        {"CatArrayBatchedCopy", NSC_FAMILY_ELEMENTWISE},
        {"lattice_boltzmann_step", NSC_FAMILY_OTHER},
        {"", NSC_FAMILY_OTHER},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(nsc_kernel_family_of(nsc_text_from(cases[i].name)), cases[i].family);
}
