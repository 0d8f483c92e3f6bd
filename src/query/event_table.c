/* The tables of events in SQLite: which bounds a statement gives, and the rows within them. */
#include "core/text.h"
#include "query/event_getter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct event_module {
    enum nsc_query_events table;
    uint32_t n;
    const struct nsc_query_column *columns[NSC_QUERY_COLUMNS];
};

struct event_vtab {
    sqlite3_vtab base;
    struct nsc_trace_query *query;
    const struct event_module *module;
};

struct event_cursor {
    sqlite3_vtab_cursor base;
    struct nsc_query_scan scan;
    uint8_t *names; /* owned: of the scan's bounds */
    bool is_over;
    sqlite3_int64 rowid; /* of the samples of counters */
};

/* ---- which bounds the statement gives ---- */

/* A bound is two bytes in idxStr, which EXPLAIN QUERY PLAN prints: the number of its column and the
 * operator, both from '0' on. */
enum { ORDER_BY_START = 1, ORDER_BY_TEXT }; /* then 2 for each column, 1 more: descending */

/* By how much a bound divides the rows; 0: it is no use. */
static uint32_t use_of(const struct nsc_query_column *column, uint8_t op, const char *collation)
{
    enum nsc_query_text which;
    bool is_id = false;
    bool is_text = column->kind == NSC_SHEET_TEXT;
    const uint8_t ranges = SQLITE_INDEX_CONSTRAINT_EQ | SQLITE_INDEX_CONSTRAINT_GT |
                           SQLITE_INDEX_CONSTRAINT_GE | SQLITE_INDEX_CONSTRAINT_LT |
                           SQLITE_INDEX_CONSTRAINT_LE; /* a bit each */

    if (op & ~ranges || (is_text && strcmp(collation, "BINARY") != 0))
        return 0;
    switch ((enum nsc_query_level)column->level) {
    case NSC_QUERY_LEVEL_ID:
        return op == SQLITE_INDEX_CONSTRAINT_EQ ? 1u << 20 : 2;
    case NSC_QUERY_LEVEL_START:
    case NSC_QUERY_LEVEL_END:
        return 8;
    case NSC_QUERY_LEVEL_TRACK:
        return op == SQLITE_INDEX_CONSTRAINT_EQ ? 4 : 0;
    case NSC_QUERY_LEVEL_NAME:
        return op == SQLITE_INDEX_CONSTRAINT_EQ &&
                       (column->get == nsc_query_get_comm ||
                        (nsc_query_column_text(column, &which, &is_id) && which != NSC_QUERY_LABEL))
                   ? 8
                   : 0;
    default:
        return 0;
    }
}

static bool is_order_of(const sqlite3_index_info *info, const struct event_module *module, int i,
                        uint8_t level)
{
    return i < info->nOrderBy && info->aOrderBy[i].iColumn >= 0 &&
           (!info->aOrderBy[i].desc || level == NSC_QUERY_LEVEL_NAME) &&
           module->columns[info->aOrderBy[i].iColumn]->level == level;
}

/* Serves ORDER BY id, start, and start, id: a sum OVER (ORDER BY start) of 1 M kernels takes 1.5 s with
 * opening instead of 1.9. Also of an id of a text, as GROUP BY wants it, descending if the groups are: 1.0 s instead of 1.75. */
static void choose_order(sqlite3_index_info *info, const struct event_module *module)
{
    enum nsc_query_text which;
    bool is_id = false;

    if (module->table == NSC_QUERY_EVENTS_counter)
        return;
    if (info->nOrderBy == 1 && is_order_of(info, module, 0, NSC_QUERY_LEVEL_ID))
        info->orderByConsumed = 1;
    if (info->nOrderBy == 1 && is_order_of(info, module, 0, NSC_QUERY_LEVEL_NAME) &&
        nsc_query_column_text(module->columns[info->aOrderBy[0].iColumn], &which, &is_id) &&
        is_id) {
        info->orderByConsumed = 1;
        info->idxNum =
            ORDER_BY_TEXT + 2 * info->aOrderBy[0].iColumn + (info->aOrderBy[0].desc != 0);
    }
    if (is_order_of(info, module, 0, NSC_QUERY_LEVEL_START) &&
        (info->nOrderBy == 1 ||
         (info->nOrderBy == 2 && is_order_of(info, module, 1, NSC_QUERY_LEVEL_ID)))) {
        info->orderByConsumed = 1;
        info->idxNum = ORDER_BY_START;
    }
}

