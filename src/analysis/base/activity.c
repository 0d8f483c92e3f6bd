/*
 * Builds covers of the selected rows of a device, and measures busy, idle, compute and exposed
 * communication with them.
 */
#include "analysis/base/activity.h"

#include "core/die.h"
#include "core/vec.h"
#include "index/builds.h"
#include "index/lane_merge.h"

static nsc_time measure(const struct nsc_cover *cover, struct nsc_window w)
{
    return cover ? nsc_cover_measure(cover, w) : 0;
}

/* hidden: communication while anything else runs. */
static void add_up(struct nsc_activity *activity, nsc_time hidden)
{
    activity->exposed = activity->comm - hidden;
    activity->copy_only = activity->busy - (activity->compute + activity->comm - activity->overlap);
    activity->idle = activity->window - activity->busy;
}

struct nsc_activity nsc_device_activity(const struct nsc_device_covers *covers, struct nsc_window w)
{
    struct nsc_activity activity = {.window = nsc_window_length(w)};

    if (covers) {
        activity.busy = measure(covers->busy, w);
        activity.compute = measure(covers->work[NSC_OP_COMPUTE], w);
        activity.comm = measure(covers->work[NSC_OP_COMM], w);
        activity.overlap = measure(covers->overlap, w);
    }
    add_up(&activity, covers ? measure(covers->hidden, w) : 0);
    return activity;
}

static void init_cursor(struct nsc_cover_cursor *cursor, const struct nsc_cover *cover)
{
    *cursor = (struct nsc_cover_cursor){.cover = NULL};
    if (cover)
        nsc_cover_cursor_init(cursor, cover);
}

void nsc_activity_walk_init(struct nsc_activity_walk *walk, const struct nsc_device_covers *covers)
{
    init_cursor(&walk->busy, covers->busy);
    init_cursor(&walk->compute, covers->work[NSC_OP_COMPUTE]);
    init_cursor(&walk->comm, covers->work[NSC_OP_COMM]);
    init_cursor(&walk->overlap, covers->overlap);
    init_cursor(&walk->hidden, covers->hidden);
}

static nsc_time measure_next(struct nsc_cover_cursor *cursor, struct nsc_window w)
{
    uint64_t before, covered;

    if (!cursor->cover)
        return 0;
    before = nsc_cover_cursor_step(cursor, w.t0);
    covered = nsc_cover_cursor_step(cursor, w.t1) - before;
    return covered < INT64_MAX ? (nsc_time)covered : INT64_MAX;
}

struct nsc_activity nsc_activity_walk_next(struct nsc_activity_walk *walk, struct nsc_window w)
{
    struct nsc_activity activity = {.window = nsc_window_length(w),
                                    .busy = measure_next(&walk->busy, w),
                                    .compute = measure_next(&walk->compute, w),
                                    .comm = measure_next(&walk->comm, w),
                                    .overlap = measure_next(&walk->overlap, w)};

    add_up(&activity, measure_next(&walk->hidden, w));
    return activity;
}

bool nsc_scope_covers_build(struct nsc_scope_covers *out, const struct nsc_scope *scope,
                            uint32_t device)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(scope->trace, device);

    *out = (struct nsc_scope_covers){.is_owned = covers && scope->mask};
    if (out->is_owned)
        return nsc_device_covers_build(&out->of, scope->trace, device, scope->mask);
    if (covers)
        out->of = *covers;
    return true;
}

void nsc_scope_covers_fini(struct nsc_scope_covers *covers)
{
    if (covers->is_owned)
        nsc_device_covers_fini(&covers->of);
    *covers = (struct nsc_scope_covers){0};
}

static bool keep_selected(const void *context, nsc_event event)
{
    return nsc_scope_selects(context, event);
}

const struct nsc_cover *nsc_scope_cover_busy(struct nsc_cover **owned,
                                             const struct nsc_scope *scope, uint32_t device)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(scope->trace, device);

    *owned = NULL;
    if (!covers || !scope->mask)
        return covers ? covers->busy : NULL;
    *owned = nsc_device_cover_of(scope->trace, device, keep_selected, scope);
    return *owned;
}

/* The union of the events of lanes for which keep(context, event) is true. */
static struct nsc_cover *cover_streams(struct nsc_lane_walk lanes, const struct nsc_trace *trace,
                                       bool (*keep)(const void *context, nsc_event event),
                                       const void *context)
{
    NSC_VEC(uint32_t) own = {0};
    struct nsc_cover *cover;

    while (nsc_lane_walk_next(&lanes))
        *NSC_VEC_ADD(&own) = lanes.lane;
    cover = nsc_cover_build(trace, own.at, (uint32_t)own.n, keep, context);
    if (!cover)
        nsc_die_oom();
    NSC_VEC_FINI(&own);
    return cover;
}

struct nsc_cover *nsc_device_cover_of(const struct nsc_trace *trace, uint32_t device,
                                      bool (*keep)(const void *context, nsc_event event),
                                      const void *context)
{
    return cover_streams(nsc_device_lanes(trace, device), trace, keep, context);
}

struct nsc_cover *nsc_scope_cover_streams(const struct nsc_scope *scope,
                                          bool (*keep)(const void *context, nsc_event event))
{
    return cover_streams(nsc_trace_all_lanes(scope->trace, NSC_TRACK_BIT(NSC_TRACK_STREAM)),
                         scope->trace, keep, scope);
}
