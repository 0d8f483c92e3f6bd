/*
 * Writes a file under a temporary name in the same folder and renames it when it is complete.
 */
#include "core/outfile.h"

#include "core/die.h"
#include "core/paths.h"
#include "core/temporary.h"
#include "core/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TRIES_MAX = 100,
    FDS_MAX = 65536, /* the most descriptors to check: the system always uses the lowest free one */
    MAGIC_BYTES = 16,
    PIECE = 1 << 20 /* bytes written at once: a signal waits for no more than that */
};

static const char magic[MAGIC_BYTES] = "SQLite format 3";

static enum nsc_status fail_io(struct nsc_error *error, const char *doing, const char *path)
{
    return nsc_fail(error, NSC_EWRITE, "cannot %s %s: %s", doing, path, strerror(errno));
}

/* path, or the target of the symbolic link; free it. A dangling link is replaced by the file. */
static char *resolve_target(const char *path)
{
    struct stat info;
    char *resolved = NULL;

    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
        resolved = realpath(path, NULL);
    return resolved ? resolved : nsc_xcopy(path, strlen(path));
}

/* ---- files that are never written to ---- */

static bool is_file_of(int fd, const struct stat *file)
{
    struct stat info;
    int failed = fstat(fd, &info);

    if (failed && errno != EBADF)
        failed = fstat(fd, &info);
    return !failed && info.st_dev == file->st_dev && info.st_ino == file->st_ino;
}

/* Checks every possible descriptor, on systems that do not list the open ones. */
static bool is_any_file_of(const struct stat *file)
{
    long n = sysconf(_SC_OPEN_MAX);

    for (int fd = 0; fd < FDS_MAX && (n < 0 || fd < n); fd++)
        if (is_file_of(fd, file))
            return true;
    return false;
}

/* 1: found; 0: not; -1: the list of open descriptors cannot be read. */
static int find_listed(const struct stat *file)
{
    DIR *list = opendir("/proc/self/fd");
    const struct dirent *entry = NULL;
    bool found = false;
    int failed = 0;

    if (!list)
        return -1;
    do {
        errno = 0;
        entry = readdir(list);
        failed = errno;
        found = entry && entry->d_name[0] != '.' && is_file_of(atoi(entry->d_name), file);
    } while (entry && !found);
    (void)closedir(list);
    return found ? 1 : failed ? -1 : 0;
}

/* Whether this process has the file open, as an export being read, by device and inode. Check
 * before the file is opened: closing any descriptor of it drops SQLite's locks. */
static bool is_open_here(const struct stat *file)
{
    int found = find_listed(file);

    if (found < 0) /* a read that failed once may succeed; checking every descriptor takes long */
        found = find_listed(file);
    return found < 0 ? is_any_file_of(file) : found > 0;
}

/* True for a file that cannot be read: it may be a database. */
static bool may_be_database(const char *path, int flags)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
    char head[MAGIC_BYTES];
    ssize_t n = 0;

    if (fd < 0)
        return true;
    n = read(fd, head, sizeof head);
    (void)close(fd);
    return n < 0 || (n == MAGIC_BYTES && memcmp(head, magic, MAGIC_BYTES) == 0);
}

bool nsc_outfile_is_database(int fd)
{
    char name[32];
    struct stat info;

    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= MAGIC_BYTES &&
           access(name, F_OK) == 0 && may_be_database(name, 0);
}

/* Checks the name alone, because SQLite recognizes its own files by their names. */
static bool is_beside_database(const char *path)
{
    static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
    bool found = false;

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && !found; i++) {
        struct nsc_text stem = nsc_text_from(path);
        char *database = NULL;
        struct stat info;

        if (!nsc_text_cut_end(&stem, suffixes[i]))
            continue;
        database = nsc_xcopy(stem.bytes, stem.n);
        found = stat(database, &info) == 0 && S_ISREG(info.st_mode) &&
                (is_open_here(&info) || may_be_database(database, O_NOFOLLOW));
        free(database);
    }
    return found;
}

/* A report of nsys, by its name: nobody can make it again. */
static bool is_recording(const char *path)
{
    static const char *const suffixes[] = {".nsys-rep", ".qdrep", ".qdstrm"};
    size_t n = strlen(path);

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t end = strlen(suffixes[i]);

        if (n > end && strcasecmp(path + n - end, suffixes[i]) == 0)
            return true;
    }
    return false;
}

/* Whether the target may be made or replaced. */
static enum nsc_status check_target(const struct nsc_outfile *out, struct nsc_error *error)
{
    struct stat info;

