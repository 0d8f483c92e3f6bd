/* The events pane: selects and sorts its events, and goes to one. */
#include "analysis/select/listing.h"
#include "analysis/select/standing.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/sort.h"
#include "index/builds.h"
#include "view/app/panes.h"
#include "view/app/state.h"
#include "view/scene/move.h"

#include <stdlib.h>

#ifdef NSC_SMALL
#define SORT_AT_ONCE 16u
#else
#define SORT_AT_ONCE 200000u /* events: longer lists are sorted when no key is waiting */
#endif

enum { FIT_SHARE = 2 }; /* room beside an event: this part of it */

/* Drops the listing. */
static void drop(struct nsc_app *app)
{
    if (app->panes.events.is_made)
        nsc_listing_fini(&app->panes.events.listing);
    nsc_pick_clear(&app->panes.events.alike);
    app->panes.events.is_made = false;
}

void nsc_app_events_fini(struct nsc_app *app)
{
    struct nsc_pane_events *events = &app->panes.events;
    enum nsc_listing_order order = nsc_pane_events_order(events);

    drop(app);
    nsc_table_fini(&events->table);
    nsc_pane_events_set_order(events, order);
    nsc_sheet_fini(&events->sheet);
}

/* The rows kept by the filter that the statistics count under the same name. */
static uint64_t *group_mask(const struct nsc_app *app)
{
    const struct nsc_events *rows = nsc_trace_events(app->scene->trace);
    const struct nsc_names *names = nsc_trace_names(app->scene->trace);
    const nsc_str *text = app->panes.events.group.brief ? names->brief : names->full;
    nsc_name wanted = rows->name[app->panes.events.like];
    bool *is_wanted = nsc_xcalloc((size_t)names->n + 1, sizeof *is_wanted);
    uint64_t *mask = nsc_xcalloc(nsc_bits_words(rows->n) + 1, sizeof *mask);

    for (nsc_name i = 0; i < names->n; i++)
        is_wanted[i] = i == wanted || text[i] == text[wanted];
    for (nsc_event i = 0; i < rows->n; i++)
        mask[i / 64] |= (uint64_t)is_wanted[rows->name[i]] << (i % 64);
    for (size_t i = 0; app->filter.pick.mask && i < nsc_bits_words(rows->n); i++)
        mask[i] &= app->filter.pick.mask[i];
    free(is_wanted);
    return mask;
}

/* Selects events like one, among those kept by the filter. */
static const struct nsc_summary *pick_alike(struct nsc_app *app)
{
    struct nsc_pane_events *events = &app->panes.events;

    events->alike.mask =
        events->is_group ? group_mask(app)
                         : nsc_event_alike(app->pool, app->scene->trace, app->filter.pick.mask,
                                           events->like, events->durations, !app->scene->demangled);
    events->alike.summary = nsc_summary_build_on(app->pool, app->scene->trace, events->alike.mask);
    if (!events->alike.summary) {
        nsc_app_say(app, "There is not enough memory to list them alone.");
        events->like = NSC_NONE;
    }
    return events->alike.summary ? events->alike.summary : app->scene->summary;
}

static void ask(struct nsc_app *app, const struct nsc_subject *question)
{
    struct nsc_pane_events *events = &app->panes.events;
    const struct nsc_summary *summary = app->scene->summary;
    struct nsc_window w = question->window;
    uint32_t *lanes = NULL;
    uint32_t n = 0;

    drop(app);
    if (events->like != NSC_NONE)
        summary = pick_alike(app);
    if (events->like != NSC_NONE && events->is_group) {
        w = events->group.window;
        lanes = nsc_subject_lanes(app->scene, &events->group, &n);
    } else if (events->like != NSC_NONE) {
        w = (struct nsc_window){INT64_MIN, INT64_MAX};
        (void)nsc_trace_lanes(app->scene->trace, &n);
        lanes = nsc_sort_numbers(n);
    } else {
        lanes = nsc_subject_lanes(app->scene, question, &n);
    }
    nsc_listing_init(&events->listing, app->scene->trace, summary, w, lanes, n);
    free(lanes);
    events->is_made = true;
    events->question = *question;
    events->cursor_of = NSC_NONE;
}

static void sort(struct nsc_app *app)
{
    struct nsc_pane_events *events = &app->panes.events;

    if (!nsc_listing_sort(&events->listing, app->pool, nsc_pane_events_order(events),
                          !app->scene->demangled)) {
        nsc_app_say(app, "These are too many to be sorted: select a range.");
        nsc_pane_events_set_order(events, events->listing.order);
    }
    /* The list starts at its top; the timeline's cursor stays. */
    events->cursor_of = app->scene->selected;
    events->table.list.cursor = events->table.list.top = 0;
}

