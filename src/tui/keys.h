/*
 * Turns bytes from the terminal into key and mouse inputs.
 *
 * The decoder takes one byte at a time and reads no terminal and no clock. Key sequences come from
 * the terminal's description, or else from the xterm grammar. The only answer of the terminal that
 * becomes an input is its background colour. Other answers, unknown sequences and pasted text
 * produce nothing: only a pressed key may act.
 */
#ifndef NSC_TUI_KEYS_H
#define NSC_TUI_KEYS_H

#include "view/app/input.h"

#define NSC_KEYS_SEQUENCE  40   /* longer sequences are ignored */
#define NSC_KEYS_ESCAPE_MS 25   /* an ESC with nothing after it for this long is the Escape key */
#define NSC_KEYS_BROKEN_MS 250  /* an unfinished sequence is dropped after this */
#define NSC_KEYS_PASTE_MS  1000 /* an unfinished paste ends after this */

/* One key from the terminal's description. */
struct nsc_key_string {
    const char *bytes;
    nsc_key key;
};

#define NSC_MOUSE_DOUBLE_MS 400

/* The last press, to detect double clicks: terminals report none, and curses would wait for one. */
struct nsc_mouse {
    int button, row, col;
    uint64_t at;
    bool armed; /* the next press may complete a double click */
};

enum nsc_keys_state {
    NSC_KEYS_GROUND,
    NSC_KEYS_UTF8,      /* inside a multibyte character */
    NSC_KEYS_ESCAPE,    /* behind ESC */
    NSC_KEYS_CONTROL,   /* behind ESC [ */
    NSC_KEYS_SINGLE,    /* behind ESC O */
    NSC_KEYS_SKIP,      /* inside a sequence that is too long */
    NSC_KEYS_STRING,    /* inside an answer: OSC, DCS, APC, PM or SOS */
    NSC_KEYS_OLD_MOUSE, /* after ESC [ M: three bytes follow */
    NSC_KEYS_PASTE
};

struct nsc_keys {
    const struct nsc_key_string *strings; /* borrowed */
    size_t n_strings;
    bool utf8; /* if false, bytes above 0x7e are no keys */
    enum nsc_keys_state state;
    unsigned char bytes
        [NSC_KEYS_SEQUENCE]; /* the sequence so far, with its ESC; or an answer so far, with the
                              * byte after its ESC; in a paste, its possible end */
    size_t n;
    uint32_t code_point, code_min;
    unsigned missing; /* missing bytes of the character or mouse report */
    bool alt;
    bool escaped; /* in an answer: the last byte was ESC */
    uint64_t at;  /* ms: last byte */
    struct nsc_mouse mouse;
};

void nsc_keys_init(struct nsc_keys *keys, const struct nsc_key_string *strings, size_t n_strings,
                   bool utf8);
/* Returns true when this byte completes an input; sets out->now and the fields of its type. */
bool nsc_keys_feed(struct nsc_keys *keys, unsigned char byte, uint64_t now, struct nsc_input *out);
/* Ms until flush() must decide a pending sequence; -1 when none is pending. */
int nsc_keys_wait(const struct nsc_keys *keys, uint64_t now);
/* Decides a pending sequence whose time is over; returns true when it is a key. */
bool nsc_keys_flush(struct nsc_keys *keys, uint64_t now, struct nsc_input *out);

/*
 * Decodes one mouse report: code as in xterm's protocol (button, 4 shift, 8 alt, 16 control, 32
 * motion, 64 wheel), col and row from 1; released if an SGR report says so. False if the
 * application does not use it.
 */
bool nsc_mouse_input(struct nsc_mouse *mouse, int code, int col, int row, bool released,
                     struct nsc_input *out);

#endif
