/*
 * Answers questions that are files: runs their statements and shapes the rows as sheets.
 */
#include "core/die.h"
#include "query/answer_file.h"
#include "query/query_data.h"

#include <string.h>

enum { N_BOUND = NSC_SKILL_OWN_PARAMS + 2 }; /* and the window */

/* One answer being worked out. */
struct running {
    const struct nsc_answer *answer;
    const struct nsc_question *question;
    struct nsc_trace_query *query; /* NULL: the export's own tables */
    struct nsc_query_bound bound[N_BOUND];
    uint32_t n_bound;
    int64_t limit; /* 0: none */
    bool is_raw;   /* it asked the export's own tables */
};

/* ---- parameters ---- */

static struct nsc_query_bound bound_of(const struct nsc_param_row *row,
                                       const struct nsc_param_value *value)
{
    struct nsc_query_bound bound = {.name = row->name,
                                    .type = NSC_QUERY_BOUND_INT,
                                    .integer = value->integer,
                                    .number = value->number,
                                    .text = value->text};

    if (!value->is_set)
        bound.type = NSC_QUERY_BOUND_NULL;
    else if (row->type == NSC_PARAM_TYPE_TEXT)
        bound.type = NSC_QUERY_BOUND_TEXT;
    else if (row->type == NSC_PARAM_TYPE_NUMBER)
        bound.type = NSC_QUERY_BOUND_NUMBER;
    return bound;
}

static void add_int(struct running *running, const char *name, int64_t value)
{
    running->bound[running->n_bound++] =
        (struct nsc_query_bound){.name = name, .type = NSC_QUERY_BOUND_INT, .integer = value};
}

static void bind_all(struct running *running)
{
    const struct nsc_answer *answer = running->answer;
    const struct nsc_question *question = running->question;

    for (uint32_t i = 0; i < answer->params.n; i++) {
        const struct nsc_query_bound *bound = &running->bound[running->n_bound];

        running->bound[running->n_bound++] =
            bound_of(&answer->params.at[i], &question->params[NSC_N_PARAMS + i]);
        if (answer->has_limit && strcmp(bound->name, "limit") == 0)
            running->limit = bound->integer;
    }
    add_int(running, "window_start", question->scope->window.t0);
    add_int(running, "window_end", question->scope->window.t1);
}

/* ---- statements ---- */

/* The line of the file at a place in the statement. */
static unsigned line_at(const struct nsc_answer_sheet *sheet, const char *sql, int column)
{
    unsigned line = sheet->line;

    for (int i = 0; i < column && sql[i]; i++)
        line += sql[i] == '\n';
    return line;
}

static enum nsc_status fail_in(const struct running *running, const struct nsc_answer_sheet *sheet,
                               unsigned line, const struct nsc_error *why, struct nsc_error *error)
{
    struct nsc_buf file = NSC_BUF_INIT(200);

    nsc_text_clean(&file, nsc_text_from(running->answer->file), false);
    (void)nsc_fail(error, why->status, "skill %.60s: %s (%s:%u)", running->answer->skill.name,
                   why->text, file.n ? file.bytes : "", line ? line : sheet->line);
    nsc_buf_fini(&file);
    return why->status;
}

/* Runs one statement of a sheet. */
static enum nsc_status ask(struct nsc_relation **out, const struct running *running,
                           const struct nsc_answer_sheet *sheet, const char *sql,
                           struct nsc_error *error)
{
    const struct nsc_query_ask raw = {.sql = sql,
                                      .limits = NSC_QUERY_FILE,
                                      .loaded = running->question->capture,
                                      .progress = running->question->scope->stop,
                                      .bound = running->bound,
                                      .n_bound = running->n_bound};
    struct nsc_error own = {0};
    int column = -1;
    enum nsc_status status;

    if (running->query)
        status = nsc_trace_query_run(out, running->query, sql, NSC_QUERY_FILE, &column, &own);
    else if (raw.loaded)
        status = nsc_query_run(out, &raw, &column, &own);
    else
        status =
            nsc_fail(&own, NSC_EINVAL, "the tables of one export are asked by nsyscope skill run");
    return status == NSC_OK ? NSC_OK
                            : fail_in(running, sheet, line_at(sheet, sql, column), &own, error);
}

