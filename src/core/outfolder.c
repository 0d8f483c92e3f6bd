/*
 * Writes a folder of files whole or not at all.
 */
#define _GNU_SOURCE /* renameat2 */
#include "core/outfolder.h"

#include "core/outfile.h"
#include "core/paths.h"
#include "core/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

struct nsc_buf *nsc_folder_add(struct nsc_folder *folder, const char *name)
{
    struct nsc_folder_file *file = NSC_VEC_ADD(&folder->files);

    *file = (struct nsc_folder_file){nsc_xcopy(name, strlen(name)), NSC_BUF_INIT(UINT32_MAX), -1};
    return &file->text;
}

void nsc_folder_fini(struct nsc_folder *folder)
{
    for (size_t i = 0; i < folder->files.n; i++) {
        free(folder->files.at[i].name);
        nsc_buf_fini(&folder->files.at[i].text);
    }
    NSC_VEC_FINI(&folder->files);
}

/* "folder/name"; free it. */
static char *join(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = nsc_xmalloc(size);

    (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* ---- before anything is written ---- */

static enum nsc_status check_files(const struct nsc_folder *folder, unsigned flags,
                                   struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (size_t i = 0; i < folder->files.n && status == NSC_OK; i++) {
        const struct nsc_folder_file *file = &folder->files.at[i];
        char *path = join(folder->path, file->name);
        struct stat info;

        if (lstat(path, &info) == 0 && !(flags & NSC_OUTFILE_REPLACE))
            status = nsc_outfile_exists(path, flags, error);
        else
            status = nsc_outfile_check(path, NSC_OUTFILE_REPLACE, error);
        free(path);
    }
    return status;
}

static bool is_ours(const struct nsc_folder *folder, const char *name)
{
    for (size_t i = 0; i < folder->files.n; i++)
        if (strcmp(folder->files.at[i].name, name) == 0)
            return true;
    for (size_t i = 0; folder->others && folder->others[i]; i++)
        if (fnmatch(folder->others[i], name, FNM_PATHNAME) == 0)
            return true;
    return false;
}

/* Whether a folder holds only files of ours. prefix: its name within the folder, with a slash. sub:
 * receives the name of the one subfolder that is allowed; NULL: none is. */
static bool holds_ours(const struct nsc_folder *folder, const char *prefix, char *sub, size_t size)
{
    char *at = join(folder->path, prefix);
    DIR *list = opendir(at);
    struct dirent *entry = NULL;
    bool alone = list != NULL;
    struct stat info;

    while (alone && (entry = readdir(list))) {
        struct nsc_buf name = NSC_BUF_INIT(65536);
        char *path;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        nsc_buf_printf(&name, "%s%s", prefix, entry->d_name);
        path = join(folder->path, name.bytes);
        alone = lstat(path, &info) == 0;
        if (alone && S_ISDIR(info.st_mode) && sub && !sub[0])
            alone = snprintf(sub, size, "%s/", entry->d_name) < (int)size;
        else if (alone)
            alone = S_ISREG(info.st_mode) && is_ours(folder, name.bytes) &&
                    nsc_outfile_check(path, NSC_OUTFILE_REPLACE, NULL) == NSC_OK;
        free(path);
        nsc_buf_fini(&name);
    }
    if (list)
        (void)closedir(list);
    free(at);
    return alone;
}

static bool is_same(const char *a, const char *b)
{
    struct stat x;
    struct stat y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Whether the folder, and at most one folder in it, holds only files of ours. The inner one is not
 * the current folder. */
static bool is_all_ours(const struct nsc_folder *folder)
{
    char sub[256] = "";
    bool is_ours = holds_ours(folder, "", sub, sizeof sub);

    if (is_ours && sub[0]) {
        char *path = join(folder->path, sub);

        is_ours = !is_same(path, ".") && holds_ours(folder, sub, NULL, 0);
        free(path);
    }
    return is_ours;
}

/* Whether another folder may replace this one: it is a folder (no link) with only files of ours,
 * not the current folder, and its parent is writable. */
static bool can_swap(const struct nsc_folder *folder)
{
    struct stat info;
    char *parent = join(folder->path, "..");
    bool can = lstat(folder->path, &info) == 0 && S_ISDIR(info.st_mode) &&
               !is_same(folder->path, ".") && access(parent, W_OK) == 0 && is_all_ours(folder);

    free(parent);
    return can;
}

/* Removes the temporary folder, unless another program put a file into it. */
static void remove_beside(const struct nsc_folder *folder, const char *beside)
{
    struct nsc_folder left = *folder;

    left.path = beside;
    if (is_all_ours(&left))
        nsc_temporary_remove_folder(beside);
}

/* ---- the temporary folder ---- */

/* Makes the folder "<stem>.<pid>-<n>.tmp" and returns its name; free it. NULL with errno on
 * failure. */
static char *make_beside(const char *stem)
{
    size_t size = strlen(stem) + 48;
    char *name = nsc_xmalloc(size);

    nsc_temporary_clean_folders(stem, NSC_TEMPORARY_STALE);
    for (unsigned i = 0; i < TRIES; i++) {
        (void)snprintf(name, size, "%s.%ld-%u.tmp", stem, (long)getpid(), i);
        if (nsc_outfile_folder(name, 0700) == 0)
            return name;
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    free(name);
    return NULL;
}

/* The cause alone, from a line that names the temporary file. */
static const char *cause_of(const struct nsc_error *error)
{
    const char *at = error->text;

    for (const char *next = at; (next = strstr(next, ": ")) != NULL;)
        at = next += 2;
    return at;
}

/* Makes the folder of a file within the temporary one, and registers it so that a signal removes
 * it. */
static void note_folder(const char *path, int *slot)
{
    char *folder = nsc_xcopy(path, (size_t)(strrchr(path, '/') - path));

    if (*slot < 0)
        *slot = nsc_temporary_add(folder);
    (void)nsc_outfile_folder(folder, 0700);
    free(folder);
}

static enum nsc_status write_beside(struct nsc_folder *folder, const char *beside, int *sub_slot,
                                    struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (size_t i = 0; i < folder->files.n && status == NSC_OK; i++) {
        struct nsc_folder_file *file = &folder->files.at[i];
        struct nsc_error own = {NSC_OK, ""};
        char *path = join(beside, file->name);

        if (strchr(file->name, '/'))
            note_folder(path, sub_slot);
        file->slot = nsc_temporary_add(path); /* first: the folder is ours alone */
        status = nsc_file_write(path, 0, &file->text, &own);
        if (status != NSC_OK)
            (void)nsc_fail(error, status, "cannot write %s/%s: %s", folder->path, file->name,
                           cause_of(&own));
        free(path);
    }
    return status;
}

/* ---- in place ---- */

static bool exchange(const char *beside, const char *path)
{
    char *old = NULL;
    bool done;

#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, beside, AT_FDCWD, path, RENAME_EXCHANGE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
#endif
    old = make_beside(path);
    if (!old)
        return false;
    done = rename(path, old) == 0;
    if (done && rename(beside, path) != 0) {
        (void)rename(old, path); /* as it was */
        done = false;
    }
    if (done)
        (void)rename(old, beside); /* where the caller removes it */
    else
        (void)rmdir(old);
    free(old);
    return done;
}

static enum nsc_status swap(const struct nsc_folder *folder, const char *beside,
                            struct nsc_error *error)
{
    struct nsc_folder old = *folder;
    struct stat info;

    if (stat(folder->path, &info) == 0)
        (void)chmod(beside, info.st_mode & 07777);
    if (!exchange(beside, folder->path))
        return nsc_fail(error, NSC_EWRITE, "cannot write %s: %s", folder->path, strerror(errno));
    old.path = beside;
    if (is_all_ours(&old))
        return NSC_OK;
    (void)exchange(beside, folder->path); /* as it was, with what came into it meanwhile */
    return nsc_fail(error, NSC_EWRITE, "another program put a file into %s meanwhile",
                    folder->path);
}

static enum nsc_status place_each(const struct nsc_folder *folder, const char *beside,
                                  struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (size_t i = 0; i < folder->files.n && status == NSC_OK; i++) {
        char *from = join(beside, folder->files.at[i].name);
        char *to = join(folder->path, folder->files.at[i].name);

        status = nsc_file_folders(to, error);
        if (status == NSC_OK)
            status = nsc_outfile_place(from, to, NSC_OUTFILE_REPLACE, error);
        free(from);
        free(to);
    }
    return status;
}

static enum nsc_status put_in_place(const struct nsc_folder *folder, const char *beside,
                                    bool can_be_swapped, struct nsc_error *error)
{
    struct stat info;

    if (can_be_swapped)
        return swap(folder, beside, error);
    if (lstat(folder->path, &info) == 0)
        return place_each(folder, beside, error);
    if (rename(beside, folder->path) == 0)
        return NSC_OK;
    return nsc_fail(error, NSC_EWRITE, "cannot write %s: %s", folder->path, strerror(errno));
}

/* Makes the folder for the new files: beside the target, or in it if it holds files of others. Free
 * the name. */
static char *make_stage(const struct nsc_folder *folder, bool can_be_swapped,
                        struct nsc_error *error)
{
    struct stat info;
    bool is_there = lstat(folder->path, &info) == 0;
    char *stem = is_there && !can_be_swapped ? join(folder->path, "nsyscope")
                                             : nsc_xcopy(folder->path, strlen(folder->path));
    char *beside = NULL;

    if (nsc_outfile_check_folder(stem, error) == NSC_OK && !(beside = make_beside(stem)))
        (void)nsc_fail(error, NSC_EWRITE, "cannot write %s: %s", folder->path, strerror(errno));
    free(stem);
    return beside;
}

static enum nsc_status write_all(struct nsc_folder *folder, struct nsc_error *error)
{
    bool can_be_swapped = can_swap(folder);
    char *beside = NULL;
    int sub_slot = -1;
    int slot = -1;
    sigset_t before;
    enum nsc_status status;

    nsc_temporary_begin(&before);
    beside = make_stage(folder, can_be_swapped, error);
    if (beside)
        slot = nsc_temporary_add(beside);
    nsc_temporary_end(&before);
    if (!beside)
        return NSC_EWRITE;
    status = write_beside(folder, beside, &sub_slot, error);
    if (status == NSC_OK)
        status = put_in_place(folder, beside, can_be_swapped, error);
    remove_beside(folder, beside); /* while a signal removes the files too */
    for (size_t i = 0; i < folder->files.n; i++)
        nsc_temporary_drop(folder->files.at[i].slot);
    nsc_temporary_drop(sub_slot);
    nsc_temporary_drop(slot);
    free(beside);
    return status;
}

enum nsc_status nsc_folder_write(struct nsc_folder *folder, unsigned flags, struct nsc_error *error)
{
    const char *given = folder->path;
    size_t n = strlen(given);
    enum nsc_status status = NSC_OK;
    struct stat info;
    char *path;

    while (n > 1 && given[n - 1] == '/')
        n--;
    path = nsc_xcopy(given, n);
    folder->path = path;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) /* check that it may be made */
        status = nsc_outfile_check(path, 0, error);
    if (status == NSC_OK)
        status = check_files(folder, flags, error);
    if (status == NSC_OK)
        status = write_all(folder, error);
    folder->path = given;
    free(path);
    return status;
}
