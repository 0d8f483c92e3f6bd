/*
 * Power fails at any moment of a save: in every possible state of the disk, the file is completely
 * old or completely new, and reported saves are there.
 *
 * The test intercepts and records calls of the C library. Power may fail after each of them. Then
 * any of the name changes since the folder's last sync may be on the disk, and of a file's bytes
 * written since its last sync none, half, blanks of the same length, or all.
 * promises: D2
 */
#undef _FORTIFY_SOURCE /* the calls themselves are defined here */
#include "cli/session/store.h"
#include "core/outfile.h"
#include "core/paths.h"
#include "core/text.h"
#include "support/cm.h"
#include "support/make_db.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OPS = 256, FILES = 64, NAMES = 64, FDS = 256, PENDING = 12, NAME_BYTES = 600 };
enum kind { CREATE, DATA, SYNC, RENAME, LINK, UNLINK, SYNC_FOLDER };

struct op {
    enum kind kind;
    int file; /* CREATE, DATA, SYNC */
    size_t n; /* DATA: bytes of the file after it */
    char from[NAME_BYTES], to[NAME_BYTES];
};

/* What was done since begin(). */
static struct {
    bool on;
    char folder[NSC_TEST_PATH];
    struct op op[OPS];
    int n_ops, n_files;
    char *bytes[FILES]; /* what was written to each */
    size_t size[FILES];
    int file_of[FDS]; /* file + 1; -1: the folder; 0: neither */
} noted;

/* ---- the calls ---- */

static bool is_inside(const char *path)
{
    return noted.on && strncmp(path, noted.folder, strlen(noted.folder)) == 0;
}

static struct op *note(enum kind kind, int file, const char *from, const char *to)
{
    struct op *op = &noted.op[noted.n_ops++];

    assert_true(noted.n_ops < OPS);
    *op = (struct op){.kind = kind, .file = file};
    snprintf(op->from, sizeof op->from, "%s", from);
    snprintf(op->to, sizeof op->to, "%s", to);
    return op;
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    int fd;

    va_start(rest, flags);
    fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags,
                      flags & O_CREAT ? va_arg(rest, unsigned) : 0u);
    va_end(rest);
    if (fd < 0 || fd >= FDS || !is_inside(path))
        return fd;
    noted.file_of[fd] = 0;
    if (flags & O_DIRECTORY) {
        noted.file_of[fd] = -1;
    } else if (flags & O_EXCL) {
        note(CREATE, noted.n_files, path, "");
        noted.file_of[fd] = ++noted.n_files;
    }
    return fd;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    int file = noted.on && fd >= 0 && fd < FDS ? noted.file_of[fd] - 1 : -1;
    ssize_t done = syscall(SYS_write, fd, bytes, n);

    if (file >= 0 && done > 0) {
        noted.bytes[file] = realloc(noted.bytes[file], noted.size[file] + (size_t)done);
        memcpy(noted.bytes[file] + noted.size[file], bytes, (size_t)done);
        noted.size[file] += (size_t)done;
        note(DATA, file, "", "")->n = noted.size[file];
    }
    return done;
}

int fsync(int fd)
{
    int of = noted.on && fd >= 0 && fd < FDS ? noted.file_of[fd] : 0;

    if (of)
        note(of < 0 ? SYNC_FOLDER : SYNC, of - 1, "", "");
    return (int)syscall(SYS_fsync, fd);
}

int close(int fd)
{
    if (fd >= 0 && fd < FDS)
        noted.file_of[fd] = 0;
    return (int)syscall(SYS_close, fd);
}

int rename(const char *from, const char *to)
{
    int failed = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);

    if (!failed && is_inside(to))
        note(RENAME, -1, from, to);
    return failed;
}

int link(const char *from, const char *to)
{
    int failed = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);

    if (!failed && is_inside(to))
        note(LINK, -1, from, to);
    return failed;
}

int unlink(const char *path)
{
    int failed = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);

    if (!failed && is_inside(path))
        note(UNLINK, -1, path, "");
    return failed;
}

/* ---- the disk ---- */

struct disk {
    const char *name[NAMES];
    int file[NAMES]; /* -1: the target's old content */
    int n;
};

static int find_name(const struct disk *disk, const char *name)
{
    for (int i = 0; i < disk->n; i++)
        if (strcmp(disk->name[i], name) == 0)
            return i;
    return -1;
}

