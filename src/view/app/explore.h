/*
 * What the application keeps for exploring: the overlap pane's figures, iterations, the mark, the
 * meaning of the time axis. Private to app*.c and pane_*.c.
 */
#ifndef NSC_VIEW_APP_EXPLORE_H
#define NSC_VIEW_APP_EXPLORE_H

#include "analysis/ranges/iterations.h"
#include "analysis/ranges/projection.h"
#include "analysis/select/overlap.h"
#include "core/units.h"
#include "view/app/app.h"
#include "view/model/rows.h"

/* What the times of the axis count from, in the order in which a key goes through them. */
enum nsc_axis {
    NSC_AXIS_ABSOLUTE,
    NSC_AXIS_WINDOW,    /* its left edge */
    NSC_AXIS_MARK,      /* when there is one */
    NSC_AXIS_ITERATION, /* the one at the cursor, when there are any */
    NSC_AXIS_UTC,       /* time of day, when the export tells it */
    NSC_N_AXES
};

#define NSC_AXIS_BYTES 160

struct nsc_explore {
    struct nsc_overlap overlap;
    bool has_overlap;        /* begun, perhaps not done */
    uint32_t overlap_filter; /* serial of the filter it is of */
    bool has_mark;
    nsc_time mark;
    enum nsc_axis axis;
    struct nsc_iterations iterations;  /* n == 0: none */
    struct nsc_projection *projection; /* NULL until it is first shown */
    int projection_due;                /* inputs until it is made; 0: not asked for */
};

void nsc_explore_loaded(struct nsc_app *app);
void nsc_explore_fini(struct nsc_app *app);
/* After every input: measures a slice of what the overlap pane shows. */
void nsc_explore_update(struct nsc_app *app, struct nsc_effects *effects);

/* The device the overlap pane tells of: that of the row with the cursor, else the first; NSC_NONE
 * when there is none. */
uint32_t nsc_explore_device(const struct nsc_app *app);
bool nsc_explore_overlap_is_shown(const struct nsc_app *app);

/* ---- the axis and the mark ---- */

bool nsc_app_axis_next(struct nsc_app *app);
/* False when the trace does not tell it. */
bool nsc_app_axis_set(struct nsc_app *app, enum nsc_axis axis);
/* Where ticks are counted from. */
nsc_time nsc_app_axis_origin(const struct nsc_app *app);
void nsc_app_axis_tick(const struct nsc_app *app, char out[NSC_UNITS_BYTES + 1], nsc_time t,
                       nsc_time step);
/* What the times mean: "time", "time from the mark", "UTC 2026-05-01". */
void nsc_app_axis_label(const struct nsc_app *app, char out[NSC_AXIS_BYTES]);
/* Puts the mark at the cursor, or takes it away from there. */
bool nsc_app_mark(struct nsc_app *app);
/* "mark +1.2 ms, 833 /s" from the mark to the cursor; "" without a mark. */
void nsc_app_mark_text(const struct nsc_app *app, char out[NSC_AXIS_BYTES]);

/* ---- iterations ---- */

/* Marks iterations by the ranges whose name holds a text, or by what is detected when it is empty.
 * False, and nothing changes, when there are none. */
bool nsc_app_set_iterations(struct nsc_app *app, struct nsc_text name);
/* The one at the cursor, or the last before it; NSC_NONE. */
uint32_t nsc_app_iteration(const struct nsc_app *app);
bool nsc_app_iteration_step(struct nsc_app *app, bool forward);
/* The number that an iteration goes by: the last in its text, else its place from 0. */
void nsc_app_iteration_number(const struct nsc_app *app, uint32_t i, char out[NSC_UNITS_BYTES]);
/* "n 20, median 9.2 ms, min 9.1 ms, max 12 ms", and what disagrees; "" without any. */
void nsc_app_iterations_text(const struct nsc_app *app, char out[2 * NSC_AXIS_BYTES]);
void nsc_pane_iterations_draw(const struct nsc_app *app, struct nsc_grid *grid);

/* ---- events of one name ---- */

bool nsc_app_same_step(struct nsc_app *app, bool forward);
bool nsc_app_same_longest(struct nsc_app *app);

/* ---- NVTX projected onto devices ---- */

/* Shows the lines, or hides them; made after the next frame when they are not there yet. */
bool nsc_app_project(struct nsc_app *app);
void nsc_projection_update(struct nsc_app *app, struct nsc_effects *effects);
/* Shows the lines of one that was made, which is taken over. */
void nsc_projection_show(struct nsc_app *app, struct nsc_projection *projection);
void nsc_projection_drop(struct nsc_app *app);
/* " 2 t111": depth and thread of a line, lanes left out. */
void nsc_projection_tail(const struct nsc_app *app, const struct nsc_line *line, char out[],
                         size_t size);
const struct nsc_projection_line *nsc_projection_of(const struct nsc_app *app,
                                                    const struct nsc_line *line);
void nsc_projection_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect,
                         const struct nsc_line *line);
nsc_time nsc_projection_busy(const struct nsc_app *app, const struct nsc_line *line);

#endif
