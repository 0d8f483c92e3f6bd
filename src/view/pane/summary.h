/*
 * The summary: the time of each GPU, the iterations, the longest kernels, and where to look next.
 * Every line leads somewhere.
 */
#ifndef NSC_VIEW_PANE_SUMMARY_H
#define NSC_VIEW_PANE_SUMMARY_H

#include "analysis/select/selection.h"
#include "view/kit/keymap.h"
#include "view/kit/list.h"
#include "view/pane/findings.h"
#include "view/scene/axis.h"

#define NSC_PANE_SUMMARY_MOST     64 /* most lines */
#define NSC_PANE_SUMMARY_GPUS     16
#define NSC_PANE_SUMMARY_KERNELS  8
#define NSC_PANE_SUMMARY_LEAST    3 /* kernels, however small the pane is */
#define NSC_PANE_SUMMARY_FINDINGS 8

enum nsc_summary_line {
    NSC_SUMMARY_GPU,        /* what: track */
    NSC_SUMMARY_ITERATIONS, /* all iterations */
    NSC_SUMMARY_KERNEL,     /* what: number of the group */
    NSC_SUMMARY_FINDING,    /* what: number of the finding */
    NSC_SUMMARY_WALK        /* what: the action that lists places by length, or opens a pane */
};

struct nsc_pane_summary {
    struct nsc_list list;
    struct nsc_summary_item {
        enum nsc_summary_line line;
        uint32_t what;
    } items[NSC_PANE_SUMMARY_MOST];
    struct nsc_selection *made; /* work of all GPUs by name, unfiltered; NULL: not begun; owned */
    size_t lines;               /* of all kernels, whether or not the pane has room for them */
    size_t most;                /* lines that it can have at most, until all are known */
    bool is_fresh;              /* shown since the start: the first move opens the details */
    nsc_time cursor;            /* cursor and window at the start */
    struct nsc_window window;
};

/* From the first to the last work of a device. */
struct nsc_window nsc_pane_summary_span(const struct nsc_trace *trace, uint32_t device);
/* Lists the available lines, with fewer kernels if list.height is small; findings: NULL while they
 * are not known. */
void nsc_pane_summary_list(struct nsc_pane_summary *summary, const struct nsc_scene *scene,
                           const struct nsc_explore *explore,
                           const struct nsc_pane_findings *findings);
int nsc_pane_summary_draw(const struct nsc_scene *scene, const struct nsc_explore *explore,
                          const struct nsc_pane_findings *findings,
                          const struct nsc_pane_summary *summary, const struct nsc_keymap *keymap,
                          bool focus, struct nsc_grid *grid, struct nsc_rect rect);

#endif
