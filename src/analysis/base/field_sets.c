/*
 * The table of sets of columns.
 */
#include "analysis/base/field_sets.h"

#include "index/payload.h"

static bool ends_last(const struct nsc_trace *trace, nsc_event event)
{
    return nsc_event_end(nsc_trace_events(trace), event) >= nsc_trace_extent(trace).t1;
}

static const struct nsc_field_set_source sources[NSC_N_FIELD_SETS] = {
#define NSC_FIELD(column, name, type) {name, NSC_FIELD_##type},
#define NSC_FIELD_SET(set, kind, table, only, wants, columns) \
    [NSC_FIELDS_##set] = {kind, table, {columns}, only, wants},
#include "analysis/base/field_set.def"
#undef NSC_FIELD_SET
#undef NSC_FIELD
    [NSC_FIELDS_PAYLOAD_ENTRIES] = {.kind = NSC_KIND_UNKNOWN,
                                    .table = "NVTX_PAYLOAD_SCHEMA_ENTRIES",
                                    .asks = NSC_PAYLOAD_ENTRY_ASKS},
    [NSC_FIELDS_PAYLOAD_WORDS] = {.kind = NSC_KIND_UNKNOWN,
                                  .table = "NVTX_PAYLOAD_ENUM_ENTRIES",
                                  .asks = NSC_PAYLOAD_WORD_ASKS},
};

const struct nsc_field_set_source *nsc_field_set_source(enum nsc_field_set set)
{
    return &sources[set];
}

uint32_t nsc_field_set_columns(enum nsc_field_set set)
{
    uint32_t n = 0;

    while (n < NSC_FIELDS_COLUMNS && sources[set].asks[n].name)
        n++;
    return n;
}

int64_t nsc_field_of_gpu(const struct nsc_field_sets *sets, int64_t gpu, uint32_t field)
{
    const struct nsc_fields *fields = nsc_field_set(sets, NSC_FIELDS_GPUS);
    int64_t value = 0;

    for (uint32_t row = 0; fields && row < fields->n; row++) {
        int64_t id = 0;

        if (nsc_fields_int(&id, fields, NSC_GPU_ID, row) && id == gpu &&
            nsc_fields_int(&value, fields, field, row))
            return value;
    }
    return 0;
}

double nsc_kernel_blocks(const struct nsc_fields *kernels, nsc_event kernel)
{
    uint32_t row = nsc_fields_find(kernels, kernel);
    double blocks = 1;

    for (uint32_t k = 0; k < 3; k++) {
        int64_t n = 0;

        blocks *= nsc_fields_int(&n, kernels, NSC_KERNEL_GRID + k, row) ? (double)n : 0;
    }
    return blocks;
}
