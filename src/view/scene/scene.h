/*
 * The scene: the contents of the timeline, and the selection.
 *
 * Only the files scene*.c write it; everything else reads it as const. The owner of the edit
 * changes it with the functions below. Drawing writes only to the scratch.
 */
#ifndef NSC_VIEW_SCENE_SCENE_H
#define NSC_VIEW_SCENE_SCENE_H

#include "nsyscope/summary.h"
#include "nsyscope/trace.h"

#include "view/kit/layout.h"
#include "view/model/rows.h"
#include "view/model/viewport.h"

#define NSC_SCENE_TIMES 8 /* rows of numbers in the scratch */

struct nsc_pool;
struct nsc_session_state;

/* Two recordings in one scene: see compare.h. */
struct nsc_compare {
    bool on;
    uint32_t side;               /* the near recording: 0 or 1 */
    nsc_time lag;                /* ns */
    struct nsc_window extent[2]; /* by recording, in its own time */
    size_t first;                /* the line of B's header; lines.n: none */
    size_t scroll;               /* lines scrolled in both halves */
};

struct nsc_idle_covers;

struct nsc_scene {
    const struct nsc_trace *trace;     /* borrowed; NULL until loaded */
    const struct nsc_summary *summary; /* borrowed; of the events kept by the filter */
    uint32_t summary_no;               /* number of filters so far */

    struct nsc_viewport viewport;
    struct nsc_arrangement arrangement;
    struct nsc_rows lines;
    uint64_t *folds; /* one bit per track */
    size_t line;     /* line with the cursor */
    size_t top;      /* first visible line below the pinned ones */
    nsc_time cursor;
    nsc_event selected;      /* NSC_NONE: none */
    uint32_t n_selected;     /* number of changes of the selected event */
    struct nsc_window range; /* has_range */
    bool has_range;
    struct nsc_compare compare;

    uint32_t ascii; /* glyphs */
    uint32_t demangled;
    uint32_t logical;       /* events in order, with equal widths */
    uint32_t empty_rows;    /* shows rows without events kept by the filter */
    uint32_t dim;           /* dims events that the filter drops, instead of hiding them */
    uint32_t export_colors; /* NVTX ranges have the export's colours, not hues by name */
    uint32_t early;         /* rows are visible, but loading continues */
    const struct nsc_idle_covers *idle; /* borrowed, by device; NULL: not known yet */
    uint32_t n_idle;
    uint32_t axis;  /* enum nsc_axis */
    uint32_t ticks; /* approximate ticks per 160 columns: 2 to 20 */

    uint32_t rows, cols; /* of the screen */
    struct nsc_layout layout;
    /* Scratch, as wide as the screen. */
    struct nsc_bin *bins;  /* one per column */
    nsc_time *times;       /* NSC_SCENE_TIMES rows with one number per column */
    uint8_t *overview;     /* eighths, 0..8, one per column of the overview */
    uint32_t scratch_cols; /* columns allocated */
};

/* The right to change a scene: its owner passes it to the functions below. */
struct nsc_scene_edit;

struct nsc_scene_edit *nsc_scene_new(void);
void nsc_scene_free(struct nsc_scene_edit *edit);
const struct nsc_scene *nsc_scene_of(const struct nsc_scene_edit *edit);
void nsc_scene_set_size(struct nsc_scene_edit *edit, uint32_t rows, uint32_t cols);
void nsc_scene_set_layout(struct nsc_scene_edit *edit, struct nsc_layout layout);

/* ---- the trace ---- */

/* Shows a whole trace with the default folds, and the cursor on the first row with events. */
void nsc_scene_load(struct nsc_scene_edit *edit, const struct nsc_trace *trace);
/* Replaces the early trace by the whole one. Call take_over next, which carries rows and window
 * over. */
void nsc_scene_replace(struct nsc_scene_edit *edit, const struct nsc_trace *whole);
/* state: settings of new rows; NULL: none. */
void nsc_scene_take_over(struct nsc_scene_edit *edit, const struct nsc_trace *early,
                         const struct nsc_session_state *state);
/* Restores rows, window and cursor. */
void nsc_scene_restore(struct nsc_scene_edit *edit, const struct nsc_session_state *state);
void nsc_scene_set_summary(struct nsc_scene_edit *edit, const struct nsc_summary *summary);

/* ---- time ---- */

void nsc_scene_set_cursor(struct nsc_scene_edit *edit, nsc_time t);
/* Moves the cursor to t, and the window with it if needed. */
void nsc_scene_go(struct nsc_scene_edit *edit, nsc_time t);
/* Changes the window, and moves the cursor into it. */
void nsc_scene_set_viewport(struct nsc_scene_edit *edit, struct nsc_viewport viewport);
void nsc_scene_set_window(struct nsc_scene_edit *edit, struct nsc_window w);
/* An empty range removes it. */
void nsc_scene_set_range(struct nsc_scene_edit *edit, struct nsc_window range);

