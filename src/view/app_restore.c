/*
 * The view as it was left: told to whoever keeps it, and brought back.
 */
#include "core/bits.h"
#include "core/die.h"
#include "view/app_bookmarks.h"
#include "view/app_state.h"

#include <stdlib.h>
#include <string.h>

static const char *const axes[NSC_N_AXES] = {
    [NSC_AXIS_ABSOLUTE] = "absolute",   [NSC_AXIS_WINDOW] = "window", [NSC_AXIS_MARK] = "mark",
    [NSC_AXIS_ITERATION] = "iteration", [NSC_AXIS_UTC] = "utc",
};

/* ---- told
 * ----------------------------------------------------------------------------------------------------
 */

static void folds_put(const struct nsc_app *app, struct nsc_session_state *out)
{
    uint32_t n_tracks = 0;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, &n_tracks);
    struct nsc_track_id *ids = nsc_xmalloc(((size_t)n_tracks + 1) * sizeof *ids);

    for (uint32_t i = 0; i < n_tracks; i++)
        if (nsc_track_is_header(tracks[i].kind) && nsc_bits_get(app->folds, i))
            ids[n++] = nsc_track_id(app->trace, i, 0);
    nsc_session_state_set_folds(out, ids, n);
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
    nsc_session_state_set_pins(out, ids, n);
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
    out->filter = memcpy(nsc_xmalloc(n), app->filter.text, n);
    nsc_session_state_set(out, "axis", axes[app->explore.axis]);
    return true;
}

/* ---- brought back
 * -----------------------------------------------------------------------------------------------
 */

/* Of tracks that are not known already; known: a bit a track, NULL: none is. */
static bool is_known(const uint64_t *known, uint32_t track)
{
    return known && nsc_bits_get(known, track);
}

static void restore_folds(struct nsc_app *app, const struct nsc_session_state *state,
                          const uint64_t *known)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, &n);

    for (uint32_t i = 0; i < n; i++)
        if (!is_known(known, i))
            nsc_bits_unset(app->folds, i);
    for (uint32_t i = 0; i < state->n_folds; i++) {
        uint32_t track = nsc_track_id_find(app->trace, &state->folds[i]);

        if (track != NSC_NONE && !is_known(known, track) && nsc_track_is_header(tracks[track].kind))
            nsc_bits_set(app->folds, track);
    }
}

static void restore_pins(struct nsc_app *app, const struct nsc_session_state *state,
                         const uint64_t *known)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, &(uint32_t){0});

    for (uint32_t i = 0; i < state->n_pins; i++) {
        struct nsc_pin pin = {nsc_track_id_find(app->trace, &state->pins[i]), state->pins[i].lane,
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

static void restore_row(struct nsc_app *app, const struct nsc_session_state *state)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->trace, &(uint32_t){0});
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
    restore_pins(app, state, NULL);
    restore_folds(app, state, NULL);
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
    restore_pins(app, state, known);
    restore_folds(app, state, known);
}
