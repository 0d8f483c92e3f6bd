/*
 * Formats events, ranges and names for cells of a sheet, without their numbers.
 *
 * The index keeps the numbers of a text in its name while they are few: the same text may be "op_id
 * = 7" in one trace and "op_id = #" in a longer one. So names that are compared between traces, or
 * that represent every layer, are folded first: "layer_12.attn, op_id = 7" is "layer_#.attn, op_id
 * = #".
 */
#ifndef NSC_ANALYSIS_LABEL_H
#define NSC_ANALYSIS_LABEL_H

#include "nsyscope/trace.h"

#include "core/buf.h"
#include "core/sheet.h"

/* Adds the short text of the event, or the label of its kind if it has none; "not known" for
 * NSC_NONE. */
struct nsc_kept_text nsc_label_event(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                     nsc_event event);
/* Adds the name of a range, with "#" for its counters; is_mixed: it stands for ranges whose names differ
 * in numbers, and "#" replaces all digits. "(none)" for NSC_NONE. */
struct nsc_kept_text nsc_label_range(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                     nsc_event range, bool is_mixed);
/* Writes that name as raw bytes to out; returns its length. */
uint32_t nsc_label_pattern(char out[NSC_NAME_BYTES], const struct nsc_trace *trace, nsc_event range,
                           bool is_mixed);

/* Writes a text with "#" for every run of digits and counters, cut at NSC_NAME_BYTES; returns its
 * length. */
uint32_t nsc_label_fold(char out[NSC_NAME_BYTES], struct nsc_text text);

/* Maps each name to the first one with the same short text. Free it with free(). */
nsc_name *nsc_names_by_brief(const struct nsc_trace *trace);

/* Appends the full name, with "#" for each run of digits and each counter. */
void nsc_name_fold(struct nsc_buf *out, const struct nsc_trace *trace, nsc_name name);
/* Maps each name to the first one that folds to the same text. Free it with free(). */
nsc_name *nsc_names_by_fold(const struct nsc_trace *trace);

#endif
