/* Fills the sheets of Nsight Compute's results. */
#include "analysis/base/limit.h"
#include "analysis/ncu/ncu_kernels.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>

static struct nsc_text name_of(const struct nsc_ncu_kernels *kernels,
                               const struct nsc_ncu_kernel *kernel)
{
    return nsc_strpool_text(&kernels->ncu->texts, kernel->kernel);
}

/* ns or bytes, rounded. */
static int64_t whole(double value)
{
    return isnan(value) || value < 0 || value > 9e18 ? NSC_UNKNOWN : (int64_t)llround(value);
}

/* ---- kernels ---- */

struct ncu_kernel_row {
    struct nsc_text kernel, range;
    struct nsc_ncu_kernel of;
    nsc_time total, mean;
    int64_t device;
    int64_t read, written; /* bytes */
};

static const struct nsc_sheet_column kernel_columns[] = {
    NSC_COL_TEXT(ncu_kernel_row, kernel, "kernel", "Kernel"),
    NSC_COL_TEXT(ncu_kernel_row, range, "range", "NVTX range"),
    NSC_COL_ID(ncu_kernel_row, device, "device", "GPU"),
    NSC_COL_COUNT(ncu_kernel_row, of.calls, "calls", "Profiled"),
    NSC_COL_NS(ncu_kernel_row, total, "total_ns", "Total"),
    NSC_COL_NS(ncu_kernel_row, mean, "mean_ns", "Mean"),
    NSC_COL_BYTES(ncu_kernel_row, read, "dram_read_bytes", "DRAM read"),
    NSC_COL_BYTES(ncu_kernel_row, written, "dram_write_bytes", "DRAM written"),
};

static void fill_kernels(struct nsc_sheet *sheet, const struct nsc_ncu_kernels *kernels)
{
    for (size_t i = 0; i < kernels->list.n; i++) {
        const struct nsc_ncu_kernel *kernel = &kernels->list.at[i];

        double total = kernel->value[NSC_NCU_DURATION];

        NSC_ADD_ROW(sheet, ncu_kernel_row, .kernel = name_of(kernels, kernel),
                    .range = nsc_strpool_text(&kernels->ncu->texts, kernel->range), .of = *kernel,
                    .total = whole(total), .mean = whole(total / (double)kernel->calls),
                    .device = kernel->device < 0 ? NSC_UNKNOWN : kernel->device,
                    .read = whole(kernel->value[NSC_NCU_READ]),
                    .written = whole(kernel->value[NSC_NCU_WRITE]));
    }
    nsc_sheet_note(sheet, "Times under Nsight Compute: each kernel runs alone, clocks may be "
                          "locked; compare them with each other, not with a timeline.");
    if (kernels->ncu->n_missing)
        nsc_sheet_note(sheet, "%llu values were n/a or not numbers.",
                       (unsigned long long)kernels->ncu->n_missing);
    if (kernels->ncu->n_skipped)
        nsc_sheet_note(sheet, "%llu rows were skipped because they are no measurements.",
                       (unsigned long long)kernels->ncu->n_skipped);
}

/* ---- speed of light ---- */

struct light_row {
    struct nsc_text kernel;
    struct nsc_ncu_kernel of;
    double rate; /* GB/s */
    const char *bound;
};

static const struct nsc_sheet_column light_columns[] = {
    NSC_COL_TEXT(light_row, kernel, "kernel", "Kernel"),
    NSC_COL_PERCENT(light_row, of.value[NSC_NCU_SM], "sm_pct", "SM", "peak compute throughput"),
    NSC_COL_PERCENT(light_row, of.value[NSC_NCU_MEMORY], "memory_pct", "Memory",
                    "peak throughput of the busiest memory unit"),
    NSC_COL_PERCENT(light_row, of.value[NSC_NCU_DRAM], "dram_pct", "DRAM", "peak DRAM throughput"),
    NSC_COL_PERCENT(light_row, of.value[NSC_NCU_L1], "l1_pct", "L1", "peak L1 throughput"),
    NSC_COL_PERCENT(light_row, of.value[NSC_NCU_L2], "l2_pct", "L2", "peak L2 throughput"),
    NSC_COL_NUMBER(light_row, rate, "memory_gb_per_s", "GB/s", 1),
    NSC_COL_PERCENT(light_row, of.value[NSC_NCU_OCCUPANCY], "occupancy_pct", "Occupancy",
                    "the SM's warps"),
    NSC_COL_PERCENT(light_row, of.value[NSC_NCU_OCCUPANCY_MAX], "occupancy_max_pct", "possible",
                    "the SM's warps"),
    NSC_COL_TEXT(light_row, bound, "bound", "Bound by"),
};

static void fill_light(struct nsc_sheet *sheet, const struct nsc_ncu_kernels *kernels)
{
    for (size_t i = 0; i < kernels->list.n; i++) {
        const struct nsc_ncu_kernel *kernel = &kernels->list.at[i];

        NSC_ADD_ROW(sheet, light_row, .kernel = name_of(kernels, kernel), .of = *kernel,
                    .rate = kernel->value[NSC_NCU_MEMORY_RATE] / 1e9,
                    .bound = nsc_ncu_bound(kernel));
    }
    nsc_sheet_note(
        sheet,
        "Means over launches, weighted by their time. Bound by latency: SM and memory are both "
        "below %d %% of their peaks. Compute or memory: one is more than %d points above the "
        "other. Cache: as memory, but DRAM is more than that many points below it.",
        NSC_LIMIT_BUSY, NSC_LIMIT_NCU_APART);
}

