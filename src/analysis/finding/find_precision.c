/*
 * Finds FP32 matrix kernels that leave the tensor cores unused.
 *
 * FP32 outside the tensor cores has to take most of the time of all matrix kernels of a GPU. The time
 * that could be won is what these kernels take beyond the same operations at the peak rate of TF32,
 * or of FP16 on GPUs without TF32: an upper bound. GPUs without tensor cores and GPUs that are not in
 * the table of peaks are left alone, unless the kernels are of Ampere or later.
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
#include "core/units.h"

#define TF32_OF_BF16     0.5 /* of the peak rate */
#define AMPERE_OF_FP32   4.0 /* TF32 by FP32 on the GPU with the least, where the model is unknown */
#define NAME_BYTES_SHOWN 120

struct matrix_time {
    nsc_time all, fp32;
    const struct nsc_kernel_share *top; /* FP32; NULL without any */
};

static struct matrix_time measure(const struct nsc_trace *trace, const struct nsc_kernel_work *work,
                                  uint32_t device)
{
    struct matrix_time time = {0};

    for (uint32_t i = 0; i < work->n; i++) {
        const struct nsc_kernel_share *share = &work->at[i];
        enum nsc_matrix units = NSC_MATRIX_NONE;

        if (share->device != device)
            continue;
        units = nsc_matrix_of(nsc_trace_string(trace, nsc_trace_names(trace)->full[share->name]));
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

static bool has_word(struct nsc_text text, const char *const words[])
{
    for (size_t i = 0; words[i]; i++)
        if (nsc_text_contains_folded(text, nsc_text_from(words[i])))
            return true;
    return false;
}

/* How many times the peak of FP32 the tensor cores reach; 0: none, or not known. */
static double speed_up(struct nsc_text gpu, struct nsc_text kernel, bool *has_tf32)
{
    static const char *const no_tf32[] = {
        "V100", "T4", "TITAN V", "TITAN RTX", "RTX 206", "RTX 207", "RTX 208", "Quadro RTX", NULL};
    static const char *const ampere[] = {"ampere_", "sm80_", "sm86_", "sm89_", "sm90_", NULL};
    const struct nsc_peak *peak = nsc_peak_find(gpu);
    double tensor;

    *has_tf32 = !has_word(gpu, no_tf32);
    if (!peak || peak->fp32 <= 0)
        return *has_tf32 && has_word(kernel, ampere) ? AMPERE_OF_FP32 : 0;
    tensor = peak->half * (*has_tf32 ? TF32_OF_BF16 : 1);
    return tensor / peak->fp32;
}

static const char *advice(bool has_tf32, bool is_pytorch)
{
    if (!has_tf32)
        return is_pytorch
                   ? "use mixed precision (torch.autocast with float16): this GPU has no TF32"
                   : "compute in FP16 with FP32 sums: this GPU has no TF32";
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
    bool has_tf32 = false;
    double times = speed_up(nsc_trace_string(trace, track->label), kernel, &has_tf32);
    nsc_time gain = times > 1 ? (nsc_time)((double)matrix->fp32 * (1 - 1 / times)) : 0;
    double share = nsc_percent(gain, time->whole);
    char text[2][NSC_UNITS_BYTES];
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_PRECISION, share) >= NSC_SEVERITY_INFO)
        return;
    finding = nsc_findings_add_share(out, NSC_THRESHOLD_PRECISION, share,
                                     "Matrix kernels outside the tensor cores, in FP32, take %.1f "
                                     "%% of the matrix time of GPU %lld",
                                     nsc_percent(matrix->fp32, matrix->all), (long long)track->gpu);
    finding->ns = gain;
    finding->track = device;
    finding->event = matrix->top->slowest;
    nsc_units_duration(text[0], matrix->fp32, out->ascii);
    nsc_units_duration(text[1], matrix->all, out->ascii);
    nsc_finding_evidence(
        finding, "%s of %s of matrix kernels, by their names; the longest is %.*s", text[0],
        text[1], (int)(kernel.n > NAME_BYTES_SHOWN ? NAME_BYTES_SHOWN : kernel.n), kernel.bytes);
    nsc_finding_evidence(finding,
                         "the peak of %s on the tensor cores is %.1f times that of FP32: at most "
                         "%.1f %% of the window could be won",
                         has_tf32 ? "TF32" : "FP16", times, share);
    nsc_finding_next(finding,
                     "If the accuracy allows, %s. Check with: nsyscope skill run "
                     "tensor_core_usage FILE.",
                     advice(has_tf32, nsc_trace_is_pytorch(trace)));
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

        if (matrix.top && nsc_percent(matrix.fp32, matrix.all) >= NSC_LIMIT_PLAIN_MATRIX &&
            nsc_breakdown_build(&time, scope, d))
            report(out, scope, &time, &matrix, d);
    }
    nsc_kernel_work_fini(&work);
}
