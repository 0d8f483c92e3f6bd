/*
 * Keeps the best offers in order, and draws them.
 */
#include "view/kit/offers.h"

#include "core/text.h"
#include "view/kit/fuzzy.h"

#include <stdio.h>
#include <string.h>

enum { NOTE_COLS = 44, KEY_COLS = 12, LEAST_TEXT_COLS = 24, LEAST_NOTE_COLS = 20 };

/* Columns of the parts of an offer. */
struct shares {
    int text, note;
};

void nsc_offers_clear(struct nsc_offers *offers, size_t from)
{
    offers->n = 0;
    offers->from = from;
    offers->chosen = -1;
    offers->is_runner = false;
}

/* The place of a score: after all that are at least as good. */
static uint32_t place_of(const struct nsc_offers *offers, int32_t score)
{
    uint32_t at = offers->n;

    while (at > 0 && offers->items[at - 1].score < score)
        at--;
    return at;
}

void nsc_offers_add(struct nsc_offers *offers, int32_t score, struct nsc_text text,
                    const char *note, const char *key)
{
    struct nsc_buf clean = NSC_BUF_INIT(sizeof offers->items->text - 1);
    uint32_t at = place_of(offers, score);
    struct nsc_offer *item = &offers->items[at];

    if (score == NSC_FUZZY_NONE || at == NSC_OFFERS_MOST)
        return;
    nsc_text_clean(&clean, text, false);
    if (!clean.overflow && clean.n > 0) {
        offers->n += offers->n < NSC_OFFERS_MOST;
        memmove(item + 1, item, (offers->n - 1 - at) * sizeof *item);
        memcpy(item->text, clean.bytes, clean.n);
        item->text[clean.n] = '\0';
        (void)snprintf(item->note, sizeof item->note, "%s", note);
        (void)snprintf(item->key, sizeof item->key, "%s", key);
        item->score = score;
    }
    nsc_buf_fini(&clean);
}

/* Texts get what they need, or what the notes leave, of which NOTE_COLS count; notes get the rest. */
static struct shares shares_of(const struct nsc_offers *offers, int cols, bool ascii)
{
    struct shares shares = {LEAST_TEXT_COLS, 0};
    int both = cols - KEY_COLS - 4;
    int notes = 0;
    int most = 0;

    for (uint32_t i = 0; i < offers->n; i++) {
        int width = (int)nsc_text_width(nsc_text_from(offers->items[i].text), ascii);
        int note = (int)nsc_text_width(nsc_text_from(offers->items[i].note), ascii);

        shares.text = width > shares.text ? width : shares.text;
        notes = note > notes ? note : notes;
    }
    most = both - 1 - (notes < NOTE_COLS ? notes : NOTE_COLS);
    if (most < LEAST_TEXT_COLS)
        most = LEAST_TEXT_COLS;
    shares.text = shares.text < most ? shares.text : most;
    shares.note = both - 1 - shares.text;
    return shares;
}

static void offer_draw(const struct nsc_offer *offer, struct nsc_grid *grid, int row,
                       struct shares shares, bool current)
{
    struct nsc_rect line = {row, 0, 1, (int)grid->cols};
    enum nsc_role role = current ? NSC_ROLE_LABEL_CURSOR : NSC_ROLE_TEXT;
    int right = line.cols - 1;

    nsc_grid_fill(grid, line, role, " ");
    nsc_grid_puts_right(grid, row, right - KEY_COLS, KEY_COLS, current ? role : NSC_ROLE_KEY,
                        offer->key);
    right -= KEY_COLS + 1;
    if (shares.note >= LEAST_NOTE_COLS) {
        nsc_grid_puts(grid, row, right - shares.note, shares.note, current ? role : NSC_ROLE_DIM,
                      offer->note);
        right -= shares.note + 1;
    }
    nsc_grid_puts(grid, row, 2, right - 2, role, offer->text);
}

void nsc_offers_draw(const struct nsc_offers *offers, struct nsc_grid *grid, int row)
{
    int height = (int)offers->n < row / 3 ? (int)offers->n : row / 3;
    int current = offers->chosen >= 0 ? offers->chosen : offers->is_runner ? 0 : -1;
    int top = current >= height ? current - height + 1 : 0;
    struct shares shares = shares_of(offers, (int)grid->cols, grid->ascii);

    for (int i = 0; i < height; i++)
        offer_draw(&offers->items[top + i], grid, row - height + i, shares, top + i == current);
}
