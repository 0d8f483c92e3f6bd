/* Bytes of a terminal and the inputs that come of them. */
#include "support/cm.h"
#include "tui/color.h"
#include "tui/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct nsc_key_string described[] = {
    {"\x1b[7$", NSC_KEY_HOME | NSC_KEY_SHIFT}, {"\x1b[[A", NSC_KEY_F1}, {"\x1bOA", NSC_KEY_UP}};

/* Feeds all bytes at once, then waits: the resulting keys, as words. */
static const char *keys_of(const char *bytes, size_t n)
{
    static char words[512];
    struct nsc_keys keys;
    struct nsc_input input;
    char word[32];

    words[0] = 0;
    nsc_keys_init(&keys, described, 3, true);
    for (size_t i = 0; i <= n; i++) {
        bool got = i < n ? nsc_keys_feed(&keys, (unsigned char)bytes[i], 1000, &input)
                         : nsc_keys_flush(&keys, 9000, &input);

        if (!got)
            continue;
        if (input.type == NSC_INPUT_BACKDROP) {
            snprintf(words + strlen(words), sizeof words - strlen(words), "%s#%06x",
                     words[0] ? " " : "", (unsigned)input.color);
            continue;
        }
        assert_int_equal(input.type, NSC_INPUT_KEY);
        nsc_key_format(word, input.key);
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", words[0] ? " " : "",
                 word);
    }
    assert_int_equal(nsc_keys_wait(&keys, 9000), -1);
    return words;
}

#define ASSERT_KEYS(bytes, words) assert_string_equal(keys_of(bytes, sizeof(bytes) - 1), words)

TEST(plain_keys)
{
    ASSERT_KEYS("qG/?", "q G / ?");
    ASSERT_KEYS("\r\n\t \x7f\b", "Enter Enter Tab Space Backspace Backspace");
    ASSERT_KEYS("\x0c\x1a\x01", "Ctrl-L Ctrl-Z Ctrl-A");
    ASSERT_KEYS("\xc3\xa9\xe2\x82\xac", "é €");
}

TEST(escape_alone_is_a_key)
{
    ASSERT_KEYS("\x1b", "Esc");
    ASSERT_KEYS("\x1b\x1b", "Esc Esc");
    ASSERT_KEYS("\x1bq", "Alt-q");
    ASSERT_KEYS("\x1b[", "Alt-[");
}

TEST(escape_waits_25_ms)
{
    struct nsc_keys keys;
    struct nsc_input input;

    nsc_keys_init(&keys, NULL, 0, true);
    assert_false(nsc_keys_feed(&keys, 0x1b, 100, &input));
    assert_int_equal(nsc_keys_wait(&keys, 110), 15);
    assert_false(nsc_keys_flush(&keys, 124, &input));
    assert_true(nsc_keys_flush(&keys, 125, &input));
    assert_int_equal(input.key, NSC_KEY_ESCAPE);
    assert_int_equal(nsc_keys_wait(&keys, 125), -1);
}

TEST(arrows_and_functions)
{
    ASSERT_KEYS("\x1b[A\x1bOB\x1b[C\x1b[D", "Up Down Right Left");
    ASSERT_KEYS("\x1b[1;2D\x1b[1;5C\x1b[1;3A", "Shift+Left Ctrl-Right Alt-Up");
    ASSERT_KEYS("\x1b[H\x1b[4~\x1b[5~\x1b[6~\x1b[3~", "Home End PgUp PgDn Delete");
    ASSERT_KEYS("\x1bOP\x1b[15~\x1b[17~\x1b[24~", "F1 F5 F6 F12");
    ASSERT_KEYS("\x1b[Z", "Shift+Tab");
    ASSERT_KEYS("\x1b[7$\x1b[[A", "Shift+Home F1");
    ASSERT_KEYS("\x1b[108;5u\x1b[27;5;105~", "Ctrl-L Tab");
}

