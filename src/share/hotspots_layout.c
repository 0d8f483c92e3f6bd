/* The sections of the hotspot report: the columns of each sheet, and the number of rows. */
#include "core/text.h"
#include "share/hotspots_write.h"

#include <inttypes.h>
#include <math.h>

#define KERNEL_TABLE "CUPTI_ACTIVITY_KIND_KERNEL"

static const struct nsc_hotspots_part parts[] = {
    {"## Global: top CUDA kernels (by total time)", "kernels",
     "kernel_name device_id total_ms=total_time_ms calls=call_count avg_us=avg_duration_us "
     "p50_us=p50_duration_us p90_us=p90_duration_us pct_kernel_time=pct_total_kernel_time",
     30, NULL, "`" KERNEL_TABLE "`; duration = `end-start`.",
     "durations are summed over launches: kernels at once count twice. Shares are by name and "
     "device.",
     "(none)"},
    {"## Top PIDs by GPU kernel time", "pids",
     "pid total_kernel_time_ms kernel_count pct_of_total_kernel_time", 20, NULL,
     "`" KERNEL_TABLE "` grouped by process.", "needs the kernels' process (`globalPid`).",
     "(no kernels)"},
    {"## Top kernels per PID", "kernels_by_pid",
     "kernel_name device_id total_time_ms call_count avg_duration_us pct_of_pid_kernel_time", 20,
     "pid", NULL, NULL, "(no kernels)"},
    {"## Launch storm per PID (best-effort)", "storm_by_pid",
     "pid total_launches window_s launches_per_s p50_kernel_us p90_kernel_us p99_kernel_us "
     "pct_under_5us pct_under_10us pct_under_20us launch_storm=is_launch_storm",
     50, NULL, "`" KERNEL_TABLE "` by process.",
     "percentiles are elements, not between two of them.", "(no kernels)"},
    {"## Sync indicators per PID", "sync_by_pid",
     "pid api_name total_time_ms call_count avg_duration_us", 50, NULL,
     "calls of the CUDA API whose names hold wait, synchronize or cudaEventQuery, by process.",
     "only what was traced; cudaStreamWaitEvent and cudaEventQuery do not hold the host.",
     "(none detected)"},
    {"## Global: launch storm", "launch_storm",
     "total_launches window_s launches_per_s p50_kernel_us p90_kernel_us p99_kernel_us "
     "pct_under_5us pct_under_10us pct_under_20us launch_storm=is_launch_storm",
     1, NULL, "first start to last end of all kernels.", "a storm is one of a GPU, as below.",
     "(no kernels)"},
    {"### Launches by GPU", "storm_by_gpu",
     "device_id kernels launch_calls calls_per_s p50_kernel_us starved_pct idle_pct "
     "launch_storm=is_launch_storm",
     64, NULL, "calls that launch work on the GPU; a graph launch is one.",
     "a storm needs 50 000 calls a second, 1000 calls, and a GPU that starves and is idle.",
     "(no kernels)"},
    {"### Tiny kernels by call count", "tiny_kernels", "kernel_name call_count avg_duration_us", 10,
     NULL, "kernels of at most 5 us.", NULL, "(none)"},
    {"## Global: CPU↔GPU synchronization (CUDA runtime/driver)", "sync_calls",
     "api_name call_count total_time_ms avg_duration_us", 30, NULL,
     "calls of the CUDA API whose names hold wait, synchronize or cudaEventQuery.",
     "only what was traced; a wait costs only where the GPU is idle meanwhile.", "(none detected)"},
    {"## GPU idle estimate (from kernel timeline)", "gpu_idle",
     "device_id window_ms busy_ms idle_ms idle_pct_of_window all_work_idle_ms "
     "all_work_idle_pct_of_window",
     64, NULL, "union of kernel intervals of each device; all_work: with graphs, copies, memsets.",
     "the window goes from the first kernel to the last one.",
     "(no kernel activity to estimate idle)"},
    {"### Largest gaps", "gpu_gaps", "device_id gap_start_ns gap_end_ns gap_ms", 20, NULL,
     "between kernels.", "copies may run in them.", "(no gaps)"},
    {"## NVTX ranges", "nvtx_ranges", "range_name count total_time_ms avg_duration_us", 30, NULL,
     "closed ranges of `NVTX_EVENTS` by name.", "host time, not the GPU's.",
     "(no NVTX ranges found)"},
    {"### NVTX phases (wall time)", "nvtx_phases", "phase total_time_ms pct_of_nvtx_total", 64,
     NULL, "the phase map, over all ranges.", NULL, NULL},
    {"### NVTX-attributed GPU kernel time", "nvtx_coverage",
     "coverage_pct mapped_kernel_count kernel_count distinct_ranges any_thread_coverage_pct", 1,
     NULL,
     "kernel to the call of its process and correlation id to the latest range of the same thread "
     "around it.",
     "each kernel counts once, coverage is over all ranges.", NULL},
    {"### Kernel time by NVTX range", "nvtx_kernel_time",
     "range_name kernel_count total_kernel_time_ms avg_kernel_duration_us "
     "pct_of_total_kernel_time",
     30, NULL, NULL, NULL, "(no kernel was launched in a range of its thread)"},
    {"### NVTX phases (kernel time)", "nvtx_kernel_phases",
     "phase total_kernel_time_ms pct_of_attributed_kernel_time", 64, NULL, NULL, NULL, NULL},
    {"### NVTX phases (kernel time) per PID", "nvtx_kernel_phases_by_pid",
     "pid phase total_kernel_time_ms pct_of_attributed_kernel_time", 60, NULL, NULL, NULL, NULL},
    {"## NVTX per PID (best-effort)", "nvtx_by_pid",
     "pid range_name nvtx_total_time_ms nvtx_count attributed_kernel_time_ms "
     "attributed_kernel_count pid_attribution_coverage_pct",
     60, NULL, "`NVTX_EVENTS` by process, beside the kernel time attributed to the same name.",
     NULL, "(no NVTX ranges found)"},
    {"### NVTX→kernel attribution coverage by PID", "nvtx_coverage_by_pid",
     "pid pid_total_kernel_time_ms pid_attributed_kernel_time_ms pid_attribution_coverage_pct", 20,
     NULL, NULL, NULL, NULL},
    {"## Prefill, decode, sampling", "phase_split", "phase total_time_ms pct_of_total", 20, NULL,
     "words in the names of ranges.", "kernel time where ranges launch kernels, else host time.",
     "(no NVTX ranges found)"},
    {"## Barriers", "barriers",
     "barrier_kind api_name total_time_ms count avg_duration_us max_duration_us", 30, NULL,
     "calls of the CUDA API and of the OS, and gaps between launch calls of a process.", NULL,
     "(none detected)"},
    {"## Collectives (NCCL)", "nccl_ops",
     "op count total_time_ms avg_duration_us max_duration_us compute_overlap_ms "
     "compute_overlap_pct straggler",
     30, NULL, "communication kernels, else ranges or calls that name a collective.",
     "the straggler comes last more often than by chance and keeps the others waiting; it has the "
     "shortest kernels (nsyscope ranks says why).",
     "(no collectives found)"},
    {"### Rank skew", "nccl_rank_skew", "op rank count total_time_ms median_total_ms skew_pct", 30,
     NULL, NULL, NULL, NULL},
    {"### Collectives per PID", "nccl_by_pid", "pid op count total_time_ms avg_duration_us", 30,
     NULL, NULL, NULL, NULL},
    {"## NVLink while collectives run", "nvlink_during_nccl",
     "metric samples mean_in_collectives mean_outside max correlation", 30, NULL,
     "samples of GPU metrics.", NULL, "(no NVLink counters)"},
    {"## Launch latency", "launch_latency",
     "count without_call mean_us p50_us p95_us p99_us max_us", 1, NULL,
     "from the end of the launching call to the start of the kernel.", NULL, NULL},
    {"### Launch latency, in equal bins", "launch_latency_histogram", "from_us to_us count", 30,
     NULL, NULL, NULL, NULL},
    {"### Longest launch latencies", "launch_latency_worst",
     "kernel_name latency_us pid device_id stream_id start_ns", 20, NULL, NULL, NULL, NULL},
    {"## Work at the same time", "stream_overlap",
     "device_id work busy_ms with_compute_ms with_communication_ms with_copies_ms overlap_pct", 60,
     NULL, NULL, NULL, "(no GPU work)"},
    {"### Operations at once", "concurrency", "device_id max_at_once", 60, NULL, NULL, NULL, NULL},
    {"## Iterations", "iterations",
     "iterations found_by name after_warm_up median_ms mean_ms min_ms max_ms slow confidence_pct",
     1, NULL, "periods last from the start of an iteration to the next start.",
     "times are those after the warm-up.", "(none were found)"},
    {"## MFU", "mfu", "time gpus tflop tflops peak_tflops mfu", 2, NULL,
     "shapes in the texts of NVTX ranges.", NULL, "(no range tells the shapes of its matrices)"},
    {"## The largest times", "largest_times", "suspect name total_time_ms", 10, NULL,
     "the first rows of the tables above.", NULL, "(nothing to suspect)"},
};

