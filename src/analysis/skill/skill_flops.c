/*
 * Skills about floating-point rates: tensor cores by kernel names, MFU of a range and of a window
 * from operations that the user gives.
 */
#include "analysis/base/device_ops.h"
#include "analysis/device/kernel_work.h"
#include "analysis/device/work_times.h"
#include "analysis/names/peak.h"
#include "analysis/ranges/launches.h"
#include "analysis/ranges/named_range.h"
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>

/* ---- tensor_core_usage ---- */

struct tensor_use {
    int64_t gpu;
    uint64_t matrix, tensor;
    nsc_time matrix_ns, tensor_ns, all_ns;
};

const struct nsc_sheet_column nsc_skill_tensor_core_usage_columns[] = {
    NSC_COL_ID(tensor_use, gpu, "gpu", "GPU"),
    NSC_COL_COUNT(tensor_use, matrix, "kernels", "Matrix kernels"),
    NSC_COL_NS(tensor_use, matrix_ns, "total_ns", "Their time"),
    NSC_COL_SHARE(tensor_use, matrix_ns, all_ns, "of_all", "Of all", "summed kernel time"),
    NSC_COL_COUNT(tensor_use, tensor, "tensor_kernels", "On tensor cores"),
    NSC_COL_NS(tensor_use, tensor_ns, "tensor_ns", "Their time"),
    NSC_COL_SHARE(tensor_use, tensor_ns, matrix_ns, "tensor_share", "Share",
                  "time of matrix kernels"),
    {0},
};

struct other_matrix_row {
    int64_t gpu;
    struct nsc_kernel_share of;
    struct nsc_text kernel;
};

static const struct nsc_sheet_column other_columns[] = {
    NSC_COL_ID(other_matrix_row, gpu, "gpu", "GPU"),
    NSC_COL_COUNT(other_matrix_row, of.count, "count", "Kernels"),
    NSC_COL_NS(other_matrix_row, of.work, "total_ns", "Total"),
    NSC_COL_TEXT(other_matrix_row, kernel, "kernel",
                 "Matrix kernel that is not known to use tensor cores"),
    {0},
};

enum tensor { NO_MATRIX, NO_TENSOR, TENSOR };

static bool has_any(struct nsc_text name, const char *const words[])
{
    for (size_t i = 0; words[i]; i++)
        if (nsc_text_contains_folded(name, nsc_text_from(words[i])))
            return true;
    return false;
}

/* Knows the names of Hopper and later, and the FFMA and SIMT kernels that hold "xmma" though they
 * do not use tensor cores. */
static enum tensor judge(struct nsc_text name)
{
    static const char *const matrix[] = {"gemm",  "conv", "linear", "attention", "matmul",
                                         "flash", "fmha", "nvjet",  "mma",       NULL};
    static const char *const plain[] = {"ffma", "simt", "sgemm", "dgemm", "splitkreduce", NULL};
    static const char *const tensor[] = {"xmma",     "mma_sync",  "16816", "1688", "884",
                                         "tensorop", "tensor_op", "flash", "fmha", "nvjet",
                                         "wgmma",    "gmma",      "hmma",  "qmma", "bf16",
                                         "tcgen05",  "s16816",    "tf32",  NULL};

    if (!has_any(name, matrix))
        return NO_MATRIX;
    return !has_any(name, plain) && has_any(name, tensor) ? TENSOR : NO_TENSOR;
}

static void measure_tensor(struct nsc_sheet sheets[2], const struct nsc_question *question,
                           const struct nsc_kernel_work *work, uint32_t device)
{
    const struct nsc_trace *trace = question->scope->trace;
    int64_t limit = question->params[NSC_PARAM_LIMIT].integer;
    struct tensor_use use = {.gpu = nsc_trace_track(trace, device)->gpu};
    int64_t shown = 0;

    for (uint32_t i = 0; i < work->n; i++) {
        const struct nsc_kernel_share *share = &work->at[i];
        struct nsc_text name = nsc_trace_string(trace, nsc_trace_names(trace)->full[share->name]);
        enum tensor is = judge(name);

        if (share->device != device)
            continue;
        use.all_ns = nsc_sum(use.all_ns, share->work);
        use.matrix += is != NO_MATRIX ? share->count : 0;
        use.matrix_ns = is != NO_MATRIX ? nsc_sum(use.matrix_ns, share->work) : use.matrix_ns;
        use.tensor += is == TENSOR ? share->count : 0;
        use.tensor_ns = is == TENSOR ? nsc_sum(use.tensor_ns, share->work) : use.tensor_ns;
        if (is == NO_TENSOR && (limit == 0 || shown++ < limit))
            NSC_ADD_ROW(&sheets[1], other_matrix_row, .gpu = use.gpu, .of = *share, .kernel = name);
    }
    if (use.all_ns > 0)
        NSC_SHEET_ADD_ROW(&sheets[0], &use);
}

