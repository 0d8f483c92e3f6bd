/*
 * Bytes from the terminal, turned into keys and mouse inputs.
 *
 * A decoder fed one byte at a time; it reads no terminal and no clock. Key sequences come from the
 * terminal's description and, for those it lacks, from the xterm grammar all terminals follow.
 * Answers of the terminal, unknown sequences and pasted text produce nothing: only a key that was
 * pressed may act.
 */
#ifndef NSC_TUI_KEYS_H
#define NSC_TUI_KEYS_H

#include "tui/mouse.h"
#include "view/app/input.h"

#define NSC_KEYS_SEQUENCE  32   /* longer sequences are swallowed */
#define NSC_KEYS_ESCAPE_MS 25   /* an ESC followed by nothing for so long is the Escape key */
#define NSC_KEYS_BROKEN_MS 250  /* a sequence that does not go on is given up */
#define NSC_KEYS_PASTE_MS  1000 /* a paste that neither goes on nor ends is over */

/* One key of the terminal's description. */
struct nsc_key_string {
    const char *bytes;
    nsc_key key;
};

enum nsc_keys_state {
    NSC_KEYS_GROUND,
    NSC_KEYS_UTF8,      /* inside a multibyte character */
    NSC_KEYS_ESCAPE,    /* behind ESC */
    NSC_KEYS_CONTROL,   /* behind ESC [ */
    NSC_KEYS_SINGLE,    /* behind ESC O */
    NSC_KEYS_SKIP,      /* inside a sequence that is too long */
    NSC_KEYS_STRING,    /* inside OSC, DCS, APC, PM or SOS: an answer */
    NSC_KEYS_OLD_MOUSE, /* behind ESC [ M: three bytes to come */
    NSC_KEYS_PASTE
};

struct nsc_keys {
    const struct nsc_key_string *strings; /* borrowed */
    size_t n_strings;
    bool utf8; /* else bytes past 0x7e are no keys */
    enum nsc_keys_state state;
    unsigned char
        bytes[NSC_KEYS_SEQUENCE]; /* the sequence so far, ESC included; the end of a paste so far */
    size_t n;
    uint32_t code_point, code_min;
    unsigned missing; /* bytes of the character, of the mouse report */
    bool alt;
    uint64_t at; /* ms: last byte */
    struct nsc_mouse mouse;
};

void nsc_keys_init(struct nsc_keys *keys, const struct nsc_key_string *strings, size_t n_strings,
                   bool utf8);
/* True when the byte completed an input; now and all fields of its type are set. */
bool nsc_keys_feed(struct nsc_keys *keys, unsigned char byte, uint64_t now, struct nsc_input *out);
/* Ms until what is pending must be decided by flush(); -1: nothing is pending. */
int nsc_keys_wait(const struct nsc_keys *keys, uint64_t now);
/* Decides what is pending when its time is over: true when that is a key. */
bool nsc_keys_flush(struct nsc_keys *keys, uint64_t now, struct nsc_input *out);

#endif
