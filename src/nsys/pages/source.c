/* Opens an export: checks the file, then opens read-only, defensive connections that only read. */
#include "nsys/pages/source.h"

#include "core/buf.h"
#include "core/die.h"
#include "nsys/pages/btree.h"
#include "nsys/pages/check.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define BUSY_MS      2000
#define BUSY_STEP_MS 20
#define LENGTH_LIMIT (64 << 20)
#define HEAP_LIMIT   ((sqlite3_int64)256 << 20)
#define TICK_NS      20000000 /* longer than a tick of any kernel's clock for files */

/* Reads the first 100 bytes. pages_ok requires all of them to be sound, although SQLite accepts
 * more. */
static enum nsc_status read_header(struct nsc_source *source, const unsigned char *header,
                                   struct nsc_error *error)
{
    uint32_t raw = (uint32_t)header[16] << 8 | header[17];
    uint32_t pages = nsc_be32(header + 28);
    uint64_t size = (uint64_t)source->stat.st_size;
    bool counted;

    source->page_size = raw == 1 ? 65536 : raw;
    if (source->page_size < 512 || (source->page_size & (source->page_size - 1)) != 0)
        return nsc_fail(error, NSC_EFORMAT, "%s has a damaged header (page size %u)", source->path,
                        source->page_size);
    source->usable_size = source->page_size - header[20];
    source->pages = size / source->page_size;
    source->change_counter = nsc_be32(header + 24);
    source->utf8 = nsc_be32(header + 56) == 1;
    counted = pages != 0 && source->change_counter == nsc_be32(header + 92);
    if (counted && size < (uint64_t)pages * source->page_size)
        return nsc_fail(error, NSC_EDAMAGED,
                        "%s is cut at %llu of %llu bytes; copy or export it again", source->path,
                        (unsigned long long)size, (unsigned long long)pages * source->page_size);
    source->pages_ok = counted && size == (uint64_t)pages * source->page_size && source->utf8 &&
                       source->usable_size >= 480 && header[18] <= 2 && header[19] <= 2;
    return NSC_OK;
}

/* "file:" and the absolute path. All but letters, digits and a few signs become %XX, so that SQLite
 * takes no name for syntax. */
static char *make_uri(const char *path, bool immutable)
{
    static const char digits[] = "0123456789ABCDEF";
    struct nsc_buf uri = NSC_BUF_INIT(1 << 16);
    const char *c;

    nsc_buf_puts(&uri, "file:");
    for (c = path; *c; c++) {
        unsigned char u = (unsigned char)*c;

        if ((u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') ||
            u == '/' || u == '.' || u == '-' || u == '_') {
            nsc_buf_putc(&uri, *c);
        } else {
            nsc_buf_putc(&uri, '%');
            nsc_buf_putc(&uri, digits[u >> 4]);
            nsc_buf_putc(&uri, digits[u & 15]);
        }
    }
    nsc_buf_puts(&uri, immutable ? "?immutable=1" : "?mode=ro");
    return uri.bytes;
}

/* Allows SELECT, reading columns, three harmless functions and table_xinfo; refuses all else. */
static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    (void)context;
    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return strcasecmp(second, "typeof") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
        return strcasecmp(first, "table_xinfo") == 0 ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

void nsc_source_set_gate(sqlite3 *db)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LENGTH_LIMIT);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    (void)sqlite3_exec(db,
                       "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA query_only=ON; "
                       "PRAGMA temp_store=MEMORY;",
                       NULL, NULL, NULL);
    sqlite3_set_authorizer(db, authorize, NULL);
}

/* Waits for a program that writes. After one full BUSY_MS it stops retrying: each statement would
 * wait again. */
static int wait_busy(void *context, int times)
{
    struct nsc_source *source = context;

    if (atomic_load(&source->is_busy))
        return 0;
    if (times * BUSY_STEP_MS >= BUSY_MS) {
        atomic_store(&source->is_busy, true);
        return 0;
    }
    sqlite3_sleep(BUSY_STEP_MS);
    return 1;
}

static int open_connection(sqlite3 **out, struct nsc_source *source)
{
    int rc = sqlite3_open_v2(source->uri, out,
                             SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
                                 SQLITE_OPEN_PRIVATECACHE,
                             NULL);

    if (rc == SQLITE_OK) {
        sqlite3_extended_result_codes(*out, 1);
        nsc_source_set_gate(*out);
        sqlite3_busy_handler(*out, wait_busy, source);
        return SQLITE_OK;
    }
    sqlite3_close(*out);
    *out = NULL;
    return rc;
}

