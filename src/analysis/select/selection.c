/*
 * Measures the events of a window by group: sums them in order of time, then finds the quantiles of
 * each group.
 */
#include "analysis/select/selection.h"

#include "analysis/base/quantile.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ROWS_A_LOOK = 1 << 16 }; /* between two looks at a cancel */

/* An event that counts. */
struct kept {
    uint32_t group;
    nsc_event row;
};

struct nsc_selection {
    struct nsc_selection_query query;
    const uint64_t *mask;
    struct nsc_lane_merge merge;
    struct nsc_row_range *lanes; /* sums_only: rows are read lane by lane */
    struct nsc_pivoting pivoting;
    uint32_t rows;     /* rows in the window, selected or not */
    struct kept *kept; /* for the quantiles */
    bool has_quantiles;
    atomic_bool is_cancelled;
    struct nsc_figures all;
    nsc_time reach; /* end of the time that the events cover so far */
    struct nsc_pivot_group *groups;
    nsc_time *reaches; /* of the groups */
    uint32_t n, capacity;
};

struct nsc_selection *nsc_selection_new(const struct nsc_selection_query *query)
{
    struct nsc_selection *selection = nsc_xcalloc(1, sizeof *selection);
    struct nsc_row_range *ranges = nsc_xmalloc((size_t)query->n_lanes * sizeof *ranges + 1);

    assert(!query->sums_only || query->pivot != NSC_PIVOT_NVTX);
    selection->query = *query;
    for (uint32_t i = 0; i < query->n_lanes; i++) {
        ranges[i] = nsc_lane_rows(query->trace, query->lanes[i], query->window);
        selection->rows += ranges[i].end - ranges[i].first;
    }
    nsc_lane_merge_open(&selection->merge, query->trace, ranges, query->n_lanes);
    nsc_pivoting_init(&selection->pivoting, query);
    selection->reach = query->window.t0;
    selection->lanes = ranges;
    return selection;
}

void nsc_selection_free(struct nsc_selection *selection)
{
    if (!selection)
        return;
    nsc_lane_merge_fini(&selection->merge);
    free(selection->lanes);
    nsc_pivoting_fini(&selection->pivoting);
    free(selection->groups);
    free(selection->reaches);
    free(selection);
}

uint32_t nsc_selection_rows(const struct nsc_selection *selection)
{
    return selection->rows;
}

void nsc_selection_cancel(struct nsc_selection *selection)
{
    atomic_store_explicit(&selection->is_cancelled, true, memory_order_relaxed);
}

static bool is_cancelled(struct nsc_selection *selection)
{
    return atomic_load_explicit(&selection->is_cancelled, memory_order_relaxed);
}

/* ---- adding up ---- */

/* Adds an event. part is clipped to the window. Rows come by start, so the time before *reach is
 * covered already. reach NULL: they come in another order. */
static void add_event(struct nsc_figures *figures, nsc_time *reach, nsc_time duration,
                      struct nsc_window part)
{
    figures->min = figures->count ? nsc_earlier(figures->min, duration) : duration;
    figures->max = nsc_later(figures->max, duration);
    figures->count++;
    figures->total = nsc_sum(figures->total, duration);
    figures->inside = nsc_sum(figures->inside, nsc_span(part.t0, part.t1));
    if (reach)
        figures->covered = nsc_sum(figures->covered, nsc_extend(reach, part.t0, part.t1));
}

/* Keeps the event that starts first, as if rows came by start. */
static void take_earlier(const struct nsc_selection *selection, nsc_event *like, nsc_event other)
{
    const nsc_time *start = selection->merge.events->start;

    if (start[other] < start[*like] || (start[other] == start[*like] && other < *like))
        *like = other;
}

static uint32_t find_group(struct nsc_selection *selection, nsc_event row)
{
    nsc_event like = NSC_NONE;
    uint32_t group = nsc_pivoting_find(&selection->pivoting, row, &like);

    if (group < selection->n) {
        if (selection->query.sums_only)
            take_earlier(selection, &selection->groups[group].like, like);
        return group;
    }
    if (selection->n == selection->capacity) {
        selection->capacity = selection->capacity ? 2 * selection->capacity : 16;
        selection->groups =
            nsc_xrealloc(selection->groups, selection->capacity, sizeof *selection->groups);
        selection->reaches =
            nsc_xrealloc(selection->reaches, selection->capacity, sizeof *selection->reaches);
    }
    selection->groups[selection->n] = (struct nsc_pivot_group){.like = like};
    selection->reaches[selection->n] = selection->query.window.t0;
    return selection->n++;
}

