/* Splits a forest into paths, and paths into pieces of equal reach. */
#include "analysis/ranges/path_unions.h"

#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

/* By node: the inner node with the most nodes below; NSC_NONE: none. The caller frees it. */
static uint32_t *find_heaviest(const uint32_t outer[], uint32_t n)
{
    uint32_t *heaviest = nsc_xcalloc((size_t)n + 1, sizeof *heaviest);
    uint32_t *below = nsc_xcalloc((size_t)n + 1, sizeof *below);

    for (uint32_t i = n; i-- > 0;)
        if (outer[i] != NSC_NONE)
            below[outer[i]] += below[i] + 1;
    for (uint32_t i = 0; i < n; i++)
        heaviest[i] = NSC_NONE;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *of = outer[i] != NSC_NONE ? &heaviest[outer[i]] : NULL;

        if (of && (*of == NSC_NONE || below[i] > below[*of]))
            *of = i;
    }
    free(below);
    return heaviest;
}

void nsc_path_unions_init(struct nsc_path_unions *unions, const uint32_t outer[], uint32_t n)
{
    uint32_t *heaviest = find_heaviest(outer, n);
    uint32_t place = 0;

    *unions = (struct nsc_path_unions){.n = n,
                                       .place_of = nsc_xcalloc((size_t)n + 1, sizeof(uint32_t)),
                                       .at = nsc_xcalloc((size_t)n + 1, sizeof *unions->at)};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t top = place;

        if (outer[i] != NSC_NONE && heaviest[outer[i]] == i)
            continue;
        unions->at[top].outer = outer[i] != NSC_NONE ? unions->place_of[outer[i]] : NSC_NONE;
        for (uint32_t k = i; k != NSC_NONE; k = heaviest[k]) {
            unions->at[place].top = top;
            unions->place_of[k] = place++;
        }
    }
    free(heaviest);
    nsc_path_unions_clear(unions);
}

void nsc_path_unions_fini(struct nsc_path_unions *unions)
{
    free(unions->place_of);
    free(unions->at);
    *unions = (struct nsc_path_unions){0};
}

void nsc_path_unions_clear(struct nsc_path_unions *unions)
{
    for (uint32_t i = 0; i < unions->n; i++) {
        struct nsc_path_place *at = &unions->at[i];

        at->reach = INT64_MIN;
        at->added = 0;
        unions->at[at->top].first = i; /* one piece until the last place of the path */
    }
}

/* Adds [start, end) to the places from the top of a path to p. False if all of them reached its end
 * before, and so did those around the path. */
static bool raise_path(struct nsc_path_place at[], uint32_t top, uint32_t p, nsc_time start,
                       nsc_time end)
{
    uint32_t *link = &at[top].first;
    uint32_t from = top;
    uint32_t piece;

    while (at[*link].reach >= end) {
        if (*link >= p)
            return false;
        from = *link + 1;
        link = &at[*link].next;
    }
    for (piece = *link;; piece = at[piece].next) {
        uint32_t last = piece < p ? piece : p;
        nsc_time t = nsc_later(at[piece].reach, start);
        uint64_t more = t < end ? (uint64_t)end - (uint64_t)t : 0;

        at[last].added += more;
        if (from > top)
            at[from - 1].added -= more;
        if (piece >= p)
            break;
        from = piece + 1;
    }
    if (piece > p) /* the rest of it stays as it was */
        at[p].next = piece;
    at[p].reach = end;
    *link = p;
    return true;
}

void nsc_path_unions_add(struct nsc_path_unions *unions, uint32_t node, nsc_time start,
                         nsc_time end)
{
    struct nsc_path_place *at = unions->at;
    uint32_t p = unions->place_of[node];

    while (p != NSC_NONE && raise_path(at, at[p].top, p, start, end))
        p = at[at[p].top].outer;
}

void nsc_path_unions_sum(struct nsc_path_unions *unions)
{
    struct nsc_path_place *at = unions->at;

    for (uint32_t i = unions->n; i-- > 1;)
        if (at[i].top < i)
            at[i - 1].added += at[i].added;
}

nsc_time nsc_path_unions_length(const struct nsc_path_unions *unions, uint32_t node)
{
    uint64_t length = unions->at[unions->place_of[node]].added;

    return length < INT64_MAX ? (nsc_time)length : INT64_MAX;
}
