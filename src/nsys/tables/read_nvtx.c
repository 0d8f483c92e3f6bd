/*
 * Reads NVTX ranges and marks, and the rows that name categories, threads and domains.
 */
#include "core/vec.h"
#include "nsys/tables/table_reader.h"

#include <stdlib.h>
#include <string.h>

enum {
    TYPE_CATEGORY = 33,
    TYPE_MARK = 34,
    TYPE_THREAD = 39,
    TYPE_PUSH_POP = 59,
    TYPE_START_END = 60,
    TYPE_DOMAIN = 75,
    TYPE_DOMAIN_END = 76
};

enum { KNOWN_TEXTS = 1024 }; /* a power of two */

/* A text of StringIds and the name that it gave. */
struct known_text {
    int64_t id;
    uint32_t argb, name, link;
    bool is_known, has_color;
};

/* What one worker keeps. */
struct nvtx_worker {
    struct nsc_nvtx_names names;
    struct known_text texts[KNOWN_TEXTS]; /* by id */
};

/* As row_text, but from textId. */
static bool row_string(struct nsc_text *out, struct nsc_reading *reading,
                       struct nsc_reading_worker *worker, const struct nsc_batch *batch, uint32_t i,
                       char scratch[48])
{
    bool missing = false;
    int64_t id;

    if (!nsc_cell_int(&id, reading, batch, NSC_SLOT_NAME, i))
        return false;
    *out = nsc_reading_text(reading->load, id, scratch, &missing);
    worker->missing_names += missing;
    return true;
}

/* The text of a row, from text or textId; false if it has none. May be "[string N missing]". */
static inline bool row_text(struct nsc_text *out, struct nsc_reading *reading,
                            struct nsc_reading_worker *worker, const struct nsc_batch *batch,
                            uint32_t i, char scratch[48])
{
    int at = reading->table->at[NSC_SLOT_TEXT];

    if (nsc_cell_type(reading, batch, NSC_SLOT_TEXT, i) != NSC_CELL_TEXT)
        return row_string(out, reading, worker, batch, i, scratch);
    out->bytes = batch->text[at][i].bytes;
    out->n = batch->text[at][i].n;
    return true;
}

