/*
 * Mouse reports of a terminal, turned into what the application understands.
 */
#ifndef NSC_TUI_MOUSE_H
#define NSC_TUI_MOUSE_H

#include "view/app/input.h"

#define NSC_MOUSE_DOUBLE_MS 400

/* The last press, to tell a double click: ours, because terminals do not and curses waits for
 * it. */
struct nsc_mouse {
    int button, row, col;
    uint64_t at;
    bool armed; /* there was a press that the next one may double */
};

/*
 * One report: code as in xterm's protocol (button, 4 shift, 8 alt, 16 control, 32 motion, 64
 * wheel), col and row from 1. released: the report says so itself (SGR). False for what means
 * nothing to the application.
 */
bool nsc_mouse_input(struct nsc_mouse *mouse, int code, int col, int row, bool released,
                     struct nsc_input *out);

#endif
