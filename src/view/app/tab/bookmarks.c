/*
 * Bookmarks on the timeline: creating one at the cursor, and going to one.
 */
#include "core/units.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/kit/page.h"
#include "view/scene/look.h"
#include "view/scene/move.h"

#include <stdio.h>

enum { PATH_BYTES = 1 << 14, NAME_BYTES = NSC_UNITS_BYTES + 16 };

void nsc_app_bookmarks_fini(struct nsc_app *app)
{
    nsc_bookmarks_fini(&app->bookmarks.list);
    nsc_table_fini(&app->bookmarks.table);
    nsc_sheet_fini(&app->bookmarks.sheet);
    for (size_t i = 0; i < app->bookmarks.n_removed; i++)
        nsc_bookmark_fini(&app->bookmarks.removed[i]);
}

/* ---- kept in order ---- */

/* A copy of the bookmark at the list's cursor; an empty one if there is none. */
static struct nsc_bookmark current_of(const struct nsc_app *app)
{
    uint32_t i = nsc_table_row(&app->bookmarks.table);

    return i != NSC_NONE ? nsc_bookmark_copy(&app->bookmarks.list.at[i]) : nsc_bookmark_new(0);
}

/* Moves the list's cursor to the bookmark that equals this one, which it frees. */
static void follow(struct nsc_app *app, struct nsc_bookmark *wanted)
{
    const struct nsc_bookmarks *list = &app->bookmarks.list;
    size_t i = 0;

    nsc_pane_bookmarks_list(app->scene, &app->bookmarks);
    while (i < nsc_bookmarks_live(list) && nsc_bookmark_compare(&list->at[i], wanted) != 0)
        i++;
    if (!nsc_list_go(&app->bookmarks.table.list, i))
        nsc_list_clamp(&app->bookmarks.table.list);
    nsc_bookmark_fini(wanted);
}

void nsc_app_bookmarks_copy(struct nsc_app *app, struct nsc_bookmarks *out, int64_t utc,
                            uint64_t random)
{
    struct nsc_bookmarks *list = &app->bookmarks.list;
    struct nsc_bookmark current = current_of(app);

    nsc_bookmarks_set_stamp(list, utc, random);
    follow(app, &current);
    nsc_bookmarks_copy(out, list);
    for (size_t i = 0; i < list->n; i++)
        list->at[i].changed = false;
}

void nsc_app_bookmarks_input(struct nsc_app *app, const struct nsc_input *input)
{
    struct nsc_bookmark current = current_of(app);

    if (input->bookmarks)
        nsc_bookmarks_merge(&app->bookmarks.list, input->bookmarks);
    follow(app, &current);
    if (input->state && input->state->modified && app->scene->early)
        app->loading.state = input->state;
    if (input->state && app->scene->trace)
        nsc_app_restore(app, input->state);
    if (input->text && input->text[0])
        nsc_app_say(app, input->text);
}

/* ---- made ---- */

static void path_set(const struct nsc_app *app, struct nsc_bookmark *b)
{
    struct nsc_buf path = NSC_BUF_INIT(PATH_BYTES);
    char scratch[NSC_NAME_BYTES];

    for (uint32_t i = 0;
         i < app->details.facts.n_path && app->details.facts.event == app->scene->selected; i++) {
        struct nsc_text name = nsc_trace_event_text(app->scene->trace, app->details.facts.path[i],
                                                    !app->scene->demangled, scratch);

        if (i)
            nsc_buf_puts(&path, " / ");
        nsc_buf_add(&path, name.bytes, name.n);
    }
    nsc_bookmark_set_text(b, NSC_BOOKMARK_PATH, nsc_text_of_buf(&path));
    nsc_buf_fini(&path);
}

static struct nsc_bookmark bookmark_here(const struct nsc_app *app)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    struct nsc_bookmark b = nsc_bookmark_new(app->scene->cursor);

    b.has_zoom = true;
    b.zoom = nsc_viewport_window(&app->scene->viewport);
    b.has_track = nsc_scene_row_id(app->scene, &b.track);
    if (app->scene->selected != NSC_NONE) {
        b.time = events->start[app->scene->selected];
        b.has_event = true;
        b.kind = events->kind[app->scene->selected];
        b.source = events->source[app->scene->selected];
        path_set(app, &b);
    }
    nsc_bookmark_set_text(&b, NSC_BOOKMARK_FILTER, nsc_text_from(app->filter.text));
    return b;
}

