/*
 * Sums of durations by process and text, in 16 bytes a group: an export may have a million texts. A
 * tally of them makes a report take 1.4 to 3.2 times as long.
 *
 * Filled process by process. The groups of a process lie together, in the order in which they first
 * occurred. Sums saturate. All zero is empty; the owner calls fini.
 */
#ifndef NSC_ANALYSIS_TEXT_SUMS_H
#define NSC_ANALYSIS_TEXT_SUMS_H

#include "analysis/base/tally.h"

struct nsc_text_row {
    nsc_time total;
    nsc_str text;
    uint32_t count;
};

struct nsc_text_process {
    uint64_t pid;
    size_t first, end; /* its rows */
};

struct nsc_text_sums {
    NSC_VEC(struct nsc_text_row) rows;
    NSC_VEC(struct nsc_text_process) processes;
    uint32_t *of_text; /* by text: its row + 1, if that is one of the last process; freed by end */
    size_t n_of_text;
};

void nsc_text_sums_fini(struct nsc_text_sums *sums);
/* Later sums are those of this process. */
void nsc_text_sums_begin(struct nsc_text_sums *sums, uint64_t pid);
/* Counts one event of `ns`, >= 0. */
void nsc_text_sums_add(struct nsc_text_sums *sums, nsc_str text, nsc_time ns);
/* After the last sum. */
void nsc_text_sums_end(struct nsc_text_sums *sums);
/* The rows of a process; empty if it has none. */
struct nsc_text_process nsc_text_sums_process(const struct nsc_text_sums *sums, uint64_t pid);

/* The totals of texts over all processes. The owner frees at. */
struct nsc_text_totals {
    const struct nsc_text_sums *of;
    nsc_time *at;      /* by text; -1: not counted */
    size_t n, n_texts; /* n_texts: counted */
};

/* n: the number of texts. */
struct nsc_text_totals nsc_text_sums_totals(const struct nsc_text_sums *sums, size_t n);
/* The texts with the `most` greatest totals, and those equal to the last of them, by (text, 0). */
struct nsc_tally nsc_text_totals_top(const struct nsc_text_totals *totals, size_t most);

#endif
