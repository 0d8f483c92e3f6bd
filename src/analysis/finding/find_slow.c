/*
 * Finds slow iterations, changes of their level, and drifts.
 *
 * Compares iterations of one kind only, without the warm-up (analysis/ranges/iterations.h).
 */
#include "analysis/base/device_ops.h"
#include "analysis/device/host_walk.h"
#include "analysis/device/idle.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/sides.h"
#include "analysis/finding/threshold.h"
#include "analysis/ranges/iteration_stats.h"
#include "core/sum.h"
#include "core/units.h"

#include <stdio.h>

static void place(struct nsc_finding *finding, const struct nsc_iterations *all, uint32_t i,
                  nsc_time ns)
{
    nsc_finding_place(finding, NSC_NONE, ns, all->at[i].window);
    finding->event = all->at[i].event;
}

/* The summed periods of the scope's iterations, without the warm-up. */
static nsc_time time_of_all(const struct nsc_iteration_stats *stats)
{
    return (nsc_time)(stats->spread[NSC_ITERATION_DURATION].mean * stats->n_counted);
}

struct slowness {
    nsc_time more, idle; /* summed excess of the slow iterations, without the next two, and of
                                  * the GPU's idle time in them */
    nsc_time profiler, requests; /* the profiler's own work; a server waits for requests */
    uint32_t slowest;
    enum nsc_purpose purpose;
};

/* The time in which the thread just read waits for requests. */
static nsc_time measure_requests(const struct nsc_host_walk *host, enum nsc_purpose purpose)
{
    nsc_time requests = 0;

    for (size_t i = 0; i < host->pieces.n; i++) {
        const struct nsc_host_piece *piece = &host->pieces.at[i];

        if (piece->act == NSC_HOST_EVENTS && nsc_awaits_requests(host->trace, piece->row, purpose))
            requests = nsc_sum(requests, piece->end - piece->start);
    }
    return requests;
}

/* The same for the threads that the thread just read sleeps for, if they are known. */
static nsc_time measure_handed_requests(struct nsc_host_walk *host, enum nsc_purpose purpose)
{
    NSC_VEC(struct nsc_host_piece) sleeps = {0};
    nsc_time requests = 0;

    for (size_t i = 0; i < host->pieces.n; i++)
        if (host->pieces.at[i].act == NSC_HOST_LOCK &&
            nsc_parked_is(host->trace, host->pieces.at[i].row))
            *NSC_VEC_ADD(&sleeps) = host->pieces.at[i];
    for (size_t i = 0; i < sleeps.n; i++) {
        const struct nsc_host_piece *sleep = &sleeps.at[i];
        uint32_t worker = nsc_waker_find(host, sleep->row, sleep->start, sleep->end);

        if (worker != NSC_NONE) {
            nsc_host_walk_read(host, worker, sleep->start, sleep->end);
            requests = nsc_sum(requests, measure_requests(host, purpose));
        } else if (nsc_awaits_requests(host->trace, sleep->row, purpose)) {
            requests = nsc_sum(requests, sleep->end - sleep->start);
        }
    }
    NSC_VEC_FINI(&sleeps);
    return requests;
}

/* Adds the time by which an iteration is longer than usual. Windows must ascend. */
static void add_excess(struct slowness *of, struct nsc_host_walk *host,
                       const struct nsc_iteration *it, nsc_time above)
{
    nsc_time profiler = 0;
    nsc_time requests = 0;

    if (it->event != NSC_NONE) {
        nsc_host_walk_read(host, nsc_host_walk_thread(host, it->event), it->host.t0, it->host.t1);
        for (size_t i = 0; i < host->pieces.n; i++)
            if (host->pieces.at[i].act == NSC_HOST_OVERHEAD)
                profiler = nsc_sum(profiler, host->pieces.at[i].end - host->pieces.at[i].start);
        requests = measure_requests(host, of->purpose);
        requests = nsc_sum(requests, measure_handed_requests(host, of->purpose));
    }
    profiler = nsc_earlier(profiler, above);
    requests = nsc_earlier(requests, above - profiler);
    of->profiler = nsc_sum(of->profiler, profiler);
    of->requests = nsc_sum(of->requests, requests);
    of->more = nsc_sum(of->more, above - profiler - requests);
}

static struct slowness add_slow(const struct nsc_iteration_stats *stats,
                                const struct nsc_scope *scope)
{
    const struct nsc_iterations *all = &stats->iterations;
    struct slowness of = {.slowest = NSC_NONE, .purpose = nsc_trace_purpose(scope->trace)};
    struct nsc_host_walk host;

    nsc_host_walk_init(&host, scope);
    for (uint32_t i = stats->first; i < stats->first + stats->n; i++) {
        if (!all->at[i].slow)
            continue;
        of.idle = nsc_sum(of.idle, nsc_span(stats->spread[NSC_ITERATION_IDLE].median,
                                            nsc_iteration_idle(stats, i - stats->first)));
        add_excess(&of, &host, &all->at[i],
                   nsc_span(nsc_iterations_level(all, i), all->at[i].period));
        if (of.slowest == NSC_NONE || all->at[i].period > all->at[of.slowest].period)
            of.slowest = i;
    }
    nsc_host_walk_fini(&host);
    return of;
}

