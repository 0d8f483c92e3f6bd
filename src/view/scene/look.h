/*
 * Questions about the scene: which line is where, which event is under the cursor, and what led to
 * it.
 */
#ifndef NSC_VIEW_SCENE_LOOK_H
#define NSC_VIEW_SCENE_LOOK_H

#include "view/scene/scene.h"

#define NSC_SCENE_PATH 32 /* NVTX ranges shown of a path */

/* Whether a filter is in effect; false while the first one is being built. */
bool nsc_scene_is_filtered(const struct nsc_scene *scene);
/* The screen column of the cursor inside the timeline. */
uint32_t nsc_scene_cursor_col(const struct nsc_scene *scene);
/*
 * The event at the cursor: the one of its line that the cursor's time lies inside, else the longest
 * one in the cursor's column; NSC_NONE. *at: the time of the column nearest to the cursor that lies
 * inside that event.
 */
nsc_event nsc_scene_event_here(const struct nsc_scene *scene, nsc_time *at);
/* Pinned lines that stay while the rest scrolls. */
size_t nsc_scene_pinned(const struct nsc_scene *scene);
/*
 * The rows of the timeline from top to bottom are the pinned lines that stay, then the lines from
 * scene->top on. The line in a row, lines.n for none; the row of a line, -1 when it is not shown.
 */
size_t nsc_scene_line_at(const struct nsc_scene *scene, int row);
int nsc_scene_row_of(const struct nsc_scene *scene, size_t line);

/* The lane under a line, NSC_NONE for headers and counters. */
uint32_t nsc_scene_lane(const struct nsc_scene *scene, size_t line);
/* What is drawn at a column of a line: the longest event that touches it; NSC_NONE. */
nsc_event nsc_scene_event_at(const struct nsc_scene *of, size_t line, uint32_t col);
/*
 * Logical order: every lane shows its events around the cursor's time, NSC_BARS_SLOT columns each.
 * The first of them, and in which slot the one at the cursor comes.
 */
nsc_event nsc_scene_logical_first(const struct nsc_scene *scene, uint32_t lane, uint32_t *slot);

/* The event that launched GPU work, the range around the rest; NSC_NONE. */
nsc_event nsc_scene_cause(const struct nsc_scene *scene, nsc_event event);
/* The work that a call launched, the first call in an NVTX range; NSC_NONE. */
nsc_event nsc_scene_consequence(const struct nsc_scene *scene, nsc_event event);

/* The device of the overlap pane: that of the row with the cursor, else the first one; NSC_NONE. */
uint32_t nsc_scene_device(const struct nsc_scene *scene);

#endif
