/* Reads one value of one event: the columns of event_column.def. */

#include "analysis/device/copies.h"
#include "analysis/names/kernel_family.h"
#include "analysis/names/label.h"
#include "analysis/select/filter.h"
#include "query/event_getter.h"

/* ---- the event itself ---- */

GETTER(id, argument)
{
    return int_value(row->at);
}

/* argument 0: the word of filters, 1: the words, 2: the table of the export. */
GETTER(kind, argument)
{
    enum nsc_kind kind = (enum nsc_kind)kind_of(row);

    return text_value(nsc_text_from(argument == 0   ? nsc_kind_word(kind)
                                    : argument == 1 ? nsc_kind_label(kind)
                                                    : nsc_kind_table(kind)));
}

GETTER(start, argument)
{
    return int_value(start_of(row));
}

GETTER(end, argument)
{
    return int_value(end_of(row));
}

GETTER(dur, argument)
{
    return int_value(nsc_span(start_of(row), end_of(row)));
}

/* argument 0: the start, 1: the end, 2: the duration in the window. */
GETTER(clip, argument)
{
    struct nsc_window w = row->query->window;
    nsc_time start = nsc_later(start_of(row), w.t0);
    nsc_time end = nsc_later(nsc_earlier(end_of(row), w.t1), start);

    return int_value(argument == 0 ? start : argument == 1 ? end : nsc_span(start, end));
}

GETTER(counter_value, argument)
{
    return int_value(row->counter->value[row->at]);
}

GETTER(source_row, argument)
{
    return event_value(row->query->events->source[row->at]);
}

/* ---- texts ---- */

nsc_str nsc_query_name_text(struct nsc_trace_query *query, nsc_name name, bool is_fold)
{
    const struct nsc_names *names = nsc_trace_names(query->trace);
    nsc_str *number = &query->of_name[is_fold][name];

    if (*number == 0 && is_fold) {
        struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_clear(&text);
        nsc_name_fold(&text, query->trace, name);
        *number = nsc_texts_add(&query->texts, nsc_text_of_buf(&text)) + 1;
        nsc_buf_fini(&text);
    } else if (*number == 0) {
        *number =
            nsc_texts_add(&query->texts, nsc_trace_string(query->trace, names->brief[name])) + 1;
    }
    return *number - 1;
}

nsc_str nsc_query_text_of(struct nsc_trace_query *query, nsc_event event, enum nsc_query_text which)
{
    nsc_name name = query->events->name[event];
    bool has_counters = nsc_trace_names(query->trace)->counters[name] > 0;
    nsc_str number;

    if (which == NSC_QUERY_FOLD)
        return nsc_query_name_text(query, name, true);
    if (which == NSC_QUERY_NAME || has_counters)
        return nsc_texts_of(&query->texts, event);
    number = nsc_query_name_text(query, name, false);
    if (which == NSC_QUERY_LABEL && nsc_texts_at(&query->texts, number).n == 0)
        return nsc_texts_add(&query->texts, nsc_text_from(nsc_kind_label(
                                                (enum nsc_kind)query->events->kind[event])));
    return number;
}

static bool has_text(const struct nsc_query_row *row, uint32_t which)
{
    return row->query->events->name[row->at] != 0 || which == NSC_QUERY_LABEL;
}

GETTER(text, which)
{
    struct nsc_trace_query *query = row->query;
    struct nsc_query_value value = {.type = NSC_QUERY_TEXT};

    if (!has_text(row, which))
        return null_value();
    if (which == NSC_QUERY_FOLD)
        value.text = nsc_texts_at(&query->texts, nsc_query_text_of(query, row->at, which));
    else
        value.text =
            nsc_trace_event_text(query->trace, row->at, which != NSC_QUERY_NAME, row->scratch);
    if (which == NSC_QUERY_LABEL && value.text.n == 0)
        return nsc_query_get_kind(row, 1);
    if (which == NSC_QUERY_FOLD || value.text.bytes == row->scratch)
        value.type = NSC_QUERY_SCRATCH;
    return value;
}

