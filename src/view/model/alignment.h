/*
 * Describes how several exports were aligned to one time axis.
 */
#ifndef NSC_VIEW_MODEL_ALIGNMENT_H
#define NSC_VIEW_MODEL_ALIGNMENT_H

#include "nsyscope/trace.h"

#include "core/buf.h"

/* "time of day (UTC)", "start of work", "NVTX step, 12 instances at most 3.2 us apart", and why the
 * time of day was not used if nobody asked otherwise. Safe to show. Appends nothing for a single
 * export. */
void nsc_alignment_put(struct nsc_buf *out, const struct nsc_trace *trace, bool ascii);
/* The same in few words, as --align takes it: "utc", "start", "nvtx:step". */
void nsc_alignment_put_word(struct nsc_buf *out, const struct nsc_trace *trace, bool ascii);

#endif
