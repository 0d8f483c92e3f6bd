/*
 * The loop between a terminal and an application: inputs in, frames out, effects to whoever owns
 * files and threads.
 *
 * It sleeps until something happens. All input that has come is read before a frame is drawn,
 * frames are at least NSC_LOOP_FRAME_MS apart, and none is drawn while the link has not taken the
 * one before: what is old is never sent. A link that is slow to take them gets cheaper frames, and
 * fewer.
 */
#ifndef NSC_TUI_LOOP_H
#define NSC_TUI_LOOP_H

#include "tui/term.h"
#include "view/app/app.h"

#define NSC_LOOP_FRAME_MS 16

enum nsc_loop_next { NSC_LOOP_NONE, NSC_LOOP_INPUT, NSC_LOOP_END };

/* The other side: what happens besides the terminal. All are called on the loop's thread. */
struct nsc_loop_hooks {
    void *context;
    int wake_fd; /* readable: call next(); drained by the loop */
    /* The next input, out->now set before; NONE when there is none, END when the loop shall end. */
    enum nsc_loop_next (*next)(void *context, struct nsc_input *out);
    /* Ms until next() is to be called again without a wake; -1: never. */
    int (*wait)(void *context, uint64_t now);
    /* Called with effects of which the loop does not do every one itself. */
    void (*effect)(void *context, const struct nsc_effects *effects);
};

enum nsc_loop_result {
    NSC_LOOP_QUIT,  /* the user quit */
    NSC_LOOP_ENDED, /* next() said END */
    NSC_LOOP_GONE   /* the terminal hung up */
};

struct nsc_loop_options {
    bool ascii;
    bool economy; /* as for a slow link, whether it is one or not */
};

enum nsc_loop_result nsc_loop_run(struct nsc_term *term, struct nsc_app *app,
                                  const struct nsc_loop_options *options,
                                  const struct nsc_loop_hooks *hooks);

#endif