/* Moves the list's cursor to the selected event if it is listed. */
static void follow_selection(struct nsc_app *app)
{
    struct nsc_pane_events *events = &app->panes.events;
    struct nsc_list *list = &events->table.list;
    uint32_t position = NSC_NONE;

    if (events->cursor_of == app->scene->selected)
        return;
    events->cursor_of = app->scene->selected;
    position = nsc_listing_find(&events->listing, app->scene->selected);
    if (position == NSC_NONE)
        return;
    if (position < list->top || position - list->top >= list->height) {
        list->cursor = position;
        nsc_list_center(list);
    }
    (void)nsc_list_set(list, position);
}

/* While the pane has the focus, moving the timeline does not change the list. */
static bool is_kept(const struct nsc_app *app, const struct nsc_subject *question)
{
    const struct nsc_subject *shown = &app->panes.events.question;

    return nsc_app_pane_has_focus(app) && shown->summary == question->summary &&
           shown->count == question->count && shown->busy == question->busy &&
           shown->is_range == question->is_range &&
           (!question->is_range ||
            (shown->window.t0 == question->window.t0 && shown->window.t1 == question->window.t1));
}

void nsc_app_events_update(struct nsc_app *app)
{
    struct nsc_pane_events *events = &app->panes.events;
    struct nsc_subject question = nsc_scene_subject(app->scene, false);
    bool is_late = false;

    if (!nsc_app_pane_has_focus(app) && events->like != NSC_NONE) {
        events->like = NSC_NONE;
        drop(app);
    }
    if (!events->is_made ||
        (!nsc_subject_equal(&question, &events->question) && !is_kept(app, &question)))
        ask(app, &question);
    nsc_pane_events_set_order(
        events, nsc_pane_events_order(events)); /* of a column without one: that of time */
    is_late = nsc_pane_events_order(events) != events->listing.order;
    if (is_late && (app->has_time || events->listing.n <= SORT_AT_ONCE))
        sort(app);
    else if (is_late)
        app->effects.set |= NSC_EFFECT_WORK;
    nsc_list_fit(&events->table.list, events->listing.n, nsc_app_pane_lines(app));
    follow_selection(app);
    nsc_pane_events_list(app->scene, events);
}

nsc_event nsc_app_events_event(const struct nsc_app *app)
{
    const struct nsc_pane_events *events = &app->panes.events;
    nsc_event event = NSC_NONE;

    if (events->is_made)
        (void)nsc_listing_at(&events->listing, (uint32_t)events->table.list.cursor, 1, &event);
    return event;
}

static void list_like(struct nsc_app *app, nsc_event like)
{
    struct nsc_pane_events *events = &app->panes.events;

    drop(app);
    events->like = like;
    events->table.list.cursor = events->table.list.top = 0;
    nsc_app_pane_show(app, NSC_PANE_EVENTS, app->pane_full);
    app->panes.focus = true;
}

void nsc_app_events_only(struct nsc_app *app, nsc_event like, struct nsc_window durations)
{
    app->panes.events.is_group = false;
    app->panes.events.durations = durations;
    list_like(app, like);
}

void nsc_app_events_group(struct nsc_app *app, nsc_event like, const struct nsc_subject *group)
{
    app->panes.events.is_group = true;
    app->panes.events.group = *group;
    list_like(app, like);
}

static bool show_event(struct nsc_app *app)
{
    nsc_event event = nsc_app_events_event(app);

    if (event == NSC_NONE)
        return false;
    nsc_app_pane_keep(app);
    app->walk.list = NSC_WALK_LIST;
    app->walk.pane = NSC_PANE_EVENTS;
    nsc_scene_jump(app->edit, event);
    (void)nsc_scene_show_window(
        app->edit, nsc_window_padded(nsc_scene_selected_window(app->scene), FIT_SHARE));
    return true;
}

bool nsc_app_events_act(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_pane_events *events = &app->panes.events;
    uint32_t by = action == NSC_ACTION_CHOOSE_PREV ? NSC_N_LISTING_ORDERS - 1 : 1;

    switch (action) {
    case NSC_ACTION_CHOOSE_PREV:
    case NSC_ACTION_CHOOSE_NEXT:
        nsc_pane_events_set_order(
            events,
            (enum nsc_listing_order)((nsc_pane_events_order(events) + by) % NSC_N_LISTING_ORDERS));
        return true;
    case NSC_ACTION_CHOOSE:
        return show_event(app);
    case NSC_ACTION_CANCEL:
        if (events->like == NSC_NONE)
            return false;
        events->like = NSC_NONE;
        drop(app);
        return true;
    default:
        return false;
    }
}
