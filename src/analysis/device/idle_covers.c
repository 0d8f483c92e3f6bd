/*
 * Gathers the pieces of a device's gaps by class.
 */
#include "analysis/device/idle_covers.h"

#include "core/vec.h"
#include "index/cover_data.h"

/* The class of a part; NSC_N_IDLE_CLASSES: it has none. */
static unsigned class_of(unsigned part)
{
    switch (part) {
    case NSC_GAP_OVERHEAD:
        return NSC_IDLE_PROFILER;
    case NSC_GAP_MPI:
        return NSC_IDLE_MPI;
    case NSC_GAP_SYNC:
    case NSC_GAP_COPY:
    case NSC_GAP_DRAINED:
    case NSC_GAP_OTHER_GPU:
    case NSC_GAP_ENDED:
        return NSC_IDLE_WAITS;
    default:
        return part >= NSC_GAP_UNKNOWN                          ? NSC_N_IDLE_CLASSES
               : part >= NSC_GAP_STREAM                         ? NSC_IDLE_QUEUED
               : part >= NSC_GAP_MEMORY && part <= NSC_GAP_CUDA ? NSC_IDLE_CALLS
               : part >= NSC_GAP_FILE && part <= NSC_GAP_OS     ? NSC_IDLE_OS
                                                                : NSC_IDLE_CPU;
    }
}

void nsc_idle_covers_fini(struct nsc_idle_covers *covers)
{
    for (int i = 0; i < NSC_N_IDLE_CLASSES; i++)
        nsc_cover_free(covers->of[i]);
    *covers = (struct nsc_idle_covers){.device = covers->device};
}

/* Covers of n classes of parts, or of the first n parts. */
static bool build(struct nsc_cover *out[], unsigned n, bool by_class, const struct nsc_scope *scope,
                  uint32_t device)
{
    NSC_VEC(struct nsc_window) of[NSC_N_GAP_PARTS] = {0};
    struct nsc_gap_walk walk;
    struct nsc_gap gap;
    bool result = nsc_gap_walk_init(&walk, scope, device);

    while (nsc_gap_walk_next(&walk, &gap))
        for (size_t i = 0; i < walk.pieces.n; i++) {
            const struct nsc_gap_piece *piece = &walk.pieces.at[i];
            unsigned class = by_class ? class_of(piece->part) : piece->part;

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
    return build(out->of, NSC_N_IDLE_CLASSES, true, &scope, device);
}

bool nsc_gap_covers_build(struct nsc_cover *out[NSC_GAP_UNKNOWN], const struct nsc_scope *scope,
                          uint32_t device)
{
    return build(out, NSC_GAP_UNKNOWN, false, scope, device);
}
