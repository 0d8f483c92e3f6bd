/* nsyscope skill: lists the named questions, or asks one of them. */
#include "analysis/skill/skill.h"

#include "cli/commands.h"
#include "cli/skill_list.h"
#include "cli/sql_ask.h"
#include "core/sheet.h"
#include "nsys/jobs/job_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- list ---- */

struct skill_row {
    const char *name, *category, *parameters, *question, *columns, *aliases;
};

static void add_row(struct nsc_sheet *sheet, const struct nsc_skill *skill)
{
    struct nsc_buf keys = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf aliases = NSC_BUF_INIT(SIZE_MAX);

    for (uint32_t i = 0; nsc_skill_alias(skill, i); i++)
        nsc_buf_printf(&aliases, "%s%s", i ? " " : "", nsc_skill_alias(skill, i));
    for (uint32_t i = 0; skill->columns[i].key; i++)
        nsc_buf_printf(&keys, "%s%s", i ? " " : "", skill->columns[i].key);
    NSC_ADD_ROW(sheet, skill_row, .name = skill->name, .category = skill->category,
                .parameters = skill->params, .question = skill->question,
                .columns = keys.n ? keys.bytes : "", .aliases = aliases.n ? aliases.bytes : "");
    nsc_buf_fini(&aliases);
    nsc_buf_fini(&keys);
}

/* Adds a row per alias, for people; programs have the column of aliases. */
static void add_aliases(struct nsc_sheet *sheet, const struct nsc_skill *skill)
{
    char same[80];

    (void)snprintf(same, sizeof same, "The same as %s", skill->name);
    for (uint32_t i = 0; nsc_skill_alias(skill, i); i++)
        NSC_ADD_ROW(sheet, skill_row, .name = nsc_skill_alias(skill, i),
                    .category = skill->category, .parameters = skill->params, .question = same);
}

static void add_query(struct nsc_sheet *sheet, const struct nsc_sql_skill *skill)
{
    NSC_ADD_ROW(sheet, skill_row, .name = skill->name, .category = skill->category,
                .parameters = "", .question = skill->question, .columns = skill->columns,
                .aliases = "");
}

static enum nsc_status run_list(const struct nsc_options *options,
                                const struct nsc_skill_list *list, struct nsc_error *error)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(skill_row, name, "name", "Skill"),
        NSC_COL_TEXT(skill_row, category, "category", "Category"),
        NSC_COL_TEXT(skill_row, parameters, "parameters", "Parameters"),
        NSC_COL_TEXT(skill_row, question, "question", "Question"),
        NSC_COL_TEXT(skill_row, columns, "columns", "Columns"),
        NSC_COL_TEXT(skill_row, aliases, "aliases", "Also called"),
    };
    struct nsc_sheets sheets = {0};
    struct nsc_sheet *sheet;
    bool for_people = options->format == NSC_SHEET_AS_TABLE || options->format == NSC_SHEET_AS_MD;
    enum nsc_status status;

    /* Programs get all columns, which would make the table too wide for people. */
    sheet = nsc_sheets_add(&sheets, "skills", "Skills", columns, for_people ? 4 : 6);
    for (uint32_t i = 0; i < list->n_skills; i++) {
        add_row(sheet, &list->skills[i]);
        if (for_people)
            add_aliases(sheet, &list->skills[i]);
    }
    for (size_t i = 0; i < list->sql.list.n; i++)
        add_query(sheet, &list->sql.list.at[i]);
    status = nsc_sheets_print(&sheets, options->format, "nsyscope.skills", error);
    nsc_sheets_fini(&sheets);
    return status;
}

/* ---- run ---- */

static enum nsc_status set_params(struct nsc_question *question, const struct nsc_skill *skill,
                                  const struct nsc_options *options, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (uint32_t i = 0; i < options->n_params && status == NSC_OK; i++)
        status = nsc_question_set(question, skill, options->params[i], error);
    return status;
}

