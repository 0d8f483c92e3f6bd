/*
 * The view as it was left: told to whoever keeps it, and brought back.
 */
#include "core/bits.h"
#include "core/die.h"
#include "view/app/bookmarks.h"
#include "view/app/state.h"

#include <stdlib.h>
#include <string.h>

static const char *const axes[NSC_N_AXES] = {
    [NSC_AXIS_ABSOLUTE] = "absolute",   [NSC_AXIS_WINDOW] = "window", [NSC_AXIS_MARK] = "mark",
    [NSC_AXIS_ITERATION] = "iteration", [NSC_AXIS_UTC] = "utc",
};

/* ---- told ---- */

static void folds_put(const struct nsc_app *app, struct nsc_session_state *out)
{
    uint32_t n_tracks = 0;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, &n_tracks);
    struct nsc_track_id *ids = nsc_xmalloc(((size_t)n_tracks + 1) * sizeof *ids);

    for (uint32_t i = 0; i < n_tracks; i++)
        if (nsc_track_is_header(tracks[i].kind) && nsc_bits_get(app->folds, i))
            ids[n++] = nsc_track_id(app->trace, i, 0);
    nsc_session_state_set_tracks(out, NSC_SESSION_FOLDS, ids, n);
    free(ids);
}

static void pins_put(const struct nsc_app *app, struct nsc_session_state *out)
{
    struct nsc_track_id ids[NSC_ARRANGEMENT_PINS];
    uint32_t n = 0;

    for (uint32_t i = 0; i < app->arrangement.n_pins; i++) {
        struct nsc_pin pin = app->arrangement.pins[i];

        /* An identity has no place for what is drawn of a device besides its header. */
        if (pin.kind != NSC_LINE_OVERLAP)
            ids[n++] = nsc_track_id(app->trace, pin.track, pin.index);
    }
    nsc_session_state_set_tracks(out, NSC_SESSION_PINS, ids, n);
}

static void hidden_put(const struct nsc_app *app, struct nsc_session_state *out)
{
    const struct nsc_arrangement *arrangement = &app->arrangement;
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, NULL);
    struct nsc_track_id *ids = nsc_xmalloc(((size_t)arrangement->n + 1) * sizeof *ids);
    uint32_t n = 0;
    uint32_t next = 0;

    for (uint32_t i = 0; i < arrangement->n; i = next) {
        bool hides = nsc_arrangement_hides(arrangement, i);

        next = hides ? tracks[i].skip : i + 1;
        if (hides)
            ids[n++] = nsc_track_id(app->trace, i, 0);
    }
    nsc_session_state_set_tracks(out, NSC_SESSION_HIDDEN, ids, n);
    free(ids);
}

static void order_put(const struct nsc_app *app, struct nsc_session_state *out)
{
    size_t room = (size_t)app->arrangement.n + 1;
    uint32_t *moved = nsc_xmalloc(room * sizeof *moved);
    struct nsc_track_id *ids = nsc_xmalloc(room * sizeof *ids);
    uint32_t n = nsc_arrangement_moved(&app->arrangement, app->trace, moved);

    for (uint32_t i = 0; i < n; i++)
        ids[i] = nsc_track_id(app->trace, moved[i], 0);
    nsc_session_state_set_tracks(out, NSC_SESSION_ORDER, ids, n);
    free(moved);
    free(ids);
}

static void tall_put(const struct nsc_app *app, struct nsc_session_state *out)
{
    const struct nsc_arrangement *arrangement = &app->arrangement;
    struct nsc_track_id *ids =
        nsc_xmalloc(((size_t)arrangement->n * NSC_ARRANGEMENT_HEIGHT + 1) * sizeof *ids);
    uint32_t n = 0;

    for (uint32_t i = 0; i < arrangement->n; i++) {
        if (arrangement->height[i] < 2)
            continue;
        ids[n] = nsc_track_id(app->trace, i, 0);
        for (uint8_t k = 2; k < arrangement->height[i]; k++, n++)
            ids[n + 1] = ids[n];
        n++;
    }
    nsc_session_state_set_tracks(out, NSC_SESSION_TALL, ids, n);
    free(ids);
}

bool nsc_app_state(const struct nsc_app *app, struct nsc_session_state *out)
{
    size_t n = strlen(app->filter.text) + 1;

    *out = (struct nsc_session_state){0};
    if (!app->trace)
        return false;
    out->has_window = true;
    out->window = nsc_viewport_window(&app->viewport);
    out->cursor = app->cursor;
    if (app->line < app->lines.n) {
        const struct nsc_line *line = &app->lines.at[app->line];

        out->has_row = true;
        out->row =
            nsc_track_id(app->trace, line->track, line->kind == NSC_LINE_LANE ? line->index : 0);
    }
    folds_put(app, out);
    pins_put(app, out);
    hidden_put(app, out);
    order_put(app, out);
    tall_put(app, out);
    out->filter = memcpy(nsc_xmalloc(n), app->filter.text, n);
    nsc_session_state_set(out, "axis", axes[app->explore.axis]);
    return true;
}

/* ---- brought back ---- */

/* known: a bit a track; NULL: none is. */
static bool is_known(const uint64_t *known, uint32_t track)
{
    return known && nsc_bits_get(known, track);
}

static void restore_folds(struct nsc_app *app, const struct nsc_session_state *state,
                          const uint64_t *known)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, &n);
    const struct nsc_track_ids *folds = &state->tracks[NSC_SESSION_FOLDS];

    for (uint32_t i = 0; i < n; i++)
        if (!is_known(known, i))
            nsc_bits_unset(app->folds, i);
    for (uint32_t i = 0; i < folds->n; i++) {
        uint32_t track = nsc_track_id_find(app->trace, &folds->at[i]);

        if (track != NSC_NONE && !is_known(known, track) && nsc_track_is_header(tracks[track].kind))
            nsc_bits_set(app->folds, track);
    }
}

