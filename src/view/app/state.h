/*
 * The state of the application, and functions shared by its files. Private to this room.
 *
 * Drawing takes it as const: a frame writes only the grid and the scene's scratch.
 */
#ifndef NSC_VIEW_APP_STATE_H
#define NSC_VIEW_APP_STATE_H

#include "nsyscope/summary.h"

#include "analysis/ranges/iterations.h"
#include "analysis/skill/route.h"
#include "core/buf.h"
#include "core/progress.h"
#include "view/app/app.h"
#include "view/kit/action.h"
#include "view/kit/keymap.h"
#include "view/kit/list.h"
#include "view/kit/offers.h"
#include "view/kit/prompt.h"
#include "view/model/name_counts.h"
#include "view/model/pick.h"
#include "view/pane/panes.h"
#include "view/scene/axis.h"
#include "view/scene/look.h"
#include "view/scene/subject.h"

#define NSC_APP_MESSAGE  240
#define NSC_APP_MAX_SIZE 4096 /* most rows and columns */
#define NSC_APP_FILTERS  65   /* most filters in the history of views */

enum nsc_prompt_id {
    NSC_PROMPT_NONE,
#define NSC_PROMPT(id, kind) NSC_PROMPT_##id,
#include "view/app/prompt.def"
    NSC_N_PROMPTS
};

/* A kind of prompt. Functions may be NULL. */
struct nsc_prompt_kind {
    const char *label;
    const char *does; /* the effect of Enter, in a word */
    /* Called when the text changed: previews it, or reports an error with nsc_app_prompt_wrong. */
    void (*changed)(struct nsc_app *app);
    bool (*accept)(struct nsc_app *app); /* false: the prompt stays open */
    void (*cancel)(struct nsc_app *app); /* restores the previous state */
    /* Offers completions of the word being typed. */
    void (*complete)(struct nsc_app *app, struct nsc_text word);
};

#define NSC_PROMPT(id, kind) extern const struct nsc_prompt_kind nsc_prompt_##kind;
#include "view/app/prompt.def"

struct nsc_app_prompt {
    enum nsc_prompt_id open;
    enum nsc_prompt_id behind;              /* opened again when that of the help closes */
    struct nsc_prompt lines[NSC_N_PROMPTS]; /* each with its own history */
    bool is_wrong;
    uint32_t column; /* byte of the error */
    struct nsc_error error;
    struct nsc_offers offers;
    bool offering; /* offers must be made: NSC_EFFECT_WORK */
    /* Set while Tab moves through the offers. */
    bool completing;
    size_t from;         /* start of the word, which ends at the cursor */
    struct nsc_buf word; /* as typed */
    struct nsc_name_counts names;
};

struct nsc_app_filter {
    char text[NSC_PROMPT_BYTES];   /* the wanted filter; "": everything */
    char shown[NSC_PROMPT_BYTES];  /* filter of pick: equal to text, unless that is being built */
    char before[NSC_PROMPT_BYTES]; /* filter when the prompt was opened */
    struct nsc_pick pick;
    bool is_accepted;            /* accept the filter when it is built */
    char *seen[NSC_APP_FILTERS]; /* by number in the history of views; owned; [0] is unused */
    uint32_t n_seen;
    bool is_undoing;
    const struct nsc_filter_preset *presets;
    uint32_t n_presets;
};

struct nsc_app_search {
    char text[NSC_PROMPT_BYTES]; /* the text searched for; "": no search */
    char before[NSC_PROMPT_BYTES];
    struct nsc_pick pick; /* hits, among the events kept by the filter */
    bool is_accepted;     /* go to the first hit when they are collected */
    bool for_flame;       /* the flame graph is to find functions of this text */
    uint8_t *ticks;       /* columns of the overview with a hit */
};

struct nsc_app_command {
    bool due;                    /* a line was entered; it runs after the prompt closes */
    char line[NSC_PROMPT_BYTES]; /* a command may open another prompt */
};

#define NSC_FORM_FIELDS 8 /* no question has more parameters */

/* Values being changed: the parameters of a question, or what a bookmark says. */
struct nsc_app_form {
    const char *title;
    void (*changed)(struct nsc_app *app); /* checks the line at `at`, or follows it; may be NULL */
    bool (*accept)(struct nsc_app *app);  /* NULL: the command runs with the values */
    char command[128];
    const struct nsc_skill *skill; /* of a question: values are given by name */
    uint32_t n, at;
    struct nsc_form_field {
        const char *help;
        char words[160]; /* that the value may be; "": any */
        char name[32], value[NSC_PROMPT_BYTES];
    } fields[NSC_FORM_FIELDS];
};

