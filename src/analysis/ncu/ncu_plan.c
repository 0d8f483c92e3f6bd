/*
 * Picks the launches to profile.
 */
#include "analysis/ncu/ncu_plan.h"

#include "analysis/base/correlate.h"
#include "analysis/base/limit.h"
#include "analysis/base/tally.h"
#include "analysis/base/totals.h"
#include "core/bisect.h"
#include "core/sum.h"

#include <stdlib.h>

/* All kernels of one short name and, if shapes are known, of one shape. */
struct group {
    nsc_str brief;
    nsc_name name;
    uint32_t shape; /* NSC_NONE: not known */
    uint32_t calls;
    nsc_time total;
    nsc_time kernel; /* total of all groups with this short name */
};

/* Ranges by thread, then start; at NULL: no filter. */
struct range_list {
    struct range *at;
    uint32_t n;
};

struct picking {
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    const struct nsc_names *names;
    const struct nsc_ncu_shapes *shapes; /* NULL: not known */
    struct range_list include, exclude;
    nsc_event range;              /* the range whose launches count, when include is given */
    struct nsc_scope rows;        /* all that may count */
    NSC_VEC(struct group) groups; /* as the cursor meets them, then by kernel and total */
};

/* A range on its thread; reach: the latest end of this range and of earlier ones of the thread. */
struct range {
    uint32_t thread; /* group track */
    nsc_event event;
    nsc_time start, reach;
};

struct timed {
    nsc_time key;
    nsc_event event;
};

NSC_COMPARE(compare_groups, struct group,
            NSC_MOST(kernel) || NSC_LEAST(brief) || NSC_MOST(total) || NSC_LEAST(shape))

NSC_COMPARE(compare_timed, struct timed, NSC_LEAST(key) || NSC_LEAST(event))

/* ---- ranges ---- */

static uint32_t thread_of(const struct nsc_trace *trace, nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);

    return nsc_trace_group_of(trace, lanes[nsc_trace_lane_of(trace, event)].track);
}

NSC_COMPARE(compare_ranges, struct range, NSC_LEAST(thread) || NSC_LEAST(start) || NSC_LEAST(event))

static struct range_list index_ranges(const struct picking *picking,
                                      const struct nsc_named_ranges *ranges)
{
    struct range_list out = {NULL, 0};

    if (!ranges)
        return out;
    out.n = ranges->n;
    out.at = nsc_xcalloc((size_t)ranges->n + 1, sizeof *out.at);
    for (uint32_t i = 0; i < ranges->n; i++)
        out.at[i] = (struct range){thread_of(picking->scope->trace, ranges->event[i]),
                                   ranges->event[i], picking->events->start[ranges->event[i]],
                                   nsc_event_end(picking->events, ranges->event[i])};
    NSC_VEC_SORT(&out, compare_ranges);
    for (uint32_t i = 1; i < out.n; i++)
        if (out.at[i].thread == out.at[i - 1].thread && out.at[i].reach < out.at[i - 1].reach)
            out.at[i].reach = out.at[i - 1].reach;
    return out;
}

/* Whether a call was made inside any of the ranges, on its thread. */
static bool is_inside_any(const struct picking *picking, const struct range_list *list,
                          nsc_event call)
{
    struct range key = {thread_of(picking->scope->trace, call), NSC_NONE,
                        picking->events->start[call], 0};
    uint32_t from = 0;
    uint32_t end = list->n;

    /* finds the last range of the thread that starts by the call */
    NSC_BISECT(from, end, middle, compare_ranges(&list->at[middle], &key) < 0);
    return from > 0 && list->at[from - 1].thread == key.thread &&
           key.start < list->at[from - 1].reach;
}

/* Whether ncu's filters by NVTX range let a launch through. A launch without a call is in no range. */
static bool passes_filters(const struct picking *picking, nsc_event call)
{
    if (picking->include.at &&
        (call == NSC_NONE || !is_inside_any(picking, &picking->include, call)))
        return false;
    return !picking->exclude.at || call == NSC_NONE ||
           !is_inside_any(picking, &picking->exclude, call);
}

