/*
 * Measures the ops of ranges in two passes: launches by thread with the open ranges, then ops by
 * device with the reach of each node.
 */
#include "analysis/ranges/range_work.h"

#include "analysis/base/activity.h"
#include "analysis/base/around.h"
#include "analysis/base/shared.h"
#include "analysis/ranges/launches.h"
#include "analysis/ranges/lend.h"
#include "analysis/ranges/path_unions.h"
#include "analysis/ranges/tree_gpu.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/idtable.h"

#include <math.h>
#include <stdlib.h>

#define DOMAINS 16            /* most NVTX tracks read per thread; further ones are ignored */
#define SLOTS   (2 * DOMAINS) /* of the launching thread, then of the thread the op is lent to */

/* The open ranges at a launch, outermost first. Crossing ranges enclose each other only by time, so
 * the chain need not be the path of any of them. */
struct chain {
    uint32_t outer; /* NSC_NONE: outermost */
    uint32_t node;
};

struct open_range {
    nsc_event row;
    uint32_t node;  /* NSC_NONE: not in the tree of this window */
    uint32_t chain; /* ends with this range or one around it; NSC_NONE: no range has a path */
    nsc_time start; /* of the range at the end of the chain */
    nsc_time first, last;
    struct nsc_range_figures sum;
};

/* A domain of the current thread. */
struct domain {
    struct nsc_around around;
    NSC_VEC(struct open_range) open;
};

struct building {
    struct nsc_range_work *out;
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    const struct nsc_launches *launches;
    bool is_own;        /* only own figures: a chain is its node, and only chains of own are kept */
    nsc_event first_op; /* rows of GPU work lie in [first_op, first_op + n_ops) */
    uint32_t n_ops;
    uint32_t *chain_of[SLOTS];   /* [row - first_op] -> chain + 1; pages, NULL until needed */
    uint8_t *own;                /* [row - first_op] -> slot + 1 */
    const struct nsc_lent *lent; /* by thread of the range, its start, and op */
    size_t n_lent, next_lent;
    NSC_VEC(struct chain) chains;
    struct nsc_idtable known;
    uint32_t *latest_chain; /* by node: the chain found last + 1 */
    bool has_crossing;      /* several chains end with one node */
    uint32_t n_domains;     /* domains of the current thread */
    struct domain domains[DOMAINS];
};

/* ---- the first walk: instances ---- */

static void close_range(struct building *building, struct domain *domain)
{
    const struct open_range *range = &domain->open.at[--domain->open.n];

    if (range->sum.ops == 0)
        return;
    if (domain->open.n > 0) {
        struct open_range *outer = &domain->open.at[domain->open.n - 1];

        outer->first = nsc_earlier(outer->first, range->first);
        outer->last = nsc_later(outer->last, range->last);
        outer->sum.ops += range->sum.ops;
        outer->sum.launches += range->sum.launches;
        outer->sum.work = nsc_sum(outer->sum.work, range->sum.work);
    }
    if (range->node != NSC_NONE) {
        struct nsc_range_node *node = &building->out->at[range->node];
        double off = (double)range->sum.work - node->mean;

        node->projected++;
        node->span = nsc_sum(node->span, nsc_span(range->first, range->last));
        node->inside.ops += range->sum.ops;
        node->inside.launches += range->sum.launches;
        node->inside.work = nsc_sum(node->inside.work, range->sum.work);
        node->mean += off / node->projected;
        node->spread += off * ((double)range->sum.work - node->mean);
    }
}

static bool equals_chain(const void *context, uint32_t id, const void *key)
{
    const struct building *building = context;
    const struct chain *chain = key;

    return building->chains.at[id].outer == chain->outer &&
           building->chains.at[id].node == chain->node;
}

static uint32_t find_chain(struct building *building, struct chain chain)
{
    uint32_t *latest = &building->latest_chain[chain.node];
    uint64_t hash;
    uint32_t id;

    if (*latest > 0 && building->chains.at[*latest - 1].outer == chain.outer)
        return *latest - 1;
    hash = nsc_hash_mix(nsc_hash_mix(0, chain.outer), chain.node);
    id = nsc_idtable_find(&building->known, hash, equals_chain, building, &chain);
    if (id == NSC_NONE) {
        id = (uint32_t)building->chains.n;
        *NSC_VEC_ADD(&building->chains) = chain;
        nsc_idtable_add(&building->known, hash, id);
        building->has_crossing = building->has_crossing || *latest > 0;
    }
    *latest = id + 1;
    return id;
}

