/*
 * Property tests of summed kernel time: each sum equals the one over all events.
 */
#include "analysis/base/device_ops.h"
#include "analysis/device/kernel_work.h"
#include "support/cm.h"
#include "support/gpu_world.h"

static void check_share(const struct gpu_world *world, const struct nsc_kernel_share *share)
{
    const struct nsc_events *events = nsc_trace_events(world->trace);
    struct nsc_kernel_share want = {.shortest = INT64_MAX, .slowest = NSC_NONE};

    for (nsc_event e = 0; e < events->n; e++) {
        nsc_time duration = nsc_event_duration(events, e);

        if (events->kind[e] != NSC_KIND_KERNEL || events->name[e] != share->name ||
            gpu_world_device(world, e) != share->device)
            continue;
        want.count++;
        want.work += duration;
        if (want.slowest == NSC_NONE || duration > want.longest) {
            want.longest = duration;
            want.slowest = e;
        }
        want.shortest = duration < want.shortest ? duration : want.shortest;
    }
    assert_int_equal(share->count, want.count);
    assert_int_equal(share->work, want.work);
    assert_int_equal(share->shortest, want.shortest);
    assert_int_equal(share->longest, want.longest);
    assert_int_equal(share->slowest, want.slowest);
}

TEST(sums_equal_those_of_all_events)
{
    struct gpu_world world = {.dice = dice_new(501)};

    for (int i = 0; i < 400; i++) {
        struct nsc_kernel_work work;
        uint64_t count = 0;
        uint32_t chained = 0; /* shares that are in the chain of their device */
        nsc_time sum = 0;

        gpu_world_roll(&world);
        nsc_kernel_work_build(&work, &world.scope);
        for (uint32_t k = 0; k < work.n; k++) {
            check_share(&world, &work.at[k]);
            assert_true(k == 0 || work.at[k - 1].work > work.at[k].work ||
                        (work.at[k - 1].work == work.at[k].work &&
                         work.at[k - 1].device <= work.at[k].device));
            assert_true(
                work.at[k].next == NSC_NONE ||
                (work.at[k].next > k && work.at[work.at[k].next].device == work.at[k].device));
            count += work.at[k].count;
            sum += work.at[k].work;
        }
        for (uint32_t d = NSC_NONE; (d = nsc_device_next(world.trace, d)) != NSC_NONE;)
            for (uint32_t k = work.first[d]; k != NSC_NONE; k = work.at[k].next) {
                assert_int_equal(work.at[k].device, d);
                chained++;
            }
        assert_int_equal(chained, work.n);
        assert_int_equal(count, work.count);
        assert_int_equal(sum, work.work);
        for (nsc_event e = 0; e < nsc_trace_events(world.trace)->n; e++)
            count -= nsc_trace_events(world.trace)->kind[e] == NSC_KIND_KERNEL &&
                     gpu_world_device(&world, e) != NSC_NONE;
        assert_int_equal(count, 0);
        nsc_kernel_work_fini(&work);
        gpu_world_clear(&world);
    }
}