/* ---- rows ---- */

/* Whether the header lists the columns of the rows, and their values are of its kinds. */
static bool is_like(const struct nsc_answer_sheet *sheet, const struct nsc_relation *rows,
                    struct nsc_error *why)
{
    uint32_t n = sheet->columns.n > 0 ? (uint32_t)sheet->columns.n - 1 : 0;

    if (n > 0 && n != rows->sheet.n_columns)
        (void)nsc_fail(why, NSC_EINVAL, "the header has %u columns, and the query %u", n,
                       rows->sheet.n_columns);
    for (uint32_t c = 0; c < n && why->status == NSC_OK; c++) {
        uint8_t wanted = sheet->columns.at[c].kind;
        uint8_t kind = rows->columns[c].kind;
        bool is_number = wanted == NSC_SHEET_PERCENT || wanted == NSC_SHEET_NUMBER;
        bool has_values = false;

        for (uint32_t r = 0; r < nsc_sheet_rows(&rows->sheet) && !has_values; r++)
            has_values = nsc_sheet_at(&rows->sheet, r, c)->is_set;
        if (strcmp(rows->columns[c].key, sheet->columns.at[c].key) != 0)
            (void)nsc_fail(why, NSC_EINVAL, "the header says column %s where the query has %.60s",
                           sheet->columns.at[c].key, rows->columns[c].key);
        else if (has_values && (wanted == NSC_SHEET_TEXT) != (kind == NSC_SHEET_TEXT))
            (void)nsc_fail(why, NSC_EINVAL, "column %s: a text is no number",
                           sheet->columns.at[c].key);
        else if (has_values && kind == NSC_SHEET_NUMBER && !is_number)
            (void)nsc_fail(why, NSC_EINVAL, "column %s is whole numbers only",
                           sheet->columns.at[c].key);
    }
    return why->status == NSC_OK;
}

/* Adds the rows with the kinds of the sheet's columns. */
static void add_rows(struct nsc_sheet *to, const struct nsc_relation *rows)
{
    const struct nsc_sheet *from = &rows->sheet;

    for (uint32_t r = 0; r < nsc_sheet_rows(from); r++)
        for (uint32_t c = 0; c < to->n_columns; c++) {
            const struct nsc_sheet_cell *cell = nsc_sheet_at(from, r, c);
            uint8_t kind = to->columns[c].kind;

            if (!cell->is_set)
                nsc_sheet_add_unknown(to);
            else if (kind == NSC_SHEET_TEXT)
                nsc_sheet_add_text(to, nsc_sheet_text(from, cell));
            else if (kind != NSC_SHEET_PERCENT && kind != NSC_SHEET_NUMBER)
                nsc_sheet_add_int(to, cell->integer);
            else if (rows->columns[c].kind == NSC_SHEET_NUMBER)
                nsc_sheet_add_number(to, cell->number);
            else
                nsc_sheet_add_number(to, (double)cell->integer);
        }
}

static struct nsc_sheet *add_sheet(struct nsc_sheets *out, const struct running *running,
                                   const struct nsc_answer_sheet *sheet,
                                   const struct nsc_relation *rows)
{
    struct nsc_sheet *to;

    if (sheet->columns.n > 0) {
        to = nsc_question_more(out, running->question, sheet->key, sheet->title, sheet->columns.at);
    } else {
        to = nsc_sheets_add(out, sheet->key, sheet->title, rows->columns, rows->sheet.n_columns);
        nsc_relation_copy_columns(to, rows);
        to->has_window = running->query != NULL;
        to->window = running->question->scope->window;
    }
    add_rows(to, rows);
    for (size_t i = 0; i < rows->sheet.notes.n; i++)
        nsc_sheet_note(to, "%s", rows->sheet.notes.at[i]);
    return to;
}

/* ---- notes ---- */

