/* Bins, scales and draws a heatmap. */
#include "board/heat.h"

#include <math.h>
#include <stdlib.h>

enum { WIDEST = 6, SHADES = 16, OUTLIER = 4 };

/* ---- an axis ---- */

void nsc_heat_axis_init(struct nsc_heat_axis *axis, uint32_t n)
{
    *axis = (struct nsc_heat_axis){.n = n, .shown = n, .each = 1};
}

uint32_t nsc_heat_axis_first(const struct nsc_heat_axis *axis, uint32_t cell)
{
    uint64_t item = (uint64_t)cell * axis->each;

    return axis->first + (item < axis->shown ? (uint32_t)item : axis->shown);
}

uint32_t nsc_heat_axis_cell(const struct nsc_heat_axis *axis, uint32_t item)
{
    return (item - axis->first) / axis->each;
}

bool nsc_heat_axis_go(struct nsc_heat_axis *axis, int64_t item)
{
    uint32_t was = axis->cursor;

    if (axis->n == 0)
        return false;
    axis->cursor = item < 0 ? 0 : item < axis->n ? (uint32_t)item : axis->n - 1;
    if (axis->cursor < axis->first)
        axis->first = axis->cursor;
    if (axis->cursor - axis->first >= axis->shown)
        axis->first = axis->cursor - axis->shown + 1;
    return axis->cursor != was;
}

bool nsc_heat_axis_step(struct nsc_heat_axis *axis, int64_t cells)
{
    return nsc_heat_axis_go(axis, (int64_t)axis->cursor + cells * (int64_t)axis->each);
}

bool nsc_heat_axis_zoom(struct nsc_heat_axis *axis, bool in)
{
    uint32_t was = axis->shown;
    uint32_t shown = in ? (was + 1) / 2 : was > axis->n / 2 ? axis->n : 2 * was;
    int64_t first = axis->cursor;

    if (shown == was)
        return false;
    first -= (int64_t)(axis->cursor - axis->first) * shown / was;
    first = first < axis->n - shown ? first : axis->n - shown;
    axis->first = first > 0 ? (uint32_t)first : 0;
    axis->shown = shown;
    return true;
}

static void fit_axis(struct nsc_heat_axis *axis, int room)
{
    uint32_t most = room > 0 ? (uint32_t)room : 1;

    axis->each = axis->shown ? (axis->shown - 1) / most + 1 : 1;
    axis->cells = axis->shown ? (axis->shown - 1) / axis->each + 1 : 0;
}

/* ---- bins ---- */

/* The greatest of each column over the places of a line of cells. */
static void take_greatest(const struct nsc_heat *heat, uint32_t cell, float out[])
{
    uint32_t n = heat->cols.shown;
    uint32_t end = heat->line[nsc_heat_axis_first(&heat->lines, cell + 1)];

    for (uint32_t c = 0; c < n; c++)
        out[c] = -1;
    for (uint32_t i = heat->line[nsc_heat_axis_first(&heat->lines, cell)]; i < end; i++) {
        const float *from = heat->at + heat->row[i] * heat->stride + heat->cols.first;

        for (uint32_t c = 0; c < n; c++)
            out[c] = from[c] > out[c] ? from[c] : out[c];
    }
}

NSC_COMPARE(compare_floats, float, NSC_BY(NSC_ORDER(*x, *y)))

static void find_scale(struct nsc_heat *heat, float sorted[])
{
    size_t n = 0;
    float wide;

    for (size_t i = 0; i < heat->bins.n; i++)
        if (heat->bins.at[i] >= 0)
            sorted[n++] = heat->bins.at[i];
    heat->low = heat->high = 0;
    if (n == 0)
        return;
    qsort(sorted, n, sizeof *sorted, compare_floats);
    wide = OUTLIER * (sorted[(n - 1) * 95 / 100] - sorted[(n - 1) * 5 / 100]);
    heat->low = sorted[0];
    heat->high = sorted[n - 1];
    if (wide > 0) {
        heat->low = fmaxf(heat->low, sorted[n / 2] - wide);
        heat->high = fminf(heat->high, sorted[n / 2] + wide);
    }
}

