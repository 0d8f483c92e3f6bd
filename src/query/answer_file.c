/*
 * Reads answers that are files: line by line, the headers into skills.
 */
#include "query/answer_file.h"

#include "core/text.h"
#include "query/query_data.h"

#include <string.h>

struct reading {
    struct nsc_arena *arena;
    struct nsc_answer *answer;
    struct nsc_answer_sheet *sheet; /* the last */
    const char *path;
    unsigned line; /* from 1 */
    struct nsc_error *error;
};

static enum nsc_status fail_at(const struct reading *reading, const char *what,
                               struct nsc_text word)
{
    struct nsc_buf path = NSC_BUF_INIT(200);
    struct nsc_buf clean = NSC_BUF_INIT(100);

    nsc_text_clean(&path, nsc_text_from(reading->path), false);
    nsc_text_clean(&clean, word, false);
    (void)nsc_fail(reading->error, NSC_EINVAL, "%s:%u: %s%s%s", path.n ? path.bytes : "",
                   reading->line, what, word.n ? ": " : "", clean.n ? clean.bytes : "");
    nsc_buf_fini(&clean);
    nsc_buf_fini(&path);
    return NSC_EINVAL;
}

static const struct nsc_text nothing = {"", 0};

/* ---- words of a line ---- */

static struct nsc_text trim(struct nsc_text text)
{
    while (text.n > 0 && strchr(" \t\r\n;", text.bytes[text.n - 1]))
        text.n--;
    while (text.n > 0 && strchr(" \t", text.bytes[0]))
        text.bytes++, text.n--;
    return text;
}

static const char *keep(const struct reading *reading, struct nsc_text text)
{
    return nsc_arena_copy(reading->arena, text.bytes, text.n);
}

/* The next word, or text in quotes; an empty one at the end. */
static struct nsc_text next_word(struct nsc_text *rest, bool *is_quoted)
{
    struct nsc_text word;
    const char *end;

    *rest = trim(*rest);
    *is_quoted = rest->n > 1 && rest->bytes[0] == '"';
    word = *rest;
    end = *is_quoted ? memchr(rest->bytes + 1, '"', rest->n - 1) : NULL;
    if (end) {
        word = (struct nsc_text){rest->bytes + 1, (uint32_t)(end - rest->bytes - 1)};
        end++;
    } else {
        end = rest->bytes;
        while (end < rest->bytes + rest->n && !strchr(" \t", *end))
            end++;
        word.n = (uint32_t)(end - rest->bytes);
        *is_quoted = false;
    }
    rest->n -= (uint32_t)(end - rest->bytes);
    rest->bytes = end;
    return word;
}

/* The number of the word in a list; the length of the list: none. */
#define FIND_WORD(word, words) \
    nsc_text_among(word, words, sizeof *(words), sizeof(words) / sizeof *(words))

static bool is_plain(struct nsc_text name)
{
    for (uint32_t i = 0; i < name.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-",
                    name.bytes[i]) ||
            !name.bytes[i])
            return false;
    return name.n > 0;
}

/* ---- header lines ---- */

static enum nsc_status read_window(struct reading *reading, struct nsc_text value)
{
    static const char *const words[] = {
        [NSC_SKILL_STEADY] = "steady", [NSC_SKILL_WHOLE] = "whole", [NSC_SKILL_OWN] = "own"};
    unsigned window = FIND_WORD(value, words);

    if (window == sizeof words / sizeof *words)
        return fail_at(reading, "window is whole, steady or own", value);
    reading->answer->skill.window = (enum nsc_skill_window)window;
    return NSC_OK;
}

/* copy "copies" */
static enum nsc_status read_needs(struct reading *reading, struct nsc_text value)
{
    struct nsc_skill *skill = &reading->answer->skill;
    bool is_quoted;
    struct nsc_text table = next_word(&value, &is_quoted);
    struct nsc_text words = next_word(&value, &is_quoted);
    const unsigned t = NSC_TEXT_AMONG(table, nsc_query_events_tables);

    if (!is_quoted || t == NSC_N_QUERY_EVENTS)
        return fail_at(reading, "needs is a table of events and \"words\" for them", table);
    skill->needs = keep(reading, words);
    skill->first_need = nsc_query_events_tables[t].first;
    skill->last_need = nsc_query_events_tables[t].last;
    return NSC_OK;
}

