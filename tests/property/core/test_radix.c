/*
 * Property tests of the radix sort: rows by keys of any range, few or many different ones, equal
 * those of qsort with ties broken by place.
 */
#include "core/radix.h"
#include "core/threads.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdlib.h>

enum { MAX_ROWS = 300, ROUNDS = 4000 };

struct oracle {
    uint32_t key, place, row;
};

static int compare(const void *a, const void *b)
{
    const struct oracle *x = a;
    const struct oracle *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

struct world {
    uint32_t keys[MAX_ROWS]; /* by row */
    uint32_t rows[MAX_ROWS];
};

static void tell(const void *context, uint32_t at, uint32_t n, uint64_t pairs[])
{
    const struct world *world = context;

    assert_true(n <= NSC_RADIX_BATCH);
    for (uint32_t i = 0; i < n; i++)
        pairs[i] = nsc_radix_pair(world->keys[world->rows[at + i]], world->rows[at + i]);
}

/* From 0 to 32 bits, including both. Returns the number. */
static uint32_t roll_keys(struct dice *dice, uint32_t *keys)
{
    uint32_t bits = (uint32_t)dice_below(dice, 33);
    uint32_t mask = bits == 32 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;

    for (uint32_t i = 0; i < MAX_ROWS; i++) {
        keys[i] = (uint32_t)dice_next(dice) & mask;
        if (!dice_below(dice, 8))
            keys[i] = dice_below(dice, 2) ? 0 : mask;
    }
    return mask;
}

TEST(rows_sort_like_qsort)
{
    struct dice dice = dice_new(41);
    struct nsc_pool *pools[] = {nsc_pool_new(3), nsc_pool_new(1)};
    static struct world world;
    static uint32_t out[MAX_ROWS + 1];
    static struct oracle want[MAX_ROWS];

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t n = (uint32_t)dice_below(&dice, dice_below(&dice, 4) ? MAX_ROWS : 5);

        uint32_t most = roll_keys(&dice, world.keys);

        for (uint32_t i = 0; i < n; i++) {
            uint32_t row = (uint32_t)dice_below(&dice, MAX_ROWS);

            world.rows[i] = row;
            want[i] = (struct oracle){world.keys[row], i, row};
        }
        qsort(want, n, sizeof *want, compare);
        out[n] = 0xdead;
        assert_true(nsc_radix_sort(out, pools[round % 2], n, most, tell, &world));
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(out[i], want[i].row);
        assert_int_equal(out[n], 0xdead);
    }
    nsc_pool_free(pools[0]);
    nsc_pool_free(pools[1]);
}
