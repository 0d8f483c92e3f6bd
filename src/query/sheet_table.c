/* Shows the sheet of an answer as a table function: its arguments are hidden columns, and a connection
 * keeps the answers last read, because an outer loop asks again for each of its rows. */
#include "query/event_getter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_GUESS = 1000, KEPT_ANSWERS = 16 };

struct sheet_vtab {
    sqlite3_vtab base;
    struct nsc_trace_query *query;
    const struct nsc_query_sheet_table *table;
    uint32_t n_places, n_columns;
};

struct sheet_cursor {
    sqlite3_vtab_cursor base;
    struct nsc_query_answer *answer; /* NULL: none */
    const struct nsc_sheet *sheet;   /* NULL: no rows */
    uint32_t row, n;
    uint32_t track;            /* of the last row whose export or process was asked for */
    uint8_t places[UINT8_MAX]; /* by column of the table: that of the sheet; UINT8_MAX: none */
};

/* ---- the tables ---- */

static const struct nsc_query_sheet_table filled[] = {
#define QUERY_SHEET(name, arguments, help) \
    {#name, help, arguments, nsc_query_##name##_columns, nsc_query_##name, NULL, NULL, NULL},
#define QUERY_SKILL(name, skill, sheet, columns, help) \
    {#name, help, NULL, columns, NULL, NULL, skill, sheet},
#include "query/sheet_table.def"
};

/* Skill i of those that are tables: skill.def's, then the answers that ask the trace. */
static const struct nsc_skill *skill_at(const struct nsc_answers *answers, uint32_t i)
{
    uint32_t n = 0;
    const struct nsc_skill *skills = nsc_skills(&n);

    if (i < n)
        return &skills[i];
    i -= n;
    for (size_t k = 0; k < answers->list.n; k++)
        if (!answers->list.at[k]->is_raw && i-- == 0)
            return &answers->list.at[k]->skill;
    return NULL;
}

bool nsc_query_sheet_table_next(struct nsc_query_sheet_table *out,
                                const struct nsc_answers *answers, uint32_t *i)
{
    const uint32_t n_filled = sizeof filled / sizeof *filled;
    const struct nsc_skill *skill;

    if (*i < n_filled) {
        *out = filled[(*i)++];
        out->skill = out->of ? nsc_skill_find(out->of) : NULL;
        if (out->skill) {
            out->columns = out->columns ? out->columns : out->skill->columns;
            out->arguments = out->skill->params;
        }
        return true;
    }
    skill = skill_at(answers, (*i)++ - n_filled);
    if (!skill)
        return false;
    *out = (struct nsc_query_sheet_table){.help = skill->question,
                                          .arguments = skill->params,
                                          .columns = skill->columns,
                                          .skill = skill};
    (void)snprintf(out->name, sizeof out->name, "skill_%s", skill->name);
    return true;
}

/* What a table that tells a rank, and an own one that tells a process, has as those of events do. */
static const struct nsc_sheet_column place_columns[] = {
    NSC_COL_UNBOUND("export", "Number of the export, from 0", NULL, NSC_SHEET_ID, 0),
    NSC_COL_UNBOUND("process", "Number of the process, different for each process of all exports",
                    NULL, NSC_SHEET_ID, 0)};

/* How many of these it has. */
static uint32_t count_places(const struct nsc_query_sheet_table *table)
{
    const struct nsc_sheet_column *column = table->columns;

    while (table->of && column->key && strcmp(column->key, "pid") != 0)
        column++;
    if (table->of && column->key)
        return 2;
    return table->skill || strcmp(table->columns[0].key, nsc_rank_column.key) == 0;
}

const struct nsc_sheet_column *nsc_query_sheet_column(const struct nsc_query_sheet_table *table,
                                                      uint32_t i)
{
    uint32_t n = count_places(table);

    if (i < n)
        return &place_columns[i];
    i -= n;
    if (table->skill && i-- == 0)
        return &nsc_rank_column;
    return &table->columns[i];
}

const char *nsc_query_sheet_column_name(char out[48], const struct nsc_query_sheet_table *table,
                                        const struct nsc_sheet_column *column)
{
    /* words of the tables of events, and none that SQL would have in quotes */
    static const char *const words[][2] = {{"duration", "dur"},
                                           {"length", "dur"},
                                           {"from", "from_memory"},
                                           {"to", "to_memory"},
                                           {"where", "place"}};
    bool is_thread = column->kind == NSC_SHEET_TEXT && strcmp(column->key, "process") == 0;
    size_t n = strlen(column->key);
    bool has_unit = n > 3 && strcmp(column->key + n - 3, "_ns") == 0;

    if (!table->of)
        return column->key;
    (void)snprintf(out, 48, "%.*s", (int)(has_unit ? n - 3 : n), column->key);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(out, words[i][0]) == 0)
            (void)snprintf(out, 48, "%s", words[i][1]);
    return is_thread ? "thread" : out;
}

bool nsc_query_argument_at(char name[32], char value[32], const char *arguments, uint32_t i)
{
    const char *at = arguments;
    size_t n, equals;

    while (i-- > 0 && *at) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    n = strcspn(at, " ");
    equals = strcspn(at, " =");
    (void)snprintf(name, 32, "%.*s", (int)equals, at);
    (void)snprintf(value, 32, "%.*s", n > equals ? (int)(n - equals - 1) : 0,
                   n > equals ? at + equals + 1 : "");
    if (strcmp(name, "limit") == 0) /* SQL has LIMIT: a skill shows all rows */
        (void)snprintf(value, 32, "0");
    return n > 0;
}

/* ---- working out an answer ---- */

static enum nsc_status ask_skill(struct nsc_query_answer *answer, struct nsc_trace_query *query,
                                 struct nsc_error *error)
{
    const struct nsc_skill *skill = answer->table->skill;
    const struct nsc_trace_query_ground *ground = &query->ground;
    struct nsc_buf texts[NSC_QUERY_ARGUMENTS]; /* "limit=20": the question borrows them */
    struct nsc_scope whole = *ground->scope;   /* as the tables of events have it */
    uint32_t n_exports = 0, n = 0;
    struct nsc_question question;
    enum nsc_status status = NSC_OK;
    char name[32], value[32];
    bool as_events = answer->table->of && skill->window != NSC_SKILL_OWN;
    bool apart; /* each export finds its own steady state */

    (void)nsc_trace_captures(query->trace, &n_exports);
    apart = n_exports > 1 && ground->ranks;
    if (!query->knows_steady && !as_events && !apart) {
        nsc_steady_open(&query->steady, &query->scope);
        query->knows_steady = true;
    }
    whole.is_whole = true;
    question = nsc_question_of(skill, as_events ? &whole : &query->scope,
                               ground->fields && n_exports == 1 ? ground->fields[0] : NULL);
    for (; status == NSC_OK && nsc_query_argument_at(name, value, skill->params, n); n++) {
        const char *given = answer->arguments[n];

        texts[n] = (struct nsc_buf)NSC_BUF_INIT(SIZE_MAX);
        if (!given && value[0])
            given = value;
        if (!given)
            continue;
        nsc_buf_printf(&texts[n], "%s=%s", name, given);
        status = nsc_question_set(&question, texts[n].bytes, error);
    }
    question.error = error;
    if (status == NSC_OK && apart) {
        status = ground->ranks->ask(ground->ranks, &answer->sheets, &question, as_events, error);
    } else if (status == NSC_OK) {
        nsc_skill_run(&answer->sheets, &question);
        status = error->status;
    }
    while (n > 0)
        nsc_buf_fini(&texts[--n]);
    return status;
}

static void free_answer(struct nsc_query_answer *answer)
{
    for (int i = 0; i < NSC_QUERY_ARGUMENTS; i++)
        free(answer->arguments[i]);
    nsc_sheets_fini(&answer->sheets);
    free(answer);
}

void nsc_query_answers_fini(struct nsc_trace_query *query)
{
    for (size_t i = 0; i < query->answers.n; i++)
        free_answer(query->answers.at[i]);
    NSC_VEC_FINI(&query->answers);
}

/* Whether a tells what b asks. */
static bool is_same(const struct nsc_query_answer *a, const struct nsc_query_answer *b)
{
    bool same = a->table == b->table && a->has_values >= b->has_values;

    for (int i = 0; same && i < NSC_QUERY_ARGUMENTS; i++)
        same =
            (!a->arguments[i] && !b->arguments[i]) ||
            (a->arguments[i] && b->arguments[i] && strcmp(a->arguments[i], b->arguments[i]) == 0);
    return same;
}

/* Makes room for one more: drops answers that no cursor reads and that do not fit beside those asked for
 * later. */
static void make_room(struct nsc_trace_query *query)
{
    struct nsc_query_answer **at = query->answers.at;
    uint64_t bytes = 0;
    size_t n = 0;

    for (size_t i = 0; i < query->answers.n; i++)
        if (at[i]->n_cursors == 0 &&
            (n + 1 >= KEPT_ANSWERS || bytes + at[i]->bytes > NSC_QUERY_KEPT_BYTES)) {
            free_answer(at[i]);
        } else {
            bytes += at[i]->bytes;
            at[n++] = at[i];
        }
    query->answers.n = n;
}

/* Takes over wanted: the kept answer that is the same, or this one. NULL, with error set, if an
 * argument is invalid. */
static struct nsc_query_answer *
find_answer(struct nsc_trace_query *query, struct nsc_query_answer *wanted, struct nsc_error *error)
{
    enum nsc_status status;
    size_t i = 0;

    while (i < query->answers.n && !is_same(query->answers.at[i], wanted))
        i++;
    if (i < query->answers.n) {
        free_answer(wanted);
        wanted = query->answers.at[i];
    } else {
        make_room(query);
        query->needs_values = wanted->has_values;
        status = wanted->table->fill
                     ? wanted->table->fill(&wanted->sheets, query,
                                           (const char *const *)wanted->arguments, error)
                     : ask_skill(wanted, query, error);
        if (status != NSC_OK) {
            free_answer(wanted);
            return NULL;
        }
        for (i = 0; i < wanted->sheets.list.n; i++)
            wanted->bytes += wanted->sheets.list.at[i].bytes.n +
                             wanted->sheets.list.at[i].cells.n * sizeof(struct nsc_sheet_cell);
        i = query->answers.n;
        *NSC_VEC_ADD(&query->answers) = wanted;
    }
    memmove(&query->answers.at[1], query->answers.at, i * sizeof(struct nsc_query_answer *));
    query->answers.at[0] = wanted;
    return wanted;
}

/* ---- the table in SQLite ---- */

static int connect_table(sqlite3 *db, void *context, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **error)
{
    const struct nsc_query_module *of = context;
    const struct nsc_query_sheet_table *table = of->table;
    struct nsc_buf columns = NSC_BUF_INIT(SIZE_MAX);
    struct sheet_vtab *vtab;
    const struct nsc_sheet_column *column;
    uint32_t n = 0;
    char name[32], value[32], key[48];
    int rc;

    (void)argc;
    (void)argv;
    (void)error;
    for (; (column = nsc_query_sheet_column(table, n))->key; n++)
        nsc_buf_printf(&columns, "%s\"%s\" %s", n ? ", " : "",
                       nsc_query_sheet_column_name(key, table, column),
                       nsc_query_type_of(column->kind));
    for (uint32_t i = 0; nsc_query_argument_at(name, value, table->arguments, i); i++)
        nsc_buf_printf(&columns, ", \"arg_%s\" HIDDEN", name);
    rc = nsc_query_table_build(db, out, sizeof *vtab, columns.bytes);
    nsc_buf_fini(&columns);
    if (rc == SQLITE_OK) {
        vtab = (struct sheet_vtab *)*out;
        vtab->query = of->query;
        vtab->table = table;
        vtab->n_places = count_places(table);
        vtab->n_columns = n;
    }
    return rc;
}

/* Whether the query reads a column that takes all values of a group. */
static bool uses_values(const struct sheet_vtab *vtab, sqlite3_uint64 used)
{
    for (uint32_t i = 0; i < vtab->n_columns; i++) {
        const char *key = nsc_query_sheet_column(vtab->table, i)->key;

        if ((strcmp(key, "median") == 0 || strcmp(key, "stdev") == 0 || strcmp(key, "p90") == 0) &&
            used >> (i < 63 ? i : 63) & 1)
            return true;
    }
    return false;
}

/* idxStr: the numbers of the arguments, from 'A'. All must be known before the table is read. idxNum:
 * uses_values. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct sheet_vtab *vtab = (struct sheet_vtab *)base;
    char given[NSC_QUERY_ARGUMENTS + 1] = "";
    int n = 0;

    for (int i = 0; i < info->nConstraint && n < NSC_QUERY_ARGUMENTS; i++) {
        const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];

        if (constraint->iColumn < (int)vtab->n_columns ||
            constraint->op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (!constraint->usable)
            return SQLITE_CONSTRAINT;
        given[n] = (char)('A' + constraint->iColumn - (int)vtab->n_columns);
        info->aConstraintUsage[i].argvIndex = ++n;
        info->aConstraintUsage[i].omit = 1;
    }
    info->idxNum = uses_values(vtab, info->colUsed);
    info->idxStr = sqlite3_mprintf("%s", given);
    info->needToFreeIdxStr = 1;
    info->estimatedRows = ROWS_GUESS;
    info->estimatedCost = ROWS_GUESS;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
    struct sheet_cursor *cursor = nsc_xcalloc(1, sizeof *cursor);

    (void)vtab;
    *out = &cursor->base;
    return SQLITE_OK;
}

static void let_go(struct sheet_cursor *cursor)
{
    if (cursor->answer)
        cursor->answer->n_cursors--;
    *cursor = (struct sheet_cursor){.base = cursor->base};
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    let_go((struct sheet_cursor *)cursor);
    free(cursor);
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *given, int argc,
                  sqlite3_value **argv)
{
    struct sheet_cursor *cursor = (struct sheet_cursor *)base;
    struct sheet_vtab *vtab = (struct sheet_vtab *)base->pVtab;
    struct nsc_query_answer *wanted;
    struct nsc_error error = {0};

    let_go(cursor);
    if (!vtab->query->trace)
        return SQLITE_OK;
    wanted = nsc_xcalloc(1, sizeof *wanted);
    wanted->table = vtab->table;
    wanted->has_values = number;
    for (int i = 0; i < argc; i++) {
        const char *text = (const char *)sqlite3_value_text(argv[i]);

        free(wanted->arguments[given[i] - 'A']);
        wanted->arguments[given[i] - 'A'] = text ? nsc_xcopy(text, strlen(text)) : NULL;
    }
    cursor->answer = find_answer(vtab->query, wanted, &error);
    if (!cursor->answer) {
        sqlite3_free(vtab->base.zErrMsg);
        vtab->base.zErrMsg = sqlite3_mprintf("%s: %s", vtab->table->name, error.text);
        return SQLITE_ERROR;
    }
    cursor->answer->n_cursors++;
    if (vtab->table->sheet)
        cursor->sheet = nsc_sheets_find(&cursor->answer->sheets, vtab->table->sheet);
    else if (cursor->answer->sheets.list.n > 0)
        cursor->sheet = &cursor->answer->sheets.list.at[0];
    cursor->n = cursor->sheet ? nsc_sheet_rows(cursor->sheet) : 0;
    for (uint32_t i = 0, k = 0; i < vtab->n_columns && cursor->sheet; i++) {
        bool has =
            k < cursor->sheet->n_columns &&
            strcmp(nsc_query_sheet_column(vtab->table, i)->key, cursor->sheet->columns[k].key) == 0;

        cursor->places[i] = has ? (uint8_t)k++ : UINT8_MAX;
    }
    return SQLITE_OK;
}

/* A cursor at its end lets the answer go: one of many tables stays open as long as the statement. */
static int next(sqlite3_vtab_cursor *base)
{
    struct sheet_cursor *cursor = (struct sheet_cursor *)base;

    if (++cursor->row >= cursor->n)
        let_go(cursor);
    return SQLITE_OK;
}

static int eof(sqlite3_vtab_cursor *base)
{
    const struct sheet_cursor *cursor = (struct sheet_cursor *)base;

    return cursor->row >= cursor->n;
}

/* The export whose label the row has, or the process with its id in that. An answer about one export
 * alone counts processes in its own way. */
static struct nsc_query_value place_of(struct sheet_cursor *cursor, const struct nsc_trace *trace,
                                       bool is_process)
{
    const struct nsc_sheet_cell *pid = nsc_sheet_find(cursor->sheet, cursor->row, "pid");
    struct nsc_text rank = nsc_sheet_find_text(cursor->sheet, cursor->row, nsc_rank_column.key);
    uint32_t n, n_exports;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    const struct nsc_trace_info *exports = nsc_trace_captures(trace, &n_exports);

    for (uint32_t i = 0; i < n; i++, cursor->track = (cursor->track + 1) % n) {
        const struct nsc_track *track = &tracks[cursor->track];

        if ((!is_process || (pid->is_set && track->pid == pid->integer)) &&
            (n_exports < 2 ||
             nsc_text_equal(nsc_trace_string(trace, exports[track->capture_no].label), rank)))
            return int_value(is_process ? (int64_t)track->process : track->capture_no);
    }
    return null_value();
}

static struct nsc_query_value value_at(const struct nsc_sheet *sheet, uint32_t row, uint32_t c)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, c);
    uint8_t kind = sheet->columns[c].kind;

    if (!cell->is_set ||
        (kind != NSC_SHEET_TEXT && kind != NSC_SHEET_PERCENT && kind != NSC_SHEET_NUMBER))
        return known_value(cell->is_set, cell->integer);
    if (kind == NSC_SHEET_TEXT)
        return (struct nsc_query_value){.type = NSC_QUERY_SCRATCH,
                                        .text = nsc_sheet_text(sheet, cell)};
    return (struct nsc_query_value){.type = NSC_QUERY_NUMBER, .number = cell->number};
}

