/*
 * Measures the ops of ranges in two passes: launches by thread with the open ranges, then ops by
 * device with the reach of each node.
 */
#include "analysis/ranges/range_work.h"

#include "analysis/base/activity.h"
#include "analysis/base/around.h"
#include "analysis/base/shared.h"
#include "analysis/ranges/helper_launches.h"
#include "analysis/ranges/launches.h"
#include "analysis/ranges/path_unions.h"
#include "analysis/ranges/tree_gpu.h"
#include "core/die.h"
#include "core/hints.h"
#include "core/pages.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/idtable.h"

#include <math.h>
#include <stdlib.h>

/* The most chains of an op: one a domain, and one it is lent to. */
#define CHAINS (NSC_RANGE_DOMAINS + 1)

/*
 * A chain is the open ranges at a launch. It has the number of the node of the innermost one if it
 * is the path of that node. Crossing ranges enclose each other only by time, so their chain need not
 * be the path of any of them; such chains have numbers from the number of nodes on.
 */
struct chain {
    uint32_t outer; /* chain; NSC_NONE: outermost */
    uint32_t node;
};

struct open_range {
    uint32_t node;  /* NSC_NONE: not in the tree of this window */
    uint32_t chain; /* ends with this range or one around it; NSC_NONE: no range has a path */
    nsc_time start; /* of the range at the end of the chain */
    nsc_time first, last;
    struct nsc_range_figures sum;
};

static const struct open_range outside = {
    .node = NSC_NONE, .chain = NSC_NONE, .start = INT64_MIN, .first = INT64_MAX, .last = INT64_MIN};

/* A domain of the current thread. */
struct domain {
    struct nsc_around around;
    struct open_range *open; /* i of around is i + 1 here; what is in no range comes first */
    size_t n;                /* ranges */
};

struct building {
    struct nsc_range_work *out;
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    const struct nsc_launches *launches;
    nsc_event first_op; /* rows of GPU work lie in [first_op, first_op + n_ops) */
    uint32_t n_ops;
    uint32_t *chain_of[CHAINS]; /* [k][row - first_op]: chain + 1 of an op, the own one first; 0:
                                 * none; pages, NULL until needed */
    const struct nsc_helper_launch_at *lent; /* in order of thread and start */
    size_t n_lent, next_lent;
    NSC_VEC(struct chain) crossing; /* chains that are no paths */
    struct nsc_idtable known;       /* of crossing */
    uint32_t n_domains;             /* domains of the current thread */
    struct domain domains[NSC_RANGE_DOMAINS];
};

/* ---- the first walk: instances ---- */

static void close_range(struct building *building, struct domain *domain)
{
    const struct open_range *range = &domain->open[domain->n--];
    struct open_range *outer = &domain->open[domain->n];

    if (range->sum.ops == 0)
        return;
    outer->first = nsc_earlier(outer->first, range->first);
    outer->last = nsc_later(outer->last, range->last);
    outer->sum.ops += range->sum.ops;
    outer->sum.work = nsc_sum(outer->sum.work, range->sum.work);
    if (range->node != NSC_NONE) {
        struct nsc_range_node *node = &building->out->at[range->node];

        node->projected++;
        node->span = nsc_sum(node->span, nsc_span(range->first, range->last));
        node->inside.ops += range->sum.ops;
        node->inside.work = nsc_sum(node->inside.work, range->sum.work);
        node->squares += (double)range->sum.work * (double)range->sum.work;
    }
}

static bool equals_chain(const void *context, uint32_t id, const void *key)
{
    const struct chain *known = &((const struct building *)context)->crossing.at[id];
    const struct chain *chain = key;

    return known->outer == chain->outer && known->node == chain->node;
}

/* The number of a chain that is no path. */
static NSC_RARE uint32_t find_crossing(struct building *building, struct chain chain)
{
    uint64_t hash = nsc_hash_mix(nsc_hash_mix(0, chain.outer), chain.node);
    uint32_t id = nsc_idtable_find(&building->known, hash, equals_chain, building, &chain);

    if (id == NSC_NONE) {
        id = (uint32_t)building->crossing.n;
        *NSC_VEC_ADD(&building->crossing) = chain;
        nsc_idtable_add(&building->known, hash, id);
    }
    return building->out->tree->n + id;
}

static inline uint32_t find_chain(struct building *building, struct chain chain)
{
    return chain.outer == building->out->tree->parent[chain.node] ? chain.node
                                                                  : find_crossing(building, chain);
}