static enum nsc_status add_notes(struct nsc_sheet *to, const struct running *running,
                                 const struct nsc_answer_sheet *sheet, struct nsc_error *error)
{
    for (size_t i = 0; i < sheet->notes.n; i++) {
        const struct nsc_answer_note *note = &sheet->notes.at[i];
        struct nsc_relation *rows = NULL;

        if (!note->is_query) {
            if (nsc_sheet_rows(to) > 0)
                nsc_sheet_note(to, "%s", note->text);
            continue;
        }
        if (ask(&rows, running, sheet, note->text, error) != NSC_OK)
            return error->status;
        for (uint32_t r = 0; r < nsc_sheet_rows(&rows->sheet); r++) {
            struct nsc_text text = nsc_sheet_text(&rows->sheet, nsc_sheet_at(&rows->sheet, r, 0));

            nsc_sheet_note(to, "%.*s", (int)text.n, text.bytes);
        }
        nsc_relation_free(rows);
    }
    if (nsc_sheet_rows(to) == 0 && sheet->empty)
        nsc_sheet_note(to, "%s", sheet->empty);
    return NSC_OK;
}

/* ---- a table ---- */

/* The number that a statement selects; 0 without one. */
static enum nsc_status ask_number(int64_t *out, const struct running *running,
                                  const struct nsc_answer_sheet *sheet, const char *sql,
                                  struct nsc_error *error)
{
    struct nsc_relation *rows = NULL;
    enum nsc_status status = ask(&rows, running, sheet, sql, error);

    *out = 0;
    if (status == NSC_OK && nsc_sheet_rows(&rows->sheet) > 0 &&
        nsc_sheet_at(&rows->sheet, 0, 0)->is_set)
        *out = nsc_sheet_at(&rows->sheet, 0, 0)->integer;
    nsc_relation_free(rows);
    return status;
}

/* The rows that the limit, or the statement itself, cuts off. */
static enum nsc_status count_left_out(struct nsc_sheet *to, const struct running *running,
                                      const struct nsc_answer_sheet *sheet, int64_t limit,
                                      struct nsc_error *error)
{
    struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);
    int64_t n = 0;
    enum nsc_status status = NSC_OK;

    if (limit > 0 && nsc_sheet_rows(to) == limit)
        nsc_buf_printf(&sql, "SELECT count(*) - %lld FROM (%s\n)", (long long)limit, sheet->sql);
    else if (sheet->left_out)
        nsc_buf_puts(&sql, sheet->left_out);
    if (sql.n > 0)
        status = ask_number(&n, running, sheet, sql.bytes, error);
    to->n_left_out = (uint64_t)n;
    nsc_buf_fini(&sql);
    return status;
}

/* The rows of a statement, at most limit (0: all). */
static enum nsc_status ask_limited(struct nsc_relation **out, const struct running *running,
                                   const struct nsc_answer_sheet *sheet, int64_t limit,
                                   struct nsc_error *error)
{
    struct nsc_buf sql = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status;

    if (limit == 0)
        return ask(out, running, sheet, sheet->sql, error);
    nsc_buf_printf(&sql, "%s\nLIMIT %lld", sheet->sql, (long long)limit);
    status = ask(out, running, sheet, sql.bytes, error);
    nsc_buf_fini(&sql);
    return status;
}

/* Whether a statement of the answer names the limit. */
static bool cuts_itself(const struct nsc_answer *answer)
{
    for (size_t i = 0; i < answer->sheets.n; i++)
        if (strstr(answer->sheets.at[i].sql, ":limit"))
            return true;
    return false;
}

static enum nsc_status answer_sheet(struct nsc_sheets *out, const struct running *running,
                                    const struct nsc_answer_sheet *sheet, struct nsc_error *error)
{
    int64_t limit =
        sheet == running->answer->sheets.at && !cuts_itself(running->answer) ? running->limit : 0;
    struct nsc_relation *rows = NULL;
    struct nsc_error why = {0};
    struct nsc_sheet *to = NULL;
    enum nsc_status status = ask_limited(&rows, running, sheet, limit, error);

    if (status == NSC_OK && !is_like(sheet, rows, &why))
        status = fail_in(running, sheet, 0, &why, error);
    if (status == NSC_OK) {
        to = add_sheet(out, running, sheet, rows);
        status = count_left_out(to, running, sheet, limit, error);
    }
    nsc_relation_free(rows);
    return status == NSC_OK ? add_notes(to, running, sheet, error) : status;
}

