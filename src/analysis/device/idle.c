/*
 * Totals over the gaps of a device.
 */
#include "analysis/device/idle.h"

#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>
#include <string.h>

struct totals {
    struct nsc_idle *idle;
    struct nsc_host_walk host;
    uint32_t *slot; /* by name of a range: number in ranges + 1 */
    uint32_t capacity;
};

static const nsc_time size_limits[NSC_IDLE_SIZES - 1] = {10000, 100000, 1000000};

static void keep_longest(struct nsc_idle *idle, const struct nsc_gap *gap)
{
    nsc_time length = nsc_span(gap->start, gap->end);
    uint32_t at = idle->n_longest;

    while (at > 0 && nsc_span(idle->longest[at - 1].start, idle->longest[at - 1].end) < length)
        at--;
    if (at == NSC_IDLE_LONGEST)
        return;
    if (idle->n_longest < NSC_IDLE_LONGEST)
        idle->n_longest++;
    memmove(&idle->longest[at + 1], &idle->longest[at],
            (idle->n_longest - 1 - at) * sizeof *idle->longest);
    idle->longest[at] = *gap;
}

/* Ranges of the same name share a slot; slot 0 is for gaps under no range. */
static void add_range(struct totals *totals, const struct nsc_gap *gap)
{
    struct nsc_idle *idle = totals->idle;
    size_t name = gap->range == NSC_NONE
                      ? 0
                      : (size_t)nsc_trace_events(totals->host.trace)->name[gap->range] + 1;
    nsc_time late = nsc_gap_late(gap);

    if (late == 0)
        return;
    if (totals->slot[name] == 0) {
        if (idle->n_ranges == totals->capacity) {
            totals->capacity = totals->capacity ? totals->capacity * 2 : 16;
            idle->ranges = nsc_xrealloc(idle->ranges, totals->capacity, sizeof *idle->ranges);
        }
        idle->ranges[idle->n_ranges] = (struct nsc_idle_range){.like = gap->range};
        totals->slot[name] = ++idle->n_ranges;
    }
    idle->ranges[totals->slot[name] - 1].late += late;
    idle->ranges[totals->slot[name] - 1].gaps++;
}

static void add_gap(struct totals *totals, const struct nsc_gap *gap)
{
    struct nsc_idle *idle = totals->idle;
    nsc_time length = nsc_span(gap->start, gap->end);
    uint32_t size = 0;

    while (size < NSC_IDLE_SIZES - 1 && length >= size_limits[size])
        size++;
    idle->sizes[size]++;
    idle->n_gaps++;
    idle->idle = nsc_sum(idle->idle, length);
    for (int i = 0; i < NSC_N_GAP_PARTS; i++)
        idle->part[i] = nsc_sum(idle->part[i], gap->part[i]);
    keep_longest(idle, gap);
    add_range(totals, gap);
}

static void begin(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct totals *totals = own;

    (void)param;
    totals->idle = answer;
    totals->idle->device = sweep->device;
    totals->idle->window = sweep->window;
    nsc_host_walk_init(&totals->host, sweep->scope->trace);
    totals->slot =
        nsc_xcalloc((size_t)nsc_trace_names(sweep->scope->trace)->n + 2, sizeof *totals->slot);
}

static void add_stretch(void *own, const struct nsc_sweep *sweep)
{
    struct totals *totals = own;
    struct nsc_gap gap;

    if (sweep->n_ops > 0) {
        totals->idle->busy = nsc_sum(totals->idle->busy, nsc_span(sweep->t0, sweep->t1));
        return;
    }
    gap = nsc_gap_of(sweep, &totals->host);
    add_gap(totals, &gap);
}

static int compare_ranges(const void *a, const void *b)
{
    const struct nsc_idle_range *x = a;
    const struct nsc_idle_range *y = b;

    if (x->late != y->late)
        return x->late > y->late ? -1 : 1;
    return x->like < y->like ? -1 : x->like > y->like;
}

static bool end(void *own, const struct nsc_sweep *sweep)
{
    struct totals *totals = own;
    struct nsc_idle *idle = totals->idle;

    nsc_host_walk_fini(&totals->host);
    free(totals->slot);
    if (idle->n_ranges > 1)
        qsort(idle->ranges, idle->n_ranges, sizeof *idle->ranges, compare_ranges);
    return sweep->has_window;
}

static void fini_idle(void *answer)
{
    free(((struct nsc_idle *)answer)->ranges);
}

const struct nsc_rider nsc_idle_rider = {{sizeof(struct nsc_idle), NULL, fini_idle},
                                         sizeof(struct totals),
                                         begin,
                                         NULL,
                                         add_stretch,
                                         end};

bool nsc_idle_build(struct nsc_idle *out, const struct nsc_scope *scope, uint32_t device)
{
    bool is_kept;
    bool result = nsc_sweep_ask(out, &is_kept, &nsc_idle_rider, NULL, scope, device);

    out->is_kept = is_kept;
    return result;
}

void nsc_idle_fini(struct nsc_idle *idle)
{
    if (!idle->is_kept)
        fini_idle(idle);
}

nsc_time nsc_idle_late(const struct nsc_idle *idle)
{
    nsc_time late = 0;

    for (int i = 0; i < NSC_GAP_LATE; i++)
        late = nsc_sum(late, idle->part[i]);
    return late;
}
