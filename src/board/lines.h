/* The lines of a job's heatmap: ranks, nodes or groups that a filter keeps, in an order. The owner calls fini. */
#ifndef NSC_BOARD_LINES_H
#define NSC_BOARD_LINES_H

#include "board/groups.h"
#include "fleet/values.h"

enum nsc_lines_sort {
    NSC_LINES_BY_RANK,
    NSC_LINES_BY_LATENESS,
    NSC_LINES_BY_NODE,
    NSC_N_LINES_SORTS /* and more: by a split of the job */
};

struct nsc_lines {
    uint32_t *rank;  /* by place */
    uint32_t *first; /* by line: its first place; and the end */
    uint32_t n;
};

/* split: NULL: sorted by none. folded: a line is a node, or a group of the split;
 * they are late by their latest rank. filter: "5", "0-7", or a part of a node's name; "": all. */
void nsc_lines_build(struct nsc_lines *out, const struct nsc_job_values *values,
                     const struct nsc_job_split *split, uint32_t sort, bool folded,
                     const char *filter);
/* The line of a rank; n if the filter leaves it out. */
uint32_t nsc_lines_find(const struct nsc_lines *lines, uint32_t rank);
void nsc_lines_fini(struct nsc_lines *lines);

#endif
