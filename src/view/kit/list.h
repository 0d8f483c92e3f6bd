/*
 * The cursor and the top line of a list that scrolls, for items of any kind; and which of them have a text.
 *
 * A plain value unless it is narrowed: then the owner calls nsc_list_fini. Call nsc_list_clamp after
 * changing n or height: then cursor < n (or 0), and the cursor is visible.
 */
#ifndef NSC_VIEW_KIT_LIST_H
#define NSC_VIEW_KIT_LIST_H

#include "core/buf.h"
#include "view/kit/grid.h"

struct nsc_list {
    size_t n;      /* lines */
    size_t height; /* visible lines */
    size_t cursor, top;
    size_t tail;     /* lines below the last item that it scrolls to; less than height */
    uint32_t *items; /* the item of each line; owned; NULL: its number */
    char needle[64]; /* only items with this text are listed; "": all */
};

/* Lists all of n items, in their order. */
void nsc_list_whole(struct nsc_list *list, size_t n);
/* Of the listed items, keeps those whose text has the needle. */
void nsc_list_narrow(struct nsc_list *list,
                     void (*put)(const void *context, size_t item, struct nsc_buf *out),
                     const void *context);
void nsc_list_fini(struct nsc_list *list);
/* The item at the cursor; NSC_NONE if there is none. */
uint32_t nsc_list_item(const struct nsc_list *list);
/* Moves the cursor to an item. False if it is not listed. */
bool nsc_list_go(struct nsc_list *list, size_t item);

void nsc_list_clamp(struct nsc_list *list);
/* Sets both, and clamps; a negative height counts as 0. */
void nsc_list_fit(struct nsc_list *list, size_t n, int height);
/* These return false if nothing changed. */
bool nsc_list_set(struct nsc_list *list, size_t cursor);
bool nsc_list_move(struct nsc_list *list, int64_t by);
bool nsc_list_page(struct nsc_list *list, int64_t pages); /* keeps one line of the previous page */
/* Scrolls the lines; moves the cursor only as far as needed to keep it visible. */
bool nsc_list_scroll(struct nsc_list *list, int64_t by);
/* Scrolls the cursor to the middle, as far as the ends of the list allow. */
void nsc_list_center(struct nsc_list *list);
/* Begins a line of a list: the current one gets its background, and the terminal's cursor if the list
 * has the focus. Returns the role of its text. */
enum nsc_role nsc_list_line(struct nsc_grid *grid, struct nsc_rect line, bool current, bool focus);

#endif
