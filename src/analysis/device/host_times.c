/* Sums the host's times for a GPU, over a window or over the spans of a phase. */
#include "analysis/device/host_times.h"

#include "analysis/base/device_ops.h"
#include "analysis/base/shared.h"
#include "analysis/device/breakdown.h"
#include "analysis/device/idle.h"
#include "analysis/device/launch_times.h"
#include "analysis/device/sync_cost.h"
#include "core/sum.h"

#include <string.h>

bool nsc_host_times_build(struct nsc_host_times *out, const struct nsc_scope *scope,
                          uint32_t device)
{
    struct nsc_breakdown time;
    struct nsc_launch_times launches;
    struct nsc_idle idle;
    nsc_time waits;

    *out = (struct nsc_host_times){0};
    if (!nsc_breakdown_build(&time, scope, device) || !nsc_idle_build(&idle, scope, device))
        return false;
    (void)nsc_launch_times_build(&launches, scope, device);
    waits = nsc_sum(nsc_sum(idle.part[NSC_GAP_SYNC], idle.part[NSC_GAP_EVENTS]),
                    idle.part[NSC_GAP_MPI]);
    *out = (struct nsc_host_times){
        .whole = time.whole,
        .idle = time.idle,
        .busy = time.busy,
        .launch = launches.api_inside,
        .long_launch = idle.part[NSC_GAP_LONG_LAUNCH],
        .overhead = idle.part[NSC_GAP_LAUNCH],
        .exposed = nsc_later(0, nsc_idle_late(&idle) - waits - idle.part[NSC_GAP_OVERHEAD]),
        .late = nsc_idle_late(&idle) - idle.part[NSC_GAP_EVENTS] - idle.part[NSC_GAP_MPI] -
                idle.part[NSC_GAP_OVERHEAD]};
    out->prepared = nsc_later(out->exposed, time.whole - nsc_sync_longest(scope));
    nsc_idle_fini(&idle);
    return true;
}

static void add_host(struct nsc_host_times *to, const struct nsc_host_times *more)
{
    to->whole = nsc_sum(to->whole, more->whole);
    to->idle = nsc_sum(to->idle, more->idle);
    to->busy = nsc_sum(to->busy, more->busy);
    to->launch = nsc_sum(to->launch, more->launch);
    to->long_launch = nsc_sum(to->long_launch, more->long_launch);
    to->overhead = nsc_sum(to->overhead, more->overhead);
    to->exposed = nsc_sum(to->exposed, more->exposed);
    to->prepared = nsc_sum(to->prepared, more->prepared);
    to->late = nsc_sum(to->late, more->late);
}

static void add_bound(struct nsc_bound *to, const struct nsc_bound *more)
{
    to->whole = nsc_sum(to->whole, more->whole);
    for (int i = 0; i < NSC_N_BOUND_PARTS; i++)
        to->part[i] = nsc_sum(to->part[i], more->part[i]);
    to->within = nsc_sum(to->within, more->within);
    to->beside = nsc_sum(to->beside, more->beside);
    to->behind_comm = nsc_sum(to->behind_comm, more->behind_comm);
    to->behind_copies = nsc_sum(to->behind_copies, more->behind_copies);
}

/* The times of all phases of a device. */
struct all_times {
    struct nsc_phase_times of[NSC_PHASES_MOST];
};

static void add_span(struct nsc_phase_times *to, const struct nsc_scope *part, uint32_t device,
                     struct nsc_depends **depends, const struct nsc_field_sets *fields)
{
    struct nsc_scope scope = *part;
    struct nsc_bound bound;
    struct nsc_host_times host;
    bool has_work;

    nsc_shared_open(&scope); /* both ask for the same times */
    has_work =
        nsc_bound_build(&bound, &scope, device) && nsc_host_times_build(&host, &scope, device);
    nsc_shared_close(&scope);
    if (!has_work)
        return;
    nsc_bound_look_behind(&bound, &scope, device, depends, fields);
    add_bound(&to->bound, &bound);
    add_host(&to->host, &host);
    to->n++;
}

static void sum_spans(struct all_times *times, const struct nsc_process_phases *phases,
                      const struct nsc_scope *scope, uint32_t device,
                      const struct nsc_field_sets *fields)
{
    struct nsc_scope all = *scope, part;
    bool is_own = !nsc_shared_keeps(scope, NSC_NONE);
    struct nsc_depends *depends = NULL;

    if (is_own)
        nsc_shared_open(&all); /* for what spans have in common */
    part = all;
    part.has_window = true;
    for (uint32_t i = 0; i < phases->n_spans; i++) {
        part.window = phases->spans[i].window;
        if (!scope->has_window ||
            (part.window.t0 >= scope->window.t0 && part.window.t1 <= scope->window.t1))
            add_span(&times->of[phases->spans[i].phase], &part, device, &depends, fields);
    }
    nsc_depends_free(depends);
    if (is_own)
        nsc_shared_close(&all);
}

const struct nsc_process_phases *nsc_phase_times_build(struct nsc_phase_times out[NSC_PHASES_MOST],
                                                       const struct nsc_job_phases *job,
                                                       const struct nsc_scope *scope,
                                                       uint32_t device,
                                                       const struct nsc_field_sets *fields)
{
    static const struct nsc_shared_kind kind = {sizeof(struct all_times), NULL, NULL};
    const struct nsc_process_phases *phases = NULL;
    struct all_times times = {{{0}}};
    bool has_times = true, keeps;

    for (size_t i = 0; i < job->list.n && !phases; i++)
        if (nsc_process_works_on(scope->trace, device, job->list.at[i].process))
            phases = &job->list.at[i];
    keeps = phases && nsc_shared_keeps(scope, device);
    if (phases && !(keeps && nsc_shared_find(&times, &has_times, &kind, fields, scope, device))) {
        sum_spans(&times, phases, scope, device, fields);
        if (keeps)
            nsc_shared_keep(&times, true, &kind, fields, scope, device);
    }
    memcpy(out, times.of, sizeof times.of);
    return phases;
}