static void advise_slow(struct nsc_finding *finding, const struct nsc_iterations *all,
                        const struct slowness *of, const char *range)
{
    if (of->profiler > of->more)
        nsc_finding_next(finding, "Most of it is the profiler's own work: nothing to do.");
    else if (of->requests > of->more)
        nsc_finding_next(finding, "Most of the time no request was there: nothing to do.");
    else if (range[0])
        nsc_finding_next(finding,
                         "See whether %s can run less often, or beside the iterations: nsyscope "
                         "iters FILE.",
                         range);
    else if (all->recurs > 0)
        nsc_finding_next(finding,
                         "Look for what the program does every %u%s iteration (log, checkpoint, "
                         "evaluation, garbage collection): nsyscope iters FILE.",
                         all->recurs, nsc_units_ordinal(all->recurs));
    else
        nsc_finding_next(
            finding,
            "Compare iteration %u with a usual one: what runs in it that does not run "
            "in the others (nsyscope skill run iteration_detail FILE -p iteration=%u).",
            of->slowest, of->slowest);
}

static void report_slow(struct nsc_findings *out, const struct nsc_iteration_stats *stats,
                        const struct nsc_scope *scope)
{
    const struct nsc_iterations *all = &stats->iterations;
    struct slowness of = add_slow(stats, scope);
    nsc_time whole = time_of_all(stats);
    struct nsc_shown name;
    struct nsc_finding *finding;

    if (of.slowest == NSC_NONE)
        return;
    name = nsc_show_range(scope->trace, nsc_slow_range_find(stats, scope, of.more), true);
    finding =
        nsc_findings_add_share(out, NSC_THRESHOLD_ITERATIONS, "slow-iterations",
                               nsc_percent(of.more, whole), "%u of %u iterations %s slow%s%s",
                               stats->n_slow, stats->n_counted, stats->n_slow == 1 ? "is" : "are",
                               !name.text[0]        ? ""
                               : stats->n_slow == 1 ? ", the one with "
                                                    : ", those with ",
                               name.text);
    place(finding, all, of.slowest, of.more);
    nsc_finding_evidence(
        finding, "iterations of \"%s\": iteration %u takes %s, its kind usually %s", all->label,
        of.slowest, nsc_show_ns(finding, all->at[of.slowest].period).text,
        nsc_show_ns(finding, nsc_iterations_level(all, of.slowest)).text);
    nsc_finding_evidence(finding,
                         "slow by 3 MAD and 5 %%: %s longer than usual, %.1f %% of the time",
                         nsc_show_ns(finding, of.more + of.profiler + of.requests).text,
                         nsc_percent(of.more + of.profiler + of.requests, whole));
    if (of.profiler > 0 || of.requests > 0)
        nsc_finding_evidence(finding,
                             "%s of that is the profiler's own work, in %s a server waits for "
                             "requests: neither counts",
                             nsc_show_ns(finding, of.profiler).text,
                             nsc_show_ns(finding, of.requests).text);
    if (all->recurs > 0)
        nsc_finding_evidence(finding, "they recur: every %u%s iteration is slow", all->recurs,
                             nsc_units_ordinal(all->recurs));
    advise_slow(finding, all, &of, name.text);
    if (stats->n_devices == 1 && of.idle > of.more / 2 &&
        (double)of.idle > stats->spread[NSC_ITERATION_IDLE].mean * stats->n_counted / 2)
        nsc_finding_under(finding, "gpu-idle", nsc_device_next(scope->trace, NSC_NONE));
}

/* ---- longer from one on, for a while, or longer and longer ---- */

struct longer {
    const char *rule, *title;
    nsc_time more;
    uint32_t at; /* an iteration to look at */
};

