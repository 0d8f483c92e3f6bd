/* Property tests of the ini parser: written entries are read back, and any bytes are harmless. */
#include "core/buf.h"
#include "core/ini.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { ROUNDS = 5000, LIMIT = 1 << 16 };

struct record {
    struct nsc_buf *out;
    struct nsc_text text;
    unsigned line, warnings;
};

static void expect_inside(const struct record *record, struct nsc_text slice)
{
    if (slice.n == 0)
        return;
    assert_true(slice.bytes >= record->text.bytes);
    assert_true(slice.bytes + slice.n <= record->text.bytes + record->text.n);
    assert_null(memchr(slice.bytes, '\n', slice.n));
    assert_true(slice.bytes[0] != ' ' && slice.bytes[slice.n - 1] != ' ');
}

static void note_entry(void *context, const struct nsc_ini_entry *entry)
{
    struct record *record = context;

    assert_true(entry->line > record->line);
    record->line = entry->line;
    expect_inside(record, entry->section);
    expect_inside(record, entry->key);
    expect_inside(record, entry->value);
    assert_true(entry->key.n > 0);
    nsc_buf_printf(record->out, "%.*s.%.*s=%.*s\n", (int)entry->section.n, entry->section.bytes,
                   (int)entry->key.n, entry->key.bytes, (int)entry->value.n, entry->value.bytes);
}

static void note_warning(void *context, unsigned line, const char *what)
{
    struct record *record = context;

    assert_true(line > record->line && what[0]);
    record->line = line;
    record->warnings++;
}

static struct record parse(struct nsc_buf *out, const char *bytes, size_t n)
{
    struct record record = {out, {bytes, (uint32_t)n}, 0, 0};

    nsc_buf_clear(out);
    nsc_ini_parse(record.text, note_entry, note_warning, &record);
    return record;
}

/* A word of at least one character with nothing special at its ends. */
static void roll_word(struct dice *dice, char word[12])
{
    size_t n = 1 + dice_below(dice, 10);

    for (size_t i = 0; i < n; i++)
        word[i] = "abcXYZ019_-.+"[dice_below(dice, 13)];
    word[n] = '\0';
}

TEST(what_is_written_comes_back)
{
    struct dice dice = dice_new(41);
    struct nsc_buf text = NSC_BUF_INIT(LIMIT);
    struct nsc_buf want = NSC_BUF_INIT(LIMIT);
    struct nsc_buf got = NSC_BUF_INIT(LIMIT);

    for (int round = 0; round < ROUNDS; round++) {
        char section[12] = "";
        uint64_t lines = dice_below(&dice, 12);

        nsc_buf_clear(&text);
        nsc_buf_clear(&want);
        for (uint64_t i = 0; i < lines; i++) {
            static const char *const noise[] = {"\n", "# x = y\n", "  #fff\n", "\t\r\n"};
            const char *end = dice_below(&dice, 2) ? "\n" : "  # note\r\n";
            const char *gap = dice_below(&dice, 2) ? "" : " \t";
            char key[12];
            char value[12];

            roll_word(&dice, key);
            roll_word(&dice, value);
            if (dice_below(&dice, 3) == 0)
                nsc_buf_puts(&text, noise[dice_below(&dice, 4)]);
            if (dice_below(&dice, 3) == 0) {
                roll_word(&dice, section);
                nsc_buf_printf(&text, "%s[%s%s]%s", gap, gap, section, end);
            }
            nsc_buf_printf(&text, "%s%s%s=%s%s%s", gap, key, gap, gap, value, end);
            nsc_buf_printf(&want, "%s.%s=%s\n", section, key, value);
        }
        assert_int_equal(parse(&got, text.bytes, text.n).warnings, 0);
        assert_string_equal(got.bytes, want.bytes);
    }
    nsc_buf_fini(&text);
    nsc_buf_fini(&want);
    nsc_buf_fini(&got);
}

TEST(any_bytes_are_taken)
{
    struct dice dice = dice_new(42);
    struct nsc_buf out = NSC_BUF_INIT(LIMIT);

    for (int round = 0; round < 4 * ROUNDS; round++) {
        char *bytes = NULL; /* of exactly n bytes, so that a sanitizer detects an overread */
        size_t n = dice_below(&dice, 80);

        bytes = malloc(n + 1);
        assert_non_null(bytes);
        for (size_t i = 0; i < n; i++)
            bytes[1 + i] = dice_below(&dice, 8) ? "[]=# \n\rab\t"[dice_below(&dice, 10)]
                                                : (char)dice_below(&dice, 256);
        parse(&out, bytes + 1, n);
        free(bytes);
    }
    nsc_buf_fini(&out);
}
