/*
 * Measures how much compute, communication and copies of a device run at once, and the most
 * operations at a time. Times are unions over all streams, so no share exceeds 100 %.
 */
#include "nsyscope/cover.h"

#include "analysis/base/tally.h"
#include "analysis/hotspots/parts.h"
#include "core/sort.h"
#include "core/sum.h"
#include "index/lane_merge.h"

#include <stdlib.h>

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

static struct shared_times measure_shared(struct nsc_cover *const covers[N_CLASSES],
                                          struct nsc_window window)
{
    struct shared_times times;

    for (unsigned a = COMPUTE; a < N_CLASSES; a++) {
        unsigned b = (a + 1) % N_CLASSES;
        struct nsc_cover *both = intersect(covers[a], covers[b]);

        times.of[a][a] = nsc_cover_measure(covers[a], window);
        times.of[a][b] = times.of[b][a] = nsc_cover_measure(both, window);
        if (a == COMPUTE) {
            struct nsc_cover *all = intersect(both, covers[COPY]);

            times.all = nsc_cover_measure(all, window);
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

/* The most operations of these lanes at once. */
static int64_t most_at_once(const struct nsc_scope *scope, const struct own_lanes *lanes)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    struct running running = {0};
    struct nsc_lane_merge merge;

    nsc_lane_merge_init(&merge, scope->trace, lanes->at, (uint32_t)lanes->n);
    nsc_lane_merge_set_filter(&merge, has_length, scope);
    for (nsc_event event; (event = nsc_lane_merge_next(&merge)) != NSC_NONE;)
        add_running(&running, events->start[event], nsc_event_end(events, event));
    nsc_lane_merge_fini(&merge);
    NSC_VEC_FINI(&running);
    return (int64_t)running.most;
}

/* ---- devices ---- */

static void add_device(struct nsc_sheet *sheet, struct nsc_sheet *once,
                       const struct nsc_scope *scope, int64_t device, const struct own_lanes *own)
{
    struct nsc_cover *covers[N_CLASSES];
    struct shared_times times;

    for (unsigned i = 0; i < N_CLASSES; i++) {
        struct keeping keeping = {scope, (enum class)i};

        covers[i] = nsc_cover_build(scope->trace, own->at, (uint32_t)own->n, keep, &keeping);
        if (!covers[i])
            nsc_die_oom();
    }
    times = measure_shared(covers, scope->has_window ? scope->window
                                                     : (struct nsc_window){INT64_MIN, INT64_MAX});
    for (unsigned i = 0; i < N_CLASSES; i++) {
        if (nsc_cover_count(covers[i]))
            add_class(sheet, device, &times, (enum class)i);
        nsc_cover_free(covers[i]);
    }
    NSC_ADD_ROW(once, at_once_row, .device = device, .most = most_at_once(scope, own));
}

/* Adds each device, as its process numbers it, in the order of their first streams. */
static void add_devices(struct nsc_sheet *sheet, struct nsc_sheet *once,
                        const struct nsc_scope *scope)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n);
    struct nsc_tally devices = {0};
    struct nsc_sort_pair *streams = nsc_xcalloc(2 * (size_t)n + 1, sizeof *streams);
    struct own_lanes own = {0};
    uint32_t n_streams = 0;

    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_STREAM)
            streams[n_streams++] =
                (struct nsc_sort_pair){nsc_tally_group(&devices, (uint64_t)tracks[t].device, 0), t};
    nsc_sort_pairs(streams, streams + n, n_streams);
    for (uint32_t i = 0; i < n_streams; i++) {
        const struct nsc_track *track = &tracks[streams[i].value];

        for (uint32_t k = 0; k < track->n_lanes; k++)
            *NSC_VEC_ADD(&own) = track->first_lane + k;
        if (i + 1 < n_streams && streams[i + 1].key == streams[i].key)
            continue;
        add_device(sheet, once, scope, track->device, &own);
        NSC_VEC_CLEAR(&own);
    }
    NSC_VEC_FINI(&own);
    free(streams);
    nsc_tally_fini(&devices);
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

    (void)NSC_HOTSPOTS_SHEET(report, "stream_overlap", "Work at the same time", columns);
    once = NSC_HOTSPOTS_SHEET(report, "concurrency", "Operations at once", once_columns);
    sheet = once - 1; /* adding the second sheet may have moved the first */
    add_devices(sheet, once, &report->query->scope);
    nsc_sheet_note(sheet,
                   "unions over all streams of the device; overlap: with any other work listed");
}
