/* Chooses the writer of a dump's format, and outputs its bytes. */
#include "share/dump.h"

#include "core/bits.h"
#include "core/json_write.h"
#include "core/outfile.h"
#include "core/sum.h"
#include "share/dump_data.h"
#include "view/model/flame.h"

#include <inttypes.h>
#include <stdio.h>

enum { FLUSH_BYTES = 1 << 16, TELL_ROWS = 4096 };

static void (*const writers[NSC_N_DUMP_FORMATS])(struct nsc_dump *dump) = {
    [NSC_DUMP_CHROME] = nsc_dump_chrome,
    [NSC_DUMP_PERFETTO] = nsc_dump_perfetto,
    [NSC_DUMP_SPEEDSCOPE] = nsc_dump_speedscope,
    [NSC_DUMP_FOLDED] = nsc_dump_folded,
    [NSC_DUMP_FOLDED_CAPTURED] = nsc_dump_folded,
    [NSC_DUMP_FOLDED_CPU] = nsc_dump_folded_cpu,
    [NSC_DUMP_FOLDED_SAMPLES] = nsc_dump_folded_stacks,
    [NSC_DUMP_FOLDED_OWN] = nsc_dump_folded_stacks,
    [NSC_DUMP_CSV] = nsc_dump_rows,
    [NSC_DUMP_JSON] = nsc_dump_rows,
    [NSC_DUMP_NDJSON] = nsc_dump_rows,
    [NSC_DUMP_PAGE] = nsc_dump_page,
};

/* ---- what the writers share ---- */

bool nsc_dump_keeps(const struct nsc_dump *dump, nsc_event event)
{
    return !dump->query->mask || nsc_bits_get(dump->query->mask, event);
}

void nsc_dump_send(struct nsc_dump *dump, const struct nsc_buf *bytes)
{
    if (dump->status == NSC_OK && bytes->n &&
        !dump->sink->write(dump->sink->context, bytes, dump->error))
        dump->status = NSC_EWRITE;
    dump->bytes += bytes->n;
}

void nsc_dump_flush(struct nsc_dump *dump)
{
    nsc_dump_send(dump, &dump->out);
    nsc_buf_clear(&dump->out);
}

bool nsc_dump_count(struct nsc_dump *dump)
{
    if (++dump->rows < TELL_ROWS)
        return true;
    nsc_progress_add(dump->progress, dump->rows, 0);
    dump->rows = 0;
    return !nsc_progress_is_cancelled(dump->progress);
}

bool nsc_dump_go_on(struct nsc_dump *dump)
{
    if (!nsc_dump_count(dump) && dump->status == NSC_OK)
        dump->status = nsc_fail(dump->error, NSC_ECANCELLED, "export: cancelled");
    if (dump->out.n >= FLUSH_BYTES)
        nsc_dump_flush(dump);
    return dump->status == NSC_OK;
}

void nsc_dump_int(struct nsc_json *json, const char *key, int64_t value)
{
    static const int64_t most = (int64_t)1 << 53;
    char digits[24];

    if (value > -most && value < most) {
        nsc_json_int(json, key, value);
        return;
    }
    (void)snprintf(digits, sizeof digits, "%" PRId64, value);
    nsc_json_puts(json, key, digits);
}

nsc_time nsc_dump_offset(const struct nsc_dump *dump, nsc_time t)
{
    return t >= dump->origin ? nsc_span(dump->origin, t) : -nsc_span(t, dump->origin);
}

nsc_time nsc_dump_time(const struct nsc_dump *dump, nsc_event event)
{
    return nsc_dump_offset(dump, dump->events->start[event]);
}

struct nsc_text nsc_dump_text(struct nsc_dump *dump, nsc_event event)
{
    return nsc_trace_event_text(dump->trace, event, false, dump->scratch);
}

void nsc_dump_group_put(const struct nsc_dump *dump, struct nsc_buf *out, uint32_t group)
{
    uint32_t n = 0;
    const struct nsc_trace_info *exports = nsc_trace_captures(dump->trace, &n);
    struct nsc_text label = nsc_trace_string(dump->trace, dump->tracks[group].label);

    if (n > 1 && dump->tracks[group].kind != NSC_TRACK_CAPTURE) {
        struct nsc_text capture =
            nsc_trace_string(dump->trace, exports[dump->tracks[group].capture_no].label);

        nsc_buf_add(out, capture.bytes, capture.n);
        nsc_buf_puts(out, " · ");
    }
    nsc_buf_add(out, label.bytes, label.n);
}

/* ---- a dump ---- */

/* The start of the trace; counters may have been sampled before it. */
static nsc_time origin_of(const struct nsc_trace *trace)
{
    nsc_time origin = nsc_trace_extent(trace).t0;
    uint32_t n = 0;
    const struct nsc_counter *counters = nsc_trace_counters(trace, &n);

    for (uint32_t i = 0; i < n; i++)
        if (counters[i].n)
            origin = nsc_earlier(origin, counters[i].time[0]);
    return origin;
}