static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    const struct event_module *module = ((struct event_vtab *)vtab)->module;
    char *bounds = sqlite3_mprintf("%*s", 2 * info->nConstraint, "");
    double rows = 1 << 20;
    int n = 0;

    if (!bounds)
        return SQLITE_NOMEM;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
        uint32_t use = constraint->usable && constraint->iColumn >= 0
                           ? use_of(module->columns[constraint->iColumn], constraint->op,
                                    sqlite3_vtab_collation(info, i))
                           : 0;

        if (use == 0)
            continue;
        bounds[2 * n] = (char)('0' + constraint->iColumn);
        bounds[2 * n + 1] = (char)('0' + constraint->op);
        info->aConstraintUsage[i].argvIndex = ++n;
        rows = rows > use ? rows / use : 1;
        if (use == 1u << 20)
            info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
    }
    bounds[2 * n] = '\0';
    info->idxStr = bounds;
    info->needToFreeIdxStr = 1;
    info->estimatedRows = (sqlite3_int64)rows;
    info->estimatedCost = rows + 10;
    choose_order(info, module);
    return SQLITE_OK;
}

/* ---- the bounds of a scan ---- */

/* The integers around a number: all limits are too wide rather than too narrow. */
static bool number_bounds(sqlite3_value *value, int64_t *low, int64_t *high)
{
    double number;

    if (sqlite3_value_type(value) == SQLITE_INTEGER) {
        *low = *high = sqlite3_value_int64(value);
        return true;
    }
    if (sqlite3_value_type(value) != SQLITE_FLOAT)
        return false;
    number = sqlite3_value_double(value);
    if (!(fabs(number) < 9e18))
        return false;
    *low = (int64_t)floor(number);
    *high = (int64_t)ceil(number);
    return true;
}

static void bound_number(struct nsc_query_bounds *bounds, int which, int op, sqlite3_value *value)
{
    int64_t low = 0, high = 0;
    bool is_below = op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE;
    bool is_above = op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE;

    if (!number_bounds(value, &low, &high))
        return;
    if (!is_below && low > bounds->low[which])
        bounds->low[which] = low;
    if (!is_above && high < bounds->high[which])
        bounds->high[which] = high;
}

/* The value of a column of the TRACK level: an integer or a text of its kind, else no bound. */
static void bound_place(struct nsc_query_bounds *bounds, const struct nsc_query_column *column,
                        sqlite3_value *value)
{
    struct nsc_query_place *place = &bounds->places[bounds->n_places];
    int type = sqlite3_value_type(value);
    bool is_text = column->kind == NSC_SHEET_TEXT;

    if (bounds->n_places == sizeof bounds->places / sizeof *bounds->places ||
        type != (is_text ? SQLITE_TEXT : SQLITE_INTEGER))
        return;
    *place = (struct nsc_query_place){.column = column, .value.type = NSC_QUERY_INT};
    if (is_text) {
        place->value.type = NSC_QUERY_TEXT;
        place->value.text.bytes = (const char *)sqlite3_value_text(value);
        place->value.text.n = (uint32_t)sqlite3_value_bytes(value);
    } else {
        place->value.integer = sqlite3_value_int64(value);
    }
    bounds->n_places++;
}

/* Whether events of a name can have the text. */
static bool can_have(struct nsc_trace_query *query, nsc_name name, enum nsc_query_text which,
                     struct nsc_text text)
{
    const struct nsc_names *names = nsc_trace_names(query->trace);
    bool is_fold = which == NSC_QUERY_FOLD;
    struct nsc_text own = nsc_trace_string(
        query->trace, which == NSC_QUERY_NAME ? names->full[name] : names->brief[name]);

    if (is_fold)
        own = nsc_texts_at(&query->texts, nsc_query_name_text(query, name, true));
    return (!is_fold && names->counters[name] > 0) || nsc_text_equal(own, text);
}

static void bound_names(struct event_cursor *cursor, struct nsc_trace_query *query,
                        const struct nsc_query_column *column, sqlite3_value *value)
{
    const struct nsc_names *names = nsc_trace_names(query->trace);
    enum nsc_query_text which;
    bool is_id = false;
    bool is_comm = column->get == nsc_query_get_comm && sqlite3_value_int64(value) == 1;
    struct nsc_text text;

    if (!is_comm && (!nsc_query_column_text(column, &which, &is_id) ||
                     sqlite3_value_type(value) != (is_id ? SQLITE_INTEGER : SQLITE_TEXT)))
        return;
    text = (struct nsc_text){(const char *)sqlite3_value_text(value),
                             (uint32_t)sqlite3_value_bytes(value)};
    if (is_id) {
        sqlite3_int64 number = sqlite3_value_int64(value);

        if (number < 0 || number >= (sqlite3_int64)query->texts.all.n)
            return;
        text = nsc_texts_at(&query->texts, (nsc_str)number);
    }
    if (!cursor->names)
        cursor->names = nsc_xmalloc((size_t)names->n + 1);
    for (nsc_name name = 0; name < names->n; name++)
        cursor->names[name] =
            is_comm ? names->flags[name] & NSC_NAME_COMM : can_have(query, name, which, text);
}

