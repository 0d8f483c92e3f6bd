/*
 * Moving through the scene: panning, zooming, fitting, from event to event, and the views to come
 * back to.
 */
#ifndef NSC_VIEW_SCENE_MOVE_H
#define NSC_VIEW_SCENE_MOVE_H

#include "view/scene/scene.h"

/* Each returns false if there was nothing to do. */
/* Moves the window; the cursor keeps its time while the window has it. Where the trace ends the
 * cursor moves instead. */
bool nsc_scene_pan(struct nsc_scene_edit *edit, int64_t cols);
/* Moves the cursor by columns. Near an edge of the window, the window moves with it. */
bool nsc_scene_move_cursor(struct nsc_scene_edit *edit, int64_t cols);
bool nsc_scene_zoom(struct nsc_scene_edit *edit, nsc_time at, bool in);
bool nsc_scene_show_window(struct nsc_scene_edit *edit, struct nsc_window w);
bool nsc_scene_fit(struct nsc_scene_edit *edit);
/* Begins with the range. */
bool nsc_scene_fit_range(struct nsc_scene_edit *edit);
/* The next fit begins with the selection again. */
void nsc_scene_fit_again(struct nsc_scene_edit *edit);
bool nsc_scene_undo(struct nsc_scene_edit *edit);
bool nsc_scene_redo(struct nsc_scene_edit *edit);
bool nsc_scene_back(struct nsc_scene_edit *edit);
/* Keeps the view, so that undo comes back to it. */
void nsc_scene_save_view(struct nsc_scene_edit *edit);
/* The number of the filter of the current view: undo and redo bring back the one of the view. */
uint32_t nsc_scene_filter_no(struct nsc_scene_edit *edit);
void nsc_scene_set_filter_no(struct nsc_scene_edit *edit, uint32_t filter);
/* Moves the cursor to the event nearest to it that the filter keeps: on its row, else on the
 * nearest row that has any. False if it keeps none. */
bool nsc_scene_go_nearest(struct nsc_scene_edit *edit);

bool nsc_scene_move_line(struct nsc_scene_edit *edit, int64_t by);
bool nsc_scene_select_step(struct nsc_scene_edit *edit, bool forward);
/* Moves the cursor into an event, and shows its row; jump also keeps the view, so that undo comes
 * back to it. */
void nsc_scene_show_event(struct nsc_scene_edit *edit, nsc_event event);
void nsc_scene_jump(struct nsc_scene_edit *edit, nsc_event event);
/* To what the selected event launched, or what launched it. */
bool nsc_scene_follow(struct nsc_scene_edit *edit, bool to_work);

#endif
