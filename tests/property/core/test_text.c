/*
 * Property tests of text cleaning: for any bytes, the result is safe, has the right width and is
 * cut between graphemes.
 * promises: B2 B5 B15
 */
#include "core/chars.h"
#include "core/text.h"
#include "support/cm.h"
#include "support/dice.h"

#include <locale.h>
#include <string.h>
#include <unictype.h>
#include <unigbrk.h>
#include <unistr.h>

enum { MAX_BYTES = 64, ROUNDS = 20000, LIMIT = 4096 };

/* Characters that interact: marks, joiners, flags, jamo, prepended and spacing marks, emoji. */
static const uint32_t special[] = {
    'a',     ' ',     '\r',    '\n',    0,       0x1B,    0x7F,    0x85,     0xAD,
    0x300,   0x301,   0x489,   0x600,   0x93E,   0x915,   0x94D,   0xE33,    0x1100,
    0x1161,  0x11A8,  0xAC00,  0x115F,  0x200B,  0x200D,  0x202E,  0x2028,   0x20E3,
    0x2764,  0xFE0F,  0x302E,  0x3000,  0x4E2D,  0xFF21,  0xFFFD,  0xE000,   0x1F1E9,
    0x1F1EA, 0x1F468, 0x1F469, 0x1F3FD, 0x1F33E, 0xE0041, 0x1CD00, 0x10FFFF, 0x110BD,
    0xA9,    0x3164,  0xFFA0,  0x34F,   0xD7B0,  0x1D165};

struct text {
    char bytes[MAX_BYTES];
    struct nsc_text slice;
};

static uint32_t roll_char(struct dice *dice)
{
    uint32_t c = 0;

    if (dice_below(dice, 4))
        return special[dice_below(dice, sizeof special / sizeof *special)];
    do
        c = (uint32_t)dice_below(dice, dice_below(dice, 2) ? 0x3000 : 0x110000);
    while (c >= 0xD800 && c < 0xE000);
    return c;
}

/* Valid characters, and with bad also stray bytes. */
static void roll_text(struct dice *dice, struct text *text, bool bad)
{
    size_t want = dice_below(dice, MAX_BYTES - 4);
    size_t n = 0;

    while (n < want) {
        if (bad && dice_below(dice, 5) == 0)
            text->bytes[n++] = (char)dice_below(dice, 256);
        else
            n += nsc_char_encode(text->bytes + n, roll_char(dice));
    }
    text->slice = (struct nsc_text){text->bytes, (uint32_t)n};
}

/* The independent truth: libunistring's decoder and categories. */
static size_t check_safe(const char *bytes, size_t n)
{
    size_t cells = 0;
    const uint8_t *at = (const uint8_t *)bytes;

    assert_null(u8_check(at, n));
    while (n) {
        ucs4_t c = 0;
        int length = u8_mbtouc(&c, at, n);

        assert_false(uc_is_general_category_withtable(
            c, UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Cn |
                   UC_CATEGORY_MASK_Co | UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp));
        assert_false(uc_is_property_bidi_control(c));
        assert_false(uc_is_property_zero_width(c));
        cells++;
        at += length;
        n -= (size_t)length;
    }
    return cells;
}

TEST(everything_comes_out_safe)
{
    struct dice dice = dice_new(21);
    struct nsc_buf once = NSC_BUF_INIT(LIMIT);
    struct nsc_buf twice = NSC_BUF_INIT(LIMIT);

    for (int round = 0; round < ROUNDS; round++) {
        struct text text;
        struct nsc_text clean;

        roll_text(&dice, &text, true);
        nsc_buf_clear(&once);
        nsc_buf_clear(&twice);
        nsc_text_clean(&once, text.slice, false);
        check_safe(once.bytes, once.n);
        clean = (struct nsc_text){once.bytes, (uint32_t)once.n};
        assert_int_equal(nsc_text_width(clean, false), nsc_text_width(text.slice, false));
        nsc_text_clean(&twice, clean, false);
        assert_string_equal(twice.bytes, once.bytes);
        nsc_buf_clear(&once);
        nsc_text_clean(&once, text.slice, true);
        for (size_t i = 0; i < once.n; i++)
            assert_in_range(once.bytes[i], 0x20, 0x7E);
        assert_int_equal(once.n, nsc_text_width(text.slice, true));
    }
    nsc_buf_fini(&once);
    nsc_buf_fini(&twice);
}

