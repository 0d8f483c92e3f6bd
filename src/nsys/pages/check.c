/*
 * Explains in one line why a file is not an export, and refuses files that another program has not
 * completed.
 */
#include "nsys/pages/check.h"

#include "core/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define MAGIC            "SQLite format 3" /* its NUL is byte 16 */
#define WAL_HEADER_BYTES 32

static bool ends_with(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);

    return n > m && strcasecmp(path + n - m, suffix) == 0;
}

static enum nsc_status fail_errno(const char *path, int code, struct nsc_error *error)
{
    return nsc_fail(error, code == ENOMEM ? NSC_ENOMEM : NSC_EFORMAT, "cannot open %s: %s", path,
                    strerror(code));
}

static enum nsc_status check_type(const char *path, mode_t mode, struct nsc_error *error)
{
    const char *what = S_ISDIR(mode)    ? "a directory"
                       : S_ISFIFO(mode) ? "a pipe"
                       : S_ISSOCK(mode) ? "a socket"
                       : S_ISCHR(mode)  ? "a character device"
                       : S_ISBLK(mode)  ? "a block device"
                                        : "no regular file";

    if (S_ISREG(mode))
        return NSC_OK;
    return nsc_fail(error, NSC_EFORMAT, "%s is %s, not an SQLite export", path, what);
}

/* Refuses the profiler's own report, recognized by its name. The text holds a command to run, short
 * enough to be copied whole. */
static enum nsc_status refuse_report(const char *path, struct nsc_error *error)
{
    const char *slash = strrchr(path, '/');
    int stem;

    if (slash && strlen(path) > 80)
        path = slash + 1;
    stem = (int)(strrchr(path, '.') - path);
    if (ends_with(path, ".qdstrm"))
        return nsc_fail(error, NSC_EFORMAT,
                        "a recording without a report; make one where Nsight Systems is installed: "
                        "QdstrmImporter -i %s",
                        path);
    return nsc_fail(error, NSC_EFORMAT,
                    "no nsys is here to export this report; where nsys is installed: nsys export "
                    "--type sqlite -o %.*s.sqlite %s",
                    stem, path, path);
}

static enum nsc_status refuse_content(const char *path, const unsigned char *head, size_t n,
                                      struct nsc_error *error)
{
    if (n == 0)
        return nsc_fail(error, NSC_EFORMAT, "%s is empty", path);
    if (ends_with(path, ".nsys-rep") || ends_with(path, ".qdrep") || ends_with(path, ".qdstrm"))
        return refuse_report(path, error);
    if (n >= 2 && head[0] == 0x1f && head[1] == 0x8b)
        return nsc_fail(error, NSC_EFORMAT, "%s is compressed (gzip); decompress it first", path);
    if (n >= 4 && memcmp(head, "\x28\xb5\x2f\xfd", 4) == 0)
        return nsc_fail(error, NSC_EFORMAT, "%s is compressed (zstd); decompress it first", path);
    if (n >= 4 && memcmp(head, "PK\x03\x04", 4) == 0)
        return nsc_fail(error, NSC_EFORMAT, "%s is a zip archive; unpack it first", path);
    return nsc_fail(error, NSC_EFORMAT, "%s is not an SQLite export", path);
}

/* Opens with a descriptor above the standard streams, which may be closed. */
static int open_high(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    int high;

    if (fd < 0 || fd > 2)
        return fd;
    high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    return high;
}

ssize_t nsc_check_read(int fd, unsigned char *out, size_t n, off_t at)
{
    size_t got = 0;

    while (got < n) {
        ssize_t r = pread(fd, out + got, n - got, at + (off_t)got);

        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0)
            return -1;
        if (r == 0)
            break;
        got += (size_t)r;
    }
    return (ssize_t)got;
}

/* Queries the lock of the file: a system without locks refuses that (ENOLCK, ENOSYS). SQLite would
 * mistake that for another program that writes. */
bool nsc_check_locks(int fd)
{
    int failed = 0;

    do {
        struct flock lock = {
            .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 1 << 30, .l_len = 512};

        failed = fcntl(fd, F_GETLK, &lock);
    } while (failed && errno == EINTR);
    return !failed;
}