/* Whether a row that may count does: it is a kernel, launched in the range if there is one, and not
 * in an excluded one. */
static bool is_wanted(const struct picking *picking, nsc_event event)
{
    const struct nsc_events *events = picking->events;
    nsc_event call = NSC_NONE;

    if (events->kind[event] != NSC_KIND_KERNEL)
        return false;
    if (picking->include.at || picking->exclude.at)
        call = nsc_event_launch(picking->scope->trace, event);
    if (!passes_filters(picking, call))
        return false;
    if (!picking->include.at)
        return true;
    return call != NSC_NONE && events->start[call] >= events->start[picking->range] &&
           events->start[call] < nsc_event_end(events, picking->range) &&
           thread_of(picking->scope->trace, call) ==
               thread_of(picking->scope->trace, picking->range);
}

/* ---- kernels ---- */

static struct nsc_scope_cursor open_streams(const struct picking *picking)
{
    return nsc_scope_open(&picking->rows, NSC_TRACK_BIT(NSC_TRACK_STREAM));
}

/* Adds a kernel to its group: of its shape, which includes the short name, else of the short name
 * alone. The first name represents each group. */
static void group_kernel(struct picking *picking, struct nsc_totals *keys, nsc_event kernel)
{
    nsc_name name = picking->events->name[kernel];
    nsc_str brief = picking->names->brief[name];
    uint32_t shape = picking->shapes ? picking->shapes->of[kernel] : NSC_NONE;
    int64_t key = picking->shapes ? shape : brief;
    uint32_t at = nsc_totals_find(keys, &key);
    struct group *group;

    if (at == picking->groups.n)
        *NSC_VEC_ADD(&picking->groups) = (struct group){brief, name, shape, 0, 0, 0};
    group = &picking->groups.at[at];
    group->calls++;
    group->total = nsc_sum(group->total, nsc_event_duration(picking->events, kernel));
}

static void group_kernels(struct picking *picking)
{
    struct nsc_totals keys = nsc_totals_new(1, 0);
    struct nsc_tally sums = {0}; /* by short name, 0 */

    for (struct nsc_scope_cursor at = open_streams(picking); nsc_scope_next(&at);)
        if (is_wanted(picking, at.row))
            group_kernel(picking, &keys, at.row);
    for (size_t i = 0; i < picking->groups.n; i++)
        nsc_tally_add(&sums, picking->groups.at[i].brief, 0, picking->groups.at[i].total);
    for (size_t i = 0; i < picking->groups.n; i++)
        picking->groups.at[i].kernel =
            sums.rows.at[nsc_tally_group(&sums, picking->groups.at[i].brief, 0)].total;
    nsc_tally_fini(&sums);
    nsc_totals_fini(&keys);
    NSC_VEC_SORT(&picking->groups, compare_groups);
}

/* Whether ncu's match of the short name includes the kernel. */
static bool is_of(const struct picking *picking, const struct group *group, nsc_event event)
{
    return picking->events->kind[event] == NSC_KIND_KERNEL &&
           picking->names->brief[picking->events->name[event]] == group->brief;
}

/* The launch of median duration; of two middle ones the shorter. */
static nsc_event median_launch(const struct picking *picking, const struct group *group)
{
    struct timed *timed = nsc_xcalloc(group->calls, sizeof *timed);
    uint32_t n = 0;
    nsc_event found = 0;

    for (struct nsc_scope_cursor at = open_streams(picking); nsc_scope_next(&at);)
        if (is_of(picking, group, at.row) && is_wanted(picking, at.row) &&
            (!picking->shapes || picking->shapes->of[at.row] == group->shape))
            timed[n++] = (struct timed){nsc_event_duration(picking->events, at.row), at.row};
    qsort(timed, n, sizeof *timed, compare_timed);
    found = timed[(n - 1) / 2].event;
    free(timed);
    return found;
}

