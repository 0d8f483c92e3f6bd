/* Reads the call stacks of the CPU samples and CUDA calls of one export or several. */
#ifndef NSC_CLI_STACK_READER_H
#define NSC_CLI_STACK_READER_H

#include "nsyscope/job.h"

struct nsc_stacks;

/* Those of all exports of a job, opened for the files of the trace, ended. With several exports each
 * has a frame of its own around the stacks of its samples. The caller frees *out; NULL after a failure. */
NSC_NODISCARD enum nsc_status nsc_stacks_read_job(struct nsc_stacks **out,
                                                  const struct nsc_trace *trace,
                                                  struct nsc_job *job, struct nsc_error *error);
/* For nsc_dump_query.check: whether the exports of a job, the context, are unchanged. */
NSC_NODISCARD enum nsc_status nsc_stack_reader_check(const void *job, struct nsc_error *error);

#endif
