/* Unit tests of output folders: files that another program adds meanwhile are kept. */
#define _GNU_SOURCE /* RENAME_EXCHANGE */
#include "core/outfile.h"
#include "core/outfolder.h"
#include "support/cm.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_racing;

/* Replaces the C library's: a file appears in the folder just before. */
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    bool races = is_racing;

    is_racing = false;
    if (races && system("echo theirs >folder/theirs") != 0)
        return -1;
    return (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
}

static int enter_folder(void **state)
{
    static char folder[] = "/tmp/nsc_outfolder_XXXXXX";

    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static enum nsc_status write_folder(const char *text)
{
    struct nsc_folder folder = {.path = "folder"};
    enum nsc_status status;

    nsc_buf_puts(nsc_folder_add(&folder, "report.md"), text);
    nsc_buf_puts(nsc_folder_add(&folder, "tables/a.csv"), text);
    status = nsc_folder_write(&folder, NSC_OUTFILE_REPLACE, NULL);
    nsc_folder_fini(&folder);
    return status;
}

TEST(what_came_meanwhile_stays)
{
    assert_int_equal(write_folder("one"), NSC_OK);
    assert_int_equal(write_folder("two"), NSC_OK);
    assert_int_equal(system("grep -qx two folder/report.md"), 0);
    is_racing = true;
    assert_int_equal(write_folder("three"), NSC_EWRITE);
    assert_int_equal(system("grep -qx theirs folder/theirs && grep -qx two folder/report.md"), 0);
    assert_int_equal(system("test \"$(ls)\" = folder"), 0);
    assert_int_equal(write_folder("four"), NSC_OK); /* file by file now */
    assert_int_equal(system("grep -qx theirs folder/theirs && grep -qx four folder/report.md"), 0);
}

TEST(a_file_that_was_cut_is_not_written)
{
    struct nsc_folder folder = {.path = "cut"};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_buf *text;

    nsc_buf_puts(nsc_folder_add(&folder, "whole"), "text");
    text = nsc_folder_add(&folder, "part");
    text->limit = 3;
    nsc_buf_puts(text, "text");
    assert_int_equal(nsc_folder_write(&folder, 0, &error), NSC_EWRITE);
    assert_string_equal(error.text, "cannot write cut/part: it has more than the 3 bytes allowed");
    assert_int_equal(system("test ! -e cut && test ! -e cut.*"), 0);
    nsc_folder_fini(&folder);
}

TEST_MAIN
{
    return nsc_test_run(enter_folder, leave_folder);
}
