/*
 * The warnings and findings of a report, from its own sheets (the report's definitions B11, B12).
 */
#include "analysis/hotspots/parts.h"
#include "core/buf.h"
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static double number(const struct nsc_hotspots *report, const char *key, uint32_t row,
                     const char *column)
{
    double value;

    (void)nsc_hotspots_number(&value, report, key, row, column);
    return value;
}

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
    if (number(report, "launch_storm", 0, "window_ns") < 1e6)
        warn(report, "The time from first to last kernel is below 1 ms: whether start and end are "
                     "ns could not be checked.");
}

static void warn_coverage(struct nsc_hotspots *report)
{
    double threshold = 100 * report->query->warn_below;
    double coverage = number(report, "nvtx_coverage", 0, "coverage_pct");
    uint32_t n = nsc_hotspots_rows(report, "nvtx_coverage_by_pid"), worst = 0;

    if (report->kernels.n == 0 || nsc_hotspots_rows(report, "nvtx_ranges") == 0 ||
        !report->query->map_nvtx)
        return;
    if (coverage < threshold)
        warn(report,
             "NVTX ranges of the launching thread cover %.1f%% of summed kernel time (< %.1f%%); "
             "of any thread %.1f%%. Take figures by range with care.",
             coverage, threshold, number(report, "nvtx_coverage", 0, "any_thread_coverage_pct"));
    for (uint32_t i = 1; i < n; i++)
        if (number(report, "nvtx_coverage_by_pid", i, "pid_attribution_coverage_pct") <
            number(report, "nvtx_coverage_by_pid", worst, "pid_attribution_coverage_pct"))
            worst = i;
    if (n &&
        number(report, "nvtx_coverage_by_pid", worst, "pid_attribution_coverage_pct") < threshold)
        warn(report,
             "The coverage of at least one process is low (worst: pid %.0f, %.1f%%). Take figures "
             "by process and range with care.",
             number(report, "nvtx_coverage_by_pid", worst, "pid"),
             number(report, "nvtx_coverage_by_pid", worst, "pid_attribution_coverage_pct"));
}

static void warn_pids(struct nsc_hotspots *report)
{
    double rows = number(report, "pid_quality", 0, "rows_with_pid");
    double zero = number(report, "pid_quality", 0, "pid0_rows");
    double strange = number(report, "pid_quality", 0, "pid_ge_10m_rows");
    double kernel_pids = number(report, "pid_quality", 0, "kernel_pid_count");
    double others = number(report, "pid_quality", 0, "runtime_pid_count");

    if (number(report, "pid_quality", 0, "nvtx_pid_count") > others)
        others = number(report, "pid_quality", 0, "nvtx_pid_count");
    if (rows <= 0)
        return;
    if (zero >= rows || strange > 0 || (kernel_pids <= 1 && others > 1))
        warn(report,
             "Kernels cannot be told apart by process (%.0f of their pids, %.0f of calls "
             "and ranges): figures by process are ambiguous.",
             kernel_pids, others);
    if (zero >= 0.8 * rows)
        warn(report, "%.1f%% of the kernels have pid 0.", 100 * zero / rows);
    if (strange >= 0.8 * rows)
        warn(report, "%.1f%% of the kernels have a pid of 10 000 000 or more.",
             100 * strange / rows);
}

/* ---- findings ---- */

static struct nsc_finding *add(struct nsc_hotspots *report, const char *key,
                               enum nsc_severity severity, const char *title, double ns)
{
    struct nsc_finding *finding = nsc_findings_add(&report->findings, key, severity, "%s", title);

    finding->ns = ns > 0 ? (nsc_time)ns : 0;
    return finding;
}

/* A text of a row, cut to fit a line. */
static void cut(char out[200], const struct nsc_hotspots *report, const char *key, uint32_t row,
                const char *column)
{
    struct nsc_buf buf = NSC_BUF_INIT(199);

    nsc_text_clip(&buf, nsc_hotspots_text(report, key, row, column), 120, false);
    snprintf(out, 200, "%s", buf.n ? buf.bytes : "");
    nsc_buf_fini(&buf);
}

static void find_top_kernel(struct nsc_hotspots *report)
{
    double share = number(report, "kernels", 0, "pct_total_kernel_time");
    struct nsc_finding *finding;
    char name[200];

    if (share < 25)
        return;
    cut(name, report, "kernels", 0, "kernel_name");
    finding = add(report, "top-kernel", share >= 50 ? NSC_SEVERITY_HIGH : NSC_SEVERITY_MEDIUM,
                  share >= 50 ? "Top kernel dominates GPU time"
                              : "Single kernel is a large share of GPU time",
                  number(report, "kernels", 0, "total_time_ns"));
    nsc_finding_evidence(finding, "%s on device %.0f is %.1f%% of summed kernel time.", name,
                         number(report, "kernels", 0, "device_id"), share);
    nsc_finding_next(finding, "Look at this kernel first: nsyscope ncu-plan prints the ncu command "
                              "that profiles it.");
}

