/*
 * Where costly events come from: the range around most of their time, and whether they come once or
 * all along.
 *
 * An event is weighted by its cost in ns. Its range is the innermost push/pop range of the thread
 * that launched it. For the first WHERE_MOST events the ranges are looked up; callers add the costly
 * ones first if there may be more. Events come once if one range that is no wrapper of the program
 * holds nine tenths of the cost, or two neighbours of twenty equal parts of the window do. A wrapper
 * holds at least half of the window and of the device's compute in it.
 */
#ifndef NSC_ANALYSIS_WHERE_H
#define NSC_ANALYSIS_WHERE_H

#include "analysis/base/scope.h"

#define NSC_WHERE_MOST  2000
#define NSC_WHERE_NAMES 64
#define NSC_WHERE_PARTS 20

struct nsc_where {
    const struct nsc_trace *trace;
    const struct nsc_scope *scope;
    uint32_t device;
    struct nsc_window window;
    uint32_t n_asked, n_names;
    struct {
        nsc_name name;
        nsc_event like; /* the first range of this name */
        nsc_time ns;
        bool is_many; /* events lie in several ranges of this name */
    } names[NSC_WHERE_NAMES];
    nsc_time asked_ns, all_ns;
    nsc_time part[NSC_WHERE_PARTS];
    uint64_t n;
};

/* device: whose compute tells a wrapper; NSC_NONE: the window alone does. The scope is borrowed. */
void nsc_where_init(struct nsc_where *where, const struct nsc_scope *scope, uint32_t device,
                    struct nsc_window window);
/* An event of a thread or a GPU that costs ns from start on. */
void nsc_where_add(struct nsc_where *where, nsc_event event, nsc_time start, nsc_time ns);
/* Whether the cost comes in one short part of the window. */
bool nsc_where_is_once(const struct nsc_where *where);
/* A range that holds at least half of the cost; NSC_NONE: there is none. */
nsc_event nsc_where_range(const struct nsc_where *where);
/* " in the range NAME", or an empty text. Borrowed from out. */
const char *nsc_where_words(char out[NSC_NAME_BYTES + 32], const struct nsc_where *where);

#endif
