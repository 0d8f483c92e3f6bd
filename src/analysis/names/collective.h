/*
 * Which collective a communication kernel is, told by its name.
 *
 * Source: nsys-ai (PEER 1.7.3): the first of these words that the name holds, in any case, in this
 * order; "Reduce" last, for AllReduce and ReduceScatter hold it too.
 */
#ifndef NSC_ANALYSIS_COLLECTIVE_H
#define NSC_ANALYSIS_COLLECTIVE_H

#include "nsyscope/types.h"

enum nsc_collective {
    NSC_COLLECTIVE_ALLGATHER,
    NSC_COLLECTIVE_REDUCESCATTER,
    NSC_COLLECTIVE_ALLREDUCE,
    NSC_COLLECTIVE_BROADCAST,
    NSC_COLLECTIVE_SENDRECV,
    NSC_COLLECTIVE_ALLTOALL,
    NSC_COLLECTIVE_REDUCE,
    NSC_COLLECTIVE_OTHER,
    NSC_N_COLLECTIVES
};

/* Underscores in the name do not count: all_reduce is an AllReduce. */
enum nsc_collective nsc_collective_of(struct nsc_text name);
/* "AllGather", ..., "other". */
const char *nsc_collective_word(enum nsc_collective collective);

/* "allreduce", "allgather", "reducescatter", "alltoall", "broadcast", "sendrecv" when the name
 * holds it, in any case and with "-", "_" or blanks inside; NULL without one. Broadcasts and sends
 * count only where "nccl" is there too. */
const char *nsc_nccl_word(struct nsc_text name);
/* Whether the name holds "nccl", in any case. */
bool nsc_nccl_named(struct nsc_text name);
/* N of "rank=N" or "rank:N", blanks and a quotation mark allowed before N. */
bool nsc_nccl_rank(uint64_t *out, struct nsc_text name);

#endif
