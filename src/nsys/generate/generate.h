/*
 * Makes a synthetic export: a training job of any size, with the schema of a recent Nsight Systems
 * version.
 *
 * Equal options give equal rows. An existing file is refused unless force is set. Times, names and
 * shapes imitate data-parallel training: iterations of forward, backward with overlapped
 * all-reduce, optimizer, copies.
 */
#ifndef NSC_NSYS_GENERATE_H
#define NSC_NSYS_GENERATE_H

#include "nsyscope/status.h"

#include "core/progress.h"

#include <stdbool.h>
#include <stdint.h>

enum nsc_shape_id {
#define NSC_SHAPE(id, name, processes, streams, ranges, distinct, by_end, nodes) NSC_SHAPE_##id,
#include "nsys/generate/shape.def"
#undef NSC_SHAPE
    NSC_N_SHAPES
};

struct nsc_generate_options {
    uint64_t kernels; /* exact total, divided among the devices */
    uint32_t devices; /* 1..64, with one process each */
    uint32_t streams; /* compute streams per device, 1..90 */
    uint32_t depth;   /* extra NVTX levels in each operation, 0..4096 */
    uint32_t layers;  /* of the model, 1..90 */
    uint64_t seed;
    enum nsc_shape_id shape; /* all but the first, training, use kernels, devices and seed only */
    bool shuffle;            /* the rows of each table of events stand in no order */
    bool graphs;             /* the optimizer runs as a CUDA graph every fourth iteration */
    bool force;              /* overwrite an existing file */
};

#define NSC_GENERATE_OPTIONS_INIT                                                            \
    {                                                                                        \
        .kernels = 20000, .devices = 2, .streams = 1, .layers = 8, .seed = 1, .graphs = true \
    }

/* NSC_EINVAL (options), NSC_EIO (cannot write), NSC_ECANCELLED. On failure the incomplete file is
 * removed. */
NSC_NODISCARD enum nsc_status nsc_generate(const char *path,
                                           const struct nsc_generate_options *options,
                                           struct nsc_progress *progress, struct nsc_error *error);

/*
 * Repeats an export in time, with its real names and nesting, to make an export of any size.
 */
struct nsc_tile_options {
    const char *from; /* the export to repeat; never written to */
    uint64_t times;   /* how often its events are in the result, at least 1 */
    bool force;       /* overwrite an existing file */
    bool shuffle;     /* the rows of each repetition stand in no order */
};

/*
 * Copies all tables to a new file, and tables with events once per repetition: times, correlation
 * ids and keys move on by the range of the original. Equal inputs give equal rows. NSC_EINVAL:
 * options, or numbers that would not fit; NSC_EIO: cannot read or write. On failure the incomplete
 * file is removed.
 */
NSC_NODISCARD enum nsc_status nsc_tile(const char *path, const struct nsc_tile_options *options,
                                       struct nsc_error *error);

#endif
