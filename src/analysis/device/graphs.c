/* Measures how much of a device's time CUDA graphs take. */
#include "analysis/device/graphs.h"

#include "analysis/names/call_class.h"
#include "core/sum.h"

struct counting {
    struct nsc_graph_use *out;
    struct nsc_call_classes classes;
    struct {
        nsc_time busy, whole, node;
    } reach;
};

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct counting *counting = own;
    nsc_time t0 = sweep->window.t0;

    (void)param;
    counting->out = answer;
    counting->out->window = sweep->window;
    counting->reach.busy = counting->reach.whole = counting->reach.node = t0;
    nsc_call_classes_build(&counting->classes, sweep->scope->trace);
}

static void cover(nsc_time *length, nsc_time *reach, const struct nsc_device_op *op)
{
    *length = nsc_sum(*length, nsc_extend(reach, op->start, op->end));
}

static void add_op(struct counting *counting, const struct nsc_sweep *sweep,
                   const struct nsc_device_op *op)
{
    struct nsc_graph_use *out = counting->out;
    const struct nsc_events *events = sweep->events;

    cover(&out->busy, &counting->reach.busy, op);
    if (op->is_graph) {
        out->n_whole++;
        out->whole_work = nsc_sum(out->whole_work, nsc_device_op_duration(op, events));
        cover(&out->whole_busy, &counting->reach.whole, op);
    } else if (op->call != NSC_NONE &&
               nsc_call_class_of(&counting->classes, op->call) == NSC_CALL_GRAPH) {
        out->n_nodes++;
        out->n_calls += events->link[op->call] == op->event;
        out->node_work = nsc_sum(out->node_work, nsc_device_op_duration(op, events));
        cover(&out->node_busy, &counting->reach.node, op);
    }
}

static void pass(void *own, const struct nsc_sweep *sweep, const struct nsc_sweep_block *block)
{
    for (uint32_t i = 0; i < block->n_ops; i++)
        add_op(own, sweep, &block->ops[i]);
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    nsc_call_classes_fini(&((struct counting *)own)->classes);
    return sweep->has_window;
}

const struct nsc_rider nsc_graph_use_rider = {.kind = {.bytes = sizeof(struct nsc_graph_use)},
                                              .own_bytes = sizeof(struct counting),
                                              .begin = begin,
                                              .pass = pass,
                                              .end = end};

bool nsc_graph_use_build(struct nsc_graph_use *out, const struct nsc_scope *scope, uint32_t device)
{
    return nsc_sweep_ask(out, NULL, &nsc_graph_use_rider, NULL, scope, device);
}
