/*
 * When the other GPUs of a process run work, for intervals that must be asked in ascending order.
 *
 * A host thread that waits while its GPU is idle and another GPU of its process runs work waits for
 * that one. Each row of the other GPUs is read once. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_OTHER_GPUS_H
#define NSC_ANALYSIS_OTHER_GPUS_H

#include "index/lane_merge.h"

struct nsc_other_gpus {
    const struct nsc_trace *trace;
    struct nsc_other_lane {
        nsc_event first;           /* of the lane */
        struct nsc_row_range rows; /* those that may touch the next interval */
        uint64_t process;
    } * lanes; /* of the streams of all other devices */
    uint32_t n;
};

void nsc_other_gpus_init(struct nsc_other_gpus *out, const struct nsc_trace *trace,
                         uint32_t device);
void nsc_other_gpus_fini(struct nsc_other_gpus *of);
/* The first maximal stretch of [t0, t1) in which an op of the process runs on another device. False
 * if there is none. */
bool nsc_other_gpus_busy(struct nsc_other_gpus *of, uint64_t process, nsc_time t0, nsc_time t1,
                         struct nsc_window *stretch);
/* Whether an op of the process ends on another device in (t0, t1]. The interval must not end before
 * the last one asked for; of ops that end before its end, only the last of each lane counts. */
bool nsc_other_gpus_ended(struct nsc_other_gpus *of, uint64_t process, nsc_time t0, nsc_time t1);

#endif
