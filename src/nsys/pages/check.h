/*
 * Checks a file and the files beside it before SQLite opens it; says what a file is if it is not an
 * export.
 */
#ifndef NSC_NSYS_CHECK_H
#define NSC_NSYS_CHECK_H

#include "nsyscope/open.h"

#include <sys/stat.h>
#include <sys/types.h>

#define NSC_HEADER_BYTES 100

/* Opens path for reading and reads its header; it must be a regular file and an SQLite database. */
NSC_NODISCARD enum nsc_status nsc_check_open(int *fd, struct stat *stat,
                                             unsigned char header[NSC_HEADER_BYTES],
                                             const char *path, struct nsc_error *error);

/* Reads n bytes from `at`, fewer at the end of the file. -1 with errno on failure; signals and
 * short reads are retried. */
ssize_t nsc_check_read(int fd, unsigned char *out, size_t n, off_t at);
/* Whether the file system supports locks for this file; takes none. */
bool nsc_check_locks(int fd);

struct nsc_beside {
    bool journal; /* a journal exists, with any content */
    bool wal;     /* a write-ahead log with content exists and is to be read */
};

/* Refuses a hot journal, and a write-ahead log with content unless allow_wal is set. path is
 * resolved. */
NSC_NODISCARD enum nsc_status nsc_check_beside(struct nsc_beside *out, const char *path,
                                               bool allow_wal, struct nsc_error *error);

#endif
