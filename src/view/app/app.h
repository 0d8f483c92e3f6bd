/*
 * The application: state, changed by inputs, drawn to a grid. It opens no file, reads no clock and
 * knows no terminal.
 *
 * The caller owns the application and does what the effects ask for. The trace is borrowed. Drawing
 * takes it as const: the same state always gives the same grid.
 */
#ifndef NSC_VIEW_APP_APP_H
#define NSC_VIEW_APP_APP_H

#include "view/app/input.h"
#include "view/kit/grid.h"
#include "view/model/dump_format.h"

struct nsc_app;
struct nsc_bookmarks;
struct nsc_session_state;
struct nsc_keymap;

struct nsc_pool;

/* A filter of the user's that has a name. */
struct nsc_filter_preset {
    const char *name, *text;
};

#define NSC_APP_FILTER_BYTES 1023 /* of a filter that can be edited */

struct nsc_app_options {
    const char *file;         /* name to show, raw */
    const char *const *files; /* borrowed: all exports, file is the first; NULL: file alone */
    uint32_t n_files;
    const char
        *align; /* borrowed: how they were asked to be aligned, as --align takes it; NULL: not */
    bool ascii; /* glyphs */
    const struct nsc_keymap *keymap; /* borrowed; NULL: the default */
    struct nsc_pool *pool;           /* borrowed; what filters run on; NULL: threads of their own */
    bool ascii_only;                 /* nothing else can be shown */
    bool no_mouse;                   /* its reports are not asked for at the start */
    uint32_t color;                  /* as in nsc_effects, at the start */
    const char *theme;               /* its name, or a file; NULL: the default */
    bool builds_apart;               /* NSC_EFFECT_BUILD is heeded */
    bool export_colors;              /* NVTX ranges have the hue that the export gives them */
    const char *filter;              /* the first one; NULL: none */
    const struct nsc_filter_preset *presets; /* borrowed */
    uint32_t n_presets;
};

/* A bit each: the rows of effect.def. */
enum nsc_effect_bit {
#define NSC_EFFECT(id) NSC_EFFECT_BIT_##id,
#include "view/app/effect.def"
#undef NSC_EFFECT
    NSC_N_EFFECTS
};
enum {
#define NSC_EFFECT(id) NSC_EFFECT_##id = 1 << NSC_EFFECT_BIT_##id,
#include "view/app/effect.def"
#undef NSC_EFFECT
};
_Static_assert(NSC_N_EFFECTS < 31, "an effect is a bit of an int");

struct nsc_effects {
    unsigned set;
    nsc_event event;
    uint32_t capture_no;  /* QUERY: of which export */
    bool mouse;           /* its reports are wanted */
    uint32_t color;       /* a word of the setting colours: auto true 256 16 mono */
    struct nsc_text text; /* borrowed from the application until its next input */
};

/* What to write where, borrowed from the application until its next input. */
struct nsc_export_request {
    enum nsc_dump_format format;
    struct nsc_window window;
    const uint64_t *mask; /* of the filter; NULL: everything */
    const char *filter, *path;
    bool replace; /* a file that is there */
};

struct nsc_app *nsc_app_new(const struct nsc_app_options *options);
void nsc_app_free(struct nsc_app *app);
/*
 * Stamps the bookmarks and copies them to out, which the caller calls fini on: what comes of saving
 * it is told with NSC_INPUT_BOOKMARKS.
 */
void nsc_app_bookmarks_copy(struct nsc_app *app, struct nsc_bookmarks *out, int64_t utc,
                            uint64_t random);
/* What the view is restored from, out's fini is the caller's; false before a trace is loaded. */
bool nsc_app_state(const struct nsc_app *app, struct nsc_session_state *out);
/* What NSC_EFFECT_BUILD asks for: takes long, may run while the application goes on. */
void nsc_app_build_run(struct nsc_app *app);
/* False before a trace is loaded. */
bool nsc_app_export_request(const struct nsc_app *app, struct nsc_export_request *out);
struct nsc_effects nsc_app_input(struct nsc_app *app, const struct nsc_input *input);
/* Draws into the grid at the size of the last RESIZE; every cell is written. */
void nsc_app_draw(const struct nsc_app *app, struct nsc_grid *grid);

#endif
