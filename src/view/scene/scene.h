/*
 * The scene: what the timeline shows, and what is selected.
 *
 * Only the files scene*.c write it; everything else reads it as const. The owner of the edit changes
 * it with the functions below. Drawing writes only the scratch that it points to.
 */
#ifndef NSC_VIEW_SCENE_SCENE_H
#define NSC_VIEW_SCENE_SCENE_H

#include "nsyscope/summary.h"
#include "nsyscope/trace.h"

#include "view/kit/layout.h"
#include "view/model/rows.h"
#include "view/model/viewport.h"

#define NSC_SCENE_TIMES 8 /* rows of numbers in the scratch */

struct nsc_session_state;

/* Two recordings in one scene: see compare.h. */
struct nsc_compare {
    bool on;
    uint32_t side;               /* the near recording: 0 or 1 */
    nsc_time lag;                /* ns */
    struct nsc_window extent[2]; /* of each, in its own time */
    size_t first;                /* the line of B's header; lines.n: none */
    size_t scroll;               /* lines that both halves are scrolled by */
};

struct nsc_idle_covers;

struct nsc_scene {
    const struct nsc_trace *trace;     /* borrowed; NULL until loaded */
    const struct nsc_summary *summary; /* borrowed; of the events that the filter keeps */
    uint32_t summary_no;               /* counts the filters that were shown */

    struct nsc_viewport viewport;
    struct nsc_arrangement arrangement;
    struct nsc_rows lines;
    uint64_t *folds; /* a bit a track */
    size_t line;     /* with the cursor */
    size_t top;      /* first line on the screen below the pinned ones that stay */
    nsc_time cursor;
    nsc_event selected;      /* NSC_NONE: none */
    uint32_t n_selected;     /* counts how often another event was selected */
    struct nsc_window range; /* has_range */
    bool has_range;
    struct nsc_compare compare;

    bool ascii; /* glyphs */
    bool demangled;
    bool logical;       /* events equally wide, in order */
    bool empty_rows;    /* rows without events that the filter keeps are shown */
    bool dim;           /* what the filter leaves out is drawn dimmed, not left out */
    bool export_colors; /* of NVTX ranges, instead of the hue of the name */
    bool early;         /* there are rows to look at, the rest is still being read */
    const struct nsc_idle_covers *idle; /* borrowed: of each device; NULL: not known yet */
    uint32_t n_idle;
    uint32_t ticks; /* in 160 columns, about: 2 to 20 */

    uint32_t rows, cols; /* of the screen */
    struct nsc_layout layout;
    /* Scratch, as wide as the screen. */
    struct nsc_bin *bins;  /* one a column */
    nsc_time *times;       /* NSC_SCENE_TIMES rows of a number a column */
    uint8_t *overview;     /* eighths, 0..8, a column of the overview */
    uint32_t scratch_cols; /* what they were made for */
};

/* The right to change a scene: its owner passes it to the functions below. */
struct nsc_scene_edit;

struct nsc_scene_edit *nsc_scene_new(void);
void nsc_scene_free(struct nsc_scene_edit *edit);
const struct nsc_scene *nsc_scene_of(const struct nsc_scene_edit *edit);
/* For move.c. */
struct nsc_moves;
struct nsc_moves *nsc_scene_moves(struct nsc_scene_edit *edit);
void nsc_scene_set_size(struct nsc_scene_edit *edit, uint32_t rows, uint32_t cols);
void nsc_scene_set_layout(struct nsc_scene_edit *edit, struct nsc_layout layout);

/* ---- the trace ---- */

/* Shows a whole trace with the default folds, and the cursor on the first row with events. */
void nsc_scene_load(struct nsc_scene_edit *edit, const struct nsc_trace *trace);
/* Replaces the early trace by the whole one. Call take_over next: it carries rows and window
 * over. */
void nsc_scene_replace(struct nsc_scene_edit *edit, const struct nsc_trace *whole);
/* state: restores new rows; NULL: none. */
void nsc_scene_take_over(struct nsc_scene_edit *edit, const struct nsc_trace *early,
                         const struct nsc_session_state *state);
/* Restores rows, window and cursor. */
void nsc_scene_restore(struct nsc_scene_edit *edit, const struct nsc_session_state *state);
void nsc_scene_set_summary(struct nsc_scene_edit *edit, const struct nsc_summary *summary);

/* ---- time ---- */

