/*
 * Measures the events of a window by group, in three phases that can pause after any row: sum them
 * in order of time, sort them by group, find the quantiles of each group.
 */
#include "analysis/select/selection.h"

#include "core/bisect.h"
#include "core/die.h"
#include "core/pages.h"
#include "core/sum.h"
#include "index/lane_merge.h"

#include <assert.h>
#include <stdlib.h>

enum { NVTX_COST = 3 }; /* the search for a range costs as much as this many rows */

enum phase { PHASE_ADD, PHASE_MIDDLE, PHASE_SORT, PHASE_MIDDLES, PHASE_DONE };

/* The sort key of a row: group << 32 | duration, or NSC_LONG for durations of the side table. */
typedef uint64_t rank_key;

struct long_row {
    uint32_t group;
    nsc_time duration;
};

/* Working data of a group until all is done. */
struct bucket {
    nsc_time reach;   /* end of the time that its events cover so far */
    uint32_t at, end; /* place of its keys: those before `at` are sorted in */
    uint32_t first;
};

/* The search for the k-th of keys[lo, hi), one pass at a time. */
struct quest {
    uint32_t group; /* NSC_NONE: all */
    bool p95;       /* else the median */
    uint32_t lo, hi;
    bool splitting; /* in the middle of a pass: next is the next key to read */
    bool equals;    /* the pass moves the keys as long as the pivot; shorter ones are before lo */
    uint32_t pivot, less, next;
    uint64_t dice;
};

struct nsc_selection {
    struct nsc_selection_query query;
    enum phase phase;
    struct nsc_lane_merge merge;
    struct nsc_row_range *lanes; /* sums_only: rows that are left, read lane by lane */
    uint32_t lane;               /* the first of lanes with rows */
    struct nsc_pivoting pivoting;
    uint32_t rows, seen; /* rows in the window, selected or not; rows read so far */
    rank_key *keys;      /* NULL: not asked for, too many events, or out of memory */
    size_t keys_bytes;
    uint32_t n_keys;
    NSC_VEC(struct long_row) longs;
    struct nsc_figures all;
    nsc_time reach;
    struct nsc_pivot_group *groups;
    struct bucket *buckets;
    uint32_t n, capacity;
    uint32_t sorting; /* the bucket being filled */
    struct quest quest;
};

/* ---- making ---- */

struct nsc_selection *nsc_selection_new(const struct nsc_selection_query *query)
{
    struct nsc_selection *selection = nsc_xcalloc(1, sizeof *selection);
    struct nsc_row_range *ranges = nsc_xmalloc((size_t)query->n_lanes * sizeof *ranges + 1);

    assert(!query->sums_only || query->pivot != NSC_PIVOT_NVTX);
    selection->query = *query;
    for (uint32_t i = 0; i < query->n_lanes; i++) {
        ranges[i] = nsc_lane_rows(query->trace, query->lanes[i], query->window);
        selection->rows += ranges[i].end - ranges[i].first;
    }
    nsc_lane_merge_open(&selection->merge, query->trace, ranges, query->n_lanes);
    nsc_pivoting_init(&selection->pivoting, query);
    selection->keys_bytes = (size_t)selection->rows * sizeof *selection->keys;
    if (!query->sums_only && selection->rows <= NSC_SELECTION_QUANTILES)
        selection->keys = nsc_pages_need(selection->keys_bytes);
    selection->reach = query->window.t0;
    selection->lanes = ranges;
    return selection;
}

static void drop_keys(struct nsc_selection *selection)
{
    if (selection->keys)
        nsc_pages_free(selection->keys, selection->keys_bytes);
    selection->keys = NULL;
}

void nsc_selection_free(struct nsc_selection *selection)
{
    if (!selection)
        return;
    drop_keys(selection);
    nsc_lane_merge_fini(&selection->merge);
    free(selection->lanes);
    nsc_pivoting_fini(&selection->pivoting);
    NSC_VEC_FINI(&selection->longs);
    free(selection->groups);
    free(selection->buckets);
    free(selection);
}

/* ---- adding up ---- */

/* Adds an event. part is clipped to the window. Rows come by start, so the time before *reach is
 * covered already. reach NULL: they come in another order. */
static void add_event(struct nsc_figures *figures, nsc_time *reach, nsc_time duration,
                      struct nsc_window part)
{
    figures->min = figures->count ? nsc_earlier(figures->min, duration) : duration;
    figures->max = nsc_later(figures->max, duration);
    figures->count++;
    figures->total = nsc_sum(figures->total, duration);
    figures->inside = nsc_sum(figures->inside, nsc_span(part.t0, part.t1));
    if (reach)
        figures->covered = nsc_sum(figures->covered, nsc_extend(reach, part.t0, part.t1));
}

