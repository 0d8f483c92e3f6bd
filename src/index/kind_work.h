/*
 * The op class of each kind of event.
 */
#ifndef NSC_INDEX_KIND_WORK_H
#define NSC_INDEX_KIND_WORK_H

#include "nsyscope/trace.h"

/* comm: the kernel's name means communication. False if the kind is not an op. */
static inline bool nsc_op_class_of_kind(enum nsc_op_class *out, uint8_t kind, bool comm)
{
    switch (kind) {
    case NSC_KIND_KERNEL:
        *out = comm ? NSC_OP_COMM : NSC_OP_COMPUTE;
        return true;
    case NSC_KIND_GRAPH:
        *out = NSC_OP_COMPUTE;
        return true;
    case NSC_KIND_COPY_HTOD:
        *out = NSC_OP_HTOD;
        return true;
    case NSC_KIND_COPY_DTOH:
        *out = NSC_OP_DTOH;
        return true;
    case NSC_KIND_COPY_DTOD:
    case NSC_KIND_COPY_PTOP:
    case NSC_KIND_COPY_OTHER:
        *out = NSC_OP_PEER;
        return true;
    case NSC_KIND_MEMSET:
        *out = NSC_OP_MEMSET;
        return true;
    default:
        return false;
    }
}

/* As nsc_trace_work_of, for loops over many rows. */
static inline bool nsc_op_class_of_row(const struct nsc_events *events,
                                       const struct nsc_names *names, nsc_event row,
                                       enum nsc_op_class *out)
{
    bool comm = names->flags[events->name[row]] & NSC_NAME_COMM;

    return nsc_op_class_of_kind(out, events->kind[row], comm);
}

#endif
