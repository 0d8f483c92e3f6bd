/*
 * Sorts lent ops by their ranges, so that the ops of a range and of all ranges inside it are
 * consecutive.
 */
#include "analysis/ranges/helper_figures.h"

#include "core/bisect.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/vec.h"

#include <stdlib.h>

/* Sort key of places. */
struct key {
    uint32_t track, lane;
    nsc_time start;
};

struct sorting {
    struct key key;
    struct nsc_helper_place place;
    uint32_t call;
};

static struct key key_of(const struct nsc_helper_figures *figures,
                         const struct nsc_helper_place *place)
{
    return (struct key){nsc_trace_lanes(figures->trace, NULL)[place->lane].track, place->lane,
                        nsc_trace_events(figures->trace)->start[place->range]};
}

static int compare_keys(struct key x, struct key y)
{
    if (x.track != y.track)
        return x.track < y.track ? -1 : 1;
    if (x.start != y.start)
        return x.start < y.start ? -1 : 1;
    return (x.lane > y.lane) - (x.lane < y.lane);
}

/* Ops of one call count as one launch. */
NSC_COMPARE(compare_places, struct sorting,
            NSC_BY(compare_keys(x->key, y->key)) || NSC_LEAST(call) || NSC_LEAST(place.op))

static void sort_places(struct nsc_helper_figures *out)
{
    struct sorting *all = nsc_xcalloc((size_t)out->n + 1, sizeof *all);

    for (uint32_t i = 0; i < out->n; i++)
        all[i] = (struct sorting){key_of(out, &out->places[i]), out->places[i],
                                  nsc_trace_events(out->trace)->link[out->places[i].op]};
    qsort(all, out->n, sizeof *all, compare_places);
    for (uint32_t i = 0; i < out->n; i++)
        out->places[i] = all[i].place;
    free(all);
}

bool nsc_helper_figures_build(struct nsc_helper_figures *out, const struct nsc_trace *trace,
                              const struct nsc_helper_launches *lends, const uint64_t *mask)
{
    nsc_event *ops;

    *out = (struct nsc_helper_figures){
        .trace = trace, .places = nsc_xcalloc(lends->list.n + 1, sizeof *out->places)};
    for (size_t i = 0; i < lends->list.n; i++) {
        const struct nsc_helper_launch *lent = &lends->list.at[i];

        if (!mask || nsc_bits_get(mask, lent->op))
            out->places[out->n++] = (struct nsc_helper_place){
                lent->range, lent->op, nsc_trace_lane_of(trace, lent->range)};
    }
    if (out->n == 0)
        return true;
    sort_places(out);
    ops = nsc_xcalloc(out->n, sizeof *ops);
    for (uint32_t i = 0; i < out->n; i++)
        ops[i] = out->places[i].op;
    out->ops = nsc_launches_list(trace, ops, out->n);
    free(ops);
    if (out->ops)
        return true;
    nsc_helper_figures_fini(out);
    return false;
}

bool nsc_helper_figures_find(struct nsc_helper_figures *out, const struct nsc_trace *trace,
                             const struct nsc_launches *launches)
{
    struct nsc_helper_launches lends;
    bool result;

    nsc_helper_launches_build(&lends, trace, launches);
    result = nsc_helper_figures_build(out, trace, &lends, NULL);
    nsc_helper_launches_fini(&lends);
    return result;
}

void nsc_helper_figures_fini(struct nsc_helper_figures *figures)
{
    free(figures->places);
    nsc_launches_free(figures->ops);
    *figures = (struct nsc_helper_figures){0};
}

/* The first place at or after the key. */
static uint32_t find_place(const struct nsc_helper_figures *figures, struct key key)
{
    uint32_t lo = 0;
    uint32_t hi = figures->n;

    NSC_BISECT(lo, hi, mid, compare_keys(key_of(figures, &figures->places[mid]), key) < 0);
    return lo;
}

static void add_between(struct nsc_gpu_figures *out, const struct nsc_helper_figures *figures,
                        struct key from, struct key to)
{
    struct nsc_positions in = {find_place(figures, from), find_place(figures, to)};

    if (in.first < in.end)
        nsc_gpu_figures_add(out, nsc_trace_events(figures->trace),
                            nsc_launches_measure(figures->ops, in));
}

void nsc_helper_figures_add_run(struct nsc_gpu_figures *out,
                                const struct nsc_helper_figures *figures, nsc_event first,
                                nsc_event last)
{
    const struct nsc_events *events = figures ? nsc_trace_events(figures->trace) : NULL;
    uint32_t lane = figures ? nsc_trace_lane_of(figures->trace, first) : 0;
    uint32_t track = figures ? nsc_trace_lanes(figures->trace, NULL)[lane].track : 0;

    if (figures)
        add_between(out, figures, (struct key){track, lane, events->start[first]},
                    (struct key){track, 0, nsc_event_touch_end(events, last)});
}

void nsc_helper_figures_add(struct nsc_gpu_figures *out, const struct nsc_helper_figures *figures,
                            nsc_event range)
{
    nsc_helper_figures_add_run(out, figures, range, range);
}

void nsc_helper_figures_add_track(struct nsc_gpu_figures *out,
                                  const struct nsc_helper_figures *figures, uint32_t track)
{
    if (figures)
        add_between(out, figures, (struct key){track, 0, INT64_MIN},
                    (struct key){track + 1, 0, INT64_MIN});
}
