/*
 * The panes below the timeline: what each shows, and how it is drawn.
 */
#ifndef NSC_VIEW_PANE_PANES_H
#define NSC_VIEW_PANE_PANES_H

#include "nsyscope/open.h"
#include "nsyscope/summary.h"

#include "analysis/device/gaps.h"
#include "analysis/finding/finding_list.h"
#include "analysis/select/listing.h"
#include "analysis/select/selection.h"
#include "analysis/select/standing.h"
#include "core/buf.h"
#include "core/relation.h"
#include "core/sheet.h"
#include "core/units.h"
#include "view/kit/grid.h"
#include "view/kit/keymap.h"
#include "view/kit/list.h"
#include "view/kit/page.h"
#include "view/kit/prompt.h"
#include "view/model/bookmark.h"
#include "view/model/flame.h"
#include "view/model/pick.h"
#include "view/model/tree.h"
#include "view/pane/table.h"
#include "view/scene/axis.h"
#include "view/scene/look.h"
#include "view/scene/scene.h"
#include "view/scene/subject.h"

struct nsc_table_status;

/* The files and tables described in the info pane. */
struct nsc_sources {
    char *file;
    uint32_t n_files;
    const struct nsc_table_status *tables;
    uint32_t n_tables;
};

/* What a pane at the bottom is drawn from. */
struct nsc_pane_view {
    const void *pane; /* its own part of the application: struct nsc_pane_sql for that of a query */
    const struct nsc_scene *scene;
    const struct nsc_explore *explore;
    const struct nsc_pane_findings *findings;
    const struct nsc_keymap *keymap;
    const struct nsc_summary *hits; /* hits of the search; NULL: none */
    const char *search;             /* its text */
    bool is_building;               /* a flame graph: the one that is there is of another window */
    uint64_t now;                   /* ms */
    bool focus;
    int top; /* lines scrolled off, of a pane of text */
};

/* Each draws a pane. Returns the number of its lines; grid NULL draws nothing, for a pane of text. */
#define NSC_PANE(id, draw, ...) \
    int draw(const struct nsc_pane_view *view, struct nsc_grid *grid, struct nsc_rect rect);
#include "view/pane/pane.def"

void nsc_pane_overview_draw(const struct nsc_scene *scene, const struct nsc_summary *hits,
                            const uint8_t *ticks, struct nsc_grid *grid);
/* Draws the ends of the window over all marks. */
void nsc_pane_overview_window_draw(const struct nsc_scene *scene, struct nsc_grid *grid);
void nsc_pane_ruler_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                         const struct nsc_keymap *keymap, struct nsc_grid *grid);
void nsc_pane_timeline_draw(const struct nsc_scene *scene, const struct nsc_summary *hits,
                            struct nsc_grid *grid);
/* Draws a line at the mark over the rows. */
void nsc_pane_timeline_mark(const struct nsc_scene *scene, const struct nsc_explore *explore,
                            struct nsc_grid *grid);
void nsc_pane_iterations_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                              struct nsc_grid *grid);
int nsc_pane_tree_draw(const struct nsc_scene *scene, const struct nsc_tree *tree,
                       const struct nsc_summary *hits, struct nsc_grid *grid, struct nsc_rect rect);
/* Eighths of the whole trace's activity for each column of the overview. */
void nsc_overview_build(const struct nsc_scene *scene);
/* Whether there is room for a path, a header and a position around the lines. */
bool nsc_pane_tree_has_frame(struct nsc_rect rect);

/* ---- the details of an event or row ---- */

/* The surroundings of a cursor without an event on its line. */
struct nsc_gap_facts {
    bool is_known; /* the line has events, or is a device's idle row */
    uint32_t lane; /* lane, line and cursor of the lookup */
    size_t line;
    nsc_time cursor;
    uint32_t summary_no;     /* number of the filter */
    nsc_event before, after; /* neighbours on the line; NSC_NONE: none */
    bool is_idle;            /* the line's device runs nothing at the cursor */
    struct nsc_gap idle;
};

