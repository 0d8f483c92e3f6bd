/* The connection: opens it, shows a scope, runs statements, and tells what tables there are. */
#include "query/query_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum nsc_status nsc_trace_query_open(struct nsc_trace_query **out, bool is_inner,
                                     struct nsc_error *error)
{
    struct nsc_trace_query *query = nsc_xcalloc(1, sizeof *query);
    enum nsc_status status = nsc_query_open_empty(&query->db, error);

    *out = NULL;
    if (status != NSC_OK) {
        free(query);
        return status;
    }
    if (!is_inner)
        nsc_answers_init(&query->of_program);
    nsc_query_event_tables_add(query);
    nsc_query_sheet_tables_add(query);
    nsc_query_functions_add(query);
    (void)sqlite3_exec(query->db, "SELECT 1 FROM json_each('1'), json_tree('1')", NULL, NULL, NULL);
    *out = query;
    return NSC_OK;
}

void nsc_trace_query_close(struct nsc_trace_query *query)
{
    if (!query)
        return;
    sqlite3_close(query->db);
    for (size_t i = 0; i < query->filters.n; i++) {
        free(query->filters.at[i].words);
        free(query->filters.at[i].mask);
    }
    NSC_VEC_FINI(&query->filters);
    nsc_query_answers_fini(query);
    if (query->knows_steady)
        nsc_steady_close(&query->steady, &query->scope);
    for (size_t i = 0; i < query->modules.n; i++) {
        struct nsc_query_module *module = query->modules.at[i];

        free(module->table);
        free(module);
    }
    NSC_VEC_FINI(&query->modules);
    nsc_path_memo_free(query->memo);
    nsc_tally_fini(&query->contexts);
    NSC_VEC_FINI(&query->streams);
    nsc_launches_free(query->launches);
    nsc_own_code_fini(&query->own_code);
    nsc_buf_fini(&query->path);
    if (query->trace)
        nsc_texts_fini(&query->texts);
    nsc_call_classes_fini(&query->calls);
    for (size_t i = 0; i < query->iterations.n; i++)
        if (query->iterations.at[i].n_lines != NSC_NONE)
            nsc_iterations_fini(&query->iterations.at[i]);
    NSC_VEC_FINI(&query->iterations);
    nsc_job_phases_fini(&query->phases);
    free(query->of_kernel[0]);
    free(query->of_kernel[1]);
    free(query->of_name[0]);
    free(query->of_name[1]);
    nsc_answers_fini(&query->of_program);
    free(query);
}

void nsc_query_module_add(struct nsc_trace_query *query, const char *name,
                          const sqlite3_module *module, void *table)
{
    struct nsc_query_module *of = nsc_xcalloc(1, sizeof *of);

    *of = (struct nsc_query_module){.query = query, .table = table, .name = name};
    *NSC_VEC_ADD(&query->modules) = of;
    (void)sqlite3_create_module(query->db, name, module, of);
}

/* SQLite makes a table at its first use, and the gate would refuse that. Only the tables that a
 * statement names: all take 4 ms a connection, and each answer that is a file opens one. */
static void make_tables(struct nsc_trace_query *query, const char *sql)
{
    for (size_t i = 0; i < query->modules.n; i++) {
        struct nsc_query_module *of = query->modules.at[i];
        sqlite3_stmt *first = NULL;
        char text[80];

        if (of->is_made || !nsc_text_contains_folded(nsc_text_from(sql), nsc_text_from(of->name)))
            continue;
        of->is_made = true;
        (void)snprintf(text, sizeof text, "SELECT 1 FROM \"%s\"", of->name);
        (void)sqlite3_prepare_v2(query->db, text, -1, &first, NULL);
        sqlite3_finalize(first);
    }
}

int nsc_query_table_build(sqlite3 *db, sqlite3_vtab **out, size_t bytes, const char *columns)
{
    struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);
    int rc;

    nsc_buf_printf(&sql, "CREATE TABLE x(%s)", columns);
    rc = sqlite3_declare_vtab(db, sql.bytes);
    nsc_buf_fini(&sql);
    if (rc == SQLITE_OK)
        *out = nsc_xcalloc(1, bytes);
    return rc;
}

