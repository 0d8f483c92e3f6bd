/*
 * What a selected event has beside its row: of a collective NCCL's operation, size and bus
 * bandwidth, from the payloads of NVTX (analysis/ranges/nccl_calls.h); of GPU work the op that it
 * waited for (analysis/device/depend.h).
 */
#ifndef NSC_CLI_CALL_DETAILS_H
#define NSC_CLI_CALL_DETAILS_H

#include "nsyscope/job.h"

#include "analysis/device/depend.h"
#include "analysis/ranges/nccl_calls.h"

/* Job and trace are borrowed; the calls are found when a communication kernel is first asked for. The
 * owner sets the first two, and calls fini. */
struct nsc_call_details {
    struct nsc_job *job;
    const struct nsc_trace *trace;
    bool is_built;
    struct nsc_nccl_calls calls;
    struct nsc_depends depends; /* trace NULL: not read yet */
    nsc_event waited; /* what the event read last waited for; NSC_NONE: nothing, or not known */
};

/* nsc_job_details(), and fields named "collective", "message" and "bus bandwidth" of a kernel whose call
 * is known. These only for a job of one export: the columns are read for one. */
NSC_NODISCARD enum nsc_status nsc_call_details_read(struct nsc_call_details *of,
                                                    struct nsc_details *details, nsc_event event,
                                                    struct nsc_error *error);
void nsc_call_details_fini(struct nsc_call_details *of);

#endif
