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
#include "index/lane_merge.h"

/* The next NSC_TRACK_DEVICE after this track (NSC_NONE: the first); NSC_NONE after the last. */
uint32_t nsc_device_next(const struct nsc_trace *trace, uint32_t track);

/*
 * The window in which a device is measured: the scope's window if the caller asked for one, else
 * from the start of its first op to the end of its last one, so that the time before and after the
 * work does not count as idle. False if no op of the scope has any length.
 */
bool nsc_device_window(struct nsc_window *out, const struct nsc_scope *scope, uint32_t device);

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
#define NSC_TRANSFER_KINDS    (NSC_OP_KIND_BIT(NSC_OP_KIND_HTOD) | NSC_OP_KIND_BIT(NSC_OP_KIND_DTOH))

/* "compute", "AllGather", "copy host to device", ... */
const char *nsc_op_kind_word(enum nsc_op_kind kind);
/* False for events that are no GPU work. Reads the name of a communication kernel; for many ops,
 * nsc_device_op has the kind already. */
bool nsc_op_kind_of(const struct nsc_trace *trace, nsc_event event, enum nsc_op_kind *out);

struct nsc_device_op {
    nsc_event event;
    nsc_time start, end; /* clipped; equal for an instant */
    uint32_t stream;     /* track */
    enum nsc_op_kind kind;
};

/* The order of a device's ops. The outermost store keeps it for all scopes within its own, so that
 * the lanes are merged once. */
struct nsc_device_order {
    nsc_event *rows;
    uint16_t *lanes; /* lane of each row, as a number within the device */
    uint32_t n;
};

struct nsc_device_ops {
    const struct nsc_scope *scope; /* the caller's, or own: a struct in use must not move */
    struct nsc_scope own;          /* narrowed to the window of the device */
    struct nsc_lane_merge merge;   /* without a store */
    struct nsc_device_order order; /* of the store; n 0: none */
    uint32_t at, end;              /* the rows [at, end) of the order may belong to the scope */
    bool is_whole;                 /* all rows of the order belong to the scope, unclipped */
    uint32_t *lane_end;            /* rows of a lane end here, ascending */
    uint32_t *lane_track;
    uint32_t n_lanes, at_lane;
    const uint8_t *name_flags;
    uint8_t *kind_of_name; /* by name of communication kernel: enum nsc_op_kind; 0: not known yet */
};

void nsc_device_ops_init(struct nsc_device_ops *work, const struct nsc_scope *scope,
                         uint32_t device);
/* The next op of the scope; false after the last. Ops of equal start come in order of row. */
bool nsc_device_ops_next(struct nsc_device_ops *work, struct nsc_device_op *op);
void nsc_device_ops_fini(struct nsc_device_ops *work);

/* Whether a process has a stream on a device; device: its track. O(tracks of the device). */
bool nsc_process_works_on(const struct nsc_trace *trace, uint32_t device, uint64_t process);

#endif
