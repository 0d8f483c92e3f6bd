/*
 * Reads columns for the events of one table: a scan finds each row by its row id and stores its
 * cells.
 */
#include "nsys/tables/fields.h"

#include "core/bisect.h"
#include "core/pages.h"
#include "core/sort.h"
#include "index/lane_merge.h"
#include "nsys/tables/fields_data.h"
#include "nsys/tables/schema.h"

#include <assert.h>
#include <string.h>

/* The place of each row id: an array if row ids lie close together, else a sorted list. */
struct places {
    uint32_t base;
    uint32_t *dense; /* [source - base] -> row + 1; NULL: use the list */
    size_t n_dense;
    struct nsc_sort_pair *list; /* key: source; value: row */
    size_t n_list;
    uint64_t n; /* number of expected row ids */
};

struct fetch {
    struct nsc_fetch common;
    const struct nsc_trace *trace;
    const struct nsc_fields_query *query;
    struct places places;
    _Atomic uint64_t met;
};

/* ---- the events of the table ---- */

static void mark_kinds(bool wanted[NSC_N_KINDS], enum nsc_kind kind)
{
    const char *table = nsc_kind_table(kind);

    for (int k = 0; k < NSC_N_KINDS; k++)
        wanted[k] = strcmp(nsc_kind_table((enum nsc_kind)k), table) == 0;
}

/* The events to read. */
struct wish {
    const struct nsc_trace *trace;
    const struct nsc_fields_query *query;
    struct nsc_row_range in;
    bool kinds[NSC_N_KINDS];
};

/* The first event at e or after it that is to be read; the end of the export if there is none. */
static nsc_event next_wanted(const struct wish *wish, nsc_event e)
{
    const uint8_t *kind = nsc_trace_events(wish->trace)->kind;
    bool (*wants)(const struct nsc_trace *trace, nsc_event e) = wish->query->wants;

    while (e < wish->in.end && (!wish->kinds[kind[e]] || (wants && !wants(wish->trace, e))))
        e++;
    return e;
}

/* The rows of an export. */
static struct nsc_row_range rows_of(const struct nsc_trace *trace, uint32_t capture_no)
{
    uint32_t n = 0;
    const struct nsc_trace_info *info = nsc_trace_captures(trace, &n);

    assert(capture_no < n);
    info += capture_no;
    return (struct nsc_row_range){info->first_event, info->first_event + info->n_events};
}

static bool list_events(struct nsc_fields *fields, const struct nsc_trace *trace,
                        const struct nsc_fields_query *query)
{
    struct wish wish = {trace, query, rows_of(trace, query->capture_no), {false}};
    size_t words;
    nsc_event *event;
    uint32_t row = 0;

    mark_kinds(wish.kinds, query->kind);
    fields->n_events = nsc_trace_events(trace)->n;
    words = nsc_bits_words(fields->n_events);
    fields->is_row = nsc_pages_new(words * sizeof *fields->is_row);
    fields->before = nsc_pages_new(words * sizeof *fields->before);
    if (words && (!fields->is_row || !fields->before))
        return false;
    for (nsc_event e = next_wanted(&wish, wish.in.first); e < wish.in.end;
         e = next_wanted(&wish, e + 1)) {
        nsc_bits_set(fields->is_row, e);
        fields->n++;
    }
    event = nsc_pages_new((size_t)fields->n * sizeof *event);
    fields->event = event;
    if (fields->n && !event)
        return false;
    for (size_t w = 0; w < words; w++) {
        fields->before[w] = row;
        for (uint64_t left = fields->is_row[w]; left; left &= left - 1)
            event[row++] = (nsc_event)(64 * w + (unsigned)__builtin_ctzll(left));
    }
    return true;
}

/* ---- places ---- */

static void free_places(struct places *places)
{
    nsc_pages_free(places->dense, places->n_dense * sizeof *places->dense);
    nsc_pages_free(places->list, places->n_list * sizeof *places->list);
}

static bool fill_dense(struct places *places, const struct nsc_fields *fields,
                       const uint32_t *source)
{
    places->dense = nsc_pages_new(places->n_dense * sizeof *places->dense);
    if (!places->dense)
        return false;
    for (uint32_t row = 0; row < fields->n; row++) {
        uint32_t id = source[fields->event[row]];

        if (id == NSC_NONE)
            continue;
        places->n += places->dense[id - places->base] == 0;
        places->dense[id - places->base] = row + 1;
    }
    return true;
}

