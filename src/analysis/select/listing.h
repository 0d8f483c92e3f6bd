/*
 * A list of the events of some lanes in a window, in order of time, duration or name.
 *
 * The order of time stores nothing, whatever the number of events: searches in the lanes find the
 * event at a position. The other orders store one row number per event. The caller calls fini; the
 * trace and the summary are borrowed.
 */
#ifndef NSC_ANALYSIS_LISTING_H
#define NSC_ANALYSIS_LISTING_H

#include "nsyscope/summary.h"

#include "core/threads.h"
#include "index/lane_merge.h"

#ifdef NSC_SMALL
#define NSC_LISTING_MAX 300u
#else
#define NSC_LISTING_MAX (1u << 24) /* events that can be ordered by duration or name */
#endif

enum nsc_listing_order {
    NSC_LISTING_TIME,     /* by start, then row */
    NSC_LISTING_DURATION, /* the longest first, then by row */
    NSC_LISTING_NAME,     /* by text, ASCII letters folded, then by row */
    NSC_N_LISTING_ORDERS
};

struct nsc_listing {
    const struct nsc_trace *trace;
    const struct nsc_summary *summary; /* the listed rows */
    enum nsc_listing_order order;
    uint32_t n;                   /* events */
    struct nsc_row_range *ranges; /* ascending */
    uint32_t n_ranges;
    uint32_t *before; /* number of listed events before each range */
    uint32_t *rows;   /* NULL: in order of time, by search */
    size_t rows_bytes;
};

/* Lists the rows that touch the window. */
void nsc_listing_init(struct nsc_listing *listing, const struct nsc_trace *trace,
                      const struct nsc_summary *summary, struct nsc_window window,
                      const uint32_t lanes[], uint32_t n_lanes);
void nsc_listing_fini(struct nsc_listing *listing);
/* Writes the listed rows at places [at, at + n) in ascending order of rows, whatever the current
 * order. */
void nsc_listing_ascending(const struct nsc_listing *listing, uint32_t at, uint32_t n,
                           uint32_t out[]);
/* Writes the events at positions [from, from + n), stopping at the end; returns their number. */
uint32_t nsc_listing_at(const struct nsc_listing *listing, uint32_t from, uint32_t n,
                        nsc_event out[]);
/* The position of an event; NSC_NONE if it is not listed. */
uint32_t nsc_listing_find(const struct nsc_listing *listing, nsc_event event);

/*
 * Sorts the list. Returns false, and changes nothing, for more than NSC_LISTING_MAX events or if
 * out of memory. brief: compare names without their demangled arguments. pool NULL: the call starts
 * its own threads.
 */
bool nsc_listing_sort(struct nsc_listing *listing, struct nsc_pool *pool,
                      enum nsc_listing_order order, bool brief);

#endif