int nsc_query_table_free(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

void nsc_trace_query_show(struct nsc_trace_query *query,
                          const struct nsc_trace_query_ground *ground)
{
    const struct nsc_trace *trace = ground->scope->trace;

    query->ground = *ground;
    query->trace = trace;
    query->events = nsc_trace_events(trace);
    query->scope = *ground->scope;
    query->window = ground->scope->has_window ? ground->scope->window
                                              : (struct nsc_window){INT64_MIN, INT64_MAX};
    query->path = (struct nsc_buf)NSC_BUF_INIT(SIZE_MAX);
    nsc_texts_init(&query->texts, trace);
    for (int i = 0; i < 2; i++)
        query->of_name[i] =
            nsc_xcalloc((size_t)nsc_trace_names(trace)->n + 1, sizeof *query->of_name[i]);
}

void nsc_trace_query_bind(struct nsc_trace_query *query, const struct nsc_query_bound bound[],
                          uint32_t n)
{
    query->bound = bound;
    query->n_bound = n;
}

/* ---- what a mistake means ---- */

const char *nsc_query_kind_hint(char out[NSC_QUERY_HINT], struct nsc_text word)
{
    for (enum nsc_kind kind = NSC_KIND_KERNEL; kind < NSC_N_KINDS; kind++) {
        const char *rest = strstr(nsc_kind_table(kind), "KIND_");
        struct nsc_text table = nsc_text_from(rest ? rest + 5 : nsc_kind_table(kind));
        int t = 0;

        if (!nsc_text_is(word, nsc_kind_word(kind)) &&
            !(word.n > 3 && nsc_text_begins_folded(table, word)))
            continue;
        while (nsc_query_events_tables[t].first > kind || nsc_query_events_tables[t].last < kind)
            t++;
        (void)snprintf(out, NSC_QUERY_HINT, "; such events are in table %s, of kind '%s'",
                       nsc_query_events_tables[t].name, nsc_kind_word(kind));
        return out;
    }
    return "";
}

/* Adds what to do about a refused statement; cuts what tells less. */
static void add_hint(struct nsc_error *error, const char *sql)
{
    const char *hint = "";
    char word[64], of_kind[NSC_QUERY_HINT], *why = error->text;

    if (sscanf(why, "no such table: %63[^;, ]", word) == 1)
        hint = nsc_query_kind_hint(of_kind, nsc_text_from(word));
    if (hint[0])
        why[strcspn(why, ";")] = '\0';
    else if (strstr(why, "; the nearest: arg_"))
        hint = "; arguments stand by place: totals('kernel', 'gpu')";
    else if (strstr(why, "this pragma is refused") || strstr(why, "prohibited") ||
             (strncmp(why, "no such ", 8) == 0 && !strchr(why, ';')))
        hint = "; nsyscope schema --trace has the names";
    else if (strncmp(why, "no such ", 8) == 0 && strchr(sql, '"'))
        hint = "; a text is in 'single quotes'";
    (void)snprintf(why + strlen(why), sizeof error->text - strlen(why), "%s", hint);
}

/* An empty table of a skill may have lacked an argument: its notes say so. */
static void note_empty(const struct nsc_trace_query *query, struct nsc_sheet *sheet)
{
    for (size_t i = 0; i < query->answers.n && nsc_sheet_rows(sheet) == 0; i++) {
        const struct nsc_query_answer *answer = query->answers.at[i];
        const struct nsc_sheet *of = answer->sheets.list.at;

        for (uint32_t n = 0; of && nsc_sheet_rows(of) == 0 && n < of->notes.n; n++)
            nsc_sheet_note(sheet, "%s: %s", answer->table->name, of->notes.at[n]);
    }
}

enum nsc_status nsc_trace_query_run(struct nsc_relation **out, struct nsc_trace_query *query,
                                    const char *sql, struct nsc_query_limits limits, int *column,
                                    struct nsc_error *error)
{
    const struct nsc_query_ask ask = {.sql = sql,
                                      .limits = limits,
                                      .progress = query->scope.stop,
                                      .bound = query->bound,
                                      .n_bound = query->n_bound};
    enum nsc_status status;

    make_tables(query, sql);
    status = nsc_query_run_on(out, query->db, &ask, column, error);
    if (status != NSC_OK)
        add_hint(error, sql);
    else if (out)
        note_empty(query, &(*out)->sheet);
    return status;
}

enum nsc_status nsc_trace_query_run_raw(struct nsc_relation **out, const struct nsc_query_ask *ask,
                                        const struct nsc_error *refused, int *column,
                                        struct nsc_error *error)
{
    struct nsc_error raw = {0};
    bool is_mixed = false;
    int place = -1;

    *out = NULL;
    if (refused->status == NSC_EINVAL && nsc_query_run(out, ask, &place, &raw) == NSC_OK) {
        if (nsc_sheet_rows(&(*out)->sheet) > 0 ||
            !(strstr(refused->text, "pragma") || strstr(refused->text, "prohibited")))
            return NSC_OK;
        nsc_relation_free(*out); /* PRAGMA table_info(kernel), pragma_table_info('kernel') */
        *out = NULL;
    } else if (strncmp(raw.text, "no such table", 13) == 0) {
        is_mixed = strncmp(refused->text, raw.text, 13) == 0 &&
                   strncmp(refused->text, raw.text, strcspn(raw.text, ",;")) != 0;
    } else if (raw.status != NSC_OK) {
        *column = place;
        refused = &raw;
    }
    return nsc_fail(error, refused->status, "%s%s", refused->text,
                    is_mixed ? "; a query asks these tables or the export's own (--raw)" : "");
}

/* ---- what there is ---- */

const char nsc_trace_query_words[] =
#define QUERY_EVENTS(name, first, last, tracks, help)                        #name " "
#define QUERY_SHEET(name, arguments, help)                                   #name " "
#define QUERY_SKILL(name, skill, sheet, columns, help)                       #name " "
#define NSC_SKILL(stem, category, window, asks, words, params)               "skill_" #stem " "
#define QUERY_COLUMN(name, kind, use, level, getter, argument, tables, help) #name " "
#define QUERY_FUNCTION(name, arguments, n, step, end, inverse, help)         #name "( "
#include "analysis/skill/skill.def"
#include "query/event_column.def"
#include "query/event_table.def"
#include "query/function.def"
#include "query/sheet_table.def"
    ;

/* of: the tables of a column, the arguments of a table */
struct named {
    const char *name, *of, *unit, *help;
};

static const char *unit_of(uint8_t kind)
{
    static const char *const units[] = {[NSC_SHEET_TEXT] = "text",
                                        [NSC_SHEET_COUNT] = "count",
                                        [NSC_SHEET_ID] = "id",
                                        [NSC_SHEET_NS] = "ns",
                                        [NSC_SHEET_INSTANT] = "time, ns",
                                        [NSC_SHEET_BYTES] = "bytes",
                                        [NSC_SHEET_PERCENT] = "percent",
                                        [NSC_SHEET_NUMBER] = "number",
                                        [NSC_SHEET_YES] = "0 or 1"};

    return units[kind];
}

/* "kernel, copy", or "every table of events". */
static void put_tables(struct nsc_buf *out, const struct nsc_query_column *column)
{
    const uint32_t all = (1u << NSC_N_QUERY_EVENTS) - 1;
    const uint32_t counter = 1u << NSC_QUERY_EVENTS_counter;

    if ((column->tables | counter) == all) {
        nsc_buf_printf(out, "every table of events%s",
                       column->tables & counter ? "" : " but counter");
        return;
    }
    for (int t = 0; t < NSC_N_QUERY_EVENTS; t++)
        if (column->tables >> t & 1)
            nsc_buf_printf(out, "%s%s", out->n ? ", " : "", nsc_query_events_tables[t].name);
}

static void add_event_columns(struct nsc_sheet *sheet)
{
    uint32_t n = 0;
    const struct nsc_query_column *columns = nsc_query_columns(&n);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_buf tables = NSC_BUF_INIT(SIZE_MAX);

        put_tables(&tables, &columns[i]);
        NSC_ADD_ROW(sheet, named, .of = tables.bytes, .name = columns[i].name,
                    .unit = unit_of(columns[i].kind), .help = columns[i].help);
        nsc_buf_fini(&tables);
    }
}

