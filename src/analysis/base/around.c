/*
 * Finds the ranges around a call: keeps open ranges as a stack, or as a heap with the shortest first.
 */
#include "analysis/base/around.h"

#include "core/heap.h"
#include "index/lane_merge.h"

/* ---- sources ---- */

/* Reads the times of the row; after the end of its lane, they are out of reach. */
static inline void read_row(struct nsc_around_range *row, const struct nsc_events *events)
{
    bool is_row = row->id < row->tie;

    row->start = is_row ? events->start[row->id] : INT64_MAX;
    row->end = is_row ? nsc_event_touch_end(events, row->id) - 1 : INT64_MAX;
}

void nsc_around_nested(struct nsc_around *around, const struct nsc_trace *trace,
                       uint32_t first_lane, uint32_t n)
{
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL) + first_lane;
    struct nsc_around_range *rows = nsc_xmalloc(((size_t)n + 1) * sizeof *rows);

    *around = (struct nsc_around){
        .events = nsc_trace_events(trace), .is_nested = true, .n_nested = n, .until = INT64_MIN};
    for (uint32_t k = 0; k < n; k++) {
        rows[k] =
            (struct nsc_around_range){.id = lanes[k].first, .tie = lanes[k].first + lanes[k].n};
        read_row(&rows[k], around->events);
    }
    around->open.at = rows;
    around->open.capacity = (size_t)n + 1;
}

/* NOLINTNEXTLINE(readability-function-size): seven parameters, each of another kind */
void nsc_around_tracks(struct nsc_around *around, const struct nsc_trace *trace, uint32_t kinds,
                       uint64_t process, uint32_t tid,
                       bool (*next)(struct nsc_around *around, struct nsc_around_range *range),
                       void *context)
{
    uint32_t end = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &end);
    uint32_t t = tid == NSC_NONE ? 0 : nsc_trace_thread(trace, process, tid);
    NSC_VEC(struct nsc_row_range) rows = {0};

    if (tid != NSC_NONE && t != NSC_NONE)
        end = nsc_group_end(tracks, t);
    for (struct nsc_lane_walk at = nsc_track_lanes(trace, t, end, kinds); nsc_lane_walk_next(&at);)
        if (tracks[at.track].process == process)
            *NSC_VEC_ADD(&rows) =
                (struct nsc_row_range){at.rows->first, at.rows->first + at.rows->n};
    *around =
        (struct nsc_around){.events = nsc_trace_events(trace), .next = next, .context = context};
    nsc_lane_merge_open(&around->lanes, trace, rows.at, (uint32_t)rows.n);
    around->has_ahead = next(around, &around->ahead);
    NSC_VEC_FINI(&rows);
}

void nsc_around_fini(struct nsc_around *around)
{
    nsc_lane_merge_fini(&around->lanes);
    NSC_VEC_FINI(&around->open);
}

/* ---- all, latest ---- */

/* Drops ranges that ended. Nested ranges end from the top of the stack down; crossing ranges end
 * anywhere in it. */
static void drop_ended(struct nsc_around *around, nsc_time t)
{
    struct nsc_around_range *open = around->open.at;
    size_t n = around->open.n, kept = 0;

    while (n > 0 && open[n - 1].end < t)
        n--;
    around->open.n = n;
    if (n == 0 || open[n - 1].least >= t)
        return;
    for (size_t i = 0; i < n; i++)
        if (open[i].end >= t) {
            open[kept] = open[i];
            open[kept].least =
                kept > 0 ? nsc_earlier(open[kept - 1].least, open[i].end) : open[i].end;
            kept++;
        }
    around->open.n = kept;
}

static void open_ahead(struct nsc_around *around)
{
    struct nsc_around_range *range = NSC_VEC_ADD(&around->open);

    *range = around->ahead;
    range->least = range->end;
    if (around->open.n > 1)
        range->least = nsc_earlier(range[-1].least, range->end);
}

/* Moves to the first row of the lane that has not ended. Whether it has started. */
static inline bool opens(struct nsc_around_range *row, const struct nsc_events *events, nsc_time t)
{
    while (row->end < t) {
        row->id++;
        read_row(row, events);
    }
    return row->start <= t && row->id < row->tie;
}

