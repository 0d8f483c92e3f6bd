/* Moves through a list that scrolls, narrows it, and draws the box around one. */
#include "view/kit/list.h"

#include "core/sort.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT_BYTES = 4096 };

/* base + by, clamped to [0, last]. */
static size_t offset_clamp(size_t base, int64_t by, size_t last)
{
    uint64_t distance = by < 0 ? 0 - (uint64_t)by : (uint64_t)by;

    base = base < last ? base : last;
    if (by < 0)
        return distance > base ? 0 : base - (size_t)distance;
    return distance > last - base ? last : base + (size_t)distance;
}

static size_t last_item(const struct nsc_list *list)
{
    return list->n ? list->n - 1 : 0;
}

static size_t last_top(const struct nsc_list *list)
{
    size_t lines = list->n + list->tail;

    return lines > list->height ? lines - list->height : 0;
}

void nsc_list_clamp(struct nsc_list *list)
{
    if (list->cursor > last_item(list))
        list->cursor = last_item(list);
    if (list->top > last_top(list))
        list->top = last_top(list);
    if (list->cursor < list->top)
        list->top = list->cursor;
    if (list->height && list->cursor - list->top >= list->height)
        list->top = list->cursor - list->height + 1;
}

void nsc_list_fit(struct nsc_list *list, size_t n, int height)
{
    list->n = n;
    list->height = height > 0 ? (size_t)height : 0;
    nsc_list_clamp(list);
}

bool nsc_list_set(struct nsc_list *list, size_t cursor)
{
    struct nsc_list before = *list;

    list->cursor = cursor;
    if (list->tail && cursor >= last_item(list)) /* what is below belongs to the last item */
        list->top = last_top(list);
    nsc_list_clamp(list);
    return list->cursor != before.cursor || list->top != before.top;
}

bool nsc_list_move(struct nsc_list *list, int64_t by)
{
    return nsc_list_set(list, offset_clamp(list->cursor, by, last_item(list)));
}

bool nsc_list_page(struct nsc_list *list, int64_t pages)
{
    struct nsc_list before = *list;
    int64_t step = list->height > 2 ? (int64_t)list->height - 1 : 1;
    int64_t by = 0;

    if (__builtin_mul_overflow(pages, step, &by))
        by = pages < 0 ? INT64_MIN : INT64_MAX;
    list->top = offset_clamp(list->top, by, last_top(list));
    list->cursor = offset_clamp(list->cursor, by, last_item(list));
    nsc_list_clamp(list);
    return list->cursor != before.cursor || list->top != before.top;
}

bool nsc_list_scroll(struct nsc_list *list, int64_t by)
{
    struct nsc_list before = *list;

    list->top = offset_clamp(list->top, by, last_top(list));
    if (list->cursor < list->top)
        list->cursor = list->top;
    if (list->height && list->cursor - list->top >= list->height)
        list->cursor = list->top + list->height - 1;
    nsc_list_clamp(list);
    return list->cursor != before.cursor || list->top != before.top;
}

void nsc_list_center(struct nsc_list *list)
{
    nsc_list_clamp(list);
    list->top = offset_clamp(list->cursor, -(int64_t)(list->height / 2), last_top(list));
    nsc_list_clamp(list);
}

/* ---- items ---- */

uint32_t nsc_list_item(const struct nsc_list *list)
{
    return list->cursor >= list->n ? NSC_NONE
           : list->items           ? list->items[list->cursor]
                                   : (uint32_t)list->cursor;
}

bool nsc_list_go(struct nsc_list *list, size_t item)
{
    size_t line = list->items ? 0 : item;

    while (list->items && line < list->n && list->items[line] != item)
        line++;
    if (line < list->n)
        (void)nsc_list_set(list, line);
    return line < list->n;
}

void nsc_list_whole(struct nsc_list *list, size_t n)
{
    free(list->items);
    list->items = nsc_sort_numbers((uint32_t)n);
    list->n = n;
}

void nsc_list_narrow(struct nsc_list *list,
                     void (*put)(const void *context, size_t item, struct nsc_buf *out),
                     const void *context)
{
    struct nsc_buf text = NSC_BUF_INIT(TEXT_BYTES);
    size_t n = list->n;

    list->n = 0;
    for (size_t i = 0; i < n; i++) {
        nsc_buf_clear(&text);
        if (list->needle[0])
            put(context, list->items[i], &text);
        if (nsc_text_contains_folded(nsc_text_of_buf(&text), nsc_text_from(list->needle)))
            list->items[list->n++] = list->items[i];
    }
    nsc_buf_fini(&text);
    nsc_list_clamp(list);
}

void nsc_list_fini(struct nsc_list *list)
{
    free(list->items);
    *list = (struct nsc_list){0};
}

enum nsc_role nsc_list_line(struct nsc_grid *grid, struct nsc_rect line, bool current, bool focus)
{
    if (!current)
        return NSC_ROLE_TEXT;
    nsc_grid_fill(grid, line, NSC_ROLE_LABEL_CURSOR, " ");
    if (focus) {
        grid->cursor_row = line.row;
        grid->cursor_col = line.col;
    }
    return NSC_ROLE_LABEL_CURSOR;
}

/* ---- boxes ---- */

void nsc_box_draw(struct nsc_grid *grid, struct nsc_rect box, const char *title)
{
    struct nsc_rect edge = {box.row, box.col, 1, box.cols};
    int bottom = box.row + box.rows - 1;
    int right = box.col + box.cols - 1;

    nsc_grid_fill(grid, box, NSC_ROLE_TEXT, " ");
    nsc_grid_fill(grid, edge, NSC_ROLE_BORDER, "─");
    edge.row = bottom;
    nsc_grid_fill(grid, edge, NSC_ROLE_BORDER, "─");
    edge = (struct nsc_rect){box.row, box.col, box.rows, 1};
    nsc_grid_fill(grid, edge, NSC_ROLE_BORDER, "│");
    edge.col = right;
    nsc_grid_fill(grid, edge, NSC_ROLE_BORDER, "│");
    nsc_grid_put(grid, box.row, box.col, NSC_ROLE_BORDER, 0, "┌");
    nsc_grid_put(grid, box.row, right, NSC_ROLE_BORDER, 0, "┐");
    nsc_grid_put(grid, bottom, box.col, NSC_ROLE_BORDER, 0, "└");
    nsc_grid_put(grid, bottom, right, NSC_ROLE_BORDER, 0, "┘");
    nsc_grid_puts(grid, box.row, box.col + 2, box.cols - 4, NSC_ROLE_TAB_ACTIVE, title);
}

void nsc_choice_draw(struct nsc_grid *grid, struct nsc_rect line, const struct nsc_choice *choice,
                     bool current)
{
    enum nsc_role role = nsc_list_line(grid, line, current, false);
    int col = line.col + 1 + choice->name_cols;
    int help = col + choice->value_cols + 1;
    char text[160];

    (void)snprintf(text, sizeof text, current ? "< %s >" : "  %s", choice->value);
    nsc_grid_puts(grid, line.row, line.col + 1, choice->name_cols - 1, role, choice->name);
    nsc_grid_puts(grid, line.row, col, choice->value_cols, current ? role : NSC_ROLE_KEY, text);
    nsc_grid_puts(grid, line.row, help, line.col + line.cols - help - 1,
                  current ? role : NSC_ROLE_DIM, choice->help);
}
