/*
 * The types that every part of nsyscope uses: times, event rows, strings, names and windows.
 *
 * Times are ns on the export's own clock and may be negative. Every range is half-open: [t0, t1),
 * [first, first + n).
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
typedef uint32_t nsc_event; /* row in the event columns: its number never changes */
typedef uint32_t nsc_str;   /* id in the string pool; 0 is "" */
typedef uint32_t nsc_name;  /* id of an event name (struct nsc_names); 0: the unknown name */

#define NSC_NONE UINT32_MAX /* no such event, lane, track, name */

struct nsc_window {
    nsc_time t0, t1; /* half-open; t0 < t1 */
};

/*
 * Bytes from a file, unchanged: NUL, control characters and invalid UTF-8 are possible. Borrowed.
 */
struct nsc_text {
    const char *bytes;
    uint32_t n;
};

/* Cut point i of the n + 1 of w: 0 gives t0, n gives t1; ascending in i, without drift: t0 + (d /
 * n) * i + (d % n) * i / n with d = t1 - t0. No overflow for any int64 times and i <= n <= 2^31. */
static inline nsc_time nsc_window_cut(struct nsc_window w, uint32_t i, uint32_t n)
{
    uint64_t d = (uint64_t)w.t1 - (uint64_t)w.t0;

    return (nsc_time)((uint64_t)w.t0 + d / n * i + d % n * i / n);
}

/* The length of w in ns; saturates at INT64_MAX. */
static inline nsc_time nsc_window_length(struct nsc_window w)
{
    uint64_t d = (uint64_t)w.t1 - (uint64_t)w.t0;

    return d > (uint64_t)INT64_MAX ? INT64_MAX : (nsc_time)d;
}

#ifdef __cplusplus
}
#endif
#endif
