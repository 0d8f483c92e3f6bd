/*
 * Finds where costly events come from: the range around most of their cost, and whether they occur
 * in one part of the window only.
 *
 * Each event is weighted by its cost in ns. Its range is the innermost push/pop range of the thread
 * that launched it. Ranges are looked up for the first NSC_COST_RANGES_MOST events only; a caller with
 * more adds the costly ones first. Events occur once if nine tenths of the cost lie in one range
 * that is not a wrapper, or in two adjacent ones of twenty equal parts of the window. A wrapper
 * holds at least half of the window and of the device's compute in it.
 */
#ifndef NSC_ANALYSIS_COST_RANGES_H
#define NSC_ANALYSIS_COST_RANGES_H

#include "analysis/base/scope.h"
#include "analysis/finding/finding_list.h"

#define NSC_COST_RANGES_MOST  2000
#define NSC_COST_RANGES_NAMES 64
#define NSC_COST_RANGES_PARTS 20

struct nsc_cost_ranges {
    const struct nsc_trace *trace;
    const struct nsc_scope *scope;
    uint32_t device;
    struct nsc_window window;
    uint32_t n_asked, n_names;
    struct {
        nsc_event like; /* the first range with this name */
        nsc_time ns;
        bool is_many;  /* events lie in several ranges of this name */
        bool is_mixed; /* names differ in numbers */
    } names[NSC_COST_RANGES_NAMES];
    nsc_time asked_ns, all_ns;
    nsc_time part[NSC_COST_RANGES_PARTS];
};

/* A wrapper is judged by the compute of device; NSC_NONE: by the window alone. The scope is
 * borrowed. */
void nsc_cost_ranges_init(struct nsc_cost_ranges *where, const struct nsc_scope *scope,
                          uint32_t device, struct nsc_window window);
/* Adds an event of a thread or a GPU that costs ns from start on. */
void nsc_cost_ranges_add(struct nsc_cost_ranges *where, nsc_event event, nsc_time start,
                         nsc_time ns);
/* Whether the cost lies in one short part of the window. */
bool nsc_cost_ranges_is_once(const struct nsc_cost_ranges *where);
/* " in the range NAME", the name that holds at least half of the cost, or an empty text. */
struct nsc_shown nsc_cost_ranges_words(const struct nsc_cost_ranges *where);

#endif
