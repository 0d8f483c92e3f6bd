/* The inside of struct nsc_filter, for the files that parse and apply it. */
#ifndef NSC_ANALYSIS_FILTER_DATA_H
#define NSC_ANALYSIS_FILTER_DATA_H

#include "analysis/select/filter.h"
#include "core/arena.h"

#include <regex.h>

enum nsc_filter_field {
    NSC_FILTER_NAME,
    NSC_FILTER_EXACT,
    NSC_FILTER_REGEX,
    NSC_FILTER_KIND,
    NSC_FILTER_LONGER,
    NSC_FILTER_SHORTER,
    NSC_FILTER_RANK,
    NSC_FILTER_GPU,
    NSC_FILTER_STREAM,
    NSC_FILTER_PID,
    NSC_FILTER_TID,
    NSC_FILTER_DOMAIN,
    NSC_FILTER_NVTX,
    NSC_FILTER_CAPTURED,
    NSC_FILTER_TIME,
    NSC_N_FILTER_FIELDS
};

enum nsc_filter_type {
    NSC_FILTER_TEXT,
    NSC_FILTER_PATTERN,
    NSC_FILTER_WORD,
    NSC_FILTER_DURATION,
    NSC_FILTER_NUMBER,
    NSC_FILTER_WINDOW
};

/* The syntax of a field; the table is in filter_parse.c. */
struct nsc_filter_form {
    const char *key; /* with its operator: "name:", "dur>" */
    enum nsc_filter_type type;
    const char *help; /* what it selects, with an example */
};
extern const struct nsc_filter_form nsc_filter_forms[NSC_N_FILTER_FIELDS];

struct nsc_filter_value {
    struct nsc_text text;     /* TEXT, PATTERN, WORD */
    int64_t number;           /* NUMBER, DURATION */
    struct nsc_window window; /* WINDOW; a missing end is the end of all time */
};

struct nsc_filter_term {
    enum nsc_filter_field field;
    bool negated;
    uint32_t n;
    struct nsc_filter_value *values;
    regex_t *regex;      /* of a PATTERN */
    bool skips_digits;   /* of a PATTERN: the digits of a text cannot change its match */
    uint32_t begin, end; /* its place in the line */
};

enum { NSC_FILTER_TERMS = 64, NSC_FILTER_VALUES = 256 };

struct nsc_filter {
    struct nsc_arena arena;
    uint32_t n;
    struct nsc_filter_term terms[NSC_FILTER_TERMS];
};

/* ---- names: decided once per distinct name if possible ---- */

enum nsc_filter_verdict {
    NSC_FILTER_NO,
    NSC_FILTER_YES,
    NSC_FILTER_ASK /* the text of each event decides */
};

/* Whether a text matches any value of a NAME, EXACT, NVTX, CAPTURED or REGEX term; the caller handles
 * negation. */
bool nsc_filter_match_text(const struct nsc_filter_term *term, struct nsc_text text);
enum nsc_filter_verdict nsc_filter_match_name(const struct nsc_filter_term *term,
                                              const struct nsc_trace *trace, nsc_name name);
/* As nsc_filter_match_text, for the text of an event, whatever the verdict on its name. */
bool nsc_filter_match_event(const struct nsc_filter_term *term, const struct nsc_trace *trace,
                            nsc_event event);

/* ---- nvtx: and captured: the matching ranges of each thread ---- */

static inline bool nsc_filter_has_ranges(const struct nsc_filter_term *term)
{
    return term->field == NSC_FILTER_NVTX || term->field == NSC_FILTER_CAPTURED;
}

struct nsc_filter_ranges;

/* Reads nothing yet. First judge each name, on any thread; then find the ranges. */
struct nsc_filter_ranges *nsc_filter_ranges_new(const struct nsc_filter_term *term,
                                                const struct nsc_trace *trace);
void nsc_filter_ranges_free(struct nsc_filter_ranges *ranges); /* NULL is fine */
void nsc_filter_ranges_match(struct nsc_filter_ranges *ranges, nsc_name name);
/* progress may be NULL; once it is cancelled, ranges are missing. */
void nsc_filter_ranges_find(struct nsc_filter_ranges *ranges, struct nsc_progress *progress);

/* Where the last search ended; zero at first. Any value is correct, a near one is faster. */
struct nsc_filter_hint {
    uint32_t lane;
    size_t range;
};

/* Whether an event on this track, or its launch, lies inside a matching range of its thread;
 * captured: whether the capture of an op does. */
bool nsc_filter_ranges_hold(const struct nsc_filter_ranges *ranges, const struct nsc_trace *trace,
                            uint32_t track, nsc_event event, struct nsc_filter_hint *hint);

#endif
