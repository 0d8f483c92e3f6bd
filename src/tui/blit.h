/*
 * Turns a grid of cells into the bytes that update a terminal.
 *
 * The bytes go to a buffer, never to the terminal: the caller sends each frame as one piece when the
 * terminal is ready, and can measure it. terminfo keeps global state, so only one such screen exists
 * at a time.
 */
#ifndef NSC_TUI_BLIT_H
#define NSC_TUI_BLIT_H

#include "nsyscope/status.h"

#include "core/buf.h"
#include "tui/color.h"
#include "view/kit/grid.h"
#include "view/kit/theme.h"

struct nsc_blit;

struct nsc_blit_options {
    const char *type;              /* terminal description */
    const struct nsc_theme *theme; /* borrowed */
    enum nsc_color_mode color;     /* not AUTO */
    bool modern;                   /* wrap frames in synchronized updates */
};

NSC_NODISCARD enum nsc_status nsc_blit_new(struct nsc_blit **out,
                                           const struct nsc_blit_options *options,
                                           struct nsc_error *error);
void nsc_blit_free(struct nsc_blit *blit);
/* Forgets what the terminal shows: the next frame clears it and sends everything. */
void nsc_blit_clear(struct nsc_blit *blit);
/* Limits the colours below those at creation; AUTO lifts the limit. Sends everything again. */
void nsc_blit_color(struct nsc_blit *blit, enum nsc_color_mode color);
/* Appends the bytes that turn the last frame into this one; none if nothing changed. NSC_EIO: out
 * of memory. */
NSC_NODISCARD enum nsc_status nsc_blit_draw(struct nsc_buf *out, struct nsc_blit *blit,
                                            const struct nsc_grid *grid, struct nsc_error *error);

#endif
