/*
 * Lists the keys of the current scope in one or two columns, and the commands of the command line
 * below them.
 */
#include "view/kit/help.h"

#include "view/kit/command_line.h"
#include "view/kit/grid.h"
#include "view/kit/theme.h"

#include <stdio.h>
#include <string.h>

enum {
    COLUMN_COLS = 58,
    KEYS_COLS = 19,
    COMMAND_COLS = 24,
    MAX_COLUMNS = 2,
    FRAME = 2, /* rows and columns of both borders */
    MAX_LINES = NSC_N_ACTIONS + 2 * NSC_N_GROUPS
};

static const struct legend_row {
    enum nsc_role role;
    uint8_t hue;
    const char *sign, *meaning;
} legend[] = {
#define NSC_LEGEND(role, hue, sign, meaning) {NSC_ROLE_##role, hue, sign, meaning},
#include "view/kit/legend.def"
#undef NSC_LEGEND
};

enum { N_LEGEND = sizeof legend / sizeof *legend, HEADING = 2 /* an empty line and the heading */ };

/* An action, a group's name, or an empty line. */
struct line {
    enum nsc_action action; /* NSC_ACTION_NONE: a heading or empty */
    const char *heading;    /* NULL: none */
};

struct page {
    const struct nsc_keymap *keymap;
    enum nsc_key_scope scope;
    struct line lines[MAX_LINES];
    int n;
    bool commands;                /* a key here opens the command line */
    int columns, lines_in_column; /* set by page_fold */
    int n_lines;                  /* including the commands below the columns */
    struct nsc_rect box;
};

/* The keys of the action in the current scope, without those that an inner scope takes. */
static void keys_show(char out[NSC_KEYMAP_KEYS_TEXT], const struct page *page,
                      enum nsc_action action)
{
    const nsc_key *keys = page->keymap->keys[action];
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; i < NSC_KEYMAP_KEYS && keys[i] != NSC_KEY_NONE; i++) {
        char key[32];

        if (nsc_keymap_find(page->keymap, page->scope, keys[i]) != action)
            continue;
        nsc_key_format(key, keys[i]);
        if (n + strlen(key) + 2 > NSC_KEYMAP_KEYS_TEXT)
            return;
        n += (size_t)snprintf(out + n, NSC_KEYMAP_KEYS_TEXT - n, "%s%s", n ? " " : "", key);
    }
}

static void line_add(struct page *page, enum nsc_action action, const char *heading)
{
    struct line line = {action, heading};

    page->lines[page->n++] = line;
}

static void group_add(struct page *page, enum nsc_group group)
{
    char keys[NSC_KEYMAP_KEYS_TEXT];
    bool has_heading = false;

    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++) {
        enum nsc_action action = (enum nsc_action)i;

        if (nsc_action_group(action) != group)
            continue;
        keys_show(keys, page, action);
        if (!keys[0])
            continue;
        if (!has_heading && page->n)
            line_add(page, NSC_ACTION_NONE, NULL);
        if (!has_heading)
            line_add(page, NSC_ACTION_NONE, nsc_group_name(group));
        has_heading = true;
        line_add(page, action, NULL);
    }
}

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* Chooses the columns, and places the box in the middle of rect. */
static void page_fold(struct page *page, struct nsc_rect rect)
{
    int fitting = (rect.cols - FRAME) / COLUMN_COLS;

    page->columns = at_least(1, at_most(fitting, MAX_COLUMNS));
    page->lines_in_column = (page->n + page->columns - 1) / page->columns;
    page->n_lines = page->lines_in_column +
                    (page->commands ? N_LEGEND + HEADING + NSC_N_COMMAND_LINES + HEADING : 0);
    page->box.rows = at_most(rect.rows, page->n_lines + FRAME);
    page->box.cols = at_most(rect.cols, page->columns * COLUMN_COLS + FRAME);
    page->box.row = rect.row + (rect.rows - page->box.rows) / 2;
    page->box.col = rect.col + (rect.cols - page->box.cols) / 2;
}

static void page_build(struct page *page, struct nsc_rect rect, const struct nsc_keymap *keymap,
                       enum nsc_key_scope scope)
{
    page->keymap = keymap;
    page->scope = scope;
    page->n = 0;
    for (unsigned i = 0; i < NSC_N_GROUPS; i++)
        group_add(page, (enum nsc_group)i);
    page->commands =
        nsc_keymap_find(keymap, scope, keymap->keys[NSC_ACTION_COMMAND][0]) == NSC_ACTION_COMMAND;
    page_fold(page, rect);
}

