/*
 * cuda_gpu_trace: every kernel, copy and memset in order of time.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"

#include <stdlib.h>

enum {
    START,
    DURATION,
    CORRELATION,
    GRID, /* six */
    REGISTERS = GRID + 6,
    STATIC_MEMORY,
    DYNAMIC_MEMORY,
    BYTES,
    RATE,
    SOURCE,
    TARGET,
    DEVICE,
    CONTEXT,
    GREEN_CONTEXT,
    STREAM,
    NAME,
    N_CELLS
};

struct gpu_trace {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    struct nsc_stats_names names;
    char device[NSC_STATS_DEVICE_BYTES];
};

/* Bytes a second as the tool computes it: bytes times the whole number of such operations a
 * second. */
static struct nsc_stats_cell rate_of(int64_t bytes, nsc_time duration)
{
    nsc_time a_second = duration > 0 ? 1000000000 / duration : 0;

    return duration > 0 ? nsc_cell_of_real((double)bytes * (double)a_second) : nsc_cell_empty();
}

/* 0 means no green context. */
static struct nsc_stats_cell green_context(const struct nsc_fields *fields, uint32_t row)
{
    int64_t id;

    return nsc_fields_int(&id, fields, 1, row) && id ? nsc_cell_of_int(id) : nsc_cell_empty();
}

static void add_kernel(struct nsc_stats_cell cells[], const struct gpu_trace *trace, nsc_event e)
{
    const struct nsc_fields *grid = trace->input->fields[NSC_STATS_FIELDS_GRID];
    const struct nsc_fields *launch = trace->input->fields[NSC_STATS_FIELDS_LAUNCH];
    uint32_t grid_row = nsc_fields_find(grid, e), row = nsc_fields_find(launch, e);

    cells[CORRELATION] = nsc_cell_of_field(launch, 0, row);
    cells[GREEN_CONTEXT] = green_context(launch, row);
    cells[REGISTERS] = nsc_cell_of_field(launch, 2, row);
    cells[STATIC_MEMORY] = nsc_cell_of_field(launch, 3, row);
    cells[DYNAMIC_MEMORY] = nsc_cell_of_field(launch, 4, row);
    for (uint32_t c = 0; c < 6; c++)
        cells[GRID + c] = nsc_cell_of_field(grid, c, grid_row);
}

static struct nsc_stats_cell memory_kind(const struct gpu_trace *trace,
                                         const struct nsc_fields *fields, uint32_t column,
                                         uint32_t row)
{
    int64_t kind;

    if (!nsc_fields_int(&kind, fields, column, row))
        return nsc_cell_empty();
    return nsc_cell_of_text(nsc_stats_memory_kind(trace->input, kind));
}

static void add_memory(struct nsc_stats_cell cells[], const struct gpu_trace *trace, nsc_event e)
{
    bool is_set = trace->events->kind[e] == NSC_KIND_MEMSET;
    const struct nsc_fields *fields =
        trace->input->fields[is_set ? NSC_STATS_FIELDS_MEMSET : NSC_STATS_FIELDS_COPY];
    uint32_t row = nsc_fields_find(fields, e);
    int64_t bytes;

    cells[CORRELATION] = nsc_cell_of_field(fields, 0, row);
    cells[GREEN_CONTEXT] = green_context(fields, row);
    cells[BYTES] = nsc_cell_of_field(fields, 2, row);
    if (nsc_fields_int(&bytes, fields, 2, row))
        cells[RATE] = rate_of(bytes, nsc_event_duration(trace->events, e));
    cells[SOURCE] = memory_kind(trace, fields, is_set ? 3 : 4, row);
    if (!is_set)
        cells[TARGET] = memory_kind(trace, fields, 5, row);
}

static void fill_event(void *context, nsc_event e, struct nsc_stats_cell cells[])
{
    struct gpu_trace *trace = context;
    const struct nsc_track *track = nsc_stats_track(trace->input->trace, e);
    struct nsc_text name = nsc_stats_name(&trace->names, e);

    cells[START] = nsc_cell_of_int(trace->events->start[e]);
    cells[DURATION] = nsc_cell_of_int(nsc_event_duration(trace->events, e));
    cells[DEVICE] = nsc_cell_of_text(nsc_stats_device(trace->device, trace->input, track));
    cells[CONTEXT] = nsc_cell_of_int(track->context);
    cells[STREAM] = nsc_cell_of_int(track->stream);
    if (trace->events->kind[e] == NSC_KIND_KERNEL) {
        add_kernel(cells, trace, e);
    } else {
        add_memory(cells, trace, e);
        name = nsc_stats_memory_name(name);
    }
    cells[NAME] = nsc_cell_of_text(name);
}

enum nsc_status nsc_stats_gpu_trace(const struct nsc_stats_input *input,
                                    const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL,    NSC_KIND_COPY_HTOD, NSC_KIND_COPY_DTOH,
                                    NSC_KIND_COPY_DTOD, NSC_KIND_COPY_PTOP, NSC_KIND_COPY_OTHER,
                                    NSC_KIND_MEMSET};
    struct gpu_trace trace = {.input = input, .events = nsc_trace_events(input->trace)};
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizeof kinds);

    nsc_stats_by_start(&list, trace.events);
    nsc_stats_names_init(&trace.names, input);
    nsc_stats_put_list(sink, list.event, list.n, fill_event, &trace);
    nsc_stats_names_fini(&trace.names);
    free(list.event);
    return list.n ? NSC_OK : NSC_ENODATA;
}
