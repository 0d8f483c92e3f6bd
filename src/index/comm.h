/*
 * Which kernels are communication, told by their names.
 */
#ifndef NSC_INDEX_COMM_H
#define NSC_INDEX_COMM_H

#include "nsyscope/types.h"

/* full and brief texts of a kernel; the backends known are listed in comm.c. */
bool nsc_comm_is_kernel(struct nsc_text full, struct nsc_text brief);
/* Whether the name says NCCL itself. */
bool nsc_comm_is_nccl(struct nsc_text brief);

#endif
