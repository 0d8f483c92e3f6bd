/*
 * The only way in which the program writes files: a file is complete or does not exist. It is
 * written under another name in the same folder, then renamed. It never makes the folder.
 *
 * Some files are never written to, whatever the flags; this is checked when the file is opened and
 * again when it is put in place: a file that this process has open (an export, its log), an SQLite
 * database, a name that SQLite would take for the journal of one, and anything but a regular file.
 * These give NSC_EWRITE.
 *
 * The owner calls commit or drop. Errors: NSC_EWRITE with one line; NSC_EINVAL if the file exists and
 * may not be replaced. After an error, drop removes the temporary file.
 */
#ifndef NSC_CORE_OUTFILE_H
#define NSC_CORE_OUTFILE_H

#include "nsyscope/status.h"

#include "core/buf.h"

#include <sys/types.h>

enum {
    NSC_OUTFILE_REPLACE = 1,   /* replace an existing file */
    NSC_OUTFILE_PRIVATE = 2,   /* mode 0600; else as the umask says */
    NSC_OUTFILE_DEVICE = 4,    /* write to an existing pipe or character device as it is */
    NSC_OUTFILE_FOLLOW = 8,    /* follow a symbolic link: replace its target and keep the link,
                               * because people may keep the program's own files elsewhere; without
                               * it a link is refused */
    NSC_OUTFILE_DATABASE = 16, /* a database: may replace one that nobody has open */
    NSC_OUTFILE_NEW = 32       /* a file that exists asks for another name, not for --force */
};

struct nsc_outfile {
    char *target; /* the final place */
    char *name;   /* name of the temporary file; NULL: written directly */
    int fd;       /* -1: nothing is open */
    int slot;     /* of core/temporary; -1: none */
    unsigned flags;
    bool is_synced; /* all that is written is on the disk */
};

/* Fails with NSC_EINVAL, in words for the one who gave the flags. */
enum nsc_status nsc_outfile_exists(const char *path, unsigned flags, struct nsc_error *error);
NSC_NODISCARD enum nsc_status nsc_outfile_open(struct nsc_outfile *out, const char *path,
                                               unsigned flags, struct nsc_error *error);
/* The whole buffer. NSC_EWRITE, and nothing written, if it overflowed. */
NSC_NODISCARD enum nsc_status nsc_outfile_write(struct nsc_outfile *out, const struct nsc_buf *text,
                                                struct nsc_error *error);
/* Whether there is a folder for the file or folder at that path: NSC_OK, or NSC_EWRITE with what to do. */
NSC_NODISCARD enum nsc_status nsc_outfile_check_folder(const char *path, struct nsc_error *error);
/* Syncs what is written, so that commit takes no time. */
NSC_NODISCARD enum nsc_status nsc_outfile_sync(struct nsc_outfile *out, struct nsc_error *error);
/* Syncs, puts the file in its place and syncs the folder. Drops the file on failure. */
NSC_NODISCARD enum nsc_status nsc_outfile_commit(struct nsc_outfile *out, struct nsc_error *error);
/* Removes the temporary file. Allowed after commit, and for a zeroed value with fd -1. */
void nsc_outfile_drop(struct nsc_outfile *out);
/* Whether the file at that path may be made or replaced: NSC_OK, or the reason why not. */
NSC_NODISCARD enum nsc_status nsc_outfile_check(const char *path, unsigned flags,
                                                struct nsc_error *error);
/* Puts the file `from` in place, as commit does. `from` must be complete, synced and on the same
 * file system. */
NSC_NODISCARD enum nsc_status nsc_outfile_place(const char *from, const char *path, unsigned flags,
                                                struct nsc_error *error);
/* Whether the open descriptor is an SQLite database, or a file that cannot be read. False where the
 * system has no /proc. */
bool nsc_outfile_is_database(int fd);
/* Writes all bytes to a descriptor. False with errno. */
bool nsc_write_all(int fd, const char *bytes, size_t n);
/* mkdir; EPERM if SQLite would take the folder for the log of a database. */
int nsc_outfile_folder(const char *path, mode_t mode);

#endif
