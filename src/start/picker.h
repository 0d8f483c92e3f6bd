/*
 * The picker: exports and reports of a folder on the terminal, before any is opened.
 */
#ifndef NSC_START_PICKER_H
#define NSC_START_PICKER_H

#include "core/argv.h"
#include "tui/loop.h"
#include "view/kit/keymap.h"

struct nsc_picker_options {
    const char *folder; /* it and all below it; borrowed, as the next */
    const struct nsc_keymap *keymap;
    struct nsc_loop_options loop;
    int out; /* a file that gets the picked paths, a NUL after each */
};

/* Runs until the user picks or leaves. It closes the terminal and does not wait for a disk that does
 * not answer: end the process then. exit_status: 128 + N for a signal. NSC_EWRITE. */
NSC_NODISCARD enum nsc_status nsc_picker_run(int *exit_status, struct nsc_term *term,
                                             const int wake[2],
                                             const struct nsc_picker_options *options,
                                             struct nsc_error *error);
/* Adds the paths of such a file. */
void nsc_picker_read(struct nsc_argv *out, int from);

#endif
