/*
 * Reads calls of threads: CUDA API, synchronization, OS runtime, libraries, MPI, OpenMP, OpenACC,
 * graph creation, generic events and overhead; and CPU samples.
 */
#include "core/bisect.h"
#include "core/vec.h"
#include "nsys/tables/table_reader.h"

#include <stdlib.h>

/* Event classes of ENUM_NSYS_EVENT_CLASS. */
#define CLASS_CUDA_DRIVER    1
#define CLASS_OSRT           27
#define CLASS_CUDA_BACKTRACE 67

/* The name for syncType. Exporters from 2026.2 on write it with this meaning; before, it depends on
 * the version. */
static uint32_t sync_name(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                          const struct nsc_batch *batch, uint32_t i)
{
    static const char *const names[] = {"synchronization", "event synchronize", "stream wait event",
                                        "stream synchronize", "context synchronize"};
    int64_t type = 0;

    if (!reading->load->sync_types || !nsc_cell_int(&type, reading, batch, NSC_SLOT_SYNC_TYPE, i) ||
        type < 0 || type > 4)
        type = 0;
    return nsc_reading_fixed(worker, NSC_NAME_FIXED, type, names[type]);
}

static const struct nsc_named *generic_type(struct nsc_reading *reading,
                                            struct nsc_reading_worker *worker,
                                            const struct nsc_batch *batch, uint32_t i)
{
    int64_t type = 0;

    (void)nsc_cell_int(&type, reading, batch, NSC_SLOT_TYPE, i);
    return nsc_reading_metric(reading, worker, type, NSC_METRIC_TYPE);
}

static uint32_t call_name(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                          const struct nsc_batch *batch, uint32_t i)
{
    int64_t id;

    if (reading->id == NSC_TABLE_SYNC)
        return sync_name(reading, worker, batch, i);
    if (reading->id == NSC_TABLE_GENERIC)
        return generic_type(reading, worker, batch, i)->number;
    if (!nsc_cell_int(&id, reading, batch, NSC_SLOT_NAME, i)) {
        worker->missing_names += reading->table->at[NSC_SLOT_NAME] >= 0;
        return 0;
    }
    return nsc_reading_string(reading, worker, id, reading->id == NSC_TABLE_RUNTIME);
}

/* Sets the kind. False, and counts the row, if it is not a call: second records of a backtrace,
 * marks of the profiler. */
static bool classify(struct nsc_row *row, struct nsc_reading *reading,
                     struct nsc_reading_worker *worker, const struct nsc_batch *batch, uint32_t i)
{
    int64_t class;

    row->kind = reading->def->kind;
    if (reading->id == NSC_TABLE_RUNTIME &&
        nsc_cell_int(&class, reading, batch, NSC_SLOT_CLASS, i)) {
        if (class == CLASS_CUDA_BACKTRACE)
            return !nsc_reading_skip(worker, NSC_SKIP_DUPLICATE);
        row->kind = class == CLASS_CUDA_DRIVER ? NSC_KIND_API_DRIVER : NSC_KIND_API_RUNTIME;
    }
    if (reading->id == NSC_TABLE_GENERIC &&
        reading->load->schema->tables[NSC_TABLE_GPU_METRICS].usable &&
        generic_type(reading, worker, batch, i)->repeats)
        return !nsc_reading_skip(worker, NSC_SKIP_DUPLICATE);
    if (reading->id == NSC_TABLE_OSRT && reading->table->at[NSC_SLOT_NESTING] >= 0 &&
        nsc_cell_type(reading, batch, NSC_SLOT_NESTING, i) == NSC_CELL_NULL &&
        nsc_cell_int(&class, reading, batch, NSC_SLOT_CLASS, i) && class != CLASS_OSRT)
        return !nsc_reading_skip(worker, NSC_SKIP_KIND);
    return true;
}

