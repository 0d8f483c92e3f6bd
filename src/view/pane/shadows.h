/*
 * Lines of the timeline that are drawn of something else than a lane: ranges projected onto devices, rows of a
 * query, what the filter leaves out; and how busy tracks are in each column.
 */
#ifndef NSC_VIEW_PANE_SHADOWS_H
#define NSC_VIEW_PANE_SHADOWS_H

#include "view/kit/grid.h"
#include "view/scene/scene.h"

struct nsc_projection_line;

const struct nsc_projection_line *nsc_projection_of(const struct nsc_scene *scene,
                                                    const struct nsc_line *line);
/* " 2 t111": depth and thread of a line, lanes left out. */
void nsc_projection_tail(const struct nsc_scene *scene, const struct nsc_line *line, char out[],
                         size_t size);
void nsc_projection_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                         const struct nsc_line *line);
nsc_time nsc_projection_busy(const struct nsc_scene *scene, const struct nsc_line *line);
/* A line of NSC_LINE_QUERY. */
void nsc_query_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                    const struct nsc_line *line);
nsc_time nsc_query_busy(const struct nsc_scene *scene, const struct nsc_line *line);
/* What the filter leaves out of a lane. */
void nsc_dimmed_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect line,
                     uint32_t lane);
/* What a filter leaves of a device's work, all its streams together: time that two of them are busy
 * counts twice. */
void nsc_device_bins(const struct nsc_scene *scene, uint32_t track, struct nsc_window w,
                     uint32_t cols, nsc_time out[]);
/* Tracks [from, to), whole groups, in a window. */
struct nsc_part {
    uint32_t from, to;
    struct nsc_window window;
};
/* How busy their busiest device is in each column, in ns, into scene->times; without devices the
 * busiest first lane. */
void nsc_part_bins(const struct nsc_scene *scene, const struct nsc_part *part, uint32_t cols);

#endif
