/*
 * The events of the row or group, in the range or window, as a table that goes with the timeline:
 * what is selected there has the cursor here, and the other way round.
 */
#include "analysis/select/listing_sort.h"
#include "analysis/select/standing.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/units.h"
#include "index/passes.h"
#include "view/app/state.h"
#include "view/kit/page.h"
#include "view/scene/move.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef NSC_SMALL
#define SORT_AT_ONCE 16u
#else
#define SORT_AT_ONCE 200000u /* events: more wait until no key does */
#endif

enum {
    HEAD_ROWS = 2, /* what it is about, titles */
    START_COLS = 23,
    DURATION_COLS = 10,
    NAME_COLS = 24,
    PLACE_COLS = 26,
    KIND_COLS = 23,
    NOTE_BYTES = 128
};

static const char *const order_names[NSC_N_LISTING_ORDERS] = {
    [NSC_LISTING_TIME] = "by time",
    [NSC_LISTING_DURATION] = "the longest first",
    [NSC_LISTING_NAME] = "by name",
};

void nsc_app_events_fini(struct nsc_app *app)
{
    if (app->panes.events.is_made)
        nsc_listing_fini(&app->panes.events.listing);
    nsc_pick_clear(&app->panes.events.alike);
    app->panes.events.is_made = false;
}

/* ---- keeping it up to date ---- */

/* Those that the filter keeps of the name of one, as the statistics count them together. */
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

/* Of the events like one, those that the filter keeps. */
static const struct nsc_summary *pick_alike(struct nsc_app *app)
{
    struct nsc_app_events *events = &app->panes.events;

    events->alike.mask = events->is_group
                             ? group_mask(app)
                             : nsc_event_alike(app->scene->trace, app->filter.pick.mask,
                                               events->like, events->durations);
    events->alike.summary = nsc_summary_build_on(app->pool, app->scene->trace, events->alike.mask);
    if (!events->alike.summary) {
        nsc_app_say(app, "There is not enough memory to list them alone.");
        events->like = NSC_NONE;
    }
    return events->alike.summary ? events->alike.summary : app->scene->summary;
}

static uint32_t *all_lanes(const struct nsc_app *app, uint32_t *n)
{
    uint32_t *lanes = NULL;

    (void)nsc_trace_lanes(app->scene->trace, n);
    lanes = nsc_xmalloc((size_t)*n * sizeof *lanes + 1);
    for (uint32_t i = 0; i < *n; i++)
        lanes[i] = i;
    return lanes;
}

static void ask(struct nsc_app *app, const struct nsc_subject *question)
{
    struct nsc_app_events *events = &app->panes.events;
    const struct nsc_summary *summary = app->scene->summary;
    struct nsc_window w = question->window;
    uint32_t *lanes = NULL;
    uint32_t n = 0;

    nsc_app_events_fini(app);
    if (events->like != NSC_NONE)
        summary = pick_alike(app);
    if (events->like != NSC_NONE && events->is_group) {
        w = events->group.window;
        lanes = nsc_app_subject_lanes(app, &events->group, &n);
    } else if (events->like != NSC_NONE) {
        w = (struct nsc_window){INT64_MIN, INT64_MAX};
        lanes = all_lanes(app, &n);
    } else {
        lanes = nsc_app_subject_lanes(app, question, &n);
    }
    nsc_listing_init(&events->listing, app->scene->trace, summary, w, lanes, n);
    free(lanes);
    events->is_made = true;
    events->question = *question;
    events->is_late = events->order != events->listing.order;
    events->cursor_of = NSC_NONE;
}

static void sort(struct nsc_app *app)
{
    struct nsc_app_events *events = &app->panes.events;

    events->is_late = false;
    if (!nsc_listing_sort(&events->listing, app->pool, events->order, !app->scene->demangled)) {
        nsc_app_say(app, "These are too many to be sorted: select a range.");
        events->order = events->listing.order;
    }
    events->cursor_of = NSC_NONE;
}

/* The list's cursor goes to what is selected, where that is listed. */
static void follow_selection(struct nsc_app *app)
{
    struct nsc_app_events *events = &app->panes.events;
    uint32_t position = NSC_NONE;

    if (events->cursor_of == app->scene->selected)
        return;
    events->cursor_of = app->scene->selected;
    position = nsc_listing_find(&events->listing, app->scene->selected);
    if (position == NSC_NONE)
        return;
    if (position < events->list.top || position - events->list.top >= events->list.height) {
        events->list.cursor = position;
        nsc_list_center(&events->list);
    }
    (void)nsc_list_set(&events->list, position);
}

/* While it has the focus the list stays the same, wherever the timeline goes. */
static bool is_kept(const struct nsc_app *app, const struct nsc_subject *question)
{
    const struct nsc_subject *shown = &app->panes.events.question;

    return nsc_app_pane_has_focus(app) && shown->summary == question->summary &&
           shown->count == question->count && shown->busy == question->busy &&
           shown->is_range == question->is_range &&
           (!question->is_range ||
            (shown->window.t0 == question->window.t0 && shown->window.t1 == question->window.t1));
}