    if (is_beside_database(out->target))
        return nsc_fail(error, NSC_EWRITE, "SQLite would take it for the log of a database: %s",
                        out->target);
    if (lstat(out->target, &info) != 0)
        return NSC_OK;
    if (S_ISLNK(info.st_mode) && (out->flags & NSC_OUTFILE_FOLLOW))
        return NSC_OK; /* the target does not exist: the file replaces the link */
    if (S_ISLNK(info.st_mode))
        return nsc_fail(error, NSC_EWRITE, "a symbolic link is never written to: %s", out->target);
    if (!S_ISREG(info.st_mode))
        return nsc_fail(error, NSC_EWRITE, "only a regular file is overwritten, not %s",
                        out->target);
    if (is_open_here(&info))
        return nsc_fail(error, NSC_EWRITE, "a file that is being read is never overwritten: %s",
                        out->target);
    if (is_recording(out->target) && info.st_size > 0)
        return nsc_fail(error, NSC_EWRITE, "a report of nsys is never overwritten: %s",
                        out->target);
    if (!(out->flags & NSC_OUTFILE_DATABASE) && may_be_database(out->target, O_NOFOLLOW))
        return nsc_fail(error, NSC_EWRITE, "an SQLite database is never overwritten: %s",
                        out->target);
    return NSC_OK;
}

enum nsc_status nsc_outfile_check_folder(const char *path, struct nsc_error *error)
{
    char *folder = nsc_path_folder(path);
    struct stat info;
    enum nsc_status status = NSC_OK;

    if (stat(folder, &info) != 0 && errno == ENOENT)
        status =
            nsc_fail(error, NSC_EWRITE, "%s: there is no folder %s; make it first", path, folder);
    free(folder);
    return status;
}

/* ---- opening ---- */

/* Makes a file beside target; free its name. -1 with errno on failure. */
static int open_temporary(char **name, const char *target, mode_t mode)
{
    size_t size = strlen(target) + 48;
    int fd = -1;

    *name = nsc_xmalloc(size);
    for (unsigned i = 0; i < TRIES_MAX && fd < 0; i++) {
        (void)snprintf(*name, size, "%s.%ld-%u.tmp", target, (long)getpid(), i);
        fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    return fd;
}

static void forget(struct nsc_outfile *out)
{
    nsc_temporary_drop(out->slot);
    free(out->name);
    free(out->target);
    *out = (struct nsc_outfile){.fd = -1, .slot = -1};
}

static bool is_stream(const struct stat *info)
{
    return S_ISCHR(info->st_mode) || S_ISFIFO(info->st_mode);
}

/* Checks the device again after opening it: meanwhile the name may mean another file. */
static enum nsc_status open_device(struct nsc_outfile *out, struct nsc_error *error)
{
    struct stat info;

    out->fd = open(out->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (out->fd < 0)
        return fail_io(error, "write", out->target);
    if (fstat(out->fd, &info) == 0 && is_stream(&info))
        return NSC_OK;
    return nsc_fail(error, NSC_EWRITE, "cannot write %s: it is not a device any more", out->target);
}

static enum nsc_status open_beside(struct nsc_outfile *out, unsigned flags, struct nsc_error *error)
{
    bool is_private = flags & NSC_OUTFILE_PRIVATE;
    sigset_t before;

    nsc_temporary_clean(out->target, NSC_TEMPORARY_STALE);
    nsc_temporary_begin(&before);
    out->fd = open_temporary(&out->name, out->target, is_private ? 0600 : 0666);
    if (out->fd >= 0)
        out->slot = nsc_temporary_add(out->name);
    nsc_temporary_end(&before);
    if (out->fd >= 0 && (!is_private || fchmod(out->fd, 0600) == 0))
        return NSC_OK;
    if (out->fd >= 0 || errno != ENOENT || nsc_outfile_check_folder(out->target, error) == NSC_OK)
        (void)fail_io(error, "write beside", out->target);
    if (out->fd < 0) { /* another process uses the name */
        free(out->name);
        out->name = NULL;
    }
    return NSC_EWRITE;
}

enum nsc_status nsc_outfile_exists(const char *path, unsigned flags, struct nsc_error *error)
{
    return nsc_fail(error, NSC_EINVAL, "%s exists%s", path,
                    flags & NSC_OUTFILE_NEW ? ": give the name of a new file"
                                            : "; --force overwrites it");
}

enum nsc_status nsc_outfile_open(struct nsc_outfile *out, const char *path, unsigned flags,
                                 struct nsc_error *error)
{
    struct stat info;
    enum nsc_status status = NSC_OK;

    *out = (struct nsc_outfile){.fd = -1, .slot = -1, .flags = flags};
    out->target = flags & NSC_OUTFILE_FOLLOW ? resolve_target(path) : nsc_xcopy(path, strlen(path));
    if ((flags & NSC_OUTFILE_DEVICE) && stat(path, &info) == 0 && is_stream(&info))
        status = open_device(out, error);
    else if (!(flags & NSC_OUTFILE_REPLACE) && lstat(path, &info) == 0 && !S_ISDIR(info.st_mode))
        status = nsc_outfile_exists(path, flags, error);
    else
        status = check_target(out, error);
    if (status == NSC_OK && out->fd < 0)
        status = open_beside(out, flags, error);
    if (status != NSC_OK)
        nsc_outfile_drop(out);
    return status;
}

/* ---- writing ---- */

bool nsc_write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(fd, bytes, n < PIECE ? n : PIECE);

        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0) /* no progress and no error: do not loop */
            errno = EIO;
        if (written <= 0)
            return false;
        bytes += written;
        n -= (size_t)written;
    }
    return true;
}

