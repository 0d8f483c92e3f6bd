/* Questions about the scene: the places of lines, the event under the cursor, and its cause. */
#ifndef NSC_VIEW_SCENE_LOOK_H
#define NSC_VIEW_SCENE_LOOK_H

#include "view/scene/scene.h"

#define NSC_SCENE_PATH 32 /* most NVTX ranges shown of a path */

/* Whether a filter is in effect; false while the first one is being built. */
bool nsc_scene_is_filtered(const struct nsc_scene *scene);
/* The screen column of the cursor inside the timeline. */
uint32_t nsc_scene_cursor_col(const struct nsc_scene *scene);
/*
 * The event at the cursor: the one on its line around the cursor's time, else the longest one in
 * the cursor's column; NSC_NONE. *at: the time nearest to the cursor that is in that event and in
 * the column.
 */
nsc_event nsc_scene_event_here(const struct nsc_scene *scene, nsc_time *at);
/* The rows of the projected ranges that the filter keeps. */
const struct nsc_summary *nsc_scene_projected(const struct nsc_scene *scene);
/* On a line of projected ranges: the row of the projection at the cursor; NSC_NONE. The event there
 * is the range it stands for. */
nsc_event nsc_scene_projected_here(const struct nsc_scene *scene);
/* The time of the selected event: on a line of projected ranges that of its work. */
struct nsc_window nsc_scene_selected_window(const struct nsc_scene *scene);
/* The number of pinned lines that stay while the rest scrolls. */
size_t nsc_scene_pinned(const struct nsc_scene *scene);
/*
 * The timeline shows the pinned lines that stay, then the lines from scene->top on. The line in a
 * row; lines.n for none. The row of a line; -1 if it is not visible.
 */
size_t nsc_scene_line_at(const struct nsc_scene *scene, int row);
int nsc_scene_row_of(const struct nsc_scene *scene, size_t line);

/* The lane of a line; NSC_NONE for headers and counters. */
uint32_t nsc_scene_lane(const struct nsc_scene *scene, size_t line);
/* The event drawn at a column of a line: the longest one there; NSC_NONE. */
nsc_event nsc_scene_event_at(const struct nsc_scene *of, size_t line, uint32_t col);
/*
 * Logical order: each lane shows its events around the cursor's time, NSC_BARS_SLOT columns each.
 * Returns the first of them, and the slot of the event at the cursor.
 */
nsc_event nsc_scene_logical_first(const struct nsc_scene *scene, uint32_t lane, uint32_t *slot);

/* The event that launched GPU work, or the range around any other event; NSC_NONE. */
nsc_event nsc_scene_cause(const struct nsc_scene *scene, nsc_event event);
/* The work launched by a call, or the first call in an NVTX range; NSC_NONE. */
nsc_event nsc_scene_consequence(const struct nsc_scene *scene, nsc_event event);

/* The device of the overlap pane: the cursor row's, else the first one; NSC_NONE. */
uint32_t nsc_scene_device(const struct nsc_scene *scene);

/* The identity of the row with the cursor. False if there is none. */
struct nsc_track_id;
bool nsc_scene_row_id(const struct nsc_scene *scene, struct nsc_track_id *out);

#endif
