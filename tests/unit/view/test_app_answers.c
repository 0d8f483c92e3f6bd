/*
 * Unit tests of questions asked from the screen: the list, the request, the answer, and the times
 * in it.
 */
#include "core/sheet.h"
#include "support/app_world.h"
#include "support/cm.h"
#include "view/scene/look.h"

#include <string.h>

struct gap_row {
    int64_t gpu;
    nsc_time start, length;
};

static const struct nsc_sheet_column gap_columns[] = {
    NSC_COL_ID(gap_row, gpu, "gpu", "GPU"),
    NSC_COL_INSTANT(gap_row, start, "start_ns", "From"),
    NSC_COL_NS(gap_row, length, "gap_ns", "Gap"),
    {0},
};

static void give_answer(struct nsc_test_world *world)
{
    struct nsc_sheets sheets = {0};
    struct nsc_input input = {.type = NSC_INPUT_ANSWER, .sheets = &sheets};
    struct nsc_sheet *gaps = nsc_sheets_add(&sheets, "gaps", "The gaps", gap_columns, 3);

    NSC_ADD_ROW(gaps, gap_row, .gpu = 0, .start = 20000, .length = 5000);
    NSC_ADD_ROW(gaps, gap_row, .gpu = 0, .start = 40000, .length = 9000);
    nsc_sheet_note(nsc_sheets_add(&sheets, "none", "Nothing", gap_columns, 3), "for a reason");
    nsc_test_give(world, &input);
    assert_int_equal(sheets.list.n, 0); /* taken over */
}

static bool shows(struct nsc_test_world *world, const char *text)
{
    for (int row = 0; row < 24; row++)
        if (strstr(nsc_test_row(world, row), text))
            return true;
    return false;
}

TEST_OF_WORLD(test_a_question_is_chosen_and_answered)
{
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;

    assert_false(nsc_app_answer_request(world->app, &request));
    nsc_test_press(world, "A");
    assert_true(shows(world, "questions about the whole recording"));
    assert_true(shows(world, "Which kernels take most of the kernel time?"));
    assert_true(shows(world, "Enter ask") && !shows(world, "next table"));
    nsc_test_press(world, "Enter");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "top_kernels");
    assert_false(request.of.has_window);
    assert_true(shows(world, "asking top_kernels  0.0 s"));
    give_answer(world);
    assert_true(shows(world, "The gaps"));
    assert_true(shows(world, "table 1 of 2") && shows(world, "v next table"));
    nsc_test_press(world, "v");
    assert_true(shows(world, "for a reason"));
    nsc_test_press(world, "Backspace");
    assert_true(shows(world, "questions about the whole recording"));
}

/* The steady state of a question is not called the whole recording. */
TEST_OF_WORLD(test_the_heading_names_the_window_of_the_answer)
{
    struct nsc_test_world *world = *state;
    struct nsc_sheets sheets = {0};
    struct nsc_input input = {.type = NSC_INPUT_ANSWER, .sheets = &sheets};
    struct nsc_sheet *gaps = nsc_sheets_add(&sheets, "gaps", "The gaps", gap_columns, 3);

    NSC_ADD_ROW(gaps, gap_row, .gpu = 0, .start = 20000, .length = 5000);
    gaps->has_window = true;
    gaps->window = (struct nsc_window){10000, 30000};
    nsc_test_press(world, "A Enter");
    nsc_test_give(world, &input);
    assert_true(shows(world, "The gaps  of 20.0 µs from 0.000 010 000 s"));
    assert_false(shows(world, "of the whole recording"));
}

TEST_OF_WORLD(test_a_row_with_a_time_goes_there)
{
    struct nsc_test_world *world = *state;

    nsc_test_press(world, "A Enter");
    give_answer(world);
    nsc_test_press(world, "Right Right o"); /* by the length: the longest first */
    nsc_test_press(world, "Enter");
    assert_int_equal(world->app->scene->cursor, 40000);
    assert_true(world->app->scene->has_range);
    assert_int_equal(world->app->scene->range.t1, 49000);
    nsc_test_press(world, "n");
    assert_int_equal(world->app->scene->cursor, 20000);
}

struct layer_row {
    nsc_time length;
    const char *path;
};

