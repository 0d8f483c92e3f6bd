/*
 * What the names of kernels and ranges say.
 */
#ifndef NSC_INDEX_NAMES_H
#define NSC_INDEX_NAMES_H

#include "nsyscope/trace.h"

#include "core/strpool.h"

/* ---- comm.c: which kernels are communication ---- */

/* full and brief texts of a kernel; the backends known are listed in comm.c. */
bool nsc_comm_is_kernel(struct nsc_text full, struct nsc_text brief);
/* Whether the name says NCCL itself. */
bool nsc_comm_is_nccl(struct nsc_text brief);

/* ---- names_digits.c: names that differ only in their digits ---- */

/*
 * For each name the first one whose full text is the same once every run of digits and counters is
 * one sign. The caller frees it.
 */
nsc_name *nsc_names_fold_digits(const struct nsc_names *names, const struct nsc_strpool *strings);

#endif
