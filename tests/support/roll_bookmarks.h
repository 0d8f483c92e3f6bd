/*
 * Random bookmarks, from few values so that they collide.
 */
#ifndef NSC_TESTS_ROLL_BOOKMARKS_H
#define NSC_TESTS_ROLL_BOOKMARKS_H

#include "support/dice.h"
#include "view/model/bookmark.h"

/* Each member is set in some bookmarks; ids are 1 to 12, some removed. */
void roll_bookmarks(struct nsc_bookmarks *out, struct dice *dice, unsigned n);
void roll_session(struct nsc_session_state *out, struct dice *dice);
/* The list in its file's format, to compare; free with nsc_buf_fini. */
struct nsc_buf print_bookmarks(const struct nsc_bookmarks *list);

#endif
