/*
 * A trace built by hand from rows that are already in order: input for index/ without its builder.
 */
#ifndef NSC_TESTS_HAND_TRACE_H
#define NSC_TESTS_HAND_TRACE_H

#include "core/vec.h"
#include "index/trace_data.h"

struct hand_trace {
    struct nsc_trace trace;     /* valid after hand_trace_end */
    struct nsc_trace_info info; /* of a single export */
    NSC_VEC(struct nsc_trace_info) captures;
    NSC_VEC(nsc_time) start;
    NSC_VEC(uint32_t) duration;
    NSC_VEC(nsc_name) name;
    NSC_VEC(uint32_t) link;
    NSC_VEC(uint8_t) kind;
    NSC_VEC(nsc_event) long_event;
    NSC_VEC(nsc_time) long_duration;
    NSC_VEC(struct nsc_lane) lanes;
    NSC_VEC(struct nsc_track) tracks;
    NSC_VEC(uint32_t) groups;
    NSC_VEC(uint32_t) threads; /* groups of threads by process and tid */
};

void hand_trace_init(struct hand_trace *hand);
/* Forgets all rows, lanes and tracks; keeps the memory. */
void hand_trace_clear(struct hand_trace *hand);
void hand_trace_fini(struct hand_trace *hand);
/*
 * Begins a track: a capture, a group, or one below the last group. The following lanes and rows
 * belong to it. Returns it, so that the test can set its other fields. The tracks after a capture
 * belong to it; a test that begins none has a single export.
 */
struct nsc_track *hand_trace_track(struct hand_trace *hand, uint8_t kind);
/* Begins a lane for the rows that follow. */
uint32_t hand_trace_lane(struct hand_trace *hand);
nsc_event hand_trace_row(struct hand_trace *hand, nsc_time start, nsc_time end, nsc_name name,
                         uint8_t kind);
/* The trace; names may be NULL if the test needs none. */
struct nsc_trace *hand_trace_end(struct hand_trace *hand, const struct nsc_names *names);

#endif
