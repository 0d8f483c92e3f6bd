/*
 * The terminal: taken over on open, given back on close, and on every other way out.
 *
 * It has its own descriptor of the terminal, which never blocks: a stalled link can delay what is
 * shown, but neither a key nor the end. Errors are NSC_EINVAL: there is no terminal, or none to
 * draw on.
 */
#ifndef NSC_TUI_TERM_H
#define NSC_TUI_TERM_H

#include "tui/blit.h"
#include "tui/keys.h"
#include "tui/signals.h"
#include "tui/terminfo.h"

#define NSC_TERM_MAX 1000 /* rows and columns that are drawn */

struct nsc_term {
    int fd, flags;
    struct termios saved;
    bool utf8; /* else the grid must be drawn with ASCII alone */
    struct nsc_terminfo info;
    struct nsc_blit *blit;
    struct nsc_buf out; /* bytes that wait for the link */
    size_t sent;        /* of them */
    uint64_t bytes;     /* all that were ever queued */
    bool gone;          /* hung up */
    bool mouse;         /* its reports are asked for */
};

struct nsc_term_options {
    const struct nsc_theme *theme; /* borrowed */
    enum nsc_color_mode color;
    bool mouse;
    int wake_fd; /* gets a byte at each signal that the loop must take */
};

NSC_NODISCARD enum nsc_status nsc_term_open(struct nsc_term *term,
                                            const struct nsc_term_options *options,
                                            struct nsc_error *error);
void nsc_term_close(struct nsc_term *term);

/* The size now, 1 to NSC_TERM_MAX each; 24 x 80 when the terminal does not know. */
void nsc_term_size(const struct nsc_term *term, uint32_t *rows, uint32_t *cols);
/* Queues what turns the last frame into this one. Call only while nothing waits. */
NSC_NODISCARD enum nsc_status nsc_term_draw(struct nsc_term *term, const struct nsc_grid *grid,
                                            struct nsc_error *error);
/* Sends what the link takes now; true when nothing waits any more. */
bool nsc_term_flush(struct nsc_term *term);
void nsc_term_bell(struct nsc_term *term);
/* Whether mouse reports are asked for from now on, and how many colours are used: AUTO for as many
 * as at the start, never more. */
void nsc_term_change(struct nsc_term *term, bool mouse, enum nsc_color_mode color);

#define NSC_TERM_COPY_BYTES 74000 /* of base64: what terminals take at least */
/* Asks the terminal to put text on its clipboard (OSC 52). False, and nothing is sent, for more
 * text than that and for terminals that would print it. */
bool nsc_term_copy(struct nsc_term *term, struct nsc_text text);
/* Gives the terminal back, stops the process, and takes the terminal again when it is continued. */
void nsc_term_suspend(struct nsc_term *term);
/* Takes the terminal again after somebody else may have changed it; the next frame sends
 * everything. */
void nsc_term_retake(struct nsc_term *term);
/* Up to n bytes of input: 0 none now. Sets gone when there will never be more. */
size_t nsc_term_read(struct nsc_term *term, unsigned char *out, size_t n);

#endif
