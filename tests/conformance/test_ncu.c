/* Real pages of Nsight Compute give the figures of another importer. */
#include "analysis/ncu/ncu_kernels.h"
#include "core/csv_read.h"
#include "core/paths.h"
#include "core/text.h"
#include "support/cm.h"
#include "support/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[2048];

static void read_file(struct nsc_buf *out, const char *name)
{
    struct nsc_error error = {0};
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (nsc_file_read(out, path, 1u << 24, &error) != NSC_OK)
        fail_msg("%s", error.text);
}

static void read_kernel(struct nsc_ncu *ncu, struct nsc_ncu_kernels *kernels, const char *name)
{
    struct nsc_buf text = NSC_BUF_INIT(1u << 24);
    struct nsc_error error = {0};

    read_file(&text, name);
    assert_int_equal(nsc_ncu_read(ncu, (struct nsc_text){text.bytes, (uint32_t)text.n}, &error),
                     NSC_OK);
    nsc_ncu_kernels_build(kernels, ncu);
    assert_int_equal(kernels->list.n, 1);
    assert_int_equal(ncu->n_skipped, 0);
    nsc_buf_fini(&text);
}

static double summary_value(struct nsc_csv *csv, const char *const header[], uint32_t n,
                            const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(header[i], name) == 0) {
            struct nsc_text field = nsc_csv_field(csv, i);
            double value = 0;

            return nsc_ncu_parse(&value, field, nsc_text_from("")) ? value : (double)NAN;
        }
    fail_msg("the summary has no column %s", name);
    return 0;
}

/* The row of kernel_0001 or kernel_0003 in the other importer's summary. */
static void compare_row(struct nsc_csv *csv, const char *const header[], uint32_t n,
                        const struct nsc_ncu_kernel *kernel)
{
    static const struct {
        const char *name;
        enum nsc_ncu_metric metric;
        double scale;
    } rows[] = {{"sm_throughput_pct", NSC_NCU_SM, 1},
                {"dram_throughput_pct", NSC_NCU_DRAM, 1},
                {"mem_throughput_pct", NSC_NCU_MEMORY, 1},
                {"l1tex_throughput_pct", NSC_NCU_L1, 1},
                {"l2_throughput_pct", NSC_NCU_L2, 1},
                {"duration_us", NSC_NCU_DURATION, 1e3},
                {"memory_throughput_gbs", NSC_NCU_MEMORY_RATE, 1e9},
                {"achieved_occupancy_pct", NSC_NCU_OCCUPANCY, 1},
                {"theoretical_occupancy_pct", NSC_NCU_OCCUPANCY_MAX, 1}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double wanted = summary_value(csv, header, n, rows[i].name) * rows[i].scale;

        if (!(fabs(kernel->value[rows[i].metric] - wanted) <= 1e-9 * wanted))
            fail_msg("%s: %.9g, not %.9g", rows[i].name, kernel->value[rows[i].metric], wanted);
    }
}

static void compare_kernel(const char *id, const char *file)
{
    struct nsc_buf text = NSC_BUF_INIT(1u << 24);
    struct nsc_ncu_kernels kernels;
    struct nsc_ncu ncu;
    struct nsc_csv csv;
    const char *header[64];
    uint32_t n = 0;
    bool found = false;

    read_kernel(&ncu, &kernels, file);
    read_file(&text, "metrics_summary.csv");
    nsc_csv_init(&csv, text.bytes, text.n);
    assert_true(nsc_csv_next(&csv));
    for (n = 0; n < nsc_csv_fields(&csv) && n < 64; n++) {
        struct nsc_text field = nsc_csv_field(&csv, n);

        header[n] = strndup(field.bytes, field.n);
    }
    while (!found && nsc_csv_next(&csv)) {
        struct nsc_text first = nsc_csv_field(&csv, 0);

        found = first.n > strlen(id) && memcmp(first.bytes, id, strlen(id)) == 0;
        if (found)
            compare_row(&csv, header, n, &kernels.list.at[0]);
    }
    assert_true(found);
    for (uint32_t i = 0; i < n; i++)
        free((void *)(uintptr_t)header[i]);
    nsc_csv_fini(&csv);
    nsc_buf_fini(&text);
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
}

TEST(test_details_equal_the_summary)
{
    compare_kernel("kernel_0001", "kernel_0001.details.csv");
    compare_kernel("kernel_0003", "kernel_0003.details.csv");
}

/* 1 275 068 416 operations in 23.42 us over 3.35 MB: not over 3.35 bytes. */
TEST(test_bytes_are_bytes)
{
    struct nsc_ncu_kernels kernels;
    struct nsc_roofline roof;
    struct nsc_ncu ncu;

    read_kernel(&ncu, &kernels, "kernel_0003.metrics.csv");
    roof = nsc_ncu_roofline(&kernels.list.at[0], 0);
    assert_true(fabs(roof.flop_per_byte - 1275068416 / 3.35e6) < 1e-6);
    assert_true(fabs(roof.flop_per_s - 1275068416 / 23.42e-6) < 1);
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
}

/* FFMA, FADD and FMUL per cycle times the SM's frequency, divided by the DRAM bandwidth. */
TEST(test_the_chart_gives_fp32)
{
    struct nsc_ncu_kernels kernels;
    struct nsc_roofline roof;
    struct nsc_ncu ncu;

    read_kernel(&ncu, &kernels, "kernel_0001.roofline.csv");
    roof = nsc_ncu_roofline(&kernels.list.at[0], 0);
    assert_true(roof.is_chart);
    assert_true(fabs(roof.flop_per_s - (158.12 + 1.97) * 2.15e9) < 1);
    assert_true(fabs(roof.flop_per_byte - (158.12 + 1.97) * 2.15 / 345.14) < 1e-9);
    assert_true(fabs(roof.peak - 43520 * 2.15e9) < 1);
    assert_true(fabs(roof.memory - 128 * 13.72e9) < 1);
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
}

TEST_MAIN
{
    const char *golden = nsc_test_golden();

    if (!golden)
        return NSC_TEST_SKIPPED;
    snprintf(folder, sizeof folder, "%s/ncu-samples", golden);
    return nsc_test_run(NULL, NULL);
}
