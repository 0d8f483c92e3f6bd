/*
 * Lists the keys of the current scope in one or two columns, and the commands of the command line
 * below them.
 */
#include "view/kit/help.h"

#include "view/kit/theme.h"
#include "view/kit/words.h"

#include <stdio.h>
#include <string.h>

static const struct legend_row {
    enum nsc_role role;
    uint8_t hue;
    const char *sign, *meaning;
} legend[] = {
#define NSC_LEGEND(role, hue, sign, meaning) {NSC_ROLE_##role, hue, sign, meaning},
#include "view/kit/legend.def"
#undef NSC_LEGEND
};

enum {
    COLUMN_COLS = 58,
    LEGEND_COLS = 39, /* two fit on 80 */
    KEYS_COLS = 19,
    COMMAND_COLS = 24,
    MAX_COLUMNS = 2,
    FRAME = 2, /* rows and columns of both borders */
    N_LEGEND = sizeof legend / sizeof *legend,
    MAX_LINES = NSC_N_ACTIONS + N_LEGEND + NSC_N_COMMAND_LINES + 2 * (NSC_N_GROUPS + 3)
};

/* A heading, an action, a sign, a command, or an empty line. */
struct line {
    const char *heading;
    enum nsc_action action;
    const struct legend_row *sign;
    const struct nsc_command_line_row *command;
};

struct page {
    const struct nsc_keymap *keymap;
    enum nsc_key_scope scope;
    const char *needle; /* shows only lines that contain it */
    bool (*has)(enum nsc_action action);
    const char *heading; /* of the lines that follow */
    bool is_headed;      /* it stands already */
    bool is_legend;
    struct line lines[MAX_LINES];
    int n, n_keys;                /* the lines, and those of keys or signs */
    int columns, lines_in_column; /* of those: set by page_fold */
    int n_lines;                  /* on the screen, with those below the columns */
    struct nsc_rect box;
};

/* Adds a line, after its heading, if that or either text contains what is looked for. */
static void line_add(struct page *page, struct line line, const char *text, const char *other)
{
    struct nsc_text needle = nsc_text_from(page->needle);

    if (!nsc_text_contains_folded(nsc_text_from(text), needle) &&
        !nsc_text_contains_folded(nsc_text_from(other), needle) &&
        !nsc_text_contains_folded(nsc_text_from(page->heading), needle))
        return;
    if (!page->is_headed && page->n)
        page->lines[page->n++] = (struct line){0};
    if (!page->is_headed)
        page->lines[page->n++] = (struct line){.heading = page->heading};
    page->is_headed = true;
    page->lines[page->n++] = line;
}

/* Adds the actions of a group; own: only those of the pane itself, else only the others. */
static void group_add(struct page *page, const char *heading, enum nsc_group group, bool own)
{
    char keys[NSC_KEYMAP_KEYS_TEXT];

    page->heading = heading;
    page->is_headed = false;
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++) {
        enum nsc_action action = (enum nsc_action)i;
        bool is_own =
            page->scope != NSC_KEY_SCOPE_TIMELINE && nsc_actions[action].scope == page->scope;

        (void)nsc_keymap_keys(keys, page->keymap, page->scope, action);
        if (keys[0] && (!page->has || page->has(action)) && is_own == own &&
            (own || nsc_actions[action].group == group))
            line_add(page, (struct line){.action = action}, nsc_actions[action].help, keys);
    }
}

static void legend_add(struct page *page)
{
    page->heading = "";
    page->is_headed = true;
    for (size_t i = 0; i < N_LEGEND; i++)
        line_add(page, (struct line){.sign = &legend[i]}, legend[i].meaning, "");
    page->n_keys = page->n;
}

static void commands_add(struct page *page)
{
    page->heading = "command line";
    page->is_headed = false;
    for (unsigned i = 0; i < NSC_N_COMMAND_LINES; i++)
        line_add(page, (struct line){.command = &nsc_command_lines[i]}, nsc_command_lines[i].help,
                 nsc_command_lines[i].name);
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
    int width = page->is_legend ? LEGEND_COLS : COLUMN_COLS;
    int fitting = (rect.cols - FRAME) / width;

    page->columns = at_least(1, at_most(fitting, MAX_COLUMNS));
    page->lines_in_column = (page->n_keys + page->columns - 1) / page->columns;
    page->n_lines = page->lines_in_column + page->n - page->n_keys;
    page->box.rows = at_most(rect.rows, at_least(page->n_lines, 1) + FRAME);
    page->box.cols = at_most(rect.cols, page->columns * width + FRAME);
    page->box.row = rect.row + (rect.rows - page->box.rows) / 2;
    page->box.col = rect.col + (rect.cols - page->box.cols) / 2;
}

