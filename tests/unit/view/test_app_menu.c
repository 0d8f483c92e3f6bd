/* Unit tests of the menu: its items by place, and choosing by keys and by mouse. */
#include "support/app_world.h"
#include "support/cm.h"

#include <string.h>

static void mouse(struct nsc_test_world *world, enum nsc_mouse_action action, int button, int row,
                  int col)
{
    struct nsc_input input = {.type = NSC_INPUT_MOUSE};

    input.mouse.action = action;
    input.mouse.button = button;
    input.mouse.row = row;
    input.mouse.col = col;
    world->effects = nsc_app_input(world->app, &input);
}

static bool offers(const struct nsc_app *app, enum nsc_action action)
{
    for (size_t i = 0; i < app->menu.list.n; i++)
        if (app->menu.items[i] == action)
            return true;
    return false;
}

/* The screen row of an item; -1 if it is not drawn. */
static int row_of(struct nsc_test_world *world, enum nsc_action action)
{
    for (int row = 0; row < 24; row++)
        if (strstr(nsc_test_row(world, row), nsc_actions[action].help))
            return row;
    return -1;
}

TEST_OF_WORLD(it_offers_what_is_for_the_thing)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    assert_true(app->scene->selected != NSC_NONE);
    nsc_test_press(world, "F10");
    assert_true(app->menu.open);
    assert_true(offers(app, NSC_ACTION_FIT) && offers(app, NSC_ACTION_PIN));
    assert_false(offers(app, NSC_ACTION_FOLD) || offers(app, NSC_ACTION_TREE_SHOW));
    assert_int_equal(nsc_app_scope(app), NSC_KEY_SCOPE_MENU);
    nsc_test_press(world, "Esc");
    assert_false(app->menu.open);
    nsc_test_press(world, "F10 F10");
    assert_false(app->menu.open);
    nsc_scene_set_line(app->edit, 0); /* the device */
    nsc_test_press(world, "F10");
    assert_true(offers(app, NSC_ACTION_FOLD) && offers(app, NSC_ACTION_PIN));
    assert_false(offers(app, NSC_ACTION_FILTER_NAME));
    nsc_test_press(world, "q t Alt-m");
    assert_true(offers(app, NSC_ACTION_TREE_SHOW));
    assert_false(offers(app, NSC_ACTION_PIN));
}

/* Every letter of the table is used by some thing. */
TEST(things_are_known)
{
    for (unsigned i = NSC_ACTION_NONE + 1; i < NSC_N_ACTIONS; i++)
        for (const char *thing = nsc_actions[i].things; *thing; thing++)
            assert_non_null(strchr("ergtwlbnq", *thing));
}

TEST_OF_WORLD(keys_choose)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t pin = 0;

    nsc_test_press(world, "F10 Up");
    assert_int_equal(app->menu.list.cursor, app->menu.list.n - 1);
    nsc_test_press(world, "Down");
    assert_int_equal(app->menu.list.cursor, 0);
    while (app->menu.items[pin] != NSC_ACTION_PIN)
        pin++;
    for (size_t i = 0; i < pin; i++)
        nsc_test_press(world, "j");
    nsc_test_press(world, "Enter");
    assert_false(app->menu.open);
    assert_int_equal(app->scene->lines.n_pinned, 1);
    nsc_test_press(world, "C F10");
    assert_false(app->menu.open);
}

TEST_OF_WORLD(the_mouse_chooses)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_rect rect = app->scene->layout.labels;
    size_t line = app->scene->line;
    uint32_t track = app->scene->lines.at[line].track;
    int row = 0;

    mouse(world, NSC_MOUSE_PRESS, 3, rect.row + (int)line, 2);
    mouse(world, NSC_MOUSE_RELEASE, 3, rect.row + (int)line, 2);
    assert_true(app->menu.open);
    assert_false(offers(app, NSC_ACTION_FIT));
    row = row_of(world, NSC_ACTION_ROW_HIDE);
    assert_true(row > 0);
    mouse(world, NSC_MOUSE_PRESS, 1, row, 10);
    assert_false(app->menu.open);
    assert_true(nsc_arrangement_hides(&app->scene->arrangement, track));
    /* Pressed, drawn to an item and let go there. */
    mouse(world, NSC_MOUSE_PRESS, 3, rect.row, 2);
    row = row_of(world, NSC_ACTION_FOLD);
    mouse(world, NSC_MOUSE_DRAG, 3, row, 10);
    mouse(world, NSC_MOUSE_RELEASE, 3, row, 10);
    assert_false(app->menu.open);
    assert_int_equal(app->scene->lines.at[1].kind, NSC_LINE_GROUP);
    /* Elsewhere it only closes. */
    mouse(world, NSC_MOUSE_PRESS, 3, rect.row, 2);
    mouse(world, NSC_MOUSE_PRESS, 1, 0, 100);
    assert_false(app->menu.open);
}

TEST_OF_WORLD(it_stays_on_the_screen)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_rect rect = app->scene->layout.timeline;

    for (uint32_t rows = 10; rows < 30; rows += 3) {
        struct nsc_input size = {.type = NSC_INPUT_RESIZE, .rows = rows, .cols = 120};

        (void)nsc_app_input(app, &size);
        assert_false(app->menu.open);
        rect = app->scene->layout.timeline;
        mouse(world, NSC_MOUSE_PRESS, 3, rect.row + rect.rows - 1, rect.col + rect.cols - 1);
        assert_true(app->menu.open);
        for (size_t i = 0; i < app->menu.list.n; i++) {
            enum nsc_action action = app->menu.items[app->menu.list.cursor];
            bool seen = false;

            for (int row = 0; row < (int)rows && !seen; row++)
                seen = strstr(nsc_test_row(world, row), nsc_actions[action].help) != NULL;
            assert_true(seen);
            nsc_test_press(world, "Down");
        }
        nsc_test_press(world, "Esc");
    }
}
