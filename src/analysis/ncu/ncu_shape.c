/* Numbers distinct launch shapes. */
#include "analysis/ncu/ncu_shape.h"

#include "analysis/base/totals.h"
#include "core/die.h"

#include <stdlib.h>
#include <string.h>

const struct nsc_field_ask nsc_ncu_shape_asks[NSC_NCU_SHAPE_COLUMNS] = {
    {"gridX", NSC_FIELD_INT},  {"gridY", NSC_FIELD_INT},  {"gridZ", NSC_FIELD_INT},
    {"blockX", NSC_FIELD_INT}, {"blockY", NSC_FIELD_INT}, {"blockZ", NSC_FIELD_INT},
};

static struct nsc_ncu_shape shape_of(const int64_t keys[])
{
    struct nsc_ncu_shape shape = {.brief = (nsc_str)keys[0]};

    memcpy(shape.size, keys + 1, sizeof shape.size);
    return shape;
}

bool nsc_ncu_shapes_build(struct nsc_ncu_shapes *out, const struct nsc_trace *trace,
                          const struct nsc_fields *fields)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_names *names = nsc_trace_names(trace);
    struct nsc_totals totals;

    *out = (struct nsc_ncu_shapes){0};
    for (uint32_t c = 0; c < NSC_NCU_SHAPE_COLUMNS; c++)
        if (!nsc_fields_has(fields, c))
            return false;
    totals = nsc_totals_new(1 + NSC_NCU_SHAPE_COLUMNS, 0);
    out->of = nsc_xcalloc((size_t)events->n + 1, sizeof *out->of);
    for (nsc_event event = 0; event < events->n; event++) {
        int64_t keys[1 + NSC_NCU_SHAPE_COLUMNS] = {0};
        uint32_t row = nsc_fields_find(fields, event);

        out->of[event] = NSC_NONE;
        if (events->kind[event] != NSC_KIND_KERNEL)
            continue;
        keys[0] = names->brief[events->name[event]];
        for (uint32_t c = 0; c < NSC_NCU_SHAPE_COLUMNS; c++)
            (void)nsc_fields_int(&keys[1 + c], fields, c, row);
        out->of[event] = nsc_totals_find(&totals, keys);
        if (out->of[event] == out->list.n)
            *NSC_VEC_ADD(&out->list) = shape_of(keys);
    }
    nsc_totals_fini(&totals);
    return true;
}

void nsc_ncu_shapes_fini(struct nsc_ncu_shapes *shapes)
{
    NSC_VEC_FINI(&shapes->list);
    free(shapes->of);
    shapes->of = NULL;
}
