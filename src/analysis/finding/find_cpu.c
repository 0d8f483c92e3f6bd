/*
 * Analyses exports without GPU work: what the working thread of a process waits for, which NVTX
 * ranges take its time, and how long it runs on a CPU.
 *
 * finding/cpu_threads.h chooses the working thread; parked threads of a pool are never blamed.
 * Thresholds: threshold.def.
 */
#include "nsyscope/calltree.h"

#include "analysis/base/longest.h"
#include "analysis/finding/cost_ranges.h"
#include "analysis/finding/cpu_threads.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/ranges/tree_gpu.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"
#include "index/names.h"

#include <math.h>
#include <stdlib.h>

#define PROCESSES_TOLD 4
#define RANGES_TOLD    3

static struct nsc_shown show_thread(const struct nsc_scope *scope,
                                    const struct nsc_cpu_thread *thread)
{
    return nsc_show_track(scope->trace, thread->group);
}

/* ---- waits of the working thread ---- */

/* The ranges around the longest OS calls, except those that wait for events. */
static struct nsc_cost_ranges find_where(const struct nsc_scope *scope,
                                         const struct nsc_cpu_thread *thread)
{
    struct nsc_longest longest = nsc_longest_new(NSC_COST_RANGES_MOST);
    struct nsc_cost_ranges where;
    nsc_time start;
    nsc_time end;

    nsc_cost_ranges_init(&where, scope, NSC_NONE, thread->window);
    for (nsc_event row = thread->os_calls.first; row < thread->os_calls.end; row++)
        if (nsc_scope_clip(scope, row, &start, &end))
            nsc_longest_add(&longest, row, nsc_span(start, end));
    nsc_longest_end(&longest);
    for (size_t i = 0; i < longest.kept.n; i++) {
        struct nsc_long_event call = longest.kept.at[i];
        struct nsc_text name = nsc_event_name(scope->trace, call.event);

        if (nsc_host_act_os(name) != NSC_HOST_EVENTS &&
            nsc_scope_clip(scope, call.event, &start, &end))
            nsc_cost_ranges_add(&where, call.event, start, call.length);
    }
    nsc_longest_fini(&longest);
    return where;
}

static void tell_calls(struct nsc_finding *finding, const struct nsc_scope *scope,
                       const struct nsc_cpu_thread *thread)
{
    nsc_time whole = nsc_cpu_thread_time(thread);

    for (int i = 0; i < NSC_CPU_CALLS && thread->calls[i].ns > 0; i++) {
        struct nsc_text name = nsc_trace_string(
            scope->trace, nsc_trace_names(scope->trace)->full[thread->calls[i].name]);

        nsc_finding_evidence(finding, "%s: %s, %.1f %% of the thread's time", nsc_show(name).text,
                             nsc_show_ns(finding, thread->calls[i].ns).text,
                             nsc_percent(thread->calls[i].ns, whole));
    }
}

/* Advice for the kind of call that takes most of the time. */
static const char *next_of_waits(const struct nsc_cpu_thread *thread)
{
    static const struct {
        enum nsc_host_act act;
        const char *next;
    } of[] = {
        {NSC_HOST_FILE,
         "Open and look up fewer files, read and write in larger pieces, or do so on "
         "another thread and ahead of time."},
        {NSC_HOST_LOCK, "See what the threads it waits for do."},
        {NSC_HOST_SLEEP, "Wait for the event itself instead of a fixed time."},
        {NSC_HOST_NETWORK, "Receive on another thread, and ahead of time."},
    };
    unsigned most = 0;

    for (unsigned i = 1; i < sizeof of / sizeof *of; i++)
        most = thread->os[of[i].act] > thread->os[of[most].act] ? i : most;
    return thread->os[of[most].act] > 0 ? of[most].next : "See whether they are needed.";
}

static void report_waits(struct nsc_findings *out, const struct nsc_scope *scope,
                         const struct nsc_cpu_thread *thread)
{
    nsc_time waits = nsc_cpu_thread_waits(thread);
    double share = nsc_percent(waits, nsc_cpu_thread_time(thread));
    struct nsc_cost_ranges where;
    struct nsc_text top;
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_OS_WAITS, share) >= NSC_SEVERITY_INFO)
        return;
    where = find_where(scope, thread);
    top = nsc_name_text(scope->trace, thread->calls[0].name);
    finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_OS_WAITS, "os-waits", share,
        "The working thread %s is in calls of the OS for %.1f %% of its time, most in %s%s",
        show_thread(scope, thread).text, share, nsc_show(top).text,
        nsc_cost_ranges_words(&where).text);
    nsc_finding_place(finding, thread->group, waits, thread->window);
    tell_calls(finding, scope, thread);
    if (thread->os[NSC_HOST_FILE] > 0)
        nsc_finding_evidence(finding, "file I/O: %s, %.1f %% of the time of the working thread %s",
                             nsc_show_ns(finding, thread->os[NSC_HOST_FILE]).text,
                             nsc_percent(thread->os[NSC_HOST_FILE], nsc_cpu_thread_time(thread)),
                             show_thread(scope, thread).text);
    nsc_finding_next(finding, "%s See these calls: filter thread %u and kind os on the screen.",
                     next_of_waits(thread), thread->tid);
}

