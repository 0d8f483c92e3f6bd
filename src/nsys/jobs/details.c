/*
 * One event's full row for people: derived values first, then every column that is not NULL.
 */
#include "nsyscope/open.h"

#include "core/json.h"
#include "core/text.h"
#include "core/units.h"
#include "index/occupancy.h"
#include "index/own_frame.h"
#include "index/payload.h"
#include "nsys/pages/source.h"
#include "nsys/tables/cells.h"
#include "nsys/tables/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_LIMIT (1 << 19)

struct list {
    struct nsc_capture *capture;
    struct nsc_error trouble; /* with the schema of a payload */
    NSC_VEC(struct nsc_detail) at;
};

/* The name made safe and owned by the capture, because details outlive cells. */
static const char *intern(struct nsc_capture *capture, struct nsc_text name)
{
    struct nsc_buf clean = NSC_BUF_INIT(4096);

    nsc_text_clean(&clean, name, false);
    for (size_t i = 0; i < capture->detail_names.n; i++)
        if (strcmp(capture->detail_names.at[i], clean.bytes) == 0) {
            nsc_buf_fini(&clean);
            return capture->detail_names.at[i];
        }
    *NSC_VEC_ADD(&capture->detail_names) = clean.bytes;
    return clean.bytes;
}

/* Takes ownership of value. */
static void add_named(struct list *list, struct nsc_text name, struct nsc_buf *value)
{
    nsc_buf_puts(value, "");
    *NSC_VEC_ADD(&list->at) = (struct nsc_detail){intern(list->capture, name), value->bytes};
}

static void add_detail(struct list *list, const char *name, struct nsc_buf *value)
{
    add_named(list, nsc_text_from(name), value);
}

/* Adds the duration, and the throughput of rows that move bytes. */
static void add_times(struct list *list, const struct nsc_cells *cells, bool moves)
{
    struct nsc_buf value = NSC_BUF_INIT(64), rate = NSC_BUF_INIT(64);
    char text[NSC_UNITS_BYTES];
    int64_t start, end, length, bytes;

    if (!nsc_cells_int(cells, "start", &start) || !nsc_cells_int(cells, "end", &end) ||
        __builtin_sub_overflow(end, start, &length) || length < 0)
        return;
    nsc_buf_puts(&value, nsc_units_duration(text, length, false));
    add_detail(list, "duration", &value);
    if (!moves || length == 0 || !nsc_cells_int(cells, "bytes", &bytes) || bytes < 0 ||
        (double)bytes * 1e9 / (double)length >= 1e18)
        return;
    nsc_buf_printf(&rate, "%s/s",
                   nsc_units_bytes(text, (uint64_t)((double)bytes * 1e9 / (double)length)));
    add_detail(list, "throughput", &rate);
}

/* Adds "132x1x1" from the columns stem + X, Y, Z. */
static void add_shape(struct list *list, const struct nsc_cells *cells, const char *stem)
{
    struct nsc_buf value = NSC_BUF_INIT(128);
    char name[16];
    int64_t size[3];

    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%c", stem, "XYZ"[i]);
        if (!nsc_cells_int(cells, name, &size[i]))
            return;
    }
    nsc_buf_printf(&value, "%lldx%lldx%lld", (long long)size[0], (long long)size[1],
                   (long long)size[2]);
    add_detail(list, stem, &value);
}

enum { TEXT_MOST = 400 };

/* NULL if the export lacks what the statement names. */
static sqlite3_stmt *prepare(struct nsc_capture *capture, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    (void)nsc_source_prepare(&statement, capture->source->db, "%s", sql);
    return statement;
}

/* ---- call stacks ---- */

#define STACK_SQL(table, chain)                                                           \
    "SELECT s.value, m.value FROM \"" table "\" AS c LEFT JOIN StringIds AS s ON s.id = " \
    "c.symbol LEFT JOIN StringIds AS m ON m.id = c.module WHERE c.id = " chain            \
    " ORDER BY c.stackDepth LIMIT 64"

/* The stack of the innermost call of thread ?1 around [?2, ?3]: a row of a second record has it, and
 * the creation of a node of a graph has that of its call. nsys 2022.2 numbers stacks from 1, and
 * calls from 0. */
