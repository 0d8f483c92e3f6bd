/* Measures matrix kernels, finds the peak of the GPUs in use, and compares rates with it. */
#include "analysis/skill/flop_rate.h"

#include "analysis/base/correlate.h"
#include "analysis/base/limit.h"
#include "analysis/device/graphs.h"
#include "analysis/device/kernel_work.h"
#include "analysis/device/work_times.h"
#include "analysis/names/peak.h"
#include "core/die.h"
#include "core/sum.h"

#include <math.h>

struct nsc_flop_work nsc_flop_work_new(const struct nsc_trace *trace)
{
    uint32_t n = 0;

    (void)nsc_trace_tracks(trace, &n);
    return (struct nsc_flop_work){.is_used = nsc_xcalloc((size_t)n + 1, sizeof(bool))};
}

static void add_kernels(struct nsc_matrix_times *times, const struct nsc_trace *trace,
                        nsc_name name, nsc_time ns)
{
    nsc_time *of =
        &times->of[nsc_matrix_of(nsc_trace_string(trace, nsc_trace_names(trace)->full[name]))];

    *of = nsc_sum(*of, ns);
}

void nsc_flop_work_add(struct nsc_flop_work *work, const struct nsc_trace *trace, nsc_event op)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time ns = nsc_event_duration(events, op);

    if (events->kind[op] == NSC_KIND_KERNEL)
        add_kernels(&work->matrices, trace, events->name[op], ns);
    else if (events->kind[op] == NSC_KIND_GRAPH)
        work->matrices.opaque = nsc_sum(work->matrices.opaque, ns);
    else
        return;
    work->is_used[nsc_event_group(trace, op)] = true;
}

struct nsc_flop_work nsc_flop_work_measure(const struct nsc_scope *scope)
{
    struct nsc_flop_work work = nsc_flop_work_new(scope->trace);
    struct nsc_kernel_work kernels;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_work_times times;
        struct nsc_graph_use graphs = {0};
        nsc_time running;

        nsc_work_times_build(&times, scope, d);
        if (!nsc_graph_use_build(&graphs, scope, d))
            graphs.whole_busy = 0;
        /* kernels of whole graphs are unknown, so use the busy time */
        running = graphs.whole_busy > 0 ? times.busy : times.kernels;
        work.is_used[d] = running > 0;
        work.running = nsc_later(work.running, running);
        if (running > 0)
            work.matrices.opaque = nsc_sum(work.matrices.opaque, graphs.whole_busy);
    }
    nsc_kernel_work_build(&kernels, scope);
    for (uint32_t i = 0; i < kernels.n; i++)
        if (work.is_used[kernels.at[i].device])
            add_kernels(&work.matrices, scope->trace, kernels.at[i].name, kernels.at[i].work);
    nsc_kernel_work_fini(&kernels);
    return work;
}

nsc_time nsc_matrix_times_sum(const struct nsc_matrix_times *times)
{
    nsc_time all = 0;

    for (int i = NSC_MATRIX_UNKNOWN; i < NSC_N_MATRICES; i++)
        all = nsc_sum(all, times->of[i]);
    return all;
}

/* The kind that takes 90 % of the time of matrix kernels; NONE: no kind does. Kernels whose name
 * shows no type count as 16 bits. */
static enum nsc_matrix main_matrix(const nsc_time times[NSC_N_MATRICES], nsc_time all)
{
    for (int i = NSC_MATRIX_FP32; i < NSC_N_MATRICES; i++)
        if (i != NSC_MATRIX_TENSOR && (double)times[i] >= 0.9 * (double)all && all > 0)
            return (enum nsc_matrix)i;
    return (double)nsc_sum(times[NSC_MATRIX_UNKNOWN], times[NSC_MATRIX_TENSOR]) >= 0.9 * (double)all
               ? NSC_MATRIX_TENSOR
               : NSC_MATRIX_NONE;
}

static double peak_of(const struct nsc_peak *peak, enum nsc_matrix matrix)
{
    switch (matrix) {
    case NSC_MATRIX_FP32:
        return peak->fp32;
    case NSC_MATRIX_FP8:
        return peak->fp8;
    case NSC_MATRIX_TF32:
        return peak->type == NSC_HALF_BF16 ? peak->half / 2 : 0; /* holds for all parts since
                                                                  * Ampere */
    case NSC_MATRIX_TENSOR:
        return peak->half;
    default:
        return 0;
    }
}

/* The multiprocessors of the device, or of the slice of it that a process had; 0: unknown. */
static int64_t multiprocessors_of(const struct nsc_question *question, uint32_t device)
{
    const struct nsc_fields *fields = nsc_field_set(question->fields, NSC_FIELDS_CUDA_DEVICES);
    int64_t gpu = nsc_trace_track(question->scope->trace, device)->gpu;
    int64_t sms = nsc_field_of_gpu(question->fields, gpu, NSC_GPU_SMS);

    for (uint32_t row = 0; fields && row < fields->n; row++) {
        int64_t id = 0, own = 0;

        if (nsc_fields_int(&id, fields, NSC_CUDA_DEVICE_GPU, row) && id == gpu &&
            nsc_fields_int(&own, fields, NSC_CUDA_DEVICE_SMS, row) && own > 0 &&
            (sms == 0 || own < sms))
            sms = own;
    }
    return sms;
}

