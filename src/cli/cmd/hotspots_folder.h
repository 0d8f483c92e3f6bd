/*
 * A folder of files that is written whole or not at all.
 *
 * Every file is there in full before the first is written; each is written beside its place and
 * renamed. Files that are there already are left alone unless told otherwise; what a failure leaves
 * behind of this run is taken away again. Files and folders are the user's alone (0600, 0700).
 */
#ifndef NSC_CLI_REPORT_FOLDER_H
#define NSC_CLI_REPORT_FOLDER_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/vec.h"

struct nsc_folder_file {
    char *path; /* owned */
    struct nsc_buf text;
    bool was_there, had_folder; /* before this run */
};

struct nsc_folder {
    const char *path;
    NSC_VEC(struct nsc_folder_file) files;
};

/* The text of a new file; name is relative to the folder. Valid until the next file is added. */
struct nsc_buf *nsc_folder_add(struct nsc_folder *folder, const char *name);
/* NSC_EINVAL: a file exists (force replaces it). NSC_EIO names the file that could not be
 * written. */
NSC_NODISCARD enum nsc_status nsc_folder_write(struct nsc_folder *folder, bool force,
                                               struct nsc_error *error);
void nsc_folder_fini(struct nsc_folder *folder);

#endif
