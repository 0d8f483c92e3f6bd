/*
 * Unit tests of output files: files that must never be written to, checked at the start and at the
 * end.
 */
#define _GNU_SOURCE /* syscall */
#include "core/outfile.h"
#include "core/temporary.h"
#include "core/text.h"
#include "support/cm.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Thread_local size_t longest_write; /* bytes; other tests write on several threads */

/* Instead of the system library's. */
ssize_t write(int fd, const void *bytes, size_t n)
{
    longest_write = n > longest_write ? n : longest_write;
    return syscall(SYS_write, fd, bytes, n);
}

#define DATABASE "SQLite format 3\0 and so on"

static const unsigned all_flags[] = {0, NSC_OUTFILE_REPLACE,
                                     NSC_OUTFILE_REPLACE | NSC_OUTFILE_FOLLOW,
                                     NSC_OUTFILE_REPLACE | NSC_OUTFILE_DEVICE};

#define N_FLAGS (sizeof all_flags / sizeof *all_flags)

static int enter_folder(void **state)
{
    static char folder[] = "/tmp/nsc_outfile_XXXXXX";

    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void put(const char *path, const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void expect_bytes(const char *path, const char *bytes, size_t n)
{
    char found[256];
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    assert_int_equal(fread(found, 1, sizeof found, file), n);
    assert_memory_equal(found, bytes, n);
    fclose(file);
}

static enum nsc_status write_text(struct nsc_outfile *out, const char *text)
{
    struct nsc_buf buf = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status;

    nsc_buf_puts(&buf, text);
    status = nsc_outfile_write(out, &buf, NULL);
    nsc_buf_fini(&buf);
    return status;
}

static enum nsc_status write_new(const char *path, unsigned flags)
{
    struct nsc_outfile out;
    enum nsc_status status = nsc_outfile_open(&out, path, flags, NULL);

    if (status != NSC_OK)
        return status;
    if (write_text(&out, "new") != NSC_OK)
        fail_msg("%s: cannot be written", path);
    return nsc_outfile_commit(&out, NULL);
}

/* With each set of flags, under that name: refused, and no temporary file is left. */
static void expect_refused(const char *path)
{
    for (size_t i = 0; i < N_FLAGS; i++) {
        enum nsc_status status = write_new(path, all_flags[i]);

        if (status != NSC_EWRITE && !(status == NSC_EINVAL && all_flags[i] == 0))
            fail_msg("%s with flags %u: status %d", path, all_flags[i], (int)status);
    }
    assert_int_equal(system("! ls | grep -q 'tmp$'"), 0);
}

/* A signal with a handler waits for a write to a file, however long. */
TEST(a_long_text_is_written_in_pieces)
{
    const size_t n = (size_t)5 << 20;
    char *text = calloc(n, 1);
    int fd = open("pieces", O_CREAT | O_WRONLY, 0600);

    assert_non_null(text);
    assert_true(fd >= 0);
    longest_write = 0;
    assert_true(nsc_write_all(fd, text, n));
    assert_int_equal(lseek(fd, 0, SEEK_CUR), n);
    assert_in_range(longest_write, 1, 1 << 20);
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink("pieces"), 0);
    free(text);
}

TEST(databases_and_what_lies_beside_them_are_refused)
{
    put("x.sqlite", DATABASE, sizeof DATABASE);
    put("x.sqlite-wal", "old", 3);
    assert_int_equal(symlink("x.sqlite", "link"), 0);
    assert_int_equal(link("x.sqlite", "other-name"), 0);
    expect_refused("x.sqlite");
    expect_refused("./../");
    expect_refused("link");
    expect_refused("other-name");
    expect_refused("x.sqlite-wal");
    expect_refused("x.sqlite-shm");
    expect_refused("x.sqlite-journal");
    expect_refused("link-wal");
    expect_bytes("x.sqlite", DATABASE, sizeof DATABASE);
    expect_bytes("x.sqlite-wal", "old", 3);
    assert_int_equal(access("x.sqlite-shm", F_OK), -1);
    assert_int_equal(write_new("y-wal", 0), NSC_OK); /* of no database */
    assert_int_equal(write_new("x.sqlite", NSC_OUTFILE_REPLACE | NSC_OUTFILE_DATABASE), NSC_OK);
    expect_bytes("x.sqlite", "new", 3);
}

TEST(reports_of_nsys_are_refused)
{
    put("x.nsys-rep", "recorded", 8);
    put("x.QDREP", "recorded", 8);
    put("empty.nsys-rep", "", 0);
    expect_refused("x.nsys-rep");
    expect_refused("x.QDREP");
    expect_bytes("x.nsys-rep", "recorded", 8);
    assert_int_equal(write_new("empty.nsys-rep", NSC_OUTFILE_REPLACE), NSC_OK);
}

TEST(what_is_open_here_is_refused)
{
    int fd;

    put("open", "old", 3);
    fd = open("open", O_RDONLY);
    assert_true(fd >= 0);
    expect_refused("open");
    assert_int_equal(write_new("open", NSC_OUTFILE_REPLACE | NSC_OUTFILE_DATABASE), NSC_EWRITE);
    assert_int_equal(write_new("open-journal", NSC_OUTFILE_REPLACE), NSC_EWRITE);
    expect_bytes("open", "old", 3);
    close(fd);
    assert_int_equal(write_new("open", NSC_OUTFILE_REPLACE), NSC_OK);
    expect_bytes("open", "new", 3);
}

TEST(only_regular_files_are_replaced)
{
    put("plain", "old", 3);
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(symlink("plain", "to-plain"), 0);
    assert_int_equal(symlink("absent", "to-nothing"), 0);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    expect_refused("folder");
    assert_int_equal(write_new("folder", 0), NSC_EWRITE); /* nothing there can be confirmed */
    assert_int_equal(write_new("fifo", NSC_OUTFILE_REPLACE), NSC_EWRITE);
    assert_int_equal(write_new("to-plain", NSC_OUTFILE_REPLACE), NSC_EWRITE);
    assert_int_equal(write_new("to-nothing", NSC_OUTFILE_REPLACE), NSC_EWRITE);
    assert_int_equal(write_new("/dev/null", NSC_OUTFILE_REPLACE), NSC_EWRITE);
    assert_int_equal(write_new("/dev/null", NSC_OUTFILE_DEVICE), NSC_OK);
    expect_bytes("plain", "old", 3);
    assert_int_equal(access("absent", F_OK), -1);
    assert_int_equal(write_new("to-plain", NSC_OUTFILE_REPLACE | NSC_OUTFILE_FOLLOW), NSC_OK);
    expect_bytes("plain", "new", 3);
}

/* What comes to the place while the file is written. */
TEST(the_place_is_looked_at_again_at_the_end)
{
    static const char *const commands[] = {"printf 'SQLite format 3\\0 and so on' >late",
                                           "ln -s late-target late", "mkfifo late", "mkdir late"};

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct nsc_outfile out;

        assert_int_equal(system("rm -rf late late-target; echo old >late-target"), 0);
        assert_int_equal(nsc_outfile_open(&out, "late", NSC_OUTFILE_REPLACE, NULL), NSC_OK);
        assert_int_equal(write_text(&out, "new"), NSC_OK);
        assert_int_equal(system(commands[i]), 0);
        assert_int_equal(nsc_outfile_commit(&out, NULL), NSC_EWRITE);
        expect_bytes("late-target", "old\n", 4);
        assert_int_equal(system("test -z \"$(find late -type f -exec grep -l new {} +)\""), 0);
        assert_int_equal(system("! ls | grep -q 'tmp$'"), 0);
    }
}

