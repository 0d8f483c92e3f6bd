/*
 * The table of sets of columns.
 */
#include "analysis/base/field_sets.h"

#include "index/payload.h"

static bool ends_last(const struct nsc_trace *trace, nsc_event event)
{
    return nsc_event_end(nsc_trace_events(trace), event) >= nsc_trace_extent(trace).t1;
}

/* The columns of all tables of call stacks, as enum nsc_chain_field has them. */
/* clang-format off */
#define CHAIN_ASKS                                                                 \
    {{"id", NSC_FIELD_INT}, {"stackDepth", NSC_FIELD_INT}, {"symbol", NSC_FIELD_STRING}, \
     {"module", NSC_FIELD_STRING}, {"unresolved", NSC_FIELD_INT}}
/* clang-format on */

static const struct nsc_field_set_source sources[NSC_N_FIELD_SETS] = {
    [NSC_FIELDS_COPIES] = {.kind = NSC_KIND_COPY_OTHER,
                           .asks = {[NSC_COPY_BYTES] = {"bytes", NSC_FIELD_INT},
                                    [NSC_COPY_KIND] = {"copyKind", NSC_FIELD_INT},
                                    [NSC_COPY_FROM] = {"srcKind", NSC_FIELD_INT},
                                    [NSC_COPY_TO] = {"dstKind", NSC_FIELD_INT},
                                    [NSC_COPY_CAUSE] = {"migrationCause", NSC_FIELD_INT}}},
    [NSC_FIELDS_MEMSETS] = {.kind = NSC_KIND_MEMSET,
                            .asks = {[NSC_MEMSET_BYTES] = {"bytes", NSC_FIELD_INT}}},
    [NSC_FIELDS_RANGES] = {.kind = NSC_KIND_NVTX_RANGE,
                           .asks = {[NSC_RANGE_END] = {"end", NSC_FIELD_INT},
                                    [NSC_RANGE_END_THREAD] = {"endGlobalTid", NSC_FIELD_INT}}},
    [NSC_FIELDS_LAST_RANGES] = {.kind = NSC_KIND_NVTX_RANGE,
                                .asks = {[NSC_RANGE_END] = {"end", NSC_FIELD_INT}},
                                .wants = ends_last},
    [NSC_FIELDS_SAMPLES] = {.kind = NSC_KIND_SAMPLE,
                            .asks = {[NSC_SAMPLE_CYCLES] = {"cpuCycles", NSC_FIELD_INT},
                                     [NSC_SAMPLE_ID] = {"id", NSC_FIELD_INT}}},
    [NSC_FIELDS_CALLCHAINS] = {.kind = NSC_KIND_UNKNOWN,
                               .table = "SAMPLING_CALLCHAINS",
                               .asks = CHAIN_ASKS},
    [NSC_FIELDS_CALL_CHAINS] = {.kind = NSC_KIND_UNKNOWN,
                                .table = "CUDA_CALLCHAINS",
                                .asks = CHAIN_ASKS},
    [NSC_FIELDS_CALL_STACKS] = {.kind = NSC_KIND_UNKNOWN,
                                .table = "CUPTI_ACTIVITY_KIND_RUNTIME",
                                .asks = {[NSC_CALL_STACK_START] = {"start", NSC_FIELD_INT},
                                         [NSC_CALL_STACK_END] = {"end", NSC_FIELD_INT},
                                         [NSC_CALL_STACK_THREAD] = {"globalTid", NSC_FIELD_INT},
                                         [NSC_CALL_STACK_CHAIN] = {"callchainId", NSC_FIELD_INT}},
                                .only = "callchainId"},
    [NSC_FIELDS_GPUS] = {.kind = NSC_KIND_UNKNOWN,
                         .table = "TARGET_INFO_GPU",
                         .asks = {[NSC_GPU_ID] = {"id", NSC_FIELD_INT},
                                  [NSC_GPU_BANDWIDTH] = {"memoryBandwidth", NSC_FIELD_INT},
                                  [NSC_GPU_SMS] = {"smCount", NSC_FIELD_INT},
                                  [NSC_GPU_MEMORY] = {"totalMemory", NSC_FIELD_INT}}},
    [NSC_FIELDS_CUDA_DEVICES] = {.kind = NSC_KIND_UNKNOWN,
                                 .table = "TARGET_INFO_CUDA_DEVICE",
                                 .asks = {[NSC_CUDA_DEVICE_GPU] = {"gpuId", NSC_FIELD_INT},
                                          [NSC_CUDA_DEVICE_SMS] = {"numMultiprocessors",
                                                                   NSC_FIELD_INT}}},
    [NSC_FIELDS_KERNELS] = {.kind = NSC_KIND_KERNEL,
                            .asks = {{"gridX", NSC_FIELD_INT},
                                     {"gridY", NSC_FIELD_INT},
                                     {"gridZ", NSC_FIELD_INT},
                                     {"blockX", NSC_FIELD_INT},
                                     {"blockY", NSC_FIELD_INT},
                                     {"blockZ", NSC_FIELD_INT},
                                     {"registersPerThread", NSC_FIELD_INT},
                                     {"staticSharedMemory", NSC_FIELD_INT},
                                     {"dynamicSharedMemory", NSC_FIELD_INT}}},
    [NSC_FIELDS_DIAGNOSTICS] = {.kind = NSC_KIND_UNKNOWN,
                                .table = "DIAGNOSTIC_EVENT",
                                .asks = {[NSC_DIAGNOSTIC_SEVERITY] = {"severity", NSC_FIELD_INT},
                                         [NSC_DIAGNOSTIC_TEXT] = {"text", NSC_FIELD_TEXT}}},
    [NSC_FIELDS_EVENTS] = {.kind = NSC_KIND_UNKNOWN,
                           .table = "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
                           .asks = {[NSC_EVENT_CORRELATION] = {"correlationId", NSC_FIELD_INT},
                                    [NSC_EVENT_CONTEXT] = {"contextId", NSC_FIELD_INT},
                                    [NSC_EVENT_STREAM] = {"streamId", NSC_FIELD_INT},
                                    [NSC_EVENT_ID] = {"eventId", NSC_FIELD_INT},
                                    [NSC_EVENT_SYNC_ID] = {"eventSyncId", NSC_FIELD_INT},
                                    [NSC_EVENT_PROCESS] = {"globalPid", NSC_FIELD_INT}}},
    [NSC_FIELDS_SYNCS] = {.kind = NSC_KIND_SYNC,
                          .asks = {[NSC_SYNC_CORRELATION] = {"correlationId", NSC_FIELD_INT},
                                   [NSC_SYNC_CONTEXT] = {"contextId", NSC_FIELD_INT},
                                   [NSC_SYNC_STREAM] = {"streamId", NSC_FIELD_INT},
                                   [NSC_SYNC_EVENT] = {"eventId", NSC_FIELD_INT},
                                   [NSC_SYNC_SYNC_ID] = {"eventSyncId", NSC_FIELD_INT}}},
    [NSC_FIELDS_CALLS] = {.kind = NSC_KIND_API_RUNTIME,
                          .asks = {[NSC_CALL_CORRELATION] = {"correlationId", NSC_FIELD_INT}}},
    [NSC_FIELDS_STREAMS] = {.kind = NSC_KIND_UNKNOWN,
                            .table = "TARGET_INFO_CUDA_STREAM",
                            .asks = {[NSC_STREAM_ID] = {"streamId", NSC_FIELD_INT},
                                     [NSC_STREAM_CONTEXT] = {"contextId", NSC_FIELD_INT},
                                     [NSC_STREAM_PROCESS] = {"processId", NSC_FIELD_INT},
                                     [NSC_STREAM_FLAG] = {"flag", NSC_FIELD_INT}}},
    [NSC_FIELDS_PAYLOADS] = {.kind = NSC_KIND_UNKNOWN,
                             .table = "NVTX_EVENTS",
                             .asks = {[NSC_PAYLOAD_ROW] = {"rowid", NSC_FIELD_INT},
                                      [NSC_PAYLOAD_BYTES] = {"binaryData", NSC_FIELD_BYTES}},
                             .only = "binaryData"},
    [NSC_FIELDS_PAYLOAD_ENTRIES] = {.kind = NSC_KIND_UNKNOWN,
                                    .table = "NVTX_PAYLOAD_SCHEMA_ENTRIES",
                                    .asks = NSC_PAYLOAD_ENTRY_ASKS},
    [NSC_FIELDS_PAYLOAD_WORDS] = {.kind = NSC_KIND_UNKNOWN,
                                  .table = "NVTX_PAYLOAD_ENUM_ENTRIES",
                                  .asks = NSC_PAYLOAD_WORD_ASKS},
    [NSC_FIELDS_MPI_MESSAGES] = {.kind = NSC_KIND_MPI_P2P,
                                 .asks = {[NSC_MPI_COMM] = {"commHandle", NSC_FIELD_INT},
                                          [NSC_MPI_TAG] = {"tag", NSC_FIELD_INT},
                                          [NSC_MPI_REMOTE] = {"remoteRank", NSC_FIELD_INT},
                                          [NSC_MPI_REQUEST] = {"requestHandle", NSC_FIELD_INT}}},
    [NSC_FIELDS_MPI_WAITS] = {.kind = NSC_KIND_MPI_WAIT,
                              .asks = {[NSC_MPI_WAIT_REQUEST] = {"requestHandle", NSC_FIELD_INT}}},
    [NSC_FIELDS_MPI_RANKS] = {.kind = NSC_KIND_UNKNOWN,
                              .table = "MPI_RANKS",
                              .asks = {[NSC_MPI_RANK_THREAD] = {"globalTid", NSC_FIELD_INT},
                                       [NSC_MPI_RANK_NUMBER] = {"rank", NSC_FIELD_INT}}},
    [NSC_FIELDS_MPI_COMMS] = {.kind = NSC_KIND_UNKNOWN,
                              .table = "MPI_COMMUNICATORS",
                              .asks = {[NSC_MPI_COMM_RANK] = {"rank", NSC_FIELD_INT},
                                       [NSC_MPI_COMM_HANDLE] = {"commHandle", NSC_FIELD_INT},
                                       [NSC_MPI_COMM_PARENT] = {"parentHandle", NSC_FIELD_INT}}},
    [NSC_FIELDS_KERNEL_NODES] = {.kind = NSC_KIND_KERNEL, .asks = {{"graphNodeId", NSC_FIELD_INT}}},
    [NSC_FIELDS_COPY_NODES] = {.kind = NSC_KIND_COPY_OTHER,
                               .asks = {{"graphNodeId", NSC_FIELD_INT}}},
    [NSC_FIELDS_MEMSET_NODES] = {.kind = NSC_KIND_MEMSET, .asks = {{"graphNodeId", NSC_FIELD_INT}}},
    [NSC_FIELDS_NODES] = {.kind = NSC_KIND_GRAPH_NODE_EVENT,
                          .asks = {[NSC_NODE_ID] = {"graphNodeId", NSC_FIELD_INT},
                                   [NSC_NODE_ORIGINAL] = {"originalGraphNodeId", NSC_FIELD_INT}}},
    [NSC_FIELDS_OLD_NODES] = {.kind = NSC_KIND_GRAPH_EVENT,
                              .asks = {[NSC_NODE_ID] = {"graphNodeId", NSC_FIELD_INT},
                                       [NSC_NODE_ORIGINAL] = {"originalGraphNodeId",
                                                              NSC_FIELD_INT}}},
};

const struct nsc_field_set_source *nsc_field_set_source(enum nsc_field_set set)
{
    return &sources[set];
}

uint32_t nsc_field_set_columns(enum nsc_field_set set)
{
    uint32_t n = 0;

    while (n < NSC_N_KERNEL_FIELDS && sources[set].asks[n].name)
        n++;
    return n;
}
