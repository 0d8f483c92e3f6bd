/*
 * Kinds of events and of tracks, and their properties that need no trace.
 */
#ifndef NSYSCOPE_KIND_H
#define NSYSCOPE_KIND_H

#include "nsyscope/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum nsc_kind {
#define NSC_KIND(id, word, table, label) NSC_KIND_##id,
#include "nsyscope/kind.def"
#undef NSC_KIND
    NSC_N_KINDS
};

/* Static texts. kind must be below NSC_N_KINDS. */
const char *nsc_kind_word(enum nsc_kind kind);  /* filter word: "kernel", "copy" */
const char *nsc_kind_table(enum nsc_kind kind); /* table of the export */
const char *nsc_kind_label(enum nsc_kind kind); /* for people: "copy host to device" */

/* Ops: kernels, graph launches, copies and memsets. */
static inline bool nsc_kind_is_gpu(uint8_t kind)
{
    return kind >= NSC_KIND_KERNEL && kind <= NSC_KIND_MEMSET;
}

static inline bool nsc_kind_is_copy(uint8_t kind)
{
    return kind >= NSC_KIND_COPY_HTOD && kind <= NSC_KIND_COPY_OTHER;
}

static inline bool nsc_kind_is_nvtx(uint8_t kind)
{
    return kind >= NSC_KIND_NVTX_RANGE && kind <= NSC_KIND_NVTX_MARK;
}

static inline bool nsc_kind_is_api(uint8_t kind)
{
    return kind == NSC_KIND_API_RUNTIME || kind == NSC_KIND_API_DRIVER;
}

/* The content of a track, a row of the timeline. Groups hold tracks and captures hold groups;
 * neither holds events. */
enum nsc_track_kind {
    NSC_TRACK_CAPTURE, /* one export and its groups; only in a trace of several */
    NSC_TRACK_DEVICE,  /* group: one GPU */
    NSC_TRACK_STREAM,  /* ops of one (process, device, context, stream) */
    NSC_TRACK_GPU_FAULT,
    NSC_TRACK_COUNTER, /* samples, no events: GPU metrics, memory in use */
    NSC_TRACK_THREAD,  /* group: one thread of a process */
    NSC_TRACK_NVTX,    /* push/pop ranges of a domain: lane = depth */
    NSC_TRACK_SPANS,   /* start/end ranges of a domain */
    NSC_TRACK_MARKS,
    NSC_TRACK_API, /* CUDA runtime and driver API */
    NSC_TRACK_SYNC,
    NSC_TRACK_LIBRARY, /* cuDNN, cuBLAS */
    NSC_TRACK_MPI,
    NSC_TRACK_OPENMP,
    NSC_TRACK_OPENACC,
    NSC_TRACK_GRAPH_EVENTS,
    NSC_TRACK_CPU_FAULT,
    NSC_TRACK_OSRT,
    NSC_TRACK_SCHED,
    NSC_TRACK_SAMPLES,
    NSC_TRACK_GENERIC, /* events whose types the export itself describes */
    NSC_TRACK_OVERHEAD,
    NSC_N_TRACK_KINDS
};

static inline bool nsc_track_is_group(uint8_t kind)
{
    return kind == NSC_TRACK_DEVICE || kind == NSC_TRACK_THREAD;
}

/* A track that can be folded: a group or a capture. */
static inline bool nsc_track_is_header(uint8_t kind)
{
    return kind == NSC_TRACK_CAPTURE || nsc_track_is_group(kind);
}

#ifdef __cplusplus
}
#endif
#endif
