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

/* Whether the steady state is asked for. */
static bool may_have_steady(const struct nsc_scope *scope)
{
    return !scope->mask && !scope->has_window && !scope->is_whole;
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
    if (may_have_steady(scope)) { /* findings ask next */
        struct nsc_iterations iterations;

        (void)nsc_iterations_ask(&iterations, scope);
        nsc_iterations_fini(&iterations);
    }
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

/* Finds the iterations, which give the steady state. Without one, all questions are about this
 * scope. */
static void find_iterations(const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_iterations iterations;
    struct nsc_window steady;

    (void)nsc_iterations_ask(&iterations, scope);
    if (!nsc_steady_state(&steady, &iterations))
        ask_all(scope, device);
    nsc_iterations_fini(&iterations);
}

void nsc_device_share(const struct nsc_scope *scope, const struct nsc_field_sets *fields,
                      bool for_all)
{
    const struct nsc_ride rides[] = {
        {.rider = &nsc_device_times_rider},
        {.rider = &nsc_idle_rider},
        {.rider = &nsc_copies_rider, .param = nsc_field_set(fields, NSC_FIELDS_COPIES)},
        {.rider = &nsc_exposed_copies_rider},
        {.rider = &nsc_graph_use_rider},
        {.rider = &nsc_stream_uses_rider},
        {.rider = &nsc_stream_waits_rider}, /* only the skills ask these */
        {.rider = &nsc_utilization_rider},
    };
    bool has_steady = for_all && may_have_steady(scope);

    nsc_sweep_share(scope, rides, for_all ? sizeof rides / sizeof *rides : 6,
                    has_steady ? find_iterations
                    : for_all  ? ask_all
                               : ask_more);
}
