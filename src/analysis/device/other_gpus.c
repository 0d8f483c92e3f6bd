/* Unites the ops of a process's devices, and sorts their ends. */
#include "analysis/device/other_gpus.h"

#include "analysis/base/correlate.h"
#include "analysis/base/device_ops.h"
#include "analysis/base/shared.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/cover_data.h"
#include "index/lane_merge.h"

#include <stdlib.h>

struct lanes {
    NSC_VEC(uint32_t) list;
    uint32_t group;  /* of the first */
    bool is_several; /* they are of several devices */
};

/* The lanes of a process's streams. device: NSC_NONE: all. */
static struct lanes list_lanes(const struct nsc_trace *trace, uint64_t process, uint32_t device)
{
    struct lanes lanes = {.group = NSC_NONE};
    struct nsc_lane_walk at = device == NSC_NONE
                                  ? nsc_trace_all_lanes(trace, NSC_TRACK_BIT(NSC_TRACK_STREAM))
                                  : nsc_device_lanes(trace, device);

    while (nsc_lane_walk_next(&at)) {
        if (at.tracks[at.track].process != process)
            continue;
        if (lanes.group == NSC_NONE)
            lanes.group = at.tracks[at.track].group;
        lanes.is_several |= at.tracks[at.track].group != lanes.group;
        *NSC_VEC_ADD(&lanes.list) = at.lane;
    }
    return lanes;
}

/* The latest ends so far on the device that runs longest, and on the others. */
struct reach {
    nsc_time end, other_end;
    uint32_t device;
};

/* Returns the latest end on another device, then adds the op. */
static nsc_time extend_reach(struct reach *reach, uint32_t device, nsc_time end)
{
    nsc_time others = device == reach->device ? reach->other_end : reach->end;

    if (device == reach->device)
        reach->end = nsc_later(reach->end, end);
    else if (end > reach->end)
        *reach = (struct reach){end, reach->end, device};
    else
        reach->other_end = nsc_later(reach->other_end, end);
    return others;
}

/* Rows come by start, so earlier ops of other devices cover exactly the time from the start of an op
 * to their latest end. */
static void unite(struct nsc_process_gpus *out, const struct nsc_trace *trace,
                  const struct lanes *lanes)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_cover_writer busy, many;
    struct reach reach = {INT64_MIN, INT64_MIN, NSC_NONE};
    struct nsc_lane_merge merge;
    struct nsc_sort_pair *scratch;
    uint32_t n = 0;

    for (size_t i = 0; i < lanes->list.n; i++)
        n += nsc_trace_lanes(trace, NULL)[lanes->list.at[i]].n;
    out->ends = nsc_xmalloc(((size_t)n + 1) * sizeof *out->ends);
    scratch = nsc_xmalloc(((size_t)n + 1) * sizeof *scratch);
    if (!nsc_cover_writer_init(&busy, n) || !nsc_cover_writer_init(&many, n))
        nsc_die_oom();
    nsc_lane_merge_init(&merge, trace, lanes->list.at, (uint32_t)lanes->list.n);
    for (nsc_event op; (op = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        nsc_time start = events->start[op];
        nsc_time end = nsc_event_end(events, op);
        uint32_t device = nsc_event_group(trace, op);

        if (start == end)
            continue;
        nsc_cover_writer_add(&busy, start, end);
        nsc_cover_writer_add(&many, start, nsc_earlier(end, extend_reach(&reach, device, end)));
        out->ends[out->n_ends++] = (struct nsc_sort_pair){nsc_sort_key(end), device};
    }
    nsc_lane_merge_fini(&merge);
    out->busy = nsc_cover_writer_end(&busy);
    out->many = nsc_cover_writer_end(&many);
    nsc_sort_pairs(out->ends, scratch, out->n_ends);
    free(scratch);
}

static void fini_gpus(void *value)
{
    struct nsc_process_gpus *gpus = value;

    nsc_cover_free(gpus->busy);
    nsc_cover_free(gpus->many);
    free(gpus->ends);
}

/* ---- the process ---- */

static void forget_process(struct nsc_other_gpus *of)
{
    if (!of->is_kept)
        fini_gpus(&of->gpus);
    nsc_cover_free(of->own);
    of->own = NULL;
    of->gpus = (struct nsc_process_gpus){0};
}

