/*
 * What Nsight Compute measured, as sheets.
 */
#include "analysis/ncu/ncu_kernels.h"

#include <math.h>
#include <stdlib.h>

static void add_texts(struct nsc_sheet *sheet, const struct nsc_ncu_kernels *kernels,
                      const struct nsc_ncu_kernel *kernel)
{
    nsc_sheet_add_text(sheet, nsc_strpool_text(&kernels->ncu->texts, kernel->kernel));
}

static void add_ns(struct nsc_sheet *sheet, double ns)
{
    if (isnan(ns) || ns < 0 || ns > 9e18)
        nsc_sheet_add_unknown(sheet);
    else
        nsc_sheet_add_int(sheet, (int64_t)llround(ns));
}

static void add_bytes(struct nsc_sheet *sheet, double bytes)
{
    add_ns(sheet, bytes); /* whole numbers of the same range */
}

/* ---- kernels ---- */

static const struct nsc_sheet_column kernel_columns[] = {
    {"kernel", "Kernel", NULL, NSC_SHEET_TEXT, 0},
    {"range", "NVTX range", NULL, NSC_SHEET_TEXT, 0},
    {"device", "GPU", NULL, NSC_SHEET_ID, 0},
    {"calls", "Profiled", NULL, NSC_SHEET_COUNT, 0},
    {"total_ns", "Total", NULL, NSC_SHEET_NS, 0},
    {"mean_ns", "Mean", NULL, NSC_SHEET_NS, 0},
    {"dram_read_bytes", "DRAM read", NULL, NSC_SHEET_BYTES, 0},
    {"dram_write_bytes", "DRAM written", NULL, NSC_SHEET_BYTES, 0},
};

static void fill_kernels(struct nsc_sheet *sheet, const struct nsc_ncu_kernels *kernels)
{
    for (size_t i = 0; i < kernels->list.n; i++) {
        const struct nsc_ncu_kernel *kernel = &kernels->list.at[i];

        add_texts(sheet, kernels, kernel);
        nsc_sheet_add_text(sheet, nsc_strpool_text(&kernels->ncu->texts, kernel->range));
        nsc_sheet_add_int(sheet, kernel->device);
        nsc_sheet_add_int(sheet, (int64_t)kernel->calls);
        add_ns(sheet, kernel->value[NSC_NCU_DURATION]);
        add_ns(sheet, kernel->value[NSC_NCU_DURATION] / (double)kernel->calls);
        add_bytes(sheet, kernel->value[NSC_NCU_READ]);
        add_bytes(sheet, kernel->value[NSC_NCU_WRITE]);
    }
    nsc_sheet_note(sheet, "Times under Nsight Compute: each kernel runs alone, clocks may be "
                          "locked; compare them with each other, not with a timeline.");
    if (kernels->ncu->n_missing)
        nsc_sheet_note(sheet, "%llu values were n/a or no number.",
                       (unsigned long long)kernels->ncu->n_missing);
    if (kernels->ncu->n_skipped)
        nsc_sheet_note(sheet, "%llu rows were no measurements and were skipped.",
                       (unsigned long long)kernels->ncu->n_skipped);
}

/* ---- speed of light ---- */

static const struct nsc_sheet_column light_columns[] = {
    {"kernel", "Kernel", NULL, NSC_SHEET_TEXT, 0},
    {"sm_pct", "SM", "peak compute throughput", NSC_SHEET_PERCENT, 0},
    {"memory_pct", "Memory", "peak throughput of the busiest memory unit", NSC_SHEET_PERCENT, 0},
    {"dram_pct", "DRAM", "peak DRAM throughput", NSC_SHEET_PERCENT, 0},
    {"l1_pct", "L1", "peak L1 throughput", NSC_SHEET_PERCENT, 0},
    {"l2_pct", "L2", "peak L2 throughput", NSC_SHEET_PERCENT, 0},
    {"memory_gb_per_s", "GB/s", NULL, NSC_SHEET_NUMBER, 1},
    {"occupancy_pct", "Occupancy", "the SM's warps", NSC_SHEET_PERCENT, 0},
    {"occupancy_max_pct", "possible", "the SM's warps", NSC_SHEET_PERCENT, 0},
    {"bound", "Bound by", NULL, NSC_SHEET_TEXT, 0},
};

static void fill_light(struct nsc_sheet *sheet, const struct nsc_ncu_kernels *kernels)
{
    for (size_t i = 0; i < kernels->list.n; i++) {
        const struct nsc_ncu_kernel *kernel = &kernels->list.at[i];

        add_texts(sheet, kernels, kernel);
        nsc_sheet_add_number(sheet, kernel->value[NSC_NCU_SM]);
        nsc_sheet_add_number(sheet, kernel->value[NSC_NCU_MEMORY]);
        nsc_sheet_add_number(sheet, kernel->value[NSC_NCU_DRAM]);
        nsc_sheet_add_number(sheet, kernel->value[NSC_NCU_L1]);
        nsc_sheet_add_number(sheet, kernel->value[NSC_NCU_L2]);
        nsc_sheet_add_number(sheet, kernel->value[NSC_NCU_MEMORY_RATE] / 1e9);
        nsc_sheet_add_number(sheet, kernel->value[NSC_NCU_OCCUPANCY]);
        nsc_sheet_add_number(sheet, kernel->value[NSC_NCU_OCCUPANCY_MAX]);
        nsc_sheet_add_puts(sheet, nsc_ncu_bound(kernel));
    }
    nsc_sheet_note(sheet, "Means over launches, weighted by their time. Bound by: SM and DRAM more "
                          "than 5 points apart; cache: the memory units as a whole beat both.");
}

/* ---- roofline ---- */

