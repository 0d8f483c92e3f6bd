/*
 * The prompt at the bottom, and what is typed there: commands, exports, the filter and the search.
 * Private to this room.
 */
#ifndef NSC_VIEW_APP_PROMPT_H
#define NSC_VIEW_APP_PROMPT_H

#include "view/app/state.h"

/* Opens a prompt with a text to edit. */
void nsc_app_prompt_open(struct nsc_app *app, enum nsc_prompt_id id, struct nsc_text text);
/* The same with a proposal: the first typed character replaces it. */
void nsc_app_prompt_offer(struct nsc_app *app, enum nsc_prompt_id id, struct nsc_text text);
/* Shows an error at a byte of the text. */
void nsc_app_prompt_wrong(struct nsc_app *app, uint32_t column, const char *text);
struct nsc_text nsc_app_prompt_text(const struct nsc_app *app);
void nsc_app_prompt_key(struct nsc_app *app, enum nsc_action action, nsc_key key);
/* On a tick: previews a change. */
void nsc_app_prompt_tick(struct nsc_app *app);
void nsc_app_prompt_fini(struct nsc_app *app);
/* Whether the command line runs an action: global actions, and those of the timeline and the
 * focused pane. */
bool nsc_app_command_offers(const struct nsc_app *app, enum nsc_action action);
/* Whether a question has this name. */
bool nsc_app_knows_question(const struct nsc_app *app, struct nsc_text name);
/* Makes the offers for the open line. */
void nsc_app_offers_build(struct nsc_app *app, const struct nsc_prompt_kind *kind);
void nsc_app_prompt_draw(const struct nsc_app *app, struct nsc_grid *grid);
/* Opens the form for the name of a file, with which the command runs. */
void nsc_app_file_ask(struct nsc_app *app, const char *command, const char *name);

/* ---- the form ---- */

/* Goes to a line of the form that was filled in. */
void nsc_app_form_go(struct nsc_app *app, uint32_t at);
/* Opens the form of a question, "top_kernels limit=5". False, with a message, if it has no parameters. */
bool nsc_app_form_open(struct nsc_app *app, struct nsc_text line);
/* A key that goes to another line, or takes another word; false for others. */
bool nsc_app_form_key(struct nsc_app *app, enum nsc_action action);
void nsc_app_form_draw(const struct nsc_app *app, struct nsc_grid *grid, int row);

/* ---- the command line ---- */

/* Runs a line. An error goes to the status line and sets NSC_EFFECT_REFUSED. */
void nsc_app_command_run(struct nsc_app *app, struct nsc_text line);
/* Runs the line that was entered. */
void nsc_app_command_due(struct nsc_app *app);

/* ":map KEYS ACTION", ":unmap SCOPE KEYS": changes the application's own copy of the keymap. */
NSC_NODISCARD enum nsc_status nsc_app_map(struct nsc_app *app, struct nsc_text arguments,
                                          struct nsc_error *error);
NSC_NODISCARD enum nsc_status nsc_app_unmap(struct nsc_app *app, struct nsc_text arguments,
                                            struct nsc_error *error);

/* ---- exports ---- */

/* Opens their form. False, with a message, while an export runs. */
bool nsc_app_export_open(struct nsc_app *app);
/* ":export FORMAT [view|range|all] FILE"; opens the form without arguments. */
NSC_NODISCARD enum nsc_status nsc_app_export_command(struct nsc_app *app, struct nsc_text arguments,
                                                     struct nsc_error *error);
void nsc_app_export_complete(struct nsc_app *app, struct nsc_text before, struct nsc_text stem);
/* Cancels the running export. False if none runs. */
bool nsc_app_export_cancel(struct nsc_app *app);
void nsc_app_export_input(struct nsc_app *app, const struct nsc_input *input);

/* ---- the filter ---- */

/* Whether the wanted filter is still being built: the screen shows the previous one. */
bool nsc_app_filter_is_waiting(const struct nsc_app *app);
/* Filters by an expression, as soon as it is built. An error goes to the status line. */
bool nsc_app_filter_set(struct nsc_app *app, struct nsc_text text);
/* Each returns false if it had no effect. Cancelling keeps the filter that is in effect. */
bool nsc_app_filter_cancel(struct nsc_app *app);
bool nsc_app_filter_open(struct nsc_app *app);
bool nsc_app_filter_duration(struct nsc_app *app);
/* Opens the filter's line with the other terms and one of this key; the first typed character replaces the
 * value. */
bool nsc_app_filter_term(struct nsc_app *app, const char *key, struct nsc_text value);
bool nsc_app_filter_name(struct nsc_app *app);
/* Changes the filter's minimum duration; "": none. */
bool nsc_app_filter_least(struct nsc_app *app, struct nsc_text duration);
bool nsc_app_filter_dim(struct nsc_app *app);
bool nsc_app_filter_clear(struct nsc_app *app);
/* Restores the filter of the view that undo or redo restored. False if it is already in effect. */
bool nsc_app_filter_undo(struct nsc_app *app);
void nsc_app_filter_fini(struct nsc_app *app);

/* ---- the search ---- */

bool nsc_app_is_searching(const struct nsc_app *app);
bool nsc_app_find_open(struct nsc_app *app);
/* Searches for names and goes to the first hit; "" ends the search. */
NSC_NODISCARD enum nsc_status nsc_app_find(struct nsc_app *app, struct nsc_text text,
                                           struct nsc_error *error);
/* Searches again after the filter changed. */
void nsc_app_search_again(struct nsc_app *app);
bool nsc_app_search_end(struct nsc_app *app);
/* Whether hits are still being collected: the screen shows those of the previous search. */
bool nsc_app_search_is_waiting(const struct nsc_app *app);
bool nsc_app_search_cancel(struct nsc_app *app);
/* Goes to the next or previous hit in time. */
bool nsc_app_hit_step(struct nsc_app *app, bool forward);
void nsc_app_search_ticks(struct nsc_app *app);
void nsc_app_search_fini(struct nsc_app *app);

#endif
