/* Finds siblings in a row that are alike, and sums them. */
#include "analysis/ranges/instance_runs.h"

#include "nsyscope/calltree.h"
#include "nsyscope/summary.h"

#include "core/bisect.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

/* ---- which ranges join the one before ---- */

/* Sweeps the rows of a lane. */
struct sweep {
    const struct nsc_instances *all;
    bool is_top, takes_work; /* the lane's ranges have no parent; ops of the thread stand between */
    nsc_event before;        /* the last shown row; NSC_NONE */
    struct nsc_window parent; /* times at which rows have the parent that was looked up last */
    struct nsc_positions ops; /* those that may be launched after `before` */
};

static bool root_takes_work(const struct nsc_instances *all, uint32_t track)
{
    for (uint32_t r = 0; r < all->n_roots; r++)
        if (all->roots[r].track == track)
            return all->roots[r].takes_work;
    return false;
}

static struct sweep begin_sweep(const struct nsc_instances *all, uint32_t lane)
{
    uint32_t track = nsc_instances_lane(all, lane)->track;
    struct sweep sweep = {
        .all = all,
        .is_top = lane == nsc_trace_track(all->trace, track)->first_lane,
        .before = NSC_NONE,
        .ops = nsc_launches_of_track(all->measured, track),
    };

    sweep.takes_work = !sweep.is_top || root_takes_work(all, track);
    return sweep;
}

/* Whether the last shown row and this one have the same text. */
static bool is_equal(const struct sweep *sweep, nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(sweep->all->trace);

    return sweep->before != NSC_NONE && events->name[sweep->before] == events->name[row] &&
           nsc_trace_same_text(sweep->all->trace, sweep->before, row);
}

/* Whether the last shown row and this one start in the same range of the lane above. */
static bool are_siblings(struct sweep *sweep, nsc_event row)
{
    const struct nsc_trace *trace = sweep->all->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_time before = events->start[sweep->before];

    if (sweep->is_top)
        return true;
    if (before < sweep->parent.t0 || before >= sweep->parent.t1) {
        nsc_event parent = nsc_nvtx_parent(trace, sweep->before);

        if (parent == NSC_NONE)
            return nsc_nvtx_parent(trace, row) == NSC_NONE;
        sweep->parent.t0 = events->start[parent];
        sweep->parent.t1 = nsc_event_touch_end(events, parent);
    }
    return events->start[row] < sweep->parent.t1;
}

/* Whether an op of the parent was launched between the last shown row and this one. Hidden rows
 * launch nothing. */
static bool is_apart(struct sweep *sweep, nsc_event row)
{
    const struct nsc_events *events = nsc_trace_events(sweep->all->trace);

    if (!sweep->takes_work)
        return false;
    sweep->ops.first = nsc_launches_find_ahead(sweep->all->measured, sweep->ops,
                                               nsc_event_touch_end(events, sweep->before));
    return sweep->ops.first < sweep->ops.end &&
           nsc_launches_time(sweep->all->measured, sweep->ops.first) < events->start[row];
}

static bool joins_before(struct sweep *sweep, nsc_event row)
{
    bool joins = is_equal(sweep, row) && are_siblings(sweep, row) && !is_apart(sweep, row);

    sweep->before = row;
    return joins;
}

/* ---- the runs ---- */

/* Shown rows of [first, end). */
static uint32_t count_shown(const struct nsc_instances *all, nsc_event first, nsc_event end)
{
    uint32_t n = 0;

    if (!all->keep)
        return end - first;
    for (nsc_event row = first; row < end;) {
        bool whole = row % 64 == 0 && row + 64 <= end;

        n += whole ? nsc_bits_count_word(all->keep[row / 64]) : nsc_bits_get(all->keep, row);
        row += whole ? 64 : 1;
    }
    return n;
}

static void add_run(struct nsc_instance_runs *out, const struct nsc_range_run *run)
{
    if (run->n > 1)
        *NSC_VEC_ADD(&out->list) = *run;
}