static const struct nsc_sheet_column roof_columns[] = {
    {"kernel", "Kernel", NULL, NSC_SHEET_TEXT, 0},
    {"flop_per_byte", "FLOP/byte", NULL, NSC_SHEET_NUMBER, 3},
    {"tflop_per_s", "TFLOP/s", NULL, NSC_SHEET_NUMBER, 3},
    {"roof_tflop_per_s", "Roof", NULL, NSC_SHEET_NUMBER, 3},
    {"roof_pct", "of it", "the roof at this FLOP/byte", NSC_SHEET_PERCENT, 0},
    {"ridge_flop_per_byte", "Ridge", NULL, NSC_SHEET_NUMBER, 3},
    {"from", "From", NULL, NSC_SHEET_TEXT, 0},
};

static void fill_roof(struct nsc_sheet *sheet, const struct nsc_ncu_kernels *kernels, double peak)
{
    for (size_t i = 0; i < kernels->list.n; i++) {
        struct nsc_roofline roof = nsc_ncu_roofline(&kernels->list.at[i], peak);

        add_texts(sheet, kernels, &kernels->list.at[i]);
        nsc_sheet_add_number(sheet, roof.flop_per_byte);
        nsc_sheet_add_number(sheet, roof.flop_per_s / 1e12);
        nsc_sheet_add_number(sheet, roof.roof / 1e12);
        nsc_sheet_add_number(sheet, 100 * roof.flop_per_s / roof.roof);
        nsc_sheet_add_number(sheet, roof.peak / roof.memory);
        if (isnan(roof.flop_per_s))
            nsc_sheet_add_unknown(sheet);
        else
            nsc_sheet_add_puts(sheet, roof.is_chart ? "fp32 chart" : "counters");
    }
    nsc_sheet_note(sheet,
                   "FLOP/byte: operations over DRAM bytes read and written. counters: "
                   "tensor and instruction counters (an FMA is two), against the peak given; "
                   "fp32 chart: FFMA, FADD and FMUL outside tensor cores.");
}

/* ---- stages ---- */

static const struct nsc_sheet_column stage_columns[] = {
    {"range", "NVTX range", NULL, NSC_SHEET_TEXT, 0},
    {"calls", "Profiled", NULL, NSC_SHEET_COUNT, 0},
    {"gpu_ns", "GPU time", NULL, NSC_SHEET_NS, 0},
    {"gflop", "GFLOP", NULL, NSC_SHEET_NUMBER, 3},
    {"tflop_per_s", "TFLOP/s", NULL, NSC_SHEET_NUMBER, 3},
    {"mfu_pct", "MFU", "the dense peak, over the summed GPU time", NSC_SHEET_PERCENT, 0},
};

struct stage {
    nsc_str range;
    uint64_t calls;
    double ns, flop;
};

static void fill_stages(struct nsc_sheet *sheet, const struct nsc_ncu_kernels *kernels, double peak)
{
    struct stage *stages = nsc_xcalloc(kernels->list.n + 1, sizeof *stages);
    uint32_t *stage_of = nsc_xcalloc(kernels->ncu->texts.n, sizeof *stage_of); /* + 1; 0: new */
    uint32_t n = 0;

    for (size_t i = 0; i < kernels->list.n; i++) {
        const struct nsc_ncu_kernel *kernel = &kernels->list.at[i];
        struct stage *stage = NULL;

        if (!stage_of[kernel->range]) {
            stages[n].range = kernel->range;
            stages[n].flop = (double)NAN;
            stage_of[kernel->range] = ++n;
        }
        stage = &stages[stage_of[kernel->range] - 1];
        stage->calls += kernel->calls;
        stage->ns += kernel->value[NSC_NCU_DURATION];
        if (!isnan(kernel->flop))
            stage->flop = (isnan(stage->flop) ? 0 : stage->flop) + kernel->flop;
    }
    for (uint32_t i = 0; i < n; i++) {
        double rate = stages[i].flop / stages[i].ns * 1e9;

        if (stages[i].range)
            nsc_sheet_add_text(sheet, nsc_strpool_text(&kernels->ncu->texts, stages[i].range));
        else
            nsc_sheet_add_puts(sheet, "(unlabeled)");
        nsc_sheet_add_int(sheet, (int64_t)stages[i].calls);
        add_ns(sheet, stages[i].ns);
        nsc_sheet_add_number(sheet, stages[i].flop / 1e9);
        nsc_sheet_add_number(sheet, rate / 1e12);
        nsc_sheet_add_number(sheet, 100 * rate / peak);
    }
    free(stages);
    free(stage_of);
    if (peak > 0)
        nsc_sheet_note(sheet, "Peak: %.1f TFLOP/s.", peak / 1e12);
    else
        nsc_sheet_note(sheet, "MFU is not known: give the dense peak with --peak TFLOPS, or an "
                              "export of the same device as the second file.");
    nsc_sheet_note(sheet, "Counted operations of the profiled launches over their summed time, not "
                          "over wall time: a ceiling of the stage's MFU.");
}

void nsc_ncu_sheets(struct nsc_sheets *out, const struct nsc_ncu_kernels *kernels, double peak)
{
    fill_kernels(nsc_sheets_add(out, "kernels", "Kernels under Nsight Compute", kernel_columns, 8),
                 kernels);
    fill_light(nsc_sheets_add(out, "speed_of_light", "Speed of light", light_columns, 10), kernels);
    fill_roof(nsc_sheets_add(out, "roofline", "Roofline", roof_columns, 7), kernels, peak);
    fill_stages(nsc_sheets_add(out, "stages", "Operations by NVTX range", stage_columns, 6),
                kernels, peak > 0 ? peak : (double)NAN);
}