static bool read_call(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                      const struct nsc_batch *batch, uint32_t i)
{
    struct nsc_row row = {0};
    struct nsc_track_key key = {
        .kind = reading->def->track, .device = -1, .context = -1, .stream = -1};

    if (!classify(&row, reading, worker, batch, i))
        return true;
    if (!nsc_reading_thread(&key, reading, batch, i) || !nsc_reading_link(&row, reading, batch, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    if (!nsc_reading_times(&row, reading, worker, batch, i, false) ||
        !nsc_reading_wanted(reading, worker, &row, key.process))
        return true;
    row.name = call_name(reading, worker, batch, i);
    return nsc_reading_event(worker, &key, &row);
}

NSC_READING_ROWS(nsc_call_rows, read_call)

/* ---- samples ---- */

struct leaf {
    int64_t id, symbol;
};

struct leaves {
    NSC_VEC(struct leaf) at;
};

/* Where a worker's last search ended. */
struct cursor {
    size_t before; /* a leaf before it */
    NSC_APART;
};

struct leaf_scan {
    _Atomic uint64_t rows;
    const struct nsc_schema_table *table;
    struct leaves by_worker[NSC_SOURCE_WORKERS];
};

/* Gathers the innermost frame of each call chain. */
static bool gather_leaves(void *context, unsigned index, uint32_t task,
                          const struct nsc_batch *batch)
{
    struct leaf_scan *scan = context;
    const int *at = scan->table->at;
    int id = at[NSC_SLOT_ID], symbol = at[NSC_SLOT_NAME], depth = at[NSC_SLOT_VALUE];

    (void)task;
    scan->rows += batch->n;
    for (uint32_t i = 0; i < batch->n; i++) {
        if (batch->type[i][depth] != NSC_CELL_INT || batch->value[depth][i] != 0 ||
            batch->type[i][id] != NSC_CELL_INT || batch->type[i][symbol] != NSC_CELL_INT)
            continue;
        *NSC_VEC_ADD(&scan->by_worker[index].at) =
            (struct leaf){batch->value[id][i], batch->value[symbol][i]};
    }
    return true;
}

static void forget_leaves(void *context)
{
    struct leaf_scan *scan = context;

    scan->rows = 0;
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        scan->by_worker[w].at.n = 0;
}

NSC_COMPARE(compare_leaves, struct leaf, NSC_LEAST(id) || NSC_LEAST(symbol))

/* Moves leaves of the worker with the least one, up to the least one of another worker. False: none
 * are left. */
static bool take_leaves(struct leaves *out, struct leaf_scan *scan, size_t taken[])
{
    const struct leaf *least = NULL, *other = NULL;
    unsigned from = 0;

    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++) {
        const struct leaves *leaves = &scan->by_worker[w];
        const struct leaf *next = leaves->at.n > taken[w] ? &leaves->at.at[taken[w]] : NULL;

        if (next && (!least || compare_leaves(next, least) < 0)) {
            other = least;
            least = next;
            from = w;
        } else if (next && (!other || compare_leaves(next, other) < 0))
            other = next;
    }
    if (!least)
        return false;
    do
        *NSC_VEC_ADD(&out->at) = *least++;
    while (++taken[from] < scan->by_worker[from].at.n &&
           (!other || compare_leaves(least, other) <= 0));
    return true;
}

/* Merges the leaves of all workers, which mostly ascend. Sorts them if they do not. */
static void merge_leaves(struct leaves *out, struct leaf_scan *scan)
{
    size_t taken[NSC_SOURCE_WORKERS] = {0};
    bool ascend = true;

    while (take_leaves(out, scan, taken)) {
    }
    for (size_t i = 1; i < out->at.n && ascend; i++)
        ascend = compare_leaves(&out->at.at[i - 1], &out->at.at[i]) <= 0;
    if (!ascend)
        NSC_VEC_SORT(&out->at, compare_leaves);
}

/* Reads call chains. Without them samples have no names, which is not an error. */
static enum nsc_status read_leaves(struct leaves *out, struct nsc_table_load *load,
                                   struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""};
    struct leaf_scan *leaf_scan = nsc_xcalloc(1, sizeof *leaf_scan);
    const struct nsc_schema_table *table = &load->schema->tables[NSC_TABLE_CALLCHAINS];
    struct nsc_scan scan = {
        &table->scan, table->columns, table->n_columns, gather_leaves, leaf_scan, NULL, NULL, NULL};
    enum nsc_scan_result result = NSC_SCAN_DONE;

    leaf_scan->table = table;
    if (table->usable)
        result =
            nsc_scan_table(load->source, load->pool, &scan, load->no_pages, forget_leaves, &own);
    load->reports[NSC_TABLE_CALLCHAINS].rows = leaf_scan->rows;
    merge_leaves(out, leaf_scan);
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        NSC_VEC_FINI(&leaf_scan->by_worker[w].at);
    free(leaf_scan);
    return result == NSC_SCAN_FAILED ? nsc_fail(error, own.status, "%s", own.text) : NSC_OK;
}

