/* Converts keys to text and back. */
#include "view/kit/key.h"

#include "core/chars.h"
#include "core/text.h"

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
    return nsc_char_encode(out, key);
}

/* The code point if text is exactly one, in UTF-8; else NSC_KEY_NONE. */
static nsc_key code_decode(struct nsc_text text)
{
    uint32_t code = 0;

    return text.n && nsc_char_decode(&code, text.bytes, text.n) == text.n && code_is_printable(code)
               ? code
               : NSC_KEY_NONE;
}

static nsc_key function_key(struct nsc_text text)
{
    unsigned number = 0;

    if (text.n < 2 || text.n > 3 || nsc_ascii_lower(text.bytes[0]) != 'f')
        return NSC_KEY_NONE;
    for (uint32_t i = 1; i < text.n; i++) {
        if (!nsc_is_digit(text.bytes[i]))
            return NSC_KEY_NONE;
        number = number * 10 + (unsigned)(text.bytes[i] - '0');
    }
    return number >= 1 && number <= 24 ? NSC_KEY_F1 + number - 1 : NSC_KEY_NONE;
}

static nsc_key code_parse(struct nsc_text text)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == text.n &&
            nsc_text_begins_folded(text, nsc_text_from(names[i].name)))
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

        if (text->n > n && nsc_text_begins_folded(*text, nsc_text_from(modifiers[i].name))) {
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