static bool fill_list(struct places *places, const struct nsc_fields *fields,
                      const uint32_t *source)
{
    size_t bytes = (size_t)fields->n * sizeof *places->list;
    struct nsc_sort_pair *scratch = nsc_pages_new(bytes);

    places->n_list = fields->n;
    places->list = nsc_pages_new(bytes);
    if (!scratch || !places->list) {
        nsc_pages_free(scratch, bytes);
        return false;
    }
    for (uint32_t row = 0; row < fields->n; row++)
        places->list[row] = (struct nsc_sort_pair){source[fields->event[row]], row};
    nsc_sort_pairs(places->list, scratch, fields->n);
    nsc_pages_free(scratch, bytes);
    for (size_t i = 0; i < places->n_list; i++)
        places->n += places->list[i].key != NSC_NONE &&
                     (i == 0 || places->list[i].key != places->list[i - 1].key);
    return true;
}

static bool init_places(struct places *places, const struct nsc_fields *fields,
                        const uint32_t *source)
{
    uint32_t lo = NSC_NONE, hi = 0;

    for (uint32_t row = 0; row < fields->n; row++) {
        uint32_t id = source[fields->event[row]];

        if (id == NSC_NONE)
            continue;
        lo = id < lo ? id : lo;
        hi = id > hi ? id : hi;
    }
    if (lo == NSC_NONE)
        return true;
    places->base = lo;
    places->n_dense = (size_t)(hi - lo) + 1;
    if (places->n_dense <= (uint64_t)fields->n * 4 + 1024)
        return fill_dense(places, fields, source);
    places->n_dense = 0;
    return fill_list(places, fields, source);
}

/* The first place in the list with this row id or a greater one. */
static size_t find_from(const struct places *places, uint64_t id)
{
    size_t lo = 0, hi = places->n_list;

    NSC_BISECT(lo, hi, mid, places->list[mid].key < id);
    return lo;
}

static uint32_t find_listed(const struct places *places, uint64_t id)
{
    size_t at = find_from(places, id);

    return at < places->n_list && places->list[at].key == id ? places->list[at].value : NSC_NONE;
}

static uint32_t find_place(const struct places *places, int64_t rowid)
{
    uint64_t id = (uint64_t)rowid;

    if (rowid < 0 || id >= NSC_NONE)
        return NSC_NONE;
    if (!places->dense)
        return find_listed(places, id);
    id -= places->base;
    return id < places->n_dense && places->dense[id] ? places->dense[id] - 1 : NSC_NONE;
}

/* Whether a row id in [first, last] may be expected. */
static bool wants_rows(const void *context, int64_t first, int64_t last)
{
    const struct places *places = &((const struct fetch *)context)->places;
    size_t at;

    if (last < 0)
        return false;
    if (places->dense)
        return last >= places->base && first < (int64_t)(places->base + places->n_dense);
    at = find_from(places, first < 0 ? 0 : (uint64_t)first);
    return at < places->n_list && places->list[at].key <= (uint64_t)last;
}

/* ---- cells ---- */

static void unset(struct nsc_field *column, uint32_t row)
{
    uint64_t *word = (uint64_t *)(uintptr_t)&column->set[row >> 6];

    __atomic_fetch_or(word, (uint64_t)1 << (row & 63), __ATOMIC_RELAXED);
}

static void put_cell(struct fetch *fetch, const struct nsc_batch *batch, uint32_t c, uint32_t i,
                     uint32_t row)
{
    struct nsc_field *column = &fetch->common.fields->columns[fetch->common.column[c]];

    if (!nsc_fetch_cell((int64_t *)(uintptr_t)&column->value[row], &fetch->common, batch, c, i,
                        false))
        unset(column, row);
}

static bool take_batch(void *context, unsigned worker, uint32_t task, const struct nsc_batch *batch)
{
    struct fetch *fetch = context;
    uint64_t met = 0;

    (void)worker;
    (void)task;
    for (uint32_t i = 0; i < batch->n; i++) {
        uint32_t row = find_place(&fetch->places, batch->rowid[i]);

        if (row == NSC_NONE)
            continue;
        met++;
        for (uint32_t c = 0; c < fetch->common.n; c++)
            put_cell(fetch, batch, c, i, row);
    }
    fetch->met += met;
    return true;
}