/* Its first stream distinguishes a process in the store. */
static void find_process(struct nsc_other_gpus *of, uint64_t process)
{
    static const struct nsc_shared_kind kind = {sizeof of->gpus, NULL, fini_gpus};
    const struct nsc_trace *trace = of->scope->trace;
    uint32_t n = 0;
    const struct nsc_track *first = nsc_trace_tracks(trace, &n);
    const struct nsc_track *end = first + n;
    struct lanes lanes;
    bool result;

    if (of->is_known && of->process == process)
        return;
    forget_process(of);
    of->is_known = true;
    of->process = process;
    of->is_kept = nsc_shared_keeps(of->scope, NSC_NONE);
    while (first < end && (first->kind != NSC_TRACK_STREAM || first->process != process))
        first++;
    if (!of->is_kept || !nsc_shared_find(&of->gpus, &result, &kind, first, of->scope, NSC_NONE)) {
        lanes = list_lanes(trace, process, NSC_NONE);
        if (lanes.is_several)
            unite(&of->gpus, trace, &lanes);
        if (of->is_kept)
            nsc_shared_keep(&of->gpus, true, &kind, first, of->scope, NSC_NONE);
        NSC_VEC_FINI(&lanes.list);
    }
    if (of->gpus.busy && of->scope->mask) {
        lanes = list_lanes(trace, process, of->device);
        of->own = nsc_cover_build(trace, lanes.list.at, (uint32_t)lanes.list.n, NULL, NULL);
        if (!of->own)
            nsc_die_oom();
        NSC_VEC_FINI(&lanes.list);
    }
}

void nsc_other_gpus_init(struct nsc_other_gpus *out, const struct nsc_scope *scope, uint32_t device)
{
    *out = (struct nsc_other_gpus){.scope = scope, .device = device};
    out->is_any = nsc_device_next(scope->trace, NSC_NONE) != device ||
                  nsc_device_next(scope->trace, device) != NSC_NONE;
}

void nsc_other_gpus_fini(struct nsc_other_gpus *of)
{
    forget_process(of);
}

/* ---- asking ---- */

/* The first interval that ends after t; at INT64_MAX if there is none. */
static struct nsc_window interval_at(const struct nsc_cover *cover, nsc_time t)
{
    uint32_t i = cover ? nsc_cover_find(cover, t) : 0;

    return cover && i < nsc_cover_count(cover) ? nsc_cover_at(cover, i)
                                               : (struct nsc_window){INT64_MAX, INT64_MAX};
}

/* Whether another device runs an op at t; *until: the next time at which that may change. While this
 * device runs one, two devices must. */
static bool is_busy(const struct nsc_other_gpus *of, nsc_time t, nsc_time *until)
{
    struct nsc_window mine = interval_at(of->own, t);
    bool is_mine = mine.t0 <= t;
    struct nsc_window theirs = interval_at(is_mine ? of->gpus.many : of->gpus.busy, t);

    *until = nsc_earlier(is_mine ? mine.t1 : mine.t0, theirs.t0 <= t ? theirs.t1 : theirs.t0);
    return theirs.t0 <= t;
}

bool nsc_other_gpus_busy(struct nsc_other_gpus *of, uint64_t process, nsc_time t0, nsc_time t1,
                         struct nsc_window *stretch)
{
    bool found = false;

    find_process(of, process);
    for (nsc_time t = t0, until = t1; of->gpus.busy && t < t1; t = until) {
        bool is_on = is_busy(of, t, &until);

        if (is_on && !found)
            stretch->t0 = t;
        if (is_on)
            stretch->t1 = nsc_earlier(until, t1);
        else if (found)
            break;
        found |= is_on;
    }
    return found;
}

bool nsc_other_gpus_ended(struct nsc_other_gpus *of, uint64_t process, nsc_time t0, nsc_time t1)
{
    size_t low = 0;
    size_t high;

    find_process(of, process);
    high = of->gpus.n_ends;
    NSC_BISECT(low, high, middle, of->gpus.ends[middle].key <= nsc_sort_key(t1));
    while (low > 0 && of->gpus.ends[low - 1].key > nsc_sort_key(t0))
        if (of->gpus.ends[--low].value != of->device)
            return true;
    return false;
}
