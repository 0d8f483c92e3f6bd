/* Finds waiting in MPI from the calls of each process. */
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/mpi_blame.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/collective.h"
#include "core/sum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RANKS_MOST 1024

struct matching {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_cpu_thread **ranks;
    nsc_time *starts; /* of the current instance */
    uint32_t *late;   /* those that come late to it */
    uint32_t n;
    uint32_t matched;
    struct nsc_mpi_waits waits; /* waits in collectives and for messages */
};

/* Writes the times of a rank's first calls of this name to out, which has room for some. Returns the
 * number of all. */
static size_t gather(const struct matching *of, const struct nsc_cpu_thread *rank, nsc_name name,
                     struct nsc_window out[], size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < rank->mpi_calls.n; i++) {
        if (of->events->name[rank->mpi_calls.at[i]] != name)
            continue;
        if (n < room)
            out[n] = nsc_cpu_thread_call(rank, i);
        n++;
    }
    return n;
}

/* Matches instance k. Returns false if a process left it before the last one entered. The waits are
 * shared in turn by those that came late together, such as the processes of a node: half of the time
 * that lies between the first and the last of all. */
static bool match_one(struct matching *of, const struct nsc_window *calls, size_t each, size_t k,
                      bool is_counted)
{
    struct nsc_window between = {INT64_MAX, INT64_MIN};
    nsc_time least_end = INT64_MAX;
    uint32_t n_late = 0;
    uint32_t first = 0; /* of the late ones, the first after process k */

    for (uint32_t r = 0; r < of->n; r++) {
        struct nsc_window call = calls[r * each + k];

        least_end = nsc_earlier(least_end, call.t1);
        of->starts[r] = call.t0;
        between.t0 = nsc_earlier(between.t0, call.t0);
        between.t1 = nsc_later(between.t1, call.t0);
    }
    if (nsc_sum(least_end, 1000 * NSC_LIMIT_SLACK) < between.t1)
        return false;
    for (uint32_t r = 0; r < of->n && is_counted; r++)
        if (of->starts[r] >= between.t0 + nsc_span(between.t0, between.t1) / 2) {
            first += r <= k % of->n;
            of->late[n_late++] = r;
        }
    for (uint32_t r = 0; r < of->n && is_counted; r++) {
        uint32_t by = of->late[(first + r) % n_late];

        if (of->starts[r] < of->starts[by])
            *NSC_VEC_ADD(&of->waits.list) = (struct nsc_mpi_wait){r, by, of->starts[r], between.t1};
    }
    return true;
}

static void match_name(struct matching *of, nsc_name name)
{
    size_t each = gather(of, of->ranks[0], name, NULL, 0);
    struct nsc_window *calls = nsc_xmalloc((each * of->n + 1) * sizeof *calls);
    bool is_each = true; /* all have as many */
    size_t strays = 0;

    for (uint32_t r = 0; r < of->n && is_each; r++)
        is_each = gather(of, of->ranks[r], name, calls + r * each, each) == each;
    for (size_t k = 0; k < each && is_each; k++)
        strays += !match_one(of, calls, each, k, false);
    if (is_each && strays * 100 <= each * NSC_LIMIT_MATTERS)
        for (size_t k = 0; k < each; k++)
            of->matched += match_one(of, calls, each, k, true);
    free(calls);
}

