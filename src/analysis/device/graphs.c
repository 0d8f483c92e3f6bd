/*
 * How much of a device's time CUDA graphs take.
 */
#include "analysis/device/graphs.h"

#include "analysis/names/call_class.h"
#include "core/sum.h"

struct reach {
    nsc_time busy, whole, node;
};

static void cover(nsc_time *length, nsc_time *reach, const struct nsc_device_op *op)
{
    *length = nsc_sum(*length, nsc_extend(reach, op->start, op->end));
}

static void add_op(struct nsc_graph_use *out, struct reach *reach, const struct nsc_trace *trace,
                   const struct nsc_call_classes *classes, const struct nsc_device_op *op)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event call = events->link[op->event];
    nsc_time duration = nsc_event_duration(events, op->event);

    cover(&out->busy, &reach->busy, op);
    if (events->kind[op->event] == NSC_KIND_GRAPH) {
        out->n_whole++;
        out->whole_work = nsc_sum(out->whole_work, duration);
        cover(&out->whole_busy, &reach->whole, op);
    } else if (call != NSC_NONE && nsc_call_class_of(classes, call) == NSC_CALL_GRAPH) {
        out->n_nodes++;
        out->n_calls += events->link[call] == op->event;
        out->node_work = nsc_sum(out->node_work, duration);
        cover(&out->node_busy, &reach->node, op);
    }
}

bool nsc_graph_use_build(struct nsc_graph_use *out, const struct nsc_scope *scope, uint32_t device)
{
    struct reach reach;
    struct nsc_call_classes classes;
    struct nsc_device_ops work;
    struct nsc_device_op op;

    *out = (struct nsc_graph_use){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    reach = (struct reach){out->window.t0, out->window.t0, out->window.t0};
    nsc_call_classes_build(&classes, scope->trace);
    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op))
        add_op(out, &reach, scope->trace, &classes, &op);
    nsc_device_ops_fini(&work);
    nsc_call_classes_fini(&classes);
    return true;
}
