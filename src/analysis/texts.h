/*
 * The texts of events as numbers: equal texts, equal numbers, whatever names and counters they are
 * made of.
 *
 * Owned by the caller; grows as texts are met. Beyond NSC_TEXTS_MAX texts with counters, those that
 * differ only in them are one ("op_id = #").
 */
#ifndef NSC_ANALYSIS_TEXTS_H
#define NSC_ANALYSIS_TEXTS_H

#include "nsyscope/trace.h"

#include "core/strpool.h"

#define NSC_TEXTS_MAX (1u << 20)

struct nsc_texts {
    const struct nsc_trace *trace;
    struct nsc_strpool pool;
    nsc_str *of_name;    /* by name without counters: its number + 1; 0: not met yet */
    nsc_str *of_event;   /* by event with counters: the same */
    nsc_str *of_pattern; /* by name with counters: that of its pattern + 1 */
    uint32_t most;       /* NSC_TEXTS_MAX; tests set less */
    bool is_folded;      /* some texts stand for several */
};

void nsc_texts_init(struct nsc_texts *texts, const struct nsc_trace *trace);
void nsc_texts_fini(struct nsc_texts *texts);
/* The number of an event's full text; 0 for "". */
nsc_str nsc_texts_of(struct nsc_texts *texts, nsc_event event);
/* Raw bytes, borrowed until the next text is met. */
struct nsc_text nsc_texts_at(const struct nsc_texts *texts, nsc_str text);

#endif
