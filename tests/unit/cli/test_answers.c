/*
 * Unit tests of answers that are files: the program's compile, give their columns and order their
 * rows by a unique key; errors name the line; parameters are bound.
 */
#include "core/progress.h"
#include "core/text.h"
#include "query/answer_file.h"
#include "support/cm.h"
#include "support/screen_trace.h"

#include <string.h>

/* What no two rows of an answer share, as the last word of its order. */
static bool ends_in_a_key(const char *sql)
{
    static const char *const keys[] = {"id",
                                       "track",
                                       "gpu",
                                       "cid",
                                       "group_track",
                                       "longest",
                                       "family",
                                       "collective",
                                       "second" /* of a GPU */,
                                       "device" /* of a kernel */,
                                       "place",
                                       "pid",
                                       "function",
                                       "kernel_name",
                                       "api_name"};
    const char *limit = strstr(sql, " LIMIT ");
    const char *end, *word;
    bool is_unique = false;

    for (const char *next; limit && (next = strstr(limit + 1, " LIMIT "));)
        limit = next;
    end = limit && !strchr(limit, ')') ? limit : sql + strlen(sql);
    if (!strstr(sql, "ORDER BY") && !strstr(sql, "GROUP BY"))
        return strstr(sql, "count(*)"); /* one row */
    word = end;
    while (word > sql && strchr("abcdefghijklmnopqrstuvwxyz_", word[-1]))
        word--;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        is_unique |= strncmp(word, keys[i], (size_t)(end - word)) == 0 && !keys[i][end - word];
    return is_unique && strstr(sql, "ORDER BY");
}

/* Asks an answer about a small trace; params are as of the skill. */
static enum nsc_status ask(const struct nsc_answer *answer, struct nsc_error *error)
{
    struct nsc_trace *trace = nsc_test_trace_parse(nsc_test_trace_sample);
    const struct nsc_scope scope = nsc_scope_all(trace);
    struct nsc_question question = nsc_question_of(&answer->skill, &scope, NULL);
    struct nsc_sheets out = {0};

    question.skill = &answer->skill;
    question.error = error;
    if (!answer->is_raw)
        nsc_answer_run(&out, &question);
    nsc_sheets_fini(&out);
    nsc_trace_free(trace);
    return error->status;
}

static void check_answers(const struct nsc_answers *answers)
{
    for (size_t i = 0; i < answers->list.n; i++) {
        const struct nsc_answer *answer = answers->list.at[i];
        struct nsc_error error = {0};

        assert_string_equal(answer->skill.name, answer->file);
        assert_non_null(answer->skill.columns[0].key);
        for (const struct nsc_sheet_column *a = answer->skill.columns; a->key; a++)
            for (const struct nsc_sheet_column *b = a + 1; b->key; b++)
                assert_string_not_equal(a->title, b->title);
        if (ask(answer, &error) != NSC_OK)
            fail_msg("%s", error.text);
        for (size_t k = 0; k < answer->sheets.n; k++)
            if (!ends_in_a_key(answer->sheets.at[k].sql))
                fail_msg("%s: rows may have equal keys", answer->file);
    }
}

TEST(the_programs_answers_hold)
{
    struct nsc_answers answers;

    nsc_answers_init(&answers);
    assert_true(nsc_n_answer_files > 0);
    assert_int_equal(answers.list.n, nsc_n_answer_files);
    check_answers(&answers);
    for (size_t i = 0; i < answers.list.n; i++) {
        assert_true(answers.list.at[i]->skill.words[0]);
        assert_string_not_equal(answers.list.at[i]->skill.category, "yours");
    }
    nsc_answers_fini(&answers);
}

TEST(the_tables_of_the_report_hold)
{
    struct nsc_answers answers;

    nsc_answers_init_tables(&answers);
    assert_true(nsc_n_table_files > 0);
    assert_int_equal(answers.list.n, nsc_n_table_files);
    check_answers(&answers);
    nsc_answers_fini(&answers);
}

static const struct nsc_answer *add(struct nsc_answers *answers, const char *text,
                                    struct nsc_error *error)
{
    *answers = (struct nsc_answers){0};
    return nsc_answers_add(answers, "skills/mine.sql", nsc_text_from(text), error) == NSC_OK
               ? answers->list.at[0]
               : NULL;
}

