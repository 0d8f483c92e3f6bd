/*
 * Files that commands of the screen write. None overwrites a file.
 */
#ifndef NSC_CLI_WRITTEN_H
#define NSC_CLI_WRITTEN_H

#include "view/app/app.h"
#include "view/kit/theme.h"
#include "view/model/bookmark.h"

/* Writes bookmarks to share, without the session. */
NSC_NODISCARD enum nsc_status nsc_bookmarks_share(const char *path,
                                                  const struct nsc_bookmarks *list,
                                                  const char *identity, struct nsc_error *error);
/* Writes the screen; the ending of the name is the format (nsc_screen_format_of_file). The application
 * gets a message. */
void nsc_screenshot_write(struct nsc_app *app, const struct nsc_theme *theme, struct nsc_text name);
/* Writes the table that the Answers pane shows; the application gets a message. */
void nsc_answer_write(struct nsc_app *app, struct nsc_text name);

#endif
