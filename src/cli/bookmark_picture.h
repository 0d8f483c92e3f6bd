/*
 * The screen of a bookmark as SVG, without a terminal.
 */
#ifndef NSC_CLI_BOOKMARK_PICTURE_H
#define NSC_CLI_BOOKMARK_PICTURE_H

#include "nsyscope/job.h"

#include "core/buf.h"
#include "view/model/bookmark.h"

/* Appends the screen as it is when the user has gone to the bookmark. Shows zoom if the bookmark
 * holds no zoom of its own. name: the file, as the title shows it. */
void nsc_bookmark_picture(struct nsc_buf *out, const struct nsc_trace *trace, struct nsc_job *job,
                          const struct nsc_bookmark *bookmark, struct nsc_window zoom,
                          const char *name);

#endif