static void push_range(struct building *building, struct domain *domain,
                       const struct nsc_around_range *of)
{
    const struct nsc_calltree *tree = building->out->tree;
    struct open_range *range = NSC_VEC_ADD(&domain->open);
    const struct open_range *outer = domain->open.n > 1 ? range - 1 : NULL;

    *range = (struct open_range){.row = of->id,
                                 .node = tree->node_of[of->id - tree->first_row],
                                 .chain = outer ? outer->chain : NSC_NONE,
                                 .start = outer ? outer->start : INT64_MIN,
                                 .first = INT64_MAX,
                                 .last = INT64_MIN};
    if (range->node == NSC_NONE)
        return;
    range->chain = building->is_own
                       ? range->node
                       : find_chain(building, (struct chain){range->chain, range->node});
    range->start = of->start;
}

/* Updates the stack of ranges open at the launch. */
static void open_ranges(struct building *building, struct domain *domain, nsc_time t)
{
    const struct nsc_around *around = &domain->around;

    nsc_around_step(&domain->around, t);
    while (domain->open.n > around->kept)
        close_range(building, domain);
    for (size_t i = domain->open.n; i < around->open.n; i++)
        push_range(building, domain, &around->open.at[i]);
}

static void add_to_open(struct open_range *range, const struct nsc_events *events, nsc_event op)
{
    nsc_time start = events->start[op];
    nsc_time duration = nsc_event_duration(events, op);

    range->first = nsc_earlier(range->first, start);
    range->last = nsc_later(range->last, start + duration);
    range->sum.ops++;
    range->sum.launches += events->link[events->link[op]] == op;
    range->sum.work = nsc_sum(range->sum.work, duration);
}

/* Stores the chain of an op. False if out of memory. */
static bool keep_chain(struct building *building, uint32_t slot, nsc_event op, uint32_t chain)
{
    if (!building->chain_of[slot])
        building->chain_of[slot] = nsc_pages_need((size_t)building->n_ops * sizeof(uint32_t));
    if (!building->chain_of[slot])
        return false;
    building->chain_of[slot][op - building->first_op] = chain + 1;
    return true;
}

static bool place_op(struct building *building, nsc_event op)
{
    nsc_time t = building->events->start[building->events->link[op]];
    nsc_time latest = INT64_MIN;

    for (uint32_t k = 0; k < building->n_domains; k++) {
        struct domain *domain = &building->domains[k];
        struct open_range *range;
        bool is_own; /* innermost so far */

        open_ranges(building, domain, t);
        if (domain->open.n == 0)
            continue;
        range = &domain->open.at[domain->open.n - 1];
        if (!building->is_own)
            add_to_open(range, building->events, op);
        is_own = range->start > latest || building->own[op - building->first_op] == 0;
        if (range->chain == NSC_NONE || (building->is_own && !is_own))
            continue;
        if (!keep_chain(building, building->is_own ? 0 : k, op, range->chain))
            return false;
        if (is_own)
            building->own[op - building->first_op] = (uint8_t)(building->is_own ? 1 : k + 1);
        latest = nsc_later(latest, range->start);
    }
    return true;
}

/* Adds an op of another thread to the range it is lent to. */
static bool place_lent(struct building *building, const struct nsc_lent *lent)
{
    nsc_time t = building->events->start[lent->range];
    uint8_t *own = &building->own[lent->op - building->first_op];

    for (uint32_t k = 0; k < building->n_domains; k++) {
        struct domain *domain = &building->domains[k];
        uint32_t slot = DOMAINS + (building->is_own ? 0 : k);
        size_t n;
        uint32_t chain;

        open_ranges(building, domain, t);
        for (n = domain->open.n; n > 0 && domain->open.at[n - 1].row != lent->range;)
            n--;
        if (n == 0)
            continue;
        if (!building->is_own)
            add_to_open(&domain->open.at[n - 1], building->events, lent->op);
        chain = domain->open.at[n - 1].chain;
        if (chain == NSC_NONE || (building->is_own && *own > 0))
            return true;
        *own = *own > 0 ? *own : (uint8_t)(slot + 1);
        return keep_chain(building, slot, lent->op, chain);
    }
    return true;
}

/* The start of the range that the next op is lent to; INT64_MAX: no more of this thread. */
static nsc_time next_lent(struct building *building, uint32_t group)
{
    const struct nsc_trace *trace = building->scope->trace;
    nsc_event range;

    if (building->next_lent == building->n_lent)
        return INT64_MAX;
    range = building->lent[building->next_lent].range;
    return nsc_trace_group_of(
               trace, nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, range)].track) == group
               ? nsc_trace_events(trace)->start[range]
               : INT64_MAX;
}

