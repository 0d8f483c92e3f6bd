/*
 * Counts each op for the innermost range around its launch: marks the ops of the scope, then walks
 * the launches and ranges of each thread, on all cores. An op has one launch, so no two walks meet.
 * Ops that stay marked are outside of ranges.
 */
#include "analysis/base/around.h"
#include "analysis/base/shared.h"
#include "analysis/ranges/launches.h"
#include "analysis/ranges/lend.h"
#include "analysis/ranges/range_work.h"
#include "analysis/ranges/tree_gpu.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/sum.h"
#include "core/threads.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

struct owner {                     /* a worker of the pool */
    struct nsc_range_figures *own; /* by node; NULL: none yet */
    struct nsc_range_figures all;  /* of ops marked */
    uint32_t n_domains;            /* of the current thread */
    struct nsc_around domains[NSC_RANGE_DOMAINS];
};

struct owning {
    struct nsc_range_work *out;
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    struct nsc_launches *launches;
    struct nsc_lends *lends;
    struct nsc_row_range ops;       /* rows of all streams */
    uint8_t *left;                  /* by row of ops: it is not counted yet */
    const struct nsc_lent_at *lent; /* in order of thread and start */
    uint32_t *lent_node;            /* of each, if its own thread has none; NSC_NONE: none */
    size_t n_lent;
    NSC_VEC(uint32_t) devices, threads;
    struct owner *owners; /* by worker */
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

/* Where an op is marked. */
static inline uint8_t *mark_of(const struct owning *owning, nsc_event op)
{
    return &owning->left[op - owning->ops.first];
}

/* Marks the ops of a device and adds them to the sums of all. */
static void mark_device(const struct owning *owning, struct nsc_range_figures *all, uint32_t device)
{
    struct nsc_scope scope = nsc_device_scope(owning->scope, device);
    const struct nsc_track *tracks = nsc_trace_tracks(scope.trace, NULL);

    for (uint32_t t = device; t < nsc_group_end(tracks, device); t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++) {
            nsc_event op, end;

            nsc_scope_rows(&scope, tracks[t].first_lane + k, &op, &end);
            for (; op < end; op++) {
                if (!nsc_kind_is_gpu(owning->events->kind[op]) || !nsc_scope_selects(&scope, op))
                    continue;
                *mark_of(owning, op) = 1;
                count_op(all, owning->events, op);
            }
        }
}

/* Counts a marked op, which is marked no longer. */
static inline void take_op(const struct owning *owning, struct nsc_range_figures *own, nsc_event op)
{
    *mark_of(owning, op) = 0;
    count_op(own, owning->events, op);
}

static void count_left(struct owning *owning)
{
    for (nsc_event op = owning->ops.first; op < owning->ops.end; op++)
        if (*mark_of(owning, op))
            count_op(&owning->out->none.own, owning->events, op);
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
static uint32_t find_node(const struct owning *owning, struct owner *owner, nsc_time t)
{
    const struct nsc_around_range *found = NULL;
    uint32_t node = NSC_NONE;

    for (uint32_t k = 0; k < owner->n_domains; k++) {
        struct nsc_around *around = &owner->domains[k];
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
static uint32_t find_lent_node(const struct owning *owning, struct owner *owner,
                               const struct nsc_lent_at *lent)
{
    uint32_t node = NSC_NONE;

    for (uint32_t k = 0; k < owner->n_domains; k++) {
        struct nsc_around *around = &owner->domains[k];
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

/* The first op lent to a range of a thread at or after group. */
static size_t find_lent(const struct owning *owning, uint32_t group)
{
    size_t low = 0, high = owning->n_lent;

    NSC_BISECT(low, high, middle, owning->lent[middle].group < group);
    return low;
}

/* Walks the launches of a thread, which call ops in [first, end), and the ops lent to its ranges. Where
 * ranges cross, those around a launch depend on the launches before it, so all ops of the scope are
 * looked at, also those outside the window of their device. */
static void walk_launches(const struct owning *owning, struct owner *owner, const nsc_event *first,
                          const nsc_event *end, uint32_t group)
{
    const struct nsc_events *events = owning->events;
    size_t i = find_lent(owning, group);

    for (;;) {
        nsc_time t = first < end ? events->start[events->link[*first]] : INT64_MAX;
        const struct nsc_lent_at *lent = &owning->lent[i];
        bool has_lent = i < owning->n_lent && lent->group == group;

        if (has_lent && (first == end || lent->start <= t)) {
            if (nsc_scope_has_row(owning->scope, events, lent->of.op))
                owning->lent_node[i] = find_lent_node(owning, owner, lent);
            i++;
        } else if (first == end) {
            return;
        } else {
            nsc_event op = *first++;
            bool is_marked = *mark_of(owning, op);
            uint32_t node = (is_marked && !owning->scope->of_devices) ||
                                    nsc_scope_has_row(owning->scope, events, op)
                                ? find_node(owning, owner, t)
                                : NSC_NONE;

            if (is_marked && node != NSC_NONE)
                take_op(owning, &owner->own[node], op);
        }
    }
}

static void walk_thread(void *context, unsigned worker, uint32_t i)
{
    const struct owning *owning = context;
    struct owner *owner = &owning->owners[worker];
    uint32_t group = owning->threads.at[i];
    const struct nsc_trace *trace = owning->scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const nsc_event *ops = nsc_launches_ops(owning->launches);
    struct nsc_positions in = nsc_launches_of_track(owning->launches, group);

    owner->n_domains = 0;
    for (uint32_t t = group;
         t < nsc_group_end(tracks, group) && owner->n_domains < NSC_RANGE_DOMAINS; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].n_lanes > 0)
            nsc_around_nested(&owner->domains[owner->n_domains++], trace, tracks[t].first_lane,
                              tracks[t].n_lanes);
    if (!owner->own)
        owner->own = nsc_xcalloc((size_t)owning->out->tree->n + 1, sizeof *owner->own);
    if (owner->n_domains > 0)
        walk_launches(owning, owner, ops + in.first, ops + in.end, group);
    for (uint32_t k = 0; k < owner->n_domains; k++)
        nsc_around_fini(&owner->domains[k]);
}

static void add_figures(struct nsc_range_figures *to, const struct nsc_range_figures *more)
{
    to->ops += more->ops;
    to->launches += more->launches;
    to->work = nsc_sum(to->work, more->work);
}

/* Ops are lent to a range only where their own thread has none around the launch, which is known when
 * all walks are done. */
static void join_owners(struct owning *owning, unsigned n)
{
    struct nsc_range_work *out = owning->out;
    struct nsc_range_figures all = {0};

    for (unsigned k = 0; k < n; k++) {
        add_figures(&all, &owning->owners[k].all);
        for (uint32_t i = 0; owning->owners[k].own && i < out->tree->n; i++)
            add_figures(&out->at[i].own, &owning->owners[k].own[i]);
        free(owning->owners[k].own);
    }
    out->ops = all.ops;
    out->work = all.work;
    for (size_t i = 0; i < owning->n_lent; i++) {
        uint32_t node = owning->lent_node[i];

        if (node != NSC_NONE && *mark_of(owning, owning->lent[i].of.op))
            take_op(owning, &out->at[node].own, owning->lent[i].of.op);
    }
    count_left(owning);
}

/* The rows of all streams, which have the ops of all devices. */
static struct nsc_row_range find_ops(const struct nsc_trace *trace)
{
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);
    struct nsc_row_range rows = {NSC_NONE, 0};

    for (uint32_t l = 0; l < n; l++)
        if (nsc_trace_track(trace, lanes[l].track)->kind == NSC_TRACK_STREAM && lanes[l].n > 0) {
            rows.first = lanes[l].first < rows.first ? lanes[l].first : rows.first;
            rows.end =
                lanes[l].first + lanes[l].n > rows.end ? lanes[l].first + lanes[l].n : rows.end;
        }
    return rows.first < rows.end ? rows : (struct nsc_row_range){0, 0};
}

enum { TREE, LAUNCHES, DEVICES }; /* what is prepared; the first device */

static void prepare(void *context, unsigned worker, uint32_t i)
{
    struct owning *owning = context;
    struct nsc_range_work *out = owning->out;

    if (i == TREE) {
        out->tree =
            nsc_range_tree_touching(owning->scope, NSC_PATHS_BY_DIGITS, &out->has_kept_tree);
    } else if (i == LAUNCHES) {
        owning->launches = nsc_launches_ask_order(owning->scope);
        owning->lends = nsc_lends_ask(owning->scope);
    } else {
        mark_device(owning, &owning->owners[worker].all, owning->devices.at[i - DEVICES]);
    }
}

static void walk_all(struct owning *owning, struct nsc_pool *pool)
{
    struct nsc_lent_at *lent = nsc_lends_ordered(owning->lends, owning->scope->trace);
    struct nsc_range_work *out = owning->out;

    out->at = nsc_xcalloc((size_t)out->tree->n + 1, sizeof *out->at);
    owning->lent = lent;
    owning->n_lent = owning->lends->list.n;
    owning->lent_node = nsc_xmalloc((owning->n_lent + 1) * sizeof *owning->lent_node);
    memset(owning->lent_node, 0xff, owning->n_lent * sizeof *owning->lent_node); /* NSC_NONE */
    nsc_pool_run(pool, (uint32_t)owning->threads.n, walk_thread, owning);
    join_owners(owning, nsc_pool_threads(pool));
    free(owning->lent_node);
    free(lent);
}

static void list_tracks(struct owning *owning)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(owning->scope->trace, &n);

    for (uint32_t t = 0; t < n; t++) {
        if (tracks[t].kind == NSC_TRACK_DEVICE)
            *NSC_VEC_ADD(&owning->devices) = t;
        else if (tracks[t].kind == NSC_TRACK_THREAD)
            *NSC_VEC_ADD(&owning->threads) = t;
    }
}

static bool build_range_own(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_range_work *out = value;
    struct owning owning = {.out = out,
                            .scope = scope,
                            .events = nsc_trace_events(scope->trace),
                            .ops = find_ops(scope->trace)};
    size_t bytes = owning.ops.end - owning.ops.first;
    struct nsc_pool *pool = nsc_pool_new(0);
    bool is_fine;

    (void)device;
    *out = (struct nsc_range_work){0};
    list_tracks(&owning);
    owning.left = nsc_pages_need(bytes);
    owning.owners = nsc_xcalloc(nsc_pool_threads(pool), sizeof *owning.owners);
    is_fine = owning.left || bytes == 0;
    if (is_fine)
        nsc_pool_run(pool, DEVICES + (uint32_t)owning.devices.n, prepare, &owning);
    is_fine = is_fine && out->tree && owning.launches && owning.lends;
    if (is_fine)
        walk_all(&owning, pool);
    else
        nsc_range_work_fini(out);
    nsc_pool_free(pool);
    free(owning.owners);
    nsc_pages_free(owning.left, bytes);
    nsc_lends_free(owning.lends);
    nsc_launches_free(owning.launches);
    NSC_VEC_FINI(&owning.devices);
    NSC_VEC_FINI(&owning.threads);
    return is_fine;
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
