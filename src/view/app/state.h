/*
 * What is inside struct nsc_app, and what the files of the application call of each other. Private
 * to app*.c and pane_*.c.
 *
 * Drawing takes it as const; the scratch it points to is the one thing a frame writes besides the
 * grid.
 */
#ifndef NSC_VIEW_APP_STATE_H
#define NSC_VIEW_APP_STATE_H

#include "nsyscope/cover.h"
#include "nsyscope/summary.h"

#include "analysis/select/standing.h"
#include "view/app/app.h"
#include "view/app/bookmarks.h"
#include "view/app/build.h"
#include "view/app/command.h"
#include "view/app/covers.h"
#include "view/app/explore.h"
#include "view/app/export.h"
#include "view/app/filter.h"
#include "view/app/findings.h"
#include "view/app/menu.h"
#include "view/app/panes.h"
#include "view/app/sql.h"
#include "view/kit/keymap.h"
#include "view/kit/layout.h"
#include "view/kit/ticks.h"
#include "view/model/bars.h"
#include "view/model/rows.h"
#include "view/model/viewport.h"
#include "view/pane/details.h"
#include "view/pane/panes.h"
#include "view/pane/shadows.h"
#include "view/scene/look.h"
#include "view/scene/scene.h"
#include "view/scene/subject.h"

#define NSC_APP_MESSAGE  240
#define NSC_APP_MAX_SIZE 4096 /* rows, columns */

struct nsc_loading {
    struct nsc_progress_view progress;
    uint64_t since, now; /* ms; since: the first thing heard of it */
    bool started;
    bool cancelled;
    const struct nsc_session_state *state; /* borrowed; early: restored, as far as that goes yet */
    char failure[NSC_APP_MESSAGE];         /* "" unless it failed */
};

struct nsc_drag {
    bool active, moved;
    nsc_time from;
};

struct nsc_app_config {
    bool open;
    bool terminal_due, theme_due; /* effects */
    bool no_mouse;
    uint32_t color;         /* a word of its setting */
    char theme[256];        /* its name or file */
    char theme_wanted[256]; /* that was asked for */
    struct nsc_list list;   /* of settings */
    char saved[1024];       /* NSC_EFFECT_SETTINGS: "name = value" a line */
};

struct nsc_app {
    struct nsc_sources sources; /* file: owned */
    struct nsc_buf title;       /* the names of the files, as the title line says them */
    const char *const *files;   /* of several exports all; borrowed, as the next */
    const char *align;
    char align_wanted[256]; /* borrowed by NSC_EFFECT_ALIGN */
    const struct nsc_keymap *keymap;
    bool ascii_only;
    struct nsc_keymap own_keymap; /* the default one, or one that :map changed */
    struct nsc_loading loading;
    char message[NSC_APP_MESSAGE]; /* told once, gone with the next key */

    struct nsc_scene_edit *edit;
    const struct nsc_scene *scene; /* what edit is of */
    struct nsc_pool *pool;         /* borrowed; NULL: none */
    bool slow_link;
    uint64_t skipped; /* damaged rows, over all tables */

    struct nsc_drag drag;

    bool pane_open, pane_full;
    uint32_t pane;       /* index in nsc_panes */
    uint32_t n_selected; /* of the scene, when pane_top was last looked at */
    int pane_top;        /* first line of the pane that is shown */
    bool help;
    int help_top;

    struct nsc_tree *tree;              /* NULL until it is opened */
    char tree_filter[NSC_PROMPT_BYTES]; /* what it was made with */

    struct nsc_app_panes panes;
    struct nsc_app_bookmarks bookmarks;
    struct nsc_app_prompt prompt;
    struct nsc_app_filter filter;
    struct nsc_app_search search;
    struct nsc_app_command command;
    struct nsc_app_sql sql;
    struct nsc_app_menu menu;
    struct nsc_app_config config;
    struct nsc_explore explore;
    struct nsc_app_build build;
    bool builds_apart;
    struct nsc_app_covers covers;
    struct nsc_app_export export;
    struct nsc_app_findings findings;

    struct nsc_pane_details details;
};

/* ---- panes: what the bottom of the screen can show ---- */

struct nsc_pane {
    const char *name;
    enum nsc_key_scope scope; /* of keys while it has the focus */
    bool tall;                /* takes more of the screen than a few lines */
    bool filtered;            /* what it shows follows the filter */
    /* Draws from line app->pane_top of its text on (grid NULL: nothing); returns how many lines
     * there are in all. */
    int (*draw)(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect);
    /* The rest may be NULL. What "choose-prev" and "choose-next" change, and what "choose" does, in
     * words of the hints; NULL: those keys go to another pane, "choose" does nothing. */
    const char *chooses, *shows;
    /* Whether it can be done now; NULL: always. */
    bool (*can_choose)(const struct nsc_app *app);
    bool (*can_show)(const struct nsc_app *app);
    /* What a key does while the pane has the focus; false: it is not the
     * pane's. */
    bool (*act)(struct nsc_app *app, enum nsc_action action);
    /* After each input while it is shown: see nsc_app_panes_update. */
    bool (*update)(struct nsc_app *app, bool tick);
    /* A list, as the last lines of the pane; panes of text have none and scroll by
     * app->pane_top. */
    struct nsc_list *(*list)(struct nsc_app *app);
    void (*moved)(struct nsc_app *app); /* the list's cursor */
    /* A click above the lines of the list. */
    void (*head)(struct nsc_app *app, int row, int col);
};

