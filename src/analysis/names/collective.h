/*
 * Recognizes collectives by the name of a communication kernel, and other words of NCCL in names.
 *
 * As in nsys-ai (docs/analyses/peer.md), the first of these words in the name decides, in any case
 * and in this order. "Reduce" comes last because AllReduce and ReduceScatter contain it.
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

/* Underscores in the name are ignored: all_reduce is an AllReduce. */
enum nsc_collective nsc_collective_of(struct nsc_text name);
/* "AllGather", ..., "other". */
const char *nsc_collective_word(enum nsc_collective collective);

/* "allreduce", "allgather", "reducescatter", "alltoall", "broadcast", "sendrecv" if the name
 * contains it, in any case and with "-", "_" or blanks inside; else NULL. "broadcast" and
 * "sendrecv" also need "nccl" in the name. */
const char *nsc_nccl_word(struct nsc_text name);
/* Whether the name contains "nccl", in any case. */
bool nsc_nccl_named(struct nsc_text name);
/* Parses N of "rank=N" or "rank:N"; blanks and a quotation mark may precede N. */
bool nsc_nccl_rank(uint64_t *out, struct nsc_text name);
/* Whether it is an MPI collective that no rank leaves before all have entered: MPI_Allreduce, a
 * barrier. */
bool nsc_mpi_is_meeting(struct nsc_text name);

#endif
