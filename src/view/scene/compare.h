/*
 * Two recordings in one scene, one above the other: A is the first export of the trace, B the
 * second.
 *
 * The lag is B's time minus A's time in the same column. The recording of the row with the cursor
 * is the near one. Window, cursor and range of the scene are in its time, so code that uses them
 * for that row needs no conversion. Rows of the far recording use a copy of the scene whose times
 * are shifted by the lag. When the cursor moves to the far recording, that one becomes the near
 * one, and the scene's own times shift by the lag. All columns stay.
 *
 * The difference of a column is between 0 and 1. A GPU's time in the column has four parts:
 * compute, exposed communication, copies and idle (base/activity.h). Half the sum of the four
 * absolute differences, divided by the column's length, is the share of the column in which the two
 * act differently. GPUs pair in the order of each recording. The mean over all pairs counts; GPUs
 * without a partner are skipped.
 */
#ifndef NSC_VIEW_SCENE_COMPARE_H
#define NSC_VIEW_SCENE_COMPARE_H

#include "core/units.h"
#include "view/scene/scene.h"

/* ---- questions ---- */

/* ns to add to the scene's times for the rows of a track; 0 for the near recording. */
nsc_time nsc_compare_shift(const struct nsc_scene *scene, uint32_t track);
/* The scene's time for a time of a track's recording; track NSC_NONE: unchanged. */
nsc_time nsc_compare_near_time(const struct nsc_scene *scene, uint32_t track, nsc_time t);
/* The scene for a line: the scene itself, or *copy, which borrows from it. */
const struct nsc_scene *nsc_compare_scene(const struct nsc_scene *scene, size_t line,
                                          struct nsc_scene *copy);
/* The same for the rows of a recording, 0 or 1. */
const struct nsc_scene *nsc_compare_side(const struct nsc_scene *scene, uint32_t side,
                                         struct nsc_scene *copy);
/* Whether a line separates the two and shows their differences. */
bool nsc_compare_is_between(const struct nsc_scene *scene, size_t line);
/* "A " or "B " if two recordings are compared; "1: ", the number of the export, if there are several;
 * else "". */
void nsc_compare_side_text(const struct nsc_scene *scene, uint32_t capture_no,
                           char out[NSC_UNITS_BYTES]);
/* How many GPUs pair, and how many each recording has. */
uint32_t nsc_compare_gpus(const struct nsc_scene *scene, uint32_t n[2]);
/* Per mille of the time of each column that differs, into scene->times; 0 pairs: all 0. What a
 * recording does up to a column earlier or later than the other is no difference. */
void nsc_compare_bins(const struct nsc_scene *scene, uint32_t cols);

/*
 * If not all lines fit, each recording gets half of the timeline's rows, or the rows that the other
 * does not need. Both scroll by the same number of lines, as far as they can; B's header stays.
 */
struct nsc_split {
    size_t pinned, first, n; /* numbers of lines: pinned, up to B's header, all */
    size_t rows[2];          /* rows of each half */
};
/* False: all lines fit, one after the other. */
bool nsc_compare_split(const struct nsc_scene *scene, struct nsc_split *out);
/* The line in a row, counted from the first pinned row; lines.n: none. */
size_t nsc_split_line(const struct nsc_split *split, size_t scroll, size_t row);
/* The smallest change of scroll that makes lines [line, end) visible. */
size_t nsc_split_scroll(const struct nsc_split *split, size_t scroll, size_t line, size_t end);

/* ---- changes ---- */

/* Starts comparing with a lag of 0. The trace must have two recordings. False if their times are
 * too far apart to be shifted. */
bool nsc_scene_compare(struct nsc_scene_edit *edit);
/* Shifts the far recording; the near one, cursor and window stay. */
void nsc_scene_set_lag(struct nsc_scene_edit *edit, nsc_time lag);
/* Call it after a change of the line: makes the line's recording the near one. */
void nsc_scene_near(struct nsc_scene_edit *edit);

#endif