int nsc_source_prepare(sqlite3_stmt **out, sqlite3 *db, const char *format, ...)
{
    va_list arguments;
    char *sql;
    int rc;

    va_start(arguments, format);
    sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    *out = NULL;
    rc = sql ? sqlite3_prepare_v2(db, sql, -1, out, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return rc;
}

static int begin_once(sqlite3_stmt **held, sqlite3 *db)
{
    int rc = nsc_source_prepare(held, db, "SELECT rootpage FROM sqlite_schema");

    if (rc == SQLITE_OK)
        rc = nsc_source_step(*held);
    if (rc == SQLITE_ROW || rc == SQLITE_DONE)
        return SQLITE_OK;
    rc = sqlite3_extended_errcode(db);
    sqlite3_finalize(*held);
    *held = NULL;
    return rc;
}

/* SQLite reports a failed read of the schema as damage. */
int nsc_source_begin_read(sqlite3_stmt **held, sqlite3 *db)
{
    int rc = begin_once(held, db);

    if (!nsc_source_can_retry(rc))
        return rc;
    nsc_source_forget_pages(db);
    return begin_once(held, db);
}

/* Reads for the first time on a connection, which shows locks, logs and a damaged schema. */
static int probe(sqlite3 *db)
{
    sqlite3_stmt *held = NULL;
    int rc = nsc_source_begin_read(&held, db);

    sqlite3_finalize(held);
    return rc;
}

static bool is_lock_trouble(int rc)
{
    return rc == SQLITE_IOERR_LOCK || rc == SQLITE_IOERR_UNLOCK || rc == SQLITE_IOERR_RDLOCK ||
           rc == SQLITE_IOERR_CHECKRESERVEDLOCK || rc == SQLITE_READONLY_DIRECTORY ||
           rc == SQLITE_CANTOPEN;
}

static int connect_main(struct nsc_source *source, const char *path, bool immutable)
{
    int rc;

    sqlite3_close(source->db);
    free(source->uri);
    source->uri = make_uri(path, immutable);
    rc = open_connection(&source->db, source);
    if (rc == SQLITE_OK) {
        rc = probe(source->db);
        if (rc != SQLITE_OK && rc != SQLITE_NOTADB && (rc & 0xff) != SQLITE_CORRUPT) {
            sqlite3_close(source->db);
            source->db = NULL;
        }
    }
    return rc;
}

/* Connects; reads without locks if the file system has none, and retries a failed read once. */
static int connect_patiently(struct nsc_source *source, const char *path, bool needs_locks,
                             bool immutable)
{
    int rc;

    source->unlocked = needs_locks && !nsc_check_locks(source->fd);
    rc = connect_main(source, path, immutable || source->unlocked);
    if (needs_locks && !source->unlocked &&
        (is_lock_trouble(rc) || ((rc & 0xff) == SQLITE_BUSY && !nsc_check_locks(source->fd)))) {
        source->unlocked = true;
        rc = connect_main(source, path, true);
    }
    if (nsc_source_can_retry(rc))
        rc = connect_main(source, path, immutable || source->unlocked);
    return rc;
}

static enum nsc_status connect_file(struct nsc_source *source, const char *path,
                                    const unsigned char *header, bool allow_wal,
                                    struct nsc_error *error)
{
    struct nsc_beside beside;
    enum nsc_status status = nsc_check_beside(&beside, path, allow_wal, error);
    bool immutable = header[19] == 2 && !beside.wal;
    int rc;

    if (status != NSC_OK)
        return status;
    if (beside.wal || beside.journal)
        source->pages_ok = false;
    rc = connect_patiently(source, path, !immutable && !beside.wal && !beside.journal, immutable);
    return rc == SQLITE_OK ? NSC_OK : nsc_source_fail(source, rc, "cannot open", error);
}

/* Checks that the name still means the file that was checked. */
static enum nsc_status check_same(const struct nsc_source *source, const char *path,
                                  struct nsc_error *error)
{
    struct stat now;

    if (stat(path, &now) == 0 && now.st_dev == source->stat.st_dev &&
        now.st_ino == source->stat.st_ino)
        return NSC_OK;
    return nsc_fail(error, NSC_EIO, "%s was replaced while it was being opened; try again",
                    source->path);
}

/* ---- changed content ---- */

static bool is_same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same_content(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && is_same_time(a->st_mtim, b->st_mtim) &&
           is_same_time(a->st_ctim, b->st_ctim);
}

/* Waits until the last write is older than a tick of the file system's clock, then reads the header
 * again. Otherwise a later write within the same tick would leave the times as they are. */
static enum nsc_status settle(struct nsc_source *source, unsigned char header[NSC_HEADER_BYTES],
                              struct nsc_error *error)
{
    const struct timespec tick = {0, (long)TICK_NS};
    struct timespec now = {0, 0};
    struct stat stat;
    int64_t age;

    clock_gettime(CLOCK_REALTIME, &now);
    age = ((int64_t)now.tv_sec - source->stat.st_ctim.tv_sec) * 1000000000 + now.tv_nsec -
          source->stat.st_ctim.tv_nsec;
    if (age < 0 || age >= TICK_NS)
        return NSC_OK;
    (void)nanosleep(&tick, NULL);
    if (fstat(source->fd, &stat) != 0 ||
        nsc_check_read(source->fd, header, NSC_HEADER_BYTES, 0) != NSC_HEADER_BYTES)
        return nsc_fail(error, NSC_EIO, "cannot read %s: %s", source->path, strerror(errno));
    if (is_same_content(&stat, &source->stat))
        return NSC_OK;
    return nsc_fail(error, NSC_EIO,
                    "%s is being written by another program; try again when it is done",
                    source->path);
}

static enum nsc_source_state compare_name(const struct nsc_source *source)
{
    struct stat now;

    if (stat(source->path, &now) != 0)
        return errno == ENOENT || errno == ENOTDIR ? NSC_SOURCE_CHANGED : NSC_SOURCE_UNREADABLE;
    return now.st_dev == source->stat.st_dev && now.st_ino == source->stat.st_ino
               ? NSC_SOURCE_SAME
               : NSC_SOURCE_CHANGED;
}

enum nsc_source_state nsc_source_compare(const struct nsc_source *source)
{
    unsigned char head[28];
    struct stat now;
    ssize_t n;

    if (fstat(source->fd, &now) != 0)
        return NSC_SOURCE_UNREADABLE;
    if (!is_same_content(&now, &source->stat))
        return NSC_SOURCE_CHANGED;
    n = nsc_check_read(source->fd, head, sizeof head, 0);
    if (n < 0) /* a read that failed once may succeed */
        n = nsc_check_read(source->fd, head, sizeof head, 0);
    if (n < 0)
        return NSC_SOURCE_UNREADABLE;
    if (n != (ssize_t)sizeof head || nsc_be32(head + 24) != source->change_counter)
        return NSC_SOURCE_CHANGED;
    return compare_name(source);
}

/* ---- open and closed ---- */

enum nsc_status nsc_source_open(struct nsc_source **out, const char *path,
                                const struct nsc_open_options *options, struct nsc_error *error)
{
    unsigned char header[NSC_HEADER_BYTES];
    struct nsc_source *source = nsc_xcalloc(1, sizeof *source);
    char *real = nsc_xmalloc(PATH_MAX); /* that realpath() takes would be refused unsaid */
    enum nsc_status status;

    *out = NULL;
    source->fd = -1;
    source->path = nsc_xcopy(path, strlen(path));
    sqlite3_soft_heap_limit64(HEAP_LIMIT);
    status = nsc_check_open(&source->fd, &source->stat, header, path, error);
    if (status == NSC_OK)
        status = settle(source, header, error);
    if (status == NSC_OK)
        status = read_header(source, header, error);
    if (status == NSC_OK && !realpath(path, real))
        status = nsc_fail(error, NSC_EFORMAT, "cannot open %s: %s", path, strerror(errno));
    source->wal = options->wal;
    if (status == NSC_OK)
        status = connect_file(source, real, header, source->wal, error);
    if (status == NSC_OK)
        status = check_same(source, real, error);
    free(real);
    if (status != NSC_OK) {
        nsc_source_close(source);
        return status;
    }
    *out = source;
    return NSC_OK;
}

void nsc_source_close(struct nsc_source *source)
{
    if (!source)
        return;
    nsc_source_release(source);
    sqlite3_close(source->second);
    sqlite3_close(source->db);
    if (source->fd >= 0)
        close(source->fd);
    free(source->uri);
    free(source->path);
    free(source);
}

sqlite3 *nsc_source_second(struct nsc_source *source)
{
    int rc = source->second ? SQLITE_OK : open_connection(&source->second, source);

    if (nsc_source_can_retry(rc))
        (void)open_connection(&source->second, source);
    return source->second;
}

void nsc_source_hold(struct nsc_source *source)
{
    if (!source->held)
        (void)nsc_source_begin_read(&source->held, source->db);
}

void nsc_source_release(struct nsc_source *source)
{
    sqlite3_finalize(source->held);
    source->held = NULL;
}
