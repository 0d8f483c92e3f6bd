/* Makes inputs from bytes, and checks the application's promises. */
#include "support/roll_input.h"

#include "core/relation.h"
#include "core/text.h"
#include "view/app/prompt.h"
#include "view/app/state.h"
#include "view/scene/edit.h"
#include "view/scene/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(promise)                                               \
    do {                                                             \
        if (!(promise)) {                                            \
            (void)fprintf(stderr, "broken promise: %s\n", #promise); \
            abort();                                                 \
        }                                                            \
    } while (0)

static const nsc_key specials[] = {
    NSC_KEY_LEFT,
    NSC_KEY_RIGHT,
    NSC_KEY_UP,
    NSC_KEY_DOWN,
    NSC_KEY_PAGE_UP,
    NSC_KEY_PAGE_DOWN,
    NSC_KEY_HOME,
    NSC_KEY_END,
    NSC_KEY_TAB,
    NSC_KEY_TAB | NSC_KEY_SHIFT,
    NSC_KEY_ENTER,
    NSC_KEY_ESCAPE,
    NSC_KEY_SPACE,
    NSC_KEY_F1,
    NSC_KEY_LEFT | NSC_KEY_SHIFT,
    NSC_KEY_UP | NSC_KEY_SHIFT,
    NSC_KEY_BACKSPACE,
    NSC_KEY_DELETE,
    NSC_KEY_CTRL | 'r',
    NSC_KEY_CTRL | 'u',
    NSC_KEY_CTRL | 'w',
    NSC_KEY_CTRL | 'f',
};

enum { N_SPECIALS = sizeof specials / sizeof specials[0] };

/* The result of a query: a few rows with all kinds of values, some with a time. */
static struct nsc_relation *relation_of(const uint8_t bytes[3])
{
    static const char *const names[] = {"start", "end", "name", "a long title \xff", "mixed"};
    struct nsc_relation *rows = nsc_relation_begin(names, 1 + bytes[2] % 5);

    for (int i = 0; i < bytes[1] % 32; i++)
        for (int c = 0; c < 1 + bytes[2] % 5; c++) {
            int value = (i * 37 + c * 11 + bytes[2]) % 97;

            if (value % 9 == 0)
                nsc_relation_add_null(rows);
            else if (c < 2 || (c == 4 && value % 2))
                nsc_relation_add_int(rows, value == 1 ? INT64_MAX : value * 100000 * (c + 1));
            else if (c == 3)
                nsc_relation_add_number(rows, value / 7.0 - 5);
            else
                nsc_relation_add_text(rows, nsc_text_from(value % 2 ? "\x1b[31mred" : "w\xc3\xa4"));
        }
    nsc_relation_end(rows);
    return rows;
}

struct nsc_input nsc_test_input_of(const uint8_t bytes[3])
{
    struct nsc_input input = {.type = NSC_INPUT_KEY};

    if (bytes[0] < 128) {
        input.key = bytes[1] < 64 ? specials[bytes[1] % N_SPECIALS] : (nsc_key)(bytes[1] % 96 + 32);
    } else if (bytes[0] < 240) {
        input.type = NSC_INPUT_MOUSE;
        input.mouse.action = (enum nsc_mouse_action)(bytes[0] % 6);
        input.mouse.button = bytes[0] % 4 ? 1 : 3;
        input.mouse.row = bytes[1] % 80;
        input.mouse.col = bytes[2];
        input.mouse.shift = bytes[1] >= 128;
    } else if (bytes[0] < 252) {
        input.type = NSC_INPUT_RESIZE;
        input.rows = bytes[1] % 80;
        input.cols = bytes[2];
    } else if (bytes[0] < 254 && bytes[1] < 128) {
        input.type = NSC_INPUT_QUERY;
        input.column = bytes[1] % 40 - 1;
        input.text = "told";
        input.relation = bytes[2] % 4 ? relation_of(bytes) : NULL;
    } else {
        static const uint8_t types[] = {NSC_INPUT_MESSAGE, NSC_INPUT_CHANGED, NSC_INPUT_TICK};

        input.type = (enum nsc_input_type)types[bytes[1] % 3];
        input.text = "told";
    }
    return input;
}

static void check_cells(const struct nsc_grid *grid)
{
    for (uint32_t row = 0; row < grid->rows; row++) {
        uint32_t width = 0;

        for (uint32_t col = 0; col < grid->cols; col++) {
            const struct nsc_cell *cell = &grid->cells[row * grid->cols + col];

            CHECK(cell->width <= 2 && cell->n <= NSC_CLUSTER_BYTES);
            CHECK((cell->n == 0) == (cell->width == 0));
            CHECK(nsc_cell_role(cell) < NSC_N_ROLES);
            CHECK(cell->n == 0 || (uint8_t)cell->text[0] >= 0x20);
            width += cell->width;
        }
        CHECK(width == grid->cols);
    }
}

static void check_typing(const struct nsc_app *app)
{
    const struct nsc_prompt *line = &app->prompt.lines[app->prompt.open];

    CHECK(app->prompt.open < NSC_N_PROMPTS);
    CHECK(line->n < NSC_PROMPT_BYTES && line->at <= line->n && line->text[line->n] == '\0');
    CHECK(app->prompt.open != NSC_PROMPT_NONE || (!app->prompt.offering && !app->prompt.is_wrong));
    CHECK(!app->prompt.completing || app->prompt.from <= line->at);
    CHECK(strlen(app->filter.text) < NSC_PROMPT_BYTES);
    CHECK((app->filter.pick.summary != NULL) == (app->filter.pick.mask != NULL));
    CHECK(app->scene->summary == (app->filter.pick.summary ? app->filter.pick.summary
                                                           : nsc_trace_summary(app->scene->trace)));
    CHECK(nsc_app_filter_is_waiting(app) || strcmp(app->filter.text, app->filter.shown) == 0);
    CHECK(nsc_app_filter_is_waiting(app) || !app->filter.is_accepted);
    CHECK(nsc_app_search_is_waiting(app)
              ? app->search.text[0] != '\0'
              : (app->search.pick.summary != NULL) == (app->search.text[0] != '\0'));
    CHECK(nsc_app_search_is_waiting(app) || !app->search.is_accepted);
}

/* The selected event is the one at the cursor. */
static void check_cursor(const struct nsc_scene *scene)
{
    const struct nsc_events *events = nsc_trace_events(scene->trace);
    nsc_event event = scene->selected;

    if (event == NSC_NONE) {
        CHECK(scene->logical ||
              nsc_scene_event_at(scene, scene->line, nsc_scene_cursor_col(scene)) == NSC_NONE);
        return;
    }
    CHECK(event < events->n);
    if (nsc_scene_projected_here(scene) != NSC_NONE) { /* the range launched work at the cursor */
        CHECK(nsc_scene_selected_window(scene).t0 <= scene->cursor);
        CHECK(scene->cursor < nsc_scene_selected_window(scene).t1);
        CHECK(nsc_kind_is_nvtx(events->kind[event]));
        return;
    }
    CHECK(events->start[event] <= scene->cursor);
    CHECK(scene->cursor < nsc_event_touch_end(events, event));
    CHECK(nsc_trace_lane_of(scene->trace, event) == nsc_scene_lane(scene, scene->line));
}

static void check_view(const struct nsc_app *app)
{
    struct nsc_window w = nsc_viewport_window(&app->scene->viewport);
    const struct nsc_history *history = &app->edit->moves.history;

    CHECK(w.t0 < w.t1);
    CHECK(w.t0 >= app->scene->viewport.extent.t0 && w.t1 <= app->scene->viewport.extent.t1);
    CHECK(app->scene->cursor >= w.t0 && app->scene->cursor < w.t1);
    CHECK(app->scene->line < app->scene->lines.n || app->scene->lines.n == 0);
    CHECK(app->scene->lines.n == 0 || app->scene->lines.at[app->scene->line].part == 0);
    CHECK(app->scene->top >= nsc_scene_pinned(app->scene) || app->scene->lines.n == 0);
    CHECK(!app->scene->layout.timeline.rows || app->scene->lines.n == 0 ||
          nsc_scene_row_of(app->scene, app->scene->line) >= 0);
    check_cursor(app->scene);
    CHECK(!app->scene->has_range || app->scene->range.t0 < app->scene->range.t1);
    CHECK(history->n + history->ahead <= NSC_HISTORY);
    CHECK(app->pane < NSC_N_PANES && app->pane_top >= 0);
}

/* The selected event is drawn at the cursor's cell. */
static void check_cursor_cell(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->scene->layout.timeline;

    if (!app->scene->trace || app->scene->layout.too_small || !rect.rows || app->scene->logical ||
        app->scene->selected == NSC_NONE || app->help || app->menu.open || app->config.open ||
        app->prompt.open != NSC_PROMPT_NONE)
        return;
    CHECK(nsc_cell_role(nsc_grid_at(
              grid, (uint32_t)(rect.row + nsc_scene_row_of(app->scene, app->scene->line)),
              (uint32_t)rect.col + nsc_scene_cursor_col(app->scene))) == NSC_ROLE_SELECTION);
}

void nsc_test_app_check(const struct nsc_app *app, struct nsc_grid *grid)
{
    if (app->scene->trace) {
        check_view(app);
        check_typing(app);
    }
    nsc_grid_resize(grid, 7, 7); /* the application must set the size */
    nsc_app_draw(app, grid);
    CHECK(grid->rows == app->scene->rows && grid->cols == app->scene->cols);
    CHECK(grid->cursor_row < (int)grid->rows && grid->cursor_col < (int)grid->cols);
    check_cells(grid);
    check_cursor_cell(app, grid);
}
