/* Builds a trace whose rows represent events of another. */
#include "index/shadow.h"

#include "core/die.h"
#include "core/pages.h"
#include "index/trace_data.h"

#include <stdlib.h>

static bool column_new(struct nsc_trace *shadow, enum nsc_column_id id, size_t bytes)
{
    shadow->columns[id].bytes = bytes;
    shadow->columns[id].at = nsc_pages_new(bytes);
    return shadow->columns[id].at || !bytes;
}

static bool columns_new(struct nsc_trace *shadow, uint32_t n)
{
    return column_new(shadow, NSC_COLUMN_START, n * sizeof *shadow->events.start) &&
           column_new(shadow, NSC_COLUMN_DURATION, n * sizeof *shadow->events.duration) &&
           column_new(shadow, NSC_COLUMN_NAME, n * sizeof *shadow->events.name) &&
           column_new(shadow, NSC_COLUMN_LINK, n * sizeof *shadow->events.link) &&
           column_new(shadow, NSC_COLUMN_SOURCE, n * sizeof *shadow->events.source) &&
           column_new(shadow, NSC_COLUMN_KIND, n * sizeof *shadow->events.kind);
}

static void columns_fill(struct nsc_trace *shadow, const struct nsc_events *base,
                         const struct nsc_shadow rows[], uint32_t n)
{
    nsc_time *start = shadow->columns[NSC_COLUMN_START].at;
    uint32_t *duration = shadow->columns[NSC_COLUMN_DURATION].at;
    nsc_name *name = shadow->columns[NSC_COLUMN_NAME].at;
    uint32_t *link = shadow->columns[NSC_COLUMN_LINK].at;
    uint32_t *source = shadow->columns[NSC_COLUMN_SOURCE].at;
    uint8_t *kind = shadow->columns[NSC_COLUMN_KIND].at;

    for (uint32_t i = 0; i < n; i++) {
        nsc_time length = nsc_window_length(rows[i].at);

        start[i] = rows[i].at.t0;
        duration[i] = length < NSC_LONG ? (uint32_t)length : NSC_LONG;
        shadow->events.n_long += length >= NSC_LONG;
        name[i] = base->name[rows[i].event];
        link[i] = base->link[rows[i].event];
        source[i] = rows[i].event;
        kind[i] = base->kind[rows[i].event];
    }
}

static void long_fill(struct nsc_trace *shadow, const struct nsc_shadow rows[], uint32_t n)
{
    nsc_event *event = NSC_ARENA_ARRAY(&shadow->arena, nsc_event, shadow->events.n_long);
    nsc_time *duration = NSC_ARENA_ARRAY(&shadow->arena, nsc_time, shadow->events.n_long);
    uint32_t at = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (nsc_window_length(rows[i].at) < NSC_LONG)
            continue;
        event[at] = i;
        duration[at++] = nsc_window_length(rows[i].at);
    }
    shadow->events.long_event = event;
    shadow->events.long_duration = duration;
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

struct nsc_trace *nsc_shadow_new(const struct nsc_trace *base, const struct nsc_shadow rows[],
                                 uint32_t n, const uint32_t ends[], uint32_t n_lanes)
{
    struct nsc_trace *shadow = nsc_xcalloc(1, sizeof *shadow);
    struct nsc_events *events = &shadow->events;

    if (!columns_new(shadow, n)) {
        nsc_shadow_free(shadow);
        return NULL;
    }
    shadow->strings = base->strings;
    shadow->names = base->names;
    shadow->packed = base->packed;
    shadow->extent = base->extent;
    columns_fill(shadow, &base->events, rows, n);
    long_fill(shadow, rows, n);
    lanes_fill(shadow, ends, n_lanes);
    events->n = n;
    events->start = shadow->columns[NSC_COLUMN_START].at;
    events->duration = shadow->columns[NSC_COLUMN_DURATION].at;
    events->name = shadow->columns[NSC_COLUMN_NAME].at;
    events->link = shadow->columns[NSC_COLUMN_LINK].at;
    events->source = shadow->columns[NSC_COLUMN_SOURCE].at;
    events->kind = shadow->columns[NSC_COLUMN_KIND].at;
    shadow->summary = nsc_summary_build(shadow, NULL);
    if (shadow->summary)
        return shadow;
    nsc_shadow_free(shadow);
    return NULL;
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
