/*
 * Saves and restores rows of a session: folded, pinned, hidden, moved and tall ones. Identities
 * stay valid in a new export.
 */
#include "core/bits.h"
#include "core/die.h"
#include "core/vec.h"
#include "view/model/bookmark.h"
#include "view/model/rows.h"
#include "view/model/track_id.h"

#include <stdlib.h>

/* ---- kept ---- */

void nsc_session_state_fini(struct nsc_session_state *state)
{
    for (int i = 0; i < NSC_N_SESSION_SETTINGS; i++)
        free(state->settings[i]);
    for (int i = 0; i < NSC_N_SESSION_TRACKS; i++)
        NSC_VEC_FINI(&state->tracks[i]);
    free(state->filter);
    *state = (struct nsc_session_state){0};
}

static void add(struct nsc_session_state *out, enum nsc_session_tracks which,
                const struct nsc_trace *trace, uint32_t track, uint32_t lane)
{
    *NSC_VEC_ADD(&out->tracks[which]) = nsc_track_id(trace, track, lane);
}

static void pins_put(struct nsc_session_state *out, const struct nsc_trace *trace,
                     const struct nsc_arrangement *arrangement)
{
    for (uint32_t i = 0; i < arrangement->n_pins; i++) {
        struct nsc_pin pin = arrangement->pins[i];

        /* An identity cannot name a device's overlap or idle row. */
        if (pin.kind != NSC_LINE_OVERLAP && pin.kind != NSC_LINE_IDLE)
            add(out, NSC_SESSION_PINS, trace, pin.track, pin.index);
    }
}

static void order_put(struct nsc_session_state *out, const struct nsc_trace *trace,
                      const struct nsc_arrangement *arrangement)
{
    uint32_t *moved = nsc_xmalloc(((size_t)arrangement->n + 1) * sizeof *moved);
    uint32_t n = nsc_arrangement_moved(arrangement, trace, moved);

    for (uint32_t i = 0; i < n; i++)
        add(out, NSC_SESSION_ORDER, trace, moved[i], 0);
    free(moved);
}

void nsc_session_rows_put(struct nsc_session_state *out, const struct nsc_trace *trace,
                          const struct nsc_arrangement *arrangement, const uint64_t *folds)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint32_t next = 0; /* the first track beyond a hidden group */

    for (uint32_t i = 0; i < arrangement->n; i++) {
        if (nsc_track_is_header(tracks[i].kind) && nsc_bits_get(folds, i))
            add(out, NSC_SESSION_FOLDS, trace, i, 0);
        for (uint8_t k = 1; k < arrangement->height[i]; k++)
            add(out, NSC_SESSION_TALL, trace, i, 0);
        if (i >= next && nsc_arrangement_hides(arrangement, i)) {
            add(out, NSC_SESSION_HIDDEN, trace, i, 0);
            next = tracks[i].skip;
        }
    }
    pins_put(out, trace, arrangement);
    order_put(out, trace, arrangement);
}

/* ---- brought back ---- */

static void restore_pin(const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                        uint32_t track, uint32_t lane)
{
    const struct nsc_track *of = &nsc_trace_tracks(trace, NULL)[track];
    struct nsc_pin pin = {track, lane, NSC_LINE_LANE};

    if (nsc_track_is_header(of->kind))
        pin.kind = NSC_LINE_GROUP;
    else if (of->counter != NSC_NONE)
        pin.kind = NSC_LINE_COUNTER;
    if (nsc_arrangement_pin_find(arrangement, pin) == arrangement->n_pins)
        (void)nsc_arrangement_pin_toggle(arrangement, pin);
}

static void restore_tall(struct nsc_arrangement *arrangement, uint32_t track)
{
    uint8_t *height = &arrangement->height[track];

    if (*height < NSC_ARRANGEMENT_HEIGHT)
        *height = (uint8_t)(*height ? *height + 1 : 2);
}

static void restore_order(const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                          const struct nsc_track_ids *order)
{
    uint32_t *wanted = nsc_xmalloc((order->n + 1) * sizeof *wanted);
    uint32_t n = 0;

    for (size_t i = 0; i < order->n; i++) {
        uint32_t track = nsc_track_id_find(trace, &order->at[i]);

        if (track != NSC_NONE)
            wanted[n++] = track;
    }
    nsc_arrangement_sort(arrangement, trace, wanted, n);
    free(wanted);
}

static void restore_row(const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                        uint64_t *folds, enum nsc_session_tracks which, uint32_t track,
                        uint32_t lane)
{
    if (which == NSC_SESSION_PINS)
        restore_pin(trace, arrangement, track, lane);
    else if (which == NSC_SESSION_HIDDEN)
        nsc_arrangement_hide(arrangement, trace, track);
    else if (which == NSC_SESSION_TALL)
        restore_tall(arrangement, track);
    else if (which == NSC_SESSION_FOLDS &&
             nsc_track_is_header(nsc_trace_tracks(trace, NULL)[track].kind))
        nsc_bits_set(folds, track);
}

void nsc_session_rows_restore(const struct nsc_session_state *state, const uint64_t *known,
                              const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                              uint64_t *folds)
{
    for (uint32_t i = 0; i < arrangement->n; i++)
        if (!known || !nsc_bits_get(known, i))
            nsc_bits_unset(folds, i);
    for (int which = 0; which < NSC_N_SESSION_TRACKS; which++)
        for (size_t i = 0; i < state->tracks[which].n; i++) {
            const struct nsc_track_id *id = &state->tracks[which].at[i];
            uint32_t track = nsc_track_id_find(trace, id);

            if (track != NSC_NONE && !(known && nsc_bits_get(known, track)))
                restore_row(trace, arrangement, folds, (enum nsc_session_tracks)which, track,
                            id->lane);
        }
    restore_order(trace, arrangement, &state->tracks[NSC_SESSION_ORDER]);
}

/* ---- the early trace and the whole one ---- */

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
        nsc_bits_put(now->hidden, map[t], nsc_bits_get(before.hidden, t));
        nsc_bits_put(*folds, map[t], nsc_bits_get(were_folded, t));
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
