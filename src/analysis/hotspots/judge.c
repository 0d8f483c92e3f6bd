/*
 * Writes the warnings of a report from the figures of its sheets. Its findings are those of
 * `analyze`.
 */
#include "analysis/base/limit.h"
#include "analysis/hotspots/parts.h"
#include "core/sum.h"

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
    else if (nsc_hotspots_find(report, "launch_storm", 0, "window_ns")->integer <
             1000 * NSC_LIMIT_LEAST_WINDOW)
        warn(report, "The time from first to last kernel is below 1 ms: whether start and end are "
                     "ns could not be checked.");
}

static void warn_coverage(struct nsc_hotspots *report)
{
    static const char by_pid[] = "nvtx_coverage_by_pid",
                      share_key[] = "pid_attribution_coverage_pct";
    const struct nsc_sheet *pids = nsc_sheets_find(&report->sheets, by_pid);
    double share = nsc_hotspots_find(report, "nvtx_coverage", 0, "coverage_pct")->number;
    double threshold = 100 * report->query->warn_below;
    uint32_t least = 0;

    if (report->kernels.n == 0 || report->ranges.rows.n == 0 || !report->query->map_nvtx)
        return;
    if (share < threshold)
        warn(report,
             "NVTX ranges of the launching thread cover %.1f%% of summed kernel time (< %.1f%%); "
             "of any thread %.1f%%. Take figures by range with care.",
             share, threshold,
             nsc_hotspots_find(report, "nvtx_coverage", 0, "any_thread_coverage_pct")->number);
    for (uint32_t row = 1; row < nsc_sheet_rows(pids); row++)
        if (nsc_sheet_find(pids, row, share_key)->number <
            nsc_sheet_find(pids, least, share_key)->number)
            least = row;
    share = nsc_hotspots_find(report, by_pid, least, share_key)->number;
    if (share < threshold)
        warn(report,
             "The coverage of at least one process is low (worst: pid %" PRId64 ", %.1f%%). Take "
             "figures by process and range with care.",
             nsc_hotspots_find(report, by_pid, least, "pid")->integer, share);
}

static int64_t pid_figure(const struct nsc_hotspots *report, const char *column)
{
    return nsc_hotspots_find(report, "pid_quality", 0, column)->integer;
}

static void warn_pids(struct nsc_hotspots *report)
{
    int64_t rows = pid_figure(report, "rows_with_pid");
    int64_t zero = pid_figure(report, "pid0_rows");
    int64_t strange = pid_figure(report, "pid_ge_10m_rows");
    int64_t of_kernels = pid_figure(report, "kernel_pid_count");
    int64_t of_calls = pid_figure(report, "runtime_pid_count");
    int64_t others = nsc_later(of_calls, pid_figure(report, "nvtx_pid_count"));

    if (rows <= 0)
        return;
    if (zero >= rows || strange > 0 || (of_kernels <= 1 && others > 1))
        warn(report,
             "Kernels cannot be told apart by process (%" PRId64 " of their pids, %" PRId64
             " of calls and ranges): figures by process are ambiguous.",
             of_kernels, others);
    if ((double)zero >= NSC_SHARE(NEARLY_ALL) * (double)rows)
        warn(report, "%.1f%% of the kernels have pid 0.", 100 * (double)zero / (double)rows);
    if ((double)strange >= NSC_SHARE(NEARLY_ALL) * (double)rows)
        warn(report, "%.1f%% of the kernels have a pid of 10 000 000 or more.",
             100 * (double)strange / (double)rows);
}

/* ---- all ---- */

void nsc_hotspots_find_warnings(struct nsc_hotspots *report)
{
    warn_units(report);
    warn_coverage(report);
    warn_pids(report);
}
