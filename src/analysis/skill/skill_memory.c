/*
 * Skills about copies: how fast each direction is, and when data goes to the device.
 */
#include "analysis/base/device_ops.h"
#include "analysis/base/field_sets.h"
#include "analysis/device/work_times.h"
#include "analysis/skill/skills.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

#define FIRST_COPY NSC_OP_KIND_HTOD
enum { N_COPIES = NSC_OP_KIND_MEMSET - NSC_OP_KIND_HTOD };

/* ---- memory_bandwidth ---- */

const struct nsc_sheet_column nsc_skill_memory_bandwidth_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"direction", "Copies", NULL, NSC_SHEET_TEXT, 0},
    {"count", "Count", NULL, NSC_SHEET_COUNT, 0},
    {"bytes", "Bytes", NULL, NSC_SHEET_BYTES, 0},
    {"avg_bytes", "Mean", NULL, NSC_SHEET_BYTES, 0},
    {"total_ns", "Time", NULL, NSC_SHEET_NS, 0},
    {"avg_gbps", "GB/s", NULL, NSC_SHEET_NUMBER, 2},
    {"peak_gbps", "Best GB/s", NULL, NSC_SHEET_NUMBER, 2},
    {"peak_bytes", "Of bytes", NULL, NSC_SHEET_BYTES, 0},
    {"peak_at_ns", "At", NULL, NSC_SHEET_INSTANT, 0},
    {NULL, NULL, NULL, 0, 0},
};

struct direction {
    uint64_t count, sized;
    int64_t bytes;
    nsc_time total; /* of the sized ones */
    nsc_time all;
    double peak; /* bytes a ns */
    int64_t peak_bytes;
    nsc_event peak_event;
};

static void add_copy(struct direction *to, const struct nsc_trace *trace,
                     const struct nsc_fields *fields, nsc_event copy)
{
    nsc_time duration = nsc_event_duration(nsc_trace_events(trace), copy);
    int64_t bytes = 0;

    to->count++;
    to->all = nsc_sum(to->all, duration);
    if (!fields || !nsc_fields_int(&bytes, fields, NSC_COPY_BYTES, nsc_fields_find(fields, copy)) ||
        bytes < 0)
        return;
    to->sized++;
    to->bytes = nsc_sum(to->bytes, bytes);
    to->total = nsc_sum(to->total, duration);
    if (duration > 0 && (double)bytes / (double)duration > to->peak) {
        to->peak = (double)bytes / (double)duration;
        to->peak_bytes = bytes;
        to->peak_event = copy;
    }
}

static void gather_copies(struct direction directions[N_COPIES],
                          const struct nsc_question *question, uint32_t device)
{
    const struct nsc_fields *fields = nsc_field_set(question->fields, NSC_FIELDS_COPIES);
    struct nsc_device_ops work;
    struct nsc_device_op op;
    enum nsc_op_kind class = NSC_OP_KIND_COMPUTE;

    nsc_device_ops_init(&work, question->scope, device);
    while (nsc_device_ops_next(&work, &op))
        if (nsc_op_kind_of(question->scope->trace, op.event, &class) && class >= FIRST_COPY &&
            class < NSC_OP_KIND_MEMSET)
            add_copy(&directions[class - FIRST_COPY], question->scope->trace, fields, op.event);
    nsc_device_ops_fini(&work);
}

static void add_direction(struct nsc_sheet *sheet, const struct nsc_trace *trace, uint32_t device,
                          unsigned i, const struct direction *of)
{
    nsc_device_cell(sheet, trace, device);
    nsc_sheet_add_puts(sheet, nsc_op_kind_word((enum nsc_op_kind)(FIRST_COPY + i)));
    nsc_sheet_add_int(sheet, (int64_t)of->count);
    if (of->sized == 0) {
        nsc_sheet_add_unknown(sheet);
        nsc_sheet_add_unknown(sheet);
        nsc_sheet_add_int(sheet, of->all);
        for (int k = 0; k < 4; k++)
            nsc_sheet_add_unknown(sheet);
        return;
    }
    nsc_sheet_add_int(sheet, of->bytes);
    nsc_sheet_add_int(sheet, of->bytes / (int64_t)of->sized);
    nsc_sheet_add_int(sheet, of->all);
    nsc_sheet_add_number(sheet, (double)of->bytes / (double)of->total);
    if (of->peak > 0) {
        nsc_sheet_add_number(sheet, of->peak);
        nsc_sheet_add_int(sheet, of->peak_bytes);
        nsc_sheet_add_int(sheet, nsc_trace_events(trace)->start[of->peak_event]);
    } else {
        for (int k = 0; k < 3; k++)
            nsc_sheet_add_unknown(sheet);
    }
}

