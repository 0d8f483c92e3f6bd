/*
 * Arranging the rows: pinning, hiding, moving them and making them taller.
 */
#include "view/app/state.h"

#include <stdio.h>

void nsc_app_rows_rebuild(struct nsc_app *app)
{
    struct nsc_pin row = {0};
    size_t line = app->line;
    bool had = line < app->lines.n;

    if (had)
        row = nsc_rows_pin(&app->lines.at[line]);
    nsc_rows_build(&app->lines, app->trace, app->folds);
    line = had ? nsc_rows_find_row(&app->lines, row) : 0;
    if (line == app->lines.n)
        line = nsc_rows_find_track(&app->lines, app->trace, row.track);
    nsc_app_set_line(app, line);
}

static const struct nsc_line *line_of(const struct nsc_app *app)
{
    return app->line < app->lines.n ? &app->lines.at[app->line] : NULL;
}

bool nsc_app_pin(struct nsc_app *app)
{
    const struct nsc_line *line = line_of(app);

    if (!line)
        return false;
    if (line->kind == NSC_LINE_PROJECTED) {
        nsc_app_say(app, "Projected ranges stay with their device: pin that.");
        return false;
    }
    if (line->kind == NSC_LINE_QUERY) {
        nsc_app_say(app, "The rows of a query stand on top already: :sql-track takes them away.");
        return false;
    }
    if (!nsc_arrangement_pin_toggle(&app->arrangement, nsc_rows_pin(line))) {
        nsc_app_say(app, "So many rows are pinned already: p on one of them takes its pin away.");
        return false;
    }
    nsc_app_rows_rebuild(app);
    return true;
}

bool nsc_app_row_hide(struct nsc_app *app)
{
    const struct nsc_line *line = line_of(app);
    size_t at = app->line;

    if (!line)
        return false;
    if (line->kind == NSC_LINE_QUERY)
        return nsc_app_sql_track(app);
    if (line->kind == NSC_LINE_OVERLAP || line->kind == NSC_LINE_PROJECTED) {
        nsc_app_say(app, "This row stays with its device: hide that.");
        return false;
    }
    if (at < app->lines.n_pinned) {
        nsc_app_say(app, "The row is pinned: p takes its pin away.");
        return false;
    }
    nsc_arrangement_hide(&app->arrangement, app->trace, line->track);
    nsc_rows_build(&app->lines, app->trace, app->folds);
    nsc_app_set_line(app, at);
    nsc_app_select(app, nsc_app_event_at(app, app->line, nsc_app_cursor_col(app)));
    nsc_app_say(app, "Hidden.  :rows shows all rows again.");
    return true;
}

/* A pinned row changes places with the pinned one beside it. */
static bool pin_move(struct nsc_app *app, struct nsc_pin row, bool down)
{
    struct nsc_arrangement *arrangement = &app->arrangement;
    uint32_t i = nsc_arrangement_pin_find(arrangement, row);
    uint32_t other = down ? i + 1 : i - 1;
    struct nsc_pin pin;

    if (i >= arrangement->n_pins || (down ? other == arrangement->n_pins : i == 0))
        return false;
    pin = arrangement->pins[i];
    arrangement->pins[i] = arrangement->pins[other];
    arrangement->pins[other] = pin;
    nsc_app_rows_rebuild(app);
    return true;
}

bool nsc_app_row_move(struct nsc_app *app, bool down)
{
    const struct nsc_line *line = line_of(app);

    if (!line || line->kind == NSC_LINE_QUERY)
        return false;
    if (app->line < app->lines.n_pinned)
        return pin_move(app, nsc_rows_pin(line), down);
    if (!nsc_arrangement_move(&app->arrangement, app->trace, line->track, down))
        return false;
    nsc_app_rows_rebuild(app);
    return true;
}

bool nsc_app_row_taller(struct nsc_app *app)
{
    const struct nsc_line *line = line_of(app);
    uint8_t height = 0;

    if (!line)
        return false;
    if (line->kind != NSC_LINE_LANE) {
        nsc_app_say(app, "Only rows of events can be taller.");
        return false;
    }
    height = nsc_arrangement_height(&app->arrangement, app->trace, line->track);
    app->arrangement.height[line->track] = (uint8_t)(height % NSC_ARRANGEMENT_HEIGHT + 1);
    nsc_app_rows_rebuild(app);
    return true;
}

/* ---- by their labels ---- */

static bool show_all(struct nsc_app *app)
{
    bool any = nsc_arrangement_reveal_all(&app->arrangement);

    nsc_app_rows_rebuild(app);
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
    char text[NSC_APP_MESSAGE];

    pattern = without_slashes(pattern);
    if (!pattern.n) {
        (void)show_all(app);
        return NSC_OK;
    }
    n = nsc_arrangement_match(&app->arrangement, app->trace, pattern, &wrong);
    if (wrong)
        return nsc_fail(error, NSC_EINVAL, "rows: %s", wrong);
    if (!n)
        return nsc_fail(error, NSC_EINVAL, "rows: no row has such a label; nothing is changed");
    nsc_app_rows_rebuild(app);
    nsc_app_select(app, nsc_app_event_at(app, app->line, nsc_app_cursor_col(app)));
    (void)snprintf(text, sizeof text, "%u label%s it.  :rows shows all rows again.", n,
                   n == 1 ? " matches" : "s match");
    nsc_app_say(app, text);
    return NSC_OK;
}

void nsc_app_reveal(struct nsc_app *app, uint32_t track)
{
    if (nsc_arrangement_reveal(&app->arrangement, app->trace, track))
        nsc_rows_build(&app->lines, app->trace, app->folds);
}

/* ---- the stream with the cursor ---- */

void nsc_app_rows_follow(struct nsc_app *app)
{
    struct nsc_arrangement *arrangement = &app->arrangement;
    const struct nsc_line *line = line_of(app);
    uint32_t track = line && line->kind == NSC_LINE_LANE ? line->track : NSC_NONE;

    if (track == NSC_NONE || nsc_trace_track(app->trace, track)->kind != NSC_TRACK_STREAM)
        return;
    if (arrangement->stream == track)
        return;
    arrangement->stream = track;
    if (arrangement->stream_height != arrangement->other_height)
        nsc_app_rows_rebuild(app);
}
