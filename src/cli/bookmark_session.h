/*
 * Bookmarks with everything that belongs to them, as a folder or as one page, to attach to a ticket.
 */
#ifndef NSC_CLI_BOOKMARK_SESSION_H
#define NSC_CLI_BOOKMARK_SESSION_H

#include "nsyscope/job.h"

#include "analysis/base/scope.h"
#include "cli/call_details.h"
#include "core/buf.h"
#include "view/model/bookmark.h"

/* Everything is borrowed. */
struct nsc_session_request {
    const struct nsc_trace *trace;
    struct nsc_job *job;           /* of the same exports; no other thread uses it */
    const struct nsc_scope *scope; /* what counts; its window is that of each bookmark */
    const char *const *files;      /* as the user named them */
    uint32_t n_files;
    const struct nsc_bookmarks *bookmarks;
    const char *identity; /* of the exports */
    const char *path;     /* a folder, or a file that ends in .html */
    bool force;           /* replaces files */
};

/* NSC_ENODATA: there are no bookmarks. NSC_EINVAL, NSC_EIO: nothing was written. */
NSC_NODISCARD enum nsc_status nsc_bookmark_session_write(const struct nsc_session_request *request,
                                                         struct nsc_error *error);

/* Appends the screen, as SVG, as it is when the user has gone to the bookmark. Shows zoom if the bookmark
 * holds no zoom of its own. name: the file, as the title shows it. */
void nsc_bookmark_picture(struct nsc_buf *out, struct nsc_call_details *calls,
                          const struct nsc_bookmark *bookmark, struct nsc_window zoom,
                          const char *name);

#endif
