/*
 * Intervals without compute, each explained by the launch and the stream of the op that ends it.
 */
#include "analysis/device/compute_absent.h"

#include "analysis/base/correlate.h"
#include "analysis/names/call_class.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

/* Of the ops of a stream that have started so far, the one that ends last. */
struct stream_end {
    nsc_time end;
    uint8_t part; /* enum nsc_absent_part: what waiting for it counts as */
};

struct explaining {
    struct nsc_absent *out;
    const struct nsc_trace *trace;
    struct nsc_call_classes classes;
    nsc_time reach;             /* of compute */
    struct stream_end *streams; /* by track less device */
    uint32_t device;
};

const char *nsc_absent_word(enum nsc_absent_part part)
{
    static const char *const words[NSC_N_ABSENT_PARTS] = {
        "launch-starved: not issued yet", "waits for communication on its stream",
        "waits for a copy on its stream", "issued: why it waits is not known",
        "in a CUDA graph that is issued", "unknown: no launch or nothing follows"};

    return words[part];
}

static void explain(struct explaining *of, nsc_time start, nsc_time end,
                    const struct nsc_device_op *next)
{
    const struct nsc_events *events = nsc_trace_events(of->trace);
    nsc_event call = next ? nsc_event_launch(of->trace, next->event) : NSC_NONE;
    nsc_time *part = of->out->part;
    const struct stream_end *before;
    nsc_time issued;
    nsc_time freed;

    of->out->n++;
    of->out->absent = nsc_sum(of->out->absent, nsc_span(start, end));
    if (call == NSC_NONE) {
        part[NSC_ABSENT_UNKNOWN] = nsc_sum(part[NSC_ABSENT_UNKNOWN], nsc_span(start, end));
        return;
    }
    issued = nsc_later(start, nsc_earlier(events->start[call], end));
    part[NSC_ABSENT_STARVED] = nsc_sum(part[NSC_ABSENT_STARVED], nsc_span(start, issued));
    if (events->kind[next->event] == NSC_KIND_KERNEL &&
        nsc_call_class_of(&of->classes, call) == NSC_CALL_GRAPH) {
        part[NSC_ABSENT_GRAPH] = nsc_sum(part[NSC_ABSENT_GRAPH], nsc_span(issued, end));
        return;
    }
    before = &of->streams[next->stream - of->device];
    freed = nsc_later(issued, nsc_earlier(before->end, end));
    part[before->part] = nsc_sum(part[before->part], nsc_span(issued, freed));
    part[NSC_ABSENT_STALLED] = nsc_sum(part[NSC_ABSENT_STALLED], nsc_span(freed, end));
}

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct explaining *of = own;

    (void)param;
    of->out = answer;
    of->out->window = sweep->window;
    of->trace = sweep->scope->trace;
    of->device = sweep->device;
    of->reach = sweep->window.t0;
    of->streams = nsc_xcalloc(sweep->n_tracks, sizeof *of->streams);
    for (uint32_t i = 0; i < sweep->n_tracks; i++)
        of->streams[i] = (struct stream_end){INT64_MIN, NSC_ABSENT_STALLED};
    nsc_call_classes_build(&of->classes, of->trace);
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    struct explaining *of = own;
    struct stream_end *stream = &of->streams[op->stream - sweep->device];

    if (op->start == op->end)
        return;
    if (op->kind == NSC_OP_KIND_COMPUTE) {
        if (op->start > of->reach)
            explain(of, of->reach, op->start, op);
        of->out->compute = nsc_sum(of->out->compute, nsc_extend(&of->reach, op->start, op->end));
    }
    if (op->end <= stream->end)
        return;
    stream->end = op->end;
    stream->part = op->kind == NSC_OP_KIND_COMPUTE ? NSC_ABSENT_STALLED
                   : op->kind < NSC_OP_KIND_HTOD   ? NSC_ABSENT_COMM
                                                   : NSC_ABSENT_MEMORY;
}

static bool end_absent(void *own, const struct nsc_sweep *sweep)
{
    struct explaining *of = own;

    if (sweep->has_window && of->reach < sweep->window.t1)
        explain(of, of->reach, sweep->window.t1, NULL);
    nsc_call_classes_fini(&of->classes);
    free(of->streams);
    return sweep->has_window;
}

const struct nsc_rider nsc_absent_rider = {{sizeof(struct nsc_absent), NULL, NULL},
                                           sizeof(struct explaining),
                                           begin,
                                           pass_op,
                                           NULL,
                                           end_absent};

bool nsc_absent_build(struct nsc_absent *out, const struct nsc_scope *scope, uint32_t device)
{
    return nsc_sweep_ask(out, NULL, &nsc_absent_rider, NULL, scope, device);
}