/* The keys of the focused pane come first. Commands follow where a key opens the command line. */
static void keys_add(struct page *page, const struct nsc_help *help)
{
    const struct nsc_keymap *keymap = help->keymap;

    group_add(page, nsc_key_scopes[help->scope].name, NSC_N_GROUPS, true);
    for (unsigned i = 0; i < NSC_N_GROUPS; i++)
        group_add(page, nsc_groups[i], (enum nsc_group)i, false);
    page->n_keys = page->n;
    if (!help->has && nsc_keymap_find(keymap, help->scope, keymap->keys[NSC_ACTION_COMMAND][0]) ==
                          NSC_ACTION_COMMAND)
        commands_add(page);
}

static void page_build(struct page *page, struct nsc_rect rect, const struct nsc_help *help)
{
    *page = (struct page){.keymap = help->keymap,
                          .scope = help->scope,
                          .needle = help->needle,
                          .has = help->has,
                          .is_legend = help->is_legend};
    if (help->is_legend)
        legend_add(page);
    else
        keys_add(page, help);
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

    nsc_box_draw(grid, box,
                 !page->n          ? " Nothing is found "
                 : page->is_legend ? " Colours and signs "
                                   : " Keys ");
    if (page_max_top(page) > 0)
        nsc_grid_puts_right(grid, bottom, box.col + 2, box.cols - 4, NSC_ROLE_DIM,
                            top == 0                   ? " ↓ more "
                            : top < page_max_top(page) ? " ↑ ↓ more "
                                                       : " ↑ more ");
}

/* Draws "█  matrix products". */
static void sign_draw(struct nsc_grid *grid, struct nsc_rect at, const struct legend_row *sign)
{
    nsc_grid_put(grid, at.row, at.col + 1, sign->role,
                 (uint8_t)(sign->hue * (256 / NSC_THEME_HUES)), sign->sign);
    nsc_grid_puts(grid, at.row, at.col + 4, at.cols - 4, NSC_ROLE_TEXT, sign->meaning);
}

static void line_draw(struct nsc_grid *grid, const struct page *page, struct nsc_rect at,
                      const struct line *line)
{
    char name[NSC_KEYMAP_KEYS_TEXT] = "";
    int cols = line->command ? COMMAND_COLS : KEYS_COLS;

    if (line->heading)
        nsc_grid_puts(grid, at.row, at.col, at.cols, NSC_ROLE_GROUP, line->heading);
    if (line->sign && at.cols > 4)
        sign_draw(grid, at, line->sign);
    if (line->command)
        (void)snprintf(name, sizeof name, ":%s %s", line->command->name, line->command->arguments);
    else if (line->action != NSC_ACTION_NONE)
        (void)nsc_keymap_keys(name, page->keymap, page->scope, line->action);
    else
        return;
    nsc_grid_text(grid, at.row, at.col + 1, at_most(at.cols - 1, cols - 2), NSC_ROLE_KEY,
                  nsc_text_from(name));
    nsc_grid_puts(grid, at.row, at.col + cols, at.cols - cols, NSC_ROLE_TEXT,
                  line->command ? line->command->help : nsc_actions[line->action].help);
}

/* Draws line i of the screen, counted from the top of the page: of all columns, or below them. */
static void row_draw(struct nsc_grid *grid, const struct page *page, int row, int i)
{
    struct nsc_rect at = {row, page->box.col + 2, 1, page->box.cols - FRAME - 2};
    int width = (page->box.cols - FRAME) / page->columns;

    if (i >= page->lines_in_column && i < page->n_lines)
        line_draw(grid, page, at, &page->lines[page->n_keys + i - page->lines_in_column]);
    if (i >= page->lines_in_column)
        return;
    at.cols = width - 2;
    for (; i < page->n_keys; i += page->lines_in_column, at.col += width)
        line_draw(grid, page, at, &page->lines[i]);
}

int nsc_help_draw(struct nsc_grid *grid, struct nsc_rect rect, const struct nsc_help *help, int top)
{
    struct page page;
    int rows = 0;

    page_build(&page, rect, help);
    rows = page.box.rows - FRAME;
    top = at_least(0, at_most(top, page_max_top(&page)));
    if (!grid || rows <= 0 || page.box.cols <= FRAME)
        return page_max_top(&page);
    frame_draw(grid, &page, top);
    for (int i = 0; i < rows; i++)
        row_draw(grid, &page, page.box.row + 1 + i, top + i);
    return page_max_top(&page);
}
