/* The scene and its earlier views. Only the files that write a scene include this. */
#ifndef NSC_VIEW_SCENE_EDIT_H
#define NSC_VIEW_SCENE_EDIT_H

#include "index/passes.h"
#include "view/scene/history.h"
#include "view/scene/scene.h"

/* What a filter keeps of the projected ranges. */
struct nsc_projected {
    uint64_t *mask;                /* a bit a row of the projection; NULL: no filter */
    uint32_t n;                    /* rows filtered so far */
    struct nsc_summary_pass *pass; /* once all are */
    struct nsc_summary *summary;   /* once it is done */
};

struct nsc_scene_edit {
    struct nsc_scene scene;
    struct nsc_moves moves;
    struct nsc_projected projected; /* scene.lines.projected borrows its summary */
    struct nsc_projected next_projected;
};

#endif
