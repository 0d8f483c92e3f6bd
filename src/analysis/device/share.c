/* Lists the questions about devices that one command asks together. */
#include "analysis/device/copies.h"
#include "analysis/device/device_times.h"
#include "analysis/device/exposed_copies.h"
#include "analysis/device/graphs.h"
#include "analysis/device/idle.h"
#include "analysis/device/stream_use.h"
#include "analysis/device/stream_waits.h"
#include "analysis/device/utilization.h"
#include "analysis/ranges/iterations.h"

/* the steady state needs them next */
static void find_iterations(const struct nsc_scope *scope)
{
    struct nsc_iterations iterations;

    (void)nsc_iterations_ask(&iterations, scope);
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

    nsc_sweep_share(
        scope, rides, for_all ? sizeof rides / sizeof *rides : 6,
        for_all && !scope->mask && !scope->has_window && !scope->is_whole ? find_iterations : NULL);
}