static void find_lane_runs(struct nsc_instance_runs *out, const struct nsc_instances *all,
                           uint32_t number)
{
    const struct nsc_lane *lane = nsc_instances_lane(all, number);
    struct sweep sweep = begin_sweep(all, number);
    struct nsc_range_run run = {0};

    for (nsc_event row = lane->first; row < lane->first + lane->n; row++) {
        if (!nsc_instances_shows(all, row))
            continue;
        if (!joins_before(&sweep, row)) {
            add_run(out, &run);
            run = (struct nsc_range_run){.first = row};
        }
        run.last = row;
        run.n++;
    }
    add_run(out, &run);
}

/* Finds the runs of all lanes in the order of their rows. */
static void find_runs(struct nsc_instance_runs *out, const struct nsc_instances *all)
{
    uint32_t rows = nsc_trace_events(all->trace)->n;
    const struct nsc_lane *lane;

    for (nsc_event row = 0; row < rows; row = lane->first + lane->n) {
        uint32_t number = nsc_trace_lane_of(all->trace, row);

        lane = nsc_instances_lane(all, number);
        if (nsc_trace_track(all->trace, lane->track)->kind == NSC_TRACK_NVTX)
            find_lane_runs(out, all, number);
    }
}

/* ---- ops inside the ranges of a root that takes no work ---- */

static bool list_inside(struct nsc_launches **out, const struct nsc_instances *all, uint32_t track)
{
    const struct nsc_events *events = nsc_trace_events(all->trace);
    const struct nsc_lane *lane =
        nsc_instances_lane(all, nsc_trace_track(all->trace, track)->first_lane);
    struct nsc_positions in = nsc_launches_of_track(all->measured, track);
    nsc_event *ops = nsc_xcalloc((size_t)(in.end - in.first) + 1, sizeof *ops);
    uint32_t n = 0;

    for (nsc_event row = lane->first; row < lane->first + lane->n && in.first < in.end; row++) {
        uint32_t end = 0;

        in.first = nsc_launches_find_ahead(all->measured, in, events->start[row]);
        end = nsc_launches_find_ahead(all->measured, in, nsc_event_touch_end(events, row));
        for (; in.first < end; in.first++)
            ops[n++] = nsc_launches_op(all->measured, in.first);
    }
    *out = n ? nsc_launches_list(all->trace, ops, n) : NULL;
    free(ops);
    return *out || !n;
}

bool nsc_instance_runs_build(struct nsc_instance_runs *out, const struct nsc_instances *all)
{
    bool ok = true;

    *out = (struct nsc_instance_runs){
        .inside = nsc_xcalloc((size_t)all->n_roots + 1, sizeof(struct nsc_launches *)),
        .n_roots = all->n_roots};
    find_runs(out, all);
    for (uint32_t r = 0; ok && r < all->n_roots; r++)
        if (!all->roots[r].takes_work)
            ok = list_inside(&out->inside[r], all, all->roots[r].track);
    if (!ok)
        nsc_instance_runs_fini(out);
    return ok;
}

void nsc_instance_runs_fini(struct nsc_instance_runs *runs)
{
    for (uint32_t r = 0; r < runs->n_roots; r++)
        nsc_launches_free(runs->inside[r]);
    free(runs->inside);
    NSC_VEC_FINI(&runs->list);
    *runs = (struct nsc_instance_runs){0};
}

/* ---- the run of a place ---- */

static struct nsc_instance_run run_of_range(const struct nsc_instances *all, struct nsc_instance at)
{
    struct nsc_instance_run run = {at, at, 1};
    size_t low = 0;
    size_t high = all->runs->list.n;
    const struct nsc_range_run *found = NULL;

    NSC_BISECT(low, high, middle, all->runs->list.at[middle].first <= at.range);
    found = low > 0 ? &all->runs->list.at[low - 1] : NULL;
    if (found && at.range <= found->last) {
        run.first.range = found->first;
        run.last.range = found->last;
        run.n = found->n;
    }
    return run;
}

