/*
 * Finds the covers that match the filter.
 */
#include "view/scene/covers.h"

#include "view/scene/look.h"

bool nsc_scene_has_work(const struct nsc_scene *scene, uint32_t track)
{
    const struct nsc_device_covers *whole = nsc_trace_device_covers(scene->trace, track);

    return whole && whole->busy;
}

bool nsc_scene_covers_wait(const struct nsc_scene *scene, const struct nsc_kept_covers *kept,
                           uint32_t track)
{
    return nsc_scene_is_filtered(scene) && nsc_scene_has_work(scene, track) &&
           !(kept->at && kept->serial == scene->summary_no && kept->made[track]);
}

const struct nsc_device_covers *nsc_scene_covers(const struct nsc_scene *scene,
                                                 const struct nsc_kept_covers *kept, uint32_t track)
{
    if (!nsc_scene_is_filtered(scene))
        return nsc_trace_device_covers(scene->trace, track);
    return nsc_scene_has_work(scene, track) && !nsc_scene_covers_wait(scene, kept, track)
               ? &kept->at[track]
               : NULL;
}
