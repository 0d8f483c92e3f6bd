/* The walk list: the list that n and N visit, and lists of places by size. */

#include "nsyscope/cover.h"

#include "analysis/base/device_ops.h"
#include "core/units.h"
#include "view/app/explore.h"
#include "view/app/panes.h"
#include "view/app/prompt.h"
#include "view/scene/move.h"

#include <string.h>

enum { PAD_SHARE = 10 }; /* margin of a place, as a fraction of its window */

/* ---- places by size ---- */

/* Keeps the greatest; ties: the one added first. */
static void place_add(struct nsc_app_walk *walk, const struct nsc_walk_place *place)
{
    uint32_t at = walk->n;

    while (at > 0 && walk->places[at - 1].size < place->size)
        at--;
    if (at == NSC_WALK_PLACES_MOST)
        return;
    walk->n += walk->n < NSC_WALK_PLACES_MOST;
    memmove(&walk->places[at + 1], &walk->places[at], (walk->n - 1 - at) * sizeof *walk->places);
    walk->places[at] = *place;
}

/* Whether a size would be kept; checked before computing the rest of a place. */
static bool is_wanted(const struct nsc_app_walk *walk, nsc_time size)
{
    return size > 0 && (walk->n < NSC_WALK_PLACES_MOST || size > walk->places[walk->n - 1].size);
}

static void list_begin(struct nsc_app *app, const char *what)
{
    app->walk.list = NSC_WALK_PLACES;
    app->walk.what = what;
    app->walk.n = app->walk.at = app->walk.of = 0;
    app->walk.ranked = NULL;
}

bool nsc_app_walk_drop_range(struct nsc_app *app)
{
    const struct nsc_window *range = &app->scene->range;

    if (!app->scene->has_range || range->t0 != app->walk.shown.t0 ||
        range->t1 != app->walk.shown.t1)
        return false;
    nsc_scene_set_range(app->edit, (struct nsc_window){0, 0});
    return true;
}

void nsc_app_show_place(struct nsc_app *app, struct nsc_window w)
{
    nsc_scene_set_window(app->edit, nsc_window_padded(w, PAD_SHARE));
    nsc_scene_set_range(app->edit, w);
    app->walk.shown = w;
    app->panes.marking = false;
    if (app->scene->cursor < w.t0 || app->scene->cursor >= w.t1)
        nsc_scene_set_cursor(app->edit, w.t0 + nsc_window_length(w) / 2);
}

void nsc_app_show_span(struct nsc_app *app, struct nsc_window at)
{
    nsc_scene_save_view(app->edit);
    nsc_scene_set_cursor(app->edit, at.t0);
    if (at.t1 - at.t0 > 1) {
        nsc_scene_set_range(app->edit, at);
        app->walk.shown = at;
        (void)nsc_scene_fit_range(app->edit);
    }
    app->walk.list = NSC_WALK_LIST;
    app->walk.pane = app->pane;
    nsc_scene_go(app->edit, at.t0);
}

/* "iteration 3, Step 30: 4.14 ms, 1st of 72 by length" */
static void iteration_say(struct nsc_app *app, const struct nsc_walk_place *place, const char *size)
{
    struct nsc_iterations here = nsc_iterations_here(app->scene, &app->explore);
    uint32_t rank = app->walk.at + 1;
    uint32_t i = nsc_iterations_at(&here, place->window.t0);
    char name[NSC_AXIS_BYTES];

    nsc_iteration_name(app->scene, &here, i, name);
    nsc_app_sayf(app, "iteration %u%s: %s, %u%s of %u%s by length   n, N: next, previous",
                 here.first + i, name, size, rank, nsc_units_ordinal(rank), app->walk.of,
                 here.at != app->explore.iterations.at ? " of this GPU" : "");
}

static void place_say(struct nsc_app *app, const struct nsc_walk_place *place)
{
    const char *of = place->event == NSC_NONE && place->track != NSC_NONE ? " of this GPU" : "";
    char size[NSC_UNITS_BYTES];

    nsc_units_duration(size, place->size, app->scene->ascii);
    if (app->walk.of) {
        iteration_say(app, place, size);
        return;
    }
    nsc_app_sayf(app,
                 app->walk.n == NSC_WALK_PLACES_MOST
                     ? "%s %u of the %u longest%s: %s   n, N: next, previous"
                     : "%s %u of %u%s by length: %s   n, N: next, previous",
                 app->walk.what, app->walk.at + 1, app->walk.n, of, size);
}

