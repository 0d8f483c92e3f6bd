/*
 * Times, durations, bytes, counts and percentages as people write them: to text and back.
 */
#ifndef NSC_CORE_UNITS_H
#define NSC_CORE_UNITS_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#define NSC_UNITS_BYTES      32 /* enough for each result below, with its NUL */
#define NSC_UNITS_SPAN_BYTES 96

/* Each returns out. */

/* "9.21 ms", "203 µs", "12 ns", "1.50 s": three significant digits, exact ns below 1 µs. ascii:
 * "us". INT64_MAX, where sums are capped: "at least 292 years". */
const char *nsc_units_duration(char out[NSC_UNITS_BYTES], nsc_time ns, bool ascii);
/* "µs", "us". */
const char *nsc_units_micro(bool ascii);
/* "155.382 104 882 s": a point in time, to the ns in groups of three. */
const char *nsc_units_instant(char out[NSC_UNITS_BYTES], nsc_time t);
/* "1.000 000 000 s to 2.500 000 000 s", and with the length behind it, " (1.50 s)". */
const char *nsc_units_span(char out[NSC_UNITS_SPAN_BYTES], struct nsc_window w);
const char *nsc_units_window(char out[NSC_UNITS_SPAN_BYTES], struct nsc_window w, bool ascii);
/* A point in time with the decimals that step (ns) needs: 155.37 s for a step of 10 ms. For ruler
 * ticks. */
const char *nsc_units_tick(char out[NSC_UNITS_BYTES], nsc_time t, nsc_time step, bool ascii);
/* "1.5 KiB", "20 B". */
const char *nsc_units_bytes(char out[NSC_UNITS_BYTES], uint64_t bytes);
/* "1 234 567". */
const char *nsc_units_count(char out[NSC_UNITS_BYTES], uint64_t n);
/* "71.2 %" of part in whole; "-" if whole is 0; above 100 % only if part exceeds whole; "<0.1 %"
 * instead of 0 if part is not 0. */
const char *nsc_units_percent(char out[NSC_UNITS_BYTES], nsc_time part, nsc_time whole);
/* The same of a share in percent, rounded. */
const char *nsc_units_share(char out[NSC_UNITS_BYTES], double percent);
/* "st" of 1, 21 and 101, "nd", "rd", "th". */
const char *nsc_units_ordinal(uint64_t n);

/* The meaning of a number without a unit. */
enum nsc_units_default { NSC_UNITS_NS, NSC_UNITS_S };

/* Reads "39s", "1.5 ms", "-20us", "500", "155.382104882" as ns, exactly (without a double): digits
 * below 1 ns and overflow are errors. Units: ns, us, µs, ms, s, m, h. */
NSC_NODISCARD enum nsc_status nsc_units_parse_time(nsc_time *out, const char *text,
                                                   enum nsc_units_default unit,
                                                   struct nsc_error *error);
/* Reads "64M", "2GiB", "1024" as bytes (K, M, G, T are powers of 1024). */
NSC_NODISCARD enum nsc_status nsc_units_parse_bytes(uint64_t *out, const char *text,
                                                    struct nsc_error *error);

/* The time of day: 2026-11-30T13:35:00Z; "-" if there is none. */
void nsc_units_now(char out[40]);

#endif
