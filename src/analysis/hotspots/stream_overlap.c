/*
 * Measures how much compute, communication and copies of a device run at once, and the most
 * operations at a time. Times are unions over all streams, so no share exceeds 100 %.
 */
#include "nsyscope/cover.h"

#include "analysis/base/device_ops.h"
#include "analysis/base/tally.h"
#include "analysis/hotspots/parts.h"
#include "core/sort.h"
#include "core/sum.h"
#include "index/lane_merge.h"

enum class { COMPUTE, COMM, COPY, N_CLASSES };

static const char *const words[N_CLASSES] = {"compute", "communication", "copies"};

struct keeping {
    const struct nsc_scope *scope;
    enum class class;
};

static bool keep(const void *context, nsc_event event)
{
    const struct keeping *keeping = context;
    enum nsc_op_class work;

    if (!nsc_scope_has(keeping->scope, event) ||
        !nsc_trace_work_of(keeping->scope->trace, event, &work) || work == NSC_OP_MEMSET)
        return false;
    return keeping->class == (work == NSC_OP_COMPUTE ? COMPUTE : work == NSC_OP_COMM ? COMM : COPY);
}

struct overlap_row {
    int64_t device;
    const char *work;
    nsc_time busy, overlap, with[N_CLASSES]; /* overlap: with any other class */
    double share;
};

struct at_once_row {
    int64_t device, most;
};

struct own_lanes {
    uint32_t *at;
    size_t n, capacity;
};

static nsc_time measure(const struct nsc_cover *cover, struct nsc_window window)
{
    return cover ? nsc_cover_measure(cover, window) : 0;
}

/* The time of each class, of two classes at once, and of all three. */
struct shared_times {
    nsc_time of[N_CLASSES][N_CLASSES];
    nsc_time all;
};

static struct nsc_cover *intersect(const struct nsc_cover *a, const struct nsc_cover *b)
{
    struct nsc_cover *both = nsc_cover_intersect(a, b);

    if (!both)
        nsc_die_oom();
    return both;
}

static struct shared_times measure_shared(const struct nsc_cover *const covers[N_CLASSES],
                                          struct nsc_window window)
{
    struct shared_times times;

    for (unsigned a = COMPUTE; a < N_CLASSES; a++) {
        unsigned b = (a + 1) % N_CLASSES;
        struct nsc_cover *both = intersect(covers[a], covers[b]);

        times.of[a][a] = measure(covers[a], window);
        times.of[a][b] = times.of[b][a] = measure(both, window);
        if (a == COMPUTE) {
            struct nsc_cover *all = intersect(both, covers[COPY]);

            times.all = measure(all, window);
            nsc_cover_free(all);
        }
        nsc_cover_free(both);
    }
    return times;
}

static void add_class(struct nsc_sheet *sheet, int64_t device, const struct shared_times *times,
                      enum class class)
{
    const nsc_time *with = times->of[class];
    struct overlap_row row = {device, words[class], with[class], 0, {0}, 0};

    row.overlap =
        nsc_sum(with[(class + 1) % N_CLASSES] - times->all, with[(class + 2) % N_CLASSES]);
    row.share = nsc_percent(row.overlap, row.busy);
    for (unsigned i = 0; i < N_CLASSES; i++)
        row.with[i] = with[i];
    NSC_SHEET_ADD_ROW(sheet, &row);
}

/* ---- the most at once ---- */

/* The ends of the operations that run, and of some that have ended; the most that ran at once. */
struct running {
    nsc_time *at;
    size_t n, capacity;
    size_t most;
};

/* An operation that ends as another starts does not overlap it. Those that have ended are dropped
 * only when more might run than ever before. */
static void add_running(struct running *running, nsc_time start, nsc_time end)
{
    size_t n = 0;

    if (running->n == running->most) {
        for (size_t i = 0; i < running->n; i++)
            if (running->at[i] > start)
                running->at[n++] = running->at[i];
        running->n = n;
    }
    *NSC_VEC_ADD(running) = end;
    running->most = running->n > running->most ? running->n : running->most;
}