static void push_range(struct building *building, struct domain *domain,
                       const struct nsc_around_range *of)
{
    const struct nsc_calltree *tree = building->out->tree;
    const struct open_range *outer = &domain->open[domain->n++];
    struct open_range *range = &domain->open[domain->n];

    *range = outside;
    range->node = tree->node_of[of->id - tree->first_row];
    if (range->node == NSC_NONE) {
        range->chain = outer->chain;
        range->start = outer->start;
    } else {
        range->chain = find_chain(building, (struct chain){outer->chain, range->node});
        range->start = of->start;
    }
}

static void open_domain(struct domain *domain, const struct nsc_trace *trace,
                        const struct nsc_track *track)
{
    nsc_around_nested(&domain->around, trace, track->first_lane, track->n_lanes);
    domain->open = nsc_xmalloc(((size_t)track->n_lanes + 1) * sizeof *domain->open);
    domain->open[0] = outside;
    domain->n = 0;
}

static void close_domain(struct building *building, struct domain *domain)
{
    while (domain->n > 0)
        close_range(building, domain);
    free(domain->open);
    nsc_around_fini(&domain->around);
}

static void step_ranges(struct building *building, struct domain *domain, nsc_time t)
{
    const struct nsc_around *around = &domain->around;

    nsc_around_step(&domain->around, t);
    while (domain->n > around->kept)
        close_range(building, domain);
    while (domain->n < around->open.n)
        push_range(building, domain, &around->open.at[domain->n]);
}

/* Updates the stack of ranges open at the launch. */
static inline void open_ranges(struct building *building, struct domain *domain, nsc_time t)
{
    if (t >= nsc_around_next(&domain->around))
        step_ranges(building, domain, t);
}

static inline void add_to_open(struct open_range *range, const struct nsc_events *events,
                               nsc_event op)
{
    nsc_time start = events->start[op];
    nsc_time duration = nsc_event_duration(events, op);

    range->first = nsc_earlier(range->first, start);
    range->last = nsc_later(range->last, start + duration);
    range->sum.ops++;
    range->sum.work = nsc_sum(range->sum.work, duration);
}

/* Adds a chain of an op; an own one goes before those it has. False if out of memory. */
static bool add_chain(struct building *building, nsc_event op, uint32_t chain, bool is_own)
{
    uint32_t kept = chain + 1;

    for (uint32_t k = is_own ? 0 : 1; kept > 0 && k < CHAINS; k++) {
        uint32_t **of = &building->chain_of[k];
        uint32_t before;

        if (!*of) { /* what is read first would be mapped twice; few ops have two chains */
            *of = nsc_pages_need((size_t)building->n_ops * sizeof **of);
            nsc_pages_touch(*of, k == 0 ? (size_t)building->n_ops * sizeof **of : 0);
        }
        if (!*of)
            return false;
        before = (*of)[op - building->first_op];
        (*of)[op - building->first_op] = kept;
        kept = before;
    }
    return true;
}

static bool place_op(struct building *building, nsc_event op)
{
    nsc_time t = building->events->start[building->events->link[op]];
    nsc_time latest = INT64_MIN;
    bool has_own = false; /* the innermost range so far */
    struct domain *end = &building->domains[building->n_domains];

    for (struct domain *domain = building->domains; domain < end; domain++) {
        struct open_range *range;

        open_ranges(building, domain, t);
        if (domain->n == 0)
            continue;
        range = &domain->open[domain->n];
        add_to_open(range, building->events, op);
        if (range->chain == NSC_NONE)
            continue;
        if (!add_chain(building, op, range->chain, !has_own || range->start > latest))
            return false;
        has_own = true;
        latest = nsc_later(latest, range->start);
    }
    return true;
}

/* Adds an op of another thread to the range it is lent to. */
static bool place_lent(struct building *building, const struct nsc_helper_launch *lent)
{
    nsc_time t = building->events->start[lent->range];
    const uint32_t *own = building->chain_of[0];

    for (uint32_t k = 0; k < building->n_domains; k++) {
        struct domain *domain = &building->domains[k];
        struct open_range *range;
        size_t n;

        open_ranges(building, domain, t);
        for (n = domain->n; n > 0 && domain->around.open.at[n - 1].id != lent->range;)
            n--;
        if (n == 0)
            continue;
        range = &domain->open[n];
        add_to_open(range, building->events, lent->op);
        return range->chain == NSC_NONE ||
               add_chain(building, lent->op, range->chain,
                         !own || own[lent->op - building->first_op] == 0);
    }
    return true;
}

/* The start of the range that the next op is lent to; INT64_MAX: no more of this thread. */
static nsc_time next_lent(const struct building *building, uint32_t group)
{
    const struct nsc_helper_launch_at *lent = &building->lent[building->next_lent];

    return building->next_lent < building->n_lent && lent->group == group ? lent->start : INT64_MAX;
}