#define NSC_MENU_ITEMS 64

struct nsc_app_menu {
    bool open;
    char things[8]; /* its subjects, as letters of action.def, by priority */
    enum nsc_action items[NSC_MENU_ITEMS];
    int row, col; /* screen position where it was opened */
    struct nsc_list list;
};

/* What a build does to the tree. */
enum nsc_build {
    NSC_BUILD_TREE,   /* a new one */
    NSC_BUILD_FILTER, /* the tree of another filter */
    NSC_BUILD_MERGE,  /* its merged paths */
    NSC_BUILD_ACTION  /* a key that changes them; cannot be cancelled */
};

struct nsc_app_build {
    enum nsc_build_slot slot;
    enum nsc_build what; /* TREE */
    bool runs, given_up;
    bool apart; /* another thread does the work */
    /* Runs on another thread if apart: reads and writes only the build. */
    void (*run)(struct nsc_app_build *build);
    void (*take)(struct nsc_app *app, struct nsc_app_build *done);
    const struct nsc_trace *trace;
    struct nsc_pool *pool;             /* used by the screen's thread meanwhile, if apart */
    enum nsc_action action;            /* ACTION */
    uint64_t *mask;                    /* a copy of the filter's mask; NULL: everything */
    char filter[NSC_PROMPT_BYTES];     /* the filter of mask */
    nsc_event reveal;                  /* event to reveal in the finished tree; NSC_NONE */
    struct nsc_tree *tree;             /* TREE: the result */
    struct nsc_tree *changed;          /* FILTER, MERGE, ACTION: the application's */
    bool refused;                      /* ACTION: had no effect */
    struct nsc_projection *projection; /* PROJECTION */
    bool is_captured;                  /* PROJECTION: of captured work */
    struct nsc_flame_query flame;      /* FLAME */
    uint32_t filter_no;                /* FLAME: scene->summary_no of mask */
    struct nsc_flame *made;            /* FLAME: the result */
    struct nsc_idle_row idle;          /* IDLE: the result */
    struct nsc_selection *selection;   /* SELECTION, SUMMARY: question and result */
    struct nsc_filter *expression;     /* PICK, HITS */
    struct nsc_filter *next;           /* PICK, HITS: that of the newer one; NULL: there is none */
    struct nsc_progress progress;      /* PICK, HITS, OVERLAP */
    struct nsc_pick pick;              /* PICK, HITS: the result */
    /* PICK, HITS: takes the result over; NULL: there is no memory for it. */
    void (*picked)(struct nsc_app *app, const struct nsc_pick *pick);
    nsc_event of;             /* RANK */
    bool brief;               /* RANK */
    struct nsc_standing rank; /* RANK: the result, with the next */
    struct nsc_histogram histogram;
    struct nsc_overlap overlap; /* OVERLAP: the question and the result */
    bool failed;                /* out of memory */
};

enum nsc_export_what { NSC_EXPORT_VIEW, NSC_EXPORT_RANGE, NSC_EXPORT_ALL, NSC_N_EXPORT_WHATS };

struct nsc_app_export {
    enum nsc_dump_format format;
    enum nsc_export_what what;
    char what_help[96]; /* its length and events */
    char path[NSC_PROMPT_BYTES];
    bool replace; /* overwrite an existing file, which the user confirmed */
    bool running;
    bool of_form;   /* the form asked for it: an error opens it again */
    uint64_t since; /* ms: time of the first report */
};

struct nsc_app_panes {
    bool focus;      /* keys go to the bottom pane */
    bool entered;    /* Enter opened the details on the timeline: it closes them too */
    uint32_t before; /* the pane shown before the one with a key; NSC_N_PANES: none */
    struct nsc_pane_selection selection;
    struct nsc_pane_events events;
    bool marking; /* the range follows the cursor */
    nsc_time mark;
    uint32_t copies; /* how often the user copied in a row */
    struct nsc_buf copied;
    size_t laid; /* timeline lines at the last layout */
};

/* Lists whose places one pair of keys visits. */
enum nsc_walk {
    NSC_WALK_NONE,
    NSC_WALK_PLACES, /* gaps, exposed communication, iterations, kernels by size */
    NSC_WALK_FINDINGS,
    NSC_WALK_HITS,
    NSC_WALK_ITERATIONS,
    NSC_WALK_BOOKMARKS,
    NSC_WALK_LIST /* of a pane */
};

#define NSC_WALK_PLACES_MOST 100

