/*
 * The lines of the timeline that are not lanes of the trace: headers of groups, overlap of a device,
 * counters, projected ranges, rows of a query, filtered-out events. Private to the panes.
 */
#ifndef NSC_VIEW_PANE_LINES_H
#define NSC_VIEW_PANE_LINES_H

#include "nsyscope/cover.h"

#include "core/units.h"
#include "view/kit/grid.h"
#include "view/kit/page.h"
#include "view/model/bars.h"
#include "view/scene/scene.h"

#define NSC_LINES_LABEL 128 /* bytes */

/* "GPU 0 RTX 3090" for "GPU 0 NVIDIA GeForce RTX 3090": the model tells GPUs apart. */
struct nsc_text nsc_lines_without_maker(struct nsc_text text, char out[NSC_LINES_LABEL]);
/* The busiest of the rows of the rest in each column, and the sum of their busy time in the window. */
void nsc_lines_rest_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                         const struct nsc_line *line);
nsc_time nsc_lines_rest_busy(const struct nsc_scene *scene, const struct nsc_line *line);
void nsc_lines_group_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                          struct nsc_rect rect, uint32_t track);
void nsc_lines_overlap_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                            struct nsc_rect rect, uint32_t track);
void nsc_lines_idle_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                         uint32_t track);
void nsc_lines_counter_draw(const struct nsc_scene *scene, struct nsc_grid *grid,
                            struct nsc_rect rect, uint32_t track);
/* Parts of a whole with their shares, in their order; the largest first where not all fit. */
struct nsc_lines_part {
    const char *name;
    nsc_time ns; /* below 0: left out */
};
void nsc_lines_parts_put(struct nsc_page *page, const struct nsc_lines_part parts[], int n,
                         nsc_time whole);
/* The bins of a cover (NULL: zeros) in a row of the scratch. */
nsc_time *nsc_lines_cover(const struct nsc_scene *scene, const struct nsc_cover *cover,
                          uint32_t row, uint32_t cols);
/* A value of the counter with its unit. */
void nsc_lines_counter_text(const struct nsc_scene *scene, uint32_t index, int64_t value,
                            char out[NSC_UNITS_BYTES]);
/* The counter's value at the cursor; "" before its first sample. */
void nsc_lines_counter_value(const struct nsc_scene *scene, uint32_t index,
                             char out[NSC_UNITS_BYTES]);

/* ---- lines without a lane of the trace ---- */

struct nsc_projection_line;

const struct nsc_projection_line *nsc_projection_of(const struct nsc_scene *scene,
                                                    const struct nsc_line *line);
/* " 2 t111": depth and thread of a line, and dropped lanes. */
void nsc_projection_tail(const struct nsc_scene *scene, const struct nsc_line *line, char out[],
                         size_t size);
/* A line of projected ranges, or of rows of a query; its busy time in the window. */
void nsc_derived_draw(const struct nsc_scene *scene, struct nsc_bars_looks *looks,
                      struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_line *line);
nsc_time nsc_derived_busy(const struct nsc_scene *scene, const struct nsc_line *line);
/* "SQL", or "answer" for rows of an answer; with several GPUs "answer GPU 1". */
void nsc_query_label(const struct nsc_scene *scene, const struct nsc_line *line, char out[],
                     size_t size);
/* Draws the events of a lane that the filter leaves out; trace: the scene's, or its projection's. */
void nsc_dimmed_draw(const struct nsc_scene *scene, const struct nsc_trace *trace,
                     struct nsc_grid *grid, struct nsc_rect line, uint32_t lane);
/* Tracks [from, to) in a window; whole groups for nsc_part_bins. */
struct nsc_part {
    uint32_t from, to;
    struct nsc_window window;
};
/* Raises scene->times to the busy ns per column of the busiest first lane of tracks. */
void nsc_part_lanes(const struct nsc_scene *scene, const struct nsc_part *part, uint32_t cols);
/* Busy ns per column of the busiest device, into scene->times; without devices, of the busiest
 * first lane. */
void nsc_part_bins(const struct nsc_scene *scene, const struct nsc_part *part, uint32_t cols);

#endif