static bool place_go(struct nsc_app *app)
{
    const struct nsc_walk_place *place = &app->walk.places[app->walk.at];

    nsc_scene_save_view(app->edit);
    if (place->event != NSC_NONE) {
        nsc_scene_show_event(app->edit, place->event);
    } else if (place->track != NSC_NONE) {
        nsc_scene_reveal(app->edit, place->track);
        nsc_scene_unfold(app->edit, place->track);
        nsc_scene_go_to_row(app->edit, place->track,
                            nsc_trace_track(app->scene->trace, place->track)->first_lane);
    }
    if (place->is_kernel) { /* not the range: questions are about that */
        nsc_scene_set_window(app->edit, nsc_window_padded(place->window, PAD_SHARE));
        (void)nsc_app_walk_drop_range(app);
    } else {
        nsc_app_show_place(app, place->window);
    }
    nsc_app_summary_leave(app); /* also if the cursor was there already */
    place_say(app, place);
    return true;
}

/* Goes to the first place. The details say what it is: the event, or the cause of the gap. */
static bool list_end(struct nsc_app *app, const char *nothing)
{
    const struct nsc_walk_place *place = &app->walk.places[0];
    bool has_details = place->event != NSC_NONE || place->track != NSC_NONE;

    if (app->walk.n && has_details && app->pane_open && app->pane != NSC_PANE_DETAILS) {
        nsc_app_pane_show(app, NSC_PANE_DETAILS, false);
        app->panes.focus = false;
    }
    if (app->walk.n)
        return place_go(app);
    app->walk.list = NSC_WALK_NONE;
    return nsc_app_refuse(app, nothing);
}

static bool gpu_list_end(struct nsc_app *app, const char *nothing)
{
    bool has_gpu = nsc_device_next(app->scene->trace, NSC_NONE) != NSC_NONE;

    return list_end(app, has_gpu ? nothing : "No GPU work in this export.");
}

/* ---- the lists ---- */

bool nsc_app_walk_gaps(struct nsc_app *app)
{
    uint32_t device = nsc_scene_device(app->scene);
    const struct nsc_cover *busy = NULL;
    struct nsc_lane_walk streams;
    struct nsc_walk_place place = {.event = NSC_NONE};

    list_begin(app, "idle gap");
    if (device != NSC_NONE) {
        busy = nsc_trace_device_covers(app->scene->trace, device)->busy;
        streams = nsc_device_lanes(app->scene->trace, device);
        place.track = nsc_lane_walk_next(&streams) ? streams.track : NSC_NONE;
    }
    for (uint32_t i = 1; busy && i < nsc_cover_count(busy); i++) {
        place.window.t0 = nsc_cover_at(busy, i - 1).t1;
        place.window.t1 = nsc_cover_at(busy, i).t0;
        place.size = nsc_window_length(place.window);
        if (is_wanted(&app->walk, place.size))
            place_add(&app->walk, &place);
    }
    return gpu_list_end(app, "This GPU is not idle between its first and last work.");
}

/* The communication on a device at a time. */
static nsc_event comm_at(const struct nsc_app *app, uint32_t device, nsc_time t)
{
    const struct nsc_trace *trace = app->scene->trace;
    const struct nsc_events *events = nsc_trace_events(trace);

    for (struct nsc_lane_walk at = nsc_device_lanes(trace, device); nsc_lane_walk_next(&at);) {
        nsc_event event = nsc_lane_around(trace, at.lane, t);

        if (event != NSC_NONE && nsc_trace_names(trace)->flags[events->name[event]] & NSC_NAME_COMM)
            return event;
    }
    return NSC_NONE;
}

/* False if the device runs no communication. */
static bool add_exposed(struct nsc_app *app, uint32_t device)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(app->scene->trace, device);
    const struct nsc_cover *comm = covers ? covers->work[NSC_OP_COMM] : NULL;
    struct nsc_walk_place place = {.track = NSC_NONE};

    for (uint32_t i = 0; comm && i < nsc_cover_count(comm); i++) {
        place.window = nsc_cover_at(comm, i);
        place.size = nsc_window_length(place.window);
        if (covers->hidden)
            place.size -= nsc_cover_measure(covers->hidden, place.window);
        if (!is_wanted(&app->walk, place.size))
            continue;
        place.event = comm_at(app, device, place.window.t0);
        place_add(&app->walk, &place);
    }
    return comm != NULL;
}