/* ---- lines ---- */

void nsc_scene_set_line(struct nsc_scene_edit *edit, size_t line);
/* Moves the cursor to the line of a lane; lane NSC_NONE: of a track. */
void nsc_scene_go_to_row(struct nsc_scene_edit *edit, uint32_t track, uint32_t lane);
bool nsc_scene_fold(struct nsc_scene_edit *edit, size_t line);
void nsc_scene_fold_every(struct nsc_scene_edit *edit, bool folded);
/* Folds streams and threads into rows of the rest, by their work in the window shown. */
void nsc_scene_rest(struct nsc_scene_edit *edit);
/* The same by a key, for undo. It never happens by itself: rows would jump below the cursor. */
bool nsc_scene_rest_here(struct nsc_scene_edit *edit);
/* Opens the headers around a track. */
void nsc_scene_unfold(struct nsc_scene_edit *edit, uint32_t track);

/* ---- the selection ---- */

/* Selects an event around the cursor's time; the caller moves the cursor into it. */
void nsc_scene_select(struct nsc_scene_edit *edit, nsc_event event);
/*
 * Selects the event at the cursor and moves the cursor into it (see nsc_scene_event_here). Runs
 * after every input. Afterwards the window contains the cursor. The selected event, if there is
 * one, is on the cursor's line and around the cursor's time.
 */
void nsc_scene_settle(struct nsc_scene_edit *edit);

/* ---- rows ---- */

/* Rebuilds the lines. The cursor stays on its row, or on the header that hides it. */
void nsc_scene_rebuild(struct nsc_scene_edit *edit);
/* False if it has no effect: at an end, or with too many pins. */
bool nsc_scene_pin_toggle(struct nsc_scene_edit *edit, struct nsc_pin row);
bool nsc_scene_move_row(struct nsc_scene_edit *edit, bool down);
void nsc_scene_hide(struct nsc_scene_edit *edit, uint32_t track);
void nsc_scene_taller(struct nsc_scene_edit *edit, uint32_t track);
/* Shows a hidden track. */
void nsc_scene_reveal(struct nsc_scene_edit *edit, uint32_t track);
/* False if no row was hidden. */
bool nsc_scene_reveal_all(struct nsc_scene_edit *edit);
/* Shows only rows whose label matches. Returns the number of matching labels. Changes nothing if
 * there are none or the pattern is invalid. */
uint32_t nsc_scene_match(struct nsc_scene_edit *edit, struct nsc_text pattern, const char **wrong);
/* Makes the stream with the cursor taller than others. */
void nsc_scene_follow_stream(struct nsc_scene_edit *edit);

/* ---- what is shown besides ---- */

/* Borrowed; NULL: none. */
void nsc_scene_set_query(struct nsc_scene_edit *edit, const struct nsc_trace *query);
void nsc_scene_set_projection(struct nsc_scene_edit *edit, const struct nsc_projection *projection);
/* Causes of idle time by device, borrowed; NULL: not known. */
void nsc_scene_set_idle(struct nsc_scene_edit *edit, const struct nsc_idle_covers *idle,
                        uint32_t n);
/* Call it before freeing the projection. Rebuild the lines later. */
void nsc_scene_drop_projection(struct nsc_scene_edit *edit);

enum nsc_scene_option {
    NSC_SCENE_ASCII,
    NSC_SCENE_DEMANGLED,
    NSC_SCENE_LOGICAL,
    NSC_SCENE_EXPORT_COLORS,
    NSC_SCENE_EARLY,
    NSC_SCENE_TICKS,
    NSC_SCENE_AXIS,
    /* They change the lines. */
    NSC_SCENE_DIM,
    NSC_SCENE_EMPTY_ROWS,  /* shows rows without events kept by the filter */
    NSC_SCENE_NVTX_DEPTH,  /* levels shown per thread, plus 1; 0: all */
    NSC_SCENE_STREAM_ROWS, /* height of the stream with the cursor */
    NSC_SCENE_OTHER_ROWS,  /* height of the other streams */
    NSC_SCENE_PROJECT,     /* enum nsc_project */
    NSC_SCENE_IDLE_ROW,    /* each device has an idle row */
    NSC_N_SCENE_OPTIONS
};
uint32_t nsc_scene_get(struct nsc_scene_edit *edit, enum nsc_scene_option option);
void nsc_scene_set(struct nsc_scene_edit *edit, enum nsc_scene_option option, uint32_t value);

/* The line with the cursor; NULL if there is none. */
static inline const struct nsc_line *nsc_scene_cursor_line(const struct nsc_scene *scene)
{
    return scene->line < scene->lines.n ? &scene->lines.at[scene->line] : NULL;
}

#endif
