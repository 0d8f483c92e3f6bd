/*
 * What the panes cost in a large export, in CPU time: statistics a slice at a time, the list of
 * events in each order, the spread of like events.
 *
 *     bench_panes FILE
 */
#include "nsyscope/open.h"

#include "analysis/select/listing.h"
#include "analysis/select/selection.h"
#include "analysis/select/standing.h"
#include "core/die.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINES = 60, STEPS = 200 };

struct lanes {
    uint32_t *at;
    uint32_t n;
};

static double clock_ms(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double now_ms(void)
{
    return clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

/* Those of all streams. */
static struct lanes device_lanes(const struct nsc_trace *trace)
{
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    struct lanes found = {nsc_xmalloc((size_t)n * sizeof(uint32_t) + 1), 0};

    for (uint32_t i = 0; i < n; i++)
        if (tracks[lanes[i].track].kind == NSC_TRACK_STREAM)
            found.at[found.n++] = i;
    return found;
}

static void measure_selection(const struct nsc_trace *trace, struct lanes lanes, const char *what,
                              enum nsc_pivot pivot)
{
    struct nsc_selection_query query = {
        .trace = trace,
        .lanes = lanes.at,
        .n_lanes = lanes.n,
        .window = {INT64_MIN, INT64_MAX},
        .pivot = pivot,
        .brief = true,
    };
    double start = now_ms();
    struct nsc_selection *selection = nsc_selection_new(&query);

    nsc_selection_run(selection, NULL);
    printf("statistics by %-18s %8.1f ms for %u events\n", what, now_ms() - start,
           nsc_selection_all(selection)->count);
    nsc_selection_free(selection);
}

static void measure_order(struct nsc_listing *listing, const char *what,
                          enum nsc_listing_order order)
{
    double start = now_ms();
    double wall = clock_ms(CLOCK_MONOTONIC);
    bool done = nsc_listing_sort(listing, NULL, order, true);

    printf("sort %-27s %8.1f ms for %u events%s, %.1f ms of wall time\n", what, now_ms() - start,
           listing->n, done ? "" : ": refused", clock_ms(CLOCK_MONOTONIC) - wall);
}

static void measure_listing(const struct nsc_trace *trace, struct lanes lanes)
{
    struct nsc_window w = {INT64_MIN, INT64_MAX};
    struct nsc_listing listing;
    nsc_event rows[LINES];
    double start = now_ms();

    nsc_listing_init(&listing, trace, nsc_trace_summary(trace), w, lanes.at, lanes.n);
    printf("list %-27s %8.3f ms\n", "by time", now_ms() - start);
    start = now_ms();
    for (uint32_t i = 0; i < STEPS; i++)
        (void)nsc_listing_at(&listing, (uint32_t)((uint64_t)listing.n * i / STEPS), LINES, rows);
    printf("%-32s %8.3f ms\n", "a page of it", (now_ms() - start) / STEPS);
    start = now_ms();
    for (uint32_t i = 0; listing.n && i < STEPS; i++)
        (void)nsc_listing_find(&listing, rows[i % LINES]);
    printf("%-32s %8.3f ms\n", "an event's place in it", (now_ms() - start) / STEPS);
    measure_order(&listing, "by duration", NSC_LISTING_DURATION);
    measure_order(&listing, "by name", NSC_LISTING_NAME);
    nsc_listing_fini(&listing);
}

static void measure(const struct nsc_trace *trace)
{
    struct lanes lanes = device_lanes(trace);
    const struct nsc_lane *at = nsc_trace_lanes(trace, NULL);
    struct lanes one = {lanes.at, lanes.n ? 1 : 0};
    struct nsc_histogram histogram;
    double start = 0;

    for (uint32_t i = 0; i < lanes.n; i++)
        if (at[lanes.at[i]].n > at[*one.at].n)
            one.at = &lanes.at[i];
    measure_selection(trace, one, "name, one row", NSC_PIVOT_NAME);
    measure_selection(trace, lanes, "name", NSC_PIVOT_NAME);
    measure_selection(trace, lanes, "row", NSC_PIVOT_TRACK);
    measure_selection(trace, lanes, "range", NSC_PIVOT_NVTX);
    measure_listing(trace, one);
    measure_listing(trace, lanes);
    start = now_ms();
    if (one.n)
        (void)nsc_event_standing(&histogram, trace, NULL, at[*one.at].first, false);
    printf("%-32s %8.1f ms\n", "spread of an event's like", now_ms() - start);
    free(lanes.at);
}

int main(int argc, char **argv)
{
    struct nsc_error error = {0};
    struct nsc_open_options options = {0};
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;

    if (argc != 2) {
        (void)fprintf(stderr, "usage: bench_panes FILE\n");
        return 2;
    }
    if (nsc_capture_open(&capture, argv[1], &options, &error) != NSC_OK ||
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    measure(trace);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
    return 0;
}
