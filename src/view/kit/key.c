/* Converts keys to text and back. */
#include "view/kit/key.h"

#include <stdio.h>
#include <string.h>

#define MODIFIERS ((nsc_key)NSC_KEY_SHIFT | NSC_KEY_CTRL | NSC_KEY_ALT)

/* The first name of a key is the one shown. */
static const struct key_name {
    const char *name;
    nsc_key key;
} names[] = {
    {"Tab", NSC_KEY_TAB},
    {"Enter", NSC_KEY_ENTER},
    {"Return", NSC_KEY_ENTER},
    {"Esc", NSC_KEY_ESCAPE},
    {"Escape", NSC_KEY_ESCAPE},
    {"Space", NSC_KEY_SPACE},
    {"Left", NSC_KEY_LEFT},
    {"Right", NSC_KEY_RIGHT},
    {"Up", NSC_KEY_UP},
    {"Down", NSC_KEY_DOWN},
    {"PgUp", NSC_KEY_PAGE_UP},
    {"PageUp", NSC_KEY_PAGE_UP},
    {"PgDn", NSC_KEY_PAGE_DOWN},
    {"PageDown", NSC_KEY_PAGE_DOWN},
    {"Home", NSC_KEY_HOME},
    {"End", NSC_KEY_END},
    {"Insert", NSC_KEY_INSERT},
    {"Ins", NSC_KEY_INSERT},
    {"Delete", NSC_KEY_DELETE},
    {"Del", NSC_KEY_DELETE},
    {"Backspace", NSC_KEY_BACKSPACE},
    {"Hash", '#'},
};

static const struct {
    const char *name;
    nsc_key bit;
} modifiers[] = {{"Ctrl-", NSC_KEY_CTRL}, {"Ctrl+", NSC_KEY_CTRL},   {"Alt-", NSC_KEY_ALT},
                 {"Alt+", NSC_KEY_ALT},   {"Shift+", NSC_KEY_SHIFT}, {"Shift-", NSC_KEY_SHIFT}};

static bool begins_with(struct nsc_text text, const char *word)
{
    size_t n = strlen(word);

    if (text.n < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (nsc_ascii_lower(text.bytes[i]) != nsc_ascii_lower(word[i]))
            return false;
    return true;
}

/* Whether a terminal can send the code point for a typed character. */
static bool code_is_printable(nsc_key code)
{
    if (code < 0x20 || (code >= 0x7f && code < 0xa0))
        return false;
    return code < 0xd800 || (code >= 0xe000 && code <= 0x10ffff);
}

bool nsc_key_is_valid(nsc_key key)
{
    nsc_key code = key & NSC_KEY_CODE;

    if (key & ~(NSC_KEY_CODE | MODIFIERS))
        return false;
    if (code == NSC_KEY_TAB || code == NSC_KEY_ENTER || code == NSC_KEY_ESCAPE ||
        code == NSC_KEY_SPACE || code == NSC_KEY_BACKSPACE ||
        (code > NSC_KEY_SPECIALS && code <= NSC_KEY_F24))
        return true;
    if (key & NSC_KEY_SHIFT || !code_is_printable(code))
        return false;
    /* Terminals send these as Tab, Enter or Escape, or lose the case. */
    return !(key & NSC_KEY_CTRL) ||
           !(code == 'i' || code == 'm' || code == '[' || (code >= 'A' && code <= 'Z'));
}

size_t nsc_key_utf8(char out[4], nsc_key key)
{
    if (key & MODIFIERS || !code_is_printable(key))
        return 0;
    if (key < 0x80) {
        out[0] = (char)key;
        return 1;
    }
    if (key < 0x800) {
        out[0] = (char)(0xc0 | key >> 6);
        out[1] = (char)(0x80 | (key & 0x3f));
        return 2;
    }
    if (key < 0x10000) {
        out[0] = (char)(0xe0 | key >> 12);
        out[1] = (char)(0x80 | (key >> 6 & 0x3f));
        out[2] = (char)(0x80 | (key & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | key >> 18);
    out[1] = (char)(0x80 | (key >> 12 & 0x3f));
    out[2] = (char)(0x80 | (key >> 6 & 0x3f));
    out[3] = (char)(0x80 | (key & 0x3f));
    return 4;
}

/* The code point if text is exactly one, in UTF-8; else NSC_KEY_NONE. */
static nsc_key code_decode(struct nsc_text text)
{
    char again[4];
    nsc_key code = 0;

    if (text.n < 1 || text.n > 4)
        return NSC_KEY_NONE;
    code = (uint8_t)text.bytes[0];
    if (text.n > 1)
        code &= 0x7fu >> text.n;
    for (uint32_t i = 1; i < text.n; i++)
        code = code << 6 | ((uint8_t)text.bytes[i] & 0x3f);
    /* Encoding again detects malformed UTF-8. */
    if (nsc_key_utf8(again, code) != text.n || memcmp(again, text.bytes, text.n) != 0)
        return NSC_KEY_NONE;
    return code;
}

static nsc_key function_key(struct nsc_text text)
{
    unsigned number = 0;

    if (text.n < 2 || text.n > 3 || nsc_ascii_lower(text.bytes[0]) != 'f')
        return NSC_KEY_NONE;
    for (uint32_t i = 1; i < text.n; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return NSC_KEY_NONE;
        number = number * 10 + (unsigned)(text.bytes[i] - '0');
    }
    return number >= 1 && number <= 24 ? NSC_KEY_F1 + number - 1 : NSC_KEY_NONE;
}

static nsc_key code_parse(struct nsc_text text)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == text.n && begins_with(text, names[i].name))
            return names[i].key;
    if (function_key(text) != NSC_KEY_NONE)
        return function_key(text);
    return code_decode(text);
}

/* Removes one modifier from the front of text; 0 if there is none, or nothing follows. */
static nsc_key modifier_take(struct nsc_text *text)
{
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        uint32_t n = (uint32_t)strlen(modifiers[i].name);

        if (text->n > n && begins_with(*text, modifiers[i].name)) {
            text->bytes += n;
            text->n -= n;
            return modifiers[i].bit;
        }
    }
    return 0;
}

