/*
 * The settings in the user's settings file: section [settings] of config.ini.
 */
#ifndef NSC_CLI_SETTINGS_FILE_H
#define NSC_CLI_SETTINGS_FILE_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "cli/startup.h"

/* Adds "set KEY VALUE" for each entry that the command line does not decide. No such file is fine:
 * who reads presets says what else is wrong with it. */
void nsc_settings_load(struct nsc_startup *startup, const struct nsc_options *options);
/* Puts lines "KEY = VALUE" in the place of the section; everything else in the file stays as it
 * is. */
NSC_NODISCARD enum nsc_status nsc_settings_save(struct nsc_text lines, struct nsc_error *error);

#endif
