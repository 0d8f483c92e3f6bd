/*
 * The application: state, changed by inputs, drawn to a grid. It opens no file, reads no clock and
 * knows no terminal.
 *
 * The caller owns the application and carries out the effects. The trace is borrowed. Drawing takes
 * it as const: the same state always gives the same grid.
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

/* A named filter of the user. */
struct nsc_filter_preset {
    const char *name, *text;
};

#define NSC_APP_FILTER_BYTES 1023 /* bytes of a filter that can be edited */

struct nsc_app_options {
    const char *file;         /* name to show, raw */
    const char *const *files; /* borrowed: all exports, file is the first; NULL: file alone */
    uint32_t n_files;
    const char *align;               /* borrowed: the value of --align; NULL: not given */
    bool ascii;                      /* glyphs */
    const struct nsc_keymap *keymap; /* borrowed; NULL: the default */
    struct nsc_pool *pool;           /* borrowed: runs filters; NULL: filters start their own
                                      * threads */
    bool ascii_only;                 /* the terminal can show nothing else */
    bool no_mouse;                   /* the terminal does not report the mouse initially */
    uint32_t color;                  /* initial value, as in nsc_effects */
    const char *theme;               /* its name, or a file; NULL: the default */
    bool builds_apart;               /* the caller handles NSC_EFFECT_BUILD */
    bool compare;                    /* the two exports of files, one above the other */
    bool export_colors;              /* NVTX ranges have the export's colours */
    const char *filter;              /* initial filter; NULL: none */
    const struct nsc_filter_preset *presets; /* borrowed */
    uint32_t n_presets;
    const char *query_words; /* borrowed: tables, columns and functions of queries; NULL: none */
    const struct nsc_skill *skills; /* borrowed: of the questions; NULL: those of skill.def */
    uint32_t n_skills;
};

/* One bit per row of effect.def. */
enum nsc_effect_bit {
#define NSC_EFFECT(id) NSC_EFFECT_BIT_##id,
#include "view/app/effect.def"
    NSC_N_EFFECTS
};
enum {
#define NSC_EFFECT(id) NSC_EFFECT_##id = 1 << NSC_EFFECT_BIT_##id,
#include "view/app/effect.def"
};
_Static_assert(NSC_N_EFFECTS < 31, "an effect is a bit of an int");

struct nsc_effects {
    unsigned set;
    unsigned builds; /* BUILD: one bit per slot */
    nsc_event event;
    uint32_t capture_no;  /* QUERY: export to query */
    bool mouse;           /* wants the terminal's mouse reports */
    uint32_t color;       /* a word of the setting colours: auto true 256 16 mono */
    struct nsc_text text; /* borrowed from the application until its next input */
};

/* A request to write an export, borrowed from the application until its next input. */
struct nsc_export_request {
    enum nsc_dump_format format;
    struct nsc_window window;
    const uint64_t *mask; /* events kept by the filter; NULL: everything */
    const struct nsc_bookmarks *bookmarks;
    const char *filter, *path;
    bool replace; /* overwrite an existing file */
};

/* What a query or a question is about: the events of the filter, in the range. */
struct nsc_query_request {
    const char *filter;       /* "": everything; borrowed until the application's next input */
    struct nsc_window window; /* valid if has_window; else the whole trace */
    bool has_window;
};

struct nsc_app *nsc_app_new(const struct nsc_app_options *options);
void nsc_app_free(struct nsc_app *app);
/*
 * Stamps the bookmarks and copies them to out. The caller frees out with fini and reports the
 * result of saving with NSC_INPUT_BOOKMARKS.
 */
void nsc_app_bookmarks_copy(struct nsc_app *app, struct nsc_bookmarks *out, int64_t utc,
                            uint64_t random);
/* Copies the state that restores this view; the caller frees out with fini. False before a trace is
 * loaded. */
bool nsc_app_state(const struct nsc_app *app, struct nsc_session_state *out);
/* Does the work of NSC_EFFECT_BUILD for one slot. It takes long, and may run on another thread at
 * the same time as the other slots. */
void nsc_app_build_run(struct nsc_app *app, enum nsc_build_slot slot);
/* Whether a build found no memory: the screen lacks what it would show. */
bool nsc_app_is_short(const struct nsc_app *app);
struct nsc_answer_request {
    const char *line;    /* "top_kernels limit=5": name and parameters; borrowed */
    uint32_t capture_no; /* "schema": export to describe */
    struct nsc_query_request of;
    const struct nsc_skill *skills; /* of the application; borrowed */
    uint32_t n_skills;
};
struct nsc_query_request nsc_app_query_request(const struct nsc_app *app);
/* The question of NSC_EFFECT_ANSWER. False if there is none. */
bool nsc_app_answer_request(const struct nsc_app *app, struct nsc_answer_request *out);
/* The iterations of the loaded trace (possibly none); NULL if the user chose other ones. Borrowed
 * until the next input. */
const struct nsc_iterations *nsc_app_iterations(const struct nsc_app *app);
/* The table for NSC_EFFECT_ANSWER_WRITE; NULL: none. */
const struct nsc_sheet *nsc_app_answer_sheet(const struct nsc_app *app);
/* False before a trace is loaded. */
bool nsc_app_export_request(const struct nsc_app *app, struct nsc_export_request *out);
struct nsc_effects nsc_app_input(struct nsc_app *app, const struct nsc_input *input);
/* Draws into the grid at the size of the last RESIZE; every cell is written. */
void nsc_app_draw(const struct nsc_app *app, struct nsc_grid *grid);

#endif
