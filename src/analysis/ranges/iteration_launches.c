/*
 * Finds iterations without ranges: the period of the sequence in which a process launches kernels,
 * graphs and copies on its busiest GPU.
 */
#include "analysis/base/correlate.h"
#include "analysis/base/device_ops.h"
#include "analysis/names/call_class.h"
#include "analysis/names/host_act.h"
#include "analysis/ranges/iteration_period.h"
#include "analysis/ranges/iteration_search.h"
#include "core/die.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 64 }; /* most calls considered between two launches */

struct order { /* launches in order of their calls */
    const struct nsc_iteration_search *search;
    const struct nsc_search_process *process;
    NSC_VEC(uint32_t) ops;
    uint32_t device; /* group */
    bool is_only;    /* the process has no op with a known call on another one */
    struct nsc_call_classes classes;
};

/* ---- the sequence ---- */

static nsc_time call_time(const void *context, nsc_event op)
{
    const struct order *order = context;

    return order->search->events->start[order->search->events->link[op]];
}

/* The device with the most summed op time; ties: the one that led last in launch order. */
static uint32_t leading_device(const struct order *order)
{
    const struct nsc_iteration_search *search = order->search;
    uint32_t n = 0;
    nsc_time *work;
    uint32_t best = 0;

    (void)nsc_trace_tracks(search->trace, &n);
    work = nsc_xcalloc((size_t)n + 1, sizeof *work);
    for (uint32_t i = 0; i < order->process->n_threads; i++) {
        struct nsc_positions in =
            nsc_launches_of_track(search->launches, order->process->threads[i]);

        for (uint32_t at = in.first; at < in.end; at++) {
            nsc_event op = nsc_launches_op(search->launches, at);
            uint32_t device = nsc_event_group(search->trace, op);

            work[device] = nsc_sum(work[device], nsc_event_duration(search->events, op));
            best = work[device] > work[best] ? device : best;
        }
    }
    free(work);
    return best;
}

/* Finds the device on which the process works most. */
static void find_device(struct order *order)
{
    const struct nsc_trace *trace = order->search->trace;
    uint32_t n = 0;

    if (order->process->work == 0)
        return;
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(trace, d)) != NSC_NONE;)
        if (nsc_process_works_on(trace, d, order->process->process)) {
            order->device = d;
            n++;
        }
    order->is_only = n == 1;
    if (n > 1)
        order->device = leading_device(order);
}

/* Adds the launches of a thread. The nodes of a graph count as one. */
static void add_thread(struct order *order, uint32_t thread)
{
    const struct nsc_launches *launches = order->search->launches;
    struct nsc_positions in = nsc_launches_of_track(launches, thread);
    const uint32_t *link = order->search->events->link;
    nsc_event before = NSC_NONE;

    for (uint32_t at = in.first; at < in.end; at++) {
        nsc_event op = nsc_launches_op(launches, at);

        if (link[op] != before &&
            (order->is_only || nsc_event_group(order->search->trace, op) == order->device))
            *NSC_VEC_ADD(&order->ops) = op;
        before = link[op];
    }
}

/* Lists the launches of the process on its device in order of their calls. */
static void fill_order(struct order *order)
{
    for (uint32_t i = 0; i < order->process->n_threads; i++)
        add_thread(order, order->process->threads[i]);
    nsc_sort_by_time(order->ops.at, (uint32_t)order->ops.n, call_time, order);
}

/* Whether an op stands for a graph: recorded whole, or as the first of its nodes. */
static bool is_graph(const struct order *order, nsc_event op)
{
    const struct nsc_events *events = order->search->events;

    return events->kind[op] == NSC_KIND_GRAPH ||
           nsc_call_class_of(&order->classes, events->link[op]) == NSC_CALL_GRAPH;
}

