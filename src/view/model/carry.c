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

static uint64_t *no_bits(uint32_t n)
{
    return nsc_xcalloc(nsc_bits_words(n) + 1, sizeof(uint64_t));
}

static void bit_put(uint64_t *bits, uint32_t i, bool is_set)
{
    nsc_bits_unset(bits, i);
    if (is_set)
        nsc_bits_set(bits, i);
}

uint64_t *nsc_carry_rows(struct nsc_arrangement *now, uint64_t **folds,
                         const struct nsc_trace *whole, const uint32_t map[])
{
    struct nsc_arrangement before = *now;
    uint64_t *were_folded = *folds, *known = NULL;

    *now = (struct nsc_arrangement){.stream_height = before.stream_height,
                                    .other_height = before.other_height};
    nsc_arrangement_init(now, whole);
    known = no_bits(now->n);
    *folds = no_bits(now->n);
    nsc_rows_fold_default(*folds, whole);
    for (uint32_t t = 0; t < before.n; t++) {
        if (map[t] == NSC_NONE)
            continue;
        nsc_bits_set(known, map[t]);
        now->height[map[t]] = before.height[t];
        bit_put(now->hidden, map[t], nsc_bits_get(before.hidden, t));
        bit_put(*folds, map[t], nsc_bits_get(were_folded, t));
    }
    for (uint32_t i = 0; i < before.n_pins; i++) {
        now->pins[now->n_pins] = before.pins[i];
        now->pins[now->n_pins].track = map[before.pins[i].track];
        now->n_pins += now->pins[now->n_pins].track != NSC_NONE;
    }
    nsc_arrangement_fini(&before);
    free(were_folded);
    return known;
}
