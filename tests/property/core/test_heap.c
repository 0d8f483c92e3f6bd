/*
 * Property tests of the priority queue: after each step its first item is the least of a plain list.
 */
#include "core/heap.h"
#include "core/vec.h"
#include "support/cm.h"
#include "support/dice.h"

enum { ROUNDS = 500, STEPS = 300 };

struct item {
    int64_t key;
    uint32_t number; /* no two items are equal */
};

static bool comes_before(const void *context, const void *a, const void *b)
{
    const struct item *x = a;
    const struct item *y = b;
    int64_t sign = *(const int64_t *)context;

    return x->key != y->key ? sign * x->key < sign * y->key : x->number < y->number;
}

struct world {
    struct dice dice;
    int64_t sign; /* -1: the greatest first */
    uint32_t numbers;
    NSC_VEC(struct item) items, list; /* the heap; the same items in any order */
};

static struct item roll_item(struct world *world)
{
    return (struct item){(int64_t)dice_below(&world->dice, 40) - 20, world->numbers++};
}

/* The place of the first item in the list. */
static size_t find_first(const struct world *world)
{
    size_t first = 0;

    for (size_t i = 1; i < world->list.n; i++)
        if (comes_before(&world->sign, &world->list.at[i], &world->list.at[first]))
            first = i;
    return first;
}

static struct nsc_heap heap_of(const struct world *world)
{
    return (struct nsc_heap){world->items.at, world->items.n, sizeof *world->items.at, comes_before,
                             &world->sign};
}

static void step(struct world *world)
{
    uint64_t act = dice_below(&world->dice, 5);
    size_t first = find_first(world);

    if (act < 2 || world->list.n == 0) {
        *NSC_VEC_ADD(&world->list) = *NSC_VEC_ADD(&world->items) = roll_item(world);
        nsc_heap_add(heap_of(world));
        return;
    }
    if (act == 2) {
        world->items.at[0] = world->list.at[first] = roll_item(world);
    } else {
        world->items.at[0] = world->items.at[--world->items.n];
        world->list.at[first] = world->list.at[--world->list.n];
    }
    nsc_heap_set(heap_of(world));
}

TEST(first_is_always_the_least_of_a_list)
{
    struct world world = {.dice = dice_new(0x4ea9)};

    for (int round = 0; round < ROUNDS; round++) {
        world.sign = round % 2 ? -1 : 1;
        for (uint64_t n = dice_below(&world.dice, 40); n > 0; n--)
            *NSC_VEC_ADD(&world.list) = *NSC_VEC_ADD(&world.items) = roll_item(&world);
        nsc_heap_init(heap_of(&world));
        for (int i = 0; i < STEPS; i++) {
            assert_int_equal(world.items.n, world.list.n);
            if (world.list.n > 0)
                assert_int_equal(world.items.at[0].number,
                                 world.list.at[find_first(&world)].number);
            step(&world);
        }
        NSC_VEC_CLEAR(&world.items);
        NSC_VEC_CLEAR(&world.list);
    }
    NSC_VEC_FINI(&world.items);
    NSC_VEC_FINI(&world.list);
}