static bool walk_thread(struct building *building, uint32_t group)
{
    const struct nsc_trace *trace = building->scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    struct nsc_positions in = nsc_launches_of_track(building->launches, group);
    const struct nsc_events *events = building->events;
    nsc_time lent_at = next_lent(building, group);
    bool is_fine = true;

    building->n_domains = 0;
    if (in.first == in.end && lent_at == INT64_MAX)
        return true;
    for (uint32_t t = group; t < tracks[group].skip && building->n_domains < DOMAINS; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].n_lanes > 0)
            nsc_around_nested(&building->domains[building->n_domains++].around, trace,
                              tracks[t].first_lane, tracks[t].n_lanes);
    for (uint32_t i = in.first; is_fine && (i < in.end || lent_at != INT64_MAX);) {
        const struct nsc_lent *lent = &building->lent[building->next_lent];
        nsc_event op = i < in.end ? nsc_launches_op(building->launches, i) : NSC_NONE;
        bool is_lent = i == in.end || lent_at <= events->start[events->link[op]];

        if (is_lent) {
            op = lent->op;
            building->next_lent++;
            lent_at = next_lent(building, group);
        } else {
            i++;
        }
        if (nsc_scope_has_row(building->scope, events, op))
            is_fine = is_lent ? place_lent(building, lent) : place_op(building, op);
    }
    for (uint32_t k = 0; k < building->n_domains; k++) {
        struct domain *domain = &building->domains[k];

        while (domain->open.n > 0)
            close_range(building, domain);
        nsc_around_fini(&domain->around);
    }
    return is_fine;
}

/* ---- the second walk: unions ---- */

struct reach {
    nsc_time inside, own, comm; /* end of the union so far */
    nsc_time busy;              /* length of the union of the ops inside */
};

struct reaching {
    struct reach *at;                /* by node, and one for ops outside of ranges */
    const uint32_t *chain_of[SLOTS]; /* those in use, in the order of the slots */
    uint32_t n_slots;
    const struct nsc_cover *hidden; /* communication and other ops run at once; NULL: never */
    struct nsc_path_unions inside;  /* by chain, unless ranges cross */
};

/* The node whose own work an op is; the number of nodes: none. */
static uint32_t own_node(const struct building *building, nsc_event op)
{
    uint8_t own = building->own[op - building->first_op];
    uint32_t chain;

    if (own == 0)
        return building->out->tree->n;
    chain = building->chain_of[own - 1][op - building->first_op] - 1;
    return building->is_own ? chain : building->chains.at[chain].node;
}

/* Counts an op to a node, which it returns. */
static struct nsc_range_node *count_own(struct nsc_range_work *out, uint32_t node,
                                        const struct nsc_events *events, nsc_event op)
{
    struct nsc_range_node *at = node == out->tree->n ? &out->none : &out->at[node];
    nsc_event call = events->link[op];
    nsc_time duration = nsc_event_duration(events, op);

    at->own.ops++;
    at->own.launches += call != NSC_NONE && events->link[call] == op;
    at->own.work = nsc_sum(at->own.work, duration);
    out->work = nsc_sum(out->work, duration);
    out->ops++;
    return at;
}

static void add_own(struct building *building, struct reaching *reaching,
                    const struct nsc_device_op *op)
{
    uint32_t node = own_node(building, op->event);
    struct nsc_range_node *at = count_own(building->out, node, building->events, op->event);
    struct reach *union_of = &reaching->at[node];
    nsc_time reach = nsc_later(op->start, union_of->comm);
    enum nsc_op_class work = NSC_OP_COMPUTE;

    at->own.busy = nsc_sum(at->own.busy, nsc_extend(&union_of->own, op->start, op->end));
    if (!nsc_trace_work_of(building->scope->trace, op->event, &work) || work != NSC_OP_COMM)
        return;
    at->exposed = nsc_sum(at->exposed, nsc_extend(&union_of->comm, op->start, op->end));
    if (reaching->hidden && reach < op->end)
        at->exposed -= nsc_cover_measure(reaching->hidden, (struct nsc_window){reach, op->end});
}

/* Adds an op to the chain's last range and all around it. */
static void add_inside(const struct building *building, struct reaching *reaching, uint32_t chain,
                       const struct nsc_device_op *op)
{
    const struct chain *chains = building->chains.at;

    if (!building->has_crossing)
        nsc_path_unions_add(&reaching->inside, chain, op->start, op->end);
    for (; building->has_crossing && chain != NSC_NONE; chain = chains[chain].outer) {
        struct reach *reach = &reaching->at[chains[chain].node];

        reach->busy = nsc_sum(reach->busy, nsc_extend(&reach->inside, op->start, op->end));
    }
}