/* An argument that is not given is only read for an expression about the table itself, as in
 * totals(short = 'x'). */
static int column(sqlite3_vtab_cursor *base, sqlite3_context *out, int i)
{
    struct sheet_cursor *cursor = (struct sheet_cursor *)base;
    const struct sheet_vtab *vtab = (const struct sheet_vtab *)base->pVtab;
    uint32_t n = vtab->n_columns;
    struct nsc_query_value value = null_value();

    if ((uint32_t)i >= n) {
        if (cursor->answer->arguments[(uint32_t)i - n])
            sqlite3_result_text(out, cursor->answer->arguments[(uint32_t)i - n], -1,
                                SQLITE_TRANSIENT);
        else
            sqlite3_result_error(out, "arguments stand by place: totals('kernel', 'gpu')", -1);
        return SQLITE_OK;
    }
    if ((uint32_t)i < vtab->n_places)
        value = place_of(cursor, vtab->query->trace, i == 1);
    else if (cursor->places[i] != UINT8_MAX)
        value = value_at(cursor->sheet, cursor->row, cursor->places[i]);
    nsc_query_put(out, &value);
    return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = ((struct sheet_cursor *)cursor)->row;
    return SQLITE_OK;
}

void nsc_query_sheet_tables_add(struct nsc_trace_query *query)
{
    static const sqlite3_module module = QUERY_MODULE;
    struct nsc_query_sheet_table table;
    uint32_t i = 0;

    while (nsc_query_sheet_table_next(&table, &query->of_program, &i)) {
        struct nsc_query_sheet_table *own = nsc_xcalloc(1, sizeof *own);

        *own = table;
        nsc_query_module_add(query, own->name, &module, own);
    }
}
