/* Measures how much of a device's time CUDA graphs take. */
#include "analysis/device/graphs.h"

#include "analysis/names/call_class.h"
#include "core/sum.h"

struct sums { /* copied to a local for each block, to stay in registers */
    struct nsc_graph_use of;
    nsc_time busy, whole, node; /* ends of the unions so far */
};

struct counting {
    struct nsc_graph_use *out;
    struct nsc_call_classes classes;
    struct sums sums;
};

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct counting *counting = own;
    nsc_time t0 = sweep->window.t0;

    (void)param;
    counting->out = answer;
    counting->sums = (struct sums){{.window = sweep->window}, t0, t0, t0};
    nsc_call_classes_build(&counting->classes, sweep->scope->trace);
}

static inline void cover(nsc_time *length, nsc_time *reach, const struct nsc_device_op *op)
{
    *length = nsc_sum(*length, nsc_extend(reach, op->start, op->end));
}

static inline void add_op(struct sums *sums, const struct nsc_call_classes *classes,
                          const struct nsc_device_op *op)
{
    const struct nsc_events *events = classes->events;
    struct nsc_graph_use *of = &sums->of;

    cover(&of->busy, &sums->busy, op);
    if (op->is_graph) {
        of->n_whole++;
        of->whole_work = nsc_sum(of->whole_work, nsc_device_op_duration(op, events));
        cover(&of->whole_busy, &sums->whole, op);
    } else if (op->call != NSC_NONE && nsc_call_class_of(classes, op->call) == NSC_CALL_GRAPH) {
        of->n_nodes++;
        of->n_calls += events->link[op->call] == op->event;
        of->node_work = nsc_sum(of->node_work, nsc_device_op_duration(op, events));
        cover(&of->node_busy, &sums->node, op);
    }
}

static void pass(void *own, const struct nsc_sweep *sweep, const struct nsc_sweep_block *block)
{
    struct counting *counting = own;
    struct sums sums = counting->sums;

    (void)sweep;
    for (uint32_t i = 0; i < block->n_ops; i++)
        add_op(&sums, &counting->classes, &block->ops[i]);
    counting->sums = sums;
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct counting *counting = own;

    *counting->out = counting->sums.of;
    nsc_call_classes_fini(&counting->classes);
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
