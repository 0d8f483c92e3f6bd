/*
 * The terminal: taken over on open, given back on close and on every other exit.
 *
 * It uses a non-blocking descriptor of its own: a stalled link delays frames, but neither keys nor
 * quitting. NSC_EINVAL: there is no terminal, or it cannot draw.
 */
#ifndef NSC_TUI_TERM_H
#define NSC_TUI_TERM_H

#include "tui/blit.h"
#include "tui/color.h"
#include "tui/keys.h"
#include "tui/signals.h"
#include "tui/terminfo.h"

#define NSC_TERM_MAX 1000 /* most rows and columns drawn */

struct nsc_term {
    int fd, flags;
    struct termios saved;
    bool utf8; /* if false, the grid must use ASCII only */
    struct nsc_terminfo info;
    struct nsc_blit *blit;
    struct nsc_buf out; /* bytes waiting for the link */
    size_t sent;        /* of them */
    uint64_t bytes;     /* all bytes ever queued */
    bool gone;          /* hung up */
    bool mouse;         /* the terminal sends mouse reports */
    bool asked;         /* asked for its background colour, and has not answered */
    struct nsc_backdrop backdrop;
};

struct nsc_term_options {
    const struct nsc_theme *theme; /* borrowed */
    enum nsc_color_mode color;
    bool mouse, utf8;
    int wake_fd; /* receives a byte at each signal for the loop */
};

NSC_NODISCARD enum nsc_status nsc_term_open(struct nsc_term *term,
                                            const struct nsc_term_options *options,
                                            struct nsc_error *error);
void nsc_term_close(struct nsc_term *term);

/* The current size, 1 to NSC_TERM_MAX each; 24 x 80 if the terminal reports none. */
void nsc_term_size(const struct nsc_term *term, uint32_t *rows, uint32_t *cols);
/* Queues the bytes that turn the last frame into this one. Call only if nothing is queued. */
NSC_NODISCARD enum nsc_status nsc_term_draw(struct nsc_term *term, const struct nsc_grid *grid,
                                            struct nsc_error *error);
/* Sends as much as the link takes now; true once nothing is left. */
bool nsc_term_flush(struct nsc_term *term);
/* Discards an answer of the terminal that is still on its way: waits for it for at most ms, so that
 * the shell does not read it as keys. */
void nsc_term_settle(struct nsc_term *term, int ms);
void nsc_term_bell(struct nsc_term *term);
/* Switches mouse reports, and sets the number of colours: AUTO for as many as at the start, never
 * more. */
void nsc_term_change(struct nsc_term *term, bool mouse, enum nsc_color_mode color);

#define NSC_TERM_COPY_BYTES 74000 /* bytes of base64 that every terminal accepts */
/* Puts text on the terminal's clipboard (OSC 52). Returns false and sends nothing if the text is
 * longer, or if the terminal would print the request. */
bool nsc_term_copy(struct nsc_term *term, struct nsc_text text);
/* Gives the terminal back, stops the process, and takes the terminal again when the process
 * continues. */
void nsc_term_suspend(struct nsc_term *term);
/* Takes the terminal again after another program used it; the next frame sends everything. */
void nsc_term_resume(struct nsc_term *term);
/* Reads up to n bytes of input; 0: none now. Sets gone at the end of input. */
size_t nsc_term_read(struct nsc_term *term, unsigned char *out, size_t n);

#endif
