/*
 * Gaps of streams: how far each reaches, in order of start.
 */
#include "analysis/device/stream_waits.h"

#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

static void add_gap(struct nsc_stream_waits *stream, const struct nsc_trace *trace, nsc_time start,
                    const struct nsc_device_op *op)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event call = events->link[op->event];
    nsc_time gap = nsc_span(start, op->start);
    enum nsc_stream_wait wait = NSC_STREAM_OTHER;

    if (call == NSC_NONE)
        wait = NSC_STREAM_UNKNOWN;
    else if (events->start[call] > start)
        wait = NSC_STREAM_HOST;
    else if (gap < NSC_STREAM_WAIT_NS)
        wait = NSC_STREAM_KERNEL;
    stream->gaps++;
    stream->wait[wait] = nsc_sum(stream->wait[wait], gap);
}

struct nsc_stream_waits *nsc_stream_waits_build(const struct nsc_scope *scope, uint32_t device,
                                                uint32_t *n)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    uint32_t n_tracks = tracks[device].skip - device;
    struct nsc_stream_waits *all = nsc_xcalloc((size_t)n_tracks + 1, sizeof *all);
    nsc_time *reach = nsc_xcalloc((size_t)n_tracks + 1, sizeof *reach);
    struct nsc_device_ops work;
    struct nsc_device_op op;

    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op)) {
        struct nsc_stream_waits *stream = &all[op.stream - device];
        nsc_time *end = &reach[op.stream - device];

        if (stream->ops > 0 && op.start > *end)
            add_gap(stream, scope->trace, *end, &op);
        *end = stream->ops > 0 ? nsc_later(*end, op.end) : op.end;
        stream->stream = op.stream;
        stream->ops++;
    }
    nsc_device_ops_fini(&work);
    free(reach);
    *n = 0;
    for (uint32_t i = 0; i < n_tracks; i++)
        if (all[i].ops > 0)
            all[(*n)++] = all[i];
    return all;
}
