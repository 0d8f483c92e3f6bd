/*
 * The one door through which the program writes files: a file is there whole or not at all, written
 * beside its place under another name, then put there.
 *
 * Never written to, whatever the flags say, looked at when it is opened and again when it is put in
 * place: a file that this process has open (an export that is read, its log), any SQLite database,
 * a name that SQLite would take for the journal of one, and whatever is no regular file. These are
 * NSC_EIO.
 *
 * The owner calls commit or drop. Errors are NSC_EIO with one line, and NSC_EINVAL when the file is
 * there already and may not be replaced; after one the temporary file is gone with drop.
 */
#ifndef NSC_CORE_OUTFILE_H
#define NSC_CORE_OUTFILE_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#include <sys/types.h>

enum {
    NSC_OUTFILE_REPLACE = 1,  /* a file that is there */
    NSC_OUTFILE_PRIVATE = 2,  /* mode 0600; else what the umask leaves */
    NSC_OUTFILE_DEVICE = 4,   /* a pipe or character device that is there is written to as it is */
    NSC_OUTFILE_FOLLOW = 8,   /* what a symbolic link leads to is replaced, and the link stays: for
                                 files of our own, which people keep elsewhere; else it is refused */
    NSC_OUTFILE_DATABASE = 16 /* a database is written, and may replace one that nobody has open */
};

struct nsc_outfile {
    char *target; /* where it goes */
    char *name;   /* of the temporary; NULL: written directly */
    int fd;       /* -1: nothing is open */
    unsigned flags;
};

NSC_NODISCARD enum nsc_status nsc_outfile_open(struct nsc_outfile *out, const char *path,
                                               unsigned flags, struct nsc_error *error);
NSC_NODISCARD enum nsc_status nsc_outfile_write(struct nsc_outfile *out, struct nsc_text text,
                                                struct nsc_error *error);
/* Syncs, puts the file in its place and syncs the folder; drops it when that fails. */
NSC_NODISCARD enum nsc_status nsc_outfile_commit(struct nsc_outfile *out, struct nsc_error *error);
/* Leaves no trace of it. Fine after commit, and on a zeroed value whose fd is -1. */
void nsc_outfile_drop(struct nsc_outfile *out);
/* mkdir; EPERM where SQLite would take the folder for the log of a database. */
int nsc_outfile_folder(const char *path, mode_t mode);

#endif
