/*
 * Counts each op for the innermost range around its launch: marks the ops of the scope, then walks
 * the launches and ranges of each thread. Ops that stay marked are outside of ranges.
 */
#include "analysis/base/around.h"
#include "analysis/base/shared.h"
#include "analysis/ranges/launches.h"
#include "analysis/ranges/lend.h"
#include "analysis/ranges/range_work.h"
#include "analysis/ranges/tree_gpu.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/sum.h"

#include <stdlib.h>

struct owning {
    struct nsc_range_work *out;
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    uint64_t *left;                 /* one bit per row: an op that is not counted yet */
    const struct nsc_lent_at *lent; /* in order of thread and start */
    uint32_t *lent_node;            /* of each, if its own thread has none; NSC_NONE: none */
    size_t n_lent, next_lent;
    uint32_t n_domains; /* of the current thread */
    struct nsc_around domains[NSC_RANGE_DOMAINS];
};

/* ---- ops ---- */

static inline void count_op(struct nsc_range_figures *own, const struct nsc_events *events,
                            nsc_event op)
{
    nsc_event call = events->link[op];

    own->ops++;
    own->launches += call != NSC_NONE && events->link[call] == op;
    own->work = nsc_sum(own->work, nsc_event_duration(events, op));
}

/* Marks the ops of a device and adds them to the sums of all. */
static void mark_device(struct owning *owning, uint32_t device)
{
    struct nsc_scope scope = nsc_device_scope(owning->scope, device);
    const struct nsc_events *events = owning->events;
    const struct nsc_track *tracks = nsc_trace_tracks(scope.trace, NULL);
    struct nsc_range_work *out = owning->out;

    for (uint32_t t = device; t < tracks[device].skip; t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++) {
            nsc_event op, end;

            nsc_scope_rows(&scope, tracks[t].first_lane + k, &op, &end);
            for (; op < end; op++) {
                if (!nsc_kind_is_gpu(events->kind[op]) || !nsc_scope_selects(&scope, op))
                    continue;
                nsc_bits_set(owning->left, op);
                out->work = nsc_sum(out->work, nsc_event_duration(events, op));
                out->ops++;
            }
        }
}

/* Counts the op for a node, or for none, unless it is counted already. */
static inline void take_op(struct owning *owning, uint32_t node, nsc_event op)
{
    if (node == NSC_NONE || !nsc_bits_get(owning->left, op))
        return;
    nsc_bits_unset(owning->left, op);
    count_op(&owning->out->at[node].own, owning->events, op);
}

static void count_left(struct owning *owning)
{
    size_t words = nsc_bits_words(owning->events->n);

    for (size_t i = 0; i < words; i++)
        for (uint64_t left = owning->left[i]; left; left &= left - 1)
            count_op(&owning->out->none.own, owning->events,
                     (nsc_event)(i * 64) + (nsc_event)__builtin_ctzll(left));
}

/* ---- ranges ---- */

/* The innermost of the first n open ranges that has a node; NULL: none has. */
static const struct nsc_around_range *
find_range(const struct owning *owning, const struct nsc_around *around, size_t n, uint32_t *node)
{
    const struct nsc_calltree *tree = owning->out->tree;

    for (; n > 0; n--) {
        *node = tree->node_of[around->open.at[n - 1].id - tree->first_row];
        if (*node != NSC_NONE)
            return &around->open.at[n - 1];
    }
    return NULL;
}

/* The node around a call; among several domains, the range that starts last decides. */
static uint32_t find_node(struct owning *owning, nsc_time t)
{
    const struct nsc_around_range *found = NULL;
    uint32_t node = NSC_NONE;

    for (uint32_t k = 0; k < owning->n_domains; k++) {
        struct nsc_around *around = &owning->domains[k];
        const struct nsc_around_range *range;
        uint32_t of_range;

        if (!nsc_around_stays(around, t))
            nsc_around_step(around, t);
        range = find_range(owning, around, around->open.n, &of_range);
        if (range && (!found || range->start > found->start)) {
            found = range;
            node = of_range;
        }
    }
    return node;
}

/* The node of a range to which an op is lent. */
static uint32_t find_lent_node(struct owning *owning, const struct nsc_lent_at *lent)
{
    uint32_t node = NSC_NONE;

    for (uint32_t k = 0; k < owning->n_domains; k++) {
        struct nsc_around *around = &owning->domains[k];
        size_t n;

        if (!nsc_around_stays(around, lent->start))
            nsc_around_step(around, lent->start);
        for (n = around->open.n; n > 0 && around->open.at[n - 1].id != lent->of.range;)
            n--;
        if (n > 0)
            return find_range(owning, around, n, &node) ? node : NSC_NONE;
    }
    return node;
}

