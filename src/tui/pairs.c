/*
 * A hash table from two colours to the curses pair that shows them.
 *
 * alloc_pair() crashes after a failed start_color(), so we number pairs ourselves and set them with
 * init_extended_pair().
 */
#include "tui/color.h"

#include <curses.h>
#include <string.h>

void nsc_pairs_init(struct nsc_pairs *pairs, enum nsc_color_mode mode)
{
    memset(pairs, 0, sizeof *pairs);
    pairs->mode = mode;
    if (mode == NSC_COLOR_MONO)
        return;
    if (!has_colors() || start_color() == ERR || use_default_colors() == ERR) {
        pairs->mode = NSC_COLOR_MONO;
        return;
    }
    pairs->bright = COLORS >= 16;
    pairs->limit = COLOR_PAIRS - 1;
    if (pairs->limit > (int)NSC_PAIRS_SLOTS / 2)
        pairs->limit = (int)NSC_PAIRS_SLOTS / 2;
}

int nsc_pairs_find(struct nsc_pairs *pairs, int fg, int bg)
{
    uint32_t mixed = (uint32_t)fg * 0x9e3779b1u ^ (uint32_t)bg * 0x85ebca6bu;
    uint32_t slot = (mixed ^ mixed >> 15) % NSC_PAIRS_SLOTS;

    if (fg < 0 && bg < 0)
        return 0;
    while (pairs->slots[slot].pair) {
        if (pairs->slots[slot].fg == fg && pairs->slots[slot].bg == bg)
            return pairs->slots[slot].pair;
        slot = (slot + 1) % NSC_PAIRS_SLOTS;
    }
    if (pairs->n >= pairs->limit || init_extended_pair(pairs->n + 1, fg, bg) == ERR)
        return 0;
    pairs->slots[slot].fg = fg;
    pairs->slots[slot].bg = bg;
    return pairs->slots[slot].pair = ++pairs->n;
}
