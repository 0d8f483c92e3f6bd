/*
 * Groups of rows by several keys, and the spread of a value of each group.
 *
 * A key is a number: the id of a text, a name, a stream, a process, a field ... Naive meaning: rows
 * with equal keys are a group; groups are numbered in the order of their first rows. A group
 * without a value has an empty spread. An empty totals is all zero but for n_keys and texts; the
 * owner calls fini.
 */
#ifndef NSC_ANALYSIS_TOTALS_H
#define NSC_ANALYSIS_TOTALS_H

#include "analysis/base/spread.h"
#include "core/strpool.h"
#include "core/vec.h"
#include "index/idtable.h"

#define NSC_TOTALS_KEYS 8

struct nsc_totals {
    uint32_t n_keys;   /* 1 to NSC_TOTALS_KEYS */
    uint32_t text_key; /* bits: keys that are ids of texts; -1: no text */
    bool has_p90;      /* set before measure: asks for it */
    struct nsc_strpool texts;
    uint32_t n;              /* groups */
    NSC_VEC(int64_t) keys;   /* n_keys of each group */
    NSC_VEC(uint32_t) group; /* by row */
    struct nsc_idtable table;
};

/* The bits of text_key: NSC_TOTALS_TEXT(2) | NSC_TOTALS_TEXT(3). */
#define NSC_TOTALS_TEXT(key) (1u << (key))

struct nsc_totals nsc_totals_new(uint32_t n_keys, uint32_t text_key);
void nsc_totals_fini(struct nsc_totals *totals);
/* The id of a text, for a key. */
int64_t nsc_totals_text(struct nsc_totals *totals, struct nsc_text text);
/* The number of the group with these keys; adds it if it is new. */
uint32_t nsc_totals_find(struct nsc_totals *totals, const int64_t keys[]);
/* Adds a row; returns its group. */
uint32_t nsc_totals_add(struct nsc_totals *totals, const int64_t keys[]);

/* The keys of a group. */
static inline const int64_t *nsc_totals_keys(const struct nsc_totals *totals, uint32_t group)
{
    return &totals->keys.at[(size_t)group * totals->n_keys];
}
/* The text of a key; "" without one. */
struct nsc_text nsc_totals_text_of(const struct nsc_totals *totals, uint32_t group, uint32_t key);

/* The spread of each group, for free(); NULL if out of memory. value: of a row, asked twice; false:
 * it has none. */
struct nsc_spread *nsc_totals_measure(const struct nsc_totals *totals,
                                      bool (*value)(const void *context, uint32_t row,
                                                    int64_t *out),
                                      const void *context);

/* Compares the keys [first, end) of two groups in turn: texts by their bytes (none first), others as
 * numbers. Negative, 0 or positive. */
int nsc_totals_compare(const struct nsc_totals *totals, uint32_t a, uint32_t b, uint32_t first,
                       uint32_t end);

#endif
