/* Takes the early rows, then the loaded trace: shows all of it, with the cursor on the first row with events. */
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/model/alignment.h"
#include "view/model/tree.h"
#include "view/scene/move.h"

/* Counts damaged rows, except rows that are not events, and rows that are shown, but lack a name or do
 * not fit the columns. */
static void count_rows(struct nsc_app *app, const struct nsc_table_status *tables, uint32_t n)
{
    app->skipped = app->doubtful = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (int skip = 0; skip < NSC_N_SKIPS; skip++)
            app->skipped += nsc_skip_is_damage((enum nsc_skip)skip) ? tables[i].skipped[skip] : 0;
        app->doubtful += tables[i].odd + tables[i].missing_names;
    }
}

/* Says how several exports were aligned, unless the user chose it. */
static void tell_alignment(struct nsc_app *app)
{
    struct nsc_buf text = NSC_BUF_INIT(1024);

    if (app->compare.wanted || !nsc_trace_alignment(app->scene->trace)->why)
        return;
    nsc_buf_puts(&text, "Aligned by ");
    nsc_alignment_put(&text, app->scene->trace, app->scene->ascii);
    nsc_buf_puts(&text, ".  :align says otherwise.");
    nsc_app_say(app, text.bytes);
    nsc_buf_fini(&text);
}

/* Says that the export has no GPU work. */
static void tell_absence(struct nsc_app *app)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(app->scene->trace, &n);
    char key[32];

    for (uint32_t i = 0; i < n; i++)
        if (tracks[i].kind == NSC_TRACK_DEVICE)
            return;
    if (app->message[0] || !n)
        return;
    nsc_app_sayf(app, "No GPU work here.  %s tells what the export has and lacks.",
                 nsc_keymap_key(key, app->keymap, NSC_ACTION_INFO));
}

/* If GPU work takes little of the recording, says which part is shown, and how to see the rest. */
static void tell_little_work(struct nsc_app *app)
{
    struct nsc_window extent = app->scene->viewport.extent;
    struct nsc_window w = nsc_app_first_window(app);
    bool is_whole = nsc_viewport_is_whole(&app->scene->viewport);
    char key[32];
    char part[NSC_UNITS_BYTES], whole[NSC_UNITS_BYTES];

    if (app->message[0] || nsc_window_length(w) == nsc_window_length(extent))
        return;
    nsc_units_duration(part, nsc_window_length(w), app->scene->ascii);
    nsc_units_duration(whole, nsc_window_length(extent), app->scene->ascii);
    nsc_keymap_key(key, app->keymap, is_whole ? NSC_ACTION_FIT_GPU : NSC_ACTION_ZOOM_ALL);
    nsc_app_sayf(app, "The GPU works within %s of %s.  %s  shows %s.", part, whole, key,
                 is_whole ? "that time" : "all");
}

/* Frees what was derived from a trace; it is rebuilt on demand. */
static void drop_made(struct nsc_app *app, struct nsc_iterations found[2])
{
    bool has_mark = app->explore.has_mark;

    nsc_tree_free(app->tree);
    app->tree = NULL;
    nsc_app_menu_close(app);
    nsc_app_summary_fini(app);
    app->walk = (struct nsc_app_walk){0};
    nsc_explore_loaded(app, found);
    app->explore.has_mark = has_mark;
    nsc_app_selection_fini(app);
    nsc_app_events_fini(app);
    nsc_app_pick_drop(app, NSC_BUILDS_HITS);
    nsc_pick_clear(&app->search.pick);
    nsc_app_filter_fini(app);
    nsc_facts_fini(app);
}

static void load(struct nsc_app *app, const struct nsc_input *input, struct nsc_iterations found[2])
{
    nsc_app_build_fini(app);
    nsc_scene_load(app->edit, input->trace);
    drop_made(app, found);
    nsc_app_compare_loaded(app, found);
    nsc_app_search_fini(app);
    app->search = (struct nsc_app_search){0};
    nsc_app_sql_fini(app);
    nsc_flame_view_fini(&app->flame);
    app->flame.by = nsc_flame_view_first(input->trace);
    app->details.row_of = app->details.before = app->details.wanted = NSC_NONE;
    app->details.held = NSC_NONE;
    nsc_app_relayout(app);
    if (!nsc_app_filter_set(app, nsc_text_from(app->filter.text)))
        app->filter.text[0] = '\0';
    nsc_app_go_start(app);
    if (nsc_scene_is_filtered(app->scene))
        (void)nsc_scene_go_nearest(app->edit);
    nsc_scene_settle(app->edit);
    nsc_app_compare_update(app);
    nsc_app_summary_begin(app);
    tell_alignment(app);
}

/* ---- early rows ---- */

/* Whether the user has neither moved nor zoomed, and no view is restored. */
static bool is_untouched(const struct nsc_app *app)
{
    struct nsc_window shown = nsc_viewport_window(&app->scene->viewport);
    struct nsc_window first = app->summary.window;

    return app->summary.is_fresh && app->scene->cursor == app->summary.cursor &&
           shown.t0 == first.t0 && shown.t1 == first.t1 && !app->loading.state;
}

/* Replaces the early trace by the whole one. */
static void take_over(struct nsc_app *app, const struct nsc_trace *whole,
                      struct nsc_iterations found[2])
{
    const struct nsc_trace *early = app->scene->trace;
    bool untouched = is_untouched(app);

    nsc_scene_replace(app->edit, whole);
    drop_made(app, found);
    nsc_scene_take_over(app->edit, early, app->loading.state);
    nsc_app_compare_loaded(app, found);
    app->loading.state = NULL;
    nsc_app_relayout(app);
    if (!nsc_app_filter_set(app, nsc_text_from(app->filter.text)))
        app->filter.text[0] = '\0';
    if (!untouched)
        return;
    nsc_app_go_start(app); /* iterations are known now */
    nsc_scene_settle(app->edit);
    nsc_app_summary_begin(app);
}

/* ---- whatever was read ---- */

void nsc_app_loaded(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_iterations own[2] = {{0}};
    struct nsc_iterations *found = input->iterations ? input->iterations : own;

    if (found == own)
        nsc_iterations_find_each(own, input->trace, app->compare.wanted);
    app->sources.tables = input->tables;
    app->sources.n_tables = input->n_tables;
    count_rows(app, input->tables, input->n_tables);
    if (app->scene->trace && app->scene->early)
        take_over(app, input->trace, found);
    else
        load(app, input, found);
    for (int i = 0; i < 2; i++)
        nsc_iterations_fini(&own[i]); /* those that nothing took over */
    nsc_scene_set(app->edit, NSC_SCENE_EARLY, input->early);
    nsc_app_title_name(app);
    if (input->early)
        return;
    tell_absence(app);
    tell_little_work(app);
    nsc_projection_tell_withheld(app);
}
