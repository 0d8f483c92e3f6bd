/*
 * Reports as text: column, table, csv, tsv, json, hdoc and htable, in the shapes of the source
 * tool.
 *
 * A writer is a sink. Formats with aligned columns want all rows twice: once to measure, once to
 * write; a report that does not ask for that (nsc_stats_again) is run twice. CSV is quoted as RFC
 * 4180 has it; texts are raw bytes in csv and tsv unless they go to a terminal, made safe
 * everywhere else. Text is handed on in pieces, so no report is too long.
 */
#ifndef NSC_SHARE_STATS_WRITE_H
#define NSC_SHARE_STATS_WRITE_H

#include "analysis/stats/stats.h"
#include "core/buf.h"

enum nsc_stats_format {
    NSC_STATS_AS_COLUMN,
    NSC_STATS_AS_TABLE,
    NSC_STATS_AS_CSV,
    NSC_STATS_AS_TSV,
    NSC_STATS_AS_JSON,
    NSC_STATS_AS_HDOC,
    NSC_STATS_AS_HTABLE,
    NSC_N_STATS_FORMATS
};

enum nsc_stats_time { NSC_STATS_NSEC, NSC_STATS_USEC, NSC_STATS_MSEC, NSC_STATS_SEC };

struct nsc_stats_style {
    enum nsc_stats_format format;
    enum nsc_stats_time time; /* unit of times */
    bool no_header;
    bool safe;  /* csv and tsv go to a terminal */
    bool ascii; /* what is made safe is printable ASCII */
};

/* "csv", "column:nohdr". False for a format nobody knows. */
bool nsc_stats_format_parse(struct nsc_stats_style *style, const char *text);
/* "nsec", "nanoseconds", "us" and so on. */
bool nsc_stats_time_parse(enum nsc_stats_time *out, const char *text);
/* What a file of that format ends in: "csv", "txt". */
const char *nsc_stats_suffix(enum nsc_stats_format format);

/* The numbers of a column that were measured: no wider are those between them. */
struct nsc_stats_extent {
    int64_t least, most;
    double lowest, highest;
};

struct nsc_stats_writer {
    const struct nsc_stats *report;
    struct nsc_stats_style style;
    bool (*flush)(void *context, struct nsc_buf *text); /* takes the text; false: stop */
    void *context;
    struct nsc_buf text, cell, title;
    uint32_t n_columns, width[32];
    struct nsc_stats_extent extent[32];
    bool is_measuring, failed;
    uint64_t rows;
};

void nsc_stats_writer_init(struct nsc_stats_writer *writer, const struct nsc_stats *report,
                           const struct nsc_stats_style *style,
                           bool (*flush)(void *context, struct nsc_buf *text), void *context);
void nsc_stats_writer_fini(struct nsc_stats_writer *writer);
/* Whether the report has to be run once before nsc_stats_writer_begin, to measure. */
bool nsc_stats_writer_measures(const struct nsc_stats_writer *writer);
/* The sink; before begin it measures. */
struct nsc_stats_sink nsc_stats_writer_sink(struct nsc_stats_writer *writer);
/* What comes before the rows. A writer that has been given all rows twice has done it by itself:
 * is_measuring is false then, and nothing but nsc_stats_writer_end is left. */
void nsc_stats_writer_begin(struct nsc_stats_writer *writer);
/* What comes behind them; false when something could not be flushed. */
bool nsc_stats_writer_end(struct nsc_stats_writer *writer);

#endif
