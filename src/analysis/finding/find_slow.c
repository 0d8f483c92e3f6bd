/*
 * Finds iterations that are slow, a change of their level, and a drift.
 *
 * Both are judged within a kind of iterations, without warm-up (analysis/ranges/iterations.h).
 */
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/ranges/iteration_stats.h"
#include "core/sum.h"
#include "core/units.h"

static void place(struct nsc_finding *finding, const struct nsc_iterations *all, uint32_t i)
{
    finding->event = all->at[i].event;
    finding->has_window = true;
    finding->window = all->at[i].window;
}

/* What is usual where iteration i is: the median of its kind, or that of its level. */
static nsc_time usual_of(const struct nsc_iterations *all, uint32_t i)
{
    if (all->shift > 0 && all->at[i].kind == 0)
        return i < all->shift ? all->level_before : all->level_after;
    return all->kinds[all->at[i].kind].median;
}

/* The periods of the iterations of the scope, added. */
static nsc_time time_of_all(const struct nsc_iteration_stats *stats)
{
    nsc_time all = 0;

    for (uint32_t i = 0; i < stats->n; i++)
        all = nsc_sum(all, stats->iterations.at[stats->first + i].period);
    return all;
}

static const char *ordinal(uint32_t n)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};

    return n % 10 < 4 && n % 100 / 10 != 1 ? endings[n % 10] : "th";
}

static void report_slow(struct nsc_findings *out, const struct nsc_iteration_stats *stats)
{
    const struct nsc_iterations *all = &stats->iterations;
    nsc_time more = 0;
    nsc_time whole = time_of_all(stats);
    uint32_t slowest = NSC_NONE;
    char text[2][NSC_UNITS_BYTES];
    struct nsc_finding *finding;

    for (uint32_t i = stats->first; i < stats->first + stats->n; i++) {
        if (!all->at[i].slow)
            continue;
        more = nsc_sum(more, nsc_span(usual_of(all, i), all->at[i].period));
        if (slowest == NSC_NONE || all->at[i].period > all->at[slowest].period)
            slowest = i;
    }
    if (slowest == NSC_NONE)
        return;
    finding =
        nsc_findings_add_share(out, NSC_THRESHOLD_SLOW, nsc_percent(more, whole),
                               "%u of %u iterations are slow", stats->n_slow, stats->n_counted);
    place(finding, all, slowest);
    finding->ns = more;
    nsc_units_duration(text[0], usual_of(all, slowest), out->ascii);
    nsc_units_duration(text[1], all->at[slowest].period, out->ascii);
    nsc_finding_evidence(finding,
                         "iterations of \"%s\": iteration %u takes %s, its kind usually %s",
                         all->label, slowest, text[1], text[0]);
    nsc_units_duration(text[0], more, out->ascii);
    nsc_finding_evidence(finding,
                         "slow: longer than the median of the kind by 3 MAD and by 5 %%; together "
                         "%s longer than usual, %.1f %% of all iterations",
                         text[0], nsc_percent(more, whole));
    if (all->recurs > 0) {
        nsc_finding_evidence(finding, "they recur: every %u%s iteration is slow", all->recurs,
                             ordinal(all->recurs));
        nsc_finding_next(finding,
                         "Look for what the program does every %u%s iteration (log, checkpoint, "
                         "evaluation, garbage collection): nsyscope iters FILE.",
                         all->recurs, ordinal(all->recurs));
    } else {
        nsc_finding_next(
            finding,
            "Compare iteration %u with a usual one: what runs in it that does not run "
            "in the others (nsyscope skill run iteration_detail FILE -p iteration=%u).",
            slowest, slowest);
    }
}