/* The first leaf of the id or of a greater one. Looks from a leaf before it, if that is known. */
static size_t find_leaf(const struct leaves *leaves, size_t from, int64_t id)
{
    size_t n = leaves->at.n, step = 1, hi;
    size_t lo = from < n && leaves->at.at[from].id < id ? from : 0;

    for (; lo + step < n && leaves->at.at[lo + step].id < id; step *= 2)
        lo += step;
    hi = lo + step < n ? lo + step : n;
    NSC_BISECT(lo, hi, mid, leaves->at.at[mid].id < id);
    return lo;
}

/* Ids mostly ascend, so the search begins where the one before ended. */
static uint32_t sample_name(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                            int64_t id)
{
    const struct leaves *leaves = reading->extra;
    struct cursor *cursor = worker->gathered;
    size_t at = find_leaf(leaves, cursor->before, id);

    cursor->before = at ? at - 1 : 0;
    if (at == leaves->at.n || leaves->at.at[at].id != id)
        return 0;
    return nsc_reading_string(reading, worker, leaves->at.at[at].symbol, false);
}

static bool read_sample(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                        const struct nsc_batch *batch, uint32_t i)
{
    struct nsc_row row = {.kind = NSC_KIND_SAMPLE};
    struct nsc_track_key key = {
        .kind = NSC_TRACK_SAMPLES, .device = -1, .context = -1, .stream = -1};
    int64_t value;

    if (!nsc_reading_thread(&key, reading, batch, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    /* a stack taken when the thread was switched out is not a sample */
    if (nsc_cell_int(&value, reading, batch, NSC_SLOT_CYCLES, i) && value == 0)
        return nsc_reading_skip(worker, NSC_SKIP_KIND);
    if (!nsc_reading_times(&row, reading, worker, batch, i, false) ||
        !nsc_reading_wanted(reading, worker, &row, key.process))
        return true;
    if (nsc_cell_int(&value, reading, batch, NSC_SLOT_ID, i))
        row.name = sample_name(reading, worker, value);
    return nsc_reading_event(worker, &key, &row);
}

static NSC_READING_ROWS(sample_rows, read_sample)

    enum nsc_status nsc_read_sample(struct nsc_reading *reading, struct nsc_family *family,
                                    uint32_t *tasks, struct nsc_error *error)
{
    struct cursor cursors[NSC_SOURCE_WORKERS] = {{0}};
    struct leaves leaves = {0};
    enum nsc_status status = read_leaves(&leaves, reading->load, error);

    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        reading->workers[w].gathered = &cursors[w];
    reading->rows = sample_rows;
    reading->extra = &leaves;
    if (status == NSC_OK)
        status = nsc_reading_run(reading, family, tasks, error);
    NSC_VEC_FINI(&leaves.at);
    return status;
}