/* The start of the launching call; if it is unknown, the start of the kernel. */
static nsc_time launch_time(const struct picking *picking, nsc_event event, nsc_event *call)
{
    *call = nsc_event_launch(picking->scope->trace, event);
    return picking->events->start[*call == NSC_NONE ? event : *call];
}

static uint32_t count_lane(const struct picking *picking, const struct nsc_lane *lane,
                           const struct group *group, nsc_event like)
{
    nsc_event call = NSC_NONE;
    nsc_time launched = launch_time(picking, like, &call);
    uint32_t n = 0;

    for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
        nsc_time t = 0;

        if (!is_of(picking, group, row))
            continue;
        t = launch_time(picking, row, &call);
        if (t > launched || (t == launched && row >= like))
            continue;
        n += passes_filters(picking, call);
    }
    return n;
}

/* Counts launches of the short name in the same process before `like`. */
static uint32_t count_before(const struct picking *picking, const struct group *group,
                             nsc_event like)
{
    const struct nsc_trace *trace = picking->scope->trace;
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint64_t process = tracks[lanes[nsc_trace_lane_of(trace, like)].track].process;
    uint32_t n = 0;

    for (uint32_t lane = 0; lane < n_lanes; lane++)
        if (tracks[lanes[lane].track].kind == NSC_TRACK_STREAM &&
            tracks[lanes[lane].track].process == process)
            n += count_lane(picking, &lanes[lane], group, like);
    return n;
}

static struct nsc_ncu_pick pick_of(const struct picking *picking, const struct group *group)
{
    const struct nsc_trace *trace = picking->scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    nsc_event like = median_launch(picking, group);

    return (struct nsc_ncu_pick){
        .name = group->name,
        .shape = group->shape,
        .like = like,
        .process = tracks[lanes[nsc_trace_lane_of(trace, like)].track].process,
        .calls = group->calls,
        .total = group->total,
        .kernel = group->kernel,
        .skip = count_before(picking, group, like),
    };
}

/* Picks groups; they are ordered by kernel, the longest first. */
static void pick_groups(struct nsc_ncu_picks *out, const struct picking *picking, uint32_t top)
{
    uint32_t n_kernels = 0, n_shapes = 0;
    double covered = 0;

    for (uint32_t i = 0; i < picking->groups.n; i++) {
        const struct group *group = &picking->groups.at[i];
        bool is_first = i == 0 || group->brief != group[-1].brief;

        if (is_first) {
            covered = 0;
            n_shapes = 0;
            n_kernels++;
        }
        if (n_kernels > top)
            return;
        if (n_shapes++ < NSC_LIMIT_NCU_SHAPES &&
            (is_first || covered < NSC_SHARE(NCU_COVERED) * (double)group->kernel))
            *NSC_VEC_ADD(&out->list) = pick_of(picking, group);
        covered += (double)group->total;
    }
}

void nsc_ncu_picks_build(struct nsc_ncu_picks *out, const struct nsc_scope *scope,
                         const struct nsc_ncu_ask *ask)
{
    struct picking picking = {.scope = scope,
                              .events = nsc_trace_events(scope->trace),
                              .names = nsc_trace_names(scope->trace),
                              .shapes = ask->shapes};

    *out = (struct nsc_ncu_picks){0};
    picking.include = index_ranges(&picking, ask->include);
    picking.exclude = index_ranges(&picking, ask->exclude);
    picking.rows = *scope;
    if (ask->include) {
        picking.range = ask->include->event[ask->index];
        picking.rows.window = nsc_trace_extent(scope->trace);
    }
    group_kernels(&picking);
    for (size_t i = 0; i < picking.groups.n; i++)
        out->all = nsc_sum(out->all, picking.groups.at[i].total);
    pick_groups(out, &picking, ask->top);
    NSC_VEC_FINI(&picking.groups);
    free(picking.include.at);
    free(picking.exclude.at);
}

void nsc_ncu_picks_fini(struct nsc_ncu_picks *picks)
{
    NSC_VEC_FINI(&picks->list);
}