static void report_events(struct nsc_findings *out, const struct nsc_scope *scope,
                          const struct nsc_cpu_thread *thread)
{
    nsc_time ns = thread->os[NSC_HOST_EVENTS];
    double share = nsc_percent(ns, nsc_cpu_thread_time(thread));
    struct nsc_finding *finding;

    if (share < NSC_LIMIT_MOST)
        return;
    finding = nsc_findings_add(out, "event-waits", NSC_SEVERITY_INFO,
                               "The thread %s waits for events or requests for %.1f %% of its time",
                               show_thread(scope, thread).text, share);
    finding->track = thread->group;
    nsc_finding_evidence(finding, "%s in poll, select, epoll_wait and their like: nothing to do",
                         nsc_show_ns(finding, ns).text);
}

/* ---- ranges ---- */

/* Whether the range marks Python's lock or garbage collection instead of the program's own work. */
static bool is_of_python(const struct nsc_scope *scope, nsc_event range)
{
    return nsc_host_act_range(nsc_event_name(scope->trace, range)) != NSC_HOST_CPU;
}

/* The longest outermost ranges of all threads, by node of the tree. */
static struct nsc_longest find_ranges(const struct nsc_scope *scope,
                                      const struct nsc_calltree *tree, nsc_time *all)
{
    struct nsc_longest top = nsc_longest_new(RANGES_TOLD);

    *all = 0;
    for (uint32_t i = 0; i < tree->n; i = tree->skip[i]) {
        if (is_of_python(scope, tree->slowest[i]))
            continue;
        *all = nsc_sum(*all, tree->total[i]);
        nsc_longest_add(&top, i, tree->total[i]);
    }
    nsc_longest_end(&top);
    return top;
}

static void report_ranges(struct nsc_findings *out, const struct nsc_scope *scope)
{
    bool is_kept;
    struct nsc_calltree *tree = nsc_range_tree_ask(scope, scope->mask, &is_kept);
    struct nsc_longest top = {0};
    struct nsc_finding *finding = NULL;
    nsc_time all = 0;

    if (tree)
        top = find_ranges(scope, tree, &all);
    for (uint32_t i = 0; i < top.kept.n && all > 0; i++) {
        uint32_t node = top.kept.at[i].event;
        nsc_time ns = top.kept.at[i].length;
        struct nsc_shown name =
            nsc_show_range(scope->trace, tree->slowest[node], tree->mixed[node]);

        if (i == 0) {
            finding = nsc_findings_add(out, "nvtx-shares", NSC_SEVERITY_INFO,
                                       "%s takes %.1f %% of the time in outermost NVTX ranges",
                                       name.text, nsc_percent(ns, all));
            finding->ns = ns;
            finding->event = tree->slowest[node];
        }
        nsc_finding_evidence(finding, "%s: %s in %u %s, %.1f %%", name.text,
                             nsc_show_ns(finding, ns).text, tree->calls[node],
                             tree->calls[node] == 1 ? "range" : "ranges", nsc_percent(ns, all));
    }
    if (finding)
        nsc_finding_next(finding, "See what is inside: nsyscope tree FILE.");
    nsc_longest_fini(&top);
    if (!is_kept)
        nsc_calltree_free(tree);
}

/* ---- the CPU ---- */

static void report_cpu(struct nsc_findings *out, const struct nsc_scope *scope,
                       const struct nsc_cpu_threads *threads, const struct nsc_cpu_thread *worker)
{
    nsc_time whole = nsc_cpu_thread_time(worker);
    nsc_time all = 0;
    uint32_t n = 0;
    struct nsc_finding *finding;

    for (size_t i = 0; i < threads->list.n; i++)
        if (threads->list.at[i].process == worker->process) {
            all = nsc_sum(all, threads->list.at[i].on_cpu);
            n += threads->list.at[i].on_cpu > 0;
        }
    if (all == 0) {
        finding = nsc_findings_add_unassessed(
            out, "cpu-utilisation", "How much the threads run on a CPU", "%s",
            "the scheduler was not recorded (nsys profile --cpuctxsw=process-tree)");
        finding->track = worker->group;
        return;
    }
    finding = nsc_findings_add(out, "cpu-utilisation", NSC_SEVERITY_INFO,
                               "The working thread %s is on a CPU for %.1f %% of its time",
                               show_thread(scope, worker).text, nsc_percent(worker->on_cpu, whole));
    finding->ns = worker->on_cpu;
    finding->track = worker->group;
    nsc_finding_evidence(finding,
                         "%s of this thread, %s of all %u threads of the process that ran: %.2f "
                         "CPUs on average",
                         nsc_show_ns(finding, worker->on_cpu).text, nsc_show_ns(finding, all).text,
                         n, whole > 0 ? (double)all / (double)whole : 0);
}

