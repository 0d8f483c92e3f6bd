/*
 * Picks the launches to profile.
 */
#include "analysis/ncu/ncu_plan.h"

#include "analysis/base/correlate.h"
#include "analysis/base/limit.h"
#include "analysis/base/tally.h"
#include "analysis/base/totals.h"
#include "analysis/ranges/launches.h"
#include "core/bits.h"
#include "core/die.h"
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

struct picking {
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    const struct nsc_names *names;
    const struct nsc_ncu_shapes *shapes; /* NULL: not known */
    /* One bit an event: it was launched inside an included range, an excluded one, or the range whose
     * launches count. NULL: there is no such range. */
    uint64_t *included, *excluded, *in_range;
    struct nsc_scope rows;        /* all that may count */
    NSC_VEC(struct group) groups; /* as the cursor meets them, then by kernel and total */
};

struct timed {
    nsc_time key;
    nsc_event event;
};

NSC_COMPARE(compare_groups, struct group,
            NSC_MOST(kernel) || NSC_LEAST(brief) || NSC_MOST(total) || NSC_LEAST(shape))

NSC_COMPARE(compare_timed, struct timed, NSC_LEAST(key) || NSC_LEAST(event))

/* ---- ranges ---- */

/* One bit an event: it was launched inside any of the ranges, on its thread. The caller frees it. */
static uint64_t *find_inside(const struct picking *picking, const struct nsc_launches *launches,
                             const nsc_event ranges[], uint32_t n)
{
    uint64_t *bits = nsc_xcalloc(nsc_bits_words(picking->events->n) + 1, sizeof *bits);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_positions in = nsc_launches_inside(launches, ranges[i]);

        if (nsc_event_duration(picking->events, ranges[i]) == 0)
            continue;
        for (uint32_t at = in.first; at < in.end; at++)
            nsc_bits_set(bits, nsc_launches_op(launches, at));
    }
    return bits;
}

static void find_ranges(struct picking *picking, const struct nsc_ncu_ask *ask)
{
    struct nsc_launches *launches;

    if (!ask->include && !ask->exclude)
        return;
    launches = nsc_launches_build(picking->scope->trace, NULL, NULL);
    if (!launches)
        nsc_die_oom();
    if (ask->include) {
        picking->included = find_inside(picking, launches, ask->include->event, ask->include->n);
        picking->in_range = find_inside(picking, launches, &ask->include->event[ask->index], 1);
    }
    if (ask->exclude)
        picking->excluded = find_inside(picking, launches, ask->exclude->event, ask->exclude->n);
    nsc_launches_free(launches);
}

/* Whether ncu's filters by NVTX range let a launch through. A launch without a call is in no range. */
static bool passes_filters(const struct picking *picking, nsc_event event)
{
    return (!picking->included || nsc_bits_get(picking->included, event)) &&
           !(picking->excluded && nsc_bits_get(picking->excluded, event));
}

/* Whether a row that may count does: it is a kernel, launched in the range if there is one, and not
 * in an excluded one. */
static bool is_wanted(const struct picking *picking, nsc_event event)
{
    return picking->events->kind[event] == NSC_KIND_KERNEL && passes_filters(picking, event) &&
           (!picking->in_range || nsc_bits_get(picking->in_range, event));
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
static nsc_time launch_time(const struct picking *picking, nsc_event kernel)
{
    nsc_event call = picking->events->link[kernel];

    return picking->events->start[call == NSC_NONE ? kernel : call];
}

/* Counts launches of the short name in the same process before `like`. */
static uint32_t count_before(const struct picking *picking, const struct group *group,
                             nsc_event like)
{
    const struct nsc_trace *trace = picking->scope->trace;
    const struct nsc_scope all = nsc_scope_all(trace);
    uint64_t process = nsc_trace_track(trace, nsc_event_track(trace, like))->process;
    nsc_time launched = launch_time(picking, like);
    uint32_t n = 0;

    for (struct nsc_scope_cursor at = nsc_scope_open(&all, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);) {
        nsc_time t = launch_time(picking, at.row);

        n += is_of(picking, group, at.row) && (t < launched || (t == launched && at.row < like)) &&
             nsc_trace_track(trace, at.track)->process == process &&
             passes_filters(picking, at.row);
    }
    return n;
}

static struct nsc_ncu_pick pick_of(const struct picking *picking, const struct group *group)
{
    const struct nsc_trace *trace = picking->scope->trace;
    nsc_event like = median_launch(picking, group);

    return (struct nsc_ncu_pick){
        .name = group->name,
        .shape = group->shape,
        .like = like,
        .process = nsc_trace_track(trace, nsc_event_track(trace, like))->process,
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
            (is_first || covered < NSC_SHARE(NEARLY_ALL) * (double)group->kernel))
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
    find_ranges(&picking, ask);
    picking.rows = *scope;
    if (ask->include)
        picking.rows.window = nsc_trace_extent(scope->trace);
    group_kernels(&picking);
    for (size_t i = 0; i < picking.groups.n; i++)
        out->all = nsc_sum(out->all, picking.groups.at[i].total);
    pick_groups(out, &picking, ask->top);
    NSC_VEC_FINI(&picking.groups);
    free(picking.included);
    free(picking.excluded);
    free(picking.in_range);
}

void nsc_ncu_picks_fini(struct nsc_ncu_picks *picks)
{
    NSC_VEC_FINI(&picks->list);
}
