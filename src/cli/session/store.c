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
    status = read_content(&content, store->path, error);
    if (status == NSC_OK)
        status = check_content(store, &content, error);
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

/* Copies a damaged file to the first free .bad-N, unless a copy exists. */
static enum nsc_status keep_bad(const struct nsc_store *store, const struct nsc_buf *bytes,
                                struct nsc_error *error)
{
    enum nsc_status status = NSC_EIO;
    bool is_done = false;

    for (unsigned i = 1; i <= BAD_MAX && !is_done; i++) {
        struct nsc_buf name = NSC_BUF_INIT(1 << 16);
        struct nsc_buf old = NSC_BUF_INIT(NSC_STORE_LIMIT + 1);
        struct stat info;

        nsc_buf_printf(&name, "%s.bad-%u", store->path, i);
        if (lstat(name.bytes, &info) && errno == ENOENT) {
            status = nsc_file_write(name.bytes, 0, bytes, error);
            is_done = true;
        } else if (nsc_file_read(&old, name.bytes, NSC_STORE_LIMIT, NULL) == NSC_OK &&
                   old.n == bytes->n && memcmp(old.bytes, bytes->bytes, old.n) == 0) {
            status = NSC_OK;
            is_done = true;
        }
        nsc_buf_fini(&old);
        nsc_buf_fini(&name);
    }
    if (!is_done)
        status = nsc_fail(error, NSC_EWRITE,
                          "%s is damaged and %d damaged copies are kept beside it: remove some",
                          store->path, BAD_MAX);
    return status;
}

/* Whether the file still holds these bytes. */
static bool is_unchanged(const struct nsc_store *store, const struct nsc_buf *bytes)
{
    struct nsc_buf now = NSC_BUF_INIT(NSC_STORE_LIMIT + 1);
    bool is_absent = false;
    bool same = read_bytes(&now, &is_absent, store->path, NULL) == NSC_OK && now.n == bytes->n &&
                (now.n == 0 || memcmp(now.bytes, bytes->bytes, now.n) == 0);

    nsc_buf_fini(&now);
    return same;
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

/* Puts the merged content in place. Without a lock, checks at the last moment before and again after
 * that no other program wrote: syncing may take long. */
static enum nsc_status place_merged(const struct nsc_store *store, const struct nsc_buf *merged,
                                    const struct content *content, bool locked, bool *again,
                                    struct nsc_error *error)
{
    struct nsc_outfile out;
    enum nsc_status status = nsc_file_prepare(&out, store->path, NSC_FILE_OWN, merged, error);

    if (status != NSC_OK)
        return status;
    if (!locked && !is_unchanged(store, &content->bytes)) {
        nsc_outfile_drop(&out);
        *again = true;
        return NSC_OK;
    }
    status = nsc_outfile_commit(&out, error);
    if (status == NSC_OK && !locked) {
        settle();
        *again = !is_unchanged(store, merged);
    }
    return status;
}

/* Writes the merged content if it differs from the file's. */
static enum nsc_status write_merged(const struct nsc_store *store, const struct nsc_buf *merged,
                                    const struct content *content, bool locked, bool *again,
                                    struct nsc_error *error)
{
    *again = false;
    if (merged->overflow || merged->n > NSC_STORE_LIMIT)
        return nsc_fail(error, NSC_EFORMAT, "%s would be larger than 64 MiB: remove some bookmarks",
                        store->path);
    if (!content->is_absent && merged->n == content->bytes.n &&
        memcmp(merged->bytes, content->bytes.bytes, merged->n) == 0)
        return NSC_OK;
    return place_merged(store, merged, content, locked, again, error);
}

static enum nsc_status save_round(struct nsc_store *store, struct nsc_bookmarks *list,
                                  struct nsc_session_state *session, bool locked, bool *again,
                                  struct nsc_error *error)
{
    struct nsc_buf merged = NSC_BUF_INIT(NSC_STORE_LIMIT + 1);
    struct content content;
    enum nsc_status status = read_content(&content, store->path, error);

    if (status == NSC_OK)
        status = check_content(store, &content, error);
    if (status == NSC_OK && content.report.version > NSC_BOOKMARKS_VERSION)
        status = nsc_fail(error, NSC_EINVAL,
                          "%s was written by a newer nsyscope and stays as it is: bookmarks are "
                          "read only",
                          store->path);
    if (status == NSC_OK && (content.report.damaged || is_foreign(&content)))
        status = keep_bad(store, &content.bytes, error);
    if (status == NSC_OK) {
        format_merged(&merged, store, list, session, &content);
        status = write_merged(store, &merged, &content, locked, again, error);
    }
    nsc_buf_fini(&merged);
    content_fini(&content);
    return status;
}

/* Makes no lock beside a file that will not be written. */
static enum nsc_status check_first(const struct nsc_store *store, struct nsc_error *error)
{
    struct content content;
    enum nsc_status status;

    if (!store->is_named)
        return NSC_OK;
    status = read_content(&content, store->path, error);
    if (status == NSC_OK)
        status = check_content(store, &content, error);
    content_fini(&content);
    return status;
}

enum nsc_status nsc_store_save(struct nsc_store *store, struct nsc_bookmarks *list,
                               struct nsc_session_state *session, struct nsc_error *error)
{
    enum nsc_status status;
    bool again = true;
    int lock;

    store->notice[0] = '\0';
    if (!store->path)
        return fail_nowhere(error);
    nsc_bookmarks_set_stamp(list, now_utc(), new_random());
    if (session)
        session->modified = now_utc();
    status = check_first(store, error);
    if (status == NSC_OK)
        status = store->is_named ? nsc_outfile_check_folder(store->path, error)
                                 : nsc_file_folders(store->path, error);
    lock = status == NSC_OK ? nsc_store_lock(store->path) : -1;
    if (lock >= 0)
        nsc_temporary_clean(store->path, 0);
    for (unsigned i = 0; i < ROUNDS && again && status == NSC_OK; i++)
        status = save_round(store, list, session, lock >= 0, &again, error);
    nsc_store_unlock(lock);
    if (status == NSC_OK && again)
        status =
            nsc_fail(error, NSC_EWRITE,
                     "%s is being written by other programs all the time; save again", store->path);
    if (status == NSC_OK)
        for (size_t i = 0; i < list->n; i++)
            list->at[i].changed = false;
    return status;
}
