/*
 * Named filters from the user's settings file.
 */
#ifndef NSC_CLI_PRESETS_H
#define NSC_CLI_PRESETS_H

#include "core/arena.h"
#include "core/vec.h"
#include "view/app/app.h"

struct nsc_presets {
    struct nsc_arena arena;
    NSC_VEC(struct nsc_filter_preset) list;
};

/*
 * Reads section [filters] of config.ini in the user's config folder: name = filter. The file may be
 * absent. Warns on stderr about entries that are no filter and skips them. The caller calls fini.
 */
void nsc_presets_init(struct nsc_presets *presets);
void nsc_presets_fini(struct nsc_presets *presets);

/* Checks that text (NULL: none) is a filter that the screen can show. */
NSC_NODISCARD enum nsc_status nsc_filter_check(const char *text, struct nsc_error *error);

#endif