/* What the rows are about stays in view, whichever figures are. */
TEST_OF_WORLD(the_label_stays_where_columns_are_cut)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_NS(layer_row, length, "a_ns", "Summed time"),
        NSC_COL_NS(layer_row, length, "b_ns", "Time on the GPU"),
        NSC_COL_NS(layer_row, length, "c_ns", "Exposed communication of all ranks"),
        NSC_COL_NS(layer_row, length, "d_ns", "Time of the calls on the CPU"),
        NSC_COL_NS(layer_row, length, "e_ns", "Longest of all"),
        NSC_COL_TEXT(layer_row, path, "path", "NVTX path"),
    };
    struct nsc_test_world *world = *state;
    struct nsc_sheets sheets = {0};
    struct nsc_input input = {.type = NSC_INPUT_ANSWER, .sheets = &sheets};
    struct nsc_sheet *layers = nsc_sheets_add(&sheets, "layers", "Layers", columns, 6);

    NSC_ADD_ROW(layers, layer_row, .length = 5000, .path = "forward / layer 3");
    nsc_test_press(world, "A Enter");
    nsc_test_give(world, &input);
    assert_true(shows(world, " NVTX path") && shows(world, "forward / layer 3  "));
    assert_true(shows(world, "Summed time") && !shows(world, "Longest of all"));
    assert_true(shows(world, "← → column"));
    nsc_test_press(world, "Right Right Right Right");
    assert_true(shows(world, "forward / layer 3  ") && shows(world, "Longest of all"));
    assert_false(shows(world, "Summed time"));
    nsc_test_press(world, "Right"); /* the label is a column, too */
    assert_true(shows(world, "forward / layer 3  ") && shows(world, "Longest of all"));
    nsc_test_press(world, "Left Left Left Left Left");
    assert_true(shows(world, "Summed time") && shows(world, "forward / layer 3  "));
}

struct search_row {
    nsc_time length;
    const char *kind, *path;
};

/* Of several texts, the one that tells rows apart. */
TEST_OF_WORLD(the_label_tells_rows_apart)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(search_row, kind, "kind", "Kind"),
        NSC_COL_NS(search_row, length, "a_ns", "Time of the calls on the CPU"),
        NSC_COL_NS(search_row, length, "b_ns", "Exposed communication of all ranks"),
        NSC_COL_NS(search_row, length, "c_ns", "Time from the first to the last work"),
        NSC_COL_TEXT(search_row, path, "path", "NVTX path"),
    };
    struct nsc_test_world *world = *state;
    struct nsc_sheets sheets = {0};
    struct nsc_input input = {.type = NSC_INPUT_ANSWER, .sheets = &sheets};
    struct nsc_sheet *found = nsc_sheets_add(&sheets, "search", "Search", columns, 5);

    NSC_ADD_ROW(found, search_row, .length = 5000, .kind = "kernel", .path = "forward / layer 3");
    NSC_ADD_ROW(found, search_row, .length = 5000, .kind = "kernel", .path = "forward / layer 4");
    nsc_test_press(world, "A Enter");
    nsc_test_give(world, &input);
    assert_true(shows(world, "forward / layer 3  ") && shows(world, "forward / layer 4  "));
}

struct name_row {
    const char *a, *b, *c;
};

static void give_schema(struct nsc_test_world *world)
{
    static const struct nsc_sheet_column tables[] = {
        NSC_COL_TEXT(name_row, a, "table", "Table"),
        NSC_COL_TEXT(name_row, b, "stands_for", "In place of"),
        NSC_COL_TEXT(name_row, c, "holds", "Holds"),
    };
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(name_row, a, "table", "Table"),
        NSC_COL_TEXT(name_row, b, "column", "Column"),
        NSC_COL_TEXT(name_row, c, "refers", "Refers to"),
    };
    static const struct nsc_sheet_column queries[] = {
        NSC_COL_TEXT(name_row, a, "title", "Question"),
        NSC_COL_TEXT(name_row, b, "sql", "SQL"),
    };
    struct nsc_sheets sheets = {0};
    struct nsc_input input = {.type = NSC_INPUT_ANSWER, .sheets = &sheets};
    struct nsc_sheet *sheet = nsc_sheets_add(&sheets, "tables", "Tables", tables, 3);

    NSC_ADD_ROW(sheet, name_row, "KERNEL", "", "kernels that ran");
    NSC_ADD_ROW(sheet, name_row, "Names_V2", "StringIds", "each text once");
    sheet = nsc_sheets_add(&sheets, "columns", "Columns", columns, 3);
    NSC_ADD_ROW(sheet, name_row, "KERNEL", "shortName", "StringIds.id");
    NSC_ADD_ROW(sheet, name_row, "KERNEL", "start", "");
    NSC_ADD_ROW(sheet, name_row, "Names_V2", "va\"lue", "");
    sheet = nsc_sheets_add(&sheets, "queries", "Queries to begin with", queries, 2);
    NSC_ADD_ROW(sheet, name_row, "How many?", "SELECT count(*) FROM KERNEL", "");
    nsc_test_give(world, &input);
}

