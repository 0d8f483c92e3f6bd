/*
 * Two recordings in one scene, one above the other: A is the first export of the trace, B the
 * second.
 *
 * The lag is B's time less A's time in the same column. Window, cursor and range of the scene are in
 * the time of the recording of the row with the cursor: the near one. Whatever asks the scene for a
 * time and then asks the trace about that row is right without knowing of this. Rows of the far
 * recording are drawn, and asked for a column, with a copy of the scene whose times are moved by
 * the lag. When the cursor goes to a row of the far recording, which becomes the near one, the
 * scene's own times move by the lag: every column stays.
 *
 * How much the two differ in a column, 0 to 1: each GPU spends the column's time in four ways,
 * computing, exposed communication, copies and idle (base/activity.h); half the sum of the four
 * differences, divided by the column's length, is the share of the column in which the two do
 * something else. GPUs pair in the order in which each recording has them; of several the mean is
 * taken, and those without a partner do not count.
 */
#ifndef NSC_VIEW_SCENE_COMPARE_H
#define NSC_VIEW_SCENE_COMPARE_H

#include "view/scene/scene.h"

/* ---- questions ---- */

/* ns to add to the scene's times for the rows of a track: 0 for those of the near recording. */
nsc_time nsc_compare_shift(const struct nsc_scene *scene, uint32_t track);
/* The scene's time of an instant of a track's recording; track NSC_NONE: the same. */
nsc_time nsc_compare_near_time(const struct nsc_scene *scene, uint32_t track, nsc_time t);
/* The scene as a line sees it: the scene itself, or *copy, which borrows all that it points to. */
const struct nsc_scene *nsc_compare_scene(const struct nsc_scene *scene, size_t line,
                                          struct nsc_scene *copy);
/* The same for the rows of a recording, 0 or 1. */
const struct nsc_scene *nsc_compare_side(const struct nsc_scene *scene, uint32_t side,
                                         struct nsc_scene *copy);
/* Whether a line is the one between the two, which shows where they differ. */
bool nsc_compare_is_between(const struct nsc_scene *scene, size_t line);
/* How many GPUs pair, and how many each recording has. */
uint32_t nsc_compare_gpus(const struct nsc_scene *scene, uint32_t n[2]);
/* Per mille of the window's columns that differ, into scene->times; 0 pairs: all 0. */
void nsc_compare_bins(const struct nsc_scene *scene, uint32_t cols);

/*
 * Where not all lines fit, each recording has a half of the timeline's rows, or what the other does
 * not need. Both scroll by the same number of lines, as far as they have some; B's header stays.
 */
struct nsc_split {
    size_t pinned, first, n; /* lines: pinned ones, B's header, all */
    size_t rows[2];          /* of each half */
};
/* False: the lines stand one after the other. */
bool nsc_compare_split(const struct nsc_scene *scene, struct nsc_split *out);
/* The line of a row, from the first pinned one on; lines.n: none. */
size_t nsc_split_line(const struct nsc_split *split, size_t scroll, size_t row);
/* The least change of a scroll that shows lines [line, end). */
size_t nsc_split_scroll(const struct nsc_split *split, size_t scroll, size_t line, size_t end);

/* ---- changes ---- */

/* Begins with a lag of 0. The trace must have two recordings; false if their times lie too far apart
 * to be moved. */
bool nsc_scene_compare(struct nsc_scene_edit *edit);
/* The far recording moves; the near one, cursor and window stay. */
void nsc_scene_set_lag(struct nsc_scene_edit *edit, nsc_time lag);
/* After the line has changed: its recording is the near one. */
void nsc_scene_near(struct nsc_scene_edit *edit);

#endif
