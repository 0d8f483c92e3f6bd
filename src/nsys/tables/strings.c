/* Reads StringIds in parallel and finds texts by id. */
#include "nsys/tables/strings.h"

#include "nsyscope/trace.h"

#include "core/bisect.h"
#include "core/die.h"
#include "core/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    int64_t id, rowid;
    uint64_t offset; /* in the worker's bytes */
    uint32_t n;
    unsigned worker;
};

/* Texts gathered by one worker. */
struct gathered {
    NSC_VEC(struct entry) entries;
    NSC_VEC(char) bytes;
    uint64_t mistyped; /* rows */
};

struct gather {
    struct gathered by_worker[NSC_SOURCE_WORKERS];
    const struct nsc_schema_table *table;
};

static void add_bytes(struct gathered *own, const char *bytes, size_t n)
{
    while (own->bytes.capacity - own->bytes.n < n)
        own->bytes.at = nsc_vec_grow(own->bytes.at, &own->bytes.capacity, 1);
    if (n)
        memcpy(own->bytes.at + own->bytes.n, bytes, n);
    own->bytes.n += n;
}

/* Appends the text; cuts it at the limit of names. */
static uint32_t add_text(struct gathered *own, const struct nsc_cell_text *text)
{
    char tail[64];
    int n_tail;
    size_t n;

    if (text->full_n <= NSC_NAME_BYTES) {
        add_bytes(own, text->bytes, text->n);
        return text->n;
    }
    n_tail = snprintf(tail, sizeof tail, "... [cut: %llu bytes]", (unsigned long long)text->full_n);
    n = NSC_NAME_BYTES - (size_t)n_tail;
    n = n < text->n ? n : text->n;
    while (n > 0 && n < text->n && ((unsigned char)text->bytes[n] & 0xc0) == 0x80)
        n--;
    add_bytes(own, text->bytes, n);
    add_bytes(own, tail, (size_t)n_tail);
    return (uint32_t)(n + (size_t)n_tail);
}

static bool take_rows(void *context, unsigned worker, uint32_t task, const struct nsc_batch *batch)
{
    struct gather *gather = context;
    struct gathered *own = &gather->by_worker[worker];
    int id = gather->table->at[NSC_SLOT_ID], text = gather->table->at[NSC_SLOT_TEXT];

    (void)task;
    for (uint32_t i = 0; i < batch->n; i++) {
        struct entry *entry;
        uint64_t offset = own->bytes.n;

        if (batch->type[i][id] != NSC_CELL_INT || batch->type[i][text] != NSC_CELL_TEXT) {
            own->mistyped++;
            continue;
        }
        entry = NSC_VEC_ADD(&own->entries);
        entry->id = batch->value[id][i];
        entry->rowid = batch->rowid[i];
        entry->offset = offset;
        entry->worker = worker;
        entry->n = add_text(own, &batch->text[text][i]);
    }
    return true;
}

static void forget_rows(void *context)
{
    struct gather *gather = context;

    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        gather->by_worker[w].entries.n = gather->by_worker[w].bytes.n =
            gather->by_worker[w].mistyped = 0;
}

NSC_COMPARE(compare_entries, struct entry, NSC_LEAST(id) || NSC_LEAST(rowid))

static void make_dense(struct nsc_strings *strings)
{
    uint64_t span;

    if (strings->n == 0)
        return;
    span = (uint64_t)strings->id[strings->n - 1] - (uint64_t)strings->id[0];
    if (span >= (uint64_t)strings->n * 8 + 1024)
        return;
    strings->n_dense = span + 1;
    strings->dense = nsc_xcalloc(span + 1, sizeof *strings->dense);
    for (uint32_t i = 0; i < strings->n; i++)
        strings->dense[(uint64_t)strings->id[i] - (uint64_t)strings->id[0]] = i + 1;
}

