/* Unit tests of failures: the first is kept, the text is one clean line of limited length. */
#include "nsyscope/status.h"

#include "support/cm.h"

#include <string.h>

TEST(first_failure_wins)
{
    struct nsc_error error = {0};

    assert_int_equal(nsc_fail(&error, NSC_EIO, "no %d", 1), NSC_EIO);
    assert_int_equal(nsc_fail(&error, NSC_EINVAL, "second"), NSC_EINVAL);
    assert_int_equal(error.status, NSC_EIO);
    assert_string_equal(error.text, "no 1");
    assert_int_equal(nsc_fail(NULL, NSC_ENODATA, "x"), NSC_ENODATA);
}

TEST(controls_and_bad_bytes_are_escaped)
{
    struct nsc_error error = {0};

    nsc_fail(&error, NSC_EIO, "%s", "a\x1b[m\n\x7f\xff\xc2\x85\xe2\x80\xae\xc3\xa9\xed\xa0\x80");
    assert_string_equal(error.text, "a\\x1b[m\\x0a\\x7f\\xff\\xc2\\x85\\xe2\\x80\\xae\xc3\xa9"
                                    "\\xed\\xa0\\x80");
}

/* A long path comes first, the cause last: both ends are kept. */
TEST(both_ends_of_a_long_text_are_kept)
{
    struct nsc_error error = {0};
    char path[4001];

    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    nsc_fail(&error, NSC_EIO, "cannot open %s: the cause\x1b", path);
    assert_true(strlen(error.text) < sizeof error.text);
    assert_memory_equal(error.text, "cannot open ppp", 15);
    assert_non_null(strstr(error.text, "ppp...ppp"));
    assert_string_equal(error.text + strlen(error.text) - 16, "p: the cause\\x1b");
}

TEST(long_text_is_cut_between_pieces)
{
    char text[2000];

    for (size_t n = 225; n < 250; n++) {
        struct nsc_error error = {0};
        size_t shown = 0;

        memset(text, 'a', sizeof text);
        memcpy(text + n, "\xe2\x82\xac\x1b", 5);
        nsc_fail(&error, NSC_EIO, "%s", text);
        shown = strlen(error.text);
        assert_true(shown < sizeof error.text);
        if (n + 3 + 4 < sizeof error.text) {
            assert_memory_equal(error.text + n, "\xe2\x82\xac\\x1b", 8);
        } else {
            const char *dots = strstr(error.text, "...");

            assert_non_null(dots);
            assert_true(dots[-1] == 'a' && dots[3] == 'a');
            assert_string_equal(error.text + shown - 7, "\xe2\x82\xac\\x1b");
        }
    }
}

TEST(every_status_has_a_word)
{
    assert_string_equal(nsc_status_word(NSC_OK), "ok");
    assert_string_equal(nsc_status_word(NSC_ENOMEM), "out of memory");
    for (int i = NSC_OK; i <= NSC_ENODATA; i++)
        assert_string_not_equal(nsc_status_word((enum nsc_status)i), "unknown");
}