/* Later iterations take longer: a fault, or information if they have more work. Returns the fault; NULL: none. */
static struct nsc_finding *report_longer(struct nsc_findings *out,
                                         const struct nsc_iteration_stats *stats,
                                         const struct nsc_scope *scope,
                                         const struct nsc_field_sets *fields,
                                         const struct longer *of)
{
    const struct nsc_iterations *all = &stats->iterations;
    struct nsc_growth growth;
    struct nsc_finding *finding;

    nsc_growth_find(&growth, stats, scope, fields, out->ascii);
    if (growth.is_work)
        finding = nsc_findings_add(out, of->rule, NSC_SEVERITY_INFO,
                                   "Iterations take longer because their work grows: %.*s",
                                   (int)growth.text.n, growth.text.bytes);
    else
        finding =
            nsc_findings_add_share(out, NSC_THRESHOLD_ITERATIONS, of->rule,
                                   nsc_percent(of->more, time_of_all(stats)), "%s", of->title);
    place(finding, all, of->at, growth.is_work ? 0 : of->more);
    if (growth.is_work)
        nsc_finding_evidence(finding,
                             "early and late iterations of \"%s\", as number %u and number %u",
                             all->label, growth.early, growth.late);
    else if (growth.text.n > 0)
        nsc_finding_evidence(finding, "what grows: %.*s", (int)growth.text.n, growth.text.bytes);
    nsc_finding_next(finding, "%s",
                     growth.is_work ? "Compare iterations with equal work."
                                    : "Look for what grows: sequences, a list, memory that is not "
                                      "freed; or for clocks that fall (power, temperature): "
                                      "nsyscope diff FILE FILE with --trim on either side.");
    nsc_buf_fini(&growth.text);
    return growth.is_work ? NULL : finding;
}

/* A change to a slower level, or two alternating levels, of which the longer one is the fault. */
static void report_levels(struct nsc_findings *out, const struct nsc_iteration_stats *stats,
                          const struct nsc_scope *scope, const struct nsc_field_sets *fields)
{
    const struct nsc_iterations *all = &stats->iterations;
    nsc_time by = all->level_after - all->level_before;
    char title[96];
    struct longer of = {"level-change", title, 0, NSC_NONE};
    struct nsc_finding *finding;
    uint32_t n = 0;

    if ((all->shift == 0 && all->swings == 0) || by <= 0 ||
        (all->shift > 0 && all->shift < stats->first))
        return;
    for (uint32_t i = stats->first; i < stats->first + stats->n; i++) {
        if (all->at[i].kind != 0 || all->at[i].warm_up ||
            (all->shift > 0 ? i < all->shift : all->at[i].period <= nsc_iterations_middle(all)))
            continue;
        of.at = of.at == NSC_NONE ? i : of.at;
        of.more = nsc_sum(of.more, by);
        n++;
    }
    if (n == 0)
        return;
    if (all->shift > 0)
        (void)snprintf(title, sizeof title, "Iterations take longer from number %u on", all->shift);
    else
        (void)snprintf(title, sizeof title,
                       "Iterations take longer for a while, again and again: %u of %u", n,
                       stats->n_counted);
    finding = report_longer(out, stats, scope, fields, &of);
    if (finding)
        nsc_finding_evidence(finding,
                             "iterations of \"%s\": the median period is %s and, where they take "
                             "longer, %s (%+.1f %%)",
                             all->label, nsc_show_ns(finding, all->level_before).text,
                             nsc_show_ns(finding, all->level_after).text,
                             100.0 * ((double)all->level_after / (double)all->level_before - 1));
}

/* A growing duration. */
static void report_drift(struct nsc_findings *out, const struct nsc_iteration_stats *stats,
                         const struct nsc_scope *scope, const struct nsc_field_sets *fields)
{
    const struct nsc_iterations *all = &stats->iterations;
    uint32_t first = all->warm_up > stats->first ? all->warm_up : stats->first;
    uint32_t end = stats->first + stats->n;
    double at_first = (double)all->level_before + all->drift * first;
    double more = 0;
    char title[96];
    struct longer of = {"drift", title, 0, end - 1};
    struct nsc_finding *finding;

    if (!(all->drift > 0) || end < first + 2 * NSC_LIMIT_FEW)
        return;
    for (uint32_t i = first; i < end; i++)
        more += all->at[i].kind == 0 ? all->drift * (i - first) : 0;
    of.more = (nsc_time)more;
    (void)snprintf(title, sizeof title,
                   "Iterations take longer and longer, by %.2g %% from one to the next",
                   100 * all->drift / at_first);
    finding = report_longer(out, stats, scope, fields, &of);
    if (finding)
        nsc_finding_evidence(
            finding,
            "iterations of \"%s\": the period drifts from %s at number %u to %s at "
            "number %u; no single change of level explains it as well",
            all->label, nsc_show_ns(finding, (nsc_time)at_first).text, first,
            nsc_show_ns(finding, (nsc_time)(at_first + all->drift * (end - 1 - first))).text,
            end - 1);
}

void nsc_find_slow(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    struct nsc_iteration_stats stats;

    if (nsc_iteration_stats_build(&stats, scope, (struct nsc_text){"", 0}) && stats.n_counted > 0) {
        report_slow(out, &stats, scope);
        report_levels(out, &stats, scope, fields);
        report_drift(out, &stats, scope, fields);
    }
    nsc_iteration_stats_fini(&stats);
}
