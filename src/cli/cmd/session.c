/* nsyscope session: writes bookmarks with their data, to attach to a ticket. */
#include "cli/bookmark_session.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "cli/scope_window.h"

static int write_session(const struct nsc_options *options, const char *path)
{
    struct nsc_loaded_scope loaded;
    struct nsc_bookmarks list = {0};
    struct nsc_error error = {0};
    char identity[NSC_IDENTITY_BYTES];
    struct nsc_session_request request = {.scope = &loaded.scope,
                                          .files = options->operands,
                                          .n_files = options->n_operands,
                                          .bookmarks = &list,
                                          .identity = identity,
                                          .path = path,
                                          .force = options->set[NSC_OPTION_FORCE]};
    enum nsc_status status = nsc_loaded_scope_open(&loaded, options, &error);
    bool is_write;

    if (status != NSC_OK)
        return nsc_complain(&error);
    request.trace = loaded.trace;
    request.job = loaded.job;
    status = nsc_loaded_scope_bookmarks(&list, identity, &loaded, options, &error);
    is_write = status == NSC_OK;
    if (is_write)
        status = nsc_bookmark_session_write(&request, &error);
    is_write = is_write && status == NSC_EIO && nsc_job_check(loaded.job, NSC_OK, NULL) == NSC_OK;
    nsc_bookmarks_fini(&list);
    nsc_loaded_scope_close(&loaded);
    if (status == NSC_OK)
        return NSC_EXIT_DONE;
    (void)nsc_complain(&error);
    return is_write ? NSC_EXIT_WRITE : nsc_exit_of(status);
}

int nsc_cmd_session(const struct nsc_options *options)
{
    const char *path = options->arg[NSC_OPTION_OUTPUT][0];
    struct nsc_error error = {0};

    if (path)
        return write_session(options, path);
    (void)nsc_fail(&error, NSC_EINVAL, "session: give -o DIR or -o PAGE.html");
    return nsc_complain(&error);
}
