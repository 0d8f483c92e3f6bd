/* Gathers the outermost ranges of a track, level by level. */
#include "analysis/ranges/iteration_marks.h"

#include "analysis/base/path_memo.h"
#include "analysis/ranges/iteration_period.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

static struct nsc_mark mark_of(struct nsc_mark_list *ranges, nsc_event row, uint32_t lane)
{
    const struct nsc_events *events = ranges->search->events;
    struct nsc_window w = {events->start[row], nsc_event_touch_end(events, row)};
    struct nsc_mark mark = {row, lane, events->start[row], nsc_search_pattern(ranges->search, row),
                            0,   false};
    struct nsc_gpu_figures figures;

    if (ranges->search->by_time) {
        mark.weight = nsc_event_duration(events, row);
        mark.works = true;
        return mark;
    }
    figures = ranges->takes_all
                  ? nsc_search_work(ranges->search, ranges->process, w)
                  : nsc_launches_measure(ranges->search->launches,
                                         nsc_search_in(ranges->search, ranges->group, w));
    mark.weight = figures.work;
    mark.works = figures.ops > 0;
    return mark;
}

/* Recounts the ranges by pattern. */
static void tally(struct nsc_mark_list *ranges)
{
    free(ranges->tallies);
    ranges->n_patterns = ranges->search->patterns.n;
    ranges->tallies = nsc_xcalloc((size_t)ranges->n_patterns + 1, sizeof *ranges->tallies);
    for (size_t i = 0; i < ranges->marks.n; i++) {
        struct nsc_mark_tally *to = &ranges->tallies[ranges->marks.at[i].pattern];

        to->n++;
        to->weight = nsc_sum(to->weight, ranges->marks.at[i].weight);
    }
}

/* Adds the ranges of a lane that start in a window. Returns their number. */
static size_t add_rows(struct nsc_mark_list *ranges, uint32_t lane, struct nsc_window w)
{
    const struct nsc_events *events = ranges->search->events;
    const struct nsc_lane *at = &nsc_trace_lanes(ranges->search->trace, NULL)[lane];
    nsc_event row = at->first;
    nsc_event end = at->first + at->n;
    size_t n = ranges->marks.n;

    NSC_BISECT(row, end, middle, events->start[middle] < w.t0);
    for (; row < at->first + at->n && events->start[row] < w.t1; row++)
        *NSC_VEC_ADD(&ranges->marks) = mark_of(ranges, row, lane);
    return ranges->marks.n - n;
}

/* Adds the outermost ranges inside one; false if there are none. If ranges cross, the lane right
 * below may have none. */
static bool add_inside(struct nsc_mark_list *ranges, const struct nsc_mark *mark)
{
    const struct nsc_events *events = ranges->search->events;
    const struct nsc_track *track = nsc_trace_track(ranges->search->trace, ranges->track);
    struct nsc_window w = {events->start[mark->row], nsc_event_touch_end(events, mark->row)};
    bool any = false;

    if (track->kind == NSC_TRACK_NVTX)
        for (uint32_t lane = mark->lane + 1; lane < track->first_lane + track->n_lanes && !any;
             lane++)
            any = add_rows(ranges, lane, w) > 0;
    return any;
}

/* Whether ranges of a pattern wrap the iterations: there are one or two, or they are epochs, and they
 * hold most of the work. */
static bool wraps(const struct nsc_mark_list *ranges, nsc_str pattern)
{
    const struct nsc_mark_tally *of = &ranges->tallies[pattern];
    bool once =
        of->n < NSC_LIMIT_ITERATIONS || (ranges->search->traits.at[pattern] & NSC_TRAIT_EPOCH);

    return of->n > 0 && once && (double)of->weight >= NSC_SHARE(MOST) / 2 * (double)ranges->whole;
}

static bool any_wraps(const struct nsc_mark_list *ranges)
{
    for (nsc_str p = 0; p < ranges->n_patterns; p++)
        if (wraps(ranges, p))
            return true;
    return false;
}

/* Replaces each wrapping range by the ranges inside it. False if none wraps. */
static bool unwrap(struct nsc_mark_list *ranges)
{
    struct nsc_mark *old = ranges->marks.at;
    size_t n = ranges->marks.n;
    bool changed = false;

    if (!any_wraps(ranges))
        return false;
    memset(&ranges->marks, 0, sizeof ranges->marks);
    for (size_t i = 0; i < n; i++)
        if (wraps(ranges, old[i].pattern) && add_inside(ranges, &old[i]))
            changed = true;
        else
            *NSC_VEC_ADD(&ranges->marks) = old[i];
    free(old);
    return changed;
}

