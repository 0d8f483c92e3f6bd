/*
 * Makes frames cheap for slow links and detects slow links.
 */
#include "tui/economy.h"

#include "tui/blit.h"

#include <string.h>

enum {
    SHORT_BAR = 4,   /* shorter bars, in cells, become heights */
    FULL = 8,        /* the level of a full cell */
    HUE_MASK = 0xc0, /* bits of a cell's shade */
    SURFACE_MASK = 0x0f
};

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

/* The last byte of a block element, U+2580 to U+25BF; 0 for any other glyph. */
static uint8_t block_element(const struct nsc_cell *cell)
{
    return cell->n == 3 && !memcmp(cell->text, "\xe2\x96", 2) ? (uint8_t)cell->text[2] : 0;
}

/* How full a glyph is, in eighths; 0 for letters, marks and lines. */
static unsigned level_of(const struct nsc_cell *cell)
{
    static const uint8_t levels[256] = {
        [0x81] = 1, [0x82] = 2, [0x83] = 3, [0x84] = 4, [0x85] = 5, [0x86] = 6,
        [0x87] = 7, [0x88] = 8, [0x89] = 7, [0x8a] = 6, [0x8b] = 5, [0x8c] = 4,
        [0x8d] = 3, [0x8e] = 2, [0x8f] = 1, [0x90] = 4, [0x95] = 1}; /* ▁ to █, ▉ to ▏, ▐ ▕ */

    return levels[block_element(cell)];
}

/* Cells of a bar: full ones, letters, and edges of half a cell or more. */
static bool is_block(const struct nsc_cell *cell)
{
    uint8_t element = block_element(cell);

    return nsc_cell_is_on_bar(cell) || (element >= 0x88 && element <= 0x8c) || element == 0x90;
}

static bool is_like(const struct nsc_cell *cell, const struct nsc_cell *other)
{
    return nsc_cell_role(cell) == nsc_cell_role(other) &&
           (cell->shade & ~SURFACE_MASK) == (other->shade & ~SURFACE_MASK);
}

/* The hue of a cell without a hue of its own: bright where shades are amounts. */
static uint8_t plain_hue(const struct nsc_cell *cell)
{
    enum nsc_role role = nsc_cell_role(cell);

    return role >= NSC_ROLE_OVERLAP_COMPUTE && role <= NSC_ROLE_HEAT ? HUE_MASK : 0;
}

/*
 * Long bars are sent as coloured blanks and keep some hues, short ones become ASCII. If every cell
 * had its own hue, hues would mean nothing and cost most. Blocks of fewer cells are heights.
 */
static void bars_simplify(struct nsc_cell *cells, uint32_t n)
{
    for (uint32_t i = 0, end = 0; i < n; i = end) {
        bool is_long = false;

        for (end = i; end < n && is_like(&cells[end], &cells[i]) && is_block(&cells[end]);)
            end++;
        is_long = end - i >= NSC_BLIT_LONG_BAR;
        for (uint32_t c = i; c < end; c++)
            if (!nsc_cell_is_on_bar(&cells[c]))
                set_glyph(&cells[c], is_long ? "█" : end - i >= SHORT_BAR ? "#" : "▇");
        end += end == i;
        for (uint32_t c = i; c < end; c++) {
            uint8_t hue = is_long ? cells[c].shade & HUE_MASK : plain_hue(&cells[c]);

            cells[c].shade = hue | (cells[c].shade & SURFACE_MASK);
        }
    }
}

/* Glyphs without a level become ASCII, except in words. */
static void glyph_simplify(struct nsc_cell *cell)
{
    unsigned level = level_of(cell);
    char ascii[2] = {0};

    if (nsc_cell_is_on_bar(cell) || level == FULL)
        return;
    if (level)
        ascii[0] = level > FULL / 2 ? '=' : '-';
    else if (!nsc_roles[nsc_cell_role(cell)].has_letters)
        ascii[0] = nsc_glyph_ascii((struct nsc_text){cell->text, cell->n});
    if (ascii[0])
        set_glyph(cell, ascii);
}

void nsc_economy_apply(struct nsc_grid *grid)
{
    if (grid->window_col < 0 || (uint32_t)grid->window_col >= grid->cols || grid->ascii)
        return;
    for (uint32_t row = 0; row < grid->rows && (int)row < grid->window_end; row++) {
        struct nsc_cell *cells = nsc_grid_at(grid, row, (uint32_t)grid->window_col);
        uint32_t n = grid->cols - (uint32_t)grid->window_col;

        bars_simplify(cells, n);
        for (uint32_t i = 0; i < n; i++)
            glyph_simplify(&cells[i]);
    }
}