/* The events that skills of these categories need; others need any event. */
static const struct {
    const char *category;
    enum nsc_kind first, last;
    const char *events;
} subjects[] = {
    {"kernels", NSC_KIND_KERNEL, NSC_KIND_MEMSET, "GPU work"},
    {"device", NSC_KIND_KERNEL, NSC_KIND_MEMSET, "GPU work"},
    {"streams", NSC_KIND_KERNEL, NSC_KIND_MEMSET, "GPU work"},
    {"communication", NSC_KIND_KERNEL, NSC_KIND_MEMSET, "GPU work"},
    {"memory", NSC_KIND_KERNEL, NSC_KIND_MEMSET, "GPU work"},
    {"flops", NSC_KIND_KERNEL, NSC_KIND_MEMSET, "GPU work"},
    {"launch", NSC_KIND_KERNEL, NSC_KIND_MEMSET, "GPU work"},
    {"nvtx", NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_RANGE, "NVTX ranges"},
    {"iterations", NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_RANGE, "NVTX ranges"},
};

/* Whether there is an answer, or an event that it could come from. */
static bool has_answer(const struct nsc_skill *skill, const struct nsc_loaded_scope *loaded,
                       const struct nsc_sheets *sheets, const char **events)
{
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        if (strcmp(subjects[i].category, skill->category) != 0)
            continue;
        *events = subjects[i].events;
        return nsc_sheets_rows(sheets) > 0 ||
               nsc_scope_has_kinds(&loaded->scope, subjects[i].first, subjects[i].last);
    }
    return true;
}

struct asking {
    const struct nsc_skill *skill;
    struct nsc_question question;
    bool is_found;      /* at least one export has an answer or such events */
    const char *events; /* the name of these events in messages */
};

static enum nsc_status fill(void *context, struct nsc_loaded_scope *loaded,
                            struct nsc_sheets *sheets, struct nsc_error *error)
{
    struct asking *asking = context;
    enum nsc_status status =
        nsc_skills_ask(sheets, loaded, &asking->skill, &asking->question, 1, error);

    asking->is_found |= has_answer(asking->skill, loaded, sheets, &asking->events);
    return status;
}

/* Operands: run NAME FILE... */
static enum nsc_status run_skill(const struct nsc_options *options, const struct nsc_skill *skill,
                                 struct nsc_error *error)
{
    const struct nsc_files files = {options->operands + 2, options->n_operands - 2};
    struct asking asking = {.skill = skill, .question = nsc_question_of(skill, NULL, NULL)};
    const struct nsc_ask ask = {fill, &asking, "nsyscope.skill"};
    enum nsc_status status = set_params(&asking.question, skill, options, error);

    if (status == NSC_OK)
        status = nsc_loaded_scope_walk(options, files, &ask, error);
    return status != NSC_OK || asking.is_found ? status
                                               : nsc_loaded_scope_nothing(error, asking.events);
}

/* ---- run a query ---- */

/* The rows of a query on several exports. */
struct query_parts {
    struct nsc_relation **rows;
    struct nsc_sheets *sheets; /* one per export; owns the rows */
    struct nsc_text *labels;
    uint32_t n;
};

static enum nsc_status query_each(struct query_parts *parts, const struct nsc_sql_skill *skill,
                                  struct nsc_job *job, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    while (parts->n < nsc_job_count(job) && status == NSC_OK) {
        uint32_t i = parts->n;

        status = nsc_sql_skill_run(&parts->rows[i], skill, options->operands[2 + i], options,
                                   nsc_job_capture(job, i), error);
        if (status != NSC_OK)
            break;
        nsc_sheet_note(&parts->rows[i]->sheet, "Times are on the clock of each export.");
        *NSC_VEC_ADD(&parts->sheets[i].list) = parts->rows[i]->sheet;
        parts->labels[i] = nsc_text_from(nsc_job_label(job, i));
        parts->n++;
    }
    if (status != NSC_OK)
        nsc_job_name_error(error, options->operands[2 + parts->n], 2);
    return status;
}

