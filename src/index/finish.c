/*
 * The life of a trace: made from the builder, measured, freed.
 */
#include "core/pages.h"
#include "core/sum.h"
#include "index/builder_data.h"
#include "index/builds.h"
#include "index/derived_trace.h"

#include <stdlib.h>
#include <string.h>

static void copy_names(struct nsc_trace *trace, const struct nsc_builder *builder)
{
    uint32_t n = (uint32_t)builder->names.n;
    nsc_str *full = NSC_ARENA_ARRAY(&trace->arena, nsc_str, n);
    nsc_str *brief = NSC_ARENA_ARRAY(&trace->arena, nsc_str, n);
    uint32_t *argb = NSC_ARENA_ARRAY(&trace->arena, uint32_t, n);
    uint8_t *counters = NSC_ARENA_ARRAY(&trace->arena, uint8_t, n);
    uint8_t *flags = NSC_ARENA_ARRAY(&trace->arena, uint8_t, n);

    for (uint32_t i = 0; i < n; i++) {
        full[i] = builder->names.at[i].full;
        brief[i] = builder->names.at[i].brief;
        argb[i] = builder->names.at[i].argb;
        counters[i] = builder->names.at[i].counters;
        flags[i] = builder->names.at[i].flags;
    }
    trace->names = (struct nsc_names){n, full, brief, counters, flags, argb};
}

static void copy_longs(struct nsc_trace *trace, const struct nsc_builder *builder)
{
    uint32_t n = (uint32_t)builder->longs.n;
    nsc_event *event = NSC_ARENA_ARRAY(&trace->arena, nsc_event, n);
    nsc_time *duration = NSC_ARENA_ARRAY(&trace->arena, nsc_time, n);

    for (uint32_t i = 0; i < n; i++) {
        event[i] = builder->longs.at[i].event;
        duration[i] = builder->longs.at[i].duration;
    }
    trace->events.n_long = n;
    trace->events.long_event = event;
    trace->events.long_duration = duration;
}

static void copy_lanes_and_counters(struct nsc_trace *trace, const struct nsc_builder *builder)
{
    trace->n_lanes = (uint32_t)builder->lanes.n;
    trace->lanes = NSC_ARENA_ARRAY(&trace->arena, struct nsc_lane, trace->n_lanes);
    trace->n_counters = (uint32_t)builder->counters.n;
    trace->counters = NSC_ARENA_ARRAY(&trace->arena, struct nsc_counter, trace->n_counters);
    trace->counter_columns =
        NSC_ARENA_ARRAY(&trace->arena, struct nsc_column, (size_t)trace->n_counters * 2);
    if (trace->n_lanes)
        memcpy(trace->lanes, builder->lanes.at, trace->n_lanes * sizeof *trace->lanes);
    if (!trace->n_counters)
        return;
    memcpy(trace->counters, builder->counters.at, trace->n_counters * sizeof *trace->counters);
    memcpy(trace->counter_columns, builder->counter_columns.at,
           (size_t)trace->n_counters * 2 * sizeof *trace->counter_columns);
}

static void copy_captures(struct nsc_trace *trace, const struct nsc_builder *builder)
{
    trace->n_captures = (uint32_t)builder->captures.n;
    trace->captures = NSC_ARENA_ARRAY(&trace->arena, struct nsc_trace_info, trace->n_captures);
    memcpy(trace->captures, builder->captures.at, trace->n_captures * sizeof *trace->captures);
}

void nsc_trace_set_events(struct nsc_trace *trace, const struct nsc_column columns[NSC_N_COLUMNS],
                          uint32_t n)
{
    trace->events.n = n;
    trace->events.start = columns[NSC_COLUMN_START].at;
    trace->events.duration = columns[NSC_COLUMN_DURATION].at;
    trace->events.name = columns[NSC_COLUMN_NAME].at;
    trace->events.link = columns[NSC_COLUMN_LINK].at;
    trace->events.source = columns[NSC_COLUMN_SOURCE].at;
    trace->events.kind = columns[NSC_COLUMN_KIND].at;
}

/* Moves the columns to the trace and returns unused pages to the system. */
static void take_columns(struct nsc_trace *trace, struct nsc_builder *builder)
{
    for (int i = 0; i < NSC_N_COLUMNS; i++) {
        struct nsc_column *column = &builder->columns[i];
        size_t bytes = (size_t)builder->n * nsc_column_width(i);

        column->at = nsc_pages_trim(column->at, column->bytes, bytes);
        column->bytes = bytes;
    }
    memcpy(trace->columns, builder->columns, sizeof trace->columns);
    memset(builder->columns, 0, sizeof builder->columns);
    builder->counter_columns.n = 0;
    nsc_trace_set_events(trace, trace->columns, builder->n);
    builder->n = 0;
    builder->capacity = 0;
}

static void take_packed(struct nsc_trace *trace, struct nsc_builder *builder)
{
    uint32_t n = (uint32_t)builder->packed.n;

    trace->packed.slabs = NSC_ARENA_ARRAY(&trace->arena, uint8_t *, n);
    trace->packed.n_slabs = n;
    trace->packed.bytes = builder->packed_bytes;
    if (n)
        memcpy(trace->packed.slabs, builder->packed.at, n * sizeof *builder->packed.at);
    NSC_VEC_CLEAR(&builder->packed);
}

/* The time span of all samples, for an export without events. */
static struct nsc_bounds measure_samples(const struct nsc_builder *builder)
{
    struct nsc_bounds bounds = {false, 0, 0};

