/*
 * The tree of ranges, in two faces: every instance in time order, or equal paths merged.
 *
 * Created when first opened; owned by the application. Keys change it, nsc_tree_update computes the
 * visible lines, drawing reads them.
 */
#ifndef NSC_VIEW_MODEL_TREE_H
#define NSC_VIEW_MODEL_TREE_H

#include "nsyscope/calltree.h"

#include "analysis/ranges/instance_runs.h"
#include "analysis/ranges/tree_gpu.h"
#include "core/vec.h"
#include "view/kit/action.h"
#include "view/kit/grid.h"
#include "view/kit/list.h"

enum nsc_tree_sort {
    NSC_TREE_BY_TIME,
    NSC_TREE_BY_SELF,
    NSC_TREE_BY_COUNT,
    NSC_TREE_BY_GPU,
    NSC_TREE_BY_IDLE,
    NSC_TREE_BY_NAME,
    NSC_N_TREE_SORTS
};

#define NSC_TREE_FITTING \
    (UINT32_MAX - 1) /* as many levels as fit on the screen, once its size is
                                           * known */

/* A line of the screen. */
struct nsc_tree_line {
    struct nsc_instance at; /* in the face of instances */
    uint32_t node;          /* in the face of merged paths */
    uint32_t depth;
    bool is_cursor, has_children, is_open;
    struct nsc_instance_run run; /* n > 1: the place is in a run that has a line of its own when
                                  * closed */
    uint32_t run_at;             /* places of an open run before this one */
    bool is_run;                 /* the line stands for all of a closed run */
    bool is_selected;            /* between the cursor and the anchor */
    nsc_time bubble;             /* > 0: not a place, but the idle time before the next one */
};

/* A place that the user opened or closed against the depth limit; all: with everything below; run:
 * not the place, but the run that begins with it. */
struct nsc_tree_choice {
    struct nsc_instance at;
    bool open, all, run;
};

struct nsc_tree_walk { /* the face of instances */
    struct nsc_instances all;
    struct nsc_instance cursor, top;
    struct nsc_instance anchor; /* where the selection began; NSC_NO_INSTANCE: none */
    bool linear;                /* all places are open, at one depth */
    uint32_t levels;            /* levels that are open unless a choice says otherwise */
    uint32_t levels_before;     /* the filter: levels to return to */
    bool shows_matches;         /* the filter opened everything */
    NSC_VEC(struct nsc_tree_choice) choices;
};

struct nsc_tree_merged {
    struct nsc_calltree *calls; /* NULL until it is first shown */
    struct nsc_tree_gpu gpu, captured;
    nsc_time whole;     /* total of the roots */
    uint32_t *depth;    /* by node */
    uint32_t *order;    /* nodes in preorder, siblings sorted */
    uint64_t *open;     /* one bit per node */
    uint32_t *shown;    /* visible nodes, in order */
    uint32_t median_of; /* node; NSC_NONE */
    nsc_time median;
    struct nsc_list list;
};

/* What the figures of ranges count: work that was launched in them, or captured. */
struct nsc_tree_measure {
    struct nsc_launches *launches; /* NULL: no capture is known */
    struct nsc_helper_launches lends;
    struct nsc_helper_figures lent;
};

/* Which columns of times are shown, in the order in which the key cycles. */
enum nsc_tree_times { NSC_TREE_DURATIONS, NSC_TREE_STARTS, NSC_TREE_NO_TIMES, NSC_N_TREE_TIMES };

struct nsc_tree {
    const struct nsc_trace *trace;
    struct nsc_launches *launches;              /* kept by the filter; NULL: all */
    struct nsc_tree_measure launched, captured; /* of the whole trace */
    bool merged_face;
    enum nsc_tree_times times;
    bool bubbles;
    bool exact;            /* numbers distinguish paths */
    nsc_time least_bubble; /* ns */
    uint64_t *keep;        /* rows kept by the filter, with the ranges around them; NULL: all */
    size_t keep_bytes;
    struct nsc_instance_runs runs;
    enum nsc_tree_sort sort;
    struct nsc_tree_walk walk;
    struct nsc_tree_merged merged;
    size_t height; /* number of lines available */
    NSC_VEC(struct nsc_tree_line) lines;
};

