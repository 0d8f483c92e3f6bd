/*
 * What a GPU can do at most, by its name: the denominators of MFU and of a roofline.
 */
#ifndef NSC_ANALYSIS_PEAK_H
#define NSC_ANALYSIS_PEAK_H

#include "nsyscope/types.h"

struct nsc_peak {
    const char *words; /* what the device's name has to hold */
    double bf16, fp8;  /* tensor cores, dense, TFLOP/s; 0: it has none */
    double fp32;       /* outside tensor cores, TFLOP/s */
    double bytes;      /* memory, GB/s (10^9 bytes) */
};

/* NULL for a device that is not in the table: ask for --peak, never guess. */
const struct nsc_peak *nsc_peak_find(struct nsc_text device);

#endif
