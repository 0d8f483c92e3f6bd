/*
 * Unit tests of SQL in the application: the prompt, the result as a table, and its rows in the
 * timeline.
 */
#include "core/text.h"
#include "support/app_world.h"
#include "support/cm.h"

#include <string.h>

static void ask(struct nsc_test_world *world, const char *query)
{
    nsc_test_press(world, ";");
    nsc_test_type(world, query);
    nsc_test_press(world, "Enter");
}

/* name, start, end, ns: n rows, the later the shorter. */
static void answer(struct nsc_test_world *world, int n)
{
    static const char *const names[] = {"name", "start", "end", "ns"};
    struct nsc_relation *rows = nsc_relation_begin(names, 4);
    struct nsc_input input = {.type = NSC_INPUT_QUERY, .relation = rows};

    for (int i = 0; i < n; i++) {
        nsc_relation_add_text(rows, nsc_text_from(i % 2 ? "odd" : "even"));
        nsc_relation_add_int(rows, 2000000 + i * 1000000);
        nsc_relation_add_int(rows, 2900000 + i * 1000000 - i * 1000);
        nsc_relation_add_int(rows, 900000 - i * 1000);
    }
    nsc_relation_end(rows);
    world->effects = nsc_app_input(world->app, &input);
}

TEST_OF_WORLD(a_query_is_asked_for)
{
    struct nsc_test_world *world = *state;

    ask(world, "SELECT 1");
    assert_true(world->effects.set & NSC_EFFECT_QUERY);
    assert_int_equal(world->effects.text.n, 8);
    assert_memory_equal(world->effects.text.bytes, "SELECT 1", 8);
    assert_int_equal(world->app->pane, NSC_PANE_SQL);
    assert_non_null(strstr(nsc_test_row(world, world->app->scene->layout.pane.row), "running"));
    nsc_test_press(world, "Down");
    assert_false(world->effects.set & NSC_EFFECT_QUERY);
    nsc_test_press(world, "Esc");
    assert_true(world->effects.set & NSC_EFFECT_QUERY_STOP);
    assert_string_equal(world->app->sql.error,
                        "cancelled"); /* at once: what it holds is freed later */
    answer(world, 3);
    assert_null(world->app->sql.answer);
    assert_string_equal(world->app->sql.error, "cancelled");
    /* Its history is its own. */
    nsc_test_press(world, "; Up Enter");
    assert_true(world->effects.set & NSC_EFFECT_QUERY);
    nsc_test_command(world, "sql SELECT 2");
    assert_true(world->effects.set & NSC_EFFECT_QUERY);
    assert_string_equal(world->app->sql.query, "SELECT 2");
}

TEST_OF_WORLD(what_is_wrong_stands_below_its_column)
{
    struct nsc_test_world *world = *state;
    struct nsc_input input = {
        .type = NSC_INPUT_QUERY, .text = "no such column: x, at column 8", .column = 7};
    int row = world->app->scene->layout.pane.row;
    const char *line = NULL;

    ask(world, "SELECT x");
    row = world->app->scene->layout.pane.row;
    (void)nsc_app_input(world->app, &input);
    assert_false(world->app->sql.running);
    assert_non_null(strstr(nsc_test_row(world, row), "SELECT x"));
    line = nsc_test_row(world, row + 1);
    assert_int_equal(strchr(line, '^') - line, 8);
    assert_non_null(strstr(nsc_test_row(world, row + 2), "no such column: x"));
    assert_string_equal(world->app->message, ""); /* said once */
}

