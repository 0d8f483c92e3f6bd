/*
 * Finds the group of an event by its name, track, process or innermost NVTX range.
 */
#include "analysis/select/selection.h"
#include "core/die.h"

#include <stdlib.h>

/* By lane. */
static nsc_event *first_rows(const struct nsc_trace *trace)
{
    uint32_t n;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);
    nsc_event *rows = nsc_xmalloc(((size_t)n + 1) * sizeof *rows);

    for (uint32_t i = 0; i < n; i++)
        rows[i] = lanes[i].first;
    return rows;
}

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
        pivoting->near = first_rows(query->trace);
}

void nsc_pivoting_fini(struct nsc_pivoting *pivoting)
{
    free(pivoting->known);
    free(pivoting->near);
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
static uint32_t track_of(struct nsc_pivoting *pivoting, nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(pivoting->trace, NULL);
    uint32_t *lane = &pivoting->lanes[event / NSC_PIVOT_NEARBY % NSC_PIVOT_LANES];

    if (event - lanes[*lane].first >= lanes[*lane].n)
        *lane = nsc_trace_lane_of(pivoting->trace, event);
    return lanes[*lane].track;
}

static uint32_t find_track(struct nsc_pivoting *pivoting, nsc_event event)
{
    uint32_t track = track_of(pivoting, event);
    uint32_t *known = &pivoting->known[track];
    uint64_t process = nsc_trace_track(pivoting->trace, track)->process;

    if (!*known)
        *known = find_key(pivoting, pivoting->pivot == NSC_PIVOT_TRACK ? track : process) + 1;
    return *known - 1;
}

/* Whether b lies inside a, for two ranges around one moment. */
static bool is_inside(const struct nsc_events *events, nsc_event a, nsc_event b)
{
    nsc_time da = nsc_event_duration(events, a);
    nsc_time db = nsc_event_duration(events, b);

    if (events->start[a] != events->start[b])
        return events->start[b] > events->start[a];
    return da != db ? db < da : b > a;
}

/* The row of a lane around t, looked for from the row that was found last: calls come nearly in
 * order. */
static nsc_event row_around(struct nsc_pivoting *pivoting, uint32_t lane, nsc_time t)
{
    const struct nsc_lane *at = &nsc_trace_lanes(pivoting->trace, NULL)[lane];
    nsc_event row = nsc_lane_find_near(pivoting->trace, lane, t, pivoting->near[lane]);

    pivoting->near[lane] = row;
    return row < at->first + at->n && nsc_trace_events(pivoting->trace)->start[row] <= t ? row
                                                                                         : NSC_NONE;
}

/* The innermost range of the track around t, or best if that is deeper. */
static nsc_event deepest_in_track(struct nsc_pivoting *pivoting, const struct nsc_track *track,
                                  nsc_time t, nsc_event best, nsc_event self)
{
    const struct nsc_events *events = nsc_trace_events(pivoting->trace);

    for (uint32_t k = 0; k < track->n_lanes; k++) {
        nsc_event row = row_around(pivoting, track->first_lane + k, t);

        if (row != NSC_NONE && row != self && (best == NSC_NONE || is_inside(events, best, row)))
            best = row;
    }
    return best;
}

/* The innermost push/pop range around the event, or around its launch; NSC_NONE: none. */
static nsc_event innermost_range(struct nsc_pivoting *pivoting, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(pivoting->trace);
    const struct nsc_track *tracks = nsc_trace_tracks(pivoting->trace, NULL);
    nsc_event best = NSC_NONE;
    uint32_t own = 0;
    uint32_t group = 0;

    if (nsc_kind_is_gpu(events->kind[event]) && (event = events->link[event]) == NSC_NONE)
        return NSC_NONE;
    own = track_of(pivoting, event);
    group = nsc_trace_group_of(pivoting->trace, own);
    if (tracks[group].kind != NSC_TRACK_THREAD)
        return NSC_NONE;
    for (uint32_t i = group; i < nsc_group_end(tracks, group); i++)
        if (tracks[i].kind == NSC_TRACK_NVTX && tracks[i].process == tracks[own].process &&
            tracks[i].tid == tracks[own].tid)
            best = deepest_in_track(pivoting, &tracks[i], events->start[event], best, event);
    return best;
}

static uint32_t find_range(struct nsc_pivoting *pivoting, nsc_event event, nsc_event *like)
{
    *like = innermost_range(pivoting, event);
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
