/* The inside of src/query: the connection, the columns of events, and the two kinds of tables. */
#ifndef NSC_QUERY_QUERY_DATA_H
#define NSC_QUERY_QUERY_DATA_H

#include "analysis/base/own_code.h"
#include "analysis/base/path_memo.h"
#include "analysis/base/tally.h"
#include "analysis/finding/steady.h"
#include "analysis/names/call_class.h"
#include "analysis/names/texts.h"
#include "analysis/ranges/iteration_phases.h"
#include "analysis/ranges/launches.h"
#include "analysis/skill/skill.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/vec.h"
#include "index/lane_merge.h"
#include "query/answer_file.h"
#include "query/query.h"

#include <sqlite3.h>

/* ---- the connection ---- */

/* The texts of an event that have a number. */
enum nsc_query_text { NSC_QUERY_NAME, NSC_QUERY_SHORT, NSC_QUERY_LABEL, NSC_QUERY_FOLD };

/* A filter that passes() has met. */
struct nsc_query_filter {
    char *words;
    uint64_t *mask;
};

struct nsc_trace_query {
    sqlite3 *db;
    struct nsc_trace_query_ground ground; /* zero until show */
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    struct nsc_window window; /* of the question; all of time without one */
    struct nsc_texts texts;   /* the dictionary */
    nsc_str *of_name[2];      /* by name without counters: the numbers + 1 of SHORT and FOLD */
    struct nsc_scope scope;   /* the ground's, with its steady state once a skill is asked */
    struct nsc_steady steady;
    bool knows_steady;
    struct nsc_path_memo *memo;    /* ranges around events; NULL until asked for */
    struct nsc_launches *launches; /* the same */
    struct nsc_own_code own_code;
    struct nsc_tally
        contexts; /* process and context, those with streams first; empty: not asked for yet */
    NSC_VEC(uint32_t) streams;     /* by context: a track; contexts beyond have none */
    struct nsc_buf path;           /* scratch: a path of ranges */
    struct nsc_text *of_kernel[2]; /* by name: family and engine; NULL: not asked for yet */
    NSC_VEC(struct nsc_iterations) iterations; /* by export; n_lines NSC_NONE: not asked for yet */
    struct nsc_job_phases phases;
    uint32_t line_track, phases_track;               /* whose the next two are, + 1; 0: none's */
    struct nsc_iteration_line line;                  /* of the process of the track, or the job's */
    const struct nsc_process_phases *process_phases; /* NULL: it has none */
    NSC_VEC(struct nsc_query_filter) filters;
    NSC_VEC(struct nsc_query_answer *) answers; /* of sheet_table.c, those asked for last first */
    NSC_VEC(void *) modules;                    /* struct nsc_query_module, owned */
    struct nsc_answers of_program;              /* that are tables; none on an inner connection */
    const struct nsc_query_bound *bound;
    uint32_t n_bound;
    struct nsc_call_classes calls; /* what calls do; trace NULL: not asked for yet */
    bool needs_values; /* the answer that is worked out tells medians and deviations: totals() that
                        * need none keep no values. gc_impact of 1 M kernels takes 0.97 s instead of
                        * 1.24, and analyze 172 MB instead of 258 */
};

/* What a module of SQLite gets: its table. */
struct nsc_query_module {
    struct nsc_trace_query *query;
    void *table; /* owned */
    const char *name;
    bool is_made;
};

/* ---- event_column.c: one value of one event ---- */

/* An event, or a sample of a counter, in its track. A track alone suffices for columns that depend
 * on no more. */
struct nsc_query_row {
    struct nsc_trace_query *query;
    const struct nsc_counter *counter; /* NULL: an event */
    uint32_t track, lane;
    uint32_t at; /* the event, or the number of the sample */
    char scratch[NSC_NAME_BYTES];
};

enum nsc_query_type {
    NSC_QUERY_NULL,
    NSC_QUERY_INT,
    NSC_QUERY_NUMBER,
    NSC_QUERY_TEXT,   /* valid as long as the connection */
    NSC_QUERY_SCRATCH /* a text that is valid until the next value is read */
};

struct nsc_query_value {
    enum nsc_query_type type;
    union {
        int64_t integer;
        double number;
        struct nsc_text text;
    };
};

enum nsc_query_level {
    NSC_QUERY_LEVEL_TRACK,
    NSC_QUERY_LEVEL_NAME,
    NSC_QUERY_LEVEL_EVENT,
    NSC_QUERY_LEVEL_ID,
    NSC_QUERY_LEVEL_START,
    NSC_QUERY_LEVEL_END
};
enum nsc_query_use { NSC_QUERY_USE_NONE, NSC_QUERY_USE_KEY, NSC_QUERY_USE_VALUE };