static int page_max_top(const struct page *page)
{
    return at_least(0, page->n_lines - at_least(0, page->box.rows - FRAME));
}

static void frame_draw(struct nsc_grid *grid, const struct page *page, int top)
{
    struct nsc_rect box = page->box;
    int bottom = box.row + box.rows - 1;

    nsc_box_draw(grid, box, " Keys ");
    if (page_max_top(page) > 0)
        nsc_grid_puts_right(grid, bottom, box.col + 2, box.cols - 4, NSC_ROLE_DIM,
                            top == 0                   ? " ↓ more "
                            : top < page_max_top(page) ? " ↑ ↓ more "
                                                       : " ↑ more ");
}

static void line_draw(struct nsc_grid *grid, const struct page *page, int row, int col, int width,
                      const struct line *line)
{
    char keys[NSC_KEYMAP_KEYS_TEXT];

    if (line->heading)
        nsc_grid_puts(grid, row, col, width, NSC_ROLE_GROUP, line->heading);
    if (line->action == NSC_ACTION_NONE)
        return;
    keys_show(keys, page, line->action);
    nsc_grid_text(grid, row, col + 1, at_most(width - 1, KEYS_COLS - 2), NSC_ROLE_KEY,
                  nsc_text_from(keys));
    nsc_grid_puts(grid, row, col + KEYS_COLS, width - KEYS_COLS, NSC_ROLE_TEXT,
                  nsc_action_help(line->action));
}

/* Draws "█  matrix products" after an empty line and a heading. */
static void legend_draw(struct nsc_grid *grid, const struct page *page, int row, int line)
{
    int col = page->box.col + 2;
    int width = page->box.cols - FRAME - 2;

    if (line == 1)
        nsc_grid_puts(grid, row, col, width, NSC_ROLE_GROUP, "colours and signs");
    if (line < HEADING || width < 4)
        return;
    nsc_grid_put(grid, row, col + 1, legend[line - HEADING].role,
                 (uint8_t)(legend[line - HEADING].hue * (256 / NSC_THEME_HUES)),
                 legend[line - HEADING].sign);
    nsc_grid_puts(grid, row, col + 4, width - 4, NSC_ROLE_TEXT, legend[line - HEADING].meaning);
}

/* Draws ":rows /RE/    what it does", below the columns, after an empty line and a heading. */
static void command_draw(struct nsc_grid *grid, const struct page *page, int row, int line)
{
    int col = page->box.col + 2;
    int width = page->box.cols - FRAME - 2;
    const struct nsc_command_line_row *command = NULL;
    char text[2 * COMMAND_COLS];

    if (line == 1)
        nsc_grid_puts(grid, row, col, width, NSC_ROLE_GROUP, "command line");
    if (line < 2)
        return;
    command = &nsc_command_lines[line - 2];
    (void)snprintf(text, sizeof text, ":%s %s", command->name, command->arguments);
    nsc_grid_puts(grid, row, col + 1, at_most(width - 1, COMMAND_COLS - 2), NSC_ROLE_KEY, text);
    nsc_grid_puts(grid, row, col + COMMAND_COLS, width - COMMAND_COLS, NSC_ROLE_TEXT,
                  command->help);
}

static void commands_draw(struct nsc_grid *grid, const struct page *page, int top)
{
    for (int i = 0; i < page->box.rows - FRAME; i++) {
        int line = top + i - page->lines_in_column;

        if (line < 0 || line >= page->n_lines - page->lines_in_column)
            continue;
        if (line < N_LEGEND + HEADING)
            legend_draw(grid, page, page->box.row + 1 + i, line);
        else
            command_draw(grid, page, page->box.row + 1 + i, line - N_LEGEND - HEADING);
    }
}

int nsc_help_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_keymap *keymap,
                  enum nsc_key_scope scope, int top)
{
    struct page page;
    int rows = 0, width = 0;

    page_build(&page, rect, keymap, scope);
    rows = page.box.rows - FRAME;
    width = (page.box.cols - FRAME) / page.columns;
    top = at_least(0, at_most(top, page_max_top(&page)));
    if (!grid || rows <= 0 || width <= 0)
        return page_max_top(&page);
    frame_draw(grid, &page, top);
    for (int column = 0; column < page.columns; column++)
        for (int i = 0; i < rows; i++) {
            int line = column * page.lines_in_column + top + i;

            if (top + i < page.lines_in_column && line < page.n)
                line_draw(grid, &page, page.box.row + 1 + i, page.box.col + 2 + column * width,
                          width - 2, &page.lines[line]);
        }
    commands_draw(grid, &page, top);
    return page_max_top(&page);
}