/* Maps keys with several spellings to one. */
static nsc_key key_normalize(nsc_key key)
{
    nsc_key code = key & NSC_KEY_CODE;
    nsc_key bits = key & MODIFIERS;

    if (bits == NSC_KEY_SHIFT && code >= 'a' && code <= 'z')
        return code - 'a' + 'A';
    if (!(bits & NSC_KEY_CTRL))
        return key;
    if (code >= 'A' && code <= 'Z')
        code = code - 'A' + 'a';
    if (code == 'i' || code == 'm' || code == '[') {
        bits &= ~(nsc_key)NSC_KEY_CTRL;
        code = code == 'i' ? NSC_KEY_TAB : code == 'm' ? NSC_KEY_ENTER : NSC_KEY_ESCAPE;
    }
    return bits | code;
}

bool nsc_key_parse(nsc_key *out, struct nsc_text text)
{
    nsc_key bits = 0;
    nsc_key code = NSC_KEY_NONE;

    for (nsc_key bit = modifier_take(&text); bit; bit = modifier_take(&text)) {
        if (bits & bit)
            return false;
        bits |= bit;
    }
    code = code_parse(text);
    if (code == NSC_KEY_NONE || !nsc_key_is_valid(key_normalize(bits | code)))
        return false;
    *out = key_normalize(bits | code);
    return true;
}

static void code_format(char out[16], nsc_key code)
{
    if (code >= NSC_KEY_F1 && code <= NSC_KEY_F24) {
        snprintf(out, 16, "F%u", (unsigned)(code - NSC_KEY_F1 + 1));
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].key == code && code != '#') {
            snprintf(out, 16, "%s", names[i].name);
            return;
        }
    out[nsc_key_utf8(out, code)] = '\0';
}

void nsc_key_format(char out[32], nsc_key key)
{
    char code[16];
    nsc_key letter = key & NSC_KEY_CODE;

    if (!nsc_key_is_valid(key)) {
        snprintf(out, 32, "?");
        return;
    }
    if (key & NSC_KEY_CTRL && letter >= 'a' && letter <= 'z')
        letter = letter - 'a' + 'A';
    code_format(code, letter);
    snprintf(out, 32, "%s%s%s%s", key & NSC_KEY_CTRL ? "Ctrl-" : "",
             key & NSC_KEY_ALT ? "Alt-" : "", key & NSC_KEY_SHIFT ? "Shift+" : "", code);
}
