/* Unit tests of tracks: their order, labels and lanes. */
#include "index/builder.h"
#include "support/build_trace.h"
#include "support/cm.h"

#include <string.h>

/* A builder with one feed, for cases that plain rows do not cover. */
struct world {
    struct nsc_pool *pool;
    struct nsc_builder *builder;
    struct nsc_family *family;
    struct nsc_feed *feed;
};

static struct nsc_text text_of(const char *z)
{
    return (struct nsc_text){z, (uint32_t)strlen(z)};
}

static struct world open_world(void)
{
    struct world world = {nsc_pool_new(1), NULL, NULL, NULL};

    world.builder = nsc_builder_new(100, world.pool, NULL);
    world.family = nsc_family_new(world.builder, 1);
    world.feed = nsc_family_feed(world.family, 0);
    return world;
}

static void feed(struct world *world, struct nsc_track_key key, uint8_t kind, nsc_time ns,
                 const char *name)
{
    struct nsc_row row = {.end = ns, .kind = kind, .source = 1};

    row.track = nsc_feed_track(world->feed, &key);
    row.name = nsc_feed_name(world->feed, text_of(name), text_of(name));
    assert_true(nsc_feed_event(world->feed, &row));
}

static struct nsc_track_key stream(uint64_t process, int64_t device, int64_t context,
                                   int64_t number)
{
    return (struct nsc_track_key){NSC_TRACK_STREAM, 0, process, device, context, number, 0};
}

static struct nsc_track_key host(uint8_t kind, uint64_t process, uint32_t tid, int64_t domain)
{
    return (struct nsc_track_key){kind, tid, process, -1, -1, -1, domain};
}

static struct nsc_trace *finish(struct world *world)
{
    struct nsc_trace *trace = NULL;

    assert_int_equal(nsc_family_end(world->family, NULL), NSC_OK);
    assert_int_equal(nsc_builder_finish(&trace, world->builder, NULL), NSC_OK);
    nsc_builder_free(world->builder);
    nsc_pool_free(world->pool);
    return trace;
}

/* The labels of all tracks, one per line, indented by depth. */
static void assert_labels(const struct nsc_trace *trace, const char *expected)
{
    char got[1000] = "";
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_text label = nsc_trace_string(trace, tracks[i].label);

        assert_true(strlen(got) + label.n + 4 < sizeof got);
        strcat(got, tracks[i].depth ? "  " : "");
        strncat(got, label.bytes, label.n);
        strcat(got, "\n");
    }
    assert_string_equal(got, expected);
}

TEST(streams_are_ordered_by_work)
{
    struct world world = open_world();
    struct nsc_trace *trace = NULL;

    nsc_builder_device(world.builder, 0, text_of("NVIDIA H100"));
    feed(&world, stream(1, 0, 1, 14), NSC_KIND_COPY_DTOH, 50, "c");
    feed(&world, stream(1, 0, 1, 13), NSC_KIND_COPY_HTOD, 90, "c");
    feed(&world, stream(1, 0, 1, 21), NSC_KIND_KERNEL, 99, "ncclDevKernel_AllReduce");
    feed(&world, stream(1, 0, 1, 22), NSC_KIND_KERNEL, 999, "deep_ep_dispatch");
    feed(&world, stream(1, 0, 1, 7), NSC_KIND_KERNEL, 10, "gemm");
    feed(&world, stream(1, 0, 1, 8), NSC_KIND_KERNEL, 20, "gemm");
    feed(&world, stream(1, 0, 1, 15), NSC_KIND_MEMSET, 5, "m");
    feed(&world, stream(1, 0, 1, 16), NSC_KIND_COPY_PTOP, 6, "c");
    feed(&world, stream(1, 0, 1, 17), NSC_KIND_COPY_DTOD, 7, "c");
    trace = finish(&world);
    assert_labels(trace,
                  "GPU 0 NVIDIA H100\n  S8 compute\n  S7 compute\n  S22 communication\n  S21 NCCL\n"
                  "  S13 HtoD copies\n  S14 DtoH copies\n  S17 DtoD copies\n  S16 peer copies\n  "
                  "S15 memset\n");
    nsc_trace_free(trace);
}

TEST(labels_say_what_tells_streams_apart)
{
    struct world world = open_world();
    struct nsc_trace *trace = NULL;

    nsc_builder_device_map(world.builder, 2, 0, 1);
    nsc_builder_device_map(world.builder, 3, 1, 1);
    nsc_builder_stream(world.builder, 1, 1, 7, text_of("default"));
    feed(&world, stream(1, 0, 1, 7), NSC_KIND_KERNEL, 30, "k");
    feed(&world, stream(1, 0, 2, 7), NSC_KIND_KERNEL, 20, "k");
    feed(&world, stream(1, 0, 2, 9), NSC_KIND_KERNEL, 10, "k");
    feed(&world, stream(2, 0, 1, 7), NSC_KIND_KERNEL, 9, "k");
    feed(&world, stream(3, 1, 1, 7), NSC_KIND_KERNEL, 8, "k");
    trace = finish(&world);
    assert_labels(trace, "GPU 0\n  S7 compute ctx 1 default\n  S7 compute ctx 2\n  S9 compute\n"
                         "GPU 1\n  S7 compute pid 2\n  S7 compute pid 3\n");
    nsc_trace_free(trace);
}

