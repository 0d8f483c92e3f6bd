/* nsyscope session: writes bookmarks with their data, to attach to a ticket. */
#include "cli/bookmark_session.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "cli/scope_window.h"
#include "core/outfile.h"

static enum nsc_status write_session(const struct nsc_options *options, const char *path,
                                     struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    struct nsc_bookmarks list = {0};
    char identity[NSC_IDENTITY_BYTES];
    struct nsc_session_request request = {
        .scope = &loaded.scope,
        .files = options->operands,
        .n_files = options->n_operands,
        .bookmarks = &list,
        .identity = identity,
        .path = path,
        .flags = options->set[NSC_OPTION_FORCE] ? NSC_OUTFILE_REPLACE : 0};
    enum nsc_status status = nsc_loaded_scope_open(&loaded, options, error);

    request.trace = loaded.trace;
    request.job = loaded.job;
    if (status == NSC_OK)
        status = nsc_loaded_scope_bookmarks(&list, identity, &loaded, error);
    if (status == NSC_OK)
        status = nsc_bookmark_session_write(&request, error);
    nsc_bookmarks_fini(&list);
    nsc_loaded_scope_close(&loaded);
    return status;
}

enum nsc_status nsc_cmd_session(const struct nsc_options *options, struct nsc_error *error)
{
    const char *path = options->arg[NSC_OPTION_OUTPUT][0];

    return path ? write_session(options, path, error)
                : nsc_fail(error, NSC_EINVAL, "session: give -o DIR or -o PAGE.html");
}
