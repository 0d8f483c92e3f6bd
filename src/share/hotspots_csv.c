/* Writes the sheets of the hotspot report as CSV files: CR LF, numbers not rounded. */
#include "share/hotspots_write.h"
#include "share/sheet_write.h"

static const struct file {
    const char *name, *sheet;
    const char *columns; /* NULL: all */
    uint32_t limit;      /* 0: the report's own limit of kernels */
} files[] = {
    {"kernels.csv", "kernels", NULL, 0},
    {"gpu_idle_gaps.csv", "gpu_gaps", "device_id gap_start_ns gap_end_ns gap_ms", UINT32_MAX},
    {"kernels_by_pid.csv", "kernels_by_pid",
     "pid pid_total_kernel_time_ms pid_pct_of_total_kernel_time kernel_name device_id call_count "
     "total_time_ms avg_duration_us pct_of_pid_kernel_time pct_of_total_kernel_time",
     UINT32_MAX},
    {"nvtx_ranges.csv", "nvtx_ranges", "range_name count total_time_ms avg_duration_us", 50},
    {"sync_by_pid.csv", "sync_by_pid", "pid api_name call_count total_time_ms avg_duration_us",
     UINT32_MAX},
    {"nvtx_by_pid.csv", "nvtx_by_pid",
     "pid range_name nvtx_count nvtx_total_time_ms attributed_kernel_time_ms "
     "attributed_kernel_count pid_attribution_coverage_pct",
     UINT32_MAX},
    {"gpu_idle.csv", "gpu_idle", NULL, UINT32_MAX},
    {"launch_storm.csv", "launch_storm", NULL, UINT32_MAX},
    {"nvtx_kernel_time.csv", "nvtx_kernel_time", NULL, UINT32_MAX},
    {"nvtx_phases.csv", "nvtx_phases", NULL, UINT32_MAX},
    {"nvtx_kernel_phases.csv", "nvtx_kernel_phases", NULL, UINT32_MAX},
    {"phase_split.csv", "phase_split", NULL, UINT32_MAX},
    {"barriers.csv", "barriers", NULL, UINT32_MAX},
    {"nccl_ops.csv", "nccl_ops", NULL, UINT32_MAX},
    {"nccl_rank_skew.csv", "nccl_rank_skew", NULL, UINT32_MAX},
    {"nccl_by_pid.csv", "nccl_by_pid", NULL, UINT32_MAX},
    {"nvlink_during_nccl.csv", "nvlink_during_nccl", NULL, UINT32_MAX},
    {"launch_latency.csv", "launch_latency", NULL, UINT32_MAX},
    {"launch_latency_histogram.csv", "launch_latency_histogram", NULL, UINT32_MAX},
    {"launch_latency_rows.csv", "launch_latency_worst", NULL, UINT32_MAX},
    {"stream_overlap.csv", "stream_overlap", NULL, UINT32_MAX},
    {"iterations.csv", "iterations", NULL, UINT32_MAX},
    {"largest_times.csv", "largest_times", NULL, UINT32_MAX},
};

bool nsc_hotspots_write_csv(struct nsc_buf *out, const char **name, bool *wanted,
                            const struct nsc_hotspots *report, uint32_t i, bool is_raw)
{
    struct nsc_markup_column columns[NSC_HOTSPOTS_COLUMNS];
    const struct nsc_sheet *sheet;
    uint32_t n_columns, limit, n;

    if (i >= sizeof files / sizeof files[0])
        return false;
    *name = files[i].name;
    sheet = nsc_sheets_find(&report->sheets, files[i].sheet);
    *wanted = sheet != NULL;
    if (!sheet || nsc_sheet_rows(sheet) == 0)
        return true;
    limit = files[i].limit ? files[i].limit : report->query->kernel_limit;
    n = nsc_sheet_rows(sheet) < limit ? nsc_sheet_rows(sheet) : limit;
    n_columns = nsc_hotspots_columns(columns, files[i].columns, sheet);
    for (uint32_t c = 0; c < n_columns; c++)
        nsc_buf_printf(out, "%s%.*s", c ? "," : "", (int)columns[c].heading.n,
                       columns[c].heading.bytes);
    nsc_buf_puts(out, "\r\n");
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t c = 0; c < n_columns; c++)
            nsc_sheet_write_csv_cell(
                out, sheet, r, columns[c].column,
                &(struct nsc_sheet_csv){.is_first = c == 0, .is_raw = is_raw, .is_exact = true});
        nsc_buf_puts(out, "\r\n");
    }
    return true;
}