static void add_sheet_columns(struct nsc_sheet *sheet, const struct nsc_query_sheet_table *table)
{
    const struct nsc_sheet_column *column;

    for (uint32_t i = 0; (column = nsc_query_sheet_column(table, i))->key; i++) {
        struct nsc_buf help = NSC_BUF_INIT(SIZE_MAX);
        char key[48];

        nsc_buf_printf(&help, "%s%s%s", column->title, column->of ? ", of " : "",
                       column->of ? column->of : "");
        NSC_ADD_ROW(sheet, named, .of = table->name,
                    .name = nsc_query_sheet_column_name(key, table, column),
                    .unit = unit_of(column->kind), .help = help.bytes);
        nsc_buf_fini(&help);
    }
}

static void add_columns(struct nsc_sheets *out, const struct nsc_answers *answers)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(named, of, "tables", "Tables"),
        NSC_COL_TEXT(named, name, "column", "Column"),
        NSC_COL_TEXT(named, unit, "unit", "Unit"),
        NSC_COL_TEXT(named, help, "meaning", "Meaning"),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(out, "columns", "Columns", columns, 4);
    struct nsc_query_sheet_table table;
    uint32_t i = 0;

    add_event_columns(sheet);
    while (nsc_query_sheet_table_next(&table, answers, &i))
        add_sheet_columns(sheet, &table);
}