TEST(the_background_is_told)
{
    ASSERT_KEYS("\x1b]11;rgb:ffff/8080/0000\x07q", "#ff8000 q");
    ASSERT_KEYS("\x1b]11;rgb:fd/f6/e3\x1b\\q", "#fdf6e3 q");
    ASSERT_KEYS("\x1b]11;rgb:f/0/8\x07", "#ff0088");
    ASSERT_KEYS("\x1b]11;rgba:0000/2b2b/3636/ffff\x07q", "#002b36 q");
}

TEST(the_environment_tells_dark_from_light)
{
    assert_int_equal(nsc_backdrop_of("15;0").color, 0x000000);
    assert_true(nsc_backdrop_of("15;0").known);
    assert_int_equal(nsc_backdrop_of("0;default;15").color, 0xffffff);
    assert_int_equal(nsc_backdrop_of("0;7").color, 0xffffff);
    assert_int_equal(nsc_backdrop_of("7;8").color, 0x000000);
    assert_false(nsc_backdrop_of("15;default").known);
    assert_false(nsc_backdrop_of("15").known);
    assert_false(nsc_backdrop_of("").known);
    assert_false(nsc_backdrop_of(NULL).known);
}

TEST(other_answers_do_nothing)
{
    ASSERT_KEYS("\x1b[?1;2c", "");
    ASSERT_KEYS("\x1b[?2026;0$y", "");
    ASSERT_KEYS("\x1b[24;80R", ""); /* the cursor's place, not F3 */
    ASSERT_KEYS("\x1b]10;rgb:0000/0000/0000\x07q", "q");
    ASSERT_KEYS("\x1b]11;rgb:0000/0000\x07q", "q");
    ASSERT_KEYS("\x1b]11;rgb:00000/0000/0000\x1b\\q", "q");
    ASSERT_KEYS("\x1b]11;rgb:0000/0000/0000;and what no terminal ever says\x07q", "q");
    ASSERT_KEYS("\x1bP11;rgb:ffff/ffff/ffff\x1b\\q", "q");
    ASSERT_KEYS("\x1bP1$r0m\x1b\\q", "q");
    ASSERT_KEYS("\x1b[I\x1b[O", "");
    ASSERT_KEYS("\x1b[123456789012345678901234567890123qx", "x");
}

TEST(bad_utf8_is_dropped)
{
    ASSERT_KEYS("\xff\xfe\x80\xc0\xafq", "q");
    ASSERT_KEYS("\xe2\x82q", "q");
    ASSERT_KEYS("\xed\xa0\x80\xf4\x90\x80\x80\xc2\x9b", "");
}

TEST(pasted_text_does_nothing)
{
    ASSERT_KEYS("a\x1b[200~q\x1b[Ax\r\n:quit\r\x1b[201~b", "a b");
    ASSERT_KEYS("\x1b[200~\x1b\x1b[201\x1b[201~b", "b");
    ASSERT_KEYS("\x1b[200~never ends", "");
}

static bool mouse(struct nsc_keys *keys, const char *bytes, uint64_t now, struct nsc_input *out)
{
    bool got = false;

    for (size_t i = 0; bytes[i]; i++)
        got = nsc_keys_feed(keys, (unsigned char)bytes[i], now, out);
    return got;
}