static bool has_length(const void *context, nsc_event event)
{
    const struct nsc_scope *scope = context;

    return nsc_event_duration(nsc_trace_events(scope->trace), event) > 0 &&
           nsc_scope_has(scope, event);
}

static void pass_lanes(struct running *running, const struct nsc_scope *scope,
                       const struct own_lanes *lanes)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    struct nsc_lane_merge merge;

    nsc_lane_merge_init(&merge, scope->trace, lanes->at, (uint32_t)lanes->n);
    nsc_lane_merge_set_filter(&merge, has_length, scope);
    for (nsc_event event; (event = nsc_lane_merge_next(&merge)) != NSC_NONE;)
        add_running(running, events->start[event], nsc_event_end(events, event));
    nsc_lane_merge_fini(&merge);
}

static void pass_device(struct running *running, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_device_ops work;
    struct nsc_device_op op;

    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op))
        if (op.start < op.end)
            add_running(running, op.start, op.end);
    nsc_device_ops_fini(&work);
}

/* The most operations at once, of a device if its streams are those of the lanes. */
static int64_t most_at_once(const struct nsc_scope *scope, const struct own_lanes *lanes,
                            uint32_t device)
{
    struct running running = {0};

    if (device == NSC_NONE || scope->has_window)
        pass_lanes(&running, scope, lanes);
    else
        pass_device(&running, scope, device);
    NSC_VEC_FINI(&running);
    return (int64_t)running.most;
}

/* ---- devices ---- */

/* The covers of the classes. Owned, or borrowed from the trace. */
struct class_covers {
    const struct nsc_cover *of[N_CLASSES];
    struct nsc_cover *own[N_CLASSES]; /* NULL: borrowed */
};

/* The GPU whose streams are exactly those of a device; NSC_NONE: there is none. */
static uint32_t find_group(const struct nsc_trace *trace, const struct nsc_sort_pair streams[],
                           size_t n)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    uint32_t found = nsc_trace_group_of(trace, streams[0].value);

    for (size_t i = 1; i < n; i++)
        if (nsc_trace_group_of(trace, streams[i].value) != found)
            return NSC_NONE;
    for (uint32_t t = found; t < nsc_group_end(tracks, found); t++)
        if (tracks[t].kind == NSC_TRACK_STREAM &&
            tracks[t].device != tracks[streams[0].value].device)
            return NSC_NONE;
    return found;
}

/* The union of the copies' covers; the caller frees it. */
static struct nsc_cover *unite_copies(const struct nsc_trace *trace,
                                      const struct nsc_device_covers *known)
{
    static const enum nsc_op_class copies[] = {NSC_OP_HTOD, NSC_OP_DTOH, NSC_OP_PEER};
    struct nsc_cover *all = nsc_cover_build(trace, NULL, 0, NULL, NULL);

    for (unsigned i = 0; i < NSC_COUNT_OF(copies) && all; i++) {
        const struct nsc_cover *more = known->work[copies[i]];
        struct nsc_cover *both = more ? nsc_cover_union(all, more) : NULL;

        if (!more)
            continue;
        nsc_cover_free(all);
        all = both;
    }
    return all;
}

static struct nsc_cover *cover_class(const struct nsc_scope *scope, const struct own_lanes *own,
                                     const struct nsc_device_covers *known, enum class class)
{
    struct keeping keeping = {scope, class};

    if (known && class == COPY)
        return unite_copies(scope->trace, known);
    return nsc_cover_build(scope->trace, own->at, known ? 0 : (uint32_t)own->n, keep, &keeping);
}

/* Takes the covers from the trace if it has the same rows. group: the device; NSC_NONE: no track
 * has all of its streams. */
static void cover_classes(struct class_covers *covers, const struct nsc_scope *scope,
                          const struct own_lanes *own, uint32_t group)
{
    const struct nsc_device_covers *known = group == NSC_NONE || scope->mask || scope->has_window
                                                ? NULL
                                                : nsc_trace_device_covers(scope->trace, group);

    *covers = (struct class_covers){0};
    if (known)
        covers->of[COMPUTE] = known->work[NSC_OP_COMPUTE];
    if (known)
        covers->of[COMM] = known->work[NSC_OP_COMM];
    for (unsigned i = 0; i < N_CLASSES; i++) {
        if (covers->of[i])
            continue;
        covers->own[i] = cover_class(scope, own, known, (enum class)i);
        if (!covers->own[i])
            nsc_die_oom();
        covers->of[i] = covers->own[i];
    }
}

