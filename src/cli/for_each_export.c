/*
 * Opens exports one after the other, from files and folders.
 */
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct paths {
    NSC_VEC(char *) list;
};

struct walk {
    const struct nsc_options *options;
    void (*each)(void *context, const struct nsc_loaded_scope *loaded, const char *label);
    void *context;
    struct paths paths;
};

static int is_export(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return n > 7 && strcmp(entry->d_name + n - 7, ".sqlite") == 0;
}

static enum nsc_status add_folder(struct paths *paths, const char *folder, struct nsc_error *error)
{
    struct dirent **found = NULL;
    int n = scandir(folder, &found, is_export, alphasort);

    if (n <= 0) {
        free(found);
        return nsc_fail(error, NSC_ENODATA, "%s: no *.sqlite in this folder", folder);
    }
    for (int i = 0; i < n; i++) {
        struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_printf(&path, "%s/%s", folder, found[i]->d_name);
        *NSC_VEC_ADD(&paths->list) = nsc_xcopy(path.bytes, path.n);
        nsc_buf_fini(&path);
        free(found[i]);
    }
    free(found);
    return NSC_OK;
}

static enum nsc_status list_paths(struct paths *paths, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (unsigned i = 0; i < options->n_operands && status == NSC_OK; i++) {
        const char *operand = options->operands[i];
        struct stat info;

        if (stat(operand, &info) == 0 && S_ISDIR(info.st_mode))
            status = add_folder(paths, operand, error);
        else
            *NSC_VEC_ADD(&paths->list) = nsc_xcopy(operand, strlen(operand));
    }
    return status;
}

/* Opens all as one job, on one axis. */
static enum nsc_status walk_job(struct walk *walk, struct nsc_files files, struct nsc_error *error)
{
    struct nsc_job *job = NULL;
    enum nsc_status status = nsc_open_files(&job, files, walk->options, error);

    for (uint32_t i = 0; i < files.n && status == NSC_OK; i++) {
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

    for (size_t i = 0; i < walk->paths.list.n && status == NSC_OK; i++) {
        const char *path = walk->paths.list.at[i];
        const char *name = strrchr(path, '/');
        struct nsc_buf label = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_printf(&label, "%zu: %s", i, name ? name + 1 : path);
        status = walk_alone(walk, path, label.bytes, error);
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
    struct walk walk = {.options = options, .each = each, .context = context};
    enum nsc_status status = list_paths(&walk.paths, options, error);
    struct nsc_files files = {(const char *const *)walk.paths.list.at, (unsigned)walk.paths.list.n};

    if (status == NSC_OK && files.n == 1)
        status = walk_alone(&walk, files.at[0], NULL, error);
    else if (status == NSC_OK && files.n <= NSC_JOB_EXPORTS)
        status = walk_job(&walk, files, error);
    else if (status == NSC_OK)
        status = walk_many(&walk, error);
    for (size_t i = 0; i < walk.paths.list.n; i++)
        free(walk.paths.list.at[i]);
    NSC_VEC_FINI(&walk.paths.list);
    return status;
}
