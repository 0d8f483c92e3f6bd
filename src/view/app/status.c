/*
 * The last line: a message, the selected range or key hints, and the cursor's time.
 */
#include "core/units.h"
#include "view/app/state.h"
#include "view/kit/help.h"

#include <stdio.h>
#include <string.h>

enum { RANGE_BYTES = 160, CURSOR_COLS = 28 };

static void range_text(const struct nsc_app *app, char out[RANGE_BYTES])
{
    char from[NSC_UNITS_BYTES], length[NSC_UNITS_BYTES];

    (void)snprintf(
        out, RANGE_BYTES, "range %s from %s  (f fits it, Esc drops it)",
        nsc_units_duration(length, nsc_window_length(app->scene->range), app->scene->ascii),
        nsc_units_instant(from, app->scene->range.t0));
}

/* The distance from the mark, left of the cursor's time. */
static int mark_draw(const struct nsc_app *app, struct nsc_grid *grid, int right)
{
    char text[NSC_AXIS_BYTES];
    int width = 0;

    nsc_axis_mark_text(app->scene, &app->explore, text);
    width = (int)nsc_text_width(nsc_text_from(text), app->scene->ascii) + 2;
    if (!text[0] || width > right / 2)
        return right;
    nsc_grid_puts_right(grid, app->scene->layout.status.row, right - width, width,
                        NSC_ROLE_BOOKMARK, text);
    return right - width;
}

/* Draws the cursor's time at the right edge, if there is room. */
static int cursor_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->scene->layout.status;
    char text[NSC_UNITS_BYTES];

    if (!app->scene->trace || app->scene->logical || rect.cols < 3 * CURSOR_COLS)
        return rect.cols;
    nsc_grid_puts_right(grid, rect.row, rect.cols - CURSOR_COLS, CURSOR_COLS - 1, NSC_ROLE_STATUS,
                        nsc_units_instant(text, app->scene->cursor));
    return mark_draw(app, grid, rect.cols - CURSOR_COLS);
}

/* Bytes of a text that fit into cols, up to a blank if there is one in its second half. */
static uint32_t bytes_fitting(const char *text, int cols, bool ascii)
{
    uint32_t n = 0, blank = 0;

    while (text[n]) {
        uint32_t end = n + 1 + (uint32_t)strcspn(text + n + 1, " ");

        if ((int)nsc_text_width((struct nsc_text){text, end}, ascii) > cols)
            break;
        blank = n = end;
    }
    return blank;
}

/* Whether the line above the status is the cursor's row, as on a small screen without panes. */
static bool is_below_cursor(const struct nsc_scene *scene)
{
    return scene->trace && scene->layout.timeline.rows > 0 && scene->lines.n > 0 &&
           scene->layout.timeline.row + nsc_scene_row_of(scene, scene->line) ==
               scene->layout.status.row - 1;
}

/* Draws a message over the cursor's time if it needs the room, and over the line above, but not over
 * the cursor's row. */
static void message_draw(const struct nsc_app *app, struct nsc_grid *grid, int right)
{
    struct nsc_rect rect = app->scene->layout.status;
    const char *text = app->message;
    int width = (int)nsc_text_width(nsc_text_from(text), app->scene->ascii);
    uint32_t first = 0;

    if (width > right - 2) {
        nsc_grid_fill(grid, rect, NSC_ROLE_STATUS, " ");
        right = rect.cols;
    }
    if (width > right - 2 && !is_below_cursor(app->scene))
        first = bytes_fitting(text, right - 2, app->scene->ascii);
    if (first > 0 && rect.row > 0) {
        struct nsc_rect above = {rect.row - 1, rect.col, 1, rect.cols};

        nsc_grid_fill(grid, above, NSC_ROLE_STATUS, " ");
        nsc_grid_text(grid, above.row, 1, right - 2, NSC_ROLE_WARNING,
                      (struct nsc_text){text, first});
        first += text[first] == ' ';
    }
    nsc_grid_puts(grid, rect.row, 1, right - 2, NSC_ROLE_WARNING, text + first);
}

void nsc_app_status_draw(const struct nsc_app *app, struct nsc_grid *grid)
{
    struct nsc_rect rect = app->scene->layout.status;
    struct nsc_hint_word words[NSC_PANE_WORDS];
    struct nsc_hint_place place = {nsc_app_scope(app), words, 0};
    char text[RANGE_BYTES];
    int right = 0;

    nsc_grid_fill(grid, rect, NSC_ROLE_STATUS, " ");
    right = cursor_draw(app, grid);
    if (app->message[0]) {
        message_draw(app, grid, right);
    } else if (app->scene->has_range && place.scope == NSC_KEY_SCOPE_TIMELINE) {
        range_text(app, text);
        nsc_grid_puts(grid, rect.row, 1, right - 2, NSC_ROLE_RANGE, text);
    } else {
        place.n = nsc_app_words(app, words);
        nsc_hint_draw(grid, (struct nsc_rect){rect.row, 1, 1, right - 2}, app->keymap, &place);
    }
}
