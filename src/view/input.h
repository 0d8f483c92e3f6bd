/*
 * What can happen to the application: keys, the mouse, a new size, time passing, and answers to
 * what it asked for.
 */
#ifndef NSC_VIEW_INPUT_H
#define NSC_VIEW_INPUT_H

#include "nsyscope/open.h"
#include "nsyscope/trace.h"

#include "core/buf.h"

/*
 * A key: a code point or one of the specials, with modifiers or-ed in. Shift is told only for keys
 * that type nothing. Ctrl with a letter has the lower-case letter; Ctrl-I, Ctrl-M and Ctrl-[ are
 * Tab, Enter and Escape.
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
 * "Left", "Shift+Right", "Ctrl-L", "PgUp", "Tab", "Space", "Esc", "F1", "+", "é". Words in any
 * case; "Hash" is #, which in files begins a comment. False when text is no key.
 */
bool nsc_key_parse(nsc_key *out, struct nsc_text text);
/* The same, the other way: parse(format(k)) == k for every valid k, "?" for the rest. */
void nsc_key_format(char out[32], nsc_key key);
/* A code point or special that is printable or has a name, with modifiers that make sense for
 * it. */
bool nsc_key_is_valid(nsc_key key);
/* What the key types, as UTF-8, not terminated; returns how many bytes: 0 for keys that type
 * nothing. */
size_t nsc_key_utf8(char out[4], nsc_key key);

enum nsc_input_type {
    NSC_INPUT_KEY,
    NSC_INPUT_MOUSE,
    NSC_INPUT_RESIZE,
    NSC_INPUT_TICK,     /* nothing else waits: time for a slice of work (NSC_EFFECT_WORK) */
    NSC_INPUT_PROGRESS, /* a load goes on */
    NSC_INPUT_LOADED,   /* a load ended well: trace is borrowed and outlives the application */
    NSC_INPUT_FAILED,   /* a load or another effect failed: text says why */
    NSC_INPUT_DETAILS,  /* the answer to NSC_EFFECT_DETAILS */
    NSC_INPUT_CHANGED,  /* the export changed on disk */
    NSC_INPUT_LINK,     /* the link to the terminal became slow, or is no more */
    NSC_INPUT_THEME,    /* the answer to NSC_EFFECT_THEME: export_colors */
    NSC_INPUT_COMMAND,  /* a line of the command line: text */
    NSC_INPUT_MESSAGE,  /* something to tell in the status line: text */
    NSC_INPUT_QUERY,    /* the answer to NSC_EFFECT_QUERY: relation, or text and column */
    NSC_INPUT_EXPORT,   /* of NSC_EFFECT_EXPORT: exported, with progress or text */
    NSC_INPUT_BUILT,    /* NSC_EFFECT_BUILD is done */
    NSC_INPUT_FINDINGS, /* of NSC_EFFECT_FINDINGS: progress, in the end findings */
    NSC_INPUT_BOOKMARKS /* bookmarks that were read or saved, text to tell of it or NULL */
};

enum nsc_exported {
    NSC_EXPORTED_PART,   /* it goes on: progress */
    NSC_EXPORTED_ALL,    /* the file is there */
    NSC_EXPORTED_EXISTS, /* a file was there: nothing was written */
    NSC_EXPORTED_FAILED  /* or cancelled: text says why */
};

struct nsc_bookmarks;
struct nsc_findings;
struct nsc_relation;
struct nsc_session_state;

enum nsc_mouse_action {
    NSC_MOUSE_PRESS,
    NSC_MOUSE_DRAG,
    NSC_MOUSE_RELEASE,
    NSC_MOUSE_DOUBLE,
    NSC_MOUSE_WHEEL_UP,
    NSC_MOUSE_WHEEL_DOWN
};

struct nsc_input {
    enum nsc_input_type type;
    nsc_key key; /* KEY */
    struct {
        enum nsc_mouse_action action;
        int button; /* 1 left, 2 middle, 3 right */
        int row, col;
        bool shift, ctrl;
    } mouse;
    uint32_t rows, cols;               /* RESIZE */
    uint64_t now;                      /* ms on a monotonic clock: all types */
    struct nsc_progress_view progress; /* PROGRESS, EXPORT, FINDINGS */
    enum nsc_exported exported;        /* EXPORT */
    struct nsc_findings *findings;     /* FINDINGS: taken over; or NULL */
    const struct nsc_trace *trace;     /* LOADED */
    bool early; /* LOADED: the first rows of a trace that comes with another LOADED */
    const struct nsc_table_status
        *tables; /* LOADED: what came of each table; borrowed like the trace */
    uint32_t n_tables;
    nsc_event event;                       /* DETAILS: which one was asked for */
    const struct nsc_details *details;     /* DETAILS: copied by the application */
    const char *text;                      /* FAILED, COMMAND, MESSAGE */
    struct nsc_relation *relation;         /* QUERY: taken over; or NULL */
    int column;                            /* QUERY: the byte where it is wrong; -1: not known */
    bool export_colors;                    /* THEME: as in nsc_app_options */
    bool slow;                             /* LINK */
    struct nsc_bookmarks *bookmarks;       /* BOOKMARKS: taken over; or NULL */
    const struct nsc_session_state *state; /* BOOKMARKS: the view to restore; or NULL. After an
                                              early LOADED borrowed until the other one */
};

#endif