NSC_COMPARE(compare_marks, struct nsc_mark, NSC_LEAST(start) || NSC_LEAST(row))

void nsc_marks_gather(struct nsc_mark_list *ranges)
{
    const struct nsc_track *track = nsc_trace_track(ranges->search->trace, ranges->track);

    NSC_VEC_CLEAR(&ranges->marks);
    (void)add_rows(ranges, track->first_lane, (struct nsc_window){INT64_MIN, INT64_MAX});
    ranges->whole = ranges->process->work;
    if (ranges->search->by_time && ranges->marks.n > 0) {
        const struct nsc_events *events = ranges->search->events;
        nsc_event last = ranges->marks.at[ranges->marks.n - 1].row;

        ranges->whole =
            nsc_span(events->start[ranges->marks.at[0].row], nsc_event_touch_end(events, last));
    }
    tally(ranges);
    for (unsigned depth = 1; depth < NSC_PATH_MOST && unwrap(ranges); depth++)
        tally(ranges);
    NSC_VEC_SORT(&ranges->marks, compare_marks); /* crossing ranges leave levels unordered */
}

void nsc_marks_of_lane(struct nsc_mark_list *ranges, uint32_t lane)
{
    ranges->track = nsc_trace_lanes(ranges->search->trace, NULL)[lane].track;
    ranges->group = nsc_trace_group_of(ranges->search->trace, ranges->track);
    ranges->takes_all = true;
    NSC_VEC_CLEAR(&ranges->marks);
    (void)add_rows(ranges, lane, (struct nsc_window){INT64_MIN, INT64_MAX});
    tally(ranges);
}

/* Ranges of one lane never overlap, so overlapping ranges lie in two lanes. */
bool nsc_marks_overlap(const struct nsc_mark_list *ranges, nsc_str pattern)
{
    const struct nsc_trace *trace = ranges->search->trace;
    const struct nsc_track *track = nsc_trace_track(trace, ranges->track);
    uint32_t lanes = 0;

    if (track->kind != NSC_TRACK_SPANS || pattern == NSC_NONE)
        return false;
    for (uint32_t k = 0; k < track->n_lanes; k++) {
        const struct nsc_lane *lane = &nsc_trace_lanes(trace, NULL)[track->first_lane + k];
        uint32_t n = 0;

        for (nsc_event row = lane->first; row < lane->first + lane->n && n < 2; row++)
            n += nsc_search_pattern(ranges->search, row) == pattern;
        lanes += n >= 2;
    }
    return lanes >= 2;
}

nsc_time nsc_marks_aside(const struct nsc_mark_list *ranges, nsc_time t0, nsc_time t1)
{
    const struct nsc_iteration_search *search = ranges->search;
    nsc_time work = 0;

    for (size_t k = 0; k < ranges->marks.n; k++) {
        const struct nsc_mark *mark = &ranges->marks.at[k];
        struct nsc_window w = {mark->start, nsc_event_touch_end(search->events, mark->row)};

        if (!ranges->tallies[mark->pattern].usual && w.t0 >= t0 && w.t1 <= t1 &&
            (search->traits.at[mark->pattern] & NSC_TRAIT_ASIDE))
            work = nsc_sum(work, nsc_search_work(search, ranges->process, w).work);
    }
    return work;
}

void nsc_marks_fini(struct nsc_mark_list *ranges)
{
    NSC_VEC_FINI(&ranges->marks);
    free(ranges->tallies);
    ranges->tallies = NULL;
}

struct nsc_gpu_figures nsc_marks_unmarked(const struct nsc_mark_list *ranges, size_t first,
                                          size_t next)
{
    const struct nsc_launches *launches = ranges->search->launches;
    struct nsc_positions in = nsc_launches_of_track(launches, ranges->group);
    nsc_time end = INT64_MIN;

    for (size_t k = first; k < next; k++)
        end = nsc_later(end, nsc_event_touch_end(ranges->search->events, ranges->marks.at[k].row));
    in.first = nsc_launches_find(launches, in, end);
    in.end = nsc_launches_find_ahead(launches, in, ranges->marks.at[next].start);
    return nsc_launches_measure(launches, in);
}
