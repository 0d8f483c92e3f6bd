/* Adds to a trace where the ops of CUDA graphs were captured (nsc_trace_captured). */
#ifndef NSC_INDEX_CAPTURES_H
#define NSC_INDEX_CAPTURES_H

#include "nsyscope/trace.h"

struct nsc_capture_link {
    nsc_event op, made; /* the event that made the original of the op's node */
};

/* Called at most once, before others use the trace. False, without any change, if out of memory. */
bool nsc_captures_add(struct nsc_trace *trace, const struct nsc_capture_link links[], size_t n);
/* For nsc_trace_free. */
void nsc_captures_free(struct nsc_trace *captured);

#endif
