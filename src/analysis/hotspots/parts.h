/*
 * What the questions of a report share: cells in the units of its columns, and reading a figure of
 * another question's sheet.
 */
#ifndef NSC_ANALYSIS_REPORT_PARTS_H
#define NSC_ANALYSIS_REPORT_PARTS_H

#include "analysis/base/tally.h"
#include "analysis/hotspots/hotspots.h"

#define NSC_COUNT_OF(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

/* A column whose title is its key. */
#define NSC_COLUMN(key, of, kind, digits) \
    {                                     \
        key, key, of, kind, digits        \
    }
/* Times in ms and µs as the report's readers have them, more digits than they show. */
#define NSC_COLUMN_MS(key)      NSC_COLUMN(key, NULL, NSC_SHEET_NUMBER, 6)
#define NSC_COLUMN_US(key)      NSC_COLUMN(key, NULL, NSC_SHEET_NUMBER, 6)
#define NSC_COLUMN_PCT(key, of) NSC_COLUMN(key, of, NSC_SHEET_NUMBER, 6)
#define NSC_COLUMN_NS(key)      NSC_COLUMN(key, NULL, NSC_SHEET_NS, 0)
#define NSC_COLUMN_COUNT(key)   NSC_COLUMN(key, NULL, NSC_SHEET_COUNT, 0)
#define NSC_COLUMN_ID(key)      NSC_COLUMN(key, NULL, NSC_SHEET_ID, 0)
#define NSC_COLUMN_TEXT(key)    NSC_COLUMN(key, NULL, NSC_SHEET_TEXT, 0)
#define NSC_COLUMN_INSTANT(key) NSC_COLUMN(key, NULL, NSC_SHEET_INSTANT, 0)
#define NSC_COLUMN_YES(key)     NSC_COLUMN(key, NULL, NSC_SHEET_YES, 0)

static inline void nsc_add_ms(struct nsc_sheet *sheet, nsc_time ns)
{
    nsc_sheet_add_number(sheet, (double)ns / 1e6);
}

static inline void nsc_add_us(struct nsc_sheet *sheet, double ns)
{
    nsc_sheet_add_number(sheet, ns / 1e3);
}

/* A new sheet of the report, with the scope's window. */
struct nsc_sheet *nsc_hotspots_sheet(struct nsc_hotspots *report, const char *key,
                                     const char *title, const struct nsc_sheet_column columns[],
                                     uint32_t n_columns);
/* How many of n rows a sheet shows when most is its limit; the rest is counted in n_left_out. */
size_t nsc_hotspots_limit(struct nsc_sheet *sheet, size_t n, size_t most);

/* The pid of a track. */
uint32_t nsc_hotspots_pid(const struct nsc_hotspots *report, uint32_t track);
/* Pids by summed kernel time, the greatest first; owned by the caller. key[0] is the pid. */
struct nsc_tally nsc_hotspots_pid_tally(const struct nsc_hotspots *report);

/* "" when it is not there. */
struct nsc_text nsc_hotspots_text(const struct nsc_hotspots *report, const char *key, uint32_t row,
                                  const char *column);
uint32_t nsc_hotspots_rows(const struct nsc_hotspots *report, const char *key);

/* "nvtx_phases", from ranges by (text, 0). */
void nsc_hotspots_wall_phases(struct nsc_hotspots *report, const struct nsc_tally *names);
/* "nvtx_kernel_phases" and the same by pid, from kernels by (range's text, 0) and by (pid,
 * text). */
void nsc_hotspots_kernel_phases(struct nsc_hotspots *report, const struct nsc_tally *by_name,
                                const struct nsc_tally *by_pid);
/* "phase_split", from one of the two by (text, 0). */
void nsc_hotspots_phase_split(struct nsc_hotspots *report, const struct nsc_tally *tally,
                              bool of_kernels);

/* The ends of ranges as exported, read only where a range may be open; else NULL. */
const struct nsc_fields *nsc_hotspots_range_ends(const struct nsc_hotspots *report);
/* Whether an NVTX range was never closed. */
bool nsc_hotspots_is_open(const struct nsc_hotspots *report, nsc_event range);

#endif
