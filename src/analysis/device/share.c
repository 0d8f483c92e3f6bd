/* Lists the questions about devices that one command asks together. */
#include "analysis/device/copies.h"
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

/* Other questions of all findings that take long. */
static void ask_more(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_launch_times times;
    struct nsc_kernel_work kernels;
    struct nsc_range_work work;

    if (device != NSC_NONE) {
        (void)nsc_launch_counts_build(&times, scope, device);
        return;
    }
    if (nsc_range_own_build(&work, scope))
        nsc_range_work_fini(&work);
    nsc_kernel_work_build(&kernels, scope);
    nsc_kernel_work_fini(&kernels);
    (void)find_steady(scope); /* findings ask for it next */
}

/* The same for findings and skills. */
static void ask_all(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_launch_times times;
    struct nsc_range_work work;

    if (device != NSC_NONE)
        (void)nsc_launch_times_build(&times, scope, device);
    else if (nsc_range_work_build(&work, scope, NSC_PATHS_BY_DIGITS))
        nsc_range_work_fini(&work);
}

void nsc_device_share(const struct nsc_scope *scope, const struct nsc_field_sets *fields,
                      bool for_all)
{
    enum { OF_ALL = 4, OF_FINDINGS = 6, OF_SKILLS = 8 }; /* the first of rides */
    const struct nsc_ride rides[OF_SKILLS] = {
        /* Some skills are about all of the recording; */
        {.rider = &nsc_device_times_rider},
        {.rider = &nsc_copies_rider, .param = nsc_field_set(fields, NSC_FIELDS_COPIES)},
        {.rider = &nsc_graph_use_rider},
        {.rider = &nsc_stream_uses_rider},
        /* findings are about the steady state, */
        {.rider = &nsc_idle_rider},
        {.rider = &nsc_exposed_copies_rider},
        /* and so are other skills. */
        {.rider = &nsc_stream_waits_rider},
        {.rider = &nsc_utilization_rider},
    };

    if (for_all && find_steady(scope))
        nsc_sweep_share(scope, rides, OF_ALL, NULL);
    else
        nsc_sweep_share(scope, rides, for_all ? OF_SKILLS : OF_FINDINGS,
                        for_all ? ask_all : ask_more);
}