/* Counts the rows in the window; *any: the mask keeps at least one of them. */
static uint64_t count_rows(const struct nsc_dump *dump, bool *any)
{
    uint64_t n = 0;

    *any = false;
    for (uint32_t lane = 0; lane < dump->n_lanes; lane++) {
        struct nsc_row_range rows = nsc_lane_rows(dump->trace, lane, dump->query->window);

        n += rows.end - rows.first;
        for (nsc_event i = rows.first; i < rows.end && !*any; i++)
            *any = nsc_dump_keeps(dump, i);
    }
    return n;
}

static bool wants_gpu_views(const struct nsc_dump *dump)
{
    enum nsc_dump_format format = dump->query->format;

    return dump->query->has_gpu_views && (format == NSC_DUMP_CHROME || format == NSC_DUMP_PERFETTO);
}

/* Uses all launches and all collectives, filtered or not: a range shows the whole span of its
 * work. */
static void project(struct nsc_dump *dump, struct nsc_launches **launches)
{
    struct nsc_scope all = nsc_scope_all(dump->trace);
    const struct nsc_fields *spans;

    if (!wants_gpu_views(dump))
        return;
    spans = nsc_field_set(dump->query->fields, NSC_FIELDS_RANGES);
    nsc_nccl_calls_build(&dump->calls, &all, dump->query->fields);
    *launches = nsc_launches_build(dump->trace, NULL, NULL);
    dump->projection =
        *launches ? nsc_projection_build(dump->trace, *launches, NSC_PROJECTION_ALL, spans, NULL)
                  : NULL;
    if (!dump->projection)
        dump->status = nsc_fail(dump->error, NSC_ENOMEM, "no memory to project the ranges");
}

/* Of folded stacks; other formats always write something. */
static enum nsc_status fail_empty(const struct nsc_dump_query *query, struct nsc_error *error)
{
    enum nsc_flame_by by = nsc_dump_flame(query->format);
    const char *lack = nsc_flame_lack(query->trace, query->stacks, by);

    if (lack)
        return nsc_fail(error, NSC_ENODATA, "export: %s", lack);
    return nsc_fail(error, NSC_ENODATA,
                    "export: %s has nothing to tell: window and filter leave no %s",
                    nsc_dump_formats[query->format].name, nsc_flame_kinds[by].what);
}

enum nsc_status nsc_dump(const struct nsc_dump_query *query, const struct nsc_dump_sink *sink,
                         struct nsc_progress *progress, struct nsc_error *error)
{
    struct nsc_dump dump = {.query = query,
                            .trace = query->trace,
                            .events = nsc_trace_events(query->trace),
                            .origin = origin_of(query->trace),
                            .out = NSC_BUF_INIT(1u << 30),
                            .sink = sink,
                            .progress = progress,
                            .error = error};
    struct nsc_launches *launches = NULL;
    bool any = false;

    dump.tracks = nsc_trace_tracks(query->trace, &dump.n_tracks);
    dump.lanes = nsc_trace_lanes(query->trace, &dump.n_lanes);
    if (progress)
        atomic_store_explicit(&progress->rows_total, count_rows(&dump, &any), memory_order_relaxed);
    else
        (void)count_rows(&dump, &any);
    if (!any)
        return nsc_fail(error, NSC_ENODATA, "export: no event is left by the window and filter");
    project(&dump, &launches);
    writers[query->format](&dump);
    nsc_dump_flush(&dump);
    nsc_projection_free(dump.projection);
    nsc_nccl_calls_fini(&dump.calls);
    nsc_launches_free(launches);
    nsc_progress_add(progress, dump.rows, 0);
    nsc_buf_fini(&dump.out);
    if (dump.status == NSC_OK && !dump.bytes)
        return fail_empty(query, error);
    return dump.status;
}

static bool write_file(void *context, const struct nsc_buf *bytes, struct nsc_error *error)
{
    return nsc_outfile_write(context, bytes, error) == NSC_OK;
}

enum nsc_status nsc_dump_file(const struct nsc_dump_query *query, const char *path, bool replace,
                              struct nsc_progress *progress, struct nsc_error *error)
{
    struct nsc_outfile out;
    struct nsc_dump_sink sink = {write_file, &out};
    enum nsc_status status = nsc_outfile_open(
        &out, path, NSC_OUTFILE_DEVICE | (replace ? NSC_OUTFILE_REPLACE : 0u), error);

    if (status != NSC_OK)
        return status;
    status = nsc_dump(query, &sink, progress, error);
    if (status == NSC_OK && query->check)
        status = query->check(query->check_context, error);
    if (status == NSC_OK)
        return nsc_outfile_commit(&out, error);
    nsc_outfile_drop(&out);
    return status;
}
