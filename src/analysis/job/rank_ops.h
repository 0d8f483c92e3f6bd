/*
 * The communication of a job's ranks as plain data, gathered one export at a time.
 *
 * A rank is a process on a device. A series is its communication kernels of one short name and one
 * communicator on one stream. Without payloads of NCCL, which give the communicator, a series is
 * those of one short name on one stream, usually of one communicator. In an export without such
 * kernels a rank is a process, and a series its MPI collectives of one name in which all wait for
 * all. The data does not refer to the trace, so that one export after the other can be loaded,
 * gathered and freed. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_RANK_OPS_H
#define NSC_ANALYSIS_RANK_OPS_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "analysis/names/parallel.h"
#include "core/buf.h"
#include "core/strpool.h"
#include "core/vec.h"

/* The work of a rank's GPU up to a point of time, in ns. Idle is the rest. */
struct nsc_rank_work {
    nsc_time busy;    /* any work */
    nsc_time compute; /* compute */
    nsc_time copy;    /* copies beside no compute */
};

struct nsc_rank_op {
    nsc_time start, end;                /* on the axis of the loaded trace */
    struct nsc_rank_work before, after; /* until its start, until its end */
    uint8_t
        parallel; /* enum nsc_parallel of the innermost range around its launch that names one */
};

#define NSC_RANK_NO_GPU (-1) /* GPU of a rank that is known only by its MPI calls */

struct nsc_rank_place {
    nsc_str label; /* label of its export, "0: rank0"; "" for a single one */
    uint32_t export_no;
    uint32_t pid;
    int64_t gpu;
    uint64_t process; /* key in its trace; with track, distinguishes ranks of one export */
    uint32_t track;   /* its device; NSC_NONE without a GPU */
    int64_t mesh[NSC_N_PARALLELS]; /* its place in the groups of each parallelism, from a PithTrain
                                    * label; -1: unknown */
};

struct nsc_collective_series {
    nsc_str name; /* short name of its kernels */
    uint32_t rank;
    int64_t comm; /* communicator from NCCL's payloads; 0: unknown */
    int64_t stream;
    uint32_t first, n; /* ops, by start */
};

struct nsc_rank_export {
    nsc_str label;
    nsc_time offset; /* its own time 0 on the axis */
};

struct nsc_rank_ops {
    struct nsc_strpool pool;
    NSC_VEC(struct nsc_rank_export) exports;
    NSC_VEC(struct nsc_rank_place) ranks;             /* by export, process, device */
    NSC_VEC(struct nsc_collective_series) all_series; /* by rank, name, comm, stream */
    NSC_VEC(struct nsc_rank_op) ops;
};

void nsc_rank_ops_init(struct nsc_rank_ops *ops);
/* Adds the exports of a trace. fields: for NCCL's payloads; NULL: none. label: that of a single
 * export, e.g. nsc_job_label; NULL: the trace's own labels. O(kernels log kernels). */
void nsc_rank_ops_add(struct nsc_rank_ops *ops, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, const char *label);
void nsc_rank_ops_fini(struct nsc_rank_ops *ops);

/* ---- as text, which a report carries for a merge ---- */

#define NSC_RANK_TEXT_OPS     512 /* the first ops of a series */
#define NSC_RANK_TEXT_STRANDS 16  /* of an export, the longest */

/* Appends the first NSC_RANK_TEXT_OPS ops of a series as decimal numbers separated by blanks, eight
 * an op, each minus that of the previous op: start, duration; busy, compute, copy before it; the
 * same three while it runs. */
void nsc_rank_ops_format(struct nsc_buf *out, const struct nsc_rank_ops *ops,
                         const struct nsc_collective_series *series);
/* Adds an export without ranks. */
uint32_t nsc_rank_ops_add_export(struct nsc_rank_ops *ops, const char *label);
/* Adds a series from such text to the last export; series of a rank must be consecutive. For
 * invalid text false, and adds nothing. */
bool nsc_rank_ops_parse(struct nsc_rank_ops *ops, const struct nsc_rank_place *place,
                        struct nsc_text name, int64_t comm, int64_t stream, struct nsc_text text);

#endif
