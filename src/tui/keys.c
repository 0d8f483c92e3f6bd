/*
 * Decodes the bytes that a terminal sends, those of the mouse too.
 */
#include "tui/keys.h"

#include "tui/color.h"

#include <string.h>

enum { ESC = 0x1b, BEL = 0x07, DEL = 0x7f, MAX_PARAMS = 4 };

static const char paste_end[] = "\x1b[201~";

void nsc_keys_init(struct nsc_keys *keys, const struct nsc_key_string *strings, size_t n_strings,
                   bool utf8)
{
    memset(keys, 0, sizeof *keys);
    keys->strings = strings;
    keys->n_strings = n_strings;
    keys->utf8 = utf8;
}

static void begin(struct nsc_keys *keys, enum nsc_keys_state state)
{
    keys->state = state;
    keys->n = 0;
    keys->alt = false;
}

static bool emit(struct nsc_keys *keys, nsc_key key, struct nsc_input *out)
{
    bool alt = keys->alt;

    begin(keys, NSC_KEYS_GROUND);
    out->type = NSC_INPUT_KEY;
    out->key = key | (key != NSC_KEY_NONE && alt ? NSC_KEY_ALT : 0);
    return nsc_key_is_valid(out->key);
}

/* ---- single characters ---- */

static nsc_key key_of_ascii(unsigned char byte)
{
    if (byte == '\n' || byte == '\r')
        return NSC_KEY_ENTER;
    if (byte == '\b' || byte == DEL)
        return NSC_KEY_BACKSPACE;
    if (byte == '\t')
        return NSC_KEY_TAB;
    if (byte == 0)
        return NSC_KEY_CTRL | NSC_KEY_SPACE;
    if (byte < 27)
        return NSC_KEY_CTRL | (nsc_key)('a' + byte - 1);
    if (byte < 32)
        return NSC_KEY_CTRL | (nsc_key)(byte + 64);
    return byte;
}

static bool begin_utf8(struct nsc_keys *keys, unsigned char byte)
{
    bool alt = keys->alt;

    begin(keys, NSC_KEYS_GROUND);
    if (!keys->utf8 || byte < 0xc2 || byte > 0xf4)
        return false;
    keys->state = NSC_KEYS_UTF8;
    keys->alt = alt;
    keys->missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    keys->code_min = byte < 0xe0 ? 0x80 : byte < 0xf0 ? 0x800 : 0x10000;
    keys->code_point = byte & (0x3fu >> keys->missing);
    return false;
}

static bool feed_ground(struct nsc_keys *keys, unsigned char byte, struct nsc_input *out)
{
    if (byte == ESC) {
        begin(keys, NSC_KEYS_ESCAPE);
        keys->bytes[keys->n++] = byte;
        return false;
    }
    return byte < 0x80 ? emit(keys, key_of_ascii(byte), out) : begin_utf8(keys, byte);
}

static bool feed_utf8(struct nsc_keys *keys, unsigned char byte, struct nsc_input *out)
{
    if ((byte & 0xc0) != 0x80) {
        begin(keys, NSC_KEYS_GROUND);
        return feed_ground(keys, byte, out);
    }
    keys->code_point = keys->code_point << 6 | (byte & 0x3f);
    if (--keys->missing)
        return false;
    if (keys->code_point < keys->code_min || keys->code_point > 0x10ffff ||
        (keys->code_point >= 0xd800 && keys->code_point < 0xe000) || keys->code_point < 0xa0)
        return emit(keys, NSC_KEY_NONE, out);
    return emit(keys, keys->code_point, out);
}

/* ---- sequences ---- */

struct params {
    int at[MAX_PARAMS];
    unsigned n;
    bool plain; /* only digits and semicolons so far */
};

static struct params read_params(const unsigned char *bytes, size_t n)
{
    struct params params = {{0}, 1, true};