enum nsc_status nsc_outfile_write(struct nsc_outfile *out, const struct nsc_buf *text,
                                  struct nsc_error *error)
{
    out->is_synced = false;
    if (text->overflow)
        return nsc_fail(error, NSC_EWRITE,
                        "cannot write %s: it has more than the %zu bytes allowed", out->target,
                        text->limit);
    return nsc_write_all(out->fd, text->bytes, text->n) ? NSC_OK
                                                        : fail_io(error, "write", out->target);
}

static bool sync_all(int fd)
{
    int failed = 0;

    do
        failed = fsync(fd);
    while (failed && errno == EINTR);
    return !failed;
}

/* EINTR closes the descriptor too, and the data is already synced. */
static bool close_all(struct nsc_outfile *out)
{
    int fd = out->fd;

    out->fd = -1;
    return close(fd) == 0 || errno == EINTR;
}

/* Syncs the rename. Some file systems cannot sync folders and return EINVAL: nothing more can be
 * done. */
static bool sync_folder(const char *target)
{
    char *folder = nsc_path_folder(target);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool done = false;
    int failed = 0;

    free(folder);
    if (fd < 0)
        return errno == EACCES; /* the file can be written but not read */
    done = sync_all(fd) || errno == EINVAL || errno == ENOTSUP;
    failed = errno;
    (void)close(fd); /* only read */
    errno = failed;
    return done;
}

/* Does not replace a file that appeared meanwhile, if the file system has hard links. */
static bool put_in_place(const struct nsc_outfile *out)
{
    if (out->flags & NSC_OUTFILE_REPLACE)
        return rename(out->name, out->target) == 0;
    if (link(out->name, out->target) == 0)
        return unlink(out->name) == 0;
    return errno != EEXIST && rename(out->name, out->target) == 0;
}

enum nsc_status nsc_outfile_sync(struct nsc_outfile *out, struct nsc_error *error)
{
    if (out->name && !out->is_synced && !sync_all(out->fd))
        return fail_io(error, "write", out->target);
    out->is_synced = true;
    return NSC_OK;
}

static enum nsc_status commit_beside(struct nsc_outfile *out, struct nsc_error *error)
{
    if (nsc_outfile_sync(out, error) != NSC_OK)
        return NSC_EWRITE;
    if (!close_all(out))
        return fail_io(error, "write", out->target);
    if (check_target(out, error) != NSC_OK) /* at this moment */
        return NSC_EWRITE;
    if (!put_in_place(out))
        return fail_io(error, "write", out->target);
    free(out->name); /* no longer temporary */
    out->name = NULL;
    return sync_folder(out->target) ? NSC_OK : fail_io(error, "sync the folder of", out->target);
}

enum nsc_status nsc_outfile_commit(struct nsc_outfile *out, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    if (out->name)
        status = commit_beside(out, error);
    else if (!close_all(out))
        status = fail_io(error, "write", out->target);
    nsc_outfile_drop(out);
    return status;
}

void nsc_outfile_drop(struct nsc_outfile *out)
{
    if (out->fd >= 0)
        (void)close(out->fd); /* its content is discarded */
    if (out->name)
        (void)unlink(out->name);
    forget(out);
}

static struct nsc_outfile of_path(const char *path, unsigned flags)
{
    return (struct nsc_outfile){
        .target = nsc_xcopy(path, strlen(path)), .fd = -1, .slot = -1, .flags = flags};
}

enum nsc_status nsc_outfile_check(const char *path, unsigned flags, struct nsc_error *error)
{
    struct nsc_outfile out = of_path(path, flags);
    enum nsc_status status = check_target(&out, error);

    forget(&out);
    return status;
}

enum nsc_status nsc_outfile_place(const char *from, const char *path, unsigned flags,
                                  struct nsc_error *error)
{
    struct nsc_outfile out = of_path(path, flags);
    enum nsc_status status = check_target(&out, error);

    out.name = nsc_xcopy(from, strlen(from));
    if (status == NSC_OK && (!put_in_place(&out) || !sync_folder(path)))
        status = fail_io(error, "write", path);
    forget(&out);
    return status;
}

int nsc_outfile_folder(const char *path, mode_t mode)
{
    if (!is_beside_database(path))
        return mkdir(path, mode);
    errno = EPERM;
    return -1;
}