#define CALL_CHAIN                                                                            \
    "(SELECT callchainId FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE globalTid = ?1 AND start <= " \
    "?2 AND end >= ?3 AND callchainId IS NOT NULL ORDER BY start DESC LIMIT 1) + (NOT "       \
    "EXISTS(SELECT 1 FROM CUDA_CALLCHAINS WHERE id = 0) AND EXISTS(SELECT 1 FROM "            \
    "CUPTI_ACTIVITY_KIND_RUNTIME WHERE callchainId = 0))"

/* The SQL for frames, and the call chain or the thread of the row. NULL: rows of this kind have no
 * stack. */
static const char *stack_of(const struct nsc_cells *cells, enum nsc_kind kind, int64_t *chain)
{
    switch (kind) {
    case NSC_KIND_API_RUNTIME:
    case NSC_KIND_API_DRIVER:
    case NSC_KIND_GRAPH_EVENT:
    case NSC_KIND_GRAPH_NODE_EVENT:
        return nsc_cells_int(cells, "globalTid", chain) ? STACK_SQL("CUDA_CALLCHAINS", CALL_CHAIN)
                                                        : NULL;
    case NSC_KIND_OSRT:
        return nsc_cells_int(cells, "callchainId", chain) ? STACK_SQL("OSRT_CALLCHAINS", "?1")
                                                          : NULL;
    case NSC_KIND_SAMPLE:
        return nsc_cells_int(cells, "id", chain) ? STACK_SQL("SAMPLING_CALLCHAINS", "?1") : NULL;
    default:
        return NULL;
    }
}

static struct nsc_text text_at(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);

    return nsc_text_from(text ? text : "");
}

static void add_function(struct list *list, const char *name, struct nsc_text symbol,
                         struct nsc_text module)
{
    struct nsc_buf value = NSC_BUF_INIT(NSC_CELL_TEXT_LIMIT);
    const char *base = strrchr(module.bytes, '/');

    symbol.n = symbol.n < TEXT_MOST ? symbol.n : TEXT_MOST;
    nsc_text_clean(&value, symbol, false);
    nsc_buf_puts(&value, "  ");
    nsc_text_clean(&value, nsc_text_from(base && base[1] ? base + 1 : module.bytes), false);
    add_detail(list, name, &value);
}

/* Adds "#0" and on, with "function  library" of each frame of the row's call stack, the innermost
 * first, and before the first frame of the user's own code "own code". */
static void add_stack(struct list *list, const struct nsc_cells *cells, enum nsc_kind kind)
{
    int64_t chain = 0, start = 0, end = 0;
    const char *sql = stack_of(cells, kind, &chain);
    sqlite3_stmt *row = sql ? prepare(list->capture, sql) : NULL;
    bool has_own = false;

    if (!row)
        return;
    (void)nsc_cells_int(cells, "start", &start);
    (void)nsc_cells_int(cells, "end", &end);
    sqlite3_bind_int64(row, 1, chain);
    (void)sqlite3_bind_int64(row, 2, start); /* not all statements have these two */
    (void)sqlite3_bind_int64(row, 3, end);
    for (int i = 0; nsc_source_step(row) == SQLITE_ROW; i++) {
        struct nsc_text symbol = text_at(row, 0), module = text_at(row, 1);
        char name[16];

        if (!has_own && nsc_frame_is_own(symbol, module)) {
            add_function(list, "own code", symbol, module);
            has_own = true;
        }
        (void)snprintf(name, sizeof name, "#%d", i);
        add_function(list, name, symbol, module);
    }
    sqlite3_finalize(row);
}

/* Adds how many nodes a graph that was recorded as a whole has, if their creation was recorded: the
 * upper half of a node's id is its graph. */
static void add_nodes(struct list *list, const struct nsc_cells *cells)
{
    sqlite3_stmt *row =
        prepare(list->capture, "SELECT DISTINCT graphNodeId FROM "
                               "CUDA_GRAPH_NODE_EVENTS WHERE graphNodeId >> 32 = ?");
    struct nsc_buf value = NSC_BUF_INIT(64);
    int64_t graph = 0;
    int n = 0;

    if (row && nsc_cells_int(cells, "graphId", &graph))
        for (sqlite3_bind_int64(row, 1, graph); nsc_source_step(row) == SQLITE_ROW;)
            n++;
    sqlite3_finalize(row);
    if (n > 0) {
        nsc_buf_printf(&value, "%d, by their creation", n);
        add_detail(list, "nodes", &value);
    }
}

