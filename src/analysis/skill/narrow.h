/*
 * What a question in people's words narrows: a time, GPUs, streams, iterations, a name.
 *
 *     time       "between 1.2 s and 1.4 s", "from 10 ms to 20ms", "1.2-1.4 s", "at 3.5 s", "after 2 s",
 *                "before 300 us", "first 10 ms", "last second"; units s, ms, us, µs, ns and their
 *                words. A number without a unit has that of the one behind it; "between 1.2 and 1.4"
 *                are seconds. Durations ("longer than 1 ms") are no times
 *     GPU        "GPU 1", "gpu1", "device 0", "cuda:1"
 *     stream     "stream 7"
 *     iteration  "step 12", "iteration #3", "iterations 3 to 5", "the first 3 steps", "last step"
 *     name       what stands in quotes, or a word with "_" or "::" in it
 *
 * The first of a kind counts. rest is the question without all this, except that the word "GPU"
 * stays.
 */
#ifndef NSC_ANALYSIS_NARROW_H
#define NSC_ANALYSIS_NARROW_H

#include "nsyscope/types.h"

#include "core/buf.h"

#define NSC_NARROW_BYTES 512 /* of a question; the rest of a longer one is not read */

enum nsc_narrow_time {
    NSC_NARROW_ALL,
    NSC_NARROW_SPAN,  /* [t0, t1) on the trace's clock; INT64_MIN, INT64_MAX: open */
    NSC_NARROW_AT,    /* t0 */
    NSC_NARROW_FIRST, /* t0 ns from the start */
    NSC_NARROW_LAST   /* t0 ns up to the end */
};

struct nsc_narrowing {
    uint8_t time; /* enum nsc_narrow_time */
    nsc_time t0, t1;
    int64_t gpu, stream; /* -1: none */
    bool has_steps;
    int64_t step, last_step;     /* below 0: from the end, -1 the last one */
    char name[NSC_NARROW_BYTES]; /* "": none */
    bool is_call;                /* only calls of the API have it */
    char rest[NSC_NARROW_BYTES];
};

void nsc_narrowing_read(struct nsc_narrowing *out, const char *question);
/* Whether it narrows anything but the name. */
bool nsc_narrowing_is_any(const struct nsc_narrowing *of);

#endif