/* Facts about the selected event from the trace, looked up once when it is selected. */
struct nsc_facts {
    nsc_event event;  /* NSC_NONE: no selection */
    nsc_event launch; /* launching API call; NSC_NONE */
    bool has_queue;
    nsc_time queue; /* from the end of the call to the start of the work */
    bool has_rank;  /* known after the row: needs a pass over all events */
    struct nsc_standing rank;
    struct nsc_histogram histogram; /* known with the rank */
    struct nsc_gap_facts gap;       /* used without an event */
    uint32_t n_path; /* NVTX ranges around it (GPU work: around its launch), outermost first */
    nsc_event path[NSC_SCENE_PATH];
};

struct nsc_pane_details {
    struct nsc_facts facts;
    nsc_event before;       /* value of wanted before this input */
    nsc_event wanted;       /* event of the last request for a row; NSC_NONE: none */
    nsc_event row_of;       /* event of row; NSC_NONE: none fetched */
    nsc_event waited;       /* GPU work that row_of waited for; NSC_NONE: not known */
    struct nsc_details row; /* owned */
    uint32_t bin;           /* chosen bin of the histogram; NSC_NONE: none */
    nsc_event bin_of;
    nsc_event held; /* event shown for comparison; NSC_NONE: none */
};

/* Draws the events linked to the selected one, and lines to them, over the timeline. */
void nsc_pane_links_draw(const struct nsc_scene *scene, const struct nsc_pane_details *details,
                         struct nsc_grid *grid);
/* The GPU work that the selected event waited for; NSC_NONE: not known. */
nsc_event nsc_pane_details_waited(const struct nsc_scene *scene,
                                  const struct nsc_pane_details *details);
bool nsc_pane_details_can_choose(const struct nsc_pane_details *details);
bool nsc_pane_details_can_show(const struct nsc_pane_details *details);
void nsc_pane_row_put(const struct nsc_scene *scene, const struct nsc_gap_facts *gap,
                      const struct nsc_keymap *keymap, struct nsc_page *page);

/* The bins of the histogram with the event, and chosen by the user; NSC_NONE: none. */
uint32_t nsc_pane_details_own_bin(const struct nsc_scene *scene,
                                  const struct nsc_pane_details *details);
uint32_t nsc_pane_details_chosen_bin(const struct nsc_pane_details *details);

/* ---- the flame graph ---- */

#define NSC_PANE_FLAME_HEAD 2 /* lines above the graph */

/* ---- events ---- */

struct nsc_pane_events {
    struct nsc_subject question;
    bool is_made;
    struct nsc_listing listing;
    struct nsc_sheet sheet; /* the visible events; owned */
    struct nsc_table table; /* of the sheet; sorted by the column of the requested order */
    nsc_event cursor_of;    /* selected event that the list's cursor is on */
    /* Limits the list to events like this one, with such durations; NSC_NONE: no limit. */
    nsc_event like;
    struct nsc_window durations;
    bool is_group;            /* instead, events with that name in the rows and window of group */
    struct nsc_subject group; /* subject of the statistics */
    struct nsc_pick alike;    /* these events; empty without like */
};

/* The requested order; the listing takes it over when there is time. */
enum nsc_listing_order nsc_pane_events_order(const struct nsc_pane_events *events);
void nsc_pane_events_set_order(struct nsc_pane_events *events, enum nsc_listing_order order);
/* Lists the visible events: those of table.list. */
void nsc_pane_events_list(const struct nsc_scene *scene, struct nsc_pane_events *events);

/* ---- the selection ---- */

#define NSC_PANE_SELECTION_COLUMNS 12

struct nsc_pane_selection {
    struct nsc_subject question;
    bool is_asked;
    struct nsc_selection *made; /* NULL: not measured yet; owned */
    enum nsc_pivot pivot, made_pivot;
    bool every;
    struct nsc_sheet_column columns[NSC_PANE_SELECTION_COLUMNS];
    struct nsc_sheet sheet; /* a row a group, and their total; owned */
    struct nsc_table table; /* of the sheet */
    bool is_listed;         /* the sheet is that of made */
};

/* The group at the list's cursor; NULL if there is none. */
const struct nsc_pivot_group *nsc_pane_selection_group(const struct nsc_pane_selection *selection);
/* Lists what was measured. */
void nsc_pane_selection_list(const struct nsc_scene *scene, struct nsc_pane_selection *selection);
bool nsc_pane_selection_can_show(const struct nsc_pane_selection *selection);

/* ---- findings ---- */

#define NSC_PANE_FINDINGS_COLUMNS 3

