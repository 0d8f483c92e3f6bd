/* Asks about ranges, phases and kernels, and about each device what its breakdown leaves open. */
#include "analysis/finding/ahead.h"

#include "analysis/base/limit.h"
#include "analysis/device/breakdown.h"
#include "analysis/device/copies.h"
#include "analysis/device/exposed_copies.h"
#include "analysis/device/idle.h"
#include "analysis/device/kernel_work.h"
#include "analysis/device/launch_times.h"
#include "analysis/device/stream_use.h"
#include "analysis/ranges/iteration_phases.h"
#include "analysis/ranges/range_work.h"

enum { RANGES, PHASES, KERNELS, TASKS }; /* before those of devices */

/* What is asked of a device, the longest question first. */
enum part { IDLE, OPS, LAUNCHES, N_PARTS };

void nsc_ahead_ranges(const struct nsc_scope *scope)
{
    struct nsc_range_work ranges;

    if (nsc_range_work_build(&ranges, scope, NSC_PATHS_BY_DIGITS))
        nsc_range_work_fini(&ranges);
}

static void ask_phases(const struct nsc_scope *scope)
{
    struct nsc_job_phases phases;

    (void)nsc_job_phases_find(&phases, scope);
    nsc_job_phases_fini(&phases);
}

void nsc_ahead_kernels(const struct nsc_scope *scope)
{
    struct nsc_kernel_work kernels;

    nsc_kernel_work_build(&kernels, scope);
    nsc_kernel_work_fini(&kernels);
}

/* Sweeps a device whose copies or communication are not hidden. */
static void ask_ops(const struct nsc_ahead *ahead, uint32_t device,
                    const struct nsc_breakdown *time)
{
    const struct nsc_ride rides[] = {
        {.rider = &nsc_stream_uses_rider},
        {.rider = &nsc_copies_rider, .param = ahead->fields},
        {.rider = &nsc_exposed_copies_rider},
    };
    uint32_t n = 0;

    if (nsc_percent(time->transfer_exposed, time->whole) >= NSC_LIMIT_HEALTHY_COPIES)
        n = sizeof rides / sizeof *rides;
    else if (nsc_percent(time->comm_alone, time->whole) >= NSC_LIMIT_HEALTHY_EXPOSED)
        n = 1;
    if (n > 0)
        nsc_sweep_share(ahead->scope, device, rides, n);
}

static void ask_device(const struct nsc_ahead *ahead, uint32_t device, enum part part)
{
    struct nsc_breakdown time;
    struct nsc_launch_times times;
    struct nsc_idle idle;
    bool is_idle;

    if (!nsc_breakdown_build(&time, ahead->scope, device))
        return;
    is_idle = nsc_percent(time.idle, time.whole) >= NSC_LIMIT_HEALTHY_IDLE;
    if (part == OPS)
        ask_ops(ahead, device, &time);
    else if (is_idle && part == LAUNCHES)
        (void)nsc_launch_times_build(&times, ahead->scope, device);
    else if (is_idle && nsc_idle_build(&idle, ahead->scope, device))
        nsc_idle_fini(&idle);
}

void nsc_ahead_init(struct nsc_ahead *ahead, const struct nsc_scope *scope,
                    const struct nsc_field_sets *fields)
{
    *ahead = (struct nsc_ahead){.scope = scope, .fields = fields};
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;)
        *NSC_VEC_ADD(&ahead->devices) = d;
    if (ahead->devices.n > 0)
        ahead->n = TASKS + N_PARTS * (uint32_t)ahead->devices.n;
}

void nsc_ahead_ask(const struct nsc_ahead *ahead, uint32_t i)
{
    uint32_t n = (uint32_t)ahead->devices.n;

    if (i == RANGES)
        nsc_ahead_ranges(ahead->scope);
    else if (i == PHASES)
        ask_phases(ahead->scope);
    else if (i == KERNELS)
        nsc_ahead_kernels(ahead->scope);
    else
        ask_device(ahead, ahead->devices.at[(i - TASKS) % n], (enum part)((i - TASKS) / n));
}

void nsc_ahead_fini(struct nsc_ahead *ahead)
{
    NSC_VEC_FINI(&ahead->devices);
}
