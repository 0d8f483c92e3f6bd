/*
 * Where settings, state and themes live (XDG), and reading and writing whole small files safely.
 */
#ifndef NSC_CORE_PATHS_H
#define NSC_CORE_PATHS_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/outfile.h"

/* How files of our own are written: settings, bookmarks. */
#define NSC_FILE_OWN (NSC_OUTFILE_REPLACE | NSC_OUTFILE_FOLLOW)

enum nsc_path_kind { NSC_PATH_CONFIG, NSC_PATH_STATE, NSC_PATH_DATA };

/*
 * Appends "$XDG_CONFIG_HOME/nsyscope/<leaf>" or its default under $HOME. False, and nothing
 * appended, when neither is set to an absolute path: callers then go on without that file.
 */
bool nsc_path_home(struct nsc_buf *out, enum nsc_path_kind kind, const char *leaf);
/* The i-th place to look for a data file: the data home, then $XDG_DATA_DIRS. False past the
 * last. */
bool nsc_path_data(struct nsc_buf *out, unsigned i, const char *leaf);

/* Reads a regular file of at most limit bytes; NSC_EIO when it cannot, NSC_EFORMAT when larger or
 * not regular. */
NSC_NODISCARD enum nsc_status nsc_file_read(struct nsc_buf *out, const char *path, size_t limit,
                                            struct nsc_error *error);
/* Makes the folders a file of that path needs, 0700; those that exist stay as they are. */
NSC_NODISCARD enum nsc_status nsc_file_folders(const char *path, struct nsc_error *error);
/* Writes atomically through core/outfile.h, whose flags these are: temporary file in the same
 * folder, fsync, rename, fsync of the folder; mode 0600, folders 0700. */
NSC_NODISCARD enum nsc_status nsc_file_write(const char *path, unsigned flags, struct nsc_text text,
                                             struct nsc_error *error);

#endif
