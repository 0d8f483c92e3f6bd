/*
 * Property test of several exports in one trace: it is the union of the single traces, each shifted
 * by its offset.
 */
#include "nsyscope/cover.h"
#include "nsyscope/job.h"
#include "nsyscope/summary.h"

#include "nsys/generate/generate.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/make_db.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4, ROUNDS = 6, COLUMNS = 37 };

struct world {
    struct dice dice;
    char folder[NSC_TEST_PATH];
    char path[MOST][NSC_TEST_PATH];
    const char *paths[MOST];
    uint32_t n;
    nsc_time offset[MOST];
    struct nsc_trace *single[MOST];
    struct nsc_job *job;
    struct nsc_trace *all;
};

static void make_export(struct world *world, uint32_t i)
{
    struct nsc_generate_options options = NSC_GENERATE_OPTIONS_INIT;
    nsc_time utc = 1700000000000000000 + (nsc_time)dice_below(&world->dice, 60000000000);
    struct nsc_error error = {NSC_OK, ""};
    char name[32];
    char sql[160];

    (void)snprintf(name, sizeof name, "rank%" PRIu32 ".sqlite", i);
    nsc_test_path(world->path[i], world->folder, name);
    world->paths[i] = world->path[i];
    options.kernels = 50 + dice_below(&world->dice, 300);
    options.devices = 1 + (uint32_t)dice_below(&world->dice, 2);
    options.layers = 1 + (uint32_t)dice_below(&world->dice, 3);
    options.seed = dice_next(&world->dice) >> 2;
    assert_int_equal(nsc_generate(world->path[i], &options, &error), NSC_OK);
    (void)snprintf(sql, sizeof sql,
                   "UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = %" PRId64, utc);
    nsc_test_db(world->path[i], sql);
    world->offset[i] = utc; /* less the first's, later */
}

static void load_single(struct world *world, uint32_t i)
{
    struct nsc_capture *capture = NULL;

    assert_int_equal(nsc_capture_open(&capture, world->path[i], NULL, NULL), NSC_OK);
    assert_int_equal(nsc_capture_load(&world->single[i], capture, NULL, NULL), NSC_OK);
    nsc_capture_close(capture);
}

static void world_make(struct world *world)
{
    struct nsc_job_options options = {.align = NSC_ALIGN_UTC};
    struct nsc_error error = {NSC_OK, ""};
    nsc_time first = 0;

    nsc_test_folder_new(world->folder);
    world->n = 2 + (uint32_t)dice_below(&world->dice, MOST - 1);
    for (uint32_t i = 0; i < world->n; i++)
        make_export(world, i);
    first = world->offset[0];
    for (uint32_t i = 0; i < world->n; i++) {
        world->offset[i] -= first;
        load_single(world, i);
    }
    if (nsc_job_open(&world->job, world->paths, world->n, &options, &error) != NSC_OK ||
        nsc_job_load(&world->all, world->job, NULL, &error) != NSC_OK)
        fail_msg("%s", error.text);
}

static void world_free(struct world *world)
{
    for (uint32_t i = 0; i < world->n; i++)
        nsc_trace_free(world->single[i]);
    nsc_trace_free(world->all);
    nsc_job_close(world->job);
    nsc_test_folder_free(world->folder);
}

static void same_string(const struct nsc_trace *a, nsc_str x, const struct nsc_trace *b, nsc_str y)
{
    struct nsc_text s = nsc_trace_string(a, x);
    struct nsc_text t = nsc_trace_string(b, y);

    assert_int_equal(s.n, t.n);
    assert_memory_equal(s.bytes, t.bytes, s.n);
}

static void same_text(const struct world *world, nsc_event at, uint32_t x, nsc_event event)
{
    static char a[NSC_NAME_BYTES];
    static char b[NSC_NAME_BYTES];
    struct nsc_text s = nsc_trace_event_text(world->all, at, false, a);
    struct nsc_text t = nsc_trace_event_text(world->single[x], event, false, b);

    assert_int_equal(s.n, t.n);
    assert_memory_equal(s.bytes, t.bytes, s.n);
}

static bool links_to_rows(uint8_t kind)
{
    return nsc_kind_is_gpu(kind) || nsc_kind_is_api(kind) || kind == NSC_KIND_SYNC;
}

static void check_events(const struct world *world, uint32_t x)
{
    const struct nsc_trace_info *info = &nsc_trace_captures(world->all, NULL)[x];
    const struct nsc_events *all = nsc_trace_events(world->all);
    const struct nsc_events *one = nsc_trace_events(world->single[x]);

    assert_int_equal(info->n_events, one->n);
    for (nsc_event i = 0; i < one->n; i++) {
        nsc_event at = info->first_event + i;

        assert_int_equal(all->start[at], one->start[i] + world->offset[x]);
        assert_int_equal(nsc_event_duration(all, at), nsc_event_duration(one, i));
        assert_int_equal(all->kind[at], one->kind[i]);
        assert_int_equal(all->source[at], one->source[i]);
        assert_int_equal(nsc_trace_capture_of(world->all, at), x);
        same_text(world, at, x, i);
        if (!links_to_rows(one->kind[i]))
            continue;
        assert_int_equal(all->link[at],
                         one->link[i] == NSC_NONE ? NSC_NONE : one->link[i] + info->first_event);
    }
}

