/*
 * Runs a query: refuses statements that do more than read, limits rows and time, stops on request.
 */
#include "nsys/jobs/query.h"

#include "core/arena.h"
#include "core/die.h"
#include "core/nearest.h"
#include "core/progress.h"
#include "core/text.h"
#include "nsys/pages/source.h"
#include "nsys/tables/capture_data.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define HEAP_LIMIT \
    ((sqlite3_int64)1 << 30) /* SQLite's memory limit in bytes: a sort cannot fill the machine */

/* A table of WITH is copied wherever it is named, before anything can stop the query. */
#define PREPARE_LIMIT ((sqlite3_int64)128 << 20)

/* A function cannot be stopped while it runs, and may compare each byte of a value with each of
 * another: what one may hold bounds how late a query of limited time ends. */
enum {
    STEPS = 50, /* of SQLite's machine between two looks at the clock */
    BLOB_BYTES = 32,
    WHY_BYTES = 160,
    PATTERN_BYTES = 1024,     /* of LIKE and GLOB */
    VALUE_SHARE = 256,        /* of limits.bytes that a value of a timed query may take */
    VALUE_MIN_BYTES = 1 << 16 /* for a row of the longest names */
};

struct query {
    const struct nsc_source *source; /* NULL: tables of the program */
    sqlite3 *db;                     /* the source's, or the caller's */
    sqlite3_stmt *statement;
    struct nsc_query_limits limits;
    struct nsc_progress *progress;
    uint64_t begun, until; /* ms; until 0: no limit */
    struct nsc_relation *rows;
    const char *refused; /* what the authorizer refused */
};

/* ---- cancelling ---- */

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int pause_of(void *context)
{
    const struct query *query = context;

    return nsc_progress_is_cancelled(query->progress) || (query->until && now_ns() >= query->until);
}

/* ---- permitted statements ---- */

/* Whether a list that ends with NULL has the word, in any case. */
static bool has(const char *const words[], const char *word)
{
    while (*words && strcasecmp(*words, word) != 0)
        words++;
    return *words;
}

static const char *const refused_functions[] = {"load_extension", "readfile",       "writefile",
                                                "edit",           "fts3_tokenizer", NULL};
static const char *const asking_pragmas[] = {
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", NULL};

static bool is_schema(const char *table)
{
    return strncasecmp(table, "sqlite_", 7) == 0 || strncasecmp(table, "pragma_", 7) == 0;
}

static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    struct query *query = context;

    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_READ:
        query->refused = "the schema";
        return !query->source && is_schema(first) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        query->refused = "this function";
        return has(refused_functions, second) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_UPDATE: /* allows pragma_table_info('x') as a table; statements that write are
                         * refused elsewhere */
        query->refused = "anything that writes";
        return strcmp(first, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
        query->refused = "this pragma";
        return query->source && has(asking_pragmas, first) ? SQLITE_OK : SQLITE_DENY;
    default:
        query->refused = action == SQLITE_ATTACH ? "opening other files" : "anything that writes";
        return SQLITE_DENY;
    }
}

/* ---- errors ---- */

