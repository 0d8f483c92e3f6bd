/*
 * Kernels of each stream: figures that grow with each op of the device, a slot a stream.
 */
#include "analysis/device/stream_use.h"

#include "analysis/base/device_ops.h"
#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

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
    use->comm_kernels += is_comm;
    use->comm_work = is_comm ? nsc_sum(use->comm_work, duration) : use->comm_work;
    use->busy = nsc_sum(use->busy, nsc_extend(&use->span.t1, op->start, op->end));
}

/* Drops the tracks without kernels. */
static void keep_used(struct nsc_stream_uses *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (out->at[i].kernels > 0)
            out->at[out->n++] = out->at[i];
}

static void build_uses(struct nsc_stream_uses *out, const struct nsc_scope *scope, uint32_t device,
                       nsc_time stall_ns)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint32_t n = tracks[device].skip - device;
    struct nsc_device_ops work;
    struct nsc_device_op op;
    enum nsc_op_class class = NSC_OP_COMPUTE;

    *out = (struct nsc_stream_uses){.at = nsc_xcalloc(n, sizeof *out->at)};
    for (uint32_t i = 0; i < n; i++)
        out->at[i].track = device + i;
    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op)) {
        struct nsc_stream_use *use = &out->at[op.stream - device];

        if (!nsc_trace_work_of(scope->trace, op.event, &class) || class > NSC_OP_COMM)
            continue;
        if (use->kernels > 0)
            add_pause(use, op.start, stall_ns);
        add_kernel(use, &op, nsc_event_duration(events, op.event), class == NSC_OP_COMM);
    }
    nsc_device_ops_fini(&work);
    keep_used(out, n);
}

static bool build_without_stalls(void *value, const struct nsc_scope *scope, uint32_t device)
{
    build_uses(value, scope, device, INT64_MAX);
    return true;
}

static void fini_uses(void *value)
{
    struct nsc_stream_uses *uses = value;

    free(uses->at);
    *uses = (struct nsc_stream_uses){0};
}

static const struct nsc_shared_kind uses_kind = {sizeof(struct nsc_stream_uses),
                                                 build_without_stalls, fini_uses};

void nsc_stream_uses_build(struct nsc_stream_uses *out, const struct nsc_scope *scope,
                           uint32_t device, nsc_time stall_ns)
{
    bool is_kept = false;

    if (stall_ns == INT64_MAX)
        (void)nsc_shared_ask(out, &is_kept, &uses_kind, scope, device);
    else
        build_uses(out, scope, device, stall_ns);
    out->is_kept = is_kept;
}

void nsc_stream_uses_fini(struct nsc_stream_uses *uses)
{
    if (!uses->is_kept)
        fini_uses(uses);
}
