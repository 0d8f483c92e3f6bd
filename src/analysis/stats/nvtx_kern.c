/*
 * nvtx_kern_sum: kernels by the NVTX ranges of their launches. A kernel counts for every range
 * around its launch, or for the row without a range if there is none.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/ranges.h"
#include "core/die.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

/* One kernel inside one range. */
struct pair {
    uint32_t group, range; /* range: NSC_NONE outside */
    nsc_time duration;
};

#define NO_PROCESS UINT64_MAX /* for kernels of unknown launch: sorts first */

struct key {
    uint64_t process;
    uint32_t tid;
    uint32_t tag; /* in the pool of texts, or NSC_NONE: no name */
    uint32_t kernel;
    uint32_t style; /* enum nsc_kind; 0: no range */
};

struct kernels {
    const struct nsc_events *events;
    const struct nsc_stats_input *input;
    struct nsc_stats_names names;
    struct nsc_stats_tags tags;
    struct nsc_strpool texts, keys;
    NSC_VEC(struct pair) pairs;
    uint64_t *instances; /* by group: ranges */
    struct nsc_spread *spread;
};

/* The tag of a range, in the pool of texts; NSC_NONE: no name. */
static uint32_t tag_of(struct kernels *kernels, struct nsc_stats_open *range)
{
    struct nsc_text tag;

    if (!range->has_tag) {
        range->has_tag = true;
        range->tag = nsc_stats_tag(&tag, &kernels->tags, range->range.event)
                         ? nsc_strpool_add(&kernels->texts, tag.bytes, tag.n)
                         : NSC_NONE;
    }
    return range->tag;
}

static void add_pair(struct kernels *kernels, const struct nsc_stats_launch *launch,
                     struct nsc_stats_open *range, uint32_t name)
{
    nsc_event of = range ? range->range.event : launch->call;
    const struct nsc_track *track =
        of == NSC_NONE ? NULL : nsc_stats_track(kernels->input->trace, of);
    struct key key = {.process = track ? track->process : NO_PROCESS,
                      .tid = track ? track->tid : 0,
                      .tag = range ? tag_of(kernels, range) : NSC_NONE,
                      .kernel = name,
                      .style = range ? kernels->events->kind[of] : 0};
    struct pair *pair = NSC_VEC_ADD(&kernels->pairs);

    pair->group = nsc_strpool_add(&kernels->keys, (const char *)&key, sizeof key);
    pair->range = range ? range->number : NSC_NONE;
    pair->duration = nsc_event_duration(kernels->events, launch->op);
}

static void visit_kernel(void *context, const struct nsc_stats_launch *launch,
                         struct nsc_stats_open open[], uint32_t n)
{
    struct kernels *kernels = context;
    struct nsc_text name = nsc_stats_name(&kernels->names, launch->op);
    uint32_t id = nsc_strpool_add(&kernels->texts, name.bytes, name.n);
    uint32_t count = 0;

    for (uint32_t i = 0; i < n && count <= NSC_STATS_DEEP; i++)
        if (nsc_stats_is_around(&open[i], launch) && count++ < NSC_STATS_DEEP)
            add_pair(kernels, launch, &open[i], id);
    if (count == 0)
        add_pair(kernels, launch, NULL, id);
    if (count > NSC_STATS_DEEP && kernels->input->is_deep)
        *kernels->input->is_deep = true;
}

static struct key key_of(const struct kernels *kernels, uint32_t group)
{
    struct nsc_text bytes = nsc_strpool_text(&kernels->keys, group);
    struct key key = {.process = 0};

    if (bytes.n == sizeof key)
        memcpy(&key, bytes.bytes, sizeof key);
    return key;
}

static bool pair_row(const void *context, uint32_t i, uint32_t *group, int64_t *value)
{
    const struct kernels *kernels = context;

    *group = kernels->pairs.at[i].group;
    *value = kernels->pairs.at[i].duration;
    return true;
}

/* Counts the ranges of each group: each once, however many of the kernels it launched. */
static void count_ranges(struct kernels *kernels)
{
    size_t n = kernels->pairs.n;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * n + 1) * sizeof *pairs);
    size_t kept = 0;

    kernels->instances = nsc_xcalloc((size_t)kernels->keys.n + 1, sizeof *kernels->instances);
    for (size_t i = 0; i < n; i++)
        if (kernels->pairs.at[i].range != NSC_NONE)
            pairs[kept++].key =
                (uint64_t)kernels->pairs.at[i].group << 32 | kernels->pairs.at[i].range;
    nsc_sort_pairs(pairs, pairs + kept, kept);
    for (size_t i = 0; i < kept; i++)
        if (i == 0 || pairs[i].key != pairs[i - 1].key)
            kernels->instances[pairs[i].key >> 32]++;
    free(pairs);
}

static struct nsc_text tag_text(const struct kernels *kernels, const struct key *key)
{
    return key->tag == NSC_NONE ? (struct nsc_text){"", 0}
                                : nsc_strpool_text(&kernels->texts, key->tag);
}

