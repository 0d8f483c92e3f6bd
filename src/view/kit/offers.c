/*
 * Keeps the best offers in order, and draws them.
 */
#include "view/kit/offers.h"

#include "core/text.h"
#include "view/kit/page.h"
#include "view/kit/words.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { NOTE_COLS = 44, KEY_COLS = 12, LEAST_TEXT_COLS = 24, LEAST_NOTE_COLS = 20 };

/* Columns of the parts of an offer; 0: not shown. */
struct shares {
    int text, note, key;
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

void nsc_offers_words(struct nsc_offers *offers, const char *words, struct nsc_text stem)
{
    struct nsc_text rest = nsc_text_from(words);

    for (struct nsc_text word = nsc_word_next(&rest); word.n; word = nsc_word_next(&rest))
        if (word.n >= stem.n && memcmp(word.bytes, stem.bytes, stem.n) == 0)
            nsc_offers_add(offers, 0, word, "", "");
}

static int widest(const struct nsc_offers *offers, size_t part, bool ascii)
{
    int width = 0;

    for (uint32_t i = 0; i < offers->n; i++) {
        const char *text = (const char *)&offers->items[i] + part;
        int own = (int)nsc_text_width(nsc_text_from(text), ascii);

        width = own > width ? own : width;
    }
    return width;
}

/* Texts get what they need, or what the keys and notes leave. Of notes NOTE_COLS count; they get
 * the rest. */
static struct shares shares_of(const struct nsc_offers *offers, int cols, bool ascii)
{
    int notes = widest(offers, offsetof(struct nsc_offer, note), ascii);
    int key = widest(offers, offsetof(struct nsc_offer, key), ascii) ? KEY_COLS : 0;
    int both = cols - 3 - key - (key > 0);
    int least = notes < LEAST_NOTE_COLS ? notes : LEAST_NOTE_COLS;
    int most = both - 1 - (notes < NOTE_COLS ? notes : NOTE_COLS);
    int text = widest(offers, offsetof(struct nsc_offer, text), ascii);

    most = most > LEAST_TEXT_COLS ? most : LEAST_TEXT_COLS;
    text = text > LEAST_TEXT_COLS ? text : LEAST_TEXT_COLS;
    text = text < most ? text : most;
    if (!notes || both - 1 - text < least)
        return (struct shares){both, 0, key};
    return (struct shares){text, both - 1 - text, key};
}

static void offer_draw(const struct nsc_offer *offer, struct nsc_page *page, uint32_t shared,
                       struct shares shares, bool current)
{
    struct nsc_grid *grid = page->grid;
    int row = page->rect.row;
    enum nsc_role role = current ? NSC_ROLE_LABEL_CURSOR : NSC_ROLE_TEXT;

    nsc_grid_fill(grid, (struct nsc_rect){row, 0, 1, (int)grid->cols}, role, " ");
    nsc_name_put(page, role, nsc_text_from(offer->text), shared);
    nsc_grid_puts(grid, row, 3 + shares.text, shares.note, current ? role : NSC_ROLE_DIM,
                  offer->note);
    nsc_grid_puts_right(grid, row, (int)grid->cols - 1 - shares.key, shares.key,
                        current ? role : NSC_ROLE_KEY, offer->key);
}

void nsc_offers_draw(const struct nsc_offers *offers, struct nsc_grid *grid, int row)
{
    int height = (int)offers->n < row / 3 ? (int)offers->n : row / 3;
    int current = offers->chosen >= 0 ? offers->chosen : offers->is_runner ? 0 : -1;
    int top = current >= height ? current - height + 1 : 0;
    struct shares shares = shares_of(offers, (int)grid->cols, grid->ascii);
    struct nsc_text texts[NSC_OFFERS_MOST];

    for (uint32_t i = 0; i < offers->n; i++)
        texts[i] = nsc_text_from(offers->items[i].text);
    for (int i = 0; i < height; i++) {
        struct nsc_rect rect = {row - height + i, 2, 1, shares.text};
        struct nsc_page page = nsc_page(grid, rect, 0, grid->ascii);
        uint32_t at = (uint32_t)(top + i);

        /* names that look the same when cut are drawn from where they differ */
        offer_draw(&offers->items[at], &page,
                   nsc_name_shared(texts, offers->n, at, (uint32_t)shares.text), shares,
                   top + i == current);
    }
}
