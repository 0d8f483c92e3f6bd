/* Reads the call stacks of the CPU samples of one export or several. */
#ifndef NSC_CLI_STACK_READER_H
#define NSC_CLI_STACK_READER_H

#include "nsyscope/job.h"

struct nsc_stacks;

/* Adds those of one export, whose number in the trace is capture_no, to *stacks: NULL before the
 * first one that has any. With several exports in the trace, each has a frame of its own around
 * its stacks. The caller ends and frees *stacks. */
NSC_NODISCARD enum nsc_status nsc_stacks_read_capture(struct nsc_stacks **stacks,
                                                      const struct nsc_trace *trace,
                                                      struct nsc_capture *capture,
                                                      uint32_t capture_no, struct nsc_error *error);
/* Those of all exports of a job that the trace was loaded from, ended. *out is NULL, with NSC_OK, if
 * no export has any; the caller frees it. */
NSC_NODISCARD enum nsc_status nsc_stacks_read_job(struct nsc_stacks **out,
                                                  const struct nsc_trace *trace,
                                                  struct nsc_job *job, struct nsc_error *error);
/* The same for files that are opened again, one after the other; loaded: the job of the trace. */
struct nsc_open_options;
NSC_NODISCARD enum nsc_status
nsc_stacks_read_files(struct nsc_stacks **out, const struct nsc_trace *trace,
                      const char *const paths[], const struct nsc_open_options *open,
                      const struct nsc_job *loaded, struct nsc_error *error);

/* For nsc_dump_query.check: whether the exports of a job, the context, are unchanged. */
NSC_NODISCARD enum nsc_status nsc_stack_reader_check(const void *job, struct nsc_error *error);

#endif