/* Orders by tag (none first), style, process, thread; then the greatest total. */
static int compare_groups(const void *context, uint32_t a, uint32_t b)
{
    const struct kernels *kernels = context;
    struct key x = key_of(kernels, a), y = key_of(kernels, b);
    int64_t s = kernels->spread[a].total, t = kernels->spread[b].total;
    int order = (x.tag != NSC_NONE) - (y.tag != NSC_NONE);

    if (!order)
        order = nsc_text_compare(tag_text(kernels, &x), tag_text(kernels, &y));
    if (order)
        return order;
    if (x.style != y.style)
        return x.style < y.style ? -1 : 1;
    if (x.process != y.process)
        return x.process + 1 < y.process + 1 ? -1 : 1;
    if (x.tid != y.tid)
        return x.tid < y.tid ? -1 : 1;
    if (s != t)
        return s > t ? -1 : 1;
    return nsc_text_compare(nsc_strpool_text(&kernels->texts, x.kernel),
                            nsc_strpool_text(&kernels->texts, y.kernel));
}

static bool put_group(const struct kernels *kernels, const struct nsc_stats_sink *sink,
                      uint32_t group)
{
    const struct nsc_spread *spread = &kernels->spread[group];
    struct key key = key_of(kernels, group);
    struct nsc_stats_cell cells[13];

    cells[0] = nsc_cell_of_text(tag_text(kernels, &key));
    cells[1] = key.style ? nsc_cell_of_text(nsc_stats_style((uint8_t)key.style)) : nsc_cell_empty();
    cells[2] = key.process == NO_PROCESS ? nsc_cell_empty()
                                         : nsc_cell_of_int((int64_t)(key.process & 0xffffff));
    cells[3] = key.process == NO_PROCESS ? nsc_cell_empty()
                                         : nsc_cell_of_int((int64_t)(key.tid & 0xffffff));
    cells[4] = nsc_cell_of_int((int64_t)kernels->instances[group]);
    cells[5] = nsc_cell_of_int((int64_t)spread->n);
    cells[6] = nsc_cell_of_int(spread->total);
    cells[7] = nsc_cell_of_real(spread->mean);
    cells[8] = nsc_cell_of_real(spread->median);
    cells[9] = nsc_cell_of_int(spread->min);
    cells[10] = nsc_cell_of_int(spread->max);
    cells[11] = nsc_cell_of_real(spread->deviation);
    cells[12] = nsc_cell_of_text(nsc_strpool_text(&kernels->texts, key.kernel));
    return sink->row(sink->context, cells);
}

static void put_groups(const struct kernels *kernels, const struct nsc_stats_sink *sink)
{
    uint32_t *index = nsc_xmalloc(((size_t)kernels->keys.n + 1) * sizeof *index);
    uint32_t n = 0;

    for (uint32_t g = 0; g < kernels->keys.n; g++)
        if (kernels->spread[g].n)
            index[n++] = g;
    nsc_sort_by(index, n, compare_groups, kernels);
    do {
        for (uint32_t i = 0; i < n; i++)
            if (!put_group(kernels, sink, index[i]))
                break;
    } while (nsc_stats_again(sink));
    free(index);
}

static enum nsc_status sum_pairs(struct kernels *kernels, const struct nsc_stats_sink *sink,
                                 struct nsc_error *error)
{
    if (kernels->pairs.n == 0)
        return nsc_stats_nothing(error, "CUDA kernel data");
    if (kernels->pairs.n >= NSC_NONE)
        return nsc_fail(error, NSC_ENOMEM, "more than 2^32 kernels inside ranges");
    kernels->spread =
        nsc_spreads_measure(kernels->keys.n, (uint32_t)kernels->pairs.n, pair_row, kernels);
    if (!kernels->spread)
        return nsc_fail(error, NSC_ENOMEM, "the system refuses the memory for the durations");
    count_ranges(kernels);
    put_groups(kernels, sink);
    return NSC_OK;
}

enum nsc_status nsc_stats_nvtx_kern_sum(const struct nsc_stats_input *input,
                                        const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct kernels kernels = {.events = nsc_trace_events(input->trace), .input = input};
    enum nsc_status status;

    nsc_strpool_init(&kernels.texts);
    nsc_strpool_init(&kernels.keys);
    nsc_stats_names_init(&kernels.names, input);
    nsc_stats_tags_init(&kernels.tags, input);
    nsc_stats_ranges_walk(input, NSC_N_KINDS, 1u << NSC_KIND_KERNEL,
                          &(struct nsc_stats_walk){.launch = visit_kernel, .context = &kernels});
    nsc_stats_tags_fini(&kernels.tags);
    status = sum_pairs(&kernels, sink, error);
    free(kernels.instances);
    free(kernels.spread);
    NSC_VEC_FINI(&kernels.pairs);
    nsc_stats_names_fini(&kernels.names);
    nsc_strpool_fini(&kernels.texts);
    nsc_strpool_fini(&kernels.keys);
    return status;
}