/* Adds a device in use. */
static void add_device(struct nsc_flop_peak *ceiling, const struct nsc_question *question,
                       uint32_t device, enum nsc_matrix matrix)
{
    const struct nsc_trace *trace = question->scope->trace;
    int64_t bandwidth =
        nsc_field_of_gpu(question->fields, nsc_trace_track(trace, device)->gpu, NSC_GPU_BANDWIDTH);
    const struct nsc_peak *known =
        nsc_peak_find_part(nsc_trace_string(trace, nsc_trace_track(trace, device)->label),
                           multiprocessors_of(question, device));
    double bytes = bandwidth > 0 ? (double)bandwidth / 1e9 : known ? known->bytes : 0;
    double peak = question->params[NSC_PARAM_PEAK].is_set ? question->params[NSC_PARAM_PEAK].number
                  : known                                 ? peak_of(known, matrix)
                                                          : 0;
    bool is_first = ceiling->gpus++ == 0;

    if (known && known->type == NSC_HALF_FP16)
        ceiling->is_fp16 = true;

    /* the sum is unknown if one summand is */
    ceiling->peak = peak > 0 && (is_first || ceiling->peak > 0) ? ceiling->peak + peak : 0;
    ceiling->bytes = bytes > 0 && (is_first || ceiling->bytes > 0) ? ceiling->bytes + bytes : 0;
    if (peak <= 0)
        ceiling->why = known
                           ? "no one precision takes 90 % of the time of known matrix kernels, or "
                             "its peak is not in the table"
                           : "this part is not in the table of peaks";
}

/* "bf16, tensor cores" */
static const char *precision_of(const struct nsc_flop_peak *ceiling, enum nsc_matrix matrix,
                                bool is_assumed)
{
    if (matrix == NSC_MATRIX_FP32)
        return "fp32, no tensor cores";
    if (matrix == NSC_MATRIX_TF32)
        return "tf32, tensor cores";
    if (matrix == NSC_MATRIX_FP8)
        return "fp8, tensor cores";
    if (is_assumed)
        return ceiling->is_fp16 ? "fp16, tensor cores: assumed, because no name of a kernel tells "
                                  "its precision"
                                : "bf16, tensor cores: assumed, because no name of a kernel tells "
                                  "its precision";
    return ceiling->is_fp16 ? "fp16, tensor cores" : "bf16, tensor cores";
}

struct nsc_flop_peak nsc_flop_peak_find(const struct nsc_question *question,
                                        const struct nsc_flop_work *work)
{
    const struct nsc_matrix_times *times = &work->matrices;
    struct nsc_flop_peak ceiling = {0};
    nsc_time all = nsc_matrix_times_sum(times);
    bool is_opaque = (double)times->opaque > NSC_SHARE(MATTERS) * (double)all;
    enum nsc_matrix matrix = is_opaque ? NSC_MATRIX_NONE : main_matrix(times->of, all);

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(question->scope->trace, d)) != NSC_NONE;)
        if (work->is_used[d])
            add_device(&ceiling, question, d, matrix);
    if (ceiling.peak <= 0 && is_opaque)
        ceiling.why = "nothing is known of the kernels in graphs recorded whole (record with "
                      "--cuda-graph-trace=node)";
    ceiling.of = question->params[NSC_PARAM_PEAK].is_set
                     ? "given"
                     : precision_of(&ceiling, matrix, times->of[matrix] == 0);
    return ceiling;
}

struct nsc_flop_rate nsc_flop_rate_measure(nsc_time ns, double flops, struct nsc_flop_peak *ceiling)
{
    double rate = flops / (double)ns / 1e3; /* operations a ns are GFLOP/s */
    bool is_known = ceiling->peak > 0;

    ceiling->is_passed |= is_known && rate > ceiling->peak;
    return (struct nsc_flop_rate){ns, ceiling->gpus, rate, is_known ? ceiling->peak : (double)NAN,
                                  is_known && rate <= ceiling->peak ? 100 * rate / ceiling->peak
                                                                    : (double)NAN};
}

void nsc_flop_rates_note(struct nsc_sheet *sheet, const struct nsc_flop_peak *ceiling, double flops)
{
    nsc_sheet_note(sheet, "Operations: %.4g in all.", flops);
    if (ceiling->peak > 0 && ceiling->of)
        nsc_sheet_note(sheet,
                       "The peak is dense (%s), summed over the %u GPU%s with work; -p peak= sets "
                       "the peak of one GPU.",
                       ceiling->of, (unsigned)ceiling->gpus, ceiling->gpus == 1 ? "" : "s");
    else if (ceiling->why)
        nsc_sheet_note(sheet, "No MFU: %s. -p peak= sets the peak of one GPU.", ceiling->why);
    if (ceiling->is_passed)
        nsc_sheet_note(sheet, "No MFU is given above 100 %%: the operations given are too many for "
                              "the measured time, or the peak is too low.");
}

void nsc_flop_rates_add(struct nsc_sheet *sheet, const struct nsc_flop_time times[], unsigned n,
                        double flops, uint32_t kernels, struct nsc_flop_peak *ceiling)
{
    for (unsigned i = 0; i < n; i++)
        NSC_ADD_ROW(sheet, nsc_flop_row, .time = times[i].word, .kernels = kernels,
                    .flops = flops / 1e12,
                    .rate = nsc_flop_rate_measure(times[i].ns, flops, ceiling));
    nsc_flop_rates_note(sheet, ceiling, flops);
}
