/*
 * Adds each kernel to the figures of its stream.
 */
#include "analysis/device/stream_use.h"

#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

struct adding {
    struct nsc_stream_uses *out; /* one slot per track during the sweep */
    nsc_time stall_ns;
};

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct adding *adding = own;

    adding->out = answer;
    adding->stall_ns = param ? *(const nsc_time *)param : NSC_STREAM_STALL_NS;
    adding->out->at = nsc_xcalloc(sweep->n_tracks, sizeof *adding->out->at);
    for (uint32_t i = 0; i < sweep->n_tracks; i++)
        adding->out->at[i].track = sweep->device + i;
}

static void add_pause(struct nsc_stream_use *use, nsc_time start, nsc_time stall_ns)
{
    nsc_time pause = nsc_span(use->span.t1, start);

    if (pause == 0)
        return;
    use->pauses++;
    use->paused = nsc_sum(use->paused, pause);
    use->stalls += pause > stall_ns;
    if (pause > use->longest_pause) {
        use->longest_pause = pause;
        use->longest_pause_at = use->span.t1;
    }
}

static void add_kernel(struct nsc_stream_use *use, const struct nsc_device_op *op,
                       nsc_time duration, bool is_comm)
{
    if (use->kernels++ == 0)
        use->span = (struct nsc_window){op->start, op->start};
    use->work = nsc_sum(use->work, duration);
    if (is_comm) {
        use->comm_kernels++;
        use->comm_work = nsc_sum(use->comm_work, duration);
    }
    use->busy = nsc_sum(use->busy, nsc_extend(&use->span.t1, op->start, op->end));
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    const struct adding *adding = own;
    struct nsc_stream_use *use = &adding->out->at[op->stream - sweep->device];

    if (op->kind >= NSC_OP_KIND_HTOD)
        return;
    if (use->kernels > 0)
        add_pause(use, op->start, adding->stall_ns);
    add_kernel(use, op, nsc_device_op_duration(op, sweep->events), op->kind != NSC_OP_KIND_COMPUTE);
}

/* Drops the tracks without kernels. */
static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct nsc_stream_uses *out = ((const struct adding *)own)->out;

    for (uint32_t i = 0; i < sweep->n_tracks; i++)
        if (out->at[i].kernels > 0)
            out->at[out->n++] = out->at[i];
    return true;
}

static void fini_uses(void *answer)
{
    struct nsc_stream_uses *uses = answer;

    free(uses->at);
    *uses = (struct nsc_stream_uses){0};
}

const struct nsc_rider nsc_stream_uses_rider = {
    .kind = {.bytes = sizeof(struct nsc_stream_uses), .fini = fini_uses},
    .own_bytes = sizeof(struct adding),
    .begin = begin,
    .op = pass_op,
    .end = end};

void nsc_stream_uses_build(struct nsc_stream_uses *out, const struct nsc_scope *scope,
                           uint32_t device, nsc_time stall_ns)
{
    struct nsc_ride ride = {&nsc_stream_uses_rider, &stall_ns, out, false};

    if (stall_ns == NSC_STREAM_STALL_NS)
        (void)nsc_sweep_ask(out, &out->is_kept, &nsc_stream_uses_rider, NULL, scope, device);
    else
        nsc_sweep_run(scope, device, &ride, 1);
}

void nsc_stream_uses_fini(struct nsc_stream_uses *uses)
{
    if (!uses->is_kept)
        fini_uses(uses);
}
