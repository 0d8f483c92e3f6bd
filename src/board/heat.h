/*
 * A heatmap: lines by columns of figures, fitted into cells of which each shows the greatest of its figures.
 *
 * Each axis shows a part of its items; zooming and moving change it. All cells have as many items, the last perhaps fewer.
 * The colours go from the least to the greatest cell on the screen, but no further than 4 times the distance of the 5th from
 * the 95th percentile around the median: one outlier does not hide the rest. The owner calls fini.
 */
#ifndef NSC_BOARD_HEAT_H
#define NSC_BOARD_HEAT_H

#include "core/vec.h"
#include "view/kit/grid.h"

struct nsc_heat_axis {
    uint32_t n;
    uint32_t first, shown; /* the items on the screen */
    uint32_t cursor;       /* one of them, if there are any */
    uint32_t each, cells;  /* cells that show each so many of them, the last perhaps fewer */
};

struct nsc_heat {
    const float *at;      /* by row, then column; -1: none; borrowed, as the next two */
    size_t stride;        /* columns of a row */
    const uint32_t *row;  /* by place */
    const uint32_t *line; /* the first place of each line, and the end */
    struct nsc_heat_axis lines, cols;
    NSC_VEC(float) bins; /* by cell; -1: none */
    float low, high;
    int wide; /* columns of the screen that all cells take */
};

/* Shows all n items. */
void nsc_heat_axis_init(struct nsc_heat_axis *axis, uint32_t n);
/* The first item of a cell. */
uint32_t nsc_heat_axis_first(const struct nsc_heat_axis *axis, uint32_t cell);
uint32_t nsc_heat_axis_cell(const struct nsc_heat_axis *axis, uint32_t item);
/* These move the cursor, and what is shown with it. False: nothing changed. */
bool nsc_heat_axis_go(struct nsc_heat_axis *axis, int64_t item);
bool nsc_heat_axis_step(struct nsc_heat_axis *axis, int64_t cells);
/* Halves or doubles what is shown, about the cursor. */
bool nsc_heat_axis_zoom(struct nsc_heat_axis *axis, bool in);

/* Fits both axes into cells of the screen, and fills the bins. */
void nsc_heat_fit(struct nsc_heat *heat, int rows, int cols);
/* The row and the column of the greatest figure in the cell of the cursor; the cursor's own if it is empty. */
void nsc_heat_worst(const struct nsc_heat *heat, uint32_t *row, uint32_t *col);
/* The first column of the screen of a cell, from 0. */
int nsc_heat_col(const struct nsc_heat *heat, uint32_t cell);
/* Draws the bins. plain: with signs instead of colours. */
void nsc_heat_draw(const struct nsc_heat *heat, struct nsc_grid *grid, int row, int col,
                   bool plain);
/* One cell of the scale, for a share of it. */
void nsc_heat_put(struct nsc_grid *grid, int row, int col, float share, bool plain);
void nsc_heat_fini(struct nsc_heat *heat);

#endif
