/* Picks: rows selected by an expression, in slices of work. */
#ifndef NSC_VIEW_MODEL_PICK_H
#define NSC_VIEW_MODEL_PICK_H

#include "nsyscope/summary.h"

#include "analysis/select/filter.h"

struct nsc_pool;

struct nsc_pick {
    uint64_t *mask;
    struct nsc_summary *summary; /* NULL: no expression, or an empty one */
};

void nsc_pick_clear(struct nsc_pick *pick);

/* A pick being made. rows NULL: none. */
struct nsc_making {
    struct nsc_filter *filter;
    struct nsc_filter_pass *rows;
    uint64_t *mask; /* valid when all rows are filtered, with sums */
    struct nsc_summary_pass *sums;
};
enum nsc_made { NSC_MAKING_PART, NSC_MAKING_DONE, NSC_MAKING_FAILED };

/* Starts a new pick and drops an unfinished one. Takes the filter over. False if out of memory. */
bool nsc_making_begin(struct nsc_making *making, const struct nsc_trace *trace,
                      struct nsc_filter *filter);
/* Whether one slice usually suffices, so that no pause between keys is needed. */
bool nsc_making_is_short(const struct nsc_trace *trace);
void nsc_making_drop(struct nsc_making *making);
/*
 * Does a slice. After the last one (DONE), pick has the result among the rows of within (NULL: all).
 * FAILED: out of memory.
 */
enum nsc_made nsc_making_step(struct nsc_making *making, struct nsc_pick *pick,
                              const struct nsc_trace *trace, struct nsc_pool *pool,
                              const uint64_t *within);
uint32_t nsc_making_percent(const struct nsc_making *making);

#endif