/* Keeps the event that starts first, as if rows came by start. */
static void take_earlier(const struct nsc_selection *selection, nsc_event *like, nsc_event other)
{
    const nsc_time *start = selection->merge.events->start;

    if (start[other] < start[*like] || (start[other] == start[*like] && other < *like))
        *like = other;
}

static uint32_t find_group(struct nsc_selection *selection, nsc_event row)
{
    nsc_event like = NSC_NONE;
    uint32_t group = nsc_pivoting_find(&selection->pivoting, row, &like);

    if (group < selection->n) {
        if (selection->query.sums_only)
            take_earlier(selection, &selection->groups[group].like, like);
        return group;
    }
    if (selection->n == selection->capacity) {
        selection->capacity = selection->capacity ? 2 * selection->capacity : 16;
        selection->groups =
            nsc_xrealloc(selection->groups, selection->capacity, sizeof *selection->groups);
        selection->buckets =
            nsc_xrealloc(selection->buckets, selection->capacity, sizeof *selection->buckets);
    }
    selection->groups[selection->n] = (struct nsc_pivot_group){.like = like};
    selection->buckets[selection->n] = (struct bucket){.reach = selection->query.window.t0};
    return selection->n++;
}

static void add_row(struct nsc_selection *selection, nsc_event row)
{
    const struct nsc_events *events = selection->merge.events;
    struct nsc_window w = selection->query.window;
    nsc_time duration = nsc_event_duration(events, row);
    struct nsc_window part = {nsc_later(events->start[row], w.t0),
                              nsc_earlier(nsc_event_end(events, row), w.t1)};
    uint32_t group = find_group(selection, row);
    bool by_start = !selection->query.sums_only;

    add_event(&selection->groups[group].figures, by_start ? &selection->buckets[group].reach : NULL,
              duration, part);
    add_event(&selection->all, by_start ? &selection->reach : NULL, duration, part);
    if (!selection->keys)
        return;
    selection->keys[selection->n_keys++] = (uint64_t)group << 32 | events->duration[row];
    if (events->duration[row] == NSC_LONG)
        *NSC_VEC_ADD(&selection->longs) = (struct long_row){group, duration};
}

static int compare_lengths(const void *a, const void *b)
{
    const struct long_row *x = a;
    const struct long_row *y = b;

    return x->duration < y->duration ? -1 : x->duration > y->duration;
}

static int compare_longs(const void *a, const void *b)
{
    const struct long_row *x = a;
    const struct long_row *y = b;

    return x->group != y->group ? (x->group < y->group ? -1 : 1) : compare_lengths(a, b);
}

static void sort_longs(struct nsc_selection *selection, int (*compare)(const void *, const void *))
{
    if (selection->longs.n > 1)
        qsort(selection->longs.at, selection->longs.n, sizeof *selection->longs.at, compare);
}

static void begin_quest(struct nsc_selection *selection, uint32_t group, uint32_t lo, uint32_t hi)
{
    selection->quest = (struct quest){.group = group, .lo = lo, .hi = hi, .dice = 1};
}

static void spend(uint32_t *rows, uint32_t cost)
{
    *rows = *rows > cost ? *rows - cost : 0;
}

static nsc_event next_row(struct nsc_selection *selection)
{
    struct nsc_row_range *lane;

    if (!selection->query.sums_only)
        return nsc_lane_merge_next(&selection->merge);
    for (;; selection->lane++) {
        if (selection->lane == selection->query.n_lanes)
            return NSC_NONE;
        lane = &selection->lanes[selection->lane];
        if (lane->first < lane->end)
            return lane->first++;
    }
}

/* True once it has used up its rows. */
static bool add_rows(struct nsc_selection *selection, uint32_t *rows)
{
    uint32_t cost = selection->query.pivot == NSC_PIVOT_NVTX ? NVTX_COST : 1;

    for (; *rows > 0; spend(rows, cost)) {
        nsc_event row = next_row(selection);

        if (row == NSC_NONE)
            return false;
        selection->seen++;
        if (nsc_summary_has(selection->query.summary, row))
            add_row(selection, row);
    }
    return true;
}

/* ---- quantiles of each group ---- */

