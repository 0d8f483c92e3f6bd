/* Sums kernel time by device and name: one pass over the streams of a device, one slot per name. */
#include "analysis/device/kernel_work.h"

#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

/* of_name: for the current device, index + 1 in out->at. */
static struct nsc_kernel_share *find_share(struct nsc_kernel_work *out, uint32_t of_name[],
                                           uint32_t device, nsc_name name)
{
    uint32_t *slot = &of_name[name];
    struct nsc_kernel_share *share;

    if (*slot > 0 && out->at[*slot - 1].device == device)
        return &out->at[*slot - 1];
    share = NSC_VEC_ADD(out);
    *share = (struct nsc_kernel_share){
        .device = device, .name = name, .shortest = INT64_MAX, .slowest = NSC_NONE};
    *slot = (uint32_t)out->n;
    return share;
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

NSC_COMPARE(compare_shares, struct nsc_kernel_share,
            NSC_MOST(work) || NSC_LEAST(device) || NSC_LEAST(slowest))

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
    uint32_t *of_name = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *of_name);

    (void)device;
    *out = (struct nsc_kernel_work){0};
    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);)
        if (events->kind[at.row] == NSC_KIND_KERNEL)
            add_kernel(find_share(out, of_name, tracks[at.track].group, events->name[at.row]),
                       at.row, nsc_event_duration(events, at.row));
    NSC_VEC_SORT(out, compare_shares);
    out->first = nsc_xmalloc(((size_t)n_tracks + 1) * sizeof *out->first);
    memset(out->first, 0xff, ((size_t)n_tracks + 1) * sizeof *out->first);
    for (uint32_t i = (uint32_t)out->n; i-- > 0;) {
        out->work = nsc_sum(out->work, out->at[i].work);
        out->count += out->at[i].count;
        out->at[i].next = out->first[out->at[i].device];
        out->first[out->at[i].device] = i;
    }
    free(of_name);
    return true;
}

static const struct nsc_shared_kind kernel_work_kind = {sizeof(struct nsc_kernel_work),
                                                        build_kernel_work, fini_kernel_work};

void nsc_kernel_work_build(struct nsc_kernel_work *out, const struct nsc_scope *scope)
{
    (void)nsc_shared_ask(out, &out->is_kept, &kernel_work_kind, scope, 0);
}

void nsc_kernel_work_fini(struct nsc_kernel_work *work)
{
    if (!work->is_kept)
        fini_kernel_work(work);
}
