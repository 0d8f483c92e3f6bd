/*
 * A folder of files that is written whole or not at all.
 *
 * Every file is there in full, in a folder beside, before the first is put in its place. A folder
 * that holds nothing but files of such a folder is then swapped as a whole, so that a reader finds
 * the old files or the new ones; where it holds others too, each file is renamed into it. Files
 * that are there already are left alone unless told otherwise. Files and folders are the user's
 * alone (0600, 0700).
 */
#ifndef NSC_CORE_OUTFOLDER_H
#define NSC_CORE_OUTFOLDER_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/vec.h"

struct nsc_folder_file {
    char *name; /* in the folder; owned */
    struct nsc_buf text;
    int slot; /* of core/temporary, while it is written beside */
};

struct nsc_folder {
    const char *path;
    const char *const *others; /* patterns (fnmatch) of what other runs write, which a swap removes;
                                  ends with NULL */
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
