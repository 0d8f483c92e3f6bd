/* Lists the questions about devices that one command asks together. */
#include "analysis/device/compute_absent.h"
#include "analysis/device/copies.h"
#include "analysis/device/depend.h"
#include "analysis/device/device_times.h"
#include "analysis/device/exposed_copies.h"
#include "analysis/device/graphs.h"
#include "analysis/device/idle.h"
#include "analysis/device/kernel_work.h"
#include "analysis/device/launch_times.h"
#include "analysis/device/stream_use.h"
#include "analysis/device/stream_waits.h"
#include "analysis/device/utilization.h"
#include "analysis/ranges/iterations.h"
#include "analysis/ranges/range_work.h"
#include "core/threads.h"
#include "core/vec.h"

#include <string.h>

/* Finds the iterations. Returns whether they give a steady state, which most questions are about
 * instead of the scope. */
static bool find_steady(const struct nsc_scope *scope)
{
    struct nsc_iterations iterations;
    struct nsc_window steady;
    bool result;

    if (scope->mask || scope->has_window || scope->is_whole)
        return false;
    (void)nsc_iterations_ask(&iterations, scope);
    result = nsc_steady_state(&steady, &iterations);
    nsc_iterations_fini(&iterations);
    return result;
}

/* Skills ask for paths of ranges of the whole scope only. */
static void ask_ranges(const struct nsc_scope *scope)
{
    struct nsc_range_work ranges;

    if (scope->of_devices ? nsc_range_own_build(&ranges, scope)
                          : nsc_range_work_build(&ranges, scope, NSC_PATHS_BY_DIGITS))
        nsc_range_work_fini(&ranges);
}

static void ask_kernels(const struct nsc_scope *scope)
{
    struct nsc_kernel_work kernels;

    nsc_kernel_work_build(&kernels, scope);
    nsc_kernel_work_fini(&kernels);
}

struct sharing {
    const struct nsc_scope *scope;
    const struct nsc_ride *rides;
    const struct nsc_field_sets *fields;
    NSC_VEC(uint32_t) devices;
};

enum {
    OF_ALL = 4,
    OF_SKILLS = 8, /* the first of rides */
    TASKS = 3      /* tasks before those of devices */
};

/* What is asked of a device, the longest questions first. */
enum part { SWEEP, IDLE, LAUNCHES, N_PARTS };

/* Sweeps a device for the first n rides; the last one of skills needs what ops wait for. */
static void sweep_device(const struct sharing *sharing, uint32_t device, uint32_t n)
{
    struct nsc_ride rides[OF_SKILLS];
    struct nsc_depends *depends = NULL;

    memcpy(rides, sharing->rides, sizeof rides);
    if (n == OF_SKILLS)
        rides[n - 1].param = depends = nsc_depends_ask(sharing->scope, sharing->fields);
    nsc_sweep_share(device, &(struct nsc_sweep_question){sharing->scope, rides, n}, 1);
    nsc_depends_free(depends);
}

/* Questions about all of a recording wait until its iterations are found; with a steady state, few
 * of them are asked. */
static void ask_device(const struct sharing *sharing, uint32_t device, enum part part)
{
    const struct nsc_scope *scope = sharing->scope;
    uint32_t n = find_steady(scope) ? OF_ALL : OF_SKILLS;
    struct nsc_launch_times times;
    struct nsc_idle idle;

    if (part == SWEEP) {
        sweep_device(sharing, device, n);
    } else if (part == IDLE && n == OF_SKILLS) {
        if (nsc_idle_build(&idle, scope, device))
            nsc_idle_fini(&idle);
    } else if (part == LAUNCHES && n == OF_SKILLS) {
        (void)nsc_launch_times_build(&times, scope, device);
    }
}

/* Threads that need the iterations wait for task 0. */
static void run_task(void *context, unsigned worker, uint32_t i)
{
    const struct sharing *sharing = context;
    uint32_t n = (uint32_t)sharing->devices.n;

    (void)worker;
    if (i == 0)
        (void)find_steady(sharing->scope);
    else if (i == 1)
        ask_ranges(sharing->scope);
    else if (i == 2)
        ask_kernels(sharing->scope);
    else
        ask_device(sharing, sharing->devices.at[(i - TASKS) % n], (enum part)((i - TASKS) / n));
}

void nsc_device_share(const struct nsc_scope *scope, const struct nsc_field_sets *fields)
{
    const struct nsc_ride rides[OF_SKILLS] = {
        /* Some skills are about all of the recording; */
        {.rider = &nsc_device_times_rider},
        {.rider = &nsc_copies_rider, .param = fields},
        {.rider = &nsc_graph_use_rider},
        {.rider = &nsc_stream_uses_rider},
        /* findings and other skills are about the steady state. */
        {.rider = &nsc_exposed_copies_rider},
        {.rider = &nsc_stream_waits_rider},
        {.rider = &nsc_utilization_rider},
        {.rider = &nsc_absent_rider},
    };
    struct sharing sharing = {.scope = scope, .rides = rides, .fields = fields};
    struct nsc_pool *pool;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;)
        *NSC_VEC_ADD(&sharing.devices) = d;
    if (sharing.devices.n > 0) {
        pool = nsc_pool_new(0);
        nsc_pool_run(pool, TASKS + N_PARTS * (uint32_t)sharing.devices.n, run_task, &sharing);
        nsc_pool_free(pool);
    }
    NSC_VEC_FINI(&sharing.devices);
}
