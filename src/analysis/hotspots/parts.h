/* Shared by the questions of a report: columns in its units, lines of groups, and ranges. */
#ifndef NSC_ANALYSIS_REPORT_PARTS_H
#define NSC_ANALYSIS_REPORT_PARTS_H

#include "analysis/base/tally.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/ranges/launches.h"

#define NSC_COUNT_OF(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

/* Columns whose title is their key: tag of the row's struct, its field, key. Fields of MS and US
 * are ns; readers of the report expect ms and us, with more digits than are shown. */
#define NSC_COLUMN_MS(r, f, key)             NSC_COL_SCALED(r, f, key, key, 6, 1000000)
#define NSC_COLUMN_US(r, f, key)             NSC_COL_SCALED(r, f, key, key, 6, 1000)
#define NSC_COLUMN_NUMBER(r, f, key, digits) NSC_COL_NUMBER(r, f, key, key, digits)
#define NSC_COLUMN_PCT(r, f, key, of)        NSC_COL_RATIO(r, f, key, key, of, 6)
#define NSC_COLUMN_NS(r, f, key)             NSC_COL_NS(r, f, key, key)
#define NSC_COLUMN_COUNT(r, f, key)          NSC_COL_COUNT(r, f, key, key)
#define NSC_COLUMN_ID(r, f, key)             NSC_COL_ID(r, f, key, key)
#define NSC_COLUMN_TEXT(r, f, key)           NSC_COL_TEXT(r, f, key, key)
#define NSC_COLUMN_INSTANT(r, f, key)        NSC_COL_INSTANT(r, f, key, key)
#define NSC_COLUMN_YES(r, f, key)            NSC_COL_YES(r, f, key, key)

/* text: which key of the group is one of the report's texts, 0 or 1 (the other is its pid); 2:
 * neither. */
struct nsc_tally_line nsc_tally_line(struct nsc_hotspots *report, const struct nsc_tally_row *row,
                                     unsigned text);

/* A new sheet of the report, with the scope's window. */
struct nsc_sheet *nsc_hotspots_sheet(struct nsc_hotspots *report, const char *key,
                                     const char *title, const struct nsc_sheet_column columns[],
                                     uint32_t n_columns);
#define NSC_HOTSPOTS_SHEET(report, key, title, columns) \
    nsc_hotspots_sheet(report, key, title, columns, NSC_COUNT_OF(columns))
/* The number of rows to show of n, at most `most`; counts the rest in n_left_out. */
size_t nsc_hotspots_limit(struct nsc_sheet *sheet, size_t n, size_t most);

/* Adds the first NSC_HOTSPOTS_ROWS groups of a tally as rows of nsc_tally_line, and counts the others
 * as left out. */
void nsc_hotspots_lines(struct nsc_hotspots *report, struct nsc_sheet *sheet,
                        const struct nsc_tally *tally, enum nsc_tally_order order, unsigned text);

/* The kernels of the scope on one stream, by lane and start. */
struct nsc_kernel_walk {
    struct nsc_scope_cursor at;
    const struct nsc_events *events;
};

static inline struct nsc_kernel_walk nsc_kernel_walk(const struct nsc_hotspots *report,
                                                     uint32_t track)
{
    const struct nsc_scope *scope = &report->query->scope;

    return (struct nsc_kernel_walk){nsc_scope_open_track(scope, track),
                                    nsc_trace_events(scope->trace)};
}

/* The next kernel; NSC_NONE after the last. */
static inline nsc_event nsc_kernel_walk_next(struct nsc_kernel_walk *walk)
{
    while (nsc_scope_next(&walk->at))
        if (walk->events->kind[walk->at.row] == NSC_KIND_KERNEL)
            return walk->at.row;
    return NSC_NONE;
}

/* The pid of a track. */
uint32_t nsc_hotspots_pid(const struct nsc_hotspots *report, uint32_t track);
/* Pids by summed kernel time, the greatest first; owned by the caller. key[0] is the pid. */
struct nsc_tally nsc_hotspots_pid_tally(const struct nsc_hotspots *report);

/* The launches of the scope, owned by its store. */
struct nsc_launches *nsc_hotspots_launches(const struct nsc_hotspots *report);
/* By position of the launches: for a kernel of the scope, the innermost range of any thread of its
 * process around the start of its call; else NSC_NONE. Computed once for a report and
 * owned by the store of the scope; waits if another thread computes it. */
const nsc_event *nsc_hotspots_any_thread(const struct nsc_hotspots *report,
                                         const struct nsc_launches *launches);

/* Adds the first NSC_HOTSPOTS_ROWS texts by their totals, as nsc_hotspots_lines does. */
void nsc_hotspots_text_lines(struct nsc_hotspots *report, struct nsc_sheet *sheet,
                             const struct nsc_text_totals *totals);

/* "nvtx_phases", from ranges by text. */
void nsc_hotspots_wall_phases(struct nsc_hotspots *report, const struct nsc_text_totals *names);
/* "nvtx_kernel_phases" and the same by pid, from kernels by (pid, phase). */
void nsc_hotspots_kernel_phases(struct nsc_hotspots *report, const struct nsc_tally *phases);
/* "phase_split", from kernels by (pid, phase of the map), or else (NULL) from names, which lose those of
 * iterations. */
void nsc_hotspots_phase_split(struct nsc_hotspots *report, const struct nsc_phase_map *map,
                              const struct nsc_tally *phases, struct nsc_text_totals *names);

/* The phases of texts. Looks for each once, or once for each template if digits do not matter;
 * texts without counters are then looked for each time. The owner frees known. */
struct nsc_phase_finder {
    const struct nsc_phase_map *map;
    struct nsc_texts *texts;
    bool sees_digits;
    NSC_VEC(uint32_t) known; /* by text or by template: phase + 1; 0: not known yet */
};

void nsc_phase_finder_init(struct nsc_phase_finder *finder, const struct nsc_phase_map *map,
                           struct nsc_texts *texts);
/* The phase of a text; the number of phases if it has none. */
uint32_t nsc_phase_finder_find(struct nsc_phase_finder *finder, nsc_str text);

/* The ends of ranges as exported, read only if a range may be open; else NULL. */
const struct nsc_fields *nsc_hotspots_range_ends(const struct nsc_hotspots *report);
/* Whether an NVTX range that ends with the trace was never closed. */
bool nsc_hotspots_stays_open(const struct nsc_hotspots *report, nsc_event range);
/* Whether an NVTX range, which ends at `end`, was never closed. */
static inline bool nsc_hotspots_is_open(const struct nsc_hotspots *report, nsc_event range,
                                        nsc_time end)
{
    return end >= report->end && nsc_hotspots_stays_open(report, range);
}

#endif
