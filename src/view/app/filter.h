/*
 * The filter and the search. Private to this room.
 */
#ifndef NSC_VIEW_APP_FILTER_H
#define NSC_VIEW_APP_FILTER_H

#include "view/app/state.h"

/* ---- the filter ---- */

extern const struct nsc_prompt_kind nsc_prompt_filter;
extern const struct nsc_prompt_kind nsc_prompt_duration;

/* Whether the wanted filter is still being built: the screen shows the previous one. */
bool nsc_app_filter_is_waiting(const struct nsc_app *app);
/* After each input: builds a slice of the filter, on a tick. */
void nsc_app_filter_update(struct nsc_app *app, bool tick);
/* Filters by an expression, as soon as it is built. An error goes to the status line. */
bool nsc_app_filter_set(struct nsc_app *app, struct nsc_text text);
/* Each returns false if it had no effect. Cancelling keeps the filter that is in effect. */
bool nsc_app_filter_cancel(struct nsc_app *app);
bool nsc_app_filter_open(struct nsc_app *app);
bool nsc_app_filter_duration(struct nsc_app *app);
bool nsc_app_filter_name(struct nsc_app *app);
/* Changes the filter's minimum duration; "": none. */
bool nsc_app_filter_least(struct nsc_app *app, struct nsc_text duration);
bool nsc_app_filter_dim(struct nsc_app *app);
bool nsc_app_filter_clear(struct nsc_app *app);
/* Restores the filter of the view that undo or redo restored. False if it is already in effect. */
bool nsc_app_filter_undo(struct nsc_app *app);
void nsc_app_filter_fini(struct nsc_app *app);

/* ---- the search ---- */

extern const struct nsc_prompt_kind nsc_prompt_find;

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
void nsc_app_search_update(struct nsc_app *app, bool tick);
bool nsc_app_search_cancel(struct nsc_app *app);
/* Goes to the next or previous hit in time. */
bool nsc_app_hit_step(struct nsc_app *app, bool forward);
void nsc_app_search_ticks(struct nsc_app *app);
void nsc_app_search_fini(struct nsc_app *app);

#endif
