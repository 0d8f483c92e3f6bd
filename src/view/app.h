/*
 * The application: state, changed by inputs, drawn to a grid. It opens no file, reads no clock and
 * knows no terminal.
 *
 * The caller owns the application and does what the effects ask for. The trace is borrowed. Drawing
 * takes it as const: the same state always gives the same grid.
 */
#ifndef NSC_VIEW_APP_H
#define NSC_VIEW_APP_H

#include "view/dump_format.h"
#include "view/grid.h"
#include "view/input.h"

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

enum {
    NSC_EFFECT_QUIT = 1,
    NSC_EFFECT_CANCEL_LOAD = 2,
    NSC_EFFECT_DETAILS = 4, /* fetch the row of .event, answer with NSC_INPUT_DETAILS */
    NSC_EFFECT_SAVE = 4096, /* the bookmarks changed: nsc_app_bookmarks_copy */
    NSC_EFFECT_REPAINT = 8, /* forget what the terminal shows, send everything */
    NSC_EFFECT_SUSPEND = 16,
    NSC_EFFECT_BELL = 32,
    NSC_EFFECT_REDRAW = 64, /* the state changed: draw when there is time */
    NSC_EFFECT_WORK = 128,  /* a slice of work is left: NSC_INPUT_TICK when no other input waits */
    NSC_EFFECT_COPY = 256,  /* put .text on the terminal's clipboard */
    NSC_EFFECT_REFUSED = 512,   /* a command was wrong: .text says why, as the status line does */
    NSC_EFFECT_SETTINGS = 2048, /* keep the settings .text for next time */
    NSC_EFFECT_SHARE = 65536,   /* write the bookmarks to the new file .text, answer with MESSAGE */
    NSC_EFFECT_TERMINAL = 32768, /* the terminal is to have .mouse and .color */
    NSC_EFFECT_QUERY = 8192, /* run the SQL .text (copy it), answer with NSC_INPUT_QUERY; replaces
                                what still runs */
    NSC_EFFECT_QUERY_STOP = 16384,      /* cancel it, answer with NSC_INPUT_QUERY */
    NSC_EFFECT_EXPORT = 1 << 20,        /* write what nsc_app_export_request says */
    NSC_EFFECT_CANCEL_EXPORT = 1 << 21, /* end that */
    NSC_EFFECT_BUILD = 1 << 24,    /* nsc_app_build_run on another thread, then NSC_INPUT_BUILT */
    NSC_EFFECT_FINDINGS = 1 << 22, /* look for findings, answer with NSC_INPUT_FINDINGS */
    NSC_EFFECT_ALIGN = 1 << 23,    /* load again, aligned by .text as --align takes it */
    NSC_EFFECT_THEME = 1024        /* load the theme .text, answer with NSC_INPUT_THEME */
};

struct nsc_effects {
    unsigned set;
    nsc_event event;
    uint32_t xport;       /* QUERY: of which export */
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
