/*
 * Covers: the writer, access to single intervals, and the cover of events: lanes merged by start.
 */
#include "core/die.h"
#include "core/pages.h"
#include "index/cover_data.h"
#include "index/lane_merge.h"
#include "index/trace_data.h"

#include <stdlib.h>
#include <string.h>

#define WORD sizeof(uint64_t) /* bytes after the last number that reading it may touch */

/* Fewer bytes come from the heap: 10,000 GPUs have 40,000 covers, which took 350 MB of pages. */
enum { HEAP_BYTES = 1 << 13 };

static void *new_bytes(size_t bytes)
{
    return bytes < HEAP_BYTES ? nsc_xcalloc(1, bytes) : nsc_pages_need(bytes);
}

static void free_bytes(void *at, size_t bytes)
{
    if (bytes < HEAP_BYTES)
        free(at);
    else
        nsc_pages_free(at, bytes);
}

/* ---- writing ---- */

bool nsc_cover_writer_init(struct nsc_cover_writer *writer, uint32_t bound)
{
    size_t blocks = (size_t)bound / NSC_COVER_BLOCK + 1;
    struct nsc_cover *cover = nsc_xcalloc(1, sizeof *cover);

    *writer = (struct nsc_cover_writer){.cover = cover};
    cover->byte_bytes = blocks * NSC_COVER_BLOCK * 2 * sizeof(uint64_t) + WORD;
    cover->block_bytes = blocks * sizeof *cover->blocks;
    cover->bytes = new_bytes(cover->byte_bytes);
    cover->blocks = new_bytes(cover->block_bytes);
    if (cover->bytes && cover->blocks)
        return true;
    nsc_cover_free(cover);
    writer->cover = NULL;
    return false;
}

static uint64_t length_of(struct nsc_window w)
{
    return (uint64_t)w.t1 - (uint64_t)w.t0;
}

/* Stores a number as one word. May overwrite up to seven bytes after it; they are written later. */
static void store_number(uint8_t *at, uint64_t number)
{
    number = nsc_cover_swap(number);
    memcpy(at, &number, sizeof number);
}

static uint8_t measure_width(const struct nsc_cover_writer *writer)
{
    struct nsc_window all = {writer->pending[0].t0, writer->pending[writer->n_pending - 1].t1};
    uint64_t span = length_of(all);

    return span < 1u << 24 ? 3 : span <= UINT32_MAX ? 4 : 8;
}

void nsc_cover_writer_flush(struct nsc_cover_writer *writer)
{
    struct nsc_cover *cover = writer->cover;
    struct nsc_cover_block *block = &cover->blocks[cover->n / NSC_COVER_BLOCK];
    uint8_t *at = cover->bytes + (size_t)writer->place * NSC_COVER_PLACE;

    if (writer->n_pending == 0)
        return;
    *block = (struct nsc_cover_block){writer->pending[0].t0, cover->total, writer->place,
                                      measure_width(writer)};
    for (uint32_t k = 0; k < writer->n_pending; k++) {
        struct nsc_window w = writer->pending[k];

        cover->total += length_of(w);
        store_number(at, (uint64_t)w.t0 - (uint64_t)block->start);
        store_number(at + block->width, length_of(w));
        at += (size_t)2 * block->width;
    }
    cover->n += writer->n_pending;
    writer->place += block->width;
    writer->n_pending = 0;
}

static void *trim_bytes(void *at, size_t *bytes, size_t keep)
{
    size_t had = *bytes;
    void *kept;

    *bytes = keep;
    if (keep >= HEAP_BYTES)
        return nsc_pages_trim(at, had, keep);
    kept = nsc_xmalloc(keep + 1);
    memcpy(kept, at, keep);
    free_bytes(at, had);
    return kept;
}

static uint32_t count_far(const struct nsc_cover *cover)
{
    uint32_t blocks = nsc_cover_blocks(cover);

    return blocks / NSC_COVER_FAR + (blocks % NSC_COVER_FAR != 0);
}

static void put_far_starts(struct nsc_cover *cover)
{
    uint32_t n = count_far(cover);

    cover->far_start = nsc_xcalloc((size_t)n + 1, sizeof *cover->far_start);
    for (uint32_t i = 0; i < n; i++)
        cover->far_start[i] = cover->blocks[i * NSC_COVER_FAR].start;
}

struct nsc_cover *nsc_cover_writer_end(struct nsc_cover_writer *writer)
{
    struct nsc_cover *cover = writer->cover;
    size_t blocks = 0;

    nsc_cover_writer_flush(writer);
    blocks = nsc_cover_blocks(cover);
    cover->bytes = trim_bytes(cover->bytes, &cover->byte_bytes,
                              writer->place ? (size_t)writer->place * NSC_COVER_PLACE + WORD : 0);
    cover->blocks = trim_bytes(cover->blocks, &cover->block_bytes, blocks * sizeof *cover->blocks);
    put_far_starts(cover);
    writer->cover = NULL;
    return cover;
}

void nsc_cover_free(struct nsc_cover *cover)
{
    if (!cover)
        return;
    free_bytes(cover->bytes, cover->byte_bytes);
    free_bytes(cover->blocks, cover->block_bytes);
    free(cover->far_start);
    free(cover);
}

size_t nsc_cover_bytes(const struct nsc_cover *cover)
{
    return sizeof *cover + cover->byte_bytes + cover->block_bytes +
           count_far(cover) * sizeof *cover->far_start;
}

/* ---- asking ---- */

uint32_t nsc_cover_count(const struct nsc_cover *cover)
{
    return cover->n;
}

struct nsc_window nsc_cover_at(const struct nsc_cover *cover, uint32_t i)
{
    const struct nsc_cover_block *block = &cover->blocks[i / NSC_COVER_BLOCK];
    const uint8_t *at = cover->bytes + (size_t)block->place * NSC_COVER_PLACE +
                        (size_t)2 * block->width * (i % NSC_COVER_BLOCK);
    struct nsc_window w;

    w.t0 = (nsc_time)((uint64_t)block->start + nsc_cover_number(at, block->width));
    w.t1 = (nsc_time)((uint64_t)w.t0 + nsc_cover_number(at + block->width, block->width));
    return w;
}

/* ---- the cover of events ---- */

static uint32_t count_rows(const struct nsc_trace *trace, const uint32_t lanes[], uint32_t n_lanes)
{
    uint64_t rows = 0;

    for (uint32_t i = 0; i < n_lanes; i++)
        rows += trace->lanes[lanes[i]].n;
    return rows < NSC_NONE ? (uint32_t)rows : NSC_NONE - 1;
}

struct nsc_cover *nsc_cover_build(const struct nsc_trace *trace, const uint32_t lanes[],
                                  uint32_t n_lanes,
                                  bool (*keep)(const void *context, nsc_event event),
                                  const void *context)
{
    const struct nsc_events *events = &trace->events;
    struct nsc_cover_writer writer;
    struct nsc_lane_merge merge;

    if (!nsc_cover_writer_init(&writer, count_rows(trace, lanes, n_lanes)))
        return NULL;
    nsc_lane_merge_init(&merge, trace, lanes, n_lanes);
    if (keep)
        nsc_lane_merge_set_filter(&merge, keep, context);
    for (nsc_event row = 0; (row = nsc_lane_merge_next(&merge)) != NSC_NONE;)
        nsc_cover_writer_add(&writer, events->start[row], nsc_event_end(events, row));
    nsc_lane_merge_fini(&merge);
    return nsc_cover_writer_end(&writer);
}
