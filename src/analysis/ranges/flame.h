/*
 * The frames of a flame graph: where the time of a window goes, by the path of NVTX ranges.
 *
 * One frame stands for all events of one name below one path; names of ranges that differ only in
 * their numbers are one, as in the tree of ranges. Every figure is exact for the window: what
 * reaches out of it is clipped.
 */
#ifndef NSC_ANALYSIS_FLAME_H
#define NSC_ANALYSIS_FLAME_H

#include "nsyscope/trace.h"

enum nsc_flame_by {
    NSC_FLAME_GPU, /* GPU work under the ranges around its launch; the work itself is the leaf */
    NSC_FLAME_CPU, /* push/pop ranges as they nest on their threads */
    NSC_N_FLAME_BYS
};

#define NSC_FLAME_MOST 262144 /* frames */

struct nsc_flame_query {
    enum nsc_flame_by by;
    const uint64_t *mask; /* GPU: ops that count; CPU: ranges that count. NULL: all */
    struct nsc_window window;
    uint32_t most; /* frames: the time of further ones stays with what is around; 0: the default */
};

struct nsc_flame_frame {
    nsc_name name;     /* the first of those merged */
    bool is_mixed;     /* its ranges have different texts */
    bool is_work;      /* GPU work; else a range */
    uint32_t parent;   /* NSC_NONE for those at the root */
    uint32_t skip;     /* frames below are (i, skip) */
    uint32_t depth;    /* 0 at the root */
    uint64_t count;    /* GPU: ops here and below; CPU: ranges */
    nsc_time total;    /* ns inside the window, of all its events summed, saturating */
    nsc_time self;     /* ns: total less that of the frames directly below, at least 0 */
    nsc_time at;       /* ns: where it is drawn, from the left edge of the graph */
    nsc_event slowest; /* its event with the longest single time inside the window; GPU: a range
                          around the longest op */
    nsc_time longest;  /* ns: that time */
};

/* Preorder; siblings by total, the greatest first, then by their first event in the trace. */
struct nsc_flame {
    struct nsc_flame_frame *frames;
    uint32_t n;
    uint32_t levels; /* one more than the deepest depth */
    nsc_time whole;  /* ns: the sum of the roots, saturating */
    bool is_cut;     /* there were more frames than `most` */
};

/*
 * GPU: each op of a stream that mask selects and that is inside the window for more than 0 ns adds
 * that time to every frame of its path, which is nsc_event_path and then the op (at most
 * NSC_PATH_MOST ranges). CPU: each push/pop range that mask selects adds its time inside the window
 * to its own frame, whose parent is that of the next range around it that is selected and inside
 * the window for more than 0 ns. Free it with nsc_flame_free.
 */
struct nsc_flame *nsc_flame_build(const struct nsc_trace *trace,
                                  const struct nsc_flame_query *query);
void nsc_flame_free(struct nsc_flame *flame);

#endif
