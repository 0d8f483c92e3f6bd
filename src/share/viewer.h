/*
 * The page: a trace as one HTML file that a browser opens without a network.
 *
 * The page holds the rows of the timeline, the events of the scope or, where they are too many, the
 * exact bins of the whole in columns, the covers of each device, and answers as sheets. It computes
 * no figure that an engine of this program has: it sums columns, measures covers and sorts tables.
 * Texts of the export lie in packed bytes only, so no name can change the shape of the document.
 */
#ifndef NSC_SHARE_VIEWER_H
#define NSC_SHARE_VIEWER_H

#include "nsyscope/status.h"

#include "analysis/base/scope.h"
#include "analysis/finding/finding_list.h"
#include "core/buf.h"
#include "core/sheet.h"
#include "view/model/bookmark.h"

/* A tab below the timeline. */
struct nsc_viewer_pane {
    const char *key, *title; /* static */
    struct nsc_sheets sheets;
};

#define NSC_VIEWER_MAX_SIZE   ((uint64_t)20 << 20) /* bytes of a page by default */
#define NSC_VIEWER_WHOLE_SIZE ((uint64_t)5 << 20)  /* bytes of the whole in columns, at most */

struct nsc_field_sets;

struct nsc_viewer {
    const struct nsc_scope *scope;
    struct nsc_window detail; /* the time whose events are wanted one by one */
    struct nsc_window window; /* the time that is shown first */
    const struct nsc_viewer_pane *panes;
    uint32_t n_panes;
    const struct nsc_findings *findings;
    const struct nsc_bookmarks *bookmarks;
    const struct nsc_field_sets *fields; /* columns beside the index; NULL: none */
    const char *command;                 /* the command line that makes the page again */
    const char *const *notes;            /* what the reader must know about the scope; raw */
    size_t n_notes;
    uint64_t max_size; /* bytes */
};

/*
 * Appends the page. Over max_size it holds columns in place of events, then fewer columns, and says
 * so. NSC_EINVAL: not even the smallest page fits. NSC_ENOMEM.
 */
NSC_NODISCARD enum nsc_status nsc_viewer_write(struct nsc_buf *out, const struct nsc_viewer *viewer,
                                               struct nsc_error *error);

/* Body, script and style of the page, and the policy that allows only these two; made by CMake. */
extern const char nsc_viewer_body[];
extern const char nsc_viewer_script[];
extern const char nsc_viewer_style[];
extern const char nsc_viewer_policy[];

#endif
