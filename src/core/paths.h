/*
 * The folders of settings, state and themes (XDG), and safe access to whole small files.
 */
#ifndef NSC_CORE_PATHS_H
#define NSC_CORE_PATHS_H

#include "nsyscope/status.h"

#include "core/buf.h"
#include "core/outfile.h"

/* How the program writes its own files: settings, bookmarks. */
#define NSC_FILE_OWN (NSC_OUTFILE_REPLACE | NSC_OUTFILE_FOLLOW)

enum nsc_path_kind { NSC_PATH_CONFIG, NSC_PATH_STATE, NSC_PATH_DATA, NSC_PATH_CACHE };

/* Appends "$XDG_CONFIG_HOME/nsyscope/<leaf>" or its default under $HOME. False, and nothing
 * appended, if neither is an absolute path: the caller goes on without that file. */
bool nsc_path_home(struct nsc_buf *out, enum nsc_path_kind kind, const char *leaf);
/* Place i of a data file: the data home, then $XDG_DATA_DIRS. False after the last. */
bool nsc_path_data(struct nsc_buf *out, unsigned i, const char *leaf);

/* The folder of a path, "." if it names none. Slashes at the end do not count. Free it. */
char *nsc_path_folder(const char *path);

/* Reads a regular file of at most limit bytes. NSC_EIO if it cannot be read, NSC_EFORMAT if it is
 * larger or not regular. */
NSC_NODISCARD enum nsc_status nsc_file_read(struct nsc_buf *out, const char *path, size_t limit,
                                            struct nsc_error *error);
/* Makes the missing folders above the file at path, mode 0700. */
NSC_NODISCARD enum nsc_status nsc_file_folders(const char *path, struct nsc_error *error);
/* Makes one folder unless it is there; *is_new: it was made. NSC_EWRITE, also if the folder above is
 * missing. */
NSC_NODISCARD enum nsc_status nsc_file_folder(bool *is_new, const char *path, mode_t mode,
                                              struct nsc_error *error);
/* Writes the text to a temporary file of mode 0600 and syncs it. The owner calls nsc_outfile_commit or
 * nsc_outfile_drop; on failure there is nothing to drop. */
NSC_NODISCARD enum nsc_status nsc_file_prepare(struct nsc_outfile *out, const char *path,
                                               unsigned flags, const struct nsc_buf *text,
                                               struct nsc_error *error);
/* Writes atomically through core/outfile.h, with its flags: temporary file in the same folder,
 * fsync, rename, fsync of the folder; mode 0600. The folder must exist. */
NSC_NODISCARD enum nsc_status nsc_file_write(const char *path, unsigned flags,
                                             const struct nsc_buf *text, struct nsc_error *error);

#endif
