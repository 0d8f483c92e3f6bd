/* Unit test of drawing: at constant size, no frame allocates memory. */
#include "support/app_world.h"
#include "support/cm.h"
#include "support/count_malloc.h"

TEST(a_frame_allocates_nothing)
{
    static const char *const keys[] = {"Down", "+", "Right", "Tab", "+",    "Shift+Left", "-",
                                       "p",    "T", "Down",  "f",   "Home", "Enter",      "0"};
    struct nsc_test_world world;

    nsc_test_world_init(&world, NULL);
    nsc_app_draw(world.app, &world.grid);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        unsigned long before = 0;

        nsc_test_press(&world, keys[i]);
        before = nsc_test_allocations();
        nsc_app_draw(world.app, &world.grid);
        assert_int_equal(nsc_test_allocations() - before, 0);
    }
    assert_true(!nsc_test_allocations_counted() || nsc_test_allocations() > 0);
    nsc_test_world_fini(&world);
}