/* A row of event_column.def. */
struct nsc_query_column {
    const char *name, *help;
    uint8_t kind;  /* enum nsc_sheet_kind */
    uint8_t use;   /* enum nsc_query_use */
    uint8_t level; /* enum nsc_query_level */
    uint32_t argument;
    uint32_t tables; /* bits: 1 << enum nsc_query_events */
    struct nsc_query_value (*get)(struct nsc_query_row *row, uint32_t argument);
};
#define NSC_QUERY_COLUMNS \
    96 /* most columns of a table; event_table.c writes their numbers as bytes */

#define NSC_QUERY_HINT 128 /* bytes */
/* "; such events are in table call, of kind 'api'" for a word that names no table but a kind of event, or
 * begins the name of its table in the export ("memcpy"); else "". */
const char *nsc_query_kind_hint(char out[NSC_QUERY_HINT], struct nsc_text word);

const struct nsc_query_column *nsc_query_columns(uint32_t *n);
/* The column with this name; NULL: none. */
const struct nsc_query_column *nsc_query_column_find(struct nsc_text name);
static inline struct nsc_query_value nsc_query_value_of(struct nsc_query_row *row,
                                                        const struct nsc_query_column *column)
{
    return column->get(row, column->argument);
}
/* The number of a text of an event; equal texts have equal numbers (nsc_texts_at). */
nsc_str nsc_query_text_of(struct nsc_trace_query *query, nsc_event event,
                          enum nsc_query_text which);
/* The number of the folded full text of a name, or of the brief one of a name without counters. */
nsc_str nsc_query_name_text(struct nsc_trace_query *query, nsc_name name, bool is_fold);
/* Which text a column of the NAME level shows; false: another value. is_id: its number. */
bool nsc_query_column_text(const struct nsc_query_column *column, enum nsc_query_text *which,
                           bool *is_id);
/* The ranges around an event, whose lane is given. */
struct nsc_path nsc_query_path_of(struct nsc_trace_query *query, nsc_event event, uint32_t lane);
/* Those of the scope's filter in any window, with sums. NULL if out of memory. */
const struct nsc_launches *nsc_query_launches(struct nsc_trace_query *query);
void nsc_query_put(sqlite3_context *out, const struct nsc_query_value *value);
/* "INTEGER", "REAL" or "TEXT", for an enum nsc_sheet_kind. */
const char *nsc_query_type_of(uint8_t kind);

/* The mask of a filter, applied once a connection. NULL: words are no filter, or out of memory. */
const uint64_t *nsc_query_mask(struct nsc_trace_query *query, struct nsc_text words,
                               struct nsc_error *error);

/* ---- event_scan.c: the events of a table, with what a search in the lanes can leave out ---- */

enum nsc_query_events {
#define QUERY_EVENTS(name, first, last, tracks, help) NSC_QUERY_EVENTS_##name,
#include "query/event_table.def"
    NSC_N_QUERY_EVENTS
};

/* A row of event_table.def. */
struct nsc_query_events_table {
    const char *name, *help;
    enum nsc_kind first, last;
    uint32_t tracks; /* bits: NSC_TRACK_BIT */
};
extern const struct nsc_query_events_table nsc_query_events_tables[NSC_N_QUERY_EVENTS];
static inline bool nsc_query_events_has(enum nsc_query_events table,
                                        const struct nsc_query_column *column)
{
    return column->tables >> table & 1;
}

/* Limits of a scan. All leave out only rows that SQLite would: it checks the rows again. */
struct nsc_query_bounds {
    int64_t low[3], high[3]; /* inclusive: of id, start, end */
    uint32_t n_places;
    struct nsc_query_place { /* a column of the TRACK level is this value */
        const struct nsc_query_column *column;
        struct nsc_query_value value;
    } places[8];
    const uint8_t *names; /* by name: whether its events can match; NULL: all */
};
extern const struct nsc_query_bounds nsc_query_unbounded;

struct nsc_query_scan {
    const struct nsc_query_events_table *table;
    struct nsc_query_row row;
    const uint8_t *names;
    struct nsc_query_span { /* rows of a lane, or samples of a counter */
        struct nsc_row_range rows;
        uint32_t track, lane;
    } * spans;
    size_t n_spans, span; /* the next one */
    uint32_t next, end;   /* rows of the span before it */
    struct nsc_lane_merge merge;
    bool is_merged;
    uint32_t passed;              /* rows */
    struct nsc_sort_pair *sorted; /* all rows, after nsc_query_scan_sort; NULL: not sorted */
    size_t n_sorted, next_sorted;
};

/* by_start: by start, then id; else by id. Counters: by track, then time. */
void nsc_query_scan_open(struct nsc_query_scan *scan, struct nsc_trace_query *query,
                         enum nsc_query_events table, const struct nsc_query_bounds *bounds,
                         bool by_start);
void nsc_query_scan_fini(struct nsc_query_scan *scan);
/* Sorts an open scan by a column of ids of texts, those without one first, or the other way round; then by
 * id. */
