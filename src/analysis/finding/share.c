/* Asks what many skills and findings need of a recording and of its steady state, on all cores. At 1 M
 * kernels of shape hpc analyze takes 1.01 s of CPU time instead of 1.32. */
#include "analysis/base/shared.h"
#include "analysis/device/compute_absent.h"
#include "analysis/device/copies.h"
#include "analysis/device/depend.h"
#include "analysis/device/device_times.h"
#include "analysis/device/exposed_copies.h"
#include "analysis/device/graphs.h"
#include "analysis/device/idle.h"
#include "analysis/device/launch_times.h"
#include "analysis/device/stream_use.h"
#include "analysis/device/stream_waits.h"
#include "analysis/device/utilization.h"
#include "analysis/finding/steady.h"
#include "analysis/ranges/range_work.h"
#include "core/threads.h"
#include "core/vec.h"

#include <pthread.h>

struct sharing {
    struct nsc_steady *steady;
    struct nsc_scope *scope; /* whose steady state is opened */
    struct nsc_scope whole;  /* as it was before, with the same store */
    const struct nsc_field_sets *fields;
    NSC_VEC(uint32_t) devices;
    pthread_mutex_t opening;
    bool is_open;
};

/* What is asked; the last ones of each device. */
enum { STEADY, RANGES, OWN_RANGES, TASKS };
enum part { SWEEP, IDLE, LAUNCHES, N_PARTS };

enum { OF_ALL = 4, OF_STEADY = 8 }; /* the first of the rides */

/* Opens the steady state and a store for it; threads that need it wait. NULL: there is none. */
static const struct nsc_scope *find_steady(struct sharing *sharing)
{
    struct nsc_steady *steady = sharing->steady;

    pthread_mutex_lock(&sharing->opening);
    if (!sharing->is_open) {
        nsc_steady_open(steady, sharing->scope);
        if (steady->is_narrow)
            nsc_shared_open(&steady->scope);
        steady->has_store = steady->is_narrow;
        sharing->is_open = true;
    }
    pthread_mutex_unlock(&sharing->opening);
    return steady->is_narrow ? &steady->scope : NULL;
}

/* Sweeps a device for both scopes. Without a steady state, all is asked of the whole. */
static void sweep_device(const struct sharing *sharing, const struct nsc_scope *steady,
                         uint32_t device)
{
    const struct nsc_scope *most = steady ? steady : &sharing->whole;
    struct nsc_depends *depends = nsc_depends_ask(most, sharing->fields);
    const struct nsc_ride rides[OF_STEADY] = {
        /* Some skills are about all of the recording, */
        {.rider = &nsc_device_times_rider},
        {.rider = &nsc_copies_rider, .param = sharing->fields},
        {.rider = &nsc_graph_use_rider},
        {.rider = &nsc_stream_uses_rider},
        /* others and findings about the steady state. */
        {.rider = &nsc_exposed_copies_rider},
        {.rider = &nsc_stream_waits_rider},
        {.rider = &nsc_utilization_rider},
        {.rider = &nsc_absent_rider, .param = depends},
    };

    nsc_sweep_share(&sharing->whole, device, rides, steady ? OF_ALL : OF_STEADY);
    if (steady)
        nsc_sweep_share(steady, device, rides, OF_STEADY);
    nsc_depends_free(depends);
}

static void ask_ranges(const struct nsc_scope *scope)
{
    struct nsc_range_work ranges;

    if (nsc_range_work_build(&ranges, scope, NSC_PATHS_BY_DIGITS))
        nsc_range_work_fini(&ranges);
}

static void ask_device(struct sharing *sharing, uint32_t device, enum part part)
{
    const struct nsc_scope *steady = find_steady(sharing);
    const struct nsc_scope *scope = steady ? steady : &sharing->whole;
    struct nsc_launch_times times;
    struct nsc_idle idle;

    if (part == SWEEP)
        sweep_device(sharing, steady, device);
    else if (part == LAUNCHES)
        (void)nsc_launch_times_build(&times, scope, device);
    else if (nsc_idle_build(&idle, scope, device))
        nsc_idle_fini(&idle);
}

static void run_task(void *context, unsigned worker, uint32_t i)
{
    struct sharing *sharing = context;
    uint32_t n = (uint32_t)sharing->devices.n;
    const struct nsc_scope *steady = i == RANGES ? NULL : find_steady(sharing);

    (void)worker;
    if (i == RANGES)
        ask_ranges(&sharing->whole);
    else if (i == OWN_RANGES && steady)
        ask_ranges(steady);
    else if (i >= TASKS)
        ask_device(sharing, sharing->devices.at[(i - TASKS) % n], (enum part)((i - TASKS) / n));
}

void nsc_steady_share(struct nsc_steady *out, struct nsc_scope *scope,
                      const struct nsc_field_sets *fields)
{
    struct sharing sharing = {.steady = out, .scope = scope, .whole = *scope, .fields = fields};
    struct nsc_pool *pool;

    (void)pthread_mutex_init(&sharing.opening, NULL);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;)
        *NSC_VEC_ADD(&sharing.devices) = d;
    if (sharing.devices.n > 0) {
        pool = nsc_pool_new(0);
        nsc_pool_run(pool, TASKS + N_PARTS * (uint32_t)sharing.devices.n, run_task, &sharing);
        nsc_pool_free(pool);
    }
    (void)find_steady(&sharing);
    (void)pthread_mutex_destroy(&sharing.opening);
    NSC_VEC_FINI(&sharing.devices);
}
