/* Runs a reader over a table and counts its rows; shares checks and names among readers. */
#include "nsys/tables/table_reader.h"

#include "core/text.h"

#include <stdio.h>

#define NO_STRING UINT32_MAX /* the exporter's id for "no name" */

/* ---- names ---- */

struct nsc_text nsc_reading_text(const struct nsc_table_load *load, int64_t id, char scratch[48],
                                 bool *missing)
{
    struct nsc_text text;

    *missing = !nsc_strings_find(load->strings, id, &text);
    if (!*missing)
        return text;
    snprintf(scratch, 48, "[string %lld missing]", (long long)id);
    return nsc_text_from(scratch);
}

/* "cudaLaunchKernel_v7000" without its last five characters. */
static struct nsc_text strip_version(struct nsc_text text)
{
    uint32_t n = text.n;

    while (n > 0 && text.bytes[n - 1] >= '0' && text.bytes[n - 1] <= '9')
        n--;
    if (n < text.n && n > 2 && text.bytes[n - 1] == 'v' && text.bytes[n - 2] == '_')
        text.n = n - 2;
    return text;
}

void nsc_reading_name(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                      struct nsc_named *named)
{
    char scratch[48];
    struct nsc_text full = nsc_reading_text(reading->load, named->a, scratch, &named->missing);

    named->number =
        nsc_feed_name(worker->feed, full, named->use == NSC_NAME_CALL ? strip_version(full) : full);
    named->missing &= named->a != NO_STRING;
    named->known = true;
}

uint32_t nsc_reading_fixed(struct nsc_reading_worker *worker, enum nsc_name_use use, int64_t a,
                           const char *text)
{
    struct nsc_named *named = nsc_namemap_find(worker->names, use, a, 0);

    if (!named->known) {
        named->number = nsc_feed_name(worker->feed, nsc_text_from(text), nsc_text_from(text));
        named->known = true;
    }
    return named->number;
}

uint32_t nsc_reading_numbered(struct nsc_reading_worker *worker, enum nsc_name_use use,
                              int64_t number, const char *text)
{
    const struct nsc_named *named = nsc_namemap_find(worker->names, use, number, 0);
    char full[48];

    if (named->known)
        return named->number;
    snprintf(full, sizeof full, "%s %lld", text, (long long)number);
    return nsc_reading_fixed(worker, use, number, full);
}

/* ---- a table ---- */

/* Moves the times of a batch, then reads its rows; skips rows whose times exceed 64 bits. */
static bool read_shifted(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                         const struct nsc_batch *batch)
{
    struct nsc_shifted shifted;
    struct nsc_batch_rows rows = {0, 0};

    nsc_shift(&shifted, batch, reading->table->at[NSC_SLOT_START], reading->table->at[NSC_SLOT_END],
              reading->load->offset);
    for (; rows.from < batch->n; rows.from = rows.to + 1) {
        rows.to = rows.from;
        while (rows.to < batch->n && !shifted.lost[rows.to])
            rows.to++;
        if (!reading->rows(reading, worker, &shifted.batch, rows))
            return false;
        if (rows.to < batch->n)
            (void)nsc_reading_skip(worker, NSC_SKIP_OVERFLOW);
    }
    return true;
}

static bool read_rows(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                      const struct nsc_batch *batch)
{
    if (reading->load->offset)
        return read_shifted(reading, worker, batch);
    return reading->rows(reading, worker, batch, (struct nsc_batch_rows){0, batch->n});
}

static bool take_batch(void *context, unsigned index, uint32_t task, const struct nsc_batch *batch)
{
    struct nsc_reading *reading = context;
    struct nsc_table_load *load = reading->load;
    struct nsc_reading_worker *worker = &reading->workers[index];
    uint64_t before = worker->events;

    if (!worker->began || worker->task != task) {
        nsc_feed_begin_task(worker->feed, task);
        worker->began = true;
        worker->task = task;
    }
    worker->rows += batch->n;
    if (!read_rows(reading, worker, batch))
        return false;
    nsc_progress_add(load->progress, 0, worker->events - before);
    if (atomic_fetch_add(&load->events, worker->events - before) + (worker->events - before) >
        load->event_limit)
        load->over_budget = true;
    return !load->over_budget;
}

static void clear_counts(struct nsc_reading_worker *worker)
{
    *worker = (struct nsc_reading_worker){
        .feed = worker->feed, .names = worker->names, .gathered = worker->gathered};
}

/* Resets the counts of a failed scan. */
static void forget_counts(struct nsc_reading *reading)
{
    unsigned w;

    for (w = 0; w < NSC_SOURCE_WORKERS; w++) {
        struct nsc_reading_worker *worker = &reading->workers[w];

        atomic_fetch_sub(&reading->load->events, worker->events);
        if (reading->load->progress) {
            atomic_fetch_sub(&reading->load->progress->rows, worker->rows);
            atomic_fetch_sub(&reading->load->progress->events, worker->events);
        }
        clear_counts(worker);
    }
}

void nsc_reading_report(struct nsc_reading *reading)
{
    struct nsc_table_status *report = &reading->load->reports[reading->id];
    unsigned w;
    int skip;

    for (w = 0; w < NSC_SOURCE_WORKERS; w++) {
        struct nsc_reading_worker *worker = &reading->workers[w];

        report->rows += worker->rows;
        report->events += worker->events;
        report->trimmed += worker->trimmed;
        nsc_window_join(&report->outside, worker->outside);
        report->missing_names += worker->missing_names;
        for (skip = 0; skip < NSC_N_SKIPS; skip++)
            report->skipped[skip] += worker->skipped[skip];
        clear_counts(worker);
    }
}

static enum nsc_scan_result scan(struct nsc_reading *reading, struct nsc_family *family,
                                 uint32_t first, uint32_t *n_tasks, struct nsc_error *error)
{
    struct nsc_table_load *load = reading->load;
    struct nsc_table_status *report = &load->reports[reading->id];
    struct nsc_scan scan = {&reading->table->scan,
                            reading->table->columns,
                            reading->table->n_columns,
                            take_batch,
                            reading,
                            load->progress,
                            &report->odd,
                            NULL};
    enum nsc_scan_result result = NSC_SCAN_FALLBACK;

    *n_tasks = 0;
    if (!load->no_pages && load->source->pages_ok) {
        result = nsc_scan_pages(load->source, load->pool, &scan, first, n_tasks, report->fallback);
        report->by_pages = result != NSC_SCAN_FALLBACK;
        if (result == NSC_SCAN_FALLBACK &&
            nsc_scan_is_damage(report->fallback, load->source, &scan, error))
            return NSC_SCAN_FAILED;
        if (result == NSC_SCAN_FALLBACK) {
            nsc_family_remove(family, first, *n_tasks);
            forget_counts(reading);
            if (reading->reset)
                reading->reset(reading);
            first += *n_tasks;
        }
    }
    if (result == NSC_SCAN_FALLBACK) {
        result = nsc_scan_sqlite(load->source, &scan, first, error);
        *n_tasks += 1;
    }
    return result;
}

enum nsc_status nsc_reading_run(struct nsc_reading *reading, struct nsc_family *family,
                                uint32_t *tasks, struct nsc_error *error)
{
    enum nsc_scan_result result;
    uint32_t n_tasks;

    result = scan(reading, family, *tasks, &n_tasks, error);
    *tasks += n_tasks;
    nsc_reading_report(reading);
    if (result == NSC_SCAN_FAILED)
        return error && error->status != NSC_OK ? error->status : NSC_EDAMAGED;
    return result == NSC_SCAN_DONE ? NSC_OK : NSC_ECANCELLED;
}
