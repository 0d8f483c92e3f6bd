/*
 * Everything that a page shows, asked of a scope, and the page as a file.
 */
#ifndef NSC_CLI_PAGE_FILE_H
#define NSC_CLI_PAGE_FILE_H

#include "nsyscope/open.h"

#include "share/viewer.h"

struct nsc_page_request {
    const struct nsc_scope *scope;
    struct nsc_capture *capture; /* of columns beside the index; NULL: none */
    const struct nsc_bookmarks *bookmarks;
    struct nsc_window detail, window; /* as in struct nsc_viewer */
    const char *command;
    const char *const *notes;
    size_t n_notes;
    uint64_t max_size; /* 0: the default */
    bool ascii;
};

/* Asks every question of the page and appends the page to out. progress may be NULL. */
NSC_NODISCARD enum nsc_status nsc_page_write(struct nsc_buf *out,
                                             const struct nsc_page_request *request,
                                             struct nsc_progress *progress,
                                             struct nsc_error *error);

#endif
