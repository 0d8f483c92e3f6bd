/*
 * Events and ranges as texts of a sheet, for rows that are added later.
 */
#ifndef NSC_ANALYSIS_LABEL_H
#define NSC_ANALYSIS_LABEL_H

#include "nsyscope/trace.h"

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

#endif