/* The n names come first, then kinds, then graphs by the name of their first node. */
static uint32_t symbol_of(const struct nsc_events *events, uint32_t n, nsc_event op, bool graph,
                          bool one_graph)
{
    uint8_t kind = events->kind[op];

    if (graph)
        return one_graph                ? n + NSC_KIND_GRAPH
               : kind == NSC_KIND_GRAPH ? events->name[op]
                                        : n + NSC_N_KINDS + events->name[op];
    return kind == NSC_KIND_KERNEL ? events->name[op] : n + kind;
}

/* Whether a kernel is named like a check of a solution, which a program makes every few steps; the length
 * of a time step is no check. */
static bool is_check(struct nsc_text name)
{
    static const char *const words[] = {"resid", "norm", "converg", "check", "error", "diag", NULL};

    return nsc_text_contains_any(name, words);
}

/* Whether a kernel is named like the rebuilding of a list or grid that serves several steps. */
static bool is_rebuild(struct nsc_text name)
{
    static const char *const words[] = {"neigh",    "nlist",   "tile_list", "tilelist", "cell_list",
                                        "celllist", "cell_id", "pair_list", "pairlist", "prune",
                                        "rebuild",  "regrid",  "remesh",    NULL};

    return nsc_text_contains_any(name, words);
}

uint8_t nsc_search_kernel_traits(const struct nsc_iteration_search *search, nsc_name name)
{
    atomic_uchar *known = &search->kernel_traits[name];
    uint8_t traits = atomic_load_explicit(known, memory_order_relaxed);

    if (traits == 0) {
        struct nsc_text text = nsc_name_text(search->trace, name);

        traits = (nsc_search_traits(text) & NSC_TRAIT_UPDATE) |
                 (is_check(text) ? NSC_TRAIT_ASIDE : 0) |
                 (is_rebuild(text) ? NSC_TRAIT_REBUILD : 0) |
                 NSC_TRAIT_EPOCH; /* already considered; has no meaning for kernels */
        atomic_store_explicit(known, traits, memory_order_relaxed);
    }
    return traits;
}

static uint8_t traits_of(const struct order *order, nsc_event op)
{
    if (is_graph(order, op))
        return NSC_TRAIT_GRAPH;
    switch (order->search->events->kind[op]) {
    case NSC_KIND_COPY_HTOD:
        return NSC_TRAIT_EXCHANGE | NSC_TRAIT_STEP;
    case NSC_KIND_COPY_DTOH:
        return NSC_TRAIT_EXCHANGE;
    case NSC_KIND_KERNEL:
        return nsc_search_kernel_traits(order->search, order->search->events->name[op]);
    default:
        return 0;
    }
}

/* Numbers the symbols that occur anew, in their order, if few can: 10,000 processes with 10 launches and
 * 30,000 names take 1 s less. Returns the number of symbols. */
static uint32_t number_symbols(uint32_t symbols[], uint32_t n, uint32_t n_symbols)
{
    struct nsc_sort_pair *pairs;

    if (n >= n_symbols)
        return n_symbols;
    pairs = nsc_xmalloc((2 * (size_t)n + 1) * sizeof *pairs);
    for (uint32_t i = 0; i < n; i++)
        pairs[i] = (struct nsc_sort_pair){symbols[i], i};
    nsc_sort_pairs(pairs, pairs + n, n);
    n_symbols = 0;
    for (uint32_t i = 0; i < n; i++) {
        n_symbols += i == 0 || pairs[i].key != pairs[i - 1].key;
        symbols[pairs[i].value] = n_symbols - 1;
    }
    free(pairs);
    return n_symbols;
}

/* Returns false if no op is a graph. */
static bool fill_symbols(struct nsc_sequence *out, uint32_t symbols[], uint8_t traits[],
                         const struct order *order, bool one_graph)
{
    uint32_t n_names = nsc_trace_names(order->search->trace)->n;
    bool has_graphs = false;

    for (uint32_t i = 0; i < out->n; i++) {
        bool graph = is_graph(order, out->op[i]);

        symbols[i] = symbol_of(order->search->events, n_names, out->op[i], graph, one_graph);
        has_graphs = has_graphs || graph;
    }
    out->n_symbols = number_symbols(symbols, out->n, 2 * n_names + NSC_N_KINDS);
    memset(traits, 0, out->n_symbols);
    for (uint32_t i = 0; i < out->n; i++)
        if (traits[symbols[i]] == 0)
            traits[symbols[i]] = traits_of(order, out->op[i]);
    return has_graphs;
}

