/*
 * Describes how several exports were aligned to one time axis.
 */
#ifndef NSC_VIEW_MODEL_ALIGNMENT_H
#define NSC_VIEW_MODEL_ALIGNMENT_H

#include "nsyscope/trace.h"

#include "core/buf.h"

/* Appends, for example, "time of day (UTC)", "start of work", "NVTX step, 12 instances at most 3.2
 * us apart"; and why the time of day was not used, unless the user chose otherwise. Clean text.
 * Appends nothing for a single export. */
void nsc_alignment_put(struct nsc_buf *out, const struct nsc_trace *trace, bool ascii);
/* The same in the words of --align: "utc", "start", "nvtx:step". */
void nsc_alignment_put_word(struct nsc_buf *out, const struct nsc_trace *trace, bool ascii);

#endif
