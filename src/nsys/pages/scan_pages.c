/*
 * The fast scan: reads the leaf pages of a table's b-tree with pread and decodes them in parallel.
 *
 * It delivers exactly the rows of SQLite: anything unusual, inconsistent or changing ends in
 * NSC_SCAN_FALLBACK. So does a column of REAL affinity, because SQLite turns its stored integers
 * into reals.
 */
#include "core/die.h"
#include "core/hints.h"
#include "nsys/pages/btree.h"
#include "nsys/pages/columns.h"
#include "nsys/pages/record.h"
#include "nsys/pages/scan.h"
#include "nsys/pages/source.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
#define TASK_BYTES 16384U
#define READ_BYTES 4096U
#else
#define TASK_BYTES (4U << 20) /* bytes of leaf pages a task: 50,000 rows of kernels */
#define READ_BYTES (256U << 10)
#endif
#define TASKS_EACH  8 /* tasks per worker: enough for all workers to end together */
#define GAP         2 /* one call also reads a leaf at most this many pages further */
#define TASKS_AHEAD 4 /* requests a task's leaves this many tasks before they are read */

/* The result of one task; only its worker writes it. */
struct task_end {
    const char *why;
    uint32_t page; /* the page that `why` is about */
};

struct worker {
    struct nsc_page_decoder *reader;
    uint8_t *buffer;
    uint64_t n_rows; /* rows handed over */
    NSC_APART;
};

/* One call of nsc_scan_pages. */
struct run {
    const struct nsc_scan *scan;
    struct nsc_btree tree;
    struct nsc_record_plan plan;
    struct nsc_btree_leaves leaves;
    uint32_t leaves_per_task, n_tasks, first_task;
    size_t buffer_bytes;
    struct task_end *end;
    struct worker *workers;
    _Atomic uint32_t bad_task; /* first task in trouble; earlier tasks still run to their end */
    _Atomic bool stopped;
};

static bool is_real_column(struct nsc_source *source, const struct nsc_scan *scan, uint32_t c)
{
    const char *declared = NULL;
    enum nsc_affinity affinity;

    if (sqlite3_table_column_metadata(source->db, "main", scan->table->name, scan->columns[c].name,
                                      &declared, NULL, NULL, NULL, NULL) != SQLITE_OK)
        return true;
    affinity = nsc_column_affinity(declared);
    return affinity == NSC_AFFINITY_REAL || affinity == NSC_AFFINITY_UNKNOWN;
}

static const char *init_plan(struct nsc_record_plan *plan, struct nsc_source *source,
                             const struct nsc_scan *scan)
{
    plan->n_fields = scan->table->n_columns;
    plan->n_columns = scan->n_columns;
    if (plan->n_fields > NSC_RECORD_FIELDS || plan->n_columns > NSC_SCAN_COLUMNS)
        return "too many columns";
    for (uint32_t c = 0; c < scan->n_columns; c++) {
        const struct nsc_scan_column *column = &scan->columns[c];

        if (column->ordinal < 0 || (uint32_t)column->ordinal >= plan->n_fields)
            return "a column without a place in its row";
        plan->ordinal[c] = (uint32_t)column->ordinal;
        if (plan->n_wanted <= plan->ordinal[c])
            plan->n_wanted = plan->ordinal[c] + 1;
        if (column->is_rowid)
            plan->rowid[plan->n_rowids++] = (uint8_t)c;
        if (column->wants_text)
            plan->text[plan->n_texts++] = (uint8_t)c;
        if (is_real_column(source, scan, c))
            return "a column of real numbers";
    }
    (void)nsc_columns_forbid(plan->forbid, plan->n_fields, source->db, scan->table);
    nsc_record_plan_types(plan);
    if (plan->n_texts && !(source->utf8 && scan->table->utf8))
        return "text that is not UTF-8";
    return NULL;
}