enum {
    NSC_PANE_DETAILS,
    NSC_PANE_SELECTION,
    NSC_PANE_EVENTS,
    NSC_PANE_FINDINGS,
    NSC_PANE_BOOKMARKS,
    NSC_PANE_TREE,
    NSC_PANE_OVERLAP,
    NSC_PANE_SQL,
    NSC_PANE_INFO,
    NSC_N_PANES
};
extern const struct nsc_pane nsc_panes[NSC_N_PANES];

/* What actions do in the pane that has the focus, as the hints say it, into NSC_PANE_WORDS words;
 * returns how many. */
#define NSC_PANE_WORDS 16
struct nsc_hint_word;
size_t nsc_pane_words(const struct nsc_app *app, struct nsc_hint_word *out);

/* Makes app->title, of the files and how they were aligned: drawing asks for no memory. */
void nsc_pane_title_name(struct nsc_app *app);
void nsc_pane_title_draw(const struct nsc_app *app, struct nsc_grid *grid);
void nsc_pane_bottom_draw(const struct nsc_app *app, struct nsc_grid *grid);
/* The pane whose name stands at a column of the tabs; -1 for none. */
int nsc_pane_tab_at(const struct nsc_app *app, int col);
void nsc_pane_status_draw(const struct nsc_app *app, struct nsc_grid *grid);
void nsc_pane_loading_draw(const struct nsc_app *app, struct nsc_grid *grid);
/* The details where no event is under the cursor. */
struct nsc_page;

/* ---- arranging the rows ---- */

/* The row with the cursor: each says with false that there was nothing to do. */
bool nsc_app_pin(struct nsc_app *app);
bool nsc_app_row_hide(struct nsc_app *app);
bool nsc_app_row_taller(struct nsc_app *app);
/* ":rows": shows only the rows whose label an expression matches, without one all of them. */
NSC_NODISCARD enum nsc_status nsc_app_rows_match(struct nsc_app *app, struct nsc_text pattern,
                                                 struct nsc_error *error);

/* ---- the config panel ---- */

bool nsc_app_config_open(struct nsc_app *app);
/* What a key of its scope does; false when there was nothing to do. */
bool nsc_app_config_action(struct nsc_app *app, enum nsc_action action,
                           struct nsc_effects *effects);
void nsc_app_config_init(struct nsc_app *app, const struct nsc_app_options *options);
/* Asks for a theme; the answer is NSC_INPUT_THEME. */
void nsc_app_theme_ask(struct nsc_app *app, struct nsc_text name);
/* What settings ask of the caller. */
void nsc_app_config_effects(struct nsc_app *app, struct nsc_effects *effects);
/* While it is open: a click chooses, one on the value changes it, one outside closes. */
void nsc_app_config_mouse(struct nsc_app *app, const struct nsc_input *input);
void nsc_pane_config_draw(const struct nsc_app *app, struct nsc_grid *grid);

/* ---- the parts of input ---- */

void nsc_app_relayout(struct nsc_app *app);
void nsc_app_loaded(struct nsc_app *app, const struct nsc_input *input);
/* The whole trace takes the place of the early one. */
void nsc_app_take_over(struct nsc_app *app, const struct nsc_trace *whole);
/* Says so when what was asked for is not there yet. */
bool nsc_app_wait_for_rest(struct nsc_app *app);
void nsc_facts_build(struct nsc_app *app);
/* Looks up how the event ranks, unless that is known or on its way. */
void nsc_facts_rank(struct nsc_app *app);
/* The rows that count are others now. */
void nsc_facts_rank_again(struct nsc_app *app);
void nsc_facts_update(struct nsc_app *app, bool tick, struct nsc_effects *effects);
void nsc_facts_fini(struct nsc_app *app);
void nsc_app_say(struct nsc_app *app, const char *text);
/* Ends one thing that takes long; false when there is none. */
bool nsc_app_give_up(struct nsc_app *app);
/* Why the action did nothing, unless something was said already. */
void nsc_app_say_nothing(struct nsc_app *app, enum nsc_action action);
void nsc_app_mouse(struct nsc_app *app, const struct nsc_input *input, struct nsc_effects *effects);
/* What has the focus; and what has it behind the help. */
enum nsc_key_scope nsc_app_scope(const struct nsc_app *app);
enum nsc_key_scope nsc_app_scope_behind(const struct nsc_app *app);
struct nsc_rect nsc_app_help_rect(const struct nsc_app *app);
void nsc_app_action(struct nsc_app *app, enum nsc_action action, struct nsc_effects *effects);

/* The tree: opened, or opened at the selected event; the lines that are on the screen. */
bool nsc_app_tree_open(struct nsc_app *app);
bool nsc_app_tree_here(struct nsc_app *app);
bool nsc_app_tree_action(struct nsc_app *app, enum nsc_action action);
/* Why an action did nothing to the tree. */
void nsc_app_tree_say_nothing(struct nsc_app *app, enum nsc_action action);
/* Keys by which the tree asks the rest of the application for something. */
bool nsc_app_tree_ask(struct nsc_app *app, enum nsc_action action);
void nsc_app_tree_say_span(struct nsc_app *app);
extern const struct nsc_prompt_kind nsc_prompt_tree_goto;
extern const struct nsc_prompt_kind nsc_prompt_tree_trim;
void nsc_app_tree_mouse(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_tree_update(struct nsc_app *app);
bool nsc_app_tree_is_shown(const struct nsc_app *app);

#endif
