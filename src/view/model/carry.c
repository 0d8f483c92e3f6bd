/*
 * Maps folds, pins, hidden and moved rows of the early trace to tracks of the whole one.
 */
#include "view/model/carry.h"

#include "core/bits.h"
#include "core/die.h"
#include "view/model/rows.h"
#include "view/model/track_id.h"

#include <stdlib.h>

/* The number of each early track in the whole trace; NSC_NONE if it is gone. */
uint32_t *nsc_carry_map(const struct nsc_trace *early, const struct nsc_trace *whole)
{
    uint32_t n = 0;
    uint32_t *map = NULL;

    (void)nsc_trace_tracks(early, &n);
    map = nsc_xmalloc(((size_t)n + 1) * sizeof *map);
    for (uint32_t t = 0; t < n; t++) {
        struct nsc_track_id id = nsc_track_id(early, t, 0);

        map[t] = nsc_track_id_find(whole, &id);
    }
    return map;
}

uint64_t *nsc_carry_known(const struct nsc_trace *early, const struct nsc_trace *whole,
                          const uint32_t map[])
{
    uint32_t n = 0, n_early = 0;
    uint64_t *known = NULL;

    (void)nsc_trace_tracks(early, &n_early);
    (void)nsc_trace_tracks(whole, &n);
    known = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *known);
    for (uint32_t t = 0; t < n_early; t++)
        if (map[t] != NSC_NONE)
            nsc_bits_set(known, map[t]);
    return known;
}

uint64_t *nsc_carry_folds(const uint64_t *before, const struct nsc_trace *early,
                          const struct nsc_trace *whole, const uint32_t map[])
{
    uint32_t n_early = 0, n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(early, &n_early);
    uint64_t *folds = NULL;

    (void)nsc_trace_tracks(whole, &n);
    folds = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *folds);
    nsc_rows_fold_default(folds, whole);
    for (uint32_t t = 0; t < n_early; t++) {
        if (map[t] == NSC_NONE || !nsc_track_is_header(tracks[t].kind))
            continue;
        if (nsc_bits_get(before, t))
            nsc_bits_set(folds, map[t]);
        else
            nsc_bits_unset(folds, map[t]);
    }
    return folds;
}

uint32_t *nsc_carry_ranks(const struct nsc_arrangement *arrangement, const struct nsc_trace *early,
                          const struct nsc_trace *whole, const uint32_t map[])
{
    uint32_t n = 0, n_moved = 0;
    uint32_t *rank = NULL;
    uint32_t *moved = nsc_xmalloc(((size_t)arrangement->n + 1) * sizeof *moved);

    (void)nsc_trace_tracks(whole, &n);
    rank = nsc_xmalloc(((size_t)n + 1) * sizeof *rank);
    for (uint32_t i = 0; i < n; i++)
        rank[i] = NSC_NONE;
    n_moved = nsc_arrangement_moved(arrangement, early, moved);
    n = 0;
    for (uint32_t i = 0; i < n_moved; i++)
        if (map[moved[i]] != NSC_NONE)
            rank[map[moved[i]]] = n++;
    free(moved);
    return rank;
}

void nsc_carry_arrangement(struct nsc_arrangement *now, const struct nsc_trace *whole,
                           const uint32_t map[])
{
    struct nsc_arrangement before = *now;

    *now = (struct nsc_arrangement){.stream_height = before.stream_height,
                                    .other_height = before.other_height};
    nsc_arrangement_init(now, whole);
    for (uint32_t t = 0; t < before.n; t++) {
        if (map[t] == NSC_NONE)
            continue;
        now->height[map[t]] = before.height[t];
        if (nsc_bits_get(before.hidden, t))
            nsc_bits_set(now->hidden, map[t]);
    }
    for (uint32_t i = 0; i < before.n_pins; i++) {
        now->pins[now->n_pins] = before.pins[i];
        now->pins[now->n_pins].track = map[before.pins[i].track];
        now->n_pins += now->pins[now->n_pins].track != NSC_NONE;
    }
    nsc_arrangement_fini(&before);
}
