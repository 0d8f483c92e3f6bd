/*
 * Opens exports one after the other.
 */
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/scope_options.h"

/* Up to NSC_JOB_EXPORTS are one job, on one axis. */
enum nsc_status nsc_for_each_export(const struct nsc_options *options,
                                    void (*each)(void *context,
                                                 const struct nsc_loaded_scope *loaded,
                                                 const char *label),
                                    void *context, struct nsc_error *error)
{
    struct nsc_files files = nsc_options_files(options);
    struct nsc_job *job = NULL;
    enum nsc_status status = NSC_OK;

    if (files.n > 1 && files.n <= NSC_JOB_EXPORTS)
        status = nsc_open_files(&job, files, options, error);
    for (uint32_t i = 0; i < files.n && status == NSC_OK; i++) {
        struct nsc_buf label = NSC_BUF_INIT(SIZE_MAX);
        struct nsc_loaded_scope loaded;

        nsc_buf_printf(&label, "%u: %s", i, nsc_file_leaf(files.at[i]));
        status = job ? nsc_loaded_scope_open_one(&loaded, job, i, options, error)
                     : nsc_loaded_scope_open_file(&loaded, files.at[i], options, error);
        if (status == NSC_OK) {
            each(context, &loaded, job ? nsc_job_label(job, i) : files.n > 1 ? label.bytes : NULL);
            nsc_loaded_scope_close(&loaded);
        }
        nsc_buf_fini(&label);
    }
    nsc_job_close(job);
    return status;
}