const struct nsc_hotspots_part *nsc_hotspots_part(uint32_t i)
{
    return i < sizeof parts / sizeof parts[0] ? &parts[i] : NULL;
}

uint32_t nsc_hotspots_columns(struct nsc_markup_column out[NSC_HOTSPOTS_COLUMNS],
                              const char *columns, const struct nsc_sheet *sheet)
{
    struct nsc_text rest = nsc_text_from(columns ? columns : "");
    uint32_t n = 0;

    for (uint32_t c = 0; !columns && c < sheet->n_columns && n < NSC_HOTSPOTS_COLUMNS; c++)
        out[n++] = (struct nsc_markup_column){nsc_text_from(sheet->columns[c].key), c, NULL};
    while (rest.n && n < NSC_HOTSPOTS_COLUMNS) {
        struct nsc_text key = nsc_text_split(&rest, ' ');
        struct nsc_text heading = nsc_text_split(&key, '=');
        uint32_t column = nsc_sheet_column(sheet, key.n ? key : heading);

        out[n] = (struct nsc_markup_column){heading, column, nsc_hotspots_cell};
        n += column != NSC_NONE;
    }
    return n;
}

static void add_number(struct nsc_buf *out, struct nsc_text heading, double value)
{
    static const char *const percent[] = {"pct", NULL};
    int decimals = 3;

    if (nsc_text_contains_any(heading, percent))
        decimals = 1;
    else if (nsc_text_ends(heading, "_us"))
        decimals = 2;
    else if (nsc_text_ends(heading, "_s") && !nsc_text_ends(heading, "_per_s") &&
             fabs(value) < 0.01)
        decimals = 6;
    nsc_buf_printf(out, "%.*f", decimals, value);
}

void nsc_hotspots_cell(struct nsc_buf *out, const struct nsc_sheet *sheet, uint32_t row,
                       const struct nsc_markup_column *column)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, column->column);
    uint8_t kind = sheet->columns[column->column].kind;
    struct nsc_text text;

    if (!cell->is_set) {
        if (nsc_text_begins(column->heading, "p50") || nsc_text_begins(column->heading, "p90"))
            nsc_buf_putc(out, '-');
        return;
    }
    switch ((enum nsc_sheet_kind)kind) {
    case NSC_SHEET_TEXT:
        text = nsc_sheet_text(sheet, cell);
        nsc_buf_add(out, text.bytes, text.n);
        return;
    case NSC_SHEET_PERCENT:
    case NSC_SHEET_NUMBER:
        add_number(out, column->heading, cell->number);
        return;
    case NSC_SHEET_YES:
        nsc_buf_puts(out, cell->integer ? "true" : "false");
        return;
    default:
        nsc_buf_printf(out, "%" PRId64, cell->integer);
    }
}
