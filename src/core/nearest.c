/*
 * The nearest texts: edit distance with one row of the table; the best few in order.
 */
#include "core/nearest.h"

#include <stdio.h>
#include <string.h>

void nsc_nearest_init(struct nsc_nearest *nearest, struct nsc_text wanted)
{
    *nearest = (struct nsc_nearest){.wanted = wanted};
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t measure_distance(struct nsc_text a, struct nsc_text b)
{
    uint32_t row[NSC_NEAREST_BYTES + 1];
    uint32_t n = min_u32(b.n, NSC_NEAREST_BYTES);

    for (uint32_t k = 0; k <= n; k++)
        row[k] = k;
    for (uint32_t i = 0; i < a.n && i < NSC_NEAREST_BYTES; i++) {
        uint32_t corner = row[0]; /* of the previous row */

        row[0] = i + 1;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t change = corner + (nsc_ascii_lower(a.bytes[i]) != nsc_ascii_lower(b.bytes[k]));

            corner = row[k + 1];
            row[k + 1] = min_u32(change, 1 + min_u32(row[k], row[k + 1]));
        }
    }
    return row[n];
}

/* 0: the candidate contains the wanted text; 1: that begins with the candidate; NSC_NONE: it is too
 * far. */
static uint32_t rate(const struct nsc_nearest *nearest, struct nsc_text candidate)
{
    uint32_t longer = candidate.n > nearest->wanted.n ? candidate.n : nearest->wanted.n;
    uint32_t distance = measure_distance(nearest->wanted, candidate);

    if (nearest->wanted.n > 0 && nsc_text_contains_folded(candidate, nearest->wanted))
        return 0;
    if (candidate.n > 2 && nsc_text_begins_folded(nearest->wanted, candidate))
        return 1;
    return distance > min_u32(longer, NSC_NEAREST_BYTES) / 2 ? NSC_NONE : 1 + distance;
}

void nsc_nearest_add(struct nsc_nearest *nearest, struct nsc_text candidate)
{
    nsc_nearest_add_as(nearest, candidate, candidate);
}

void nsc_nearest_add_as(struct nsc_nearest *nearest, struct nsc_text candidate,
                        struct nsc_text text)
{
    uint32_t distance = rate(nearest, candidate);
    uint32_t at = nearest->n, n_later = 0;

    if (distance == NSC_NONE)
        return;
    for (uint32_t i = 0; i < nearest->n; i++)
        if (nsc_text_equal(nearest->text[i], text))
            return;
    while (at > 0 && nearest->distance[at - 1] > distance)
        at--;
    if (at == NSC_NEAREST_MAX)
        return;
    if (nearest->n < NSC_NEAREST_MAX)
        nearest->n++;
    n_later = nearest->n - 1 - at;
    memmove(&nearest->text[at + 1], &nearest->text[at], n_later * sizeof nearest->text[0]);
    memmove(&nearest->distance[at + 1], &nearest->distance[at],
            n_later * sizeof nearest->distance[0]);
    nearest->text[at] = text;
    nearest->distance[at] = distance;
}

const char *nsc_nearest_words(char out[NSC_NEAREST_WORDS], const struct nsc_nearest *nearest)
{
    struct nsc_buf words = NSC_BUF_INIT(NSC_NEAREST_WORDS);

    for (uint32_t i = 0; i < nearest->n; i++) {
        nsc_buf_puts(&words, i ? ", " : "; the nearest: ");
        nsc_text_clip(&words, nearest->text[i], 40, false);
    }
    (void)snprintf(out, NSC_NEAREST_WORDS, "%s", words.n ? words.bytes : "");
    nsc_buf_fini(&words);
    return out;
}