static bool is_of_word(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

/* Where a name stands in a statement as a word; -1: nowhere. */
static int place_of(const char *name, const char *sql)
{
    const char *at = sql;

    while ((at = strstr(at, name)) &&
           ((at > sql && is_of_word(at[-1])) || is_of_word(at[strlen(name)])))
        at++;
    return at ? (int)(at - sql) : -1;
}

/* The names of a kind: of all tables, of the columns of those that the statement names and of their
 * arguments, of functions; and, as owners, of the tables that have a column. */
static const char names_of[] =
    "WITH t AS (SELECT name FROM pragma_module_list WHERE name NOT LIKE 'pragma%' AND name NOT "
    "LIKE 'json%' UNION SELECT name FROM sqlite_schema WHERE type = 'table'), "
    "c AS (SELECT t.name AS owner, c.name FROM t, pragma_table_xinfo(t.name) c) "
    "SELECT name, kind FROM (SELECT 'table' AS kind, name FROM t UNION ALL SELECT 'column', name "
    "FROM c WHERE instr(lower(?1), lower(owner)) AND name <> ?3 "
    "UNION ALL SELECT 'owner', owner FROM c WHERE name = ?3 COLLATE NOCASE AND ?2 = 'column' "
    "UNION ALL SELECT 'function', name FROM pragma_function_list) WHERE kind IN (?2, 'owner')";

/* Tells tables that have a column which those of the statement lack, the names nearest to one that there
 * is not, and its place if SQLite does not. */
static void tell_unknown(struct nsc_buf *out, const struct query *query, const char *sql,
                         const char *why, int *column)
{
    char kind[16], word[128], near[NSC_NEAREST_WORDS];
    const char *name = word;
    struct nsc_arena names = NSC_ARENA_INIT;
    sqlite3_stmt *statement = NULL;
    struct nsc_nearest nearest;

    if (sscanf(why, "no such %15[a-z]:%*[ \"]%127[^\" ]", kind, word) != 2)
        return;
    *column = *column < 0 ? place_of(word, sql) : *column;
    name = strrchr(word, '.') ? strrchr(word, '.') + 1 : word;
    nsc_nearest_init(&nearest, nsc_text_from(name));
    sqlite3_set_authorizer(query->db, NULL, NULL);
    (void)sqlite3_prepare_v2(query->db, names_of, -1, &statement, NULL);
    (void)sqlite3_bind_text(statement, 1, sql, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(statement, 2, kind, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(statement, 3, name, -1, SQLITE_STATIC);
    for (int n = 0; sqlite3_step(statement) == SQLITE_ROW;) {
        struct nsc_text text =
            nsc_text_from(nsc_arena_copy(&names, (const char *)sqlite3_column_text(statement, 0),
                                         (size_t)sqlite3_column_bytes(statement, 0)));

        if (sqlite3_column_text(statement, 1)[0] != 'o')
            nsc_nearest_add(&nearest, text);
        else if (n++ < NSC_NEAREST_MAX)
            nsc_buf_printf(out, "%s%s", n > 1 ? ", " : "; a column of ", text.bytes);
    }
    sqlite3_finalize(statement);
    nsc_buf_puts(out, nsc_nearest_words(near, &nearest));
    nsc_arena_fini(&names);
}

/* Adds ", at column 8", or ", at line 3, column 1" of a statement of several lines. */
static void tell_place(struct nsc_buf *out, const char *sql, int column)
{
    int line = 1;

    for (const char *end; column >= 0 && (end = memchr(sql, '\n', (size_t)column)); line++) {
        column -= (int)(end + 1 - sql);
        sql = end + 1;
    }
    if (line > 1)
        nsc_buf_printf(out, ", at line %d, column %d", line, column + 1);
    else if (column >= 0)
        nsc_buf_printf(out, ", at column %d", column + 1);
}

static enum nsc_status fail(struct query *query, const char *sql, int rc, int *column,
                            struct nsc_error *error)
{
    struct nsc_buf why = NSC_BUF_INIT(WHY_BYTES);
    struct nsc_buf names = NSC_BUF_INIT(SIZE_MAX);

    if ((rc & 0xff) == SQLITE_INTERRUPT && nsc_progress_is_cancelled(query->progress))
        return nsc_fail(error, NSC_ECANCELLED, "cancelled");
    if ((rc & 0xff) == SQLITE_NOMEM)
        return nsc_fail(error, NSC_ENOMEM, "this query needs more than 1 GiB: group or limit it");
    if (query->source &&
        (nsc_source_can_retry(rc) || (rc & 0xff) == SQLITE_NOTADB || (rc & 0xff) == SQLITE_BUSY))
        return nsc_source_fail(query->source, rc, "cannot read", error);
    if ((rc & 0xff) == SQLITE_AUTH)
        return nsc_fail(error, NSC_EINVAL, "queries only read: %s is refused",
                        query->refused ? query->refused : "this");
    if ((rc & 0xff) == SQLITE_TOOBIG && query->rows)
        return nsc_fail(error, NSC_EINVAL,
                        "a value or row is longer than %d KiB, the most for a query",
                        sqlite3_limit(query->db, SQLITE_LIMIT_LENGTH, -1) >> 10);
#if SQLITE_VERSION_NUMBER >= 3038000
    *column = sqlite3_error_offset(query->db);
#endif
    nsc_text_clean(&why, nsc_text_from(sqlite3_errmsg(query->db)), false);
    nsc_buf_puts(&why, "");
    nsc_buf_puts(&names, "");
    tell_unknown(&names, query, sql, why.bytes, column);
    tell_place(&why, sql, *column);
    (void)nsc_fail(error, NSC_EINVAL, "%s%s", why.bytes, names.bytes);
    nsc_buf_fini(&names);
    nsc_buf_fini(&why);
    return NSC_EINVAL;
}

/* ---- rows ---- */

/* Adds "x'0102...' (40 bytes)". */
static void blob_add(struct nsc_relation *rows, const unsigned char *bytes, int n)
{
    struct nsc_buf text = NSC_BUF_INIT(256);

    nsc_buf_puts(&text, "x'");
    for (int i = 0; i < n && i < BLOB_BYTES; i++)
        nsc_buf_printf(&text, "%02x", bytes[i]);
    nsc_buf_puts(&text, n > BLOB_BYTES ? "...'" : "'");
    if (n > BLOB_BYTES)
        nsc_buf_printf(&text, " (%d bytes)", n);
    nsc_relation_add_text(rows, nsc_text_of_buf(&text));
    nsc_buf_fini(&text);
}

static void value_add(struct nsc_relation *rows, sqlite3_stmt *statement, int i)
{
    const char *bytes = NULL;

    switch (sqlite3_column_type(statement, i)) {
    case SQLITE_NULL:
        nsc_relation_add_null(rows);
        break;
    case SQLITE_INTEGER:
        nsc_relation_add_int(rows, sqlite3_column_int64(statement, i));
        break;
    case SQLITE_FLOAT:
        nsc_relation_add_number(rows, sqlite3_column_double(statement, i));
        break;
    case SQLITE_BLOB:
        bytes = sqlite3_column_blob(statement, i);
        blob_add(rows, (const unsigned char *)bytes, sqlite3_column_bytes(statement, i));
        break;
    default:
        bytes = (const char *)sqlite3_column_text(statement, i);
        nsc_relation_add_text(
            rows, (struct nsc_text){bytes ? bytes : "",
                                    bytes ? (uint32_t)sqlite3_column_bytes(statement, i) : 0});
    }
}

static struct nsc_relation *rows_begin(sqlite3_stmt *statement)
{
    int n = sqlite3_column_count(statement);
    const char **names = nsc_xcalloc((size_t)n, sizeof *names);
    struct nsc_relation *rows = NULL;

    for (int i = 0; i < n; i++) {
        const char *name = sqlite3_column_name(statement, i);

        names[i] = name ? name : "";
    }
    rows = nsc_relation_begin(names, (uint32_t)n);
    free(names);
    return rows;
}

static void cut(struct query *query, uint64_t n, const char *why)
{
    query->rows->is_cut = true;
    nsc_sheet_note(&query->rows->sheet, "only the first %llu rows: %s", (unsigned long long)n, why);
}

static int fetch(struct query *query)
{
    int columns = sqlite3_column_count(query->statement);
    int rc = nsc_source_step(query->statement);
    uint64_t n = 0;

    for (; rc == SQLITE_ROW; rc = nsc_source_step(query->statement)) {
        if (n == query->limits.rows) {
            cut(query, n, "there are more, which a LIMIT, a WHERE or a GROUP BY would find");
            return SQLITE_DONE;
        }
        if (nsc_relation_bytes(query->rows) > query->limits.bytes) {
            cut(query, n, "the memory limit was reached");
            return SQLITE_DONE;
        }
        for (int i = 0; i < columns; i++)
            value_add(query->rows, query->statement, i);
        n++;
    }
    if ((rc & 0xff) == SQLITE_INTERRUPT && !nsc_progress_is_cancelled(query->progress)) {
        cut(query, n, "the time limit was reached");
        return SQLITE_DONE;
    }
    return rc;
}

/* Fetches all rows. */
static int fetch_all(struct query *query)
{
    (void)sqlite3_reset(query->statement);
    nsc_relation_free(query->rows);
    query->rows = rows_begin(query->statement);
    return fetch(query);
}

/* ---- the whole query ---- */

/* Prepares in PREPARE_LIMIT of memory. A lower hard limit also lowers the soft one. */
static int prepare_bounded(struct query *query, const char *sql, const char **rest)
{
    sqlite3_int64 soft = sqlite3_soft_heap_limit64(-1);
    int rc;

    (void)sqlite3_hard_heap_limit64(sqlite3_memory_used() + PREPARE_LIMIT);
    rc = sqlite3_prepare_v2(query->db, sql, -1, &query->statement, rest);
    (void)sqlite3_hard_heap_limit64(HEAP_LIMIT);
    (void)sqlite3_soft_heap_limit64(soft);
    return rc;
}

static enum nsc_status prepare(struct query *query, const char *sql, int *column,
                               struct nsc_error *error)
{
    const char *rest = "";
    int rc = prepare_bounded(query, sql, &rest);

    if ((rc & 0xff) == SQLITE_NOMEM)
        return nsc_fail(error, NSC_ENOMEM,
                        "this query needs more than 128 MiB before it runs: tables of WITH are "
                        "copied wherever they are named");
    if (rc != SQLITE_OK)
        return fail(query, sql, rc, column, error);
    if (!query->statement)
        return nsc_fail(error, NSC_EINVAL, "give a query: SELECT columns FROM table");
    if (rest[strspn(rest, " \t\r\n;")] != '\0') {
        *column = (int)(rest - sql);
        return nsc_fail(error, NSC_EINVAL, "one query at a time: another begins at column %d",
                        *column + 1);
    }
    if (sqlite3_column_count(query->statement) < 1 || !sqlite3_stmt_readonly(query->statement))
        return nsc_fail(error, NSC_EINVAL, "queries only read: this one returns no rows");
    return NSC_OK;
}

/* Only lowers what the connection allows. */
static void bound_values(const struct query *query)
{
    int most = sqlite3_limit(query->db, SQLITE_LIMIT_LENGTH, -1);
    uint64_t share = query->limits.bytes / VALUE_SHARE;

    share = share < VALUE_MIN_BYTES ? VALUE_MIN_BYTES : share;
    if (query->until && share < (uint64_t)most)
        sqlite3_limit(query->db, SQLITE_LIMIT_LENGTH, (int)share);
    sqlite3_limit(query->db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, PATTERN_BYTES);
}

static int bind(sqlite3_stmt *statement, int i, const struct nsc_query_bound *value)
{
    switch (value->type) {
    case NSC_QUERY_BOUND_INT:
        return sqlite3_bind_int64(statement, i, value->integer);
    case NSC_QUERY_BOUND_NUMBER:
        return sqlite3_bind_double(statement, i, value->number);
    case NSC_QUERY_BOUND_TEXT:
        return sqlite3_bind_text(statement, i, value->text, -1, SQLITE_STATIC);
    case NSC_QUERY_BOUND_NULL:
        break;
    }
    return sqlite3_bind_null(statement, i);
}

static enum nsc_status bind_all(struct query *query, const struct nsc_query_ask *ask, int *column,
                                struct nsc_error *error)
{
    int n = ask->bound ? sqlite3_bind_parameter_count(query->statement) : 0;

    for (int i = 1; i <= n; i++) {
        const char *name = sqlite3_bind_parameter_name(query->statement, i);
        uint32_t k = 0;
        int rc;

        while (k < ask->n_bound && (!name || strcmp(name + 1, ask->bound[k].name) != 0))
            k++;
        if (k == ask->n_bound)
            return nsc_fail(error, NSC_EINVAL, "no such parameter: %.64s", name ? name : "?");
        rc = bind(query->statement, i, &ask->bound[k]);
        if (rc != SQLITE_OK)
            return fail(query, ask->sql, rc, column, error);
    }
    return NSC_OK;
}

/* Sets the limits and the gate, prepares the statement, and binds its parameters. */
static enum nsc_status begin(struct query *query, const struct nsc_query_ask *ask, int *column,
                             struct nsc_error *error)
{
    enum nsc_status status;

    (void)sqlite3_hard_heap_limit64(HEAP_LIMIT);
    bound_values(query);
    /* of the trace, "nmae" is never a text: the query would have quietly wrong rows */
    (void)sqlite3_db_config(query->db, SQLITE_DBCONFIG_DQS_DML, query->source != NULL, NULL);
    sqlite3_set_authorizer(query->db, authorize, query);
    sqlite3_progress_handler(query->db, STEPS, pause_of, query);
    status = prepare(query, ask->sql, column, error);
    return status == NSC_OK ? bind_all(query, ask, column, error) : status;
}

static enum nsc_status run(struct query *query, const char *sql, int *column,
                           struct nsc_error *error)
{
    int rc = fetch_all(query);

    if (query->source && nsc_source_can_retry(rc)) /* a read that failed once may succeed */
        rc = fetch_all(query);
    if (nsc_progress_is_cancelled(query->progress))
        return nsc_fail(error, NSC_ECANCELLED, "cancelled");
    return rc == SQLITE_DONE ? NSC_OK : fail(query, sql, rc, column, error);
}

/* Checks that the file read is still the one at the path and, if an export was loaded, the loaded
 * one. */
static enum nsc_status check_file(const struct nsc_query_ask *ask, const struct nsc_source *source,
                                  enum nsc_status status, struct nsc_error *error)
{
    status = nsc_source_check(source, status, error);
    return ask->loaded ? nsc_source_check(ask->loaded->source, status, error) : status;
}

/* Removes virtual tables, so that a hostile schema cannot run their code. */
static void drop_tables(sqlite3 *db)
{
    static const char *keep[] = {"json_each", "json_tree", NULL};

    sqlite3_drop_modules(db, keep);
}

/* Opens the file, runs the query, and leaves the rows in query->rows. */
static enum nsc_status run_file(struct query *query, const struct nsc_query_ask *ask, int *column,
                                struct nsc_error *error)
{
    struct nsc_source *source = NULL;
    const char *path = ask->path ? ask->path : ask->loaded->source->path;
    const struct nsc_open_options own = {.wal = ask->loaded && ask->loaded->source->wal};
    enum nsc_status status =
        nsc_source_open(&source, path, ask->options ? ask->options : &own, error);

    if (status != NSC_OK)
        return ask->loaded ? nsc_source_check(ask->loaded->source, status, error) : status;
    query->source = source;
    query->db = source->db;
    drop_tables(query->db);
    status = begin(query, ask, column, error);
    if (status == NSC_OK)
        status = run(query, ask->sql, column, error);
    sqlite3_finalize(query->statement);
    status = check_file(ask, source, status, error);
    nsc_source_close(source);
    return status;
}

/* ---- from the question to the rows ---- */

static struct query query_of(const struct nsc_query_ask *ask)
{
    uint64_t begun = now_ns();

    return (struct query){.limits = ask->limits,
                          .progress = ask->progress,
                          .begun = begun,
                          .until = ask->limits.ms ? begun + ask->limits.ms * 1000000u : 0};
}

/* Gives the rows to the caller. */
static enum nsc_status finish(struct nsc_relation **out, struct query *query,
                              enum nsc_status status)
{
    if (status == NSC_OK && out) {
        nsc_relation_end(query->rows);
        query->rows->ns = now_ns() - query->begun;
    } else {
        nsc_relation_free(query->rows);
        query->rows = NULL;
    }
    if (out)
        *out = query->rows;
    return status;
}

enum nsc_status nsc_query_run(struct nsc_relation **out, const struct nsc_query_ask *ask,
                              int *column, struct nsc_error *error)
{
    struct query query = query_of(ask);

    *column = -1;
    return finish(out, &query, run_file(&query, ask, column, error));
}

/* ---- on a connection of the caller ---- */

enum nsc_status nsc_query_open_empty(struct sqlite3 **out, struct nsc_error *error)
{
    int rc = sqlite3_open_v2(":memory:", out,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
                             NULL);

    if (rc == SQLITE_OK) {
        nsc_source_set_gate(*out);
        drop_tables(*out);
        sqlite3_set_authorizer(*out, NULL, NULL);
        return NSC_OK;
    }
    sqlite3_close(*out);
    *out = NULL;
    return nsc_fail(error, NSC_ENOMEM, "no memory for a query");
}

enum nsc_status nsc_query_run_on(struct nsc_relation **out, struct sqlite3 *db,
                                 const struct nsc_query_ask *ask, int *column,
                                 struct nsc_error *error)
{
    struct query query = query_of(ask);
    enum nsc_status status;

    *column = -1;
    query.db = db;
    status = begin(&query, ask, column, error);
    if (status == NSC_OK && out)
        status = run(&query, ask->sql, column, error);
    sqlite3_finalize(query.statement);
    sqlite3_progress_handler(db, 0, NULL, NULL); /* it and the gate borrow query */
    sqlite3_set_authorizer(db, NULL, NULL);
    return finish(out, &query, status);
}
