/*
 * A report (analysis/hotspots/hotspots.h) as Markdown, JSON, HTML and CSV.
 *
 * Markdown and HTML show, by the table in report_layout.c, chosen columns of chosen rows; JSON
 * holds every sheet whole (docs/json/report.schema.json); CSV files are for spreadsheets: CR LF,
 * numbers unrounded, an empty file for an empty sheet. Texts of the export are made safe here.
 */
#ifndef NSC_SHARE_REPORT_WRITE_H
#define NSC_SHARE_REPORT_WRITE_H

#include "analysis/hotspots/hotspots.h"

#define NSC_HOTSPOTS_FORMAT "nsyscope-report-1" /* the JSON document and its version */

struct nsc_hotspots_about {
    const char *generated_at; /* UTC, ISO 8601 */
    const char *version;      /* of the program */
    struct nsc_text trace;    /* the export's file name; raw */
    const char *filter;       /* as it was given; NULL: none */
};

void nsc_hotspots_write_md(struct nsc_buf *out, const struct nsc_hotspots *report,
                           const struct nsc_hotspots_about *about);
void nsc_hotspots_write_html(struct nsc_buf *out, const struct nsc_hotspots *report,
                             const struct nsc_hotspots_about *about);
void nsc_hotspots_write_json(struct nsc_buf *out, const struct nsc_hotspots *report,
                             const struct nsc_hotspots_about *about);

/* The i-th CSV file; false past the last. name is static ("kernels.csv"); nothing is added to out,
 * and *wanted is false, for a sheet the report does not have. */
bool nsc_hotspots_write_csv(struct nsc_buf *out, const char **name, bool *wanted,
                            const struct nsc_hotspots *report, uint32_t i);

/* ---- the layout ---- */

struct nsc_hotspots_part {
    const char *heading; /* "## ..." or "### ..." in Markdown */
    const char *sheet;
    const char *columns;          /* "key heading=key ..."; as Markdown and HTML show them */
    uint32_t limit;               /* rows shown */
    const char *by;               /* a column: a heading of its own for each of its values; NULL */
    const char *derived, *limits; /* how it is made, and what it does not say */
    const char *none;             /* instead of a table without rows */
};
/* NULL past the last. */
const struct nsc_hotspots_part *nsc_hotspots_part(uint32_t i);

struct nsc_hotspots_column { /* of a part */
    char heading[48];
    uint32_t column; /* of the sheet */
};
#define NSC_HOTSPOTS_COLUMNS 16
/* The columns of a part that the sheet has; returns how many. */
uint32_t nsc_hotspots_columns(struct nsc_hotspots_column out[NSC_HOTSPOTS_COLUMNS],
                              const char *columns, const struct nsc_sheet *sheet);
/* A cell as Markdown and HTML show it: digits by the heading's unit; raw bytes for texts. */
void nsc_hotspots_cell(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                       const struct nsc_hotspots_column *column);

#endif