TEST(all_lines_of_a_header_are_read)
{
    struct nsc_answers answers;
    struct nsc_error error = {0};
    const struct nsc_answer *answer =
        add(&answers,
            "-- name: my-copies\n-- question: Which?\n-- words: copy* big\n-- alias: one two\n"
            "-- category: memory\n-- window: steady\n-- needs: copy \"copies\"\n"
            "-- param: limit count 15 \"most rows\"\n-- param: name text \"its name\"\n"
            "-- column n count \"Copies\"\n-- column rate number 2 \"GB/s\"\n"
            "-- column share percent \"Share\" of \"all copies\"\n-- a comment\n"
            "-- note: A note.\n-- note-if: SELECT 'x'\n-- empty: None.\n\n"
            "SELECT 1 AS n, 2.5 AS rate,\n 3 AS share;\n"
            "-- sheet: next \"Another\"\nSELECT 2",
            &error);
    const struct nsc_skill *skill = &answer->skill;

    assert_non_null(answer);
    assert_string_equal(skill->name, "my-copies");
    assert_string_equal(skill->question, "Which?");
    assert_string_equal(skill->words, "copy* big");
    assert_string_equal(skill->category, "memory");
    assert_string_equal(skill->params, "limit=15 name");
    assert_string_equal(skill->needs, "copies");
    assert_string_equal(nsc_skill_alias(skill, 1), "two");
    assert_int_equal(skill->window, NSC_SKILL_STEADY);
    assert_int_equal(nsc_columns_count(skill->columns), 3);
    assert_int_equal(skill->columns[1].decimals, 2);
    assert_string_equal(skill->columns[2].of, "all copies");
    assert_int_equal(answer->sheets.n, 2);
    assert_int_equal(answer->sheets.at[0].line, 18);
    assert_int_equal(answer->sheets.at[0].notes.n, 2);
    assert_string_equal(answer->sheets.at[0].empty, "None.");
    assert_string_equal(answer->sheets.at[0].sql, "SELECT 1 AS n, 2.5 AS rate,\n 3 AS share");
    assert_string_equal(answer->sheets.at[1].title, "Another");
    assert_int_equal(ask(answer, &error), NSC_OK);
    nsc_answers_fini(&answers);
}

/* Esc ends an answer that is a file, one or not if nobody asks. */
TEST(a_cancelled_answer_ends)
{
    struct nsc_trace *trace = nsc_test_trace_parse(nsc_test_trace_sample);
    struct nsc_scope scope = nsc_scope_all(trace);
    struct nsc_progress progress = {0};
    struct nsc_answers answers;

    nsc_answers_init(&answers);
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        const struct nsc_skill *skill = &answers.list.at[0]->skill;
        struct nsc_question question = nsc_question_of(skill, &scope, NULL);
        struct nsc_error error = {0};
        struct nsc_sheets out = {0};

        atomic_store(&progress.cancel, cancelled != 0);
        scope.stop = &progress;
        question.error = &error;
        nsc_skill_run(&out, &question);
        assert_int_equal(error.status, cancelled ? NSC_ECANCELLED : NSC_OK);
        nsc_sheets_fini(&out);
    }
    nsc_answers_fini(&answers);
    nsc_trace_free(trace);
}

TEST(errors_name_file_and_line)
{
    static const struct {
        const char *text, *error;
    } wrong[] = {
        {"-- question: x\n", "skills/mine.sql:2: a query is text"},
        {"-- name: ../x\nSELECT 1", "skills/mine.sql:1: a skill's name has"},
        {"-- words: x\n-- window: all\nSELECT 1", "skills/mine.sql:2: window is whole"},
        {"-- needs: copies \"copies\"\nSELECT 1", "skills/mine.sql:1: needs is a table"},
        {"-- param: n integer \"x\"\nSELECT 1", "skills/mine.sql:1: param is NAME"},
        {"-- param: n text x \"x\"\nSELECT 1", "skills/mine.sql:1: a text has no default"},
        {"-- column n\nSELECT 1", "skills/mine.sql:1: column is KEY"},
        {"-- column n count \"N\" per \"x\"\nSELECT 1", "skills/mine.sql:1: column is KEY"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct nsc_answers answers;
        struct nsc_error error = {0};

        assert_null(add(&answers, wrong[i].text, &error));
        if (!strstr(error.text, wrong[i].error))
            fail_msg("%s: %s", wrong[i].text, error.text);
        nsc_answers_fini(&answers);
    }
}

TEST(statements_that_do_not_fit_are_refused)
{
    static const struct {
        const char *text, *error;
    } wrong[] = {
        {"-- question: x\nSELECT 1,\n missing FROM kernel", "no such column: missing"},
        {"-- question: x\nSELECT 1,\n missing FROM kernel", "mine.sql:3)"},
        {"SELECT :other FROM kernel", "no such parameter: :other"},
        {"-- column n count \"N\"\nSELECT 1 AS m", "column n where the query has m"},
        {"-- column n count \"N\"\nSELECT 1 AS n, 2", "the header has 1 columns"},
        {"-- column n count \"N\"\nSELECT 1.5 AS n", "column n is whole numbers only"},
        {"-- column n count \"N\"\nSELECT 'x' AS n", "column n: a text is no number"},
        {"-- note-if: SELECT missing\nSELECT 1", "no such column: missing"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct nsc_answers answers;
        struct nsc_error error = {0};
        const struct nsc_answer *answer = add(&answers, wrong[i].text, &error);

        assert_non_null(answer);
        assert_int_equal(ask(answer, &error), NSC_EINVAL);
        if (!strstr(error.text, wrong[i].error))
            fail_msg("%s: %s", wrong[i].text, error.text);
        nsc_answers_fini(&answers);
    }
}
