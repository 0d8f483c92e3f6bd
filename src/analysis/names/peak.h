/*
 * The peak rates of GPUs by name: the denominators of MFU and of a roofline.
 */
#ifndef NSC_ANALYSIS_PEAK_H
#define NSC_ANALYSIS_PEAK_H

#include "nsyscope/types.h"

/* The types of 16 bits that tensor cores take: bf16 and fp16 at one rate, or only fp16. */
enum nsc_half { NSC_HALF_BF16, NSC_HALF_FP16 };

struct nsc_peak {
    const char *words; /* words in the name of the device */
    enum nsc_half type;
    double half, fp8; /* tensor cores, dense, TFLOP/s; 0: none */
    double fp32;      /* outside tensor cores, TFLOP/s */
    double bytes;     /* memory, GB/s (10^9 bytes) */
    int64_t sms;      /* multiprocessors; 0: not checked */
};

/* NULL for a device that is not in the table, or a variant of one that is (a MIG slice, a laptop):
 * the caller asks for --peak and does not guess. */
const struct nsc_peak *nsc_peak_find(struct nsc_text device);
/* The same, NULL also if the export counts other multiprocessors. sms: 0 if it does not say. */
const struct nsc_peak *nsc_peak_find_part(struct nsc_text device, int64_t sms);
/* What all NVLinks of a GPU carry in one direction, GB/s: the most that the bus bandwidth of a
 * collective inside one machine can be. 0 for GPUs without NVLink, with bridges, or not listed. */
double nsc_link_peak_find(struct nsc_text device);

#endif
