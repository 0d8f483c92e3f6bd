/*
 * The words of the bookmarks file that its writer and its reader share.
 */
#ifndef NSC_VIEW_MODEL_BOOKMARK_WORDS_H
#define NSC_VIEW_MODEL_BOOKMARK_WORDS_H

#include "view/model/bookmark.h"

#define NSC_BOOKMARKS_FORMAT "nsyscope-bookmarks-" /* and the version */

extern const char *const nsc_bookmark_text_keys[NSC_N_BOOKMARK_TEXTS];
/* Kinds of events by their enumerators: each names one, which the filter's words do not. */
extern const char *const nsc_bookmark_kinds[NSC_N_KINDS];

#endif
