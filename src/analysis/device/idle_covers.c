/*
 * Gathers the pieces of a device's gaps by class.
 */
#include "analysis/device/idle_covers.h"

#include "core/vec.h"
#include "index/cover_data.h"

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
    [NSC_GAP_OFF_CPU] = NSC_IDLE_CPU,
    [NSC_GAP_STREAM] = NSC_IDLE_QUEUED,
    [NSC_GAP_OTHER_STREAM] = NSC_IDLE_QUEUED,
    [NSC_GAP_BEHIND_COPY] = NSC_IDLE_QUEUED,
    [NSC_GAP_MIGRATION] = NSC_IDLE_QUEUED,
    [NSC_GAP_BEHIND_GPU] = NSC_IDLE_QUEUED,
    [NSC_GAP_QUEUED] = NSC_IDLE_QUEUED,
    [NSC_GAP_OTHER_GPU] = NSC_IDLE_WAITS,
    [NSC_GAP_ENDED] = NSC_IDLE_WAITS,
    [NSC_GAP_UNKNOWN] = NSC_N_IDLE_CLASSES,
    [NSC_GAP_UNRECORDED] = NSC_N_IDLE_CLASSES,
};

void nsc_idle_covers_fini(struct nsc_idle_covers *covers)
{
    for (int i = 0; i < NSC_N_IDLE_CLASSES; i++)
        nsc_cover_free(covers->of[i]);
    *covers = (struct nsc_idle_covers){.device = covers->device};
}

/* Covers of n classes of parts, NULL: the parts; what is of class n or more has none. */
static bool build(struct nsc_cover *out[], unsigned n, const uint8_t class_of[NSC_N_GAP_PARTS],
                  const struct nsc_scope *scope, uint32_t device)
{
    NSC_VEC(struct nsc_window) of[NSC_N_GAP_PARTS] = {0};
    struct nsc_gap_walk walk;
    struct nsc_gap gap;
    bool result = nsc_gap_walk_init(&walk, scope, device);

    while (nsc_gap_walk_next(&walk, &gap))
        for (size_t i = 0; i < walk.pieces.n; i++) {
            const struct nsc_gap_piece *piece = &walk.pieces.at[i];
            unsigned class = class_of ? class_of[piece->part] : piece->part;

            if (class < n)
                *NSC_VEC_ADD(&of[class]) = (struct nsc_window){piece->start, piece->end};
        }
    nsc_gap_walk_fini(&walk);
    for (unsigned i = 0; i < n; i++) {
        struct nsc_cover_writer writer;

        out[i] = NULL;
        if (of[i].n && nsc_cover_writer_init(&writer, (uint32_t)of[i].n)) {
            for (size_t k = 0; k < of[i].n; k++)
                nsc_cover_writer_add(&writer, of[i].at[k].t0, of[i].at[k].t1);
            out[i] = nsc_cover_writer_end(&writer);
        }
        NSC_VEC_FINI(&of[i]);
    }
    return result;
}

bool nsc_idle_covers_build(struct nsc_idle_covers *out, const struct nsc_trace *trace,
                           uint32_t device)
{
    struct nsc_scope scope = nsc_scope_all(trace);

    out->device = device;
    return build(out->of, NSC_N_IDLE_CLASSES, classes, &scope, device);
}

bool nsc_gap_covers_build(struct nsc_cover *out[NSC_GAP_UNKNOWN], const struct nsc_scope *scope,
                          uint32_t device)
{
    return build(out, NSC_GAP_UNKNOWN, NULL, scope, device);
}
