/*
 * Covers of devices that match the filter: those of the trace without a filter, else built from the
 * rows that it keeps.
 */
#ifndef NSC_VIEW_SCENE_COVERS_H
#define NSC_VIEW_SCENE_COVERS_H

#include "index/passes.h"
#include "view/scene/scene.h"

struct nsc_kept_covers {
    uint32_t serial;              /* of the filter they are for */
    uint32_t n;                   /* tracks */
    struct nsc_device_covers *at; /* by track; NULL: none are made */
    bool *made;                   /* by track */
    uint32_t next;                /* the track that comes next */
    struct nsc_covers_pass *work; /* of it; NULL: not begun */
};

/* The covers of a device; NULL while they are being built, or if there are none. Borrowed until the
 * filter changes. */
const struct nsc_device_covers *
nsc_scene_covers(const struct nsc_scene *scene, const struct nsc_kept_covers *kept, uint32_t track);
/* Whether the covers of a device are still being built. */
bool nsc_scene_covers_wait(const struct nsc_scene *scene, const struct nsc_kept_covers *kept,
                           uint32_t track);

/* Whether a track is a device with work. */
bool nsc_scene_has_work(const struct nsc_scene *scene, uint32_t track);

#endif
