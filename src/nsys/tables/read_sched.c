/*
 * Reads the times at which threads ran on CPUs, from switches in and out.
 *
 * Take the switches of each thread by start, and by row id where starts are equal. A thread runs on
 * the CPU of a switch in from there to its next switch, in or out; if there is none, to the last
 * switch of any thread. Rows may come in any order, and switches may be missing.
 *
 * So all switches are kept until the table is read. Each thread then becomes events, in a task of its
 * own.
 */
#include "core/sort.h"
#include "index/idtable.h"
#include "nsys/tables/table_reader.h"

#include <stdlib.h>

enum { RECENT = 256 };

struct change {
    nsc_time start;
    int64_t cpu;
    uint32_t source;
    uint32_t task_in; /* twice the task; plus 1 for a switch in */
};

/* The switches of a thread that one worker has read, in the order of the table. */
struct list {
    uint64_t thread; /* globalTid */
    NSC_VEC(struct change) changes;
    size_t next; /* change that is to become an event */
};

/* What one worker has read. */
struct switches {
    NSC_VEC(struct list) lists;
    struct nsc_idtable ids;  /* of lists, by thread */
    uint32_t recent[RECENT]; /* lists by the hash of their threads */
    nsc_time last;           /* the last switch */
    NSC_APART;
};

static bool is_list(const void *context, uint32_t id, const void *key)
{
    return ((const struct switches *)context)->lists.at[id].thread == *(const uint64_t *)key;
}

static uint32_t find_far(struct switches *switches, uint64_t thread, uint64_t hash)
{
    uint32_t id = nsc_idtable_place(&switches->ids, hash, is_list, switches, &thread,
                                    (uint32_t)switches->lists.n);

    if (id == switches->lists.n)
        *NSC_VEC_ADD(&switches->lists) = (struct list){.thread = thread};
    return id;
}

static struct list *find_list(struct switches *switches, uint64_t thread)
{
    uint64_t hash = nsc_hash_mix(0, thread);
    uint32_t *recent = &switches->recent[hash % RECENT];

    if (*recent >= switches->lists.n || switches->lists.at[*recent].thread != thread)
        *recent = find_far(switches, thread, hash);
    return &switches->lists.at[*recent];
}

