/*
 * Columns of an export that the index does not hold, in sets. A set is read when a question first
 * asks for it. analysis/ opens no files, so the caller of a question passes a provider (NULL:
 * none).
 *
 * If a set cannot be read, or the table lacks a column, the answer is "not known".
 */
#ifndef NSC_ANALYSIS_FIELD_SETS_H
#define NSC_ANALYSIS_FIELD_SETS_H

#include "nsyscope/trace.h"

#include "index/fields.h"

enum nsc_field_set {
    NSC_FIELDS_COPIES,          /* one row per copy: enum nsc_copy_field */
    NSC_FIELDS_MEMSETS,         /* one row per memset: enum nsc_memset_field */
    NSC_FIELDS_DIAGNOSTICS,     /* rows of DIAGNOSTIC_EVENT: enum nsc_diagnostic_field */
    NSC_FIELDS_RANGES,          /* one row per NVTX event: enum nsc_range_field */
    NSC_FIELDS_LAST_RANGES,     /* NSC_RANGE_END of the NVTX ranges that end with the trace, because
                                 * only they can be open; few, so cheaper than all */
    NSC_FIELDS_SAMPLES,         /* one row per CPU sample: enum nsc_sample_field */
    NSC_FIELDS_CALLCHAINS,      /* frames of the stacks of CPU samples: enum nsc_chain_field */
    NSC_FIELDS_GPUS,            /* rows of TARGET_INFO_GPU: enum nsc_gpu_field */
    NSC_FIELDS_CUDA_DEVICES,    /* rows of TARGET_INFO_CUDA_DEVICE: enum nsc_cuda_device_field */
    NSC_FIELDS_KERNELS,         /* one row per kernel: enum nsc_kernel_field */
    NSC_FIELDS_EVENTS,          /* rows of CUPTI_ACTIVITY_KIND_CUDA_EVENT: enum nsc_event_field */
    NSC_FIELDS_SYNCS,           /* one row per synchronization: enum nsc_sync_field */
    NSC_FIELDS_CALLS,           /* one row per CUDA API call: enum nsc_call_field */
    NSC_FIELDS_STREAMS,         /* rows of TARGET_INFO_CUDA_STREAM: enum nsc_stream_field */
    NSC_FIELDS_PAYLOADS,        /* rows of NVTX_EVENTS with a payload: enum nsc_payload_field */
    NSC_FIELDS_PAYLOAD_ENTRIES, /* enum nsc_payload_entry_field (index/payload.h) */
    NSC_FIELDS_PAYLOAD_WORDS,   /* enum nsc_payload_word_field */
    NSC_FIELDS_MPI_MESSAGES,    /* one row per MPI point-to-point call: enum nsc_mpi_field */
    NSC_FIELDS_MPI_WAITS, /* one row per start of or wait for a request: enum nsc_mpi_wait_field */
    NSC_FIELDS_MPI_RANKS, /* rows of MPI_RANKS: enum nsc_mpi_rank_field */
    NSC_FIELDS_MPI_COMMS, /* rows of MPI_COMMUNICATORS: enum nsc_mpi_comm_field */
    NSC_FIELDS_KERNEL_NODES, /* graphNodeId of each kernel, the only column */
    NSC_FIELDS_COPY_NODES,   /* the same of copies */
    NSC_FIELDS_MEMSET_NODES,
    NSC_FIELDS_NODES,     /* one row per node of a CUDA graph that was made: enum nsc_node_field */
    NSC_FIELDS_OLD_NODES, /* the same before nsys 2024.6 */
    NSC_FIELDS_CALL_STACKS, /* rows of CUDA calls with a stack: enum nsc_call_stack_field */
    NSC_FIELDS_CALL_CHAINS, /* frames of these stacks: enum nsc_chain_field */
    NSC_N_FIELD_SETS
};

