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
#include "analysis/skill/skills.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>

/* ---- tensor_core_usage ---- */

const struct nsc_sheet_column nsc_skill_tensor_core_usage_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"kernels", "Matrix kernels", NULL, NSC_SHEET_COUNT, 0},
    {"total_ns", "Their time", NULL, NSC_SHEET_NS, 0},
    {"of_all", "Of all", "summed kernel time", NSC_SHEET_PERCENT, 0},
    {"tensor_kernels", "On tensor cores", NULL, NSC_SHEET_COUNT, 0},
    {"tensor_ns", "Their time", NULL, NSC_SHEET_NS, 0},
    {"tensor_share", "Share", "time of matrix kernels", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static const struct nsc_sheet_column other_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"count", "Kernels", NULL, NSC_SHEET_COUNT, 0},
    {"total_ns", "Total", NULL, NSC_SHEET_NS, 0},
    {"kernel", "Matrix kernel that is not known to use tensor cores", NULL, NSC_SHEET_TEXT, 0},
    {NULL, NULL, NULL, 0, 0},
};

enum tensor { NO_MATRIX, NO_TENSOR, TENSOR };

static bool has_any(struct nsc_text name, const char *const words[])
{
    for (size_t i = 0; words[i]; i++)
        if (nsc_text_contains_folded(name, nsc_text_from(words[i])))
            return true;
    return false;
}

/* PEER 1.7.6, with what it leaves out: names of Hopper and later, and FFMA and SIMT kernels that
 * hold "xmma" all the same. */
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

struct tensor_use {
    uint64_t matrix, tensor;
    nsc_time matrix_ns, tensor_ns, all_ns;
};

static void add_use(struct nsc_sheet *sheet, const struct nsc_trace *trace, uint32_t device,
                    const struct tensor_use *use)
{
    nsc_device_cell(sheet, trace, device);
    nsc_sheet_add_int(sheet, (int64_t)use->matrix);
    nsc_sheet_add_int(sheet, use->matrix_ns);
    nsc_sheet_add_share(sheet, use->matrix_ns, use->all_ns);
    nsc_sheet_add_int(sheet, (int64_t)use->tensor);
    nsc_sheet_add_int(sheet, use->tensor_ns);
    nsc_sheet_add_share(sheet, use->tensor_ns, use->matrix_ns);
}

static void add_other(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                      const struct nsc_kernel_share *share, struct nsc_text name)
{
    nsc_device_cell(sheet, trace, share->device);
    nsc_sheet_add_int(sheet, share->count);
    nsc_sheet_add_int(sheet, share->work);
    nsc_sheet_add_text(sheet, name);
}

static void measure_tensor(struct nsc_sheet sheets[2], const struct nsc_question *question,
                           const struct nsc_kernel_work *work, uint32_t device)
{
    const struct nsc_trace *trace = question->scope->trace;
    int64_t limit = question->params[NSC_PARAM_LIMIT].integer;
    struct tensor_use use = {0};
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
            add_other(&sheets[1], trace, share, name);
    }
    if (use.all_ns > 0)
        add_use(&sheets[0], trace, device, &use);
}

void nsc_skill_tensor_core_usage(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheets;
    struct nsc_kernel_work work;

    (void)nsc_question_sheet(out, question, "tensor_core_usage",
                             nsc_skill_tensor_core_usage_columns);
    (void)nsc_question_more(out, question, "other_matrix_kernels",
                            "Matrix kernels not known to use tensor cores", other_columns);
    sheets = &out->list.at[out->list.n - 2];
    nsc_kernel_work_build(&work, question->scope);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(question->scope->trace, d)) != NSC_NONE;)
        measure_tensor(sheets, question, &work, d);
    nsc_kernel_work_fini(&work);
    nsc_sheet_note(&sheets[0],
                   nsc_sheet_rows(&sheets[0])
                       ? "Told by the kernel's name alone, so a lower bound; how busy the tensor "
                         "cores are only Nsight Compute or GPU metrics can tell."
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

static void add_rate(struct nsc_sheet *sheet, nsc_time ns, double flops, double peak)
{
    double rate = flops / (double)ns / 1e3; /* operations a ns are GFLOP/s */

    nsc_sheet_add_int(sheet, ns);
    nsc_sheet_add_number(sheet, rate);
    if (peak > 0) {
        nsc_sheet_add_number(sheet, peak);
        nsc_sheet_add_number(sheet, 100 * rate / peak);
    } else {
        nsc_sheet_add_unknown(sheet);
        nsc_sheet_add_unknown(sheet);
    }
}

/* What the figures cannot say, or say wrongly. mfu: its column. */
static void note_rates(struct nsc_sheet *sheet, const struct nsc_question *question, uint32_t mfu)
{
    nsc_sheet_note(sheet, "%.4g operations, as given, in all.",
                   question->params[NSC_PARAM_FLOPS].number);
    if (!question->params[NSC_PARAM_PEAK].is_set)
        nsc_sheet_note(sheet,
                       "The peak is that of dense bf16 on tensor cores by the device's name; "
                       "-p peak= gives another.");
    for (uint32_t i = 0; i < nsc_sheet_rows(sheet); i++) {
        const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, i, mfu);

        if (cell->is_set && cell->number > 100) {
            nsc_sheet_note(sheet,
                           "More than 100 %% cannot be: the operations are too many for what "
                           "was measured, or the peak is too low.");
            return;
        }
    }
}

