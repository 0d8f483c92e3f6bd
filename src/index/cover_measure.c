/*
 * Measuring covers: one search and one running total for each cut between columns.
 */
#include "core/bisect.h"
#include "core/hints.h"
#include "index/cover_data.h"
#include "index/search.h"

/* The place of a time in a cover. */
struct cut {
    nsc_time t;
    uint32_t far, block; /* the last that start before t, else the first */
    uint32_t guess;      /* the block to look at first */
    uint32_t k;          /* the block's first interval that ends after t; the block's count if there
                          * is none */
    uint64_t lengths;    /* ns of the intervals before it */
    uint64_t before;     /* covered ns before t */
};

/* A batch of cuts takes each step together: while one cut is computed, the memory for the next ones
 * is on its way. */
#ifdef NSC_SMALL
enum { BATCH = 3, LINE = 64, STEPS = 2 };
#else
enum { BATCH = 32, LINE = 64, STEPS = 16 };
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

/* ---- the three steps of a cut; each follows the same step of the cut before, which is no later
 * ---- */

static void find_far(const struct nsc_cover *cover, struct cut *cut, const struct cut *before)
{
    const nsc_time *start = cover->far_start;
    uint32_t last = (nsc_cover_blocks(cover) - 1) / NSC_COVER_FAR;

    cut->far = nsc_search_starts(start, before->far, last, cut->t);
    cut->guess = cut->far * NSC_COVER_FAR;
    if (cut->far < last) /* a guess: blocks are evenly spaced */
        cut->guess += nsc_block_share(start[cut->far], start[cut->far + 1], cut->t) *
                      NSC_COVER_FAR / (UINT8_MAX + 1);
    NSC_FETCH(&cover->blocks[cut->guess]);
    NSC_FETCH(&cover->blocks[cut->guess + 1]);
}

/* The last of [low, high) that starts before t, else low. Searches from a guess. */
static uint32_t find_about(const struct nsc_cover_block *blocks, uint32_t low, uint32_t high,
                           uint32_t guess, nsc_time t)
{
    uint32_t step = 1;

    if (blocks[guess].start < t) {
        for (low = guess; step < high - low && blocks[low + step].start < t; step *= 2)
            low += step;
        high = step < high - low ? low + step : high;
    } else {
        for (high = guess; step < high - low && blocks[high - step].start >= t; step *= 2)
            high -= step;
        low = step < high - low ? high - step : low;
    }
    low++;
    NSC_BISECT(low, high, middle, blocks[middle].start < t);
    return low - 1;
}

/* The intervals near the time, and those from there to the nearer end of the block. */
NSC_FETCHER fetch_intervals(const struct nsc_cover *cover, const struct cut *cut)
{
    struct intervals intervals = intervals_of(cover, cut->block);
    const struct nsc_cover_block *block = &cover->blocks[cut->block];
    uint32_t to = intervals.n * 2 * intervals.width;
    uint32_t from = 0;

    if (cut->block + 1 < nsc_cover_blocks(cover))
        from = nsc_block_share(block[0].start, block[1].start, cut->t) * to / (UINT8_MAX + 1);
    if (from <= to / 2) {
        to = from + LINE;
        from = 0;
    }
    for (uint32_t i = from / LINE * LINE; i < to; i += LINE)
        NSC_FETCH(intervals.at + i);
}

static void find_block(const struct nsc_cover *cover, struct cut *cut, const struct cut *before)
{
    uint32_t n = nsc_cover_blocks(cover);
    uint32_t low = cut->far * NSC_COVER_FAR;
    uint32_t high = n - low < NSC_COVER_FAR ? n : low + NSC_COVER_FAR;

    low = before->block > low ? before->block : low;
    cut->block = find_about(cover->blocks, low, high, cut->guess > low ? cut->guess : low, cut->t);
    fetch_intervals(cover, cut);
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

/* ns of all blocks up to and including this one. */
static uint64_t sum_through(const struct nsc_cover *cover, uint32_t block)
{
    return block + 1 < nsc_cover_blocks(cover) ? cover->blocks[block + 1].before : cover->total;
}

static void find_time(const struct nsc_cover *cover, struct cut *cut, const struct cut *before)
{
    const struct nsc_cover_block *block = &cover->blocks[cut->block];
    struct intervals intervals = intervals_of(cover, cut->block);
    bool near = before->block == cut->block;
    uint64_t offset = offset_in(block, cut->t);
    uint32_t from = near ? before->k : 0;

    cut->k = find_interval(&intervals, from, offset);
    if (cut->k - from <= intervals.n - cut->k)
        cut->lengths = (near ? before->lengths : 0) + sum_lengths(&intervals, from, cut->k);
    else
        cut->lengths = sum_through(cover, cut->block) - block->before -
                       sum_lengths(&intervals, cut->k, intervals.n);
    cut->before = block->before + cut->lengths;
    if (cut->k < intervals.n && start_of(&intervals, cut->k) < offset)
        cut->before += offset - start_of(&intervals, cut->k);
}

/* ---- asking ---- */

static void find_cuts(const struct nsc_cover *cover, struct cut cuts[], uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++)
        find_far(cover, &cuts[i], &cuts[i - 1]);
    for (uint32_t i = 1; i <= n; i++)
        find_block(cover, &cuts[i], &cuts[i - 1]);
    for (uint32_t i = 1; i <= n; i++)
        find_time(cover, &cuts[i], &cuts[i - 1]);
}

static nsc_time to_time(uint64_t ns)
{
    return ns > (uint64_t)INT64_MAX ? INT64_MAX : (nsc_time)ns;
}

void nsc_cover_bins(const struct nsc_cover *cover, struct nsc_window w, uint32_t n, nsc_time out[])
{
    struct cut cuts[BATCH + 1] = {{.t = INT64_MIN}};
    uint32_t known = 0; /* cuts of this batch; the first one searches from the first interval */

    if (!cover->n)
        memset(out, 0, n * sizeof *out);
    for (uint32_t i = 0; i <= n && cover->n; i += known) {
        known = n + 1 - i < BATCH ? n + 1 - i : BATCH;
        for (uint32_t k = 1; k <= known; k++)
            cuts[k].t = nsc_window_cut(w, i + k - 1, n);
        find_cuts(cover, cuts, known);
        for (uint32_t k = i ? 1 : 2; k <= known; k++)
            out[i + k - 2] = to_time(cuts[k].before - cuts[k - 1].before);
        cuts[0] = cuts[known];
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
    struct cut cuts[2] = {{.t = INT64_MIN}, {.t = t}};

    if (!cover->n)
        return 0;
    find_cuts(cover, cuts, 1);
    return cuts[1].block * NSC_COVER_BLOCK + cuts[1].k;
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
    struct cut cuts[2] = {{.far = block / NSC_COVER_FAR, .block = block}, {.t = t}};

    find_cuts(cover, cuts, 1);
    cursor->before = cover->blocks[cuts[1].block].before + cuts[1].lengths;
    enter_interval(cursor, cuts[1].block * NSC_COVER_BLOCK + cuts[1].k);
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