void nsc_skill_tensor_core_usage(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheets;
    struct nsc_kernel_work work;

    (void)NSC_SKILL_SHEET(out, question, tensor_core_usage);
    (void)nsc_question_more(out, question, "other_matrix_kernels",
                            "Matrix kernels not known to use tensor cores", other_columns);
    sheets = &out->list.at[out->list.n - 2];
    nsc_kernel_work_build(&work, question->scope);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(question->scope->trace, d)) != NSC_NONE;)
        measure_tensor(sheets, question, &work, d);
    nsc_kernel_work_fini(&work);
    nsc_sheet_note(&sheets[0],
                   nsc_sheet_rows(&sheets[0])
                       ? "Recognized by the kernel's name alone, so this is a lower bound. Only "
                         "Nsight Compute or GPU metrics show how busy the tensor cores are."
                       : "There are no kernels in the window.");
}

/* ---- rates against a peak ---- */

/* TFLOP/s: what was given, else what the device's name says for bf16; 0: not known. */
static double find_peak(const struct nsc_question *question, uint32_t device)
{
    const struct nsc_track *tracks = nsc_trace_tracks(question->scope->trace, NULL);
    const struct nsc_peak *peak;

    if (question->params[NSC_PARAM_PEAK].is_set)
        return question->params[NSC_PARAM_PEAK].number;
    peak = nsc_peak_find(nsc_trace_string(question->scope->trace, tracks[device].label));
    return peak ? peak->bf16 : 0;
}

struct rate {
    nsc_time ns;
    double tflops, peak, mfu; /* peak and mfu: 0 and NAN when not known */
};

static struct rate measure_rate(nsc_time ns, double flops, double peak)
{
    double rate = flops / (double)ns / 1e3; /* operations a ns are GFLOP/s */
    bool is_known = peak > 0;

    return (struct rate){ns, rate, is_known ? peak : (double)NAN,
                         is_known ? 100 * rate / peak : (double)NAN};
}

static bool is_too_high(const struct rate *rate)
{
    return isfinite(rate->mfu) && rate->mfu > 100;
}

/* Notes the limits of the figures. */
static void note_rates(struct nsc_sheet *sheet, const struct nsc_question *question, bool is_high)
{
    nsc_sheet_note(sheet, "Operations given: %.4g in total.",
                   question->params[NSC_PARAM_FLOPS].number);
    if (!question->params[NSC_PARAM_PEAK].is_set)
        nsc_sheet_note(sheet, "The peak is the dense bf16 rate of the tensor cores, found by the "
                              "device's name; -p peak= sets another.");
    if (is_high)
        nsc_sheet_note(sheet, "More than 100 %% is impossible: the operations given are too many "
                              "for the time measured, or the peak is too low.");
}

/* ---- region_mfu ---- */

struct region_row {
    const char *time;
    uint32_t kernels;
    struct rate rate;
};

const struct nsc_sheet_column nsc_skill_region_mfu_columns[] = {
    NSC_COL_TEXT(region_row, time, "time", "Time"),
    NSC_COL_COUNT(region_row, kernels, "kernels", "Kernels"),
    NSC_COL_NS(region_row, rate.ns, "ns", "Length"),
    NSC_COL_NUMBER(region_row, rate.tflops, "tflops", "TFLOP/s", 2),
    NSC_COL_NUMBER(region_row, rate.peak, "peak_tflops", "Peak", 1),
    NSC_COL_PERCENT(region_row, rate.mfu, "mfu", "MFU", "peak"),
    {0},
};

struct region {
    nsc_event range;
    uint32_t device; /* of the first kernel */
    uint32_t kernels;
    nsc_time wall, span, work, busy;
};

static int compare_starts(const void *a, const void *b)
{
    const struct nsc_window *x = a;
    const struct nsc_window *y = b;

    return x->t0 < y->t0 ? -1 : x->t0 > y->t0;
}

/* Kernels launched inside the range: their sum and the union of all, over every GPU. */
static bool measure_region(struct region *region, const struct nsc_trace *trace,
                           const struct nsc_launches *launches)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    struct nsc_positions in = nsc_launches_inside(launches, region->range);
    struct nsc_window *windows = nsc_xcalloc((size_t)(in.end - in.first) + 1, sizeof *windows);
    nsc_time reach = INT64_MIN;

    for (uint32_t at = in.first; at < in.end; at++) {
        nsc_event op = nsc_launches_op(launches, at);

        if (events->kind[op] != NSC_KIND_KERNEL)
            continue;
        if (region->kernels == 0)
            region->device = nsc_trace_group_of(trace, lanes[nsc_trace_lane_of(trace, op)].track);
        windows[region->kernels++] =
            (struct nsc_window){events->start[op], nsc_event_end(events, op)};
        region->work = nsc_sum(region->work, nsc_event_duration(events, op));
    }
    if (region->kernels > 1)
        qsort(windows, region->kernels, sizeof *windows, compare_starts);
    for (uint32_t i = 0; i < region->kernels; i++)
        region->busy = nsc_sum(region->busy, nsc_extend(&reach, windows[i].t0, windows[i].t1));
    region->wall = nsc_event_duration(events, region->range);
    region->span = region->kernels ? nsc_span(windows[0].t0, reach) : 0;
    free(windows);
    return region->kernels > 0;
}

