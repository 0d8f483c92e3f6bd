/* Unit tests of the JSON reader: valid and invalid documents, and the contents of nodes. */
#include "core/json.h"
#include "support/cm.h"

#include <string.h>

static struct nsc_text text_of(const char *z)
{
    return (struct nsc_text){z, (uint32_t)strlen(z)};
}

TEST(good_text_is_taken)
{
    static const char *const good[] = {
        "0",
        "-0",
        "1.5e-3",
        " [ ] ",
        "{}",
        "\"\"",
        "null",
        "true",
        "false",
        "[1,[2,{\"a\":[]}],3]",
        "\t{\"a\" : 1 ,\r\n\"b\":[{},{}]}",
        "\"\\u00e9\\ud83d\\ude00\"",
        "1e99999",
    };
    struct nsc_json_tree tree = {0};

    for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(nsc_json_parse(&tree, text_of(good[i]), NULL), NSC_OK);
        assert_int_equal(tree.nodes[0].next, tree.n);
    }
    nsc_json_fini(&tree);
}

TEST(bad_text_is_refused)
{
    static const char *const bad[] = {
        "",
        " ",
        "01",
        "1.",
        "-",
        "+1",
        ".5",
        "1e",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\" 1}",
        "[",
        "]",
        "{",
        "[}",
        "\"",
        "\"\\",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\n\"",
        "\"\\ud800\\u0041\"",
        "\"\x01\"",
        "\"\n\"",
        "\"\xff\"",
        "\"\xc0\x80\"",
        "nul",
        "truefalse",
        "1 1",
        "// c\n1",
        "'a'",
        "NaN",
        "Infinity",
        "\xef\xbb\xbf 1",
    };
    struct nsc_json_tree tree = {0};

    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct nsc_error error = {0};

        if (nsc_json_parse(&tree, text_of(bad[i]), &error) != NSC_EFORMAT)
            fail_msg("taken: %s", bad[i]);
        assert_int_equal(tree.n, 0);
        assert_non_null(strstr(error.text, "not JSON at byte "));
    }
    nsc_json_fini(&tree);
}

TEST(problems_are_named)
{
    static const char *const texts[][2] = {{"{\"a\":", "byte 5: no value"},
                                           {"{\"a\": 'b'}", "byte 6: no value"},
                                           {"[-]", "byte 2: a number without digits"},
                                           {"[1.]", "byte 3: a number without digits"}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct nsc_json_tree tree = {0};
        struct nsc_error error = {0};

        assert_int_equal(nsc_json_parse(&tree, text_of(texts[i][0]), &error), NSC_EFORMAT);
        assert_non_null(strstr(error.text, texts[i][1]));
        nsc_json_fini(&tree);
    }
}

TEST(depth_is_limited)
{
    char text[2 * NSC_JSON_DEPTH + 3];
    struct nsc_json_tree tree = {0};

    for (unsigned depth = NSC_JSON_DEPTH; depth <= NSC_JSON_DEPTH + 1; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        assert_int_equal(nsc_json_parse(&tree, (struct nsc_text){text, 2 * depth}, NULL),
                         depth <= NSC_JSON_DEPTH ? NSC_OK : NSC_EFORMAT);
    }
    nsc_json_fini(&tree);
}

TEST(texts_are_unescaped)
{
    struct nsc_json_tree tree = {0};
    struct nsc_text text = {0};

    assert_int_equal(
        nsc_json_parse(
            &tree, text_of("[\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00E9\\ud83d\\ude00z\"]"), NULL),
        NSC_OK);
    assert_true(nsc_json_get_text(&text, &tree, 1));
    assert_int_equal(text.n, 17);
    assert_memory_equal(text.bytes, "a\"\\/\b\f\n\r\t\0\xc3\xa9\xf0\x9f\x98\x80z", 17);
    nsc_json_fini(&tree);
}

TEST(integers_are_exact)
{
    struct nsc_json_tree tree = {0};
    int64_t value = 0;

    assert_int_equal(nsc_json_parse(&tree,
                                    text_of("[9223372036854775807,-9223372036854775808,-0,"
                                            "9223372036854775808,-9223372036854775809,1.0,1e2]"),
                                    NULL),
                     NSC_OK);
    assert_true(nsc_json_get_int(&value, &tree, 1) && value == INT64_MAX);
    assert_true(nsc_json_get_int(&value, &tree, 2) && value == INT64_MIN);
    assert_true(nsc_json_get_int(&value, &tree, 3) && value == 0);
    for (uint32_t i = 4; i <= 7; i++)
        assert_false(nsc_json_get_int(&value, &tree, i));
    nsc_json_fini(&tree);
}

TEST(members_are_found)
{
    struct nsc_json_tree tree = {0};
    int64_t value = 0;
    bool flag = true;

    assert_int_equal(
        nsc_json_parse(&tree, text_of("{\"x\":[{\"b\":9}],\"b\":1,\"b\":2,\"c\":false}"), NULL),
        NSC_OK);
    assert_true(nsc_json_get_int(&value, &tree, nsc_json_find(&tree, 0, "b")) && value == 1);
    assert_true(nsc_json_get_bool(&flag, &tree, nsc_json_find(&tree, 0, "c")) && !flag);
    assert_true(nsc_json_find(&tree, 0, "a") == NSC_NONE);
    assert_true(nsc_json_find(&tree, nsc_json_find(&tree, 0, "x"), "b") == NSC_NONE);
    assert_true(nsc_json_find(&tree, NSC_NONE, "b") == NSC_NONE);
    assert_false(nsc_json_get_int(&value, &tree, NSC_NONE));
    assert_false(nsc_json_get_bool(&flag, &tree, NSC_NONE));
    nsc_json_fini(&tree);
}
