/*
 * The table of peaks is found by the names that devices really have.
 */
#include "analysis/names/peak.h"
#include "core/text.h"
#include "support/cm.h"

static double bf16_of(const char *name)
{
    const struct nsc_peak *peak = nsc_peak_find(nsc_text_from(name));

    return peak ? peak->bf16 : -1;
}

static void test_real_names_are_found(void **state)
{
    (void)state;
    assert_true(bf16_of("NVIDIA H100 80GB HBM3") == 989.4);
    assert_true(bf16_of("NVIDIA H100 PCIe") == 756.5);
    assert_true(bf16_of("NVIDIA H100 NVL") == 835.5);
    assert_true(bf16_of("NVIDIA A100-SXM4-80GB") == 312);
    assert_true(bf16_of("NVIDIA L40S") == 362.05);
    assert_true(bf16_of("NVIDIA L4") == 121);
    assert_true(bf16_of("NVIDIA GeForce RTX 4090") == 165.2);
    assert_true(bf16_of("Tesla V100-SXM2-16GB") == 125);
}

static void test_variants_have_rows_of_their_own(void **state)
{
    (void)state;
    assert_true(bf16_of("Tesla V100-PCIE-16GB") == 112);
    assert_true(bf16_of("NVIDIA GeForce RTX 3090 Ti") == 80);
    assert_true(bf16_of("NVIDIA GeForce RTX 3090") == 71);
    assert_true(bf16_of("NVIDIA GeForce RTX 4090 D") == 147.1);
    assert_true(bf16_of("NVIDIA A100-PCIE-40GB") == 312);
}

static void test_others_are_not_guessed(void **state)
{
    (void)state;
    assert_true(bf16_of("NVIDIA A100-SXM4-80GB MIG 1g.10gb") == -1);
    assert_true(bf16_of("NVIDIA GeForce RTX 4090 Laptop GPU") == -1);
    assert_true(bf16_of("NVIDIA GeForce RTX 2060 with Max-Q Design") == -1);
    assert_true(bf16_of("NVIDIA GeForce RTX 5090 D") == -1);
    assert_true(bf16_of("NVIDIA RTX PRO 6000 Blackwell Server Edition") == -1);
    assert_true(bf16_of("Quadro RTX 6000") == -1);
    assert_null(nsc_peak_find_part(nsc_text_from("NVIDIA H100 80GB HBM3"), 60));
    assert_non_null(nsc_peak_find_part(nsc_text_from("NVIDIA H100 80GB HBM3"), 132));
    assert_non_null(nsc_peak_find_part(nsc_text_from("NVIDIA H100 80GB HBM3"), 0));
    assert_true(bf16_of("NVIDIA L400") == -1);
    assert_true(bf16_of("Quadro P1000") == -1);
    assert_true(bf16_of("") == -1);
}

static void test_memory_follows_the_board(void **state)
{
    (void)state;
    assert_true(nsc_peak_find(nsc_text_from("NVIDIA A100-SXM4-80GB"))->bytes == 2039);
    assert_true(nsc_peak_find(nsc_text_from("NVIDIA A100 80GB PCIe"))->bytes == 1935);
    assert_true(nsc_peak_find(nsc_text_from("NVIDIA A100-SXM4-40GB"))->bytes == 1555);
    assert_true(nsc_peak_find(nsc_text_from("NVIDIA H200"))->bytes == 4800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_names_are_found),
        cmocka_unit_test(test_variants_have_rows_of_their_own),
        cmocka_unit_test(test_others_are_not_guessed),
        cmocka_unit_test(test_memory_follows_the_board),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
