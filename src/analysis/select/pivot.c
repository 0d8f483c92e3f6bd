/*
 * Finds the group of an event by its name, track, process or innermost NVTX range.
 */
#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "analysis/select/selection.h"
#include "core/die.h"

#include <stdlib.h>

void nsc_pivoting_init(struct nsc_pivoting *pivoting, const struct nsc_selection_query *query)
{
    uint32_t n_tracks = 0;
    uint32_t n = nsc_trace_names(query->trace)->n;

    (void)nsc_trace_tracks(query->trace, &n_tracks);
    n = (n > n_tracks ? n : n_tracks) + 1;
    *pivoting = (struct nsc_pivoting){.trace = query->trace,
                                      .pivot = query->pivot,
                                      .brief = query->brief,
                                      .groups = nsc_totals_new(1, 0)};
    pivoting->known = nsc_xcalloc(n, sizeof *pivoting->known);
    if (query->pivot == NSC_PIVOT_NVTX)
        pivoting->paths = nsc_path_memo_new(query->trace);
}

void nsc_pivoting_fini(struct nsc_pivoting *pivoting)
{
    free(pivoting->known);
    nsc_path_memo_free(pivoting->paths);
    nsc_totals_fini(&pivoting->groups);
}

static uint32_t find_key(struct nsc_pivoting *pivoting, uint64_t key)
{
    return nsc_totals_find(&pivoting->groups, &(int64_t){(int64_t)key});
}

static uint64_t name_key(const struct nsc_pivoting *pivoting, nsc_name name)
{
    const struct nsc_names *names = nsc_trace_names(pivoting->trace);

    return pivoting->brief ? names->brief[name] : names->full[name];
}

static uint32_t find_name(struct nsc_pivoting *pivoting, nsc_name name)
{
    uint32_t *known = &pivoting->known[name];

    if (!*known)
        *known = find_key(pivoting, name_key(pivoting, name)) + 1;
    return *known - 1;
}

/* Rows of a lane lie together, so the lane found last for rows nearby is mostly theirs too. */
static uint32_t lane_of(struct nsc_pivoting *pivoting, nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(pivoting->trace, NULL);
    uint32_t *lane = &pivoting->lanes[event / NSC_PIVOT_NEARBY % NSC_PIVOT_LANES];

    if (event - lanes[*lane].first >= lanes[*lane].n)
        *lane = nsc_trace_lane_of(pivoting->trace, event);
    return *lane;
}

static uint32_t find_track(struct nsc_pivoting *pivoting, nsc_event event)
{
    uint32_t track = nsc_trace_lanes(pivoting->trace, NULL)[lane_of(pivoting, event)].track;
    uint32_t *known = &pivoting->known[track];
    uint64_t process = nsc_trace_track(pivoting->trace, track)->process;

    if (!*known)
        *known = find_key(pivoting, pivoting->pivot == NSC_PIVOT_TRACK ? track : process) + 1;
    return *known - 1;
}

static uint32_t find_range(struct nsc_pivoting *pivoting, nsc_event event, nsc_event *like)
{
    *like = nsc_path_memo_find(pivoting->paths, event, lane_of(pivoting, event),
                               nsc_event_launch(pivoting->trace, event))
                .innermost;
    if (*like == NSC_NONE)
        return find_key(pivoting, UINT64_MAX);
    return find_name(pivoting, nsc_trace_events(pivoting->trace)->name[*like]);
}

uint32_t nsc_pivoting_find(struct nsc_pivoting *pivoting, nsc_event event, nsc_event *like)
{
    *like = event;
    if (pivoting->pivot == NSC_PIVOT_NVTX)
        return find_range(pivoting, event, like);
    if (pivoting->pivot == NSC_PIVOT_NAME)
        return find_name(pivoting, nsc_trace_events(pivoting->trace)->name[event]);
    return find_track(pivoting, event);
}
