/*
 * The lines of the timeline that are not lanes: headers of groups, overlap of a device, counters.
 * Private to the panes.
 */
#ifndef NSC_VIEW_PANE_LINES_H
#define NSC_VIEW_PANE_LINES_H

#include "nsyscope/cover.h"

#include "core/units.h"
#include "view/kit/page.h"
#include "view/scene/scene.h"

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

#endif