static void add_region(struct nsc_sheet *sheet, const struct nsc_question *question,
                       const struct region *region)
{
    static const char *const words[] = {"range, on its thread", "kernels, first to last",
                                        "kernels, union", "kernels, sum"};
    const nsc_time times[] = {region->wall, region->span, region->busy, region->work};
    double peak = find_peak(question, region->device);

    bool is_high = false;

    for (unsigned i = 0; i < 4; i++) {
        struct rate rate = measure_rate(times[i], question->params[NSC_PARAM_FLOPS].number, peak);

        NSC_ADD_ROW(sheet, region_row, .time = words[i], .kernels = region->kernels, .rate = rate);
        is_high |= is_too_high(&rate);
    }
    note_rates(sheet, question, is_high);
}

static void find_region(struct nsc_sheet *sheet, const struct nsc_question *question)
{
    const struct nsc_trace *trace = question->scope->trace;
    struct nsc_range_name name =
        nsc_range_name_parse(trace, nsc_text_from(question->params[NSC_PARAM_NAME].text));
    struct nsc_named_ranges ranges;
    struct nsc_launches *launches = nsc_launches_build(trace, question->scope->mask);
    struct region region = {0};

    nsc_named_ranges_find(&ranges, trace, &name);
    if (!launches || name.index >= ranges.n) {
        nsc_sheet_note(sheet, "There are %u NVTX ranges of that name (-p name=NAME/N, from 0).",
                       (unsigned)ranges.n);
    } else {
        region.range = ranges.event[name.index];
        if (measure_region(&region, trace, launches))
            add_region(sheet, question, &region);
        else
            nsc_sheet_note(sheet, "The range launched no kernel whose call is known.");
    }
    nsc_named_ranges_fini(&ranges);
    nsc_launches_free(launches);
}

void nsc_skill_region_mfu(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, region_mfu);

    if (!question->params[NSC_PARAM_NAME].is_set || !question->params[NSC_PARAM_FLOPS].is_set)
        nsc_sheet_note(sheet, "Give the range and its operations: -p name=NAME/N -p flops=1.2e15.");
    else
        find_region(sheet, question);
}

/* ---- arithmetic_intensity ---- */

struct intensity_row {
    int64_t gpu;
    struct rate rate;
    double bytes, ridge;
};

const struct nsc_sheet_column nsc_skill_arithmetic_intensity_columns[] = {
    NSC_COL_ID(intensity_row, gpu, "gpu", "GPU"),
    NSC_COL_NS(intensity_row, rate.ns, "kernel_busy_ns", "Kernels run"),
    NSC_COL_NUMBER(intensity_row, rate.tflops, "tflops", "TFLOP/s", 2),
    NSC_COL_NUMBER(intensity_row, rate.peak, "peak_tflops", "Peak", 1),
    NSC_COL_PERCENT(intensity_row, rate.mfu, "mfu", "MFU", "peak, while kernels run"),
    NSC_COL_NUMBER(intensity_row, bytes, "memory_gbps", "Memory GB/s", 0),
    NSC_COL_NUMBER(intensity_row, ridge, "ridge", "Ridge FLOP/byte", 1),
    {0},
};

static struct rate add_intensity(struct nsc_sheet *sheet, const struct nsc_question *question,
                                 const struct nsc_work_times *times)
{
    const struct nsc_trace *trace = question->scope->trace;
    const struct nsc_track *track = nsc_trace_track(trace, times->device);
    const struct nsc_peak *known = nsc_peak_find(nsc_trace_string(trace, track->label));
    double peak = find_peak(question, times->device);
    struct rate rate = measure_rate(times->kernels, question->params[NSC_PARAM_FLOPS].number, peak);
    bool has_ridge = known && peak > 0;

    NSC_ADD_ROW(sheet, intensity_row, .gpu = track->gpu, .rate = rate,
                .bytes = has_ridge ? known->bytes : (double)NAN,
                .ridge = has_ridge ? 1e3 * peak / known->bytes : (double)NAN);
    return rate;
}

void nsc_skill_arithmetic_intensity(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, arithmetic_intensity);
    struct nsc_work_times times;
    bool is_high = false;

    if (!question->params[NSC_PARAM_FLOPS].is_set) {
        nsc_sheet_note(sheet, "Give the operations of one GPU in the window: -p flops=1.2e15.");
        return;
    }
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        if (times.kernels > 0) {
            struct rate rate = add_intensity(sheet, question, &times);

            is_high |= is_too_high(&rate);
        }
    }
    note_rates(sheet, question, is_high);
    nsc_sheet_note(sheet, "The operations given count for each GPU. Above the ridge compute can "
                          "limit a kernel, below it memory. Only the bytes that a kernel moves "
                          "decide which: Nsight Compute measures them.");
}