/* Whether the host waits for the GPU between two launches of one thread. */
static bool is_wait_between(const struct nsc_iteration_search *search, uint8_t acts[], uint32_t op,
                            uint32_t next)
{
    const struct nsc_events *events = search->events;
    nsc_event end = events->link[next];

    for (nsc_event row = events->link[op] + 1; row < end && row - events->link[op] < MOST_CALLS;
         row++) {
        uint8_t *act = &acts[events->name[row]];

        if (!nsc_kind_is_api(events->kind[row]))
            return false;
        if (*act == 0)
            *act = (uint8_t)(nsc_host_act_api(nsc_event_name(search->trace, row)) + 1);
        if (*act == NSC_HOST_SYNC + 1)
            return true;
    }
    return false;
}

/* How often the host waited before each launch; the caller frees it. NULL for PyTorch, where layers
 * wait too (counts of experts, masks). */
static uint32_t *count_waits(const struct order *order)
{
    const struct nsc_trace *trace = order->search->trace;
    uint32_t *waits;
    uint8_t *acts;

    if (order->search->is_pytorch)
        return NULL;
    waits = nsc_xcalloc(order->ops.n + 1, sizeof *waits);
    acts = nsc_xcalloc((size_t)nsc_trace_names(trace)->n + 1, 1);
    for (size_t i = 0; i + 1 < order->ops.n; i++)
        waits[i + 1] =
            waits[i] + is_wait_between(order->search, acts, order->ops.at[i], order->ops.at[i + 1]);
    waits[order->ops.n] = order->ops.n > 0 ? waits[order->ops.n - 1] : 0;
    free(acts);
    return waits;
}

static bool find_period(struct nsc_period *out, const struct order *order)
{
    uint32_t *symbols = nsc_xmalloc((order->ops.n + 1) * sizeof *symbols);
    uint8_t *traits = nsc_xmalloc(order->ops.n + 1);
    uint32_t *waits = count_waits(order);
    struct nsc_sequence sequence = {
        symbols, (uint32_t)order->ops.n, 0, traits, order->ops.at, order->search->events, waits,
        true,    order->search->stop};
    bool has_graphs = true;
    bool found = false;

    for (int pass = 0; pass < 2 && has_graphs && !found; pass++) { /* graphs may differ by name */
        has_graphs = fill_symbols(&sequence, symbols, traits, order, pass == 1);
        found = nsc_period_find(out, &sequence);
    }
    free(symbols);
    free(traits);
    free(waits);
    return found;
}

/* ---- where an iteration begins ---- */

/* The host's time between the previous call and a launch: a wait, or work. */
static nsc_time pause_before(const struct order *order, uint32_t at)
{
    const struct nsc_events *events = order->search->events;

    return nsc_span(nsc_event_touch_end(events, events->link[order->ops.at[at - 1]]),
                    call_time(order, order->ops.at[at]));
}

/* Whether an iteration could begin at a launch: after a result for the host, or with its input. */
static bool is_natural(const struct order *order, uint32_t at)
{
    const uint8_t *kind = order->search->events->kind;

    return kind[order->ops.at[at]] == NSC_KIND_COPY_HTOD ||
           (at > 0 && kind[order->ops.at[at - 1]] == NSC_KIND_COPY_DTOH);
}

/* The launch in (first, last] with the longest pause before it. */
static uint32_t longest_pause(const struct order *order, uint32_t first, uint32_t last)
{
    uint32_t best = last;

    for (uint32_t at = first + 1; at < last; at++)
        if (pause_before(order, at) > pause_before(order, best))
            best = at;
    return best;
}

/* The number of launches from each start to the host's longest pause, if nearly all agree and the
 * starts themselves are not natural; else 0. */
