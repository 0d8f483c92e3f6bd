/*
 * What a name says of a collective: the operation, and the rank it is of.
 */
#ifndef NSC_ANALYSIS_NCCL_WORDS_H
#define NSC_ANALYSIS_NCCL_WORDS_H

#include "nsyscope/types.h"

/* "allreduce", "allgather", "reducescatter", "alltoall", "broadcast", "sendrecv" when the name
 * holds it, in any case and with "-", "_" or blanks inside; NULL without one. Broadcasts and sends
 * count only where "nccl" is there too. */
const char *nsc_nccl_word(struct nsc_text name);
/* Whether the name holds "nccl", in any case. */
bool nsc_nccl_named(struct nsc_text name);
/* N of "rank=N" or "rank:N", blanks and a quotation mark allowed before N. */
bool nsc_nccl_rank(uint64_t *out, struct nsc_text name);

#endif