static void pass_op(struct building *building, struct reaching *reaching,
                    const struct nsc_device_op *op)
{
    size_t row = op->event - building->first_op;
    uint8_t own = building->own[row];

    for (uint32_t k = 0; k < reaching->n_slots && own > 0; k++)
        if (reaching->chain_of[k][row] > 0)
            add_inside(building, reaching, reaching->chain_of[k][row] - 1, op);
    add_own(building, reaching, op);
}

/* Splits the chains into paths for their unions. */
static void init_inside(struct nsc_path_unions *inside, const struct building *building)
{
    size_t n = building->chains.n;
    uint32_t *outer = nsc_xcalloc(n + 1, sizeof *outer);

    for (size_t i = 0; i < n; i++)
        outer[i] = building->chains.at[i].outer;
    nsc_path_unions_init(inside, outer, (uint32_t)n);
    free(outer);
}

static bool walk_device(struct building *building, struct reaching *reaching, uint32_t device)
{
    struct nsc_scope_covers covers;
    struct nsc_device_ops work;
    struct nsc_device_op op;
    struct nsc_range_work *out = building->out;
    size_t n = out->tree->n;

    if (!nsc_scope_covers_build(&covers, building->scope, device))
        return false;
    reaching->hidden = covers.of.hidden;
    for (size_t i = 0; i <= n; i++)
        reaching->at[i] = (struct reach){INT64_MIN, INT64_MIN, INT64_MIN, 0};
    nsc_path_unions_clear(&reaching->inside);
    nsc_device_ops_init(&work, building->scope, device);
    while (nsc_device_ops_next(&work, &op))
        pass_op(building, reaching, &op);
    nsc_device_ops_fini(&work);
    nsc_scope_covers_fini(&covers);
    nsc_path_unions_sum(&reaching->inside);
    for (uint32_t i = 0; !building->has_crossing && i < building->chains.n; i++)
        reaching->at[building->chains.at[i].node].busy =
            nsc_path_unions_length(&reaching->inside, i);
    for (size_t i = 0; i < n; i++)
        out->at[i].inside.busy = nsc_sum(out->at[i].inside.busy, reaching->at[i].busy);
    return true;
}

/* Counts the ops of a device to their own ranges, in any order. */
static void count_device(struct building *building, uint32_t device)
{
    struct nsc_scope own = *building->scope;
    const struct nsc_events *events = building->events;
    const struct nsc_track *tracks = nsc_trace_tracks(own.trace, NULL);

    if (own.of_devices && !nsc_device_window(&own.window, building->scope, device))
        own.window.t1 = own.window.t0; /* as nsc_device_ops_init does */
    for (uint32_t t = device; t < tracks[device].skip; t++)
        for (uint32_t k = 0; tracks[t].kind == NSC_TRACK_STREAM && k < tracks[t].n_lanes; k++) {
            nsc_event op, end;

            nsc_scope_rows(&own, tracks[t].first_lane + k, &op, &end);
            for (; op < end; op++)
                if (nsc_kind_is_gpu(events->kind[op]) && nsc_scope_has_row(&own, events, op))
                    (void)count_own(building->out, own_node(building, op), events, op);
        }
}

static bool walk_devices(struct building *building)
{
    const struct nsc_trace *trace = building->scope->trace;
    struct reaching reaching = {0};
    bool is_fine = true;

    reaching.at = nsc_xmalloc(((size_t)building->out->tree->n + 1) * sizeof *reaching.at);
    for (uint32_t k = 0; k < SLOTS; k++)
        if (building->chain_of[k])
            reaching.chain_of[reaching.n_slots++] = building->chain_of[k];
    if (!building->has_crossing)
        init_inside(&reaching.inside, building);
    for (uint32_t d = NSC_NONE; is_fine && (d = nsc_device_next(trace, d)) != NSC_NONE;)
        if (building->is_own)
            count_device(building, d);
        else
            is_fine = walk_device(building, &reaching, d);
    nsc_path_unions_fini(&reaching.inside);
    free(reaching.at);
    return is_fine;
}

/* ---- both ---- */

