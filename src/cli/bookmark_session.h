/* Writes bookmarks with their data as a folder or as one page, to attach to a ticket. */
#ifndef NSC_CLI_BOOKMARK_SESSION_H
#define NSC_CLI_BOOKMARK_SESSION_H

#include "analysis/base/scope.h"
#include "cli/call_details.h"
#include "core/buf.h"
#include "view/model/bookmark.h"

/* Everything is borrowed. */
struct nsc_session_request {
    const struct nsc_trace *trace;
    struct nsc_job *job;           /* job with the same exports; no other thread uses it */
    const struct nsc_scope *scope; /* rows that count; each bookmark sets the window */
    const char *const *files;      /* as given by the user */
    uint32_t n_files;
    const struct nsc_bookmarks *bookmarks;
    const char *identity; /* identity of the exports */
    const char *path;     /* a folder, or a file with the ending .html */
    unsigned flags;       /* NSC_OUTFILE_REPLACE, or NSC_OUTFILE_NEW */
};

/* NSC_ENODATA: there are no bookmarks. NSC_EINVAL, NSC_EWRITE: nothing was
 * written. NSC_EIO also: an export of the job changed. */
NSC_NODISCARD enum nsc_status nsc_bookmark_session_write(const struct nsc_session_request *request,
                                                         struct nsc_error *error);

/* Appends the screen, as SVG, after going to the bookmark. Shows zoom if the bookmark has no zoom
 * of its own. name: the file name in the title. */
void nsc_bookmark_picture(struct nsc_buf *out, struct nsc_call_details *calls,
                          const struct nsc_bookmark *bookmark, struct nsc_window zoom,
                          const char *name);

#endif
