/*
 * The NVTX ranges around many events: nsc_event_path for walks over a whole trace.
 *
 * Between two starts or ends of a thread's ranges, the ranges around it stay the same. A memo keeps
 * them with the time for which they are valid, once for the calls of each thread and once for the
 * launches of each stream, because work begins later than its launch. The place in each lane of
 * ranges is kept once for each thread. Events may come in any order;
 * ascending times are fast. One memo serves one thread.
 */
#ifndef NSC_ANALYSIS_PATH_MEMO_H
#define NSC_ANALYSIS_PATH_MEMO_H

#include "nsyscope/trace.h"

#define NSC_PATH_MOST 256 /* most ranges of a path; deeper ones are left out */

struct nsc_path_memo;

struct nsc_path {
    const nsc_event *rows; /* outermost first; borrowed until the next query */
    uint32_t n;            /* at most NSC_PATH_MOST */
    uint32_t depth;        /* of all, also of a cut path */
    bool is_cut;           /* there are deeper ones */
    uint32_t place;       /* below nsc_path_memo_places: consecutive events of one place are fast */
    nsc_event innermost;  /* of all, also of a cut path; NSC_NONE: there are none */
    nsc_time from, until; /* the ranges around each time in between are the same */
};

struct nsc_path_memo *nsc_path_memo_new(const struct nsc_trace *trace);
/* NULL is allowed. */
void nsc_path_memo_free(struct nsc_path_memo *memo);
uint32_t nsc_path_memo_places(const struct nsc_path_memo *memo);
/* The first NSC_PATH_MOST rows of nsc_event_path. launch: nsc_event_launch of the event; lane: the
 * event's lane. */
struct nsc_path nsc_path_memo_find(struct nsc_path_memo *memo, nsc_event event, uint32_t lane,
                                   nsc_event launch);
/* The same for a time on a thread, given its group. asker: a group of threads or a stream that asks
 * for this thread only, so that its times mostly ascend. place is not set. */
struct nsc_path nsc_path_memo_at(struct nsc_path_memo *memo, uint32_t asker, uint32_t thread,
                                 nsc_time t);

#endif
