/*
 * Questions with names, chosen in a list or found by words, answered on another thread, shown as
 * tables. Private to app/ and its tabs.
 */
#ifndef NSC_VIEW_APP_ANSWERS_H
#define NSC_VIEW_APP_ANSWERS_H

#include "view/app/state.h"

/* Asks "top_kernels limit=5" by name. NSC_EINVAL: there is no such question. */
NSC_NODISCARD enum nsc_status nsc_app_answers_ask(struct nsc_app *app, struct nsc_text line,
                                                  struct nsc_error *error);
/* Asks the question that best matches words such as "why bubbles". */
NSC_NODISCARD enum nsc_status nsc_app_answers_ask_words(struct nsc_app *app, struct nsc_text words,
                                                        struct nsc_error *error);
/* Requests the tables and columns of the export, or says why it cannot. */
bool nsc_app_schema_open(struct nsc_app *app);
/* Opens the SQL prompt with the query of a schema row. False if the pane shows no schema. */
bool nsc_app_schema_query(struct nsc_app *app);
/* Requests writing the visible table to a new file, as CSV. */
NSC_NODISCARD enum nsc_status nsc_app_answers_write(struct nsc_app *app, struct nsc_text path,
                                                    struct nsc_error *error);
/* Takes the answer over. */
void nsc_app_answers_input(struct nsc_app *app, const struct nsc_input *input);
/* Shows the critical path of the range, or of an iteration, as rows of the timeline; repeated,
 * hides it. */
bool nsc_app_critical_path(struct nsc_app *app);
void nsc_app_answers_fini(struct nsc_app *app);

void nsc_app_answers_update(struct nsc_app *app);
bool nsc_app_answers_beyond(struct nsc_app *app, enum nsc_action action);
bool nsc_app_answers_act(struct nsc_app *app, enum nsc_action action);
/* A click on a title sorts by its column. */
void nsc_app_answers_head(struct nsc_app *app, int row, int col);

#endif
