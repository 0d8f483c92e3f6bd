/* Prints the hardware rows of an export with its devices. */
#include "cli/cmd/info_devices.h"

#include "nsyscope/cover.h"

#include "cli/commands.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/units.h"
#include "core/vec.h"
#include "index/lane_merge.h"
#include "nsys/tables/fields.h"

#include <inttypes.h>

enum gpu_field { GPU_ID, GPU_BUS, GPU_MEMORY, GPU_SMS, GPU_BANDWIDTH, GPU_MAJOR, GPU_MINOR };

/* NULL: there is no such table, or *trouble has the error. */
static struct nsc_fields *read_hardware(struct nsc_capture *capture, struct nsc_error *trouble)
{
    static const struct nsc_field_ask asks[] = {
        [GPU_ID] = {"id", NSC_FIELD_INT},
        [GPU_BUS] = {"busLocation", NSC_FIELD_TEXT},
        [GPU_MEMORY] = {"totalMemory", NSC_FIELD_INT},
        [GPU_SMS] = {"smCount", NSC_FIELD_INT},
        [GPU_BANDWIDTH] = {"memoryBandwidth", NSC_FIELD_INT},
        [GPU_MAJOR] = {"computeMajor", NSC_FIELD_INT},
        [GPU_MINOR] = {"computeMinor", NSC_FIELD_INT},
    };
    struct nsc_fields_query query = {
        .table = "TARGET_INFO_GPU", .asks = asks, .n_asks = sizeof asks / sizeof *asks};
    struct nsc_error error = {0};
    struct nsc_fields *fields = NULL;
    enum nsc_status status = nsc_fields_read_table(&fields, capture, &query, &error);

    if (status != NSC_OK)
        nsc_fail(trouble, status, "%s", error.text);
    return status == NSC_OK ? fields : NULL;
}

struct device {
    uint32_t track, row;
    nsc_time busy;
    uint64_t kernels;
    NSC_VEC(int64_t) streams; /* each number once, ascending */
};

/* Sorts the numbers and keeps one of equal ones. */
static void drop_repeats(struct device *device)
{
    size_t n = 0;

    NSC_VEC_SORT(&device->streams, nsc_time_compare);
    for (size_t i = 0; i < device->streams.n; i++)
        if (i == 0 || device->streams.at[i] != device->streams.at[i - 1])
            device->streams.at[n++] = device->streams.at[i];
    device->streams.n = n;
}

static void measure(struct device *out, const struct nsc_trace *trace,
                    const struct nsc_fields *hardware, uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    const uint8_t *kind = nsc_trace_events(trace)->kind;
    const struct nsc_device_covers *covers = nsc_trace_device_covers(trace, track);

    *out =
        (struct device){.track = track, .row = nsc_fields_row(hardware, GPU_ID, tracks[track].gpu)};
    out->busy =
        covers && covers->busy ? nsc_cover_measure(covers->busy, nsc_trace_extent(trace)) : 0;
    for (uint32_t t = track; t < nsc_group_end(tracks, track); t++)
        if (tracks[t].kind == NSC_TRACK_STREAM)
            *NSC_VEC_ADD(&out->streams) = tracks[t].stream;
    for (struct nsc_lane_walk at = nsc_device_lanes(trace, track); nsc_lane_walk_next(&at);)
        for (nsc_event row = at.rows->first; row < at.rows->first + at.rows->n; row++)
            out->kernels += kind[row] == NSC_KIND_KERNEL;
    drop_repeats(out);
}

/* ---- text ---- */

static void print_hardware(struct nsc_buf *out, const struct nsc_fields *fields, uint32_t row,
                           bool ascii)
{
    struct nsc_text bus = nsc_fields_text(fields, GPU_BUS, row);
    char bytes[NSC_UNITS_BYTES];
    int64_t value = 0;
    int64_t minor = 0;

    if (nsc_fields_int(&value, fields, GPU_SMS, row) && value > 0)
        nsc_buf_printf(out, "; %" PRId64 " SMs", value);
    if (nsc_fields_int(&value, fields, GPU_MEMORY, row) && value > 0)
        nsc_buf_printf(out, ", %s", nsc_units_bytes(bytes, (uint64_t)value));
    if (nsc_fields_int(&value, fields, GPU_BANDWIDTH, row) && value > 0)
        nsc_buf_printf(out, ", %" PRId64 " GB/s", value / 1000000000);
    if (nsc_fields_int(&value, fields, GPU_MAJOR, row) &&
        nsc_fields_int(&minor, fields, GPU_MINOR, row))
        nsc_buf_printf(out, ", compute %" PRId64 ".%" PRId64, value, minor);
    if (bus.n > 0) {
        nsc_buf_puts(out, ", ");
        nsc_text_clip(out, bus, 20, ascii);
    }
}

enum { STREAMS_SHOWN = 8 };