GETTER(text_id, which)
{
    return has_text(row, which) ? int_value(nsc_query_text_of(row->query, row->at, which))
                                : null_value();
}

GETTER(comm, argument)
{
    const struct nsc_names *names = nsc_trace_names(row->query->trace);

    return int_value(kind_of(row) == NSC_KIND_KERNEL &&
                     names->flags[row->query->events->name[row->at]] & NSC_NAME_COMM);
}

GETTER(class, argument)
{
    static const char *const words[] = {
        [NSC_CALL_SYNC] = "sync",          [NSC_CALL_QUERY] = "query",
        [NSC_CALL_BLOCKING_COPY] = "copy", [NSC_CALL_ASYNC_COPY] = "async copy",
        [NSC_CALL_LAUNCH] = "launch",      [NSC_CALL_GRAPH] = "graph",
        [NSC_CALL_OS_WAIT] = "wait"};
    struct nsc_call_classes *calls = &row->query->calls;
    const char *word;

    if (!calls->trace)
        nsc_call_classes_build(calls, row->query->trace);
    word = words[nsc_call_class_of(calls, row->at)];
    return word ? text_value(nsc_text_from(word)) : null_value();
}

/* argument 0: the family, 1: the engine. The words of a name are looked up once. */
GETTER(kernel_word, argument)
{
    const struct nsc_trace *trace = row->query->trace;
    const struct nsc_names *names = nsc_trace_names(trace);
    struct nsc_text **words = &row->query->of_kernel[argument];
    nsc_name name = row->query->events->name[row->at];
    struct nsc_text *word;

    if (kind_of(row) != NSC_KIND_KERNEL)
        return null_value();
    if (!*words)
        *words = nsc_xcalloc((size_t)names->n + 1, sizeof **words);
    word = &(*words)[name];
    if (!word->bytes) {
        struct nsc_text text = nsc_trace_string(trace, names->full[name]);

        *word =
            argument ? nsc_kernel_engine_text(trace, text) : nsc_kernel_family_text(trace, text);
        word->bytes = word->n > 0 ? word->bytes : "";
    }
    return word->n > 0 ? text_value(*word) : null_value();
}

/* ---- its place ---- */

static struct nsc_query_value read_field(const struct nsc_query_row *row, nsc_event event,
                                         enum nsc_field_set set, uint32_t column)
{
    const struct nsc_field_sets *const *sets = row->query->ground.fields;
    const struct nsc_fields *fields =
        sets ? nsc_field_set(sets[track_of(row)->capture_no], set) : NULL;
    int64_t value = 0;
    bool is_known = nsc_fields_int(&value, fields, column, nsc_fields_find(fields, event));

    return known_value(is_known, value);
}

/* A stream of a context of the row's process; NULL: nothing ran there. */
static const struct nsc_track *stream_in(const struct nsc_query_row *row, int64_t context)
{
    struct nsc_trace_query *query = row->query;
    uint32_t n, at;
    const struct nsc_track *tracks = nsc_trace_tracks(query->trace, &n);
    bool is_known = query->contexts.rows.n > 0;

    for (uint32_t t = 0; t < n && !is_known; t++)
        if (tracks[t].kind == NSC_TRACK_STREAM &&
            nsc_tally_group(&query->contexts, tracks[t].process, (uint64_t)tracks[t].context) ==
                query->streams.n)
            *NSC_VEC_ADD(&query->streams) = t;
    at = nsc_tally_group(&query->contexts, track_of(row)->process, (uint64_t)context);
    return at < query->streams.n ? &tracks[query->streams.at[at]] : NULL;
}

/* A synchronization is on the track of its process: its row of the export tells its context and its stream,
 * and the work in that context the GPU. nsys writes device 0 there in every process. */
