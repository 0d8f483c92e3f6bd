/* Builds traces whose rows represent events of another, or have its events and other links. */
#include "index/derived_trace.h"

#include "core/die.h"
#include "core/pages.h"
#include "core/vec.h"
#include "index/builder_data.h"
#include "index/builds.h"
#include "index/trace_data.h"

#include <stdlib.h>
#include <string.h>

static bool columns_new(struct nsc_trace *derived, uint32_t n)
{
    for (int i = 0; i < NSC_N_COLUMNS; i++) {
        struct nsc_column *column = &derived->columns[i];

        column->bytes = n * nsc_column_width(i);
        column->at = nsc_pages_new(column->bytes);
        if (!column->at && n > 0)
            return false;
    }
    nsc_trace_set_events(derived, derived->columns, n);
    return true;
}

static void lanes_fill(struct nsc_trace *derived, const uint32_t ends[], uint32_t n_lanes)
{
    derived->lanes = NSC_ARENA_ARRAY(&derived->arena, struct nsc_lane, n_lanes);
    derived->n_lanes = n_lanes;
    for (uint32_t k = 0; k < n_lanes; k++) {
        uint32_t first = k ? ends[k - 1] : 0;

        derived->lanes[k] = (struct nsc_lane){first, ends[k] - first, 0};
    }
}

struct nsc_trace *nsc_derived_trace_new(const struct nsc_trace *base, uint32_t n)
{
    struct nsc_trace *derived = nsc_xcalloc(1, sizeof *derived);

    if (!columns_new(derived, n)) {
        nsc_derived_trace_free(derived);
        return NULL;
    }
    derived->strings = base->strings;
    derived->names = base->names;
    derived->packed = base->packed;
    derived->extent = base->extent;
    return derived;
}

void nsc_derived_trace_touch(struct nsc_trace *derived, nsc_event first, uint32_t n)
{
    for (int i = 0; i < NSC_N_COLUMNS; i++)
        nsc_pages_touch((char *)derived->columns[i].at + first * nsc_column_width(i),
                        n * nsc_column_width(i));
}

bool nsc_derived_trace_put(struct nsc_trace *derived, const struct nsc_trace *base, nsc_event row,
                           const struct nsc_derived_trace *of)
{
    const struct nsc_column *columns = derived->columns;
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

NSC_COMPARE(compare_longs, struct nsc_derived_trace_long, NSC_LEAST(row))

static void long_fill(struct nsc_trace *derived, struct nsc_derived_trace_long longs[], uint32_t n)
{
    nsc_event *event = NSC_ARENA_ARRAY(&derived->arena, nsc_event, n);
    nsc_time *duration = NSC_ARENA_ARRAY(&derived->arena, nsc_time, n);

    if (n > 0)
        qsort(longs, n, sizeof *longs, compare_longs);
    for (uint32_t i = 0; i < n; i++) {
        event[i] = longs[i].row;
        duration[i] = longs[i].duration;
    }
    derived->events.long_event = event;
    derived->events.long_duration = duration;
    derived->events.n_long = n;
}

bool nsc_derived_trace_end(struct nsc_trace *derived, struct nsc_derived_trace_long longs[],
                           uint32_t n_long, const uint32_t ends[], uint32_t n_lanes,
                           struct nsc_pool *pool)
{
    long_fill(derived, longs, n_long);
    lanes_fill(derived, ends, n_lanes);
    derived->summary = nsc_summary_build_on(pool, derived, NULL);
    return derived->summary != NULL;
}

/* The base owns the strings. */
void nsc_derived_trace_free(struct nsc_trace *derived)
{
    if (!derived)
        return;
    nsc_summary_free(derived->summary);
    for (int i = 0; i < NSC_N_COLUMNS; i++)
        nsc_pages_free(derived->columns[i].at, derived->columns[i].bytes);
    nsc_arena_fini(&derived->arena);
    free(derived);
}

/* ---- captured graphs ---- */

bool nsc_captures_add(struct nsc_trace *trace, const struct nsc_capture_link links[], size_t n)
{
    struct nsc_column column = trace->columns[NSC_COLUMN_LINK];
    uint32_t *link = column.at = nsc_pages_new(column.bytes);

    if (!link)
        return false;
    memcpy(link, trace->events.link, trace->events.n * sizeof *link);
    for (nsc_event i = 0; i < trace->events.n; i++)
        link[i] = nsc_kind_is_gpu(trace->events.kind[i]) ? NSC_NONE : link[i];
    for (size_t i = 0; i < n; i++)
        link[links[i].op] = links[i].made;
    trace->captured = nsc_xmalloc(sizeof *trace->captured);
    *trace->captured = *trace;
    trace->captured->captured = trace->captured;
    trace->captured->columns[NSC_COLUMN_LINK] = column;
    trace->captured->events.link = link;
    return true;
}

void nsc_captures_free(struct nsc_trace *captured)
{
    if (captured)
        nsc_pages_free(captured->columns[NSC_COLUMN_LINK].at,
                       captured->columns[NSC_COLUMN_LINK].bytes);
    free(captured);
}

const struct nsc_trace *nsc_trace_captured(const struct nsc_trace *trace)
{
    return trace->captured;
}
