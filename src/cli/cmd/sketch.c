/*
 * nsyscope sketch: writes the summary of one export of a job, for a merge of many.
 */
#include "fleet/sketch.h"

#include "analysis/base/shared.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/paths.h"

enum nsc_status nsc_cmd_sketch(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_loaded_scope loaded;
    const char *path = options->arg[NSC_OPTION_OUTPUT][0];
    unsigned flags = NSC_OUTFILE_DEVICE;
    enum nsc_status status = nsc_loaded_scope_open(&loaded, options, error);

    if (status != NSC_OK)
        return status;
    if (options->set[NSC_OPTION_FORCE] || (path && nsc_sketch_is(path)))
        flags |= NSC_OUTFILE_REPLACE;
    nsc_shared_open(&loaded.scope);
    nsc_sketch_write(
        &out, &(struct nsc_sketch_question){&loaded.scope, &loaded.fields.sets, options->named[0]});
    status = nsc_loaded_scope_check(&loaded, error);
    if (status == NSC_OK)
        status = path ? nsc_file_write(path, flags, &out, error) : nsc_print(&out, error);
    nsc_shared_close(&loaded.scope);
    nsc_loaded_scope_close(&loaded);
    nsc_buf_fini(&out);
    return status;
}
