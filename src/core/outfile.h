/*
 * A file that is there whole or not at all: written beside its place under another name, then put
 * there.
 *
 * The owner calls commit or drop. Errors are NSC_EIO with one line, and NSC_EINVAL when the file is
 * there already and may not be replaced; after one the temporary file is gone with drop.
 */
#ifndef NSC_CORE_OUTFILE_H
#define NSC_CORE_OUTFILE_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

struct nsc_outfile {
    char *target; /* where it goes, symbolic links followed */
    char *name;   /* of the temporary; NULL: written directly */
    int fd;       /* -1: nothing is open */
    bool replace;
};

enum {
    NSC_OUTFILE_REPLACE = 1, /* a file that is there */
    NSC_OUTFILE_PRIVATE = 2, /* mode 0600; else what the umask leaves */
    NSC_OUTFILE_DEVICE = 4   /* a pipe or device that is there is written to as it is */
};

NSC_NODISCARD enum nsc_status nsc_outfile_open(struct nsc_outfile *out, const char *path,
                                               unsigned flags, struct nsc_error *error);
NSC_NODISCARD enum nsc_status nsc_outfile_write(struct nsc_outfile *out, struct nsc_text text,
                                                struct nsc_error *error);
/* Syncs, puts the file in its place and syncs the folder; drops it when that fails. */
NSC_NODISCARD enum nsc_status nsc_outfile_commit(struct nsc_outfile *out, struct nsc_error *error);
/* Leaves no trace of it. Fine after commit, and on a zeroed value whose fd is -1. */
void nsc_outfile_drop(struct nsc_outfile *out);

#endif