TEST_OF_WORLD(the_table_sorts_and_copies)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    ask(world, "SELECT 1");
    answer(world, 20);
    assert_non_null(strstr(nsc_test_row(world, app->scene->layout.pane.row), "20 rows in"));
    nsc_test_press(world, "Right Right Right o");
    assert_int_equal(app->sql.table.list.items[0], 0); /* numbers: the most first */
    nsc_test_press(world, "o");
    assert_int_equal(app->sql.table.list.items[0], 19);
    nsc_test_press(world, "y");
    assert_true(world->effects.set & NSC_EFFECT_COPY);
    assert_memory_equal(world->effects.text.bytes, "881000", 6);
    nsc_test_press(world, "y");
    assert_memory_equal(world->effects.text.bytes, "odd\t21000000\t21881000\t881000", 29);
    nsc_test_press(world, "y");
    assert_memory_equal(world->effects.text.bytes, "nsyscope sql --raw test.sqlite 'SELECT 1'", 41);
    nsc_test_press(world, "Left Left Left Left Left o");
    assert_int_equal(app->sql.table.column, 0);
    assert_int_equal(app->sql.table.list.items[0], 0); /* texts: from a on */
    assert_int_equal(app->sql.table.list.items[10], 1);
}

TEST_OF_WORLD(a_click_on_a_title_sorts)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_input input = {.type = NSC_INPUT_MOUSE};
    const char *line = NULL;

    ask(world, "SELECT 1");
    answer(world, 20);
    input.mouse.action = NSC_MOUSE_PRESS;
    input.mouse.button = 1;
    input.mouse.row = app->scene->layout.pane.row + 1;
    line = nsc_test_row(world, input.mouse.row);
    input.mouse.col = (int)(strstr(line, "ns") - line);
    (void)nsc_app_input(app, &input);
    assert_int_equal(app->sql.table.sorted, 3);
    assert_true(app->sql.table.descending);
    (void)nsc_app_input(app, &input);
    assert_int_equal(app->sql.table.list.items[0], 19);
    input.mouse.row++;
    (void)nsc_app_input(app, &input);
    assert_int_equal(app->sql.table.sorted, 3);
    assert_int_equal(app->sql.table.list.cursor, 0);
}

TEST_OF_WORLD(a_row_is_gone_to)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;

    ask(world, "SELECT 1");
    answer(world, 10);
    nsc_test_press(world, "Down Down Enter");
    assert_int_equal(app->scene->cursor, 4000000);
    assert_true(app->scene->has_range);
    assert_int_equal(app->scene->range.t0, 4000000);
    assert_int_equal(app->scene->range.t1, 4898000);
    assert_false(nsc_viewport_is_whole(&app->scene->viewport));
    nsc_test_press(world, "Esc Esc `");
    assert_true(nsc_viewport_is_whole(&app->scene->viewport));
}

TEST_OF_WORLD(a_double_click_goes_there)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    struct nsc_input input = {.type = NSC_INPUT_MOUSE};

    ask(world, "SELECT 1");
    answer(world, 3);
    input.mouse.action = NSC_MOUSE_DOUBLE;
    input.mouse.button = 1;
    input.mouse.row = app->scene->layout.pane.row + 2 + 1;
    input.mouse.col = 5;
    (void)nsc_app_input(app, &input);
    assert_int_equal(app->scene->cursor, 3000000);
    input.mouse.row = app->scene->layout.pane.row + 2 + 3; /* below the last one */
    (void)nsc_app_input(app, &input);
    assert_int_equal(app->scene->cursor, 3000000);
    assert_int_equal(app->sql.table.list.cursor, 1);
}

TEST_OF_WORLD(rows_become_a_track)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    size_t n = app->scene->lines.n;

    ask(world, "SELECT 1");
    answer(world, 10);
    nsc_test_press(world, "T");
    assert_int_equal(app->scene->lines.n, n + 1);
    assert_int_equal(app->scene->lines.at[0].kind, NSC_LINE_QUERY);
    assert_non_null(strstr(nsc_test_row(world, app->scene->layout.timeline.row), "SQL"));
    assert_non_null(strstr(nsc_test_row(world, app->scene->layout.timeline.row), "odd"));
    nsc_test_press(world, "T");
    assert_int_equal(app->scene->lines.n, n);
    /* A new answer does not take the row away. */
    nsc_test_press(world, "T");
    answer(world, 3);
    assert_int_equal(app->scene->lines.n, n + 1);
    nsc_test_press(world, "Esc");
    nsc_test_command(world, "sql-track");
    assert_int_equal(app->scene->lines.n, n);
}
