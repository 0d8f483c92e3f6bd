/* Compares the synchronizing calls of each thread with the GPU work of its process. */
#include "analysis/device/sync_cost.h"

#include "nsyscope/cover.h"

#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/vec.h"
#include "index/lane_merge.h"

#include <stdlib.h>

struct process {
    uint64_t id;
    struct nsc_cover *busy; /* NULL: no work, or out of memory */
    struct nsc_window window;
    nsc_time idle;
};

struct costing {
    const struct nsc_scope *scope;
    struct nsc_sync_calls calls;
    struct nsc_sync_costs *out;
    uint32_t *slot; /* by name: index in out->at + 1 */
    nsc_time *reach;
};

static void measure_process(struct process *process, const struct nsc_scope *scope)
{
    NSC_VEC(uint32_t) lanes = {0};

    process->window = (struct nsc_window){INT64_MAX, INT64_MIN};
    for (struct nsc_lane_walk at =
             nsc_trace_all_lanes(scope->trace, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_lane_walk_next(&at);) {
        if (at.tracks[at.track].process != process->id)
            continue;
        *NSC_VEC_ADD(&lanes) = at.lane;
        nsc_scope_widen(&process->window, scope, at.lane);
    }
    if (process->window.t0 < process->window.t1) {
        if (scope->has_window)
            process->window = scope->window;
        process->busy =
            nsc_cover_build(scope->trace, lanes.at, (uint32_t)lanes.n, nsc_scope_keeps, scope);
    }
    if (process->busy)
        process->idle =
            nsc_window_length(process->window) - nsc_cover_measure(process->busy, process->window);
    NSC_VEC_FINI(&lanes);
}

static nsc_time idle_inside(const struct process *process, nsc_time start, nsc_time end)
{
    if (start >= end)
        return 0;
    return nsc_span(start, end) - nsc_cover_measure(process->busy, (struct nsc_window){start, end});
}

/* Adds the part of a call outside the union so far. */
static void add_call(struct nsc_sync_cost *cost, nsc_time *reach, const struct process *process,
                     const struct nsc_device_op *call, const struct nsc_events *events)
{
    nsc_time start = nsc_later(call->start, *reach);

    cost->count++;
    cost->process_idle = process->idle;
    if (cost->longest == NSC_NONE ||
        nsc_event_duration(events, call->event) > nsc_event_duration(events, cost->longest))
        cost->longest = call->event;
    cost->time = nsc_sum(cost->time, nsc_extend(reach, call->start, call->end));
    cost->idle = nsc_sum(cost->idle, idle_inside(process, nsc_later(start, process->window.t0),
                                                 nsc_earlier(call->end, process->window.t1)));
}

static void cost_thread(struct costing *costing, const struct process *process, uint32_t track,
                        const nsc_event calls[], size_t n)
{
    const struct nsc_events *events = nsc_trace_events(costing->scope->trace);
    struct nsc_sync_costs *out = costing->out;
    struct nsc_sync_cost all = {.track = track, .longest = NSC_NONE};
    nsc_time reach = INT64_MIN;
    uint32_t first = (uint32_t)out->n;

    for (size_t i = 0; i < n; i++) {
        struct nsc_device_op call = {.event = calls[i]};
        nsc_name name = events->name[call.event];

        if (!nsc_scope_clip(costing->scope, call.event, &call.start, &call.end))
            continue;
        if (costing->slot[name] <= first) {
            *NSC_VEC_ADD(out) =
                (struct nsc_sync_cost){.track = track, .name = name, .longest = NSC_NONE};
            costing->slot[name] = (uint32_t)out->n;
            costing->reach[name] = INT64_MIN;
        }
        add_call(&out->at[costing->slot[name] - 1], &costing->reach[name], process, &call, events);
        add_call(&all, &reach, process, &call, events);
    }
    if (all.count > 0)
        *NSC_VEC_ADD(&out->threads) = all;
}

NSC_COMPARE(compare_costs, struct nsc_sync_cost,
            NSC_MOST(idle) || NSC_MOST(time) || NSC_LEAST(track) || NSC_LEAST(name))

/* Measures each process with synchronizing calls when it first occurs. */
static void cost_processes(struct costing *costing)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(costing->scope->trace, &n);
    NSC_VEC(struct process) processes = {0};

    for (uint32_t t = 0; t < n; t++) {
        nsc_event *calls;
        size_t n_calls;
        size_t p = 0;

        if (tracks[t].kind != NSC_TRACK_API)
            continue;
        calls = nsc_sync_calls_of_thread(&n_calls, &costing->calls, costing->scope, &tracks[t]);
        while (p < processes.n && processes.at[p].id != tracks[t].process)
            p++;
        if (n_calls > 0 && p == processes.n) {
            *NSC_VEC_ADD(&processes) = (struct process){.id = tracks[t].process};
            measure_process(&processes.at[p], costing->scope);
        }
        if (n_calls > 0 && processes.at[p].busy)
            cost_thread(costing, &processes.at[p], t, calls, n_calls);
        free(calls);
    }
    for (size_t p = 0; p < processes.n; p++)
        nsc_cover_free(processes.at[p].busy);
    NSC_VEC_FINI(&processes);
}

static void fini_sync_costs(void *value)
{
    struct nsc_sync_costs *costs = value;

    free(costs->at);
    NSC_VEC_FINI(&costs->threads);
    *costs = (struct nsc_sync_costs){0};
}

static bool build_sync_costs(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_sync_costs *out = value;
    struct costing costing = {.scope = scope, .out = out};
    size_t n = (size_t)nsc_trace_names(scope->trace)->n + 1;

    (void)device;
    *out = (struct nsc_sync_costs){0};
    costing.slot = nsc_xcalloc(n, sizeof *costing.slot);
    costing.reach = nsc_xcalloc(n, sizeof *costing.reach);
    nsc_sync_calls_build(&costing.calls, scope);
    cost_processes(&costing);
    nsc_sync_calls_fini(&costing.calls);
    free(costing.reach);
    free(costing.slot);
    NSC_VEC_SORT(out, compare_costs);
    NSC_VEC_SORT(&out->threads, compare_costs);
    return true;
}

static const struct nsc_shared_kind sync_costs_kind = {sizeof(struct nsc_sync_costs),
                                                       build_sync_costs, fini_sync_costs};

void nsc_sync_costs_build(struct nsc_sync_costs *out, const struct nsc_scope *scope)
{
    (void)nsc_shared_ask(out, &out->is_kept, &sync_costs_kind, scope, 0);
}

void nsc_sync_costs_fini(struct nsc_sync_costs *costs)
{
    if (!costs->is_kept)
        fini_sync_costs(costs);
}
