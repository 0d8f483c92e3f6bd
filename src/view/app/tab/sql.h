/*
 * Queries in SQL: typed in a prompt, run by the application's caller, shown as a table and as rows
 * of the timeline. Private to app/ and its tabs.
 */
#ifndef NSC_VIEW_APP_SQL_H
#define NSC_VIEW_APP_SQL_H

#include "view/app/state.h"

extern const struct nsc_prompt_kind nsc_prompt_sql;

/* Opens the prompt; runs a query at once. */
bool nsc_app_sql_open(struct nsc_app *app);
NSC_NODISCARD enum nsc_status nsc_app_sql_ask(struct nsc_app *app, struct nsc_text query,
                                              struct nsc_error *error);
/* Cancels the running query. False if none runs. */
bool nsc_app_sql_stop(struct nsc_app *app);
/* Takes the result over. */
void nsc_app_sql_input(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_sql_fini(struct nsc_app *app);

/* The time of a row of the result, on the trace's axis; see nsc_relation_time. */
bool nsc_app_sql_time(const struct nsc_app *app, uint32_t row, struct nsc_window *out);
/* Shows its rows as rows of the timeline, or hides them. Errors go to the status line. */
bool nsc_app_sql_track(struct nsc_app *app);

void nsc_app_sql_update(struct nsc_app *app);
bool nsc_app_sql_act(struct nsc_app *app, enum nsc_action action);
/* A click on a title sorts by its column. */
void nsc_app_sql_head(struct nsc_app *app, int row, int col);

#endif
