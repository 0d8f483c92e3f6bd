/*
 * Measures how much of its window each device is idle, by kernels alone and by all its work, and
 * the longest gaps between kernels.
 *
 * The window of a device is from the start of its first kernel to the end of its last one.
 */
#include "nsyscope/cover.h"

#include "analysis/base/activity.h"
#include "analysis/base/device_ops.h"
#include "analysis/hotspots/parts.h"
#include "core/sum.h"

#define GAPS 50

struct device {
    int64_t id;
    uint32_t track; /* track of the GPU; one for each export, and for each process with a track of
                     * its own */
    const struct nsc_scope *scope;
    struct nsc_window window;
    struct nsc_cover *kernels; /* owned */
    const struct nsc_cover *work;
    struct nsc_cover *own_work; /* NULL: borrowed from the trace */
};

struct gap {
    int64_t device;
    nsc_time start, end;
};

static bool keep_kernels(const void *context, nsc_event event)
{
    const struct device *device = context;

    return nsc_trace_events(device->scope->trace)->kind[event] == NSC_KIND_KERNEL &&
           nsc_scope_has(device->scope, event);
}

static void build_covers(struct device *device)
{
    device->kernels =
        nsc_device_cover_of(device->scope->trace, device->track, keep_kernels, device);
    device->work = nsc_scope_cover_busy(&device->own_work, device->scope, device->track);
}

/* False if the scope has no kernel of the device longer than 0 ns. */
static bool find_window(struct device *device)
{
    uint32_t n = nsc_cover_count(device->kernels);

    if (n == 0)
        return false;
    device->window.t0 = nsc_cover_at(device->kernels, 0).t0;
    device->window.t1 = nsc_cover_at(device->kernels, n - 1).t1;
    if (device->scope->has_window)
        device->window = nsc_window_meet(device->window, device->scope->window);
    return device->window.t0 < device->window.t1;
}

/* Keeps the GAPS longest gaps, the longest first; equal ones by device and time. */
static void keep_gap(struct gap gaps[GAPS], uint32_t *n, struct gap gap)
{
    nsc_time length = nsc_span(gap.start, gap.end);
    uint32_t at = *n;

    while (at > 0 && nsc_span(gaps[at - 1].start, gaps[at - 1].end) < length)
        at--;
    if (at == GAPS)
        return;
    if (*n < GAPS)
        ++*n;
    for (uint32_t i = *n - 1; i > at; i--)
        gaps[i] = gaps[i - 1];
    gaps[at] = gap;
}

static uint64_t find_gaps(const struct device *device, struct gap gaps[GAPS], uint32_t *n)
{
    uint32_t count = nsc_cover_count(device->kernels);
    uint64_t found = 0;

    for (uint32_t i = 1; i < count; i++) {
        struct nsc_window gap = {nsc_cover_at(device->kernels, i - 1).t1,
                                 nsc_cover_at(device->kernels, i).t0};

        gap = nsc_window_meet(gap, device->window);
        if (gap.t0 >= gap.t1)
            continue;
        found++;
        keep_gap(gaps, n, (struct gap){device->id, gap.t0, gap.t1});
    }
    return found;
}

struct idle_device_row { /* idle: no kernel runs; work_idle: nothing does */
    int64_t device;
    nsc_time window, busy, idle, work, work_idle;
    double idle_share, work_idle_share; /* % */
};

static void add_device(struct nsc_sheet *sheet, const struct device *device)
{
    nsc_time window = nsc_window_length(device->window);
    nsc_time busy = nsc_cover_measure(device->kernels, device->window);
    nsc_time work = nsc_cover_measure(device->work, device->window);

    NSC_ADD_ROW(sheet, idle_device_row, .device = device->id, .window = window, .busy = busy,
                .idle = window - busy, .idle_share = nsc_percent(window - busy, window),
                .work = work, .work_idle = window - work,
                .work_idle_share = nsc_percent(window - work, window));
}

struct gpu_gap_row {
    struct gap gap;
    nsc_time length;
};

static void add_gaps(struct nsc_hotspots *report, const struct gap gaps[], uint32_t n, uint64_t all)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(gpu_gap_row, gap.device, "device_id"),
        NSC_COLUMN_INSTANT(gpu_gap_row, gap.start, "gap_start_ns"),
        NSC_COLUMN_INSTANT(gpu_gap_row, gap.end, "gap_end_ns"),
        NSC_COLUMN_MS(gpu_gap_row, length, "gap_ms"),
        NSC_COLUMN_NS(gpu_gap_row, length, "gap_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "gpu_gaps", "Longest gaps between kernels", columns);

    (void)nsc_hotspots_limit(sheet, all, n);
    for (uint32_t i = 0; i < n; i++)
        NSC_ADD_ROW(sheet, gpu_gap_row, .gap = gaps[i],
                    .length = nsc_span(gaps[i].start, gaps[i].end));
}

/* deviceId of the export; the GPU's number if it has no streams. */
static int64_t id_of(const struct nsc_trace *trace, uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    for (uint32_t t = track; t < nsc_group_end(tracks, track); t++)
        if (tracks[t].kind == NSC_TRACK_STREAM)
            return tracks[t].device;
    return tracks[track].gpu;
}

void nsc_hotspots_gpu_idle(struct nsc_hotspots *report)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(idle_device_row, device, "device_id"),
        NSC_COLUMN_MS(idle_device_row, window, "window_ms"),
        NSC_COLUMN_MS(idle_device_row, busy, "busy_ms"),
        NSC_COLUMN_MS(idle_device_row, idle, "idle_ms"),
        NSC_COLUMN_PCT(idle_device_row, idle_share, "idle_pct_of_window",
                       "first kernel's start to last one's end"),
        NSC_COLUMN_MS(idle_device_row, work, "all_work_busy_ms"),
        NSC_COLUMN_MS(idle_device_row, work_idle, "all_work_idle_ms"),
        NSC_COLUMN_PCT(idle_device_row, work_idle_share, "all_work_idle_pct_of_window",
                       "first kernel's start to last one's end"),
        NSC_COLUMN_NS(idle_device_row, window, "window_ns"),
        NSC_COLUMN_NS(idle_device_row, busy, "busy_ns"),
        NSC_COLUMN_NS(idle_device_row, work, "all_work_busy_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(report, "gpu_idle", "Idle time of devices", columns);
    struct gap gaps[GAPS];
    uint32_t n = 0;
    uint64_t all = 0;
    struct device device = {.scope = &report->query->scope};

    device.track = NSC_NONE;
    while ((device.track = nsc_device_next(device.scope->trace, device.track)) != NSC_NONE) {
        device.id = id_of(device.scope->trace, device.track);
        build_covers(&device);
        if (find_window(&device)) {
            add_device(sheet, &device);
            all += find_gaps(&device, gaps, &n);
        }
        nsc_cover_free(device.kernels);
        nsc_cover_free(device.own_work);
    }
    nsc_sheet_note(sheet, "busy: a kernel runs; all_work: a kernel, graph, copy or memset runs");
    add_gaps(report, gaps, n, all);
}
