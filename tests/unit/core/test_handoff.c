/* Unit tests of the handoff: every record arrives once and in order. */
#include "core/handoff.h"
#include "core/threads.h"
#include "support/cm.h"

struct passing {
    struct nsc_handoff *handoff;
    uint32_t n; /* records that are written */
    uint32_t taken, out_of_order;
};

static void pass(void *context, unsigned worker, uint32_t task)
{
    struct passing *passing = context;
    const uint32_t *records;
    size_t n = 0;

    (void)worker;
    if (task == 0) {
        for (uint32_t i = 0; i < passing->n; i++)
            *(uint32_t *)nsc_handoff_add(passing->handoff) = i;
        nsc_handoff_end(passing->handoff);
        return;
    }
    while ((records = nsc_handoff_take(passing->handoff, &n)))
        for (size_t i = 0; i < n; i++)
            passing->out_of_order += records[i] != passing->taken++;
}

TEST(records_arrive_in_order)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 4, 6, 7, 100, 8192, 32769, 100000};
    struct nsc_pool *pool = nsc_pool_new(2);

    for (size_t i = 0; i < sizeof counts / sizeof *counts && nsc_pool_threads(pool) > 1; i++) {
        struct passing passing = {.handoff = nsc_handoff_new(sizeof(uint32_t)), .n = counts[i]};

        nsc_pool_run(pool, 2, pass, &passing);
        assert_int_equal(passing.taken, counts[i]);
        assert_int_equal(passing.out_of_order, 0);
        nsc_handoff_free(passing.handoff);
    }
    nsc_pool_free(pool);
}
