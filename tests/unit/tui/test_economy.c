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

/* A cell with contents keeps some; blanks and letters stay. */
TEST(test_only_glyphs_of_the_window_become_ascii)
{
    struct nsc_grid grid;

    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, 3, 40);
    nsc_grid_puts(&grid, 0, 0, 5, NSC_ROLE_LABEL, "▁ab");
    nsc_grid_put(&grid, 0, 6, NSC_ROLE_KERNEL, 0x70, "▏");
    nsc_grid_put(&grid, 0, 7, NSC_ROLE_KERNEL, 0x70, "▇");
    nsc_grid_fill(&grid, (struct nsc_rect){0, 10, 1, 9}, NSC_ROLE_KERNEL, "█");
    nsc_grid_label(&grid, 0, 10, 7, nsc_text_from("漢abcde"));
    nsc_grid_puts(&grid, 1, 10, 20, NSC_ROLE_TEXT, "▾ é");
    nsc_grid_put(&grid, 2, 7, NSC_ROLE_KERNEL, 0x70, "▇");
    grid.window_col = 5;
    grid.window_end = 2;
    nsc_economy_apply(&grid);
    assert_memory_equal(nsc_grid_at(&grid, 0, 0)->text, "▁", 3); /* before the window */
    assert_string_equal(nsc_grid_at(&grid, 0, 6)->text, "|");
    assert_string_equal(nsc_grid_at(&grid, 0, 7)->text, "#");
    assert_string_equal(nsc_grid_at(&grid, 0, 8)->text, " ");
    assert_string_equal(nsc_grid_at(&grid, 0, 10)->text, "漢");
    assert_string_equal(nsc_grid_at(&grid, 0, 12)->text, "a");
    assert_string_equal(nsc_grid_at(&grid, 0, 18)->text, "#");
    assert_memory_equal(nsc_grid_at(&grid, 1, 10)->text, "▾", 3);
    assert_memory_equal(nsc_grid_at(&grid, 1, 12)->text, "é", 2);
    assert_memory_equal(nsc_grid_at(&grid, 2, 7)->text, "▇", 3); /* below it */
    nsc_grid_fini(&grid);
}

/* A zoom would change the hue of each cell. */
TEST(test_names_have_one_hue)
{
    struct nsc_grid grid;

    nsc_grid_init(&grid, false);
    nsc_grid_resize(&grid, 2, 16);
    for (int c = 0; c < 16; c++) {
        nsc_grid_put(&grid, 0, c, NSC_ROLE_KERNEL, c < 8 ? 0x70 : 0xa0, c % 2 ? "▂" : "▃");
        nsc_grid_put(&grid, 1, c, NSC_ROLE_OVERLAP_BOTH, c < 8 ? 0 : 0x70, "▇");
    }
    nsc_grid_label(&grid, 0, 4, 6, nsc_text_from("abcdef"));
    grid.window_col = 0;
    grid.window_end = 2;
    nsc_economy_apply(&grid);
    for (uint32_t c = 0; c < 16; c++) {
        assert_int_equal(nsc_grid_at(&grid, 0, c)->shade, 0xf0);
        assert_int_equal(nsc_grid_at(&grid, 1, c)->shade, 0xf0);
    }
    nsc_grid_fini(&grid);
}
