/*
 * Finding a theme or keymap by the name given on the command line.
 */
#ifndef NSC_CLI_THEME_FILE_H
#define NSC_CLI_THEME_FILE_H

#include "nsyscope/status.h"

#include "view/kit/keymap.h"
#include "view/kit/theme.h"

/*
 * name: NULL for the default, a path (with a slash or ending in .theme), or the name of a theme,
 * looked for in the config folder, the data folders and among those compiled in. What the file has
 * that cannot be read is said on stderr.
 */
NSC_NODISCARD enum nsc_status nsc_theme_load(struct nsc_theme *theme, const char *name,
                                             struct nsc_error *error);
/* Another theme in the place of one; what its file has that cannot be read is not said: a terminal
 * may show a screen. On failure the theme is as it was. */
NSC_NODISCARD enum nsc_status nsc_theme_change(struct nsc_theme *theme, struct nsc_text name,
                                               struct nsc_error *error);
/* The default keys, with those of a shipped keymap (perfetto, vim) or a file over them; NULL: the
 * default alone. */
NSC_NODISCARD enum nsc_status nsc_keymap_load(struct nsc_keymap *keymap, const char *path,
                                              struct nsc_error *error);

#endif
