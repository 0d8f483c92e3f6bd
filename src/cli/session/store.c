/* Loads and saves bookmarks: reads again, merges, writes the whole file. */
#include "cli/session/store.h"

#include "core/die.h"
#include "core/paths.h"
#include "core/temporary.h"
#include "core/text.h"
#include "share/session_page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20, BAD_MAX = 100, SETTLE_MS = 30 };

struct nsc_store {
    char identity[NSC_IDENTITY_BYTES];
    char *path;    /* NULL: cannot save; symbolic links are resolved */
    bool is_named; /* named by the user: a foreign file there is never touched */
    char notice[240];
};

/* The content of a file when read. */
struct content {
    struct nsc_buf bytes;
    struct nsc_bookmarks list;
    struct nsc_session_state session;
    struct nsc_bookmarks_report report;
    bool is_absent;
};

/* ---- opening ---- */

static enum nsc_status fail_nowhere(struct nsc_error *error)
{
    return nsc_fail(error, NSC_EIO,
                    "bookmarks are not saved: neither XDG_STATE_HOME nor HOME is a full path");
}

enum nsc_status nsc_store_open(struct nsc_store **out, const char *identity, const char *file,
                               struct nsc_error *error)
{
    struct nsc_store *store = nsc_xcalloc(1, sizeof *store);
    struct nsc_buf path = NSC_BUF_INIT(1 << 16);
    struct nsc_buf leaf = NSC_BUF_INIT(64);
    struct stat info;

    *out = store;
    (void)snprintf(store->identity, sizeof store->identity, "%s", identity);
    store->is_named = file != NULL;
    nsc_buf_printf(&leaf, "%s.json", store->identity);
    if (file)
        nsc_buf_puts(&path, file);
    else
        (void)nsc_path_home(&path, NSC_PATH_STATE, leaf.bytes);
    if (path.n && lstat(path.bytes, &info) == 0 && S_ISLNK(info.st_mode))
        store->path = realpath(path.bytes, NULL);
    if (path.n && !store->path)
        store->path = nsc_xcopy(path.bytes, strlen(path.bytes));
    nsc_buf_fini(&leaf);
    nsc_buf_fini(&path);
    return store->path ? NSC_OK : fail_nowhere(error);
}

void nsc_store_close(struct nsc_store *store)
{
    if (!store)
        return;
    free(store->path);
    free(store);
}

const char *nsc_store_path(const struct nsc_store *store)
{
    return store->path;
}

const char *nsc_store_notice(const struct nsc_store *store)
{
    return store->notice;
}

/* ---- reading ---- */

static void content_fini(struct content *content)
{
    nsc_buf_fini(&content->bytes);
    nsc_bookmarks_fini(&content->list);
    nsc_session_state_fini(&content->session);
}

static enum nsc_status read_bytes(struct nsc_buf *bytes, bool *is_absent, const char *path,
                                  struct nsc_error *error)
{
    struct stat info;

    *is_absent = stat(path, &info) && (errno == ENOENT || errno == ENOTDIR);
    return *is_absent ? NSC_OK : nsc_file_read(bytes, path, NSC_STORE_LIMIT, error);
}

static enum nsc_status read_content(struct content *content, const char *path,
                                    struct nsc_error *error)
{
    enum nsc_status status;

    *content = (struct content){.bytes = NSC_BUF_INIT(NSC_STORE_LIMIT + 1)};
    status = read_bytes(&content->bytes, &content->is_absent, path, error);
    content->is_absent |= content->bytes.n == 0;
    if (status == NSC_OK && !content->is_absent)
        nsc_bookmarks_parse(&content->list, &content->session, nsc_text_of_buf(&content->bytes),
                            &content->report);
    return status;
}

/* Identities of two exports differ everywhere; a single different digit is damage. */
static bool is_other(const char *a, const char *b)
{
    unsigned apart = 0;

    for (unsigned i = 0; a[0] && b[0] && i < NSC_IDENTITY_BYTES - 1; i++)
        apart += a[i] != b[i];
    return apart > 1;
}

static bool is_foreign(const struct content *content)
{
    return !content->is_absent && content->report.version == 0 && content->list.n == 0;
}

/* Checks that the file is for this export and in a known format. */
static enum nsc_status check_content(const struct nsc_store *store, const struct content *content,
                                     struct nsc_error *error)
{
    if (store->is_named && !content->is_absent && content->report.version == 0 &&
        (content->list.n == 0 || !content->report.damaged))
        return nsc_fail(error, NSC_EFORMAT,
                        "%s is no bookmarks file; name another, or move it away", store->path);
    if (is_other(content->report.identity, store->identity))
        return nsc_fail(error, NSC_EINVAL,
                        "%s holds bookmarks of another export; nsyscope bookmarks FILE import "
                        "--force takes them over",
                        store->path);
    return NSC_OK;
}