/* Facts about a device alone belong to process 0, which does not count as a second user of it. */
TEST(one_process_on_a_device_is_not_named)
{
    struct world world = open_world();
    struct nsc_track_key fault = {NSC_TRACK_GPU_FAULT, 0, 0, 0, -1, -1, 0};
    struct nsc_trace *trace = NULL;

    feed(&world, fault, NSC_KIND_UM_GPU_FAULT, 5, "f");
    feed(&world, stream(4, 0, 1, 7), NSC_KIND_KERNEL, 30, "k");
    trace = finish(&world);
    assert_labels(trace, "GPU 0\n  S7 compute\n  GPU page faults\n");
    nsc_trace_free(trace);
}

TEST(threads_follow_their_process)
{
    struct world world = open_world();
    struct nsc_trace *trace = NULL;

    nsc_builder_process(world.builder, 5, text_of("/usr/bin/python3"));
    nsc_builder_thread(world.builder, 5, 6, text_of("main"));
    nsc_builder_domain(world.builder, 5, 2, text_of("NCCL"));
    feed(&world, host(NSC_TRACK_OSRT, 1, 1, 0), NSC_KIND_OSRT, 9, "poll");
    feed(&world, host(NSC_TRACK_OSRT, 5, 4, 0), NSC_KIND_OSRT, 9, "poll");
    feed(&world, host(NSC_TRACK_SYNC, 5, 0, 0), NSC_KIND_SYNC, 9, "s");
    feed(&world, host(NSC_TRACK_API, 5, 6, 0), NSC_KIND_API_RUNTIME, 9, "a");
    feed(&world, host(NSC_TRACK_MARKS, 5, 6, 0), NSC_KIND_NVTX_MARK, 0, "m");
    feed(&world, host(NSC_TRACK_NVTX, 5, 6, 3), NSC_KIND_NVTX_RANGE, 9, "r");
    feed(&world, host(NSC_TRACK_NVTX, 5, 6, 2), NSC_KIND_NVTX_RANGE, 9, "r");
    feed(&world, host(NSC_TRACK_NVTX, 5, 6, 0), NSC_KIND_NVTX_RANGE, 9, "r");
    feed(&world, stream(5, 0, 1, 7), NSC_KIND_KERNEL, 30, "k");
    trace = finish(&world);
    assert_labels(trace, "GPU 0\n  S7 compute\n"
                         "python3 5 \xc2\xb7 thread 6 main\n"
                         "  NVTX\n  NVTX NCCL\n  NVTX domain 3\n  NVTX marks\n  CUDA API\n"
                         "python3 5\n  CUDA sync\n"
                         "python3 5 \xc2\xb7 thread 4\n  OS runtime\n"
                         "process 1 \xc2\xb7 thread 1\n  OS runtime\n");
    nsc_trace_free(trace);
}

TEST(counters_lie_on_their_device)
{
    struct world world = open_world();
    struct nsc_track_key key = {NSC_TRACK_COUNTER, 0, 0, 1, -1, -1, 4};
    struct nsc_trace *trace = NULL;
    uint32_t name = nsc_feed_name(world.feed, text_of("memory"), text_of("memory"));
    uint32_t track = nsc_feed_track(world.feed, &key);
    const struct nsc_counter *counters = NULL;
    uint32_t n = 0;

    nsc_feed_running_total(world.feed, track);
    assert_true(nsc_feed_sample(world.feed, track, name, 30, -5000000000));
    assert_true(nsc_feed_sample(world.feed, track, name, 10, 7));
    assert_true(nsc_feed_sample(world.feed, track, name, 20, 5000000000));
    trace = finish(&world);
    assert_labels(trace, "GPU 1\n  memory\n");
    counters = nsc_trace_counters(trace, &n);
    assert_int_equal(n, 1);
    assert_int_equal(counters->n, 3);
    assert_int_equal(counters->track, 1);
    assert_true(counters->is_bytes);
    assert_int_equal(counters->time[0], 10);
    assert_int_equal(counters->value[0], 7);
    assert_int_equal(counters->value[1], 5000000007);
    assert_int_equal(counters->value[2], 7);
    assert_int_equal(counters->min, 7);
    assert_int_equal(counters->max, 5000000007);
    assert_int_equal(nsc_trace_events(trace)->n, 0);
    assert_int_equal(nsc_trace_extent(trace).t0, 10);
    nsc_trace_free(trace);
}
