/*
 * Finds waits for MPI messages: late senders and late receivers.
 *
 * Messages of MPI_COMM_WORLD are matched by sender, receiver and tag: the k-th send with the k-th
 * receive, as MPI orders them. A receiver waits from the start of its wait (MPI_Recv, MPI_Sendrecv,
 * or the MPI_Wait or MPI_Waitall that ends an MPI_Irecv) to the start of the send. A sender waits
 * from its start until the receive is posted, if its call (or the MPI_Wait for its request) ends
 * later than that; else it does not wait.
 *
 * Uncertain messages are not matched: those of processes without a rank in MPI_RANKS or that
 * communicate on several threads, of receivers with any source or any tag, and of channels with
 * unequal numbers of sends and receives. If more than NSC_LIMIT_MATTERS % of the receives end
 * before their sends start, the clocks disagree and there are no waits at all.
 */
#ifndef NSC_ANALYSIS_MPI_MESSAGES_H
#define NSC_ANALYSIS_MPI_MESSAGES_H

#include "analysis/base/field_sets.h"
#include "analysis/base/scope.h"
#include "core/vec.h"

struct nsc_mpi_wait {
    uint32_t of,
        by; /* indices in the list of processes: the one that waits, the one it waits for */
    nsc_time start, end;
};

struct nsc_mpi_waits {
    NSC_VEC(struct nsc_mpi_wait) list; /* in no order */
};

/* Adds the waits of n processes, in the whole trace. Returns the number of matched messages. */
uint32_t nsc_mpi_messages_match(struct nsc_mpi_waits *out, const struct nsc_trace *trace,
                                const struct nsc_field_sets *fields, const uint64_t processes[],
                                uint32_t n);

#endif