    for (size_t i = 0; i < n; i++) {
        int *at = params.n <= MAX_PARAMS ? &params.at[params.n - 1] : NULL;

        if (bytes[i] == ';' || bytes[i] == ':')
            params.n++;
        else if (bytes[i] < '0' || bytes[i] > '9')
            params.plain = false;
        else if (at && *at < 0x110000)
            *at = *at * 10 + (bytes[i] - '0');
    }
    return params;
}

static nsc_key modifiers(int param)
{
    int bits = param > 1 ? param - 1 : 0;

    return (bits & 1 ? NSC_KEY_SHIFT : 0u) | (bits & 2 ? NSC_KEY_ALT : 0u) |
           (bits & 4 ? NSC_KEY_CTRL : 0u);
}

static nsc_key key_of_letter(unsigned char letter)
{
    static const struct {
        unsigned char letter;
        nsc_key key;
    } letters[] = {
        {'A', NSC_KEY_UP},
        {'B', NSC_KEY_DOWN},
        {'C', NSC_KEY_RIGHT},
        {'D', NSC_KEY_LEFT},
        {'H', NSC_KEY_HOME},
        {'F', NSC_KEY_END},
        {'P', NSC_KEY_F1},
        {'Q', NSC_KEY_F1 + 1},
        {'R', NSC_KEY_F1 + 2},
        {'S', NSC_KEY_F1 + 3},
        {'M', NSC_KEY_ENTER},
        {'j', '*'},
        {'k', '+'},
        {'m', '-'},
        {'n', '.'},
        {'o', '/'},
    };

    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == letter)
            return letters[i].key;
    return letter >= 'p' && letter <= 'y' ? (nsc_key)(letter - 'p' + '0') : NSC_KEY_NONE;
}

static nsc_key key_of_number(int number)
{
    static const nsc_key low[] = {NSC_KEY_NONE,      NSC_KEY_HOME, NSC_KEY_INSERT,
                                  NSC_KEY_DELETE,    NSC_KEY_END,  NSC_KEY_PAGE_UP,
                                  NSC_KEY_PAGE_DOWN, NSC_KEY_HOME, NSC_KEY_END};

    if (number >= 0 && number < (int)(sizeof low / sizeof *low))
        return low[number];
    /* F1 to F5, F6 to F10, F11 and F12; the numbering has a gap after each group. */
    if (number >= 11 && number <= 15)
        return NSC_KEY_F1 + (nsc_key)(number - 11);
    if (number >= 17 && number <= 21)
        return NSC_KEY_F1 + (nsc_key)(number - 12);
    if (number == 23 || number == 24)
        return NSC_KEY_F1 + (nsc_key)(number - 13);
    return NSC_KEY_NONE;
}

/* A character with its modifiers, from terminals that distinguish Ctrl-Enter from Enter. */
static nsc_key key_of_code(int code, int modifier)
{
    nsc_key held = modifiers(modifier);
    nsc_key key = code == ESC ? NSC_KEY_ESCAPE
                  : code < 32 ? key_of_ascii((unsigned char)code)
                              : (nsc_key)code;

    if (code <= 0 || code > 0x10ffff || (code >= 0x80 && code < 0xa0))
        return NSC_KEY_NONE;
    if (key > NSC_KEY_SPACE && key < DEL)
        held &= ~(nsc_key)NSC_KEY_SHIFT;
    if (held & NSC_KEY_CTRL && key >= 'A' && key <= 'Z')
        key += 'a' - 'A';
    /* some terminals cannot distinguish these three, so we never do */
    if (held & NSC_KEY_CTRL && (key == 'i' || key == 'm' || key == '[')) {
        key = key == 'i' ? NSC_KEY_TAB : key == 'm' ? NSC_KEY_ENTER : NSC_KEY_ESCAPE;
        held &= ~(nsc_key)NSC_KEY_CTRL;
    }
    return key | held;
}

