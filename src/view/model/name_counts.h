/* The number and the kind of the events with each name, for the offers of a prompt. */
#ifndef NSC_VIEW_MODEL_NAME_COUNTS_H
#define NSC_VIEW_MODEL_NAME_COUNTS_H

#include "nsyscope/trace.h"

struct nsc_name_counts {
    const struct nsc_trace *trace; /* trace counted; borrowed; NULL: none yet */
    uint32_t n;
    uint32_t *count; /* by name */
    uint8_t *kind;   /* by name: kind of its first event */
};

/* Counts the events of a trace in one pass, unless already done. */
void nsc_name_counts_of(struct nsc_name_counts *counts, const struct nsc_trace *trace);
void nsc_name_counts_fini(struct nsc_name_counts *counts);
/* The brief name up to its first counter: borrowed from the trace. */
struct nsc_text nsc_name_counts_text(const struct nsc_name_counts *counts, uint32_t name);

#endif
