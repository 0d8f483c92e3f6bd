/* Measures the time of threads from the outermost lanes of their tracks. */
#include "analysis/finding/cpu_threads.h"

#include "analysis/base/limit.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>

struct gathering {
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    NSC_VEC(struct nsc_cpu_interval) ranges, scheds;
    nsc_time *by_name; /* time in OS calls, by name of the call */
    NSC_VEC(nsc_name) names;
};

/* ---- intervals ---- */

static int compare_intervals(const void *a, const void *b)
{
    const struct nsc_cpu_interval *x = a;
    const struct nsc_cpu_interval *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

static void sort_intervals(struct nsc_cpu_interval *at, size_t n)
{
    if (n > 1)
        qsort(at, n, sizeof *at, compare_intervals);
}

/* The length of the union of sorted intervals inside a window. */
static nsc_time cover(const struct nsc_cpu_interval *at, size_t n, struct nsc_window window)
{
    nsc_time reach = window.t0;
    nsc_time sum = 0;

    for (size_t i = 0; i < n; i++)
        sum = nsc_sum(sum, nsc_extend(&reach, nsc_later(at[i].start, window.t0),
                                      nsc_earlier(at[i].end, window.t1)));
    return sum;
}

/* The parts of [start, end) that no interval covers. Intervals are sorted and do not overlap. *next
 * moves to the first interval that a later call may need. */
static nsc_time leave_free(const struct nsc_cpu_interval *at, size_t n, size_t *next,
                           nsc_time start, nsc_time end)
{
    nsc_time left = nsc_span(start, end);

    while (*next < n && at[*next].end <= start)
        (*next)++;
    for (size_t i = *next; i < n && at[i].start < end; i++)
        left -= nsc_span(nsc_later(at[i].start, start), nsc_earlier(at[i].end, end));
    return nsc_later(0, left);
}

/* ---- records ---- */

static struct nsc_text name_of(const struct gathering *of, nsc_event event)
{
    const struct nsc_trace *trace = of->scope->trace;

    return nsc_trace_string(trace, nsc_trace_names(trace)->full[of->events->name[event]]);
}

static void widen(struct nsc_window *window, nsc_time start, nsc_time end)
{
    window->t0 = nsc_earlier(window->t0, start);
    window->t1 = nsc_later(window->t1, end);
}

static void add_record(struct gathering *of, struct nsc_cpu_thread *thread, uint8_t kind,
                       nsc_event event)
{
    struct nsc_cpu_interval interval = {.event = event};

    if (!nsc_scope_clip(of->scope, event, &interval.start, &interval.end))
        return;
    if (kind == NSC_TRACK_NVTX && nsc_host_act_range(name_of(of, event)) != NSC_HOST_CPU)
        return; /* waiting for Python's lock or collecting garbage is not a program's own work */
    widen(&thread->window, interval.start, interval.end);
    if (kind == NSC_TRACK_NVTX)
        *NSC_VEC_ADD(&of->ranges) = interval;
    else if (kind == NSC_TRACK_SCHED)
        *NSC_VEC_ADD(&of->scheds) = interval;
    else if (kind == NSC_TRACK_OSRT)
        *NSC_VEC_ADD(&thread->os_calls) = interval;
    else if (kind == NSC_TRACK_MPI)
        *NSC_VEC_ADD(&thread->mpi_calls) = interval;
}

/* Adds the outermost records of a track; for MPI and the scheduler, all records. */
static void add_track(struct gathering *of, struct nsc_cpu_thread *thread, uint32_t track)
{
    const struct nsc_track *at = nsc_trace_track(of->scope->trace, track);
    uint32_t lanes = at->n_lanes < 1 ? at->n_lanes : 1;

    for (uint32_t k = 0; k < lanes; k++) {
        nsc_event row;
        nsc_event end;

        nsc_scope_rows(of->scope, at->first_lane + k, &row, &end);
        for (; row < end; row++)
            add_record(of, thread, at->kind, row);
    }
}

/* Clips a thread to the time between MPI_Init and MPI_Finalize. These two are not waits. */
static void trim_to_mpi(const struct gathering *of, struct nsc_cpu_thread *thread)
{
    size_t kept = 0;

    for (size_t i = 0; i < thread->mpi_calls.n; i++) {
        const struct nsc_cpu_interval *call = &thread->mpi_calls.at[i];
        struct nsc_text name = name_of(of, call->event);

        if (nsc_text_contains_folded(name, nsc_text_from("mpi_init")))
            thread->window.t0 = nsc_later(thread->window.t0, call->end);
        else if (nsc_text_contains_folded(name, nsc_text_from("mpi_finalize")))
            thread->window.t1 = nsc_earlier(thread->window.t1, call->start);
        else
            thread->mpi_calls.at[kept++] = *call;
    }
    thread->mpi_calls.n = kept;
    thread->window.t1 = nsc_later(thread->window.t0, thread->window.t1);
}

/* ---- figures ---- */

static void keep_calls(struct gathering *of, struct nsc_cpu_thread *thread)
{
    for (size_t i = 0; i < of->names.n; i++) {
        struct nsc_cpu_call call = {of->names.at[i], of->by_name[of->names.at[i]]};

        of->by_name[call.name] = 0;
        for (int k = 0; k < NSC_CPU_CALLS; k++)
            if (call.ns > thread->calls[k].ns) {
                struct nsc_cpu_call pushed = thread->calls[k];

                thread->calls[k] = call;
                call = pushed;
            }
    }
    NSC_VEC_CLEAR(&of->names);
}

static void measure_os(struct gathering *of, struct nsc_cpu_thread *thread)
{
    nsc_time reach = thread->window.t0;
    size_t next = 0;

    for (size_t i = 0; i < thread->os_calls.n; i++) {
        const struct nsc_cpu_interval *call = &thread->os_calls.at[i];
        nsc_time start = nsc_later(call->start, reach);
        nsc_time end = nsc_earlier(call->end, thread->window.t1);
        nsc_time ns = leave_free(thread->mpi_calls.at, thread->mpi_calls.n, &next, start, end);
        nsc_name name = of->events->name[call->event];
        enum nsc_host_act act = nsc_host_act_os(name_of(of, call->event));

        reach = nsc_later(reach, end);
        if (ns <= 0)
            continue;
        thread->os[act] = nsc_sum(thread->os[act], ns);
        if (act == NSC_HOST_EVENTS)
            continue;
        if (of->by_name[name] == 0)
            *NSC_VEC_ADD(&of->names) = name;
        of->by_name[name] = nsc_sum(of->by_name[name], ns);
    }
    keep_calls(of, thread);
}

static void measure_thread(struct gathering *of, struct nsc_cpu_thread *thread)
{
    nsc_time whole;
    nsc_time parked;

    sort_intervals(thread->mpi_calls.at, thread->mpi_calls.n);
    sort_intervals(thread->os_calls.at, thread->os_calls.n);
    sort_intervals(of->ranges.at, of->ranges.n);
    sort_intervals(of->scheds.at, of->scheds.n);
    trim_to_mpi(of, thread);
    whole = nsc_cpu_thread_time(thread);
    thread->ranges = cover(of->ranges.at, of->ranges.n, thread->window);
    thread->on_cpu = cover(of->scheds.at, of->scheds.n, thread->window);
    thread->mpi = cover(thread->mpi_calls.at, thread->mpi_calls.n, thread->window);
    measure_os(of, thread);
    parked = nsc_sum(thread->os[NSC_HOST_LOCK], thread->os[NSC_HOST_SLEEP]);
    thread->is_parked = nsc_percent(parked, whole) >= NSC_LIMIT_PARKED &&
                        nsc_percent(thread->ranges, whole) < NSC_LIMIT_PARKED_RANGES;
}

static void free_calls(struct nsc_cpu_thread *thread)
{
    NSC_VEC_FINI(&thread->mpi_calls);
    NSC_VEC_FINI(&thread->os_calls);
}

void nsc_cpu_threads_build(struct nsc_cpu_threads *out, const struct nsc_scope *scope)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n);
    struct gathering of = {.scope = scope, .events = nsc_trace_events(scope->trace)};

    *out = (struct nsc_cpu_threads){0};
    of.by_name = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, sizeof *of.by_name);
    for (uint32_t t = 0; t < n; t++) {
        struct nsc_cpu_thread thread = {.group = t,
                                        .pid = tracks[t].pid,
                                        .tid = tracks[t].tid,
                                        .process = tracks[t].process,
                                        .window = {INT64_MAX, INT64_MIN}};

        if (tracks[t].kind != NSC_TRACK_THREAD)
            continue;
        for (uint32_t k = t + 1; k < tracks[t].skip; k++)
            add_track(&of, &thread, k);
        if (thread.window.t0 < thread.window.t1) {
            measure_thread(&of, &thread);
            *NSC_VEC_ADD(&out->list) = thread;
        } else
            free_calls(&thread); /* no records, or records of no length at one instant */
        NSC_VEC_CLEAR(&of.ranges);
        NSC_VEC_CLEAR(&of.scheds);
    }
    free(of.by_name);
    NSC_VEC_FINI(&of.names);
    NSC_VEC_FINI(&of.ranges);
    NSC_VEC_FINI(&of.scheds);
}

