/*
 * What a prompt offers to complete its line with: a short list, the best first, drawn above the
 * line.
 *
 * A plain value. Texts are clean UTF-8; what does not fit is not offered.
 */
#ifndef NSC_VIEW_KIT_OFFERS_H
#define NSC_VIEW_KIT_OFFERS_H

#include "core/buf.h"
#include "view/kit/grid.h"

#define NSC_OFFERS_MOST 40

struct nsc_offer {
    char text[240]; /* replaces what was typed */
    char note[96];  /* what it is; may be cut */
    char key[24];   /* "" for none */
    int32_t score;
};

struct nsc_offers {
    struct nsc_offer items[NSC_OFFERS_MOST]; /* by score, the greatest first; equal: as added */
    uint32_t n;
    size_t from;    /* of the bytes that an offer replaces, which reach to the cursor */
    int chosen;     /* whose text stands in the line; -1: none */
    bool is_runner; /* Enter takes the first if none is chosen */
};

void nsc_offers_clear(struct nsc_offers *offers, size_t from);
/* Adds one unless it scores NSC_FUZZY_NONE, is too long, or the list is full of better ones. */
void nsc_offers_add(struct nsc_offers *offers, int32_t score, struct nsc_text text,
                    const char *note, const char *key);

/* Draws the lines that fit above a row, at most a third of the rows above it. */
void nsc_offers_draw(const struct nsc_offers *offers, struct nsc_grid *grid, int row);

#endif