/* streams: their tracks. */
static void add_device(struct nsc_sheet *sheet, struct nsc_sheet *once,
                       const struct nsc_scope *scope, const struct nsc_sort_pair streams[],
                       size_t n)
{
    int64_t device = nsc_trace_track(scope->trace, streams[0].value)->device;
    uint32_t group = find_group(scope->trace, streams, n);
    struct class_covers covers;
    struct shared_times times;
    struct own_lanes own = {0};

    for (size_t i = 0; i < n; i++) {
        const struct nsc_track *track = nsc_trace_track(scope->trace, streams[i].value);

        for (uint32_t k = 0; k < track->n_lanes; k++)
            *NSC_VEC_ADD(&own) = track->first_lane + k;
    }
    cover_classes(&covers, scope, &own, group);
    times = measure_shared(
        covers.of, scope->has_window ? scope->window : (struct nsc_window){INT64_MIN, INT64_MAX});
    for (unsigned i = 0; i < N_CLASSES; i++)
        if (nsc_cover_count(covers.of[i]))
            add_class(sheet, device, &times, (enum class)i);
    NSC_ADD_ROW(once, at_once_row, .device = device, .most = most_at_once(scope, &own, group));
    for (unsigned i = 0; i < N_CLASSES; i++)
        nsc_cover_free(covers.own[i]);
    NSC_VEC_FINI(&own);
}

void nsc_hotspots_stream_overlap(struct nsc_hotspots *report)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(overlap_row, device, "device_id"),
        NSC_COLUMN_TEXT(overlap_row, work, "work"),
        NSC_COLUMN_MS(overlap_row, busy, "busy_ms"),
        NSC_COLUMN_MS(overlap_row, with[0], "with_compute_ms"),
        NSC_COLUMN_MS(overlap_row, with[1], "with_communication_ms"),
        NSC_COLUMN_MS(overlap_row, with[2], "with_copies_ms"),
        NSC_COLUMN_PCT(overlap_row, share, "overlap_pct", "the time this work is busy"),
        NSC_COLUMN_NS(overlap_row, busy, "busy_ns"),
        NSC_COLUMN_NS(overlap_row, overlap, "overlap_ns"),
    };
    static const struct nsc_sheet_column once_columns[] = {
        NSC_COLUMN_ID(at_once_row, device, "device_id"),
        NSC_COLUMN_COUNT(at_once_row, most, "max_at_once"),
    };
    struct nsc_sheet *sheet;
    struct nsc_sheet *once;
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(report->query->scope.trace, &n);
    struct nsc_tally devices = {0}; /* in the order of their first streams */
    struct nsc_sort_pair *streams;  /* by device, then track */
    size_t n_streams = 0;

    (void)NSC_HOTSPOTS_SHEET(report, "stream_overlap", "Work at the same time", columns);
    once = NSC_HOTSPOTS_SHEET(report, "concurrency", "Operations at once", once_columns);
    sheet = once - 1; /* adding the second sheet may have moved the first */
    streams = nsc_xcalloc(2 * (size_t)n + 1, sizeof *streams);
    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_STREAM)
            streams[n_streams++] =
                (struct nsc_sort_pair){nsc_tally_group(&devices, (uint64_t)tracks[t].device, 0), t};
    nsc_sort_pairs(streams, streams + n, n_streams);
    for (size_t i = 0, end = 0; i < n_streams; i = end) {
        while (end < n_streams && streams[end].key == streams[i].key)
            end++;
        add_device(sheet, once, &report->query->scope, &streams[i], end - i);
    }
    nsc_tally_fini(&devices);
    free(streams);
    nsc_sheet_note(sheet,
                   "unions over all streams of the device; overlap: with any other work listed");
}