bool nsc_pane_events_update(struct nsc_app *app, bool tick)
{
    struct nsc_app_events *events = &app->panes.events;
    struct nsc_subject question = nsc_app_subject(app, false);
    int height = app->scene->layout.pane.rows - HEAD_ROWS;

    if (!nsc_app_pane_has_focus(app) && events->like != NSC_NONE) {
        events->like = NSC_NONE;
        nsc_app_events_fini(app);
    }
    if (!events->is_made ||
        (!nsc_subject_equal(&question, &events->question) && !is_kept(app, &question)))
        ask(app, &question);
    if (events->is_late && (tick || events->listing.n <= SORT_AT_ONCE))
        sort(app);
    events->list.n = events->listing.n;
    events->list.height = height > 0 ? (size_t)height : 0;
    nsc_list_clamp(&events->list);
    follow_selection(app);
    return events->is_late;
}

/* ---- keys ---- */

struct nsc_list *nsc_pane_events_list(struct nsc_app *app)
{
    return &app->panes.events.list;
}

void nsc_pane_events_moved(struct nsc_app *app)
{
    struct nsc_app_events *events = &app->panes.events;
    nsc_event event = NSC_NONE;

    if (!events->is_made ||
        nsc_listing_at(&events->listing, (uint32_t)events->list.cursor, 1, &event) != 1)
        return;
    nsc_scene_select(app->edit, event);
    events->cursor_of = event;
}

static void list_like(struct nsc_app *app, nsc_event like)
{
    struct nsc_app_events *events = &app->panes.events;

    nsc_app_events_fini(app);
    events->like = like;
    events->list.cursor = events->list.top = 0;
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

bool nsc_pane_events_can_show(const struct nsc_app *app)
{
    return app->panes.events.is_made && app->panes.events.listing.n;
}

static bool show_event(struct nsc_app *app)
{
    if (!nsc_pane_events_can_show(app))
        return false;
    nsc_pane_events_moved(app);
    if (app->scene->selected == NSC_NONE)
        return false;
    if (app->pane_full)
        nsc_app_pane_show(app, NSC_PANE_EVENTS, false);
    app->panes.focus = app->scene->layout.pane.rows > 0;
    nsc_scene_jump(app->edit, app->scene->selected);
    return true;
}

bool nsc_pane_events_act(struct nsc_app *app, enum nsc_action action)
{
    struct nsc_app_events *events = &app->panes.events;
    uint32_t by = action == NSC_ACTION_CHOOSE_PREV ? NSC_N_LISTING_ORDERS - 1 : 1;

    switch (action) {
    case NSC_ACTION_CHOOSE_PREV:
    case NSC_ACTION_CHOOSE_NEXT:
        events->order = (enum nsc_listing_order)((events->order + by) % NSC_N_LISTING_ORDERS);
        events->is_late = true;
        return true;
    case NSC_ACTION_CHOOSE:
        return show_event(app);
    case NSC_ACTION_CANCEL:
        if (events->like == NSC_NONE)
            return false;
        events->like = NSC_NONE;
        nsc_app_events_fini(app);
        return true;
    default:
        return false;
    }
}

/* ---- drawing ---- */

/* Where the columns stand: 0 wide when there is no room. */
struct columns {
    int name, place, kind;
};

/* Events of one row need not say each which row that is: the line above the titles does. */
static bool are_of_one_row(const struct nsc_app_events *events)
{
    bool is_group = events->like != NSC_NONE && events->is_group;
    const struct nsc_subject *question = is_group ? &events->group : &events->question;

    return (events->like == NSC_NONE || is_group) && !question->every && question->lane != NSC_NONE;
}

static struct columns columns_fit(const struct nsc_app *app, int cols)
{
    struct columns columns = {cols - START_COLS - DURATION_COLS - 2, 0, 0};

    if (!are_of_one_row(&app->panes.events) && columns.name >= NAME_COLS + PLACE_COLS) {
        columns.place = PLACE_COLS;
        columns.name -= PLACE_COLS;
    }
    if (columns.name >= NAME_COLS + KIND_COLS) {
        columns.kind = KIND_COLS;
        columns.name -= KIND_COLS;
    }
    return columns;
}

static void titles_draw(struct nsc_grid *grid, struct nsc_rect rect, struct columns columns)
{
    int col = rect.col + START_COLS + DURATION_COLS + 2;

    nsc_grid_puts_right(grid, rect.row, rect.col, START_COLS, NSC_ROLE_DIM, "start");
    nsc_grid_puts_right(grid, rect.row, rect.col + START_COLS, DURATION_COLS, NSC_ROLE_DIM,
                        "duration");
    nsc_grid_puts(grid, rect.row, col, columns.name, NSC_ROLE_DIM, "name");
    nsc_grid_puts(grid, rect.row, col + columns.name, columns.place, NSC_ROLE_DIM, "row");
    nsc_grid_puts(grid, rect.row, col + columns.name + columns.place, columns.kind, NSC_ROLE_DIM,
                  "kind");
}

static void place_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect,
                       nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(app->scene->trace, NULL);
    struct nsc_page page = nsc_page(grid, rect, 0, app->scene->ascii);

    if (rect.cols > 0)
        nsc_app_place_put(app, &page, lanes[nsc_trace_lane_of(app->scene->trace, event)].track);
}

