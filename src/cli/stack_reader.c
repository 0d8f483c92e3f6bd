/* Reads call stacks export by export. */
#include "cli/stack_reader.h"

#include "analysis/base/stacks.h"
#include "cli/field_reader.h"

enum nsc_status nsc_stacks_read_capture(struct nsc_stacks **stacks, const struct nsc_trace *trace,
                                        struct nsc_capture *capture, uint32_t capture_no,
                                        struct nsc_error *error)
{
    uint32_t n = 0;
    const struct nsc_trace_info *captures = nsc_trace_captures(trace, &n);
    struct nsc_stacks *to = *stacks ? *stacks : nsc_stacks_new();
    struct nsc_field_reader fields;
    enum nsc_status status = NSC_OK;

    nsc_field_reader_init(&fields, capture, trace);
    fields.capture_no = capture_no;
    if (nsc_stacks_add_export(to, &fields.sets,
                              nsc_trace_string(trace, captures[capture_no].label)))
        *stacks = to;
    else if (!*stacks)
        nsc_stacks_free(to);
    if (fields.error.status != NSC_OK)
        status = nsc_fail(error, fields.error.status, "%s", fields.error.text);
    nsc_field_reader_fini(&fields);
    return status;
}

/* Ends the stacks, or frees them after a failure. */
static enum nsc_status finish(struct nsc_stacks **out, enum nsc_status status)
{
    if (status != NSC_OK) {
        nsc_stacks_free(*out);
        *out = NULL;
    }
    if (*out)
        nsc_stacks_end(*out);
    return status;
}

enum nsc_status nsc_stacks_read_job(struct nsc_stacks **out, const struct nsc_trace *trace,
                                    struct nsc_job *job, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    *out = NULL;
    for (uint32_t i = 0; i < nsc_job_count(job) && status == NSC_OK; i++)
        status = nsc_stacks_read_capture(out, trace, nsc_job_capture(job, i), i, error);
    return finish(out, status);
}

enum nsc_status nsc_stacks_read_files(struct nsc_stacks **out, const struct nsc_trace *trace,
                                      const char *const paths[],
                                      const struct nsc_open_options *open,
                                      const struct nsc_job *loaded, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    *out = NULL;
    for (uint32_t i = 0; i < nsc_job_count(loaded) && status == NSC_OK; i++) {
        struct nsc_capture *capture = NULL;

        status = nsc_capture_open(&capture, paths[i], open, error);
        status = nsc_job_check(loaded, status, error);
        if (status == NSC_OK)
            status = nsc_stacks_read_capture(out, trace, capture, i, error);
        nsc_capture_close(capture);
    }
    return finish(out, status);
}

enum nsc_status nsc_stack_reader_check(const void *job, struct nsc_error *error)
{
    return nsc_job_check(job, NSC_OK, error);
}
