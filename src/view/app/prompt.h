/*
 * The prompt at the bottom. Private to this room.
 */
#ifndef NSC_VIEW_APP_PROMPT_H
#define NSC_VIEW_APP_PROMPT_H

#include "view/app/state.h"

/* Opens a prompt with a text to edit. */
void nsc_app_prompt_open(struct nsc_app *app, enum nsc_prompt_id id, struct nsc_text text);
/* The same with a proposal: the first typed character replaces its bytes from here. */
void nsc_app_prompt_offer(struct nsc_app *app, enum nsc_prompt_id id, struct nsc_text text,
                          size_t from);
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
/* Checks the parameters of the question in the command line. */
void nsc_app_params_check(struct nsc_app *app);
void nsc_app_prompt_draw(const struct nsc_app *app, struct nsc_grid *grid);

#endif
