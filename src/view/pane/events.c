/*
 * Draws the events of the row or group, in the range or window, as a table whose cursor follows the
 * timeline's selection, and the other way round. The sheet holds the visible ones: there may be millions.
 */
#include "analysis/base/correlate.h"
#include "core/die.h"
#include "core/units.h"
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

struct event_row {
    nsc_time start, duration;
    struct nsc_text name, place;
    const char *kind;
};

static const struct nsc_sheet_column columns[N_COLUMNS] = {
    [START] = NSC_COL_INSTANT(event_row, start, "start_ns", "start"),
    [DURATION] = NSC_COL_NS(event_row, duration, "duration_ns", "duration"),
    [NAME] = NSC_COL_TEXT(event_row, name, "name", "name"),
    [PLACE] = NSC_COL_TEXT(event_row, place, "row", "row"),
    [KIND] = NSC_COL_TEXT(event_row, kind, "kind", "kind"),
};

enum { NAME_LEAST = 24 };

/* Whether all events are in one row: then the line above the titles names it. */
static bool are_of_one_row(const struct nsc_pane_events *events)
{
    bool is_group = events->like != NSC_NONE && events->is_group;
    const struct nsc_subject *question = is_group ? &events->group : &events->question;

    return (events->like == NSC_NONE || is_group) && !question->every && question->lane != NSC_NONE;
}

enum nsc_listing_order nsc_pane_events_order(const struct nsc_pane_events *events)
{
    return events->table.sorted == DURATION ? NSC_LISTING_DURATION
           : events->table.sorted == NAME   ? NSC_LISTING_NAME
                                            : NSC_LISTING_TIME;
}

void nsc_pane_events_set_order(struct nsc_pane_events *events, enum nsc_listing_order order)
{
    static const uint32_t column[NSC_N_LISTING_ORDERS] = {
        [NSC_LISTING_TIME] = START, [NSC_LISTING_DURATION] = DURATION, [NSC_LISTING_NAME] = NAME};

    events->table.sorted = events->table.column = column[order];
    events->table.descending = order == NSC_LISTING_DURATION;
}

void nsc_pane_events_list(const struct nsc_scene *scene, struct nsc_pane_events *events)
{
    const struct nsc_events *of = nsc_trace_events(scene->trace);
    const struct nsc_list *list = &events->table.list;
    nsc_event *shown = nsc_xmalloc(list->height * sizeof *shown + 1);
    uint32_t n =
        nsc_listing_at(&events->listing, (uint32_t)list->top, (uint32_t)list->height, shown);
    struct nsc_buf place = NSC_BUF_INIT(NSC_NAME_BYTES);
    char scratch[NSC_NAME_BYTES];

    nsc_sheet_fini(&events->sheet);
    nsc_sheet_init(&events->sheet, "events", "", columns, N_COLUMNS);
    for (uint32_t i = 0; i < n; i++) {
        nsc_event event = shown[i];

        nsc_buf_clear(&place);
        nsc_place_add(scene, &place, nsc_event_track(scene->trace, event));
        NSC_ADD_ROW(&events->sheet, event_row, .start = of->start[event],
                    .duration = nsc_event_duration(of, event),
                    .name = nsc_trace_event_text(scene->trace, event, !scene->demangled, scratch),
                    .place = nsc_text_of_buf(&place),
                    .kind = nsc_kind_label((enum nsc_kind)of->kind[event]));
    }
    nsc_table_page(&events->table, &events->sheet, scene->ascii);
    events->table.hidden = are_of_one_row(events) ? 1u << PLACE : 0;
    events->table.least = NAME_LEAST;
    events->table.is_list = n && shown[list->cursor - list->top] == scene->selected;
    nsc_buf_fini(&place);
    free(shown);
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
    bool is_late = nsc_pane_events_order(listed) != listed->listing.order;
    char count[NSC_UNITS_BYTES];

    nsc_page_puts(page, NSC_ROLE_TEXT, nsc_units_count(count, listed->listing.n));
    nsc_page_puts(page, NSC_ROLE_DIM, listed->listing.n == 1 ? " event " : " events ");
    nsc_page_puts(page, is_late ? NSC_ROLE_WARNING : NSC_ROLE_DIM,
                  is_late ? "sorting" : order_names[listed->listing.order]);
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
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);

    if (!listed->is_made)
        return 0;
    about_put(scene, listed, &page);
    nsc_table_draw(&listed->table, view->focus, grid,
                   (struct nsc_rect){rect.row + 1, rect.col, rect.rows - 1, rect.cols});
    if (!listed->listing.n && rect.rows > 2)
        nsc_grid_puts(grid, rect.row + 2, rect.col, rect.cols, NSC_ROLE_DIM,
                      nsc_scene_is_filtered(scene) ? "The filter leaves no event here."
                      : listed->question.is_range  ? "This row has no event in the range."
                                                   : "This row has no event in the window.");
    return 0;
}
