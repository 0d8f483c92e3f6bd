/*
 * Random small traces with GPU work, the calls that launched it, waits and NVTX ranges that nest
 * unless they may cross, and random scopes of them: one export or two, one GPU or two, or none,
 * calls that launch one op or some that launch three, starts that differ or mostly equal ones of
 * instants. Tests compare the answers of analysis/ with naive ones on these traces.
 */
#ifndef NSC_TESTS_GPU_WORLD_H
#define NSC_TESTS_GPU_WORLD_H

#include "analysis/base/scope.h"
#include "support/build_trace.h"
#include "support/dice.h"

enum { GPU_WORLD_ROWS = 320, GPU_WORLD_SPAN = 700 }; /* all times lie in [0, SPAN) units */

struct gpu_world {
    struct dice dice;
    nsc_time unit;       /* multiplies all times; 0 means 1 */
    bool has_seqs;       /* ranges have "seq = N"; they and waits last four times as long */
    bool is_alone;       /* always one export */
    bool may_cross;      /* ranges need not nest, and some cross alike */
    uint32_t capture_no; /* of the rows that are rolled next */
    uint32_t n_gpus;
    bool has_batches; /* calls that launch three ops */
    bool has_ties;    /* many ops and calls start together, and many last 0 ns */
    struct nsc_test_row rows[GPU_WORLD_ROWS];
    uint32_t n;
    struct nsc_trace *trace;
    uint64_t mask[(GPU_WORLD_ROWS + 63) / 64];
    struct nsc_summary *summary;
    struct nsc_scope scope;
};

/* A new trace and scope: everything, a window, some rows, or some rows in a window. */
void gpu_world_roll(struct gpu_world *world);
void gpu_world_clear(struct gpu_world *world);

/* The group of an event's track; NSC_NONE for events that are not GPU work of the scope. */
uint32_t gpu_world_device(const struct gpu_world *world, nsc_event event);
/* The track of an event. */
uint32_t gpu_world_track(const struct gpu_world *world, nsc_event event);
/* The next device track after track (NSC_NONE: the first); NSC_NONE after the last. */
uint32_t gpu_world_next_device(const struct gpu_world *world, uint32_t track);
/* Whether the exports have too many GPUs to read what the host does. */
bool gpu_world_is_barred(const struct gpu_world *world);
/* Whether an event is in the scope and covers the ns [t, t + 1) of its window. */
bool gpu_world_fills(const struct gpu_world *world, nsc_event event, nsc_time t);

#endif