/* Tables of a few tasks are divided more finely, so that workers end together. */
static uint32_t measure_task(const struct run *run, unsigned n_workers)
{
    uint32_t most = TASK_BYTES / run->tree.page_size;
    uint32_t least = TASK_BYTES / 32 / run->tree.page_size;
    size_t share = run->leaves.n / (TASKS_EACH * (size_t)n_workers);

    most = most ? most : 1;
    least = least ? least : 1;
    return share > most ? most : share < least ? least : (uint32_t)share;
}

static const char *init_tree(struct run *run, const struct nsc_source *source)
{
    const char *why;

    run->tree.fd = source->fd;
    run->tree.page_size = source->page_size;
    run->tree.usable_size = source->usable_size;
    run->tree.pages = source->pages;
    run->tree.progress = run->scan->progress;
    why = nsc_btree_open(&run->tree);
    return why ? why : nsc_btree_list(&run->leaves, &run->tree, run->scan->table->root);
}

/* Leaves out the leaves without wanted rows. */
static void drop_leaves(struct run *run)
{
    const struct nsc_scan *scan = run->scan;
    int64_t first = INT64_MIN;
    size_t n = 0;

    for (size_t i = 0; scan->wants && i < run->leaves.n; i++) {
        struct nsc_btree_leaf leaf = run->leaves.at[i];

        if (scan->wants(scan->context, first, leaf.last))
            run->leaves.at[n++] = leaf;
        first = leaf.last < INT64_MAX ? leaf.last + 1 : INT64_MAX;
    }
    if (scan->wants)
        run->leaves.n = n;
}

static const char *init_run(struct run *run, struct nsc_source *source, unsigned n_workers)
{
    const char *why = NULL;
    size_t n = 0;

    if (!source->pages_ok)
        return "the header does not allow decoding pages directly";
    why = init_plan(&run->plan, source, run->scan);
    if (why)
        return why;
    why = init_tree(run, source);
    if (why)
        return why;
    drop_leaves(run);
    run->leaves_per_task = measure_task(run, n_workers);
    n = (run->leaves.n + run->leaves_per_task - 1) / run->leaves_per_task;
    if (n > UINT32_MAX - run->first_task)
        return "too many pages";
    run->n_tasks = (uint32_t)n;
    run->end = nsc_xcalloc(n, sizeof *run->end);
    run->buffer_bytes = READ_BYTES > source->page_size ? READ_BYTES : source->page_size;
    return NULL;
}

static void fini_run(struct run *run, unsigned n_workers)
{
    for (unsigned i = 0; run->workers && i < n_workers; i++) {
        nsc_page_decoder_free(run->workers[i].reader);
        free(run->workers[i].buffer);
    }
    free(run->workers);
    free(run->end);
    free(run->leaves.at);
}

/* Allocated by the worker, so that the memory is near it. */
static void init_worker(struct worker *worker, const struct run *run)
{
    worker->reader = nsc_page_decoder_new(&run->plan, &run->tree);
    worker->buffer = nsc_xcalloc(1, run->buffer_bytes + NSC_RECORD_SLACK);
}

/* Hands the rows over. False stops the scan. */
static bool flush_rows(struct run *run, unsigned index, uint32_t task)
{
    struct worker *worker = &run->workers[index];
    const struct nsc_row_batch *rows = &worker->reader->rows;
    struct nsc_batch batch = {
        .n = rows->n, .rowid = rows->rowid, .type = (const uint8_t(*)[NSC_SCAN_COLUMNS])rows->type};

    if (rows->n == 0)
        return true;
    for (uint32_t c = 0; c < run->plan.n_columns; c++) {
        batch.value[c] = rows->value[c];
        batch.text[c] = rows->text[c];
    }
    if (nsc_progress_is_cancelled(run->scan->progress) ||
        !run->scan->sink(run->scan->context, index, run->first_task + task, &batch)) {
        run->stopped = true;
        return false;
    }
    worker->n_rows += rows->n;
    nsc_progress_add(run->scan->progress, rows->n, 0);
    nsc_page_decoder_clear(worker->reader);
    return true;
}

