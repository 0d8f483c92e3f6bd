/*
 * Unit tests of the store: two programs, no lock, no room, clocks that go back, and distinct
 * exports.
 * promises: D4 D7 D14 D17
 */
#include "cli/session/store.h"
#include "core/paths.h"
#include "nsys/generate/generate.h"
#include "nsys/jobs/job_load.h"
#include "support/cm.h"
#include "support/make_db.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char identity[] = "0123456789abcdef0123456789abcdef";
static const char other[] = "0123456789abcdeffedcba9876543210";

static long sync_ms; /* what a sync takes longer */

static void wait_ms(long ms)
{
    struct timespec wait = {ms / 1000, ms % 1000 * 1000000};

    while (nanosleep(&wait, &wait) != 0)
        ;
}

/* Replaces that of the system for all unit tests. */
int fsync(int fd)
{
    wait_ms(sync_ms);
    return fdatasync(fd);
}

struct world {
    char folder[NSC_TEST_PATH], path[NSC_TEST_PATH];
    struct nsc_store *store;
    struct nsc_bookmarks list;
};

static struct world open_world(void)
{
    struct world world = {0};

    nsc_test_folder_new(world.folder);
    nsc_test_path(world.path, world.folder, "marks.json");
    assert_int_equal(nsc_store_open(&world.store, identity, world.path, NULL), NSC_OK);
    return world;
}

static void close_world(struct world *world)
{
    nsc_bookmarks_fini(&world->list);
    nsc_store_close(world->store);
    nsc_test_folder_free(world->folder);
}

static void add(struct nsc_bookmarks *list, nsc_time time)
{
    struct nsc_bookmark b = nsc_bookmark_new(time);

    (void)nsc_bookmarks_add(list, &b);
}

static size_t count_saved(const struct world *world)
{
    struct nsc_bookmarks list = {0};
    size_t n;

    assert_int_equal(nsc_store_load(world->store, &list, NULL, NULL), NSC_OK);
    n = nsc_bookmarks_live(&list);
    nsc_bookmarks_fini(&list);
    return n;
}

TEST(two_lists_become_one)
{
    struct world world = open_world();
    struct nsc_bookmarks second = {0};

    add(&world.list, 1);
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    assert_false(world.list.at[0].changed);
    assert_int_equal(nsc_store_load(world.store, &second, NULL, NULL), NSC_OK);
    add(&second, 2);
    nsc_bookmarks_remove(&second, 0);
    assert_int_equal(nsc_store_save(world.store, &second, NULL, NULL), NSC_OK);
    /* The first edits what the second has removed. */
    world.list.at[0].changed = true;
    add(&world.list, 3);
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    assert_int_equal(nsc_bookmarks_live(&world.list), 2);
    assert_int_equal(world.list.at[0].time, 2);
    assert_int_equal(count_saved(&world), 2);
    nsc_bookmarks_fini(&second);
    close_world(&world);
}

TEST(saving_the_same_writes_nothing)
{
    struct world world = open_world();
    struct stat before;
    struct stat after;

    add(&world.list, 1);
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    assert_int_equal(stat(world.path, &before), 0);
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    assert_int_equal(stat(world.path, &after), 0);
    assert_true(before.st_ino == after.st_ino);
    close_world(&world);
}

TEST(the_last_session_stays)
{
    struct world world = open_world();
    struct nsc_session_state first = {.has_window = true, .window = {1, 2}};
    struct nsc_session_state second = {.has_window = true, .window = {3, 4}};
    struct nsc_session_state read = {0};

    assert_int_equal(nsc_store_save(world.store, &world.list, &first, NULL), NSC_OK);
    assert_int_equal(nsc_store_save(world.store, &world.list, &second, NULL), NSC_OK);
    assert_true(second.modified > first.modified);
    add(&world.list, 1); /* without one: what is there stays */
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    nsc_bookmarks_fini(&world.list);
    assert_int_equal(nsc_store_load(world.store, &world.list, &read, NULL), NSC_OK);
    assert_true(read.has_window && read.window.t0 == 3);
    nsc_session_state_fini(&read);
    close_world(&world);
}

/* A clock years ahead wrote the file: the next edit is still later. */
TEST(a_clock_that_went_back_loses_nothing)
{
    struct world world = open_world();
    const char *text = "{\"format\":\"nsyscope-bookmarks-1\",\"bookmarks\":[{\"id\":"
                       "\"00000000000000aa\",\"time\":5,\"modified\":9000000000000000000}]}";
    struct nsc_bookmark b = nsc_bookmark_new(6);

    nsc_test_file(world.path, text, strlen(text));
    assert_int_equal(nsc_store_load(world.store, &world.list, NULL, NULL), NSC_OK);
    (void)nsc_bookmarks_edit(&world.list, 0, &b);
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    nsc_bookmarks_fini(&world.list);
    assert_int_equal(nsc_store_load(world.store, &world.list, NULL, NULL), NSC_OK);
    assert_int_equal(world.list.n, 1);
    assert_int_equal(world.list.at[0].time, 6);
    close_world(&world);
}

TEST(a_held_lock_costs_two_seconds)
{
    struct world world = open_world();
    int lock = nsc_store_lock(world.path);

    assert_true(lock >= 0);
    add(&world.list, 1);
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    nsc_store_unlock(lock);
    assert_int_equal(count_saved(&world), 1);
    close_world(&world);
}

