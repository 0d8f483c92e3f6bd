/*
 * Unit tests of keys as text.
 */
#include "core/text.h"
#include "support/cm.h"
#include "view/app/input.h"

#include <string.h>

static void reads(const char *text, nsc_key wanted)
{
    nsc_key key = NSC_KEY_NONE;

    assert_true(nsc_key_parse(&key, nsc_text_from(text)));
    assert_int_equal(key, wanted);
}

static void is_no_key(const char *text)
{
    nsc_key key = 77;

    assert_false(nsc_key_parse(&key, nsc_text_from(text)));
    assert_int_equal(key, 77);
}

static void shows(nsc_key key, const char *wanted)
{
    char text[32];

    nsc_key_format(text, key);
    assert_string_equal(text, wanted);
}

TEST(names_and_letters_are_read)
{
    reads("Left", NSC_KEY_LEFT);
    reads("pgdn", NSC_KEY_PAGE_DOWN);
    reads("+", '+');
    reads("-", '-');
    reads("`", '`');
    reads("Hash", '#');
    reads("é", 0xe9);
    reads("𝄞", 0x1d11e);
    reads("F1", NSC_KEY_F1);
    reads("F24", NSC_KEY_F24);
    reads("F", 'F');
}

TEST(modifiers_are_read)
{
    reads("Shift+Left", NSC_KEY_SHIFT | NSC_KEY_LEFT);
    reads("shift-Tab", NSC_KEY_SHIFT | NSC_KEY_TAB);
    reads("Ctrl-L", NSC_KEY_CTRL | 'l');
    reads("ctrl+l", NSC_KEY_CTRL | 'l');
    reads("Alt-b", NSC_KEY_ALT | 'b');
    reads("Alt-B", NSC_KEY_ALT | 'B');
    reads("Ctrl-Alt-Left", NSC_KEY_CTRL | NSC_KEY_ALT | NSC_KEY_LEFT);
    reads("Shift+a", 'A');
    reads("Alt--", NSC_KEY_ALT | '-');
}

TEST(what_terminals_send_alike_is_one_key)
{
    reads("Ctrl-I", NSC_KEY_TAB);
    reads("Ctrl-m", NSC_KEY_ENTER);
    reads("Ctrl-[", NSC_KEY_ESCAPE);
}

TEST(what_is_no_key_is_refused)
{
    is_no_key("");
    is_no_key("Lef");
    is_no_key("ab");
    is_no_key("Ctrl-");
    is_no_key("Ctrl-Ctrl-a");
    is_no_key("F0");
    is_no_key("F25");
    is_no_key("Shift+é");
    is_no_key("\x1b");
    is_no_key("\xc3");
    is_no_key("\xc0\x80");
    is_no_key("\xed\xa0\x80");
    is_no_key("\xc2\x9b");
}

TEST(keys_are_shown)
{
    shows(NSC_KEY_CTRL | 'l', "Ctrl-L");
    shows(NSC_KEY_SHIFT | NSC_KEY_RIGHT, "Shift+Right");
    shows(NSC_KEY_PAGE_UP, "PgUp");
    shows(NSC_KEY_ESCAPE, "Esc");
    shows(' ', "Space");
    shows('#', "#");
    shows(0xe9, "é");
    shows(NSC_KEY_F1 + 11, "F12");
    shows(7, "?");
    shows(NSC_KEY_SHIFT | 'a', "?");
}

TEST(only_plain_characters_type)
{
    char text[4];

    assert_int_equal(nsc_key_utf8(text, 0x20ac), 3);
    assert_memory_equal(text, "€", 3);
    assert_int_equal(nsc_key_utf8(text, NSC_KEY_TAB), 0);
    assert_int_equal(nsc_key_utf8(text, NSC_KEY_LEFT), 0);
    assert_int_equal(nsc_key_utf8(text, NSC_KEY_ALT | 'x'), 0);
    assert_int_equal(nsc_key_utf8(text, 0xd800), 0);
}
