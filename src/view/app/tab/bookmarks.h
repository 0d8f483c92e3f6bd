/*
 * Bookmarks in the application. Private to app/ and its tabs.
 */
#ifndef NSC_VIEW_APP_BOOKMARKS_H
#define NSC_VIEW_APP_BOOKMARKS_H

#include "view/app/state.h"

extern const struct nsc_prompt_kind nsc_prompt_bookmark;
extern const struct nsc_prompt_kind nsc_prompt_bookmark_name;
extern const struct nsc_prompt_kind nsc_prompt_bookmark_note;
extern const struct nsc_prompt_kind nsc_prompt_bookmark_tags;
extern const struct nsc_prompt_kind nsc_prompt_bookmark_color;

void nsc_app_bookmarks_fini(struct nsc_app *app);
/* Merges bookmarks that were read or saved, and restores the view if the input has a state. */
void nsc_app_bookmarks_input(struct nsc_app *app, const struct nsc_input *input);

/* Takes the bookmark over and moves the list's cursor to it. */
void nsc_app_bookmark_add(struct nsc_app *app, struct nsc_bookmark *b);
/* Each returns false if it had no effect. */
bool nsc_app_bookmark_open(struct nsc_app *app);
/* Opens the prompt for a bookmark of a range of time, with the selected event. */
bool nsc_app_bookmark_span(struct nsc_app *app, struct nsc_window span);
/* Removes the bookmark at the list's cursor. */
bool nsc_app_bookmark_remove(struct nsc_app *app);
bool nsc_app_bookmark_step(struct nsc_app *app, bool forward);
bool nsc_app_bookmark_jump(struct nsc_app *app, size_t i);
void nsc_app_bookmark_range(struct nsc_app *app);

void nsc_app_bookmarks_update(struct nsc_app *app);
bool nsc_app_bookmarks_act(struct nsc_app *app, enum nsc_action action);

#endif
