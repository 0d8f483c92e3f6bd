/*
 * The tour: the application on the screen with a line below it that says which key to press next.
 */
#ifndef NSC_START_TOUR_H
#define NSC_START_TOUR_H

#include "core/argv.h"
#include "tui/loop.h"
#include "view/kit/keymap.h"

/* Runs an application on a screen. A plain value. */
struct nsc_tour {
    struct nsc_app *app;             /* borrowed, as the next */
    const struct nsc_keymap *keymap; /* of the tour; NULL: there is no tour */
    unsigned step;                   /* of tour.def */
    bool half;                       /* its first key is pressed */
    uint32_t rows, cols;             /* of the whole screen */
};
/* The screen of the application, with the tour if it has one. */
struct nsc_screen nsc_tour_screen(struct nsc_tour *tour);
/* Appends the steps as Markdown, with the pictures to draw. */
void nsc_tour_document(struct nsc_buf *out);
/* Makes the example in the user's folder of caches, and adds its path. NSC_EWRITE. */
NSC_NODISCARD enum nsc_status nsc_tour_example(struct nsc_argv *out, struct nsc_error *error);

#endif