/* Matches each collective's name that the first rank uses, once. */
static void match_all(struct matching *of)
{
    uint8_t *seen = nsc_xcalloc((size_t)nsc_trace_names(of->trace)->n + 1, 1);
    const struct nsc_cpu_thread *first = of->ranks[0];

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

/* The processes that make the others wait. */
struct lateness {
    const struct nsc_mpi_blame *blame;
    uint32_t top, n_late;
    nsc_time waits, caused; /* of all processes; by those that are late */
};

/* Whether a process causes about as much as the one that causes most. */
static bool is_late(const struct lateness *of, uint32_t r)
{
    return of->blame[r].causes >= of->blame[of->top].causes - of->blame[of->top].causes / 2;
}

static struct lateness find_lateness(const struct matching *of, const struct nsc_mpi_blame blame[])
{
    struct lateness late = {.blame = blame};

    for (uint32_t r = 0; r < of->n; r++) {
        late.top = blame[r].causes > blame[late.top].causes ? r : late.top;
        late.waits = nsc_sum(late.waits, blame[r].waits);
    }
    for (uint32_t r = 0; r < of->n; r++) {
        late.n_late += is_late(&late, r);
        late.caused = nsc_sum(late.caused, is_late(&late, r) ? blame[r].causes : 0);
    }
    return late;
}

/* Whether the late processes, at most half of all, cause most of the waits, and more than by chance. A
 * cause holds up the others together, and long waits weigh more: so many equal ones are as certain. */
static bool is_shown(const struct matching *of, const struct lateness *late)
{
    double chance = (double)late->n_late / of->n;
    double share = nsc_percent(late->caused, late->waits) / 100;
    double squares = 0;
    double equal;

    for (size_t i = 0; i < of->waits.list.n; i++)
        squares += pow((double)nsc_span(of->waits.list.at[i].start, of->waits.list.at[i].end), 2);
    equal = squares > 0 ? pow((double)late->waits, 2) / squares / (of->n - 1) : 0;
    return 2 * late->n_late <= of->n && 100 * share > NSC_LIMIT_MOST && equal >= NSC_LIMIT_MANY &&
           equal * (share - chance) >= NSC_LIMIT_DEVIATIONS * sqrt(equal * chance * (1 - chance));
}

static void tell_blame(struct nsc_finding *finding, const struct matching *of,
                       const struct nsc_mpi_blame blame[])
{
    for (uint32_t r = 0; r < of->n && r < 8; r++)
        nsc_finding_evidence(finding,
                             "process %u: waits %s in MPI, the others wait %s while it works",
                             of->ranks[r]->pid, nsc_show_ns(finding, blame[r].waits).text,
                             nsc_show_ns(finding, blame[r].causes).text);
}

/* "502", or "504, 505, 506 and 12 more" */
static struct nsc_shown name_late(const struct matching *of, const struct lateness *late)
{
    struct nsc_shown names = {""};
    size_t n = 0;
    uint32_t left = 0;

    for (uint32_t r = 0; r < of->n; r++)
        if (is_late(late, r) && n + 36 < sizeof names.text)
            n += (size_t)snprintf(names.text + n, sizeof names.text - n, "%s%u", n > 0 ? ", " : "",
                                  of->ranks[r]->pid);
        else
            left += is_late(late, r);
    if (left > 0)
        (void)snprintf(names.text + n, sizeof names.text - n, " and %u more", left);
    return names;
}

/* Reports the processes that make the others wait, in collectives and messages. */
static void report_late(struct nsc_findings *out, const struct matching *of,
                        const struct lateness *late, uint32_t n_messages)
{
    const struct nsc_cpu_thread *top = of->ranks[late->top];
    bool are_shown = is_shown(of, late);
    bool is_one = are_shown && late->n_late == 1;
    nsc_time wait = are_shown ? late->caused / (of->n - late->n_late) : late->waits / of->n;
    double share = nsc_percent(wait, nsc_cpu_thread_time(top));
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_MPI, share) >= NSC_SEVERITY_INFO)
        return;
    if (are_shown)
        finding = nsc_findings_add_share(
            out, NSC_THRESHOLD_MPI, "mpi-imbalance", share,
            "Process%s %s %s late: the others wait for %s in MPI for %.1f %% of their time",
            is_one ? "" : "es", name_late(of, late).text, is_one ? "is" : "are",
            is_one ? "it" : "them", share);
    else
        finding = nsc_findings_add_share(
            out, NSC_THRESHOLD_MPI, "mpi-imbalance", share,
            "The processes wait for each other in MPI for %.1f %% of their time; %u causes the "
            "most of it, %.0f %%: it is not shown that it is late",
            share, top->pid, nsc_percent(late->blame[late->top].causes, late->waits));
    finding->ns = wait;
    finding->track = are_shown ? top->group : NSC_NONE;
    nsc_finding_evidence(finding,
                         "%u messages and %u collectives; each wait is attributed to the "
                         "processes that caused it",
                         n_messages, of->matched);
    tell_blame(finding, of, late->blame);
    if (are_shown)
        nsc_finding_next(finding,
                         "See what process %u does before it meets the others: filter pid:%u on "
                         "the screen.",
                         top->pid, top->pid);
    else
        nsc_finding_next(finding, "Compare what the processes do between their calls of MPI: the "
                                  "work varies from step to step, or is done in turn.");
}

static void blame_late(struct nsc_findings *out, struct matching *of,
                       const struct nsc_field_sets *fields)
{
    uint64_t *processes = nsc_xcalloc(of->n, sizeof *processes);
    struct nsc_mpi_blame *blame = nsc_xcalloc(of->n, sizeof *blame);
    struct lateness late;
    uint32_t n_messages;

    for (uint32_t r = 0; r < of->n; r++)
        processes[r] = of->ranks[r]->process;
    n_messages = nsc_mpi_messages_match(&of->waits, of->trace, fields, processes, of->n);
    nsc_mpi_blame_measure(blame, &of->waits, of->ranks, of->n);
    late = find_lateness(of, blame);
    if (of->matched + n_messages >= NSC_LIMIT_MANY)
        report_late(out, of, &late, n_messages);
    free(blame);
    free(processes);
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
        double own = nsc_percent(of->ranks[r]->mpi, nsc_cpu_thread_time(of->ranks[r]));

        most = of->ranks[r]->mpi > of->ranks[most]->mpi ? r : most;
        least = own < least ? own : least;
    }
    thread = of->ranks[most];
    share = nsc_percent(thread->mpi, nsc_cpu_thread_time(thread));
    if (nsc_threshold_severity(NSC_THRESHOLD_MPI, share) >= NSC_SEVERITY_INFO)
        return;
    finding = nsc_findings_add_share(out, NSC_THRESHOLD_MPI, "mpi-waits", share,
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
        if (of->ranks[r]->process == thread->process) {
            if (thread->mpi_calls.n > of->ranks[r]->mpi_calls.n)
                of->ranks[r] = thread;
            return;
        }
    if (of->n < RANKS_MOST)
        of->ranks[of->n++] = thread;
}

void nsc_findings_mpi(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, const struct nsc_cpu_threads *threads)
{
    struct matching of = {.trace = scope->trace, .events = nsc_trace_events(scope->trace)};

    of.ranks = nsc_xcalloc(threads->list.n + 1, sizeof *of.ranks);
    of.starts = nsc_xcalloc(threads->list.n + 1, sizeof *of.starts);
    of.late = nsc_xcalloc(threads->list.n + 1, sizeof *of.late);
    for (size_t i = 0; i < threads->list.n; i++)
        add_rank(&of, &threads->list.at[i]);
    if (of.n > 0)
        report_waits(out, &of);
    if (of.n > 1) {
        match_all(&of);
        blame_late(out, &of, fields);
    }
    NSC_VEC_FINI(&of.waits.list);
    free(of.late);
    free(of.starts);
    free(of.ranks);
}