/* ---- occupancy ---- */

/* The limits of the device: by its CUDA number if the table has that column, else by its id. */
static bool limits_find(struct nsc_sm_limits *out, struct nsc_capture *capture, int64_t device)
{
    static const char *const queries[] = {
#define LIMITS_SQL(id)                                                                         \
    "SELECT maxWarpsPerSm, maxBlocksPerSm, maxRegistersPerSm, maxShmemPerSm, threadsPerWarp, " \
    "computeMajor FROM TARGET_INFO_GPU WHERE " id " = ?1 LIMIT 1"
        LIMITS_SQL("cuDevice"), LIMITS_SQL("id")};
    bool found = false;

    for (int q = 0; q < 2 && !found; q++) {
        sqlite3_stmt *statement = prepare(capture, queries[q]);

        if (!statement)
            continue;
        sqlite3_bind_int64(statement, 1, device);
        found = nsc_source_step(statement) == SQLITE_ROW;
        if (found)
            *out = (struct nsc_sm_limits){
                sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1),
                sqlite3_column_int64(statement, 2), sqlite3_column_int64(statement, 3),
                sqlite3_column_int64(statement, 4), sqlite3_column_int64(statement, 5)};
        sqlite3_finalize(statement);
    }
    return found;
}

static bool needs_find(struct nsc_block_needs *out, const struct nsc_cells *cells)
{
    int64_t x = 0;
    int64_t y = 0;
    int64_t z = 0;
    int64_t fixed = 0;
    int64_t dynamic = 0;

    return nsc_cells_int(cells, "blockX", &x) && nsc_cells_int(cells, "blockY", &y) &&
           nsc_cells_int(cells, "blockZ", &z) && !__builtin_mul_overflow(x, y, &out->threads) &&
           !__builtin_mul_overflow(out->threads, z, &out->threads) &&
           nsc_cells_int(cells, "registersPerThread", &out->registers) &&
           nsc_cells_int(cells, "staticSharedMemory", &fixed) &&
           nsc_cells_int(cells, "dynamicSharedMemory", &dynamic) &&
           !__builtin_add_overflow(fixed, dynamic, &out->shared);
}

static const char *limit_of(const struct nsc_occupancy *at)
{
    if (at->by_registers == at->blocks)
        return "registers";
    if (at->by_shared == at->blocks)
        return "shared memory";
    return at->by_warps == at->blocks ? "warps" : "blocks";
}

/* "at most 50.0 %: 4 blocks, 32 of 64 warps an SM, limited by registers"; nothing if the export does
 * not know the device's limits. */
static void add_occupancy(struct list *list, const struct nsc_cells *cells)
{
    struct nsc_buf value = NSC_BUF_INIT(256);
    struct nsc_sm_limits sm;
    struct nsc_block_needs block;
    struct nsc_occupancy at;
    int64_t device = 0;
    int64_t warps = 0;
    char share[NSC_UNITS_BYTES];

    if (!nsc_cells_int(cells, "deviceId", &device) || !needs_find(&block, cells) ||
        !limits_find(&sm, list->capture, device) || !nsc_occupancy_measure(&at, &sm, &block))
        return;
    warps = at.blocks * at.warps_per_block;
    nsc_buf_printf(&value, "at most %s: %lld blocks, %lld of %lld warps an SM, limited by %s",
                   nsc_units_percent(share, warps, sm.warps), (long long)at.blocks,
                   (long long)warps, (long long)sm.warps, limit_of(&at));
    add_detail(list, "occupancy", &value);
}

static void add_derived(struct list *list, const struct nsc_cells *cells, enum nsc_kind kind)
{
    add_times(list, cells, nsc_kind_is_copy((uint8_t)kind) || kind == NSC_KIND_MEMSET);
    if (kind == NSC_KIND_GRAPH)
        add_nodes(list, cells);
    if (kind != NSC_KIND_KERNEL)
        return;
    add_shape(list, cells, "grid");
    add_shape(list, cells, "block");
    add_shape(list, cells, "cluster");
    add_occupancy(list, cells);
}

/* ---- the payload of an NVTX event ---- */

