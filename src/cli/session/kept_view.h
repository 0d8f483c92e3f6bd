/*
 * Keeps the view on the disk while the session runs: every ten seconds if it has changed, so that
 * whatever ends the program loses no more.
 */
#ifndef NSC_CLI_KEPT_VIEW_H
#define NSC_CLI_KEPT_VIEW_H

#include "core/buf.h"

#include <stdint.h>

struct nsc_app;
struct nsc_loader;

/* Zero is the start; free with fini. */
struct nsc_kept_view {
    uint64_t at;         /* ms: when to look next; 0: not yet known */
    bool due;            /* something happened since the last look */
    struct nsc_buf text; /* the view as it was saved last */
};

void nsc_kept_view_fini(struct nsc_kept_view *kept);
/* To be called after each input, at now ms. */
void nsc_kept_view_update(struct nsc_kept_view *kept, const struct nsc_app *app,
                          struct nsc_loader *loader, uint64_t now);

#endif