/* "kinds = kernel, by = short" */
static void add_sheet_table(struct nsc_sheet *sheet, const struct nsc_query_sheet_table *table)
{
    struct nsc_buf arguments = NSC_BUF_INIT(SIZE_MAX);
    char name[32], value[32];

    nsc_buf_clear(&arguments);
    for (uint32_t i = 0; nsc_query_argument_at(name, value, table->arguments, i); i++)
        nsc_buf_printf(&arguments, "%s%s%s%s", i ? ", " : "", name, value[0] ? " = " : "", value);
    NSC_ADD_ROW(sheet, named, .name = table->name, .of = arguments.n ? arguments.bytes : "",
                .help = table->help);
    nsc_buf_fini(&arguments);
}

void nsc_trace_query_sheets(struct nsc_sheets *out)
{
    static const struct nsc_sheet_column tables[] = {
        NSC_COL_TEXT(named, name, "table", "Table"),
        NSC_COL_TEXT(named, of, "arguments", "Arguments"),
        NSC_COL_TEXT(named, help, "meaning", "Meaning"),
    };
    static const struct nsc_sheet_column functions[] = {
        NSC_COL_TEXT(named, name, "function", "Function"),
        NSC_COL_TEXT(named, help, "meaning", "Meaning"),
    };
    struct nsc_sheet *sheet = nsc_sheets_add(out, "tables", "Tables", tables, 3);
    struct nsc_query_sheet_table table;
    struct nsc_answers answers;
    uint32_t i = 0;

    nsc_answers_init(&answers);
    for (int t = 0; t < NSC_N_QUERY_EVENTS; t++)
        NSC_ADD_ROW(sheet, named, .name = nsc_query_events_tables[t].name, .of = "",
                    .help = nsc_query_events_tables[t].help);
    while (nsc_query_sheet_table_next(&table, &answers, &i))
        add_sheet_table(sheet, &table);
    add_columns(out, &answers);
    nsc_answers_fini(&answers);
    sheet = nsc_sheets_add(out, "functions", "Functions", functions, 2);
#define QUERY_FUNCTION(call, arguments, n, step, end, inverse, text) \
    NSC_ADD_ROW(sheet, named, .name = #call arguments, .help = (text));
#include "query/function.def"
}
