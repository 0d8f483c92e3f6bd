/*
 * Answers within a number of bytes: whole rows, and how many are left out.
 */
#ifndef NSC_SERVE_BOUND_H
#define NSC_SERVE_BOUND_H

#include "share/sheet_write.h"

/*
 * Writes the sheets as nsc_sheets_write does, in at most `most` bytes: of each sheet the same number of
 * first rows, as many as fit, and its first notes. Rows that do not fit count as left out, and a note says how
 * to get them.
 * *left: their number. NSC_EINVAL: not even the sheets without rows fit.
 */
NSC_NODISCARD enum nsc_status nsc_sheets_write_within(struct nsc_buf *out, uint64_t *left,
                                                      const struct nsc_sheets *sheets,
                                                      const struct nsc_sheet_style *style,
                                                      size_t most, struct nsc_error *error);

#endif