void nsc_skill_memory_bandwidth(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_trace *trace = question->scope->trace;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "memory_bandwidth", nsc_skill_memory_bandwidth_columns);
    bool has_bytes =
        nsc_fields_has(nsc_field_set(question->fields, NSC_FIELDS_COPIES), NSC_COPY_BYTES);

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(trace, d)) != NSC_NONE;) {
        struct direction directions[N_COPIES] = {{0}};

        gather_copies(directions, question, d);
        for (unsigned i = 0; i < N_COPIES; i++)
            if (directions[i].count > 0)
                add_direction(sheet, trace, d, i, &directions[i]);
    }
    nsc_sheet_note(sheet,
                   nsc_sheet_rows(sheet)
                       ? "GB/s is 10^9 bytes a second of summed copy time; the best is that "
                         "of one copy. A copy on the device reads and writes: its traffic is "
                         "twice that."
                       : "There are no copies in the window.");
    if (nsc_sheet_rows(sheet) > 0 && !has_bytes)
        nsc_sheet_note(sheet, "Bytes are not known: the export has no such column.");
}

/* ---- h2d_distribution ---- */

const struct nsc_sheet_column nsc_skill_h2d_distribution_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"second", "Second", NULL, NSC_SHEET_COUNT, 0},
    {"count", "Copies", NULL, NSC_SHEET_COUNT, 0},
    {"bytes", "Bytes", NULL, NSC_SHEET_BYTES, 0},
    {"share", "Share", "bytes to the GPU in the window", NSC_SHEET_PERCENT, 0},
    {"total_ns", "Time", NULL, NSC_SHEET_NS, 0},
    {"avg_gbps", "GB/s", NULL, NSC_SHEET_NUMBER, 2},
    {NULL, NULL, NULL, 0, 0},
};

#define SECOND       1000000000
#define MOST_SECONDS 100000u

/* Copies to the device by the second in which they start, counted from the window's start. */
static struct direction *gather_seconds(const struct nsc_question *question, uint32_t device,
                                        uint32_t n)
{
    const struct nsc_scope *scope = question->scope;
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const struct nsc_fields *fields = nsc_field_set(question->fields, NSC_FIELDS_COPIES);
    struct direction *seconds = nsc_xcalloc((size_t)n + 1, sizeof *seconds);
    struct nsc_device_ops work;
    struct nsc_device_op op;

    nsc_device_ops_init(&work, scope, device);
    while (nsc_device_ops_next(&work, &op)) {
        uint64_t second = (uint64_t)nsc_span(scope->window.t0, op.start) / SECOND;

        if (events->kind[op.event] == NSC_KIND_COPY_HTOD)
            add_copy(&seconds[second < n ? second : n - 1], scope->trace, fields, op.event);
    }
    nsc_device_ops_fini(&work);
    return seconds;
}

static void add_seconds(struct nsc_sheet *sheet, const struct nsc_question *question,
                        uint32_t device, const struct direction seconds[], uint32_t n)
{
    int64_t all = 0;
    int64_t early = 0;

    for (uint32_t i = 0; i < n; i++) {
        all = nsc_sum(all, seconds[i].bytes);
        early = i < 2 ? nsc_sum(early, seconds[i].bytes) : early;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (seconds[i].count == 0)
            continue;
        nsc_device_cell(sheet, question->scope->trace, device);
        nsc_sheet_add_int(sheet, i);
        nsc_sheet_add_int(sheet, (int64_t)seconds[i].count);
        if (seconds[i].sized)
            nsc_sheet_add_int(sheet, seconds[i].bytes);
        else
            nsc_sheet_add_unknown(sheet);
        nsc_sheet_add_share(sheet, seconds[i].bytes, all);
        nsc_sheet_add_int(sheet, seconds[i].all);
        nsc_sheet_add_number(sheet, (double)seconds[i].bytes / (double)seconds[i].total);
    }
    if (all > 0)
        nsc_sheet_note(sheet,
                       "GPU %lld: %.1f %% of the bytes go in the first two seconds of the "
                       "window.",
                       (long long)nsc_trace_track(question->scope->trace, device)->device,
                       nsc_percent(early, all));
}

void nsc_skill_h2d_distribution(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "h2d_distribution", nsc_skill_h2d_distribution_columns);
    uint64_t length = (uint64_t)nsc_window_length(scope->window) / SECOND + 1;
    uint32_t n = length < MOST_SECONDS ? (uint32_t)length : MOST_SECONDS;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct direction *seconds = gather_seconds(question, d, n);

        add_seconds(sheet, question, d, seconds, n);
        free(seconds);
    }
    nsc_sheet_note(sheet,
                   nsc_sheet_rows(sheet)
                       ? "Seconds are counted from the window's start; a copy belongs to the "
                         "one in which it begins."
                       : "There are no copies from host to device in the window.");
}
