/* Writes scrolling text, word by word. */
#include "view/kit/page.h"

#include "core/units.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool line_is_visible(const struct nsc_page *page)
{
    return page->grid && page->line >= page->top && page->line - page->top < page->rect.rows;
}

void nsc_page_text(struct nsc_page *page, enum nsc_role role, struct nsc_text text)
{
    int room = page->rect.cols - page->col;
    size_t width = 0;

    if (room <= 0 || !text.n)
        return;
    width = nsc_text_width(text, page->ascii);
    if (line_is_visible(page))
        nsc_grid_text(page->grid, page->rect.row + page->line - page->top,
                      page->rect.col + page->col, room, role, text);
    page->col += width < (size_t)room ? (int)width : room;
}

/* The view's own glyphs have the same width in ASCII, so the text's width holds in both modes. */
void nsc_page_puts(struct nsc_page *page, enum nsc_role role, const char *text)
{
    int room = page->rect.cols - page->col;
    size_t width = nsc_text_width(nsc_text_from(text), false);

    if (room <= 0)
        return;
    /* Blanks beyond the edge do not need "…". */
    if (line_is_visible(page) && (width <= (size_t)room || text[strspn(text, " ")]))
        nsc_grid_puts(page->grid, page->rect.row + page->line - page->top,
                      page->rect.col + page->col, room, role, text);
    page->col += width < (size_t)room ? (int)width : room;
}

void nsc_page_printf(struct nsc_page *page, enum nsc_role role, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    nsc_page_puts(page, role, text);
}

void nsc_page_pair(struct nsc_page *page, const char *name, const char *value)
{
    size_t width = nsc_text_width(nsc_text_from(name), page->ascii) + 1 +
                   nsc_text_width(nsc_text_from(value), page->ascii);

    if (page->col && width > (size_t)(page->rect.cols - page->col))
        nsc_page_end(page);
    nsc_page_puts(page, NSC_ROLE_DIM, name);
    nsc_page_puts(page, NSC_ROLE_DIM, " ");
    nsc_page_puts(page, NSC_ROLE_TEXT, value);
    nsc_page_puts(page, NSC_ROLE_DIM, "   ");
    while (page->stop && page->col % page->stop && page->col < page->rect.cols)
        page->col++;
}

void nsc_page_elapsed(struct nsc_page *page, uint64_t since, uint64_t now)
{
    uint64_t tenths = now > since ? (now - since) / 100 : 0;

    nsc_page_printf(page, NSC_ROLE_WARNING, "%.1f s  ", (double)tenths / 10);
}

void nsc_page_tab(struct nsc_page *page, int col)
{
    page->col = page->col < col ? col : page->col + 1;
}

void nsc_page_end(struct nsc_page *page)
{
    if (page->col)
        page->line++;
    page->col = 0;
}

void nsc_page_line(struct nsc_page *page, enum nsc_role role, const char *text)
{
    nsc_page_puts(page, role, text);
    nsc_page_end(page);
}

void nsc_page_duration(struct nsc_page *page, enum nsc_role role, nsc_time ns)
{
    char text[NSC_UNITS_BYTES];

    nsc_page_puts(page, role, nsc_units_duration(text, ns, page->ascii));
}

void nsc_page_skip(struct nsc_page *page)
{
    nsc_page_end(page);
    page->line++;
}

void nsc_page_wrap(struct nsc_page *page, enum nsc_role role, const char *text, int indent)
{
    bool follows = page->col > indent;

    while (*text) {
        struct nsc_text word = {text, (uint32_t)strcspn(text, " ")};
        int width = (int)nsc_text_width(word, page->ascii);

        if (follows && page->col + 1 + width > page->rect.cols) {
            nsc_page_end(page);
            for (int i = 0; i < indent; i++)
                nsc_page_puts(page, role, " ");
        } else if (follows) {
            nsc_page_puts(page, role, " ");
        }
        nsc_page_text(page, role, word);
        follows = true;
        text += word.n;
        text += strspn(text, " ");
    }
    nsc_page_end(page);
}

/* ---- advice ---- */

/* The first that fits is taken. */
static const struct {
    const char *words, *here;
} places[] = {
    {"nsyscope skill run ", ":answer "},
    {"nsyscope ranks FILE... of all", ":answer ranks, with all"},
    {"nsyscope ranks", ":answer ranks"},
    {"nsyscope iters", ":answer iteration_timing"},
    {"nsyscope stats FILE -r ", "nsyscope stats, report "},
    {"nsyscope diff FILE FILE with --trim", ":statistics of a range"},
    {"nsyscope diff A B", ":diff"},
    {"nsyscope search FILE ", ":find "},
    {"nsyscope tree FILE --instances", ":tree"},
    {"nsyscope tree", ":tree"},
    {"nsyscope analyze", ":findings"},
    {"nsyscope info", ":info"},
    {"nsyscope schema --trace", "Tab"},
    {"nsyscope schema", ":schema"},
    {"nsyscope help ", ":help "},
    {" --whole selects the whole recording, --trim another window.",
     " With a range, questions are of its time."},
    {" --whole", ""},
    {"with --trim", "in a range"},
    {"--iterations", ":iterations"},
    {"; --anyway compares them even so", ""},
    {" FILE...", ""},
    {" FILE", ""},
    {" -p ", " "},
};

void nsc_advice_add(struct nsc_buf *out, struct nsc_text text)
{
    while (text.n) {
        size_t k = 0;
        uint32_t taken = 1;

        while (k < sizeof places / sizeof *places && !nsc_text_begins(text, places[k].words))
            k++;
        if (k < sizeof places / sizeof *places) {
            nsc_buf_puts(out, places[k].here);
            taken = nsc_text_from(places[k].words).n;
        } else {
            nsc_buf_putc(out, text.bytes[0]);
        }
        text.bytes += taken;
        text.n -= taken;
    }
}

void nsc_advice_wrap(struct nsc_page *page, enum nsc_role role, const char *text, int indent)
{
    struct nsc_buf here = NSC_BUF_INIT(SIZE_MAX);

    nsc_advice_add(&here, nsc_text_from(text));
    nsc_page_wrap(page, role, here.n ? here.bytes : "", indent);
    nsc_buf_fini(&here);
}
