/* Sums ops, ordered by launching thread and launch (launch_order.h), in blocks. */
#include "analysis/ranges/launches.h"

#include "analysis/base/shared.h"
#include "analysis/ranges/launch_order.h"
#include "core/bisect.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { FAN = 4, MAX_LEVELS = 16 };
#else
enum { FAN = 32, MAX_LEVELS = 7 };
#endif

struct level {
    struct nsc_gpu_figures *at;
    uint32_t n, span; /* positions under one entry */
};

struct nsc_launches {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    struct nsc_launch_order order; /* of_group: empty for tracks that are not a thread's group */
    struct level levels[MAX_LEVELS];
    uint32_t n_levels;
    uint64_t *alike; /* one bit per position: same name and kind as the position before; NULL:
                      * not compared */
    bool is_kept;    /* owned by a store of answers */
};

static nsc_time launch_time(const struct nsc_events *events, nsc_event op)
{
    return events->start[events->link[op]];
}

/* ---- sums ---- */

void nsc_gpu_figures_add(struct nsc_gpu_figures *to, const struct nsc_events *events,
                         struct nsc_gpu_figures more)
{
    if (more.ops == 0)
        return;
    if (to->ops == 0 || events->start[more.first] < events->start[to->first])
        to->first = more.first;
    if (to->ops == 0 || nsc_event_end(events, more.last) > nsc_event_end(events, to->last))
        to->last = more.last;
    to->launches += more.launches;
    to->ops += more.ops;
    to->work = nsc_sum(to->work, more.work);
}

/* Whether the position before has another call. */
static bool starts_call(const struct nsc_launches *launches, uint32_t position)
{
    const uint32_t *link = launches->events->link;
    const uint32_t *op = launches->order.op;

    return position == 0 || link[op[position - 1]] != link[op[position]];
}

/* Adds a level with one entry per FAN of the `below` entries of the previous level; NULL: out of
 * memory. */
static struct level *add_level(struct nsc_launches *launches, uint32_t below)
{
    uint32_t i = launches->n_levels;
    uint32_t span = i ? launches->levels[i - 1].span * FAN : FAN;
    uint32_t n = (below + FAN - 1) / FAN;
    struct nsc_gpu_figures *at = nsc_pages_need((size_t)n * sizeof *at);

    if (!at)
        return NULL;
    launches->levels[i] = (struct level){at, n, span};
    launches->n_levels++;
    return &launches->levels[i];
}

static bool sum_level(struct nsc_launches *launches, uint32_t below)
{
    const struct level *from = &launches->levels[launches->n_levels - 1];
    const struct level *level = add_level(launches, below);

    for (uint32_t k = 0; level && k < level->n; k++) {
        level->at[k].first = level->at[k].last = NSC_NONE;
        for (uint32_t b = k * FAN; b < below && b < k * FAN + FAN; b++)
            nsc_gpu_figures_add(&level->at[k], launches->events, from->at[b]);
    }
    return level != NULL;
}

/* The figures of the positions [first, end). */
static struct nsc_gpu_figures sum_positions(const struct nsc_launches *launches, uint32_t first,
                                            uint32_t end)
{
    const struct nsc_events *events = launches->events;
    struct nsc_gpu_figures sum = {.ops = end - first, .first = NSC_NONE, .last = NSC_NONE};
    nsc_time earliest = 0;
    nsc_time latest = 0;
    nsc_event call = first > 0 ? events->link[launches->order.op[first - 1]] : NSC_NONE;

    for (uint32_t i = first; i < end; i++) {
        nsc_event op = launches->order.op[i];
        nsc_time start = end - first > 1 ? events->start[op] : 0; /* a single op is not compared */
        nsc_time duration = nsc_event_duration(events, op);

        sum.launches += i == 0 || events->link[op] != call;
        call = events->link[op];
        sum.work = nsc_sum(sum.work, duration);
        if (i == first || start < earliest) {
            earliest = start;
            sum.first = op;
        }
        if (i == first || start + duration > latest) {
            latest = start + duration;
            sum.last = op;
        }
    }
    return sum;
}

static size_t alike_bytes(const struct nsc_launches *launches)
{
    return (nsc_bits_words(launches->order.n) + 1) * sizeof *launches->alike;
}

static bool is_alike(const struct nsc_launches *launches, uint32_t position)
{
    const struct nsc_events *events = launches->events;
    const struct nsc_names *names = nsc_trace_names(launches->trace);
    nsc_event op = launches->order.op[position];
    nsc_event before = position ? launches->order.op[position - 1] : op;

    return position && events->kind[op] == events->kind[before] &&
           names->brief[events->name[op]] == names->brief[events->name[before]];
}

bool nsc_launches_sum(struct nsc_launches *launches)
{
    uint32_t below = launches->order.n;

    if (launches->n_levels > 0 || below <= FAN)
        return true;
    if (!add_level(launches, below))
        return false;
    for (uint32_t at = 0; at < below; at += FAN)
        launches->levels[0].at[at / FAN] =
            sum_positions(launches, at, below - at < FAN ? below : at + FAN);
    while (launches->n_levels < MAX_LEVELS &&
           (below = launches->levels[launches->n_levels - 1].n) > FAN)
        if (!sum_level(launches, below))
            return false;
    return true;
}

