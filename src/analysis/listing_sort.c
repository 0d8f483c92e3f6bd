/*
 * Orders rows by duration, name or time: a radix sort of numbers that hold key and row.
 */
#include "analysis/listing_sort.h"

#include "core/bits.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/sort.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 3, DIGIT_BITS = 11, DIGIT = 1 << DIGIT_BITS };

typedef uint64_t order_key; /* key << 32 | row */

static uint32_t digit_of(order_key key, uint32_t digit)
{
    return (uint32_t)(key >> (32 + digit * DIGIT_BITS)) & (DIGIT - 1);
}

/* One stable pass by a digit, from one array to the other. */
static void deal(order_key *to, const order_key *from, uint32_t n, uint32_t counts[DIGIT],
                 uint32_t digit)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < DIGIT; i++) {
        uint32_t count = counts[i];

        counts[i] = at;
        at += count;
    }
    for (uint32_t i = 0; i < n; i++)
        to[counts[digit_of(from[i], digit)]++] = from[i];
}

/* Sorts keys[0, n) by their upper halves; spare holds n too. Returns where they are now. */
static order_key *sort_keys(order_key *keys, order_key *spare, uint32_t n)
{
    uint32_t(*counts)[DIGIT] = nsc_xcalloc(DIGITS, sizeof *counts);

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t digit = 0; digit < DIGITS; digit++)
            counts[digit][digit_of(keys[i], digit)]++;
    for (uint32_t digit = 0; n && digit < DIGITS; digit++) {
        order_key *swap = keys;

        if (counts[digit][digit_of(keys[0], digit)] == n)
            continue;
        deal(spare, keys, n, counts[digit], digit);
        keys = spare;
        spare = swap;
    }
    free(counts);
    return keys;
}

/* ---- keys
 * ---------------------------------------------------------------------------------------------------------
 */

struct named {
    struct nsc_text text;
    nsc_name name;
};

static int fold(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a;
    const struct named *y = b;
    uint32_t n = x->text.n < y->text.n ? x->text.n : y->text.n;

    for (uint32_t i = 0; i < n; i++) {
        int left = fold(x->text.bytes[i]);
        int right = fold(y->text.bytes[i]);

        if (left != right)
            return left - right;
    }
    if (x->text.n != y->text.n)
        return x->text.n < y->text.n ? -1 : 1;
    return memcmp(x->text.bytes, y->text.bytes, n);
}

/* The names of the rows, as many as there are different ones. */
static uint32_t gather_names(const struct nsc_listing *listing, struct named *out, bool brief)
{
    const struct nsc_names *names = nsc_trace_names(listing->trace);
    const nsc_name *name_of = nsc_trace_events(listing->trace)->name;
    uint64_t *met = nsc_xcalloc(nsc_bits_words(names->n) + 1, sizeof *met);
    uint32_t n = 0;

    for (uint32_t i = 0; i < listing->n; i++) {
        nsc_name name = name_of[listing->rows[i]];

        if (nsc_bits_get(met, name))
            continue;
        nsc_bits_set(met, name);
        out[n].name = name;
        out[n++].text =
            nsc_trace_string(listing->trace, brief ? names->brief[name] : names->full[name]);
    }
    free(met);
    return n;
}

/* Which place each name's text takes among them; equal texts share one. */
static uint32_t *rank_names(const struct nsc_listing *listing, bool brief)
{
    uint32_t n_names = nsc_trace_names(listing->trace)->n;
    uint32_t *ranks = nsc_xcalloc((size_t)n_names + 1, sizeof *ranks);
    struct named *named = nsc_xmalloc(((size_t)n_names + 1) * sizeof *named);
    uint32_t n = gather_names(listing, named, brief);
    uint32_t rank = 0;

    qsort(named, n, sizeof *named, compare_named);
    for (uint32_t i = 0; i < n; i++) {
        rank += i > 0 && compare_named(&named[i - 1], &named[i]) != 0;
        ranks[named[i].name] = rank;
    }
    free(named);
    return ranks;
}

enum key { KEY_ROW, KEY_DURATION, KEY_NAME };

static void make_keys(const struct nsc_listing *listing, order_key *keys, enum key by, bool brief)
{
    const struct nsc_events *events = nsc_trace_events(listing->trace);
    uint32_t *ranks = by == KEY_NAME ? rank_names(listing, brief) : NULL;

    for (uint32_t i = 0; i < listing->n; i++) {
        nsc_event row = listing->rows[i];
        uint32_t key = ranks                ? ranks[events->name[row]]
                       : by == KEY_DURATION ? ~events->duration[row]
                                            : row;

        keys[i] = (order_key)key << 32 | row;
    }
    free(ranks);
}

/* ---- orders
 * -------------------------------------------------------------------------------------------------------
 */

struct lasting {
    nsc_time duration;
    nsc_event row;
};

static int compare_lasting(const void *a, const void *b)
{
    const struct lasting *x = a;
    const struct lasting *y = b;

    if (x->duration != y->duration)
        return x->duration > y->duration ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Events of the side table come first, all with one key. */
static void order_longs(struct nsc_listing *listing)
{
    const struct nsc_events *events = nsc_trace_events(listing->trace);
    struct lasting *longs = NULL;
    uint32_t n = 0;

    while (n < listing->n && events->duration[listing->rows[n]] == NSC_LONG)
        n++;
    longs = nsc_xmalloc((size_t)n * sizeof *longs + 1);
    for (uint32_t i = 0; i < n; i++)
        longs[i] = (struct lasting){nsc_event_duration(events, listing->rows[i]), listing->rows[i]};
    if (n > 1)
        qsort(longs, n, sizeof *longs, compare_lasting);
    for (uint32_t i = 0; i < n; i++)
        listing->rows[i] = longs[i].row;
    free(longs);
}

static nsc_time start_of(const void *context, uint32_t row)
{
    return ((const struct nsc_events *)context)->start[row];
}

static bool is_ascending(const struct nsc_listing *listing)
{
    for (uint32_t i = 1; i < listing->n; i++)
        if (listing->rows[i] < listing->rows[i - 1])
            return false;
    return true;
}

/* keys holds two a row. */
static void order_by(struct nsc_listing *listing, order_key *keys, enum key by, bool brief)
{
    order_key *sorted = NULL;

    make_keys(listing, keys, by, brief);
    sorted = sort_keys(keys, keys + listing->n, listing->n);
    for (uint32_t i = 0; i < listing->n; i++)
        listing->rows[i] = (uint32_t)sorted[i];
}

bool nsc_listing_order(struct nsc_listing *listing, enum nsc_listing_order order, bool brief)
{
    size_t bytes = ((size_t)listing->n + 1) * 2 * sizeof(order_key);
    order_key *keys = nsc_pages_new(bytes);

    if (!keys)
        return false;
    if (!is_ascending(listing)) /* rows of equal keys come in their own order */
        order_by(listing, keys, KEY_ROW, false);
    if (order != NSC_LISTING_TIME)
        order_by(listing, keys, order == NSC_LISTING_NAME ? KEY_NAME : KEY_DURATION, brief);
    else if (listing->n)
        nsc_sort_by_time(listing->rows, (uint32_t *)keys, listing->n, start_of,
                         nsc_trace_events(listing->trace));
    nsc_pages_free(keys, bytes);
    if (order == NSC_LISTING_DURATION)
        order_longs(listing);
    listing->order = order;
    return true;
}
