/*
 * The reports of `nsys stats` and the rules of `nsys analyze`, as plain data: name, requirements,
 * columns, and the function that computes the rows.
 *
 * The definitions are those of the source tool, measured on its results (docs/analyses/stats.md has
 * them, and every difference). A report passes its rows to a sink one by one, so that a trace of
 * any length costs no memory; texts in cells are raw bytes and live until the sink returns.
 */
#ifndef NSC_ANALYSIS_STATS_H
#define NSC_ANALYSIS_STATS_H

#include "nsyscope/status.h"
#include "nsyscope/trace.h"

#include "index/fields.h"

struct nsc_pool;

enum nsc_stats_unit {
    NSC_STATS_TEXT,
    NSC_STATS_PLAIN,   /* a count or an id; a real has one decimal */
    NSC_STATS_PERCENT, /* one decimal */
    NSC_STATS_TIME,    /* ns; a real has one decimal of ns */
    NSC_STATS_BYTES,
    NSC_STATS_RATE /* bytes a second */
};

struct nsc_stats_column {
    const char *title; /* title without its unit; NULL ends a list */
    uint8_t unit;      /* enum nsc_stats_unit */
};

#define NSC_STATS_COLUMNS 32 /* most of a report */

enum nsc_stats_form { NSC_STATS_EMPTY, NSC_STATS_INT, NSC_STATS_REAL, NSC_STATS_STRING };

struct nsc_stats_cell {
    uint8_t form; /* enum nsc_stats_form */
    union {
        int64_t integer;
        double real;
        struct nsc_text text;
    };
};

struct nsc_stats_sink {
    /* Gets as many cells as the report has columns. False stops the report. */
    bool (*row)(void *context, const struct nsc_stats_cell cells[]);
    void *context;
    /* Whether it wants all rows again, from the first on; NULL: never. */
    bool (*again)(void *context);
};
/* Called after the last row: passing the rows twice costs less than computing them twice. */
static inline bool nsc_stats_again(const struct nsc_stats_sink *sink)
{
    return sink->again && sink->again(sink->context);
}

enum nsc_stats_fields_id {
#define NSC_STATS_FIELDS(id, ...) NSC_STATS_FIELDS_##id,
#include "analysis/stats/fields.def"
    NSC_N_STATS_FIELDS
};
#define NSC_STATS_BIT(id) ((uint32_t)1 << NSC_STATS_FIELDS_##id)

struct nsc_stats_fields_def {
    enum nsc_kind kind;
    const char *table;
    struct nsc_field_ask asks[8]; /* name NULL ends the list */
};
extern const struct nsc_stats_fields_def nsc_stats_fields_defs[NSC_N_STATS_FIELDS];

enum nsc_stats_id {
#define NSC_STATS(id, ...) NSC_STATS_##id,
#include "analysis/stats/stats.def"
#undef NSC_STATS
    NSC_N_STATS
};

/* The arguments after the name of a report or rule: NAME[:base][:rows=10]... */
struct nsc_stats_arguments {
    bool base, mangled; /* name kernels by their short, or by their mangled names */
    bool in_ranges;     /* nvtx-name: name kernels "RANGE/NAME", with the innermost range around the
                       * call */
    uint32_t rows;      /* at most so many; 0: all */
    nsc_time gap;       /* gpu_gaps: least length of a gap, ns */
    uint32_t chunks;    /* gpu_time_util: number of parts of a device's time */
    double threshold;   /* gpu_time_util: percent; lists only parts used less */
    bool has_start, has_end;
    nsc_time start, end; /* the time that a rule considers, ns */
};

struct nsc_relation;
struct nsc_stats_asking;
struct nsc_stats_input;

/* A function of SQL for statements of reports. Of args those that are not given are empty; they live
 * until it returns. */
#define NSC_STATS_ARGS 4
struct nsc_stats_function {
    const char *name;
    struct nsc_stats_cell (*call)(struct nsc_stats_asking *asking,
                                  const struct nsc_stats_cell args[NSC_STATS_ARGS]);
};
#define NSC_STATS_FUNCTIONS 7
extern const struct nsc_stats_function nsc_stats_functions[NSC_STATS_FUNCTIONS];

/* Runs the statement of a report that is a file, NAME.sql beside this, with these functions and :rows. */
typedef enum nsc_status nsc_stats_ask(struct nsc_relation **rows,
                                      const struct nsc_stats_input *input,
                                      struct nsc_stats_asking *asking);

struct nsc_stats_input {
    const struct nsc_trace *trace;
    const struct nsc_fields *fields[NSC_N_STATS_FIELDS]; /* NULL: not asked for */
    bool has_window;
    struct nsc_window window; /* only events that touch it count, whole */
    const uint64_t *mask;     /* one bit an event: only these count; NULL: all */
    bool compat_2023;         /* writes names of the default NVTX domain without the colon */
    struct nsc_stats_arguments arguments;
    bool *is_deep;        /* set by a report that left out levels of ranges; may be NULL */
    nsc_stats_ask *ask;   /* for reports that are files (query/stats_answer.h) */
    enum nsc_stats_id id; /* set by nsc_stats_report_run */
};

enum {
    NSC_STATS_TAKES_NAMES = 1,
    NSC_STATS_TAKES_ROWS = 2,
    NSC_STATS_TAKES_GAP = 4,
    NSC_STATS_TAKES_CHUNKS = 8,
    NSC_STATS_TAKES_RANGES = 16,
    NSC_STATS_TAKES_SPAN = 32
};

struct nsc_stats {
    const char *name, *title;
    bool is_rule;
    uint8_t takes;      /* NSC_STATS_TAKES_* */
    const char *tables; /* families of the export that it needs, in the form of --tables */
    const char *needs;  /* name of the missing data if there are no rows: "CUDA kernel data" */
    uint32_t fields;    /* NSC_STATS_BIT */
    const struct nsc_stats_column *columns; /* a title of NULL ends them */
    enum nsc_status (*run)(const struct nsc_stats_input *input, const struct nsc_stats_sink *sink);
};

extern const struct nsc_stats nsc_stats_all[NSC_N_STATS];

/* Passes the rows of a report to the sink. NSC_ENODATA if the export has no data for it, NSC_ENOMEM. */
NSC_NODISCARD enum nsc_status nsc_stats_report_run(const struct nsc_stats *report,
                                                   const struct nsc_stats_input *input,
                                                   const struct nsc_stats_sink *sink,
                                                   struct nsc_error *error);
/* Finds a report or rule; NULL if there is none of that name. */
const struct nsc_stats *nsc_stats_find(const char *name, size_t n, bool is_rule);
/*
 * Parses "NAME[:ARGUMENT...]". NSC_EINVAL, with one line, for an unknown name or argument. Defaults
 * of rules: 50 rows, gaps of 500 ms, 30 chunks used at most 50 %.
 */
NSC_NODISCARD enum nsc_status nsc_stats_parse(const struct nsc_stats **out,
                                              struct nsc_stats_arguments *arguments,
                                              const char *text, bool is_rule,
                                              struct nsc_error *error);
uint32_t nsc_stats_columns(const struct nsc_stats *report);
/* NSC_STATS_BIT of the fields that the report reads with these arguments. */
uint32_t nsc_stats_wanted_fields(const struct nsc_stats *report,
                                 const struct nsc_stats_arguments *arguments);

#endif
