/*
 * The filter and the search. Private to this room.
 */
#ifndef NSC_VIEW_APP_FILTER_H
#define NSC_VIEW_APP_FILTER_H

#include "view/app/state.h"

/* ---- the filter ---- */

extern const struct nsc_prompt_kind nsc_prompt_filter;
extern const struct nsc_prompt_kind nsc_prompt_duration;

/* Whether the filter that is asked for is being made: what is shown is still that before. */
bool nsc_app_filter_waits(const struct nsc_app *app);
/* After each input: a slice of what is left to do when there is time for it. */
void nsc_app_filter_update(struct nsc_app *app, const struct nsc_input *input,
                           struct nsc_effects *effects);
/* Shows only what the expression selects, as soon as that is made; what is wrong with it is said in
 * the status line. */
bool nsc_app_filter_set(struct nsc_app *app, struct nsc_text text);
/* Each says with false that there was nothing to do. Cancelled, the filter is again what is
 * shown. */
bool nsc_app_filter_cancel(struct nsc_app *app);
bool nsc_app_filter_open(struct nsc_app *app);
bool nsc_app_filter_duration(struct nsc_app *app);
bool nsc_app_filter_name(struct nsc_app *app);
/* The filter with another minimum duration; "": none. */
bool nsc_app_filter_least(struct nsc_app *app, struct nsc_text duration);
bool nsc_app_filter_dim(struct nsc_app *app);
bool nsc_app_filter_clear(struct nsc_app *app);
void nsc_app_filter_fini(struct nsc_app *app);

/* ---- the search ---- */

extern const struct nsc_prompt_kind nsc_prompt_find;

bool nsc_app_is_searching(const struct nsc_app *app);
bool nsc_app_find_open(struct nsc_app *app);
/* Looks for names and goes to the first hit; "" ends the search. */
NSC_NODISCARD enum nsc_status nsc_app_find(struct nsc_app *app, struct nsc_text text,
                                           struct nsc_error *error);
/* The filter changed: looks again. */
void nsc_app_search_again(struct nsc_app *app);
bool nsc_app_search_end(struct nsc_app *app);
/* Whether the hits of what is looked for are being made: those that are shown are of before. */
bool nsc_app_search_waits(const struct nsc_app *app);
void nsc_app_search_update(struct nsc_app *app, const struct nsc_input *input,
                           struct nsc_effects *effects);
bool nsc_app_search_cancel(struct nsc_app *app);
/* Goes to the next or previous hit in time. */
bool nsc_app_hit_step(struct nsc_app *app, bool forward);
void nsc_app_search_ticks(struct nsc_app *app);
void nsc_app_search_fini(struct nsc_app *app);

#endif