static void event_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect,
                       nsc_event event, bool current)
{
    const struct nsc_events *events = nsc_trace_events(app->scene->trace);
    struct columns columns = columns_fit(app, rect.cols);
    enum nsc_role role = current ? NSC_ROLE_LABEL_CURSOR : NSC_ROLE_TEXT;
    int col = rect.col + START_COLS + DURATION_COLS + 2;
    char scratch[NSC_NAME_BYTES];
    char text[NSC_UNITS_BYTES];

    if (current)
        nsc_grid_fill(grid, rect, NSC_ROLE_LABEL_CURSOR, " ");
    nsc_units_instant(text, events->start[event]);
    nsc_grid_puts_right(grid, rect.row, rect.col, START_COLS, role, text);
    nsc_units_duration(text, nsc_event_duration(events, event), app->scene->ascii);
    nsc_grid_puts_right(grid, rect.row, rect.col + START_COLS, DURATION_COLS, role, text);
    nsc_grid_text(grid, rect.row, col, columns.name - 1, role,
                  nsc_trace_event_text(app->scene->trace, event, !app->scene->demangled, scratch));
    col += columns.name;
    place_draw(app, grid, (struct nsc_rect){rect.row, col, 1, columns.place - 1}, event);
    nsc_grid_puts(grid, rect.row, col + columns.place, columns.kind - 1,
                  current ? role : NSC_ROLE_DIM,
                  nsc_kind_label((enum nsc_kind)events->kind[event]));
}

/* Of a list of like events: whose, and how long they are or where. */
static void like_put(const struct nsc_app *app, struct nsc_page *page)
{
    const struct nsc_app_events *events = &app->panes.events;
    char from[NSC_UNITS_BYTES];
    char to[NSC_UNITS_BYTES];
    char text[NOTE_BYTES];
    char scratch[NSC_NAME_BYTES];

    if (events->is_group) {
        nsc_app_subject_put(app, &events->group, page);
    } else {
        nsc_units_duration(from, events->durations.t0, app->scene->ascii);
        nsc_units_duration(to, events->durations.t1, app->scene->ascii);
        (void)snprintf(text, sizeof text, "from %s to %s  ", from, to);
        nsc_page_puts(page, NSC_ROLE_WARNING, text);
    }
    nsc_page_text(
        page, NSC_ROLE_TEXT,
        nsc_trace_event_text(app->scene->trace, events->like, !app->scene->demangled, scratch));
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
}

static void about_put(const struct nsc_app *app, struct nsc_page *page)
{
    const struct nsc_app_events *events = &app->panes.events;
    char count[NSC_UNITS_BYTES];

    nsc_units_count(count, events->listing.n);
    nsc_page_puts(page, NSC_ROLE_TEXT, count);
    nsc_page_puts(page, NSC_ROLE_DIM, events->listing.n == 1 ? " event " : " events ");
    nsc_page_puts(page, events->is_late ? NSC_ROLE_WARNING : NSC_ROLE_DIM,
                  events->is_late ? "sorting" : order_names[events->listing.order]);
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    if (events->like != NSC_NONE)
        like_put(app, page);
    else
        nsc_app_subject_put(app, &events->question, page);
}

static void rows_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect)
{
    const struct nsc_app_events *events = &app->panes.events;
    uint32_t height = (uint32_t)events->list.height;
    nsc_event *rows = nsc_xmalloc((size_t)height * sizeof *rows + 1);
    uint32_t n = nsc_listing_at(&events->listing, (uint32_t)events->list.top, height, rows);
    bool focus = nsc_app_pane_has_focus(app);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_rect line = {rect.row + HEAD_ROWS + (int)i, rect.col, 1, rect.cols};
        bool current = events->list.top + i == events->list.cursor &&
                       (focus || rows[i] == app->scene->selected);

        event_draw(app, grid, line, rows[i], current);
        if (!current || !focus)
            continue;
        grid->cursor_row = line.row;
        grid->cursor_col = line.col;
    }
    free(rows);
}

int nsc_pane_events_draw(const struct nsc_app *app, struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, app->scene->ascii);
    struct nsc_rect titles = {rect.row + 1, rect.col, 1, rect.cols};

    if (!app->panes.events.is_made || !grid)
        return HEAD_ROWS;
    about_put(app, &page);
    if (rect.rows > 1)
        titles_draw(grid, titles, columns_fit(app, rect.cols));
    rows_draw(app, grid, rect);
    return HEAD_ROWS;
}
