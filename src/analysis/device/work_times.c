/*
 * Lengths of unions of classes of work, all in one walk over the ops of a device.
 */
#include "analysis/device/work_times.h"

#include "analysis/base/shared.h"
#include "core/sum.h"

/* How far each union goes so far. */
struct walk {
    struct nsc_work_times *out;
    nsc_time either[NSC_N_OP_KINDS][NSC_N_OP_KINDS];
    nsc_time comm, kernels, busy;
    nsc_time before; /* busy before the first kernel */
    nsc_time after;  /* busy after the last end of kernels so far */
};

static void add_figures(struct nsc_op_kind_sum *of, nsc_time duration)
{
    of->min = of->count == 0 ? duration : nsc_earlier(of->min, duration);
    of->max = nsc_later(of->max, duration);
    of->work = nsc_sum(of->work, duration);
    of->count++;
}

/*
 * The span of the kernels, and what of busy lies outside of it. Ops come by start, so what is busy
 * between a start and the reach is busy without a gap. reach: of busy, before this op.
 */
static void add_span(struct walk *walk, const struct nsc_device_op *op, bool is_kernel,
                     nsc_time reach)
{
    struct nsc_work_times *out = walk->out;

    if (is_kernel && !out->has_kernels) {
        out->has_kernels = true;
        out->span = (struct nsc_window){op->start, op->start};
        walk->before =
            out->busy - nsc_span(op->start, reach) - nsc_span(nsc_later(reach, op->start), op->end);
    }
    if (!out->has_kernels)
        return;
    walk->after = nsc_sum(walk->after,
                          nsc_span(nsc_later(nsc_later(reach, op->start), out->span.t1), op->end));
    if (is_kernel && op->end >= out->span.t1) {
        out->span.t1 = op->end;
        walk->after = nsc_span(op->end, walk->busy);
    }
}

static void add_op(struct walk *walk, const struct nsc_device_op *op, enum nsc_op_kind class)
{
    struct nsc_work_times *out = walk->out;
    nsc_time reach = walk->busy;
    bool is_kernel = class < NSC_OP_KIND_HTOD;

    for (unsigned i = 0; i < NSC_N_OP_KINDS; i++) {
        unsigned a = i < class ? i : class;
        unsigned b = i < class ? class : i;

        out->either[a][b] =
            nsc_sum(out->either[a][b], nsc_extend(&walk->either[a][b], op->start, op->end));
    }
    if (is_kernel)
        out->kernels = nsc_sum(out->kernels, nsc_extend(&walk->kernels, op->start, op->end));
    if (is_kernel && class != NSC_OP_KIND_COMPUTE)
        out->comm = nsc_sum(out->comm, nsc_extend(&walk->comm, op->start, op->end));
    out->busy = nsc_sum(out->busy, nsc_extend(&walk->busy, op->start, op->end));
    add_span(walk, op, is_kernel, reach);
}

static void init_walk(struct walk *walk, struct nsc_work_times *out, const struct nsc_scope *scope)
{
    nsc_time t0 = scope->window.t0;

    *walk = (struct walk){.out = out, .comm = t0, .kernels = t0, .busy = t0};
    for (unsigned a = 0; a < NSC_N_OP_KINDS; a++)
        for (unsigned b = 0; b < NSC_N_OP_KINDS; b++)
            walk->either[a][b] = t0;
}

static bool build_work_times(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_work_times *out = value;
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    struct nsc_device_ops work;
    struct nsc_device_op op;
    struct walk walk;

    *out = (struct nsc_work_times){.device = device};
    init_walk(&walk, out, scope);
    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op)) {
        add_figures(&out->of[op.kind], nsc_event_duration(events, op.event));
        add_op(&walk, &op, op.kind);
    }
    nsc_device_ops_fini(&work);
    for (unsigned a = 0; a < NSC_N_OP_KINDS; a++)
        for (unsigned b = 0; b < a; b++)
            out->either[a][b] = out->either[b][a];
    out->busy_in_span = out->has_kernels ? out->busy - walk.before - walk.after : 0;
    return true;
}

static const struct nsc_shared_kind work_times_kind = {sizeof(struct nsc_work_times),
                                                       build_work_times, NULL};

void nsc_work_times_build(struct nsc_work_times *out, const struct nsc_scope *scope,
                          uint32_t device)
{
    (void)nsc_shared_ask(out, NULL, &work_times_kind, scope, device);
}

nsc_time nsc_work_times_both(const struct nsc_work_times *times, enum nsc_op_kind a,
                             enum nsc_op_kind b)
{
    if (a == b)
        return times->either[a][a];
    return times->either[a][a] - (times->either[a][b] - times->either[b][b]);
}

struct nsc_work_parts nsc_work_times_parts(const struct nsc_work_times *times,
                                           const struct nsc_scope *scope)
{
    struct nsc_work_parts parts = {.span = scope->has_window ? scope->window : times->span};
    nsc_time compute = times->either[NSC_OP_KIND_COMPUTE][NSC_OP_KIND_COMPUTE];
    nsc_time busy = scope->has_window ? times->busy : times->busy_in_span;

    parts.compute_only = times->kernels - times->comm;
    parts.comm_only = times->kernels - compute;
    parts.both = compute - (times->kernels - times->comm);
    parts.copies_only = busy - times->kernels;
    parts.idle = nsc_span(busy, nsc_span(parts.span.t0, parts.span.t1));
    return parts;
}
