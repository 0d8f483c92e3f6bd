/* Finds and reads the files of baselines. */
#include "cli/baseline_file.h"

#include "core/paths.h"

#include <string.h>
#include <unistd.h>

enum { NAME_MOST = 64 };

enum nsc_status nsc_baseline_path(struct nsc_buf *out, const struct nsc_options *options,
                                  const char *name, struct nsc_error *error)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    const char *folder = options->arg[NSC_OPTION_BASELINES][0];

    if (name && (strspn(name, letters) != strlen(name) || strlen(name) > NAME_MOST || !name[0] ||
                 name[0] == '.'))
        return nsc_fail(error, NSC_EINVAL,
                        "%.80s: a baseline's name is of letters, digits, \".\", \"_\" and \"-\"",
                        name);
    if (folder)
        nsc_buf_puts(out, folder);
    else if (!nsc_path_home(out, NSC_PATH_STATE, "baselines"))
        return nsc_fail(error, NSC_EIO,
                        "neither XDG_STATE_HOME nor HOME is a full path; give --dir");
    if (name)
        nsc_buf_printf(out, "/%s" NSC_BASELINE_END, name);
    return NSC_OK;
}

enum nsc_status nsc_baseline_open(struct nsc_baseline *out, const struct nsc_options *options,
                                  const char *name, struct nsc_error *error)
{
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_error own = {0};
    enum nsc_status status = nsc_baseline_path(&path, options, name, error);

    if (status == NSC_OK && access(path.bytes, F_OK) != 0)
        status = nsc_fail(error, NSC_EIO, "%s: no such baseline; nsyscope baseline list shows them",
                          path.bytes);
    if (status == NSC_OK)
        status = nsc_file_read(&text, path.bytes, NSC_BASELINE_BYTES, error);
    if (status == NSC_OK && nsc_baseline_parse(out, nsc_text_of_buf(&text), &own) != NSC_OK)
        status = nsc_fail(error, own.status, "%s: %s", path.bytes, own.text);
    nsc_buf_fini(&path);
    nsc_buf_fini(&text);
    return status;
}

void nsc_baseline_options(struct nsc_buf *out, const struct nsc_options *options)
{
    static const enum nsc_option narrow[] = {
        NSC_OPTION_TRIM,      NSC_OPTION_GPU,      NSC_OPTION_PID,
        NSC_OPTION_TABLES,    NSC_OPTION_FILTER,   NSC_OPTION_RANGE_NAME,
        NSC_OPTION_PROJECTED, NSC_OPTION_BOOKMARK, NSC_OPTION_ITERATIONS,
    };

    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        const struct nsc_option_row *row = &nsc_option_rows[narrow[i]];

        if (!options->set[narrow[i]])
            continue;
        nsc_buf_printf(out, "%s--%s", out->n ? " " : "", row->name);
        for (int k = 0; k < row->n; k++)
            nsc_buf_printf(out, " %s", options->arg[narrow[i]][k]);
    }
}
