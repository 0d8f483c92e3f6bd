/*
 * Attributes communication kernels to NCCL calls and their payloads.
 *
 * NCCL marks each call with an NVTX range and a payload: communicator, bytes, and for
 * point-to-point calls the peer. A kernel belongs to the call in whose range it was launched, or,
 * between ncclGroupStart and the matching ncclGroupEnd of a thread, to the calls of that group:
 * NCCL launches at the end of the outermost group. A group may become one kernel or several. Its
 * kernels are attributed only if all of its calls have one communicator and one operation (send and
 * receive count as one), and if there is one kernel, or one per call with equal bytes in all calls.
 * All other calls are counted as unknown, and their kernels have no row.
 *
 * Naive meaning: walk the ranges of each thread in order of start as above. Bytes are those of the
 * payload, summed over several calls. For sends and receives, the greater of both sums counts,
 * without transfers of a rank to itself if its number is recorded. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_NCCL_CALLS_H
#define NSC_ANALYSIS_NCCL_CALLS_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "core/vec.h"

enum nsc_nccl_op {
    NSC_NCCL_ALLREDUCE,
    NSC_NCCL_ALLGATHER,
    NSC_NCCL_REDUCESCATTER,
    NSC_NCCL_BROADCAST,
    NSC_NCCL_REDUCE,
    NSC_NCCL_ALLTOALL,
    NSC_NCCL_GATHER,
    NSC_NCCL_SCATTER,
    NSC_NCCL_SENDRECV,
    NSC_N_NCCL_OPS
};

/* A communicator, and the ranks whose creation the export holds. */
struct nsc_nccl_comm {
    int64_t id;
    uint32_t ranks;    /* 0: not recorded */
    uint32_t recorded; /* number of different ranks in the export */
};

struct nsc_nccl_kernel {
    nsc_event kernel;
    uint32_t comm; /* index */
    uint32_t calls;
    uint8_t op;    /* enum nsc_nccl_op */
    int64_t bytes; /* as NCCL counts them: see nsc_nccl_rates */
};

struct nsc_nccl_calls {
    NSC_VEC(struct nsc_nccl_comm) comms;     /* sorted by id */
    NSC_VEC(struct nsc_nccl_kernel) kernels; /* kernels of the scope, by row */
    uint32_t calls;                          /* calls with a payload in the whole recording */
    uint32_t unknown;                        /* calls whose kernel is not known */
    bool has_payloads;                       /* the export has payloads that a schema describes */
    bool has_schemas;                        /* the export has NCCL's schemas */
};

void nsc_nccl_calls_build(struct nsc_nccl_calls *out, const struct nsc_scope *scope,
                          const struct nsc_field_sets *fields);
void nsc_nccl_calls_fini(struct nsc_nccl_calls *calls);

const char *nsc_nccl_op_word(enum nsc_nccl_op op); /* "AllReduce" */

/* The rates of a kernel with so many bytes and ns, as nccl-tests prints them. NaN: not known. */
struct nsc_nccl_rates {
    double size;           /* bytes */
    double algorithm, bus; /* bytes a ns: GB/s, 1 GB is 10^9 bytes */
};
struct nsc_nccl_rates nsc_nccl_rates(enum nsc_nccl_op op, int64_t bytes, uint32_t ranks, double ns);

/* The row of a kernel; NULL if its call is not known. O(log). */
const struct nsc_nccl_kernel *nsc_nccl_find(const struct nsc_nccl_calls *calls, nsc_event kernel);

#define NSC_NCCL_ID_BYTES 24
/* "0x0123456789abcdef" */
void nsc_nccl_comm_id(char out[NSC_NCCL_ID_BYTES], const struct nsc_nccl_comm *comm);

#endif
