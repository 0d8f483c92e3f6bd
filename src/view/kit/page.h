/*
 * Lines of text that scroll inside a rectangle; the same code draws and counts them.
 *
 * A plain value. With grid NULL, lines are only counted.
 */
#ifndef NSC_VIEW_KIT_PAGE_H
#define NSC_VIEW_KIT_PAGE_H

#include "nsyscope/status.h"

#include "core/buf.h"
#include "view/kit/grid.h"

struct nsc_page {
    struct nsc_grid *grid;
    struct nsc_rect rect;
    int top;  /* lines scrolled off */
    int line; /* current line, from 0 */
    int col;  /* column of the next word, from 0 */
    bool ascii;
    int stop; /* pairs begin at multiples of it, and so stay in place when a value gets longer; 0:
               * anywhere */
};

static inline struct nsc_page nsc_page(struct nsc_grid *grid, struct nsc_rect rect, int top,
                                       bool ascii)
{
    struct nsc_page page = {grid, rect, top, 0, 0, ascii, 0};

    return page;
}

/* Adds text to the line, clipped to the rest of it. Raw bytes. */
void nsc_page_text(struct nsc_page *page, enum nsc_role role, struct nsc_text text);
void nsc_page_puts(struct nsc_page *page, enum nsc_role role, const char *text);
/* The same, and ends the line. */
void nsc_page_line(struct nsc_page *page, enum nsc_role role, const char *text);
void nsc_page_duration(struct nsc_page *page, enum nsc_role role, nsc_time ns);
/* At most 255 bytes of the view's own text. */
void nsc_page_printf(struct nsc_page *page, enum nsc_role role, const char *format, ...)
    NSC_PRINTF(3, 4);
/* Adds "name value  ", on the next line if it does not fit on this one. */
void nsc_page_pair(struct nsc_page *page, const char *name, const char *value);
/* "1.2 s" since a time, in tenths; both in ms. */
void nsc_page_elapsed(struct nsc_page *page, uint64_t since, uint64_t now);
void nsc_page_tab(struct nsc_page *page, int col);
/* Adds the words of a text and ends the line; continuation lines begin after `indent` cells. */
void nsc_page_wrap(struct nsc_page *page, enum nsc_role role, const char *text, int indent);
/* The same for advice, said as nsc_advice_add says it. */
void nsc_advice_wrap(struct nsc_page *page, enum nsc_role role, const char *text, int indent);
/* Appends advice as the screen gives it: commands of its own command line and ranges, where answers name
 * commands and options of nsyscope. Options of nsys stay. */
void nsc_advice_add(struct nsc_buf *out, struct nsc_text text);
/* Ends the line unless it is empty. */
void nsc_page_end(struct nsc_page *page);
void nsc_page_skip(struct nsc_page *page);

/* ---- labels of rows, and names that look the same when cut ---- */

/* Bytes before the first dot between two parts of a label; all if there is none. */
uint32_t nsc_label_part(struct nsc_text label);
/* Draws on the first line of rect. Returns the next column. In ASCII mode dots become an ASCII
 * glyph; other non-ASCII text is spelled out. */
int nsc_label_draw(struct nsc_grid *grid, struct nsc_rect rect, enum nsc_role role,
                   struct nsc_text label);
/* Appends the label as drawn, for a line that the user can edit. */
void nsc_label_add(struct nsc_buf *out, struct nsc_text label, bool ascii);
/* Puts the label into scrolling text. */
void nsc_label_put(struct nsc_page *page, enum nsc_role role, struct nsc_text label);

/*
 * Bytes of names[i] to skip, back to the start of a word, so that it differs from all names that
 * would look the same in so many cells; fewer if more of it fits. 0 if no name looks the same, or the name is not ASCII.
 * O(n).
 */
uint32_t nsc_name_shared(const struct nsc_text names[], uint32_t n, uint32_t i, uint32_t cells);
/* Draws the name in the rest of the line: its beginning, "…", and the text after the shared bytes.
 * shared 0: the whole name. */
void nsc_name_put(struct nsc_page *page, enum nsc_role role, struct nsc_text name, uint32_t shared);

#endif
