/*
 * Merges ascending sequences of rows; sorts times that are many sequences by their digits.
 */
#include "core/sort.h"

#include "core/die.h"
#include "core/pages.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { SEQUENCES_MAX = 4, SMALL_MAX = 8 };
#else
enum { SEQUENCES_MAX = 16, SMALL_MAX = 64 };
#endif

struct order {
    nsc_time (*key)(const void *context, uint32_t row);
    const void *context;
};

/* Whether the rows are more ascending sequences than merging takes. */
static bool has_many_sequences(const uint32_t *index, uint32_t n, const struct order *order)
{
    uint32_t sequences = 1;
    nsc_time before = order->key(order->context, index[0]);

    for (uint32_t i = 1; i < n && sequences <= SEQUENCES_MAX; i++) {
        nsc_time here = order->key(order->context, index[i]);

        sequences += here < before;
        before = here;
    }
    return sequences > SEQUENCES_MAX;
}

static int compare_keys(const void *context, uint32_t a, uint32_t b)
{
    const struct order *order = context;
    nsc_time x = order->key(order->context, a);
    nsc_time y = order->key(order->context, b);

    return x < y ? -1 : x > y;
}

/* False, with nothing changed, if out of memory. */
static bool radix_all(uint32_t *index, uint32_t n, const struct order *order)
{
    size_t bytes = 2 * (size_t)n * sizeof(struct nsc_sort_pair);
    struct nsc_sort_pair *pairs = nsc_pages_new(bytes);

    if (!pairs)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        pairs[i].key = nsc_sort_key(order->key(order->context, index[i]));
        pairs[i].value = index[i];
    }
    nsc_sort_pairs(pairs, pairs + n, n);
    for (uint32_t i = 0; i < n; i++)
        index[i] = pairs[i].value;
    nsc_pages_free(pairs, bytes);
    return true;
}

void nsc_sort_by_time(uint32_t *index, uint32_t n,
                      nsc_time (*key)(const void *context, uint32_t row), const void *context)
{
    struct order order = {key, context};

    if (n <= SMALL_MAX || !has_many_sequences(index, n, &order) || !radix_all(index, n, &order))
        nsc_sort_by(index, n, compare_keys, &order);
}

enum { FEW_PAIRS = 2048, FEW_BITS = 8, MANY_BITS = 11 }; /* bits of a digit, at most */

/* The bits in which keys differ; 0 if they ascend. */
static uint64_t find_bits(const struct nsc_sort_pair *pairs, size_t n)
{
    uint64_t bits = 0;
    bool ascend = true;

    for (size_t i = 1; i < n; i++) {
        ascend &= pairs[i - 1].key <= pairs[i].key;
        bits |= pairs[i - 1].key ^ pairs[i].key;
    }
    return ascend ? 0 : bits;
}

/* Moves pairs in the order of a digit. */
static void deal_digit(struct nsc_sort_pair *to, const struct nsc_sort_pair *from, size_t n,
                       unsigned shift, unsigned bits)
{
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    size_t at[1 << MANY_BITS] = {0};
    size_t sum = 0;

    for (size_t i = 0; i < n; i++)
        at[from[i].key >> shift & mask]++;
    for (uint64_t v = 0; v <= mask; v++) {
        size_t count = at[v];

        at[v] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[at[from[i].key >> shift & mask]++] = from[i];
}

void nsc_sort_pairs(struct nsc_sort_pair *pairs, struct nsc_sort_pair *scratch, size_t n)
{
    uint64_t differ = find_bits(pairs, n);
    unsigned most = n < FEW_PAIRS ? FEW_BITS : MANY_BITS;
    unsigned all = differ ? 64 - (unsigned)__builtin_clzll(differ) : 0;
    unsigned passes = (all + most - 1) / most;
    struct nsc_sort_pair *from = pairs;
    struct nsc_sort_pair *to = scratch;

    for (unsigned shift = 0, pass = 0; pass < passes; pass++) {
        unsigned bits = (all - shift) / (passes - pass);
        struct nsc_sort_pair *swap = from;

        if (differ >> shift & (((uint64_t)1 << bits) - 1)) {
            deal_digit(to, from, n, shift, bits);
            from = to;
            to = swap;
        }
        shift += bits;
    }
    if (from != pairs)
        memcpy(pairs, from, n * sizeof *pairs);
}

/* ---- by comparison ---- */

/* Merges in[a, b) and in[b, c) into out[a, c); of equal rows, the left one comes first. */
static void merge_by(uint32_t *out, const uint32_t *in, const uint32_t cut[3],
                     int (*compare)(const void *context, uint32_t a, uint32_t b),
                     const void *context)
{
    uint32_t i = cut[0], j = cut[1], k = cut[0];

    while (i < cut[1] && j < cut[2])
        out[k++] = compare(context, in[i], in[j]) <= 0 ? in[i++] : in[j++];
    memcpy(out + k, in + i, (cut[1] - i) * sizeof *out);
    memcpy(out + k + (cut[1] - i), in + j, (cut[2] - j) * sizeof *out);
}

/* Lists where ascending sequences start, and n. Returns their number. */
static uint32_t find_sequences(uint32_t starts[], const uint32_t *index, uint32_t n,
                               int (*compare)(const void *context, uint32_t a, uint32_t b),
                               const void *context)
{
    uint32_t sequences = 0;

    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || compare(context, index[i - 1], index[i]) > 0)
            starts[sequences++] = i;
    starts[sequences] = n;
    return sequences;
}

void nsc_sort_by(uint32_t *index, uint32_t n,
                 int (*compare)(const void *context, uint32_t a, uint32_t b), const void *context)
{
    uint32_t *starts = nsc_xmalloc(((size_t)n + 1) * sizeof *starts);
    uint32_t sequences = find_sequences(starts, index, n, compare, context);
    uint32_t *scratch = sequences > 1 ? nsc_xmalloc(n * sizeof *scratch) : NULL;
    uint32_t *from = index, *to = scratch;

    while (sequences > 1) { /* merges neighbours */
        uint32_t *swap = from;

        for (uint32_t i = 0; i < sequences; i += 2) {
            uint32_t end = i + 2 < sequences ? i + 2 : sequences;
            const uint32_t cut[3] = {starts[i], starts[i + 1], starts[end]};

            merge_by(to, from, cut, compare, context);
            starts[i / 2] = cut[0];
        }
        sequences = (sequences + 1) / 2;
        starts[sequences] = n;
        from = to;
        to = swap;
    }
    if (from != index)
        memcpy(index, from, n * sizeof *index);
    free(scratch);
    free(starts);
}

uint32_t *nsc_sort_numbers(uint32_t n)
{
    uint32_t *numbers = nsc_xmalloc(((size_t)n + 1) * sizeof *numbers);

    for (uint32_t i = 0; i < n; i++)
        numbers[i] = i;
    return numbers;
}

nsc_time nsc_sort_time_at(const void *times, uint32_t row)
{
    return ((const nsc_time *)times)[row];
}

/* ---- plain values ---- */

int nsc_time_compare(const void *a, const void *b)
{
    return NSC_ORDER(*(const nsc_time *)a, *(const nsc_time *)b);
}

int nsc_double_compare(const void *a, const void *b)
{
    return NSC_ORDER(*(const double *)a, *(const double *)b);
}

int nsc_u64_compare(const void *a, const void *b)
{
    return NSC_ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}