/* ---- all of it ---- */

struct worst { /* the greatest share of any working thread, in percent of the thread's time */
    double waits, mpi, off_cpu;
    bool has_waits, has_cpu; /* false: unknown for at least one thread */
};

static struct worst measure_worst(const struct nsc_cpu_threads *threads, const uint32_t workers[],
                                  uint32_t n)
{
    struct worst worst = {.has_waits = n > 0, .has_cpu = n > 0};

    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_cpu_thread *of = &threads->list.at[workers[i]];
        nsc_time whole = nsc_cpu_thread_time(of);

        worst.has_waits &= of->os_calls.first < of->os_calls.end || of->mpi_calls.n > 0;
        worst.has_cpu = worst.has_cpu && of->on_cpu > 0;
        worst.waits = fmax(worst.waits, nsc_percent(nsc_cpu_thread_waits(of), whole));
        worst.mpi = fmax(worst.mpi, nsc_percent(of->mpi, whole));
        worst.off_cpu = fmax(worst.off_cpu, 100 - nsc_percent(of->on_cpu, whole));
    }
    return worst;
}

static void report_healthy(struct nsc_findings *out, const struct nsc_cpu_threads *threads,
                           const uint32_t workers[], uint32_t n)
{
    struct worst worst = measure_worst(threads, workers, n);
    char share[2][NSC_UNITS_BYTES];
    struct nsc_finding *finding = NULL;

    for (size_t i = 0; i < out->list.n; i++)
        if (out->list.at[i].severity < NSC_SEVERITY_INFO)
            return;
    if (worst.has_waits && worst.waits < nsc_thresholds[NSC_THRESHOLD_OS_WAITS].low &&
        worst.mpi < nsc_thresholds[NSC_THRESHOLD_OS_WAITS].low)
        finding = nsc_findings_add(
            out, "healthy", NSC_SEVERITY_INFO,
            "Healthy: the working thread is in OS calls for %s and in MPI for %s of its time",
            nsc_units_share(share[0], worst.waits), nsc_units_share(share[1], worst.mpi));
    else if (!worst.has_waits && worst.has_cpu &&
             worst.off_cpu < nsc_thresholds[NSC_THRESHOLD_OS_WAITS].low)
        finding = nsc_findings_add(
            out, "healthy", NSC_SEVERITY_INFO,
            "Healthy: the working thread is on a CPU for %.1f %% of its time", 100 - worst.off_cpu);
    if (finding)
        nsc_finding_evidence(finding,
                             "no finding is above information; there is no GPU work; the "
                             "worst of %u processes",
                             n);
}

/* Inserts a working thread, ordered by work, the most first. Drops the last if the list is full. */
static uint32_t add_worker(uint32_t workers[PROCESSES_TOLD + 1], uint32_t n,
                           const struct nsc_cpu_threads *threads, uint32_t worker)
{
    uint32_t at = n;

    for (; at > 0 &&
           nsc_cpu_thread_works_more(&threads->list.at[worker], &threads->list.at[workers[at - 1]]);
         at--)
        workers[at] = workers[at - 1];
    workers[at] = worker;
    return n < PROCESSES_TOLD ? n + 1 : n;
}

/* The threads that work most, one a process, without parked ones. Returns their number. */
static uint32_t find_workers(uint32_t workers[PROCESSES_TOLD + 1],
                             const struct nsc_cpu_threads *threads)
{
    uint32_t n = 0;

    for (uint32_t first = 0, end; first < threads->list.n; first = end) {
        uint32_t worker = nsc_cpu_threads_worker(&end, threads, first);

        if (!threads->list.at[worker].is_parked)
            n = add_worker(workers, n, threads, worker);
    }
    return n;
}

void nsc_find_cpu(struct nsc_findings *out, const struct nsc_scope *scope,
                  const struct nsc_field_sets *fields)
{
    uint32_t workers[PROCESSES_TOLD + 1];
    struct nsc_cpu_threads threads;
    uint32_t n;

    nsc_cpu_threads_build(&threads, scope);
    n = find_workers(workers, &threads);
    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_cpu_thread *worker = &threads.list.at[workers[i]];

        report_waits(out, scope, worker);
        report_events(out, scope, worker);
        if (i == 0)
            report_cpu(out, scope, &threads, worker);
    }
    report_ranges(out, scope);
    if (n == 0)
        (void)nsc_findings_add_unassessed(out, "cpu-utilisation", "What the program does", "%s",
                                          scope->mask
                                              ? "the filter matches no events of threads or GPUs "
                                                "in the window"
                                              : "the export holds no events of threads or GPUs in "
                                                "the window");
    nsc_findings_mpi(out, scope, fields, &threads);
    report_healthy(out, &threads, workers, n);
    nsc_cpu_threads_fini(&threads);
}
