/*
 * Makes frames cheap for slow links and detects slow links.
 */
#include "tui/economy.h"

#include "tui/blit.h"

#include <string.h>

enum { SHORT_LABEL = 14, HUE_MASK = 0xc0, SURFACE_MASK = 0x0f };

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
        {"█", "█"}, {"▁", "-"}, {"▂", "-"}, {"▃", "-"}, {"▄", "-"}, {"▅", "="},
        {"▆", "="}, {"▇", "="}, {"▉", "█"}, {"▊", "█"}, {"▋", "█"}, {"▌", "█"},
        {"▐", "█"}, {"▍", "|"}, {"▎", "|"}, {"▏", "|"}, {"▕", "|"},
    };
    char ascii[2] = {0};

    if (nsc_cell_is_on_bar(cell))
        return;
    for (size_t i = 0; cell->n == 3 && i < sizeof glyphs / sizeof *glyphs; i++)
        if (!memcmp(cell->text, glyphs[i].from, 3)) {
            set_glyph(cell, glyphs[i].to);
            return;
        }
    if (!nsc_role_has_letters(nsc_cell_role(cell)))
        ascii[0] = nsc_glyph_ascii((struct nsc_text){cell->text, cell->n});
    if (ascii[0])
        set_glyph(cell, ascii);
}

/* Letters on bars stay where there are many. */
static void labels_simplify(struct nsc_cell *cells, uint32_t n)
{
    uint32_t end = 0;

    for (uint32_t i = 0; i < n; i = end + 1) {
        for (end = i; end < n && nsc_cell_is_on_bar(&cells[end]);)
            end++;
        for (uint32_t c = i; end - i < SHORT_LABEL && c < end; c++) {
            set_glyph(&cells[c], "█");
            cells[c].role &= (uint8_t)~NSC_CELL_ON_BAR;
        }
    }
}

static bool is_like(const struct nsc_cell *cell, const struct nsc_cell *other)
{
    return nsc_cell_role(cell) == nsc_cell_role(other) &&
           (cell->shade & ~SURFACE_MASK) == (other->shade & ~SURFACE_MASK);
}

/* The end of the blocks that begin at i and look alike; letters on a bar count as blocks. */
static uint32_t blocks_end(const struct nsc_cell *cells, uint32_t n, uint32_t i)
{
    uint32_t end = i;

    while (end < n && is_like(&cells[end], &cells[i]) &&
           (nsc_cell_is_on_bar(&cells[end]) || !memcmp(cells[end].text, "█", 3)))
        end++;
    return end;
}

/* The hue of a cell without a hue of its own: bright where shades are amounts. */
static uint8_t plain_hue(const struct nsc_cell *cell)
{
    enum nsc_role role = nsc_cell_role(cell);

    return role >= NSC_ROLE_OVERLAP_COMPUTE && role <= NSC_ROLE_HEAT ? HUE_MASK : 0;
}

/* Long bars are sent as coloured blanks and keep some hues. If every cell had its own hue, hues
 * would mean nothing and cost most. */
static void bars_simplify(struct nsc_cell *cells, uint32_t n)
{
    for (uint32_t i = 0, end = 0; i < n; i = end) {
        uint32_t blocks = blocks_end(cells, n, i);
        bool is_long = blocks - i >= NSC_BLIT_LONG_BAR;

        end = blocks > i ? blocks : i + 1;
        for (uint32_t c = i; c < end; c++) {
            uint8_t hue = is_long ? cells[c].shade & HUE_MASK : plain_hue(&cells[c]);

            cells[c].shade = hue | (cells[c].shade & SURFACE_MASK);
            if (c < blocks && !is_long)
                set_glyph(&cells[c], "#");
        }
    }
}

void nsc_economy_apply(struct nsc_grid *grid)
{
    if (grid->window_col < 0 || (uint32_t)grid->window_col >= grid->cols || grid->ascii)
        return;
    for (uint32_t row = 0; row < grid->rows && (int)row < grid->window_end; row++) {
        struct nsc_cell *cells = nsc_grid_at(grid, row, (uint32_t)grid->window_col);
        uint32_t n = grid->cols - (uint32_t)grid->window_col;

        for (uint32_t i = 0; i < n; i++)
            glyph_simplify(&cells[i]);
        labels_simplify(cells, n);
        bars_simplify(cells, n);
    }
}
