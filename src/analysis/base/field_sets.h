/*
 * The columns of an export beside the index that questions of analysis/ may need, in sets that are
 * read when they are first asked for.
 *
 * analysis/ knows no files: whoever asks a question gives it a provider (NULL: there is none). A
 * set that cannot be had, and a column that the table lacks, is "not known" in the answer.
 */
#ifndef NSC_ANALYSIS_FIELD_SETS_H
#define NSC_ANALYSIS_FIELD_SETS_H

#include "index/fields.h"

enum nsc_field_set {
    NSC_FIELDS_COPIES,      /* of every copy: enum nsc_copy_field */
    NSC_FIELDS_MEMSETS,     /* of every memset: enum nsc_memset_field */
    NSC_FIELDS_DIAGNOSTICS, /* rows of DIAGNOSTIC_EVENT: enum nsc_diagnostic_field */
    NSC_FIELDS_RANGES,      /* of every NVTX event: enum nsc_range_field */
    NSC_FIELDS_SAMPLES,     /* of every CPU sample: enum nsc_sample_field */
    NSC_N_FIELD_SETS
};

enum nsc_sample_field { NSC_SAMPLE_CYCLES };
enum nsc_copy_field { NSC_COPY_BYTES, NSC_COPY_KIND, NSC_COPY_FROM, NSC_COPY_TO };
enum nsc_memset_field { NSC_MEMSET_BYTES };
enum nsc_range_field { NSC_RANGE_END }; /* not set: never closed */
enum nsc_diagnostic_field { NSC_DIAGNOSTIC_SEVERITY, NSC_DIAGNOSTIC_TEXT };

/* How to read a set. */
struct nsc_field_set_source {
    enum nsc_kind kind; /* of events; NSC_KIND_UNKNOWN: the rows of table are none */
    const char *table;
    struct nsc_field_ask asks[4];
    uint32_t n_asks;
};
const struct nsc_field_set_source *nsc_field_set_source(enum nsc_field_set set);

/* The provider. get gives the same answer each time; what it gives lives as long as the
 * provider. */
struct nsc_field_sets {
    const struct nsc_fields *(*get)(void *context, enum nsc_field_set set);
    void *context;
};

/* NULL without a provider, and where the set cannot be had. */
static inline const struct nsc_fields *nsc_field_set(const struct nsc_field_sets *sets,
                                                     enum nsc_field_set set)
{
    return sets ? sets->get(sets->context, set) : NULL;
}

#endif
