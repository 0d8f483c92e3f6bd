/* Computes the breakdown of a device from the time of each set of kinds that run at once. */
#include "analysis/device/breakdown.h"

#include "analysis/device/device_times.h"
#include "core/sum.h"

#define MEMORY_KINDS (NSC_ALL_KINDS & ~NSC_KERNEL_KINDS)
#define WITHIN_KINDS (NSC_OP_KIND_BIT(NSC_OP_KIND_DTOD) | NSC_OP_KIND_BIT(NSC_OP_KIND_MEMSET))

static void count_ops(struct nsc_breakdown *out, const struct nsc_device_times *times)
{
    for (unsigned kind = 0; kind < NSC_N_OP_KINDS; kind++) {
        const struct nsc_op_kind_sum *of = &times->of[kind];

        out->n_ops += of->count;
        if (NSC_OP_KIND_BIT(kind) & NSC_KERNEL_KINDS) {
            out->n_kernels += of->count;
            out->kernel_work = nsc_sum(out->kernel_work, of->work);
        }
        if (NSC_OP_KIND_BIT(kind) & NSC_COMM_KINDS) {
            out->n_comm += of->count;
            out->comm_work = nsc_sum(out->comm_work, of->work);
        }
    }
    out->n_graphs = times->n_graphs;
    out->graph_work = times->graph_work;
}

static void measure_times(struct nsc_breakdown *out, const struct nsc_device_times *times)
{
    out->whole = nsc_window_length(out->window);
    out->busy = nsc_device_times_without(times, NSC_ALL_KINDS, 0);
    out->idle = out->whole - out->busy;
    out->compute = nsc_device_times_without(times, NSC_COMPUTE_KINDS, 0);
    out->comm = nsc_device_times_without(times, NSC_COMM_KINDS, 0);
    out->memory = nsc_device_times_without(times, MEMORY_KINDS, 0);
    out->overlap = nsc_device_times_both(times, NSC_COMM_KINDS, NSC_COMPUTE_KINDS);
    out->exposed = nsc_device_times_without(times, NSC_COMM_KINDS, NSC_ALL_KINDS & ~NSC_COMM_KINDS);
    out->transfer = nsc_device_times_without(times, NSC_TRANSFER_KINDS, 0);
    out->transfer_exposed = nsc_device_times_without(times, NSC_TRANSFER_KINDS, NSC_KERNEL_KINDS);
    out->transfer_overlap = nsc_device_times_both(times, NSC_TRANSFER_KINDS, NSC_COMPUTE_KINDS);
    out->comm_alone = out->comm - out->overlap;
    out->memory_alone = nsc_device_times_without(times, MEMORY_KINDS, NSC_KERNEL_KINDS);
    out->within_alone =
        nsc_device_times_without(times, WITHIN_KINDS, NSC_ALL_KINDS & ~WITHIN_KINDS);
}

bool nsc_breakdown_build(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_device_times times;
    bool result = nsc_device_times_build(&times, scope, device);

    *out = (struct nsc_breakdown){0};
    if (result) {
        out->window = times.window;
        count_ops(out, &times);
        measure_times(out, &times);
    }
    nsc_device_times_fini(&times);
    return result;
}

bool nsc_breakdown_next(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t *device)
{
    while ((*device = nsc_device_next(scope->trace, *device)) != NSC_NONE)
        if (nsc_breakdown_build(out, scope, *device))
            return true;
    return false;
}

nsc_time nsc_overlap_gain(nsc_time exposed, nsc_time compute, nsc_time overlapped)
{
    return nsc_earlier(exposed, nsc_later(0, compute - overlapped));
}

double nsc_gain_ceiling(nsc_time whole, nsc_time loss)
{
    if (whole <= 0 || loss < 0 || loss >= whole)
        return -1;
    return 100.0 * (double)loss / (double)(whole - loss);
}