void nsc_heat_fit(struct nsc_heat *heat, int rows, int cols)
{
    struct nsc_heat_axis *across = &heat->cols;
    float *line = nsc_xcalloc((size_t)across->shown + 1, sizeof *line);
    float *sorted;

    fit_axis(&heat->lines, rows);
    fit_axis(across, cols);
    heat->wide = cols < WIDEST * (int)across->cells ? cols : WIDEST * (int)across->cells;
    NSC_VEC_CLEAR(&heat->bins);
    for (uint32_t r = 0; r < heat->lines.cells; r++) {
        take_greatest(heat, r, line);
        for (uint32_t c = 0; c < across->cells; c++) {
            uint32_t end = nsc_heat_axis_first(across, c + 1) - across->first;
            float most = -1;

            for (uint32_t i = nsc_heat_axis_first(across, c) - across->first; i < end; i++)
                most = line[i] > most ? line[i] : most;
            *NSC_VEC_ADD(&heat->bins) = most;
        }
    }
    free(line);
    sorted = nsc_xcalloc(heat->bins.n + 1, sizeof *sorted);
    find_scale(heat, sorted);
    free(sorted);
}

void nsc_heat_worst(const struct nsc_heat *heat, uint32_t *row, uint32_t *col)
{
    uint32_t r = nsc_heat_axis_cell(&heat->lines, heat->lines.cursor);
    uint32_t c = nsc_heat_axis_cell(&heat->cols, heat->cols.cursor);
    uint32_t end = heat->line[nsc_heat_axis_first(&heat->lines, r + 1)];
    float most = -1;

    *col = heat->cols.cursor;
    *row = heat->row[heat->line[heat->lines.cursor]];
    for (uint32_t i = heat->line[nsc_heat_axis_first(&heat->lines, r)]; i < end; i++)
        for (uint32_t k = nsc_heat_axis_first(&heat->cols, c);
             k < nsc_heat_axis_first(&heat->cols, c + 1); k++)
            if (heat->at[heat->row[i] * heat->stride + k] > most) {
                most = heat->at[heat->row[i] * heat->stride + k];
                *row = heat->row[i];
                *col = k;
            }
}

/* ---- drawing ---- */

int nsc_heat_col(const struct nsc_heat *heat, uint32_t cell)
{
    return heat->cols.cells ? (int)(cell * (uint32_t)heat->wide / heat->cols.cells) : 0;
}

void nsc_heat_put(struct nsc_grid *grid, int row, int col, float share, bool plain)
{
    static const char *const signs[] = {"·", "░", "▒", "▓", "█"};
    static const char *const letters[] = {".", "-", "+", "*", "#"};
    const char *const *by = grid->ascii ? letters : signs;
    float at = fminf(1, fmaxf(0, share));

    nsc_grid_put(grid, row, col, NSC_ROLE_HEAT,
                 (uint8_t)((int)(at * (SHADES - 1)) * (256 / SHADES)),
                 plain || grid->ascii ? by[(int)(at * 4.999F)] : "█");
}

void nsc_heat_draw(const struct nsc_heat *heat, struct nsc_grid *grid, int row, int col, bool plain)
{
    float range = heat->high - heat->low;

    for (uint32_t r = 0; r < heat->lines.cells; r++)
        for (uint32_t c = 0; c < heat->cols.cells; c++) {
            float value = heat->bins.at[(size_t)r * heat->cols.cells + c];

            for (int k = nsc_heat_col(heat, c); k < nsc_heat_col(heat, c + 1) && value >= 0; k++)
                nsc_heat_put(grid, row + (int)r, col + k,
                             range > 0 ? (value - heat->low) / range : 0, plain);
        }
}

void nsc_heat_fini(struct nsc_heat *heat)
{
    NSC_VEC_FINI(&heat->bins);
}