/* ---- roofline ---- */

struct roof_row {
    struct nsc_text kernel;
    struct nsc_roofline of;
    double tflop_per_s, roof, share, ridge;
    const char *from;
};

static const struct nsc_sheet_column roof_columns[] = {
    NSC_COL_TEXT(roof_row, kernel, "kernel", "Kernel"),
    NSC_COL_NUMBER(roof_row, of.flop_per_byte, "flop_per_byte", "FLOP/byte", 3),
    NSC_COL_NUMBER(roof_row, tflop_per_s, "tflop_per_s", "TFLOP/s", 3),
    NSC_COL_NUMBER(roof_row, roof, "roof_tflop_per_s", "Roof", 3),
    NSC_COL_PERCENT(roof_row, share, "roof_pct", "of it", "the roof at this FLOP/byte"),
    NSC_COL_NUMBER(roof_row, ridge, "ridge_flop_per_byte", "Ridge", 3),
    NSC_COL_TEXT(roof_row, from, "from", "From"),
};

static void fill_roof(struct nsc_sheet *sheet, const struct nsc_ncu_kernels *kernels, double peak)
{
    for (size_t i = 0; i < kernels->list.n; i++) {
        struct nsc_roofline roof = nsc_ncu_roofline(&kernels->list.at[i], peak);

        const char *from = roof.is_chart ? "fp32 chart" : "counters";

        NSC_ADD_ROW(sheet, roof_row, .kernel = name_of(kernels, &kernels->list.at[i]), .of = roof,
                    .tflop_per_s = roof.flop_per_s / 1e12, .roof = roof.roof / 1e12,
                    .share = 100 * roof.flop_per_s / roof.roof, .ridge = roof.peak / roof.memory,
                    .from = isnan(roof.flop_per_s) ? NULL : from);
    }
    nsc_sheet_note(sheet,
                   "FLOP/byte: operations over DRAM bytes read and written. counters: "
                   "tensor and instruction counters (an FMA is two), against the peak given; "
                   "fp32 chart: FFMA, FADD and FMUL outside tensor cores.");
}

/* ---- stages ---- */

struct ncu_stage_row {
    struct nsc_text range;
    uint64_t calls;
    nsc_time total;
    double gflop, tflop_per_s, mfu;
};

static const struct nsc_sheet_column stage_columns[] = {
    NSC_COL_TEXT(ncu_stage_row, range, "range", "NVTX range"),
    NSC_COL_COUNT(ncu_stage_row, calls, "calls", "Profiled"),
    NSC_COL_NS(ncu_stage_row, total, "gpu_ns", "GPU time"),
    NSC_COL_NUMBER(ncu_stage_row, gflop, "gflop", "GFLOP", 3),
    NSC_COL_NUMBER(ncu_stage_row, tflop_per_s, "tflop_per_s", "TFLOP/s", 3),
    NSC_COL_PERCENT(ncu_stage_row, mfu, "mfu_pct", "MFU",
                    "the dense peak, over the summed GPU time"),
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

        NSC_ADD_ROW(
            sheet, ncu_stage_row,
            .range = stages[i].range ? nsc_strpool_text(&kernels->ncu->texts, stages[i].range)
                                     : nsc_text_from("(unlabeled)"),
            .calls = stages[i].calls, .total = whole(stages[i].ns), .gflop = stages[i].flop / 1e9,
            .tflop_per_s = rate / 1e12, .mfu = 100 * rate / peak);
    }
    free(stages);
    free(stage_of);
    if (peak > 0)
        nsc_sheet_note(sheet, "MFU = counted FLOP / summed GPU time / dense peak, %.1f TFLOP/s.",
                       peak / 1e12);
    else
        nsc_sheet_note(sheet, "MFU is not known: give the dense peak with --peak TFLOPS, or an "
                              "export of the same device as the second file.");
    nsc_sheet_note(sheet, "Counted operations of the profiled launches divided by their summed "
                          "time, not by wall time: an upper bound of the stage's MFU.");
}

void nsc_ncu_sheets(struct nsc_sheets *out, const struct nsc_ncu_kernels *kernels, double peak)
{
    fill_kernels(nsc_sheets_add(out, "kernels", "Kernels under Nsight Compute", kernel_columns, 8),
                 kernels);
    fill_light(nsc_sheets_add(out, "speed_of_light", "Speed of light", light_columns, 10), kernels);
    fill_roof(nsc_sheets_add(out, "roofline", "Roofline", roof_columns, 7), kernels, peak);
    fill_stages(nsc_sheets_add(out, "stages", "Operations by NVTX range", stage_columns, 6),
                kernels, peak > 0 ? peak : (double)NAN);
    nsc_ncu_rules_sheet(out, kernels->ncu);
}