static void restore_pins(struct nsc_app *app, const struct nsc_session_state *state,
                         const uint64_t *known)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, NULL);
    const struct nsc_track_ids *pins = &state->tracks[NSC_SESSION_PINS];

    for (uint32_t i = 0; i < pins->n; i++) {
        struct nsc_pin pin = {nsc_track_id_find(app->trace, &pins->at[i]), pins->at[i].lane,
                              NSC_LINE_LANE};

        if (pin.track == NSC_NONE || is_known(known, pin.track))
            continue;
        if (nsc_track_is_header(tracks[pin.track].kind))
            pin.kind = NSC_LINE_GROUP;
        else if (tracks[pin.track].counter != NSC_NONE)
            pin.kind = NSC_LINE_COUNTER;
        if (nsc_arrangement_pin_find(&app->arrangement, pin) == app->arrangement.n_pins)
            (void)nsc_arrangement_pin_toggle(&app->arrangement, pin);
    }
}

static void restore_hidden(struct nsc_app *app, const struct nsc_session_state *state,
                           const uint64_t *known)
{
    const struct nsc_track_ids *hidden = &state->tracks[NSC_SESSION_HIDDEN];

    for (uint32_t i = 0; i < hidden->n; i++) {
        uint32_t track = nsc_track_id_find(app->trace, &hidden->at[i]);

        if (track != NSC_NONE && !is_known(known, track))
            nsc_arrangement_hide(&app->arrangement, app->trace, track);
    }
}

static void restore_tall(struct nsc_app *app, const struct nsc_session_state *state,
                         const uint64_t *known)
{
    const struct nsc_track_ids *tall = &state->tracks[NSC_SESSION_TALL];

    for (uint32_t i = 0; i < tall->n; i++) {
        uint32_t track = nsc_track_id_find(app->trace, &tall->at[i]);
        uint8_t *height = track == NSC_NONE ? NULL : &app->arrangement.height[track];

        if (height && !is_known(known, track) && *height < NSC_ARRANGEMENT_HEIGHT)
            *height = (uint8_t)(*height ? *height + 1 : 2);
    }
}

static void restore_order(struct nsc_app *app, const struct nsc_session_state *state)
{
    const struct nsc_track_ids *order = &state->tracks[NSC_SESSION_ORDER];
    uint32_t *rank = NULL;
    uint32_t n = 0;

    if (!order->n)
        return;
    rank = nsc_xmalloc(((size_t)app->arrangement.n + 1) * sizeof *rank);
    for (uint32_t i = 0; i < app->arrangement.n; i++)
        rank[i] = NSC_NONE;
    for (uint32_t i = 0; i < order->n; i++) {
        uint32_t track = nsc_track_id_find(app->trace, &order->at[i]);

        if (track != NSC_NONE && rank[track] == NSC_NONE)
            rank[track] = n++;
    }
    nsc_arrangement_sort(&app->arrangement, app->trace, rank);
    free(rank);
}

/* What was done to tracks that are not known already. */
static void restore_rows(struct nsc_app *app, const struct nsc_session_state *state,
                         const uint64_t *known)
{
    restore_pins(app, state, known);
    restore_folds(app, state, known);
    restore_hidden(app, state, known);
    restore_tall(app, state, known);
}

static void restore_row(struct nsc_app *app, const struct nsc_session_state *state)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, NULL);
    uint32_t track = state->has_row ? nsc_track_id_find(app->trace, &state->row) : NSC_NONE;

    if (track == NSC_NONE)
        nsc_app_set_line(app, app->line);
    else if (state->row.lane < tracks[track].n_lanes)
        nsc_app_set_line(app, nsc_rows_find(&app->lines, app->trace,
                                            tracks[track].first_lane + state->row.lane));
    else
        nsc_app_set_line(app, nsc_rows_find_track(&app->lines, app->trace, track));
}

static void restore_window(struct nsc_app *app, const struct nsc_session_state *state)
{
    struct nsc_window w;

    if (!state->has_window || state->window.t0 >= state->window.t1)
        return;
    nsc_viewport_set(&app->viewport, state->window);
    w = nsc_viewport_window(&app->viewport);
    app->cursor = state->cursor < w.t0 ? w.t0 : state->cursor < w.t1 ? state->cursor : w.t1 - 1;
}

void nsc_app_restore(struct nsc_app *app, const struct nsc_session_state *state)
{
    const char *axis = nsc_session_state_get(state, "axis");

    if (!state->modified)
        return;
    app->arrangement.n_pins = 0;
    restore_rows(app, state, NULL);
    restore_order(app, state);
    nsc_rows_build(&app->lines, app->trace, app->folds);
    restore_window(app, state);
    restore_row(app, state);
    /* A filter that was asked for now comes before one of then. */
    if (!app->filter.text[0] && state->filter && state->filter[0])
        (void)nsc_app_filter_set(app, nsc_text_from(state->filter));
    for (int i = 0; i < NSC_N_AXES; i++)
        if (strcmp(axes[i], axis) == 0)
            (void)nsc_app_axis_set(app, (enum nsc_axis)i);
    nsc_app_select(app, nsc_app_event_at(app, app->line, nsc_app_cursor_col(app)));
}

void nsc_app_restore_rest(struct nsc_app *app, const struct nsc_session_state *state,
                          const uint64_t *known)
{
    if (!state->modified)
        return;
    restore_rows(app, state, known);
    restore_order(app, state);
}