struct nsc_instance_run nsc_instance_run(const struct nsc_instances *all, struct nsc_instance at)
{
    struct nsc_instance_run run = {at, at, 1};
    struct nsc_positions ops;

    if (nsc_instance_is_none(at))
        return run;
    if (at.op == NSC_NONE)
        return at.range == NSC_NONE || !all->runs ? run : run_of_range(all, at);
    ops = nsc_instance_alike_ops(all, at);
    run.first.op = ops.first;
    run.last.op = ops.end - 1;
    run.n = ops.end - ops.first;
    return run;
}

uint32_t nsc_instance_run_index(const struct nsc_instances *all, const struct nsc_instance_run *run,
                                struct nsc_instance at)
{
    if (at.op != NSC_NONE)
        return at.op - run->first.op;
    return run->n > 1 ? count_shown(all, run->first.range, at.range) : 0;
}

/* ---- its figures ---- */

/* The figures of the ops launched in the ranges of a run: no other op lies between them. */
static struct nsc_gpu_figures measure_ranges(const struct nsc_instances *all,
                                             const struct nsc_instance_run *run)
{
    const struct nsc_events *events = nsc_trace_events(all->trace);
    uint32_t lane = nsc_trace_lane_of(all->trace, run->first.range);
    uint32_t track = nsc_instances_lane(all, lane)->track;
    const struct nsc_launches *launches = all->measured;
    struct nsc_positions in = nsc_launches_of_track(launches, track);

    if (!root_takes_work(all, track) && lane == nsc_trace_track(all->trace, track)->first_lane) {
        launches = all->runs->inside[run->first.root];
        in = (struct nsc_positions){0, launches ? nsc_launches_count(launches) : 0};
    }
    if (!launches)
        return (struct nsc_gpu_figures){.first = NSC_NONE, .last = NSC_NONE};
    in.first = nsc_launches_find(launches, in, events->start[run->first.range]);
    in.end = nsc_launches_find(launches, in, nsc_event_touch_end(events, run->last.range));
    return nsc_launches_measure(launches, in);
}

struct nsc_gpu_figures nsc_instance_run_figures(const struct nsc_instances *all,
                                                const struct nsc_instance_run *run)
{
    struct nsc_positions ops = {run->first.op, run->last.op + 1};
    const struct nsc_instance_root *root = &all->roots[run->first.root];
    const struct nsc_launches *inside = NULL;
    struct nsc_gpu_figures out = {.first = NSC_NONE, .last = NSC_NONE};

    if (run->first.range == NSC_NONE && run->first.op == NSC_NONE && !root->takes_work) {
        inside = all->runs->inside[run->first.root];
        if (inside)
            out =
                nsc_launches_measure(inside, (struct nsc_positions){0, nsc_launches_count(inside)});
        nsc_helper_figures_add_track(&out, all->lent, root->track);
        return out;
    }
    if (run->n == 1)
        return nsc_instance_figures(all, run->first);
    if (run->first.op != NSC_NONE)
        return nsc_launches_measure(all->launches, ops);
    out = measure_ranges(all, run);
    nsc_helper_figures_add_run(&out, all->lent, run->first.range, run->last.range);
    return out;
}

nsc_time nsc_instance_run_total(const struct nsc_instances *all, const struct nsc_instance_run *run)
{
    const struct nsc_events *events = nsc_trace_events(all->trace);
    nsc_event row = run->first.range;
    nsc_time total = 0;

    if (run->first.op != NSC_NONE)
        return nsc_instance_run_figures(all, run).work;
    if (row == NSC_NONE)
        return 0;
    if (!all->keep)
        return nsc_lane_measure(
                   all->trace, nsc_trace_summary(all->trace), nsc_trace_lane_of(all->trace, row),
                   (struct nsc_window){events->start[row], nsc_event_end(events, run->last.range)})
            .busy;
    for (; row <= run->last.range; row++)
        if (nsc_instances_shows(all, row))
            total = nsc_sum(total, nsc_event_duration(events, row));
    return total;
}
