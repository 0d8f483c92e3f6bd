/*
 * Events, ranges and names as people read them: in cells of a sheet, without their numbers, and
 * which names are one to a reader.
 *
 * The index keeps the numbers of a text in its name while they are few: the same text may be
 * "op_id = 7" in one trace and "op_id = #" in a longer one. Names that are compared between traces,
 * or that stand for every layer, are folded first: "layer_12.attn, op_id = 7" is
 * "layer_#.attn, op_id = #".
 */
#ifndef NSC_ANALYSIS_LABEL_H
#define NSC_ANALYSIS_LABEL_H

#include "nsyscope/trace.h"

#include "core/buf.h"
#include "core/sheet.h"

/* The event's own short text, or what its kind is called where it has none; not known for
 * NSC_NONE. */
struct nsc_kept_text nsc_label_event(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                     nsc_event event);
/* A range that stands for all of its name: "#" for its numbers; "(none)" for NSC_NONE. */
struct nsc_kept_text nsc_label_range(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                     nsc_event range);
/* The same as raw bytes in out; returns how many. */
uint32_t nsc_label_pattern(char out[NSC_NAME_BYTES], const struct nsc_trace *trace,
                           nsc_event range);

/* A text with "#" for every run of digits and counters, cut at NSC_NAME_BYTES. */
uint32_t nsc_label_fold(char out[NSC_NAME_BYTES], struct nsc_text text);

/* For each name the first one with the same short text. The caller frees it. */
nsc_name *nsc_names_by_brief(const struct nsc_trace *trace);

/* Appends the full name, each run of digits and each counter as one "#". */
void nsc_name_fold(struct nsc_buf *out, const struct nsc_trace *trace, nsc_name name);
/* For each name the first one that folds to the same text. The caller frees it. */
nsc_name *nsc_names_by_fold(const struct nsc_trace *trace);

#endif
