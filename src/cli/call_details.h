/*
 * Additional details of a selected event: for a collective, NCCL's operation, size and bus
 * bandwidth from the payloads of NVTX (analysis/ranges/nccl_calls.h); for GPU work, the op it
 * waited for (analysis/device/depend.h), and the user's own function that launched it; for work of a
 * CUDA graph, where its node was captured (nsc_trace_captured), with the call stack.
 */
#ifndef NSC_CLI_CALL_DETAILS_H
#define NSC_CLI_CALL_DETAILS_H

#include "nsyscope/job.h"

#include "analysis/device/depend.h"
#include "analysis/ranges/nccl_calls.h"

/* Job and trace are borrowed; calls are found for the first communication kernel. The owner sets
 * the first two and calls fini. */
struct nsc_call_details {
    struct nsc_job *job;
    const struct nsc_trace *trace;
    bool is_built;
    struct nsc_nccl_calls calls;
    struct nsc_depends depends; /* trace NULL: not read yet */
    nsc_event waited; /* op that the last event waited for; NSC_NONE: none, or not known */
};

/* Like nsc_job_details(), with the fields "collective", "message" and "bus bandwidth" for a kernel
 * with a known call, which only jobs with one export have, and "captured" for a node of a graph. */
NSC_NODISCARD enum nsc_status nsc_call_details_read(struct nsc_call_details *of,
                                                    struct nsc_details *details, nsc_event event,
                                                    struct nsc_error *error);
void nsc_call_details_fini(struct nsc_call_details *of);

#endif
