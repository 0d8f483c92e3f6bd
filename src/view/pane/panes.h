/*
 * Panes that only draw.
 */
#ifndef NSC_VIEW_PANE_PANES_H
#define NSC_VIEW_PANE_PANES_H

#include "view/kit/grid.h"
#include "view/kit/keymap.h"
#include "view/model/tree.h"
#include "view/scene/axis.h"
#include "view/scene/look.h"

struct nsc_table_status;

/* The files and tables described in the info pane. */
struct nsc_sources {
    char *file;
    uint32_t n_files;
    const struct nsc_table_status *tables;
    uint32_t n_tables;
};

void nsc_pane_overview_draw(const struct nsc_scene *scene, const struct nsc_summary *hits,
                            const uint8_t *ticks, struct nsc_grid *grid);
/* Draws the ends of the window over all marks. */
void nsc_pane_overview_window_draw(const struct nsc_scene *scene, struct nsc_grid *grid);
void nsc_pane_ruler_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                         const struct nsc_keymap *keymap, struct nsc_grid *grid);
void nsc_pane_timeline_draw(const struct nsc_scene *scene, const struct nsc_summary *hits,
                            struct nsc_grid *grid);
/* Draws a line at the mark over the rows. */
void nsc_pane_timeline_mark(const struct nsc_scene *scene, const struct nsc_explore *explore,
                            struct nsc_grid *grid);
void nsc_pane_iterations_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                              struct nsc_grid *grid);
int nsc_pane_tree_draw(const struct nsc_scene *scene, const struct nsc_tree *tree,
                       const struct nsc_summary *hits, struct nsc_grid *grid, struct nsc_rect rect);
int nsc_pane_overlap_draw(const struct nsc_scene *scene, const struct nsc_explore *explore, int top,
                          struct nsc_grid *grid, struct nsc_rect rect);
int nsc_pane_info_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                       const struct nsc_sources *sources, int top, struct nsc_grid *grid,
                       struct nsc_rect rect);
/* Eighths of the whole trace's activity for each column of the overview. */
void nsc_overview_build(const struct nsc_scene *scene);
/* Whether there is room for a path, a header and a position around the lines. */
bool nsc_pane_tree_has_frame(struct nsc_rect rect);

#endif
