/*
 * The frames of a flame graph: the time of a window by path of NVTX ranges, its CPU samples by call
 * stack, or the time of CUDA calls by the program's own function.
 *
 * One frame stands for all events of one name below one path. Names of ranges that differ only in
 * numbers are merged, as in the tree of ranges. Every figure is exact for the window: events are
 * clipped to it.
 */
#ifndef NSC_ANALYSIS_FLAME_H
#define NSC_ANALYSIS_FLAME_H

#include "nsyscope/trace.h"

#include "analysis/base/stacks.h"
#include "core/sparse.h"

enum nsc_flame_by {
    NSC_FLAME_GPU,      /* GPU work under the ranges around its launch; work frames are leaves */
    NSC_FLAME_CAPTURED, /* work of CUDA graphs under the ranges around its capture */
    NSC_FLAME_CPU,      /* push/pop ranges as they nest on their threads */
    NSC_FLAME_SAMPLES,  /* CPU samples by call stack; a frame is a function, and its "time" is the
                        * number of its samples */
    NSC_FLAME_OWN,      /* CUDA calls and the idle time of GPUs before what they launch, by the
                         * program's own function; counts of calls */
    NSC_N_FLAME_BYS
};

#define NSC_FLAME_MOST 262144 /* most frames */

struct nsc_flame_query {
    enum nsc_flame_by by;
    const uint64_t *mask; /* the ops, ranges or samples that count; NULL: all */
    struct nsc_window window;
    bool is_whole; /* events count whole, not clipped to the window; idle time is always clipped */
    uint32_t most; /* most frames; the time of further ones stays in the frame around them; 0: the
                    * default */
    const struct nsc_stacks *stacks; /* SAMPLES and OWN; NULL: none */
    const struct nsc_sparse *idle;   /* OWN: nsc_time by call: how long GPUs are idle before
 * what it launched */
};

struct nsc_flame_frame {
    nsc_name name;     /* the first of the merged names; SAMPLES, OWN: an nsc_str of the stacks */
    bool is_mixed;     /* its ranges have different texts */
    bool is_work;      /* GPU work; else a range */
    uint32_t parent;   /* NSC_NONE for roots */
    uint32_t skip;     /* frames below are (i, skip) */
    uint32_t depth;    /* 0 at the root */
    uint64_t count;    /* GPU: ops here and below; CPU: ranges; SAMPLES: samples here and below */
    nsc_time total;    /* ns inside the window, summed over all its events, saturating; SAMPLES:
                        * equal to count, and so in the fields below */
    nsc_time self;     /* ns: total minus that of the frames directly below, at least 0 */
    nsc_time at;       /* ns from the left edge of the graph to where it is drawn */
    nsc_event slowest; /* its event with the most time inside the window; GPU: a range around the
                        * longest op; SAMPLES: its first sample */
    nsc_time longest;  /* ns: the time of that event; SAMPLES: 1 */
};

/* Frames in preorder; siblings by total, the greatest first, then by their first event in the
 * trace. */
struct nsc_flame {
    struct nsc_flame_frame *frames;
    uint32_t n;
    uint32_t levels; /* deepest depth + 1 */
    nsc_time whole;  /* ns: the sum of the roots, saturating */
    bool is_cut;     /* there were more frames than `most` */
};

/*
 * GPU, and CAPTURED of the ops with a known capture: the path of an op is nsc_event_path (at most NSC_PATH_MOST ranges) followed by the op. Each
 * op on a stream that mask selects adds its time inside the window to every frame of its path, if
 * that time is above 0 ns. CPU: each push/pop range that mask selects adds its time inside the
 * window to its own frame. The parent is the frame of the next range around it that is selected and
 * has more than 0 ns in the window. SAMPLES: each sample that mask selects counts in every frame of
 * its stack. OWN: each call that mask selects adds its time inside the window to its name and to its
 * function, and its idle time to NSC_OWN_IDLE there. Free it with nsc_flame_free.
 */
struct nsc_flame *nsc_flame_build(const struct nsc_trace *trace,
                                  const struct nsc_flame_query *query);
void nsc_flame_free(struct nsc_flame *flame);

#endif
