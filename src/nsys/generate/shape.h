/*
 * The shapes of synthetic exports, and the simulation of all but the training job.
 */
#ifndef NSC_NSYS_SHAPE_H
#define NSC_NSYS_SHAPE_H

#include "nsys/generate/generate.h"
#include "nsys/generate/generate_tables.h"

struct nsc_job_shape {
    const char *name;
    uint32_t processes, streams, ranges, distinct;
    bool by_end;
    uint32_t nodes;
};

/* Indexed by enum nsc_shape_id; shape.def explains the fields. */
extern const struct nsc_job_shape nsc_shapes[NSC_N_SHAPES];

/* Writes all tables, one after the other, and returns the end of the last event. The writer keeps
 * the first error; stops early if cancelled. */
int64_t nsc_shape_write(struct nsc_writer *writer, const struct nsc_generate_options *options,
                        struct nsc_progress *progress);

#endif