    for (size_t i = 0; i < builder->counters.n; i++) {
        const struct nsc_counter *counter = &builder->counters.at[i];

        nsc_bounds_add(&bounds, counter->time[0], counter->time[counter->n - 1]);
    }
    return bounds;
}

/* The time of all events but graph creation, within the trim; never empty. */
static struct nsc_window measure_extent(const struct nsc_builder *builder)
{
    struct nsc_bounds bounds = builder->before.any ? builder->before : builder->graph_before;
    struct nsc_window extent = {0, 1};

    if (!bounds.any)
        bounds = measure_samples(builder);
    if (bounds.any)
        extent = (struct nsc_window){bounds.t0, bounds.t1};
    if (builder->has_trim && bounds.any)
        extent = nsc_window_meet(extent, builder->trim);
    if (builder->has_trim && extent.t0 >= extent.t1)
        extent = builder->trim;
    if (extent.t0 == extent.t1)
        extent.t0 == INT64_MAX ? extent.t0-- : extent.t1++;
    return extent;
}

void nsc_builder_copy(struct nsc_trace *trace, struct nsc_builder *builder)
{
    nsc_builder_measure_work(builder);
    nsc_builder_end_capture(builder);
    trace->extent = measure_extent(builder);
    copy_captures(trace, builder);
    copy_lanes_and_counters(trace, builder);
    nsc_builder_order_tracks(trace, builder);
    copy_names(trace, builder);
    copy_longs(trace, builder);
    trace->alignment = builder->alignment;
}

static enum nsc_status build_trace(struct nsc_trace *trace, struct nsc_builder *builder)
{
    nsc_builder_free_slabs(builder);
    if (!nsc_builder_link(builder))
        return NSC_ENOMEM;
    if (nsc_progress_is_cancelled(builder->progress))
        return NSC_ECANCELLED;
    nsc_builder_copy(trace, builder);
    take_columns(trace, builder);
    take_packed(trace, builder);
    nsc_strpool_end(&builder->strings);
    trace->strings = builder->strings;
    nsc_strpool_init(&builder->strings);
    if (nsc_progress_is_cancelled(builder->progress))
        return NSC_ECANCELLED;
    trace->summary = nsc_summary_build_on(builder->pool, trace, NULL);
    if (!trace->summary || !nsc_trace_build_covers(trace, builder->pool))
        return NSC_ENOMEM;
    return NSC_OK;
}

enum nsc_status nsc_builder_finish(struct nsc_trace **out, struct nsc_builder *builder,
                                   struct nsc_error *error)
{
    struct nsc_trace *trace = nsc_xcalloc(1, sizeof *trace);
    enum nsc_status status = build_trace(trace, builder);

    *out = trace;
    if (status == NSC_OK)
        return status;
    nsc_builder_move_columns(builder->early, trace->columns);
    if (trace->events.n) /* otherwise the builder still owns the columns */
        builder->early = NULL;
    nsc_trace_free(trace);
    *out = NULL;
    return nsc_fail(error, status,
                    status == NSC_ECANCELLED
                        ? "cancelled"
                        : "not enough memory for the index: try --trim or --gpu");
}

/* ---- freeing ---- */

void nsc_trace_free(struct nsc_trace *trace)
{
    if (!trace)
        return;
    if (trace->covers)
        nsc_trace_free_covers(trace);
    nsc_captures_free(trace->captured);
    nsc_summary_free(trace->summary);
    for (int i = 0; i < NSC_N_COLUMNS; i++)
        nsc_pages_free(trace->columns[i].at, trace->columns[i].bytes);
    for (uint32_t i = 0; i < trace->packed.n_slabs; i++)
        nsc_pages_free(trace->packed.slabs[i], (size_t)1 << NSC_PACKED_BITS);
    for (size_t i = 0; i < (size_t)trace->n_counters * 2; i++)
        nsc_pages_free(trace->counter_columns[i].at, trace->counter_columns[i].bytes);
    nsc_strpool_fini(&trace->strings);
    nsc_arena_fini(&trace->arena);
    free(trace);
}

/* ---- memory ---- */

static size_t cover_bytes(const struct nsc_cover *cover)
{
    return cover ? nsc_cover_bytes(cover) : 0;
}

static size_t device_bytes(const struct nsc_device_covers *covers)
{
    size_t bytes = sizeof *covers + cover_bytes(covers->busy) + cover_bytes(covers->hidden) +
                   cover_bytes(covers->overlap);

    for (int i = 0; i < NSC_N_OP_CLASSES; i++)
        bytes += cover_bytes(covers->work[i]);
    return bytes;
}

uint64_t nsc_trace_bytes(const struct nsc_trace *trace)
{
    uint64_t bytes = sizeof *trace + trace->arena.total + trace->strings.bytes_capacity +
                     ((uint64_t)trace->strings.capacity + 1) * sizeof *trace->strings.offset +
                     nsc_summary_bytes(trace->summary);

    for (int i = 0; i < NSC_N_COLUMNS; i++)
        bytes += trace->columns[i].bytes;
    bytes += trace->packed.bytes;
    bytes += trace->captured ? trace->columns[NSC_COLUMN_LINK].bytes : 0;
    for (size_t i = 0; i < (size_t)trace->n_counters * 2; i++)
        bytes += trace->counter_columns[i].bytes;
    for (uint32_t i = 0; trace->covers && i < trace->n_groups; i++)
        bytes += device_bytes(&trace->covers[i]);
    return bytes;
}