struct nsc_walk_place {
    nsc_time size; /* ns: sort key */
    struct nsc_window window;
    uint32_t track;  /* row to show if event is NSC_NONE */
    nsc_event event; /* event to go to; NSC_NONE: the start of window */
    bool is_kernel;  /* the window is that of the event */
};

struct nsc_app_walk {
    enum nsc_walk list; /* the last one used */
    uint32_t pane;      /* LIST */
    const char *what;   /* PLACES: "idle gap" */
    uint32_t n, at;
    uint32_t of;                        /* iterations that are ranked; 0: the list is another one */
    const struct nsc_iteration *ranked; /* these; NULL: the list is another one */
    struct nsc_window shown;            /* the last place that was made the range */
    struct nsc_walk_place places[NSC_WALK_PLACES_MOST]; /* the greatest first */
};

struct nsc_loading {
    struct nsc_progress_view progress;
    uint64_t since, now; /* ms; since: time of the first report */
    bool started;
    bool cancelled;
    const struct nsc_session_state *state; /* borrowed; early: restores new rows later */
    char failure[NSC_APP_MESSAGE];         /* "" unless it failed */
};

struct nsc_drag {
    bool active, moved;
    nsc_time from;
};

struct nsc_app_compare {
    bool wanted;                         /* compares the two exports */
    bool is_asked;                       /* what changed, for the summary */
    struct nsc_iterations iterations[2]; /* of A and B */
    struct nsc_iteration_pairs pairs;
    uint32_t side; /* side whose iterations are shown */
};

struct nsc_app_config {
    bool open;
    bool no_mouse;
    uint32_t color;         /* a word of its setting */
    char theme[256];        /* its name or file */
    char theme_wanted[256]; /* requested theme */
    struct nsc_list list;   /* of settings */
    char saved[1024];       /* NSC_EFFECT_SETTINGS: lines of "name = value" */
};

struct nsc_app {
    struct nsc_effects effects; /* of the current input */
    bool is_short;              /* a build found no memory */
    uint64_t now;               /* ms: time of the current input */
    bool has_time;              /* for a slice of the pane's work */
    struct nsc_sources sources; /* file: owned */
    struct nsc_buf title;       /* file names for the title line */
    const char *const *files;   /* all exports if there are several; borrowed, like align */
    const char *query_words;    /* borrowed */
    const char *align;
    char align_wanted[256];         /* borrowed by NSC_EFFECT_ALIGN */
    const struct nsc_skill *skills; /* of the questions; borrowed */
    uint32_t n_skills;
    const struct nsc_keymap *keymap;
    bool ascii_only;
    struct nsc_keymap own_keymap; /* the default keymap, or a changed copy */
    struct nsc_loading loading;
    char message[NSC_APP_MESSAGE]; /* shown until the next key */

    struct nsc_scene_edit *edit;
    const struct nsc_scene *scene; /* the scene changed by edit */
    struct nsc_pool *pool;         /* borrowed; NULL: none */
    bool slow_link;
    uint64_t skipped;  /* damaged rows, over all tables */
    uint64_t doubtful; /* rows without a name, or that do not fit the columns */
    bool changed;      /* an export changed on disk since it was loaded */

    struct nsc_drag drag;

    bool pane_open, pane_full;
    const struct nsc_pane *kinds; /* nsc_panes, so that other files do not depend on bottom.c */
    uint32_t pane;                /* index in kinds */
    uint32_t n_selected;          /* scene->n_selected at the last input */
    int pane_top;                 /* first visible line of the pane */
    bool help, legend;            /* legend: the help is that of colours and signs */
    const struct nsc_guide_file *guide; /* page shown by the help; NULL: the keys */
    int help_top;

    struct nsc_tree *tree;              /* NULL until it is opened */
    char tree_filter[NSC_PROMPT_BYTES]; /* filter of the tree */
    nsc_event tree_event;               /* event under its cursor at the last input */
    uint32_t tree_selected;             /* scene->n_selected at the last input */

    struct nsc_app_panes panes;
    struct nsc_pane_bookmarks bookmarks;
    struct nsc_app_prompt prompt;
    struct nsc_app_filter filter;
    struct nsc_app_search search;
    struct nsc_app_walk walk;
    struct nsc_app_command command;
    struct nsc_app_form form;
    struct nsc_pane_sql sql;
    struct nsc_pane_answers answers;
    const struct nsc_people_question *people; /* question by words; NULL: by name */
    struct nsc_narrowing narrowing;           /* limits in these words */
    struct nsc_app_menu menu;
    struct nsc_app_config config;
    struct nsc_explore explore;
    struct nsc_app_compare compare;
    struct nsc_app_build builds[NSC_N_BUILD_SLOTS];
    bool builds_apart;
    struct nsc_app_export export;
    struct nsc_pane_findings findings;
    struct nsc_flame_view flame;
    struct nsc_pane_summary summary;