TEST_OF_WORLD(test_the_schema_is_walked_and_gives_queries)
{
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;

    nsc_test_press(world, "@");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "schema");
    give_schema(world);
    assert_true(shows(world, "Names_V2"));
    nsc_test_press(world, "Enter"); /* the columns of the first table */
    assert_true(shows(world, "KERNEL: kernels that ran"));
    assert_false(shows(world, "Names_V2"));
    nsc_test_press(world, "Enter"); /* the column that shortName refers to, under the export's name
                                     * of its table */
    assert_true(shows(world, "Names_V2: each text once"));
    nsc_test_press(world, ";");
    assert_true(shows(world, "SELECT \"va\"\"lue\", count(*) AS n FROM \"Names_V2\""));
    nsc_test_press(world, "Esc Enter"); /* it refers to nothing */
    assert_true(shows(world, "refers to no other table"));
    nsc_test_press(world, "Backspace Down ;");
    assert_true(shows(world, "SELECT * FROM \"Names_V2\" LIMIT 100"));
    nsc_test_press(world,
                   "Esc v v Enter"); /* a query goes to the SQL prompt, and runs from there */
    assert_true(shows(world, "sql: SELECT count(*) FROM KERNEL"));
    nsc_test_press(world, "Enter");
    assert_true(world->effects.set & NSC_EFFECT_QUERY);
    nsc_test_press(world, "A Backspace");
    assert_true(shows(world, "questions about the whole recording"));
}

TEST_OF_WORLD(test_words_find_a_question)
{
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;

    nsc_test_command(world, "ask how long is each gpu idle");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "idle");
}

/* Words of the field find what is named otherwise, and several words are asked. */
TEST_OF_WORLD(the_command_line_offers_by_meaning)
{
    struct nsc_test_world *world = *state;
    const struct nsc_offers *offers = &world->app->prompt.offers;
    struct nsc_answer_request request;
    bool has_gaps = false;
    bool has_row = false;

    nsc_test_press(world, ":");
    nsc_test_type(world, "bubb");
    assert_string_equal(offers->items[0].text, "answer idle");
    for (uint32_t i = 0; i < offers->n; i++) {
        has_gaps |= strcmp(offers->items[i].text, "gaps") == 0;
        has_row |= strcmp(offers->items[i].text, "set idle-row") == 0;
    }
    assert_true(has_gaps && has_row);
    nsc_test_press(world, "Esc");
    nsc_test_command(world, "why is the gpu idle");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "idle");
    give_answer(world);
    nsc_test_command(world, "blocking copies"); /* "block*" leads to other questions, too */
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "copies");
}

/* The name of a question is a command: with its parameters, or with words. */
TEST_OF_WORLD(a_question_is_typed_by_its_name)
{
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;

    nsc_test_command(world, "top_kernels limit=5");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "top_kernels limit=5");
    nsc_test_command(world, "ranks");
    assert_string_equal(world->app->message, "a question is being answered: top_kernels limit=5");
    give_answer(world);
    nsc_test_command(world, "idle time of each gpu");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "idle");
    give_answer(world);
}

/* The line of the screen that shows a text; 0: none. */
static int row_of(struct nsc_test_world *world, const char *text)
{
    int row = (int)world->app->scene->rows - 1;

    while (row > 0 && !strstr(nsc_test_row(world, row), text))
        row--;
    return row;
}

