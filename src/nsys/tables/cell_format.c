/*
 * Formats cells for people: times, bytes, texts of string ids, labels of enumerations, threads,
 * colours.
 */
#include "core/text.h"
#include "core/units.h"
#include "nsys/pages/source.h"
#include "nsys/tables/cells.h"

#include <math.h>
#include <string.h>

enum form {
    FORM_PLAIN,
    FORM_TIME,
    FORM_BYTES,
    FORM_STRING,
    FORM_THREAD,
    FORM_PROCESS,
    FORM_COLOR,
    FORM_DOMAIN,
    FORM_CATEGORY,
    FORM_UNSIGNED,
    FORM_ADDRESS,
    FORM_LABEL,
    FORM_SYNC,
    FORM_EVENT_KIND
};

struct rule {
    const char *column;
    enum form form;
    const char *labels;
};

static const struct rule rules[] = {
#define NSC_DETAIL(column, form, labels) {column, FORM_##form, labels},
#include "nsys/tables/detail.def"
};

struct label {
    const char *table;
    int64_t value;
    const char *text;
};

static const struct label labels[] = {
#define NSC_LABEL(table, value, text) {table, value, text},
#include "nsys/tables/label.def"
#undef NSC_LABEL
};

static const struct rule *find_rule(const char *column)
{
    static const struct rule plain = {"", FORM_PLAIN, ""};

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].column, column) == 0)
            return &rules[i];
    return &plain;
}

/* ---- labels ---- */

/* Accepts only a real table: a view or virtual table of that name could do anything. */
static bool is_plain_table(sqlite3 *db, const char *name)
{
    sqlite3_stmt *statement = NULL;
    bool found = nsc_source_prepare(&statement, db,
                                    "SELECT 1 FROM sqlite_schema WHERE name = %Q AND type = "
                                    "'table' AND rootpage > 0",
                                    name) == SQLITE_OK &&
                 nsc_source_step(statement) == SQLITE_ROW;

    sqlite3_finalize(statement);
    return found;
}

/* Appends the export's own label for the value, made safe. */
static bool add_own_label(struct nsc_buf *out, sqlite3 *db, const char *table, int64_t value)
{
    sqlite3_stmt *statement = NULL;
    bool found = false;

    if (is_plain_table(db, table) &&
        nsc_source_prepare(&statement, db, "SELECT label FROM \"%w\" WHERE id = %lld", table,
                           (long long)value) == SQLITE_OK &&
        nsc_source_step(statement) == SQLITE_ROW &&
        sqlite3_column_type(statement, 0) == SQLITE_TEXT) {
        struct nsc_text text = {(const char *)sqlite3_column_text(statement, 0), 0};

        text.n = (uint32_t)sqlite3_column_bytes(statement, 0);
        text.n = text.n < NSC_NAME_BYTES ? text.n : NSC_NAME_BYTES;
        nsc_text_clean(out, text, false);
        found = text.n > 0;
    }
    sqlite3_finalize(statement);
    return found;
}

static bool add_built_in_label(struct nsc_buf *out, const char *table, int64_t value)
{
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        if (labels[i].value != value || strcmp(labels[i].table, table) != 0)
            continue;
        nsc_buf_puts(out, labels[i].text);
        return true;
    }
    return false;
}

static void add_label(struct nsc_buf *out, struct nsc_capture *capture, const char *table,
                      int64_t value)
{
    bool found = add_own_label(out, capture->source->db, table, value) ||
                 add_built_in_label(out, table, value);

    if (found)
        nsc_buf_printf(out, " (%lld)", (long long)value);
    else
        nsc_buf_printf(out, "%lld", (long long)value);
}

/* ---- names ---- */

/* Appends a number's name from NVTX: that of the last row with this type in the row's process. */
static void add_nvtx_name(struct nsc_buf *out, const struct nsc_capture *capture,
                          const struct nsc_cells *cells, int64_t type, int64_t value)
{
    int64_t thread = 0, domain = value;

    (void)nsc_cells_int(cells, "globalTid", &thread);
    if (type == 33 && !nsc_cells_int(cells, "domainId", &domain))
        domain = 0;
    for (size_t i = capture->nvtx_names.names.n; i > 0; i--) {
        const struct nsc_nvtx_name *name = &capture->nvtx_names.names.at[i - 1];

        if (name->type != type || name->process != (uint64_t)thread >> 24 ||
            name->domain != domain || (type == 33 && name->category != value))
            continue;
        nsc_text_clean(out, (struct nsc_text){name->text, name->n}, false);
        nsc_buf_printf(out, " (%lld)", (long long)value);
        return;
    }
    nsc_buf_printf(out, "%lld", (long long)value);
}