GETTER(place, offset)
{
    const bool is_stream = offset == offsetof(struct nsc_track, stream);
    const bool is_context = offset == offsetof(struct nsc_track, context);
    const struct nsc_track *track = track_of(row);
    struct nsc_query_value of;
    int64_t value;

    if (track->kind == NSC_TRACK_SYNC) {
        of = read_field(row, row->at, NSC_FIELDS_SYNCS,
                        is_stream ? NSC_SYNC_STREAM : NSC_SYNC_CONTEXT);
        if (is_stream || is_context)
            return known_value(of.type == NSC_QUERY_INT && of.integer != UINT32_MAX, of.integer);
        track = of.type == NSC_QUERY_INT ? stream_in(row, of.integer) : NULL;
    }
    value = track ? *(const int64_t *)(const void *)((const char *)track + offset) : -1;
    return known_value(value >= 0, value);
}

GETTER(place_u32, offset)
{
    return int_value(*(const uint32_t *)(const void *)((const char *)track_of(row) + offset));
}

GETTER(person, offset)
{
    struct nsc_query_value value = nsc_query_get_place_u32(row, offset);

    if (track_of(row)->kind == NSC_TRACK_SYNC && offset == offsetof(struct nsc_track, tid))
        return nsc_query_get_caller(row, 0);
    return known_value(value.integer != 0, value.integer);
}

GETTER(process, argument)
{
    return known_value(track_of(row)->process != 0, (int64_t)track_of(row)->process);
}

GETTER(domain, argument)
{
    uint8_t kind = track_of(row)->kind;

    return known_value(kind == NSC_TRACK_NVTX || kind == NSC_TRACK_SPANS || kind == NSC_TRACK_MARKS,
                       track_of(row)->domain);
}

GETTER(domain_name, argument)
{
    struct nsc_text name = nsc_domain_name(row->query->trace, track_of(row));

    return name.bytes ? text_value(name) : null_value();
}

GETTER(depth, argument)
{
    return known_value(track_of(row)->kind == NSC_TRACK_NVTX,
                       row->lane - track_of(row)->first_lane);
}

/* argument 1: its group. */
GETTER(track, argument)
{
    return int_value(argument ? nsc_trace_group_of(row->query->trace, row->track) : row->track);
}

/* argument 1: of its group. */
GETTER(track_label, argument)
{
    const struct nsc_trace *trace = row->query->trace;
    uint32_t track = (uint32_t)nsc_query_get_track(row, argument).integer;

    return text_value(nsc_trace_string(trace, nsc_trace_track(trace, track)->label));
}

GETTER(is_memory, argument)
{
    uint32_t counter = track_of(row)->counter;

    return int_value(counter != NSC_NONE &&
                     nsc_trace_counters(row->query->trace, NULL)[counter].is_bytes);
}

GETTER(rank, argument)
{
    uint32_t n;
    const struct nsc_trace_info *exports = nsc_trace_captures(row->query->trace, &n);

    if (n < 2)
        return null_value();
    return text_value(
        nsc_trace_string(row->query->trace, exports[track_of(row)->capture_no].label));
}

/* ---- columns beside the index ---- */

#define FIELD(set, column) (NSC_FIELDS_##set << 8 | (NSC_##column))

GETTER(field, field)
{
    return read_field(row, row->at, (enum nsc_field_set)(field >> 8), field & 255);
}

GETTER(bytes, argument)
{
    if (nsc_kind_is_copy(kind_of(row)))
        return read_field(row, row->at, NSC_FIELDS_COPIES, NSC_COPY_BYTES);
    if (kind_of(row) == NSC_KIND_MEMSET)
        return read_field(row, row->at, NSC_FIELDS_MEMSETS, NSC_MEMSET_BYTES);
    return kind_of(row) == NSC_KIND_MPI_P2P
               ? read_field(row, row->at, NSC_FIELDS_MPI_MESSAGES, NSC_MPI_BYTES)
               : null_value();
}

GETTER(capacity, argument)
{
    const struct nsc_field_sets *const *fields = row->query->ground.fields;
    int64_t bytes = nsc_field_of_gpu(fields ? fields[track_of(row)->capture_no] : NULL,
                                     track_of(row)->gpu, NSC_GPU_MEMORY);

    return known_value(bytes > 0, bytes);
}

