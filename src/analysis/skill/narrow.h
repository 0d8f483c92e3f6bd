/*
 * Reads the limits in a question: a time, a GPU, a stream, iterations, a name.
 *
 *     time       "between 1.2 s and 1.4 s", "from 10 ms to 20ms", "1.2-1.4 s", "at 3.5 s", "after 2 s",
 *                "before 300 us", "first 10 ms", "last second"; units s, ms, us, µs, ns and their
 *                words. A number without a unit takes that of the next one; "between 1.2 and 1.4"
 *                are seconds
 *     length     "longer than 1 ms", "below 5 us", "at least 2 ms"
 *     GPU        "GPU 1", "gpu1", "device 0", "cuda:1"
 *     stream     "stream 7"
 *     iteration  "step 12", "iteration #3", "iterations 3 to 5", "the first 3 steps", "last step"
 *     direction  of copies: "host to device", "from the GPU to the CPU", "d2h", "peer"
 *     name       a text in quotes, a word that contains "_" or "::", or "cudaGraphLaunch"
 *
 * The first of each kind counts. rest is the question without these parts, but with the word "GPU", and
 * with "h2d" for the words of that direction,
 * with "host-waits" if a host waits for a GPU, and with "gpu-waits" if a GPU waits for another one.
 */
#ifndef NSC_ANALYSIS_NARROW_H
#define NSC_ANALYSIS_NARROW_H

#include "nsyscope/types.h"

#include "core/buf.h"

#define NSC_NARROW_BYTES 512 /* bytes of a question that are read */

enum nsc_narrow_time {
    NSC_NARROW_ALL,
    NSC_NARROW_SPAN,  /* [t0, t1) on the trace's clock; INT64_MIN, INT64_MAX: open */
    NSC_NARROW_AT,    /* t0 */
    NSC_NARROW_FIRST, /* the first t0 ns */
    NSC_NARROW_LAST   /* the last t0 ns */
};

struct nsc_narrowing {
    uint8_t time; /* enum nsc_narrow_time */
    nsc_time t0, t1;
    int64_t gpu, stream; /* -1: none */
    bool has_steps;
    int64_t step, last_step;     /* negative: counted from the end; -1 is the last one */
    char name[NSC_NARROW_BYTES]; /* "": none */
    const char *direction;       /* "host to device"; NULL: none, or several */
    bool is_call;                /* name occurs only in API calls */
    bool has_length, is_longer;  /* only events longer, or shorter, than length */
    nsc_time length;
    bool is_cpu_only;     /* the recording has no GPU work; set by nsc_people_question_name */
    bool lacks_inference; /* it asks for prefill or decode, of which the recording has no sign; set
                           * by nsc_people_question_name */
    char rest[NSC_NARROW_BYTES];
};

void nsc_narrowing_read(struct nsc_narrowing *out, const char *question);
/* Whether the question has any limit but a name. */
bool nsc_narrowing_is_any(const struct nsc_narrowing *of);

#endif
