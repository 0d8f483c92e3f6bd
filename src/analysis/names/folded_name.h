/*
 * Names without their numbers: "layer_12.attn, op_id = 7" is "layer_#.attn, op_id = #".
 *
 * The index keeps the numbers of a text in its name while they are few, so the same text may be
 * "op_id = 7" in one trace and "op_id = #" in a longer one; what is compared between traces, or
 * meant for every layer, goes through here.
 */
#ifndef NSC_ANALYSIS_FOLDED_NAME_H
#define NSC_ANALYSIS_FOLDED_NAME_H

#include "nsyscope/trace.h"

#include "core/buf.h"

/* Appends the full name, each run of digits and each counter as one "#". */
void nsc_name_fold(struct nsc_buf *out, const struct nsc_trace *trace, nsc_name name);
/* For each name the first one that folds to the same text. The caller frees it. */
nsc_name *nsc_names_by_fold(const struct nsc_trace *trace);

#endif