static uint32_t find_shift(const struct order *order, const struct nsc_period *period)
{
    struct nsc_majority most = {0};
    uint32_t fine = 0;

    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i + 1 < period->n; i++) {
            uint32_t next = period->start[i + 1];
            uint32_t at = longest_pause(order, period->start[i], next);

            nsc_majority_add(&most, at == next ? 0 : at - period->start[i], pass);
            fine += pass == 0 && (is_natural(order, next) ||
                                  (double)pause_before(order, next) >=
                                      NSC_SHARE(MOST) * (double)pause_before(order, at));
        }
    return fine < NSC_SHARE(NEARLY_ALL) * (period->n - 1) &&
                   most.same >= NSC_SHARE(NEARLY_ALL) * (period->n - 1)
               ? (uint32_t)most.key
               : 0;
}

/* Whether the program's first launch begins an iteration and its last iteration is complete: then
 * iterations begin with the program. */
static bool is_all(const struct order *order, const struct nsc_period *period)
{
    return period->start[0] == 0 && order->ops.n - period->start[period->n - 1] >= period->length;
}

/* Moves the starts to the host's first launch after a wait. The part before the first start is an
 * iteration if it is long enough; a beginning without an end is not. */
static void align_starts(struct nsc_period *period, const struct order *order)
{
    uint32_t shift = period->n > 1 && !is_all(order, period) ? find_shift(order, period) : 0;
    uint32_t first = period->start[0] + shift;
    double least = NSC_SHARE(NEARLY_ALL) * period->length;

    if (shift == 0)
        return;
    for (uint32_t i = 0; i < period->n; i++)
        period->start[i] += shift;
    if (first >= least) {
        period->start = nsc_xrealloc(period->start, (size_t)period->n + 1, sizeof *period->start);
        memmove(period->start + 1, period->start, period->n * sizeof *period->start);
        period->start[0] = 0;
        period->n++;
    }
    while (period->n > 1 && (period->start[period->n - 1] >= order->ops.n ||
                             (double)(order->ops.n - period->start[period->n - 1]) < least))
        period->n--;
}

/* ---- the iterations ---- */

/* Adds the copies behind the usual launches of iteration i, if they take much time: a checkpoint. */
static void add_copies(struct nsc_found *found, const struct order *order,
                       const struct nsc_period *period, uint32_t i)
{
    const struct nsc_events *events = order->search->events;
    uint32_t first = period->start[i] + period->length;
    nsc_time work = 0;

    if (first >= period->start[i + 1])
        return;
    for (uint32_t at = first; at < period->start[i + 1]; at++) {
        if (!nsc_kind_is_copy(events->kind[order->ops.at[at]]))
            return;
        work = nsc_sum(work, nsc_event_duration(events, order->ops.at[at]));
    }
    nsc_found_add_aside(found, events, i, work, order->ops.at[first]);
}

static void fill_found(struct nsc_found *found, const struct order *order,
                       const struct nsc_period *period)
{
    const struct nsc_events *events = order->search->events;
    uint32_t last = period->start[period->n - 1] + period->length - 1;

    found->by = NSC_ITERATIONS_BY_LAUNCHES;
    found->n = period->n;
    found->at = nsc_xcalloc((size_t)period->n + 1, sizeof *found->at);
    found->process = order->process;
    found->pattern = NSC_NONE;
    found->steady = period->steady;
    for (uint32_t i = 0; i < period->n; i++) {
        found->at[i].event = events->link[order->ops.at[period->start[i]]];
        found->at[i].host.t0 = events->start[found->at[i].event];
        if (i > 0)
            found->at[i - 1].host.t1 = found->at[i].host.t0;
    }
    last = last < order->ops.n ? last : (uint32_t)order->ops.n - 1;
    found->at[period->n - 1].host.t1 =
        nsc_event_touch_end(events, events->link[order->ops.at[last]]);
    found->track = nsc_event_group(order->search->trace, found->at[0].event);
    for (uint32_t i = 0; i + 1 < period->n; i++)
        add_copies(found, order, period, i);
}

