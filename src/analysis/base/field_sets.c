/*
 * The table of sets of columns.
 */
#include "analysis/base/field_sets.h"

static const struct nsc_field_set_source sources[NSC_N_FIELD_SETS] = {
    [NSC_FIELDS_COPIES] = {NSC_KIND_COPY_OTHER,
                           NULL,
                           {[NSC_COPY_BYTES] = {"bytes", NSC_FIELD_INT},
                            [NSC_COPY_KIND] = {"copyKind", NSC_FIELD_INT},
                            [NSC_COPY_FROM] = {"srcKind", NSC_FIELD_INT},
                            [NSC_COPY_TO] = {"dstKind", NSC_FIELD_INT}},
                           4},
    [NSC_FIELDS_MEMSETS] = {NSC_KIND_MEMSET,
                            NULL,
                            {[NSC_MEMSET_BYTES] = {"bytes", NSC_FIELD_INT}},
                            1},
    [NSC_FIELDS_RANGES] = {NSC_KIND_NVTX_RANGE,
                           NULL,
                           {[NSC_RANGE_END] = {"end", NSC_FIELD_INT}},
                           1},
    [NSC_FIELDS_SAMPLES] = {NSC_KIND_SAMPLE,
                            NULL,
                            {[NSC_SAMPLE_CYCLES] = {"cpuCycles", NSC_FIELD_INT}},
                            1},
    [NSC_FIELDS_GPUS] = {NSC_KIND_UNKNOWN,
                         "TARGET_INFO_GPU",
                         {[NSC_GPU_ID] = {"id", NSC_FIELD_INT},
                          [NSC_GPU_BANDWIDTH] = {"memoryBandwidth", NSC_FIELD_INT},
                          [NSC_GPU_SMS] = {"smCount", NSC_FIELD_INT}},
                         3},
    [NSC_FIELDS_KERNELS] = {NSC_KIND_KERNEL,
                            NULL,
                            {{"gridX", NSC_FIELD_INT},
                             {"gridY", NSC_FIELD_INT},
                             {"gridZ", NSC_FIELD_INT},
                             {"blockX", NSC_FIELD_INT},
                             {"blockY", NSC_FIELD_INT},
                             {"blockZ", NSC_FIELD_INT},
                             {"registersPerThread", NSC_FIELD_INT},
                             {"staticSharedMemory", NSC_FIELD_INT},
                             {"dynamicSharedMemory", NSC_FIELD_INT}},
                            NSC_N_KERNEL_FIELDS},
    [NSC_FIELDS_DIAGNOSTICS] = {NSC_KIND_UNKNOWN,
                                "DIAGNOSTIC_EVENT",
                                {[NSC_DIAGNOSTIC_SEVERITY] = {"severity", NSC_FIELD_INT},
                                 [NSC_DIAGNOSTIC_TEXT] = {"text", NSC_FIELD_TEXT}},
                                2},
};

const struct nsc_field_set_source *nsc_field_set_source(enum nsc_field_set set)
{
    return &sources[set];
}