/* Tables come one below the other, each before its notes; the cursor goes from one to the next. */
TEST_OF_WORLD(an_answer_is_one_page)
{
    struct nsc_test_world *world = *state;
    struct nsc_sheets sheets = {0};
    struct nsc_input input = {.type = NSC_INPUT_ANSWER, .sheets = &sheets};
    struct nsc_sheet *gaps = nsc_sheets_add(&sheets, "gaps", "The gaps", gap_columns, 3);
    struct nsc_sheet *more = NULL;

    for (int i = 0; i < 40; i++)
        NSC_ADD_ROW(gaps, gap_row, .gpu = 0, .start = 20000 + i, .length = 5000);
    nsc_sheet_note(gaps, "A note that is much longer than one line of a screen of a hundred and "
                         "twenty columns can hold, so that its end is on a second line: the end.");
    more = nsc_sheets_add(&sheets, "more", "The others", gap_columns, 3);
    NSC_ADD_ROW(more, gap_row, .gpu = 1, .start = 30000, .length = 7000);
    nsc_test_press(world, "A Enter");
    nsc_test_give(world, &input);
    assert_int_equal(row_of(world, "the end."), 0);
    nsc_test_press(world, "End");
    assert_true(row_of(world, "5.00") < row_of(world, "A note"));
    assert_true(row_of(world, "the end.") < row_of(world, "The others"));
    assert_true(row_of(world, "The others") < row_of(world, "7.00"));
    nsc_test_press(world, "Down");
    assert_int_equal(world->app->answers.shown, 1);
    assert_int_equal(row_of(world, "The gaps"), 0);
    nsc_test_press(world, "Up");
    assert_int_equal(world->app->answers.shown, 0);
    assert_int_equal(world->app->answers.table.list.cursor, 39);
}

/* Whether a row of the screen shows all three texts. */
static bool has_row(struct nsc_test_world *world, const char *a, const char *b, const char *c)
{
    for (int row = 0; row < (int)world->app->scene->rows; row++) {
        const char *text = nsc_test_row(world, row);

        if (strstr(text, a) && strstr(text, b) && strstr(text, c))
            return true;
    }
    return false;
}

/* The form has a line for each parameter, which is checked while it is typed; the first character replaces
 * a value. */
TEST_OF_WORLD(parameters_are_a_form)
{
    struct nsc_test_world *world = *state;
    const struct nsc_app_prompt *prompt = &world->app->prompt;
    struct nsc_answer_request request;

    nsc_test_command(world, "name_totals");
    give_answer(world);
    nsc_test_press(world, "p");
    assert_int_equal(prompt->open, NSC_PROMPT_FORM);
    assert_true(has_row(world, "limit", "20", "most rows; 0: all"));
    assert_true(has_row(world, "captured", "off", "on: work of CUDA graphs"));
    for (int row = 0; row < 24; row++) /* it says once what a value means */
        assert_true(!strstr(nsc_test_row(world, row), "most rows; 0: all") ||
                    strstr(nsc_test_row(world, row), "limit"));
    nsc_test_press(world, "g e m m Up x");
    assert_true(prompt->is_wrong);
    assert_string_equal(prompt->error.text, "off on");
    nsc_test_press(world, "Up Enter"); /* it stays until it is right */
    assert_true(prompt->is_wrong && prompt->open == NSC_PROMPT_FORM);
    assert_string_equal(world->app->form.fields[world->app->form.at].name, "captured");
    nsc_test_press(world, "Backspace o n Up x");
    assert_string_equal(prompt->error.text, "limit=x: no such value; most rows; 0: all");
    nsc_test_press(world, "Backspace 5 Up g p");
    assert_true(prompt->is_wrong); /* no type */
    nsc_test_press(world, "u");
    assert_false(prompt->is_wrong);
    nsc_test_press(world, "Ctrl-U Enter");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "name_totals name=gemm limit=5 captured=on");
    give_answer(world);
    nsc_test_press(world, "p"); /* begins with what was asked */
    assert_true(has_row(world, "name", "gemm", "text that the name contains"));
    nsc_test_press(world, "Esc");
    nsc_test_command(world, "idle");
    give_answer(world);
    nsc_test_press(world, "p");
    assert_int_equal(prompt->open, NSC_PROMPT_NONE);
    assert_non_null(strstr(world->app->message, "has no parameters"));
}

