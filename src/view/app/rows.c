/* Arranges the rows: pins, hides and moves them, and changes their heights. */
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/scene/move.h"

bool nsc_app_pin(struct nsc_app *app)
{
    const struct nsc_line *line = nsc_scene_cursor_line(app->scene);

    if (!line)
        return false;
    if (line->kind == NSC_LINE_PROJECTED || line->kind == NSC_LINE_REST)
        return nsc_app_refuse(app, "This row stays with its group: pin that.");
    if (line->kind == NSC_LINE_QUERY)
        return nsc_app_refuse(
            app, "The rows of a query stand on top already: :sql-track takes them away.");
    if (!nsc_scene_pin_toggle(app->edit, nsc_rows_pin(line)))
        return nsc_app_refuse(
            app, "So many rows are pinned already: p on one of them takes its pin away.");
    return true;
}

bool nsc_app_row_hide(struct nsc_app *app)
{
    const struct nsc_line *line = nsc_scene_cursor_line(app->scene);

    if (!line)
        return false;
    if (line->kind == NSC_LINE_QUERY)
        return nsc_app_sql_track(app);
    if (line->kind == NSC_LINE_PROJECTED) {
        nsc_scene_change(app->edit, NSC_SCENE_PROJECT, NSC_PROJECT_OFF);
        nsc_app_say(app, "NVTX is off on every GPU.  P shows it again.");
        return true;
    }
    if (line->kind == NSC_LINE_OVERLAP || line->kind == NSC_LINE_IDLE ||
        line->kind == NSC_LINE_REST)
        return nsc_app_refuse(app, "This row stays with its device: hide that.");
    if (app->scene->line < app->scene->lines.n_pinned)
        return nsc_app_refuse(app, "The row is pinned: p takes its pin away.");
    nsc_scene_hide(app->edit, line->track);
    nsc_app_say(app, "Hidden.  u takes it back;  :rows shows all rows.");
    return true;
}

bool nsc_app_row_taller(struct nsc_app *app)
{
    const struct nsc_line *line = nsc_scene_cursor_line(app->scene);

    if (!line)
        return false;
    if (line->kind != NSC_LINE_LANE)
        return nsc_app_refuse(app, "Only rows of events can be taller.");
    nsc_scene_taller(app->edit, line->track);
    return true;
}

/* ---- by their labels ---- */

static bool show_all(struct nsc_app *app)
{
    bool any = nsc_scene_reveal_all(app->edit);

    nsc_app_say(app, any ? "All rows are shown." : "No row was hidden.");
    return any;
}

/* "/re/", "/re" or "re". */
static struct nsc_text without_slashes(struct nsc_text text)
{
    if (text.n && text.bytes[0] == '/') {
        text.bytes++;
        text.n--;
        if (text.n && text.bytes[text.n - 1] == '/')
            text.n--;
    }
    return text;
}

enum nsc_status nsc_app_rows_match(struct nsc_app *app, struct nsc_text pattern,
                                   struct nsc_error *error)
{
    const char *wrong = NULL;
    uint32_t n = 0;

    pattern = without_slashes(pattern);
    if (!pattern.n) {
        (void)show_all(app);
        return NSC_OK;
    }
    n = nsc_scene_match(app->edit, pattern, &wrong);
    if (wrong)
        return nsc_fail(error, NSC_EINVAL, "rows: %s", wrong);
    if (!n)
        return nsc_fail(error, NSC_EINVAL, "rows: no row has such a label; nothing is changed");
    nsc_app_sayf(app, "%u label%s it.  :rows shows all rows again.", n,
                 n == 1 ? " matches" : "s match");
    return NSC_OK;
}

bool nsc_app_track_hide(struct nsc_app *app)
{
    if (!app->sql.track)
        return false;
    nsc_app_track_show(app, NULL);
    return true;
}

void nsc_app_track_show(struct nsc_app *app, struct nsc_trace *track)
{
    nsc_scene_set_query(app->edit, NULL);
    nsc_trace_free(app->sql.track);
    app->sql.track = track;
    nsc_scene_set_query(app->edit, track);
}
