/*
 * The rows that can be looked at while the rest of an export is loaded, and the moment the whole
 * trace takes their place: what people arranged and chose since stays.
 *
 * Rows and lanes of the whole trace begin with the early ones, so that selected events stay what
 * they are; tracks have other numbers.
 */
#include "core/bits.h"
#include "core/die.h"
#include "view/app/state.h"
#include "view/model/track_id.h"
#include "view/model/tree.h"

#include <stdlib.h>

bool nsc_app_wait_for_rest(struct nsc_app *app)
{
    if (app->loading.early)
        nsc_app_say(app, "That comes with the rest of the export, which is still being read.");
    return app->loading.early;
}

/* The number of each early track in the whole trace; NSC_NONE for one that is gone. */
static uint32_t *map_tracks(const struct nsc_trace *early, const struct nsc_trace *whole)
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

/* Rows that are new are pinned and folded as they were left when the export was last looked at. */
static void restore_rest(struct nsc_app *app, const uint32_t map[], uint32_t n_early)
{
    uint32_t n = 0;
    uint64_t *known = NULL;

    (void)nsc_trace_tracks(app->trace, &n);
    known = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *known);
    for (uint32_t t = 0; t < n_early; t++)
        if (map[t] != NSC_NONE)
            nsc_bits_set(known, map[t]);
    if (app->loading.state)
        nsc_app_restore_rest(app, app->loading.state, known);
    app->loading.state = NULL;
    free(known);
}

/* Rows that are new are folded as they would be at first. */
static void keep_folds(struct nsc_app *app, const struct nsc_trace *early, const uint32_t map[])
{
    uint32_t n_early = 0;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(early, &n_early);
    uint64_t *before = app->folds;

    (void)nsc_trace_tracks(app->trace, &n);
    app->folds = nsc_xcalloc(nsc_bits_words(n) + 1, sizeof *app->folds);
    nsc_rows_fold_default(app->folds, app->trace);
    for (uint32_t t = 0; t < n_early; t++) {
        if (map[t] == NSC_NONE || !nsc_track_is_header(tracks[t].kind))
            continue;
        if (nsc_bits_get(before, t))
            nsc_bits_set(app->folds, map[t]);
        else
            nsc_bits_unset(app->folds, map[t]);
    }
    free(before);
}

/* The order of what was moved, as ranks of the tracks that there are now. The caller frees it. */
static uint32_t *moved_ranks(const struct nsc_app *app, const struct nsc_trace *early,
                             const uint32_t map[])
{
    uint32_t n = 0;
    uint32_t n_moved = 0;
    uint32_t *rank = NULL;
    uint32_t *moved = nsc_xmalloc(((size_t)app->arrangement.n + 1) * sizeof *moved);

    (void)nsc_trace_tracks(app->trace, &n);
    rank = nsc_xmalloc(((size_t)n + 1) * sizeof *rank);
    for (uint32_t i = 0; i < n; i++)
        rank[i] = NSC_NONE;
    n_moved = nsc_arrangement_moved(&app->arrangement, early, moved);
    n = 0;
    for (uint32_t i = 0; i < n_moved; i++)
        if (map[moved[i]] != NSC_NONE)
            rank[map[moved[i]]] = n++;
    free(moved);
    return rank;
}

/* What is hidden, pinned and tall; the order is the natural one again. */
static void keep_arrangement(struct nsc_app *app, const uint32_t map[])
{
    struct nsc_arrangement before = app->arrangement;
    struct nsc_arrangement *now = &app->arrangement;

    *now = (struct nsc_arrangement){.stream_height = before.stream_height,
                                    .other_height = before.other_height};
    nsc_arrangement_init(now, app->trace);
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

static void keep_places(struct nsc_app *app, const uint32_t map[])
{
    struct nsc_history *history = &app->history;

    for (uint32_t i = 0; i < history->n + history->ahead; i++)
        if (history->at[i].track != NSC_NONE)
            history->at[i].track = map[history->at[i].track];
    if (history->has_back && history->back.track != NSC_NONE)
        history->back.track = map[history->back.track];
}

/* All of it stays all of it. */
static void keep_window(struct nsc_app *app, struct nsc_window w, bool whole)
{
    uint32_t cols = app->viewport.cols;

    nsc_viewport_init(&app->viewport, nsc_trace_extent(app->trace), cols);
    if (!whole)
        nsc_viewport_set(&app->viewport, w);
}

/* What was made of the early rows is made anew when it is looked at. */
static void drop_made(struct nsc_app *app)
{
    bool has_mark = app->explore.has_mark;

    nsc_tree_free(app->tree);
    app->tree = NULL;
    nsc_app_menu_close(app);
    nsc_explore_loaded(app);
    app->explore.has_mark = has_mark;
    nsc_app_covers_fini(app);
    nsc_selection_free(app->panes.selection.made);
    app->panes.selection.made = NULL;
    nsc_app_events_fini(app);
    nsc_making_drop(&app->search.making);
    nsc_pick_clear(&app->search.pick);
    nsc_app_filter_fini(app);
    nsc_facts_fini(app);
}

/* The row that the cursor was on. */
static void keep_row(struct nsc_app *app, struct nsc_pin row, bool had)
{
    size_t line = had ? nsc_rows_find_row(&app->lines, row) : 0;

    if (had && line == app->lines.n && row.track != NSC_NONE)
        line = nsc_rows_find_track(&app->lines, app->trace, row.track);
    nsc_app_set_line(app, line < app->lines.n ? line : 0);
}

void nsc_app_take_over(struct nsc_app *app, const struct nsc_trace *whole)
{
    const struct nsc_trace *early = app->trace;
    uint32_t *map = map_tracks(early, whole);
    struct nsc_window w = nsc_viewport_window(&app->viewport);
    bool is_whole = nsc_viewport_is_whole(&app->viewport);
    bool had = app->line < app->lines.n;
    struct nsc_pin row = {0};
    uint32_t n_early = 0;
    uint32_t *rank = NULL;

    (void)nsc_trace_tracks(early, &n_early);
    if (had)
        row = nsc_rows_pin(&app->lines.at[app->line]);
    if (had && row.kind != NSC_LINE_QUERY)
        row.track = map[row.track];
    app->trace = whole;
    app->summary = nsc_trace_summary(whole);
    drop_made(app);
    keep_folds(app, early, map);
    rank = moved_ranks(app, early, map);
    keep_arrangement(app, map);
    keep_places(app, map);
    restore_rest(app, map, n_early);
    nsc_arrangement_sort(&app->arrangement, app->trace, rank);
    nsc_rows_build(&app->lines, app->trace, app->folds);
    keep_window(app, w, is_whole);
    keep_row(app, row, had);
    nsc_app_relayout(app);
    if (!nsc_app_filter_set(app, nsc_text_from(app->filter.text)))
        app->filter.text[0] = '\0';
    free(rank);
    free(map);
}
