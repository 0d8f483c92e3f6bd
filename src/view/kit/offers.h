/*
 * Completions that a prompt offers: a short list, the best first, drawn above the line.
 *
 * A plain value. Texts are clean UTF-8; longer texts are not offered.
 */
#ifndef NSC_VIEW_KIT_OFFERS_H
#define NSC_VIEW_KIT_OFFERS_H

#include "core/buf.h"
#include "view/kit/grid.h"

#define NSC_OFFERS_MOST 40

struct nsc_offer {
    char text[240]; /* replaces the typed text */
    char note[96];  /* describes it; may be cut */
    char key[24];   /* "" if none */
    int32_t score;
};

struct nsc_offers {
    struct nsc_offer items[NSC_OFFERS_MOST]; /* sorted by score, the greatest first; ties in the
                                              * order of adding */
    uint32_t n;
    size_t from;    /* first byte that an offer replaces; the last is before the cursor */
    int chosen;     /* offer shown in the line; -1: none */
    bool is_runner; /* Enter takes the first offer if none is chosen */
};

void nsc_offers_clear(struct nsc_offers *offers, size_t from);
/* Adds an offer, unless it scores NSC_FUZZY_NONE, is too long, or the list is full of better
 * ones. */
void nsc_offers_add(struct nsc_offers *offers, int32_t score, struct nsc_text text,
                    const char *note, const char *key);
/* Offers the words, separated by spaces, that begin with stem, in their order. */
void nsc_offers_words(struct nsc_offers *offers, const char *words, struct nsc_text stem);

/* Draws as many lines as fit above a row, at most a third of the rows there. */
void nsc_offers_draw(const struct nsc_offers *offers, struct nsc_grid *grid, int row);

#endif
