/*
 * Unit tests of names that would be cut to the same letters.
 */
#include "support/cm.h"
#include "view/kit/page.h"

enum { N = 5 };

static const char *const texts[N] = {
    "sm80_xmma_gemm_f32f32_tn_n_tilesize64x256x8_stage3_warpsize1x4x1",
    "sm80_xmma_gemm_f32f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1",
    "sm80_xmma_gemm_f32f32_tn_n_tilesize64x256x8_stage4_warpsize1x4x1",
    "vectorized_elementwise_kernel_of_some_length",
    "sm80_xmma_gemm_f32f32_tn_n_tilesize64x256x8_stage3_warpsize1x4x1",
};

static void names_of(struct nsc_text out[N])
{
    for (int i = 0; i < N; i++)
        out[i] = nsc_text_from(texts[i]);
}

TEST(alike_names_begin_where_they_differ)
{
    struct nsc_text names[N];

    names_of(names);
    assert_string_equal(texts[0] + nsc_name_shared(names, N, 0, 24),
                        "tilesize64x256x8_stage3_warpsize1x4x1");
    assert_string_equal(texts[2] + nsc_name_shared(names, N, 2, 50),
                        "n_n_tilesize64x256x8_stage4_warpsize1x4x1"); /* fills 50 cells */
    assert_string_equal(texts[1] + nsc_name_shared(names, N, 1, 24),
                        "tilesize128x128x8_stage3_warpsize2x2x1");
    assert_int_equal(nsc_name_shared(names, N, 3, 24), 0);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(nsc_name_shared(names, N, i, 80), 0); /* all of it is seen */
        assert_int_equal(nsc_name_shared(names, N, i, 10), 0); /* no room for two parts */
        assert_int_equal(nsc_name_shared(names, 1, 0, 24), 0);
    }
}

TEST(other_letters_are_left_alone)
{
    struct nsc_text names[2] = {nsc_text_from("g\xc3\xa9mm_of_a_very_long_name_with_a_tail_1"),
                                nsc_text_from("g\xc3\xa9mm_of_a_very_long_name_with_a_tail_2")};

    assert_int_equal(nsc_name_shared(names, 2, 0, 24), 0);
}