static enum nsc_status read_checked(struct content *content, const struct nsc_store *store,
                                    struct nsc_error *error)
{
    enum nsc_status status = read_content(content, store->path, error);

    return status == NSC_OK ? check_content(store, content, error) : status;
}

static void note_content(struct nsc_store *store, const struct content *content)
{
    struct nsc_error line = {0};

    store->notice[0] = '\0';
    if (content->report.version > NSC_BOOKMARKS_VERSION)
        (void)nsc_fail(&line, NSC_EFORMAT,
                       "%s was written by a newer nsyscope: bookmarks are read only", store->path);
    else if (content->report.damaged)
        (void)nsc_fail(&line, NSC_EFORMAT,
                       "%s is damaged: %" PRIu32 " bookmarks lost, %zu read; the next save keeps "
                       "it as .bad-N",
                       store->path, content->report.lost, nsc_bookmarks_live(&content->list));
    memcpy(store->notice, line.text, sizeof store->notice);
}

enum nsc_status nsc_store_load(struct nsc_store *store, struct nsc_bookmarks *list,
                               struct nsc_session_state *session, struct nsc_error *error)
{
    struct content content;
    enum nsc_status status;

    store->notice[0] = '\0';
    if (!store->path)
        return NSC_OK;
    status = read_checked(&content, store, error);
    if (status == NSC_OK) {
        note_content(store, &content);
        nsc_bookmarks_merge(list, &content.list);
        if (session) {
            nsc_session_state_fini(session);
            *session = content.session;
            content.session = (struct nsc_session_state){0};
        }
    }
    content_fini(&content);
    return status;
}

enum nsc_status nsc_store_read(struct nsc_bookmarks *list, struct nsc_bookmarks_report *report,
                               const char *file, struct nsc_error *error)
{
    struct content content = {.bytes = NSC_BUF_INIT(NSC_STORE_LIMIT + 1)};
    enum nsc_status status = nsc_file_read(&content.bytes, file, NSC_STORE_LIMIT, error);

    if (status == NSC_OK)
        nsc_bookmarks_parse(&content.list, NULL,
                            nsc_session_page_bookmarks(nsc_text_of_buf(&content.bytes)),
                            &content.report);
    if (status == NSC_OK && is_foreign(&content))
        status = nsc_fail(error, NSC_EFORMAT, "%s is no bookmarks file", file);
    *report = content.report;
    if (status == NSC_OK)
        nsc_bookmarks_merge(list, &content.list);
    content_fini(&content);
    return status;
}

/* ---- saving ---- */