/* Bandwidth: bytes/s; memory: bytes. */
enum nsc_gpu_field { NSC_GPU_ID, NSC_GPU_BANDWIDTH, NSC_GPU_SMS, NSC_GPU_MEMORY };
/* The multiprocessors that the process could use: fewer in a MIG slice. */
enum nsc_cuda_device_field { NSC_CUDA_DEVICE_GPU, NSC_CUDA_DEVICE_SMS };
enum nsc_sample_field { NSC_SAMPLE_CYCLES, NSC_SAMPLE_ID };
enum nsc_chain_field {
    NSC_CHAIN_ID,    /* the id of the sample */
    NSC_CHAIN_DEPTH, /* 0: the function that ran */
    NSC_CHAIN_SYMBOL,
    NSC_CHAIN_MODULE,    /* the path of the library */
    NSC_CHAIN_UNRESOLVED /* not 0: the symbol is an address */
};
enum nsc_copy_field { NSC_COPY_BYTES, NSC_COPY_KIND, NSC_COPY_FROM, NSC_COPY_TO, NSC_COPY_CAUSE };
/* Grid and block: three columns each. */
enum nsc_kernel_field {
    NSC_KERNEL_GRID,
    NSC_KERNEL_BLOCK = 3,
    NSC_KERNEL_REGISTERS = 6,
    NSC_KERNEL_STATIC,
    NSC_KERNEL_DYNAMIC,
    NSC_N_KERNEL_FIELDS
};
enum nsc_event_field {
    NSC_EVENT_CORRELATION,
    NSC_EVENT_CONTEXT,
    NSC_EVENT_STREAM,
    NSC_EVENT_ID,
    NSC_EVENT_SYNC_ID,
    NSC_EVENT_PROCESS /* globalPid */
};
enum nsc_sync_field {
    NSC_SYNC_CORRELATION,
    NSC_SYNC_CONTEXT,
    NSC_SYNC_STREAM,
    NSC_SYNC_EVENT,
    NSC_SYNC_SYNC_ID
};
enum nsc_call_field { NSC_CALL_CORRELATION };
/* As exported: times on the clock of the export; a row may only wrap the call. */
enum nsc_call_stack_field {
    NSC_CALL_STACK_START,
    NSC_CALL_STACK_END,
    NSC_CALL_STACK_THREAD, /* globalTid */
    NSC_CALL_STACK_CHAIN   /* id of the frames */
};
enum nsc_stream_field {
    NSC_STREAM_ID,
    NSC_STREAM_CONTEXT,
    NSC_STREAM_PROCESS, /* its number in the system */
    NSC_STREAM_FLAG     /* 1 blocking, 2 non-blocking, 3 the legacy default stream */
};
enum nsc_payload_field {
    NSC_PAYLOAD_ROW, /* row id in NVTX_EVENTS; ascending */
    NSC_PAYLOAD_BYTES
};
enum nsc_mpi_field { NSC_MPI_COMM, NSC_MPI_TAG, NSC_MPI_REMOTE, NSC_MPI_REQUEST };
enum nsc_mpi_wait_field { NSC_MPI_WAIT_REQUEST };
enum nsc_mpi_rank_field { NSC_MPI_RANK_THREAD /* globalTid */, NSC_MPI_RANK_NUMBER };
/* The parent is 0 for MPI_COMM_WORLD. */
enum nsc_mpi_comm_field { NSC_MPI_COMM_RANK, NSC_MPI_COMM_HANDLE, NSC_MPI_COMM_PARENT };
enum nsc_node_field { NSC_NODE_ID, NSC_NODE_ORIGINAL /* of a clone */ };
enum nsc_memset_field { NSC_MEMSET_BYTES };
enum nsc_range_field {
    NSC_RANGE_END,       /* not set: the range was never closed */
    NSC_RANGE_END_THREAD /* globalTid; not set: the thread that started it */
};
enum nsc_diagnostic_field { NSC_DIAGNOSTIC_SEVERITY, NSC_DIAGNOSTIC_TEXT };

/* How to read a set. */
struct nsc_field_set_source {
    enum nsc_kind kind; /* kind of the rows' events; NSC_KIND_UNKNOWN: the rows are no events */
    const char *table;
    struct nsc_field_ask asks[NSC_N_KERNEL_FIELDS]; /* the most of all sets; ended by a NULL name if
                                                     * fewer */
    const char *only; /* reads only rows in which this column is not NULL; NULL: all */
    /* Whether an event is read; NULL: all are. */
    bool (*wants)(const struct nsc_trace *trace, nsc_event event);
};
const struct nsc_field_set_source *nsc_field_set_source(enum nsc_field_set set);
/* The number of its columns. */
uint32_t nsc_field_set_columns(enum nsc_field_set set);

/* The provider. get returns the same set each time; several threads may call it at once. A set
 * lives as long as the provider. */
struct nsc_field_sets {
    const struct nsc_fields *(*get)(void *context, enum nsc_field_set set);
    void *context;
};

/* NULL without a provider, or if the set cannot be read. */
static inline const struct nsc_fields *nsc_field_set(const struct nsc_field_sets *sets,
                                                     enum nsc_field_set set)
{
    return sets ? sets->get(sets->context, set) : NULL;
}

#endif
