/*
 * Reads the times at which threads ran on CPUs, from switches in and out.
 *
 * Take the switches of each thread by start, and by row id where starts are equal. A thread runs on
 * the CPU of a switch in from there to its next switch, in or out; if there is none, to the last
 * switch of any thread. Rows may come in any order, and switches may be missing.
 *
 * An event takes two rows. Each row is kept in 12 bytes, in a list for its thread and for each 2^32
 * ns of time. After the table, the lists become events one by one, in order of time. A list that
 * descends is sorted first. The memory of a list is returned once lists of that time are events.
 */
#include "core/sort.h"
#include "index/idtable.h"
#include "nsys/tables/table_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { PART_MOST = 4, FEW = 6 };
#else
enum { PART_MOST = 128, FEW = 64 };
#endif
enum { PART_LEAST = 2, RECENT = 256 };

/* A switch. Its list knows the thread and the upper half of the time. */
struct change {
    uint32_t start; /* lower half */
    uint32_t source;
    uint32_t cpu_in; /* twice the CPU, counted from the part's; plus 1 for a switch in */
};

/* Memory for parts, of a feed. */
struct slab {
    _Atomic uint32_t left; /* parts that are not events yet, and 1 while parts are added */
    uint32_t used, bytes;
};

/* A part of a list: switches of one task, in the order of the table. */
struct part {
    struct part *next;
    struct slab *slab;
    int64_t cpu; /* a multiple of 2^31 */
    uint32_t task;
    uint16_t n, room;
    struct change at[];
};

/* The switches of a thread in 2^32 ns that one worker has read. */
struct list {
    uint64_t thread; /* globalTid */
    int64_t epoch;   /* upper half of the time */
    struct part *first, *last;
    uint32_t n, least; /* least start */
};

/* What one worker has read. */
struct switches {
    NSC_VEC(struct list) lists;
    struct nsc_idtable ids;
    uint32_t recent[RECENT]; /* lists by the hash of their keys */
    struct slab *slab;       /* being filled */
    nsc_time last;           /* the last switch */
    NSC_APART;
};

/* ---- reading ---- */

/* Notes that a part is done with, or that no further parts are added. */
static void release(struct slab *slab, struct nsc_feed *feed)
{
    if (atomic_fetch_sub(&slab->left, 1) == 1)
        nsc_feed_put_memory(feed, slab);
}

/* NULL if out of memory. */
static struct slab *find_room(struct switches *switches, struct nsc_feed *feed, uint32_t bytes)
{
    struct slab *slab = switches->slab;
    size_t all;

    if (slab && slab->used + bytes <= slab->bytes)
        return slab;
    if (slab)
        release(slab, feed);
    slab = switches->slab = nsc_feed_take_memory(&all, feed);
    if (slab) {
        slab->left = 1;
        slab->used = (sizeof *slab + 7) / 8 * 8;
        slab->bytes = (uint32_t)all;
    }
    return slab;
}

/* Appends a part, twice as large as the one before if that is full. NULL if out of memory. */
static struct part *add_part(struct switches *switches, struct nsc_feed *feed, struct list *list,
                             uint32_t task, int64_t cpu)
{
    bool full = list->last && list->last->n == list->last->room;
    uint16_t room = full ? (uint16_t)(2 * list->last->room) : PART_LEAST;
    uint32_t bytes;
    struct slab *slab;
    struct part *part;

    room = room < PART_MOST ? room : PART_MOST;
    bytes = (uint32_t)(sizeof *part + room * sizeof part->at[0] + 7) / 8 * 8;
    slab = find_room(switches, feed, bytes);
    if (!slab)
        return NULL;
    part = (void *)((char *)slab + slab->used);
    *part = (struct part){.slab = slab, .cpu = cpu, .task = task, .room = room};
    slab->left++;
    slab->used += bytes;
    if (list->last)
        list->last->next = part;
    else
        list->first = part;
    list->last = part;
    return part;
}

static bool is_list(const void *context, uint32_t id, const void *key)
{
    const struct list *a = &((const struct switches *)context)->lists.at[id];
    const struct list *b = key;

    return a->thread == b->thread && a->epoch == b->epoch;
}

NSC_RARE static uint32_t find_far(struct switches *switches, const struct list *key)
{
    uint64_t hash = nsc_hash_mix(nsc_hash_mix(0, key->thread), (uint64_t)key->epoch);
    uint32_t id = nsc_idtable_find(&switches->ids, hash, is_list, switches, key);

    if (id != NSC_NONE)
        return id;
    id = (uint32_t)switches->lists.n;
    *NSC_VEC_ADD(&switches->lists) = *key;
    nsc_idtable_add(&switches->ids, hash, id);
    return id;
}

