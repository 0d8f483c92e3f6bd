/*
 * Repeats an export in time: the same work again and again, with its real names and nesting, as a
 * capture of any size.
 */
#ifndef NSC_NSYS_TILE_H
#define NSC_NSYS_TILE_H

#include "nsyscope/status.h"

#include <stdbool.h>
#include <stdint.h>

struct nsc_tile_options {
    const char *from; /* the export to repeat, never written to */
    uint64_t times;   /* how often its events are there in the end, at least 1 */
    bool force;       /* overwrite */
};

/*
 * Copies all tables to a new file; those that hold events once more for each time, their times,
 * correlation ids and keys moved on by what the export spans of them. The same file always gives
 * the same rows. NSC_EINVAL: options, or numbers that would not fit; NSC_EIO: cannot read or write.
 * On failure the unfinished file is removed.
 */
NSC_NODISCARD enum nsc_status nsc_tile(const char *path, const struct nsc_tile_options *options,
                                       struct nsc_error *error);

#endif