/* Begins leaf i with the row ids that the tree allows. NULL, or why its page is damaged. */
static const char *open_leaf(struct nsc_leaf *leaf, struct nsc_page_decoder *reader,
                             const struct run *run, const uint8_t *page, size_t i)
{
    uint32_t number = run->leaves.at[i].page;

    reader->filled = 0;
    if (i > 0) {
        reader->last = run->leaves.at[i - 1].last;
        reader->has_last = true;
    }
    return nsc_leaf_open(leaf, &run->tree, page, number,
                         run->leaves.n == 1 && number == run->scan->table->root);
}

/* After the last row of leaf i: NULL, or why it is damaged. */
static const char *close_leaf(struct nsc_page_decoder *reader, const struct run *run,
                              const struct nsc_leaf *leaf, size_t i)
{
    const char *why = nsc_leaf_close(reader, leaf);

    if (!why && reader->has_last && reader->last > run->leaves.at[i].last)
        why = NSC_DAMAGED "row ids out of order";
    return why;
}

/* Scans all rows of leaf i. False ends the task. */
static bool scan_leaf(struct run *run, unsigned index, uint32_t task, const uint8_t *page, size_t i)
{
    struct nsc_page_decoder *reader = run->workers[index].reader;
    struct nsc_leaf leaf = {0};
    uint32_t cell = 0;

    reader->why = open_leaf(&leaf, reader, run, page, i);
    while (!reader->why && cell < leaf.n) {
        cell = nsc_leaf_decode(reader, &leaf, cell);
        if (cell < leaf.n && !reader->why && !flush_rows(run, index, task))
            return false;
    }
    if (!reader->why)
        reader->why = close_leaf(reader, run, &leaf, i);
    if (!reader->why)
        return true;
    run->end[task].why = reader->why;
    run->end[task].page = run->leaves.at[i].page;
    return false;
}

/* Counts the leaves from i on that one call reads, and the pages between its ends. */
static size_t measure_read(uint32_t *n_pages, const struct run *run, size_t i, size_t end)
{
    const struct nsc_btree_leaf *leaf = run->leaves.at;
    size_t most = run->buffer_bytes / run->tree.page_size;
    size_t n = 1;

    while (i + n < end && leaf[i + n].page > leaf[i + n - 1].page &&
           leaf[i + n].page - leaf[i + n - 1].page <= GAP && leaf[i + n].page - leaf[i].page < most)
        n++;
    *n_pages = leaf[i + n - 1].page - leaf[i].page + 1;
    return n;
}

static bool scan_leaves(struct run *run, unsigned index, uint32_t task, size_t i, size_t end)
{
    struct worker *worker = &run->workers[index];

    while (i < end) {
        const struct nsc_btree_leaf *leaf = &run->leaves.at[i];
        uint32_t n_pages = 0;
        size_t n = measure_read(&n_pages, run, i, end);

        if (run->bad_task < task || run->stopped)
            return false;
        /* texts point into the buffer that the next read overwrites */
        if (run->plan.n_texts && !flush_rows(run, index, task))
            return false;
        run->end[task].why = nsc_btree_read(worker->buffer, &run->tree, leaf[0].page, n_pages);
        run->end[task].page = leaf[0].page;
        if (run->end[task].why)
            return false;
        for (size_t k = 0; k < n; k++) {
            const uint8_t *page =
                worker->buffer + (size_t)(leaf[k].page - leaf[0].page) * run->tree.page_size;

            if (!scan_leaf(run, index, task, page, i + k))
                return false;
        }
        i += n;
    }
    return flush_rows(run, index, task);
}

/*
 * Asks the system to read a task's leaves ahead; otherwise it reads them only once a worker waits.
 * Exports store a table in one part: leaves far apart are not worth reading everything in between.
 */