/* A level is a fault where it is the worse one of the end; else it is information. */
static void report_shift(struct nsc_findings *out, const struct nsc_iteration_stats *stats)
{
    const struct nsc_iterations *all = &stats->iterations;
    bool worse = all->level_after > all->level_before;
    nsc_time by = nsc_span(all->level_before, all->level_after);
    nsc_time more = 0;
    char text[2][NSC_UNITS_BYTES];
    struct nsc_finding *finding;

    if (all->shift == 0 || all->shift < stats->first || all->shift >= stats->first + stats->n)
        return;
    for (uint32_t i = all->shift; i < stats->first + stats->n; i++)
        more = nsc_sum(more, all->at[i].kind == 0 ? by : 0);
    if (worse)
        finding =
            nsc_findings_add_share(out, NSC_THRESHOLD_LEVEL, nsc_percent(more, time_of_all(stats)),
                                   "Iterations take longer from number %u on", all->shift);
    else
        finding = nsc_findings_add(out, "level-change", NSC_SEVERITY_INFO,
                                   "Iterations take less time from number %u on", all->shift);
    place(finding, all, all->shift);
    finding->ns = worse ? more : 0;
    nsc_units_duration(text[0], all->level_before, out->ascii);
    nsc_units_duration(text[1], all->level_after, out->ascii);
    nsc_finding_evidence(
        finding,
        "iterations of \"%s\": the median period is %s before number %u and %s from "
        "it on (%+.1f %%)",
        all->label, text[0], all->shift, text[1],
        100.0 * ((double)all->level_after / (double)all->level_before - 1));
    nsc_finding_next(
        finding, worse ? "Look whether the same kernels take longer (clocks, power, temperature) "
                         "or others run: nsyscope diff FILE FILE with --trim on either side."
                       : "Measure from there on, with --trim.");
}

/* Longer and longer is a fault, shorter and shorter is information. */
static void report_drift(struct nsc_findings *out, const struct nsc_iteration_stats *stats)
{
    const struct nsc_iterations *all = &stats->iterations;
    uint32_t first = all->warm_up > stats->first ? all->warm_up : stats->first;
    uint32_t end = stats->first + stats->n;
    double at_first = (double)all->level_before + all->drift * first;
    double percent = 100 * all->drift / at_first;
    double more = 0;
    char text[2][NSC_UNITS_BYTES];
    struct nsc_finding *finding;

    if (all->drift == 0 || end < first + 2 * NSC_LIMIT_LEVEL_LEAST)
        return;
    for (uint32_t i = first; i < end; i++)
        more += all->at[i].kind == 0 ? all->drift * (i - first) : 0;
    if (all->drift > 0)
        finding = nsc_findings_add_share(
            out, NSC_THRESHOLD_DRIFT, nsc_percent((nsc_time)more, time_of_all(stats)),
            "Iterations take longer and longer, by %.2g %% from one to the next", percent);
    else
        finding = nsc_findings_add(
            out, "drift", NSC_SEVERITY_INFO,
            "Iterations take less and less time, by %.2g %% from one to the next", -percent);
    place(finding, all, end - 1);
    finding->ns = all->drift > 0 ? (nsc_time)more : 0;
    nsc_units_duration(text[0], (nsc_time)at_first, out->ascii);
    nsc_units_duration(text[1], (nsc_time)(at_first + all->drift * (end - 1 - first)), out->ascii);
    nsc_finding_evidence(finding,
                         "iterations of \"%s\": the period drifts from %s at number %u to %s at "
                         "number %u; no single change of level explains it as well",
                         all->label, text[0], first, text[1], end - 1);
    nsc_finding_next(
        finding, "%s",
        all->drift > 0 ? "Look for what grows: sequences, a list, memory that is not freed; or for "
                         "clocks that fall: nsyscope diff FILE FILE with --trim on either end."
                       : "Measure the end, with --trim.");
}

void nsc_find_slow(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields)
{
    struct nsc_iteration_stats stats;

    (void)fields;
    if (nsc_iteration_stats_build(&stats, scope, (struct nsc_text){"", 0}) && stats.n_counted > 0) {
        report_slow(out, &stats);
        report_shift(out, &stats);
        report_drift(out, &stats);
    }
    nsc_iteration_stats_fini(&stats);
}