static void format_integer(struct nsc_buf *out, const struct nsc_payload_value *value)
{
    static const char unit[] = "[bytes]";
    struct nsc_text name = value->name, end = {name.bytes, 0};
    char text[NSC_UNITS_BYTES];

    if (name.n >= sizeof unit - 1)
        end = (struct nsc_text){name.bytes + name.n - (sizeof unit - 1), sizeof unit - 1};
    if (value->word.n > 0) {
        nsc_text_clean(out, value->word, false);
        nsc_buf_printf(out, " (%lld)", (long long)value->integer);
    } else if (nsc_text_is(end, unit) && value->integer >= 0) {
        nsc_buf_printf(out, "%s (%lld)", nsc_units_bytes(text, (uint64_t)value->integer),
                       (long long)value->integer);
    } else if (value->form == NSC_PAYLOAD_SIGNED) {
        nsc_buf_printf(out, "%lld", (long long)value->integer);
    } else if ((uint64_t)value->integer > UINT32_MAX) { /* an id or an address */
        nsc_buf_printf(out, "0x%llx", (unsigned long long)value->integer);
    } else {
        nsc_buf_printf(out, "%llu", (unsigned long long)value->integer);
    }
}

static void add_value(struct list *list, const struct nsc_payload_value *value)
{
    struct nsc_buf text = NSC_BUF_INIT(4096);

    if (value->form == NSC_PAYLOAD_REAL)
        nsc_buf_printf(&text, "%.17g", value->real);
    else
        format_integer(&text, value);
    add_named(list, value->name, &text);
}

static struct nsc_fields *read_schema(struct list *list, const char *table,
                                      const struct nsc_field_ask asks[], uint32_t n)
{
    struct nsc_fields_query query = {.table = table, .asks = asks, .n_asks = n};
    struct nsc_fields *fields = NULL;
    enum nsc_status status = nsc_fields_read_table(&fields, list->capture, &query, &list->trouble);

    return status == NSC_OK ? fields : NULL;
}

/* Adds the values of a payload: none if its schema is not known, and why if it cannot be read. */
static void add_payload(struct list *list, struct nsc_text payload)
{
    static const struct nsc_field_ask entry[] = NSC_PAYLOAD_ENTRY_ASKS;
    static const struct nsc_field_ask word[] = NSC_PAYLOAD_WORD_ASKS;
    struct nsc_fields *entries =
        read_schema(list, "NVTX_PAYLOAD_SCHEMA_ENTRIES", entry, NSC_N_PAYLOAD_ENTRY_FIELDS);
    struct nsc_fields *words =
        read_schema(list, "NVTX_PAYLOAD_ENUM_ENTRIES", word, NSC_N_PAYLOAD_WORD_FIELDS);
    struct nsc_buf trouble = NSC_BUF_INIT(sizeof list->trouble.text);
    struct nsc_payload_value values[NSC_PAYLOAD_VALUES];
    struct nsc_payload_schemas schemas;
    uint32_t n = 0;

    nsc_payload_schemas_build(&schemas, entries, words);
    n = nsc_payload_decode(values, &schemas, payload);
    for (uint32_t i = 0; i < n; i++)
        add_value(list, &values[i]);
    if (list->trouble.status != NSC_OK) {
        nsc_buf_puts(&trouble, list->trouble.text);
        add_detail(list, "payload", &trouble);
    }
    nsc_payload_schemas_fini(&schemas);
    nsc_fields_free(entries);
    nsc_fields_free(words);
}

/* ---- the values of a generic event ---- */

/* Adds the values of the fields that the export describes for the event's type. */
static void add_fields(struct list *list, const struct nsc_cells *cells)
{
    sqlite3_stmt *row = prepare(
        list->capture,
        "SELECT s.value, d.intVal, d.uintVal, d.floatVal, d.doubleVal FROM GENERIC_EVENT_DATA AS d "
        "JOIN GENERIC_EVENT_TYPE_FIELDS AS f ON f.typeId = ?2 AND f.fieldIdx = d.fieldIdx JOIN "
        "StringIds AS s ON s.id = f.fieldNameId WHERE d.genericEventId = ?1 ORDER BY d.fieldIdx "
        "LIMIT 256");
    int64_t id, type;

    if (row && nsc_cells_int(cells, "genericEventId", &id) &&
        nsc_cells_int(cells, "typeId", &type)) {
        sqlite3_bind_int64(row, 1, id);
        sqlite3_bind_int64(row, 2, type);
        while (nsc_source_step(row) == SQLITE_ROW) {
            struct nsc_payload_value value = {.form = NSC_PAYLOAD_REAL};
            int at = 1;

            while (at < 4 && sqlite3_column_type(row, at) == SQLITE_NULL)
                at++;
            value.name = text_at(row, 0);
            value.integer = sqlite3_column_int64(row, at);
            value.real = sqlite3_column_double(row, at);
            if (at < 3)
                value.form =
                    at == 1 || value.integer >= 0 ? NSC_PAYLOAD_SIGNED : NSC_PAYLOAD_UNSIGNED;
            add_value(list, &value);
        }
    }
    sqlite3_finalize(row);
}

