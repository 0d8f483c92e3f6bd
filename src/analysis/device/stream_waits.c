/* Finds the gaps of streams from the end of the ops so far on each. */
#include "analysis/device/stream_waits.h"

#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct nsc_stream_waits *out = *(struct nsc_stream_waits **)own = answer;

    (void)param;
    out->at = nsc_xcalloc(sweep->n_tracks, sizeof *out->at); /* one slot per track during the
                                                              * sweep */
}

static void add_gap(struct nsc_stream_wait_sums *stream, const struct nsc_events *events,
                    const struct nsc_device_op *op)
{
    nsc_event call = op->call;
    nsc_time gap = nsc_span(stream->reach, op->start);
    enum nsc_stream_wait wait = NSC_STREAM_OTHER;

    if (call == NSC_NONE)
        wait = NSC_STREAM_UNKNOWN;
    else if (events->start[call] > stream->reach)
        wait = NSC_STREAM_HOST;
    else if (gap < NSC_LIMIT_STREAM_WAIT)
        wait = NSC_STREAM_KERNEL;
    stream->gaps++;
    stream->wait[wait] = nsc_sum(stream->wait[wait], gap);
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    const struct nsc_stream_waits *out = *(struct nsc_stream_waits **)own;
    struct nsc_stream_wait_sums *stream = &out->at[op->stream - sweep->device];

    if (stream->ops > 0 && op->start > stream->reach)
        add_gap(stream, sweep->events, op);
    stream->reach = stream->ops > 0 ? nsc_later(stream->reach, op->end) : op->end;
    stream->stream = op->stream;
    stream->ops++;
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct nsc_stream_waits *out = *(struct nsc_stream_waits **)own;

    for (uint32_t i = 0; i < sweep->n_tracks; i++)
        if (out->at[i].ops > 0)
            out->at[out->n++] = out->at[i];
    return true;
}

static void fini(void *answer)
{
    free(((struct nsc_stream_waits *)answer)->at);
}

const struct nsc_rider nsc_stream_waits_rider = {
    .kind = {.bytes = sizeof(struct nsc_stream_waits), .fini = fini},
    .own_bytes = sizeof(struct nsc_stream_waits *),
    .begin = begin,
    .op = pass_op,
    .end = end};

void nsc_stream_waits_build(struct nsc_stream_waits *out, const struct nsc_scope *scope,
                            uint32_t device)
{
    (void)nsc_sweep_ask(out, &out->is_kept, &nsc_stream_waits_rider, NULL, scope, device);
}

void nsc_stream_waits_fini(struct nsc_stream_waits *waits)
{
    if (!waits->is_kept)
        fini(waits);
}
