/* Sums kernel time by device and name: one pass over the streams of a device, one slot per name. */
#include "analysis/device/kernel_work.h"

#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

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
    free(work->first);
    *work = (struct nsc_kernel_work){0};
}

static bool build_kernel_work(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_kernel_work *out = value;
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n_tracks);
    struct slots slots = {0};

    (void)device;
    *out = (struct nsc_kernel_work){0};
    slots.of_name =
        nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *slots.of_name);
    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);)
        if (events->kind[at.row] == NSC_KIND_KERNEL)
            add_kernel(find_share(out, &slots, tracks[at.track].group, events->name[at.row]),
                       at.row, nsc_event_duration(events, at.row));
    if (out->n > 0)
        qsort(out->at, out->n, sizeof *out->at, compare_shares);
    out->first = nsc_xmalloc(((size_t)n_tracks + 1) * sizeof *out->first);
    memset(out->first, 0xff, ((size_t)n_tracks + 1) * sizeof *out->first);
    for (uint32_t i = out->n; i-- > 0;) {
        out->work = nsc_sum(out->work, out->at[i].work);
        out->count += out->at[i].count;
        out->at[i].next = out->first[out->at[i].device];
        out->first[out->at[i].device] = i;
    }
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
