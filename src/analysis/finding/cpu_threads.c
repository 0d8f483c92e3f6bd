/* Measures the time of threads from the outermost lanes of their tracks. */
#include "analysis/finding/cpu_threads.h"

#include "analysis/base/limit.h"
#include "core/bisect.h"
#include "core/text.h"

#include <stdlib.h>

/* What a name says, one table for calls of the OS, for MPI calls and for ranges. */
enum table { OS_NAMES, MPI_NAMES, RANGE_NAMES, N_TABLES };

enum { MPI_CALL, MPI_INIT, MPI_FINALIZE };

struct gathering {
    const struct nsc_scope *scope;
    const struct nsc_events *events;
    uint8_t *said[N_TABLES]; /* by name: 1 + what it says; 0: not asked yet */
    nsc_time *by_name;       /* time in OS calls, by name of the call */
    NSC_VEC(nsc_name) names;
    NSC_VEC(struct nsc_row_range) ranges; /* of the current thread, one a domain */
    struct nsc_row_range scheds, mpi_calls;
};

/* ---- names ---- */

static unsigned mpi_of_name(struct nsc_text name)
{
    if (nsc_text_contains_folded(name, nsc_text_from("mpi_init")))
        return MPI_INIT;
    return nsc_text_contains_folded(name, nsc_text_from("mpi_finalize")) ? MPI_FINALIZE : MPI_CALL;
}

/* What the name of an event says: an enum nsc_host_act, or MPI_CALL and its like. */
static unsigned ask_name(const struct gathering *of, enum table table, nsc_event event)
{
    nsc_name name = of->events->name[event];
    uint8_t *said = &of->said[table][name];

    if (!*said) {
        struct nsc_text text =
            nsc_trace_string(of->scope->trace, nsc_trace_names(of->scope->trace)->full[name]);

        *said = (uint8_t)(1 + (table == OS_NAMES    ? (unsigned)nsc_host_act_os(text)
                               : table == MPI_NAMES ? mpi_of_name(text)
                                                    : (unsigned)nsc_host_act_range(text)));
    }
    return *said - 1U;
}

/* ---- rows ---- */

/* Whether a row that touches the window counts. Waiting for Python's lock or collecting garbage is
 * not a program's own work. */
static bool counts(const struct gathering *of, bool is_range, nsc_event row)
{
    return nsc_scope_selects(of->scope, row) &&
           !(is_range && ask_name(of, RANGE_NAMES, row) != NSC_HOST_CPU);
}

/* The rows of a lane from the first that counts to the last. */
static struct nsc_row_range find_rows(const struct gathering *of, uint32_t lane, bool is_range)
{
    struct nsc_row_range rows;

    nsc_scope_rows(of->scope, lane, &rows.first, &rows.end);
    while (rows.first < rows.end && !counts(of, is_range, rows.first))
        rows.first++;
    while (rows.first < rows.end && !counts(of, is_range, rows.end - 1))
        rows.end--;
    return rows;
}

/* The length of the union of the rows of several lanes inside a window. */
static nsc_time cover(const struct gathering *of, bool is_range, const struct nsc_row_range rows[],
                      uint32_t n, struct nsc_window window)
{
    struct nsc_lane_merge merge;
    nsc_time reach = window.t0;
    nsc_time sum = 0;

    nsc_lane_merge_open(&merge, of->scope->trace, rows, n);
    for (nsc_event row; (row = nsc_lane_merge_next(&merge)) != NSC_NONE;)
        if (counts(of, is_range, row))
            sum = nsc_sum(sum, nsc_extend(&reach, nsc_later(of->events->start[row], window.t0),
                                          nsc_earlier(nsc_event_end(of->events, row), window.t1)));
    nsc_lane_merge_fini(&merge);
    return sum;
}

/* Adds the outermost records of a track; for MPI and the scheduler, all records. A thread has one
 * track of each kind, except for ranges. */
static void add_track(struct gathering *of, struct nsc_cpu_thread *thread, uint32_t track)
{
    const struct nsc_track *at = nsc_trace_track(of->scope->trace, track);
    bool is_range = at->kind == NSC_TRACK_NVTX;
    struct nsc_row_range rows = {0, 0};
    struct nsc_window ends[2];

    if (at->n_lanes > 0)
        rows = find_rows(of, at->first_lane, is_range);
    if (rows.first == rows.end)
        return;
    (void)nsc_scope_clip(of->scope, rows.first, &ends[0].t0, &ends[0].t1);
    (void)nsc_scope_clip(of->scope, rows.end - 1, &ends[1].t0, &ends[1].t1);
    nsc_window_join(&thread->window, (struct nsc_window){ends[0].t0, ends[1].t1});
    if (is_range)
        *NSC_VEC_ADD(&of->ranges) = rows;
    else if (at->kind == NSC_TRACK_SCHED)
        of->scheds = rows;
    else if (at->kind == NSC_TRACK_OSRT)
        thread->os_calls = rows;
    else if (at->kind == NSC_TRACK_MPI)
        of->mpi_calls = rows;
}

/* Lists the MPI calls of a thread, and clips it to the time between MPI_Init and MPI_Finalize. These
 * two are not waits. */
