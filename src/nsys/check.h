/*
 * What can be said of a file before SQLite sees it: what it is when it is no export, and what lies
 * beside it.
 */
#ifndef NSC_NSYS_CHECK_H
#define NSC_NSYS_CHECK_H

#include "nsyscope/open.h"

#include <sys/stat.h>
#include <sys/types.h>

#define NSC_HEADER_BYTES 100

/* Opens path for reading: a regular file with the header of an SQLite database, which is read. */
NSC_NODISCARD enum nsc_status nsc_check_open(int *fd, struct stat *stat,
                                             unsigned char header[NSC_HEADER_BYTES],
                                             const char *path, struct nsc_error *error);

/* n bytes from at, fewer at the end of the file, or -1 and errno. A signal or a short read is no
 * failure. */
ssize_t nsc_check_read(int fd, unsigned char *out, size_t n, off_t at);
/* Whether the file system keeps locks for this file at all; takes none. */
bool nsc_check_locks(int fd);

struct nsc_beside {
    bool journal; /* a journal file of any content is there */
    bool wal;     /* a write-ahead log with content is there, and the user wants it read */
};

/* Refuses a hot journal, and a write-ahead log with content unless allow_wal. path is the resolved
 * one. */
NSC_NODISCARD enum nsc_status nsc_check_beside(struct nsc_beside *out, const char *path,
                                               bool allow_wal, struct nsc_error *error);

#endif
