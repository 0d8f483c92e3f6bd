/*
 * Repeats an export in time, with its real names and nesting, to make an export of any size.
 */
#ifndef NSC_NSYS_TILE_H
#define NSC_NSYS_TILE_H

#include "nsyscope/status.h"

#include <stdbool.h>
#include <stdint.h>

struct nsc_tile_options {
    const char *from; /* the export to repeat; never written to */
    uint64_t times;   /* how often its events are in the result, at least 1 */
    bool force;       /* overwrite an existing file */
};

/*
 * Copies all tables to a new file, and tables with events once per repetition: times, correlation
 * ids and keys move on by the range of the original. Equal inputs give equal rows. NSC_EINVAL:
 * options, or numbers that would not fit; NSC_EIO: cannot read or write. On failure the incomplete
 * file is removed.
 */
NSC_NODISCARD enum nsc_status nsc_tile(const char *path, const struct nsc_tile_options *options,
                                       struct nsc_error *error);

#endif
