/*
 * Opens exports one after the other.
 */
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/scope_options.h"
#include "core/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct walk {
    const struct nsc_options *options;
    void (*each)(void *context, const struct nsc_loaded_scope *loaded, const char *label);
    void *context;
    struct nsc_files files;
};

/* Opens all as one job, on one axis. */
static enum nsc_status walk_job(struct walk *walk, struct nsc_error *error)
{
    struct nsc_job *job = NULL;
    enum nsc_status status = nsc_open_files(&job, walk->files, walk->options, error);

    for (uint32_t i = 0; i < walk->files.n && status == NSC_OK; i++) {
        struct nsc_loaded_scope loaded;

        status = nsc_loaded_scope_open_one(&loaded, job, i, walk->options, error);
        if (status != NSC_OK)
            break;
        walk->each(walk->context, &loaded, nsc_job_label(job, i));
        nsc_loaded_scope_close(&loaded);
    }
    nsc_job_close(job);
    return status;
}

static enum nsc_status walk_alone(struct walk *walk, const char *path, const char *label,
                                  struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    enum nsc_status status = nsc_loaded_scope_open_file(&loaded, path, walk->options, error);

    if (status != NSC_OK)
        return status;
    walk->each(walk->context, &loaded, label);
    nsc_loaded_scope_close(&loaded);
    return NSC_OK;
}

static enum nsc_status walk_many(struct walk *walk, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (unsigned i = 0; i < walk->files.n && status == NSC_OK; i++) {
        struct nsc_buf label = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_printf(&label, "%u: %s", i, nsc_file_leaf(walk->files.at[i]));
        status = walk_alone(walk, walk->files.at[i], label.bytes, error);
        nsc_buf_fini(&label);
    }
    return status;
}

enum nsc_status nsc_for_each_export(const struct nsc_options *options,
                                    void (*each)(void *context,
                                                 const struct nsc_loaded_scope *loaded,
                                                 const char *label),
                                    void *context, struct nsc_error *error)
{
    struct walk walk = {options, each, context, nsc_options_files(options)};

    if (walk.files.n == 1)
        return walk_alone(&walk, walk.files.at[0], NULL, error);
    return walk.files.n <= NSC_JOB_EXPORTS ? walk_job(&walk, error) : walk_many(&walk, error);
}