static nsc_key key_of_control(const struct nsc_keys *keys, unsigned char final)
{
    struct params params = read_params(keys->bytes + 2, keys->n - 3);
    nsc_key key = NSC_KEY_NONE;

    if (!params.plain)
        return NSC_KEY_NONE;
    if (final == 'Z')
        return NSC_KEY_TAB | NSC_KEY_SHIFT;
    if (final == 'u')
        return key_of_code(params.at[0], params.at[1]);
    if (final == '~' && params.at[0] == 27 && params.n == 3)
        return key_of_code(params.at[2], params.at[1]);
    if (final == '~')
        key = key_of_number(params.at[0]);
    else if (final >= 'A' && final <= 'S' && final != 'M' && params.at[0] <= 1)
        key = key_of_letter(final);
    return key == NSC_KEY_NONE ? key : key | modifiers(params.at[1]);
}

static bool input_mouse(struct nsc_keys *keys, unsigned char final, struct nsc_input *out)
{
    struct params params = read_params(keys->bytes + 3, keys->n - 4);

    begin(keys, NSC_KEYS_GROUND);
    return params.plain && params.n == 3 &&
           nsc_mouse_input(&keys->mouse, params.at[0], params.at[1], params.at[2], final == 'm',
                           out);
}

static bool end_control(struct nsc_keys *keys, unsigned char final, struct nsc_input *out)
{
    struct params params = read_params(keys->bytes + 2, keys->n - 3);

    if (keys->bytes[2] == '<' && (final == 'M' || final == 'm'))
        return input_mouse(keys, final, out);
    if (final == 'M' && keys->n == 3) {
        keys->state = NSC_KEYS_OLD_MOUSE;
        keys->missing = 3;
        return false;
    }
    if (final == '~' && params.plain && params.at[0] == 200) {
        begin(keys, NSC_KEYS_PASTE);
        return false;
    }
    return emit(keys, key_of_control(keys, final), out);
}

static nsc_key described_key(const struct nsc_keys *keys)
{
    for (size_t i = 0; i < keys->n_strings; i++) {
        const char *bytes = keys->strings[i].bytes;

        if (strlen(bytes) == keys->n && !memcmp(bytes, keys->bytes, keys->n))
            return keys->strings[i].key;
    }
    return NSC_KEY_NONE;
}

static bool feed_control(struct nsc_keys *keys, unsigned char byte, struct nsc_input *out)
{
    bool linux_function =
        keys->n == 3 && byte == '['; /* the Linux console sends ESC [ [ A for F1 */

    if (byte >= 0x40 && byte <= 0x7e && !linux_function)
        return end_control(keys, byte, out);
    if (byte < 0x20 || byte > 0x7e)
        return emit(keys, NSC_KEY_NONE, out);
    if (keys->n == NSC_KEYS_SEQUENCE)
        begin(keys, NSC_KEYS_SKIP);
    return false;
}

static bool feed_single(struct nsc_keys *keys, unsigned char byte, struct nsc_input *out)
{
    struct params params = read_params(keys->bytes + 2, keys->n - 3);
    nsc_key key = key_of_letter(byte);

    if ((byte >= '0' && byte <= '9') || byte == ';')
        return keys->n == NSC_KEYS_SEQUENCE ? emit(keys, NSC_KEY_NONE, out) : false;
    if (key != NSC_KEY_NONE)
        key |= modifiers(params.at[params.n == 2]);
    return emit(keys, key, out);
}

/* After ESC: the next character starts a sequence or is a key pressed with Alt. */
static bool feed_escape(struct nsc_keys *keys, unsigned char byte, struct nsc_input *out)
{
    if (byte == '[') {
        keys->state = NSC_KEYS_CONTROL;
    } else if (byte == 'O') {
        keys->state = NSC_KEYS_SINGLE;
    } else if (byte != 0 && strchr("]P_^X", byte)) {
        begin(keys, NSC_KEYS_STRING);
        keys->bytes[keys->n++] = byte;
        keys->escaped = false;
    } else {
        keys->alt = true;
        return byte < 0x80 ? emit(keys, key_of_ascii(byte), out) : begin_utf8(keys, byte);
    }
    return false;
}