static uint32_t roll_below(struct quest *quest, uint32_t n)
{
    quest->dice = quest->dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((quest->dice >> 32) * n >> 32);
}

/* The middle of three keys at random places, so that no order of rows makes the search slow. */
static uint32_t pick_pivot(const struct nsc_selection *selection, struct quest *quest)
{
    uint32_t n = quest->hi - quest->lo;
    uint32_t a = (uint32_t)selection->keys[quest->lo + roll_below(quest, n)];
    uint32_t b = (uint32_t)selection->keys[quest->lo + roll_below(quest, n)];
    uint32_t c = (uint32_t)selection->keys[quest->lo + roll_below(quest, n)];

    if (a > b) {
        uint32_t swap = a;

        a = b;
        b = swap;
    }
    return c < a ? a : c > b ? b : c;
}

/* Moves keys shorter than the pivot, or as long, before `less`, without a branch to guess. False once
 * it has used up its rows. */
static bool split(rank_key *keys, struct quest *quest, uint32_t *rows)
{
    uint32_t n = quest->hi - quest->next < *rows ? quest->hi - quest->next : *rows;
    uint32_t end = quest->next + n;
    uint32_t less = quest->less;
    uint64_t limit = (uint64_t)quest->pivot + quest->equals;

    for (uint32_t i = quest->next; i < end; i++) {
        rank_key key = keys[i];

        keys[i] = keys[less]; /* both are long if key is */
        keys[less] = key;
        less += (uint32_t)key < limit;
    }
    quest->less = less;
    quest->next = end;
    *rows -= n;
    if (end < quest->hi)
        return false;
    quest->splitting = false;
    return true;
}

static void begin_split(const struct nsc_selection *selection, struct quest *quest)
{
    if (quest->splitting)
        return;
    if (!quest->equals)
        quest->pivot = pick_pivot(selection, quest);
    quest->less = quest->next = quest->lo;
    quest->splitting = true;
}

static uint32_t rank_wanted(const struct quest *quest, uint32_t n)
{
    return quest->p95 ? (uint32_t)(((uint64_t)n * 95 + 99) / 100) - 1 : (n - 1) / 2;
}

/* One of the longest rows of a group, by the number of longer ones. Rows are sorted by group, or,
 * for all groups, by duration alone. */
static nsc_time find_long(const struct nsc_selection *selection, uint32_t group, uint32_t longer)
{
    size_t low = 0;
    size_t high = selection->longs.n;

    if (group != NSC_NONE)
        NSC_BISECT(low, high, middle, selection->longs.at[middle].group <= group);
    return selection->longs.at[high - 1 - longer].duration;
}

static void end_quest(struct nsc_selection *selection, struct nsc_figures *figures,
                      uint32_t duration, uint32_t k)
{
    struct quest *quest = &selection->quest;
    nsc_time found = duration != NSC_LONG
                         ? (nsc_time)duration
                         : find_long(selection, quest->group, figures->count - 1 - k);

    if (quest->p95)
        figures->p95 = found;
    else
        figures->median = found;
}

/* Continues after a pass in a group whose keys begin at first; true once both quantiles are
 * found. */
static bool narrow(struct nsc_selection *selection, struct nsc_figures *figures, uint32_t first)
{
    struct quest *quest = &selection->quest;
    uint32_t k = rank_wanted(quest, figures->count);

    if (!quest->equals && first + k < quest->less) {
        quest->hi = quest->less;
        return false;
    }
    if (!quest->equals || first + k >= quest->less) { /* those as long come next, or are passed */
        quest->equals = !quest->equals;
        quest->lo = quest->less;
        return false;
    }
    end_quest(selection, figures, quest->pivot, k);
    if (quest->p95)
        return true;
    quest->p95 = true;
    quest->equals = false;
    quest->hi = first + figures->count;
    return false;
}

/* Finds the median and p95 of a group; true if it used up its rows first. */
static bool search(struct nsc_selection *selection, struct nsc_figures *figures, uint32_t first,
                   uint32_t *rows)
{
    do {
        begin_split(selection, &selection->quest);
        if (!split(selection->keys, &selection->quest, rows))
            return true;
    } while (!narrow(selection, figures, first));
    return false;
}

/* Each returns true if it used up its rows. */
static bool search_all(struct nsc_selection *selection, uint32_t *rows)
{
    return search(selection, &selection->all, 0, rows);
}

