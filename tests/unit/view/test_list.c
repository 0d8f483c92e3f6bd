/*
 * Unit tests of scrolling lists.
 */
#include "support/cm.h"
#include "view/kit/list.h"

static void is_at(const struct nsc_list *list, size_t cursor, size_t top)
{
    assert_int_equal(list->cursor, cursor);
    assert_int_equal(list->top, top);
}

TEST(the_cursor_drags_the_lines_along)
{
    struct nsc_list list = {.n = 10, .height = 4};

    assert_true(nsc_list_move(&list, 3));
    is_at(&list, 3, 0);
    assert_true(nsc_list_move(&list, 1));
    is_at(&list, 4, 1);
    assert_true(nsc_list_move(&list, INT64_MAX));
    is_at(&list, 9, 6);
    assert_false(nsc_list_move(&list, 1));
    assert_true(nsc_list_move(&list, INT64_MIN));
    is_at(&list, 0, 0);
    assert_false(nsc_list_move(&list, -1));
}

TEST(a_page_keeps_one_line)
{
    struct nsc_list list = {.n = 10, .height = 4, .cursor = 1};

    assert_true(nsc_list_page(&list, 1));
    is_at(&list, 4, 3);
    assert_true(nsc_list_page(&list, 2));
    is_at(&list, 9, 6);
    assert_true(nsc_list_page(&list, -1));
    is_at(&list, 6, 3);
    assert_true(nsc_list_page(&list, INT64_MIN));
    is_at(&list, 0, 0);
}

TEST(scrolling_keeps_the_cursor_in_sight)
{
    struct nsc_list list = {.n = 10, .height = 4, .cursor = 1};

    assert_true(nsc_list_scroll(&list, 3));
    is_at(&list, 3, 3);
    assert_true(nsc_list_scroll(&list, -3));
    is_at(&list, 3, 0);
    assert_true(nsc_list_scroll(&list, 100));
    is_at(&list, 6, 6);
    assert_false(nsc_list_scroll(&list, 1));
}

TEST(it_survives_becoming_smaller)
{
    struct nsc_list list = {.n = 10, .height = 4, .cursor = 9, .top = 6};

    list.n = 3;
    nsc_list_clamp(&list);
    is_at(&list, 2, 0);
    list.n = 0;
    nsc_list_clamp(&list);
    is_at(&list, 0, 0);
    assert_false(nsc_list_move(&list, 1));
    list = (struct nsc_list){.n = 5, .height = 0, .cursor = 2};
    assert_true(nsc_list_move(&list, 1));
    assert_int_equal(list.cursor, 3);
}

TEST(the_cursor_can_be_put_in_the_middle)
{
    struct nsc_list list = {.n = 100, .height = 10, .cursor = 50};

    nsc_list_center(&list);
    is_at(&list, 50, 45);
    list.cursor = 99;
    nsc_list_center(&list);
    is_at(&list, 99, 90);
    list.cursor = 2;
    nsc_list_center(&list);
    is_at(&list, 2, 0);
}