static void remove_all(int number)
{
    nsc_temporary_remove_all();
    raise(number); /* the default action is restored */
}

/* A process that a signal ends at any moment leaves no temporary file. */
TEST(a_signal_at_any_moment)
{
    for (long round = 0; round < 200; round++) {
        const struct timespec soon = {0, 500000 + round * 7000};
        pid_t child = fork();

        if (child == 0) {
            struct sigaction action;

            memset(&action, 0, sizeof action);
            action.sa_handler = remove_all;
            action.sa_flags = (int)SA_RESETHAND;
            sigaction(SIGTERM, &action, NULL);
            for (;;) {
                struct nsc_outfile out;

                if (nsc_outfile_open(&out, "ended", NSC_OUTFILE_REPLACE, NULL) == NSC_OK)
                    nsc_outfile_drop(&out);
            }
        }
        (void)nanosleep(&soon, NULL);
        kill(child, SIGTERM);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_int_equal(system("! ls | grep -q 'tmp$'"), 0);
    }
}

/* Another thread of such a process makes a file after the others were removed. */
TEST(a_file_that_is_made_too_late)
{
    pid_t child = fork();

    if (child == 0) {
        struct nsc_outfile out;

        nsc_temporary_remove_all();
        _exit(nsc_outfile_open(&out, "late", NSC_OUTFILE_REPLACE, NULL) != NSC_OK);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(system("! ls | grep -q 'tmp$'"), 0);
}

TEST_MAIN
{
    return nsc_test_run(enter_folder, leave_folder);
}