/* limit count 15 "most rows; 0: all" */
static enum nsc_status read_param(struct reading *reading, struct nsc_text value)
{
    static const char *const types[] = {[NSC_PARAM_TYPE_COUNT] = "count",
                                        [NSC_PARAM_TYPE_DURATION] = "duration",
                                        [NSC_PARAM_TYPE_NUMBER] = "number",
                                        [NSC_PARAM_TYPE_SWITCH] = "switch",
                                        [NSC_PARAM_TYPE_TEXT] = "text"};
    struct nsc_answer *answer = reading->answer;
    struct nsc_buf params = NSC_BUF_INIT(SIZE_MAX);
    bool is_quoted;
    struct nsc_text name = next_word(&value, &is_quoted);
    unsigned type = FIND_WORD(next_word(&value, &is_quoted), types);
    struct nsc_text given = next_word(&value, &is_quoted);
    struct nsc_text help = is_quoted ? given : next_word(&value, &is_quoted);

    if (!is_plain(name) || type == sizeof types / sizeof *types || !is_quoted || value.n > 0)
        return fail_at(reading,
                       "param is NAME count|duration|number|switch|text [DEFAULT] \"help\"", name);
    given = help.bytes == given.bytes ? nothing : given;
    if (given.n > 0 && type == NSC_PARAM_TYPE_TEXT)
        return fail_at(reading, "a text has no default; use coalesce() in the query", name);
    if (answer->params.n == NSC_SKILL_OWN_PARAMS)
        return fail_at(reading, "there are too many parameters", name);
    *NSC_VEC_ADD(&answer->params) =
        (struct nsc_param_row){keep(reading, name), keep(reading, help), (enum nsc_param_type)type};
    answer->has_limit |= nsc_text_is(name, "limit") && type == NSC_PARAM_TYPE_COUNT;
    nsc_buf_printf(&params, "%s%s%.*s%s%.*s", answer->skill.params,
                   answer->skill.params[0] ? " " : "", (int)name.n, name.bytes, given.n ? "=" : "",
                   (int)given.n, given.bytes);
    answer->skill.params = keep(reading, nsc_text_of_buf(&params));
    nsc_buf_fini(&params);
    return NSC_OK;
}

static void add_column(struct reading *reading, struct nsc_sheet_column column)
{
    if (reading->sheet->columns.n > 0)
        reading->sheet->columns.n--; /* the end */
    *NSC_VEC_ADD(&reading->sheet->columns) = column;
    *NSC_VEC_ADD(&reading->sheet->columns) = (struct nsc_sheet_column){0};
}

/* share percent "Share" of "summed kernel time"; rate number 2 "GB/s" */
static enum nsc_status read_column(struct reading *reading, struct nsc_text value)
{
    static const char *const kinds[] = {
        [NSC_SHEET_TEXT] = "text",       [NSC_SHEET_COUNT] = "count",   [NSC_SHEET_ID] = "id",
        [NSC_SHEET_NS] = "ns",           [NSC_SHEET_INSTANT] = "time",  [NSC_SHEET_BYTES] = "bytes",
        [NSC_SHEET_PERCENT] = "percent", [NSC_SHEET_NUMBER] = "number", [NSC_SHEET_YES] = "yes"};
    struct nsc_sheet_column column = {0};
    bool is_quoted;
    struct nsc_text key = next_word(&value, &is_quoted);
    unsigned kind = FIND_WORD(next_word(&value, &is_quoted), kinds);
    struct nsc_text word = next_word(&value, &is_quoted);

    if (kind == NSC_SHEET_NUMBER && word.n == 1 && word.bytes[0] >= '0' && word.bytes[0] <= '6') {
        column.decimals = (uint8_t)(word.bytes[0] - '0');
        word = next_word(&value, &is_quoted);
    }
    if (!is_plain(key) || kind == sizeof kinds / sizeof *kinds || (word.n > 0 && !is_quoted))
        return fail_at(reading, "column is KEY KIND \"Title\" [of \"denominator\"]", key);
    column.kind = (uint8_t)kind;
    column.key = keep(reading, key);
    column.title = word.n > 0 ? keep(reading, word) : column.key;
    word = next_word(&value, &is_quoted);
    if (nsc_text_is(word, "of")) {
        word = next_word(&value, &is_quoted);
        column.of = is_quoted ? keep(reading, word) : NULL;
    }
    if ((word.n > 0 && !column.of) || value.n > 0)
        return fail_at(reading, "column is KEY KIND \"Title\" [of \"denominator\"]", key);
    add_column(reading, column);
    return NSC_OK;
}

static void add_note(struct reading *reading, bool is_query, struct nsc_text value)
{
    *NSC_VEC_ADD(&reading->sheet->notes) = (struct nsc_answer_note){is_query, keep(reading, value)};
}

static enum nsc_status read_aliases(struct reading *reading, struct nsc_text value)
{
    const char **aliases = NSC_ARENA_ARRAY(reading->arena, const char *, value.n + 1u);
    bool is_quoted;
    uint32_t n = 0;

