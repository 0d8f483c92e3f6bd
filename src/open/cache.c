/*
 * Finds, lists and removes the exports in the user's cache.
 */
#include "open/cache.h"

#include "core/paths.h"
#include "core/strpool.h"
#include "core/temporary.h"
#include "core/text.h"
#include "core/units.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "report-"
#define SUFFIX ".sqlite"

enum { BLOCK = 1 << 20 };

/* ---- the folder ---- */

static enum nsc_status find_folder(struct nsc_buf *out, struct nsc_error *error)
{
    const char *own = getenv("NSYSCOPE_CACHE");

    if (own && own[0] == '/')
        nsc_buf_puts(out, own);
    else if ((own && own[0]) || !nsc_path_home(out, NSC_PATH_CACHE, "reports"))
        return nsc_fail(error, NSC_EWRITE,
                        "no folder for exports of reports: set NSYSCOPE_CACHE to a full path");
    return NSC_OK;
}

/* A folder of the user's in which nobody else writes. */
static enum nsc_status check_folder(const char *path, struct nsc_error *error)
{
    struct stat info;

    if (stat(path, &info) != 0 || (S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
                                   !(info.st_mode & (S_IWGRP | S_IWOTH))))
        return NSC_OK;
    return nsc_fail(error, NSC_EWRITE,
                    "%s: not a folder in which only you may write; set NSYSCOPE_CACHE to one",
                    path);
}

/* ---- the entries ---- */

static int is_entry(const struct dirent *entry)
{
    return strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1) == 0;
}

static int is_export(const struct dirent *entry)
{
    return nsc_text_ends(nsc_text_from(entry->d_name), SUFFIX);
}

/* Adds the entry with the first of its exports; all are links to one file. */
static void add_entry(struct nsc_recordings *cache, const char *name)
{
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);
    struct dirent **files = NULL;
    struct stat folder, export;
    int n;

    nsc_buf_printf(&path, "%s/%s", cache->folder.bytes, name);
    n = scandir(path.bytes, &files, is_export, alphasort);
    if (n > 0 && lstat(path.bytes, &folder) == 0 && S_ISDIR(folder.st_mode)) {
        struct nsc_recorded entry = {.path = nsc_xcopy(path.bytes, path.n),
                                     .time = folder.st_mtim,
                                     .gpus = NSC_UNKNOWN,
                                     .duration = NSC_UNKNOWN};

        nsc_buf_printf(&path, "/%s", files[0]->d_name);
        entry.file = nsc_xcopy(path.bytes, path.n);
        entry.bytes = stat(entry.file, &export) == 0 ? (uint64_t) export.st_blocks * 512 : 0;
        nsc_recordings_add(cache, entry);
    }
    for (int i = 0; i < n; i++)
        free(files[i]);
    free(files);
    nsc_buf_fini(&path);
}

enum nsc_status nsc_cache_open(struct nsc_recordings *cache, struct nsc_error *error)
{
    struct dirent **names = NULL;
    int n = 0;

    *cache = (struct nsc_recordings){.folder = NSC_BUF_INIT(SIZE_MAX)};
    if (find_folder(&cache->folder, error) != NSC_OK ||
        check_folder(cache->folder.bytes, error) != NSC_OK)
        return error->status;
    n = scandir(cache->folder.bytes, &names, is_entry, alphasort);
    for (int i = 0; i < n; free(names[i++]))
        add_entry(cache, names[i]->d_name);
    free(names);
    return NSC_OK;
}

enum nsc_status nsc_cache_name(struct nsc_buf *out, const char *report, struct nsc_error *error)
{
    int fd = open(report, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    char *block = nsc_xmalloc(BLOCK);
    uint64_t hashes[2] = {0, 0}; /* of all blocks so far, of the next one */
    uint64_t size = 0;
    ssize_t n = fd < 0 ? -1 : 1;

    while (n > 0 && (n = read(fd, block, BLOCK)) > 0) {
        hashes[1] = nsc_hash_bytes(block, (size_t)n);
        hashes[0] = nsc_hash_bytes((const char *)hashes, sizeof hashes);
        size += (uint64_t)n;
    }
    if (n < 0)
        (void)nsc_fail(error, NSC_EIO, "%s: cannot be read: %s", report, strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    free(block);
    nsc_buf_printf(out, PREFIX "%" PRIx64 "-%016" PRIx64, size, hashes[0]);
    return n < 0 ? NSC_EIO : NSC_OK;
}

bool nsc_cache_find(struct nsc_buf *out, const struct nsc_recordings *cache, const char *name,
                    struct nsc_text stem)
{
    bool found = false;

    nsc_buf_printf(out, "%s/%s/%.*s" SUFFIX, cache->folder.bytes, name, (int)stem.n, stem.bytes);
    for (size_t i = 0; i < cache->entries.n && !found; i++) {
        const struct nsc_recorded *entry = &cache->entries.at[i];

        found = strcmp(strrchr(entry->path, '/') + 1, name) == 0 &&
                (access(out->bytes, R_OK) == 0 || link(entry->file, out->bytes) == 0);
        if (found)
            (void)utimensat(AT_FDCWD, entry->path, NULL, 0);
    }
    return found;
}

enum nsc_status nsc_cache_trim(const struct nsc_recordings *cache, time_t since,
                               struct nsc_error *error)
{
    const char *size = getenv("NSYSCOPE_CACHE_SIZE");
    struct nsc_error why = {NSC_OK, ""};
    uint64_t most = 0;
    uint64_t sum = 0;

    if (nsc_units_parse_bytes(&most, size && size[0] ? size : NSC_CACHE_SIZE, &why) != NSC_OK)
        return nsc_fail(error, NSC_EINVAL, "NSYSCOPE_CACHE_SIZE: %s", why.text);
    for (size_t i = 0; i < cache->entries.n; i++) {
        const struct nsc_recorded *entry = &cache->entries.at[i];

        sum += entry->bytes;
        if (sum > most && entry->time.tv_sec < since)
            nsc_temporary_remove_folder(entry->path);
    }
    return NSC_OK;
}

bool nsc_cache_clear(const struct nsc_recordings *cache)
{
    bool gone = true;

    for (size_t i = 0; i < cache->entries.n; i++) {
        nsc_temporary_remove_folder(cache->entries.at[i].path);
        gone = gone && access(cache->entries.at[i].path, F_OK) != 0;
    }
    return gone;
}
