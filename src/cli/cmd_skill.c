/*
 * nsyscope skill: lists the questions that have names, and asks one of them.
 */
#include "analysis/skill.h"
#include "cli/commands.h"
#include "cli/field_reader.h"
#include "cli/scope_options.h"
#include "core/nearest.h"

#include <string.h>

/* ---- list ---- */

static void add_columns(struct nsc_sheet *sheet, const struct nsc_sheet_column columns[])
{
    struct nsc_buf line = NSC_BUF_INIT(4096);

    for (uint32_t i = 0; columns[i].key; i++)
        nsc_buf_printf(&line, "%s%s", i ? " " : "", columns[i].key);
    nsc_sheet_add_puts(sheet, line.n ? line.bytes : "");
    nsc_buf_fini(&line);
}

static int run_list(const struct nsc_options *options)
{
    static const struct nsc_sheet_column columns[] = {
        {"name", "Skill", NULL, NSC_SHEET_TEXT, 0},
        {"category", "Category", NULL, NSC_SHEET_TEXT, 0},
        {"parameters", "Parameters", NULL, NSC_SHEET_TEXT, 0},
        {"question", "Question", NULL, NSC_SHEET_TEXT, 0},
        {"columns", "Columns", NULL, NSC_SHEET_TEXT, 0},
    };
    struct nsc_sheet_style style = {
        .ascii = nsc_output_is_ascii(), .width = nsc_output_width(), .kind = "nsyscope.skills"};
    struct nsc_error error = {0};
    struct nsc_sheets sheets = {0};
    struct nsc_buf out = NSC_BUF_INIT(1u << 24);
    struct nsc_sheet *sheet;
    uint32_t n = 0;
    const struct nsc_skill *skills = nsc_skills(&n);
    int result;

    if (nsc_sheet_format_option(&style.format, options, &error) != NSC_OK)
        return nsc_report(&error);
    /* What programs read has the columns as well; a table of them would be too wide to read. */
    sheet = nsc_sheets_add(
        &sheets, "skills", "Skills", columns,
        style.format == NSC_SHEET_AS_TABLE || style.format == NSC_SHEET_AS_MD ? 4 : 5);
    for (uint32_t i = 0; i < n; i++) {
        nsc_sheet_add_puts(sheet, skills[i].name);
        nsc_sheet_add_puts(sheet, skills[i].category);
        nsc_sheet_add_puts(sheet, skills[i].params);
        nsc_sheet_add_puts(sheet, skills[i].question);
        if (sheet->n_columns == 5)
            add_columns(sheet, skills[i].columns);
    }
    nsc_sheets_write(&out, &sheets, &style);
    result = nsc_print(&out);
    nsc_buf_fini(&out);
    nsc_sheets_fini(&sheets);
    return result;
}

/* ---- run ---- */

static int fail_unknown(const char *name)
{
    struct nsc_error error = {0};
    struct nsc_buf near = NSC_BUF_INIT(4096);
    struct nsc_nearest nearest;
    uint32_t n = 0;
    const struct nsc_skill *skills = nsc_skills(&n);

    nsc_nearest_init(&nearest, nsc_text_from(name));
    for (uint32_t i = 0; i < n; i++)
        nsc_nearest_offer(&nearest, nsc_text_from(skills[i].name));
    nsc_nearest_print(&near, &nearest, false);
    (void)nsc_fail(&error, NSC_EINVAL, "skill %.60s: no such skill%s; nsyscope skill list", name,
                   near.n ? near.bytes : "");
    nsc_buf_fini(&near);
    return nsc_report(&error);
}

static enum nsc_status set_params(struct nsc_question *question, const struct nsc_skill *skill,
                                  const struct nsc_options *options, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (uint32_t i = 0; i < options->n_params && status == NSC_OK; i++)
        status = nsc_question_set(question, skill, options->params[i], error);
    return status;
}

static int run_skill(const struct nsc_options *options, const struct nsc_skill *skill)
{
    struct nsc_question question = nsc_question_of(skill, NULL, NULL);
    struct nsc_sheets sheets = {0};
    struct nsc_error error = {0};
    struct nsc_field_reader fields;
    struct nsc_asked asked;
    int result;

    if (set_params(&question, skill, options, &error) != NSC_OK ||
        nsc_asked_open_file(&asked, options->operands[2], options, &error) != NSC_OK)
        return nsc_report(&error);
    nsc_field_reader_init(&fields, asked.xport, asked.trace);
    question.scope = &asked.scope;
    question.indent = asked.format == NSC_SHEET_AS_TABLE || asked.format == NSC_SHEET_AS_MD;
    question.fields = &fields.sets;
    skill->run(&sheets, &question);
    if (fields.error.status != NSC_OK)
        nsc_asked_note(&asked, "Some columns could not be read: %s", fields.error.text);
    result = nsc_asked_print(&asked, &sheets, "nsyscope.skill");
    nsc_sheets_fini(&sheets);
    nsc_field_reader_fini(&fields);
    nsc_asked_close(&asked);
    return result;
}

static int run_run(const struct nsc_options *options)
{
    const char *name = options->operands[1];
    const struct nsc_skill *skill = name ? nsc_skill_find(name) : NULL;
    struct nsc_error error = {0};

    if (!name || !options->operands[2]) {
        (void)nsc_fail(&error, NSC_EINVAL,
                       "give skill run NAME FILE; nsyscope skill list shows the names");
        return nsc_report(&error);
    }
    return skill ? run_skill(options, skill) : fail_unknown(name);
}

int nsc_cmd_skill(const struct nsc_options *options)
{
    struct nsc_error error = {0};

    if (strcmp(options->operands[0], "list") == 0 && options->n_operands == 1)
        return run_list(options);
    if (strcmp(options->operands[0], "run") == 0)
        return run_run(options);
    (void)nsc_fail(&error, NSC_EINVAL, "skill %.60s: give skill list or skill run NAME FILE",
                   options->operands[0]);
    return nsc_report(&error);
}
