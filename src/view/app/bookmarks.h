/*
 * Bookmarks in the application, and the view that is restored: their state and what the files of
 * the application call of each other. Private to this room.
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
/* What was read or saved: merged into what is there; state, when there is one, is restored. */
void nsc_app_bookmarks_input(struct nsc_app *app, const struct nsc_input *input);

/* Takes it over; it has the list's cursor. */
void nsc_app_bookmark_add(struct nsc_app *app, struct nsc_bookmark *b);
/* Each says with false that there was nothing to do. */
bool nsc_app_bookmark_open(struct nsc_app *app);
/* Opens the prompt that the action is for, of the one at the list's cursor. */
bool nsc_app_bookmark_edit(struct nsc_app *app, enum nsc_action action);
/* The same, of a time; the selected event is what it is at. */
bool nsc_app_bookmark_span(struct nsc_app *app, struct nsc_window span);
/* Removes the one at the list's cursor; brings back the one removed last, under a new id: that of
 * the old one stays removed for every program. */
bool nsc_app_bookmark_remove(struct nsc_app *app);
bool nsc_app_bookmark_unremove(struct nsc_app *app);
bool nsc_app_bookmark_step(struct nsc_app *app, bool forward);
bool nsc_app_bookmark_jump(struct nsc_app *app, size_t i);
bool nsc_app_bookmarks_open(struct nsc_app *app);
void nsc_app_bookmark_range(struct nsc_app *app);

bool nsc_app_bookmarks_update(struct nsc_app *app, bool tick);
bool nsc_app_bookmarks_act(struct nsc_app *app, enum nsc_action action);
struct nsc_list *nsc_app_bookmarks_list(struct nsc_app *app);

#endif