static bool feed_sequence(struct nsc_keys *keys, unsigned char byte, struct nsc_input *out)
{
    nsc_key key = NSC_KEY_NONE;

    if (byte == ESC) {
        bool was_alone = keys->state == NSC_KEYS_ESCAPE;

        begin(keys, NSC_KEYS_ESCAPE);
        keys->bytes[keys->n++] = byte;
        out->type = NSC_INPUT_KEY;
        out->key = NSC_KEY_ESCAPE;
        return was_alone;
    }
    keys->bytes[keys->n++] = byte;
    key = described_key(keys);
    if (key != NSC_KEY_NONE)
        return emit(keys, key, out);
    if (keys->state == NSC_KEYS_CONTROL)
        return feed_control(keys, byte, out);
    return keys->state == NSC_KEYS_SINGLE ? feed_single(keys, byte, out)
                                          : feed_escape(keys, byte, out);
}

/* ---- ignored input ---- */

/* Ends an OSC. Reads its text only if it was stored whole. */
static bool end_string(struct nsc_keys *keys, struct nsc_input *out)
{
    struct nsc_text text = {(const char *)keys->bytes + 1, (uint32_t)keys->n - 1};
    bool is_osc = keys->bytes[0] == ']';

    begin(keys, NSC_KEYS_GROUND);
    out->type = NSC_INPUT_BACKDROP;
    return is_osc && nsc_backdrop_read(&out->color, text);
}

static bool feed_string(struct nsc_keys *keys, unsigned char byte, struct nsc_input *out)
{
    bool was_escape = keys->escaped;

    keys->escaped = byte == ESC;
    if (byte == BEL || (byte == '\\' && was_escape))
        return end_string(keys, out);
    if (byte == ESC)
        return false;
    if (keys->n + 1 < NSC_KEYS_SEQUENCE)
        keys->bytes[keys->n++] = byte;
    else
        keys->bytes[0] = 0; /* too long to be any known answer */
    return false;
}

static void feed_paste(struct nsc_keys *keys, unsigned char byte)
{
    if (byte != (unsigned char)paste_end[keys->n])
        keys->n = 0;
    if (byte == (unsigned char)paste_end[keys->n])
        keys->n++;
    if (!paste_end[keys->n])
        begin(keys, NSC_KEYS_GROUND);
}

static bool feed_old_mouse(struct nsc_keys *keys, unsigned char byte, struct nsc_input *out)
{
    keys->bytes[keys->n++] = byte;
    if (--keys->missing)
        return false;
    keys->state = NSC_KEYS_GROUND;
    return nsc_mouse_input(&keys->mouse, keys->bytes[3] - 32, keys->bytes[4] - 32,
                           keys->bytes[5] - 32, false, out);
}

/* ---- the decoder ---- */

bool nsc_keys_feed(struct nsc_keys *keys, unsigned char byte, uint64_t now, struct nsc_input *out)
{
    memset(out, 0, sizeof *out);
    out->now = now;
    keys->at = now;
    switch (keys->state) {
    case NSC_KEYS_GROUND:
        return feed_ground(keys, byte, out);
    case NSC_KEYS_UTF8:
        return feed_utf8(keys, byte, out);
    case NSC_KEYS_ESCAPE:
    case NSC_KEYS_CONTROL:
    case NSC_KEYS_SINGLE:
        return feed_sequence(keys, byte, out);
    case NSC_KEYS_SKIP:
        if (byte < 0x20 || byte >= 0x40)
            begin(keys, NSC_KEYS_GROUND);
        return false;
    case NSC_KEYS_STRING:
        return feed_string(keys, byte, out);
    case NSC_KEYS_OLD_MOUSE:
        return feed_old_mouse(keys, byte, out);
    case NSC_KEYS_PASTE:
        feed_paste(keys, byte);
        return false;
    }
    return false;
}

