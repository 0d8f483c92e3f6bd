/* Finds waiting in MPI from the calls of each process. */
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/mpi_blame.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/collective.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>

#define RANKS_MOST 1024

struct rank {
    const struct nsc_cpu_thread *thread;
    uint32_t last; /* collectives that it enters last */
    nsc_time wait; /* of the others, for the last ones to arrive */
};

struct matching {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    struct rank *ranks;
    uint32_t n;
    uint32_t matched;
    struct nsc_mpi_waits waits; /* waits in collectives and for messages */
};

/* Writes the times of a rank's first calls of this name to out, which has room for some. Returns the
 * number of all. */
static size_t gather(const struct matching *of, const struct rank *rank, nsc_name name,
                     struct nsc_window out[], size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < rank->thread->mpi_calls.n; i++) {
        if (of->events->name[rank->thread->mpi_calls.at[i]] != name)
            continue;
        if (n < room)
            out[n] = nsc_cpu_thread_call(rank->thread, i);
        n++;
    }
    return n;
}

/* Matches instance k. Returns false if a process left it before the last one entered. */
static bool match_one(struct matching *of, const struct nsc_window *calls, size_t each, size_t k,
                      bool is_counted)
{
    uint32_t last = 0;
    nsc_time least_end = INT64_MAX;

    for (uint32_t r = 0; r < of->n; r++) {
        struct nsc_window call = calls[r * each + k];

        least_end = nsc_earlier(least_end, call.t1);
        if (call.t0 > calls[last * each + k].t0)
            last = r;
    }
    if (nsc_sum(least_end, NSC_LIMIT_MPI_SLACK) < calls[last * each + k].t0)
        return false;
    if (!is_counted)
        return true;
    of->ranks[last].last++;
    for (uint32_t r = 0; r < of->n; r++) {
        struct nsc_mpi_wait wait = {r, last, calls[r * each + k].t0, calls[last * each + k].t0};

        of->ranks[r].wait = nsc_sum(of->ranks[r].wait, nsc_span(wait.start, wait.end));
        if (wait.start < wait.end)
            *NSC_VEC_ADD(&of->waits.list) = wait;
    }
    return true;
}

static void match_name(struct matching *of, nsc_name name)
{
    size_t each = gather(of, &of->ranks[0], name, NULL, 0);
    struct nsc_window *calls = nsc_xmalloc((each * of->n + 1) * sizeof *calls);
    bool is_each = true; /* all have as many */
    size_t strays = 0;

    for (uint32_t r = 0; r < of->n && is_each; r++)
        is_each = gather(of, &of->ranks[r], name, calls + r * each, each) == each;
    for (size_t k = 0; k < each && is_each; k++)
        strays += !match_one(of, calls, each, k, false);
    if (is_each && strays * 100 <= each * NSC_LIMIT_MPI_STRAY)
        for (size_t k = 0; k < each; k++)
            of->matched += match_one(of, calls, each, k, true);
    free(calls);
}

/* Matches each collective's name that the first rank uses, once. */
static void match_all(struct matching *of)
{
    uint8_t *seen = nsc_xcalloc((size_t)nsc_trace_names(of->trace)->n + 1, 1);
    const struct nsc_cpu_thread *first = of->ranks[0].thread;

    for (size_t i = 0; i < first->mpi_calls.n; i++) {
        nsc_name name = of->events->name[first->mpi_calls.at[i]];

        if (seen[name])
            continue;
        seen[name] = 1;
        if (nsc_mpi_is_meeting(nsc_trace_string(of->trace, nsc_trace_names(of->trace)->full[name])))
            match_name(of, name);
    }
    free(seen);
}

/* ---- who is late ---- */

/* How far k of n is above the expectation of chance for one process, in standard deviations. */
static double chance_z(const struct matching *of, uint32_t k, uint32_t n)
{
    double p = 1.0 / of->n;

    return ((double)k - n * p) / sqrt(n * p * (1 - p));
}

static uint32_t find_last(const struct matching *of, uint32_t without)
{
    uint32_t best = NSC_NONE;

    for (uint32_t r = 0; r < of->n; r++)
        if (r != without && (best == NSC_NONE || of->ranks[r].last > of->ranks[best].last))
            best = r;
    return best;
}

/* The mean wait of the processes, without the late one. */
static nsc_time mean_wait(const struct matching *of, uint32_t late)
{
    double sum = 0;

    for (uint32_t r = 0; r < of->n; r++)
        sum += r == late ? 0 : (double)of->ranks[r].wait;
    return (nsc_time)(sum / (of->n - 1));
}

