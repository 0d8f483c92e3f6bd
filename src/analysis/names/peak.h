/*
 * The peak rates of GPUs by name: the denominators of MFU and of a roofline.
 */
#ifndef NSC_ANALYSIS_PEAK_H
#define NSC_ANALYSIS_PEAK_H

#include "nsyscope/types.h"

/* The 16-bit types of tensor cores: bf16 and fp16 at one rate, or only fp16. */
enum nsc_half { NSC_HALF_BF16, NSC_HALF_FP16 };

struct nsc_peak {
    const char *words; /* words that the name of the device contains */
    enum nsc_half type;
    double half, fp8; /* tensor cores, dense, TFLOP/s; 0: none */
    double fp32;      /* outside tensor cores, TFLOP/s */
    double bytes;     /* memory, GB/s (10^9 bytes) */
    int64_t sms;      /* multiprocessors; 0: not checked */
};

/* NULL for a device that is not in the table, or a variant of one that is (a MIG slice, a laptop):
 * the caller then asks for --peak instead of guessing. */
const struct nsc_peak *nsc_peak_find(struct nsc_text device);
/* As nsc_peak_find; NULL also if the export counts other multiprocessors. sms: 0 if it does not
 * count them. */
const struct nsc_peak *nsc_peak_find_part(struct nsc_text device, int64_t sms);
/* The rate of all NVLinks of a GPU in one direction, GB/s: the upper limit for the bus bandwidth of
 * a collective inside one machine. 0 for GPUs without NVLink, with bridges, or not listed. */
double nsc_link_peak_find(struct nsc_text device);

#endif