/* Adds the members of a JSON object, as exports before 2024.5 have the values. */
static void add_members(struct list *list, struct nsc_text json)
{
    struct nsc_json_tree tree = {0};
    uint32_t next = 0;

    if (nsc_json_parse(&tree, json, NULL) == NSC_OK && tree.nodes[0].type == NSC_JSON_OBJECT)
        next = 1;
    while (next > 0 && next < tree.n) {
        const struct nsc_json_node *value = &tree.nodes[next + 1];
        struct nsc_buf text = NSC_BUF_INIT(4096);
        struct nsc_text key = {"", 0};

        (void)nsc_json_get_text(&key, &tree, next);
        if (value->type == NSC_JSON_NUMBER || value->type == NSC_JSON_STRING)
            nsc_text_clean(&text, (struct nsc_text){tree.bytes + value->at, value->n}, false);
        add_named(list, key, &text);
        next = value->next;
    }
    nsc_json_fini(&tree);
}

/* ---- the row ---- */

static enum nsc_status read_cells(struct nsc_cells *cells, struct nsc_capture *capture,
                                  enum nsc_table_id table, int64_t rowid, struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""};
    enum nsc_status status = nsc_cells_read(cells, capture, table, rowid, &own);
    bool is_read = status == NSC_OK;

    status = nsc_source_check(capture->source, status, &own);
    if (status != NSC_OK && is_read)
        nsc_cells_fini(cells);
    return status == NSC_OK ? NSC_OK : nsc_fail(error, status, "%s", own.text);
}

enum nsc_status nsc_capture_details(struct nsc_details *out, struct nsc_capture *capture,
                                    enum nsc_kind kind, uint32_t source, struct nsc_error *error)
{
    int table = nsc_table_of_kind((uint8_t)kind);
    struct nsc_cells cells;
    struct list list = {.capture = capture};
    enum nsc_status status;

    *out = (struct nsc_details){0, NULL};
    if (table < 0 || source == NSC_NONE)
        return nsc_fail(error, NSC_ENODATA, "this event has no row of its own");
    status = read_cells(&cells, capture, (enum nsc_table_id)table, (int64_t)source, error);
    if (status != NSC_OK)
        return status;
    add_derived(&list, &cells, kind);
    add_stack(&list, &cells, kind);
    if (kind == NSC_KIND_GENERIC)
        add_fields(&list, &cells);
    for (size_t i = 0; i < cells.at.n; i++) {
        struct nsc_text text = {cells.at.at[i].text, cells.at.at[i].n};
        struct nsc_buf value = NSC_BUF_INIT(VALUE_LIMIT);

        if (cells.at.at[i].type == NSC_CELL_NULL)
            continue;
        if (kind == NSC_KIND_GENERIC && strcmp(cells.at.at[i].name, "data") == 0) {
            add_members(&list, text);
            continue;
        }
        nsc_cell_format(&value, capture, &cells, &cells.at.at[i]);
        add_detail(&list, cells.at.at[i].name, &value);
        if (strcmp(cells.at.at[i].name, "binaryData") == 0 && cells.at.at[i].n > 0)
            add_payload(&list, text);
    }
    nsc_cells_fini(&cells);
    *out = (struct nsc_details){(uint32_t)list.at.n, list.at.at};
    return NSC_OK;
}

void nsc_details_fini(struct nsc_details *details)
{
    for (uint32_t i = 0; i < details->n; i++)
        free(details->at[i].value);
    free(details->at);
    *details = (struct nsc_details){0, NULL};
}