static void find_storm(struct nsc_hotspots *report)
{
    double rate = number(report, "launch_storm", 0, "launches_per_s");
    double median = number(report, "launch_storm", 0, "p50_kernel_us");
    bool storm = number(report, "launch_storm", 0, "is_launch_storm") > 0;
    bool enough = number(report, "launch_storm", 0, "total_launches") >= 1000 &&
                  number(report, "launch_storm", 0, "window_ns") >= 1e6;
    struct nsc_finding *finding;

    if (!storm && (!enough || rate < 100000))
        return;
    finding = add(report, "launch-storm", storm ? NSC_SEVERITY_HIGH : NSC_SEVERITY_MEDIUM,
                  storm ? "Kernel launch storm detected" : "Very high kernel launch rate",
                  (double)report->kernels.total);
    nsc_finding_evidence(finding,
                         "%.0f launches in %.3f s: %.1f launches/s; median kernel %.2f us.",
                         number(report, "launch_storm", 0, "total_launches"),
                         number(report, "launch_storm", 0, "window_s"), rate, median);
    nsc_finding_next(finding, "Fuse small kernels, batch more work a launch, or record them as a "
                              "CUDA graph.");
}

static void find_sync(struct nsc_hotspots *report)
{
    uint32_t n = nsc_hotspots_rows(report, "sync_calls");
    struct nsc_finding *finding;
    double total = 0;
    char name[200];

    for (uint32_t i = 0; i < n; i++)
        total += number(report, "sync_calls", i, "total_time_ns");
    if (n == 0)
        return;
    cut(name, report, "sync_calls", 0, "api_name");
    finding = add(report, "sync-calls", total >= 1e6 ? NSC_SEVERITY_MEDIUM : NSC_SEVERITY_LOW,
                  "CPU-GPU synchronization detected (runtime API)", total);
    nsc_finding_evidence(finding, "%s: %.2f ms in %.0f calls, the most of all.", name,
                         number(report, "sync_calls", 0, "total_time_ms"),
                         number(report, "sync_calls", 0, "call_count"));
    nsc_finding_evidence(finding, "All calls that wait: %.2f ms.", total / 1e6);
    nsc_finding_next(finding, "Take unneeded synchronization out of the loop; a wait costs only "
                              "where the GPU is idle meanwhile.");
}

uint32_t nsc_hotspots_idlest(const struct nsc_hotspots *report)
{
    uint32_t n = nsc_hotspots_rows(report, "gpu_idle"), worst = 0;

    for (uint32_t i = 1; i < n; i++)
        if (number(report, "gpu_idle", i, "idle_pct_of_window") >
            number(report, "gpu_idle", worst, "idle_pct_of_window"))
            worst = i;
    return worst;
}

static void find_idle(struct nsc_hotspots *report)
{
    uint32_t worst = nsc_hotspots_idlest(report);
    double idle = number(report, "gpu_idle", worst, "idle_pct_of_window");
    struct nsc_finding *finding;

    if (idle < 20)
        return;
    finding = add(report, "gpu-idle", idle >= 40 ? NSC_SEVERITY_HIGH : NSC_SEVERITY_MEDIUM,
                  "Significant GPU idle gaps", number(report, "gpu_idle", worst, "idle_ms") * 1e6);
    nsc_finding_evidence(finding,
                         "GPU %.0f runs no kernel in %.1f%% of its window (%.1f ms of %.1f ms).",
                         number(report, "gpu_idle", worst, "device_id"), idle,
                         number(report, "gpu_idle", worst, "idle_ms"),
                         number(report, "gpu_idle", worst, "window_ms"));
    nsc_finding_evidence(finding, "Counting copies and memsets as work it is idle in %.1f%%.",
                         number(report, "gpu_idle", worst, "all_work_idle_pct_of_window"));
    nsc_finding_next(finding, "nsyscope analyze says what each gap waited for.");
}

static void find_nvtx(struct nsc_hotspots *report)
{
    const struct nsc_sheet *sheet = nsc_sheets_find(&report->sheets, "nvtx_ranges");
    uint32_t n = nsc_hotspots_rows(report, "nvtx_ranges");
    struct nsc_finding *finding;

    if (n == 0)
        return;
    finding = add(report, "nvtx", NSC_SEVERITY_LOW, "NVTX ranges present", 0);
    nsc_finding_evidence(finding, "%.0f names of NVTX ranges.",
                         (double)n + (double)sheet->n_left_out);
    nsc_finding_next(finding, "--phase-map FILE sums them up by phase.");
}

/* A phase that is not "unmapped" and takes most of the time. */
static void find_phase(struct nsc_hotspots *report, const char *key, const char *share,
                       const char *title, const char *what)
{
    double most = number(report, key, 0, share);
    struct nsc_finding *finding;
    char name[200];

    cut(name, report, key, 0, "phase");
    if (nsc_hotspots_rows(report, key) == 0 || most < 70 || strcmp(name, "unmapped") == 0)
        return;
    finding = add(report, key, NSC_SEVERITY_MEDIUM, title, 0);
    nsc_finding_evidence(finding, "Phase %s is %.1f%% of %s.", name, most, what);
    nsc_finding_next(finding, "Look into this phase first.");
}

void nsc_hotspots_judge(struct nsc_hotspots *report)
{
    warn_units(report);
    warn_coverage(report);
    warn_pids(report);
    find_top_kernel(report);
    find_storm(report);
    find_sync(report);
    find_idle(report);
    find_nvtx(report);
    find_phase(report, "nvtx_phases", "pct_of_nvtx_total", "One NVTX phase dominates",
               "the time of NVTX ranges");
    find_phase(report, "nvtx_kernel_phases", "pct_of_attributed_kernel_time",
               "One phase dominates attributed GPU kernel time",
               "the kernel time laid to NVTX ranges");
}