    for (struct nsc_text word; (word = next_word(&value, &is_quoted)).n > 0;) {
        if (!is_plain(word))
            return fail_at(reading, "a skill's name has letters, digits, _ and - only", word);
        aliases[n++] = keep(reading, word);
    }
    reading->answer->skill.aliases = aliases;
    return NSC_OK;
}

/* "start, bytes": names without kinds, which only lists show. */
static void read_names(struct reading *reading, struct nsc_text value)
{
    struct nsc_sheet_column *columns =
        NSC_ARENA_ARRAY(reading->arena, struct nsc_sheet_column, value.n + 1u);
    uint32_t n = 0;
    bool is_quoted;

    for (struct nsc_text word; (word = next_word(&value, &is_quoted)).n > 0;) {
        word.n -= word.bytes[word.n - 1] == ',';
        columns[n++].key = keep(reading, word);
    }
    reading->answer->skill.columns = columns;
}

/* A line "key: value"; any other is a comment. */
static enum nsc_status read_header(struct reading *reading, struct nsc_text key,
                                   struct nsc_text value)
{
    struct nsc_skill *skill = &reading->answer->skill;

    if (nsc_text_is(key, "name")) {
        if (!is_plain(value))
            return fail_at(reading, "a skill's name has letters, digits, _ and - only", value);
        skill->name = keep(reading, value);
    } else if (nsc_text_is(key, "question"))
        skill->question = keep(reading, value);
    else if (nsc_text_is(key, "words"))
        skill->words = keep(reading, value);
    else if (nsc_text_is(key, "category"))
        skill->category = keep(reading, value);
    else if (nsc_text_is(key, "alias"))
        return read_aliases(reading, value);
    else if (nsc_text_is(key, "window"))
        return read_window(reading, value);
    else if (nsc_text_is(key, "tables"))
        reading->answer->is_raw = nsc_text_is(value, "export");
    else if (nsc_text_is(key, "needs"))
        return read_needs(reading, value);
    else if (nsc_text_is(key, "param"))
        return read_param(reading, value);
    else if (nsc_text_is(key, "column"))
        return read_column(reading, value);
    else if (nsc_text_is(key, "columns"))
        read_names(reading, value);
    else if (nsc_text_is(key, "note") || nsc_text_is(key, "note-if"))
        add_note(reading, key.n > 4, value);
    else if (nsc_text_is(key, "empty"))
        reading->sheet->empty = keep(reading, value);
    else if (nsc_text_is(key, "left-out"))
        reading->sheet->left_out = keep(reading, value);
    return NSC_OK;
}

/* ---- the file ---- */

static void add_sheet(struct reading *reading, struct nsc_text value)
{
    bool is_quoted;
    struct nsc_text key = next_word(&value, &is_quoted);
    struct nsc_text title = next_word(&value, &is_quoted);

    reading->sheet = NSC_VEC_ADD(&reading->answer->sheets);
    *reading->sheet = (struct nsc_answer_sheet){.key = keep(reading, key),
                                                .title = keep(reading, title.n ? title : key)};
}

/* "-- key: value", also "-- column value". False: another line. */
static bool is_header(struct nsc_text line, struct nsc_text *key, struct nsc_text *value)
{
    const char *end;

    if (line.n < 2 || line.bytes[0] != '-' || line.bytes[1] != '-')
        return false;
    *value = trim((struct nsc_text){line.bytes + 2, line.n - 2});
    end = value->bytes;
    while (end < value->bytes + value->n && !strchr(": \t", *end))
        end++;
    *key = (struct nsc_text){value->bytes, (uint32_t)(end - value->bytes)};
    value->n -= key->n;
    value->bytes = end;
    if (value->n > 0 && *end == ':')
        value->bytes++, value->n--;
    else if (!nsc_text_is(*key, "column"))
        *key = nothing;
    *value = trim(*value);
    return true;
}

static enum nsc_status end_sheet(struct reading *reading, const char *from, const char *end)
{
    struct nsc_text sql = trim((struct nsc_text){from, (uint32_t)(end - from)});

    if (sql.n == 0)
        return fail_at(reading, "a query is text, and this holds none", nothing);
    reading->sheet->sql = keep(reading, sql);
    return NSC_OK;
}

static enum nsc_status read_lines(struct reading *reading, struct nsc_text text)
{
    const char *end = text.bytes + text.n;
    const char *sql = NULL; /* where it begins; NULL: in a header */
    enum nsc_status status = NSC_OK;

