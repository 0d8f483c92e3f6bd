/*
 * Saves and restores rows of a session: folded, pinned, hidden, moved and tall ones. Identities
 * stay valid in a new export.
 */
#include "core/bits.h"
#include "core/die.h"
#include "view/model/carry.h"
#include "view/model/rows.h"
#include "view/model/track_id.h"

#include <stdlib.h>

/* ---- kept ---- */

static void folds_put(const struct nsc_trace *trace, const uint64_t *folds,
                      struct nsc_session_state *out)
{
    uint32_t n_tracks = 0, n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);
    struct nsc_track_id *ids = nsc_xmalloc(((size_t)n_tracks + 1) * sizeof *ids);

    for (uint32_t i = 0; i < n_tracks; i++)
        if (nsc_track_is_header(tracks[i].kind) && nsc_bits_get(folds, i))
            ids[n++] = nsc_track_id(trace, i, 0);
    nsc_session_state_set_tracks(out, NSC_SESSION_FOLDS, ids, n);
    free(ids);
}

static void pins_put(const struct nsc_trace *trace, const struct nsc_arrangement *arrangement,
                     struct nsc_session_state *out)
{
    struct nsc_track_id ids[NSC_ARRANGEMENT_PINS];
    uint32_t n = 0;

    for (uint32_t i = 0; i < arrangement->n_pins; i++) {
        struct nsc_pin pin = arrangement->pins[i];

        /* An identity cannot name a device's overlap or idle row. */
        if (pin.kind != NSC_LINE_OVERLAP && pin.kind != NSC_LINE_IDLE)
            ids[n++] = nsc_track_id(trace, pin.track, pin.index);
    }
    nsc_session_state_set_tracks(out, NSC_SESSION_PINS, ids, n);
}

static void hidden_put(const struct nsc_trace *trace, const struct nsc_arrangement *arrangement,
                       struct nsc_session_state *out)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    struct nsc_track_id *ids = nsc_xmalloc(((size_t)arrangement->n + 1) * sizeof *ids);
    uint32_t n = 0, next = 0;

    for (uint32_t i = 0; i < arrangement->n; i = next) {
        bool hides = nsc_arrangement_hides(arrangement, i);

        next = hides ? tracks[i].skip : i + 1;
        if (hides)
            ids[n++] = nsc_track_id(trace, i, 0);
    }
    nsc_session_state_set_tracks(out, NSC_SESSION_HIDDEN, ids, n);
    free(ids);
}

static void order_put(const struct nsc_trace *trace, const struct nsc_arrangement *arrangement,
                      struct nsc_session_state *out)
{
    size_t room = (size_t)arrangement->n + 1;
    uint32_t *moved = nsc_xmalloc(room * sizeof *moved);
    struct nsc_track_id *ids = nsc_xmalloc(room * sizeof *ids);
    uint32_t n = nsc_arrangement_moved(arrangement, trace, moved);

    for (uint32_t i = 0; i < n; i++)
        ids[i] = nsc_track_id(trace, moved[i], 0);
    nsc_session_state_set_tracks(out, NSC_SESSION_ORDER, ids, n);
    free(moved);
    free(ids);
}

static void tall_put(const struct nsc_trace *trace, const struct nsc_arrangement *arrangement,
                     struct nsc_session_state *out)
{
    struct nsc_track_id *ids =
        nsc_xmalloc(((size_t)arrangement->n * NSC_ARRANGEMENT_HEIGHT + 1) * sizeof *ids);
    uint32_t n = 0;

    for (uint32_t i = 0; i < arrangement->n; i++) {
        if (arrangement->height[i] < 2)
            continue;
        ids[n] = nsc_track_id(trace, i, 0);
        for (uint8_t k = 2; k < arrangement->height[i]; k++, n++)
            ids[n + 1] = ids[n];
        n++;
    }
    nsc_session_state_set_tracks(out, NSC_SESSION_TALL, ids, n);
    free(ids);
}

void nsc_session_rows_put(struct nsc_session_state *out, const struct nsc_trace *trace,
                          const struct nsc_arrangement *arrangement, const uint64_t *folds)
{
    folds_put(trace, folds, out);
    pins_put(trace, arrangement, out);
    hidden_put(trace, arrangement, out);
    order_put(trace, arrangement, out);
    tall_put(trace, arrangement, out);
}

