/*
 * The covers of devices that follow the filter: those of the trace without one, else made of the
 * rows that it keeps, a slice at a time. Private to app*.c and pane_*.c.
 */
#ifndef NSC_VIEW_APP_COVERS_H
#define NSC_VIEW_APP_COVERS_H

#include "index/passes.h"
#include "view/app/app.h"

struct nsc_app_covers {
    uint32_t serial;              /* of the filter they are for */
    uint32_t n;                   /* tracks */
    struct nsc_device_covers *at; /* by track; NULL: none are made */
    bool *made;                   /* by track */
    uint32_t next;                /* the track that comes next */
    struct nsc_covers_pass *work; /* of it; NULL: not begun */
};

void nsc_app_covers_fini(struct nsc_app *app);
/* After each input: a slice of what is left to do. */
void nsc_app_covers_update(struct nsc_app *app, struct nsc_effects *effects);
/* Those of what is shown of a device; NULL while they are not made, or there are none. Borrowed
 * until the filter changes. */
const struct nsc_device_covers *nsc_app_device_covers(const struct nsc_app *app, uint32_t track);
/* Whether those of a device are still to come. */
bool nsc_app_covers_wait(const struct nsc_app *app, uint32_t track);

#endif