    for (const char *at = text.bytes; at < end && status == NSC_OK; reading->line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct nsc_text line, key, value;
        bool is_comment;

        stop = stop ? stop : end;
        line = (struct nsc_text){at, (uint32_t)(stop - at)};
        is_comment = is_header(line, &key, &value);
        if (is_comment && nsc_text_is(key, "sheet")) {
            status = end_sheet(reading, sql ? sql : at, at);
            add_sheet(reading, value);
            sql = NULL;
        } else if (is_comment && !sql) {
            status = read_header(reading, key, value);
        } else if (!sql && trim(line).n > 0) {
            sql = at;
            reading->sheet->line = reading->line;
        }
        at = stop < end ? stop + 1 : end;
    }
    return status == NSC_OK ? end_sheet(reading, sql ? sql : end, end) : status;
}

/* "skills/long_copies.sql": long_copies */
static struct nsc_text stem_of(const char *path)
{
    const char *leaf = strrchr(path, '/');
    const char *dot;

    leaf = leaf ? leaf + 1 : path;
    dot = strrchr(leaf, '.');
    return (struct nsc_text){leaf, dot ? (uint32_t)(dot - leaf) : (uint32_t)strlen(leaf)};
}

static enum nsc_status complete(struct reading *reading)
{
    static const struct nsc_sheet_column none[] = {{0}};
    struct nsc_answer *answer = reading->answer;
    struct nsc_skill *skill = &answer->skill;
    struct nsc_answer_sheet *first = &answer->sheets.at[0];

    reading->line = 1;
    if (!skill->name && !is_plain(stem_of(reading->path)))
        return fail_at(reading, "a skill's name has letters, digits, _ and - only",
                       stem_of(reading->path));
    if (!skill->name)
        skill->name = keep(reading, stem_of(reading->path));
    if (!skill->question || !skill->question[0])
        skill->question = skill->name;
    first->key = skill->name;
    first->title = skill->question;
    if (first->columns.n > 0)
        skill->columns = first->columns.at;
    skill->columns = skill->columns ? skill->columns : none;
    skill->own = answer->params.at;
    skill->n_own = (uint32_t)answer->params.n;
    skill->answer = answer;
    skill->run = nsc_answer_run;
    return NSC_OK;
}

static void fini_answer(struct nsc_answer *answer)
{
    for (size_t i = 0; i < answer->sheets.n; i++) {
        NSC_VEC_FINI(&answer->sheets.at[i].columns);
        NSC_VEC_FINI(&answer->sheets.at[i].notes);
    }
    NSC_VEC_FINI(&answer->sheets);
    NSC_VEC_FINI(&answer->params);
}

static enum nsc_status add(struct nsc_answers *answers, const char *path, struct nsc_text text,
                           bool is_program, struct nsc_error *error)
{
    struct nsc_answer *answer = NSC_ARENA_NEW(&answers->arena, struct nsc_answer);
    struct reading reading = {&answers->arena, answer, NULL, path, 1, error};
    enum nsc_status status;

    answer->skill = (struct nsc_skill){
        .category = "yours", .window = NSC_SKILL_WHOLE, .words = "", .params = ""};
    answer->file = nsc_arena_copy(&answers->arena, path, strlen(path));
    answer->is_program = is_program;
    add_sheet(&reading, nothing);
    if (text.n > 0 && memchr(text.bytes, '\0', text.n))
        status = fail_at(&reading, "a query is text, and this holds none", nothing);
    else
        status = read_lines(&reading, text);
    if (status == NSC_OK)
        status = complete(&reading);
    if (status == NSC_OK)
        *NSC_VEC_ADD(&answers->list) = answer;
    else
        fini_answer(answer);
    return status;
}

enum nsc_status nsc_answers_add(struct nsc_answers *answers, const char *path, struct nsc_text text,
                                struct nsc_error *error)
{
    return add(answers, path, text, false, error);
}

/* A test reads each file, so none fails here. */
static void add_program(struct nsc_answers *answers, const struct nsc_answer_file files[],
                        unsigned n)
{
    struct nsc_error error = {0};

    *answers = (struct nsc_answers){0};
    for (unsigned i = 0; i < n; i++)
        (void)(add(answers, files[i].name, nsc_text_from(files[i].text), true, &error) == NSC_OK);
}

void nsc_answers_init(struct nsc_answers *answers)
{
    add_program(answers, nsc_answer_files, nsc_n_answer_files);
}

void nsc_answers_init_tables(struct nsc_answers *answers)
{
    add_program(answers, nsc_table_files, nsc_n_table_files);
}

void nsc_answers_fini(struct nsc_answers *answers)
{
    for (size_t i = 0; i < answers->list.n; i++)
        fini_answer(answers->list.at[i]);
    NSC_VEC_FINI(&answers->list);
    nsc_arena_fini(&answers->arena);
}