static bool walk_thread(struct building *building, uint32_t group)
{
    const struct nsc_trace *trace = building->scope->trace;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    struct nsc_positions in = nsc_launches_of_track(building->launches, group);
    const nsc_event *ops = nsc_launches_ops(building->launches);
    const struct nsc_events *events = building->events;
    nsc_time lent_at = next_lent(building, group);
    bool is_fine = true;

    building->n_domains = 0;
    if (in.first == in.end && lent_at == INT64_MAX)
        return true;
    for (uint32_t t = group;
         t < nsc_group_end(tracks, group) && building->n_domains < NSC_RANGE_DOMAINS; t++)
        if (tracks[t].kind == NSC_TRACK_NVTX && tracks[t].n_lanes > 0)
            open_domain(&building->domains[building->n_domains++], trace, &tracks[t]);
    for (uint32_t i = in.first; is_fine && !nsc_scope_is_stopped(building->scope) &&
                                (i < in.end || lent_at != INT64_MAX);) {
        const struct nsc_helper_launch *lent = &building->lent[building->next_lent].of;
        nsc_event op = i < in.end ? ops[i] : NSC_NONE;
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
    for (uint32_t k = 0; k < building->n_domains; k++)
        close_domain(building, &building->domains[k]);
    return is_fine;
}

/* ---- the second walk: unions ---- */

struct reach {
    nsc_time inside, own, comm; /* end of the union so far */
    nsc_time busy;              /* length of the union of the ops inside */
};

struct reaching {
    struct reach *at;               /* by node, and one for ops outside of ranges */
    struct nsc_cover_cursor hidden; /* communication and other ops run at once; cover NULL: never */
    struct nsc_path_unions inside;  /* by node, unless ranges cross */
};

/* The node at the end of a chain. */
static inline uint32_t last_node(const struct building *building, uint32_t chain)
{
    uint32_t n = building->out->tree->n;

    return chain < n ? chain : building->crossing.at[chain - n].node;
}

/* The time of a window in which communication and other ops run at once. start: of the op, at or before the
 * window; starts ascend. */
static nsc_time measure_hidden(struct nsc_cover_cursor *hidden, nsc_time start, struct nsc_window w)
{
    struct nsc_cover_cursor ahead;
    uint64_t before;

    (void)nsc_cover_cursor_step(hidden, start);
    ahead = *hidden;
    before = nsc_cover_cursor_step(&ahead, w.t0);
    return (nsc_time)(nsc_cover_cursor_step(&ahead, w.t1) - before);
}

/* Adds an op to a node; the number of nodes: to none. */
static inline void add_own(struct building *building, struct reaching *reaching, uint32_t node,
                           const struct nsc_device_op *op)
{
    struct nsc_range_work *out = building->out;
    struct nsc_range_node *at = node == out->tree->n ? &out->none : &out->at[node];
    nsc_time duration = nsc_event_duration(building->events, op->event);
    struct reach *union_of = &reaching->at[node];
    nsc_time reach = nsc_later(op->start, union_of->comm);

    at->own.ops++;
    at->own.launches += op->call != NSC_NONE && building->events->link[op->call] == op->event;
    at->own.work = nsc_sum(at->own.work, duration);
    out->work = nsc_sum(out->work, duration);
    out->ops++;
    at->own.busy = nsc_sum(at->own.busy, nsc_extend(&union_of->own, op->start, op->end));
    if (!(NSC_OP_KIND_BIT(op->kind) & NSC_COMM_KINDS))
        return;
    at->exposed = nsc_sum(at->exposed, nsc_extend(&union_of->comm, op->start, op->end));
    if (reaching->hidden.cover && reach < op->end)
        at->exposed -=
            measure_hidden(&reaching->hidden, op->start, (struct nsc_window){reach, op->end});
}

/* Adds an op to the chain's last range and all around it. */
static void add_inside(const struct building *building, struct reaching *reaching, uint32_t chain,
                       const struct nsc_device_op *op)
{
    const struct nsc_calltree *tree = building->out->tree;

    if (building->crossing.n == 0) {
        nsc_path_unions_add(&reaching->inside, chain, op->start, op->end);
        return;
    }
    while (chain != NSC_NONE) {
        struct chain of = chain < tree->n ? (struct chain){tree->parent[chain], chain}
                                          : building->crossing.at[chain - tree->n];
        struct reach *reach = &reaching->at[of.node];

        reach->busy = nsc_sum(reach->busy, nsc_extend(&reach->inside, op->start, op->end));
        chain = of.outer;
    }
}

static void pass_op(struct building *building, struct reaching *reaching,
                    const struct nsc_device_op *op)
{
    size_t row = op->event - building->first_op;
    uint32_t own = building->chain_of[0] ? building->chain_of[0][row] : 0;
    uint32_t chain = own;

    for (uint32_t k = 1; chain > 0; k++) {
        add_inside(building, reaching, chain - 1, op);
        chain = k < CHAINS && building->chain_of[k] ? building->chain_of[k][row] : 0;
    }
    add_own(building, reaching, own ? last_node(building, own - 1) : building->out->tree->n, op);
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
    reaching->hidden.cover = covers.of.hidden;
    if (covers.of.hidden)
        nsc_cover_cursor_init(&reaching->hidden, covers.of.hidden);
    for (size_t i = 0; i <= n; i++)
        reaching->at[i] = (struct reach){INT64_MIN, INT64_MIN, INT64_MIN, 0};
    nsc_path_unions_clear(&reaching->inside);
    nsc_device_ops_init(&work, building->scope, device);
    while (nsc_device_ops_next(&work, &op))
        pass_op(building, reaching, &op);
    nsc_device_ops_fini(&work);
    nsc_scope_covers_fini(&covers);
    nsc_path_unions_sum(&reaching->inside);
    for (uint32_t i = 0; i < n; i++)
        out->at[i].inside.busy =
            nsc_sum(out->at[i].inside.busy, building->crossing.n > 0
                                                ? reaching->at[i].busy
                                                : nsc_path_unions_length(&reaching->inside, i));
    return true;
}

static bool walk_devices(struct building *building)
{
    const struct nsc_trace *trace = building->scope->trace;
    struct reaching reaching = {0};
    bool is_fine = true;

    reaching.at = nsc_xmalloc(((size_t)building->out->tree->n + 1) * sizeof *reaching.at);
    if (building->crossing.n == 0)
        nsc_path_unions_init(&reaching.inside, building->out->tree->parent, building->out->tree->n);
    for (uint32_t d = NSC_NONE; is_fine && (d = nsc_device_next(trace, d)) != NSC_NONE;)
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
    struct nsc_helper_launches *lends = nsc_helper_launches_ask(building->scope);
    struct nsc_helper_launch_at *lent =
        lends ? nsc_helper_launches_ordered(lends, building->scope->trace) : NULL;
    bool is_fine = lends != NULL;

    building->lent = lent;
    building->n_lent = lends ? lends->list.n : 0;
    for (uint32_t t = 0; t < n && is_fine; t++)
        if (tracks[t].kind == NSC_TRACK_THREAD)
            is_fine = walk_thread(building, t);
    is_fine = is_fine && walk_devices(building);
    free(lent);
    nsc_helper_launches_free(lends);
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
                        enum nsc_paths paths)
{
    struct nsc_launches *launches = nsc_launches_ask_order(scope);
    struct building building = {.out = out, .scope = scope, .launches = launches};
    bool is_fine = false;

    building.events = nsc_trace_events(scope->trace);
    *out = (struct nsc_range_work){0};
    if (!nsc_scope_is_stopped(scope)) /* each of the two takes 0.2 s of 10 M launches */
        out->tree = nsc_range_tree_touching(scope, paths, &out->has_kept_tree);
    find_op_rows(&building);
    if (out->tree && launches) {
        out->at = nsc_xcalloc((size_t)out->tree->n + 1, sizeof *out->at);
        is_fine = walk_all(&building);
    }
    for (uint32_t k = 0; k < CHAINS; k++)
        nsc_pages_free(building.chain_of[k], (size_t)building.n_ops * sizeof(uint32_t));
    NSC_VEC_FINI(&building.crossing);
    nsc_idtable_fini(&building.known);
    nsc_launches_free(launches);
    if (!is_fine)
        fini_range_work(out);
    return is_fine;
}

static bool build_range_work(void *value, const struct nsc_scope *scope, uint32_t device)
{
    (void)device;
    return build_paths(value, scope, NSC_PATHS_BY_DIGITS);
}

bool nsc_range_work_build(struct nsc_range_work *out, const struct nsc_scope *scope,
                          enum nsc_paths paths)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_range_work), build_range_work,
                                                fini_range_work};

    if (paths != NSC_PATHS_BY_DIGITS)
        return build_paths(out, scope, paths);
    return nsc_shared_ask(out, &out->is_kept, &kind, scope, 0);
}

void nsc_range_work_fini(struct nsc_range_work *work)
{
    if (!work->is_kept)
        fini_range_work(work);
}

double nsc_range_node_cv(const struct nsc_range_node *node)
{
    double work = (double)node->inside.work;
    double mean, spread;

    if (node->projected < 2 || work <= 0)
        return -1;
    mean = work / node->projected;
    spread = node->squares - mean * work;
    return spread > 0 ? sqrt(spread / (node->projected - 1)) / mean : 0;
}
