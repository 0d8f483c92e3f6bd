/*
 * Reads and writes whole small files; a reader sees the old or the new content, never a part.
 */
#include "core/die.h"
#include "core/outfile.h"
#include "core/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 4096 };

static enum nsc_status fail_io(struct nsc_error *error, enum nsc_status status, const char *doing,
                               const char *path)
{
    return nsc_fail(error, status, "cannot %s %s: %s", doing, path, strerror(errno));
}

static enum nsc_status read_all(struct nsc_buf *out, int fd, const char *path, size_t limit,
                                struct nsc_error *error)
{
    char buffer[BUFFER];
    size_t total = 0;

    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_io(error, NSC_EIO, "read", path);
        if (n == 0)
            return NSC_OK;
        total += (size_t)n;
        if (total > limit || (size_t)n > out->limit - out->n)
            return nsc_fail(error, NSC_EFORMAT, "%s is larger than the %zu bytes allowed", path,
                            limit);
        nsc_buf_add(out, buffer, (size_t)n);
    }
}

/* O_NONBLOCK: a FIFO without a writer would hang. */
enum nsc_status nsc_file_read(struct nsc_buf *out, const char *path, size_t limit,
                              struct nsc_error *error)
{
    struct stat info;
    enum nsc_status status = NSC_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0)
        return fail_io(error, NSC_EIO, "open", path);
    if (fstat(fd, &info))
        status = fail_io(error, NSC_EIO, "read", path);
    else if (!S_ISREG(info.st_mode))
        status = nsc_fail(error, NSC_EFORMAT, "%s is not a regular file", path);
    else
        status = read_all(out, fd, path, limit, error);
    (void)close(fd); /* only read */
    return status;
}

/* Makes the folder and its parents; existing ones stay as they are. */
static enum nsc_status make_folders(const char *folder, struct nsc_error *error)
{
    char *path = nsc_xcopy(folder, strlen(folder));
    enum nsc_status status = NSC_OK;

    for (char *at = path + 1; status == NSC_OK; at++) {
        char c = *at;

        if (c != '/' && c != '\0')
            continue;
        *at = '\0';
        if (nsc_outfile_folder(path, 0700) && errno != EEXIST && errno != EISDIR) {
            struct stat info;
            int failed = errno;

            /* A read-only system may say so even of folders that are there. */
            if (stat(path, &info) || !S_ISDIR(info.st_mode)) {
                errno = failed;
                status = fail_io(error, NSC_EWRITE, "make folder", path);
            }
        }
        *at = c;
        if (c == '\0')
            break;
    }
    free(path);
    return status;
}

enum nsc_status nsc_file_folders(const char *path, struct nsc_error *error)
{
    char *folder = nsc_path_folder(path);
    enum nsc_status status = make_folders(folder, error);

    free(folder);
    return status;
}

enum nsc_status nsc_file_folder(bool *is_new, const char *path, mode_t mode,
                                struct nsc_error *error)
{
    struct stat info;

    *is_new = nsc_outfile_folder(path, mode) == 0;
    if (*is_new || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return NSC_OK;
    if (errno == ENOENT && nsc_outfile_check_folder(path, error) != NSC_OK)
        return NSC_EWRITE;
    return fail_io(error, NSC_EWRITE, "make the folder", path);
}

enum nsc_status nsc_file_prepare(struct nsc_outfile *out, const char *path, unsigned flags,
                                 const struct nsc_buf *text, struct nsc_error *error)
{
    enum nsc_status status = nsc_outfile_open(out, path, flags | NSC_OUTFILE_PRIVATE, error);

    if (status != NSC_OK)
        return status;
    status = nsc_outfile_write(out, text, error);
    if (status == NSC_OK)
        status = nsc_outfile_sync(out, error);
    if (status != NSC_OK)
        nsc_outfile_drop(out);
    return status;
}

enum nsc_status nsc_file_write(const char *path, unsigned flags, const struct nsc_buf *text,
                               struct nsc_error *error)
{
    struct nsc_outfile out;
    enum nsc_status status = nsc_file_prepare(&out, path, flags, text, error);

    return status == NSC_OK ? nsc_outfile_commit(&out, error) : status;
}
