/* Writes a page with all its answers about a scope. */
#ifndef NSC_SHARE_PAGE_ANSWERS_H
#define NSC_SHARE_PAGE_ANSWERS_H

#include "share/viewer.h"

struct nsc_field_sets;
struct nsc_progress;

struct nsc_page_request {
    const struct nsc_scope *scope;
    const struct nsc_field_sets *fields; /* columns that are not in the index; NULL: none */
    const struct nsc_bookmarks *bookmarks;
    struct nsc_window detail, window; /* as in struct nsc_viewer */
    const char *command;
    const char *const *notes;
    size_t n_notes;
    uint64_t max_size; /* 0: the default */
    bool ascii;
};

/* Computes every answer of the page and appends the page to out. progress may be NULL. */
NSC_NODISCARD enum nsc_status nsc_page_write(struct nsc_buf *out,
                                             const struct nsc_page_request *request,
                                             struct nsc_progress *progress,
                                             struct nsc_error *error);

#endif
