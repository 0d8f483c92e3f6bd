/*
 * The numbers every part of nsyscope agrees on: times, event rows, strings, names and windows.
 *
 * All are plain values. Times are nanoseconds on the export's own clock and may be negative.
 * Every range in the program is half-open: [t0, t1), [first, first + n).
 */
#ifndef NSYSCOPE_TYPES_H
#define NSYSCOPE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t nsc_time;   /* ns on the export's clock */
typedef uint32_t nsc_event; /* row in the event columns: stable while the trace is open */
typedef uint32_t nsc_str;   /* id in the string pool; 0 is "" */
typedef uint32_t nsc_name;  /* id of an event name (see nsyscope/names.h); 0 is the unknown name */

#define NSC_NONE UINT32_MAX /* no such event, lane, track, name */

struct nsc_window {
    nsc_time t0, t1; /* half-open, t0 < t1 */
};

/* Bytes from a file, verbatim: may hold NUL, control characters and invalid UTF-8. Borrowed. */
struct nsc_text {
    const char *bytes;
    uint32_t n;
};

/*
 * The i-th of the n + 1 cut points of w: monotone in i, 0 gives t0, n gives t1, and it never
 * drifts: t0 + (d / n) * i + (d % n) * i / n with d = t1 - t0. Any window of int64 times and any
 * i <= n <= 2^31 is safe from overflow.
 */
static inline nsc_time nsc_window_cut(struct nsc_window w, uint32_t i, uint32_t n)
{
    uint64_t d = (uint64_t)w.t1 - (uint64_t)w.t0;

    return (nsc_time)((uint64_t)w.t0 + d / n * i + d % n * i / n);
}

/* The length of w in ns; windows longer than INT64_MAX ns saturate. */
static inline nsc_time nsc_window_length(struct nsc_window w)
{
    uint64_t d = (uint64_t)w.t1 - (uint64_t)w.t0;

    return d > (uint64_t)INT64_MAX ? INT64_MAX : (nsc_time)d;
}

#ifdef __cplusplus
}
#endif
#endif
