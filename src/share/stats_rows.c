/* Measures and formats many rows of a stats report on all cores, in blocks that are written in
 * order. */
#include "core/die.h"
#include "core/hints.h"
#include "core/threads.h"
#include "share/stats_write.h"

#include <stdlib.h>

#ifdef NSC_SMALL
enum { BLOCK = 3, BLOCKS = 2 };
#else
enum { BLOCK = 512, BLOCKS = 4 }; /* rows of a block; blocks of a worker that wait to be written */
#endif

struct part {
    struct nsc_stats_writer writer;
    NSC_APART;
};

/* Each worker measures or formats whole blocks with a writer of its own. */
struct parts {
    struct nsc_stats_writer *writer;
    const struct nsc_stats_rows *rows;
    struct part *of;      /* by worker */
    struct nsc_buf *text; /* by block of a run */
    uint64_t first;       /* row of the run */
};

static void init_parts(struct parts *parts, uint32_t n_blocks)
{
    unsigned workers = nsc_pool_threads(parts->rows->pool);

    parts->of = nsc_xcalloc(workers, sizeof *parts->of);
    parts->text = nsc_xcalloc(n_blocks, sizeof *parts->text);
    for (unsigned i = 0; i < workers; i++) {
        parts->of[i].writer = *parts->writer;
        parts->of[i].writer.cell = (struct nsc_buf)NSC_BUF_INIT(1u << 28);
    }
    for (uint32_t i = 0; i < n_blocks; i++)
        parts->text[i] = (struct nsc_buf)NSC_BUF_INIT(1u << 30);
}

static void fini_parts(struct parts *parts, uint32_t n_blocks)
{
    for (unsigned i = 0; i < nsc_pool_threads(parts->rows->pool); i++) {
        nsc_stats_writer_merge(parts->writer, &parts->of[i].writer);
        nsc_buf_fini(&parts->of[i].writer.cell);
    }
    for (uint32_t i = 0; i < n_blocks; i++)
        nsc_buf_fini(&parts->text[i]);
    free(parts->of);
    free(parts->text);
}

static void put_block(void *context, unsigned worker, uint32_t block)
{
    struct parts *parts = context;
    const struct nsc_stats_rows *rows = parts->rows;
    struct nsc_stats_writer *part = &parts->of[worker].writer;
    uint32_t first = (uint32_t)parts->first + block * BLOCK;
    uint32_t end = rows->n - first < BLOCK ? rows->n : first + BLOCK;
    void (*fill)(void *, unsigned, uint32_t, struct nsc_stats_cell[]) =
        part->is_measuring && rows->fill_any ? rows->fill_any : rows->fill;
    struct nsc_stats_cell cells[NSC_STATS_COLUMNS];

    part->text = parts->text[block]; /* lent */
    part->rows = first;
    for (uint32_t i = first; i < end; i++) {
        fill(rows->context, worker, i, cells);
        nsc_stats_writer_put_row(part, cells);
    }
    parts->text[block] = part->text;
}

bool nsc_stats_writer_take_rows(void *context, const struct nsc_stats_rows *rows)
{
    struct nsc_stats_writer *writer = context;
    struct parts parts = {.writer = writer, .rows = rows};
    uint32_t most = nsc_pool_threads(rows->pool) * BLOCKS;

    init_parts(&parts, most);
    nsc_stats_writer_flush(writer, &writer->text);
    for (uint64_t blocks; parts.first < rows->n && !writer->failed; parts.first += blocks * BLOCK) {
        blocks = (rows->n - parts.first + BLOCK - 1) / BLOCK;
        blocks = blocks < most ? blocks : most;
        nsc_pool_run(rows->pool, (uint32_t)blocks, put_block, &parts);
        for (uint32_t i = 0; i < blocks; i++)
            nsc_stats_writer_flush(writer, &parts.text[i]);
    }
    fini_parts(&parts, most);
    writer->rows = writer->is_measuring ? 0 : rows->n;
    return !writer->failed;
}
