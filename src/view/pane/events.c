/*
 * Draws the events of the row or group, in the range or window, as a table whose cursor follows the
 * timeline's selection, and the other way round.
 */
#include "analysis/base/correlate.h"
#include "core/die.h"
#include "core/units.h"
#include "view/kit/columns.h"
#include "view/kit/page.h"
#include "view/pane/panes.h"
#include "view/scene/subject.h"

#include <stdlib.h>

static const char *const order_names[NSC_N_LISTING_ORDERS] = {
    [NSC_LISTING_TIME] = "by time",
    [NSC_LISTING_DURATION] = "the longest first",
    [NSC_LISTING_NAME] = "by name",
};

enum { START, DURATION, NAME, PLACE, KIND, N_COLUMNS };

static const struct nsc_list_column columns[N_COLUMNS] = {
    [START] = {.title = "start", .width = 23},
    [DURATION] = {.title = "duration", .width = 12, .gap = 2},
    [NAME] = {.title = "name", .gap = 1, .is_left = true},
    [PLACE] = {.title = "row", .width = 26, .gap = 1, .is_left = true, .rank = 1, .least = 24},
    [KIND] = {.title = "kind", .width = 23, .gap = 1, .is_left = true, .rank = 2, .least = 24},
};

struct visible {
    const struct nsc_scene *scene;
    const nsc_event *events;
    size_t top; /* item of the first event */
};

/* Whether all events are in one row: then the line above the titles names it. */
static bool are_of_one_row(const struct nsc_pane_events *events)
{
    bool is_group = events->like != NSC_NONE && events->is_group;
    const struct nsc_subject *question = is_group ? &events->group : &events->question;

    return (events->like == NSC_NONE || is_group) && !question->every && question->lane != NSC_NONE;
}

static void event_fill(const void *context, size_t item, struct nsc_list_cell *cell)
{
    const struct visible *visible = context;
    const struct nsc_scene *scene = visible->scene;
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    nsc_event event = visible->events[item - visible->top];

    switch (cell->column) {
    case START:
        nsc_units_instant(cell->text, events->start[event]);
        return;
    case DURATION:
        nsc_units_duration(cell->text, nsc_event_duration(events, event), scene->ascii);
        return;
    case NAME:
        nsc_event_put(scene, &cell->page, cell->role, event);
        return;
    case PLACE:
        nsc_place_put(scene, &cell->page, nsc_event_track(scene->trace, event));
        return;
    default:
        nsc_page_puts(&cell->page, NSC_ROLE_DIM,
                      nsc_kind_label((enum nsc_kind)events->kind[event]));
    }
}

enum nsc_listing_order nsc_pane_events_order_at(int col)
{
    col -= columns[START].width;
    return col < 0                                                 ? NSC_LISTING_TIME
           : col < columns[DURATION].width - columns[DURATION].gap ? NSC_LISTING_DURATION
                                                                   : NSC_LISTING_NAME;
}

/* Describes a list of like events: the name, and their durations or rows. */
static void like_put(const struct nsc_scene *scene, const struct nsc_pane_events *listed,
                     struct nsc_page *page)
{
    char from[NSC_UNITS_BYTES], to[NSC_UNITS_BYTES];

    if (listed->is_group) {
        nsc_subject_put(scene, &listed->group, page);
    } else {
        nsc_units_duration(from, listed->durations.t0, scene->ascii);
        nsc_units_duration(to, listed->durations.t1, scene->ascii);
        nsc_page_printf(page, NSC_ROLE_WARNING, "from %s to %s  ", from, to);
    }
    nsc_event_put(scene, page, NSC_ROLE_TEXT, listed->like);
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
}

static void about_put(const struct nsc_scene *scene, const struct nsc_pane_events *listed,
                      struct nsc_page *page)
{
    char count[NSC_UNITS_BYTES];

    nsc_units_count(count, listed->listing.n);
    nsc_page_puts(page, NSC_ROLE_TEXT, count);
    nsc_page_puts(page, NSC_ROLE_DIM, listed->listing.n == 1 ? " event " : " events ");
    nsc_page_puts(page, listed->is_late ? NSC_ROLE_WARNING : NSC_ROLE_DIM,
                  listed->is_late ? "sorting" : order_names[listed->listing.order]);
    nsc_page_puts(page, NSC_ROLE_DIM, "  ");
    if (listed->like != NSC_NONE)
        like_put(scene, listed, page);
    else
        nsc_subject_put(scene, &listed->question, page);
}

int nsc_pane_events_draw(const struct nsc_pane_view *view, struct nsc_grid *grid,
                         struct nsc_rect rect)
{
    const struct nsc_pane_events *listed = view->pane;
    const struct nsc_scene *scene = view->scene;
    const struct nsc_list *list = &listed->list;
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    nsc_event *events = NULL;
    bool is_selected = false;
    struct visible visible = {.scene = scene, .top = list->top};
    struct nsc_columns shown;
    struct nsc_list_source source = {&shown, event_fill, &visible, scene->ascii};

    if (!listed->is_made)
        return NSC_PANE_EVENTS_HEAD;
    about_put(scene, listed, &page);
    nsc_columns_fit(&shown, columns, N_COLUMNS, are_of_one_row(listed) ? 1u << PLACE : 0, rect);
    if (rect.rows > 1)
        nsc_columns_titles(&shown, grid, rect.row + 1);
    visible.events = events = nsc_xmalloc(list->height * sizeof *events + 1);
    (void)nsc_listing_at(&listed->listing, (uint32_t)list->top, (uint32_t)list->height, events);
    is_selected = list->n && list->height && events[list->cursor - list->top] == scene->selected;
    nsc_list_draw(list, &source, view->focus || is_selected, view->focus, grid,
                  rect.row + NSC_PANE_EVENTS_HEAD);
    free(events);
    return NSC_PANE_EVENTS_HEAD;
}
