/*
 * One list of the skills in C, of answers that are files, and of the user's files.
 */
#include "cli/skill_list.h"

#include "core/nearest.h"
#include "core/paths.h"
#include "core/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 1 << 20, PATH_LIMIT = 8192, FILES_LIMIT = 1000 };

/* ---- the user's folder ---- */

static int is_query(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && nsc_text_ends(nsc_text_from(entry->d_name), ".sql");
}

static void read_file(struct nsc_answers *answers, const char *folder, const char *leaf)
{
    struct nsc_buf path = NSC_BUF_INIT(PATH_LIMIT);
    struct nsc_buf text = NSC_BUF_INIT(FILE_LIMIT + 1);
    struct nsc_error error = {0};

    nsc_buf_printf(&path, "%s/%s", folder, leaf);
    if (nsc_file_read(&text, path.bytes, FILE_LIMIT, &error) != NSC_OK ||
        nsc_answers_add(answers, path.bytes, nsc_text_of_buf(&text), &error) != NSC_OK)
        fprintf(stderr, "nsyscope: %s\n", error.text);
    nsc_buf_fini(&text);
    nsc_buf_fini(&path);
}

static void read_files(struct nsc_answers *answers)
{
    struct nsc_buf folder = NSC_BUF_INIT(PATH_LIMIT);
    struct dirent **entries = NULL;
    int n = nsc_path_home(&folder, NSC_PATH_CONFIG, "skills")
                ? scandir(folder.bytes, &entries, is_query, alphasort)
                : 0;

    for (int i = 0; i < n; i++) {
        if (i < FILES_LIMIT)
            read_file(answers, folder.bytes, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    nsc_buf_fini(&folder);
}

/* ---- the list ---- */

/* Of skills with one name the last is listed: whether an answer from number i on has it. */
static bool is_hidden(const struct nsc_answers *answers, size_t i, const char *name)
{
    for (; i < answers->list.n; i++)
        if (strcmp(answers->list.at[i]->skill.name, name) == 0)
            return true;
    return false;
}

/* Adds a skill: one of the program behind the last of its category, so that lists stay in groups. */
static void add_skill(struct nsc_skill_list *list, const struct nsc_answer *answer)
{
    uint32_t at = list->n;

    while (answer->is_program && at > 0 &&
           strcmp(list->skills[at - 1].category, answer->skill.category) != 0)
        at--;
    at = at > 0 ? at : list->n;
    memmove(&list->skills[at + 1], &list->skills[at], (list->n - at) * sizeof *list->skills);
    list->skills[at] = answer->skill;
    list->n++;
    list->n_program += answer->is_program;
}

static void init(struct nsc_skill_list *list, bool has_files)
{
    uint32_t n = 0;
    const struct nsc_skill *skills = nsc_skills(&n);

    *list = (struct nsc_skill_list){0};
    nsc_answers_init(&list->answers);
    if (has_files)
        read_files(&list->answers);
    list->skills = nsc_xcalloc(n + list->answers.list.n, sizeof *list->skills);
    for (uint32_t i = 0; i < n; i++)
        if (!is_hidden(&list->answers, 0, skills[i].name))
            list->skills[list->n++] = skills[i];
    list->n_program = list->n;
    for (size_t i = 0; i < list->answers.list.n; i++)
        if (!is_hidden(&list->answers, i + 1, list->answers.list.at[i]->skill.name))
            add_skill(list, list->answers.list.at[i]);
    list->entries = nsc_xcalloc(list->n, sizeof *list->entries);
    for (uint32_t i = 0; i < list->n; i++)
        list->entries[i] = (struct nsc_route_entry){list->skills[i].name, list->skills[i].question,
                                                    list->skills[i].words};
}

void nsc_skill_list_init_program(struct nsc_skill_list *list)
{
    init(list, false);
}

void nsc_skill_list_init(struct nsc_skill_list *list)
{
    init(list, true);
}

void nsc_skill_list_fini(struct nsc_skill_list *list)
{
    free(list->entries);
    free(list->skills);
    nsc_answers_fini(&list->answers);
}

uint32_t nsc_skill_list_find(const struct nsc_skill_list *list, const char *name,
                             struct nsc_error *error)
{
    const struct nsc_skill *skill = nsc_skill_find_in(list->skills, list->n, name);
    char near[NSC_NEAREST_WORDS];
    struct nsc_nearest nearest;

    if (skill)
        return (uint32_t)(skill - list->skills);
    nsc_nearest_init(&nearest, nsc_text_from(name));
    for (uint32_t i = 0; i < list->n; i++)
        nsc_nearest_add(&nearest, nsc_text_from(list->entries[i].name));
    (void)nsc_fail(error, NSC_EINVAL, "skill %.60s: no such skill%s; nsyscope skill list", name,
                   nsc_nearest_words(near, &nearest));
    return NSC_NONE;
}

const struct nsc_skill *nsc_skill_list_program(const struct nsc_skill_list *list, const char *name)
{
    const struct nsc_skill *skill = nsc_skill_find(name);

    for (size_t i = 0; i < list->answers.list.n && !skill; i++)
        if (list->answers.list.at[i]->is_program &&
            strcmp(list->answers.list.at[i]->skill.name, name) == 0)
            skill = &list->answers.list.at[i]->skill;
    return skill;
}

/* ---- asking ---- */

void nsc_skill_list_ask(struct nsc_sheets *out, const struct nsc_skill_list *list, uint32_t i,
                        const struct nsc_loaded_scope *loaded)
{
    struct nsc_question question =
        nsc_question_of(&list->skills[i], &loaded->scope, &loaded->fields.sets);

    question.capture = loaded->capture;
    question.indent = nsc_output_is_for_people(loaded->options);
    nsc_skill_run(out, &question);
}
