/*
 * Draws the events of the row or group, in the range or window, as a table whose cursor follows the
 * timeline's selection, and the other way round.
 */
#include "view/pane/events.h"

#include "core/die.h"
#include "core/units.h"
#include "view/kit/page.h"
#include "view/scene/subject.h"

#include <stdlib.h>

enum { START_COLS = 23, DURATION_COLS = 10, NAME_COLS = 24, PLACE_COLS = 26, KIND_COLS = 23 };

static const char *const order_names[NSC_N_LISTING_ORDERS] = {
    [NSC_LISTING_TIME] = "by time",
    [NSC_LISTING_DURATION] = "the longest first",
    [NSC_LISTING_NAME] = "by name",
};

/* Positions of the columns; width 0: no room. */
struct columns {
    int name, place, kind;
};

/* Whether all events are in one row: then the line above the titles names it. */
static bool are_of_one_row(const struct nsc_pane_events *events)
{
    bool is_group = events->like != NSC_NONE && events->is_group;
    const struct nsc_subject *question = is_group ? &events->group : &events->question;

    return (events->like == NSC_NONE || is_group) && !question->every && question->lane != NSC_NONE;
}

static struct columns columns_fit(const struct nsc_pane_events *listed, int cols)
{
    struct columns columns = {cols - START_COLS - DURATION_COLS - 2, 0, 0};

    if (!are_of_one_row(listed) && columns.name >= NAME_COLS + PLACE_COLS) {
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

static void place_draw(const struct nsc_scene *scene, struct nsc_grid *grid, struct nsc_rect rect,
                       nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(scene->trace, NULL);
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);

    if (rect.cols > 0)
        nsc_place_put(scene, &page, lanes[nsc_trace_lane_of(scene->trace, event)].track);
}

static void event_draw(const struct nsc_scene *scene, const struct nsc_pane_events *listed,
                       struct nsc_grid *grid, struct nsc_rect rect, nsc_event event,
                       enum nsc_role role)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    struct columns columns = columns_fit(listed, rect.cols);
    bool current = role == NSC_ROLE_LABEL_CURSOR;
    int col = rect.col + START_COLS + DURATION_COLS + 2;
    char scratch[NSC_NAME_BYTES];
    char text[NSC_UNITS_BYTES];

    nsc_units_instant(text, events->start[event]);
    nsc_grid_puts_right(grid, rect.row, rect.col, START_COLS, role, text);
    nsc_units_duration(text, nsc_event_duration(events, event), scene->ascii);
    nsc_grid_puts_right(grid, rect.row, rect.col + START_COLS, DURATION_COLS, role, text);
    nsc_grid_text(grid, rect.row, col, columns.name - 1, role,
                  nsc_trace_event_text(scene->trace, event, !scene->demangled, scratch));
    col += columns.name;
    place_draw(scene, grid, (struct nsc_rect){rect.row, col, 1, columns.place - 1}, event);
    nsc_grid_puts(grid, rect.row, col + columns.place, columns.kind - 1,
                  current ? role : NSC_ROLE_DIM,
                  nsc_kind_label((enum nsc_kind)events->kind[event]));
    if (current)
        nsc_grid_set_role(grid, rect, role);
}

enum nsc_listing_order nsc_pane_events_order_at(int col)
{
    return col < START_COLS                   ? NSC_LISTING_TIME
           : col < START_COLS + DURATION_COLS ? NSC_LISTING_DURATION
                                              : NSC_LISTING_NAME;
}

/* Describes a list of like events: the name, and their durations or rows. */
static void like_put(const struct nsc_scene *scene, const struct nsc_pane_events *listed,
                     struct nsc_page *page)
{
    char from[NSC_UNITS_BYTES];
    char to[NSC_UNITS_BYTES];
    char scratch[NSC_NAME_BYTES];

    if (listed->is_group) {
        nsc_subject_put(scene, &listed->group, page);
    } else {
        nsc_units_duration(from, listed->durations.t0, scene->ascii);
        nsc_units_duration(to, listed->durations.t1, scene->ascii);
        nsc_page_printf(page, NSC_ROLE_WARNING, "from %s to %s  ", from, to);
    }
    nsc_page_text(page, NSC_ROLE_TEXT,
                  nsc_trace_event_text(scene->trace, listed->like, !scene->demangled, scratch));
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

static void rows_draw(const struct nsc_scene *scene, const struct nsc_pane_events *listed,
                      bool focus, struct nsc_grid *grid, struct nsc_rect rect)
{
    uint32_t height = (uint32_t)listed->list.height;
    nsc_event *rows = nsc_xmalloc((size_t)height * sizeof *rows + 1);
    uint32_t n = nsc_listing_at(&listed->listing, (uint32_t)listed->list.top, height, rows);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_rect line = {rect.row + NSC_PANE_EVENTS_HEAD + (int)i, rect.col, 1, rect.cols};
        bool current =
            listed->list.top + i == listed->list.cursor && (focus || rows[i] == scene->selected);

        event_draw(scene, listed, grid, line, rows[i], nsc_list_line(grid, line, current, focus));
    }
    free(rows);
}

int nsc_pane_events_draw(const struct nsc_scene *scene, const struct nsc_pane_events *listed,
                         bool focus, struct nsc_grid *grid, struct nsc_rect rect)
{
    struct nsc_page page = nsc_page(grid, rect, 0, scene->ascii);
    struct nsc_rect titles = {rect.row + 1, rect.col, 1, rect.cols};

    if (!listed->is_made || !grid)
        return NSC_PANE_EVENTS_HEAD;
    about_put(scene, listed, &page);
    if (rect.rows > 1)
        titles_draw(grid, titles, columns_fit(listed, rect.cols));
    rows_draw(scene, listed, focus, grid, rect);
    return NSC_PANE_EVENTS_HEAD;
}
