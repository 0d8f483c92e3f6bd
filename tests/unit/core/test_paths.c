/*
 * XDG folders, and whole files that are replaced or left alone.
 * promises: D5 D15
 */
#include "core/paths.h"
#include "support/cm.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char root[64];

static const char *in_root(char out[256], const char *leaf)
{
    (void)snprintf(out, 256, "%s/%s", root, leaf);
    return out;
}

static int make_root(void **state)
{
    (void)state;
    (void)snprintf(root, sizeof root, "/tmp/nsc_paths_XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    char command[128];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

/* Writes the text as the program's own file. */
static enum nsc_status write_own(const char *path, const char *text, struct nsc_error *error)
{
    struct nsc_buf buf = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status;

    nsc_buf_puts(&buf, text);
    status = nsc_file_write(path, NSC_FILE_OWN, &buf, error);
    nsc_buf_fini(&buf);
    return status;
}

static void expect_content(const char *path, const char *want)
{
    struct nsc_buf out = NSC_BUF_INIT(1 << 20);

    assert_int_equal(nsc_file_read(&out, path, 1 << 20, NULL), NSC_OK);
    nsc_buf_puts(&out, "");
    assert_string_equal(out.bytes, want);
    nsc_buf_fini(&out);
}

static unsigned count_entries(const char *path)
{
    DIR *folder = opendir(path);
    unsigned n = 0;

    assert_non_null(folder);
    while (readdir(folder))
        n++;
    closedir(folder);
    return n - 2;
}

TEST(folders_follow_xdg)
{
    struct nsc_buf out = NSC_BUF_INIT(1000);

    setenv("HOME", "/home/me", 1);
    setenv("XDG_CONFIG_HOME", "/cfg", 1);
    unsetenv("XDG_STATE_HOME");
    setenv("XDG_DATA_HOME", "relative", 1);
    assert_true(nsc_path_home(&out, NSC_PATH_CONFIG, "keys"));
    assert_true(nsc_path_home(&out, NSC_PATH_STATE, "s"));
    assert_true(nsc_path_home(&out, NSC_PATH_DATA, "d"));
    assert_string_equal(out.bytes, "/cfg/nsyscope/keys/home/me/.local/state/nsyscope/s"
                                   "/home/me/.local/share/nsyscope/d");
    nsc_buf_clear(&out);
    unsetenv("HOME");
    assert_false(nsc_path_home(&out, NSC_PATH_STATE, "s"));
    assert_int_equal(out.n, 0);
    nsc_buf_fini(&out);
}

static void expect_data(unsigned i, const char *want)
{
    struct nsc_buf out = NSC_BUF_INIT(1000);

    nsc_buf_clear(&out);
    assert_int_equal(nsc_path_data(&out, i, "t"), want[0] != '\0');
    assert_string_equal(out.bytes, want);
    nsc_buf_fini(&out);
}

TEST(data_is_looked_for_in_order)
{
    setenv("XDG_DATA_HOME", "/data", 1);
    setenv("XDG_DATA_DIRS", "/one::no:/two", 1);
    expect_data(0, "/data/nsyscope/t");
    expect_data(1, "/one/nsyscope/t");
    expect_data(2, "/two/nsyscope/t");
    expect_data(3, "");
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_DATA_DIRS");
    unsetenv("HOME");
    expect_data(0, "/usr/local/share/nsyscope/t");
    expect_data(1, "/usr/share/nsyscope/t");
    expect_data(2, "");
}

TEST(files_are_replaced_whole)
{
    char path[256];
    char folder[256];
    struct nsc_error error = {NSC_OK, ""};
    struct stat info;
    mode_t mask = umask(0);

    in_root(path, "a/b/file");
    assert_int_equal(write_own(path, "old", &error), NSC_EWRITE);
    assert_non_null(strstr(error.text, "there is no folder"));
    assert_non_null(strstr(error.text, "a/b; make it first"));
    assert_int_equal(nsc_file_folders(path, NULL), NSC_OK);
    assert_int_equal(write_own(path, "old", NULL), NSC_OK);
    assert_int_equal(write_own(path, "new content", NULL), NSC_OK);
    expect_content(path, "new content");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    assert_int_equal(stat(in_root(folder, "a"), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0700);
    assert_int_equal(count_entries(in_root(folder, "a/b")), 1);
    umask(mask);
}

static void expect_folder(const char *path, const char *want)
{
    char *folder = nsc_path_folder(path);

    assert_string_equal(folder, want);
    free(folder);
}

TEST(the_folder_of_a_path)
{
    expect_folder("a", ".");
    expect_folder("a/", ".");
    expect_folder("", ".");
    expect_folder("a/b", "a");
    expect_folder("a//b//", "a");
    expect_folder("/a", "/");
    expect_folder("/", "/");
    expect_folder("./a/b/c", "./a/b");
}

TEST(a_link_is_kept_and_its_target_replaced)
{
    char target[256];
    char link[256];
    struct stat info;

    assert_int_equal(nsc_file_folders(in_root(target, "real/x"), NULL), NSC_OK);
    assert_int_equal(write_own(target, "1", NULL), NSC_OK);
    assert_int_equal(symlink("real/x", in_root(link, "link")), 0);
    assert_int_equal(write_own(link, "2", NULL), NSC_OK);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    expect_content(target, "2");
}

TEST(a_failed_write_leaves_the_old_file)
{
    char path[256];
    char folder[256];
    char big[8192];
    int status = 0;
    pid_t child = 0;

    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    assert_int_equal(nsc_file_folders(in_root(path, "full/f"), NULL), NSC_OK);
    assert_int_equal(write_own(path, "old", NULL), NSC_OK);
    child = fork();
    if (child == 0) {
        struct rlimit limit = {4096, 4096};
        struct nsc_error error = {0};

        (void)signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(write_own(path, big, &error) == NSC_EWRITE ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    expect_content(path, "old");
    assert_int_equal(count_entries(in_root(folder, "full")), 1);
    /* A folder in its place. */
    assert_int_equal(write_own(in_root(path, "full"), "x", NULL), NSC_EWRITE);
    assert_int_equal(count_entries(folder), 1);
    /* A file where a folder should be. */
    assert_int_equal(write_own(in_root(path, "full/f/g"), "x", NULL), NSC_EWRITE);
}

TEST(a_text_that_was_cut_is_not_written)
{
    char path[256];
    struct nsc_buf buf = NSC_BUF_INIT(3);
    struct nsc_error error = {NSC_OK, ""};

    nsc_buf_puts(&buf, "abc");
    assert_int_equal(nsc_file_write(in_root(path, "cut"), NSC_FILE_OWN, &buf, NULL), NSC_OK);
    nsc_buf_puts(&buf, "d");
    assert_int_equal(nsc_file_write(path, NSC_FILE_OWN, &buf, &error), NSC_EWRITE);
    assert_non_null(strstr(error.text, "more than the 3 bytes allowed"));
    expect_content(path, "abc");
    nsc_buf_fini(&buf);
}

TEST(odd_files_are_refused)
{
    char path[256];
    struct nsc_buf out = NSC_BUF_INIT(100);
    struct nsc_error error = {0};

    assert_int_equal(nsc_file_read(&out, in_root(path, "none"), 10, &error), NSC_EIO);
    assert_non_null(strstr(error.text, "none"));
    assert_int_equal(nsc_file_read(&out, root, 10, NULL), NSC_EFORMAT);
    assert_int_equal(mkfifo(in_root(path, "fifo"), 0600), 0);
    assert_int_equal(nsc_file_read(&out, path, 10, NULL), NSC_EFORMAT);
    assert_int_equal(write_own(in_root(path, "ten"), "0123456789", NULL), NSC_OK);
    assert_int_equal(nsc_file_read(&out, path, 9, NULL), NSC_EFORMAT);
    nsc_buf_clear(&out);
    assert_int_equal(nsc_file_read(&out, path, 10, NULL), NSC_OK);
    assert_string_equal(out.bytes, "0123456789");
    nsc_buf_fini(&out);
}

TEST_MAIN
{
    return nsc_test_run(make_root, remove_root);
}
