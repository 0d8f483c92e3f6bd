/*
 * Section [settings] of config.ini in the user's config folder.
 */
#ifndef NSC_CLI_SETTINGS_FILE_H
#define NSC_CLI_SETTINGS_FILE_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "cli/session/startup.h"

/* Adds "set KEY VALUE" for each entry that no option overrides. The file may be absent; presets
 * report what else is wrong with it. */
void nsc_settings_load(struct nsc_startup *startup, const struct nsc_options *options);
/* Replaces the section by the lines "KEY = VALUE"; keeps the rest of the file. */
NSC_NODISCARD enum nsc_status nsc_settings_save(struct nsc_text lines, struct nsc_error *error);

#endif
