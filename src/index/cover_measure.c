/*
 * Measuring covers: one search and one running total for each cut between columns.
 */
#include "core/bisect.h"
#include "index/cover_data.h"

/* The place of a time in a cover. */
struct cut {
    uint32_t block; /* the last that starts before the time, else the first */
    uint32_t k; /* the block's first interval that ends after the time; the block's count if there
                       * is none */
    uint64_t lengths; /* ns of the intervals before it */
    uint64_t before;  /* covered ns before the time */
};

#ifdef NSC_SMALL
enum { STEPS = 2 };
#else
enum { STEPS = 16 };
#endif

/* The intervals of a block, with times relative to its start. */
struct intervals {
    const uint8_t *at;
    uint32_t width, n;
};

static inline struct intervals intervals_of(const struct nsc_cover *cover, uint32_t block)
{
    const struct nsc_cover_block *at = &cover->blocks[block];
    uint32_t left = cover->n - block * NSC_COVER_BLOCK;
    struct intervals intervals = {cover->bytes + (size_t)at->place * NSC_COVER_PLACE, at->width,
                                  left < NSC_COVER_BLOCK ? left : NSC_COVER_BLOCK};

    return intervals;
}

static inline uint64_t start_of(const struct intervals *intervals, uint32_t k)
{
    return nsc_cover_number(intervals->at + (size_t)k * 2 * intervals->width, intervals->width);
}

static inline uint64_t length_of(const struct intervals *intervals, uint32_t k)
{
    return nsc_cover_number(intervals->at + ((size_t)k * 2 + 1) * intervals->width,
                            intervals->width);
}

/* ns from the block's start to t. */
static inline uint64_t offset_in(const struct nsc_cover_block *block, nsc_time t)
{
    return t > block->start ? (uint64_t)t - (uint64_t)block->start : 0;
}

/* ---- the place of a time ---- */

/* The last block of [at, n) that starts before t, else `at`. The nearer, the faster. */
static uint32_t find_block(const struct nsc_cover *cover, uint32_t at, nsc_time t)
{
    const struct nsc_cover_block *blocks = cover->blocks;
    uint32_t n = nsc_cover_blocks(cover);
    uint32_t step = 1;
    uint32_t low, high;

    for (; step < n - at && blocks[at + step].start < t; step *= 2)
        at += step;
    low = at + 1;
    high = step < n - at ? at + step : n;
    NSC_BISECT(low, high, middle, blocks[middle].start < t);
    return low - 1;
}

/* The first of [from, n) that ends after the offset, else n. */
static uint32_t find_interval(const struct intervals *intervals, uint32_t from, uint64_t offset)
{
    uint32_t end = intervals->n;

    NSC_BISECT(from, end, middle,
               start_of(intervals, middle) + length_of(intervals, middle) <= offset);
    return from;
}

static uint64_t sum_lengths(const struct intervals *intervals, uint32_t from, uint32_t to)
{
    uint64_t ns = 0;

    for (uint32_t k = from; k < to; k++)
        ns += length_of(intervals, k);
    return ns;
}

/* The cut at t, which is no earlier than the cut before. */
static struct cut find_cut(const struct nsc_cover *cover, const struct cut *before, nsc_time t)
{
    struct cut cut = {.block = find_block(cover, before->block, t)};
    const struct nsc_cover_block *block = &cover->blocks[cut.block];
    struct intervals intervals = intervals_of(cover, cut.block);
    uint64_t offset = offset_in(block, t);
    uint32_t from = 0;

    if (before->block == cut.block) {
        from = before->k;
        cut.lengths = before->lengths;
    }
    cut.k = find_interval(&intervals, from, offset);
    cut.lengths += sum_lengths(&intervals, from, cut.k);
    cut.before = block->before + cut.lengths;
    if (cut.k < intervals.n && start_of(&intervals, cut.k) < offset)
        cut.before += offset - start_of(&intervals, cut.k);
    return cut;
}

/* ---- asking ---- */

static nsc_time to_time(uint64_t ns)
{
    return ns > (uint64_t)INT64_MAX ? INT64_MAX : (nsc_time)ns;
}

void nsc_cover_bins(const struct nsc_cover *cover, struct nsc_window w, uint32_t n, nsc_time out[])
{
    struct cut before = {0};

    for (uint32_t i = 0; i <= n; i++) {
        struct cut cut = cover->n ? find_cut(cover, &before, nsc_window_cut(w, i, n)) : before;

        if (i > 0)
            out[i - 1] = to_time(cut.before - before.before);
        before = cut;
    }
}

nsc_time nsc_cover_measure(const struct nsc_cover *cover, struct nsc_window w)
{
    nsc_time ns;

    nsc_cover_bins(cover, w, 1, &ns);
    return ns;
}

uint32_t nsc_cover_find(const struct nsc_cover *cover, nsc_time t)
{
    struct cut cut = cover->n ? find_cut(cover, &(struct cut){0}, t) : (struct cut){0};

    return cut.block * NSC_COVER_BLOCK + cut.k;
}

/* ---- ascending times ---- */

static void enter_interval(struct nsc_cover_cursor *cursor, uint32_t i)
{
    cursor->i = i;
    cursor->at = i < cursor->cover->n ? nsc_cover_at(cursor->cover, i)
                                      : (struct nsc_window){INT64_MAX, INT64_MAX};
}

void nsc_cover_cursor_init(struct nsc_cover_cursor *cursor, const struct nsc_cover *cover)
{
    *cursor = (struct nsc_cover_cursor){.cover = cover};
    enter_interval(cursor, 0);
}

/* Searches from the block of the interval, for a time after that interval. */
static void jump_to(struct nsc_cover_cursor *cursor, nsc_time t)
{
    const struct nsc_cover *cover = cursor->cover;
    uint32_t block = cursor->i / NSC_COVER_BLOCK;
    struct cut cut = find_cut(cover, &(struct cut){.block = block}, t);

    cursor->before = cover->blocks[cut.block].before + cut.lengths;
    enter_interval(cursor, cut.block * NSC_COVER_BLOCK + cut.k);
}

uint64_t nsc_cover_cursor_step(struct nsc_cover_cursor *cursor, nsc_time t)
{
    uint32_t n = cursor->cover->n;

    for (int i = 0; i < STEPS && cursor->i < n && cursor->at.t1 <= t; i++) {
        cursor->before += (uint64_t)cursor->at.t1 - (uint64_t)cursor->at.t0;
        enter_interval(cursor, cursor->i + 1);
    }
    if (cursor->i < n && cursor->at.t1 <= t)
        jump_to(cursor, t);
    return cursor->before + (t > cursor->at.t0 ? (uint64_t)t - (uint64_t)cursor->at.t0 : 0);
}
