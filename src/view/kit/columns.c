/* Places the columns of a list, and draws its lines. */
#include "view/kit/columns.h"

struct room {
    int left;   /* cells for the columns of width 0 */
    int shares; /* number of such columns */
};

/* Shows a column if it leaves enough to the others. */
static void place(struct nsc_columns *columns, uint32_t i, struct room *room)
{
    const struct nsc_list_column *column = &columns->of[i];
    int shares = room->shares + !column->width;

    if (column->rank && (room->left - column->width) / shares < column->least)
        return;
    room->left -= column->width;
    room->shares = shares;
    columns->width[i] = 1;
}

void nsc_columns_fit(struct nsc_columns *out, const struct nsc_list_column of[], uint32_t n,
                     uint32_t hidden, struct nsc_rect rect)
{
    struct room room = {rect.cols, 0};
    int col = rect.col;

    *out = (struct nsc_columns){.of = of, .n = n, .line = {0, rect.col, 1, rect.cols}};
    for (int rank = 0; rank <= (int)n; rank++)
        for (uint32_t i = 0; i < n; i++)
            if (of[i].rank == rank && !(hidden & 1u << i))
                place(out, i, &room);
    for (uint32_t i = 0; i < n; i++) {
        int width = of[i].width;

        if (!out->width[i])
            continue;
        if (!width) { /* the first ones get the remainder */
            width = (room.left + room.shares - 1) / room.shares;
            room.left -= width;
            room.shares--;
        }
        out->col[i] = col;
        out->width[i] = width > of[i].gap ? width - of[i].gap : 0;
        col += width;
    }
}

void nsc_columns_titles(const struct nsc_columns *columns, struct nsc_grid *grid, int row)
{
    for (uint32_t i = 0; i < columns->n; i++) {
        const struct nsc_list_column *of = &columns->of[i];
        enum nsc_role role = of->is_chosen ? NSC_ROLE_KEY : NSC_ROLE_DIM;
        int title = (int)nsc_text_width(nsc_text_from(of->title), grid->ascii);
        int end = columns->col[i] + columns->width[i];
        int at = of->is_left || title + (of->mark ? 2 : 0) > columns->width[i] ? columns->col[i]
                                                                               : end - title;

        if (of->mark && columns->width[i])
            nsc_grid_put(grid, row,
                         at + (of->is_left                     ? title + 1
                               : title + 2 < columns->width[i] ? -2
                                                               : -1),
                         role, 0, of->mark);
        nsc_grid_puts(grid, row, at, end - at, role, of->title);
    }
}

void nsc_list_bar(const struct nsc_list_cell *cell, enum nsc_role role, uint8_t shade,
                  nsc_time part, nsc_time whole)
{
    struct nsc_rect rect = cell->page.rect;
    double share = whole > 0 ? (double)part / (double)whole : 0;
    int eighths = (int)((share > 1 ? 1 : share) * NSC_LIST_BAR_COLS * 8 + 0.5);

    rect.col += rect.cols - NSC_LIST_BAR_COLS;
    rect.cols = NSC_LIST_BAR_COLS;
    if (part > 0 && whole > 0 && eighths == 0)
        eighths = 1;
    nsc_grid_bar(cell->page.grid, rect, role, shade, eighths);
}

void nsc_list_put(const struct nsc_list_source *source, struct nsc_grid *grid, int row, size_t item,
                  enum nsc_role role, bool is_current)
{
    const struct nsc_columns *columns = source->columns;

    for (uint32_t i = 0; i < columns->n; i++) {
        struct nsc_rect rect = {row, columns->col[i], 1, columns->width[i]};
        struct nsc_list_cell cell = {
            .column = i, .page = nsc_page(grid, rect, 0, source->ascii), .role = role};

        if (rect.cols <= 0)
            continue;
        source->fill(source->context, item, &cell);
        nsc_grid_puts_right(grid, row, rect.col, rect.cols, role, cell.text);
        if (is_current && !columns->of[i].has_roles)
            nsc_grid_set_role(grid, rect, role);
    }
}

void nsc_list_draw(const struct nsc_list *list, const struct nsc_list_source *source, bool marks,
                   bool focus, struct nsc_grid *grid, int row)
{
    struct nsc_rect line = source->columns->line;

    for (size_t i = list->top; i < list->n && i - list->top < list->height; i++) {
        bool is_current = marks && i == list->cursor;

        line.row = row + (int)(i - list->top);
        nsc_list_put(source, grid, line.row, list->items ? list->items[i] : i,
                     nsc_list_line(grid, line, is_current, focus), is_current);
    }
}
