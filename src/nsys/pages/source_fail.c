/*
 * Explains a failure with a file from SQLite's result code and a look at the file.
 */
#include "core/die.h"
#include "nsys/pages/check.h"
#include "nsys/pages/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_BYTES = 1 << 20, LOOKS = 64 };

/* Looks for a read error, which SQLite reports as damage. Reads a small file whole and parts of a
 * large one; returns the errno, or 0. */
static int try_reading(const struct nsc_source *source)
{
    uint64_t size = (uint64_t)source->stat.st_size;
    uint64_t step = size / LOOKS > LOOK_BYTES ? size / LOOKS : LOOK_BYTES;
    unsigned char *bytes = nsc_xmalloc(LOOK_BYTES);
    int failed = 0;

    for (uint64_t at = 0; at < size && !failed; at += step)
        failed = nsc_check_read(source->fd, bytes, LOOK_BYTES, (off_t)at) < 0 ? errno : 0;
    free(bytes);
    return failed;
}

bool nsc_source_can_retry(int rc)
{
    return (rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_IOERR;
}

void nsc_source_forget_pages(sqlite3 *db)
{
    (void)sqlite3_db_release_memory(db); /* always 0 */
}

int nsc_source_step(sqlite3_stmt *statement)
{
    int rc = sqlite3_step(statement);

    if ((rc & 0xff) == SQLITE_CORRUPT)
        nsc_source_forget_pages(sqlite3_db_handle(statement));
    return rc;
}

/* Explains why SQLite cannot open a file; one cause is a path that, with "-journal", exceeds
 * SQLite's limit. */
static enum nsc_status fail_open(const struct nsc_source *source, const char *what,
                                 struct nsc_error *error)
{
    char *real = realpath(source->path, NULL);
    const size_t most = (size_t)sqlite3_vfs_find(NULL)->mxPathname - strlen("-journal");
    const size_t n = real ? strlen(real) : 0;
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC); /* opens no other descriptor of the file:
                                                       * closing one would drop SQLite's locks */
    int failed = fd < 0 ? errno : 0;

    free(real);
    if (fd >= 0)
        (void)close(fd);
    if (failed == EMFILE || failed == ENFILE)
        return nsc_fail(error, NSC_EIO, "%s %s: %s (ulimit -n)", what, source->path,
                        strerror(failed));
    if (n > most)
        return nsc_fail(error, NSC_EIO,
                        "%s %s: SQLite opens no path longer than %zu bytes, and this one has %zu: "
                        "move the file",
                        what, source->path, most, n);
    return nsc_fail(error, NSC_EFORMAT, "%s %s: %s (error %d)", what, source->path,
                    sqlite3_errstr(SQLITE_CANTOPEN), SQLITE_CANTOPEN);
}

/* Names the bad entry of a schema: one makes the whole schema unreadable. */
static const char *bad_schema(const struct nsc_source *source)
{
    const char *message = source->db ? sqlite3_errmsg(source->db) : "";

    return strncmp(message, "malformed database schema", 25) == 0 ? message : NULL;
}

enum nsc_status nsc_source_fail(const struct nsc_source *source, int rc, const char *what,
                                struct nsc_error *error)
{
    const char *why = (rc & 0xff) == SQLITE_CORRUPT ? bad_schema(source) : NULL;
    int unread = nsc_source_can_retry(rc) || rc == SQLITE_CANTOPEN ? try_reading(source) : 0;

    if (unread)
        return nsc_fail(error, NSC_EIO, "%s %s: %s", what, source->path, strerror(unread));
    if (why)
        return nsc_fail(error, NSC_EDAMAGED, "%s %s: %.100s", what, source->path, why);
    switch (rc & 0xff) {
    case SQLITE_NOTADB:
        return nsc_fail(error, NSC_EFORMAT,
                        "%s is not an SQLite export (encrypted, or a damaged header)",
                        source->path);
    case SQLITE_CORRUPT:
        return nsc_fail(error, NSC_EDAMAGED, "%s %s: the file is damaged; copy or export it again",
                        what, source->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return nsc_fail(error, NSC_EIO,
                        "%s is being written by another program; try again when it is done",
                        source->path);
    case SQLITE_CANTOPEN:
        return fail_open(source, what, error);
    case SQLITE_NOMEM:
        return nsc_fail(error, NSC_ENOMEM, "%s %s: out of memory", what, source->path);
    case SQLITE_READONLY:
        return nsc_fail(error, NSC_EFORMAT,
                        "%s %s: SQLite would have to write beside it (journal or write-ahead log); "
                        "copy it to a "
                        "folder of yours",
                        what, source->path);
    case SQLITE_IOERR:
        return nsc_fail(error, NSC_EIO, "%s %s: reading failed (error %d); try again", what,
                        source->path, rc);
    default:
        return nsc_fail(error, NSC_EFORMAT, "%s %s: %s (error %d)", what, source->path,
                        sqlite3_errstr(rc), rc);
    }
}

enum nsc_status nsc_source_check(const struct nsc_source *source, enum nsc_status status,
                                 struct nsc_error *error)
{
    enum nsc_source_state state;

    if (status == NSC_ENOMEM || status == NSC_ECANCELLED)
        return status;
    state = nsc_source_compare(source);
    if (state == NSC_SOURCE_SAME || (state == NSC_SOURCE_UNREADABLE && status != NSC_OK))
        return status;
    if (error)
        error->status = NSC_OK; /* the cause replaces its consequence */
    if (state == NSC_SOURCE_UNREADABLE)
        return nsc_fail(error, NSC_EIO, "cannot read %s: %s", source->path, strerror(errno));
    return nsc_fail(error, NSC_EIO, "%.150s changed since it was opened: load it again",
                    source->path);
}