static bool search_groups(struct nsc_selection *selection, uint32_t *rows)
{
    for (;;) {
        uint32_t group = selection->quest.group;

        if (search(selection, &selection->groups[group].figures, selection->buckets[group].first,
                   rows))
            return true;
        if (++group == selection->n)
            return false;
        begin_quest(selection, group, selection->buckets[group].first,
                    selection->buckets[group].end);
    }
}

/* ---- sorting by group ---- */

static void begin_sort(struct nsc_selection *selection)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < selection->n; i++) {
        selection->buckets[i].first = selection->buckets[i].at = at;
        at += selection->groups[i].figures.count;
        selection->buckets[i].end = at;
    }
}

/* Sorts in place: swaps a key in the wrong bucket with the next key of its own bucket. */
static bool sort_rows(struct nsc_selection *selection, uint32_t *rows)
{
    rank_key *keys = selection->keys;

    for (; selection->sorting < selection->n; selection->sorting++) {
        struct bucket *here = &selection->buckets[selection->sorting];

        while (here->at < here->end) {
            rank_key key = keys[here->at];
            struct bucket *home = &selection->buckets[key >> 32];

            if (*rows == 0)
                return true;
            --*rows;
            if (home == here) {
                here->at++;
                continue;
            }
            keys[here->at] = keys[home->at];
            keys[home->at++] = key;
        }
    }
    return false;
}

/* ---- the phases ---- */

static int compare_groups(const void *a, const void *b)
{
    const struct nsc_pivot_group *x = a;
    const struct nsc_pivot_group *y = b;

    if (x->figures.inside != y->figures.inside)
        return x->figures.inside > y->figures.inside ? -1 : 1;
    if (x->figures.count != y->figures.count)
        return x->figures.count > y->figures.count ? -1 : 1;
    return x->like < y->like ? -1 : x->like > y->like;
}

static void finish(struct nsc_selection *selection)
{
    if (selection->n > 1)
        qsort(selection->groups, selection->n, sizeof *selection->groups, compare_groups);
    selection->phase = PHASE_DONE;
}

/* Begins the next phase. */
static void advance(struct nsc_selection *selection)
{
    if (selection->phase == PHASE_MIDDLES || !selection->keys || !selection->n) {
        finish(selection);
    } else if (selection->phase == PHASE_ADD) {
        sort_longs(selection, compare_lengths);
        begin_quest(selection, NSC_NONE, 0, selection->n_keys);
        selection->phase = PHASE_MIDDLE;
    } else if (selection->phase == PHASE_MIDDLE) {
        begin_sort(selection);
        selection->phase = PHASE_SORT;
    } else {
        sort_longs(selection, compare_longs);
        begin_quest(selection, 0, 0, selection->buckets[0].end);
        selection->phase = PHASE_MIDDLES;
    }
}

bool nsc_selection_step(struct nsc_selection *selection, uint32_t rows)
{
    static const struct {
        bool (*run)(struct nsc_selection *, uint32_t *budget);
        uint32_t a_row; /* keys that cost as much as a row */
    } phases[] = {
        [PHASE_ADD] = {add_rows, 1},
        [PHASE_MIDDLE] = {search_all, 8},
        [PHASE_SORT] = {sort_rows, 4},
        [PHASE_MIDDLES] = {search_groups, 4},
    };

    while (selection->phase != PHASE_DONE) {
        uint32_t keys = phases[selection->phase].a_row;
        uint32_t budget = rows < UINT32_MAX / keys ? rows * keys : UINT32_MAX;

        if (phases[selection->phase].run(selection, &budget))
            return true;
        rows = budget / keys;
        advance(selection);
    }
    return false;
}

bool nsc_selection_is_done(const struct nsc_selection *selection)
{
    return selection->phase == PHASE_DONE;
}

/* The sums take most of the time. */
uint32_t nsc_selection_permille(const struct nsc_selection *selection)
{
    static const uint32_t from[] = {0, 600, 700, 850, 1000};
    uint32_t begin = from[selection->phase];

    if (selection->phase != PHASE_ADD || !selection->rows)
        return begin;
    return (uint32_t)((uint64_t)selection->seen * from[PHASE_MIDDLE] / selection->rows);
}

const struct nsc_figures *nsc_selection_all(const struct nsc_selection *selection)
{
    return &selection->all;
}

const struct nsc_pivot_group *nsc_selection_groups(const struct nsc_selection *selection,
                                                   uint32_t *n)
{
    *n = selection->n;
    return selection->groups;
}

bool nsc_selection_has_quantiles(const struct nsc_selection *selection)
{
    return selection->keys || !selection->all.count;
}
