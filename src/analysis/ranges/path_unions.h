/*
 * Lengths of unions along the paths of a forest: each interval counts for a node and all around it.
 *
 * Naive meaning: the length of a node is the length of the union of the intervals added to it or to
 * a node below it. Adding costs O(log n) paths and, over all additions, a constant number of pieces
 * on each, however deep the node is, while few intervals overlap.
 *
 * The nodes of the forest are split into downward paths (each node continues the path of the node
 * around it that has the most nodes below). Intervals come by start, so a union grows only at its
 * end, its reach, and no node reaches further than the one around it. Each path thus consists of
 * pieces of equal reach that descend from its top, and an interval changes whole pieces.
 *
 * The owner calls fini.
 */
#ifndef NSC_ANALYSIS_PATH_UNIONS_H
#define NSC_ANALYSIS_PATH_UNIONS_H

#include "nsyscope/types.h"

/* By place: the nodes of a path have consecutive places, the outermost first. */
struct nsc_path_place {
    nsc_time reach; /* of the piece that ends here */
    uint64_t added; /* ns to this place and those before it on the path */
    uint32_t next;  /* the end of the piece after the one that ends here */
    uint32_t top;   /* the first place of the path */
    uint32_t outer; /* at the top: the place of the node around the path; NSC_NONE: none */
    uint32_t first; /* at the top: the end of the first piece */
};

struct nsc_path_unions {
    uint32_t n;
    uint32_t *place_of; /* by node */
    struct nsc_path_place *at;
};

/* outer: by node, the node around it, which has a smaller number; NSC_NONE: none. */
void nsc_path_unions_init(struct nsc_path_unions *unions, const uint32_t outer[], uint32_t n);
void nsc_path_unions_fini(struct nsc_path_unions *unions);
/* Forgets all intervals. */
void nsc_path_unions_clear(struct nsc_path_unions *unions);
/* Adds [start, end). Intervals must come by start. */
void nsc_path_unions_add(struct nsc_path_unions *unions, uint32_t node, nsc_time start,
                         nsc_time end);
/* After all intervals: prepares the lengths. The next change must be clear or fini. */
void nsc_path_unions_sum(struct nsc_path_unions *unions);
/* At most INT64_MAX. */
nsc_time nsc_path_unions_length(const struct nsc_path_unions *unions, uint32_t node);

#endif
