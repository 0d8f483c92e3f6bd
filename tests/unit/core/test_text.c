/*
 * Unit tests of text cleaning: the replacement of each kind of hostile character, and the places
 * where text is cut.
 * promises: B2 B3 B4
 */
#include "core/text.h"
#include "support/cm.h"

#include <stdlib.h>
#include <string.h>

struct sample {
    const char *raw;
    uint32_t n;
    const char *clean, *ascii;
    size_t width;
};

#define SAMPLE(raw, clean, ascii, width)          \
    {                                             \
        raw, sizeof(raw) - 1, clean, ascii, width \
    }

static const struct sample samples[] = {
    SAMPLE("", "", "", 0),
    SAMPLE("void gemm<float>\\n", "void gemm<float>\\n", "void gemm<float>\\n", 18),
    SAMPLE("\x1b]0;x\a", "␛]0;x␇", "\\u{1B}]0;x\\u{07}", 6),
    SAMPLE("a\0b\x7f", "a␀b␡", "a\\u{00}b\\u{7F}", 4),
    SAMPLE("\t\r\n", "␉␍␊", "\\u{09}\\u{0D}\\u{0A}", 3),
    SAMPLE("\xc2\x9b", "‹009B›", "\\u{9B}", 6),
    SAMPLE("\x9b", "\xef\xbf\xbd", "\\u{FFFD}", 1),
    SAMPLE("a\xe2\x80\xae", "a‹202E›", "a\\u{202E}", 7),
    SAMPLE("a\xe2\x80\x8b", "a‹200B›", "a\\u{200B}", 7),
    SAMPLE("\xc2\xad", "‹00AD›", "\\u{AD}", 6),
    SAMPLE("\xef\xb8\x8f", "‹FE0F›", "\\u{FE0F}", 6),
    SAMPLE("\xe3\x85\xa4", "‹3164›", "\\u{3164}", 6),
    SAMPLE("\xf3\xa0\x81\x81", "‹E0041›", "\\u{E0041}", 7),
    SAMPLE("\xf4\x8f\xbf\xbf", "‹10FFFF›", "\\u{10FFFF}", 8),
    SAMPLE("\xee\x80\x80", "‹E000›", "\\u{E000}", 6),
    SAMPLE("\xf0\x9c\xb4\x80", "‹1CD00›", "\\u{1CD00}", 7),
    SAMPLE("e\xcc\x81", "e\xcc\x81", "e\\u{301}", 1),
    SAMPLE("\xcc\x81", "‹0301›", "\\u{301}", 6),
    SAMPLE("\x01\xcc\x81", "␁‹0301›", "\\u{01}\\u{301}", 7),
    SAMPLE("中a", "中a", "\\u{4E2D}a", 3),
    SAMPLE("👍🏽", "👍‹1F3FD›", "\\u{1F44D}\\u{1F3FD}", 9),
    SAMPLE("🇩🇪", "🇩🇪", "\\u{1F1E9}\\u{1F1EA}", 2),
    /* Cut, overlong, surrogate, beyond the last character: one symbol per byte. */
    SAMPLE("\xe4\xb8", "\xef\xbf\xbd\xef\xbf\xbd", "\\u{FFFD}\\u{FFFD}", 2),
    SAMPLE("\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd", "\\u{FFFD}\\u{FFFD}", 2),
    SAMPLE("\xed\xa0\x80z", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz", "\\u{FFFD}\\u{FFFD}\\u{FFFD}z",
           4),
    SAMPLE("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
           "\\u{FFFD}\\u{FFFD}\\u{FFFD}\\u{FFFD}", 4),
};

TEST(every_kind_comes_out_visible)
{
    struct nsc_buf out = NSC_BUF_INIT(1000);

    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct nsc_text raw = {samples[i].raw, samples[i].n};

        nsc_buf_clear(&out);
        nsc_text_clean(&out, raw, false);
        assert_string_equal(out.bytes, samples[i].clean);
        assert_int_equal(nsc_text_width(raw, false), samples[i].width);
        nsc_buf_clear(&out);
        nsc_text_clean(&out, raw, true);
        assert_string_equal(out.bytes, samples[i].ascii);
        assert_int_equal(nsc_text_width(raw, true), strlen(samples[i].ascii));
    }
    nsc_buf_fini(&out);
}

TEST(at_most_four_marks_a_cell)
{
    struct nsc_text raw = nsc_text_from("a\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85z");
    struct nsc_text_cursor cursor = nsc_text_cursor(raw, false);
    struct nsc_cluster cluster;
    char *many = malloc(20001);

    assert_true(nsc_text_next(&cursor, &cluster));
    assert_memory_equal(cluster.bytes, raw.bytes, 9);
    assert_int_equal(cluster.n, 9);
    assert_true(nsc_text_next(&cursor, &cluster));
    assert_string_equal(cluster.bytes, "‹");
    assert_true(cluster.joined);
    assert_int_equal(nsc_text_width(raw, false), 1 + 6 + 1);
    assert_non_null(many);
    for (int i = 0; i < 10000; i++)
        memcpy(many + 1 + 2 * i, "\xcc\x81", 2);
    many[0] = 'a';
    assert_int_equal(nsc_text_width((struct nsc_text){many, 20001}, false), 1 + 9996 * 6);
    free(many);
}