    struct nsc_pane_details details;
};

/* ---- panes: what the bottom of the screen can show ---- */

struct nsc_pane {
    const char *name;
    enum nsc_action key;      /* key that opens it; NONE */
    enum nsc_key_scope scope; /* scope of its keys while it has the focus */
    bool tall;                /* needs more than a few lines */
    bool filtered;            /* its key for a filter narrows what it lists */
    bool full;                /* its key opens it over the whole screen */
    bool whole;               /* waits for the rest of the export */
    int (*draw)(const struct nsc_pane_view *view, struct nsc_grid *grid, struct nsc_rect rect);
    size_t of; /* where what it draws is in struct nsc_app */
    /* The rest may be NULL. Hint words for "choose-prev" and "choose-next", and for "choose". NULL:
     * the former switch panes, the latter has no effect. */
    const char *chooses, *shows;
    const char *command; /* words of the command line that prints the same */
    /* Whether they work now; NULL: always, and "choose" where its list has lines. */
    bool (*can_choose)(const struct nsc_app *app);
    bool (*can_show)(const struct nsc_app *app);
    /* Handles an action while the pane has the focus. False if it does not. */
    bool (*act)(struct nsc_app *app, enum nsc_action action);
    /* After each input while visible. Sets NSC_EFFECT_WORK if work is left. */
    void (*update)(struct nsc_app *app);
    /* Where the table in the last lines of the pane is in struct nsc_app, or a list that has no columns. Both
     * 0: a pane of text, which scrolls by app->pane_top. */
    size_t table, list;
    int head; /* lines above the rows of the table; 0: update fits it */
    /* The event of the line with the cursor, which is the timeline's cursor too; NSC_NONE: none. */
    nsc_event (*event)(const struct nsc_app *app);
    /* Moves the cursor beyond an end of the list. False if there is nothing. */
    bool (*beyond)(struct nsc_app *app, enum nsc_action action);
    bool with_details; /* its list leaves room for the details beside it on a wide screen */
    /* A click in a pane without a list. Returns whether it is on a line. */
    bool (*press)(struct nsc_app *app, int row, int col);
    enum nsc_action doubled; /* of a double click on a line; NONE: "choose" */
    void (*scroll)(struct nsc_app *app,
                   int64_t by); /* by the wheel; NULL: its list, or its lines */
};

static inline bool nsc_pane_is_list(const struct nsc_pane *pane)
{
    return pane->table || pane->list;
}

enum {
#define NSC_PANE(id, ...) NSC_PANE_##id,
#include "view/pane/pane.def"
    NSC_N_PANES
};
extern const struct nsc_pane nsc_panes[NSC_N_PANES];

/* Writes at most NSC_PANE_WORDS hint words of the focused pane to out. Returns their number. */
#define NSC_PANE_WORDS 20
struct nsc_hint_word;
size_t nsc_app_words(const struct nsc_app *app, struct nsc_hint_word *out);

/* Builds app->title from the files and their alignment, so that drawing allocates nothing. */
void nsc_app_title_name(struct nsc_app *app);
void nsc_app_title_draw(const struct nsc_app *app, struct nsc_grid *grid);
void nsc_app_bottom_draw(const struct nsc_app *app, struct nsc_grid *grid);
/* The pane whose tab is at a column; -1 for none. */
int nsc_app_tab_at(const struct nsc_app *app, int col);
void nsc_app_status_draw(const struct nsc_app *app, struct nsc_grid *grid);
void nsc_app_loading_draw(const struct nsc_app *app, struct nsc_grid *grid);
/* The details if no event is under the cursor. */
struct nsc_page;

/* ---- arranging the rows ---- */

/* These act on the row with the cursor; false if they had no effect. */
bool nsc_app_pin(struct nsc_app *app);
bool nsc_app_row_hide(struct nsc_app *app);
bool nsc_app_row_taller(struct nsc_app *app);
/* ":rows": shows only rows whose label matches the pattern; all rows if it is empty. */
NSC_NODISCARD enum nsc_status nsc_app_rows_match(struct nsc_app *app, struct nsc_text pattern,
                                                 struct nsc_error *error);

