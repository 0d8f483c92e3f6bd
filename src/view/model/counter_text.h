/*
 * Names of counters and text of their values. The profiler states the unit of a GPU metric in its
 * name, or not at all.
 */
#ifndef NSC_VIEW_MODEL_COUNTER_TEXT_H
#define NSC_VIEW_MODEL_COUNTER_TEXT_H

#include "core/text.h"
#include "core/units.h"

/*
 * "%", "Hz", or "" if the name has none: "SM Active [Throughput %]", "GPC Clock Frequency [MHz]".
 * Clock values are in Hz whatever the brackets say, which are hints for drawing in Nsight Systems.
 * name (if not NULL) becomes the name without brackets that only repeat the unit.
 */
const char *nsc_counter_unit(struct nsc_text label, struct nsc_text *name);

/* "50 %", "1.93 GHz"; without a unit "50", "1.93 G" from a million on. */
void nsc_counter_text(char out[NSC_UNITS_BYTES], int64_t value, const char *unit);

#endif
