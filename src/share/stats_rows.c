/* Measures and formats many rows of a stats report on all cores, in blocks that are written in
 * order, while the next ones are formatted. */
#include "core/die.h"
#include "core/hints.h"
#include "core/threads.h"
#include "share/stats_write.h"

#include <stdlib.h>

#ifdef NSC_SMALL
enum { BLOCK = 3, BLOCKS = 2 };
#else
enum { BLOCK = 512, BLOCKS = 4 }; /* rows of a block; blocks of a worker in a run */
#endif

struct part {
    struct nsc_stats_writer writer;
    NSC_APART;
};

/* Each worker measures or formats whole blocks with a writer of its own. */
struct parts {
    struct nsc_stats_writer *writer;
    const struct nsc_stats_rows *rows;
    struct part *of;       /* by worker */
    struct nsc_buf *text;  /* by block of a run */
    struct nsc_buf *ready; /* of the run before: written while the others are formatted */
    uint64_t first;        /* row of the run */
    uint32_t n_blocks;     /* most of a run */
};

static void init_parts(struct parts *parts)
{
    unsigned workers = nsc_pool_threads(parts->rows->pool);

    parts->of = nsc_xcalloc(workers, sizeof *parts->of);
    parts->n_blocks = workers * BLOCKS;
    parts->text = nsc_xcalloc(parts->n_blocks, sizeof *parts->text);
    parts->ready = nsc_xcalloc(parts->n_blocks, sizeof *parts->ready);
    for (unsigned i = 0; i < workers; i++) {
        parts->of[i].writer = *parts->writer;
        parts->of[i].writer.cell = (struct nsc_buf)NSC_BUF_INIT(SIZE_MAX);
    }
    for (uint32_t i = 0; i < parts->n_blocks; i++)
        parts->text[i] = parts->ready[i] = (struct nsc_buf)NSC_BUF_INIT(1u << 30);
}

static void fini_parts(struct parts *parts)
{
    for (unsigned i = 0; i < nsc_pool_threads(parts->rows->pool); i++) {
        nsc_stats_writer_merge(parts->writer, &parts->of[i].writer);
        nsc_buf_fini(&parts->of[i].writer.cell);
    }
    for (uint32_t i = 0; i < parts->n_blocks; i++) {
        nsc_buf_fini(&parts->text[i]);
        nsc_buf_fini(&parts->ready[i]);
    }
    free(parts->of);
    free(parts->text);
    free(parts->ready);
}

static void put_block(void *context, unsigned worker, uint32_t block)
{
    struct parts *parts = context;
    const struct nsc_stats_rows *rows = parts->rows;
    struct nsc_stats_writer *part = &parts->of[worker].writer;
    uint32_t first = (uint32_t)parts->first + block * BLOCK;
    uint32_t end = rows->n - first < BLOCK ? rows->n : first + BLOCK;

    part->text = parts->text[block]; /* lent */
    part->rows = first;
    for (uint32_t i = first; i < end; i++) {
        struct nsc_stats_cell cells[NSC_STATS_COLUMNS] = {{0}};

        rows->fill(rows->context, i, cells);
        nsc_stats_writer_put_row(part, cells);
    }
    parts->text[block] = part->text;
}

static void write_ready(struct parts *parts)
{
    for (uint32_t i = 0; i < parts->n_blocks; i++)
        nsc_stats_writer_flush(parts->writer, &parts->ready[i]);
}

static void run_task(void *context, unsigned worker, uint32_t task)
{
    if (task == 0)
        write_ready(context);
    else
        put_block(context, worker, task - 1);
}

bool nsc_stats_writer_take_rows(void *context, const struct nsc_stats_rows *rows)
{
    struct nsc_stats_writer *writer = context;
    struct parts parts = {.writer = writer, .rows = rows};

    init_parts(&parts);
    nsc_stats_writer_flush(writer, &writer->text);
    for (uint64_t blocks; parts.first < rows->n && !writer->failed; parts.first += blocks * BLOCK) {
        struct nsc_buf *text = parts.text;

        blocks = (rows->n - parts.first + BLOCK - 1) / BLOCK;
        blocks = blocks < parts.n_blocks ? blocks : parts.n_blocks;
        nsc_pool_run(rows->pool, (uint32_t)blocks + 1, run_task, &parts);
        parts.text = parts.ready;
        parts.ready = text;
    }
    write_ready(&parts);
    fini_parts(&parts);
    writer->rows = writer->is_measuring ? 0 : rows->n;
    return !writer->failed;
}