void nsc_scene_set_cursor(struct nsc_scene_edit *edit, nsc_time t);
/* Moves the cursor, and the window so that it shows the cursor. */
void nsc_scene_go(struct nsc_scene_edit *edit, nsc_time t);
/* Moves the cursor into the new window. */
void nsc_scene_set_viewport(struct nsc_scene_edit *edit, struct nsc_viewport viewport);
void nsc_scene_set_window(struct nsc_scene_edit *edit, struct nsc_window w);
/* An empty range removes it. */
void nsc_scene_set_range(struct nsc_scene_edit *edit, struct nsc_window range);
void nsc_scene_drop_range(struct nsc_scene_edit *edit);

/* ---- lines ---- */

void nsc_scene_set_line(struct nsc_scene_edit *edit, size_t line);
/* Moves the cursor to the line of a lane; lane NSC_NONE: of a track. */
void nsc_scene_go_to_row(struct nsc_scene_edit *edit, uint32_t track, uint32_t lane);
bool nsc_scene_fold(struct nsc_scene_edit *edit, size_t line);
void nsc_scene_fold_every(struct nsc_scene_edit *edit, bool folded);
/* Opens the headers that a track lies under. */
void nsc_scene_unfold(struct nsc_scene_edit *edit, uint32_t track);
void nsc_scene_open_group(struct nsc_scene_edit *edit, uint32_t group);

/* ---- the selection ---- */

/* Prefers an event among those around the cursor's time; the caller moves the cursor into it. */
void nsc_scene_select(struct nsc_scene_edit *edit, nsc_event event);
/*
 * Selects the event at the cursor and moves the cursor into it (see nsc_scene_event_here). Runs
 * after every input. Afterwards the window has the cursor, and the selected event, if there is one,
 * is on the cursor's line and around the cursor's time.
 */
void nsc_scene_settle(struct nsc_scene_edit *edit);

/* ---- rows ---- */

/* Rebuilds the lines. The cursor stays on its row, or on the header that hides it. */
void nsc_scene_rebuild(struct nsc_scene_edit *edit);
/* False if nothing changes: at an end, or with too many pins. */
bool nsc_scene_pin_toggle(struct nsc_scene_edit *edit, struct nsc_pin row);
bool nsc_scene_move_row(struct nsc_scene_edit *edit, bool down);
void nsc_scene_hide(struct nsc_scene_edit *edit, uint32_t track);
void nsc_scene_taller(struct nsc_scene_edit *edit, uint32_t track);
/* Shows a track that is hidden. */
void nsc_scene_reveal(struct nsc_scene_edit *edit, uint32_t track);
/* False when no row was hidden. */
bool nsc_scene_reveal_all(struct nsc_scene_edit *edit);
/* Shows only rows whose label matches; returns how many labels do. Changes nothing when none does or
 * the pattern is wrong. */
uint32_t nsc_scene_match(struct nsc_scene_edit *edit, struct nsc_text pattern, const char **wrong);
/* Makes the stream with the cursor taller than the others. */
void nsc_scene_follow_stream(struct nsc_scene_edit *edit);

/* ---- what is shown besides ---- */

/* Borrowed; NULL: none. */
void nsc_scene_set_query(struct nsc_scene_edit *edit, const struct nsc_trace *query);
void nsc_scene_set_projection(struct nsc_scene_edit *edit, const struct nsc_projection *projection);
/* Why devices are idle, borrowed; NULL: not known. */
void nsc_scene_set_idle(struct nsc_scene_edit *edit, const struct nsc_idle_covers *idle,
                        uint32_t n);
/* Forgets the projection before it is freed. Rebuild the lines later. */
void nsc_scene_drop_projection(struct nsc_scene_edit *edit);

enum nsc_scene_option {
    NSC_SCENE_ASCII,
    NSC_SCENE_DEMANGLED,
    NSC_SCENE_LOGICAL,
    NSC_SCENE_DIM,
    NSC_SCENE_EMPTY_ROWS, /* rows without events that the filter keeps are shown */
    NSC_SCENE_EXPORT_COLORS,
    NSC_SCENE_EARLY,
    NSC_SCENE_TICKS,
    NSC_SCENE_NVTX_DEPTH,  /* levels shown of a thread, plus 1; 0: all */
    NSC_SCENE_STREAM_ROWS, /* the height of the stream with the cursor */
    NSC_SCENE_OTHER_ROWS,  /* and of the others */
    NSC_SCENE_PROJECT,     /* enum nsc_project */
    NSC_SCENE_IDLE_ROW     /* each device has one */
};
void nsc_scene_set(struct nsc_scene_edit *edit, enum nsc_scene_option option, uint32_t value);

#endif
