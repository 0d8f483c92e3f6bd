/*
 * Normalizes the names that different tools give one kernel, to compare them.
 *
 * Nsight Systems has "std::enable_if<!T7, void>::type internal::gemvx::kernel<int, (bool)0>(T13)",
 * Nsight Compute shows "enable_if<!T7, void>::type kernel<int, 0>(T13)". The short name of both is
 * "kernel".
 */
#ifndef NSC_ANALYSIS_KERNEL_NAME_H
#define NSC_ANALYSIS_KERNEL_NAME_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/text.h"

/* Appends the name without namespaces ("a::b" is "b"), without casts of constants ("(int)4" is
 * "4") and without a leading "void ". */
void nsc_kernel_plain(struct nsc_buf *out, struct nsc_text name);
/* Appends the bare name of the function: no return type, template arguments or parameters. */
void nsc_kernel_base(struct nsc_buf *out, struct nsc_text name);
/* Appends the name as a regular expression that matches only itself; a byte that is not printable
 * ASCII matches any byte. */
void nsc_kernel_regex(struct nsc_buf *out, struct nsc_text name);

#endif
