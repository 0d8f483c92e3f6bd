/*
 * Reads the times at which threads ran on CPUs, from switches in and out.
 */
#include "nsys/reading.h"

#include <stdio.h>
#include <stdlib.h>

struct change {
    uint64_t thread; /* globalTid */
    int64_t start, rowid, cpu;
    bool in;
};

struct changes {
    NSC_VEC(struct change) rows;
};

static bool gather_change(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                          const struct nsc_batch *batch, uint32_t i)
{
    struct changes *changes = worker->gathered;
    struct change change = {.rowid = batch->rowid[i]};
    int64_t in, thread;

    if (!nsc_cell_int(&change.start, reading, batch, NSC_SLOT_START, i) ||
        !nsc_cell_int(&in, reading, batch, NSC_SLOT_SCHED_IN, i) ||
        !nsc_cell_int(&thread, reading, batch, NSC_SLOT_THREAD, i) ||
        !nsc_cell_nullable(&change.cpu, reading, batch, NSC_SLOT_CPU, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    change.thread = (uint64_t)thread;
    change.in = in != 0;
    *NSC_VEC_ADD(&changes->rows) = change;
    return true;
}

NSC_READING_ROWS(change_rows, gather_change)

static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->rowid < y->rowid ? -1 : x->rowid > y->rowid;
}

static uint32_t cpu_name(struct nsc_reading_worker *worker, int64_t cpu)
{
    char text[48];

    snprintf(text, sizeof text, "CPU %lld", (long long)cpu);
    return nsc_reading_fixed(worker, NSC_NAME_CPU, cpu, text);
}

/* A thread runs from a switch in to its next switch, or to the last switch of any thread. */
static bool emit_change(struct nsc_reading *reading, const struct change *change, nsc_time end)
{
    struct nsc_reading_worker *worker = &reading->workers[0];
    struct nsc_track_key key = {.kind = NSC_TRACK_SCHED, .device = -1, .context = -1, .stream = -1};
    struct nsc_row row = {.start = change->start, .end = end, .kind = NSC_KIND_SCHED};
    nsc_time length;

    if (__builtin_sub_overflow(end, change->start, &length) || end == NSC_TIME_OPEN)
        return nsc_reading_skip(worker, NSC_SKIP_OVERFLOW);
    key.process = change->thread >> 24;
    key.tid = (uint32_t)(change->thread & 0xffffff);
    if (!nsc_reading_wanted(reading, worker, &row, key.process))
        return true;
    row.source = nsc_reading_u32(change->rowid);
    row.name = cpu_name(worker, change->cpu);
    return nsc_reading_event(worker, &key, &row);
}

static bool emit_changes(struct nsc_reading *reading, const struct change *rows, size_t n)
{
    nsc_time last = INT64_MIN;
    size_t i;

    for (i = 0; i < n; i++)
        last = rows[i].start > last ? rows[i].start : last;
    for (i = 0; i < n; i++) {
        bool followed = i + 1 < n && rows[i + 1].thread == rows[i].thread;

        if (rows[i].in && !emit_change(reading, &rows[i], followed ? rows[i + 1].start : last))
            return false;
    }
    return true;
}

static void reset_changes(struct nsc_reading *reading)
{
    unsigned w;

    for (w = 0; w < NSC_SOURCE_WORKERS; w++)
        NSC_VEC_CLEAR(&((struct changes *)reading->workers[w].gathered)->rows);
}

/* Feeds the rows of all workers by thread and time, as a task of its own on the first worker. */
static bool emit_all(struct nsc_reading *reading, struct changes *by_worker, uint32_t task)
{
    struct nsc_reading_worker *worker = &reading->workers[0];
    struct changes all = {0};
    unsigned w;
    size_t i;
    bool ok;

    for (w = 0; w < NSC_SOURCE_WORKERS; w++)
        for (i = 0; i < by_worker[w].rows.n; i++)
            *NSC_VEC_ADD(&all.rows) = by_worker[w].rows.at[i];
    if (all.rows.n)
        qsort(all.rows.at, all.rows.n, sizeof *all.rows.at, compare_changes);
    nsc_feed_begin_task(worker->feed, task);
    ok = emit_changes(reading, all.rows.at, all.rows.n);
    nsc_progress_add(reading->load->progress, 0, worker->events);
    NSC_VEC_FINI(&all.rows);
    return ok;
}

enum nsc_status nsc_read_sched(struct nsc_reading *reading, struct nsc_family *family,
                               uint32_t *tasks, struct nsc_error *error)
{
    struct nsc_table_status *report = &reading->load->reports[reading->id];
    struct changes *by_worker = nsc_xcalloc(NSC_SOURCE_WORKERS, sizeof *by_worker);
    enum nsc_status status;
    unsigned w;

    for (w = 0; w < NSC_SOURCE_WORKERS; w++)
        reading->workers[w].gathered = &by_worker[w];
    reading->rows = change_rows;
    reading->reset = reset_changes;
    status = nsc_reading_run(reading, family, tasks, error);
    if (status == NSC_OK) {
        struct nsc_reading_worker before = reading->workers[0];

        if (!emit_all(reading, by_worker, (*tasks)++))
            status = NSC_ECANCELLED;
        report->events += reading->workers[0].events - before.events;
        report->trimmed += reading->workers[0].trimmed - before.trimmed;
        nsc_window_join(&report->outside, reading->workers[0].outside);
        report->skipped[NSC_SKIP_OVERFLOW] +=
            reading->workers[0].skipped[NSC_SKIP_OVERFLOW] - before.skipped[NSC_SKIP_OVERFLOW];
    }
    for (w = 0; w < NSC_SOURCE_WORKERS; w++)
        NSC_VEC_FINI(&by_worker[w].rows);
    free(by_worker);
    return status;
}