/* A word that is no parameter of the question, however long, is no line of its form. */
TEST_OF_WORLD(a_form_has_the_parameters_of_its_question)
{
    struct nsc_test_world *world = *state;
    uint32_t n = 0;

    nsc_test_command(world, "name_totals");
    give_answer(world);
    nsc_test_press(world, "p");
    n = world->app->form.n;
    nsc_test_press(world, "Esc");
    nsc_test_command(world,
                     "name_totals lim=3 the_name_of_no_parameter_of_any_question_that_there_is=4");
    give_answer(world);
    nsc_test_press(world, "p");
    assert_int_equal(world->app->form.n, n);
}

/* "/" lists only the questions, or the rows of a table, with a text; Esc lists all again. */
TEST_OF_WORLD(a_text_narrows_the_table)
{
    struct nsc_test_world *world = *state;
    struct nsc_app *app = world->app;
    const struct nsc_table *table = &app->answers.table;
    size_t all = 0;

    nsc_test_press(world, "A");
    all = table->list.n;
    nsc_test_press(world, "/");
    nsc_test_type(world, "critical path");
    assert_true(table->list.n > 0 && table->list.n < all);
    nsc_test_press(world, "Enter o");
    assert_true(shows(world, "/critical path")); /* beside the titles, and no title */
    assert_true(table->list.n < all);
    nsc_test_press(world, "Enter");
    assert_string_equal(app->answers.asked, "critical_path");
    give_answer(world);
    assert_string_equal(app->filter.text, "");
    nsc_test_press(world, "/");
    nsc_test_type(world, "no such text");
    assert_int_equal(table->list.n, 0);
    nsc_test_press(world, "Enter");
    assert_int_equal(nsc_table_row(table), NSC_NONE);
    nsc_test_press(world, "Esc");
    assert_int_equal(table->list.n, nsc_sheet_rows(table->sheet));
    nsc_test_press(world, "Backspace / x Esc");
    assert_int_equal(table->list.n, all);
    nsc_test_press(world, "V /");
    assert_int_equal(app->prompt.open, NSC_PROMPT_FILTER);
}

/* The ranks of a job are compared from the list of questions. */
TEST_OF_WORLD(ranks_are_a_question)
{
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;

    nsc_test_press(world, ":");
    nsc_test_type(world, "which rank");
    assert_string_equal(world->app->prompt.offers.items[0].text, "answer ranks");
    nsc_test_press(world, "Enter");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "ranks");
}

/* Questions that no skill answers are not answered by one that shares a word. */
TEST_OF_WORLD(words_about_ranks_and_others_are_understood)
{
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;

    nsc_test_command(world, "ask how many SMs are there");
    assert_non_null(strstr(world->app->message, ":info"));
    assert_false(nsc_app_answer_request(world->app, &request));
    nsc_test_command(world, "ask which rank is late");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "ranks");
}

/* The words name an iteration, so the range does not limit the answer; the sentence is above its
 * table. */
TEST_OF_WORLD(test_words_name_an_iteration)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_UNBOUND("iteration", "Iteration", NULL, NSC_SHEET_COUNT, 0),
        NSC_COL_UNBOUND("verdict", "Verdict", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("duration_ns", "Period", NULL, NSC_SHEET_NS, 0),
        NSC_COL_UNBOUND("median_ns", "Median", NULL, NSC_SHEET_NS, 0),
    };
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;
    struct nsc_sheets sheets = {0};
    struct nsc_input input = {.type = NSC_INPUT_ANSWER, .sheets = &sheets};
    struct nsc_sheet *sheet;

    nsc_test_press(world, "A Enter");
    give_answer(world);
    nsc_test_press(world, "Enter"); /* makes a range */
    nsc_test_command(world, "ask why is step 3 slow");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_string_equal(request.line, "iteration_detail iteration=3");
    assert_false(request.of.has_window);
    sheet = nsc_sheets_add(&sheets, "iteration_compare", "Iterations", columns, 4);
    nsc_sheet_add_int(sheet, 3);
    nsc_sheet_add_text(sheet, nsc_text_from("slow"));
    nsc_sheet_add_int(sheet, 5000);
    nsc_sheet_add_int(sheet, 4000);
    nsc_test_give(world, &input);
    assert_true(shows(world, "Iteration 3 is slow: it lasts 5.00 µs"));
}

