/*
 * A session as one HTML page: bookmarks in order with their data, for people who were not there. No
 * script, no external resources.
 */
#ifndef NSC_SHARE_SESSION_PAGE_H
#define NSC_SHARE_SESSION_PAGE_H

#include "analysis/finding/finding_list.h"
#include "core/sheet.h"
#include "view/model/bookmark.h"

/* One bookmark, and the answers about its window. */
struct nsc_session_part {
    const struct nsc_bookmark *bookmark;
    struct nsc_window window;
    struct nsc_sheets sheets;    /* statistics of the window */
    struct nsc_buf picture;      /* SVG of the screen */
    struct nsc_buf events;       /* CSV, one line per event */
    char *command, *command_csv; /* owned by the caller: commands that show the same on another
                                  * machine; command_csv NULL: none */
    char file[64];               /* name of picture and events in a folder, without the ending */
};

struct nsc_session_page {
    const struct nsc_trace *trace;
    const char *identity;                /* of the export */
    const char *name;                    /* of the exports' files, without their folders; raw */
    const struct nsc_findings *findings; /* of the whole recording; each window shows those that
                                          * touch it */
    const struct nsc_session_part *parts;
    size_t n;
    struct nsc_text bookmarks; /* JSON for `nsyscope bookmarks FILE import` */
    bool is_alone;             /* not in a folder: the page also contains events and bookmarks */
};

/* Appends the page. */
void nsc_session_page_write(struct nsc_buf *out, const struct nsc_session_page *page);

/* The bookmarks in a page that is_alone; any other text is returned itself. text ends in a NUL
 * after its n bytes. Borrowed. */
struct nsc_text nsc_session_page_bookmarks(struct nsc_text text);

#endif
