/*
 * How many blocks of a kernel fit on a multiprocessor, and what limits them.
 *
 * The rules are those of NVIDIA's occupancy calculator: registers are allocated by warp, in units
 * of 256 and for a multiple of 4 warps; shared memory by block, in units of 128 bytes from compute
 * capability 8.0 on (256 before), with 1 KiB more per block that the driver keeps.
 */
#ifndef NSC_INDEX_OCCUPANCY_H
#define NSC_INDEX_OCCUPANCY_H

#include "nsyscope/types.h"

/* The limits of a multiprocessor; all greater than 0. */
struct nsc_sm_limits {
    int64_t warps, blocks, registers, shared, threads_per_warp;
    int64_t compute_major;
};

struct nsc_block_needs {
    int64_t threads;   /* greater than 0 */
    int64_t registers; /* of a thread */
    int64_t shared;    /* bytes, static and dynamic */
};

struct nsc_occupancy {
    int64_t warps_per_block;
    int64_t by_warps, by_blocks, by_registers, by_shared; /* blocks; INT64_MAX: no limit */
    int64_t blocks;                                       /* the least of them */
};

/* False for values that no device has. */
bool nsc_occupancy_measure(struct nsc_occupancy *out, const struct nsc_sm_limits *sm,
                           const struct nsc_block_needs *block);

#endif
