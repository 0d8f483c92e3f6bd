/*
 * Recordings, exports and reports: those of a folder, and what is known of each without loading it.
 */
#ifndef NSC_OPEN_RECORDINGS_H
#define NSC_OPEN_RECORDINGS_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/sheet.h"
#include "core/vec.h"

#include <time.h>

struct nsc_recorded {
    char *path, *file; /* in the cache: its folder; the export or report; owned */
    uint64_t bytes;
    struct timespec time; /* last used, or written */
    int64_t gpus;         /* NSC_UNKNOWN unless nsc_recorded_read found it, as the next */
    nsc_time duration;
    int64_t ranks[3]; /* how many, the first, the last */
    bool picked;
};

struct nsc_recordings {
    struct nsc_buf folder;
    NSC_VEC(struct nsc_recorded) entries; /* the latest first */
};

/* Adds a recording before those that are older; it takes the texts over. */
void nsc_recordings_add(struct nsc_recordings *out, struct nsc_recorded recorded);
/*
 * Calls found for the exports and reports in a folder, by name, and with below for those below it, but
 * in no folder whose name begins with a dot. A report beside its export is left out. Found takes what
 * it gets over, and returns false to end the walk.
 */
void nsc_recordings_walk(const char *folder, bool below,
                         bool (*found)(void *context, struct nsc_recorded recorded), void *context);
void nsc_recorded_fini(struct nsc_recorded *recorded);
void nsc_recordings_fini(struct nsc_recordings *recordings);
/* Reads GPUs, duration and ranks of an export in its small tables; what they lack stays unknown. */
void nsc_recorded_read(struct nsc_recorded *recorded);

/* A sheet of recordings: time, size, GPUs, duration, ranks, file; a mark is before one that is picked.
 * The file is without its first skip bytes. */
#define NSC_RECORDING_COLUMNS 6
extern const struct nsc_sheet_column nsc_recording_columns[NSC_RECORDING_COLUMNS];
void nsc_recorded_add(struct nsc_sheet *sheet, const struct nsc_recorded *recorded, size_t skip);

#endif
