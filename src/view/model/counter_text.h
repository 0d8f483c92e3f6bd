/*
 * What a counter is called and how its values are written: the profiler tells the unit of a GPU
 * metric in its name, if at all.
 */
#ifndef NSC_VIEW_MODEL_COUNTER_TEXT_H
#define NSC_VIEW_MODEL_COUNTER_TEXT_H

#include "core/text.h"
#include "core/units.h"

/*
 * "%", "Hz", or "" when the name tells none: "SM Active [Throughput %]", "GPC Clock Frequency
 * [MHz]". Values of clocks are in Hz whatever the brackets say, which are about how Nsight Systems
 * draws them. name (if not NULL) becomes the name without brackets that the unit says as well.
 */
const char *nsc_counter_unit(struct nsc_text label, struct nsc_text *name);

/* "50 %", "1.93 GHz"; without a unit "50", "1.93 G" from a million on. */
void nsc_counter_text(char out[NSC_UNITS_BYTES], int64_t value, const char *unit);

#endif
