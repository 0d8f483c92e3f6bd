/* Moves through a list that scrolls. */
#include "view/kit/list.h"

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
