/*
 * Folds the reports of many ranks one by one into the job's: sums, counts and extremes, in memory
 * that does not grow with the ranks; and finds late ranks from the first collectives of each rank
 * (at most 0.5 MB a rank).
 *
 * Each report is a parsed report.json (docs/json/report.schema.json). Rows of a table are added by
 * name; a table keeps NSC_MERGE_NAMES names, and adds the rest to "(other)". Figures by rank have
 * exact mean, least and most; their median and p95 are within 1 % (counts in 64 bins an octave).
 * The order in which reports are added decides only which of equal ranks is named, the order of
 * equal rows, and which names go to "(other)" if there are too many. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_MERGE_H
#define NSC_ANALYSIS_MERGE_H

#include "analysis/job/rank_ops.h"
#include "core/json.h"
#include "core/sheet.h"
#include "core/strpool.h"

#ifdef NSC_SMALL
#define NSC_MERGE_NAMES 40u
#else
#define NSC_MERGE_NAMES 20000u
#endif
/* Bytes of a rank's label, NUL included; longer labels lose their beginning. */
#define NSC_MERGE_LABEL 40

enum nsc_merge_table {
#define NSC_MERGE_TABLE(id, key, title, name, second, count, time, part) NSC_MERGE_##id,
#include "analysis/job/merge.def"
    NSC_N_MERGE_TABLES
};

enum nsc_merge_figure {
#define NSC_MERGE_FIGURE(id, title, unit) NSC_FIGURE_##id,
#include "analysis/job/merge_figure.def"
    NSC_N_MERGE_FIGURES
};

struct nsc_merge_group { /* a name of a table */
    nsc_str name;
    bool is_rest; /* "(other)": all names beyond those kept; has no ranks */
    uint64_t ranks, count;
    int64_t time, part;  /* ns, added; saturating */
    int64_t least, most; /* ns of a rank that has it */
    char least_rank[NSC_MERGE_LABEL], most_rank[NSC_MERGE_LABEL];
};

struct nsc_merge_groups {
    struct nsc_strpool names;
    NSC_VEC(struct nsc_merge_group) list; /* by name id */
    uint64_t left_over;                   /* rows that went to "(other)" */
};

#define NSC_MERGE_BINS 4096
struct nsc_merge_spread { /* a figure over ranks */
    uint64_t ranks;
    double sum, least, most;
    char least_rank[NSC_MERGE_LABEL], most_rank[NSC_MERGE_LABEL];
    uint32_t zeros;
    uint32_t bins[NSC_MERGE_BINS]; /* by log2 of the value, 64 an octave */
};

struct nsc_merge {
    uint64_t ranks;
    struct nsc_merge_groups tables[NSC_N_MERGE_TABLES];
    struct nsc_merge_spread figures[NSC_N_MERGE_FIGURES];
    struct nsc_rank_ops ops;          /* the first collectives of each rank: who is late */
    struct nsc_merge_groups findings; /* findings of medium or high severity, by title: ranks that
                                       * have them; count: where one is high */
};

void nsc_merge_init(struct nsc_merge *merge);
void nsc_merge_fini(struct nsc_merge *merge);
/* label: the name of the rank. A sketch (fleet/sketch.h) adds all but its collectives, which fleet/ judges. NSC_EFORMAT
 * if it is neither; then nothing is added. */
NSC_NODISCARD enum nsc_status nsc_merge_add(struct nsc_merge *merge,
                                            const struct nsc_json_tree *report, const char *label,
                                            struct nsc_error *error);
/* Adds "job" (the figures), "findings" and a sheet for each table with rows, limit rows each (0:
 * all). */
void nsc_merge_sheets(struct nsc_sheets *out, const struct nsc_merge *merge, uint32_t limit);

#endif
