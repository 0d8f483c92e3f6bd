/*
 * The growable string: always ends in a NUL, never over its limit, and says when it dropped
 * something.
 */
#include "core/buf.h"
#include "support/cm.h"

#include <stdlib.h>
#include <string.h>

TEST(text_is_put_together)
{
    struct nsc_buf buf = NSC_BUF_INIT(1000);

    nsc_buf_puts(&buf, "ab");
    nsc_buf_putc(&buf, '\0');
    nsc_buf_printf(&buf, "%d-%s", 42, "x");
    assert_int_equal(buf.n, 7);
    assert_memory_equal(buf.bytes, "ab\00042-x", 8);
    assert_false(buf.overflow);
    nsc_buf_clear(&buf);
    assert_string_equal(buf.bytes, "");
    nsc_buf_fini(&buf);
    assert_null(buf.bytes);
}

TEST(base64_is_padded)
{
    static const char *const texts[] = {
        "", "", "f", "Zg==", "fo", "Zm8=", "foo", "Zm9v", "\xff\xfe\xfd\xfc", "//79/A=="};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += 2) {
        struct nsc_buf buf = NSC_BUF_INIT(100);

        nsc_buf_puts(&buf, ">");
        nsc_buf_base64(&buf, texts[i], strlen(texts[i]));
        assert_string_equal(buf.bytes + 1, texts[i + 1]);
        nsc_buf_fini(&buf);
    }
}

TEST(the_limit_holds)
{
    struct nsc_buf buf = NSC_BUF_INIT(10);

    nsc_buf_puts(&buf, "0123456789");
    assert_false(buf.overflow);
    nsc_buf_add(&buf, NULL, 0);
    assert_false(buf.overflow);
    nsc_buf_putc(&buf, 'x');
    assert_true(buf.overflow);
    assert_string_equal(buf.bytes, "0123456789");
    nsc_buf_clear(&buf);
    assert_false(buf.overflow);
    nsc_buf_puts(&buf, "abcdefghijkl");
    assert_true(buf.overflow);
    assert_string_equal(buf.bytes, "abcdefghij");
    nsc_buf_fini(&buf);
}

TEST(a_loss_is_handed_on)
{
    struct nsc_buf part = NSC_BUF_INIT(3);
    struct nsc_buf whole = NSC_BUF_INIT(10);

    nsc_buf_join(&whole, &part);
    nsc_buf_puts(&part, "abc");
    nsc_buf_join(&whole, &part);
    assert_false(whole.overflow);
    nsc_buf_putc(&part, 'd');
    nsc_buf_join(&whole, &part);
    assert_true(whole.overflow);
    assert_string_equal(whole.bytes, "abcabc");
    nsc_buf_fini(&part);
    nsc_buf_fini(&whole);
}

TEST(long_formats_are_whole)
{
    struct nsc_buf buf = NSC_BUF_INIT(100000);

    for (int n = 250; n < 260; n++) {
        nsc_buf_clear(&buf);
        nsc_buf_printf(&buf, "%*d", n, 7);
        assert_int_equal(buf.n, n);
        assert_int_equal(strlen(buf.bytes), n);
        assert_int_equal(buf.bytes[n - 1], '7');
    }
    nsc_buf_fini(&buf);
}

TEST(room_is_taken_whole_or_not_at_all)
{
    struct nsc_buf buf = NSC_BUF_INIT(6);
    char *at;

    nsc_buf_puts(&buf, "ab");
    at = nsc_buf_reserve(&buf, 3);
    memcpy(at, "cde", 3);
    assert_string_equal(buf.bytes, "abcde");
    assert_int_equal(buf.n, 5);
    assert_null(nsc_buf_reserve(&buf, 2));
    assert_true(buf.overflow);
    assert_string_equal(buf.bytes, "abcde");
    nsc_buf_fini(&buf);
}
