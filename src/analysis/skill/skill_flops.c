/* Skills about floating-point rates: MFU of a range or a window, with operations given by the user. */
#include "analysis/ranges/launches.h"
#include "analysis/ranges/named_range.h"
#include "analysis/skill/flop_rate.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"

#include <math.h>
#include <stdlib.h>

/* ---- region_mfu ---- */

const struct nsc_sheet_column nsc_skill_region_mfu_columns[] = {
    NSC_COL_TEXT(nsc_flop_row, time, "time", "Time"),
    NSC_COL_COUNT(nsc_flop_row, kernels, "kernels", "Kernels"),
    NSC_COL_COUNT(nsc_flop_row, rate.gpus, "gpus", "GPUs"),
    NSC_COL_NS(nsc_flop_row, rate.ns, "ns", "Length"),
    NSC_COL_NUMBER(nsc_flop_row, rate.tflops, "tflops", "TFLOP/s", 2),
    NSC_COL_NUMBER(nsc_flop_row, rate.peak, "peak_tflops", "Peak", 1),
    NSC_COL_PERCENT(nsc_flop_row, rate.mfu, "mfu", "MFU", "peak of the GPUs that work"),
    {0},
};

struct region {
    nsc_event range;
    struct nsc_flop_work of;
    uint32_t kernels, graphs;
    nsc_time span, busy, work;
};

NSC_COMPARE(compare_starts, struct nsc_window, NSC_LEAST(t0))

/* Measures kernels and whole graphs launched inside the range: their union over all GPUs. */
static bool measure_region(struct region *region, const struct nsc_trace *trace,
                           const struct nsc_launches *launches)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_positions in = nsc_launches_inside(launches, region->range);
    struct nsc_window *windows = nsc_xcalloc((size_t)(in.end - in.first) + 1, sizeof *windows);
    nsc_time reach = INT64_MIN;
    uint32_t n = 0;

    for (uint32_t at = in.first; at < in.end; at++) {
        nsc_event op = nsc_launches_op(launches, at);

        if (events->kind[op] != NSC_KIND_KERNEL && events->kind[op] != NSC_KIND_GRAPH)
            continue;
        nsc_flop_work_add(&region->of, trace, op);
        region->kernels += events->kind[op] == NSC_KIND_KERNEL;
        region->graphs += events->kind[op] == NSC_KIND_GRAPH;
        region->work = nsc_sum(region->work, nsc_event_duration(events, op));
        windows[n++] = (struct nsc_window){events->start[op], nsc_event_end(events, op)};
    }
    if (n > 1)
        qsort(windows, n, sizeof *windows, compare_starts);
    for (uint32_t i = 0; i < n; i++)
        region->busy = nsc_sum(region->busy, nsc_extend(&reach, windows[i].t0, windows[i].t1));
    region->span = n ? nsc_span(windows[0].t0, reach) : 0;
    free(windows);
    return n > 0;
}

static void add_region(struct nsc_sheet *sheet, const struct nsc_question *question,
                       const struct region *region)
{
    const struct nsc_events *events = nsc_trace_events(question->scope->trace);
    struct nsc_flop_peak ceiling = nsc_flop_peak_find(question, &region->of);
    const struct nsc_flop_time times[] = {
        {"range, on its thread", nsc_event_duration(events, region->range)},
        {"kernels, first to last", region->span},
        {"kernels, union", region->busy},
        {"kernels, sum, a GPU", region->work / ceiling.gpus}};

    nsc_flop_rates_add(sheet, times, 4, question->params[NSC_PARAM_FLOPS].number, region->kernels,
                       &ceiling);
    if (region->graphs)
        nsc_sheet_note(sheet, "%u graph launches recorded whole count as kernels that run.",
                       (unsigned)region->graphs);
}

static void find_region(struct nsc_sheet *sheet, const struct nsc_question *question)
{
    const struct nsc_trace *trace = question->scope->trace;
    struct nsc_range_name name =
        nsc_range_name_parse(trace, nsc_text_from(question->params[NSC_PARAM_NAME].text));
    struct nsc_named_ranges ranges;
    struct nsc_launches *launches = nsc_launches_ask(question->scope);
    struct region region = {.of = nsc_flop_work_new(trace)};

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
    free(region.of.is_used);
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
    struct nsc_flop_rate rate;
    double bytes, ridge;
};

const struct nsc_sheet_column nsc_skill_arithmetic_intensity_columns[] = {
    NSC_COL_COUNT(intensity_row, rate.gpus, "gpus", "GPUs"),
    NSC_COL_NS(intensity_row, rate.ns, "kernel_busy_ns", "Kernels run"),
    NSC_COL_NUMBER(intensity_row, rate.tflops, "tflops", "TFLOP/s", 2),
    NSC_COL_NUMBER(intensity_row, rate.peak, "peak_tflops", "Peak", 1),
    NSC_COL_PERCENT(intensity_row, rate.mfu, "mfu", "MFU", "peak, while kernels run"),
    NSC_COL_NUMBER(intensity_row, bytes, "memory_gbps", "Memory GB/s", 0),
    NSC_COL_NUMBER(intensity_row, ridge, "ridge", "Ridge of the GPU FLOP/byte", 1),
    {0},
};

void nsc_skill_arithmetic_intensity(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, arithmetic_intensity);
    struct nsc_flop_work work = nsc_flop_work_measure(scope);
    double flops = question->params[NSC_PARAM_FLOPS].number;

    if (!question->params[NSC_PARAM_FLOPS].is_set) {
        nsc_sheet_note(sheet, "Give the operations of all GPUs in the window: -p flops=1.2e15.");
    } else if (work.running > 0) {
        struct nsc_flop_peak ceiling = nsc_flop_peak_find(question, &work);
        struct nsc_flop_rate rate = nsc_flop_rate_measure(work.running, flops, &ceiling);

        NSC_ADD_ROW(sheet, intensity_row, .rate = rate,
                    .bytes = ceiling.bytes > 0 ? ceiling.bytes : (double)NAN,
                    .ridge = ceiling.bytes > 0 && ceiling.peak > 0
                                 ? 1e3 * ceiling.peak / ceiling.bytes
                                 : (double)NAN);
        nsc_flop_rates_note(sheet, &ceiling, flops);
        nsc_sheet_note(sheet,
                       "A kernel is attributed to the GPU on which it runs longest. The "
                       "ridge is that GPU's peak over its memory bandwidth. Above it compute "
                       "can limit a kernel, below it memory; the bytes that a kernel moves "
                       "decide which, and only Nsight Compute measures them.");
    }
    free(work.is_used);
}