bool nsc_app_walk_exposed(struct nsc_app *app)
{
    const struct nsc_trace *trace = app->scene->trace;
    bool any = false;

    list_begin(app, "exposed communication");
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(trace, d)) != NSC_NONE;)
        any |= add_exposed(app, d);
    return gpu_list_end(app, any ? "All communication runs beside other work."
                                 : "No GPU runs communication kernels.");
}

bool nsc_app_walk_iterations(struct nsc_app *app)
{
    struct nsc_iterations here = nsc_iterations_here(app->scene, &app->explore);
    struct nsc_walk_place place = {.track = NSC_NONE, .event = NSC_NONE};

    list_begin(app, "iteration");
    app->walk.ranked = here.at;
    for (uint32_t i = 0; i < here.n; i++) {
        place.window = nsc_iterations_window(&here, i);
        place.size = here.at[i].warm_up ? 0 : here.at[i].period;
        app->walk.of += !here.at[i].warm_up;
        if (is_wanted(&app->walk, place.size))
            place_add(&app->walk, &place);
    }
    return list_end(app, "No iterations: no NVTX range recurs steadily through the work.");
}

static void add_kernels(struct nsc_app *app, uint32_t lane)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    const struct nsc_lane *at = &nsc_trace_lanes(app->scene->trace, NULL)[lane];
    struct nsc_walk_place place = {.track = NSC_NONE};

    for (nsc_event i = at->first; i < at->first + at->n; i++) {
        place.size = nsc_event_duration(events, i);
        if (!is_wanted(&app->walk, place.size) || events->kind[i] != NSC_KIND_KERNEL ||
            !nsc_summary_has(app->scene->summary, i))
            continue;
        place.event = i;
        place.is_kernel = true;
        place.window.t0 = events->start[i];
        place.window.t1 = nsc_event_end(events, i);
        place_add(&app->walk, &place);
    }
}

bool nsc_app_walk_kernels(struct nsc_app *app)
{
    struct nsc_lane_walk at =
        nsc_trace_all_lanes(app->scene->trace, NSC_TRACK_BIT(NSC_TRACK_STREAM));

    list_begin(app, "kernel");
    while (nsc_lane_walk_next(&at))
        add_kernels(app, at.lane);
    return gpu_list_end(app, "No kernel is shown.");
}

/* ---- from anywhere ---- */

static bool place_step(struct nsc_app *app, bool forward)
{
    struct nsc_app_walk *walk = &app->walk;

    if (!walk->n)
        return false;
    if (walk->ranked && walk->ranked != nsc_iterations_here(app->scene, &app->explore).at)
        return nsc_app_walk_iterations(app); /* the cursor is on another GPU now */
    walk->at = (walk->at + (forward ? 1 : walk->n - 1)) % walk->n;
    return place_go(app);
}

/* Moves in a pane's list, opening the pane if needed, and acts like Enter there. */
static bool list_step(struct nsc_app *app, uint32_t pane, bool forward)
{
    struct nsc_list *list = nsc_app_pane_list(app, pane);

    if (!app->pane_open || app->pane != pane)
        nsc_app_pane_show(app, pane, false);
    if (!list->n || !nsc_list_move(list, forward ? 1 : -1))
        return nsc_app_refuse(app, forward ? "This is the last of the list."
                                           : "This is the first of the list.");
    (void)nsc_app_pane_act(app, NSC_ACTION_CHOOSE);
    nsc_app_sayf(app, "%s %zu of %zu   n, N: next, previous", app->kinds[pane].name,
                 list->cursor + 1, list->n);
    return true;
}

bool nsc_app_walk_step(struct nsc_app *app, bool forward)
{
    switch (app->walk.list) {
    case NSC_WALK_PLACES:
        return place_step(app, forward);
    case NSC_WALK_FINDINGS:
        return nsc_app_finding_step(app, forward);
    case NSC_WALK_HITS:
        return nsc_app_hit_step(app, forward);
    case NSC_WALK_ITERATIONS:
        return nsc_app_iteration_step(app, forward);
    case NSC_WALK_BOOKMARKS:
        return nsc_app_bookmark_step(app, forward);
    case NSC_WALK_LIST:
        return list_step(app, app->walk.pane, forward);
    case NSC_WALK_NONE:
        if (app->pane_open && app->pane == NSC_PANE_FINDINGS)
            return nsc_app_finding_step(app, forward);
    }
    return nsc_app_refuse(app,
                          "No list yet: D slowest kernels, b idle gaps, S exposed communication, "
                          "I iterations, F findings.");
}
