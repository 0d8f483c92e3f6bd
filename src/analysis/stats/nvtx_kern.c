/*
 * nvtx_kern_sum: kernels by the NVTX ranges of their launches. A kernel counts for every range
 * around its launch, or for the row without a range if there is none.
 */
#include "analysis/base/scope.h"
#include "analysis/base/tally.h"
#include "analysis/stats/functions.h"
#include "analysis/stats/ranges.h"
#include "core/die.h"
#include "core/vec.h"

#include <stdlib.h>

/* Keys, in the order of rows; those before the kernel are the range. */
enum { TAG, STYLE, PROCESS, TID, KERNEL, N_KEYS };
#define NO_PROCESS (-1) /* of a kernel whose launch is not known */

struct kernels {
    const struct nsc_events *events;
    const struct nsc_stats_input *input;
    struct nsc_stats_names names;
    struct nsc_stats_tags tags;
    struct nsc_totals totals;
    NSC_VEC(nsc_event) ops;      /* by row of totals: once for each range around it */
    struct nsc_tally inside;     /* by group and number of a range that may be open */
    uint32_t last;               /* the greatest of these numbers */
    NSC_VEC(uint64_t) instances; /* by group: ranges */
    struct nsc_spread *spread;
};

/* The tag of a range, as a key; -1: no name. */
static int64_t tag_of(struct kernels *kernels, struct nsc_stats_open *range)
{
    struct nsc_text tag;

    if (!range->has_tag) {
        range->has_tag = true;
        range->tag = NSC_NONE;
        if (nsc_stats_tag(&tag, &kernels->tags, range->range.event))
            range->tag = (nsc_str)nsc_totals_text(&kernels->totals, tag);
    }
    return range->tag == NSC_NONE ? -1 : (int64_t)range->tag;
}

static void add_pair(struct kernels *kernels, const struct nsc_stats_launch *launch,
                     struct nsc_stats_open *range, int64_t name)
{
    uint32_t of = range ? range->range.track : launch->thread; /* NSC_NONE: the call is not known */
    const struct nsc_track *track =
        of == NSC_NONE ? NULL : nsc_trace_track(kernels->input->trace, of);
    int64_t keys[N_KEYS] = {[TAG] = range ? tag_of(kernels, range) : -1,
                            [STYLE] = range ? kernels->events->kind[range->range.event] : 0,
                            [PROCESS] = track ? (int64_t)track->process : NO_PROCESS,
                            [TID] = track ? track->tid : 0,
                            [KERNEL] = name};
    size_t before = kernels->inside.rows.n; /* a new pair gets this number */
    uint32_t group = nsc_totals_add(&kernels->totals, keys);

    *NSC_VEC_ADD(&kernels->ops) = launch->op;
    if (group == kernels->instances.n)
        *NSC_VEC_ADD(&kernels->instances) = 0;
    kernels->instances.at[group] +=
        range && nsc_tally_group(&kernels->inside, group, range->number) == before;
}

static void visit_kernel(void *context, const struct nsc_stats_launch *launch,
                         struct nsc_stats_open open[], uint32_t n)
{
    struct kernels *kernels = context;
    int64_t id = nsc_totals_text(&kernels->totals, nsc_stats_name(&kernels->names, launch->op));
    uint32_t count = 0;

    /* If all open ranges began after those met before, these have ended. Keeping their pairs, 10 M
     * kernels take 3.0 GB instead of 1.9, and 22 s of CPU instead of 17. */
    if (n > 0 && open[0].number > kernels->last && kernels->inside.rows.n >= NSC_LOOK_ROWS)
        nsc_tally_fini(&kernels->inside);
    if (n > 0 && open[n - 1].number > kernels->last)
        kernels->last = open[n - 1].number;
    for (uint32_t i = 0; i < n && count <= NSC_STATS_DEEP; i++)
        if (open[i].range.end >= launch->end && count++ < NSC_STATS_DEEP)
            add_pair(kernels, launch, &open[i], id);
    if (count == 0)
        add_pair(kernels, launch, NULL, id);
    if (count > NSC_STATS_DEEP && kernels->input->is_deep)
        *kernels->input->is_deep = true;
}

