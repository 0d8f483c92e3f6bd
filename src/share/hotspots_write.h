/*
 * Writes the hotspot report (analysis/hotspots/hotspots.h) as Markdown, JSON, HTML and CSV.
 *
 * Markdown and HTML show the columns and rows listed in hotspots_layout.c. JSON contains every
 * sheet whole (docs/json/report.schema.json). CSV files are for spreadsheets: CR LF, numbers not
 * rounded, an empty file for an empty sheet. The writers clean texts of the export.
 */
#ifndef NSC_SHARE_REPORT_WRITE_H
#define NSC_SHARE_REPORT_WRITE_H

#include "analysis/hotspots/hotspots.h"
#include "share/markup.h"

#define NSC_HOTSPOTS_FORMAT "nsyscope-report-1" /* format and version of the JSON document */

struct nsc_hotspots_about {
    const char *generated_at;          /* UTC, ISO 8601 */
    const char *version;               /* of the program */
    struct nsc_text trace;             /* file name of the export; raw */
    const char *filter;                /* as the user gave it; NULL: none */
    const struct nsc_sheets *counters; /* from Nsight Compute; NULL: none given */
};

void nsc_hotspots_write_md(struct nsc_buf *out, const struct nsc_hotspots *report,
                           const struct nsc_hotspots_about *about);
void nsc_hotspots_write_html(struct nsc_buf *out, const struct nsc_hotspots *report,
                             const struct nsc_hotspots_about *about);
void nsc_hotspots_write_json(struct nsc_buf *out, const struct nsc_hotspots *report,
                             const struct nsc_hotspots_about *about);

/* Writes CSV file number i; false after the last. *name is static ("kernels.csv"). If the report
 * does not have the sheet, *wanted is false and nothing is added. is_raw: see share/csv.h. */
bool nsc_hotspots_write_csv(struct nsc_buf *out, const char **name, bool *wanted,
                            const struct nsc_hotspots *report, uint32_t i, bool is_raw);

/* ---- the layout ---- */

struct nsc_hotspots_part {
    const char *heading; /* "## ..." or "### ..." of Markdown */
    const char *sheet;
    const char *columns;          /* "key heading=key ...", for Markdown and HTML */
    uint32_t limit;               /* rows shown */
    const char *by;               /* a column whose values become headings; NULL: none */
    const char *derived, *limits; /* how the table is computed, and what it cannot show */
    const char *none;             /* text instead of an empty table */
};
/* NULL after the last. */
const struct nsc_hotspots_part *nsc_hotspots_part(uint32_t i);

#define NSC_HOTSPOTS_COLUMNS 16
/* Lists the columns that the sheet has; with columns NULL all. Returns their number. */
uint32_t nsc_hotspots_columns(struct nsc_markup_column out[NSC_HOTSPOTS_COLUMNS],
                              const char *columns, const struct nsc_sheet *sheet);
/* Appends a cell as in Markdown and HTML: digits by the heading's unit, texts as raw bytes. */
void nsc_hotspots_cell(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                       const struct nsc_markup_column *column);

#endif
