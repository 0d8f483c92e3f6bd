/*
 * Hashes the content that identifies an export.
 */
#include "nsyscope/job.h"

#include "core/die.h"
#include "nsys/jobs/job_load.h"
#include "nsys/pages/check.h"
#include "nsys/pages/source.h"
#include "nsys/tables/capture_data.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 64 };

/* Two chains with different order and multiplier, so that a collision in one does not imply one in
 * the other. Distinguishes files; does not resist forgery. */
struct hash {
    uint64_t a, b;
};

static void add_word(struct hash *hash, uint64_t word)
{
    hash->a = (hash->a ^ word) * 0x9e3779b97f4a7c15u;
    hash->a ^= hash->a >> 32;
    hash->b = ((hash->b << 29 | hash->b >> 35) + word) * 0xc2b2ae3d27d4eb4fu;
    hash->b ^= hash->b >> 29;
}

static void add_bytes(struct hash *hash, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = 0;

        for (size_t j = i; j < n && j < i + 8; j++)
            word = word << 8 | bytes[j];
        add_word(hash, word);
    }
    add_word(hash, n);
}

/* Adds a page. Opening has checked that pages are whole; if the file was cut since, adds what is
 * left. */
static enum nsc_status add_page(struct hash *hash, const struct nsc_source *source, uint64_t page,
                                unsigned char *bytes, struct nsc_error *error)
{
    ssize_t n =
        nsc_check_read(source->fd, bytes, source->page_size, (off_t)(page * source->page_size));

    if (n < 0)
        return nsc_fail(error, NSC_EIO, "cannot read %s: %s", source->path, strerror(errno));
    add_bytes(hash, bytes, (size_t)n);
    return NSC_OK;
}

static enum nsc_status add_pages(struct hash *hash, const struct nsc_source *source,
                                 struct nsc_error *error)
{
    uint64_t n = source->pages < SAMPLES ? source->pages : SAMPLES;
    unsigned char *bytes = nsc_xmalloc(source->page_size);
    enum nsc_status status = NSC_OK;

    for (uint64_t i = 0; i < n && status == NSC_OK; i++) {
        uint64_t d = source->pages - 1;
        uint64_t last = n > 1 ? n - 1 : 1;

        status = add_page(hash, source, d / last * i + d % last * i / last, bytes, error);
    }
    free(bytes);
    return status;
}

/* Reads the start of the recording into *start, 0 if the export has none. Returns SQLite's
 * result. */
static int read_start(int64_t *start, const struct nsc_capture *capture)
{
    sqlite3_stmt *row = NULL;
    int rc = nsc_source_prepare(&row, capture->source->db,
                                "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME LIMIT 1");

    *start = 0;
    if (rc == SQLITE_OK)
        rc = nsc_source_step(row);
    if (rc == SQLITE_ROW)
        *start = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}

/* Adds the start of the recording. A failed read is an error: taken as "no start", it would file
 * bookmarks under another identity. */
static enum nsc_status add_start(struct hash *hash, const struct nsc_capture *capture,
                                 struct nsc_error *error)
{
    int64_t start = 0;
    int rc = SQLITE_DONE;

    if (capture->schema.tables[NSC_TABLE_SESSION].usable)
        rc = read_start(&start, capture);
    if (nsc_source_can_retry(rc))
        rc = read_start(&start, capture);
    add_word(hash, (uint64_t)start);
    if (nsc_source_can_retry(rc) || (rc & 0xff) == SQLITE_NOMEM || (rc & 0xff) == SQLITE_BUSY)
        return nsc_source_fail(capture->source, rc, "cannot read", error);
    return NSC_OK;
}

enum nsc_status nsc_capture_identity(char out[NSC_IDENTITY_TEXT], struct nsc_capture *capture,
                                     struct nsc_error *error)
{
    const struct nsc_source *source = capture->source;
    struct hash hash = {0x243f6a8885a308d3u, 0x13198a2e03707344u};
    enum nsc_status status;

    add_word(&hash, (uint64_t)source->stat.st_size);
    add_word(&hash, source->change_counter);
    status = add_start(&hash, capture, error);
    if (status == NSC_OK)
        status = add_pages(&hash, source, error);
    status = nsc_source_check(source, status, error);
    (void)snprintf(out, NSC_IDENTITY_TEXT, "%016" PRIx64 "%016" PRIx64, hash.a, hash.b);
    return status;
}

enum nsc_status nsc_job_identity(char out[NSC_IDENTITY_TEXT], struct nsc_job *job,
                                 struct nsc_error *error)
{
    struct hash hash = {0x452821e638d01377u, 0xbe5466cf34e90c6cu};
    enum nsc_status status = nsc_capture_identity(out, nsc_job_capture(job, 0), error);

    if (nsc_job_count(job) == 1)
        return status;
    for (uint32_t i = 0; i < nsc_job_count(job) && status == NSC_OK; i++) {
        status = nsc_capture_identity(out, nsc_job_capture(job, i), error);
        if (status == NSC_OK)
            add_bytes(&hash, (const unsigned char *)out, NSC_IDENTITY_TEXT - 1);
    }
    if (status == NSC_OK)
        (void)snprintf(out, NSC_IDENTITY_TEXT, "%016" PRIx64 "%016" PRIx64, hash.a, hash.b);
    return status;
}

bool nsc_job_move(struct nsc_job *job, const char *path)
{
    static const struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_capture *capture = nsc_job_capture(job, 0);
    struct nsc_source *left = capture->source, *other = NULL;
    char was[NSC_IDENTITY_TEXT], is[NSC_IDENTITY_TEXT];
    bool is_same = false;

    if (nsc_job_count(job) != 1 || nsc_capture_identity(was, capture, NULL) != NSC_OK ||
        nsc_source_open(&other, path, &options, NULL) != NSC_OK)
        return false;
    capture->source = other;
    is_same = nsc_capture_identity(is, capture, NULL) == NSC_OK && strcmp(is, was) == 0;
    if (!is_same) {
        capture->source = left;
        left = other;
    }
    nsc_source_close(left);
    return is_same;
}

const char *nsc_capture_path(const struct nsc_capture *capture)
{
    return capture->source->path;
}