/* ---- region_mfu ---- */

const struct nsc_sheet_column nsc_skill_region_mfu_columns[] = {
    {"time", "Time", NULL, NSC_SHEET_TEXT, 0},
    {"kernels", "Kernels", NULL, NSC_SHEET_COUNT, 0},
    {"ns", "Length", NULL, NSC_SHEET_NS, 0},
    {"tflops", "TFLOP/s", NULL, NSC_SHEET_NUMBER, 2},
    {"peak_tflops", "Peak", NULL, NSC_SHEET_NUMBER, 1},
    {"mfu", "MFU", "peak", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
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

    for (unsigned i = 0; i < 4; i++) {
        nsc_sheet_add_puts(sheet, words[i]);
        nsc_sheet_add_int(sheet, region->kernels);
        add_rate(sheet, times[i], question->params[NSC_PARAM_FLOPS].number, peak);
    }
    note_rates(sheet, question, 5);
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
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "region_mfu", nsc_skill_region_mfu_columns);

    if (!question->params[NSC_PARAM_NAME].is_set || !question->params[NSC_PARAM_FLOPS].is_set)
        nsc_sheet_note(sheet, "Give the range and its operations: -p name=NAME/N -p flops=1.2e15.");
    else
        find_region(sheet, question);
}

/* ---- arithmetic_intensity ---- */

const struct nsc_sheet_column nsc_skill_arithmetic_intensity_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"kernel_busy_ns", "Kernels run", NULL, NSC_SHEET_NS, 0},
    {"tflops", "TFLOP/s", NULL, NSC_SHEET_NUMBER, 2},
    {"peak_tflops", "Peak", NULL, NSC_SHEET_NUMBER, 1},
    {"mfu", "MFU", "peak, while kernels run", NSC_SHEET_PERCENT, 0},
    {"memory_gbps", "Memory GB/s", NULL, NSC_SHEET_NUMBER, 0},
    {"ridge", "Ridge FLOP/byte", NULL, NSC_SHEET_NUMBER, 1},
    {NULL, NULL, NULL, 0, 0},
};

static void add_intensity(struct nsc_sheet *sheet, const struct nsc_question *question,
                          const struct nsc_work_times *times)
{
    const struct nsc_trace *trace = question->scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_peak *known =
        nsc_peak_find(nsc_trace_string(trace, tracks[times->device].label));
    double peak = find_peak(question, times->device);

    nsc_device_cell(sheet, trace, times->device);
    add_rate(sheet, times->kernels, question->params[NSC_PARAM_FLOPS].number, peak);
    if (known && peak > 0) {
        nsc_sheet_add_number(sheet, known->bytes);
        nsc_sheet_add_number(sheet, 1e3 * peak / known->bytes);
    } else {
        nsc_sheet_add_unknown(sheet);
        nsc_sheet_add_unknown(sheet);
    }
}

void nsc_skill_arithmetic_intensity(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = nsc_question_sheet(out, question, "arithmetic_intensity",
                                                 nsc_skill_arithmetic_intensity_columns);
    struct nsc_work_times times;

    if (!question->params[NSC_PARAM_FLOPS].is_set) {
        nsc_sheet_note(sheet, "Give the operations of one GPU in the window: -p flops=1.2e15.");
        return;
    }
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        if (times.kernels > 0)
            add_intensity(sheet, question, &times);
    }
    note_rates(sheet, question, 4);
    nsc_sheet_note(sheet,
                   "The operations are taken for those of each GPU. Above the ridge a kernel "
                   "can be bound by compute, below it by memory; which it is only its bytes "
                   "tell (Nsight Compute).");
}