/* ---- the answer ---- */

/* Opens a connection, unless the file, or a statement that knows none of these tables, is about the
 * export's own. */
static enum nsc_status open(struct running *running, struct nsc_error *error)
{
    const struct nsc_answer *answer = running->answer;
    struct nsc_error own = {0};
    int column = -1;
    enum nsc_status status;

    bind_all(running);
    if (answer->is_raw)
        return NSC_OK;
    status = nsc_trace_query_open(&running->query, answer->is_program, error);
    if (status != NSC_OK)
        return status;
    nsc_trace_query_bind(running->query, running->bound, running->n_bound);
    if (!answer->is_program &&
        nsc_trace_query_run(NULL, running->query, answer->sheets.at[0].sql, NSC_QUERY_FILE, &column,
                            &own) != NSC_OK &&
        (strncmp(own.text, "no such table", 13) == 0 || strstr(own.text, "the schema"))) {
        nsc_trace_query_close(running->query);
        running->query = NULL;
    }
    return NSC_OK;
}

static enum nsc_status run(struct nsc_sheets *out, struct running *running, struct nsc_error *error)
{
    const struct nsc_question *question = running->question;
    struct nsc_trace_query_ground ground = {question->scope, question->each, question->ranks};
    enum nsc_status status = open(running, error);
    uint32_t n = 0;

    (void)nsc_trace_captures(question->scope->trace, &n);
    if (!ground.fields && question->fields && n == 1)
        ground.fields = &question->fields;
    if (running->query)
        nsc_trace_query_show(running->query, &ground);
    for (size_t i = 0; i < running->answer->sheets.n && status == NSC_OK; i++)
        status = answer_sheet(out, running, &running->answer->sheets.at[i], error);
    running->is_raw = !running->query;
    nsc_trace_query_close(running->query);
    return status;
}

void nsc_answer_run(struct nsc_sheets *out, const struct nsc_question *question)
{
    static const struct nsc_sheet_column none[] = {
        NSC_COL_UNBOUND("row", "Row", NULL, NSC_SHEET_TEXT, 0), {0}};
    const struct nsc_skill *skill = question->skill;
    struct running running = {.answer = skill->answer, .question = question};
    struct nsc_error error = {0};
    size_t first = out->list.n;

    if (run(out, &running, &error) != NSC_OK) {
        if (question->error)
            *question->error = error;
        if (out->list.n == first)
            (void)nsc_question_more(out, question, skill->name, skill->question,
                                    skill->columns[0].key ? skill->columns : none);
        nsc_sheet_note(&out->list.at[first], "%s", error.text);
    } else if (running.is_raw)
        nsc_sheet_note(&out->list.at[first],
                       "A query of the whole export: filter, range and trim "
                       "do not apply. Times are on the clock of each export.");
}

void nsc_answer_tables(struct nsc_sheets *out, const void *answers, const char *name,
                       const struct nsc_scope *scope, const char *const params[])
{
    const struct nsc_answers *all = answers;

    for (size_t i = 0; i < all->list.n; i++) {
        const struct nsc_skill *skill = &all->list.at[i]->skill;
        struct nsc_question question = nsc_question_of(skill, scope, NULL);
        struct nsc_error error = {0};

        if (strcmp(skill->name, name) != 0)
            continue;
        for (uint32_t k = 0; params && params[k]; k++)
            (void)(nsc_question_set(&question, params[k], &error) == NSC_OK);
        question.error = &error;
        nsc_answer_run(out, &question);
        if (error.status == NSC_ENOMEM)
            nsc_die_oom(); /* else a report would lack its rows, and say so in a note only */
    }
}
