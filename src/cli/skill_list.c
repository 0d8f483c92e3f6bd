/*
 * One list of built-in skills and of queries.
 */
#include "cli/skill_list.h"

#include "cli/sql_ask.h"
#include "core/nearest.h"

#include <stdlib.h>
#include <string.h>

void nsc_skill_list_init(struct nsc_skill_list *list)
{
    *list = (struct nsc_skill_list){0};
    nsc_sql_skills_init(&list->sql);
    list->skills = nsc_skills(&list->n_skills);
    list->n = list->n_skills + (uint32_t)list->sql.list.n;
    list->entries = nsc_xcalloc(list->n, sizeof *list->entries);
    for (uint32_t i = 0; i < list->n_skills; i++)
        list->entries[i] = (struct nsc_route_entry){list->skills[i].name, list->skills[i].question,
                                                    list->skills[i].words};
    for (uint32_t i = list->n_skills; i < list->n; i++) {
        const struct nsc_sql_skill *skill = &list->sql.list.at[i - list->n_skills];

        list->entries[i] = (struct nsc_route_entry){skill->name, skill->question, skill->words};
    }
}

void nsc_skill_list_fini(struct nsc_skill_list *list)
{
    free(list->entries);
    nsc_sql_skills_fini(&list->sql);
}

uint32_t nsc_skill_list_find(const struct nsc_skill_list *list, const char *name,
                             struct nsc_error *error)
{
    const struct nsc_skill *skill = nsc_skill_find(name);
    struct nsc_buf near = NSC_BUF_INIT(4096);
    struct nsc_nearest nearest;

    if (skill)
        return (uint32_t)(skill - list->skills);
    nsc_nearest_init(&nearest, nsc_text_from(name));
    for (uint32_t i = 0; i < list->n; i++) {
        if (strcmp(list->entries[i].name, name) == 0) {
            nsc_buf_fini(&near);
            return i;
        }
        nsc_nearest_add(&nearest, nsc_text_from(list->entries[i].name));
    }
    nsc_nearest_print(&near, &nearest, false);
    (void)nsc_fail(error, NSC_EINVAL, "skill %.60s: no such skill%s; nsyscope skill list", name,
                   near.n ? near.bytes : "");
    nsc_buf_fini(&near);
    return NSC_NONE;
}

/* ---- asking ---- */

static void ask_query(const struct nsc_skill_asking *asking, const struct nsc_sql_skill *skill)
{
    static const struct nsc_sheet_column none[] = {
        NSC_COL_UNBOUND("row", "Row", NULL, NSC_SHEET_TEXT, 0)};
    struct nsc_relation *relation = NULL;
    struct nsc_error error = {0};
    enum nsc_status status;

    if (nsc_sql_skill_is_of_trace(skill))
        status = nsc_sql_ask_scope(&relation, asking->loaded, skill->sql, &error);
    else
        status = nsc_sql_skill_run(&relation, skill, asking->options->file, asking->options,
                                   asking->loaded->capture, &error);
    if (status != NSC_OK) {
        nsc_sheet_note(nsc_sheets_add(asking->out, skill->name, skill->question, none, 1), "%s",
                       error.text);
        return;
    }
    nsc_sql_skill_set_title(relation, skill);
    *NSC_VEC_ADD(&asking->kept->list) = relation;
    /* Moves the data owned by the sheet; the relation keeps the columns. */
    *NSC_VEC_ADD(&asking->out->list) = relation->sheet;
    memset(&relation->sheet.cells, 0, sizeof relation->sheet.cells);
    memset(&relation->sheet.notes, 0, sizeof relation->sheet.notes);
    memset(&relation->sheet.bytes, 0, sizeof relation->sheet.bytes);
}

void nsc_skill_list_ask(const struct nsc_skill_asking *asking, const struct nsc_skill_list *list,
                        uint32_t i)
{
    const struct nsc_loaded_scope *loaded = asking->loaded;
    struct nsc_question question;

    if (i >= list->n_skills) {
        ask_query(asking, &list->sql.list.at[i - list->n_skills]);
        return;
    }
    question = nsc_question_of(&list->skills[i], &loaded->scope, asking->fields);
    question.indent = loaded->format == NSC_SHEET_AS_TABLE || loaded->format == NSC_SHEET_AS_MD;
    nsc_skill_run(asking->out, &list->skills[i], &question);
}

void nsc_kept_relations_fini(struct nsc_kept_relations *kept)
{
    for (size_t i = 0; i < kept->list.n; i++)
        nsc_relation_free(kept->list.at[i]);
    NSC_VEC_FINI(&kept->list);
}
