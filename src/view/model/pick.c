/* Picks: rows selected by an expression, in slices of work. */
#include "view/model/pick.h"

#include "core/bits.h"
#include "index/passes.h"

#include <stdlib.h>

#ifdef NSC_SMALL
enum { SLICE_ROWS = 400, SHORT_ROWS = 400 };
#else
enum { SLICE_ROWS = 4 * 1000 * 1000, SHORT_ROWS = 12 * 1000 * 1000 }; /* 5 ms a slice or more */
#endif

void nsc_pick_clear(struct nsc_pick *pick)
{
    nsc_summary_free(pick->summary);
    free(pick->mask);
    *pick = (struct nsc_pick){0};
}

void nsc_making_drop(struct nsc_making *making)
{
    nsc_filter_pass_free(making->rows);
    nsc_filter_free(making->filter);
    nsc_summary_pass_free(making->sums);
    free(making->mask);
    *making = (struct nsc_making){0};
}

bool nsc_making_is_short(const struct nsc_trace *trace)
{
    return nsc_trace_events(trace)->n <= SHORT_ROWS;
}

bool nsc_making_begin(struct nsc_making *making, const struct nsc_trace *trace,
                      struct nsc_filter *filter)
{
    nsc_making_drop(making);
    making->filter = filter;
    making->rows = nsc_filter_pass_new(filter, trace);
    if (making->rows)
        return true;
    nsc_making_drop(making);
    return false;
}

/* Starts the sums when all rows are filtered. */
static bool begin_sums(struct nsc_making *making, const struct nsc_trace *trace,
                       const uint64_t *within)
{
    size_t words = nsc_bits_words(nsc_trace_events(trace)->n);

    making->mask = nsc_filter_pass_take(making->rows);
    for (size_t i = 0; within && i < words; i++)
        making->mask[i] &= within[i];
    making->sums = nsc_summary_pass_new(trace, making->mask);
    return making->sums != NULL;
}

static void take(struct nsc_making *making, struct nsc_pick *pick)
{
    nsc_pick_clear(pick);
    pick->mask = making->mask;
    pick->summary = nsc_summary_pass_take(making->sums);
    making->mask = NULL;
}

enum nsc_made nsc_making_step(struct nsc_making *making, struct nsc_pick *pick,
                              const struct nsc_trace *trace, struct nsc_pool *pool,
                              const uint64_t *within)
{
    bool is_short = nsc_making_is_short(trace);
    enum nsc_made made = NSC_MAKING_PART;

    if (!making->sums) {
        if (!nsc_filter_pass_step(making->rows, pool, SLICE_ROWS))
            return NSC_MAKING_PART;
        if (!begin_sums(making, trace, within))
            made = NSC_MAKING_FAILED;
        else if (!is_short)
            return NSC_MAKING_PART;
    }
    if (made == NSC_MAKING_PART) {
        if (!nsc_summary_pass_step(making->sums, pool, is_short ? UINT32_MAX : SLICE_ROWS))
            return NSC_MAKING_PART;
        take(making, pick);
        made = NSC_MAKING_DONE;
    }
    nsc_making_drop(making);
    return made;
}

/* Filtering counts for 90 %, the sums for the rest. */
uint32_t nsc_making_percent(const struct nsc_making *making)
{
    return making->sums ? 90 : nsc_filter_pass_permille(making->rows) * 9 / 100;
}