static void find_op_rows(struct building *building)
{
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(building->scope->trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(building->scope->trace, NULL);
    nsc_event end = 0;

    building->first_op = NSC_NONE;
    for (uint32_t k = 0; k < n; k++) {
        if (tracks[lanes[k].track].kind != NSC_TRACK_STREAM)
            continue;
        building->first_op =
            lanes[k].first < building->first_op ? lanes[k].first : building->first_op;
        end = lanes[k].first + lanes[k].n > end ? lanes[k].first + lanes[k].n : end;
    }
    building->n_ops = building->first_op < end ? end - building->first_op : 0;
}

static bool walk_all(struct building *building)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(building->scope->trace, &n);
    struct nsc_lends *lends = nsc_lends_ask(building->scope);
    struct nsc_lent *lent = lends ? nsc_lends_ordered(lends, building->scope->trace) : NULL;
    bool is_fine = lends != NULL;

    building->lent = lent;
    building->n_lent = lends ? lends->list.n : 0;
    for (uint32_t t = 0; t < n && is_fine; t++)
        if (tracks[t].kind == NSC_TRACK_THREAD)
            is_fine = walk_thread(building, t);
    is_fine = is_fine && walk_devices(building);
    free(lent);
    nsc_lends_free(lends);
    return is_fine;
}

static void fini_range_work(void *value)
{
    struct nsc_range_work *work = value;

    if (!work->has_kept_tree)
        nsc_calltree_free(work->tree);
    free(work->at);
    *work = (struct nsc_range_work){0};
}

static bool build_paths(struct nsc_range_work *out, const struct nsc_scope *scope,
                        enum nsc_paths paths, bool is_own)
{
    struct nsc_launches *launches = nsc_launches_ask_order(scope);
    struct building building = {.out = out, .scope = scope, .launches = launches, .is_own = is_own};
    bool is_fine = false;

    building.events = nsc_trace_events(scope->trace);
    *out = (struct nsc_range_work){0};
    out->tree = nsc_range_tree_touching(scope, paths, &out->has_kept_tree);
    find_op_rows(&building);
    if (out->tree && launches) {
        out->at = nsc_xcalloc((size_t)out->tree->n + 1, sizeof *out->at);
        building.own = nsc_xcalloc((size_t)building.n_ops + 1, 1);
        building.latest_chain =
            nsc_xcalloc((size_t)out->tree->n + 1, sizeof *building.latest_chain);
        is_fine = walk_all(&building);
    }
    for (uint32_t k = 0; k < SLOTS; k++)
        nsc_pages_free(building.chain_of[k], (size_t)building.n_ops * sizeof(uint32_t));
    for (uint32_t k = 0; k < DOMAINS; k++)
        NSC_VEC_FINI(&building.domains[k].open);
    NSC_VEC_FINI(&building.chains);
    nsc_idtable_fini(&building.known);
    free(building.own);
    free(building.latest_chain);
    nsc_launches_free(launches);
    if (!is_fine)
        fini_range_work(out);
    return is_fine;
}

static bool build_range_work(void *value, const struct nsc_scope *scope, uint32_t device)
{
    (void)device;
    return build_paths(value, scope, NSC_PATHS_BY_DIGITS, false);
}

static bool build_range_own(void *value, const struct nsc_scope *scope, uint32_t device)
{
    (void)device;
    return build_paths(value, scope, NSC_PATHS_BY_DIGITS, true);
}

static const struct nsc_shared_kind range_work_kind = {sizeof(struct nsc_range_work),
                                                       build_range_work, fini_range_work};
static const struct nsc_shared_kind range_own_kind = {sizeof(struct nsc_range_work),
                                                      build_range_own, fini_range_work};

bool nsc_range_work_build(struct nsc_range_work *out, const struct nsc_scope *scope,
                          enum nsc_paths paths)
{
    bool is_kept = false;
    bool result;

    if (paths != NSC_PATHS_BY_DIGITS)
        return build_paths(out, scope, paths, false);
    result = nsc_shared_ask(out, &is_kept, &range_work_kind, scope, 0);
    out->is_kept = is_kept;
    return result;
}

bool nsc_range_own_build(struct nsc_range_work *out, const struct nsc_scope *scope)
{
    bool is_kept = true;
    bool result;

    if (!nsc_shared_peek(out, &result, &range_work_kind, scope, 0))
        result = nsc_shared_ask(out, &is_kept, &range_own_kind, scope, 0);
    out->is_kept = is_kept;
    return result;
}

void nsc_range_work_fini(struct nsc_range_work *work)
{
    if (!work->is_kept)
        fini_range_work(work);
}

double nsc_range_node_cv(const struct nsc_range_node *node)
{
    if (node->projected < 2 || node->mean <= 0)
        return -1;
    return sqrt(node->spread / (node->projected - 1)) / node->mean;
}
