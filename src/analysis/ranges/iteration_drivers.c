/*
 * Finds the threads that drive a process's GPU work, and the ranges that can never be iterations.
 */
#include "analysis/ranges/iteration_search.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/lane_merge.h"
#include "index/names.h"

static bool is_named(const struct nsc_trace *trace, uint32_t track, const char *const words[])
{
    return nsc_text_contains_any(nsc_trace_string(trace, nsc_trace_track(trace, track)->label),
                                 words);
}

static uint64_t count_rows(const struct nsc_trace *trace, const struct nsc_track *track)
{
    uint64_t n = 0;

    for (uint32_t k = 0; k < track->n_lanes; k++)
        n += nsc_trace_lanes(trace, NULL)[track->first_lane + k].n;
    return n;
}

/* True for too few ranges, for domains in which libraries annotate their internals, and for threads
 * that fetch data or watch. */
bool nsc_search_is_never(const struct nsc_trace *trace, uint32_t track)
{
    static const char *const domains[] = {"NVTX NCCL", "NVTX GIL", "Python GIL",
                                          "NVTX CCCL", "NVTX cub", "cuBLAS",
                                          "cuDNN",     "NVTX MPI", NULL};
    static const char *const threads[] = {"loader",  "prefetch", "pin_memory", "pin memory", "dali",
                                          "decode_", "watchdog", "nccl",       NULL};

    return count_rows(trace, nsc_trace_track(trace, track)) < NSC_LIMIT_ITERATIONS ||
           is_named(trace, track, domains) ||
           is_named(trace, nsc_trace_group_of(trace, track), threads);
}

static bool is_wait(struct nsc_text name)
{
    static const char *const words[] = {"wait", "futex", "join", "poll", "select", NULL};

    return nsc_text_contains_any(name, words);
}

/* The GPU work that other threads launch while this one waits in the OS. */
static nsc_time waited_work(const struct nsc_iteration_search *search,
                            const struct nsc_search_process *process, uint32_t group)
{
    const struct nsc_trace *trace = search->trace;
    const struct nsc_events *events = search->events;
    nsc_time work = 0;

    for (struct nsc_lane_walk at = nsc_group_lanes(trace, group, NSC_TRACK_BIT(NSC_TRACK_OSRT));
         nsc_lane_walk_next(&at);) {
        if (at.lane != at.tracks[at.track].first_lane) /* the outermost calls */
            continue;
        for (nsc_event row = at.rows->first; row < at.rows->first + at.rows->n; row++) {
            struct nsc_window w = {events->start[row], nsc_event_touch_end(events, row)};

            if (is_wait(nsc_event_name(trace, row)))
                work = nsc_sum(work, nsc_search_work(search, process, w).work);
        }
    }
    return work;
}

/* The main thread drives the others (autograd), and so does a thread that launches most itself. Any
 * other thread does if it waits during nearly all launches. A data loader does not: the others also
 * work while it works. */
bool nsc_search_drives(const struct nsc_iteration_search *search,
                       const struct nsc_search_process *process, uint32_t group)
{
    const struct nsc_track *thread = nsc_trace_track(search->trace, group);
    struct nsc_positions in = nsc_launches_of_track(search->launches, group);
    double all = (double)process->work;
    double own = (double)nsc_launches_measure(search->launches, in).work;

    if (thread->tid == thread->pid || own >= NSC_SHARE(MOST) * all)
        return true;
    return (double)waited_work(search, process, group) >= NSC_SHARE(NEARLY_ALL) * all;
}
