/*
 * Files that commands of the screen write. None overwrites a file.
 */
#ifndef NSC_CLI_WRITTEN_H
#define NSC_CLI_WRITTEN_H

#include "view/app/app.h"
#include "view/model/bookmark.h"

/* Writes bookmarks to share, without the session. */
NSC_NODISCARD enum nsc_status nsc_bookmarks_share(const char *path,
                                                  const struct nsc_bookmarks *list,
                                                  const char *identity, struct nsc_error *error);
/* Writes the table that the Answers pane shows; the application gets a message. */
void nsc_answer_write(struct nsc_app *app, struct nsc_text path);

#endif