/* ---- the scan ---- */

/* Before a scan: marks every cell of an expected row as set. The scan clears the mark of cells with
 * a value. */
static void clear_cells(void *context)
{
    struct fetch *fetch = context;

    for (uint32_t c = 0; c < fetch->common.n; c++) {
        struct nsc_field *column = &fetch->common.fields->columns[fetch->common.column[c]];

        memset((void *)(uintptr_t)column->set, 0, column->set_bytes);
    }
    fetch->met = 0;
}

/* After a scan: inverts the marks, so that cells with a value are set. Rows without a row id have
 * no values. */
static void turn_bits(struct fetch *fetch, const uint32_t *source)
{
    const struct nsc_fields *fields = fetch->common.fields;

    for (uint32_t c = 0; c < fetch->common.n; c++) {
        const struct nsc_field *column = &fields->columns[fetch->common.column[c]];
        uint64_t *set = (uint64_t *)(uintptr_t)column->set;

        for (size_t w = 0; w < nsc_bits_words(fields->n); w++)
            set[w] = ~set[w];
        for (uint32_t row = 0; row < fields->n; row++)
            if (find_place(&fetch->places, source[fields->event[row]]) != row)
                nsc_bits_unset(set, row);
    }
}

static enum nsc_scan_result scan(struct fetch *fetch, struct nsc_pool *pool,
                                 struct nsc_error *error)
{
    struct nsc_capture *capture = fetch->common.capture;
    struct nsc_scan scan = {.table = fetch->common.table,
                            .columns = fetch->common.scan,
                            .n_columns = fetch->common.n,
                            .sink = take_batch,
                            .context = fetch,
                            .progress = fetch->query->progress,
                            .wants = wants_rows};

    clear_cells(fetch);
    return nsc_scan_table(capture->source, pool, &scan, capture->no_pages, clear_cells, error);
}

static enum nsc_status read_cells(struct fetch *fetch, struct nsc_error *error)
{
    struct nsc_pool *pool = nsc_pool_new(fetch->common.capture->threads);
    enum nsc_scan_result result = scan(fetch, pool, error);

    nsc_pool_free(pool);
    if (result == NSC_SCAN_FAILED)
        return error->status != NSC_OK ? error->status : NSC_EDAMAGED;
    if (result == NSC_SCAN_STOPPED)
        return nsc_fail(error, NSC_ECANCELLED, "cancelled");
    if (fetch->met < fetch->places.n)
        return nsc_fail(error, NSC_EDAMAGED, "%s changed since it was loaded: load it again",
                        fetch->common.capture->source->path);
    turn_bits(fetch, nsc_trace_events(fetch->trace)->source);
    return NSC_OK;
}

static enum nsc_status read_fields(struct nsc_fields **out, struct fetch *fetch,
                                   struct nsc_error *error)
{
    int table = nsc_table_of_kind((uint8_t)fetch->query->kind);

    *out = nsc_fetch_init(&fetch->common, fetch->query,
                          table < 0 ? NULL : &fetch->common.capture->schema.tables[table]);
    if (!list_events(*out, fetch->trace, fetch->query) ||
        !nsc_fetch_columns(&fetch->common, (*out)->n) ||
        !init_places(&fetch->places, *out, nsc_trace_events(fetch->trace)->source))
        return nsc_fail(error, NSC_ENOMEM, "not enough memory for columns of %s",
                        nsc_kind_table(fetch->query->kind));
    return fetch->common.n && fetch->places.n ? read_cells(fetch, error) : NSC_OK;
}

static enum nsc_status read_held(struct nsc_fields **out, void *context, struct nsc_error *error)
{
    struct fetch *fetch = context;
    enum nsc_status status = read_fields(out, fetch, error);

    if (status == NSC_OK)
        nsc_fetch_end(&fetch->common);
    nsc_fetch_fini(&fetch->common);
    free_places(&fetch->places);
    return status;
}

enum nsc_status nsc_fields_read(struct nsc_fields **out, struct nsc_capture *capture,
                                const struct nsc_trace *trace, const struct nsc_fields_query *query,
                                struct nsc_error *error)
{
    struct fetch fetch = {.common = {.capture = capture}, .trace = trace, .query = query};

    return nsc_fetch_held(out, capture, read_held, &fetch, error);
}
