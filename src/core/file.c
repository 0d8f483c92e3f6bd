/*
 * Reads and writes whole small files: a reader sees the old or the new content, never a part.
 */
#include "core/die.h"
#include "core/paths.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES_MAX = 100, CHUNK = 4096 };

static enum nsc_status fail_io(struct nsc_error *error, const char *doing, const char *path)
{
    return nsc_fail(error, NSC_EIO, "cannot %s %s: %s", doing, path, strerror(errno));
}

static enum nsc_status read_all(struct nsc_buf *out, int fd, const char *path, size_t limit,
                                struct nsc_error *error)
{
    char chunk[CHUNK];
    size_t total = 0;

    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_io(error, "read", path);
        if (n == 0)
            return NSC_OK;
        total += (size_t)n;
        if (total > limit || (size_t)n > out->limit - out->n)
            return nsc_fail(error, NSC_EFORMAT, "%s is larger than the %zu bytes allowed", path,
                            limit);
        nsc_buf_add(out, chunk, (size_t)n);
    }
}

/* Without blocking: a FIFO without a writer would hang. */
enum nsc_status nsc_file_read(struct nsc_buf *out, const char *path, size_t limit,
                              struct nsc_error *error)
{
    struct stat info;
    enum nsc_status status = NSC_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0)
        return fail_io(error, "open", path);
    if (fstat(fd, &info))
        status = fail_io(error, "read", path);
    else if (!S_ISREG(info.st_mode))
        status = nsc_fail(error, NSC_EFORMAT, "%s is not a regular file", path);
    else
        status = read_all(out, fd, path, limit, error);
    (void)close(fd); /* only read */
    return status;
}

static char *copy_string(const char *text, size_t n)
{
    char *copy = nsc_xmalloc(n + 1);

    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

/* The folder of path, to be freed: "." when it names none. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return copy_string(".", 1);
    return copy_string(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Makes the folder and those above it; those that exist stay as they are. */
static enum nsc_status make_folders(const char *folder, struct nsc_error *error)
{
    char *path = copy_string(folder, strlen(folder));
    enum nsc_status status = NSC_OK;

    for (char *at = path + 1; status == NSC_OK; at++) {
        char c = *at;

        if (c != '/' && c != '\0')
            continue;
        *at = '\0';
        if (mkdir(path, 0700) && errno != EEXIST && errno != EISDIR) {
            struct stat info;
            int failed = errno;

            /* A read-only system may say so even of folders that are there. */
            if (stat(path, &info) || !S_ISDIR(info.st_mode)) {
                errno = failed;
                status = fail_io(error, "make folder", path);
            }
        }
        *at = c;
        if (c == '\0')
            break;
    }
    free(path);
    return status;
}

/* path, or what it points to when it is a symbolic link, to be freed. A dangling link is written at
 * its own place. */
static char *resolve_target(const char *path)
{
    struct stat info;
    char *resolved = NULL;

    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
        resolved = realpath(path, NULL);
    return resolved ? resolved : copy_string(path, strlen(path));
}

/* A new file beside target, its name to be freed; -1 and errno when there can be none. */
static int open_temporary(char **name, const char *target)
{
    size_t size = strlen(target) + 48;
    int fd = -1;

    *name = nsc_xmalloc(size);
    for (unsigned i = 0; i < TRIES_MAX && fd < 0; i++) {
        (void)snprintf(*name, size, "%s.%ld-%u.tmp", target, (long)getpid(), i);
        fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    return fd;
}

static bool write_all(int fd, struct nsc_text text)
{
    while (text.n) {
        ssize_t n = write(fd, text.bytes, text.n);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        if (n == 0) { /* no progress and no reason: do not spin */
            errno = EIO;
            return false;
        }
        text.bytes += n;
        text.n -= (uint32_t)n;
    }
    return true;
}

static bool sync_all(int fd)
{
    int failed = 0;

    do
        failed = fsync(fd);
    while (failed && errno == EINTR);
    return !failed;
}

/* Makes the rename last. Some file systems cannot sync folders and say EINVAL: nothing more can be
 * done there. */
static bool sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool done = false;
    int failed = 0;

    if (fd < 0)
        return errno == EACCES; /* may write but not read it */
    done = sync_all(fd) || errno == EINVAL || errno == ENOTSUP;
    failed = errno;
    (void)close(fd); /* only read */
    errno = failed;
    return done;
}

/* Fills the temporary and closes it. The old file is not touched yet. */
static bool fill_temporary(int fd, struct nsc_text text)
{
    bool done = fchmod(fd, 0600) == 0 && write_all(fd, text) && sync_all(fd);
    int failed = errno;

    /* After EINTR the descriptor is closed all the same, and the data is synced already. */
    if (close(fd) && errno != EINTR && done)
        return false;
    errno = failed;
    return done;
}

static enum nsc_status replace(const char *target, const char *folder, struct nsc_text text,
                               struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;
    char *name = NULL;
    int fd = open_temporary(&name, target);

    if (fd < 0) {
        status = fail_io(error, "write beside", target);
    } else if (!fill_temporary(fd, text) || rename(name, target)) {
        status = fail_io(error, "write", target);
        (void)unlink(name); /* the write's failure is what is reported */
    } else if (!sync_folder(folder)) {
        status = fail_io(error, "sync the folder of", target);
    }
    free(name);
    return status;
}

enum nsc_status nsc_file_folders(const char *path, struct nsc_error *error)
{
    char *folder = folder_of(path);
    enum nsc_status status = make_folders(folder, error);

    free(folder);
    return status;
}

enum nsc_status nsc_file_write(const char *path, struct nsc_text text, struct nsc_error *error)
{
    char *target = resolve_target(path);
    char *folder = folder_of(target);
    enum nsc_status status = make_folders(folder, error);

    if (status == NSC_OK)
        status = replace(target, folder, text, error);
    free(folder);
    free(target);
    return status;
}
