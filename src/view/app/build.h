/*
 * What takes long to build from a large trace: the tree, its merged paths and their order, the
 * projection of ranges. Private to app*.c and pane_*.c.
 *
 * Small traces, and callers without threads, build at once. Else the application asks with
 * NSC_EFFECT_BUILD, its caller runs nsc_app_build_run on a thread of its own and tells it with
 * NSC_INPUT_BUILT. Meanwhile the application does not touch what is being built; what was given up
 * is thrown away when it is done.
 */
#ifndef NSC_VIEW_APP_BUILD_H
#define NSC_VIEW_APP_BUILD_H

#include "view/app/app.h"
#include "view/app/filter.h"
#include "view/kit/action.h"

struct nsc_tree;
struct nsc_projection;

enum nsc_build {
    NSC_BUILD_NONE,
    NSC_BUILD_TREE,   /* a new tree */
    NSC_BUILD_FILTER, /* the tree of another filter */
    NSC_BUILD_MERGE,  /* its merged paths */
    NSC_BUILD_ACTION, /* what a key does to them; is not given up */
    NSC_BUILD_PROJECTION
};

struct nsc_app_build {
    enum nsc_build what; /* NONE: nothing is being built */
    bool due;            /* to be asked for */
    bool given_up;
    enum nsc_action action;            /* ACTION */
    uint64_t *mask;                    /* a copy of the filter's; NULL: everything */
    char filter[NSC_PROMPT_BYTES];     /* what mask stands for */
    nsc_event reveal;                  /* in the tree once it is there; NSC_NONE */
    struct nsc_tree *tree;             /* TREE: what was made */
    struct nsc_projection *projection; /* PROJECTION */
    bool failed;                       /* too little memory */
};

/* Whether building is left to another thread. */
bool nsc_app_builds_apart(const struct nsc_app *app);
/* Begins; false when something is being built already. */
bool nsc_app_build(struct nsc_app *app, enum nsc_build what);
/* The same for what a key does to the tree. */
bool nsc_app_build_action(struct nsc_app *app, enum nsc_action action);
/* Whether the tree is not to be touched. */
bool nsc_app_tree_is_built(const struct nsc_app *app);
/* Gives up what is being built; false when nothing is that can be. */
bool nsc_app_build_cancel(struct nsc_app *app);
void nsc_app_build_done(struct nsc_app *app);
void nsc_app_build_update(struct nsc_app *app, struct nsc_effects *effects);
void nsc_app_build_fini(struct nsc_app *app);

#endif