/* A folder with the name of the lock. */
static void forbid_lock(const struct world *world)
{
    char lock[NSC_TEST_PATH + 8];

    (void)snprintf(lock, sizeof lock, "%s.lock", world->path);
    assert_int_equal(mkdir(lock, 0700), 0);
}

/* A child and the test save at the same time, without a lock: both changes are kept. */
TEST(without_a_lock_both_stay)
{
    struct world world = open_world();

    forbid_lock(&world);
    for (int i = 0; i < 5; i++) {
        pid_t child = fork();
        int status = 0;

        if (child == 0) {
            add(&world.list, 100 + i);
            _exit(nsc_store_save(world.store, &world.list, NULL, NULL) != NSC_OK);
        }
        add(&world.list, i);
        assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_saved(&world), 10);
    close_world(&world);
}

/* Without a lock, one program writes while the slow disk syncs what the other one writes. */
TEST(a_slow_disk_loses_nothing)
{
    struct world world = open_world();
    pid_t child;
    int status = 0;

    forbid_lock(&world);
    child = fork();
    if (child == 0) {
        sync_ms = 500; /* the test has written and looked again long before */
        add(&world.list, 1);
        _exit(nsc_store_save(world.store, &world.list, NULL, NULL) != NSC_OK);
    }
    wait_ms(150); /* the child has read the file by now */
    add(&world.list, 2);
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(count_saved(&world), 2);
    close_world(&world);
}

/* Files may not grow: the old content stays, the failure is reported, nothing is left over. */
TEST(a_full_disk_keeps_the_old)
{
    struct world world = open_world();
    struct rlimit old;
    struct rlimit none;
    struct nsc_error error = {0};
    char *after;

    add(&world.list, 1);
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    none = old;
    none.rlim_cur = 100;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    add(&world.list, 2);
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, &error), NSC_EWRITE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_non_null(strstr(error.text, "marks.json"));
    assert_int_equal(count_saved(&world), 1);
    assert_true(world.list.at[1].changed); /* to be saved again */
    after = nsc_test_listing(world.folder);
    assert_null(strstr(after, "tmp"));
    assert_int_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
    assert_int_equal(count_saved(&world), 2);
    free(after);
    close_world(&world);
}

TEST(what_is_not_for_us_stays)
{
    static const char *const texts[] = {
        "{\"format\":\"nsyscope-bookmarks-9\",\"bookmarks\":[]}",
        "{\"format\":\"nsyscope-bookmarks-1\",\"export\":\"%s\",\"bookmarks\":[{\"time\":5}]}",
        "{\"format\":\"other\",\"bookmarks\":[{\"time\":5}]}",
        "text",
    };
    struct world world = open_world();

    add(&world.list, 1);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[256];
        struct nsc_buf now = NSC_BUF_INIT(1000);

        (void)snprintf(text, sizeof text, "%.*s%s%s", (int)strcspn(texts[i], "%"), texts[i],
                       strchr(texts[i], '%') ? other : "",
                       strchr(texts[i], '%') ? strchr(texts[i], '%') + 2 : "");
        nsc_test_file(world.path, text, strlen(text));
        assert_int_not_equal(nsc_store_save(world.store, &world.list, NULL, NULL), NSC_OK);
        assert_int_equal(nsc_file_read(&now, world.path, 1000, NULL), NSC_OK);
        assert_string_equal(now.bytes, text);
        nsc_buf_fini(&now);
    }
    close_world(&world);
}

/* One digit of the identity damaged is damage, not another export. */
TEST(a_damaged_identity_is_damage)
{
    struct world world = open_world();
    const char *text = "{\"format\":\"nsyscope-bookmarks-1\",\"export\":"
                       "\"0123456789abcdef0123456789abcdee\",\"bookmarks\":[{\"time\":5}]}";

    nsc_test_file(world.path, text, strlen(text));
    assert_int_equal(count_saved(&world), 1);
    close_world(&world);
}

static void identify(char out[NSC_IDENTITY_TEXT], const char *path)
{
    static const struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_capture *capture = NULL;

    assert_int_equal(nsc_capture_open(&capture, path, &options, NULL), NSC_OK);
    assert_int_equal(nsc_capture_identity(out, capture, NULL), NSC_OK);
    assert_int_equal(strlen(out), NSC_IDENTITY_TEXT - 1);
    nsc_capture_close(capture);
}

TEST(exports_are_told_apart)
{
    struct nsc_generate_options options = NSC_GENERATE_OPTIONS_INIT;
    char folder[NSC_TEST_PATH];
    char path[NSC_TEST_PATH];
    char moved[NSC_TEST_PATH];
    char ids[6][NSC_IDENTITY_TEXT];

    nsc_test_folder_new(folder);
    nsc_test_path(path, folder, "a.sqlite");
    nsc_test_path(moved, folder, "b.sqlite");
    options.kernels = 200;
    options.force = true;
    for (unsigned i = 0; i < 6; i++) {
        options.seed = i;
        assert_int_equal(nsc_generate(path, &options, NULL), NSC_OK);
        identify(ids[i], path);
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(ids[i], ids[j]);
    }
    assert_int_equal(rename(path, moved), 0);
    identify(ids[0], moved);
    assert_string_equal(ids[0], ids[5]);
    nsc_test_folder_free(folder);
}
