/*
 * Reports of many ranks, folded one by one into the job's: sums, counts and extremes, in memory
 * that does not grow with the ranks; and who is late, from the first collectives of each rank (at
 * most 0.5 MB a rank).
 *
 * Each report is a parsed report.json (docs/json/report.schema.json). A table's rows are added by
 * name; of names beyond NSC_MERGE_NAMES a table the rest goes to "(other)". Of each rank some
 * figures are taken: their mean, least and most are exact, median and p95 within 1 % (counts in 64
 * bins an octave). The order in which reports are added changes which of equal ranks is named, how
 * equal rows are ordered, which names go to "(other)" when there are too many, and nothing else.
 * The owner calls fini.
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
#undef NSC_MERGE_TABLE
    NSC_N_MERGE_TABLES
};

enum nsc_merge_figure {
#define NSC_MERGE_FIGURE(id, title, unit) NSC_FIGURE_##id,
#include "analysis/job/merge_figure.def"
#undef NSC_MERGE_FIGURE
    NSC_N_MERGE_FIGURES
};

struct nsc_merge_group { /* a name of a table */
    nsc_str name;
    bool is_rest; /* "(other)": names beyond those that are kept; it has no ranks */
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
    struct nsc_merge_groups findings; /* of medium or high severity, by title: ranks that have it */
};

void nsc_merge_init(struct nsc_merge *merge);
void nsc_merge_fini(struct nsc_merge *merge);
/* label: the name of the rank. NSC_EFORMAT: it is not a report; nothing is added. */
NSC_NODISCARD enum nsc_status nsc_merge_add(struct nsc_merge *merge,
                                            const struct nsc_json_tree *report, const char *label,
                                            struct nsc_error *error);
/* "job" (the figures), "findings" and a sheet a table that has rows, limit rows each (0: all). */
void nsc_merge_sheets(struct nsc_sheets *out, const struct nsc_merge *merge, uint32_t limit);

#endif
