/* Sums kernel time by device and name: one pass over the streams of a device, one slot per name. */
#include "analysis/device/kernel_work.h"

#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

/* By name, for the current device: index + 1 in out->at. */
struct slots {
    uint32_t *of_name;
    uint32_t capacity;
};

static struct nsc_kernel_share *find_share(struct nsc_kernel_work *out, struct slots *slots,
                                           uint32_t device, nsc_name name)
{
    uint32_t *slot = &slots->of_name[name];

    if (*slot > 0 && out->at[*slot - 1].device == device)
        return &out->at[*slot - 1];
    if (out->n == slots->capacity) {
        slots->capacity = slots->capacity ? slots->capacity * 2 : 64;
        out->at = nsc_xrealloc(out->at, slots->capacity, sizeof *out->at);
    }
    out->at[out->n] = (struct nsc_kernel_share){
        .device = device, .name = name, .shortest = INT64_MAX, .slowest = NSC_NONE};
    *slot = ++out->n;
    return &out->at[out->n - 1];
}

static void add_kernel(struct nsc_kernel_share *share, nsc_event kernel, nsc_time duration)
{
    if (share->slowest == NSC_NONE || duration > share->longest ||
        (duration == share->longest && kernel < share->slowest)) {
        share->longest = duration;
        share->slowest = kernel;
    }
    share->shortest = nsc_earlier(share->shortest, duration);
    share->work = nsc_sum(share->work, duration);
    share->count++;
}

static void add_lane(struct nsc_kernel_work *out, struct slots *slots,
                     const struct nsc_scope *scope, uint32_t lane, uint32_t device)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    nsc_event row;
    nsc_event end;

    nsc_scope_rows(scope, lane, &row, &end);
    for (; row < end; row++)
        if (events->kind[row] == NSC_KIND_KERNEL && nsc_scope_selects(scope, row))
            add_kernel(find_share(out, slots, device, events->name[row]), row,
                       nsc_event_duration(events, row));
}

static int compare_shares(const void *a, const void *b)
{
    const struct nsc_kernel_share *x = a;
    const struct nsc_kernel_share *y = b;

    if (x->work != y->work)
        return x->work > y->work ? -1 : 1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->slowest < y->slowest ? -1 : x->slowest > y->slowest;
}

static void fini_kernel_work(void *value)
{
    struct nsc_kernel_work *work = value;

    free(work->at);
    *work = (struct nsc_kernel_work){0};
}

static bool build_kernel_work(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_kernel_work *out = value;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n);
    struct slots slots = {0};

    (void)device;
    *out = (struct nsc_kernel_work){0};
    slots.of_name =
        nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *slots.of_name);
    for (uint32_t t = 0; t < n; t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++)
            add_lane(out, &slots, scope, tracks[t].first_lane + k,
                     nsc_trace_group_of(scope->trace, t));
    for (uint32_t i = 0; i < out->n; i++) {
        out->work = nsc_sum(out->work, out->at[i].work);
        out->count += out->at[i].count;
    }
    if (out->n > 0)
        qsort(out->at, out->n, sizeof *out->at, compare_shares);
    free(slots.of_name);
    return true;
}

static const struct nsc_shared_kind kernel_work_kind = {sizeof(struct nsc_kernel_work),
                                                        build_kernel_work, fini_kernel_work};

void nsc_kernel_work_build(struct nsc_kernel_work *out, const struct nsc_scope *scope)
{
    bool is_kept = false;

    (void)nsc_shared_ask(out, &is_kept, &kernel_work_kind, scope, 0);
    out->is_kept = is_kept;
}

void nsc_kernel_work_fini(struct nsc_kernel_work *work)
{
    if (!work->is_kept)
        fini_kernel_work(work);
}