void nsc_query_scan_sort(struct nsc_query_scan *scan, const struct nsc_query_column *by,
                         bool is_descending);
/* Moves to the next row; false after the last, and if the query is cancelled. */
bool nsc_query_scan_next(struct nsc_query_scan *scan);

/* ---- the tables: each adds its modules to the connection ---- */

void nsc_query_event_tables_add(struct nsc_trace_query *query);
void nsc_query_sheet_tables_add(struct nsc_trace_query *query);
void nsc_query_functions_add(struct nsc_trace_query *query);
/* Adds a module, with what it owns to the connection. */
void nsc_query_module_add(struct nsc_trace_query *query, const char *name,
                          const sqlite3_module *module, void *table);
/* Makes a table: SQLITE_OK, and *out of `bytes` zeroed bytes for xConnect. */
int nsc_query_table_build(sqlite3 *db, sqlite3_vtab **out, size_t bytes, const char *columns);
int nsc_query_table_free(sqlite3_vtab *table); /* xDisconnect */
/* Of functions with these names in the file that uses it. */
#define QUERY_MODULE                                                                              \
    {                                                                                             \
        .xConnect = connect_table, .xBestIndex = best_index, .xDisconnect = nsc_query_table_free, \
        .xOpen = open_cursor, .xClose = close_cursor, .xFilter = filter, .xNext = next,           \
        .xEof = eof, .xColumn = column, .xRowid = rowid                                           \
    }

/* ---- sheet_table.c: an answer as a table ---- */

#define NSC_QUERY_ARGUMENTS 8

/* What a connection keeps beside the last answer and those that a cursor reads: 64 MiB. */
#define NSC_QUERY_KEPT_BYTES (NSC_LOOK_ROWS * UINT64_C(1024))

/* Arguments by place; NULL: not given. */
typedef enum nsc_status nsc_query_fill(struct nsc_sheets *out, struct nsc_trace_query *query,
                                       const char *const arguments[], struct nsc_error *error);

/* A row of sheet_table.def, or a skill. */
struct nsc_query_sheet_table {
    char name[48];
    const char *help;
    const char *arguments; /* "kinds=kernel by=short", as in skill.def */
    const struct nsc_sheet_column *columns;
    nsc_query_fill *fill;          /* NULL: the skill */
    const struct nsc_skill *skill; /* NULL: none */
    const char *of;    /* name of the skill that fills a table with a name of its own; NULL: none */
    const char *sheet; /* key of the sheet of that skill; NULL: its first */
};

/* The next table from number *i on, also those of answers that ask the trace; false after the
 * last. */
bool nsc_query_sheet_table_next(struct nsc_query_sheet_table *out,
                                const struct nsc_answers *answers, uint32_t *i);
/* Column i, from 0: a table of a skill begins with that of the rank. Its key is NULL after the last. */
const struct nsc_sheet_column *nsc_query_sheet_column(const struct nsc_query_sheet_table *table,
                                                      uint32_t i);
/* The name of a column, in out if it is not that of the sheet: tables with a name of their own have
 * the words of the tables of events, dur for duration_ns. */
const char *nsc_query_sheet_column_name(char out[48], const struct nsc_query_sheet_table *table,
                                        const struct nsc_sheet_column *column);
/* The name of argument i, and its default ("" without one); false after the last. */
bool nsc_query_argument_at(char name[32], char value[32], const char *arguments, uint32_t i);
/* An answer that is kept. */
struct nsc_query_answer {
    const struct nsc_query_sheet_table *table;
    char *arguments[NSC_QUERY_ARGUMENTS]; /* NULL: not given */
    struct nsc_sheets sheets;
    uint64_t bytes;     /* of them */
    bool has_values;    /* medians and deviations are worked out, too */
    uint32_t n_cursors; /* that read it */
};

void nsc_query_answers_fini(struct nsc_trace_query *query);

/* ---- the fills of sheet_table.def ---- */

/* Reads an argument, a whole number from least to most; NULL leaves *out. NSC_EINVAL. */
NSC_NODISCARD enum nsc_status nsc_query_read_number(int64_t *out, const char *text,
                                                    const char *name, int64_t least, int64_t most,
                                                    struct nsc_error *error);

/* Adds the sheet of a fill. */
#define NSC_QUERY_SHEET(out, name)                                \
    nsc_sheets_add(out, #name, #name, nsc_query_##name##_columns, \
                   nsc_columns_count(nsc_query_##name##_columns))
#define nsc_query_name_columns  nsc_query_totals_columns
#define nsc_query_sweep_columns nsc_sweep_columns
#define QUERY_SHEET(name, arguments, help) \
    nsc_query_fill nsc_query_##name;       \
    extern const struct nsc_sheet_column nsc_query_##name##_columns[];
#define QUERY_SKILL(name, skill, sheet, columns, help)
#include "query/sheet_table.def"

#endif