struct nsc_pane_findings {
    struct nsc_findings found;
    char head[96]; /* the title of the last column: how many there are */
    struct nsc_sheet_column columns[NSC_PANE_FINDINGS_COLUMNS];
    struct nsc_sheet sheet; /* their list; owned */
    struct nsc_table table; /* of the sheet; the cursor is on the last one visited */
    bool asked, made;
    bool wanted;          /* requested by the user, not only for the summary: title and overview
                           * show them */
    bool due;             /* must be requested: NSC_EFFECT_FINDINGS */
    bool visited;         /* the user visited the one at the cursor */
    int step;             /* when they arrive: 1 goes to the first, -1 to the last */
    uint64_t done, total; /* numbers of questions */
};

/* Number of findings assessed; 0 before the search. */
size_t nsc_findings_assessed(const struct nsc_pane_findings *findings);
/* "A " or "B ": the recording that a finding is about, if two are compared; else "". */
void nsc_pane_findings_side(const struct nsc_scene *scene, const struct nsc_finding *finding,
                            char out[NSC_UNITS_BYTES]);
/* Marks of them on the overview. */
void nsc_pane_findings_mark(const struct nsc_scene *scene, const struct nsc_pane_findings *findings,
                            struct nsc_grid *grid);
/* Lists those that were found. */
void nsc_pane_findings_list(const struct nsc_scene *scene, struct nsc_pane_findings *findings);
void nsc_pane_findings_fit(const struct nsc_scene *scene, struct nsc_pane_findings *findings,
                           struct nsc_rect rect);

/* ---- the summary ---- */

#define NSC_PANE_SUMMARY_MOST     64 /* most lines */
#define NSC_PANE_SUMMARY_GPUS     16
#define NSC_PANE_SUMMARY_KERNELS  8
#define NSC_PANE_SUMMARY_LEAST    3 /* kernels, however small the pane is */
#define NSC_PANE_SUMMARY_FINDINGS 8
#define NSC_PANE_SUMMARY_TEXT     192
#define NSC_PANE_SUMMARY_CHANGES  4 /* the verdict, and what the change mainly consists of */

enum nsc_summary_line {
    NSC_SUMMARY_CHANGE,     /* what: number of the change */
    NSC_SUMMARY_GPU,        /* what: track */
    NSC_SUMMARY_ITERATIONS, /* all iterations */
    NSC_SUMMARY_KERNEL,     /* what: number of the group */
    NSC_SUMMARY_FINDING,    /* what: number of the finding */
    NSC_SUMMARY_WALK        /* what: the action that lists places by length, or opens a pane */
};

struct nsc_pane_summary {
    struct nsc_list list;
    struct nsc_summary_item {
        enum nsc_summary_line line;
        uint32_t what;
    } items[NSC_PANE_SUMMARY_MOST];
    struct nsc_selection *made; /* work of all GPUs by name, unfiltered; NULL: not begun; owned */
    char changes[NSC_PANE_SUMMARY_CHANGES][NSC_PANE_SUMMARY_TEXT]; /* from A to B; raw */
    size_t n_changes;
    size_t lines;    /* of all kernels, whether or not the pane has room for them */
    size_t most;     /* lines that it can have at most, until all are known */
    bool is_fresh;   /* shown since the start: the first move opens the details */
    nsc_time cursor; /* cursor and window at the start */
    struct nsc_window window;
};

/* From the first to the last work of a device. */
struct nsc_window nsc_pane_summary_span(const struct nsc_trace *trace, uint32_t device);
/* Takes the answer to NSC_DIFF_QUESTION, or the reason why there is none. */
void nsc_pane_summary_change(struct nsc_pane_summary *summary, const struct nsc_sheets *sheets,
                             const char *reason, bool ascii);
/* Lists the available lines, with fewer kernels if list.height is small; findings: NULL while they
 * are not known. */
void nsc_pane_summary_list(struct nsc_pane_summary *summary, const struct nsc_scene *scene,
                           const struct nsc_explore *explore,
                           const struct nsc_pane_findings *findings);

/* ---- bookmarks ---- */

#define NSC_APP_REMOVED 16 /* removed bookmarks kept for restoring */

