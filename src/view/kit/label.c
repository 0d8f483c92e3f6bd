/* Draws labels, part by part. */
#include "view/kit/label.h"

#include "view/kit/grid.h"

#include <string.h>

static const char dot[] = "·";

enum { DOT_BYTES = sizeof dot - 1 };

uint32_t nsc_label_part(struct nsc_text label)
{
    uint32_t n = 0;

    while (n + DOT_BYTES <= label.n && memcmp(label.bytes + n, dot, DOT_BYTES) != 0)
        n++;
    return n + DOT_BYTES <= label.n ? n : label.n;
}

/* Takes the next part off the label; false if a dot comes first. */
static bool next_part(struct nsc_text *label, struct nsc_text *part)
{
    uint32_t n = nsc_label_part(*label);

    *part = (struct nsc_text){label->bytes, n ? n : DOT_BYTES};
    label->bytes += part->n;
    label->n -= part->n;
    return n != 0;
}

int nsc_label_draw(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role,
                   struct nsc_text label)
{
    int end = rect.col + rect.cols;
    int col = rect.col;
    struct nsc_text part;

    if (!grid->ascii)
        return nsc_grid_text(grid, rect.row, col, rect.cols, role, label);
    while (label.n && col < end)
        col = next_part(&label, &part) ? nsc_grid_text(grid, rect.row, col, end - col, role, part)
                                       : nsc_grid_puts(grid, rect.row, col, end - col, role, dot);
    return col;
}

void nsc_label_add(struct nsc_buf *out, struct nsc_text label, bool ascii)
{
    struct nsc_text part;

    while (label.n) {
        bool is_dot = !next_part(&label, &part);

        if (is_dot && ascii)
            nsc_buf_putc(out, nsc_glyph_ascii(part));
        else
            nsc_buf_add(out, part.bytes, part.n);
    }
}

void nsc_label_put(struct nsc_page *page, enum nsc_role role, struct nsc_text label)
{
    struct nsc_text part;

    if (!page->ascii) {
        nsc_page_text(page, role, label);
        return;
    }
    while (label.n)
        if (next_part(&label, &part))
            nsc_page_text(page, role, part);
        else
            nsc_page_puts(page, role, dot);
}
