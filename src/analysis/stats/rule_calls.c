/*
 * The rules about calls that wait: copies that could be asynchronous but are not, memsets of host
 * memory, and calls that synchronize.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/sort.h"
#include "core/text.h"

#include <stdlib.h>
#include <strings.h>

enum { PAGEABLE = 0, PINNED = 1, MANAGED = 4 };
enum { SMALL_COPY = 64 * 1024 }; /* bytes up to which cudaMemcpy to a device does not wait */

struct finding {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    struct nsc_stats_names names;
    struct nsc_stats_list list;
};

static bool has_async(struct nsc_text text)
{
    for (uint32_t i = 0; i + 5 <= text.n; i++)
        if (strncasecmp(text.bytes + i, "async", 5) == 0)
            return true;
    return false;
}

/* Orders the longest first, then as in the export. */
static int compare_lengths(const void *context, uint32_t a, uint32_t b)
{
    const struct nsc_events *events = context;
    nsc_time x = nsc_event_duration(events, a), y = nsc_event_duration(events, b);

    return x != y ? (x > y ? -1 : 1) : 0;
}

static void init_finding(struct finding *finding, const struct nsc_stats_input *input,
                         const uint8_t kinds[], uint32_t n_kinds)
{
    *finding = (struct finding){.input = input, .events = nsc_trace_events(input->trace)};
    finding->list = nsc_stats_list(input, kinds, n_kinds);
    nsc_stats_names_init(&finding->names, input);
}

static void fini_finding(struct finding *finding)
{
    nsc_stats_names_fini(&finding->names);
    free(finding->list.event);
}

/* Keeps the events that the rule is about, in order, at most as many as requested. */
static void narrow(struct finding *finding, bool (*wanted)(struct finding *finding, nsc_event e))
{
    uint32_t rows = finding->input->arguments.rows, n = 0;

    for (uint32_t i = 0; i < finding->list.n; i++)
        if (wanted(finding, finding->list.event[i]))
            finding->list.event[n++] = finding->list.event[i];
    nsc_sort_by(finding->list.event, n, compare_lengths, finding->events);
    finding->list.n = rows && n > rows ? rows : n;
}

/* ---- copies and memsets ---- */

static struct nsc_text call_of(struct finding *finding, nsc_event e)
{
    nsc_event call = finding->events->link[e];

    return call == NSC_NONE ? (struct nsc_text){"", 0} : nsc_stats_name(&finding->names, call);
}

static int64_t field_of(const struct finding *finding, enum nsc_stats_fields_id id, uint32_t column,
                        nsc_event e)
{
    const struct nsc_fields *fields = finding->input->fields[id];
    int64_t value;

    return nsc_fields_int(&value, fields, column, nsc_fields_find(fields, e)) ? value : -1;
}

static bool wants_async_copy(struct finding *finding, nsc_event e)
{
    struct nsc_text call = call_of(finding, e);

    return nsc_text_begins(call, "cudaMemcpy") && has_async(call) &&
           (field_of(finding, NSC_STATS_FIELDS_COPY, 4, e) == PAGEABLE ||
            field_of(finding, NSC_STATS_FIELDS_COPY, 5, e) == PAGEABLE);
}

/* Whether a copy blocks the host. Copies inside and between devices do not, nor do small ones to a
 * device, which the driver takes over at once. */
static bool wants_sync_copy(struct finding *finding, nsc_event e)
{
    struct nsc_text call = call_of(finding, e);
    uint8_t kind = finding->events->kind[e];
    int64_t bytes = field_of(finding, NSC_STATS_FIELDS_COPY, 2, e);
    bool is_small = kind == NSC_KIND_COPY_HTOD && bytes >= 0 && bytes <= SMALL_COPY;

    return nsc_text_begins(call, "cudaMemcpy") && !has_async(call) && kind != NSC_KIND_COPY_DTOD &&
           kind != NSC_KIND_COPY_PTOP && !is_small;
}

static bool wants_sync_memset(struct finding *finding, nsc_event e)
{
    struct nsc_text call = call_of(finding, e);
    int64_t memory = field_of(finding, NSC_STATS_FIELDS_MEMSET, 3, e);

    return nsc_text_begins(call, "cudaMemset") && !has_async(call) &&
           (memory == PINNED || memory == MANAGED);
}

static struct nsc_stats_cell kind_cell(const struct finding *finding, enum nsc_stats_fields_id id,
                                       uint32_t column, nsc_event e)
{
    int64_t kind = field_of(finding, id, column, e);

    return kind < 0 ? nsc_cell_empty()
                    : nsc_cell_of_text(nsc_stats_memory_kind(finding->input, kind));
}

