/* Measures how much of a device's time CUDA graphs take. */
#include "analysis/device/graphs.h"

#include "analysis/names/call_class.h"
#include "core/sum.h"

struct counting {
    struct nsc_graph_use *out;
    struct nsc_call_classes classes;
    nsc_time busy, whole, node; /* ends of the unions so far */
};

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct counting *counting = own;

    (void)param;
    counting->out = answer;
    counting->out->window = sweep->window;
    counting->busy = counting->whole = counting->node = sweep->window.t0;
    nsc_call_classes_build(&counting->classes, sweep->scope->trace);
}

static inline void cover(nsc_time *length, nsc_time *reach, const struct nsc_device_op *op)
{
    *length = nsc_sum(*length, nsc_extend(reach, op->start, op->end));
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    struct counting *counting = own;
    const struct nsc_call_classes *classes = &counting->classes;
    const struct nsc_events *events = classes->events;
    struct nsc_graph_use *of = counting->out;

    (void)sweep;
    cover(&of->busy, &counting->busy, op);
    if (op->is_graph) {
        of->n_whole++;
        of->whole_work = nsc_sum(of->whole_work, nsc_device_op_duration(op, events));
        cover(&of->whole_busy, &counting->whole, op);
    } else if (op->call != NSC_NONE && nsc_call_class_of(classes, op->call) == NSC_CALL_GRAPH) {
        of->n_nodes++;
        of->n_calls += events->link[op->call] == op->event;
        of->node_work = nsc_sum(of->node_work, nsc_device_op_duration(op, events));
        cover(&of->node_busy, &counting->node, op);
    }
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct counting *counting = own;

    nsc_call_classes_fini(&counting->classes);
    return sweep->has_window;
}

const struct nsc_rider nsc_graph_use_rider = {.kind = {.bytes = sizeof(struct nsc_graph_use)},
                                              .own_bytes = sizeof(struct counting),
                                              .begin = begin,
                                              .op = pass_op,
                                              .end = end};

bool nsc_graph_use_build(struct nsc_graph_use *out, const struct nsc_scope *scope, uint32_t device)
{
    return nsc_sweep_ask(out, NULL, &nsc_graph_use_rider, NULL, scope, device);
}