void nsc_app_bookmark_add(struct nsc_app *app, struct nsc_bookmark *b)
{
    size_t i = nsc_bookmarks_add(&app->bookmarks.list, b);

    nsc_pane_bookmarks_list(app->scene, &app->bookmarks);
    (void)nsc_list_go(&app->bookmarks.table.list, i);
    app->effects.set |= NSC_EFFECT_SAVE;
}

/* "idle gap 190 ms" at the place that was walked to. False elsewhere. */
static bool place_name(const struct nsc_app *app, struct nsc_buf *out)
{
    const struct nsc_app_walk *walk = &app->walk;
    const struct nsc_walk_place *place = &walk->places[walk->at];
    char size[NSC_UNITS_BYTES];

    if (walk->list != NSC_WALK_PLACES || walk->at >= walk->n ||
        app->scene->cursor < place->window.t0 || app->scene->cursor >= place->window.t1)
        return false;
    nsc_buf_printf(out, "%s %s", walk->what,
                   nsc_units_duration(size, place->size, app->scene->ascii));
    return true;
}

bool nsc_app_bookmark_open(struct nsc_app *app)
{
    char scratch[NSC_NAME_BYTES];
    const struct nsc_line *line = nsc_scene_cursor_line(app->scene);
    struct nsc_buf label = NSC_BUF_INIT(NSC_NAME_BYTES);
    struct nsc_text name = nsc_text_from("");

    if (app->scene->selected != NSC_NONE) {
        name = nsc_trace_event_text(app->scene->trace, app->scene->selected, !app->scene->demangled,
                                    scratch);
    } else if (place_name(app, &label)) {
        name = nsc_text_of_buf(&label);
    } else if (line && line->kind != NSC_LINE_QUERY) {
        name = nsc_trace_string(app->scene->trace,
                                nsc_trace_track(app->scene->trace, line->track)->label);
        nsc_label_add(&label, name, app->scene->ascii);
        name = nsc_text_of_buf(&label);
    }
    nsc_app_prompt_offer(app, NSC_PROMPT_BOOKMARK, name);
    nsc_buf_fini(&label);
    return true;
}

bool nsc_app_bookmark_span(struct nsc_app *app, struct nsc_window span)
{
    (void)nsc_app_bookmark_open(app);
    app->bookmarks.has_span = true;
    app->bookmarks.span = span;
    return true;
}

/* Uses the row of the selected event, which may differ from the cursor's. */
static void span_set(const struct nsc_app *app, struct nsc_bookmark *b)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(app->scene->trace, NULL);
    const struct nsc_track *tracks = nsc_trace_tracks(app->scene->trace, NULL);

    b->has_range = true;
    b->range = app->bookmarks.span;
    b->time = b->range.t0;
    b->has_zoom = false;
    if (app->scene->selected != NSC_NONE) {
        uint32_t lane = nsc_trace_lane_of(app->scene->trace, app->scene->selected);

        b->has_track = true;
        b->track = nsc_track_id(app->scene->trace, lanes[lane].track,
                                lane - tracks[lanes[lane].track].first_lane);
    }
}

static void bookmark_cancel(struct nsc_app *app)
{
    app->bookmarks.has_span = false;
}

static bool bookmark_accept(struct nsc_app *app)
{
    struct nsc_bookmark b = bookmark_here(app);

    if (app->bookmarks.has_span)
        span_set(app, &b);
    app->bookmarks.has_span = false;
    nsc_bookmark_set_text(&b, NSC_BOOKMARK_NAME, nsc_app_prompt_text(app));
    nsc_app_bookmark_add(app, &b);
    return true;
}

const struct nsc_prompt_kind nsc_prompt_bookmark = {"bookmark:",     "save",          NULL,
                                                    bookmark_accept, bookmark_cancel, NULL};

static bool has_range(const struct nsc_app *app)
{
    const struct nsc_bookmarks *list = &app->bookmarks.list;

    for (size_t i = 0; i < nsc_bookmarks_live(list); i++)
        if (list->at[i].has_range && list->at[i].range.t0 == app->scene->range.t0 &&
            list->at[i].range.t1 == app->scene->range.t1)
            return true;
    return false;
}

void nsc_app_bookmark_range(struct nsc_app *app)
{
    struct nsc_bookmark b = nsc_bookmark_new(0);
    char length[NSC_UNITS_BYTES];
    char name[NAME_BYTES];

    if (!app->scene->has_range || has_range(app))
        return;
    b = bookmark_here(app);
    b.has_range = true;
    b.range = app->scene->range;
    nsc_units_duration(length, nsc_window_length(app->scene->range), app->scene->ascii);
    (void)snprintf(name, sizeof name, "range %s", length);
    nsc_bookmark_set_text(&b, NSC_BOOKMARK_NAME, nsc_text_from(name));
    nsc_app_bookmark_add(app, &b);
    nsc_app_say(app, "The range is a bookmark now.");
}