void nsc_cpu_threads_fini(struct nsc_cpu_threads *threads)
{
    for (size_t i = 0; i < threads->list.n; i++)
        free_calls(&threads->list.at[i]);
    NSC_VEC_FINI(&threads->list);
}

nsc_time nsc_cpu_thread_time(const struct nsc_cpu_thread *thread)
{
    return nsc_span(thread->window.t0, thread->window.t1);
}

nsc_time nsc_cpu_thread_waits(const struct nsc_cpu_thread *thread)
{
    nsc_time sum = 0;

    for (int i = 0; i < NSC_N_HOST_ACTS; i++)
        if (i != NSC_HOST_EVENTS)
            sum = nsc_sum(sum, thread->os[i]);
    return sum;
}

/* ---- the working thread ---- */

bool nsc_cpu_thread_works_more(const struct nsc_cpu_thread *a, const struct nsc_cpu_thread *b)
{
    nsc_time marked[2] = {nsc_sum(a->ranges, a->mpi), nsc_sum(b->ranges, b->mpi)};

    if (a->is_parked != b->is_parked)
        return b->is_parked;
    if (marked[0] != marked[1])
        return marked[0] > marked[1];
    if ((a->tid == a->pid) != (b->tid == b->pid))
        return a->tid == a->pid;
    if (a->on_cpu != b->on_cpu)
        return a->on_cpu > b->on_cpu;
    return nsc_cpu_thread_waits(a) < nsc_cpu_thread_waits(b);
}

uint32_t nsc_cpu_threads_worker(const struct nsc_cpu_threads *threads, uint64_t process)
{
    uint32_t best = NSC_NONE;

    for (size_t i = 0; i < threads->list.n; i++)
        if (threads->list.at[i].process == process &&
            (best == NSC_NONE ||
             nsc_cpu_thread_works_more(&threads->list.at[i], &threads->list.at[best])))
            best = (uint32_t)i;
    return best;
}
