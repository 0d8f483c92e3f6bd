/*
 * Tables as the reader wants them: which columns, in which order, how many rows, and a key for each row.
 */
#ifndef NSC_SERVE_SHAPE_H
#define NSC_SERVE_SHAPE_H

#include "nsyscope/status.h"

#include "core/sheet.h"

struct nsc_wanted {
    const char *fields; /* keys of columns, separated by commas; NULL: all */
    const char *sort; /* key of a column, "-" before it for the greatest first; NULL: as they are */
    uint32_t limit;   /* rows of each sheet; 0: all */
    bool has_keys;    /* each row gets a first column "key", unless the sheet has one */
};

/*
 * Changes the sheets in place. A key is made of the ids and the first text of the row before anything is left
 * out, so it stays the same whatever columns and rows are wanted; equal rows are numbered. A sheet
 * without any of the fields is left out, and one without the column of the order keeps its own.
 * NSC_EINVAL: no sheet has a column of this name.
 */
NSC_NODISCARD enum nsc_status nsc_sheets_shape(struct nsc_sheets *sheets,
                                               const struct nsc_wanted *wanted,
                                               struct nsc_error *error);

#endif
