/* Groups launches by kernel and finds the bottleneck of each. */
#include "analysis/ncu/ncu_kernels.h"

#include "analysis/base/limit.h"
#include "analysis/base/totals.h"

#include <math.h>

static const bool is_sum[NSC_N_NCU_METRICS] = {
#define NSC_NCU_METRIC(id, sum) [NSC_NCU_##id] = (sum),
#define NSC_NCU_ALIAS(id, section, item, name)
#include "analysis/ncu/ncu_metric.def"
#include "core/vec.h"
};

/* ---- grouping ---- */

/* While summing, a mean is the weighted sum, and weight the sum of weights. */
struct kernel_sum {
    struct nsc_ncu_kernel kernel;
    double weight[NSC_N_NCU_METRICS];
};

static void add_launch(struct kernel_sum *sum, const struct nsc_ncu_launch *launch)
{
    double calls = (double)launch->calls;
    double time = launch->value[NSC_NCU_DURATION];
    double weight = calls * (isnan(time) || time <= 0 ? 1 : time);

    for (unsigned m = 0; m < NSC_N_NCU_METRICS; m++) {
        if (isnan(launch->value[m]))
            continue;
        sum->kernel.value[m] += launch->value[m] * (is_sum[m] ? calls : weight);
        sum->weight[m] += is_sum[m] ? 1 : weight;
    }
    if (!isnan(launch->flop))
        sum->kernel.flop = (isnan(sum->kernel.flop) ? 0 : sum->kernel.flop) + calls * launch->flop;
    sum->kernel.calls += launch->calls;
}

static void end_kernel(struct nsc_ncu_kernels *out, struct kernel_sum *sum)
{
    for (unsigned m = 0; m < NSC_N_NCU_METRICS; m++) {
        if (sum->weight[m] <= 0)
            sum->kernel.value[m] = (double)NAN;
        else if (!is_sum[m])
            sum->kernel.value[m] /= sum->weight[m];
    }
    *NSC_VEC_ADD(&out->list) = sum->kernel;
}

static double known(double value)
{
    return isnan(value) ? -1 : value;
}

NSC_COMPARE(compare_kernels, struct nsc_ncu_kernel,
            NSC_BY(NSC_ORDER(known(y->value[NSC_NCU_DURATION]),
                             known(x->value[NSC_NCU_DURATION]))) ||
                NSC_LEAST(kernel) || NSC_LEAST(range) || NSC_LEAST(device))

void nsc_ncu_kernels_build(struct nsc_ncu_kernels *out, const struct nsc_ncu *ncu)
{
    struct nsc_totals totals = nsc_totals_new(3, 0); /* by kernel, range, device */
    NSC_VEC(struct kernel_sum) sums = {0};

    *out = (struct nsc_ncu_kernels){.ncu = ncu};
    for (size_t i = 0; i < ncu->launches.n; i++) {
        const struct nsc_ncu_launch *launch = &ncu->launches.at[i];
        const int64_t keys[] = {launch->kernel, launch->range, launch->device};
        uint32_t group = nsc_totals_find(&totals, keys);

        if (group == sums.n)
            *NSC_VEC_ADD(&sums) = (struct kernel_sum){.kernel = {.kernel = launch->kernel,
                                                                 .range = launch->range,
                                                                 .device = launch->device,
                                                                 .flop = (double)NAN}};
        add_launch(&sums.at[group], launch);
    }
    for (size_t i = 0; i < sums.n; i++)
        end_kernel(out, &sums.at[i]);
    NSC_VEC_FINI(&sums);
    nsc_totals_fini(&totals);
    NSC_VEC_SORT(&out->list, compare_kernels);
}

void nsc_ncu_kernels_fini(struct nsc_ncu_kernels *kernels)
{
    NSC_VEC_FINI(&kernels->list);
}

/* ---- bottleneck ---- */

const char *nsc_ncu_bound(const struct nsc_ncu_kernel *kernel)
{
    double sm = kernel->value[NSC_NCU_SM];
    double dram = kernel->value[NSC_NCU_DRAM];
    double memory = fmax(kernel->value[NSC_NCU_MEMORY], dram); /* of a NaN and a number: that */

    if (isnan(sm) || isnan(memory))
        return "unknown";
    if (sm < NSC_LIMIT_BUSY && memory < NSC_LIMIT_BUSY)
        return "latency";
    if (sm - memory > NSC_LIMIT_NCU_APART)
        return "compute";
    if (memory - sm > NSC_LIMIT_NCU_APART)
        return memory - dram > NSC_LIMIT_NCU_APART ? "cache" : "memory";
    return "balanced";
}

static double zero_if_missing(double value)
{
    return isnan(value) ? 0 : value;
}

/* Reads the chart: operations per cycle times cycles per second. */
static bool read_chart(struct nsc_roofline *out, const struct nsc_ncu_kernel *kernel)
{
    const double *value = kernel->value;

    /* a raw page has the bandwidth only once */
    double bandwidth =
        isnan(value[NSC_NCU_BANDWIDTH]) ? value[NSC_NCU_MEMORY_RATE] : value[NSC_NCU_BANDWIDTH];

    if (isnan(value[NSC_NCU_FFMA]) || isnan(value[NSC_NCU_SM_HZ]) || !(bandwidth > 0))
        return false;
    out->flop_per_s = (value[NSC_NCU_FFMA] + zero_if_missing(value[NSC_NCU_FADD]) +
                       zero_if_missing(value[NSC_NCU_FMUL])) *
                      value[NSC_NCU_SM_HZ];
    out->flop_per_byte = out->flop_per_s / bandwidth;
    out->peak = value[NSC_NCU_ROOF_FFMA] * value[NSC_NCU_ROOF_SM_HZ];
    out->is_chart = true;
    return true;
}

struct nsc_roofline nsc_ncu_roofline(const struct nsc_ncu_kernel *kernel, double peak)
{
    const double *value = kernel->value;
    double bytes = zero_if_missing(value[NSC_NCU_READ]) + zero_if_missing(value[NSC_NCU_WRITE]);
    struct nsc_roofline out = {
        .flop_per_byte = (double)NAN,
        .flop_per_s = (double)NAN,
        .peak = peak > 0 ? peak : (double)NAN,
        .memory = value[NSC_NCU_ROOF_DRAM] * value[NSC_NCU_ROOF_DRAM_HZ],
    };

    if (!isnan(kernel->flop) && kernel->flop > 0 && value[NSC_NCU_DURATION] > 0) {
        out.flop_per_s = kernel->flop / value[NSC_NCU_DURATION] * 1e9;
        if (bytes > 0)
            out.flop_per_byte = kernel->flop / bytes;
    } else {
        (void)read_chart(&out, kernel);
    }
    out.roof = out.memory * out.flop_per_byte;
    if (isnan(out.roof) || out.roof > out.peak)
        out.roof = out.peak;
    return out;
}
