/*
 * Unit tests of skills and their parameters: names, defaults, refused values; each skill answers an
 * empty trace with its documented columns.
 */
#include "analysis/skill/skill.h"
#include "support/build_trace.h"
#include "support/cm.h"

#include <string.h>

TEST(test_skills_are_found_by_name)
{
    uint32_t n = 0;
    const struct nsc_skill *skills = nsc_skills(&n);

    assert_true(n > 0);
    for (uint32_t i = 0; i < n; i++) {
        assert_ptr_equal(nsc_skill_find(skills[i].name), &skills[i]);
        assert_true(nsc_columns_count(skills[i].columns) > 0);
        assert_true(skills[i].question[strlen(skills[i].question) - 1] == '?');
    }
    assert_ptr_equal(nsc_skill_find("top-kernels"), nsc_skill_find("top_kernels"));
    assert_null(nsc_skill_find("top_kernel"));
    assert_null(nsc_skill_find(""));
}

TEST(test_columns_of_a_table_have_titles_of_their_own)
{
    uint32_t n = 0;
    const struct nsc_skill *skills = nsc_skills(&n);

    for (uint32_t i = 0; i < n; i++)
        for (const struct nsc_sheet_column *a = skills[i].columns; a->key; a++)
            for (const struct nsc_sheet_column *b = a + 1; b->key; b++)
                assert_string_not_equal(a->title, b->title);
}

TEST(test_parameters_have_the_rows_defaults)
{
    const struct nsc_skill *skill = nsc_skill_find("top_kernels");
    struct nsc_question question = nsc_question_of(skill, NULL, NULL);
    struct nsc_error error = {0};

    assert_true(question.params[NSC_PARAM_LIMIT].is_set);
    assert_int_equal(question.params[NSC_PARAM_LIMIT].integer, 15);
    assert_false(question.params[NSC_PARAM_FLOPS].is_set);
    assert_int_equal(nsc_question_set(&question, "limit=3", &error), NSC_OK);
    assert_int_equal(question.params[NSC_PARAM_LIMIT].integer, 3);
}

TEST(test_wrong_parameters_are_refused)
{
    static const char *const wrong[] = {"limit=-1", "limit=",   "limit=3x", "limit",
                                        "flops=3",  "limits=3", "",         "=3"};
    const struct nsc_skill *skill = nsc_skill_find("top_kernels");
    struct nsc_question question = nsc_question_of(skill, NULL, NULL);

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct nsc_error error = {0};

        assert_int_equal(nsc_question_set(&question, wrong[i], &error), NSC_EINVAL);
        assert_true(strlen(error.text) > 0);
    }
    assert_int_equal(question.params[NSC_PARAM_LIMIT].integer, 15);
}

/* Without any data: a sheet that says why, never a crash. */
TEST(test_every_skill_answers_an_empty_trace)
{
    struct nsc_trace *trace = nsc_test_trace_build(NULL, 0);
    struct nsc_scope scope = nsc_scope_all(trace);
    uint32_t n = 0;
    const struct nsc_skill *skills = nsc_skills(&n);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_question question = nsc_question_of(&skills[i], &scope, NULL);
        struct nsc_sheets sheets = {0};

        skills[i].run(&sheets, &question);
        assert_true(sheets.list.n > 0);
        assert_string_equal(sheets.list.at[0].key, skills[i].name);
        assert_ptr_equal(sheets.list.at[0].columns, skills[i].columns);
        assert_int_equal(sheets.list.at[0].n_columns, nsc_columns_count(skills[i].columns));
        assert_true(nsc_sheet_rows(&sheets.list.at[0]) > 0 || sheets.list.at[0].notes.n > 0);
        nsc_sheets_fini(&sheets);
    }
    nsc_trace_free(trace);
}