GETTER(rate, argument)
{
    struct nsc_query_value bytes = nsc_query_get_bytes(row, argument);
    nsc_time ns = nsc_event_duration(row->query->events, row->at);

    if (bytes.type == NSC_QUERY_NULL || ns == 0)
        return null_value();
    return (struct nsc_query_value){.type = NSC_QUERY_NUMBER,
                                    .number = (double)bytes.integer / (double)ns};
}

GETTER(memory, end)
{
    struct nsc_query_value kind = read_field(row, row->at, NSC_FIELDS_COPIES, end);

    return kind.type == NSC_QUERY_NULL
               ? kind
               : text_value(nsc_text_from(nsc_copy_memory_word(kind.integer)));
}

/* An op has that of its call. */
GETTER(correlation, argument)
{
    nsc_event call =
        nsc_kind_is_gpu(kind_of(row)) ? nsc_event_launch(row->query->trace, row->at) : row->at;

    if (kind_of(row) == NSC_KIND_SYNC)
        return read_field(row, call, NSC_FIELDS_SYNCS, NSC_SYNC_CORRELATION);
    return call == NSC_NONE ? null_value()
                            : read_field(row, call, NSC_FIELDS_CALLS, NSC_CALL_CORRELATION);
}

/* ---- the table of columns ---- */

#define ON(table) (1u << NSC_QUERY_EVENTS_##table)
#define ALL       ((1u << NSC_N_QUERY_EVENTS) - 1)
#define EVENTS    (ALL & ~ON(counter))
#define OPS       (ON(kernel) | ON(graph) | ON(copy) | ON(memset) | ON(op) | ON(launch) | ON(event))
#define DEVICES   (OPS | ON(counter))
#define HOST      (EVENTS & ~(OPS & ~ON(event)))
#define RANGES    (ON(nvtx) | ON(range) | ON(mark) | ON(event))
#define MEMORY    (ON(copy) | ON(memset) | ON(op))
#define CALLERS   ((OPS & ~ON(event)) | ON(call) | ON(sync))

static const struct nsc_query_column columns[] = {
#define QUERY_COLUMN(name, kind, use, level, getter, argument, tables, help)                    \
    {#name,      help,     NSC_SHEET_##kind,      NSC_QUERY_USE_##use, NSC_QUERY_LEVEL_##level, \
     (argument), (tables), nsc_query_get_##getter},
#include "query/event_column.def"
};

_Static_assert(sizeof columns / sizeof *columns <= NSC_QUERY_COLUMNS, "every table has room");

const struct nsc_query_column *nsc_query_columns(uint32_t *n)
{
    *n = sizeof columns / sizeof *columns;
    return columns;
}

const struct nsc_query_column *nsc_query_column_find(struct nsc_text name)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (nsc_text_is(name, columns[i].name))
            return &columns[i];
    return NULL;
}

bool nsc_query_column_text(const struct nsc_query_column *column, enum nsc_query_text *which,
                           bool *is_id)
{
    *which = (enum nsc_query_text)column->argument;
    *is_id = column->get == nsc_query_get_text_id;
    return *is_id || column->get == nsc_query_get_text;
}

const char *nsc_query_type_of(uint8_t kind)
{
    return kind == NSC_SHEET_TEXT                                  ? "TEXT"
           : kind == NSC_SHEET_PERCENT || kind == NSC_SHEET_NUMBER ? "REAL"
                                                                   : "INTEGER";
}

void nsc_query_put(sqlite3_context *out, const struct nsc_query_value *value)
{
    switch (value->type) {
    case NSC_QUERY_NULL:
        sqlite3_result_null(out);
        break;
    case NSC_QUERY_INT:
        sqlite3_result_int64(out, value->integer);
        break;
    case NSC_QUERY_NUMBER:
        sqlite3_result_double(out, value->number);
        break;
    case NSC_QUERY_TEXT:
    case NSC_QUERY_SCRATCH:
        sqlite3_result_text(out, value->text.bytes, (int)value->text.n,
                            value->type == NSC_QUERY_TEXT ? SQLITE_STATIC : SQLITE_TRANSIENT);
        break;
    }
}
