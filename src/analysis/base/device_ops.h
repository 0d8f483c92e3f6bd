/*
 * The ops of one device in a scope, in order of start, clipped to the window.
 *
 * All questions about a device read its ops this way: kernels, graph launches, copies and memsets
 * of every process and stream. A plain value; the owner calls fini.
 */
#ifndef NSC_ANALYSIS_DEVICE_WORK_H
#define NSC_ANALYSIS_DEVICE_WORK_H

#include "analysis/base/scope.h"
#include "analysis/names/collective.h"
#include "core/sum.h"
#include "index/lane_merge.h"

/* The next NSC_TRACK_DEVICE after this track (NSC_NONE: the first); NSC_NONE after the last. */
uint32_t nsc_device_next(const struct nsc_trace *trace, uint32_t track);

/*
 * The window in which a device is measured: the scope's window if the caller asked for one, else
 * from the start of its first op to the end of its last one, so that the time before and after the
 * work does not count as idle. False if no op of the device that the scope's mask selects has any
 * length; one at another time suffices.
 */
bool nsc_device_window(struct nsc_window *out, const struct nsc_scope *scope, uint32_t device);
/* The scope with the window of a device that has one of its own (of_devices): empty if the device has
 * no work in it. */
struct nsc_scope nsc_device_scope(const struct nsc_scope *scope, uint32_t device);

enum nsc_op_kind {
    NSC_OP_KIND_COMPUTE, /* kernels other than communication, and CUDA graphs recorded as graphs */
    NSC_OP_KIND_COMM,    /* NSC_OP_KIND_COMM + a collective, in the order of the collectives */
    NSC_OP_KIND_HTOD = NSC_OP_KIND_COMM + NSC_N_COLLECTIVES,
    NSC_OP_KIND_DTOH,
    NSC_OP_KIND_DTOD,
    NSC_OP_KIND_PEER,
    NSC_OP_KIND_COPY, /* unknown direction, or host to host */
    NSC_OP_KIND_MEMSET,
    NSC_N_OP_KINDS
};

/* Sets of kinds: one bit per enum nsc_op_kind. */
#define NSC_OP_KIND_BIT(kind) (1u << (kind))
#define NSC_COMPUTE_KINDS     NSC_OP_KIND_BIT(NSC_OP_KIND_COMPUTE)
#define NSC_KERNEL_KINDS      (NSC_OP_KIND_BIT(NSC_OP_KIND_HTOD) - 1)
#define NSC_COMM_KINDS        (NSC_KERNEL_KINDS & ~NSC_COMPUTE_KINDS)
#define NSC_ALL_KINDS         (NSC_OP_KIND_BIT(NSC_N_OP_KINDS) - 1)
#define NSC_COPY_KINDS        (NSC_OP_KIND_BIT(NSC_OP_KIND_MEMSET) - NSC_OP_KIND_BIT(NSC_OP_KIND_HTOD))
#define NSC_TRANSFER_KINDS    (NSC_OP_KIND_BIT(NSC_OP_KIND_HTOD) | NSC_OP_KIND_BIT(NSC_OP_KIND_DTOH))

/* "compute", "AllGather", "copy host to device", ... */
const char *nsc_op_kind_word(enum nsc_op_kind kind);
/* False for events that are no GPU work. Reads the name of a communication kernel; for many ops,
 * nsc_device_op has the kind already. */
bool nsc_op_kind_of(const struct nsc_trace *trace, nsc_event event, enum nsc_op_kind *out);

struct nsc_device_op {
    nsc_time start, end; /* clipped; equal for an instant */
    nsc_event event;
    nsc_event call;  /* that launched it; NSC_NONE: none is known */
    uint32_t stream; /* track */
    uint8_t kind;    /* enum nsc_op_kind */
    bool is_graph;   /* a CUDA graph recorded whole */
    bool is_clipped; /* longer than end - start */
};

struct nsc_ops_lane {
    nsc_event first, end;
    uint32_t stream;
};

struct nsc_device_ops {
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    struct nsc_window window;
    struct nsc_lane_merge merge;
    NSC_VEC(struct nsc_ops_lane) lanes; /* those with rows, in order of row */
    size_t last_lane;
    struct nsc_device_op *block;
    uint32_t at, n; /* ops [at, n) of the block come next */
    const uint8_t *name_flags;
    uint8_t *kind_of_name; /* by name of kernel: enum nsc_op_kind + 1; 0: not known yet */
};

void nsc_device_ops_init(struct nsc_device_ops *work, const struct nsc_scope *scope,
                         uint32_t device);
/* Reads the next block, ops [0, n); false after the last, or once the scope is stopped. */
bool nsc_device_ops_step(struct nsc_device_ops *work);
/* The next op of the scope; false after the last. Ops of equal start come in order of row. */
static inline bool nsc_device_ops_next(struct nsc_device_ops *work, struct nsc_device_op *op)
{
    while (work->at == work->n)
        if (!nsc_device_ops_step(work)) {
            op->event = NSC_NONE;
            return false;
        }
    *op = work->block[work->at++];
    return true;
}
void nsc_device_ops_fini(struct nsc_device_ops *work);
/* The whole duration of an op. */
static inline nsc_time nsc_device_op_duration(const struct nsc_device_op *op,
                                              const struct nsc_events *events)
{
    return op->is_clipped ? nsc_event_duration(events, op->event) : op->end - op->start;
}

/* Whether a process has a stream on a device; device: its track. O(tracks of the device). */
bool nsc_process_works_on(const struct nsc_trace *trace, uint32_t device, uint64_t process);

#endif
