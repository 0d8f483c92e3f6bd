/* Launch shapes: kernels with the same short name, grid and block share one. */
#ifndef NSC_ANALYSIS_NCU_SHAPE_H
#define NSC_ANALYSIS_NCU_SHAPE_H

#include "nsyscope/trace.h"

#include "core/vec.h"
#include "index/fields.h"

/* The columns to read of every kernel, in this order: grid x, y, z, block x, y, z. */
enum { NSC_NCU_SHAPE_COLUMNS = 6 };
extern const struct nsc_field_ask nsc_ncu_shape_asks[NSC_NCU_SHAPE_COLUMNS];

struct nsc_ncu_shape {
    nsc_str brief; /* the short name */
    int64_t size[NSC_NCU_SHAPE_COLUMNS];
};

/* Immutable once built; the owner calls fini. */
struct nsc_ncu_shapes {
    NSC_VEC(struct nsc_ncu_shape) list; /* distinct shapes, in order of their first kernel */
    uint32_t *of;                       /* by event: number in list; NSC_NONE: no kernel; owned */
};

/* False if the export does not record shapes: then each kernel counts by its name alone. */
bool nsc_ncu_shapes_build(struct nsc_ncu_shapes *out, const struct nsc_trace *trace,
                          const struct nsc_fields *fields);
void nsc_ncu_shapes_fini(struct nsc_ncu_shapes *shapes);

#endif