/* Uses only the rows that mask selects (NULL: all), borrowed for the call. NULL if out of
 * memory. */
struct nsc_tree *nsc_tree_new(const struct nsc_trace *trace, const uint64_t *mask);
/* Changes the selection of rows, keeping cursor and open places. False, without any change, if out
 * of memory. */
bool nsc_tree_filter(struct nsc_tree *tree, const uint64_t *mask);
/* After nsc_tree_filter: opens everything that a filter keeps; without one returns to the levels
 * that were open before, and to the cursor. */
void nsc_tree_show_matches(struct nsc_tree *tree, bool is_filtered);
void nsc_tree_free(struct nsc_tree *tree);
/* Builds the merged face on first use. False if out of memory. */
bool nsc_tree_merge(struct nsc_tree *tree);
/* Computes the visible lines for so many screen rows. */
void nsc_tree_update(struct nsc_tree *tree, size_t height);
/* The event under the cursor; for a merged path its slowest; NSC_NONE. */
nsc_event nsc_tree_event(const struct nsc_tree *tree);
/* From the first start to the last end of the selection, or of the cursor's line. False for lines
 * that are not events, and for merged paths. */
bool nsc_tree_span(const struct nsc_tree *tree, struct nsc_window *out);
/* Moves the cursor to an event and opens everything around it. False if it is not in the tree. */
bool nsc_tree_reveal(struct nsc_tree *tree, nsc_event event);
/* The same for the visible face, to follow the timeline's cursor: runs of ops stay closed, and in
 * merged paths the deepest visible one gets the cursor. */
bool nsc_tree_follow(struct nsc_tree *tree, nsc_event event);
/* Runs an action on the tree. False if it had no effect. */
bool nsc_tree_action(struct nsc_tree *tree, enum nsc_action action);
/* Moves the cursor to a screen line, from 0. False if there is none. */
bool nsc_tree_click(struct nsc_tree *tree, size_t line);
void nsc_tree_scroll(struct nsc_tree *tree, int64_t by);
/* The cursor's position in the whole tree, in thousandths. */
uint32_t nsc_tree_permille(const struct nsc_tree *tree);

/* ---- the two faces: cursor, what is open, lines ---- */

enum nsc_tree_step { NSC_TREE_LINES, NSC_TREE_FIRST, NSC_TREE_LAST, NSC_TREE_PARENT };
enum nsc_tree_open { NSC_TREE_OPEN, NSC_TREE_CLOSE, NSC_TREE_OPEN_ALL, NSC_TREE_CLOSE_ALL };

bool nsc_tree_walk_step(struct nsc_tree *tree, enum nsc_tree_step step, int64_t by);
/* Moves by lines, and selects those in between. */
bool nsc_tree_walk_extend(struct nsc_tree *tree, int64_t by);
bool nsc_tree_walk_span(const struct nsc_tree *tree, struct nsc_window *out);
bool nsc_tree_walk_set(struct nsc_tree *tree, struct nsc_instance at, enum nsc_tree_open what);
void nsc_tree_walk_levels(struct nsc_tree *tree, uint32_t levels);
/* follows: goes to the line of an op's run instead of opening the run. */
bool nsc_tree_walk_reveal(struct nsc_tree *tree, nsc_event event, bool follows);
void nsc_tree_walk_lines(struct nsc_tree *tree, size_t height);
void nsc_tree_walk_scroll(struct nsc_tree *tree, int64_t by);
uint32_t nsc_tree_walk_permille(const struct nsc_tree *tree);

bool nsc_tree_merged_step(struct nsc_tree *tree, enum nsc_tree_step step, int64_t by);
uint32_t nsc_tree_merged_cursor(const struct nsc_tree *tree); /* node; NSC_NONE */
bool nsc_tree_merged_set(struct nsc_tree *tree, uint32_t node, enum nsc_tree_open what);
void nsc_tree_merged_levels(struct nsc_tree *tree, uint32_t levels);
void nsc_tree_merged_sort(struct nsc_tree *tree);
void nsc_tree_merged_reveal(struct nsc_tree *tree, uint32_t node);
void nsc_tree_merged_lines(struct nsc_tree *tree, size_t height);
void nsc_tree_merged_clear(struct nsc_tree *tree);

#endif
