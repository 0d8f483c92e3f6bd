/*
 * Reads the headers of .sql files and runs their queries.
 */
#include "cli/sql_skills.h"

#include "analysis/skill/skill.h"
#include "cli/sql_ask.h"
#include "core/paths.h"
#include "core/text.h"
#include "nsys/jobs/query.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 1 << 20, PATH_LIMIT = 8192, FILES_LIMIT = 1000 };

static const struct nsc_sql_skill builtin[] = {
    {"schema_inspect", "Which tables and columns does the export have?",
     "schema table* column* database structure fields sql", "tbl, col, type, pk",
     "SELECT m.name AS tbl, p.name AS col, p.type AS type, p.pk AS pk "
     "FROM sqlite_schema m, pragma_table_info(m.name) p WHERE m.type = 'table' "
     "ORDER BY m.name, p.cid",
     "utility"},
};

/* ---- one file ---- */

static void warn(const char *path, const char *what)
{
    struct nsc_buf line = NSC_BUF_INIT(PATH_LIMIT + 1000);

    nsc_text_clean(&line, nsc_text_from(path), false);
    fprintf(stderr, "nsyscope: %s: %s\n", line.n ? line.bytes : "", what);
    nsc_buf_fini(&line);
}

/* The value of "-- key: value" in the text's leading comment lines; NULL if there is none. */
static char *find_header(struct nsc_arena *arena, const char *text, const char *key)
{
    size_t n = strlen(key);

    while (strncmp(text, "--", 2) == 0) {
        size_t length = strcspn(text, "\r\n");
        const char *at = text + 2 + strspn(text + 2, " \t");

        if (strncmp(at, key, n) == 0 && at[n] == ':') {
            at += n + 1;
            at += strspn(at, " \t");
            while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
                length--;
            return nsc_arena_copy(arena, at, at < text + length ? (size_t)(text + length - at) : 0);
        }
        text += length;
        text += strspn(text, "\r\n");
    }
    return NULL;
}

static bool is_plain(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

    return n > 0 && !name[n];
}

static bool is_there(const struct nsc_sql_skills *skills, const char *name)
{
    for (size_t i = 0; i < skills->list.n; i++)
        if (strcmp(skills->list.at[i].name, name) == 0)
            return true;
    return false;
}

/* Returns the error in the file; NULL if it was added. leaf: "long_copies.sql". */
static const char *add_file(struct nsc_sql_skills *skills, const char *leaf, const char *text)
{
    struct nsc_arena *arena = &skills->arena;
    struct nsc_sql_skill skill = {.category = "yours"};

    skill.name = find_header(arena, text, "name");
    skill.question = find_header(arena, text, "question");
    skill.words = find_header(arena, text, "words");
    skill.columns = find_header(arena, text, "columns");
    skill.sql = nsc_arena_copy(arena, text, strlen(text));
    if (!skill.name)
        skill.name = nsc_arena_copy(arena, leaf, strlen(leaf) - strlen(".sql"));
    if (!skill.question || !skill.question[0])
        skill.question = skill.name;
    skill.words = skill.words ? skill.words : "";
    skill.columns = skill.columns ? skill.columns : "";
    if (!is_plain(skill.name))
        return "a skill's name has letters, digits, _ and - only";
    if (nsc_skill_find(skill.name) || is_there(skills, skill.name))
        return "another skill has that name";
    *NSC_VEC_ADD(&skills->list) = skill;
    return NULL;
}

/* ---- the folder ---- */

static int compare_leaves(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct leaves {
    NSC_VEC(char *) list;
};

static void read_folder(struct leaves *leaves, struct nsc_arena *arena, const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    while (folder && leaves->list.n < FILES_LIMIT && (entry = readdir(folder))) {
        size_t n = strlen(entry->d_name);

        if (n > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 4, ".sql") == 0)
            *NSC_VEC_ADD(&leaves->list) = nsc_arena_copy(arena, entry->d_name, n);
    }
    if (folder)
        (void)closedir(folder);
    if (leaves->list.n > 1)
        qsort(leaves->list.at, leaves->list.n, sizeof *leaves->list.at, compare_leaves);
}

static void read_file(struct nsc_sql_skills *skills, const char *folder, const char *leaf)
{
    struct nsc_buf path = NSC_BUF_INIT(PATH_LIMIT);
    struct nsc_buf text = NSC_BUF_INIT(FILE_LIMIT + 1);
    struct nsc_error error = {0};
    const char *wrong = NULL;

    nsc_buf_printf(&path, "%s/%s", folder, leaf);
    if (nsc_file_read(&text, path.bytes, FILE_LIMIT, &error) != NSC_OK) {
        fprintf(stderr, "nsyscope: %s\n", error.text);
    } else {
        wrong = text.n > 0 && strlen(text.bytes) == text.n ? add_file(skills, leaf, text.bytes)
                                                           : "a query is text, and this holds none";
        if (wrong)
            warn(path.bytes, wrong);
    }
    nsc_buf_fini(&text);
    nsc_buf_fini(&path);
}

void nsc_sql_skills_init(struct nsc_sql_skills *skills)
{
    struct nsc_buf folder = NSC_BUF_INIT(PATH_LIMIT);
    struct leaves leaves = {0};

    *skills = (struct nsc_sql_skills){0};
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        *NSC_VEC_ADD(&skills->list) = builtin[i];
    if (nsc_path_home(&folder, NSC_PATH_CONFIG, "skills"))
        read_folder(&leaves, &skills->arena, folder.bytes);
    for (size_t i = 0; i < leaves.list.n; i++)
        read_file(skills, folder.bytes, leaves.list.at[i]);
    NSC_VEC_FINI(&leaves.list);
    nsc_buf_fini(&folder);
}

void nsc_sql_skills_fini(struct nsc_sql_skills *skills)
{
    NSC_VEC_FINI(&skills->list);
    nsc_arena_fini(&skills->arena);
}

/* ---- asking ---- */

bool nsc_sql_skill_is_of_trace(const struct nsc_sql_skill *skill)
{
    struct nsc_error ignored = {0};

    return nsc_sql_is_of_trace(skill->sql, &ignored);
}

void nsc_sql_skill_set_title(struct nsc_relation *rows, const struct nsc_sql_skill *skill)
{
    rows->sheet.key = skill->name;
    rows->sheet.title = skill->question;
}

enum nsc_status nsc_sql_skill_run(struct nsc_relation **out, const struct nsc_sql_skill *skill,
                                  const char *file, const struct nsc_options *options,
                                  const struct nsc_capture *loaded, struct nsc_error *error)
{
    const struct nsc_query_ask ask = {file,           &options->open, skill->sql,
                                      NSC_QUERY_FILE, NULL,           loaded};
    struct nsc_error own = {0};
    int column = -1;
    enum nsc_status status = nsc_query_run(out, &ask, &column, &own);

    if (status != NSC_OK)
        return nsc_fail(error, status, "skill %.60s: %s", skill->name, own.text);
    nsc_sql_skill_set_title(*out, skill);
    nsc_sheet_note(&(*out)->sheet, "A query of the whole export: filter, range and trim do not "
                                   "apply.");
    return NSC_OK;
}