/* Two emoji separated by two joiners are two graphemes. */
TEST(one_joiner_joins_emoji)
{
    static const char *const texts[] = {"\U0001F469\u200D\U0001F469",
                                        "\U0001F469\u200D\u200D\U0001F469"};

    for (int joiners = 1; joiners <= 2; joiners++) {
        struct nsc_text raw = nsc_text_from(texts[joiners - 1]);
        struct nsc_text_cursor cursor = nsc_text_cursor(raw, false);
        struct nsc_cluster cluster = {0};

        while (cursor.at < raw.n)
            assert_true(nsc_text_next(&cursor, &cluster));
        assert_int_equal(cluster.joined, joiners == 1);
    }
}

static void expect_clip(const char *raw, size_t width, bool ascii, const char *want)
{
    struct nsc_buf out = NSC_BUF_INIT(1000);
    size_t cells = 0;

    nsc_buf_puts(&out, ">");
    cells = nsc_text_clip(&out, nsc_text_from(raw), width, ascii);
    assert_string_equal(out.bytes + 1, want);
    assert_int_equal(cells, nsc_text_width(nsc_text_from(out.bytes + 1), false));
    nsc_buf_fini(&out);
}

TEST(text_stands_at_the_right_end)
{
    struct nsc_buf out = NSC_BUF_INIT(1000);

    nsc_text_clip_right(&out, nsc_text_from("1 \xc2\xb5s"), 6, false);
    nsc_text_clip_right(&out, nsc_text_from("1234567"), 6, false);
    nsc_text_clip_right(&out, nsc_text_from(""), 2, false);
    assert_string_equal(out.bytes, "  1 \xc2\xb5s12345…  ");
    nsc_buf_fini(&out);
}

TEST(text_is_cut_between_graphemes)
{
    expect_clip("hello", 0, false, "");
    expect_clip("hello", 1, false, "…");
    expect_clip("h", 1, false, "h");
    expect_clip("hello", 4, false, "hel…");
    expect_clip("hello", 4, true, "hel~");
    expect_clip("hello", 5, false, "hello");
    expect_clip("hello", 99, false, "hello");
    expect_clip("hell\xc3\xb6", 5, false, "hell\xc3\xb6");
    expect_clip("hello\xcc\x81", 5, false, "hello\xcc\x81");
    expect_clip("hello\xcc\x81x", 5, false, "hell…");
    expect_clip("中文", 3, false, "中…");
    expect_clip("中文", 2, false, "…");
    expect_clip("a中", 2, false, "a…");
    expect_clip("a🇩🇪b", 3, false, "a…");
    expect_clip("a🇩🇪b", 4, false, "a🇩🇪b");
    expect_clip("ab\x1b[m", 4, false, "ab␛…");
    expect_clip("\xc2\x9b"
                "ab",
                6, false, "…");
    expect_clip("\xc2\x9b"
                "ab",
                7, false, "‹009B›…");
    expect_clip("ab中", 6, true, "ab~");
}

/* A 300 MB name must cost as much as what is shown of it. */
TEST(clipping_reads_no_further_than_it_shows)
{
    static const char start[] = "kernel\xe4\xb8\xad\x1b....................";
    struct nsc_text lies = {start, sizeof start - 1};
    struct nsc_buf out = NSC_BUF_INIT(1000);

    lies.n = UINT32_MAX; /* reading on would leave the array, which a sanitizer detects */
    assert_int_equal(nsc_text_clip(&out, lies, 12, false), 12);
    assert_string_equal(out.bytes, "kernel中␛..…");
    nsc_buf_fini(&out);
}

TEST(a_full_buffer_ends_in_a_whole_character)
{
    for (size_t limit = 0; limit < 12; limit++) {
        struct nsc_buf out = NSC_BUF_INIT(limit);

        nsc_text_clean(&out, nsc_text_from("中文中文"), false);
        assert_int_equal(out.n, limit / 3 * 3);
        assert_true(out.overflow);
        nsc_buf_fini(&out);
    }
}

static bool contains(const char *haystack, const char *needle)
{
    return nsc_text_contains_folded(nsc_text_from(haystack), nsc_text_from(needle));
}

TEST(search_folds_case)
{
    assert_true(contains("", ""));
    assert_true(contains("FlashAttn", "shatt"));
    assert_true(contains("ΣΊΣΥΦΟΣ", "σίσυφος"));
    assert_true(contains("STRÄßE", "äß"));
    assert_true(contains("aaab", "AAB"));
    assert_true(contains("x\xff\x1b", "\xff"));
    assert_false(contains("x\xef\xbf\xbd", "\xff"));
    assert_false(contains("gemm", "gemmx"));
    assert_false(contains("", "a"));
    assert_false(contains("中", "\xb8"));
}

/* Each byte at each place of a text of printable ASCII. */
TEST(plain_bytes_are_counted)
{
    char bytes[20];

    for (int c = 0; c < 256; c++)
        for (uint32_t at = 0; at < sizeof bytes; at++) {
            struct nsc_text text = {bytes, sizeof bytes};

            memset(bytes, "~ a"[at % 3], sizeof bytes);
            bytes[at] = (char)c;
            assert_int_equal(nsc_text_plain(text), c >= 0x20 && c < 0x7F ? sizeof bytes : at);
        }
    assert_int_equal(nsc_text_plain((struct nsc_text){"", 0}), 0);
}
