/*
 * Gathers the pieces of a device's gaps by class.
 */
#include "analysis/device/idle_covers.h"

#include "core/vec.h"
#include "index/cover_data.h"

struct pieces {
    struct nsc_idle_covers *out;
    struct nsc_gap_walk walk;
    NSC_VEC(struct nsc_window) of[NSC_N_IDLE_CLASSES];
};

enum nsc_idle_class nsc_idle_class(enum nsc_gap_part part)
{
    static const uint8_t classes[NSC_N_GAP_PARTS] = {
        [NSC_GAP_OVERHEAD] = NSC_IDLE_PROFILER,
        [NSC_GAP_MPI] = NSC_IDLE_MPI,
        [NSC_GAP_GIL] = NSC_IDLE_CPU,
        [NSC_GAP_GC] = NSC_IDLE_CPU,
        [NSC_GAP_SYNC] = NSC_IDLE_WAITS,
        [NSC_GAP_COPY] = NSC_IDLE_WAITS,
        [NSC_GAP_MEMORY] = NSC_IDLE_CALLS,
        [NSC_GAP_LONG_LAUNCH] = NSC_IDLE_CALLS,
        [NSC_GAP_LAUNCH] = NSC_IDLE_CALLS,
        [NSC_GAP_CUDA] = NSC_IDLE_CALLS,
        [NSC_GAP_FILE] = NSC_IDLE_OS,
        [NSC_GAP_LOCK] = NSC_IDLE_OS,
        [NSC_GAP_SLEEP] = NSC_IDLE_OS,
        [NSC_GAP_NETWORK] = NSC_IDLE_OS,
        [NSC_GAP_EVENTS] = NSC_IDLE_OS,
        [NSC_GAP_OS] = NSC_IDLE_OS,
        [NSC_GAP_CPU] = NSC_IDLE_CPU,
        [NSC_GAP_DRAINED] = NSC_IDLE_WAITS,
        [NSC_GAP_STREAM] = NSC_IDLE_QUEUED,
        [NSC_GAP_OTHER_STREAM] = NSC_IDLE_QUEUED,
        [NSC_GAP_BEHIND_COPY] = NSC_IDLE_QUEUED,
        [NSC_GAP_MIGRATION] = NSC_IDLE_QUEUED,
        [NSC_GAP_QUEUED] = NSC_IDLE_QUEUED,
        [NSC_GAP_UNKNOWN] = NSC_N_IDLE_CLASSES,
    };

    return (enum nsc_idle_class)classes[part];
}

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct pieces *pieces = own;

    (void)param;
    pieces->out = answer;
    pieces->out->device = sweep->device;
    nsc_gap_walk_init(&pieces->walk, sweep);
}

static void pass_op(void *own, const struct nsc_sweep *sweep, const struct nsc_device_op *op)
{
    struct pieces *pieces = own;

    (void)sweep;
    nsc_gap_walk_op(&pieces->walk, op);
}

static void pass_gap(void *own, const struct nsc_sweep *sweep)
{
    struct pieces *pieces = own;

    (void)nsc_gap_walk_read(&pieces->walk, sweep);
    for (size_t i = 0; i < pieces->walk.pieces.n; i++) {
        const struct nsc_gap_piece *piece = &pieces->walk.pieces.at[i];
        enum nsc_idle_class class = nsc_idle_class((enum nsc_gap_part)piece->part);

        if (class != NSC_N_IDLE_CLASSES)
            *NSC_VEC_ADD(&pieces->of[class]) = (struct nsc_window){piece->start, piece->end};
    }
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct pieces *pieces = own;

    for (int i = 0; i < NSC_N_IDLE_CLASSES; i++) {
        struct nsc_cover_writer writer;

        if (pieces->of[i].n && nsc_cover_writer_init(&writer, (uint32_t)pieces->of[i].n)) {
            for (size_t k = 0; k < pieces->of[i].n; k++)
                nsc_cover_writer_add(&writer, pieces->of[i].at[k].t0, pieces->of[i].at[k].t1);
            pieces->out->of[i] = nsc_cover_writer_end(&writer);
        }
        NSC_VEC_FINI(&pieces->of[i]);
    }
    nsc_gap_walk_fini(&pieces->walk);
    return sweep->has_window;
}

static void fini(void *answer)
{
    nsc_idle_covers_fini(answer);
}

void nsc_idle_covers_fini(struct nsc_idle_covers *covers)
{
    for (int i = 0; i < NSC_N_IDLE_CLASSES; i++)
        nsc_cover_free(covers->of[i]);
    *covers = (struct nsc_idle_covers){.device = covers->device};
}

bool nsc_idle_covers_build(struct nsc_idle_covers *out, const struct nsc_trace *trace,
                           uint32_t device)
{
    static const struct nsc_rider rider = {
        .kind = {.bytes = sizeof(struct nsc_idle_covers), .fini = fini},
        .own_bytes = sizeof(struct pieces),
        .begin = begin,
        .op = pass_op,
        .gap = pass_gap,
        .end = end};
    struct nsc_scope scope = nsc_scope_all(trace);

    *out = (struct nsc_idle_covers){.device = device};
    if (nsc_sweep_ask(out, NULL, &rider, NULL, &scope, device))
        return true;
    nsc_idle_covers_fini(out);
    return false;
}