static bool read_switch(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                        const struct nsc_batch *batch, uint32_t i)
{
    struct switches *switches = worker->gathered;
    int64_t start, in, thread, cpu;

    if (!nsc_cell_int(&start, reading, batch, NSC_SLOT_START, i) ||
        !nsc_cell_int(&in, reading, batch, NSC_SLOT_SCHED_IN, i) ||
        !nsc_cell_int(&thread, reading, batch, NSC_SLOT_THREAD, i) ||
        !nsc_cell_nullable(&cpu, reading, batch, NSC_SLOT_CPU, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    *NSC_VEC_ADD(&find_list(switches, (uint64_t)thread)->changes) = (struct change){
        start, cpu, nsc_reading_u32(batch->rowid[i]), worker->task << 1 | (in != 0)};
    switches->last = nsc_later(switches->last, start);
    return true;
}

static NSC_READING_ROWS(switch_rows, read_switch)

    static void reset_switches(struct nsc_reading *reading)
{
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++) {
        struct switches *switches = reading->workers[w].gathered;

        for (size_t i = 0; i < switches->lists.n; i++)
            NSC_VEC_FINI(&switches->lists.at[i].changes);
        NSC_VEC_FINI(&switches->lists);
        nsc_idtable_fini(&switches->ids);
        switches->last = INT64_MIN;
    }
}

/* ---- events ---- */

struct emission {
    struct nsc_reading *reading;
    NSC_VEC(struct list *) lists; /* by thread */
    NSC_VEC(uint32_t) first;      /* its first list for each thread; at last their number */
    nsc_time last;                /* the last switch */
    uint32_t first_task;
    _Atomic bool stopped;
};

/* Feeds a time on a CPU. */
static bool emit_run(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                     uint64_t thread, const struct change *change, nsc_time end)
{
    struct nsc_track_key key = {.kind = NSC_TRACK_SCHED, .device = -1, .context = -1, .stream = -1};
    struct nsc_row row = {.start = change->start, .end = end, .kind = NSC_KIND_SCHED};
    nsc_time length;

    if (__builtin_sub_overflow(end, row.start, &length) || end == NSC_TIME_OPEN)
        return nsc_reading_skip(worker, NSC_SKIP_OVERFLOW);
    key.process = thread >> 24;
    key.tid = (uint32_t)(thread & 0xffffff);
    if (!nsc_reading_wanted(reading, worker, &row, key.process))
        return true;
    row.source = change->source;
    row.name = nsc_reading_numbered(worker, NSC_NAME_CPU, change->cpu, "CPU");
    return nsc_reading_event(worker, &key, &row);
}

static uint32_t next_task(const struct list *list)
{
    return list->next < list->changes.n ? list->changes.at[list->next].task_in >> 1 : NSC_NONE;
}

/* The list of the thread with the next rows of the table; NULL: there are none. */
static struct list *next_list(const struct emission *emission, uint32_t thread)
{
    struct list *next = emission->lists.at[emission->first.at[thread]];

    for (uint32_t i = emission->first.at[thread] + 1; i < emission->first.at[thread + 1]; i++)
        if (next_task(emission->lists.at[i]) < next_task(next))
            next = emission->lists.at[i];
    return next_task(next) == NSC_NONE ? NULL : next;
}

static nsc_time start_of(const void *changes, uint32_t i)
{
    return ((const struct change *)changes)[i].start;
}

/* Sorts by start; equal starts keep their order. */
static struct change *sort_changes(struct change *changes, uint32_t n)
{
    struct change *sorted = nsc_xmalloc(n * sizeof *sorted);
    uint32_t *order = nsc_sort_numbers(n);

    nsc_sort_by_time(order, n, start_of, changes);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = changes[order[i]];
    free(order);
    free(changes);
    return sorted;
}

/* The n switches of a thread in order, for free(). */
static struct change *take_changes(uint32_t *n, const struct emission *emission, uint32_t thread)
{
    struct change *changes;
    bool ascend = true;
    struct list *list;
    size_t all = 0;

    for (uint32_t i = emission->first.at[thread]; i < emission->first.at[thread + 1]; i++)
        all += emission->lists.at[i]->changes.n;
    changes = nsc_xmalloc(all * sizeof *changes);
    *n = 0;
    while ((list = next_list(emission, thread)) != NULL)
        for (uint32_t task = next_task(list); next_task(list) == task; list->next++) {
            changes[*n] = list->changes.at[list->next];
            ascend &= *n == 0 || changes[*n - 1].start <= changes[*n].start;
            ++*n;
        }
    for (uint32_t i = emission->first.at[thread]; i < emission->first.at[thread + 1]; i++)
        NSC_VEC_FINI(&emission->lists.at[i]->changes);
    return ascend ? changes : sort_changes(changes, *n);
}

static void emit_thread(void *context, unsigned index, uint32_t thread)
{
    struct emission *emission = context;
    struct nsc_reading_worker *worker = &emission->reading->workers[index];
    struct nsc_progress *progress = emission->reading->load->progress;
    uint64_t before = worker->events;
    uint64_t id = emission->lists.at[emission->first.at[thread]]->thread;
    struct change *changes;
    uint32_t n;

    nsc_feed_begin_task(worker->feed, emission->first_task + thread);
    if (nsc_progress_is_cancelled(progress)) {
        emission->stopped = true;
        return;
    }
    changes = take_changes(&n, emission, thread);
    for (uint32_t i = 0; i < n && !emission->stopped; i++) {
        nsc_time end = i + 1 < n ? changes[i + 1].start : emission->last;

        if (changes[i].task_in & 1 && !emit_run(emission->reading, worker, id, &changes[i], end))
            emission->stopped = true;
    }
    nsc_progress_add(progress, 0, worker->events - before);
    free(changes);
}

NSC_COMPARE(compare_lists, struct list *const, NSC_BY(NSC_ORDER((*x)->thread, (*y)->thread)))

static void list_threads(struct emission *emission, struct switches *by_worker)
{
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++) {
        emission->last = nsc_later(emission->last, by_worker[w].last);
        for (size_t i = 0; i < by_worker[w].lists.n; i++)
            *NSC_VEC_ADD(&emission->lists) = &by_worker[w].lists.at[i];
    }
    NSC_VEC_SORT(&emission->lists, compare_lists);
    for (uint32_t i = 0; i < emission->lists.n; i++)
        if (i == 0 || emission->lists.at[i]->thread != emission->lists.at[i - 1]->thread)
            *NSC_VEC_ADD(&emission->first) = i;
    *NSC_VEC_ADD(&emission->first) = (uint32_t)emission->lists.n;
}

/* Makes events of all switches, on all threads. False if the load cannot continue. */
static bool emit_all(struct nsc_reading *reading, struct switches *by_worker, uint32_t *tasks)
{
    struct emission emission = {.reading = reading, .last = INT64_MIN, .first_task = *tasks};
    uint32_t n;

    list_threads(&emission, by_worker);
    n = (uint32_t)emission.first.n - 1;
    nsc_pool_run(reading->load->pool, n, emit_thread, &emission);
    *tasks += n;
    nsc_reading_report(reading);
    NSC_VEC_FINI(&emission.lists);
    NSC_VEC_FINI(&emission.first);
    return !emission.stopped;
}

enum nsc_status nsc_read_sched(struct nsc_reading *reading, struct nsc_family *family,
                               uint32_t *tasks, struct nsc_error *error)
{
    struct switches *by_worker = nsc_xcalloc(NSC_SOURCE_WORKERS, sizeof *by_worker);
    enum nsc_status status;

    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        reading->workers[w].gathered = &by_worker[w];
    reset_switches(reading);
    reading->rows = switch_rows;
    reading->reset = reset_switches;
    status = nsc_reading_run(reading, family, tasks, error);
    if (status == NSC_OK && !emit_all(reading, by_worker, tasks))
        status = NSC_ECANCELLED;
    reset_switches(reading);
    free(by_worker);
    return status;
}