static void add_row(struct nsc_selection *selection, nsc_event row)
{
    const struct nsc_events *events = selection->merge.events;
    struct nsc_window w = selection->query.window;
    nsc_time duration = nsc_event_duration(events, row);
    struct nsc_window part = {nsc_later(events->start[row], w.t0),
                              nsc_earlier(nsc_event_end(events, row), w.t1)};
    uint32_t group = find_group(selection, row);
    bool by_start = !selection->query.sums_only;

    add_event(&selection->groups[group].figures, by_start ? &selection->reaches[group] : NULL,
              duration, part);
    add_event(&selection->all, by_start ? &selection->reach : NULL, duration, part);
    if (selection->kept)
        selection->kept[selection->all.count - 1] = (struct kept){group, row};
}

/* True once it is cancelled. */
static bool add_counted(struct nsc_selection *selection, nsc_event row, uint32_t nth)
{
    if (!selection->mask || nsc_bits_get(selection->mask, row))
        add_row(selection, row);
    return nth % ROWS_A_LOOK == 0 && is_cancelled(selection);
}

static void add_rows(struct nsc_selection *selection)
{
    nsc_event row;
    uint32_t n = 0;

    for (uint32_t i = 0; selection->query.sums_only && i < selection->query.n_lanes; i++)
        for (row = selection->lanes[i].first; row < selection->lanes[i].end; row++)
            if (add_counted(selection, row, ++n))
                return;
    while (!selection->query.sums_only &&
           (row = nsc_lane_merge_next(&selection->merge)) != NSC_NONE)
        if (add_counted(selection, row, ++n))
            return;
}

/* ---- quantiles ---- */

static void set_quantiles(struct nsc_figures *figures, nsc_time durations[])
{
    uint32_t n = figures->count;

    figures->median = nsc_select(durations, n, (n - 1) / 2);
    figures->p95 = nsc_select(durations, n, ((uint64_t)n * 95 + 99) / 100 - 1);
}

static void find_quantiles(struct nsc_selection *selection, nsc_time durations[])
{
    size_t *end = nsc_xmalloc(((size_t)selection->n + 1) * sizeof *end);
    size_t at = 0;

    for (uint32_t i = 0; i < selection->n; i++) {
        end[i] = at; /* its first place, then the place after its last one */
        at += selection->groups[i].figures.count;
    }
    for (uint32_t i = 0; i < selection->all.count; i++)
        durations[end[selection->kept[i].group]++] =
            nsc_event_duration(selection->merge.events, selection->kept[i].row);
    for (uint32_t i = 0; i < selection->n && !is_cancelled(selection); i++)
        set_quantiles(&selection->groups[i].figures,
                      durations + (end[i] - selection->groups[i].figures.count));
    if (selection->all.count)
        set_quantiles(&selection->all, durations);
    free(end);
}

/* ---- all ---- */

NSC_COMPARE(compare_groups, struct nsc_pivot_group,
            NSC_MOST(figures.inside) || NSC_MOST(figures.count) || NSC_LEAST(like))

void nsc_selection_run(struct nsc_selection *selection, const uint64_t *mask)
{
    size_t kept_bytes = (size_t)selection->rows * sizeof *selection->kept;
    size_t bytes = 0;
    nsc_time *durations = NULL;

    if (!selection->query.sums_only && selection->rows <= NSC_SELECTION_QUANTILES)
        selection->kept = nsc_pages_need(kept_bytes);
    if (selection->kept)
        nsc_pages_touch(selection->kept, kept_bytes);
    selection->mask = mask;
    add_rows(selection);
    bytes = (size_t)selection->all.count * sizeof *durations;
    if (selection->kept)
        durations = nsc_pages_need(bytes);
    selection->has_quantiles = durations || !selection->all.count;
    if (durations) {
        nsc_pages_touch(durations, bytes);
        find_quantiles(selection, durations);
    }
    nsc_pages_free(durations, bytes);
    nsc_pages_free(selection->kept, kept_bytes);
    selection->kept = NULL;
    if (selection->n > 1)
        qsort(selection->groups, selection->n, sizeof *selection->groups, compare_groups);
}

const struct nsc_figures *nsc_selection_all(const struct nsc_selection *selection)
{
    return &selection->all;
}

const struct nsc_pivot_group *nsc_selection_groups(const struct nsc_selection *selection,
                                                   uint32_t *n)
{
    *n = selection->n;
    return selection->groups;
}

bool nsc_selection_has_quantiles(const struct nsc_selection *selection)
{
    return selection->has_quantiles;
}
