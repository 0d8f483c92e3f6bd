/* Reads call stacks export by export. */
#include "cli/stack_reader.h"

#include "analysis/base/own_code.h"
#include "analysis/base/stacks.h"
#include "cli/field_reader.h"

/* Adds those of one export. */
static enum nsc_status read_capture(struct nsc_stacks *to, const struct nsc_trace *trace,
                                    struct nsc_job *job, uint32_t capture_no,
                                    struct nsc_error *error)
{
    const struct nsc_trace_info *captures = nsc_trace_captures(trace, NULL);
    struct nsc_field_reader fields;
    enum nsc_status status = NSC_OK;

    nsc_field_reader_init(&fields, nsc_job_capture(job, capture_no), trace);
    fields.capture_no = capture_no;
    (void)nsc_stacks_add_export(to, &fields.sets,
                                nsc_trace_string(trace, captures[capture_no].label));
    nsc_own_code_stacks(to, trace, &fields.sets, capture_no);
    if (fields.error.status != NSC_OK)
        status = nsc_fail(error, fields.error.status, "%s", fields.error.text);
    nsc_field_reader_fini(&fields);
    return status;
}

enum nsc_status nsc_stacks_read_job(struct nsc_stacks **out, const struct nsc_trace *trace,
                                    struct nsc_job *job, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    *out = nsc_stacks_new();
    for (uint32_t i = 0; i < nsc_job_count(job) && status == NSC_OK; i++)
        status = read_capture(*out, trace, job, i, error);
    nsc_stacks_end(*out);
    if (status == NSC_OK)
        return status;
    nsc_stacks_free(*out);
    *out = NULL;
    return status;
}

enum nsc_status nsc_stack_reader_check(const void *job, struct nsc_error *error)
{
    return nsc_job_check(job, NSC_OK, error);
}
