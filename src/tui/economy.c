/*
 * Makes frames cheap for slow links and detects slow links.
 */
#include "tui/economy.h"

#include "tui/blit.h"

#include <string.h>

enum { SHORT_LABEL = 14, LONG_RUN = 6, HUE_MASK = 0xc0, SURFACE_MASK = 0x0f };

/* ---- the link ---- */

void nsc_economy_queue(struct nsc_economy *economy, uint64_t now)
{
    economy->waits = true;
    economy->since = now;
}

bool nsc_economy_measure(struct nsc_economy *economy, uint64_t now, bool drained)
{
    bool was_slow = economy->slow;
    uint64_t took = now - economy->since;

    if (!economy->waits)
        return false;
    if (took > NSC_ECONOMY_SLOW_MS) {
        economy->slow = true;
        economy->quick = 0;
    }
    if (!drained)
        return economy->slow != was_slow;
    economy->waits = false;
    economy->quick = took <= NSC_ECONOMY_QUICK_MS ? economy->quick + 1 : 0;
    /* Small frames are quick on any link, so many are needed before the link counts as quick. */
    if (economy->quick >= NSC_ECONOMY_QUICK_N)
        economy->slow = false;
    return economy->slow != was_slow;
}

/* ---- the frame ---- */

static void set_glyph(struct nsc_cell *cell, const char *glyph)
{
    size_t n = strlen(glyph);

    memset(cell->text, 0, sizeof cell->text);
    memcpy(cell->text, glyph, n);
    cell->n = (uint8_t)n;
    cell->width = 1;
}

/* Replaces the glyph by an ASCII character, a byte instead of three, with three heights: equal cells
 * within an event cost least. Full blocks stay: bars_simplify replaces those of short bars. */
static void glyph_simplify(struct nsc_cell *cell)
{
    static const struct {
        char from[4], to[4];
    } glyphs[] = {
        {"▁", "-"}, {"▂", "-"}, {"▃", "-"}, {"▄", "-"}, {"▅", "="}, {"▆", "="},
        {"▇", "="}, {"▉", "█"}, {"▊", "█"}, {"▋", "█"}, {"▌", "█"}, {"▐", "█"},
        {"▍", "|"}, {"▎", "|"}, {"▏", "|"}, {"▕", "|"}, {"│", "|"},
    };

    if (cell->n != 3 || cell->role == NSC_ROLE_COUNTER)
        return;
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (!memcmp(cell->text, glyphs[i].from, 3)) {
            set_glyph(cell, glyphs[i].to);
            return;
        }
}

static void label_simplify(struct nsc_cell *cells, uint32_t n)
{
    for (uint32_t i = 0; i < n && n < SHORT_LABEL; i++) {
        set_glyph(&cells[i], "█");
        cells[i].role &= (uint8_t)~NSC_CELL_ON_BAR;
    }
}

static bool is_like(const struct nsc_cell *cell, struct nsc_cell other)
{
    return nsc_cell_role(cell) == nsc_cell_role(&other) &&
           (cell->shade & ~SURFACE_MASK) == (other.shade & ~SURFACE_MASK);
}

/* The end of the run of equal looks that begins at i; *is_bar: the run is long enough for a hue. */
static uint32_t run_end(const struct nsc_cell *cells, uint32_t n, uint32_t i, bool *is_bar)
{
    uint32_t end = i + 1;

    while (end < n && is_like(&cells[end], cells[i]))
        end++;
    *is_bar = end - i >= LONG_RUN;
    return end;
}

/* Keeps hues for bars only. If every cell has its own hue, hues mean nothing and cost most. */
static void row_simplify(struct nsc_cell *cells, uint32_t n)
{
    uint32_t label = 0; /* end of the current label */
    uint32_t end = 0;   /* end of the cell's run */
    bool is_bar = false;

    for (uint32_t i = 0; i <= n; i++) {
        if (i < n && nsc_cell_is_on_bar(&cells[i])) {
            label++;
        } else {
            label_simplify(cells + i - label, label);
            label = 0;
        }
        if (i == n)
            return;
        {
            if (i >= end)
                end = run_end(cells, n, i, &is_bar);
            glyph_simplify(&cells[i]);
            cells[i].shade &= is_bar ? HUE_MASK | SURFACE_MASK : SURFACE_MASK;
        }
    }
}

/* The end of the blocks that begin at i and look alike; letters on a bar count as blocks. */
static uint32_t blocks_end(const struct nsc_cell *cells, uint32_t n, uint32_t i)
{
    uint32_t end = i;

    while (end < n && is_like(&cells[end], cells[i]) &&
           (nsc_cell_is_on_bar(&cells[end]) || !memcmp(cells[end].text, "█", 3)))
        end++;
    return end;
}

/* Full blocks of short bars become ASCII. Those of long bars are sent as coloured blanks. */
static void bars_simplify(struct nsc_cell *cells, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t end = blocks_end(cells, n, i);

        if (end - i >= NSC_BLIT_LONG_BAR)
            i = end - 1;
        else if (end > i && !nsc_cell_is_on_bar(&cells[i]))
            set_glyph(&cells[i], "#");
    }
}

void nsc_economy_apply(struct nsc_grid *grid)
{
    if (grid->window_col < 0 || (uint32_t)grid->window_col >= grid->cols || grid->ascii)
        return;
    for (uint32_t row = 0; row < grid->rows && (int)row < grid->window_end; row++) {
        struct nsc_cell *cells = nsc_grid_at(grid, row, (uint32_t)grid->window_col);
        uint32_t n = grid->cols - (uint32_t)grid->window_col;

        row_simplify(cells, n);
        bars_simplify(cells, n);
    }
}