static void put_name(struct disk *disk, const char *name, int file)
{
    int i = find_name(disk, name);

    if (i < 0)
        i = disk->n++;
    assert_true(disk->n < NAMES);
    disk->name[i] = name;
    disk->file[i] = file;
}

static void drop_name(struct disk *disk, const char *name)
{
    int i = find_name(disk, name);

    if (i < 0)
        return;
    disk->name[i] = disk->name[--disk->n];
    disk->file[i] = disk->file[disk->n];
}

/* A change of names; has no effect if its source was never created. */
static void apply(struct disk *disk, const struct op *op)
{
    int from = find_name(disk, op->from);
    int file = from >= 0 ? disk->file[from] : 0;

    if (op->kind == CREATE)
        put_name(disk, op->from, op->file);
    if (op->kind == UNLINK)
        drop_name(disk, op->from);
    if (from < 0)
        return;
    if (op->kind == RENAME)
        drop_name(disk, op->from);
    if (op->kind == RENAME || op->kind == LINK)
        put_name(disk, op->to, file);
}

/* ---- all states ---- */

struct content {
    char *bytes; /* NULL: no such file */
    size_t n;
};

struct save {
    const char *target;
    struct content before, after;
    bool without_sync, without_folder_sync; /* the model is asked whether it would notice */
    unsigned states, damaged, lost;         /* lost: said to be saved, and not there */
};

static bool is_same(struct content a, const char *bytes, size_t n)
{
    return a.bytes && a.n == n && memcmp(a.bytes, bytes, n) == 0;
}

/* The four contents of a file of n bytes, the first `synced` of which are synced. */
static void judge_content(struct save *save, int file, size_t synced, size_t n, bool is_done)
{
    char *bytes = malloc(n + 1);
    size_t lengths[4] = {synced, synced + (n - synced) / 2, n, n};

    for (int way = 0; way < 4; way++) {
        memcpy(bytes, noted.bytes[file] ? noted.bytes[file] : "", n);
        if (way == 2)
            memset(bytes + synced, 0, n - synced);
        save->states++;
        save->damaged += !is_same(save->before, bytes, lengths[way]) &&
                         !is_same(save->after, bytes, lengths[way]);
        save->lost += is_done && !is_same(save->after, bytes, lengths[way]);
    }
    free(bytes);
}

static void judge(struct save *save, const struct disk *disk, int crash)
{
    bool is_done = crash == noted.n_ops;
    int i = find_name(disk, save->target);
    size_t n = 0;
    size_t synced = 0;

    if (i < 0 || disk->file[i] < 0) { /* nothing, or the old file */
        save->states++;
        save->damaged += i < 0 && save->before.bytes != NULL;
        save->lost += is_done;
        return;
    }
    for (int k = 0; k < crash; k++) {
        if (noted.op[k].file != disk->file[i])
            continue;
        if (noted.op[k].kind == DATA)
            n = noted.op[k].n;
        if (noted.op[k].kind == SYNC && !save->without_sync)
            synced = n;
    }
    judge_content(save, disk->file[i], synced, n, is_done);
}

static bool is_of_names(enum kind kind)
{
    return kind == CREATE || kind == RENAME || kind == LINK || kind == UNLINK;
}

/* The power fails after the first crash calls. */
static void fail_after(struct save *save, int crash)
{
    const struct op *pending[PENDING];
    int n_pending = 0;
    int last_sync = 0;
    struct disk durable = {.n = 0};

    if (save->before.bytes)
        put_name(&durable, save->target, -1);
    for (int k = 0; k < crash && !save->without_folder_sync; k++)
        if (noted.op[k].kind == SYNC_FOLDER)
            last_sync = k;
    for (int k = 0; k < crash; k++) {
        if (!is_of_names(noted.op[k].kind))
            continue;
        if (k < last_sync) {
            apply(&durable, &noted.op[k]);
        } else {
            assert_true(n_pending < PENDING);
            pending[n_pending++] = &noted.op[k];
        }
    }
    for (unsigned set = 0; set < 1u << n_pending; set++) {
        struct disk disk = durable;

        for (int p = 0; p < n_pending; p++)
            if (set >> p & 1)
                apply(&disk, pending[p]);
        judge(save, &disk, crash);
    }
}