/* Keeps a naming row until the scan ends, because names are applied in the order of row ids. */
static bool gather_name(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                        const struct nsc_batch *batch, uint32_t i, int64_t type)
{
    struct nvtx_worker *own = worker->gathered;
    struct nsc_track_key key = {0};
    struct nsc_nvtx_name *name;
    struct nsc_text text;
    char scratch[48];
    int64_t domain, category;

    if (!nsc_reading_thread(&key, reading, batch, i) ||
        !nsc_cell_nullable(&domain, reading, batch, NSC_SLOT_DOMAIN, i) ||
        !nsc_cell_nullable(&category, reading, batch, NSC_SLOT_CATEGORY, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    if (!row_text(&text, reading, worker, batch, i, scratch))
        return true;
    name = NSC_VEC_ADD(&own->names.names);
    *name = (struct nsc_nvtx_name){batch->rowid[i],
                                   type,
                                   key.process,
                                   key.tid,
                                   domain,
                                   category,
                                   nsc_xmalloc((size_t)text.n + 1),
                                   text.n};
    if (text.n)
        memcpy(name->text, text.bytes, text.n);
    return true;
}

/* Names a row by its textId. A text of before is not looked at again. */
static void name_by_id(struct nsc_row *row, struct nsc_reading *reading,
                       struct nsc_reading_worker *worker, struct known_text text)
{
    struct nvtx_worker *own = worker->gathered;
    struct known_text *known = &own->texts[(uint64_t)text.id % KNOWN_TEXTS];
    char scratch[48];
    bool missing = false;

    if (known->is_known && known->id == text.id && known->argb == text.argb &&
        known->has_color == text.has_color) {
        row->name = known->name;
        row->link = known->link;
        nsc_feed_text_again(worker->feed, row->name, row->link);
        return;
    }
    row->name =
        nsc_feed_text(worker->feed, nsc_reading_text(reading->load, text.id, scratch, &missing),
                      text.has_color, text.argb, &row->link);
    worker->missing_names += missing;
    text.is_known = !missing;
    text.name = row->name;
    text.link = row->link;
    *known = text;
}

static void name_row(struct nsc_row *row, struct nsc_reading *reading,
                     struct nsc_reading_worker *worker, const struct nsc_batch *batch, uint32_t i)
{
    int at = reading->table->at[NSC_SLOT_TEXT];
    int64_t color = 0;
    int64_t id = 0;
    bool has_color = nsc_cell_int(&color, reading, batch, NSC_SLOT_COLOR, i);
    uint32_t argb = (uint32_t)((uint64_t)color & 0xffffffff);

    if (nsc_cell_type(reading, batch, NSC_SLOT_TEXT, i) == NSC_CELL_TEXT)
        row->name = nsc_feed_text(worker->feed,
                                  (struct nsc_text){batch->text[at][i].bytes, batch->text[at][i].n},
                                  has_color, argb, &row->link);
    else if (nsc_cell_int(&id, reading, batch, NSC_SLOT_NAME, i))
        name_by_id(row, reading, worker,
                   (struct known_text){.id = id, .argb = argb, .has_color = has_color});
}

static bool read_range(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                       const struct nsc_batch *batch, uint32_t i, int64_t type)
{
    static const uint8_t kinds[3] = {NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_SPAN, NSC_KIND_NVTX_MARK};
    static const uint8_t tracks[3] = {NSC_TRACK_NVTX, NSC_TRACK_SPANS, NSC_TRACK_MARKS};
    int which = type == TYPE_PUSH_POP ? 0 : type == TYPE_START_END ? 1 : 2;
    struct nsc_row row = {.kind = kinds[which]};
    struct nsc_track_key key = {.kind = tracks[which], .device = -1, .context = -1, .stream = -1};

    if (!nsc_reading_thread(&key, reading, batch, i) ||
        !nsc_cell_nullable(&key.domain, reading, batch, NSC_SLOT_DOMAIN, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    if (which == 2) {
        row.source = nsc_reading_u32(batch->rowid[i]);
        if (!nsc_cell_int(&row.start, reading, batch, NSC_SLOT_START, i))
            return nsc_reading_skip(worker, NSC_SKIP_TYPE);
        row.end = row.start;
        if (row.end == NSC_TIME_OPEN)
            return nsc_reading_skip(worker, NSC_SKIP_OVERFLOW);
    } else if (!nsc_reading_times(&row, reading, worker, batch, i, true)) {
        return true;
    }
    if (!nsc_reading_wanted(reading, worker, &row, key.process))
        return true;
    name_row(&row, reading, worker, batch, i);
    return nsc_reading_event(worker, &key, &row);
}

static bool read_row(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                     const struct nsc_batch *batch, uint32_t i)
{
    int64_t type;

    if (!nsc_cell_int(&type, reading, batch, NSC_SLOT_EVENT_TYPE, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    switch (type) {
    case TYPE_PUSH_POP:
    case TYPE_START_END:
    case TYPE_MARK:
        return read_range(reading, worker, batch, i, type);
    case TYPE_CATEGORY:
    case TYPE_THREAD:
    case TYPE_DOMAIN:
        return gather_name(reading, worker, batch, i, type);
    case TYPE_DOMAIN_END:
        return true;
    default:
        return nsc_reading_skip(worker, NSC_SKIP_KIND);
    }
}

static NSC_READING_ROWS(range_rows, read_row)

    static void clear_names(struct nsc_nvtx_names *names)
{
    for (size_t i = 0; i < names->names.n; i++)
        free(names->names.at[i].text);
    NSC_VEC_CLEAR(&names->names);
}

void nsc_nvtx_names_fini(struct nsc_nvtx_names *names)
{
    clear_names(names);
    NSC_VEC_FINI(&names->names);
}

static void reset_gathered(struct nsc_reading *reading)
{
    unsigned w;

    for (w = 0; w < NSC_SOURCE_WORKERS; w++)
        clear_names(&((struct nvtx_worker *)reading->workers[w].gathered)->names);
}

NSC_COMPARE(compare_names, struct nsc_nvtx_name, NSC_LEAST(rowid))

/* Applies names in the order of row ids, so that the last one wins. */
static void apply_names(struct nsc_table_load *load)
{
    struct nsc_nvtx_names *all = load->nvtx_names;

    NSC_VEC_SORT(&all->names, compare_names);
    for (size_t i = 0; i < all->names.n; i++) {
        const struct nsc_nvtx_name *name = &all->names.at[i];
        struct nsc_text text = {name->text, name->n};

        if (name->type == TYPE_DOMAIN)
            nsc_builder_domain(load->builder, name->process, name->domain, text);
        else if (name->type == TYPE_THREAD)
            nsc_builder_thread(load->builder, name->process, name->tid, text);
    }
}

enum nsc_status nsc_read_nvtx(struct nsc_reading *reading, struct nsc_family *family,
                              uint32_t *tasks, struct nsc_error *error)
{
    struct nvtx_worker *by_worker = nsc_xcalloc(NSC_SOURCE_WORKERS, sizeof *by_worker);
    enum nsc_status status;
    unsigned w;

    for (w = 0; w < NSC_SOURCE_WORKERS; w++)
        reading->workers[w].gathered = &by_worker[w];
    reading->rows = range_rows;
    reading->reset = reset_gathered;
    status = nsc_reading_run(reading, family, tasks, error);
    clear_names(reading->load->nvtx_names);
    for (w = 0; w < NSC_SOURCE_WORKERS; w++) {
        struct nsc_nvtx_names *names = &by_worker[w].names;

        for (size_t i = 0; i < names->names.n; i++)
            *NSC_VEC_ADD(&reading->load->nvtx_names->names) = names->names.at[i];
        NSC_VEC_FINI(&names->names);
    }
    free(by_worker);
    apply_names(reading->load);
    return status;
}