static double last_percent(const struct matching *of, uint32_t rank)
{
    return nsc_percent(of->ranks[rank].last, of->matched);
}

static void tell_ranks(struct nsc_finding *finding, const struct matching *of)
{
    for (uint32_t r = 0; r < of->n && r < 8; r++)
        nsc_finding_evidence(finding,
                             "process %u: last at %u of %u collectives, waits %s for others",
                             of->ranks[r].thread->pid, of->ranks[r].last, of->matched,
                             nsc_show_ns(finding, of->ranks[r].wait).text);
}

static void report_late(struct nsc_findings *out, const struct matching *of)
{
    uint32_t top = find_last(of, NSC_NONE);
    uint32_t next = find_last(of, top);
    bool is_one = last_percent(of, top) > NSC_LIMIT_MPI_LAST &&
                  chance_z(of, of->ranks[top].last, of->matched) >= NSC_LIMIT_MPI_CHANCE;
    nsc_time wait = mean_wait(of, is_one ? top : NSC_NONE);
    const struct nsc_cpu_thread *late = of->ranks[top].thread;
    double share = nsc_percent(wait, nsc_cpu_thread_time(late));
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_MPI_LATE, share) >= NSC_SEVERITY_INFO)
        return;
    if (is_one)
        finding = nsc_findings_add_share(
            out, NSC_THRESHOLD_MPI_LATE, share,
            "Process %u is late: it arrives last at %.0f %% of the MPI collectives", late->pid,
            last_percent(of, top));
    else
        finding = nsc_findings_add_share(out, NSC_THRESHOLD_MPI_LATE, share,
                                         "The processes wait for each other in MPI collectives; "
                                         "none is usually the last, %u and %u the most often",
                                         late->pid, of->ranks[next].thread->pid);
    finding->ns = wait;
    finding->track = is_one ? late->group : NSC_NONE;
    tell_ranks(finding, of);
    if (is_one)
        nsc_finding_next(finding,
                         "Compare process %u with the others before the collectives: filter pid:%u "
                         "on the screen.",
                         late->pid, late->pid);
    else
        nsc_finding_next(finding, "Compare what the processes do between the collectives: the work "
                                  "varies from step to step.");
}

/* ---- messages ---- */

static void tell_blame(struct nsc_finding *finding, const struct matching *of,
                       const struct nsc_mpi_blame blame[])
{
    for (uint32_t r = 0; r < of->n && r < 8; r++)
        nsc_finding_evidence(finding,
                             "process %u: waits %s in MPI, the others wait %s while it works",
                             of->ranks[r].thread->pid, nsc_show_ns(finding, blame[r].waits).text,
                             nsc_show_ns(finding, blame[r].causes).text);
}

/* Reports the process that makes the others wait, in collectives and messages. Returns false if the
 * waits are too small to report. */
static bool report_blame(struct nsc_findings *out, const struct matching *of,
                         const struct nsc_mpi_blame blame[], uint32_t n_messages)
{
    const struct nsc_cpu_thread *late;
    struct nsc_finding *finding;
    uint32_t top = 0;
    uint32_t times = 0;
    nsc_time waits = 0;
    bool is_one;
    double share;

    for (uint32_t r = 0; r < of->n; r++) {
        top = blame[r].causes > blame[top].causes ? r : top;
        waits = nsc_sum(waits, blame[r].waits);
        times += blame[r].times;
    }
    late = of->ranks[top].thread;
    is_one = times >= NSC_LIMIT_MPI_COLLECTIVES &&
             nsc_percent(blame[top].causes, waits) > NSC_LIMIT_MPI_LAST &&
             chance_z(of, blame[top].times, times) >= NSC_LIMIT_MPI_CHANCE;
    waits = is_one ? blame[top].causes / (of->n - 1) : waits / of->n;
    share = nsc_percent(waits, nsc_cpu_thread_time(late));
    if (nsc_threshold_severity(NSC_THRESHOLD_MPI_LATE, share) >= NSC_SEVERITY_INFO)
        return false;
    finding = is_one ? nsc_findings_add_share(out, NSC_THRESHOLD_MPI_LATE, share,
                                              "Process %u is late: the others wait for it in MPI "
                                              "for %.1f %% of their time",
                                              late->pid, share)
                     : nsc_findings_add_share(out, NSC_THRESHOLD_MPI_LATE, share,
                                              "The processes wait for each other in MPI for %.1f "
                                              "%% of their time; none causes most of it",
                                              share);
    finding->ns = waits;
    finding->track = is_one ? late->group : NSC_NONE;
    nsc_finding_evidence(finding,
                         "%u messages and %u collectives; each wait is attributed to the "
                         "processes that caused it",
                         n_messages, of->matched);
    tell_blame(finding, of, blame);
    if (is_one)
        nsc_finding_next(finding,
                         "See what process %u does before it sends or receives: filter pid:%u on "
                         "the screen.",
                         late->pid, late->pid);
    else
        nsc_finding_next(finding, "Compare what the processes do between the messages: the work "
                                  "varies from step to step, or is done in turn.");
    return true;
}

