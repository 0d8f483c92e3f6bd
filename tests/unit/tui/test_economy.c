/* Unit tests of frames for slow links: when they are drawn, and their reduced contents. */
#include "support/cm.h"
#include "tui/economy.h"

#include <string.h>

static bool send(struct nsc_economy *economy, uint64_t *now, uint64_t ms)
{
    nsc_economy_queue(economy, *now);
    *now += ms;
    return nsc_economy_measure(economy, *now, true);
}

TEST(test_a_slow_frame_switches_on)
{
    struct nsc_economy economy = {0};
    uint64_t now = 1000;

    assert_false(send(&economy, &now, NSC_ECONOMY_SLOW_MS));
    assert_false(nsc_economy_is_on(&economy));
    assert_true(send(&economy, &now, NSC_ECONOMY_SLOW_MS + 1));
    assert_true(nsc_economy_is_on(&economy));
    assert_false(send(&economy, &now, NSC_ECONOMY_SLOW_MS + 1));
}

TEST(test_a_frame_that_waits_switches_on)
{
    struct nsc_economy economy = {0};

    nsc_economy_queue(&economy, 0);
    assert_false(nsc_economy_measure(&economy, 100, false));
    assert_true(nsc_economy_measure(&economy, 300, false));
    assert_false(nsc_economy_measure(&economy, 400, false));
}

TEST(test_only_many_quick_frames_switch_off)
{
    struct nsc_economy economy = {.slow = true};
    uint64_t now = 0;

    for (int i = 0; i < NSC_ECONOMY_QUICK_N - 1; i++)
        assert_false(send(&economy, &now, 0));
    assert_false(send(&economy, &now, NSC_ECONOMY_QUICK_MS + 1));
    for (int i = 0; i < NSC_ECONOMY_QUICK_N - 1; i++)
        assert_false(send(&economy, &now, 1));
    assert_true(send(&economy, &now, 1));
    assert_false(nsc_economy_is_on(&economy));
    economy.always = true;
    assert_true(nsc_economy_is_on(&economy));
}

TEST(test_nothing_to_send_says_nothing)
{
    struct nsc_economy economy = {0};

    assert_false(nsc_economy_measure(&economy, 10000, true));
    assert_false(nsc_economy_is_on(&economy));
}

/* A cell with contents keeps some; blanks stay blank. */
TEST(test_nothing_vanishes)
{
    struct nsc_grid grid;

    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, 2, 40);
    nsc_grid_puts(&grid, 0, 0, 5, NSC_ROLE_LABEL, "▁ab");
    nsc_grid_put(&grid, 0, 6, NSC_ROLE_KERNEL, 0x70, "▏");
    nsc_grid_put(&grid, 0, 7, NSC_ROLE_KERNEL, 0x70, "▇");
    nsc_grid_fill(&grid, (struct nsc_rect){0, 10, 1, 5}, NSC_ROLE_KERNEL, "█");
    nsc_grid_label(&grid, 0, 10, 5, nsc_text_from("漢abc"));
    nsc_grid_fill(&grid, (struct nsc_rect){1, 10, 1, 20}, NSC_ROLE_KERNEL, "█");
    nsc_grid_label(&grid, 1, 10, 20, nsc_text_from("abcdefghijklmnopqrst"));
    grid.window_col = 5;
    nsc_economy_apply(&grid);
    assert_memory_equal(nsc_grid_at(&grid, 0, 0)->text, "▁", 3);
    assert_memory_equal(nsc_grid_at(&grid, 0, 6)->text, "│", 3);
    assert_int_equal(nsc_grid_at(&grid, 0, 6)->shade, 0); /* only long bars keep a hue */
    assert_int_equal(nsc_grid_at(&grid, 1, 12)->shade, nsc_grid_at(&grid, 1, 29)->shade);
    assert_memory_equal(nsc_grid_at(&grid, 0, 7)->text, "▆", 3); /* full only where it is full */
    assert_memory_equal(nsc_grid_at(&grid, 0, 8)->text, " ", 1);
    for (uint32_t c = 10; c < 15; c++)
        assert_memory_equal(nsc_grid_at(&grid, 0, c)->text, "█", 3);
    assert_int_equal(nsc_grid_at(&grid, 0, 11)->width, 1);
    assert_false(nsc_cell_is_on_bar(nsc_grid_at(&grid, 0, 12)));
    assert_memory_equal(nsc_grid_at(&grid, 1, 12)->text, "c", 1);
    assert_true(nsc_cell_is_on_bar(nsc_grid_at(&grid, 1, 12)));
    nsc_grid_fini(&grid);
}