struct nsc_pane_bookmarks {
    struct nsc_bookmarks list;
    struct nsc_sheet sheet; /* the live ones; owned */
    struct nsc_table table; /* of the sheet; the cursor is on the last one visited */
    uint64_t edited;        /* id of the bookmark that a prompt edits */
    bool has_span;          /* the bookmark being named has the span */
    struct nsc_window span;
    struct nsc_bookmark removed[NSC_APP_REMOVED]; /* the most recently removed is the last */
    size_t n_removed;
};

/* Marks bookmarks on the overview. */
void nsc_pane_bookmarks_mark(const struct nsc_scene *scene,
                             const struct nsc_pane_bookmarks *bookmarks, struct nsc_grid *grid);
/* Lists them again, after each change of them. */
void nsc_pane_bookmarks_list(const struct nsc_scene *scene, struct nsc_pane_bookmarks *bookmarks);

/* ---- answers ---- */

#define NSC_RANKS_QUESTION "ranks" /* compares the ranks of a job; listed beside the skills */
#define NSC_RANKS_TEXT     "Which rank comes late, and how long do the others wait?"
#define NSC_DIFF_QUESTION  "diff" /* compares two recordings; listed beside the skills */

struct nsc_pane_answers {
    struct nsc_sheet index; /* the questions: group, question, name */
    bool has_index;
    char asked[NSC_PROMPT_BYTES]; /* last question, such as "top_kernels limit=5"; "": none */
    char sentence[512];           /* answers a question by words; "": none */
    bool running;
    bool is_of_summary;       /* the summary shows the running question's answer too */
    uint64_t since;           /* ms: time of the question */
    struct nsc_sheets found;  /* the answer; owned */
    struct nsc_window window; /* window of the answer, if has_window */
    bool has_window;
    uint32_t shown;        /* number of the visible table */
    bool is_open;          /* shows the answer, not the questions */
    bool is_schema;        /* the answer is that to "schema" */
    uint32_t capture_no;   /* export of the cursor's row when the question was asked */
    struct nsc_sheet part; /* columns of a schema's table, if has_part; owned */
    bool has_part;
    size_t shown_row;            /* cursor in the table that opened part */
    bool is_track_due;           /* put its rows on the timeline when they arrive */
    char path[NSC_PROMPT_BYTES]; /* file to write */
    char error[256];             /* why there is no answer; "" if there is one */
    struct nsc_table table;      /* shows index, or a sheet of found */
    struct nsc_table *tables;    /* of each sheet of found, for those below that one; owned */
    size_t index_row;            /* the cursor among the questions */
};

/* The visible sheet; NULL: none. */
const struct nsc_sheet *nsc_pane_answers_sheet(const struct nsc_pane_answers *answers);
/* Takes the tables of an answer over, in place of those that it has. */
void nsc_pane_answers_take(struct nsc_pane_answers *answers, struct nsc_sheets *found, bool ascii);
/* Fits the tables to the pane. */
void nsc_pane_answers_fit(struct nsc_pane_answers *answers, struct nsc_rect rect, bool ascii);

/* ---- the answer to "schema" ---- */

#define NSC_SCHEMA_QUESTION "schema"

/*
 * The table that a row refers to, by its number in the sheet "tables": a table itself, the target
 * of a reference, the table a column refers to. NSC_NONE: none.
 */
uint32_t nsc_schema_table_at(const struct nsc_sheets *schema, const struct nsc_sheet *sheet,
                             uint32_t row);
/* Initialises out with the columns of a table, and a note about the table. */
void nsc_schema_columns(struct nsc_sheet *out, const struct nsc_sheets *schema, uint32_t table);
/*
 * Appends the query for a row: a row of "queries" has its own, a table gets its first rows, a
 * column its most frequent values. False if there is none.
 */
bool nsc_schema_query(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row);

/* ---- the result of a query ---- */

struct nsc_pane_sql {
    char query[NSC_PROMPT_BYTES];   /* last query; "": none */
    uint32_t capture_no, answer_of; /* export of the query, and of the answer */
    bool of_trace;                  /* the answer is one of the trace, on its axis */
    bool running;
    uint64_t since;              /* ms: time of the query */
    struct nsc_relation *answer; /* NULL: none; owned */
    char error[256];             /* error in the query; "": none */
    int error_at;                /* byte of the query; -1: not known */
    struct nsc_table table;      /* of the answer */
    struct nsc_trace *track;     /* rows with a time; NULL: not shown; owned */
};

#endif
