/* Reads and writes the user's config folder: settings, named filters, themes, keymaps. */
#ifndef NSC_CLI_CONFIG_FILES_H
#define NSC_CLI_CONFIG_FILES_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "core/arena.h"
#include "core/vec.h"
#include "view/app/app.h"
#include "view/kit/keymap.h"
#include "view/kit/theme.h"

struct nsc_options;
struct nsc_startup;
struct nsc_term;

/* Section [settings] of config.ini. Adds "set KEY VALUE" for each entry that no option overrides.
 * The file may be absent; presets report other errors in it. */
void nsc_settings_load(struct nsc_startup *startup, const struct nsc_options *options);
/* Replaces the section by the lines "KEY = VALUE"; keeps the rest of the file. */
NSC_NODISCARD enum nsc_status nsc_settings_save(struct nsc_text lines, struct nsc_error *error);

struct nsc_presets {
    struct nsc_arena arena;
    NSC_VEC(struct nsc_filter_preset) list;
};

/*
 * Reads section [filters] of config.ini in the user's config folder: name = filter. The file may be
 * absent. Skips entries that are not filters, with a warning on stderr. The caller calls fini.
 */
void nsc_presets_init(struct nsc_presets *presets, const struct nsc_options *options);
void nsc_presets_fini(struct nsc_presets *presets);

/* Checks that text (NULL: none) is a filter that the screen can show. */
NSC_NODISCARD enum nsc_status nsc_filter_check(const char *text, struct nsc_error *error);

/*
 * name: NULL for the default, a path (with a slash or ending in .theme), or the name of a theme in
 * the config folder, in the data folders or compiled in. Warns on stderr about invalid lines, unless quiet.
 */
NSC_NODISCARD enum nsc_status nsc_theme_load(struct nsc_theme *theme, const char *name, bool quiet,
                                             struct nsc_error *error);
/* Replaces a theme. Prints no warnings, because the terminal may show a screen. On failure the
 * theme stays. */
NSC_NODISCARD enum nsc_status nsc_theme_change(struct nsc_theme *theme, struct nsc_text name,
                                               struct nsc_error *error);
/* Adapts the default theme to the terminal: uses the light theme on a light background, and sets a
 * background unless the terminal's is known to be dark. */
NSC_NODISCARD enum nsc_status nsc_theme_fit(struct nsc_theme *theme, const struct nsc_term *term,
                                            struct nsc_error *error);
/* The default keys, overlaid by a built-in keymap (perfetto, vim) or a file; NULL: only the
 * default. */
NSC_NODISCARD enum nsc_status nsc_keymap_load(struct nsc_keymap *keymap, const char *path,
                                              struct nsc_error *error);

#endif