/* Sets the coverage, and that of the loop: without copies and communication before and after it, which
 * load and distribute the model. */
static void set_coverage(struct nsc_found *found, const struct order *order)
{
    struct nsc_window w = {found->at[0].host.t0, found->at[found->n - 1].host.t1};
    nsc_time inside = nsc_search_work(order->search, order->process, w).work;
    nsc_time whole = inside;

    whole = nsc_sum(whole, nsc_search_compute_time(order->search, order->process,
                                                   (struct nsc_window){INT64_MIN, w.t0}));
    whole = nsc_sum(whole, nsc_search_compute_time(order->search, order->process,
                                                   (struct nsc_window){w.t1, INT64_MAX}));
    if (order->process->work > 0)
        found->coverage = (double)inside / (double)order->process->work;
    if (whole > 0)
        found->loop_coverage = (double)inside / (double)whole;
}

/* Whether iterations of the usual length take most of the time, or have a graph or an exchange with
 * the host. Otherwise they are micro-batches of a larger iteration whose other part (a rollout)
 * takes most of the time. */
static bool is_most(const struct order *order, const struct nsc_period *period)
{
    const struct nsc_events *events = order->search->events;
    nsc_time usual = 0;
    nsc_time whole = 0;

    for (uint32_t i = 0; i + 1 < period->n; i++) {
        uint32_t n = period->start[i + 1] - period->start[i];
        bool is_usual = n >= (1 - NSC_SHARE(LARGE)) * period->length &&
                        n <= (1 + NSC_SHARE(LARGE)) * period->length;

        for (uint32_t at = period->start[i]; at < period->start[i + 1]; at++) {
            uint8_t kind = events->kind[order->ops.at[at]];

            if (is_usual && kind != NSC_KIND_KERNEL && kind != NSC_KIND_MEMSET)
                return true;
            whole = nsc_sum(whole, nsc_event_duration(events, order->ops.at[at]));
            if (is_usual)
                usual = nsc_sum(usual, nsc_event_duration(events, order->ops.at[at]));
        }
    }
    return (double)usual >= NSC_SHARE(MOST) * (double)whole;
}

/* Calls that start at one instant do not start two iterations. */
static bool is_ascending(const struct nsc_found *found)
{
    for (uint32_t i = 0; i < found->n; i++)
        if (found->at[i].host.t0 >= found->at[i].host.t1)
            return false;
    return true;
}

/* Whether ranges show that the repetition is only a part of an iteration. */
static bool is_parts(const struct nsc_iteration_search *search, uint32_t n)
{
    uint32_t difference = n > search->n_parts ? n - search->n_parts : search->n_parts - n;

    return search->n_parts > 0 && difference <= 1 + n / 10;
}

void nsc_search_launches(const struct nsc_iteration_search *search,
                         const struct nsc_search_process *process, struct nsc_found *best)
{
    struct order order = {.search = search, .process = process};
    struct nsc_period period = {0};
    struct nsc_found found = {0};

    if (process->n_threads == 0)
        return;
    nsc_call_classes_build(&order.classes, search->trace);
    find_device(&order);
    fill_order(&order);
    if (order.ops.n >= NSC_LIMIT_ITERATIONS && find_period(&period, &order)) {
        align_starts(&period, &order);
        fill_found(&found, &order, &period);
        set_coverage(&found, &order);
        (void)snprintf(found.label, sizeof found.label, "%u launches each", period.length);
    }
    if (found.n > 0 && (!is_ascending(&found) || !is_most(&order, &period)))
        nsc_found_fini(&found);
    if (found.n >= NSC_LIMIT_STEADY_ITERATIONS && !is_parts(search, found.n) &&
        (best->n == 0 || found.coverage > best->coverage)) {
        nsc_found_fini(best);
        *best = found;
    } else {
        nsc_found_fini(&found);
    }
    free(period.start);
    nsc_call_classes_fini(&order.classes);
    NSC_VEC_FINI(&order.ops);
}