static void fetch_task(const struct run *run, uint64_t task)
{
    size_t begin = (size_t)task * run->leaves_per_task;
    size_t end = begin + run->leaves_per_task;
    uint32_t first = 0;
    uint32_t last = 0;

    if (task >= run->n_tasks)
        return;
    first = run->leaves.at[begin].page;
    last = run->leaves.at[(end < run->leaves.n ? end : run->leaves.n) - 1].page;
    if (last >= first && last - first <= GAP * run->leaves_per_task)
        (void)posix_fadvise(run->tree.fd, (off_t)(first - 1) * (off_t)run->tree.page_size,
                            (off_t)(last - first + 1) * (off_t)run->tree.page_size,
                            POSIX_FADV_WILLNEED);
}

static void note_bad_task(struct run *run, uint32_t task)
{
    uint32_t first = run->bad_task;

    while (task < first && !atomic_compare_exchange_weak(&run->bad_task, &first, task)) {
    }
}

static void run_task(void *context, unsigned index, uint32_t task)
{
    struct run *run = context;
    struct worker *worker = &run->workers[index];
    size_t begin = (size_t)task * run->leaves_per_task;
    size_t end = begin + run->leaves_per_task;

    if (run->bad_task < task || run->stopped)
        return;
    if (!worker->reader)
        init_worker(worker, run);
    nsc_page_decoder_clear(worker->reader);
    nsc_page_decoder_begin(worker->reader);
    fetch_task(run, (uint64_t)task + TASKS_AHEAD);
    if (end > run->leaves.n)
        end = run->leaves.n;
    if (!scan_leaves(run, index, task, begin, end) && run->end[task].why)
        note_bad_task(run, task);
}

