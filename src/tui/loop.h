/*
 * Runs an application on a terminal: takes inputs, draws frames, passes effects to the owner of
 * files and threads.
 *
 * The loop sleeps until something happens. It reads all pending input before it draws and keeps
 * frames at least NSC_LOOP_FRAME_MS apart. It draws no frame until the link has taken the last one,
 * so that it never sends outdated frames. A slow link gets cheaper and fewer frames.
 */
#ifndef NSC_TUI_LOOP_H
#define NSC_TUI_LOOP_H

#include "tui/term.h"
#include "view/app/app.h"

#define NSC_LOOP_FRAME_MS 16
/* The longest that a frame waits for details, which it would erase and draw again. */
#define NSC_LOOP_HOLD_MS 30

enum nsc_loop_next { NSC_LOOP_NONE, NSC_LOOP_INPUT, NSC_LOOP_END };

/* Callbacks of the owner, or NULL; the loop calls all of them on its own thread. */
struct nsc_loop_hooks {
    void *context;
    int wake_fd; /* readable when next() has an input; the loop drains it */
    /* Gives the next input; out->now is set by the caller. NONE: no input. END: end the loop. */
    enum nsc_loop_next (*next)(void *context, struct nsc_input *out);
    /* Ms until the loop must call next() again without a wake; -1: never. */
    int (*wait)(void *context, uint64_t now);
    /* Gets the effects that the loop does not carry out itself. */
    void (*effect)(void *context, const struct nsc_effects *effects);
};

enum nsc_loop_result {
    NSC_LOOP_QUIT,  /* the user quit */
    NSC_LOOP_ENDED, /* next() said END */
    NSC_LOOP_GONE,  /* the terminal hung up */
    NSC_LOOP_SIGNAL /* nsc_signals_ended() returns it */
};

struct nsc_loop_options {
    bool ascii;
    bool economy; /* treat the link as slow, whatever its speed */
};

/* What the loop runs. */
struct nsc_screen {
    void *context;
    struct nsc_effects (*input)(void *context, const struct nsc_input *input);
    void (*draw)(void *context, struct nsc_grid *grid);
};

enum nsc_loop_result nsc_loop_run(struct nsc_term *term, struct nsc_screen screen,
                                  const struct nsc_loop_options *options,
                                  const struct nsc_loop_hooks *hooks);

#endif
