/* Identifies rows of the timeline by their contents, and finds them again. */
#include "view/model/track_id.h"

#include "core/text.h"

#include <assert.h>

/* Files contain these words: never change them. */
static const char *const words[NSC_N_TRACK_KINDS] = {
    [NSC_TRACK_CAPTURE] = "export",
    [NSC_TRACK_DEVICE] = "device",
    [NSC_TRACK_STREAM] = "stream",
    [NSC_TRACK_GPU_FAULT] = "gpu-fault",
    [NSC_TRACK_COUNTER] = "counter",
    [NSC_TRACK_THREAD] = "thread",
    [NSC_TRACK_NVTX] = "nvtx",
    [NSC_TRACK_SPANS] = "spans",
    [NSC_TRACK_MARKS] = "marks",
    [NSC_TRACK_API] = "api",
    [NSC_TRACK_SYNC] = "sync",
    [NSC_TRACK_LIBRARY] = "library",
    [NSC_TRACK_MPI] = "mpi",
    [NSC_TRACK_OPENMP] = "openmp",
    [NSC_TRACK_OPENACC] = "openacc",
    [NSC_TRACK_GRAPH_EVENTS] = "graph-events",
    [NSC_TRACK_CPU_FAULT] = "cpu-fault",
    [NSC_TRACK_OSRT] = "osrt",
    [NSC_TRACK_SCHED] = "sched",
    [NSC_TRACK_SAMPLES] = "samples",
    [NSC_TRACK_GENERIC] = "generic",
    [NSC_TRACK_OVERHEAD] = "overhead",
};

const char *nsc_track_kind_word(uint8_t kind)
{
    assert(kind < NSC_N_TRACK_KINDS && words[kind]);
    return words[kind];
}

bool nsc_track_kind_find(uint8_t *out, struct nsc_text word)
{
    unsigned i = nsc_text_among(word, words, sizeof *words, NSC_N_TRACK_KINDS);

    *out = i < NSC_N_TRACK_KINDS ? (uint8_t)i : *out;
    return i < NSC_N_TRACK_KINDS;
}

static struct nsc_track_id describe(const struct nsc_track *track)
{
    return (struct nsc_track_id){.kind = track->kind,
                                 .pid = track->pid,
                                 .tid = track->tid,
                                 .process = track->process,
                                 .device = track->device,
                                 .context = track->context,
                                 .stream = track->stream,
                                 .domain = track->domain};
}

static bool is_alike(const struct nsc_track_id *a, const struct nsc_track_id *b)
{
    return a->kind == b->kind && a->pid == b->pid && a->tid == b->tid && a->process == b->process &&
           a->device == b->device && a->context == b->context && a->stream == b->stream &&
           a->domain == b->domain;
}

struct nsc_track_id nsc_track_id(const struct nsc_trace *trace, uint32_t track, uint32_t lane)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    struct nsc_track_id id = describe(&tracks[track]);

    assert(track < n);
    id.lane = lane;
    for (uint32_t i = 0; i < track; i++) {
        struct nsc_track_id other = describe(&tracks[i]);

        id.nth += is_alike(&id, &other);
    }
    return id;
}

uint32_t nsc_track_id_find(const struct nsc_trace *trace, const struct nsc_track_id *id)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    uint32_t before = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_track_id other = describe(&tracks[i]);

        if (is_alike(id, &other) && before++ == id->nth)
            return i;
    }
    return NSC_NONE;
}