static uint64_t patience(const struct nsc_keys *keys)
{
    if (keys->state == NSC_KEYS_ESCAPE)
        return NSC_KEYS_ESCAPE_MS;
    return keys->state == NSC_KEYS_PASTE || keys->state == NSC_KEYS_STRING ? NSC_KEYS_PASTE_MS
                                                                           : NSC_KEYS_BROKEN_MS;
}

int nsc_keys_wait(const struct nsc_keys *keys, uint64_t now)
{
    uint64_t due = keys->at + patience(keys);

    if (keys->state == NSC_KEYS_GROUND)
        return -1;
    return due > now ? (int)(due - now) : 0;
}

bool nsc_keys_flush(struct nsc_keys *keys, uint64_t now, struct nsc_input *out)
{
    nsc_key key = NSC_KEY_NONE;

    memset(out, 0, sizeof *out);
    out->now = now;
    if (nsc_keys_wait(keys, now) != 0)
        return false;
    if (keys->state == NSC_KEYS_ESCAPE)
        key = NSC_KEY_ESCAPE;
    else if (keys->state == NSC_KEYS_CONTROL && keys->n == 2)
        key = NSC_KEY_ALT | '[';
    else if (keys->state == NSC_KEYS_SINGLE && keys->n == 2)
        key = NSC_KEY_ALT | 'O';
    return emit(keys, key, out);
}

/* ---- the mouse ---- */

enum { CODE_SHIFT = 4, CODE_CTRL = 16, CODE_MOTION = 32, CODE_WHEEL = 64, CODE_MORE = 128 };

static int cell_from(int n)
{
    return n < 1 ? 0 : n > 4096 ? 4095 : n - 1;
}

/* A press is a double click if it matches the last one in place, button and time. */
static enum nsc_mouse_action press(struct nsc_mouse *mouse, const struct nsc_input *in)
{
    bool same = mouse->armed && mouse->button == in->mouse.button && mouse->row == in->mouse.row &&
                mouse->col == in->mouse.col;
    bool twice = same && in->now - mouse->at <= NSC_MOUSE_DOUBLE_MS;

    *mouse = (struct nsc_mouse){in->mouse.button, in->mouse.row, in->mouse.col, in->now, !twice};
    return twice ? NSC_MOUSE_DOUBLE : NSC_MOUSE_PRESS;
}

/* The wheel has no release. A sideways tilt pans, like Shift with the wheel. */
static bool wheel(struct nsc_input *out, int code, bool released)
{
    if (released || code & CODE_MOTION)
        return false;
    out->mouse.action = code & 1 ? NSC_MOUSE_WHEEL_DOWN : NSC_MOUSE_WHEEL_UP;
    out->mouse.shift = out->mouse.shift || code & 2;
    return true;
}

bool nsc_mouse_input(struct nsc_mouse *mouse, int code, int col, int row, bool released,
                     struct nsc_input *out)
{
    int button = code & 3;

    out->type = NSC_INPUT_MOUSE;
    out->mouse.row = cell_from(row);
    out->mouse.col = cell_from(col);
    out->mouse.shift = code & CODE_SHIFT;
    out->mouse.ctrl = code & CODE_CTRL;
    out->mouse.button = 0;
    if (code < 0 || code & CODE_MORE)
        return false;
    if (code & CODE_WHEEL)
        return wheel(out, code, released);
    /* Three means "no button": a release in the old protocol, motion alone in both. */
    if (button == 3) {
        out->mouse.button = mouse->button ? mouse->button : 1;
        out->mouse.action = NSC_MOUSE_RELEASE;
        return !(code & CODE_MOTION);
    }
    out->mouse.button = button + 1;
    if (released)
        out->mouse.action = NSC_MOUSE_RELEASE;
    else
        out->mouse.action = code & CODE_MOTION ? NSC_MOUSE_DRAG : press(mouse, out);
    return true;
}
