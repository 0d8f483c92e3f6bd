/*
 * A line being typed: its text, a cursor that moves by visible characters, and earlier lines.
 *
 * The owner calls init and fini. The text is valid UTF-8 without control characters, and ends in a
 * NUL.
 */
#ifndef NSC_VIEW_KIT_PROMPT_H
#define NSC_VIEW_KIT_PROMPT_H

#include "view/kit/grid.h"
#include "view/kit/keymap.h"

#define NSC_PROMPT_BYTES 1024 /* most bytes of a line, with its NUL */
#define NSC_PROMPT_LINES 100  /* most remembered lines */

struct nsc_prompt {
    char text[NSC_PROMPT_BYTES];
    size_t n, at;                  /* bytes; cursor, always between two clusters */
    size_t offered;                /* the first typed character replaces the bytes from here */
    char *lines[NSC_PROMPT_LINES]; /* oldest first, owned */
    size_t n_lines;
    size_t line;                  /* line shown; n_lines: the one being typed */
    char draft[NSC_PROMPT_BYTES]; /* the typed line while an older one is shown; searches look for
                                   * it */
};

enum nsc_prompt_result {
    NSC_PROMPT_SAME, /* no effect: ring the bell */
    NSC_PROMPT_MOVED,
    NSC_PROMPT_CHANGED,  /* the text changed */
    NSC_PROMPT_ACCEPTED, /* already in the history; the text stays until cleared */
    NSC_PROMPT_CANCELLED
};

void nsc_prompt_init(struct nsc_prompt *prompt);
void nsc_prompt_fini(struct nsc_prompt *prompt);
/* Replaces the line with cleaned text, cut if too long, and puts the cursor at its end. */
void nsc_prompt_set(struct nsc_prompt *prompt, struct nsc_text text);
/* Adds a line to the history, unless it is empty or equals the newest one. */
void nsc_prompt_add_history(struct nsc_prompt *prompt, struct nsc_text line);
/* Replaces the bytes [from, to) by cleaned text, and puts the cursor after it. False, without any
 * change, if there is no room. */
bool nsc_prompt_replace(struct nsc_prompt *prompt, size_t from, size_t to, struct nsc_text text);
/* action: the keymap's action for the key in NSC_KEY_SCOPE_PROMPT; without one the key is typed. */
enum nsc_prompt_result nsc_prompt_input(struct nsc_prompt *prompt, enum nsc_action action,
                                        nsc_key key);
/* Draws label and line in one row, scrolled so that the cursor is visible, and puts the grid's
 * cursor there. */
void nsc_prompt_draw(const struct nsc_prompt *prompt, struct nsc_grid *grid, struct nsc_rect rect,
                     const char *label);

/* The column of the line's byte at when drawn in this way; inside rect. */
int nsc_prompt_col(const struct nsc_prompt *prompt, struct nsc_rect rect, const char *label,
                   bool ascii, size_t at);

#endif