static void check_tracks(const struct world *world, uint32_t x)
{
    const struct nsc_trace_info *info = &nsc_trace_captures(world->all, NULL)[x];
    uint32_t n = 0;
    const struct nsc_track *one = nsc_trace_tracks(world->single[x], &n);
    const struct nsc_track *all = nsc_trace_tracks(world->all, NULL);

    assert_int_equal(info->n_tracks, n + 1);
    assert_int_equal(all[info->first_track].kind, NSC_TRACK_CAPTURE);
    assert_int_equal(all[info->first_track].skip, info->first_track + n + 1);
    for (uint32_t t = 0; t < n; t++) {
        const struct nsc_track *track = &all[info->first_track + 1 + t];

        assert_int_equal(track->kind, one[t].kind);
        assert_int_equal(track->capture_no, x);
        assert_int_equal(track->depth, one[t].depth + 1);
        assert_int_equal(track->skip, one[t].skip + info->first_track + 1);
        assert_int_equal(track->n_lanes, one[t].n_lanes);
        assert_int_equal(track->process & 0xffffffffff, one[t].process);
        assert_int_equal(track->tid, one[t].tid);
        assert_int_equal(track->gpu, one[t].gpu);
        assert_int_equal(track->stream, one[t].stream);
        same_string(world->all, track->label, world->single[x], one[t].label);
    }
}

/* A window somewhere about the extent of a trace. */
static struct nsc_window roll_window(struct world *world, const struct nsc_trace *trace)
{
    struct nsc_window extent = nsc_trace_extent(trace);
    nsc_time length = extent.t1 - extent.t0;
    nsc_time t0 = extent.t0 + (nsc_time)dice_below(&world->dice, (uint64_t)length);

    return (struct nsc_window){t0, t0 + 1 + (nsc_time)dice_below(&world->dice, (uint64_t)length)};
}

static void check_bins(struct world *world, uint32_t x)
{
    const struct nsc_trace_info *info = &nsc_trace_captures(world->all, NULL)[x];
    uint32_t n = 0;
    const struct nsc_track *one = nsc_trace_tracks(world->single[x], &n);
    const struct nsc_track *all = nsc_trace_tracks(world->all, NULL);
    struct nsc_window w = roll_window(world, world->single[x]);
    struct nsc_window moved = {w.t0 + world->offset[x], w.t1 + world->offset[x]};

    for (uint32_t t = 0; t < n; t++)
        for (uint32_t lane = 0; lane < one[t].n_lanes; lane++) {
            struct nsc_bin a[COLUMNS];
            struct nsc_bin b[COLUMNS];

            nsc_lane_bins(world->single[x], nsc_trace_summary(world->single[x]),
                          one[t].first_lane + lane, w, COLUMNS, a);
            nsc_lane_bins(world->all, nsc_trace_summary(world->all),
                          all[info->first_track + 1 + t].first_lane + lane, moved, COLUMNS, b);
            for (uint32_t c = 0; c < COLUMNS; c++) {
                assert_int_equal(a[c].busy, b[c].busy);
                assert_int_equal(a[c].events, b[c].events);
                assert_int_equal(a[c].longest == NSC_NONE ? NSC_NONE
                                                          : a[c].longest + info->first_event,
                                 b[c].longest);
            }
        }
}

static void check_covers(struct world *world, uint32_t x)
{
    const struct nsc_trace_info *info = &nsc_trace_captures(world->all, NULL)[x];
    uint32_t n = 0;
    const struct nsc_track *one = nsc_trace_tracks(world->single[x], &n);
    struct nsc_window w = roll_window(world, world->single[x]);
    struct nsc_window moved = {w.t0 + world->offset[x], w.t1 + world->offset[x]};

    for (uint32_t t = 0; t < n; t++) {
        const struct nsc_device_covers *a = nsc_trace_device_covers(world->single[x], t);
        const struct nsc_device_covers *b =
            nsc_trace_device_covers(world->all, info->first_track + 1 + t);

        assert_int_equal(one[t].kind == NSC_TRACK_DEVICE, b != NULL);
        if (b && b->busy)
            assert_int_equal(nsc_cover_measure(a->busy, w), nsc_cover_measure(b->busy, moved));
    }
}

static void check_extent(const struct world *world)
{
    struct nsc_window all = nsc_trace_extent(world->all);
    struct nsc_window want = {INT64_MAX, INT64_MIN};

    for (uint32_t x = 0; x < world->n; x++) {
        struct nsc_window one = nsc_trace_extent(world->single[x]);

        one.t0 += world->offset[x];
        one.t1 += world->offset[x];
        want.t0 = one.t0 < want.t0 ? one.t0 : want.t0;
        want.t1 = one.t1 > want.t1 ? one.t1 : want.t1;
    }
    assert_int_equal(all.t0, want.t0);
    assert_int_equal(all.t1, want.t1);
}

TEST(a_job_is_the_union_of_its_exports)
{
    struct world world = {.dice = dice_new(20251121)};

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n = 0;

        world_make(&world);
        (void)nsc_trace_captures(world.all, &n);
        assert_int_equal(n, world.n);
        check_extent(&world);
        for (uint32_t x = 0; x < world.n; x++) {
            check_events(&world, x);
            check_tracks(&world, x);
            check_bins(&world, x);
            check_covers(&world, x);
        }
        world_free(&world);
    }
}
