/*
 * Property tests of dumps: on random traces, windows and masks each format contains exactly the
 * rows that a scan finds, nested and balanced.
 * promises: C1 C5
 */
#include "core/bits.h"
#include "support/cm.h"
#include "support/dump_check.h"
#include "support/gpu_world.h"

enum { ROUNDS = 120 };

static struct dump_seen scan(const struct nsc_dump_query *query)
{
    const struct nsc_events *events = nsc_trace_events(query->trace);
    struct dump_seen seen = {0};

    for (nsc_event i = 0; i < events->n; i++) {
        if (query->mask && !nsc_bits_get(query->mask, i))
            continue;
        if (events->start[i] >= query->window.t1 ||
            nsc_event_touch_end(events, i) <= query->window.t0)
            continue;
        seen.events++;
        seen.duration += nsc_event_duration(events, i);
    }
    return seen;
}

static nsc_time scan_work(const struct nsc_dump_query *query)
{
    const struct nsc_events *events = nsc_trace_events(query->trace);
    nsc_time sum = 0;

    for (nsc_event i = 0; i < events->n; i++)
        if ((!query->mask || nsc_bits_get(query->mask, i)) && nsc_kind_is_gpu(events->kind[i]) &&
            events->start[i] < query->window.t1 &&
            nsc_event_touch_end(events, i) > query->window.t0)
            sum += nsc_event_duration(events, i);
    return sum;
}

static void compare(const struct nsc_dump_query *query, const struct dump_seen *want)
{
    struct nsc_buf out = dump_write(query, NSC_OK);
    struct dump_seen got = dump_check(query->format, (struct nsc_text){out.bytes, (uint32_t)out.n});

    assert_int_equal(got.events, want->events);
    assert_int_equal(got.duration, want->duration);
    nsc_buf_fini(&out);
}

TEST(every_format_holds_the_rows)
{
    struct gpu_world world = {.dice = dice_new(611)};

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_dump_query query = {.format = NSC_DUMP_CHROME};
        struct dump_seen want;

        gpu_world_roll(&world);
        query.trace = world.trace;
        query.mask = world.scope.mask;
        query.window = world.scope.window;
        want = scan(&query);
        for (int f = 0; f < NSC_N_DUMP_FORMATS; f++) {
            query.format = (enum nsc_dump_format)f;
            if (f != NSC_DUMP_FOLDED && f != NSC_DUMP_FOLDED_CPU && f != NSC_DUMP_FOLDED_SAMPLES &&
                f != NSC_DUMP_FOLDED_CAPTURED && f != NSC_DUMP_FOLDED_OWN && f != NSC_DUMP_PAGE &&
                want.events)
                compare(&query, &want);
        }
        query.format = NSC_DUMP_FOLDED;
        if (scan_work(&query) > 0) {
            struct nsc_buf out = dump_write(&query, NSC_OK);

            assert_int_equal(
                dump_check_folded((struct nsc_text){out.bytes, (uint32_t)out.n}).duration,
                scan_work(&query));
            nsc_buf_fini(&out);
        }
        gpu_world_clear(&world);
    }
}
