/*
 * Turns a terminal's mouse reports into inputs of the application.
 */
#ifndef NSC_TUI_MOUSE_H
#define NSC_TUI_MOUSE_H

#include "view/app/input.h"

#define NSC_MOUSE_DOUBLE_MS 400

/* The last press, for detecting double clicks: terminals report none, and curses would wait for
 * one. */
struct nsc_mouse {
    int button, row, col;
    uint64_t at;
    bool armed; /* the next press may complete a double click */
};

/*
 * Decodes one report: code as in xterm's protocol (button, 4 shift, 8 alt, 16 control, 32 motion,
 * 64 wheel), col and row from 1; released when an SGR report says so. Returns false when the
 * application has no use for it.
 */
bool nsc_mouse_input(struct nsc_mouse *mouse, int code, int col, int row, bool released,
                     struct nsc_input *out);

#endif