TEST(mouse_reports)
{
    struct nsc_keys keys;
    struct nsc_input in;

    nsc_keys_init(&keys, NULL, 0, true);
    assert_true(mouse(&keys, "\x1b[<0;11;6M", 0, &in));
    assert_int_equal(in.type, NSC_INPUT_MOUSE);
    assert_int_equal(in.mouse.action, NSC_MOUSE_PRESS);
    assert_int_equal(in.mouse.button, 1);
    assert_int_equal(in.mouse.row, 5);
    assert_int_equal(in.mouse.col, 10);
    assert_true(mouse(&keys, "\x1b[<32;12;6M", 0, &in));
    assert_int_equal(in.mouse.action, NSC_MOUSE_DRAG);
    assert_true(mouse(&keys, "\x1b[<0;12;6m", 0, &in));
    assert_int_equal(in.mouse.action, NSC_MOUSE_RELEASE);
    assert_true(mouse(&keys, "\x1b[<65;1;1M", 0, &in));
    assert_int_equal(in.mouse.action, NSC_MOUSE_WHEEL_DOWN);
    assert_true(mouse(&keys, "\x1b[<68;1;1M", 0, &in));
    assert_int_equal(in.mouse.action, NSC_MOUSE_WHEEL_UP);
    assert_true(in.mouse.shift);
    assert_true(mouse(&keys, "\x1b[<18;1;1M", 0, &in));
    assert_int_equal(in.mouse.button, 3);
    assert_true(in.mouse.ctrl);
    assert_false(mouse(&keys, "\x1b[<35;1;1M", 0, &in)); /* motion without a button */
    assert_false(mouse(&keys, "\x1b[<0;1M", 0, &in));
    assert_true(mouse(&keys, "\x1b[M !!", 0, &in)); /* the protocol before SGR */
    assert_int_equal(in.mouse.row, 0);
    assert_true(mouse(&keys, "\x1b[<0;99999999999;0M", 0, &in));
    assert_in_range(in.mouse.col, 0, 4095);
    assert_int_equal(in.mouse.row, 0);
}

TEST(double_clicks)
{
    static const struct {
        const char *bytes;
        uint64_t at;
        enum nsc_mouse_action action;
    } steps[] = {{"\x1b[<0;5;5M", 1000, NSC_MOUSE_PRESS}, {"\x1b[<0;5;5M", 1400, NSC_MOUSE_DOUBLE},
                 {"\x1b[<0;5;5M", 1500, NSC_MOUSE_PRESS}, {"\x1b[<0;5;5M", 1901, NSC_MOUSE_PRESS},
                 {"\x1b[<0;6;5M", 1950, NSC_MOUSE_PRESS}, {"\x1b[<2;6;5M", 1960, NSC_MOUSE_PRESS},
                 {"\x1b[<2;6;5M", 1970, NSC_MOUSE_DOUBLE}};
    struct nsc_keys keys;
    struct nsc_input in;

    nsc_keys_init(&keys, NULL, 0, true);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_true(mouse(&keys, steps[i].bytes, steps[i].at, &in));
        assert_int_equal(in.mouse.action, steps[i].action);
    }
}

/* For any input the output is well-formed, and silence always ends in the ground state. */
TEST(any_bytes_leave_a_valid_state)
{
    const char *given = getenv("NSC_SEED");
    uint32_t seed = given ? (uint32_t)strtoul(given, NULL, 10) : 20260101u;
    static const unsigned char likely[] = "\x1b\x1b[[O;;019<Mm~$u]P\\\x07\xc3\xe2 q";
    struct nsc_keys keys;
    struct nsc_input in;

    print_message("NSC_SEED=%u\n", seed);
    nsc_keys_init(&keys, described, 3, true);
    for (uint64_t i = 0; i < 2000000; i++) {
        bool got;

        seed = seed * 1664525u + 1013904223u;
        got = nsc_keys_feed(&keys,
                            seed >> 31 ? (unsigned char)(seed >> 8)
                                       : likely[(seed >> 8) % (sizeof likely - 1)],
                            i, &in);
        if (!got && seed % 64 == 0)
            got = nsc_keys_flush(&keys, i + 2000, &in);
        if (got && in.type == NSC_INPUT_KEY)
            assert_true(nsc_key_is_valid(in.key));
        else if (got)
            assert_in_range(in.mouse.button, 0, 3);
        assert_true(keys.n < NSC_KEYS_SEQUENCE);
    }
    (void)nsc_keys_flush(&keys, 3000000, &in);
    assert_int_equal(keys.state, NSC_KEYS_GROUND);
}
