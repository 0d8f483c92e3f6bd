/* nsyscope skill: lists the named questions, asks one of them, or installs the skill for agents. */
#include "analysis/skill/skill.h"

#include "cli/cmd/documents.h"
#include "cli/commands.h"
#include "cli/skill_list.h"
#include "core/outfile.h"
#include "core/outfolder.h"
#include "core/paths.h"
#include "core/sheet.h"

#include <stdio.h>
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
    bool for_people = nsc_output_is_for_people(options);

    /* Programs get all columns, which would make the table too wide for people. */
    sheet = nsc_sheets_add(&sheets, "skills", "Skills", columns, for_people ? 4 : 6);
    for (uint32_t i = 0; i < list->n; i++) {
        add_row(sheet, &list->skills[i]);
        if (for_people)
            add_aliases(sheet, &list->skills[i]);
    }
    return nsc_sheets_print(&sheets, options, "nsyscope.skills", error);
}

/* ---- run ---- */

/* The events that skills of these categories need; others need any event. */
static const struct subject {
    const char *categories;
    enum nsc_kind first, last;
    const char *events; /* their name in messages */
} subjects[] = {
    {"kernels device streams communication memory flops launch", NSC_KIND_KERNEL, NSC_KIND_MEMSET,
     "GPU work"},
    {"nvtx iterations", NSC_KIND_NVTX_RANGE, NSC_KIND_NVTX_RANGE, "NVTX ranges"},
};

/* Operands: run NAME FILE... */
static enum nsc_status run_skill(const struct nsc_options *options, const struct nsc_skill *skill,
                                 struct nsc_error *error)
{
    const struct nsc_files files = {options->operands + 2, options->n_operands - 2};
    struct nsc_asked asked = {.kind = "nsyscope.skill",
                              .events = skill->needs,
                              .first = skill->first_need,
                              .last = skill->last_need};

    for (size_t i = 0; i < sizeof subjects / sizeof *subjects && !skill->answer; i++)
        if (strstr(subjects[i].categories, skill->category)) {
            asked.events = subjects[i].events;
            asked.first = subjects[i].first;
            asked.last = subjects[i].last;
        }
    nsc_asked_add(&asked, skill);
    return nsc_asked_walk(&asked, options, files, error);
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
    return i == NSC_NONE ? error->status : run_skill(options, &list->skills[i], error);
}

/* ---- install ---- */

/* Prints the skill for agents, or writes it with the guides as its references to where the agent looks
 * for skills below the folder of --to. */
static enum nsc_status run_install(const struct nsc_options *options, struct nsc_error *error)
{
    static const char *const places[] = {".claude/skills", ".agents/skills", ".cursor/skills"};
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_folder folder = {0};
    enum nsc_status status = NSC_OK;

    nsc_buf_puts(options->set[NSC_OPTION_INSTALL_TO] ? nsc_folder_add(&folder, "SKILL.md") : &path,
                 nsc_agent_files[0].text);
    if (!options->set[NSC_OPTION_INSTALL_TO])
        return nsc_print(&path, error);
    for (unsigned i = 0; i < nsc_n_guide_files; i++) {
        nsc_buf_clear(&path);
        nsc_buf_printf(&path, "references/%s.md", nsc_guide_topic(&nsc_guide_files[i]));
        nsc_buf_puts(nsc_folder_add(&folder, path.bytes), nsc_guide_files[i].text);
    }
    nsc_buf_clear(&path);
    nsc_buf_printf(&path, "%s/%s/nsyscope", options->arg[NSC_OPTION_INSTALL_TO][0],
                   places[options->word[NSC_OPTION_FOR]]);
    folder.path = path.bytes;
    status = nsc_file_folders(path.bytes, error);
    if (status == NSC_OK)
        status = nsc_folder_write(&folder, options->set[NSC_OPTION_FORCE] ? NSC_OUTFILE_REPLACE : 0,
                                  error);
    nsc_folder_fini(&folder);
    nsc_buf_fini(&path);
    return status;
}

enum nsc_status nsc_cmd_skill(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_skill_list list;
    enum nsc_status status;

    if (strcmp(options->operands[0], "install") == 0 && options->n_operands == 1)
        return run_install(options, error);
    nsc_skill_list_init(&list);
    if (strcmp(options->operands[0], "list") == 0 && options->n_operands == 1)
        status = run_list(options, &list, error);
    else if (strcmp(options->operands[0], "run") == 0)
        status = run_run(options, &list, error);
    else
        status = nsc_fail(error, NSC_EINVAL,
                          "skill %.60s: give skill list, skill run NAME FILE... or skill install",
                          options->operands[0]);
    nsc_skill_list_fini(&list);
    return status;
}
