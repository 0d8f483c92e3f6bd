/*
 * How many events bear each name, and of which kind they are: what a prompt offers.
 *
 * Zeros are an empty value. The owner calls fini.
 */
#ifndef NSC_VIEW_MODEL_NAME_COUNTS_H
#define NSC_VIEW_MODEL_NAME_COUNTS_H

#include "nsyscope/trace.h"

struct nsc_name_counts {
    const struct nsc_trace *trace; /* that was counted; borrowed; NULL: none yet */
    uint32_t n;
    uint32_t *count; /* per name */
    uint8_t *kind;   /* per name: of its first event */
};

/* Counts the events of a trace, unless that is done. One pass over all of them. */
void nsc_name_counts_of(struct nsc_name_counts *counts, const struct nsc_trace *trace);
void nsc_name_counts_fini(struct nsc_name_counts *counts);
/* The brief name up to its first counter: borrowed from the trace. */
struct nsc_text nsc_name_counts_text(const struct nsc_name_counts *counts, uint32_t name);

#endif