static void fill_memory(void *context, nsc_event e, struct nsc_stats_cell cells[])
{
    struct finding *finding = context;
    bool is_set = finding->events->kind[e] == NSC_KIND_MEMSET;
    enum nsc_stats_fields_id id = is_set ? NSC_STATS_FIELDS_MEMSET : NSC_STATS_FIELDS_COPY;
    const struct nsc_fields *fields = finding->input->fields[id];
    const struct nsc_track *track = nsc_stats_track(finding->input->trace, e);
    int64_t green = field_of(finding, id, 1, e);
    uint32_t n = 0;

    cells[n++] = nsc_cell_of_int(nsc_event_duration(finding->events, e));
    cells[n++] = nsc_cell_of_int(finding->events->start[e]);
    cells[n++] = kind_cell(finding, id, is_set ? 3 : 4, e);
    if (!is_set)
        cells[n++] = kind_cell(finding, id, 5, e);
    cells[n++] = nsc_cell_of_field(fields, 2, nsc_fields_find(fields, e));
    cells[n++] = nsc_cell_of_int(nsc_stats_pid(track));
    cells[n++] = nsc_cell_of_int(track->device);
    cells[n++] = nsc_cell_of_int(track->context);
    cells[n++] = green > 0 ? nsc_cell_of_int(green) : nsc_cell_empty();
    cells[n++] = nsc_cell_of_int(track->stream);
    cells[n++] = nsc_cell_of_text(call_of(finding, e));
}

/* ---- synchronization ---- */

static bool wants_sync(struct finding *finding, nsc_event e)
{
    struct nsc_text call = nsc_stats_name(&finding->names, e);

    return nsc_text_begins(call, "cudaDeviceSynchronize") ||
           nsc_text_begins(call, "cudaStreamSynchronize");
}

static void fill_sync(void *context, nsc_event e, struct nsc_stats_cell cells[])
{
    struct finding *finding = context;
    const struct nsc_track *track = nsc_stats_track(finding->input->trace, e);

    cells[0] = nsc_cell_of_int(nsc_event_duration(finding->events, e));
    cells[1] = nsc_cell_of_int(finding->events->start[e]);
    cells[2] = nsc_cell_of_int(nsc_stats_pid(track));
    cells[3] = nsc_cell_of_int(nsc_stats_tid(track));
    cells[4] = nsc_cell_of_text(nsc_stats_name(&finding->names, e));
}

/* ---- rules ---- */

static enum nsc_status
run_rule(const struct nsc_stats_input *input, const struct nsc_stats_sink *sink,
         enum nsc_kind first, enum nsc_kind last,
         bool (*wanted)(struct finding *finding, nsc_event e),
         void (*fill)(void *context, nsc_event e, struct nsc_stats_cell cells[]))
{
    uint8_t kinds[NSC_N_KINDS];
    uint32_t n_kinds = 0, n;
    struct finding finding;

    for (unsigned k = first; k <= (unsigned)last; k++)
        kinds[n_kinds++] = (uint8_t)k;
    init_finding(&finding, input, kinds, n_kinds);
    n = finding.list.n;
    narrow(&finding, wanted);
    nsc_stats_put_list(sink, finding.list.event, finding.list.n, fill, &finding);
    fini_finding(&finding);
    return n ? NSC_OK : NSC_ENODATA;
}

enum nsc_status nsc_stats_memcpy_async(const struct nsc_stats_input *input,
                                       const struct nsc_stats_sink *sink)
{
    return run_rule(input, sink, NSC_KIND_COPY_HTOD, NSC_KIND_COPY_OTHER, wants_async_copy,
                    fill_memory);
}

enum nsc_status nsc_stats_memcpy_sync(const struct nsc_stats_input *input,
                                      const struct nsc_stats_sink *sink)
{
    return run_rule(input, sink, NSC_KIND_COPY_HTOD, NSC_KIND_COPY_OTHER, wants_sync_copy,
                    fill_memory);
}

enum nsc_status nsc_stats_memset_sync(const struct nsc_stats_input *input,
                                      const struct nsc_stats_sink *sink)
{
    return run_rule(input, sink, NSC_KIND_MEMSET, NSC_KIND_MEMSET, wants_sync_memset, fill_memory);
}

enum nsc_status nsc_stats_api_sync(const struct nsc_stats_input *input,
                                   const struct nsc_stats_sink *sink)
{
    return run_rule(input, sink, NSC_KIND_API_RUNTIME, NSC_KIND_API_DRIVER, wants_sync, fill_sync);
}