static bool duration_of(const void *context, uint32_t i, int64_t *value)
{
    const struct kernels *kernels = context;

    *value = nsc_event_duration(kernels->events, kernels->ops.at[i]);
    return true;
}

/* Orders by tag (none first), style, process, thread; then the greatest total. */
static int compare_groups(const void *context, uint32_t a, uint32_t b)
{
    const struct kernels *kernels = context;
    int64_t s = kernels->spread[a].total, t = kernels->spread[b].total;
    int order = nsc_totals_compare(&kernels->totals, a, b, TAG, KERNEL);

    order = order ? order : NSC_ORDER(t, s);
    return order ? order : nsc_totals_compare(&kernels->totals, a, b, KERNEL, N_KEYS);
}

static void fill_group(void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct kernels *kernels = context;
    const struct nsc_spread *spread = &kernels->spread[group];
    const int64_t *keys = nsc_totals_keys(&kernels->totals, group);

    cells[0] = nsc_cell_of_text(nsc_totals_text_of(&kernels->totals, group, TAG));
    if (keys[STYLE])
        cells[1] = nsc_cell_of_text(nsc_stats_style((uint8_t)keys[STYLE]));
    if (keys[PROCESS] != NO_PROCESS) {
        cells[2] = nsc_cell_of_int(keys[PROCESS] & 0xffffff);
        cells[3] = nsc_cell_of_int(keys[TID] & 0xffffff);
    }
    cells[4] = nsc_cell_of_int((int64_t)kernels->instances.at[group]);
    cells[5] = nsc_cell_of_int((int64_t)spread->n);
    cells[6] = nsc_cell_of_int(spread->total);
    nsc_stats_put_spread(cells + 7, spread);
    cells[11] = nsc_cell_of_real(spread->deviation);
    cells[12] = nsc_cell_of_text(nsc_totals_text_of(&kernels->totals, group, KERNEL));
}

static enum nsc_status sum_pairs(struct kernels *kernels, const struct nsc_stats_sink *sink)
{
    if (kernels->ops.n == 0)
        return NSC_ENODATA;
    if (kernels->ops.n >= NSC_NONE)
        return NSC_ENOMEM;
    kernels->spread = nsc_totals_measure(&kernels->totals, duration_of, kernels);
    if (!kernels->spread)
        return NSC_ENOMEM;
    nsc_stats_put_sorted(sink, kernels->totals.n, 0, compare_groups, fill_group, kernels);
    return NSC_OK;
}

enum nsc_status nsc_stats_nvtx_kern_sum(const struct nsc_stats_input *input,
                                        const struct nsc_stats_sink *sink)
{
    struct kernels kernels = {
        .events = nsc_trace_events(input->trace),
        .input = input,
        .totals = nsc_totals_new(N_KEYS, NSC_TOTALS_TEXT(TAG) | NSC_TOTALS_TEXT(KERNEL))};
    enum nsc_status status;

    nsc_stats_names_init(&kernels.names, input);
    nsc_stats_tags_init(&kernels.tags, input);
    nsc_stats_ranges_walk(input, NSC_N_KINDS, 1u << NSC_KIND_KERNEL,
                          &(struct nsc_stats_walk){.launch = visit_kernel, .context = &kernels});
    nsc_stats_tags_fini(&kernels.tags);
    status = sum_pairs(&kernels, sink);
    NSC_VEC_FINI(&kernels.instances);
    free(kernels.spread);
    NSC_VEC_FINI(&kernels.ops);
    nsc_tally_fini(&kernels.inside);
    nsc_stats_names_fini(&kernels.names);
    nsc_totals_fini(&kernels.totals);
    return status;
}
