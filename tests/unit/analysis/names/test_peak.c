/* Unit tests of the table of peaks: it is found by the real names of devices. */
#include "analysis/names/peak.h"
#include "core/text.h"
#include "support/cm.h"

static double half_of(const char *name)
{
    const struct nsc_peak *peak = nsc_peak_find(nsc_text_from(name));

    return peak ? peak->half : -1;
}

TEST(test_real_names_are_found)
{
    assert_true(half_of("NVIDIA H100 80GB HBM3") == 989.4);
    assert_true(half_of("NVIDIA H100 PCIe") == 756.5);
    assert_true(half_of("NVIDIA H100 NVL") == 835.5);
    assert_true(half_of("NVIDIA A100-SXM4-80GB") == 312);
    assert_true(half_of("NVIDIA L40S") == 362.05);
    assert_true(half_of("NVIDIA L4") == 121);
    assert_true(half_of("NVIDIA GeForce RTX 4090") == 165.2);
    assert_true(half_of("Tesla V100-SXM2-16GB") == 125);
}

TEST(test_variants_have_rows_of_their_own)
{
    assert_true(half_of("Tesla V100-PCIE-16GB") == 112);
    assert_true(half_of("NVIDIA GeForce RTX 3090 Ti") == 80);
    assert_true(half_of("NVIDIA GeForce RTX 3090") == 71);
    assert_true(half_of("NVIDIA GeForce RTX 4090 D") == 147.1);
    assert_true(half_of("NVIDIA A100-PCIE-40GB") == 312);
}

TEST(test_others_are_not_guessed)
{
    assert_true(half_of("NVIDIA A100-SXM4-80GB MIG 1g.10gb") == -1);
    assert_true(half_of("NVIDIA GeForce RTX 4090 Laptop GPU") == -1);
    assert_true(half_of("NVIDIA GeForce RTX 2060 with Max-Q Design") == -1);
    assert_true(half_of("NVIDIA GeForce RTX 5090 D") == -1);
    assert_true(half_of("NVIDIA RTX PRO 6000 Blackwell Server Edition") == -1);
    assert_true(half_of("Quadro RTX 6000") == -1);
    assert_null(nsc_peak_find_part(nsc_text_from("NVIDIA H100 80GB HBM3"), 60));
    assert_non_null(nsc_peak_find_part(nsc_text_from("NVIDIA H100 80GB HBM3"), 132));
    assert_non_null(nsc_peak_find_part(nsc_text_from("NVIDIA H100 80GB HBM3"), 0));
    assert_true(half_of("NVIDIA L400") == -1);
    assert_true(half_of("Quadro P1000") == -1);
    assert_true(half_of("") == -1);
}

TEST(test_memory_follows_the_board)
{
    assert_true(nsc_peak_find(nsc_text_from("NVIDIA A100-SXM4-80GB"))->bytes == 2039);
    assert_true(nsc_peak_find(nsc_text_from("NVIDIA A100 80GB PCIe"))->bytes == 1935);
    assert_true(nsc_peak_find(nsc_text_from("NVIDIA A100-SXM4-40GB"))->bytes == 1555);
    assert_true(nsc_peak_find(nsc_text_from("NVIDIA H200"))->bytes == 4800);
}
