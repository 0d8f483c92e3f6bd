/*
 * Builds covers of the selected rows of a device, and measures busy, idle, compute and exposed
 * communication with them.
 */
#include "analysis/base/activity.h"

#include "core/die.h"
#include "core/vec.h"

static nsc_time measure(const struct nsc_cover *cover, struct nsc_window w)
{
    return cover ? nsc_cover_measure(cover, w) : 0;
}

struct nsc_activity nsc_device_activity(const struct nsc_device_covers *covers, struct nsc_window w)
{
    struct nsc_activity activity = {.window = nsc_window_length(w)};

    if (covers) {
        activity.busy = measure(covers->busy, w);
        activity.compute = measure(covers->work[NSC_OP_COMPUTE], w);
        activity.comm = measure(covers->work[NSC_OP_COMM], w);
        activity.overlap = measure(covers->overlap, w);
        activity.exposed = activity.comm - measure(covers->hidden, w);
        activity.copy_only = activity.busy - (activity.compute + activity.comm - activity.overlap);
    }
    activity.idle = activity.window - activity.busy;
    return activity;
}

struct choice {
    const struct nsc_scope *scope;
    enum nsc_op_class work;
};

enum { BUSY = NSC_N_OP_CLASSES, OVERLAP, HIDDEN };

static bool keep_work(const void *context, nsc_event event)
{
    const struct choice *choice = context;
    enum nsc_op_class work;

    return nsc_bits_get(choice->scope->mask, event) &&
           nsc_trace_work_of(choice->scope->trace, event, &work) && work == choice->work;
}

/* The union of all classes but communication. */
static struct nsc_cover *unite_others(struct nsc_cover *const works[])
{
    struct nsc_cover *sum = nsc_cover_union(works[NSC_OP_COMPUTE], works[NSC_OP_HTOD]);

    for (int i = NSC_OP_DTOH; i < NSC_N_OP_CLASSES && sum; i++) {
        struct nsc_cover *more = nsc_cover_union(sum, works[i]);

        nsc_cover_free(sum);
        sum = more;
    }
    return sum;
}

/* The union of the rows of a device for which keep is true. NULL if out of memory. */
static struct nsc_cover *cover_device(const struct nsc_trace *trace, uint32_t device,
                                      bool (*keep)(const void *context, nsc_event event),
                                      const void *context)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    NSC_VEC(uint32_t) lanes = {0};
    struct nsc_cover *cover;

    for (uint32_t t = device; t < tracks[device].skip; t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++)
            *NSC_VEC_ADD(&lanes) = tracks[t].first_lane + k;
    cover = nsc_cover_build(trace, lanes.at, (uint32_t)lanes.n, keep, context);
    NSC_VEC_FINI(&lanes);
    return cover;
}

static bool build_owned(struct nsc_scope_covers *out, const struct nsc_scope *scope,
                        uint32_t device)
{
    struct nsc_cover *others = NULL;
    bool is_fine = true;

    for (int i = 0; i < NSC_N_OP_CLASSES && is_fine; i++) {
        struct choice choice = {scope, (enum nsc_op_class)i};

        out->owned[i] = cover_device(scope->trace, device, keep_work, &choice);
        is_fine = out->owned[i] != NULL;
    }
    others = is_fine ? unite_others(out->owned) : NULL;
    if (others) {
        out->owned[BUSY] = nsc_cover_union(others, out->owned[NSC_OP_COMM]);
        out->owned[OVERLAP] =
            nsc_cover_intersect(out->owned[NSC_OP_COMPUTE], out->owned[NSC_OP_COMM]);
        out->owned[HIDDEN] = nsc_cover_intersect(others, out->owned[NSC_OP_COMM]);
    }
    nsc_cover_free(others);
    return out->owned[BUSY] && out->owned[OVERLAP] && out->owned[HIDDEN];
}

bool nsc_scope_covers_build(struct nsc_scope_covers *out, const struct nsc_scope *scope,
                            uint32_t device)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(scope->trace, device);

    *out = (struct nsc_scope_covers){0};
    if (!covers)
        return true;
    if (!scope->mask) {
        out->of = *covers;
        return true;
    }
    if (!build_owned(out, scope, device)) {
        nsc_scope_covers_fini(out);
        return false;
    }
    for (int i = 0; i < NSC_N_OP_CLASSES; i++)
        out->of.work[i] = out->owned[i];
    out->of.busy = out->owned[BUSY];
    out->of.overlap = out->owned[OVERLAP];
    out->of.hidden = out->owned[HIDDEN];
    return true;
}

void nsc_scope_covers_fini(struct nsc_scope_covers *covers)
{
    for (size_t i = 0; i < sizeof covers->owned / sizeof *covers->owned; i++)
        nsc_cover_free(covers->owned[i]);
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
    *owned = cover_device(scope->trace, device, keep_selected, scope);
    if (!*owned)
        nsc_die_oom();
    return *owned;
}

struct nsc_cover *nsc_scope_cover_streams(const struct nsc_scope *scope,
                                          bool (*keep)(const void *context, nsc_event event))
{
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, &n_lanes);
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    NSC_VEC(uint32_t) own = {0};
    struct nsc_cover *cover;

    for (uint32_t l = 0; l < n_lanes; l++)
        if (tracks[lanes[l].track].kind == NSC_TRACK_STREAM)
            *NSC_VEC_ADD(&own) = l;
    cover = nsc_cover_build(scope->trace, own.at, (uint32_t)own.n, keep, scope);
    NSC_VEC_FINI(&own);
    if (!cover)
        nsc_die_oom();
    return cover;
}
