/*
 * Property tests of the covers of idle time by class: their totals equal those of the gaps, and
 * they are disjoint.
 */
#include "analysis/device/idle.h"
#include "analysis/device/idle_covers.h"
#include "support/cm.h"
#include "support/gpu_world.h"

enum { ROUNDS = 400 };

static const struct nsc_window always = {INT64_MIN / 4, INT64_MAX / 4};

static nsc_time measure(const struct nsc_cover *cover)
{
    return cover ? nsc_cover_measure(cover, always) : 0;
}

static nsc_time shared(const struct nsc_cover *a, const struct nsc_cover *b)
{
    struct nsc_cover *both = a && b ? nsc_cover_intersect(a, b) : NULL;
    nsc_time ns = measure(both);

    nsc_cover_free(both);
    return ns;
}

static enum nsc_idle_class class_of(enum nsc_gap_part part)
{
    switch (part) {
    case NSC_GAP_OVERHEAD:
        return NSC_IDLE_PROFILER;
    case NSC_GAP_MPI:
        return NSC_IDLE_MPI;
    case NSC_GAP_GIL:
    case NSC_GAP_GC:
    case NSC_GAP_CPU:
    case NSC_GAP_OFF_CPU:
        return NSC_IDLE_CPU;
    case NSC_GAP_SYNC:
    case NSC_GAP_COPY:
    case NSC_GAP_DRAINED:
    case NSC_GAP_OTHER_GPU:
    case NSC_GAP_ENDED:
        return NSC_IDLE_WAITS;
    case NSC_GAP_MEMORY:
    case NSC_GAP_LONG_LAUNCH:
    case NSC_GAP_LAUNCH:
    case NSC_GAP_CUDA:
        return NSC_IDLE_CALLS;
    case NSC_GAP_FILE:
    case NSC_GAP_LOCK:
    case NSC_GAP_SLEEP:
    case NSC_GAP_NETWORK:
    case NSC_GAP_EVENTS:
    case NSC_GAP_OS:
        return NSC_IDLE_OS;
    case NSC_GAP_UNKNOWN:
    case NSC_GAP_UNRECORDED:
        return NSC_N_IDLE_CLASSES;
    default:
        return NSC_IDLE_QUEUED;
    }
}

/* Returns how many classes have time. */
static int check_device(const struct nsc_trace *trace, uint32_t device)
{
    const struct nsc_cover *busy = nsc_trace_device_covers(trace, device)->busy;
    struct nsc_scope scope = nsc_scope_all(trace);
    nsc_time want[NSC_N_IDLE_CLASSES + 1] = {0};
    struct nsc_idle_covers covers;
    struct nsc_idle idle;
    int n = 0;
    bool built = nsc_idle_covers_build(&covers, trace, device);

    assert_int_equal(nsc_idle_build(&idle, &scope, device), built);
    if (!built)
        return 0;
    for (int i = 0; i < NSC_N_GAP_PARTS; i++)
        want[class_of((enum nsc_gap_part)i)] += idle.part[i];
    for (int i = 0; i < NSC_N_IDLE_CLASSES; i++) {
        n += want[i] > 0;
        assert_int_equal(measure(covers.of[i]), want[i]);
        assert_int_equal(shared(covers.of[i], busy), 0);
        for (int k = 0; k < i; k++)
            assert_int_equal(shared(covers.of[i], covers.of[k]), 0);
    }
    nsc_idle_covers_fini(&covers);
    nsc_idle_fini(&idle);
    return n;
}

TEST(test_covers_are_the_gaps)
{
    struct gpu_world world = {.dice = dice_new(0x1d1e)};
    int n = 0;

    for (int round = 0; round < ROUNDS; round++) {
        gpu_world_roll(&world);
        for (uint32_t device = gpu_world_next_device(&world, NSC_NONE); device != NSC_NONE;
             device = gpu_world_next_device(&world, device))
            n += check_device(world.trace, device);
        gpu_world_clear(&world);
    }
    assert_true(n > ROUNDS);
}
