/* Keys: codes, names and typed text. */
#ifndef NSC_VIEW_KIT_KEY_H
#define NSC_VIEW_KIT_KEY_H

#include "core/text.h"

/*
 * A key: a code point or one of the specials, with modifiers or-ed in. Only keys that type nothing
 * have Shift. Ctrl with a letter has the lower-case letter; Ctrl-I, Ctrl-M and Ctrl-[ are Tab,
 * Enter and Escape.
 */
typedef uint32_t nsc_key;
enum {
    NSC_KEY_SHIFT = 0x01000000,
    NSC_KEY_CTRL = 0x02000000,
    NSC_KEY_ALT = 0x04000000,
    NSC_KEY_CODE = 0x00ffffff,
    NSC_KEY_NONE = 0,
    NSC_KEY_TAB = 9,
    NSC_KEY_ENTER = 13,
    NSC_KEY_ESCAPE = 27,
    NSC_KEY_SPACE = 32,
    NSC_KEY_BACKSPACE = 127,
    NSC_KEY_SPECIALS = 0x110000,
    NSC_KEY_LEFT,
    NSC_KEY_RIGHT,
    NSC_KEY_UP,
    NSC_KEY_DOWN,
    NSC_KEY_PAGE_UP,
    NSC_KEY_PAGE_DOWN,
    NSC_KEY_HOME,
    NSC_KEY_END,
    NSC_KEY_INSERT,
    NSC_KEY_DELETE,
    NSC_KEY_F1, /* F1 + i */
    NSC_KEY_F24 = NSC_KEY_F1 + 23
};

/*
 * Parses "Left", "Shift+Right", "Ctrl-L", "PgUp", "Tab", "Space", "Esc", "F1", "+", "é". Words
 * match in any case. "Hash" is #, because # begins a comment in files. False if text is not a key.
 */
bool nsc_key_parse(nsc_key *out, struct nsc_text text);
/* The inverse: parse(format(k)) == k for each valid k; "?" for invalid keys. */
void nsc_key_format(char out[32], nsc_key key);
/* Whether it is a printable or named key, with modifiers that terminals can send. */
bool nsc_key_is_valid(nsc_key key);
/* The text that the key types, as UTF-8 without a NUL. Returns its bytes; 0 for keys that type
 * nothing. */
size_t nsc_key_utf8(char out[4], nsc_key key);

#endif
