/*
 * Finds the theme or keymap that the command line names.
 */
#ifndef NSC_CLI_THEME_FILE_H
#define NSC_CLI_THEME_FILE_H

#include "nsyscope/status.h"

#include "view/kit/keymap.h"
#include "view/kit/theme.h"

/*
 * name: NULL for the default, a path (with a slash or ending in .theme), or the name of a theme in
 * the config folder, in the data folders or compiled in. Warns on stderr about lines that cannot be
 * read.
 */
NSC_NODISCARD enum nsc_status nsc_theme_load(struct nsc_theme *theme, const char *name,
                                             struct nsc_error *error);
/* Replaces a theme while the terminal may show a screen, so it prints no warnings. On failure
 * the theme stays. */
NSC_NODISCARD enum nsc_status nsc_theme_change(struct nsc_theme *theme, struct nsc_text name,
                                               struct nsc_error *error);
/* The default keys, overlaid by a shipped keymap (perfetto, vim) or a file; NULL: the default
 * alone. */
NSC_NODISCARD enum nsc_status nsc_keymap_load(struct nsc_keymap *keymap, const char *path,
                                              struct nsc_error *error);

#endif
