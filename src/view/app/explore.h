/*
 * What is found in the trace besides its rows: iterations and the axis that counts from them, walks,
 * pairs of two recordings, projected ranges and idle rows, and the builds of them. Private to this room.
 */
#ifndef NSC_VIEW_APP_EXPLORE_H
#define NSC_VIEW_APP_EXPLORE_H

#include "view/app/state.h"

bool nsc_app_axis_next(struct nsc_app *app);
/* Sets the mark at the cursor, or removes it if it is already there. */
bool nsc_app_mark(struct nsc_app *app);

/* ---- iterations ---- */

/* Uses the ranges whose name contains a text as iterations; detects them if the text is empty.
 * False, without any change, if there are none. */
bool nsc_app_set_iterations(struct nsc_app *app, struct nsc_text name);
bool nsc_app_iteration_step(struct nsc_app *app, bool forward);
/* The time from the first to the last GPU work, if that is less than a third of the recording; else
 * the whole recording. */
struct nsc_window nsc_app_first_window(const struct nsc_app *app);
/* Shows that window. Moves the cursor to the first event of its row in the first iteration after the warm-up that is
 * not slow; without iterations, to the first event of its row. */
void nsc_app_go_start(struct nsc_app *app);

/* ---- walks ---- */

/* Goes to the next or previous place of the list used last, and names it. */
bool nsc_app_walk_step(struct nsc_app *app, bool forward);
/* Shows a window with a margin of a tenth on both sides, makes it the range, and moves the cursor
 * into it. */
void nsc_app_show_place(struct nsc_app *app, struct nsc_window w);
/* Drops the range if the last place set it. False if it did not. */
bool nsc_app_walk_drop_range(struct nsc_app *app);
/* Each lists places by size and goes to the greatest one. */
bool nsc_app_walk_gaps(struct nsc_app *app);       /* idle gaps of the cursor's GPU */
bool nsc_app_walk_exposed(struct nsc_app *app);    /* exposed communication of all GPUs */
bool nsc_app_walk_iterations(struct nsc_app *app); /* iterations */
bool nsc_app_walk_kernels(struct nsc_app *app);    /* kernels of all GPUs */

/* Goes to an instant, or makes a span the range; n and N then visit the list of the pane. */
void nsc_app_show_span(struct nsc_app *app, struct nsc_window at);

/* ---- two recordings ---- */

/* After a load: pairs the iterations, if the user compares two recordings. found: those of both, taken
 * over. */
void nsc_app_compare_loaded(struct nsc_app *app, struct nsc_iterations found[2]);
/* After each input: aligns the starts of the paired iterations at the cursor. */
void nsc_app_compare_update(struct nsc_app *app);
void nsc_app_compare_fini(struct nsc_app *app);
/* "A 12: 9.21 ms | B 12: 9.87 ms, +7.2 %" for the paired iterations; "" if nothing is compared. */
void nsc_app_compare_text(const struct nsc_app *app, char out[], size_t size);

/* ---- projected ranges ---- */

#ifdef NSC_SMALL
#define NSC_PROJECTED_EVENTS 100000u
#else
#define NSC_PROJECTED_EVENTS 20000000u /* larger traces are projected on request only */
#endif

/* The key's action: cycles through few lines, all, none. */
bool nsc_app_project(struct nsc_app *app);
/* After each input: starts a build if needed. */
void nsc_projection_update(struct nsc_app *app);
/* Says that the trace is too large, unless there is another message. */
void nsc_projection_tell_withheld(struct nsc_app *app);
void nsc_projection_drop(struct nsc_app *app);

/* ---- idle rows ---- */

void nsc_idle_row_fini(struct nsc_idle_row *row);
void nsc_idle_row_drop(struct nsc_app *app);
/* After each input: starts a build if needed. */
void nsc_idle_row_update(struct nsc_app *app);

/* ---- builds on another thread ---- */

/* Whether another thread builds: large trees, and all else. */
bool nsc_app_builds_apart(const struct nsc_app *app, enum nsc_build_slot slot);
/* Starts a build. False if another one of its slot runs. */
bool nsc_app_build(struct nsc_app *app, enum nsc_build_slot slot,
                   void (*run)(struct nsc_app_build *build),
                   void (*take)(struct nsc_app *app, struct nsc_app_build *done));
/* After nsc_app_build: leaves the work to another thread, or does it now if the caller has none. */
void nsc_app_build_begin(struct nsc_app *app, enum nsc_build_slot slot);
/* Whether another thread uses the tree: do not touch it then. */
bool nsc_app_tree_is_built(const struct nsc_app *app);
void nsc_app_build_done(struct nsc_app *app, enum nsc_build_slot slot);
void nsc_app_build_fini(struct nsc_app *app);

/* PICK and HITS: picks the rows of an expression, which is taken over. */
void nsc_app_pick(struct nsc_app *app, enum nsc_build_slot slot, struct nsc_filter *expression,
                  void (*picked)(struct nsc_app *app, const struct nsc_pick *pick));
void nsc_app_pick_drop(struct nsc_app *app, enum nsc_build_slot slot);
bool nsc_app_pick_is_waiting(const struct nsc_app *app, enum nsc_build_slot slot);

#endif
