/*
 * A baseline: an accepted recording as a record of what diff needs, at most 256 KB.
 *
 * docs/json/baseline.schema.json says what is in it. It is one line of JSON. If it would be longer,
 * the names that take least time are summed as "others", so that the sums stay: least says which.
 * Whatever a record holds, the recording read from it can be compared; others come last.
 */
#ifndef NSC_ANALYSIS_BASELINE_H
#define NSC_ANALYSIS_BASELINE_H

#include "analysis/job/recording.h"
#include "core/buf.h"
#include "core/json.h"

#define NSC_BASELINE_BYTES  ((size_t)256 << 10)
#define NSC_BASELINE_FORMAT "nsyscope-baseline-1"
#define NSC_BASELINE_BEGIN  "{\"format\":\"" NSC_BASELINE_FORMAT "\""

enum nsc_baseline_fact {
    NSC_BASELINE_FILE,     /* name of the export */
    NSC_BASELINE_IDENTITY, /* by content */
    NSC_BASELINE_WHEN,     /* it was accepted, UTC */
    NSC_BASELINE_WHO,
    NSC_BASELINE_WHY,
    NSC_BASELINE_OPTIONS, /* those that narrow the recording; "": none */
    NSC_N_BASELINE_FACTS
};

struct nsc_baseline {
    struct nsc_text facts[NSC_N_BASELINE_FACTS]; /* raw; of a parsed record they lie in the tree */
    nsc_time least;                              /* ns: names that take less are summed; 0: none */
    struct nsc_recording run;
    struct nsc_json_tree tree;
};

/* Appends the record and a line break, of at most `most` bytes: sets least. NSC_EFORMAT: it would be
 * longer whatever least is. */
NSC_NODISCARD enum nsc_status nsc_baseline_write(struct nsc_buf *out, struct nsc_baseline *baseline,
                                                 size_t most, struct nsc_error *error);
/* NSC_EFORMAT (no record) or NSC_EDAMAGED, and nothing to free. error is not NULL. */
NSC_NODISCARD enum nsc_status nsc_baseline_parse(struct nsc_baseline *out, struct nsc_text text,
                                                 struct nsc_error *error);
void nsc_baseline_fini(struct nsc_baseline *baseline);

#endif
