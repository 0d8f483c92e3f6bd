/*
 * Makes a synthetic export: a training job of any size, with the schema of a recent Nsight Systems
 * version.
 *
 * Equal options give equal rows. An existing file is refused unless force is set. Times, names and
 * shapes imitate data-parallel training: iterations of forward, backward with overlapped
 * all-reduce, optimizer (every fourth time as a CUDA graph), copies.
 */
#ifndef NSC_NSYS_GENERATE_H
#define NSC_NSYS_GENERATE_H

#include "nsyscope/status.h"

#include <stdbool.h>
#include <stdint.h>

struct nsc_generate_options {
    uint64_t kernels; /* exact total, divided among the devices */
    uint32_t devices; /* 1..64, with one process each */
    uint32_t streams; /* compute streams per device, 1..90 */
    uint32_t depth;   /* extra NVTX levels in each operation, 0..4096 */
    uint32_t layers;  /* of the model, 1..90 */
    uint64_t seed;
    bool force; /* overwrite an existing file */
};

#define NSC_GENERATE_OPTIONS_INIT                                            \
    {                                                                        \
        .kernels = 20000, .devices = 2, .streams = 1, .layers = 8, .seed = 1 \
    }

/* NSC_EINVAL (options), NSC_EWRITE. On failure the incomplete file is removed. */
NSC_NODISCARD enum nsc_status
nsc_generate(const char *path, const struct nsc_generate_options *options, struct nsc_error *error);

#endif
