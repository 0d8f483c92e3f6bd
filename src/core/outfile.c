/*
 * Writes a file under a temporary name in the same folder and renames it when it is whole.
 */
#include "core/outfile.h"

#include "core/die.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES_MAX = 100 };

static enum nsc_status fail_io(struct nsc_error *error, const char *doing, const char *path)
{
    return nsc_fail(error, NSC_EIO, "cannot %s %s: %s", doing, path, strerror(errno));
}

/* path, or what it points to when it is a symbolic link, to be freed. A dangling link is written at
 * its own place. */
static char *resolve_target(const char *path)
{
    struct stat info;
    char *resolved = NULL;

    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
        resolved = realpath(path, NULL);
    return resolved ? resolved : nsc_xcopy(path, strlen(path));
}

/* ---- opening ---- */

/* A new file beside target, its name to be freed; -1 and errno when there can be none. */
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
    free(out->name);
    free(out->target);
    *out = (struct nsc_outfile){.fd = -1};
}

static enum nsc_status open_device(struct nsc_outfile *out, struct nsc_error *error)
{
    out->fd = open(out->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return out->fd >= 0 ? NSC_OK : fail_io(error, "write", out->target);
}

static enum nsc_status open_beside(struct nsc_outfile *out, unsigned flags, struct nsc_error *error)
{
    bool is_private = flags & NSC_OUTFILE_PRIVATE;

    out->fd = open_temporary(&out->name, out->target, is_private ? 0600 : 0666);
    if (out->fd >= 0 && (!is_private || fchmod(out->fd, 0600) == 0))
        return NSC_OK;
    (void)fail_io(error, "write beside", out->target);
    if (out->fd < 0) { /* the name is another's */
        free(out->name);
        out->name = NULL;
    }
    return NSC_EIO;
}

enum nsc_status nsc_outfile_open(struct nsc_outfile *out, const char *path, unsigned flags,
                                 struct nsc_error *error)
{
    struct stat info;
    enum nsc_status status = NSC_OK;

    *out = (struct nsc_outfile){.fd = -1, .replace = flags & NSC_OUTFILE_REPLACE};
    out->target = resolve_target(path);
    if ((flags & NSC_OUTFILE_DEVICE) && stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        status = open_device(out, error);
    else if (!out->replace && lstat(path, &info) == 0)
        status = nsc_fail(error, NSC_EINVAL, "%s exists; --force overwrites it", path);
    else
        status = open_beside(out, flags, error);
    if (status != NSC_OK)
        nsc_outfile_drop(out);
    return status;
}

/* ---- writing ---- */

enum nsc_status nsc_outfile_write(struct nsc_outfile *out, struct nsc_text text,
                                  struct nsc_error *error)
{
    while (text.n) {
        ssize_t n = write(out->fd, text.bytes, text.n);

        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0) /* no progress and no reason: do not spin */
            errno = EIO;
        if (n <= 0)
            return fail_io(error, "write", out->target);
        text.bytes += n;
        text.n -= (uint32_t)n;
    }
    return NSC_OK;
}

static bool sync_all(int fd)
{
    int failed = 0;

    do
        failed = fsync(fd);
    while (failed && errno == EINTR);
    return !failed;
}

/* After EINTR the descriptor is closed all the same, and the data is synced already. */
static bool close_all(struct nsc_outfile *out)
{
    int fd = out->fd;

    out->fd = -1;
    return close(fd) == 0 || errno == EINTR;
}

/* Makes the rename last. Some file systems cannot sync folders and say EINVAL: nothing more can be
 * done there. */
static bool sync_folder(const char *target)
{
    const char *slash = strrchr(target, '/');
    char *folder = slash ? nsc_xcopy(target, slash == target ? 1 : (size_t)(slash - target))
                         : nsc_xcopy(".", 1);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool done = false;
    int failed = 0;

    free(folder);
    if (fd < 0)
        return errno == EACCES; /* may write but not read it */
    done = sync_all(fd) || errno == EINVAL || errno == ENOTSUP;
    failed = errno;
    (void)close(fd); /* only read */
    errno = failed;
    return done;
}

/* What came there meanwhile is not replaced unasked, where the file system has hard links. */
static bool put_in_place(const struct nsc_outfile *out)
{
    if (out->replace)
        return rename(out->name, out->target) == 0;
    if (link(out->name, out->target) == 0)
        return unlink(out->name) == 0;
    return errno != EEXIST && rename(out->name, out->target) == 0;
}

static enum nsc_status commit_beside(struct nsc_outfile *out, struct nsc_error *error)
{
    if (!sync_all(out->fd) || !close_all(out) || !put_in_place(out))
        return fail_io(error, "write", out->target);
    free(out->name); /* it is no temporary any more */
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
        (void)close(out->fd); /* what was written there is thrown away */
    if (out->name)
        (void)unlink(out->name);
    forget(out);
}