static struct list *find_list(struct switches *switches, uint64_t thread, int64_t epoch)
{
    struct list key = {.thread = thread, .epoch = epoch, .least = UINT32_MAX};
    uint64_t hash = (thread + (uint64_t)epoch) * 0x9E3779B97F4A7C15u;
    uint32_t *recent = &switches->recent[hash >> 56];

    if (*recent >= switches->lists.n || !is_list(switches, *recent, &key))
        *recent = find_far(switches, &key);
    return &switches->lists.at[*recent];
}

static bool read_switch(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                        const struct nsc_batch *batch, uint32_t i)
{
    struct switches *switches = worker->gathered;
    int64_t start, in, thread, cpu;
    struct list *list;
    struct part *part;

    if (!nsc_cell_int(&start, reading, batch, NSC_SLOT_START, i) ||
        !nsc_cell_int(&in, reading, batch, NSC_SLOT_SCHED_IN, i) ||
        !nsc_cell_int(&thread, reading, batch, NSC_SLOT_THREAD, i) ||
        !nsc_cell_nullable(&cpu, reading, batch, NSC_SLOT_CPU, i))
        return nsc_reading_skip(worker, NSC_SKIP_TYPE);
    list = find_list(switches, (uint64_t)thread, start >> 32);
    part = list->last;
    if (!part || part->n == part->room || part->task != worker->task ||
        part->cpu != (cpu & ~(int64_t)INT32_MAX))
        part = add_part(switches, worker->feed, list, worker->task, cpu & ~(int64_t)INT32_MAX);
    if (!part)
        return false;
    part->at[part->n++] =
        (struct change){(uint32_t)(uint64_t)start, nsc_reading_u32(batch->rowid[i]),
                        (uint32_t)(cpu - part->cpu) << 1 | (in != 0)};
    list->n++;
    list->least = (uint32_t)(uint64_t)start < list->least ? (uint32_t)(uint64_t)start : list->least;
    switches->last = start > switches->last ? start : switches->last;
    return true;
}

NSC_READING_ROWS(switch_rows, read_switch)

/* The feeds own the memory of parts. */
static void clear_switches(struct switches *switches)
{
    NSC_VEC_FINI(&switches->lists);
    nsc_idtable_fini(&switches->ids);
    *switches = (struct switches){.last = INT64_MIN};
}

static void reset_switches(struct nsc_reading *reading)
{
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        clear_switches(reading->workers[w].gathered);
}

/* ---- events ---- */

/* All switches of a thread in 2^32 ns. */
struct piece {
    const struct list *key; /* its first list */
    uint32_t first, n;      /* its lists, at most one of each worker */
    uint32_t rows;
    bool begins;   /* a task; the thread's next pieces belong to it until it has rows enough */
    nsc_time next; /* the thread's first switch after the piece; else the last of any */
};

/* The switches of the piece that a worker makes events of; cpu_in holds the name of the CPU. */
struct rows {
    struct change *at, *sorted;
    uint32_t *index; /* one for each row */
    uint32_t n, room;
    bool ascend;
};

struct emission {
    struct nsc_reading *reading;
    NSC_VEC(struct list *) lists;  /* by thread and time */
    NSC_VEC(struct piece) pieces;  /* likewise */
    struct nsc_sort_pair *by_time; /* the first pieces of tasks */
    uint32_t n_tasks;
    uint32_t first_task;
    _Atomic bool stopped;
    struct rows rows[NSC_SOURCE_WORKERS];
};

static nsc_time time_of(const struct list *list, uint32_t start)
{
    return (nsc_time)((uint64_t)list->epoch << 32 | start);
}

static int compare_lists(const void *a, const void *b)
{
    const struct list *x = *(struct list *const *)a, *y = *(struct list *const *)b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->epoch < y->epoch ? -1 : x->epoch > y->epoch;
}

static void list_lists(struct emission *emission, const struct switches *by_worker)
{
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++) {
        for (size_t i = 0; i < by_worker[w].lists.n; i++)
            *NSC_VEC_ADD(&emission->lists) = &by_worker[w].lists.at[i];
        if (by_worker[w].slab)
            release(by_worker[w].slab, emission->reading->workers[w].feed);
    }
    if (emission->lists.n)
        qsort(emission->lists.at, emission->lists.n, sizeof *emission->lists.at, compare_lists);
}

