/*
 * Unit tests of the JSON writer: the output is strict for any text.
 * promises: C3 C4
 */
#include "core/json_write.h"
#include "support/cm.h"

static void assert_text(const char *bytes, uint32_t n, const char *want)
{
    struct nsc_buf out = NSC_BUF_INIT(1000);
    struct nsc_json json;

    nsc_json_init(&json, &out, false);
    nsc_json_text(&json, NULL, (struct nsc_text){bytes, n});
    assert_string_equal(out.bytes, want);
    nsc_buf_fini(&out);
}

TEST(texts_are_escaped)
{
    assert_text("a\"b\\c", 5, "\"a\\\"b\\\\c\"");
    assert_text("a\0\x1b\n", 4, "\"a\\u0000\\u001b\\u000a\"");
    assert_text("\xff\xc0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    assert_text("\xe2\x80\xa8\xe2\x80\xa9\xc3\xa9", 8, "\"\\u2028\\u2029\xc3\xa9\"");
    assert_text("\xc2\x9bm\xe2\x80\xae\xf3\xa0\x80\x81", 10, "\"\\u009bm\\u202e\\udb40\\udc01\"");
    assert_text("", 0, "\"\"");
}

TEST(values_nest)
{
    struct nsc_buf out = NSC_BUF_INIT(1000);
    struct nsc_json json;

    nsc_json_init(&json, &out, false);
    nsc_json_open(&json, NULL, '{');
    nsc_json_int(&json, "a", INT64_MIN);
    nsc_json_open(&json, "b", '[');
    nsc_json_uint(&json, NULL, UINT64_MAX);
    nsc_json_bool(&json, NULL, true);
    nsc_json_close(&json, ']');
    nsc_json_open(&json, "c", '{');
    nsc_json_close(&json, '}');
    nsc_json_close(&json, '}');
    assert_string_equal(
        out.bytes, "{\"a\":-9223372036854775808,\"b\":[18446744073709551615,true],\"c\":{}}\n");
    nsc_buf_fini(&out);
}