/* ---- gone to ---- */

/* Goes to the bookmark's row and opens its group. False if this trace has no such row. */
static bool go_to_row(struct nsc_app *app, const struct nsc_bookmark *b)
{
    const struct nsc_track *tracks = nsc_trace_tracks(app->scene->trace, NULL);
    uint32_t track = b->has_track ? nsc_track_id_find(app->scene->trace, &b->track) : NSC_NONE;

    if (track == NSC_NONE)
        return false;
    nsc_scene_unfold(app->edit, track);
    nsc_scene_go_to_row(app->edit, track,
                        b->track.lane < tracks[track].n_lanes
                            ? tracks[track].first_lane + b->track.lane
                            : NSC_NONE);
    return true;
}

/* The bookmark's event on the line with the cursor; NSC_NONE if it is missing. */
static nsc_event event_of(const struct nsc_app *app, const struct nsc_bookmark *b)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    uint32_t lane = nsc_scene_lane(app->scene, app->scene->line);
    const struct nsc_lane *at = NULL;
    nsc_event event = NSC_NONE;

    if (lane == NSC_NONE || !b->has_event)
        return NSC_NONE;
    at = &nsc_trace_lanes(app->scene->trace, NULL)[lane];
    event = nsc_lane_find(app->scene->trace, lane, b->time);
    while (event > at->first && events->start[event - 1] >= b->time)
        event--;
    for (; event - at->first < at->n; event++)
        if (events->kind[event] == b->kind && events->source[event] == b->source)
            return event;
        else if (events->start[event] > b->time)
            break;
    return NSC_NONE;
}

/* The bookmark's time, clipped to the loaded part of the export. */
static nsc_time time_of(const struct nsc_app *app, const struct nsc_bookmark *b)
{
    struct nsc_window extent = app->scene->viewport.extent;

    return b->time < extent.t0 ? extent.t0 : b->time < extent.t1 ? b->time : extent.t1 - 1;
}

static void show_time(struct nsc_app *app, const struct nsc_bookmark *b)
{
    nsc_time t = time_of(app, b);

    if (b->has_zoom && b->zoom.t0 < b->zoom.t1)
        nsc_scene_set_window(app->edit, b->zoom);
    else if (b->has_range)
        nsc_scene_set_window(app->edit, b->range);
    nsc_scene_go(app->edit, t);
    if (!b->has_range)
        return;
    app->panes.marking = false;
    nsc_scene_set_range(app->edit, b->range);
}

bool nsc_app_bookmark_jump(struct nsc_app *app, size_t i)
{
    const struct nsc_bookmark *b = NULL;

    if (i >= nsc_bookmarks_live(&app->bookmarks.list))
        return false;
    b = &app->bookmarks.list.at[i];
    (void)nsc_list_go(&app->bookmarks.table.list, i);
    nsc_scene_save_view(app->edit);
    show_time(app, b);
    (void)go_to_row(app, b);
    nsc_scene_select(app->edit, b->has_range ? NSC_NONE : event_of(app, b));
    app->walk.list = NSC_WALK_BOOKMARKS;
    nsc_app_say(app, nsc_bookmark_text(b, NSC_BOOKMARK_NAME));
    return true;
}

/* Starts from the bookmark under the cursor, else from the cursor's time. Wraps around at the
 * end. */
bool nsc_app_bookmark_step(struct nsc_app *app, bool forward)
{
    const struct nsc_bookmarks *list = &app->bookmarks.list;
    size_t n = nsc_bookmarks_live(list);
    size_t i = nsc_table_row(&app->bookmarks.table);

    if (!n)
        return nsc_app_refuse(app, "There are no bookmarks yet.");
    /* The cursor is inside an event of the bookmark's column. */
    if (i < n && nsc_viewport_col(&app->scene->viewport, time_of(app, &list->at[i])) ==
                     (int)nsc_scene_cursor_col(app->scene))
        return nsc_app_bookmark_jump(app, (i + (forward ? 1 : n - 1)) % n);
    for (i = 0; i < n && list->at[i].time <= app->scene->cursor; i++) {
    }
    return nsc_app_bookmark_jump(app, (i + (forward ? 0 : n - 1)) % n);
}