bool nsc_launches_compare(struct nsc_launches *launches)
{
    if (launches->alike)
        return true;
    launches->alike = nsc_pages_need(alike_bytes(launches));
    for (uint32_t i = 0; launches->alike && i < launches->order.n; i++)
        if (is_alike(launches, i))
            nsc_bits_set(launches->alike, i);
    return launches->alike;
}

static struct nsc_launches *new_launches(const struct nsc_trace *trace)
{
    struct nsc_launches *launches = nsc_xcalloc(1, sizeof *launches);
    uint32_t n_tracks = 0;

    (void)nsc_trace_tracks(trace, &n_tracks);
    launches->trace = trace;
    launches->events = nsc_trace_events(trace);
    launches->order.of_group = nsc_xcalloc((size_t)n_tracks + 1, sizeof(struct nsc_positions));
    return launches;
}

struct nsc_launches *nsc_launches_build(const struct nsc_trace *trace, const uint64_t *mask,
                                        struct nsc_progress *stop)
{
    struct nsc_launches *launches = new_launches(trace);

    if (nsc_launch_order_build(&launches->order, trace, mask, stop))
        return launches;
    nsc_launches_free(launches);
    return NULL;
}

struct nsc_launches *nsc_launches_select(const struct nsc_launches *of,
                                         bool (*is_wanted)(const void *context, nsc_event op),
                                         const void *context)
{
    struct nsc_launches *out = new_launches(of->trace);
    struct nsc_launch_order *order = &out->order;
    size_t bytes = (size_t)of->order.n * sizeof *order->op;
    uint32_t n_tracks = 0;

    (void)nsc_trace_tracks(of->trace, &n_tracks);
    order->op = nsc_pages_need(bytes);
    if (!order->op && bytes > 0) {
        nsc_launches_free(out);
        return NULL;
    }
    for (uint32_t t = 0; t < n_tracks; t++) {
        struct nsc_positions in = of->order.of_group[t];

        order->of_group[t].first = order->n;
        for (; in.first < in.end; in.first++)
            if (is_wanted(context, of->order.op[in.first]))
                order->op[order->n++] = of->order.op[in.first];
        order->of_group[t].end = order->n;
    }
    order->op = nsc_pages_trim(order->op, bytes, (size_t)order->n * sizeof *order->op);
    return out;
}

struct nsc_launches *nsc_launches_list(const struct nsc_trace *trace, const nsc_event ops[],
                                       uint32_t n)
{
    struct nsc_launches *launches = nsc_xcalloc(1, sizeof *launches);

    launches->trace = trace;
    launches->events = nsc_trace_events(trace);
    launches->order.op = nsc_pages_need((size_t)n * sizeof *launches->order.op);
    if (launches->order.op) {
        memcpy(launches->order.op, ops, (size_t)n * sizeof *launches->order.op);
        launches->order.n = n;
        if (nsc_launches_sum(launches))
            return launches;
    }
    nsc_launches_free(launches);
    return NULL;
}

static void fini_launches(struct nsc_launches *launches)
{
    for (uint32_t i = 0; i < launches->n_levels; i++)
        nsc_pages_free(launches->levels[i].at,
                       (size_t)launches->levels[i].n * sizeof *launches->levels[i].at);
    nsc_pages_free(launches->alike, alike_bytes(launches));
    nsc_pages_free(launches->order.op, (size_t)launches->order.n * sizeof *launches->order.op);
    free(launches->order.of_group);
    free(launches);
}

void nsc_launches_free(struct nsc_launches *launches)
{
    if (launches && !launches->is_kept)
        fini_launches(launches);
}

/* ---- for a run ---- */

static bool build_kept(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_launches **out = value;

    *out = nsc_launches_build(scope->trace, scope->mask, scope->stop);
    if (!*out)
        return false;
    (*out)->is_kept = nsc_shared_keeps(scope, device);
    return true;
}

static bool sum_kept(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_launches **out = value;

    (void)device;
    *out = nsc_launches_ask_order(scope);
    return *out && !nsc_scope_is_stopped(scope) && nsc_launches_sum(*out);
}

static void free_kept(void *value)
{
    struct nsc_launches **kept = value;

    if (*kept)
        fini_launches(*kept);
}

struct nsc_launches *nsc_launches_ask_order(const struct nsc_scope *scope)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_launches *), build_kept,
                                                free_kept};
    struct nsc_launches *launches = NULL;

    (void)nsc_shared_ask(&launches, NULL, &kind, scope, scope->mask ? 0 : NSC_NONE);
    return launches;
}

struct nsc_launches *nsc_launches_ask(const struct nsc_scope *scope)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_launches *), sum_kept, NULL};
    struct nsc_launches *launches = NULL;

    if (nsc_shared_ask(&launches, NULL, &kind, scope, scope->mask ? 0 : NSC_NONE))
        return launches;
    nsc_launches_free(launches);
    return NULL;
}

