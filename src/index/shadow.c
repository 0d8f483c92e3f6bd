/* Builds a trace whose rows represent events of another. */
#include "index/shadow.h"

#include "core/die.h"
#include "core/pages.h"
#include "index/builder_data.h"
#include "index/passes.h"
#include "index/trace_data.h"

#include <stdlib.h>

static bool columns_new(struct nsc_trace *shadow, uint32_t n)
{
    for (int i = 0; i < NSC_N_COLUMNS; i++) {
        struct nsc_column *column = &shadow->columns[i];

        column->bytes = n * nsc_column_width(i);
        column->at = nsc_pages_new(column->bytes);
        if (!column->at && n > 0)
            return false;
    }
    nsc_trace_set_events(shadow, shadow->columns, n);
    return true;
}

static void lanes_fill(struct nsc_trace *shadow, const uint32_t ends[], uint32_t n_lanes)
{
    shadow->lanes = NSC_ARENA_ARRAY(&shadow->arena, struct nsc_lane, n_lanes);
    shadow->n_lanes = n_lanes;
    for (uint32_t k = 0; k < n_lanes; k++) {
        uint32_t first = k ? ends[k - 1] : 0;

        shadow->lanes[k] = (struct nsc_lane){first, ends[k] - first, 0};
    }
}

struct nsc_trace *nsc_shadow_new(const struct nsc_trace *base, uint32_t n)
{
    struct nsc_trace *shadow = nsc_xcalloc(1, sizeof *shadow);

    if (!columns_new(shadow, n)) {
        nsc_shadow_free(shadow);
        return NULL;
    }
    shadow->strings = base->strings;
    shadow->names = base->names;
    shadow->packed = base->packed;
    shadow->extent = base->extent;
    return shadow;
}

void nsc_shadow_touch(struct nsc_trace *shadow, nsc_event first, uint32_t n)
{
    for (int i = 0; i < NSC_N_COLUMNS; i++)
        nsc_pages_touch((char *)shadow->columns[i].at + first * nsc_column_width(i),
                        n * nsc_column_width(i));
}

bool nsc_shadow_put(struct nsc_trace *shadow, const struct nsc_trace *base, nsc_event row,
                    const struct nsc_shadow *of)
{
    const struct nsc_column *columns = shadow->columns;
    nsc_time length = nsc_window_length(of->at);

    ((nsc_time *)columns[NSC_COLUMN_START].at)[row] = of->at.t0;
    ((uint32_t *)columns[NSC_COLUMN_DURATION].at)[row] =
        length < NSC_LONG ? (uint32_t)length : NSC_LONG;
    ((nsc_name *)columns[NSC_COLUMN_NAME].at)[row] = base->events.name[of->event];
    ((uint32_t *)columns[NSC_COLUMN_LINK].at)[row] = base->events.link[of->event];
    ((uint32_t *)columns[NSC_COLUMN_SOURCE].at)[row] = of->event;
    ((uint8_t *)columns[NSC_COLUMN_KIND].at)[row] = base->events.kind[of->event];
    return length < NSC_LONG;
}

static int compare_longs(const void *a, const void *b)
{
    const struct nsc_shadow_long *x = a;
    const struct nsc_shadow_long *y = b;

    return x->row < y->row ? -1 : x->row > y->row;
}

static void long_fill(struct nsc_trace *shadow, struct nsc_shadow_long longs[], uint32_t n)
{
    nsc_event *event = NSC_ARENA_ARRAY(&shadow->arena, nsc_event, n);
    nsc_time *duration = NSC_ARENA_ARRAY(&shadow->arena, nsc_time, n);

    if (n > 0)
        qsort(longs, n, sizeof *longs, compare_longs);
    for (uint32_t i = 0; i < n; i++) {
        event[i] = longs[i].row;
        duration[i] = longs[i].duration;
    }
    shadow->events.long_event = event;
    shadow->events.long_duration = duration;
    shadow->events.n_long = n;
}

bool nsc_shadow_end(struct nsc_trace *shadow, struct nsc_shadow_long longs[], uint32_t n_long,
                    const uint32_t ends[], uint32_t n_lanes, struct nsc_pool *pool)
{
    long_fill(shadow, longs, n_long);
    lanes_fill(shadow, ends, n_lanes);
    shadow->summary = nsc_summary_build_on(pool, shadow, NULL);
    return shadow->summary != NULL;
}

/* The base owns the strings. */
void nsc_shadow_free(struct nsc_trace *shadow)
{
    if (!shadow)
        return;
    nsc_summary_free(shadow->summary);
    for (int i = 0; i < NSC_N_COLUMNS; i++)
        nsc_pages_free(shadow->columns[i].at, shadow->columns[i].bytes);
    nsc_arena_fini(&shadow->arena);
    free(shadow);
}
