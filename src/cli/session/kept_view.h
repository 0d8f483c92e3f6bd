/*
 * Saves the view during the session: every ten seconds if it has changed, so that a crash loses no
 * more.
 */
#ifndef NSC_CLI_KEPT_VIEW_H
#define NSC_CLI_KEPT_VIEW_H

#include "core/buf.h"

#include <stdbool.h>
#include <stdint.h>

struct nsc_app;
struct nsc_session_state;

/* Zero is the initial state; free the text. */
struct nsc_kept_view {
    uint64_t at;         /* ms: time of the next check; 0: not set */
    bool due;            /* there was input since the last check */
    struct nsc_buf text; /* the view last saved */
};

/* Call it after each input, at now ms. True if the view is to be saved: then out has it, and the
 * caller calls fini. */
bool nsc_kept_view_update(struct nsc_kept_view *kept, const struct nsc_app *app, uint64_t now,
                          struct nsc_session_state *out);

#endif
