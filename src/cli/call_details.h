/*
 * What the collective of a selected kernel carried, beside its row: NCCL's operation, size and bus
 * bandwidth, from the payloads of NVTX (analysis/ranges/nccl_calls.h).
 */
#ifndef NSC_CLI_CALL_DETAILS_H
#define NSC_CLI_CALL_DETAILS_H

#include "nsyscope/job.h"

#include "analysis/ranges/nccl_calls.h"

/* The calls of an export, found when a communication kernel is first asked for. A zeroed one is
 * empty; one job and trace a value; the owner calls fini. */
struct nsc_call_details {
    bool is_built;
    struct nsc_nccl_calls calls;
};

/* Adds fields named "collective", "message" and "bus bandwidth" to the details of a kernel whose call
 * is known; else nothing. Only for a job of one export: the columns are read for one. */
void nsc_call_details_add(struct nsc_call_details *of, struct nsc_details *details,
                          struct nsc_job *job, const struct nsc_trace *trace, nsc_event event);
void nsc_call_details_fini(struct nsc_call_details *of);

#endif