static void add_string(struct nsc_buf *out, const struct nsc_capture *capture, int64_t id)
{
    struct nsc_text text;

    if (nsc_strings_find(&capture->strings, id, &text))
        nsc_text_clean(out, text, false);
    else
        nsc_buf_printf(out, "[string %lld missing]", (long long)id);
}

static void add_bytes(struct nsc_buf *out, int64_t value)
{
    char text[NSC_UNITS_BYTES];

    if (value < 0) {
        nsc_buf_printf(out, "%lld", (long long)value);
        return;
    }
    nsc_buf_puts(out, nsc_units_bytes(text, (uint64_t)value));
    if (value >= 1024)
        nsc_buf_printf(out, " (%lld)", (long long)value);
}

static void format_number(struct nsc_buf *out, struct nsc_capture *capture,
                          const struct nsc_cells *cells, const struct rule *rule, int64_t value)
{
    unsigned long long pid = (uint64_t)value >> 24 & 0xffffff, tid = (uint64_t)value & 0xffffff;
    char text[NSC_UNITS_BYTES];

    switch (rule->form) {
    case FORM_TIME:
        nsc_buf_puts(out, nsc_units_instant(text, value));
        break;
    case FORM_BYTES:
        add_bytes(out, value);
        break;
    case FORM_STRING:
        add_string(out, capture, value);
        break;
    case FORM_THREAD:
        nsc_buf_printf(out, "process %llu, thread %llu", pid, tid);
        break;
    case FORM_PROCESS:
        nsc_buf_printf(out, "process %llu", pid);
        break;
    case FORM_COLOR:
        nsc_buf_printf(out, "#%08llX", (unsigned long long)value & 0xffffffff);
        break;
    case FORM_DOMAIN:
        add_nvtx_name(out, capture, cells, 75, value);
        break;
    case FORM_CATEGORY:
        add_nvtx_name(out, capture, cells, 33, value);
        break;
    case FORM_UNSIGNED:
        nsc_buf_printf(out, "%llu", (unsigned long long)value);
        break;
    case FORM_ADDRESS:
        nsc_buf_printf(out, "0x%llx", (unsigned long long)value);
        break;
    case FORM_LABEL:
        add_label(out, capture, rule->labels, value);
        break;
    case FORM_EVENT_KIND:
        add_label(out, capture,
                  nsc_table_defs[cells->table].family == NSC_FAMILY_OPENACC
                      ? "ENUM_OPENACC_EVENT_KIND"
                      : "ENUM_OPENMP_EVENT_KIND",
                  value);
        break;
    case FORM_SYNC:
        if (capture->sync_types)
            add_label(out, capture, rule->labels, value);
        else
            nsc_buf_printf(out, "%lld", (long long)value);
        break;
    case FORM_PLAIN:
        nsc_buf_printf(out, "%lld", (long long)value);
        break;
    }
}

void nsc_cell_format(struct nsc_buf *out, struct nsc_capture *capture,
                     const struct nsc_cells *cells, const struct nsc_row_cell *cell)
{
    switch (cell->type) {
    case NSC_CELL_INT:
        format_number(out, capture, cells, find_rule(cell->name), cell->value);
        break;
    case NSC_CELL_REAL:
        if (isfinite(cell->real))
            nsc_buf_printf(out, "%.17g", cell->real);
        else
            nsc_buf_puts(out, cell->real > 0 ? "inf" : "-inf");
        break;
    case NSC_CELL_TEXT:
        nsc_text_clean(out, (struct nsc_text){cell->text, cell->n}, false);
        if (cell->full_n > cell->n)
            nsc_buf_printf(out, "... [cut: %llu bytes]", (unsigned long long)cell->full_n);
        break;
    case NSC_CELL_BLOB:
        nsc_buf_printf(out, "[%llu bytes]", (unsigned long long)cell->full_n);
        break;
    default:
        break;
    }
}
