/*
 * The warnings and findings of a report, from the figures of its sheets.
 */
#include "analysis/hotspots/parts.h"
#include "core/buf.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MS 1000000 /* ns */

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
    if (report->figures.storm.window < MS)
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
    if ((double)pids->zero >= 0.8 * (double)pids->rows)
        warn(report, "%.1f%% of the kernels have pid 0.",
             100 * (double)pids->zero / (double)pids->rows);
    if ((double)pids->strange >= 0.8 * (double)pids->rows)
        warn(report, "%.1f%% of the kernels have a pid of 10 000 000 or more.",
             100 * (double)pids->strange / (double)pids->rows);
}

/* ---- findings ---- */

static struct nsc_finding *add(struct nsc_hotspots *report, const char *key,
                               enum nsc_severity severity, const char *title, double ns)
{
    struct nsc_finding *finding = nsc_findings_add(&report->findings, key, severity, "%s", title);

    finding->ns = ns > 0 ? (nsc_time)ns : 0;
    return finding;
}

/* A text cut to fit a line. */
static void cut(char out[200], struct nsc_text text)
{
    struct nsc_buf buf = NSC_BUF_INIT(199);

    nsc_text_clip(&buf, text, 120, false);
    snprintf(out, 200, "%s", buf.n ? buf.bytes : "");
    nsc_buf_fini(&buf);
}

static void find_top_kernel(struct nsc_hotspots *report)
{
    const struct nsc_tally_line *top = &report->figures.kernel;
    struct nsc_finding *finding;
    char name[200];

    if (top->share < 25)
        return;
    cut(name, top->name);
    finding = add(report, "top-kernel", top->share >= 50 ? NSC_SEVERITY_HIGH : NSC_SEVERITY_MEDIUM,
                  top->share >= 50 ? "Top kernel dominates GPU time"
                                   : "Single kernel is a large share of GPU time",
                  (double)top->of.total);
    nsc_finding_evidence(finding, "%s on device %" PRId64 " is %.1f%% of summed kernel time.", name,
                         (int64_t)top->of.key[1], top->share);
    nsc_finding_next(finding, "Look at this kernel first: nsyscope ncu-plan prints the ncu command "
                              "that profiles it.");
}

static void find_storm(struct nsc_hotspots *report)
{
    const struct nsc_hotspots_storm *of = &report->figures.storm;
    struct nsc_finding *finding;

    if (!of->is_storm && (of->n < 1000 || of->window < MS || of->rate < 100000))
        return;
    finding = add(report, "launch-storm", of->is_storm ? NSC_SEVERITY_HIGH : NSC_SEVERITY_MEDIUM,
                  of->is_storm ? "Kernel launch storm detected" : "Very high kernel launch rate",
                  (double)report->kernels.total);
    nsc_finding_evidence(finding,
                         "%" PRIu64 " launches in %.3f s: %.1f launches/s; median kernel %.2f us.",
                         of->n, of->window_s, of->rate, of->quantile_us[0]);
    nsc_finding_next(finding, "Fuse small kernels, batch more work a launch, or record them as a "
                              "CUDA graph.");
}

static void find_sync(struct nsc_hotspots *report)
{
    const struct nsc_tally_line *top = &report->figures.sync;
    double total = report->figures.sync_total;
    struct nsc_finding *finding;
    char name[200];

    if (top->of.count == 0)
        return;
    cut(name, top->name);
    finding = add(report, "sync-calls", total >= 1e6 ? NSC_SEVERITY_MEDIUM : NSC_SEVERITY_LOW,
                  "CPU-GPU synchronization detected (runtime API)", total);
    nsc_finding_evidence(finding, "%s: %.2f ms in %" PRIu64 " calls, the most of all.", name,
                         (double)top->of.total / 1e6, top->of.count);
    nsc_finding_evidence(finding, "All calls that wait: %.2f ms.", total / 1e6);
    nsc_finding_next(finding, "Take unneeded synchronization out of the loop; a wait costs only "
                              "where the GPU is idle meanwhile.");
}

struct nsc_hotspots_idle nsc_hotspots_idlest(const struct nsc_hotspots *report)
{
    struct nsc_hotspots_idle worst = {0};

    for (size_t i = 0; i < report->figures.idle.n; i++)
        if (i == 0 || report->figures.idle.at[i].idle_share > worst.idle_share)
            worst = report->figures.idle.at[i];
    return worst;
}

static void find_idle(struct nsc_hotspots *report)
{
    struct nsc_hotspots_idle worst = nsc_hotspots_idlest(report);
    double idle_ms = (double)worst.idle / 1e6;
    struct nsc_finding *finding;

    if (worst.idle_share < 20)
        return;
    finding =
        add(report, "gpu-idle", worst.idle_share >= 40 ? NSC_SEVERITY_HIGH : NSC_SEVERITY_MEDIUM,
            "Significant GPU idle gaps", idle_ms * 1e6);
    nsc_finding_evidence(
        finding, "GPU %" PRId64 " runs no kernel in %.1f%% of its window (%.1f ms of %.1f ms).",
        worst.device, worst.idle_share, idle_ms, (double)worst.window / 1e6);
    nsc_finding_evidence(finding, "Counting copies and memsets as work it is idle in %.1f%%.",
                         worst.work_idle_share);
    nsc_finding_next(finding, "nsyscope analyze says what each gap waited for.");
}

static void find_nvtx(struct nsc_hotspots *report)
{
    struct nsc_finding *finding;

    if (report->figures.n_range_names == 0)
        return;
    finding = add(report, "nvtx", NSC_SEVERITY_LOW, "NVTX ranges present", 0);
    nsc_finding_evidence(finding, "%" PRIu64 " names of NVTX ranges.",
                         report->figures.n_range_names);
    nsc_finding_next(finding, "--phase-map FILE sums them up by phase.");
}

/* A phase that is not "unmapped" and takes most of the time. */
static void find_phase(struct nsc_hotspots *report, const struct nsc_hotspots_phase *phase,
                       const char *key, const char *title, const char *what)
{
    struct nsc_finding *finding;
    char name[200];

    if (phase->share < 70)
        return;
    cut(name, phase->name);
    if (strcmp(name, "unmapped") == 0)
        return;
    finding = add(report, key, NSC_SEVERITY_MEDIUM, title, 0);
    nsc_finding_evidence(finding, "Phase %s is %.1f%% of %s.", name, phase->share, what);
    nsc_finding_next(finding, "Look into this phase first.");
}

void nsc_hotspots_find_warnings(struct nsc_hotspots *report)
{
    warn_units(report);
    warn_coverage(report);
    warn_pids(report);
    find_top_kernel(report);
    find_storm(report);
    find_sync(report);
    find_idle(report);
    find_nvtx(report);
    find_phase(report, &report->figures.wall_phase, "nvtx_phases", "One NVTX phase dominates",
               "the time of NVTX ranges");
    find_phase(report, &report->figures.kernel_phase, "nvtx_kernel_phases",
               "One phase dominates attributed GPU kernel time",
               "the kernel time attributed to NVTX ranges");
}