/* Merges the texts of all workers into one table by id; an id keeps its first row. */
static void merge_gathered(struct nsc_strings *strings, struct gather *gather)
{
    NSC_VEC(struct entry) all = {0};
    uint64_t bytes = 0;
    size_t i, n = 0;
    unsigned w;

    for (w = 0; w < NSC_SOURCE_WORKERS; w++) {
        strings->mistyped += gather->by_worker[w].mistyped;
        for (i = 0; i < gather->by_worker[w].entries.n; i++)
            *NSC_VEC_ADD(&all) = gather->by_worker[w].entries.at[i];
    }
    NSC_VEC_SORT(&all, compare_entries);
    for (i = 0; i < all.n; i++) {
        if (n > 0 && all.at[n - 1].id == all.at[i].id)
            continue;
        all.at[n++] = all.at[i];
        bytes += all.at[n - 1].n;
    }
    strings->n = (uint32_t)n;
    strings->repeated = all.n - n;
    strings->id = nsc_xmalloc((n + 1) * sizeof *strings->id);
    strings->offset = nsc_xmalloc((n + 1) * sizeof *strings->offset);
    strings->bytes = nsc_xmalloc(bytes + 1);
    strings->offset[0] = 0;
    for (i = 0; i < n; i++) {
        const struct entry *entry = &all.at[i];

        strings->id[i] = entry->id;
        if (entry->n)
            memcpy(strings->bytes + strings->offset[i],
                   gather->by_worker[entry->worker].bytes.at + entry->offset, entry->n);
        strings->offset[i + 1] = strings->offset[i] + entry->n;
    }
    NSC_VEC_FINI(&all);
    make_dense(strings);
}

enum nsc_status nsc_strings_read(struct nsc_strings *strings, struct nsc_source *source,
                                 const struct nsc_schema *schema, struct nsc_pool *pool,
                                 bool no_pages, struct nsc_error *error)
{
    const struct nsc_schema_table *table = &schema->tables[NSC_TABLE_STRINGS];
    struct gather *gather = nsc_xcalloc(1, sizeof *gather);
    struct nsc_scan scan = {
        &table->scan, table->columns, table->n_columns, take_rows, gather, NULL, NULL, NULL};
    enum nsc_scan_result result = NSC_SCAN_DONE;
    struct nsc_error failure = {NSC_OK, ""};
    unsigned w;

    memset(strings, 0, sizeof *strings);
    gather->table = table;
    if (table->usable)
        result = nsc_scan_table(source, pool, &scan, no_pages, forget_rows, &failure);
    merge_gathered(strings, gather);
    for (w = 0; w < NSC_SOURCE_WORKERS; w++) {
        NSC_VEC_FINI(&gather->by_worker[w].entries);
        NSC_VEC_FINI(&gather->by_worker[w].bytes);
    }
    free(gather);
    if (result == NSC_SCAN_FAILED)
        return nsc_fail(error, failure.status, "%s", failure.text);
    return NSC_OK;
}

void nsc_strings_fini(struct nsc_strings *strings)
{
    free(strings->id);
    free(strings->offset);
    free(strings->bytes);
    free(strings->dense);
    memset(strings, 0, sizeof *strings);
}

static bool find_sorted(const struct nsc_strings *strings, int64_t id, uint32_t *index)
{
    uint32_t lo = 0, hi = strings->n;

    NSC_BISECT(lo, hi, mid, strings->id[mid] < id);
    *index = lo;
    return lo < strings->n && strings->id[lo] == id;
}

bool nsc_strings_find(const struct nsc_strings *strings, int64_t id, struct nsc_text *out)
{
    uint32_t i;

    if (strings->dense) {
        uint64_t at = (uint64_t)id - (uint64_t)strings->id[0];

        if (at >= strings->n_dense || strings->dense[at] == 0)
            return false;
        i = strings->dense[at] - 1;
    } else if (!find_sorted(strings, id, &i)) {
        return false;
    }
    out->bytes = strings->bytes + strings->offset[i];
    out->n = (uint32_t)(strings->offset[i + 1] - strings->offset[i]);
    return true;
}

uint64_t nsc_strings_bytes(const struct nsc_strings *strings)
{
    uint64_t text = strings->n ? strings->offset[strings->n] : 0;

    return text + (uint64_t)strings->n * 16 + strings->n_dense * 4;
}
