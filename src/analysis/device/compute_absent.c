/*
 * Intervals without compute, each laid to the launch and the stream of the op that ends it.
 */
#include "analysis/device/compute_absent.h"

#include "analysis/base/correlate.h"
#include "analysis/base/shared.h"
#include "analysis/names/call_class.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

/* What each stream has been doing: the op of those met so far that ends last. */
struct stream_end {
    nsc_time end;
    uint8_t part; /* enum nsc_absent_part of waiting for it */
};

struct absent_sweep {
    struct nsc_absent *out;
    const struct nsc_trace *trace;
    struct nsc_call_classes classes;
    struct stream_end *streams; /* by track */
};

const char *nsc_absent_word(enum nsc_absent_part part)
{
    static const char *const words[NSC_N_ABSENT_PARTS] = {
        "launch-starved: not issued yet", "waits for communication on its stream",
        "waits for a copy on its stream", "issued: why it waits is not known",
        "in a CUDA graph that is issued", "unknown: no launch or nothing follows"};

    return words[part];
}

static void explain(struct absent_sweep *sweep, nsc_time start, nsc_time end,
                    const struct nsc_device_op *next)
{
    const struct nsc_events *events = nsc_trace_events(sweep->trace);
    nsc_event call = next ? nsc_event_launch(sweep->trace, next->event) : NSC_NONE;
    nsc_time *part = sweep->out->part;
    nsc_time issued;
    nsc_time freed;

    sweep->out->n++;
    sweep->out->absent = nsc_sum(sweep->out->absent, nsc_span(start, end));
    if (call == NSC_NONE) {
        part[NSC_ABSENT_UNKNOWN] = nsc_sum(part[NSC_ABSENT_UNKNOWN], nsc_span(start, end));
        return;
    }
    issued = nsc_later(start, nsc_earlier(events->start[call], end));
    part[NSC_ABSENT_STARVED] = nsc_sum(part[NSC_ABSENT_STARVED], nsc_span(start, issued));
    if (events->kind[next->event] == NSC_KIND_KERNEL &&
        nsc_call_class_of(&sweep->classes, call) == NSC_CALL_GRAPH) {
        part[NSC_ABSENT_GRAPH] = nsc_sum(part[NSC_ABSENT_GRAPH], nsc_span(issued, end));
        return;
    }
    freed = nsc_later(issued, nsc_earlier(sweep->streams[next->stream].end, end));
    part[sweep->streams[next->stream].part] =
        nsc_sum(part[sweep->streams[next->stream].part], nsc_span(issued, freed));
    part[NSC_ABSENT_STALLED] = nsc_sum(part[NSC_ABSENT_STALLED], nsc_span(freed, end));
}

static void pass_op(struct absent_sweep *sweep, const struct nsc_device_op *op,
                    enum nsc_op_class work)
{
    struct stream_end *stream = &sweep->streams[op->stream];

    if (op->end <= stream->end)
        return;
    stream->end = op->end;
    stream->part = work == NSC_OP_COMM      ? NSC_ABSENT_COMM
                   : work == NSC_OP_COMPUTE ? NSC_ABSENT_STALLED
                                            : NSC_ABSENT_MEMORY;
}

static void sweep_device(struct absent_sweep *sweep, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_absent *out = sweep->out;
    nsc_time reach = out->window.t0;
    struct nsc_device_ops ops;
    struct nsc_device_op op;

    nsc_device_ops_init(&ops, scope, device);
    while (nsc_device_ops_next(&ops, &op)) {
        enum nsc_op_class work = NSC_OP_COMPUTE;

        if (op.start == op.end)
            continue;
        (void)nsc_trace_work_of(scope->trace, op.event, &work);
        if (work == NSC_OP_COMPUTE && op.start > reach)
            explain(sweep, reach, op.start, &op);
        if (work == NSC_OP_COMPUTE)
            out->compute = nsc_sum(out->compute, nsc_extend(&reach, op.start, op.end));
        pass_op(sweep, &op, work);
    }
    nsc_device_ops_fini(&ops);
    if (reach < out->window.t1)
        explain(sweep, reach, out->window.t1, NULL);
}

static bool build_absent(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_absent *out = value;
    struct absent_sweep sweep = {.out = out, .trace = scope->trace};
    uint32_t n = 0;

    *out = (struct nsc_absent){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    (void)nsc_trace_tracks(scope->trace, &n);
    sweep.streams = nsc_xcalloc((size_t)n + 1, sizeof *sweep.streams);
    for (uint32_t t = 0; t < n; t++)
        sweep.streams[t] = (struct stream_end){INT64_MIN, NSC_ABSENT_STALLED};
    nsc_call_classes_build(&sweep.classes, scope->trace);
    sweep_device(&sweep, scope, device);
    nsc_call_classes_fini(&sweep.classes);
    free(sweep.streams);
    return true;
}

static const struct nsc_shared_kind absent_kind = {sizeof(struct nsc_absent), build_absent, NULL};

bool nsc_absent_build(struct nsc_absent *out, const struct nsc_scope *scope, uint32_t device)
{
    return nsc_shared_ask(out, NULL, &absent_kind, scope, device);
}