static void set_bound(struct nsc_query_bounds *bounds, struct event_cursor *cursor,
                      const struct event_vtab *vtab, const char *bound, sqlite3_value *value)
{
    const struct nsc_query_column *column = vtab->module->columns[bound[0] - '0'];

    switch ((enum nsc_query_level)column->level) {
    case NSC_QUERY_LEVEL_ID:
    case NSC_QUERY_LEVEL_START:
    case NSC_QUERY_LEVEL_END:
        bound_number(bounds, (int)column->level - NSC_QUERY_LEVEL_ID, bound[1] - '0', value);
        break;
    case NSC_QUERY_LEVEL_TRACK:
        bound_place(bounds, column, value);
        break;
    default:
        bound_names(cursor, vtab->query, column, value);
        break;
    }
}

/* ---- the rows ---- */

static int connect_table(sqlite3 *db, void *context, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **error)
{
    const struct nsc_query_module *of = context;
    const struct event_module *module = of->table;
    struct nsc_buf columns = NSC_BUF_INIT(SIZE_MAX);
    struct event_vtab *vtab;
    int rc;

    (void)argc;
    (void)argv;
    (void)error;
    for (uint32_t i = 0; i < module->n; i++)
        nsc_buf_printf(&columns, "%s\"%s\" %s", i ? ", " : "", module->columns[i]->name,
                       nsc_query_type_of(module->columns[i]->kind));
    rc = nsc_query_table_build(db, out, sizeof *vtab, columns.bytes);
    nsc_buf_fini(&columns);
    if (rc == SQLITE_OK) {
        vtab = (struct event_vtab *)*out;
        vtab->query = of->query;
        vtab->module = module;
    }
    return rc;
}

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
    struct event_cursor *cursor = nsc_xcalloc(1, sizeof *cursor);

    (void)vtab;
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    struct event_cursor *cursor = (struct event_cursor *)base;

    nsc_query_scan_fini(&cursor->scan);
    free(cursor->names);
    free(cursor);
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base)
{
    struct event_cursor *cursor = (struct event_cursor *)base;

    cursor->is_over = !nsc_query_scan_next(&cursor->scan);
    cursor->rowid++;
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int order, const char *text, int argc,
                  sqlite3_value **argv)
{
    struct event_cursor *cursor = (struct event_cursor *)base;
    const struct event_vtab *vtab = (struct event_vtab *)base->pVtab;
    struct nsc_query_bounds bounds = nsc_query_unbounded;

    free(cursor->names);
    cursor->names = NULL;
    cursor->rowid = -1;
    cursor->is_over = true;
    if (!vtab->query->trace)
        return SQLITE_OK;
    for (int i = 0; i < argc; i++)
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL)
            return SQLITE_OK; /* no value equals NULL, or is less or greater */
    for (int i = 0; i < argc; i++)
        set_bound(&bounds, cursor, vtab, text + (ptrdiff_t)2 * i, argv[i]);
    bounds.names = cursor->names;
    nsc_query_scan_open(&cursor->scan, vtab->query, vtab->module->table, &bounds,
                        order == ORDER_BY_START);
    if (order >= ORDER_BY_TEXT)
        nsc_query_scan_sort(&cursor->scan, vtab->module->columns[(order - ORDER_BY_TEXT) / 2],
                            (order - ORDER_BY_TEXT) % 2 != 0);
    return next(base);
}

static int eof(sqlite3_vtab_cursor *base)
{
    return ((struct event_cursor *)base)->is_over;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *out, int i)
{
    struct event_cursor *cursor = (struct event_cursor *)base;
    const struct event_vtab *vtab = (struct event_vtab *)base->pVtab;
    struct nsc_query_value value = nsc_query_value_of(&cursor->scan.row, vtab->module->columns[i]);

    nsc_query_put(out, &value);
    return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    const struct event_cursor *cursor = (struct event_cursor *)base;

    *out = cursor->scan.row.counter ? cursor->rowid : cursor->scan.row.at;
    return SQLITE_OK;
}

void nsc_query_event_tables_add(struct nsc_trace_query *query)
{
    static const sqlite3_module module = QUERY_MODULE;
    uint32_t n = 0;
    const struct nsc_query_column *columns = nsc_query_columns(&n);

    for (int t = 0; t < NSC_N_QUERY_EVENTS; t++) {
        struct event_module *table = nsc_xcalloc(1, sizeof *table);

        table->table = (enum nsc_query_events)t;
        for (uint32_t i = 0; i < n; i++)
            if (nsc_query_events_has(table->table, &columns[i]))
                table->columns[table->n++] = &columns[i];
        nsc_query_module_add(query, nsc_query_events_tables[t].name, &module, table);
    }
}