static int64_t now_utc(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static uint64_t new_random(void)
{
    uint64_t random = 0;

    if (getentropy(&random, sizeof random))
        random = (uint64_t)now_utc() ^ (uint64_t)getpid() << 40;
    return random;
}

void nsc_store_stamp(int64_t *utc, uint64_t *random)
{
    *utc = now_utc();
    *random = new_random();
}

static bool is_same(const struct nsc_buf *a, const struct nsc_buf *b)
{
    return nsc_text_equal(nsc_text_of_buf(a), nsc_text_of_buf(b));
}

/* Whether the file holds these bytes now; none: it is empty or absent. */
static bool holds(const char *path, const struct nsc_buf *bytes)
{
    struct nsc_buf now = NSC_BUF_INIT(NSC_STORE_LIMIT + 1);
    bool is_absent = false;
    bool same = read_bytes(&now, &is_absent, path, NULL) == NSC_OK && is_same(&now, bytes);

    nsc_buf_fini(&now);
    return same;
}

/* Copies a damaged file to the first free .bad-N, unless a copy exists. */
static enum nsc_status keep_bad(const struct nsc_store *store, const struct nsc_buf *bytes,
                                struct nsc_error *error)
{
    struct nsc_buf name = NSC_BUF_INIT(1 << 16);
    enum nsc_status status = NSC_OK;
    struct stat info;
    bool is_free = false, is_kept = false;

    for (unsigned i = 1; i <= BAD_MAX && !is_free && !is_kept; i++) {
        nsc_buf_clear(&name);
        nsc_buf_printf(&name, "%s.bad-%u", store->path, i);
        is_free = lstat(name.bytes, &info) && errno == ENOENT;
        is_kept = !is_free && holds(name.bytes, bytes);
    }
    if (is_free)
        status = nsc_file_write(name.bytes, 0, bytes, error);
    else if (!is_kept)
        status = nsc_fail(error, NSC_EWRITE,
                          "%s is damaged and %d damaged copies are kept beside it: remove some",
                          store->path, BAD_MAX);
    nsc_buf_fini(&name);
    return status;
}

/* Waits a random time, so that two programs that collided do not collide again. */
static void settle(void)
{
    struct timespec wait = {0, (long)(SETTLE_MS + new_random() % SETTLE_MS) * 1000000};

    (void)nanosleep(&wait, NULL);
}

static void format_merged(struct nsc_buf *out, const struct nsc_store *store,
                          struct nsc_bookmarks *list, struct nsc_session_state *session,
                          struct content *content)
{
    bool has_old = content->session.modified || content->session.has_window;

    nsc_bookmarks_merge(list, &content->list);
    if (session && session->modified <= content->session.modified &&
        content->session.modified < INT64_MAX)
        session->modified = content->session.modified + 1;
    nsc_bookmarks_format(out, list,
                         session   ? session
                         : has_old ? &content->session
                                   : NULL,
                         store->identity, true);
}

/*
 * Puts the merged bytes in the place of the old ones. Where locks do not work another program may
 * write at any time: then *done only if the file still was the old one at the last moment, and is
 * the merged one a while later. Otherwise the caller merges again.
 */
static enum nsc_status replace(bool *done, const char *path, const struct nsc_buf *merged,
                               const struct nsc_buf *old, bool is_locked, struct nsc_error *error)
{
    struct nsc_outfile out;
    enum nsc_status status = nsc_file_prepare(&out, path, NSC_FILE_OWN, merged, error);

    if (status != NSC_OK)
        return status;
    if (!is_locked && !holds(path, old)) {
        nsc_outfile_drop(&out);
        return NSC_OK;
    }
    status = nsc_outfile_commit(&out, error);
    if (status == NSC_OK && !is_locked)
        settle();
    *done = status == NSC_OK && (is_locked || holds(path, merged));
    return status;
}

/* Reads the file, merges, and writes unless the file has all of it. */
static enum nsc_status save_once(bool *done, struct nsc_store *store, struct nsc_bookmarks *list,
                                 struct nsc_session_state *session, bool is_locked,
                                 struct nsc_error *error)
{
    struct nsc_buf merged = NSC_BUF_INIT(NSC_STORE_LIMIT + 1);
    struct content old;
    enum nsc_status status = read_checked(&old, store, error);

    if (status == NSC_OK && old.report.version > NSC_BOOKMARKS_VERSION)
        status = nsc_fail(error, NSC_EINVAL,
                          "%s was written by a newer nsyscope and stays as it is: bookmarks are "
                          "read only",
                          store->path);
    if (status == NSC_OK && (old.report.damaged || is_foreign(&old)))
        status = keep_bad(store, &old.bytes, error);
    if (status == NSC_OK) {
        format_merged(&merged, store, list, session, &old);
        *done = !old.is_absent && is_same(&merged, &old.bytes);
        if (merged.overflow || merged.n > NSC_STORE_LIMIT)
            status = nsc_fail(error, NSC_EFORMAT,
                              "%s would be larger than 64 MiB: remove some bookmarks", store->path);
        else if (!*done)
            status = replace(done, store->path, &merged, &old.bytes, is_locked, error);
    }
    nsc_buf_fini(&merged);
    content_fini(&old);
    return status;
}

/* Makes no lock beside a file that will not be written. */
static enum nsc_status check_first(const struct nsc_store *store, struct nsc_error *error)
{
    struct content content;
    enum nsc_status status;

    if (!store->is_named)
        return nsc_file_folders(store->path, error);
    status = read_checked(&content, store, error);
    content_fini(&content);
    return status == NSC_OK ? nsc_outfile_check_folder(store->path, error) : status;
}

enum nsc_status nsc_store_save(struct nsc_store *store, struct nsc_bookmarks *list,
                               struct nsc_session_state *session, struct nsc_error *error)
{
    enum nsc_status status;
    bool done = false;
    int lock;

    store->notice[0] = '\0';
    if (!store->path)
        return fail_nowhere(error);
    nsc_bookmarks_set_stamp(list, now_utc(), new_random());
    if (session)
        session->modified = now_utc();
    status = check_first(store, error);
    lock = status == NSC_OK ? nsc_store_lock(store->path) : -1;
    if (lock >= 0)
        nsc_temporary_clean(store->path, 0);
    for (unsigned i = 0; i < ROUNDS && !done && status == NSC_OK; i++)
        status = save_once(&done, store, list, session, lock >= 0, error);
    nsc_store_unlock(lock);
    if (status == NSC_OK && !done)
        status =
            nsc_fail(error, NSC_EWRITE,
                     "%s is being written by other programs all the time; save again", store->path);
    if (status == NSC_OK)
        for (size_t i = 0; i < list->n; i++)
            list->at[i].changed = false;
    return status;
}
