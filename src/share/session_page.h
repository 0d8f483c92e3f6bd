/*
 * A session as one HTML page: bookmarks in their order with what belongs to each, for a reader who
 * was not there. No script, nothing loaded from elsewhere.
 */
#ifndef NSC_SHARE_SESSION_PAGE_H
#define NSC_SHARE_SESSION_PAGE_H

#include "analysis/finding/finding_list.h"
#include "core/sheet.h"
#include "view/model/bookmark.h"

/* One bookmark, and what was asked of its window. */
struct nsc_session_part {
    const struct nsc_bookmark *bookmark;
    struct nsc_window window;
    struct nsc_sheets sheets;    /* statistics of the window */
    struct nsc_buf picture;      /* SVG of the screen */
    struct nsc_buf events;       /* CSV, a line an event */
    char *command, *command_csv; /* owned by the caller: show the same on another machine */
    char file[64];               /* of picture and events in a folder, without the ending */
};

struct nsc_session_page {
    const struct nsc_trace *trace;
    const char *identity;                /* of the export */
    const char *name;                    /* of the exports' files, without their folders; raw */
    const struct nsc_findings *findings; /* of the whole; those that meet a window are shown */
    const struct nsc_session_part *parts;
    size_t n;
    struct nsc_text bookmarks; /* the JSON that `nsyscope bookmarks FILE import` reads */
    bool is_alone;             /* no folder around it: the page holds events and bookmarks too */
};

/* Appends the page. */
void nsc_session_page_write(struct nsc_buf *out, const struct nsc_session_page *page);

/* The bookmarks in a page that is_alone; the text itself if it is none. text ends in a NUL that n
 * does not count. Borrowed. */
struct nsc_text nsc_session_page_bookmarks(struct nsc_text text);

#endif