/* Returns false if no waits for messages count; then the collectives alone are reported. */
static bool report_messages(struct nsc_findings *out, struct matching *of,
                            const struct nsc_field_sets *fields)
{
    uint64_t *processes = nsc_xcalloc(of->n, sizeof *processes);
    const struct nsc_cpu_thread **threads = nsc_xcalloc(of->n, sizeof *threads);
    struct nsc_mpi_blame *blame = nsc_xcalloc(of->n, sizeof *blame);
    size_t before = of->waits.list.n;
    uint32_t matched;
    bool result = false;

    for (uint32_t r = 0; r < of->n; r++) {
        threads[r] = of->ranks[r].thread;
        processes[r] = threads[r]->process;
    }
    matched = nsc_mpi_messages_match(&of->waits, of->trace, fields, processes, of->n);
    if (of->waits.list.n > before) {
        nsc_mpi_blame_measure(blame, &of->waits, threads, of->n);
        result = report_blame(out, of, blame, matched);
    }
    free(blame);
    free(threads);
    free(processes);
    return result;
}

/* ---- time in MPI ---- */

static void report_waits(struct nsc_findings *out, const struct matching *of)
{
    uint32_t most = 0;
    double least = 100;
    double share;
    const struct nsc_cpu_thread *thread;
    struct nsc_finding *finding;

    for (uint32_t r = 0; r < of->n; r++) {
        double own =
            nsc_percent(of->ranks[r].thread->mpi, nsc_cpu_thread_time(of->ranks[r].thread));

        most = of->ranks[r].thread->mpi > of->ranks[most].thread->mpi ? r : most;
        least = own < least ? own : least;
    }
    thread = of->ranks[most].thread;
    share = nsc_percent(thread->mpi, nsc_cpu_thread_time(thread));
    if (nsc_threshold_severity(NSC_THRESHOLD_MPI, share) >= NSC_SEVERITY_INFO)
        return;
    finding = nsc_findings_add_share(out, NSC_THRESHOLD_MPI, share,
                                     "Process %u is in MPI calls for %.1f %% of its time",
                                     thread->pid, share);
    nsc_finding_place(finding, thread->group, thread->mpi, thread->window);
    nsc_finding_evidence(finding, "%s in %zu calls between MPI_Init and MPI_Finalize",
                         nsc_show_ns(finding, thread->mpi).text, thread->mpi_calls.n);
    if (of->n > 1) {
        nsc_finding_evidence(finding, "the least of %u processes: %.1f %%", of->n, least);
        nsc_finding_next(finding,
                         "Time in MPI is transfer and waiting; see which process the others "
                         "wait for, and communicate less often or without blocking.");
    } else
        nsc_finding_next(finding,
                         "A single process does not show which rank is late: record all ranks into "
                         "one export, or open the exports of all ranks together.");
}

/* Keeps the thread with the most MPI calls of each process. */
static void add_rank(struct matching *of, const struct nsc_cpu_thread *thread)
{
    if (thread->mpi_calls.n == 0)
        return;
    for (uint32_t r = 0; r < of->n; r++)
        if (of->ranks[r].thread->process == thread->process) {
            if (thread->mpi_calls.n > of->ranks[r].thread->mpi_calls.n)
                of->ranks[r].thread = thread;
            return;
        }
    if (of->n < RANKS_MOST)
        of->ranks[of->n++].thread = thread;
}

void nsc_findings_mpi(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, const struct nsc_cpu_threads *threads)
{
    struct matching of = {.trace = scope->trace, .events = nsc_trace_events(scope->trace)};

    of.ranks = nsc_xcalloc(threads->list.n + 1, sizeof *of.ranks);
    for (size_t i = 0; i < threads->list.n; i++)
        add_rank(&of, &threads->list.at[i]);
    if (of.n > 0)
        report_waits(out, &of);
    if (of.n > 1)
        match_all(&of);
    if (of.n > 1 && !report_messages(out, &of, fields) && of.matched >= NSC_LIMIT_MPI_COLLECTIVES)
        report_late(out, &of);
    NSC_VEC_FINI(&of.waits.list);
    free(of.ranks);
}