/* Shows rows above all others, replacing previous ones; NULL: none. Takes the trace over. */
void nsc_app_track_show(struct nsc_app *app, struct nsc_trace *track);
/* Hides them. False if there are none. */
bool nsc_app_track_hide(struct nsc_app *app);

/* ---- the config panel ---- */

bool nsc_app_config_open(struct nsc_app *app);
/* Runs an action of its scope. False if it had no effect. */
bool nsc_app_config_action(struct nsc_app *app, enum nsc_action action);
void nsc_app_config_init(struct nsc_app *app, const struct nsc_app_options *options);
/* Requests a theme; the result is NSC_INPUT_THEME. */
void nsc_app_theme_ask(struct nsc_app *app, struct nsc_text name);
/* While open: a click chooses a setting, a click on the value changes it, a click outside closes
 * the panel. */
void nsc_app_config_mouse(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_config_draw(const struct nsc_app *app, struct nsc_grid *grid);

/* ---- the parts of input ---- */

void nsc_app_relayout(struct nsc_app *app);
/* After the lines changed: gives the pane the rows that they leave. */
void nsc_app_relayout_lines(struct nsc_app *app);
void nsc_app_loaded(struct nsc_app *app, const struct nsc_input *input);
/* True, with a message, while the export is still being read. */
bool nsc_app_wait_for_rest(struct nsc_app *app);
/* The filter changed: looks up the standing again. */
void nsc_facts_update_standing(struct nsc_app *app);
void nsc_facts_update(struct nsc_app *app);
void nsc_facts_fini(struct nsc_app *app);
void nsc_app_say(struct nsc_app *app, const char *text);
/* Says why an action has no effect. Returns false. */
bool nsc_app_refuse(struct nsc_app *app, const char *text);
void nsc_app_sayf(struct nsc_app *app, const char *format, ...) NSC_PRINTF(2, 3);
/* Says why the action had no effect, unless there is a message already. */
void nsc_app_say_nothing(struct nsc_app *app, enum nsc_action action);
void nsc_app_mouse(struct nsc_app *app, const struct nsc_input *input);
/* The scope with the focus; the scope behind the help. */
enum nsc_key_scope nsc_app_scope(const struct nsc_app *app);
enum nsc_key_scope nsc_app_scope_behind(const struct nsc_app *app);
/* Whether a box stands over the screen: the help, the menu, the settings or the export. */
bool nsc_app_has_box(const struct nsc_app *app);
/* Draws the help. Returns the greatest useful top; grid NULL: only that. */
int nsc_app_help_draw(const struct nsc_app *app, struct nsc_grid *grid);
void nsc_app_action(struct nsc_app *app, enum nsc_action action);

/* Opens the tree, or opens it at the selected event. */
bool nsc_app_tree_open(struct nsc_app *app);
bool nsc_app_tree_toggle(struct nsc_app *app);
bool nsc_app_tree_here(struct nsc_app *app);
/* Runs an action of the tree itself. False if it had no effect, or the tree is being built. */
bool nsc_app_tree_action(struct nsc_app *app, enum nsc_action action);
/* Actions of the tree that involve other parts of the application: the tree exists, and nothing builds
 * it. */
bool nsc_app_tree_duration(struct nsc_app *app, bool up);
bool nsc_app_tree_show(struct nsc_app *app);
bool nsc_app_tree_bookmark(struct nsc_app *app);
bool nsc_app_tree_goto(struct nsc_app *app);
/* Goes to the range of the cursor's thread at a time, or the next one. False if there is none. */
bool nsc_app_tree_go(struct nsc_app *app, nsc_time t);
bool nsc_app_tree_trim(struct nsc_app *app);
bool nsc_app_tree_reload(struct nsc_app *app);
void nsc_app_tree_say_span(struct nsc_app *app);
bool nsc_app_tree_press(struct nsc_app *app, int row, int col);
void nsc_app_tree_scroll(struct nsc_app *app, int64_t by);
void nsc_app_tree_update(struct nsc_app *app);
bool nsc_app_tree_is_shown(const struct nsc_app *app);

/* The row for the details pane: frees it; requests the next one and takes the result. */
void nsc_app_details_clear(struct nsc_app *app);
/* Holds the selected event in the details beside the current one; repeated for the same event,
 * releases it. */
bool nsc_app_hold(struct nsc_app *app);
void nsc_app_details_set(struct nsc_app *app, const struct nsc_input *input);
void nsc_app_details_ask(struct nsc_app *app);

/* Restores the view of a session. */
void nsc_app_restore(struct nsc_app *app, const struct nsc_session_state *state);

#endif