static enum nsc_status check_head(const char *path, int fd, unsigned char header[NSC_HEADER_BYTES],
                                  off_t size, struct nsc_error *error)
{
    ssize_t n = nsc_check_read(fd, header, NSC_HEADER_BYTES, 0);

    if (n < 0)
        return nsc_fail(error, NSC_EIO, "cannot read %s: %s", path, strerror(errno));
    if ((size_t)n < sizeof MAGIC || memcmp(header, MAGIC, sizeof MAGIC) != 0)
        return refuse_content(path, header, (size_t)n, error);
    if (n < NSC_HEADER_BYTES || size < 512)
        return nsc_fail(error, NSC_EFORMAT, "%s is cut off inside its header; export it again",
                        path);
    return NSC_OK;
}

enum nsc_status nsc_check_open(int *fd, struct stat *stat, unsigned char header[NSC_HEADER_BYTES],
                               const char *path, struct nsc_error *error)
{
    enum nsc_status status;

    /* open() fails on a socket with a text that few people understand, so it is checked before */
    if (lstat(path, stat) == 0 && S_ISSOCK(stat->st_mode))
        return check_type(path, stat->st_mode, error);
    *fd = open_high(path);
    if (*fd < 0)
        return fail_errno(path, errno, error);
    if (fstat(*fd, stat) != 0)
        status = fail_errno(path, errno, error);
    else
        status = check_type(path, stat->st_mode, error);
    if (status == NSC_OK)
        status = check_head(path, *fd, header, stat->st_size, error);
    if (status != NSC_OK) {
        close(*fd);
        *fd = -1;
    }
    return status;
}

enum { NO_FILE = -2 };

/* Reads the first bytes of the file path + suffix, and its size. Returns the bytes read; -1 if
 * there is no such file; NO_FILE if it is a pipe, a folder or the like. */
static ssize_t read_beside(const char *path, const char *suffix, unsigned char *head, size_t n,
                           off_t *size)
{
    struct nsc_buf name = NSC_BUF_INIT(1 << 16);
    struct stat stat;
    ssize_t got = -1;
    int fd;

    nsc_buf_puts(&name, path);
    nsc_buf_puts(&name, suffix);
    fd = open_high(name.bytes);
    if (fd >= 0 && (fstat(fd, &stat) != 0 || !S_ISREG(stat.st_mode))) {
        got = NO_FILE;
    } else if (fd >= 0) {
        *size = stat.st_size;
        got = nsc_check_read(fd, head, n, 0);
        got = got < 0 ? 0 : got;
    }
    if (fd >= 0)
        close(fd);
    nsc_buf_fini(&name);
    return got;
}

/* Refuses a path that is not a regular file, because SQLite would wait for it. */
static enum nsc_status refuse_kind(const char *path, const char *suffix, struct nsc_error *error)
{
    return nsc_fail(error, NSC_EFORMAT, "%s%s is beside it and is no regular file: move it away",
                    path, suffix);
}

enum nsc_status nsc_check_beside(struct nsc_beside *out, const char *path, bool allow_wal,
                                 struct nsc_error *error)
{
    static const unsigned char hot[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char head[sizeof hot];
    off_t size = 0;
    ssize_t n = read_beside(path, "-journal", head, sizeof head, &size);

    *out = (struct nsc_beside){n >= 0, false};
    if (n == NO_FILE)
        return refuse_kind(path, "-journal", error);
    if (n == (ssize_t)sizeof hot && memcmp(head, hot, sizeof hot) == 0)
        return nsc_fail(error, NSC_EFORMAT,
                        "%s-journal is beside it: this export is unfinished or was interrupted; "
                        "export it again",
                        path);
    n = read_beside(path, "-wal", head, sizeof head, &size);
    if (n == NO_FILE)
        return refuse_kind(path, "-wal", error);
    if (n < 0 || size == 0)
        return NSC_OK;
    if (!allow_wal && size <= WAL_HEADER_BYTES)
        return nsc_fail(error, NSC_EFORMAT,
                        "%s-wal is cut inside its header: move it away if no program writes to the "
                        "export, or open it with --wal",
                        path);
    if (!allow_wal)
        return nsc_fail(
            error, NSC_EFORMAT,
            "%s-wal holds changes that are not in the export yet; run: sqlite3 %s \"pragma "
            "wal_checkpoint(truncate)\", or open it with --wal",
            path, path);
    out->wal = true;
    return NSC_OK;
}
