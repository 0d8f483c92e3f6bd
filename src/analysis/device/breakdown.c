/*
 * Lengths of several unions in one sweep: ops come by start, so each union needs no more than how
 * far it reaches. Intersections follow from unions: |A and B| = |A| + |B| - |A or B|.
 */
#include "analysis/device/breakdown.h"

#include "analysis/base/shared.h"
#include "core/sum.h"

enum { X = 1, C = 2, M = 4, T = 8 }; /* classes of ops; T are some of M */

enum set { SET_X, SET_C, SET_M, SET_T, SET_XC, SET_XM, SET_XCM, SET_XCT, N_SETS };

static const unsigned members[N_SETS] = {
    [SET_X] = X,      [SET_C] = C,      [SET_M] = M,           [SET_T] = T,
    [SET_XC] = X | C, [SET_XM] = X | M, [SET_XCM] = X | C | M, [SET_XCT] = X | C | T};

struct sweep {
    nsc_time reach[N_SETS], length[N_SETS];
};

static void sweep_op(struct sweep *sweep, unsigned class, const struct nsc_device_op *op)
{
    for (int i = 0; i < N_SETS; i++)
        if (members[i] & class)
            sweep->length[i] =
                nsc_sum(sweep->length[i], nsc_extend(&sweep->reach[i], op->start, op->end));
}

static unsigned class_of(const struct nsc_trace *trace, nsc_event op)
{
    enum nsc_op_class work = NSC_OP_COMPUTE;

    (void)nsc_trace_work_of(trace, op, &work);
    switch (work) {
    case NSC_OP_COMPUTE:
        return X;
    case NSC_OP_COMM:
        return C;
    case NSC_OP_HTOD:
    case NSC_OP_DTOH:
        return M | T;
    default:
        return M;
    }
}

static void add_sums(struct nsc_breakdown *out, const struct nsc_events *events, nsc_event op,
                     unsigned class)
{
    nsc_time duration = nsc_event_duration(events, op);

    out->n_ops++;
    if (class & (X | C))
        out->kernel_work = nsc_sum(out->kernel_work, duration);
    if (class & C) {
        out->comm_work = nsc_sum(out->comm_work, duration);
        out->n_comm++;
    }
    if (events->kind[op] == NSC_KIND_GRAPH) {
        out->graph_work = nsc_sum(out->graph_work, duration);
        out->n_graphs++;
    }
}

static bool build_breakdown(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_breakdown *out = value;
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    struct nsc_device_ops work;
    struct nsc_device_op op;
    struct sweep sweep;
    const nsc_time *length = sweep.length;

    *out = (struct nsc_breakdown){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    for (int i = 0; i < N_SETS; i++) {
        sweep.reach[i] = out->window.t0;
        sweep.length[i] = 0;
    }
    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op)) {
        unsigned class = class_of(scope->trace, op.event);

        add_sums(out, events, op.event, class);
        sweep_op(&sweep, class, &op);
    }
    nsc_device_ops_fini(&work);
    out->whole = nsc_window_length(out->window);
    out->busy = length[SET_XCM];
    out->idle = out->whole - out->busy;
    out->compute = length[SET_X];
    out->comm = length[SET_C];
    out->memory = length[SET_M];
    out->overlap = length[SET_X] - (length[SET_XC] - length[SET_C]);
    out->exposed = length[SET_XCM] - length[SET_XM];
    out->transfer = length[SET_T];
    out->transfer_exposed = length[SET_XCT] - length[SET_XC];
    return true;
}

static const struct nsc_shared_kind breakdown_kind = {sizeof(struct nsc_breakdown), build_breakdown,
                                                      NULL};

bool nsc_breakdown_build(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t device)
{
    return nsc_shared_ask(out, NULL, &breakdown_kind, scope, device);
}