static void step_nested(struct nsc_around *around, nsc_time t)
{
    struct nsc_around_range *rows = around->open.at; /* of all lanes, also those not open */
    uint32_t n = (uint32_t)around->open.n;

    while (n > 0 && rows[n - 1].end < t)
        n--;
    around->kept = n;
    if (n == around->open.n && t < around->until)
        return;
    while (n < around->n_nested && opens(&rows[n], around->events, t))
        n++;
    around->until = n < around->n_nested ? rows[n].start : INT64_MAX;
    around->open.n = n;
}

void nsc_around_step(struct nsc_around *around, nsc_time t0)
{
    if (around->is_nested) {
        step_nested(around, t0);
        return;
    }
    drop_ended(around, t0);
    while (around->ahead.start <= t0 && around->has_ahead) {
        if (around->ahead.end >= t0)
            open_ahead(around);
        around->has_ahead = around->next(around, &around->ahead);
    }
}

uint32_t nsc_around_latest(struct nsc_around *around, nsc_time t0, nsc_time t1)
{
    nsc_around_step(around, t0);
    for (size_t i = around->open.n; i-- > 0;)
        if (around->open.at[i].end >= t1)
            return around->open.at[i].id;
    return NSC_NONE;
}

/* ---- shortest ---- */

static bool starts_after(const struct nsc_around_range *a, const struct nsc_around_range *b)
{
    return a->start != b->start ? a->start > b->start : a->tie > b->tie;
}

static bool is_shorter(const void *context, const void *a, const void *b)
{
    const struct nsc_around_range *range = a;
    const struct nsc_around_range *other = b;
    uint64_t x = (uint64_t)range->end - (uint64_t)range->start;
    uint64_t y = (uint64_t)other->end - (uint64_t)other->start;

    (void)context;
    return x != y ? x < y : starts_after(range, other);
}

/* Without a cap, open is a heap. */
static struct nsc_heap heap_of(const struct nsc_around *around)
{
    return (struct nsc_heap){around->open.at, around->open.n, sizeof *around->open.at, is_shorter,
                             NULL};
}

static void open_shortest(struct nsc_around *around, const struct nsc_around_range *range)
{
    *NSC_VEC_ADD(&around->open) = *range;
    nsc_heap_add(heap_of(around));
}

/* Drops ended ranges until the shortest one has not ended. */
static uint32_t shortest_open(struct nsc_around *around, nsc_time t)
{
    while (around->open.n > 0 && around->open.at[0].end < t) {
        around->open.at[0] = around->open.at[--around->open.n];
        nsc_heap_set(heap_of(around));
    }
    return around->open.n > 0 ? around->open.at[0].id : NSC_NONE;
}

/* With a cap, open is a list in order of start, then tie. It keeps ended ranges, because they count
 * for the cap. */
static void insert(struct nsc_around *around, const struct nsc_around_range *range)
{
    size_t i = around->open.n;

    (void)NSC_VEC_ADD(&around->open);
    for (; i > 0 && starts_after(&around->open.at[i - 1], range); i--)
        around->open.at[i] = around->open.at[i - 1];
    around->open.at[i] = *range;
}

static uint32_t shortest_of_last(const struct nsc_around *around, nsc_time t)
{
    const struct nsc_around_range *found = NULL;
    size_t n = around->open.n;

    for (size_t i = n > around->cap ? n - around->cap : 0; i < n; i++)
        if (around->open.at[i].end >= t && (!found || is_shorter(NULL, &around->open.at[i], found)))
            found = &around->open.at[i];
    return found ? found->id : NSC_NONE;
}

uint32_t nsc_around_shortest(struct nsc_around *around, nsc_time t)
{
    while (around->has_ahead && around->ahead.start <= t) {
        if (around->cap > 0)
            insert(around, &around->ahead);
        else if (around->ahead.end >= t)
            open_shortest(around, &around->ahead);
        around->has_ahead = around->next(around, &around->ahead);
    }
    /* Ended ranges will not be around any later call, because times ascend. */
    return around->cap > 0 ? shortest_of_last(around, t) : shortest_open(around, t);
}
