/*
 * Makes frames cheap for slow links and detects slow links.
 */
#include "tui/economy.h"

#include <string.h>

enum { NO_HUE = 0xf0 }; /* the same for all names; the brightest where shades are amounts */

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

static void simplify(struct nsc_cell *cell)
{
    char ascii = nsc_glyph_ascii((struct nsc_text){cell->text, cell->n});

    if (nsc_roles[nsc_cell_role(cell)].has_letters)
        return;
    cell->shade |= NO_HUE;
    if (!ascii || nsc_cell_is_on_bar(cell))
        return;
    memset(cell->text, 0, sizeof cell->text);
    cell->text[0] = ascii;
    cell->n = 1;
}

void nsc_economy_apply(struct nsc_grid *grid)
{
    uint32_t from = grid->window_col < 0 ? grid->cols : (uint32_t)grid->window_col;

    for (uint32_t row = 0; row < grid->rows && (int)row < grid->window_end; row++)
        for (uint32_t col = from; col < grid->cols; col++)
            simplify(nsc_grid_at(grid, row, col));
}
