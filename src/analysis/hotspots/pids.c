/* Measures how well an export distinguishes processes; every figure by process depends on it. */
#include "analysis/base/scope.h"
#include "analysis/hotspots/parts.h"

#define STRANGE_PID 10000000 /* no system gives processes such numbers */

/* Whether the scope has an event of the track. */
static bool has_events(const struct nsc_scope *scope, uint32_t track)
{
    struct nsc_scope_cursor at = nsc_scope_open_track(scope, track);

    return nsc_scope_next(&at);
}

/* Distinct pids of the tracks of these kinds (NSC_TRACK_BIT) with events in the scope. */
static int64_t count_on(const struct nsc_hotspots *report, uint32_t kinds)
{
    const struct nsc_scope *scope = &report->query->scope;
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n_tracks);
    struct nsc_tally pids = {0};
    int64_t n;

    for (uint32_t t = 0; t < n_tracks; t++)
        if (kinds & NSC_TRACK_BIT(tracks[t].kind) && has_events(scope, t))
            (void)nsc_tally_group(&pids, tracks[t].pid, 0);
    n = (int64_t)pids.rows.n;
    nsc_tally_fini(&pids);
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
