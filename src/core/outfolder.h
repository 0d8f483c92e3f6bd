/*
 * Writes a folder of files whole or not at all.
 *
 * All files are first completed in a temporary folder. If the target holds only files of such a
 * folder, the two are swapped, so that a reader finds the old files or the new ones. If it holds
 * other files too, each file is renamed into it. The folder above it must exist. Existing files stay unless the caller forces it.
 * Modes are 0600 for files and 0700 for folders.
 */
#ifndef NSC_CORE_OUTFOLDER_H
#define NSC_CORE_OUTFOLDER_H

#include "nsyscope/status.h"

#include "core/buf.h"
#include "core/vec.h"

struct nsc_folder_file {
    char *name; /* in the folder; owned */
    struct nsc_buf text;
    int slot; /* slot in core/temporary while the file is temporary */
};

struct nsc_folder {
    const char *path;
    const char *const *others; /* patterns (fnmatch) of files of other runs, which a swap removes;
                                * ends with NULL */
    NSC_VEC(struct nsc_folder_file) files;
};

/* The text of a new file, of less than 4 GiB; name is relative to the folder. Valid until the next
 * file is added. */
struct nsc_buf *nsc_folder_add(struct nsc_folder *folder, const char *name);
/* flags: NSC_OUTFILE_REPLACE, or NSC_OUTFILE_NEW. NSC_EINVAL: a file exists. NSC_EWRITE names the file that could not be
 * written. */
NSC_NODISCARD enum nsc_status nsc_folder_write(struct nsc_folder *folder, unsigned flags,
                                               struct nsc_error *error);
void nsc_folder_fini(struct nsc_folder *folder);

#endif
