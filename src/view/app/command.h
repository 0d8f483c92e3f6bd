/*
 * Commands: lines that are typed, given at the start or read from a file. Private to this room.
 */
#ifndef NSC_VIEW_APP_COMMAND_H
#define NSC_VIEW_APP_COMMAND_H

#include "view/app/state.h"

extern const struct nsc_prompt_kind nsc_prompt_command;

/* Runs a line. An error goes to the status line and sets NSC_EFFECT_REFUSED. */
void nsc_app_command_run(struct nsc_app *app, struct nsc_text line);
/* Runs the line that was entered. */
void nsc_app_command_due(struct nsc_app *app);

/* ":map KEYS ACTION", ":unmap SCOPE KEYS": changes the application's own copy of the keymap. */
NSC_NODISCARD enum nsc_status nsc_app_map(struct nsc_app *app, struct nsc_text arguments,
                                          struct nsc_error *error);
NSC_NODISCARD enum nsc_status nsc_app_unmap(struct nsc_app *app, struct nsc_text arguments,
                                            struct nsc_error *error);

#endif
