/* Measures how well an export distinguishes processes; every figure by process depends on it. */
#include "analysis/base/scope.h"
#include "analysis/hotspots/parts.h"

#define STRANGE_PID 10000000 /* no system gives processes such numbers */

static void add_pid(void *context, uint32_t track, nsc_event event)
{
    struct nsc_tally *pids = context;

    (void)event;
    nsc_tally_add(pids, track, 0, 0);
}

/* Distinct pids of the tracks in a tally. */
static int64_t count_pids(const struct nsc_hotspots *report, const struct nsc_tally *tracks)
{
    struct nsc_tally pids = {0};
    int64_t n;

    for (size_t i = 0; i < tracks->rows.n; i++)
        (void)nsc_tally_group(&pids, nsc_hotspots_pid(report, (uint32_t)tracks->rows.at[i].key[0]),
                              0);
    n = (int64_t)pids.rows.n;
    nsc_tally_fini(&pids);
    return n;
}

static int64_t count_on(const struct nsc_hotspots *report, uint32_t kinds)
{
    struct nsc_tally tracks = {.find = NSC_TALLY_BY_FIRST};
    int64_t n;

    nsc_scope_walk(&report->query->scope, kinds, add_pid, &tracks);
    n = count_pids(report, &tracks);
    nsc_tally_fini(&tracks);
    return n;
}

void nsc_hotspots_pids(struct nsc_hotspots *report)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_COUNT(nsc_hotspots_pids, rows, "rows_with_pid"),
        NSC_COLUMN_COUNT(nsc_hotspots_pids, zero, "pid0_rows"),
        NSC_COLUMN_COUNT(nsc_hotspots_pids, strange, "pid_ge_10m_rows"),
        NSC_COLUMN_COUNT(nsc_hotspots_pids, of_kernels, "kernel_pid_count"),
        NSC_COLUMN_COUNT(nsc_hotspots_pids, of_calls, "runtime_pid_count"),
        NSC_COLUMN_COUNT(nsc_hotspots_pids, of_ranges, "nvtx_pid_count"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "pid_quality", "Processes of the kernels", columns);
    struct nsc_hotspots_pids *of = &report->figures.pids;
    struct nsc_tally pids = nsc_hotspots_pid_tally(report);

    for (size_t i = 0; i < pids.rows.n; i++) {
        of->zero += pids.rows.at[i].key[0] == 0 ? (int64_t)pids.rows.at[i].count : 0;
        of->strange += pids.rows.at[i].key[0] >= STRANGE_PID ? (int64_t)pids.rows.at[i].count : 0;
    }
    of->rows = (int64_t)report->kernels.n;
    of->of_kernels = (int64_t)pids.rows.n;
    of->of_calls = count_on(report, NSC_TRACK_BIT(NSC_TRACK_API));
    of->of_ranges = count_on(report, NSC_RANGE_TRACKS | NSC_TRACK_BIT(NSC_TRACK_MARKS));
    NSC_SHEET_ADD_ROW(sheet, of);
    nsc_tally_fini(&pids);
}