static void list_mpi(const struct gathering *of, struct nsc_cpu_thread *thread)
{
    for (nsc_event row = of->mpi_calls.first; row < of->mpi_calls.end; row++) {
        struct nsc_window call;
        unsigned said;

        if (!nsc_scope_clip_row(of->scope, of->events, row, &call.t0, &call.t1))
            continue;
        said = ask_name(of, MPI_NAMES, row);
        if (said == MPI_INIT)
            thread->window.t0 = nsc_later(thread->window.t0, call.t1);
        else if (said == MPI_FINALIZE)
            thread->window.t1 = nsc_earlier(thread->window.t1, call.t0);
        else
            *NSC_VEC_ADD(&thread->mpi_calls) = row;
    }
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

nsc_time nsc_cpu_thread_outside_mpi(const struct nsc_cpu_thread *thread, size_t *near,
                                    nsc_time start, nsc_time end)
{
    nsc_time left = nsc_span(start, end);
    size_t n = thread->mpi_calls.n;
    size_t lo = *near;
    size_t step = 1;
    size_t hi;

    for (; n - lo > step && nsc_cpu_thread_call(thread, lo + step).t1 <= start; step *= 2)
        lo += step;
    hi = n - lo > step ? lo + step : n;
    NSC_BISECT(lo, hi, mid, nsc_cpu_thread_call(thread, mid).t1 <= start);
    *near = lo;
    for (; lo < n; lo++) {
        struct nsc_window call = nsc_cpu_thread_call(thread, lo);

        if (call.t0 >= end)
            break;
        left -= nsc_span(nsc_later(call.t0, start), nsc_earlier(call.t1, end));
    }
    return nsc_later(0, left);
}

static nsc_time measure_mpi(const struct nsc_cpu_thread *thread)
{
    nsc_time sum = 0;

    for (size_t i = 0; i < thread->mpi_calls.n; i++) {
        struct nsc_window call = nsc_cpu_thread_call(thread, i);

        sum = nsc_sum(sum, nsc_span(nsc_later(call.t0, thread->window.t0),
                                    nsc_earlier(call.t1, thread->window.t1)));
    }
    return sum;
}

static void measure_os(struct gathering *of, struct nsc_cpu_thread *thread)
{
    size_t next = 0;

    for (nsc_event row = thread->os_calls.first; row < thread->os_calls.end; row++) {
        nsc_time start = nsc_later(of->events->start[row], thread->window.t0);
        nsc_time end = nsc_earlier(nsc_event_end(of->events, row), thread->window.t1);
        nsc_name name = of->events->name[row];
        unsigned act;
        nsc_time ns;

        if (start >= end || !nsc_scope_selects(of->scope, row))
            continue;
        ns = nsc_cpu_thread_outside_mpi(thread, &next, start, end);
        if (ns <= 0)
            continue;
        act = ask_name(of, OS_NAMES, row);
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

    list_mpi(of, thread);
    whole = nsc_cpu_thread_time(thread);
    thread->ranges = cover(of, true, of->ranges.at, (uint32_t)of->ranges.n, thread->window);
    thread->on_cpu = cover(of, false, &of->scheds, 1, thread->window);
    thread->mpi = measure_mpi(thread);
    measure_os(of, thread);
    parked = nsc_sum(thread->os[NSC_HOST_LOCK], thread->os[NSC_HOST_SLEEP]);
    thread->is_parked = nsc_percent(parked, whole) >= NSC_LIMIT_NEARLY_ALL &&
                        nsc_percent(thread->ranges, whole) < NSC_LIMIT_MATTERS;
}

void nsc_cpu_threads_build(struct nsc_cpu_threads *out, const struct nsc_scope *scope)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n);
    size_t n_names = (size_t)nsc_trace_names(scope->trace)->n + 1;
    struct gathering of = {.scope = scope, .events = nsc_trace_events(scope->trace)};

    *out = (struct nsc_cpu_threads){0};
    of.by_name = nsc_xcalloc(n_names, sizeof *of.by_name);
    for (int i = 0; i < N_TABLES; i++)
        of.said[i] = nsc_xcalloc(n_names, 1);
    for (uint32_t t = 0; t < n; t++) {
        struct nsc_cpu_thread thread = {.scope = scope,
                                        .events = of.events,
                                        .group = t,
                                        .pid = tracks[t].pid,
                                        .tid = tracks[t].tid,
                                        .process = tracks[t].process,
                                        .window = {INT64_MAX, INT64_MIN}};

        if (tracks[t].kind != NSC_TRACK_THREAD)
            continue;
        of.scheds = of.mpi_calls = (struct nsc_row_range){0, 0};
        NSC_VEC_CLEAR(&of.ranges);
        for (uint32_t k = t + 1; k < nsc_group_end(tracks, t); k++)
            add_track(&of, &thread, k);
        if (thread.window.t0 >= thread.window.t1)
            continue; /* no records, or records of no length at one instant */
        measure_thread(&of, &thread);
        *NSC_VEC_ADD(&out->list) = thread;
    }
    free(of.by_name);
    for (int i = 0; i < N_TABLES; i++)
        free(of.said[i]);
    NSC_VEC_FINI(&of.names);
    NSC_VEC_FINI(&of.ranges);
}

void nsc_cpu_threads_fini(struct nsc_cpu_threads *threads)
{
    for (size_t i = 0; i < threads->list.n; i++)
        NSC_VEC_FINI(&threads->list.at[i].mpi_calls);
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

uint32_t nsc_cpu_threads_worker(uint32_t *end, const struct nsc_cpu_threads *threads,
                                uint32_t first)
{
    const struct nsc_cpu_thread *at = threads->list.at;
    uint32_t best = first;
    uint32_t i = first + 1;

    for (; i < threads->list.n && at[i].process == at[first].process; i++)
        if (nsc_cpu_thread_works_more(&at[i], &at[best]))
            best = i;
    *end = i;
    return best;
}
