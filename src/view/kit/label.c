/* Draws labels, part by part. */
#include "core/text.h"
#include "view/kit/grid.h"
#include "view/kit/page.h"

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

int nsc_label_draw(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role,
                   struct nsc_text label)
{
    struct nsc_page page = nsc_page(grid, rect, 0, grid->ascii);

    nsc_label_put(&page, role, label);
    return rect.col + page.col;
}

/* ---- names that differ where they are cut ---- */

enum { HEAD_COLS = 8, CELLS_LEAST = 20, WORD_MOST = 16 };

static uint32_t common(struct nsc_text a, struct nsc_text b)
{
    uint32_t n = 0;

    while (n < a.n && n < b.n && a.bytes[n] == b.bytes[n])
        n++;
    return n;
}

/* The first byte of the word at `at`, unless the word is long. */
static uint32_t word_start(struct nsc_text text, uint32_t at)
{
    uint32_t from = at;

    while (from > 0 && at - from < WORD_MOST && !strchr("_:<>,() ", text.bytes[from - 1]))
        from--;
    return at - from < WORD_MOST ? from : at;
}

uint32_t nsc_name_shared(const struct nsc_text names[], uint32_t n, uint32_t i, uint32_t cells)
{
    uint32_t shared = names[i].n;

    if (cells < CELLS_LEAST || names[i].n <= cells || nsc_text_plain(names[i]) != names[i].n)
        return 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t same = k == i ? shared : common(names[i], names[k]);

        /* The last cell may be an ellipsis. Equal names look the same anyway. */
        if (same + 1 >= cells && same < shared)
            shared = same;
    }
    if (shared == names[i].n)
        return 0;
    shared = word_start(names[i], shared);
    if (names[i].n - shared < cells - HEAD_COLS - 1) /* fills the line */
        shared = names[i].n - (cells - HEAD_COLS - 1);
    return shared > HEAD_COLS ? shared : 0;
}

void nsc_name_put(struct nsc_page *page, enum nsc_role role, struct nsc_text name, uint32_t shared)
{
    if (shared) {
        nsc_page_text(page, role, (struct nsc_text){name.bytes, HEAD_COLS});
        nsc_page_puts(page, role, "…");
        name.bytes += shared;
        name.n -= shared;
    }
    nsc_page_text(page, role, name);
}