/* ---- brought back ---- */

/* known: one bit per track; NULL: none. */
static bool is_known(const uint64_t *known, uint32_t track)
{
    return known && nsc_bits_get(known, track);
}

static void restore_folds(const struct nsc_trace *trace, uint64_t *folds,
                          const struct nsc_session_state *state, const uint64_t *known)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    const struct nsc_track_ids *kept = &state->tracks[NSC_SESSION_FOLDS];

    for (uint32_t i = 0; i < n; i++)
        if (!is_known(known, i))
            nsc_bits_unset(folds, i);
    for (uint32_t i = 0; i < kept->n; i++) {
        uint32_t track = nsc_track_id_find(trace, &kept->at[i]);

        if (track != NSC_NONE && !is_known(known, track) && nsc_track_is_header(tracks[track].kind))
            nsc_bits_set(folds, track);
    }
}

static void restore_pins(const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                         const struct nsc_session_state *state, const uint64_t *known)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_track_ids *pins = &state->tracks[NSC_SESSION_PINS];

    for (uint32_t i = 0; i < pins->n; i++) {
        struct nsc_pin pin = {nsc_track_id_find(trace, &pins->at[i]), pins->at[i].lane,
                              NSC_LINE_LANE};

        if (pin.track == NSC_NONE || is_known(known, pin.track))
            continue;
        if (nsc_track_is_header(tracks[pin.track].kind))
            pin.kind = NSC_LINE_GROUP;
        else if (tracks[pin.track].counter != NSC_NONE)
            pin.kind = NSC_LINE_COUNTER;
        if (nsc_arrangement_pin_find(arrangement, pin) == arrangement->n_pins)
            (void)nsc_arrangement_pin_toggle(arrangement, pin);
    }
}

static void restore_hidden(const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                           const struct nsc_session_state *state, const uint64_t *known)
{
    const struct nsc_track_ids *hidden = &state->tracks[NSC_SESSION_HIDDEN];

    for (uint32_t i = 0; i < hidden->n; i++) {
        uint32_t track = nsc_track_id_find(trace, &hidden->at[i]);

        if (track != NSC_NONE && !is_known(known, track))
            nsc_arrangement_hide(arrangement, trace, track);
    }
}

static void restore_tall(const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                         const struct nsc_session_state *state, const uint64_t *known)
{
    const struct nsc_track_ids *tall = &state->tracks[NSC_SESSION_TALL];

    for (uint32_t i = 0; i < tall->n; i++) {
        uint32_t track = nsc_track_id_find(trace, &tall->at[i]);
        uint8_t *height = track == NSC_NONE ? NULL : &arrangement->height[track];

        if (height && !is_known(known, track) && *height < NSC_ARRANGEMENT_HEIGHT)
            *height = (uint8_t)(*height ? *height + 1 : 2);
    }
}

static void restore_order(const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                          const struct nsc_session_state *state)
{
    const struct nsc_track_ids *order = &state->tracks[NSC_SESSION_ORDER];
    uint32_t *rank = NULL;
    uint32_t n = 0;

    if (!order->n)
        return;
    rank = nsc_xmalloc(((size_t)arrangement->n + 1) * sizeof *rank);
    for (uint32_t i = 0; i < arrangement->n; i++)
        rank[i] = NSC_NONE;
    for (uint32_t i = 0; i < order->n; i++) {
        uint32_t track = nsc_track_id_find(trace, &order->at[i]);

        if (track != NSC_NONE && rank[track] == NSC_NONE)
            rank[track] = n++;
    }
    nsc_arrangement_sort(arrangement, trace, rank);
    free(rank);
}

void nsc_session_rows_restore(const struct nsc_session_state *state, const uint64_t *known,
                              const struct nsc_trace *trace, struct nsc_arrangement *arrangement,
                              uint64_t *folds)
{
    restore_pins(trace, arrangement, state, known);
    restore_folds(trace, folds, state, known);
    restore_hidden(trace, arrangement, state, known);
    restore_tall(trace, arrangement, state, known);
    restore_order(trace, arrangement, state);
}