static void fail_everywhere(struct save *save)
{
    save->states = save->damaged = save->lost = 0;
    for (int crash = 0; crash <= noted.n_ops; crash++)
        fail_after(save, crash);
}

/* ---- saves ---- */

static struct content read_content(const char *path)
{
    struct content content = {NULL, 0};
    FILE *file = fopen(path, "rb");

    if (!file)
        return content;
    content.bytes = malloc(1 << 20);
    content.n = fread(content.bytes, 1, 1 << 20, file);
    fclose(file);
    return content;
}

static void begin(struct save *save, const char *target)
{
    *save = (struct save){.target = target, .before = read_content(target)};
    for (int i = 0; i < noted.n_files; i++) {
        free(noted.bytes[i]);
        noted.bytes[i] = NULL;
        noted.size[i] = 0;
    }
    noted.n_ops = noted.n_files = 0;
    memset(noted.file_of, 0, sizeof noted.file_of);
    noted.on = true;
}

/* Tests the promise, and that the model detects a broken one. */
static void end(struct save *save)
{
    noted.on = false;
    save->after = read_content(save->target);
    assert_non_null(save->after.bytes);
    assert_false(is_same(save->before, save->after.bytes, save->after.n));
    fail_everywhere(save);
    if (save->damaged || save->lost)
        print_message("%u states: %u damaged, %u lost\n", save->states, save->damaged, save->lost);
    assert_int_equal(save->damaged, 0);
    assert_int_equal(save->lost, 0);
    assert_true(save->states > 12);
    save->without_sync = true;
    fail_everywhere(save);
    assert_true(save->damaged > 0);
    save->without_sync = false;
    save->without_folder_sync = true;
    fail_everywhere(save);
    assert_true(save->lost > 0);
    free(save->before.bytes);
    free(save->after.bytes);
}

static int set_up(void **state)
{
    (void)state;
    nsc_test_folder_new(noted.folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    nsc_test_folder_free(noted.folder);
    return 0;
}

TEST_WITH(test_a_file_is_replaced, set_up, tear_down)
{
    static const uint32_t sizes[] = {1, 3000, 300000};
    char path[NSC_TEST_PATH];
    struct save save;

    nsc_test_path(path, noted.folder, "settings");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int round = 0; round < 2; round++) {
            struct nsc_buf bytes = NSC_BUF_INIT(SIZE_MAX);

            memset(nsc_buf_reserve(&bytes, sizes[i]), 'a' + round, sizes[i]);
            begin(&save, path);
            assert_int_equal(nsc_file_write(path, NSC_FILE_OWN, &bytes, NULL), NSC_OK);
            end(&save);
            nsc_buf_fini(&bytes);
        }
}

TEST_WITH(test_a_new_file_appears, set_up, tear_down)
{
    struct nsc_outfile out;
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);
    char path[NSC_TEST_PATH];
    struct save save;

    nsc_buf_puts(&line, "some of it\n");
    nsc_test_path(path, noted.folder, "export.json");
    begin(&save, path);
    assert_int_equal(nsc_outfile_open(&out, path, 0, NULL), NSC_OK);
    for (int i = 0; i < 5; i++)
        assert_int_equal(nsc_outfile_write(&out, &line, NULL), NSC_OK);
    assert_int_equal(nsc_outfile_commit(&out, NULL), NSC_OK);
    end(&save);
    nsc_buf_fini(&line);
}

TEST_WITH(test_bookmarks_are_saved, set_up, tear_down)
{
    struct nsc_bookmarks list = {0};
    struct nsc_store *store;
    char path[NSC_TEST_PATH];
    struct save save;

    nsc_test_path(path, noted.folder, "marks.json");
    assert_int_equal(nsc_store_open(&store, "0123456789abcdef0123456789abcdef", path, NULL),
                     NSC_OK);
    for (int i = 0; i < 3; i++) {
        struct nsc_bookmark b = nsc_bookmark_new(i);

        (void)nsc_bookmarks_add(&list, &b);
        begin(&save, path);
        assert_int_equal(nsc_store_save(store, &list, NULL, NULL), NSC_OK);
        end(&save);
    }
    nsc_store_close(store);
    nsc_bookmarks_fini(&list);
}
