/*
 * Picks: rows that an expression selects, made a slice at a time.
 */
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

/* A pick that is being made: rows NULL, none is. */
struct nsc_making {
    struct nsc_filter *filter;
    struct nsc_filter_pass *rows;
    uint64_t *mask; /* when all rows are looked at, with sums */
    struct nsc_summary_pass *sums;
};
enum nsc_made { NSC_MADE_PART, NSC_MADE_ALL, NSC_MADE_NOT };

/* Instead of what is being made. Takes the filter over; false when the memory is refused. */
bool nsc_making_begin(struct nsc_making *making, const struct nsc_trace *trace,
                      struct nsc_filter *filter);
/* Whether a slice is most often all: it need not wait for a pause between keys. */
bool nsc_making_is_short(const struct nsc_trace *trace);
void nsc_making_drop(struct nsc_making *making);
/*
 * A slice of it. If it was the last, pick is that, among the rows of within
 * (NULL: all), and nothing is being made any more. NOT: nor is it, for the memory was refused.
 */
enum nsc_made nsc_making_step(struct nsc_making *making, struct nsc_pick *pick,
                              const struct nsc_trace *trace, struct nsc_pool *pool,
                              const uint64_t *within);
uint32_t nsc_making_percent(const struct nsc_making *making);

#endif
