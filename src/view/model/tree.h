/*
 * The tree of ranges and what it shows: every instance in time order, or equal paths merged.
 *
 * Made when it is first opened, owned by the application. Keys change it, nsc_tree_update finds the
 * lines that are on the screen, drawing reads them.
 */
#ifndef NSC_VIEW_MODEL_TREE_H
#define NSC_VIEW_MODEL_TREE_H

#include "nsyscope/calltree.h"

#include "analysis/ranges/instances.h"
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

#define NSC_TREE_FITTING (UINT32_MAX - 1) /* levels: as many as fit the screen, when it is known */

/* A line of the screen. */
struct nsc_tree_line {
    struct nsc_instance at; /* instances */
    uint32_t node;          /* merged */
    uint32_t depth;
    bool is_cursor, has_children, is_open;
    uint32_t run, run_at; /* run > 0: work of a run of so many; a closed one stands on one line */
    bool is_selected;     /* between the cursor and where the selection began */
    nsc_time bubble;      /* > 0: no place but the idle time before the next one */
};

/* A place that the user opened or closed against the depth limit; all: including everything
 * below. */
struct nsc_tree_choice {
    struct nsc_instance at;
    bool open, all;
};

struct nsc_tree_walk { /* the instances */
    struct nsc_instances all;
    struct nsc_instance cursor, top;
    struct nsc_instance anchor; /* where a selection began; NSC_NO_INSTANCE: none */
    bool linear;                /* everything is open, and stands at one depth */
    uint32_t levels;            /* how many are open unless a choice says otherwise */
    NSC_VEC(struct nsc_tree_choice) choices;
};

struct nsc_tree_merged {
    struct nsc_calltree *calls; /* NULL until it is first shown */
    struct nsc_tree_gpu gpu;
    nsc_time whole;     /* the roots' total */
    uint32_t *depth;    /* by node */
    uint32_t *order;    /* preorder with siblings sorted */
    uint64_t *open;     /* a bit a node */
    uint32_t *shown;    /* nodes in order that are not hidden */
    uint32_t median_of; /* node; NSC_NONE */
    nsc_time median;
    struct nsc_list list;
};

struct nsc_tree {
    const struct nsc_trace *trace;
    struct nsc_launches *launches;
    struct nsc_lends lends; /* of the whole trace */
    struct nsc_lent_figures lent;
    bool merged_face;
    bool no_times;
    bool bubbles;
    bool exact;            /* paths that differ in their digits only are told apart */
    nsc_time least_bubble; /* ns */
    uint64_t *keep;        /* rows that a filter leaves, with the ranges around; NULL: all */
    size_t keep_bytes;
    enum nsc_tree_sort sort;
    struct nsc_tree_walk walk;
    struct nsc_tree_merged merged;
    size_t height; /* lines there is room for */
    NSC_VEC(struct nsc_tree_line) lines;
};

/* Only of what mask selects, which is borrowed for the call (NULL: all). NULL when the memory is
 * refused. */
struct nsc_tree *nsc_tree_new(const struct nsc_trace *trace, const uint64_t *mask);
/* Changes the selection of rows; cursor and open places stay. False, and nothing changes, without
 * memory. */
bool nsc_tree_filter(struct nsc_tree *tree, const uint64_t *mask);
void nsc_tree_free(struct nsc_tree *tree);
/* Builds the merged face if it is not there. False when the memory is refused. */
bool nsc_tree_merge(struct nsc_tree *tree);
/* Finds the lines for so many rows of screen. */
void nsc_tree_update(struct nsc_tree *tree, size_t height);
/* The event under the cursor, of a merged path its slowest; NSC_NONE. */
nsc_event nsc_tree_event(const struct nsc_tree *tree);
/* From the first start to the last end of what is selected, of the cursor's line without a
 * selection. False for lines that are no events, and for merged paths. */
bool nsc_tree_span(const struct nsc_tree *tree, struct nsc_window *out);
/* Cursor on an event, everything around it open. False when it is not in the tree. */
bool nsc_tree_reveal(struct nsc_tree *tree, nsc_event event);
/* The same for the face that is shown, as the cursor of the timeline moves: runs stay closed, of
 * merged paths the deepest one that is shown. */
bool nsc_tree_follow(struct nsc_tree *tree, nsc_event event);
/* Runs an action on the tree. False if there was nothing to do. */
bool nsc_tree_action(struct nsc_tree *tree, enum nsc_action action);
/* Lines of the screen, from 0: cursor there; open or close it. */
bool nsc_tree_click(struct nsc_tree *tree, size_t line, bool toggle);
void nsc_tree_scroll(struct nsc_tree *tree, int64_t by);
/* The cursor's position in the whole tree, in thousandths. */
uint32_t nsc_tree_permille(const struct nsc_tree *tree);

/* ---- the two faces: cursor, what is open, lines ---- */

enum nsc_tree_step { NSC_TREE_LINES, NSC_TREE_FIRST, NSC_TREE_LAST, NSC_TREE_PARENT };
enum nsc_tree_open { NSC_TREE_OPEN, NSC_TREE_CLOSE, NSC_TREE_OPEN_ALL, NSC_TREE_CLOSE_ALL };

bool nsc_tree_walk_step(struct nsc_tree *tree, enum nsc_tree_step step, int64_t by);
/* Moves by a line and selects what lies between. */
bool nsc_tree_walk_extend(struct nsc_tree *tree, int64_t by);
bool nsc_tree_walk_span(const struct nsc_tree *tree, struct nsc_window *out);
bool nsc_tree_walk_is_open(const struct nsc_tree *tree, struct nsc_instance at);
bool nsc_tree_walk_set(struct nsc_tree *tree, struct nsc_instance at, enum nsc_tree_open what);
void nsc_tree_walk_levels(struct nsc_tree *tree, uint32_t levels);
/* follows: goes to the line of the event's run, else opens it. */
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
