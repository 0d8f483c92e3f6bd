/*
 * Writes a part of an export as an export of its own, for mail and tickets.
 *
 * It has all tables of the original as they were declared. Of a table with events it has the rows of
 * the events that are kept, of the launches of kept GPU work, and of their call stacks; of any other
 * table with times the rows that touch the window; the rest whole. StringIds has only what these rows
 * name. Rows are read through the gate of nsys/pages/source and written one by one, so that nothing
 * in the original is ever run.
 */
#ifndef NSC_NSYS_CUT_H
#define NSC_NSYS_CUT_H

#include "nsyscope/open.h"

struct nsc_cut {
    const struct nsc_trace *trace; /* of the export alone, on its own clock */
    const uint64_t *mask;          /* the events to keep, one bit each; NULL: all */
    struct nsc_window window;      /* kept events touch it */
    const char *key;               /* masks names (mask_names.h); NULL: they stay */
    bool force;                    /* replace an existing file */
};

/* NSC_EINVAL if the file exists and force is not set; NSC_EWRITE; NSC_EIO or NSC_EDAMAGED if the
 * export cannot be read or has changed. On failure there is no file. */
NSC_NODISCARD enum nsc_status nsc_cut_write(const char *path, struct nsc_capture *capture,
                                            const struct nsc_cut *cut, struct nsc_error *error);

#endif