/* Joins the lists of workers to pieces. */
static void list_pieces(struct emission *emission, nsc_time last)
{
    struct piece *piece = NULL;

    for (uint32_t i = 0; i < emission->lists.n; i++) {
        const struct list *list = emission->lists.at[i];

        if (!piece || compare_lists(&list, &piece->key) != 0) {
            piece = NSC_VEC_ADD(&emission->pieces);
            *piece = (struct piece){.key = list, .first = i, .next = last};
        }
        piece->n++;
        piece->rows += list->n;
    }
    for (size_t p = emission->pieces.n; p-- > 1;) {
        struct piece *before = piece - 1;
        uint32_t least = UINT32_MAX;

        for (uint32_t i = piece->first; i < piece->first + piece->n; i++)
            least = emission->lists.at[i]->least < least ? emission->lists.at[i]->least : least;
        if (before->key->thread == piece->key->thread)
            before->next = time_of(piece->key, least);
        piece = before;
    }
}

/* Makes tasks of the pieces: of several if they have few rows, because each task takes memory. */
static void begin_tasks(struct emission *emission)
{
    const struct piece *before = NULL;
    uint32_t rows = 0;

    for (size_t p = 0; p < emission->pieces.n; p++) {
        struct piece *piece = &emission->pieces.at[p];

        piece->begins = !before || rows >= FEW || piece->key->thread != before->key->thread;
        emission->n_tasks += piece->begins;
        rows = piece->begins ? piece->rows : rows + piece->rows;
        before = piece;
    }
}

/* Orders the tasks by time: so their memory can be returned early. */
static void order_tasks(struct emission *emission)
{
    size_t n = 0;

    emission->by_time = nsc_xcalloc(2 * (size_t)emission->n_tasks + 1, sizeof *emission->by_time);
    for (uint32_t p = 0; p < emission->pieces.n; p++)
        if (emission->pieces.at[p].begins)
            emission->by_time[n++] =
                (struct nsc_sort_pair){nsc_sort_key(emission->pieces.at[p].key->epoch), p};
    nsc_sort_pairs(emission->by_time, emission->by_time + n, n);
}

static uint32_t cpu_name(struct nsc_reading_worker *worker, int64_t cpu)
{
    const struct nsc_named *named = nsc_namemap_find(worker->names, NSC_NAME_CPU, cpu, 0);
    char text[48];

    if (named->known)
        return named->number;
    snprintf(text, sizeof text, "CPU %lld", (long long)cpu);
    return nsc_reading_fixed(worker, NSC_NAME_CPU, cpu, text);
}

static void free_rows(struct rows *rows)
{
    free(rows->at);
    free(rows->sorted);
    free(rows->index);
    *rows = (struct rows){0};
}

/* Makes room for the rows of a piece. */
static void begin_rows(struct rows *rows, uint32_t n)
{
    if (n > rows->room) {
        free_rows(rows);
        rows->at = nsc_xmalloc(n * sizeof *rows->at);
        rows->sorted = nsc_xmalloc(n * sizeof *rows->sorted);
        rows->index = nsc_xmalloc((size_t)n * sizeof *rows->index);
        rows->room = n;
    }
    rows->n = 0;
    rows->ascend = true;
}

static void add_rows(struct rows *rows, struct nsc_reading_worker *worker, const struct part *part)
{
    for (uint32_t i = 0; i < part->n; i++) {
        struct change change = part->at[i];

        if (change.cpu_in & 1)
            change.cpu_in = cpu_name(worker, part->cpu + (change.cpu_in >> 1)) << 1 | 1;
        rows->ascend &= rows->n == 0 || rows->at[rows->n - 1].start <= change.start;
        rows->at[rows->n++] = change;
    }
}

/* The list whose next part has the first rows; NULL: no parts are left. */
static struct list *next_list(const struct emission *emission, const struct piece *piece)
{
    struct list *next = NULL;

    for (uint32_t i = piece->first; i < piece->first + piece->n; i++) {
        struct list *list = emission->lists.at[i];

        if (list->first && (!next || list->first->task < next->first->task))
            next = list;
    }
    return next;
}

/* Moves the rows of a piece here, in the order of the table. */
static void take_rows(struct rows *rows, struct nsc_reading_worker *worker,
                      const struct emission *emission, const struct piece *piece)
{
    struct list *list;

    begin_rows(rows, piece->rows);
    while ((list = next_list(emission, piece)) != NULL) {
        struct part *part = list->first;

        add_rows(rows, worker, part);
        list->first = part->next;
        release(part->slab, worker->feed);
    }
}

static nsc_time start_of(const void *context, uint32_t row)
{
    return ((const struct change *)context)[row].start;
}

static void sort_rows(struct rows *rows)
{
    struct change *sorted = rows->sorted;

    for (uint32_t i = 0; i < rows->n; i++)
        rows->index[i] = i;
    nsc_sort_by_time(rows->index, rows->n, start_of, rows->at);
    for (uint32_t i = 0; i < rows->n; i++)
        sorted[i] = rows->at[rows->index[i]];
    rows->sorted = rows->at;
    rows->at = sorted;
}

