/*
 * Unit tests of the progress line: its words, that it is drawn only on a terminal, and that it is
 * removed.
 */
#include "core/progress.h"
#include "open/progress_line.h"
#include "support/cm.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_text(struct nsc_progress_view view, const char *what, const char *wanted)
{
    char text[NSC_PROGRESS_LINE_BYTES];

    nsc_progress_line_text(text, &view, what);
    assert_string_equal(text, wanted);
}

TEST(says_how_far_it_is)
{
    struct nsc_progress_view view = {.phase = NSC_PHASE_NAMES};

    expect_text(view, NULL, "nsyscope: reading");
    expect_text(view, "findings", "nsyscope: findings");
    view = (struct nsc_progress_view){.rows = 43, .rows_total = 100, .phase = NSC_PHASE_ROWS};
    expect_text(view, NULL, "nsyscope: reading, 43 %");
    view.rows = 120; /* the total is an estimate */
    expect_text(view, NULL, "nsyscope: reading, 100 %");
    view.phase = NSC_PHASE_INDEX;
    expect_text(view, NULL, "nsyscope: putting in order");
    view = (struct nsc_progress_view){.rows = 3, .rows_total = 16};
    expect_text(view, "findings", "nsyscope: findings, 3 of 16");
}

/* What the other side of a terminal reads until text has come; true when it did within 5 s. */
static bool read_until(int fd, char out[4096], const char *text)
{
    size_t n = 0;

    for (int i = 0; i < 500; i++) {
        ssize_t more = read(fd, out + n, 4095 - n);

        n += more > 0 ? (size_t)more : 0;
        out[n] = '\0';
        if (strstr(out, text))
            return true;
        usleep(10000);
    }
    return false;
}

TEST(is_drawn_and_cleared)
{
    int other = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK), fd;
    struct nsc_progress_line *line;
    char seen[4096];

    assert_true(other >= 0 && grantpt(other) == 0 && unlockpt(other) == 0);
    fd = open(ptsname(other), O_RDWR | O_NOCTTY);
    assert_true(fd >= 0);
    line = nsc_progress_line_open(fd, 0, "skills");
    assert_non_null(line);
    nsc_progress_set_rows(nsc_progress_line_counters(line), 45);
    nsc_progress_add(nsc_progress_line_counters(line), 12, 0);
    assert_true(read_until(other, seen, "nsyscope: skills, 12 of 45"));
    nsc_progress_line_close(line);
    assert_true(read_until(other, seen, "\r\033[K"));
    line = nsc_progress_line_open(fd, 60000, "skills"); /* what does not take long says nothing */
    nsc_progress_line_close(line);
    assert_int_equal(read(other, seen, sizeof seen), -1);
    close(fd);
    close(other);
}

TEST(needs_a_terminal)
{
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    assert_null(nsc_progress_line_open(ends[1], 0, NULL));
    assert_null(nsc_progress_line_counters(NULL));
    nsc_progress_line_close(NULL);
    close(ends[0]);
    close(ends[1]);
}

TEST_MAIN
{
    setenv("TERM", "xterm", 1);
    return nsc_test_run(NULL, NULL);
}
