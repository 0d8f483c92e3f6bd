/* Computes the breakdown of a device from the time of each set of op kinds that run at once. */
#include "analysis/device/breakdown.h"

#include "analysis/device/device_times.h"
#include "core/sum.h"

enum { X = NSC_COMPUTE_KINDS, C = NSC_COMM_KINDS, T = NSC_TRANSFER_KINDS, K = NSC_KERNEL_KINDS };
enum { M = NSC_ALL_KINDS & ~NSC_KERNEL_KINDS };
#define W (NSC_OP_KIND_BIT(NSC_OP_KIND_DTOD) | NSC_OP_KIND_BIT(NSC_OP_KIND_MEMSET))

/* Adds counts and whole durations. */
static void add_sums(struct nsc_breakdown *out, const struct nsc_device_times *times)
{
    for (unsigned kind = 0; kind < NSC_N_OP_KINDS; kind++) {
        const struct nsc_op_kind_sum *of = &times->of[kind];

        out->n_ops += of->count;
        if (NSC_OP_KIND_BIT(kind) & K) {
            out->kernel_work = nsc_sum(out->kernel_work, of->work);
            out->n_kernels += of->count;
        }
        if (NSC_OP_KIND_BIT(kind) & C) {
            out->comm_work = nsc_sum(out->comm_work, of->work);
            out->n_comm += of->count;
        }
    }
    out->n_graphs = times->n_graphs;
    out->graph_work = times->graph_work;
}

bool nsc_breakdown_build(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_device_times times;
    bool result = nsc_device_times_build(&times, scope, device);

    *out = (struct nsc_breakdown){.window = times.window};
    if (result) {
        add_sums(out, &times);
        out->whole = nsc_window_length(out->window);
        out->busy = nsc_device_times_without(&times, NSC_ALL_KINDS, 0);
        out->idle = out->whole - out->busy;
        out->compute = nsc_device_times_without(&times, X, 0);
        out->comm = nsc_device_times_without(&times, C, 0);
        out->memory = nsc_device_times_without(&times, M, 0);
        out->overlap = nsc_device_times_both(&times, X, C);
        out->exposed = nsc_device_times_without(&times, C, X | M);
        out->transfer = nsc_device_times_without(&times, T, 0);
        out->transfer_exposed = nsc_device_times_without(&times, T, K);
        out->transfer_overlap = nsc_device_times_both(&times, X, T);
        out->comm_alone = out->comm - out->overlap;
        out->memory_alone = nsc_device_times_without(&times, M, X | C);
        out->within_alone = nsc_device_times_without(&times, W, NSC_ALL_KINDS & ~W);
    }
    nsc_device_times_fini(&times);
    return result;
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
