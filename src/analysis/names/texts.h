/*
 * Numbers for the texts of events: equal texts have equal numbers, whatever names and counters they
 * are made of.
 *
 * Owned by the caller; grows with new texts. Stores a text with counters as its template and their
 * values, and builds it only on request. Past NSC_TEXTS_MAX texts, those that differ only in
 * counters share a number ("op_id = #").
 */
#ifndef NSC_ANALYSIS_TEXTS_H
#define NSC_ANALYSIS_TEXTS_H

#include "nsyscope/trace.h"

#include "core/arena.h"
#include "core/strpool.h"
#include "core/vec.h"
#include "index/idtable.h"

#define NSC_TEXTS_MAX (1u << 20)

struct nsc_built_text {
    uint64_t packed; /* of nsc_met_text */
    uint32_t n;
    char bytes[];
};

struct nsc_met_text {
    union {
        uint64_t packed;                    /* bytes of few counters, at most 8 */
        const struct nsc_built_text *built; /* if is_built */
    };
    uint32_t template : 30; /* NSC_NO_TEMPLATE: no counters */
    uint32_t is_few : 1;    /* has few counters */
    uint32_t is_built : 1;
    nsc_event event; /* an event with this text; NSC_NONE: it is built */
};
#define NSC_NO_TEMPLATE (((uint32_t)1 << 30) - 1)

struct nsc_texts {
    const struct nsc_trace *trace;
    NSC_VEC(struct nsc_met_text) all; /* by number */
    struct nsc_arena arena;           /* bytes of built texts */
    struct nsc_strpool keys;          /* texts without counters, and templates with many of them */
    NSC_VEC(nsc_str) of_key;          /* their numbers */
    struct nsc_strpool templates;
    uint32_t *of_template;  /* by name with counters: its template + 1; 0: not seen yet */
    struct nsc_idtable few; /* texts with few counters */
    nsc_str next; /* after the text found last: ranks of a job have the same texts in one order */
    nsc_str *of_name;  /* by name, of its text without counters: its number + 1; 0: not seen yet */
    nsc_str *of_link;  /* by half the link of an event with counters of several bytes: the same */
    bool keeps_events; /* in of_link */
    nsc_str *of_pattern; /* by name with counters: the number of its pattern + 1 */
    uint32_t most;       /* NSC_TEXTS_MAX; tests set a lower limit */
    bool is_folded;      /* some numbers mean several texts */
};

void nsc_texts_init(struct nsc_texts *texts, const struct nsc_trace *trace);
void nsc_texts_fini(struct nsc_texts *texts);
/* Drops the numbers of texts with counters. Saves memory if no event is looked up twice. */
void nsc_texts_drop_events(struct nsc_texts *texts);
/* The number of an event's full text; 0 for "". */
nsc_str nsc_texts_of(struct nsc_texts *texts, nsc_event event);
/* The number of any text; copies it. */
nsc_str nsc_texts_add(struct nsc_texts *texts, struct nsc_text text);
/* Raw bytes, borrowed from texts. */
struct nsc_text nsc_texts_at(struct nsc_texts *texts, nsc_str text);
/* The template of a text, below texts->templates.n: texts of one template differ only in their
 * counters. NSC_NONE: none. */
uint32_t nsc_texts_template(const struct nsc_texts *texts, nsc_str text);

#endif
