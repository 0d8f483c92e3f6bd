/*
 * Writes a folder of files whole or not at all.
 */
#include "cli/cmd/hotspots_folder.h"

#include "core/paths.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct nsc_buf *nsc_folder_add(struct nsc_folder *folder, const char *name)
{
    struct nsc_folder_file *file = NSC_VEC_ADD(&folder->files);
    size_t size = strlen(folder->path) + strlen(name) + 2;

    *file = (struct nsc_folder_file){nsc_xmalloc(size), NSC_BUF_INIT(UINT32_MAX), false, false};
    snprintf(file->path, size, "%s/%s", folder->path, name);
    return &file->text;
}

void nsc_folder_fini(struct nsc_folder *folder)
{
    for (size_t i = 0; i < folder->files.n; i++) {
        free(folder->files.at[i].path);
        nsc_buf_fini(&folder->files.at[i].text);
    }
    NSC_VEC_FINI(&folder->files);
}

static enum nsc_status check_files(struct nsc_folder *folder, bool force, struct nsc_error *error)
{
    struct stat info;

    for (size_t i = 0; i < folder->files.n; i++) {
        struct nsc_folder_file *file = &folder->files.at[i];
        char *slash = strrchr(file->path, '/');

        if (file->text.overflow)
            return nsc_fail(error, NSC_EIO, "%s: larger than 4 GiB", file->path);
        file->was_there = lstat(file->path, &info) == 0;
        *slash = '\0';
        file->had_folder = stat(file->path, &info) == 0;
        *slash = '/';
        if (file->was_there && !force)
            return nsc_fail(error, NSC_EINVAL, "%s is there already; --force replaces it",
                            file->path);
    }
    return NSC_OK;
}

/* Removes the files and folders that this run made. */
static void take_back(struct nsc_folder *folder, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!folder->files.at[i].was_there)
            (void)unlink(folder->files.at[i].path);
    for (size_t i = n; i-- > 0;) { /* deepest first: the first file lies in the folder itself */
        char *slash = strrchr(folder->files.at[i].path, '/');

        if (folder->files.at[i].had_folder)
            continue;
        *slash = '\0';
        (void)rmdir(folder->files.at[i].path); /* fails while the folder holds anything else */
        *slash = '/';
    }
}

enum nsc_status nsc_folder_write(struct nsc_folder *folder, bool force, struct nsc_error *error)
{
    enum nsc_status status = check_files(folder, force, error);
    size_t n = 0;

    if (status != NSC_OK)
        return status;
    for (; n < folder->files.n && status == NSC_OK; n++) {
        const struct nsc_folder_file *file = &folder->files.at[n];

        status = nsc_file_write(file->path, force ? NSC_OUTFILE_REPLACE : 0,
                                nsc_text_of_buf(&file->text), error);
    }
    if (status != NSC_OK)
        take_back(folder, n);
    return status;
}