/* ---- threads ---- */

/* Walks the launches of a thread, which call ops in [first, end), and the ops lent to its ranges. */
static void walk_launches(struct owning *owning, const nsc_event *first, const nsc_event *end,
                          uint32_t group)
{
    const struct nsc_events *events = owning->events;

    for (;;) {
        nsc_time t = first < end ? events->start[events->link[*first]] : INT64_MAX;
        const struct nsc_lent_at *lent = &owning->lent[owning->next_lent];
        bool has_lent = owning->next_lent < owning->n_lent && lent->group == group;

        if (has_lent && (first == end || lent->start <= t))
            owning->lent_node[owning->next_lent++] =
                nsc_bits_get(owning->left, lent->of.op) ? find_lent_node(owning, lent) : NSC_NONE;
        else if (first == end)
            return;
        else if (nsc_bits_get(owning->left, *first))
            take_op(owning, find_node(owning, t), *first++);
        else
            first++;
    }
}

static void walk_thread(struct owning *owning, const struct nsc_launches *launches, uint32_t group)
{
    const struct nsc_trace *trace = owning->scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const nsc_event *ops = nsc_launches_ops(launches);
    struct nsc_positions in = nsc_launches_of_track(launches, group);

    owning->n_domains = 0;
    for (uint32_t t = group; t < tracks[group].skip && owning->n_domains < NSC_RANGE_DOMAINS; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].n_lanes > 0)
            nsc_around_nested(&owning->domains[owning->n_domains++], trace, tracks[t].first_lane,
                              tracks[t].n_lanes);
    if (owning->n_domains > 0)
        walk_launches(owning, ops + in.first, ops + in.end, group);
    for (uint32_t k = 0; k < owning->n_domains; k++)
        nsc_around_fini(&owning->domains[k]);
}

/* Ops are lent to a range only where their own thread has none around the launch. */
static void walk_threads(struct owning *owning, const struct nsc_launches *launches)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(owning->scope->trace, &n);

    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_THREAD)
            walk_thread(owning, launches, t);
    for (size_t i = 0; i < owning->next_lent; i++)
        take_op(owning, owning->lent_node[i], owning->lent[i].of.op);
}

static bool count_all(struct owning *owning)
{
    const struct nsc_scope *scope = owning->scope;
    size_t bytes = nsc_bits_words(owning->events->n) * sizeof *owning->left;
    struct nsc_launches *launches = nsc_launches_ask_order(scope);
    struct nsc_lends *lends = nsc_lends_ask(scope);
    bool is_fine;

    owning->left = nsc_pages_need(bytes);
    is_fine = launches && lends && (owning->left || bytes == 0);
    if (is_fine) {
        struct nsc_lent_at *lent = nsc_lends_ordered(lends, scope->trace);

        owning->lent = lent;
        owning->n_lent = lends->list.n;
        owning->lent_node = nsc_xcalloc(owning->n_lent + 1, sizeof *owning->lent_node);
        for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;)
            mark_device(owning, d);
        walk_threads(owning, launches);
        count_left(owning);
        free(owning->lent_node);
        free(lent);
    }
    nsc_pages_free(owning->left, bytes);
    nsc_lends_free(lends);
    nsc_launches_free(launches);
    return is_fine;
}

static bool build_range_own(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_range_work *out = value;
    struct owning owning = {.out = out, .scope = scope, .events = nsc_trace_events(scope->trace)};

    (void)device;
    *out = (struct nsc_range_work){0};
    out->tree = nsc_range_tree_touching(scope, NSC_PATHS_BY_DIGITS, &out->has_kept_tree);
    if (!out->tree)
        return false;
    out->at = nsc_xcalloc((size_t)out->tree->n + 1, sizeof *out->at);
    if (count_all(&owning))
        return true;
    nsc_range_work_fini(out);
    return false;
}

static void fini_range_own(void *value)
{
    nsc_range_work_fini(value);
}

bool nsc_range_own_build(struct nsc_range_work *out, const struct nsc_scope *scope)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_range_work), build_range_own,
                                                fini_range_own};
    bool is_kept = true;
    bool result = true;

    if (!nsc_range_work_peek(out, scope))
        result = nsc_shared_ask(out, &is_kept, &kind, scope, 0);
    out->is_kept = is_kept;
    return result;
}