TEST_OF_WORLD(test_errors_are_said)
{
    struct nsc_test_world *world = *state;
    struct nsc_input failed = {.type = NSC_INPUT_ANSWER, .text = "too little memory"};

    nsc_test_command(world, "answer nonsense");
    assert_true(world->effects.set & NSC_EFFECT_REFUSED);
    assert_non_null(strstr(nsc_test_row(world, -1), "no such question"));
    nsc_test_press(world, "A Enter");
    nsc_test_give(world, &failed);
    assert_true(shows(world, "too little memory"));
}

TEST_OF_WORLD(test_a_range_is_asked_about)
{
    struct nsc_test_world *world = *state;
    struct nsc_answer_request request;

    nsc_test_press(world, "A Enter");
    give_answer(world);
    nsc_test_press(world, "Enter");
    nsc_test_command(world, "filter kind:kernel");
    nsc_test_press(world, "Backspace");
    assert_true(shows(world, "questions about the events of the filter in the range"));
    nsc_test_press(world, "Enter");
    assert_true(nsc_app_answer_request(world->app, &request));
    assert_true(request.of.has_window);
    assert_int_equal(request.of.window.t0, 20000);
    assert_int_equal(request.of.window.t1, 25000);
    assert_string_equal(request.of.filter, "kind:kernel");
}

/* Rows with times become rows of the timeline; the same key takes them away. */
TEST_OF_WORLD(an_answer_is_shown_as_rows)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_UNBOUND("gpu", "GPU", NULL, NSC_SHEET_ID, 0),
        NSC_COL_UNBOUND("class", "Class", NULL, NSC_SHEET_TEXT, 0),
        NSC_COL_UNBOUND("start", "From", NULL, NSC_SHEET_INSTANT, 0),
        NSC_COL_UNBOUND("length", "Length", NULL, NSC_SHEET_NS, 0),
    };
    struct nsc_test_world *world = *state;
    struct nsc_sheets sheets = {0};
    struct nsc_input input = {.type = NSC_INPUT_ANSWER, .sheets = &sheets};
    struct nsc_sheet *sheet = NULL;

    nsc_test_press(world, "Q");
    assert_true(world->effects.set & NSC_EFFECT_ANSWER);
    assert_string_equal(world->app->answers.asked, "critical_path");
    sheet = nsc_sheets_add(&sheets, "steps", "Steps", columns, 4);
    nsc_sheet_add_int(sheet, 0);
    nsc_sheet_add_text(sheet, nsc_text_from("launch"));
    nsc_sheet_add_int(sheet, 2000000);
    nsc_sheet_add_int(sheet, 1000000);
    nsc_sheet_add_int(sheet, 1);
    nsc_sheet_add_text(sheet, nsc_text_from("compute"));
    nsc_sheet_add_int(sheet, 3000000);
    nsc_sheet_add_int(sheet, 2000000);
    nsc_test_give(world, &input);
    assert_non_null(world->app->sql.track);
    assert_int_equal(nsc_trace_events(world->app->sql.track)->n, 2);
    assert_int_equal(nsc_trace_extent(world->app->sql.track).t1, 5000000);
    assert_true(shows(world, "answer GPU 0")); /* a row each, although the spans do not overlap */
    assert_true(shows(world, "answer GPU 1"));
    nsc_test_press(world, "T");
    assert_null(world->app->sql.track);
    nsc_test_press(world, "T");
    assert_non_null(world->app->sql.track);
    nsc_test_press(world, "Esc Q");
    assert_null(world->app->sql.track);
}

/* The launch of a kernel is drawn as a hit, and both ends fit the window. */
TEST_OF_WORLD(links_are_shown)
{
    struct nsc_test_world *world = *state;
    const struct nsc_scene *scene = world->app->scene;
    const struct nsc_events *events = nsc_trace_events(world->trace);
    nsc_event op = NSC_NONE;
    nsc_event launch = NSC_NONE;

    nsc_test_press(world, "D");
    op = scene->selected;
    assert_true(nsc_kind_is_gpu(events->kind[op]));
    launch = nsc_scene_cause(scene, op);
    assert_int_not_equal(launch, NSC_NONE);
    nsc_test_press(world, "&");
    assert_int_equal(scene->selected, op);
    assert_true(nsc_viewport_window(&scene->viewport).t0 <= events->start[launch]);
    assert_true(nsc_viewport_window(&scene->viewport).t1 >= nsc_event_end(events, op));
}
