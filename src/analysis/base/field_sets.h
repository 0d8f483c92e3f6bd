/*
 * Columns of an export that the index does not hold, in sets (field_set.def). A set is read when a
 * question first asks for it. analysis/ opens no files, so the caller of a question passes a
 * provider (NULL: none).
 *
 * If a set cannot be read, or the table lacks a column, the answer is "not known".
 */
#ifndef NSC_ANALYSIS_FIELD_SETS_H
#define NSC_ANALYSIS_FIELD_SETS_H

#include "nsyscope/trace.h"

#include "index/fields.h"

enum nsc_field_set {
#define NSC_FIELD_SET(set, kind, table, only, wants, columns) NSC_FIELDS_##set,
#include "analysis/base/field_set.def"
#undef NSC_FIELD_SET
    NSC_FIELDS_PAYLOAD_ENTRIES, /* enum nsc_payload_entry_field (index/payload.h) */
    NSC_FIELDS_PAYLOAD_WORDS,   /* enum nsc_payload_word_field */
    NSC_N_FIELD_SETS
};

/* The columns of each set. */
#define NSC_FIELD(column, name, type)                         NSC_##column,
#define NSC_FIELD_SET(set, kind, table, only, wants, columns) enum { columns };
#include "analysis/base/field_set.def"
#undef NSC_FIELD_SET
#undef NSC_FIELD

/* How to read a set. */
struct nsc_field_set_source {
    enum nsc_kind kind; /* kind of the rows' events; NSC_KIND_UNKNOWN: the rows are no events */
    const char *table;
    struct nsc_field_ask asks[NSC_FIELDS_COLUMNS]; /* ended by a NULL name if fewer */
    const char *only; /* reads only rows in which this column is not NULL; NULL: all */
    /* Whether an event is read; NULL: all are. */
    bool (*wants)(const struct nsc_trace *trace, nsc_event event);
};
const struct nsc_field_set_source *nsc_field_set_source(enum nsc_field_set set);
/* The number of its columns. */
uint32_t nsc_field_set_columns(enum nsc_field_set set);

/* The provider. get returns the same set each time; several threads may call it at once. A set
 * lives as long as the provider. */
struct nsc_field_sets {
    const struct nsc_fields *(*get)(void *context, enum nsc_field_set set);
    void *context;
};

/* NULL without a provider, or if the set cannot be read. */
static inline const struct nsc_fields *nsc_field_set(const struct nsc_field_sets *sets,
                                                     enum nsc_field_set set)
{
    return sets ? sets->get(sets->context, set) : NULL;
}

/* A column of a GPU's row in TARGET_INFO_GPU; 0: unknown. */
int64_t nsc_field_of_gpu(const struct nsc_field_sets *sets, int64_t gpu, uint32_t field);

/* The most events of a trace of which grids are read: more take seconds. */
#define NSC_GRIDS_MOST 10000000

/* The blocks of a kernel's grid (NSC_FIELDS_KERNELS); 0: not known. */
double nsc_kernel_blocks(const struct nsc_fields *kernels, nsc_event kernel);

#endif
