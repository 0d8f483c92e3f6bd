/*
 * Moves through the scene: pans, zooms, fits, steps from event to event, and returns to earlier
 * views.
 */
#ifndef NSC_VIEW_SCENE_MOVE_H
#define NSC_VIEW_SCENE_MOVE_H

#include "view/scene/scene.h"

/* Each returns false if it had no effect. */
/* Moves the window. The cursor keeps its time as long as the window contains it. At the ends of the
 * trace the cursor moves instead. */
bool nsc_scene_pan(struct nsc_scene_edit *edit, int64_t cols);
/* Moves the cursor by columns. Near an edge, the window moves with it. */
bool nsc_scene_move_cursor(struct nsc_scene_edit *edit, int64_t cols);
bool nsc_scene_zoom(struct nsc_scene_edit *edit, nsc_time at, bool in);
bool nsc_scene_show_window(struct nsc_scene_edit *edit, struct nsc_window w);
/* A window with a share of its length added on both sides. */
struct nsc_window nsc_window_padded(struct nsc_window w, nsc_time share);
bool nsc_scene_fit(struct nsc_scene_edit *edit);
/* Starts the cycle of fits with the range. */
bool nsc_scene_fit_range(struct nsc_scene_edit *edit);
/* Lets the next fit start with the selection again. */
void nsc_scene_fit_again(struct nsc_scene_edit *edit);
bool nsc_scene_undo(struct nsc_scene_edit *edit);
bool nsc_scene_redo(struct nsc_scene_edit *edit);
bool nsc_scene_back(struct nsc_scene_edit *edit);
/* Stores the view for undo. */
void nsc_scene_save_view(struct nsc_scene_edit *edit);
/* Sets an option, and stores its value before for undo. */
void nsc_scene_change(struct nsc_scene_edit *edit, enum nsc_scene_option option, uint32_t value);
/* The number of the current view's filter; undo and redo restore the filter of the view. */
uint32_t nsc_scene_filter_no(struct nsc_scene_edit *edit);
void nsc_scene_set_filter_no(struct nsc_scene_edit *edit, uint32_t filter);
/* Moves the cursor to the nearest event that the filter keeps: on its row, else on the nearest row
 * with any. False if there is none. */
bool nsc_scene_go_nearest(struct nsc_scene_edit *edit);

bool nsc_scene_move_line(struct nsc_scene_edit *edit, int64_t by);
bool nsc_scene_select_step(struct nsc_scene_edit *edit, bool forward);
/* Moves the cursor into an event and shows its row. Where a filter leaves the row out, selects what
 * is under the cursor then. jump also stores the view for undo. */
void nsc_scene_show_event(struct nsc_scene_edit *edit, nsc_event event);
void nsc_scene_jump(struct nsc_scene_edit *edit, nsc_event event);
/* Moves to the work launched by the selected event, or to the event that launched it. */
bool nsc_scene_follow(struct nsc_scene_edit *edit, bool to_work);

#endif
