/* The scene and its earlier views. Only the files that write a scene include this. */
#ifndef NSC_VIEW_SCENE_EDIT_H
#define NSC_VIEW_SCENE_EDIT_H

#include "view/scene/history.h"
#include "view/scene/scene.h"

struct nsc_scene_edit {
    struct nsc_scene scene;
    struct nsc_moves moves;
    uint64_t *projected_mask; /* what the filter keeps of scene.lines.projection, a bit a row */
    struct nsc_summary *projected;
};

#endif
