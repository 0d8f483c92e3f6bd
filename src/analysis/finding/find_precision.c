/*
 * Finds FP32 matrix kernels that leave the tensor cores unused.
 *
 * Reports a GPU if FP32 outside the tensor cores takes most of the time of its matrix kernels. The
 * time that could be saved is an upper bound: the time of these kernels minus the time of the same
 * operations at the peak rate of TF32. GPUs whose TF32 is hardly faster than FP32 (GeForce since
 * Ampere, L40) are compared with bf16, older ones with FP16. GPUs without tensor cores are skipped.
 * GPUs outside the table of peaks are skipped too, unless the kernels are built for Ampere or
 * later: there bf16 is at least twice as fast.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/kernel_work.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/framework.h"
#include "analysis/names/matrix_kernel.h"
#include "analysis/names/peak.h"
#include "core/sum.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

#define TF32_OF_BF16 0.5 /* TF32 rate as a share of the peak rate of bf16 */
#define AMPERE_OF_FP32 \
    2.0 /* bf16 rate / FP32 rate of the GPU with the smallest ratio, used for
                              * unknown models */

struct matrix_time {
    nsc_time all, fp32;
    const struct nsc_kernel_share *top; /* FP32; NULL if there is none */
};

static struct matrix_time measure(const struct nsc_trace *trace, const struct nsc_kernel_work *work,
                                  uint32_t device)
{
    struct matrix_time time = {0};

    for (uint32_t i = work->first[device]; i != NSC_NONE; i = work->at[i].next) {
        const struct nsc_kernel_share *share = &work->at[i];
        enum nsc_matrix units =
            nsc_matrix_of(nsc_trace_string(trace, nsc_trace_names(trace)->full[share->name]));
        if (units == NSC_MATRIX_NONE)
            continue;
        time.all = nsc_sum(time.all, share->work);
        if (units != NSC_MATRIX_FP32)
            continue;
        time.fp32 = nsc_sum(time.fp32, share->work);
        if (!time.top || share->work > time.top->work)
            time.top = share;
    }
    return time;
}

/* The faster type that the tensor cores offer. */
struct offer {
    const char *type; /* "TF32", "bf16", "FP16" */
    double times;     /* peak rate as a multiple of FP32's; 0: no tensor cores, or unknown */
    bool is_known;    /* false: times is a lower bound */
};

static struct offer offer_of(struct nsc_text gpu, struct nsc_text kernel)
{
    static const char *const no_tf32[] = {
        "V100", "T4", "TITAN V", "TITAN RTX", "RTX 206", "RTX 207", "RTX 208", "Quadro RTX", NULL};
    static const char *const ampere[] = {"ampere_", "sm80_", "sm86_", "sm89_", "sm90_", NULL};
    const struct nsc_peak *peak = nsc_peak_find(gpu);
    bool has_tf32 = !nsc_text_contains_any(gpu, no_tf32);
    double times;

    if (!peak || peak->fp32 <= 0)
        return has_tf32 && nsc_text_contains_any(kernel, ampere)
                   ? (struct offer){"bf16", AMPERE_OF_FP32, false}
                   : (struct offer){"", 0, false};
    times = peak->half / peak->fp32;
    if (!has_tf32)
        return (struct offer){"FP16", times, true};
    if (lround(times * TF32_OF_BF16) > 1)
        return (struct offer){"TF32", times * TF32_OF_BF16, true};
    return (struct offer){"bf16", times, true};
}

static const char *advice(const struct offer *offer, bool is_pytorch)
{
    if (strcmp(offer->type, "FP16") == 0)
        return is_pytorch
                   ? "use mixed precision (torch.autocast with float16): this GPU has no TF32"
                   : "compute in FP16 with FP32 sums: this GPU has no TF32";
    if (offer->is_known && strcmp(offer->type, "bf16") == 0)
        return is_pytorch ? "use bf16 (torch.autocast): TF32 has the peak of FP32 on this GPU"
                          : "compute in bf16 with FP32 sums: TF32 has the peak of FP32 on this GPU";
    return is_pytorch
               ? "allow TF32 (torch.set_float32_matmul_precision('high')) or use bf16 "
                 "(torch.autocast)"
               : "allow TF32 (CUBLAS_TF32_TENSOR_OP_MATH; in JAX jax_default_matmul_precision) "
                 "or compute in bf16";
}

static void report(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_breakdown *time, const struct matrix_time *matrix,
                   uint32_t device)
{
    const struct nsc_trace *trace = scope->trace;
    const struct nsc_track *track = nsc_trace_track(trace, device);
    struct nsc_text kernel =
        nsc_trace_string(trace, nsc_trace_names(trace)->brief[matrix->top->name]);
    struct offer offer = offer_of(nsc_trace_string(trace, track->label), kernel);
    nsc_time gain = offer.times > 1 ? (nsc_time)((double)matrix->fp32 * (1 - 1 / offer.times)) : 0;
    double share = nsc_percent(gain, time->whole);
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_GPU_TIME, share) >= NSC_SEVERITY_INFO)
        return;
    finding = nsc_findings_add_share(out, NSC_THRESHOLD_GPU_TIME, "no-tensor-cores", share,
                                     "Matrix kernels outside the tensor cores, in FP32, take %.1f "
                                     "%% of the matrix time of GPU %lld",
                                     nsc_percent(matrix->fp32, matrix->all), (long long)track->gpu);
    finding->ns = gain;
    finding->track = device;
    finding->event = matrix->top->slowest;
    nsc_finding_evidence(finding, "%s of %s of matrix kernels, by their names; the longest is %s",
                         nsc_show_ns(finding, matrix->fp32).text,
                         nsc_show_ns(finding, matrix->all).text, nsc_show(kernel).text);
    nsc_finding_evidence(finding,
                         "%sthe peak of %s on the tensor cores is %s%.1f times that of FP32: "
                         "%s%.1f %% of the window could be saved",
                         offer.is_known ? "" : "the peaks of this GPU are not known; ", offer.type,
                         offer.is_known ? "" : "at least ", offer.times,
                         offer.is_known ? "at most " : "", share);
    nsc_finding_next(finding,
                     "If the accuracy allows, %s. Check with: nsyscope skill run "
                     "tensor_core_usage FILE.",
                     advice(&offer, nsc_trace_is_pytorch(trace)));
}

void nsc_find_precision(struct nsc_findings *out, const struct nsc_scope *scope,
                        const struct nsc_field_sets *fields)
{
    struct nsc_kernel_work work;

    (void)fields;
    nsc_kernel_work_build(&work, scope);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct matrix_time matrix = measure(scope->trace, &work, d);
        struct nsc_breakdown time;

        if (matrix.top && nsc_percent(matrix.fp32, matrix.all) >= NSC_LIMIT_MOST &&
            nsc_breakdown_build(&time, scope, d))
            report(out, scope, &time, &matrix, d);
    }
    nsc_kernel_work_fini(&work);
}