/* Unjoined clusters begin exactly where u8_grapheme_breaks breaks. */
TEST(clusters_follow_graphemes)
{
    struct dice dice = dice_new(22);

    for (int round = 0; round < ROUNDS; round++) {
        struct text text;
        struct nsc_text_cursor cursor;
        struct nsc_cluster cluster;
        char breaks[MAX_BYTES];
        size_t from = 0;
        size_t inside = 0;

        roll_text(&dice, &text, false);
        cursor = nsc_text_cursor(text.slice, false);
        u8_grapheme_breaks((const uint8_t *)text.bytes, text.slice.n, breaks);
        while (nsc_text_next(&cursor, &cluster)) {
            assert_in_range(cluster.n, 1, NSC_CLUSTER_BYTES);
            assert_int_equal(strlen(cluster.bytes), cluster.n);
            assert_in_range(cluster.width, 1, 2);
            if (cursor.at == from) { /* a later cell of a code */
                assert_true(cluster.joined);
                continue;
            }
            assert_int_equal(cluster.joined, !breaks[from]);
            for (inside = from + 1; inside < cursor.at; inside++)
                assert_int_equal(breaks[inside], 0);
            from = cursor.at;
        }
        assert_int_equal(from, text.slice.n);
    }
}

/* The naive clip: the longest prefix that ends between graphemes and leaves room for the
 * ellipsis. */
static size_t naive_clip(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii)
{
    struct nsc_text_cursor cursor = nsc_text_cursor(text, ascii);
    struct nsc_cluster cluster;
    size_t cells = 0;
    size_t best = 0;
    size_t best_cells = 0;

    nsc_buf_clear(out);
    while (nsc_text_next(&cursor, &cluster)) {
        if (!cluster.joined && cells < width) {
            best = out->n;
            best_cells = cells;
        }
        nsc_buf_add(out, cluster.bytes, cluster.n);
        cells += cluster.width;
    }
    if (cells <= width)
        return cells;
    out->n = best;
    if (width)
        nsc_buf_puts(out, ascii ? "~" : "\xE2\x80\xA6");
    out->bytes[out->n] = '\0';
    return width ? best_cells + 1 : 0;
}

TEST(clips_equal_the_naive_clip)
{
    struct dice dice = dice_new(23);
    struct nsc_buf out = NSC_BUF_INIT(LIMIT);
    struct nsc_buf want = NSC_BUF_INIT(LIMIT);

    for (int round = 0; round < ROUNDS; round++) {
        struct text text;
        bool ascii = dice_below(&dice, 4) == 0;
        size_t width = dice_below(&dice, 40);
        size_t cells = 0;

        roll_text(&dice, &text, true);
        if (dice_below(&dice, 3) == 0) /* mostly plain, as names are */
            memset(text.bytes, 'k', text.slice.n / 2);
        nsc_buf_clear(&out);
        cells = nsc_text_clip(&out, text.slice, width, ascii);
        assert_true(cells <= width);
        assert_int_equal(cells, naive_clip(&want, text.slice, width, ascii));
        assert_string_equal(out.bytes, want.bytes);
        check_safe(out.bytes, out.n);
        assert_int_equal(cells,
                         nsc_text_width((struct nsc_text){out.bytes, (uint32_t)out.n}, false));
    }
    nsc_buf_fini(&out);
    nsc_buf_fini(&want);
}

/* Characters of the words, in both cases and as the signs that fold to them. */
TEST(any_word_is_found_as_each_one_is)
{
    static const uint32_t letters[] = {'s', 'S', 'k',   'K',    'i',   'p',
                                       '0', '_', 0x17F, 0x212A, 0x4E2D};
    struct dice dice = dice_new(25);

    for (int round = 0; round < ROUNDS; round++) {
        const char *words[4] = {NULL};
        char word[3][4] = {{0}};
        struct text text;
        size_t n = 0;
        bool any = false;

        for (size_t want = dice_below(&dice, 24); n < want;)
            if (dice_below(&dice, 16) == 0)
                text.bytes[n++] = (char)dice_below(&dice, 256);
            else
                n += nsc_char_encode(text.bytes + n, letters[dice_below(&dice, 11)]);
        text.slice = (struct nsc_text){text.bytes, (uint32_t)n};
        for (size_t i = 0; i < dice_below(&dice, 4); i++) {
            for (size_t k = 0; k < 2 + dice_below(&dice, 2); k++)
                word[i][k] = (char)letters[dice_below(&dice, 8)];
            words[i] = word[i];
            any = any || nsc_text_contains_folded(text.slice, nsc_text_from(word[i]));
        }
        assert_int_equal(nsc_text_contains_any(text.slice, words), any);
    }
}

TEST(decoding_agrees_with_libunistring)
{
    struct dice dice = dice_new(24);

    for (int round = 0; round < 20 * ROUNDS; round++) {
        char bytes[4];
        size_t n = 1 + dice_below(&dice, 4);
        uint32_t c = 0;
        ucs4_t want = 0;
        int want_n = 0;
        size_t got = 0;

        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)(dice_below(&dice, 3) ? 0x80 + dice_below(&dice, 0x40)
                                                   : 0xBE + dice_below(&dice, 0x42));
        if (dice_below(&dice, 2))
            bytes[0] = (char)(0xE0 + dice_below(&dice, 0x16));
        got = nsc_char_decode(&c, bytes, n);
        want_n = u8_mbtoucr(&want, (const uint8_t *)bytes, n);
        assert_int_equal(got, want_n < 0 ? 0 : (size_t)want_n);
        assert_int_equal(c, want_n < 0 ? 0xFFFD : want);
    }
}
