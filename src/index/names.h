/* Facts about the names of kernels and ranges. */
#ifndef NSC_INDEX_NAMES_H
#define NSC_INDEX_NAMES_H

#include "nsyscope/trace.h"

#include "core/strpool.h"

/* The full text of a name, and of that of an event; its counters are NSC_COUNTER_BYTE. */
static inline struct nsc_text nsc_name_text(const struct nsc_trace *trace, nsc_name name)
{
    return nsc_trace_string(trace, nsc_trace_names(trace)->full[name]);
}
static inline struct nsc_text nsc_event_name(const struct nsc_trace *trace, nsc_event event)
{
    return nsc_name_text(trace, nsc_trace_events(trace)->name[event]);
}

/* ---- comm.c: which kernels are communication ---- */

/* Whether a kernel with these texts is communication; comm.c lists the known libraries. */
bool nsc_comm_is_kernel(struct nsc_text full, struct nsc_text brief);
/* Whether the name is NCCL's. */
bool nsc_comm_is_nccl(struct nsc_text brief);

/* ---- names_digits.c: names that differ only in their digits ---- */

/* For each name, the first name with the same full text once each number and counter is one sign.
 * Free it with free(). */
nsc_name *nsc_names_fold_digits(const struct nsc_trace *trace);

#endif
