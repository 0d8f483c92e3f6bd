/*
 * Writes stats reports as text: column, table, csv, tsv, json, hdoc and htable, laid out as in
 * nsys.
 *
 * A writer is a sink. Formats with aligned columns take all rows twice: once to measure, once to
 * write. A report that does not repeat its rows itself (nsc_stats_again) runs twice. CSV is quoted
 * as in RFC 4180. Texts are raw bytes in csv and tsv unless these go to a terminal, and clean
 * everywhere else. Text is flushed in pieces, so reports may have any length.
 */
#ifndef NSC_SHARE_STATS_WRITE_H
#define NSC_SHARE_STATS_WRITE_H

#include "analysis/stats/stats.h"
#include "core/buf.h"

#include <math.h>

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
    bool safe;  /* csv and tsv clean texts, because they go to a terminal */
    bool ascii; /* clean texts are printable ASCII only */
    bool raw;   /* csv and tsv: keeps texts that a spreadsheet would run */
};

/* Parses "csv" or "column:nohdr". False for an unknown format. */
bool nsc_stats_format_parse(struct nsc_stats_style *style, const char *text);
/* Parses "nsec", "nanoseconds", "us" and so on. */
bool nsc_stats_time_parse(enum nsc_stats_time *out, const char *text);
/* The file suffix of a format: "csv", "txt". */
const char *nsc_stats_suffix(enum nsc_stats_format format);

/* The smallest and the greatest number measured in a column: numbers between them are no wider. */
struct nsc_stats_extent {
    int64_t least, most;
    double lowest, highest;
};

/* Whether a number lies between two measured ones. A number nearer to zero is never wider. */
static inline bool nsc_stats_is_measured(const struct nsc_stats_extent *extent,
                                         const struct nsc_stats_cell *cell)
{
    double real = cell->real;

    if (cell->form == NSC_STATS_INT)
        return cell->integer >= extent->least && cell->integer <= extent->most;
    return cell->form == NSC_STATS_REAL && real >= extent->lowest && real <= extent->highest &&
           (real != 0 || !signbit(real));
}

struct nsc_stats_writer {
    const struct nsc_stats *report;
    struct nsc_stats_style style;
    bool (*flush)(void *context, struct nsc_buf *text); /* takes the text; false: stop */
    void *context;
    struct nsc_buf text, cell, title;
    uint32_t n_columns, width[NSC_STATS_COLUMNS];
    struct nsc_stats_extent extent[NSC_STATS_COLUMNS];
    bool is_measuring, failed;
    bool is_at_least; /* a time of INT64_MAX was written: a saturated sum */
    uint64_t rows;
};

void nsc_stats_writer_init(struct nsc_stats_writer *writer, const struct nsc_stats *report,
                           const struct nsc_stats_style *style,
                           bool (*flush)(void *context, struct nsc_buf *text), void *context);
void nsc_stats_writer_fini(struct nsc_stats_writer *writer);
/* Whether the report must run once before nsc_stats_writer_begin, to measure. */
bool nsc_stats_writer_measures(const struct nsc_stats_writer *writer);
/* The writer as a sink; it measures until begin is called. */
struct nsc_stats_sink nsc_stats_writer_sink(struct nsc_stats_writer *writer);
/* Writes the text before the rows. A writer that gets all rows twice calls it itself: then
 * is_measuring is false, and the caller only calls nsc_stats_writer_end. */
void nsc_stats_writer_begin(struct nsc_stats_writer *writer);
/* Writes the text after the rows. False if a flush failed. */
bool nsc_stats_writer_end(struct nsc_stats_writer *writer);

#endif
