/*
 * What the filter keeps of the ranges projected onto the devices, found in slices: a large trace
 * has millions of them. Private to this room.
 */
#ifndef NSC_VIEW_SCENE_PROJECTED_H
#define NSC_VIEW_SCENE_PROJECTED_H

#include "view/scene/edit.h"

/* Starts anew after a change of filter or projection; the rows show the previous result until the
 * last slice. Small projections are done at once. */
void nsc_projected_begin(struct nsc_scene_edit *edit);
void nsc_projected_drop(struct nsc_scene_edit *edit);

#endif
