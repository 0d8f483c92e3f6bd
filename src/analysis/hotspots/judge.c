/*
 * Writes the warnings of a report from the figures of its sheets. Its findings are those of
 * `analyze`.
 */
#include "analysis/base/limit.h"
#include "analysis/hotspots/parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- warnings ---- */

static void warn(struct nsc_hotspots *report, const char *format, ...) NSC_PRINTF(2, 3);

static void warn(struct nsc_hotspots *report, const char *format, ...)
{
    char line[512];
    char *copy;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n < 0)
        return;
    copy = nsc_xmalloc(sizeof line);
    memcpy(copy, line, sizeof line);
    *NSC_VEC_ADD(&report->warnings) = copy;
}

static void warn_units(struct nsc_hotspots *report)
{
    if (report->kernels.n == 0)
        warn(report, "There are no kernels, by which the unit of start and end is checked.");
    else if (report->figures.storm.window < 1000 * NSC_LIMIT_LEAST_WINDOW)
        warn(report, "The time from first to last kernel is below 1 ms: whether start and end are "
                     "ns could not be checked.");
}

static void warn_coverage(struct nsc_hotspots *report)
{
    const struct nsc_hotspots_coverage *all = &report->figures.coverage;
    const struct nsc_hotspots_pid_coverage *least = &report->figures.least_covered;
    double threshold = 100 * report->query->warn_below;

    if (report->kernels.n == 0 || report->figures.n_range_names == 0 || !report->query->map_nvtx)
        return;
    if (all->share < threshold)
        warn(report,
             "NVTX ranges of the launching thread cover %.1f%% of summed kernel time (< %.1f%%); "
             "of any thread %.1f%%. Take figures by range with care.",
             all->share, threshold, all->any_share);
    if (least->share < threshold)
        warn(report,
             "The coverage of at least one process is low (worst: pid %" PRIu64 ", %.1f%%). Take "
             "figures by process and range with care.",
             least->pid, least->share);
}

static void warn_pids(struct nsc_hotspots *report)
{
    const struct nsc_hotspots_pids *pids = &report->figures.pids;
    int64_t others = pids->of_calls > pids->of_ranges ? pids->of_calls : pids->of_ranges;

    if (pids->rows <= 0)
        return;
    if (pids->zero >= pids->rows || pids->strange > 0 || (pids->of_kernels <= 1 && others > 1))
        warn(report,
             "Kernels cannot be told apart by process (%" PRId64 " of their pids, %" PRId64
             " of calls and ranges): figures by process are ambiguous.",
             pids->of_kernels, others);
    if ((double)pids->zero >= NSC_SHARE(REPORT_PIDS) * (double)pids->rows)
        warn(report, "%.1f%% of the kernels have pid 0.",
             100 * (double)pids->zero / (double)pids->rows);
    if ((double)pids->strange >= NSC_SHARE(REPORT_PIDS) * (double)pids->rows)
        warn(report, "%.1f%% of the kernels have a pid of 10 000 000 or more.",
             100 * (double)pids->strange / (double)pids->rows);
}

/* ---- all ---- */

struct nsc_hotspots_idle nsc_hotspots_idlest(const struct nsc_hotspots *report)
{
    struct nsc_hotspots_idle worst = {0};

    for (size_t i = 0; i < report->figures.idle.n; i++)
        if (i == 0 || report->figures.idle.at[i].idle_share > worst.idle_share)
            worst = report->figures.idle.at[i];
    return worst;
}

void nsc_hotspots_find_warnings(struct nsc_hotspots *report)
{
    warn_units(report);
    warn_coverage(report);
    warn_pids(report);
}