/* Feeds a time on a CPU. */
static bool emit_run(struct nsc_reading *reading, struct nsc_reading_worker *worker,
                     const struct list *list, struct change change, nsc_time end)
{
    struct nsc_track_key key = {.kind = NSC_TRACK_SCHED, .device = -1, .context = -1, .stream = -1};
    struct nsc_row row = {.start = time_of(list, change.start), .end = end, .kind = NSC_KIND_SCHED};
    nsc_time length;

    if (__builtin_sub_overflow(end, row.start, &length) || end == NSC_TIME_OPEN)
        return nsc_reading_skip(worker, NSC_SKIP_OVERFLOW);
    key.process = list->thread >> 24;
    key.tid = (uint32_t)(list->thread & 0xffffff);
    if (!nsc_reading_wanted(reading, worker, &row, key.process))
        return true;
    row.source = change.source;
    row.name = change.cpu_in >> 1;
    return nsc_reading_event(worker, &key, &row);
}

static bool emit_rows(const struct rows *rows, struct nsc_reading *reading,
                      struct nsc_reading_worker *worker, const struct piece *piece)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        nsc_time end = i + 1 < rows->n ? time_of(piece->key, rows->at[i + 1].start) : piece->next;

        if (rows->at[i].cpu_in & 1 && !emit_run(reading, worker, piece->key, rows->at[i], end))
            return false;
    }
    return true;
}

/* False if the load cannot continue. */
static bool emit_piece(struct emission *emission, unsigned index, const struct piece *piece)
{
    struct nsc_reading_worker *worker = &emission->reading->workers[index];
    struct rows *rows = &emission->rows[index];

    take_rows(rows, worker, emission, piece);
    if (!rows->ascend)
        sort_rows(rows);
    return emit_rows(rows, emission->reading, worker, piece);
}

static void run_task(void *context, unsigned index, uint32_t i)
{
    struct emission *emission = context;
    struct nsc_reading_worker *worker = &emission->reading->workers[index];
    struct nsc_progress *progress = emission->reading->load->progress;
    uint32_t p = emission->by_time[i].value;
    uint64_t before = worker->events;

    if (emission->stopped || nsc_progress_is_cancelled(progress)) {
        emission->stopped = true;
        return;
    }
    nsc_feed_begin_task(worker->feed, emission->first_task + p);
    do
        if (!emit_piece(emission, index, &emission->pieces.at[p]))
            emission->stopped = true;
    while (++p < emission->pieces.n && !emission->pieces.at[p].begins && !emission->stopped);
    nsc_progress_add(progress, 0, worker->events - before);
}

/* Makes events of all switches, on all threads. False if the load cannot continue. */
static bool emit_all(struct nsc_reading *reading, const struct switches *by_worker, uint32_t *tasks)
{
    struct emission *emission = nsc_xcalloc(1, sizeof *emission);
    nsc_time last = INT64_MIN;
    bool ok;

    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        last = by_worker[w].last > last ? by_worker[w].last : last;
    emission->reading = reading;
    emission->first_task = *tasks;
    list_lists(emission, by_worker);
    list_pieces(emission, last);
    begin_tasks(emission);
    order_tasks(emission);
    nsc_pool_run(reading->load->pool, emission->n_tasks, run_task, emission);
    *tasks += (uint32_t)emission->pieces.n;
    nsc_reading_report(reading);
    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++)
        free_rows(&emission->rows[w]);
    NSC_VEC_FINI(&emission->lists);
    NSC_VEC_FINI(&emission->pieces);
    free(emission->by_time);
    ok = !emission->stopped;
    free(emission);
    return ok;
}

enum nsc_status nsc_read_sched(struct nsc_reading *reading, struct nsc_family *family,
                               uint32_t *tasks, struct nsc_error *error)
{
    struct switches *by_worker = nsc_xcalloc(NSC_SOURCE_WORKERS, sizeof *by_worker);
    enum nsc_status status;

    for (unsigned w = 0; w < NSC_SOURCE_WORKERS; w++) {
        by_worker[w].last = INT64_MIN;
        reading->workers[w].gathered = &by_worker[w];
    }
    reading->rows = switch_rows;
    reading->reset = reset_switches;
    status = nsc_reading_run(reading, family, tasks, error);
    if (status == NSC_OK && !emit_all(reading, by_worker, tasks))
        status = NSC_ECANCELLED;
    reset_switches(reading);
    free(by_worker);
    return status;
}