/* ---- questions ---- */

uint32_t nsc_launches_count(const struct nsc_launches *launches)
{
    return launches->order.n;
}

nsc_event nsc_launches_op(const struct nsc_launches *launches, uint32_t position)
{
    return launches->order.op[position];
}

const nsc_event *nsc_launches_ops(const struct nsc_launches *launches)
{
    return launches->order.op;
}

nsc_time nsc_launches_time(const struct nsc_launches *launches, uint32_t position)
{
    return launch_time(launches->events, launches->order.op[position]);
}

struct nsc_positions nsc_launches_of_track(const struct nsc_launches *launches, uint32_t track)
{
    return launches->order.of_group[nsc_trace_group_of(launches->trace, track)];
}

uint32_t nsc_launches_find(const struct nsc_launches *launches, struct nsc_positions in, nsc_time t)
{
    NSC_BISECT(in.first, in.end, middle, nsc_launches_time(launches, middle) < t);
    return in.first;
}

uint32_t nsc_launches_find_ahead(const struct nsc_launches *launches, struct nsc_positions in,
                                 nsc_time t)
{
    uint32_t step = 1;

    while (step < in.end - in.first && nsc_launches_time(launches, in.first + step - 1) < t) {
        in.first += step;
        step *= 2;
    }
    if (in.end - in.first > step)
        in.end = in.first + step;
    return nsc_launches_find(launches, in, t);
}

struct nsc_positions nsc_launches_inside(const struct nsc_launches *launches, nsc_event event)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(launches->trace, NULL);
    uint32_t track = lanes[nsc_trace_lane_of(launches->trace, event)].track;
    struct nsc_positions all = nsc_launches_of_track(launches, track);
    struct nsc_positions inside = all;

    inside.first = nsc_launches_find(launches, all, launches->events->start[event]);
    all.first = inside.first;
    inside.end =
        nsc_launches_find_ahead(launches, all, nsc_event_touch_end(launches->events, event));
    return inside;
}

uint32_t nsc_launches_position(const struct nsc_launches *launches, nsc_event op)
{
    nsc_event call = launches->events->link[op];
    const struct nsc_lane *lanes = nsc_trace_lanes(launches->trace, NULL);
    struct nsc_positions in = {0, 0};
    nsc_time t = 0;

    if (!nsc_kind_is_gpu(launches->events->kind[op]) || call == NSC_NONE)
        return NSC_NONE;
    t = launches->events->start[call];
    in = nsc_launches_of_track(launches, lanes[nsc_trace_lane_of(launches->trace, call)].track);
    for (uint32_t i = nsc_launches_find(launches, in, t); i < in.end; i++) {
        if (launches->order.op[i] == op)
            return i;
        if (nsc_launches_time(launches, i) > t)
            break;
    }
    return NSC_NONE;
}

/* Whether 64 positions, starting here, all equal the one before them. */
static bool are_alike(const struct nsc_launches *launches, uint32_t position)
{
    return launches->alike && position % 64 == 0 && launches->alike[position / 64] == UINT64_MAX;
}

static bool joins(const struct nsc_launches *launches, uint32_t position)
{
    return launches->alike ? nsc_bits_get(launches->alike, position) : is_alike(launches, position);
}

struct nsc_positions nsc_launches_alike(const struct nsc_launches *launches,
                                        struct nsc_positions in, uint32_t position)
{
    struct nsc_positions out = {position, position + 1};

    while (out.first > in.first && joins(launches, out.first))
        out.first -= out.first >= in.first + 64 && are_alike(launches, out.first - 63) ? 64 : 1;
    while (out.end < in.end && joins(launches, out.end))
        out.end += out.end + 64 <= in.end && are_alike(launches, out.end) ? 64 : 1;
    return out;
}

/* The highest level with an entry that starts at position and ends before end. */
static const struct level *widest_level(const struct nsc_launches *launches, uint32_t position,
                                        uint32_t end)
{
    const struct level *found = NULL;

    for (uint32_t i = 0; i < launches->n_levels; i++) {
        const struct level *level = &launches->levels[i];

        if (end - position < level->span || position % level->span)
            break;
        found = level;
    }
    return found;
}

struct nsc_gpu_figures nsc_launches_measure(const struct nsc_launches *launches,
                                            struct nsc_positions in)
{
    struct nsc_gpu_figures sum = {.first = NSC_NONE, .last = NSC_NONE};
    uint32_t i = in.first;

    while (i < in.end) {
        const struct level *level = widest_level(launches, i, in.end);
        uint32_t span = level ? level->span : FAN - i % FAN;

        span = in.end - i < span ? in.end - i : span;
        nsc_gpu_figures_add(&sum, launches->events,
                            level ? level->at[i / span] : sum_positions(launches, i, i + span));
        i += span;
    }
    if (in.first < in.end && !starts_call(launches, in.first))
        sum.launches++;
    return sum;
}
