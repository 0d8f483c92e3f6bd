/*
 * A list that scrolls: which item has the cursor and which is on top, whatever the items are.
 *
 * A plain value. Whoever changes n or height calls nsc_list_clamp: then cursor < n (or 0), and the
 * cursor is shown.
 */
#ifndef NSC_VIEW_KIT_LIST_H
#define NSC_VIEW_KIT_LIST_H

#include "nsyscope/types.h"

struct nsc_list {
    size_t n;      /* items */
    size_t height; /* lines to show them in */
    size_t cursor, top;
};

void nsc_list_clamp(struct nsc_list *list);
/* Each says with false that nothing changed. */
bool nsc_list_set(struct nsc_list *list, size_t cursor);
bool nsc_list_move(struct nsc_list *list, int64_t by);
bool nsc_list_page(struct nsc_list *list, int64_t pages); /* keeps one line of the page before */
/* Moves what is shown; the cursor follows only as far as it must to stay shown. */
bool nsc_list_scroll(struct nsc_list *list, int64_t by);
/* Puts the cursor in the middle of the lines, as far as the ends allow. */
void nsc_list_center(struct nsc_list *list);

#endif