static enum nsc_status run_job_query(const struct nsc_options *options,
                                     const struct nsc_sql_skill *skill, struct nsc_job *job,
                                     struct nsc_error *error)
{
    uint32_t n = nsc_job_count(job);
    struct query_parts parts = {.rows = nsc_xcalloc(n, sizeof(struct nsc_relation *)),
                                .sheets = nsc_xcalloc(n, sizeof *parts.sheets),
                                .labels = nsc_xcalloc(n, sizeof *parts.labels)};
    struct nsc_sheets all = {0};
    enum nsc_status status = query_each(&parts, skill, job, options, error);

    if (status == NSC_OK) {
        nsc_sheets_join(&all, parts.sheets, parts.labels, n);
        status = nsc_sheets_print(&all, options->format, "nsyscope.skill", error);
    }
    nsc_sheets_fini(&all);
    for (uint32_t i = 0; i < parts.n; i++) {
        NSC_VEC_FINI(&parts.sheets[i].list);
        nsc_relation_free(parts.rows[i]);
    }
    free(parts.rows);
    free(parts.sheets);
    free(parts.labels);
    return status;
}

/* Asks the trace of all files, or the tables of a single one. */
static enum nsc_status run_one_query(const struct nsc_options *options,
                                     const struct nsc_sql_skill *skill, struct nsc_files files,
                                     struct nsc_error *error)
{
    struct nsc_relation *rows = NULL;
    struct nsc_sheets sheets;
    enum nsc_status status =
        nsc_sql_skill_is_of_trace(skill)
            ? nsc_sql_ask_files(&rows, files, options, skill->sql, error)
            : nsc_sql_skill_run(&rows, skill, files.at[0], options, NULL, error);

    if (status != NSC_OK)
        return status;
    nsc_sql_skill_set_title(rows, skill);
    sheets = (struct nsc_sheets){.list = {.at = &rows->sheet, .n = 1, .capacity = 1}};
    status = nsc_sheets_print(&sheets, options->format, "nsyscope.skill", error);
    nsc_relation_free(rows);
    return status;
}

static enum nsc_status run_query(const struct nsc_options *options,
                                 const struct nsc_sql_skill *skill, struct nsc_error *error)
{
    const struct nsc_files files = {options->operands + 2, options->n_operands - 2};
    struct nsc_job *job = NULL;
    enum nsc_status status;

    if (options->n_params)
        return nsc_fail(error, NSC_EINVAL, "-p %.60s: %s takes no parameters", options->params[0],
                        skill->name);
    if (files.n == 1 || nsc_sql_skill_is_of_trace(skill))
        return run_one_query(options, skill, files, error);
    status = nsc_open_files(&job, files, options, error);
    if (status == NSC_OK)
        status = run_job_query(options, skill, job, error);
    nsc_job_close(job);
    return status;
}

static enum nsc_status run_run(const struct nsc_options *options, const struct nsc_skill_list *list,
                               struct nsc_error *error)
{
    const char *name = options->operands[1];
    uint32_t i;

    if (!name || !options->operands[2])
        return nsc_fail(error, NSC_EINVAL,
                        "give skill run NAME FILE...; nsyscope skill list shows the names");
    i = nsc_skill_list_find(list, name, error);
    if (i == NSC_NONE)
        return error->status;
    return i < list->n_skills ? run_skill(options, &list->skills[i], error)
                              : run_query(options, &list->sql.list.at[i - list->n_skills], error);
}

enum nsc_status nsc_cmd_skill(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_skill_list list;
    enum nsc_status status;

    nsc_skill_list_init(&list);
    if (strcmp(options->operands[0], "list") == 0 && options->n_operands == 1)
        status = run_list(options, &list, error);
    else if (strcmp(options->operands[0], "run") == 0)
        status = run_run(options, &list, error);
    else
        status =
            nsc_fail(error, NSC_EINVAL, "skill %.60s: give skill list or skill run NAME FILE...",
                     options->operands[0]);
    nsc_skill_list_fini(&list);
    return status;
}