static void print_device(struct nsc_buf *out, const struct nsc_trace *trace,
                         const struct device *device, bool ascii)
{
    const struct nsc_track *track = nsc_trace_track(trace, device->track);
    char busy[NSC_UNITS_BYTES];
    char kernels[NSC_UNITS_BYTES];

    nsc_units_percent(busy, device->busy, nsc_window_length(nsc_trace_extent(trace)));
    nsc_units_count(kernels, device->kernels);
    nsc_buf_puts(out, "  device     ");
    nsc_text_clip(out, nsc_trace_string(trace, track->label), 60, ascii);
    nsc_buf_printf(out, ", busy %s of the time, %s kernels, %zu stream%s", busy, kernels,
                   device->streams.n, device->streams.n == 1 ? "" : "s");
    for (size_t i = 0; i < device->streams.n && i < STREAMS_SHOWN; i++)
        nsc_buf_printf(out, "%s%" PRId64, i ? ", " : " (", device->streams.at[i]);
    if (device->streams.n > 0)
        nsc_buf_puts(out, device->streams.n > STREAMS_SHOWN ? ", ...)" : ")");
}

/* ---- for programs ---- */

static int64_t number_of(const struct nsc_fields *fields, enum gpu_field field, uint32_t row)
{
    int64_t value = 0;

    return nsc_known(row != NSC_NONE && nsc_fields_int(&value, fields, field, row), value);
}

struct device_row {
    uint32_t export;
    struct nsc_track track;
    struct nsc_text label, pci;
    struct device of;
    const char *streams;
    int64_t sms, memory, bandwidth, major, minor;
};

static void add_device(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                       const struct device *device, const struct nsc_fields *hardware)
{
    const struct nsc_track *track = nsc_trace_track(trace, device->track);
    struct nsc_buf streams = NSC_BUF_INIT(SIZE_MAX);
    uint32_t row = device->row;

    for (size_t i = 0; i < device->streams.n; i++)
        nsc_buf_printf(&streams, "%s%" PRId64, i ? " " : "", device->streams.at[i]);
    NSC_ADD_ROW(
        sheet, device_row, .export = track->capture_no, .track = *track,
        .label = nsc_trace_string(trace, track->label),
        .pci = row == NSC_NONE ? (struct nsc_text){"", 0} : nsc_fields_text(hardware, GPU_BUS, row),
        .of = *device, .streams = streams.n ? streams.bytes : "",
        .sms = number_of(hardware, GPU_SMS, row), .memory = number_of(hardware, GPU_MEMORY, row),
        .bandwidth = number_of(hardware, GPU_BANDWIDTH, row),
        .major = number_of(hardware, GPU_MAJOR, row), .minor = number_of(hardware, GPU_MINOR, row));
    nsc_buf_fini(&streams);
}

struct nsc_sheet *nsc_info_devices_sheet(struct nsc_sheets *sheets)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_ID(device_row, export, "export", "Export"),
        NSC_COL_ID(device_row, track.device, "device", "Device"),
        NSC_COL_ID(device_row, track.gpu, "gpu", "GPU"),
        NSC_COL_TEXT(device_row, label, "label", "Label"),
        NSC_COL_NS(device_row, of.busy, "busy_ns", "Busy"),
        NSC_COL_COUNT(device_row, of.kernels, "kernels", "Kernels"),
        NSC_COL_TEXT(device_row, streams, "streams", "Streams"),
        NSC_COL_COUNT(device_row, sms, "sm_count", "SMs"),
        NSC_COL_BYTES(device_row, memory, "memory_bytes", "Memory"),
        NSC_COL_BYTES(device_row, bandwidth, "memory_bytes_per_second", "Bandwidth"),
        NSC_COL_COUNT(device_row, major, "compute_major", "Compute"),
        NSC_COL_COUNT(device_row, minor, "compute_minor", "Minor"),
        NSC_COL_TEXT(device_row, pci, "pci", "PCI"),
    };

    return NSC_SHEETS_ADD(sheets, "devices", "Devices", columns);
}

/* ---- both ---- */

void nsc_info_devices(struct nsc_buf *out, struct nsc_sheet *sheet, const struct nsc_trace *trace,
                      struct nsc_capture *capture, const struct nsc_trace_info *info,
                      struct nsc_error *trouble)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);
    struct nsc_fields *hardware = read_hardware(capture, trouble);
    bool ascii = nsc_output_is_ascii();

    for (uint32_t i = info->first_track; i < info->first_track + info->n_tracks; i++) {
        struct device device;

        if (tracks[i].kind != NSC_TRACK_DEVICE)
            continue;
        measure(&device, trace, hardware, i);
        if (sheet) {
            add_device(sheet, trace, &device, hardware);
        } else {
            print_device(out, trace, &device, ascii);
            if (device.row != NSC_NONE)
                print_hardware(out, hardware, device.row, ascii);
            nsc_buf_putc(out, '\n');
        }
        NSC_VEC_FINI(&device.streams);
    }
    nsc_fields_free(hardware);
}
