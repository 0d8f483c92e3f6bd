/*
 * Says how several exports came onto one time axis.
 */
#ifndef NSC_VIEW_MODEL_ALIGNMENT_H
#define NSC_VIEW_MODEL_ALIGNMENT_H

#include "nsyscope/trace.h"

#include "core/buf.h"

/* "time of day (UTC)", "start of work", "NVTX step, 12 instances at most 3.2 us apart", and why it
 * is not by the time of day where nobody asked. Safe to show. Nothing for a lone export. */
void nsc_alignment_put(struct nsc_buf *out, const struct nsc_trace *trace, bool ascii);
/* The same in few words, as --align takes it: "utc", "start", "nvtx:step". */
void nsc_alignment_put_word(struct nsc_buf *out, const struct nsc_trace *trace, bool ascii);

#endif