/* The first trouble in the order of the table, not of time. */
static const char *check_tasks(const struct run *run, uint32_t *page)
{
    if (run->bad_task == UINT32_MAX)
        return NULL;
    *page = run->end[run->bad_task].page;
    return run->end[run->bad_task].why;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Subtracts the rows of a failed scan from the progress. */
static void take_back(const struct run *run, unsigned n_workers)
{
    for (unsigned i = 0; run->workers && i < n_workers; i++)
        nsc_progress_add(run->scan->progress, 0 - run->workers[i].n_rows, 0);
}

static enum nsc_scan_result finish(struct run *run, unsigned n_workers, const char *why,
                                   char reason[80])
{
    uint32_t page = 0;

    if (run->stopped || nsc_progress_is_cancelled(run->scan->progress))
        return NSC_SCAN_STOPPED;
    if (!why)
        why = check_tasks(run, &page);
    if (!why)
        return NSC_SCAN_DONE;
    if (page)
        (void)snprintf(reason, 80, "%s (page %u)", why, page);
    else
        (void)snprintf(reason, 80, "%s", why);
    take_back(run, n_workers);
    return NSC_SCAN_FALLBACK;
}

bool nsc_scan_is_damage(const char *reason, const struct nsc_source *source,
                        const struct nsc_scan *scan, struct nsc_error *error)
{
    size_t n = strlen(NSC_DAMAGED);

    if (strncmp(reason, NSC_DAMAGED, n) != 0)
        return false;
    (void)nsc_fail(error, NSC_EDAMAGED, "table %.64s of %s is damaged: %s; copy or export it again",
                   scan->table->name, source->path, reason + n);
    return true;
}

/* Walks the rows of leaf i of the tree: NULL, or why it is damaged. */
static const char *walk_leaf(struct run *run, struct nsc_page_decoder *reader, uint8_t *page,
                             size_t i)
{
    struct nsc_leaf leaf = {0};
    const char *why = nsc_btree_read(page, &run->tree, run->leaves.at[i].page, 1);

    if (!why)
        why = open_leaf(&leaf, reader, run, page, i);
    if (why)
        return why;
    nsc_leaf_walk(reader, &leaf);
    return reader->why ? reader->why : close_leaf(reader, run, &leaf, i);
}

/* Sets which rows the walk counts as odd. With columns, their readers count texts for integers. */
static void expect_columns(struct nsc_record_plan *plan, const struct nsc_scan *scan)
{
    plan->n_wanted = scan->n_columns ? 0 : plan->n_fields;
    for (uint32_t i = 0; i < plan->n_fields && scan->n_columns; i++)
        plan->forbid[i] &= (uint8_t)~NSC_ODD_BYTES;
    for (uint32_t c = 0; c < scan->n_columns; c++)
        if (scan->columns[c].ordinal >= (int)plan->n_wanted)
            plan->n_wanted = (uint32_t)scan->columns[c].ordinal + 1;
}

bool nsc_scan_check(struct nsc_source *source, const struct nsc_scan *scan, struct nsc_error *error)
{
    struct run run = {.scan = scan};
    uint8_t *page = nsc_xcalloc(1, source->page_size + NSC_RECORD_SLACK);
    struct nsc_page_decoder *reader;
    const char *why = NULL;

    if (source->pages_ok && scan->table->root)
        why = init_tree(&run, source);
    run.plan.n_fields =
        nsc_columns_forbid(run.plan.forbid, NSC_RECORD_FIELDS, source->db, scan->table);
    expect_columns(&run.plan, scan);
    reader = nsc_page_decoder_new(&run.plan, &run.tree);
    for (size_t i = 0; i < run.leaves.n && !why && !nsc_progress_is_cancelled(scan->progress); i++)
        why = walk_leaf(&run, reader, page, i);
    if (scan->odd)
        *scan->odd = reader->n_odd;
    nsc_page_decoder_free(reader);
    free(run.leaves.at);
    free(page);
    return !why || nsc_source_compare(source) != NSC_SOURCE_SAME ||
           !nsc_scan_is_damage(why, source, scan, error);
}

enum nsc_scan_result nsc_scan_pages(struct nsc_source *source, struct nsc_pool *pool,
                                    const struct nsc_scan *scan, uint32_t first_task,
                                    uint32_t *n_tasks, char reason[80])
{
    struct run run = {.scan = scan, .first_task = first_task, .bad_task = UINT32_MAX};
    unsigned n_workers = nsc_pool_threads(pool);
    struct stat before;
    struct stat after;
    const char *why = "the file cannot be examined";
    enum nsc_scan_result result = NSC_SCAN_DONE;

    *n_tasks = 0;
    reason[0] = '\0';
    if (fstat(source->fd, &before) == 0)
        why = init_run(&run, source, n_workers);
    if (!why) {
        run.workers = nsc_xcalloc(n_workers, sizeof *run.workers);
        for (uint32_t task = 0; task < TASKS_AHEAD; task++)
            fetch_task(&run, task);
        nsc_pool_run(pool, run.n_tasks, run_task, &run);
        *n_tasks = run.n_tasks;
    }
    /* A file that another program writes may look damaged; it is reported as changed. */
    if (fstat(source->fd, &after) != 0 || !same_file(&before, &after))
        why = "the file changed";
    result = finish(&run, n_workers, why, reason);
    fini_run(&run, n_workers);
    return result;
}

enum nsc_scan_result nsc_scan_table(struct nsc_source *source, struct nsc_pool *pool,
                                    const struct nsc_scan *scan, bool no_pages,
                                    void (*forget)(void *context), struct nsc_error *error)
{
    enum nsc_scan_result result = NSC_SCAN_FALLBACK;
    char reason[80] = "";
    uint32_t n_tasks;

    if (!no_pages && source->pages_ok)
        result = nsc_scan_pages(source, pool, scan, 0, &n_tasks, reason);
    if (result != NSC_SCAN_FALLBACK)
        return result;
    if (nsc_scan_is_damage(reason, source, scan, error))
        return NSC_SCAN_FAILED;
    forget(scan->context);
    return nsc_scan_sqlite(source, scan, 0, error);
}
