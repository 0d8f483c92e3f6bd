/*
 * Adds sheets of idle time: devices, causes, the longest gaps, and the ranges in which the CPU was
 * late.
 */
#include "analysis/device/idle.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/threads.h"
#include "core/units.h"
#include "core/vec.h"

#include <stdio.h>

#define ROWS_SHOWN  20u
#define CALLS_SHOWN 3u

enum { DEVICES, CAUSES, PLACES, GAPS, RANGES }; /* sheets, in order */

struct idle_row {
    int64_t gpu;
    nsc_time window, longest, late;
    struct nsc_idle of;
};

const struct nsc_sheet_column nsc_skill_idle_columns[] = {
    NSC_COL_ID(idle_row, gpu, "gpu", "GPU"),
    NSC_COL_NS(idle_row, window, "window_ns", "Window"),
    NSC_COL_NS(idle_row, of.busy, "busy_ns", "Busy"),
    NSC_COL_NS(idle_row, of.idle, "idle_ns", "Idle"),
    NSC_COL_SHARE(idle_row, of.idle, window, "idle_share", "Idle share", "window"),
    NSC_COL_NS(idle_row, late, "late_ns", "CPU late"),
    NSC_COL_SHARE(idle_row, of.after_drain, late, "after_drain_share", "after drain",
                  "CPU-late idle"),
    NSC_COL_COUNT(idle_row, of.n_gaps, "gaps", "Gaps"),
    NSC_COL_NS(idle_row, longest, "longest_ns", "Longest"),
    NSC_COL_COUNT(idle_row, of.sizes[0], "gaps_below_10us", "< 10 µs"),
    NSC_COL_COUNT(idle_row, of.sizes[1], "gaps_below_100us", "< 100 µs"),
    NSC_COL_COUNT(idle_row, of.sizes[2], "gaps_below_1ms", "< 1 ms"),
    NSC_COL_COUNT(idle_row, of.sizes[3], "gaps_from_1ms", ">= 1 ms"),
    {0},
};

struct cause_row {
    int64_t gpu;
    const char *side, *cause;
    nsc_time idle, all_idle, window;
    struct nsc_kept_text calls, range;
};

const struct nsc_sheet_column nsc_cause_columns[] = {
    NSC_COL_ID(cause_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(cause_row, side, "side", "Who"),
    NSC_COL_TEXT(cause_row, cause, "cause", "Cause"),
    NSC_COL_NS(cause_row, idle, "idle_ns", "Idle"),
    NSC_COL_SHARE(cause_row, idle, all_idle, "idle_share", "of idle", "idle"),
    NSC_COL_SHARE(cause_row, idle, window, "window_share", "of window", "window"),
    NSC_COL_TEXT(cause_row, calls, "calls", "Most in the calls"),
    NSC_COL_TEXT(cause_row, range, "range", "Most in the range"),
    {0},
};

struct place_row {
    int64_t gpu;
    struct nsc_idle_cause of;
    nsc_time all_idle;
    const char *side, *cause;
    struct nsc_kept_text call, inside, range, function, thread, sleep;
};

static const struct nsc_sheet_column place_columns[] = {
    NSC_COL_ID(place_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(place_row, side, "side", "Who"),
    NSC_COL_TEXT(place_row, cause, "cause", "Cause"),
    NSC_COL_NS(place_row, of.ns, "idle_ns", "Idle"),
    NSC_COL_SHARE(place_row, of.ns, all_idle, "idle_share", "of idle", "idle"),
    NSC_COL_COUNT(place_row, of.gaps, "gaps", "Gaps"),
    NSC_COL_SHARE(place_row, of.in_function, of.samples, "of_samples", "Most in one",
                  "CPU samples of the thread in its CPU work then"),
    NSC_COL_COUNT(place_row, of.samples, "samples", "Samples"),
    NSC_COL_TEXT(place_row, call, "call", "Call"),
    NSC_COL_TEXT(place_row, inside, "inside", "Inside it"),
    NSC_COL_TEXT(place_row, range, "range", "NVTX range"),
    NSC_COL_TEXT(place_row, function, "function", "Most samples in"),
    NSC_COL_TEXT(place_row, thread, "thread", "Thread"),
    NSC_COL_TEXT(place_row, sleep, "waits_in", "Launching thread waits in"),
    {0},
};

struct gap_row {
    int64_t gpu;
    struct nsc_gap of;
    nsc_time length, late, queued;
    const char *cause;
    struct nsc_kept_text next, call, range;
};

static const struct nsc_sheet_column gap_columns[] = {
    NSC_COL_ID(gap_row, gpu, "gpu", "GPU"),
    NSC_COL_INSTANT(gap_row, of.start, "start_ns", "From"),
    NSC_COL_NS(gap_row, length, "gap_ns", "Length"),
    NSC_COL_NS(gap_row, late, "late_ns", "CPU late"),
    NSC_COL_NS(gap_row, queued, "queued_ns", "Queued"),
    NSC_COL_NS(gap_row, of.part[NSC_GAP_UNKNOWN], "unknown_ns", "Unknown"),
    NSC_COL_TEXT(gap_row, next, "next", "Next op"),
    NSC_COL_TEXT(gap_row, cause, "cause", "Cause of most of it"),
    NSC_COL_TEXT(gap_row, call, "call", "Call"),
    NSC_COL_TEXT(gap_row, range, "range", "NVTX range"),
    {0},
};

struct late_range_row {
    int64_t gpu;
    struct nsc_idle_range of;
    nsc_time all_late;
    struct nsc_kept_text range;
};

static const struct nsc_sheet_column range_columns[] = {
    NSC_COL_ID(late_range_row, gpu, "gpu", "GPU"),
    NSC_COL_NS(late_range_row, of.late, "late_ns", "CPU-late idle"),
    NSC_COL_SHARE(late_range_row, of.late, all_late, "late_share", "Share", "CPU-late idle"),
    NSC_COL_COUNT(late_range_row, of.gaps, "gaps", "Gaps"),
    NSC_COL_TEXT(late_range_row, range, "range", "NVTX range"),
    {0},
};

/* Calls and ranges of a part, for its row. */
struct part_names {
    char calls[NSC_NAME_BYTES];
    nsc_event range;
    bool is_mixed; /* range stands for several names */
};

/* Writes "cudaMalloc 1.20 s". Returns the number of bytes. */
static size_t write_call(char *out, size_t n_bytes, const struct nsc_trace *trace,
                         const char *before, nsc_event call, nsc_time ns)
{
    char scratch[NSC_NAME_BYTES];
    char time[NSC_UNITS_BYTES];
    struct nsc_text name = nsc_trace_event_text(trace, call, true, scratch);

    nsc_units_duration(time, ns, false);
    return (size_t)snprintf(out, n_bytes, "%s%.*s %s", before, (int)(name.n > 120 ? 120 : name.n),
                            name.bytes, time);
}

struct part_call {
    nsc_event call, inside;
    nsc_time ns, inside_ns;
};

/* Appends "pthread_cond_wait 1.20 s" for each call, the longest first. */
static void write_calls(struct part_names *out, const struct nsc_trace *trace,
                        struct part_call calls[], uint32_t n, uint8_t part)
{
    size_t at = 0;

    for (uint32_t shown = 0; shown < CALLS_SHOWN && shown < n; shown++) {
        uint32_t most = 0;

        for (uint32_t k = 1; k < n; k++)
            most = calls[k].ns > calls[most].ns ? k : most;
        at += write_call(out->calls + at, sizeof out->calls - at, trace, shown ? ", " : "",
                         calls[most].call, calls[most].ns);
        if (calls[most].inside_ns > 0 &&
            (part != NSC_GAP_DRAINED || calls[most].inside_ns >= calls[most].ns / 2))
            at += write_call(out->calls + at, sizeof out->calls - at, trace,
                             part == NSC_GAP_DRAINED ? " after it: " : " inside: ",
                             calls[most].inside, calls[most].inside_ns);
        calls[most].ns = -1;
    }
}

/* Names the calls of a part. Sums a call over ranges and threads. */
static void name_part(struct part_names *out, const struct nsc_trace *trace,
                      const struct nsc_idle *idle, uint8_t part)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct part_call calls[CALLS_SHOWN * 4] = {{0}};
    uint32_t n = 0;

    *out = (struct part_names){.range = NSC_NONE};
    for (uint32_t i = 0; i < idle->n_causes; i++) {
        const struct nsc_idle_cause *cause = &idle->causes[i];
        uint32_t k = 0;

        if (cause->part != part)
            continue;
        if (out->range == NSC_NONE) {
            out->range = cause->range;
            out->is_mixed = cause->is_mixed;
        }
        if (cause->call == NSC_NONE)
            continue;
        while (k < n && events->name[calls[k].call] != events->name[cause->call])
            k++;
        if (k == n && n == CALLS_SHOWN * 4)
            continue;
        n += k == n;
        calls[k].call = cause->call;
        calls[k].ns = nsc_sum(calls[k].ns, cause->ns);
        if (cause->inside_ns > calls[k].inside_ns) {
            calls[k].inside = cause->inside;
            calls[k].inside_ns = cause->inside_ns;
        }
    }
    write_calls(out, trace, calls, n, part);
}

static void add_causes(struct nsc_sheet *sheet, const struct nsc_trace *trace, int64_t gpu,
                       const struct nsc_idle *idle)
{
    for (int i = 0; i < NSC_N_GAP_PARTS; i++) {
        struct part_names names;

        if (idle->part[i] == 0)
            continue;
        name_part(&names, trace, idle, (uint8_t)i);
        NSC_ADD_ROW(sheet, cause_row, .gpu = gpu, .side = nsc_gap_side_word((enum nsc_gap_part)i),
                    .cause = nsc_gap_part_word((enum nsc_gap_part)i), .idle = idle->part[i],
                    .all_idle = idle->idle, .window = nsc_window_length(idle->window),
                    .calls = nsc_sheet_keep(sheet, nsc_text_from(names.calls)),
                    .range = nsc_label_range(sheet, trace, names.range, names.is_mixed));
    }
}

static struct nsc_kept_text keep_call(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                                      nsc_event call)
{
    return call == NSC_NONE ? (struct nsc_kept_text){0} : nsc_label_event(sheet, trace, call);
}

/* The word for a cause; a server that waits for requests waits for no thread. */
static const char *word_of(const struct nsc_trace *trace, const struct nsc_idle *idle,
                           const struct nsc_idle_cause *cause)
{
    bool may_be = cause->part == NSC_GAP_EVENTS || cause->part == NSC_GAP_LOCK;

    return may_be && nsc_awaits_requests(trace, cause->call, idle->purpose)
               ? "wait for requests"
               : nsc_gap_part_word((enum nsc_gap_part)cause->part);
}

static void add_places(struct nsc_sheet *sheet, const struct nsc_trace *trace, int64_t gpu,
                       const struct nsc_idle *idle)
{
    for (uint32_t i = 0; i < idle->n_causes && i < ROWS_SHOWN; i++) {
        const struct nsc_idle_cause *cause = &idle->causes[i];
        struct nsc_kept_text thread = {0};

        if (cause->thread != NSC_NONE)
            thread = nsc_sheet_keep(
                sheet, nsc_trace_string(trace, nsc_trace_track(trace, cause->thread)->label));
        NSC_ADD_ROW(sheet, place_row, .gpu = gpu, .of = *cause, .all_idle = idle->idle,
                    .side = nsc_gap_side_word((enum nsc_gap_part)cause->part),
                    .cause = word_of(trace, idle, cause),
                    .call = keep_call(sheet, trace, cause->call),
                    .inside = keep_call(sheet, trace, cause->inside),
                    .range = nsc_label_range(sheet, trace, cause->range, cause->is_mixed),
                    .function = cause->in_function ? nsc_label_event(sheet, trace, cause->function)
                                                   : (struct nsc_kept_text){0},
                    .thread = thread, .sleep = keep_call(sheet, trace, cause->sleep));
    }
    sheet->n_left_out += idle->n_causes > ROWS_SHOWN ? idle->n_causes - ROWS_SHOWN : 0;
}

static void add_gaps(struct nsc_sheet *sheet, const struct nsc_trace *trace, int64_t gpu,
                     const struct nsc_idle *idle)
{
    for (uint32_t i = 0; i < idle->n_longest; i++) {
        const struct nsc_gap *gap = &idle->longest[i].of;

        NSC_ADD_ROW(sheet, gap_row, .gpu = gpu, .of = *gap,
                    .length = nsc_span(gap->start, gap->end), .late = nsc_gap_late(gap),
                    .queued = nsc_gap_queued(gap),
                    .cause = word_of(trace, idle, &idle->longest[i].cause),
                    .next = nsc_label_event(sheet, trace, gap->next),
                    .call = keep_call(sheet, trace, idle->longest[i].cause.call),
                    .range = nsc_label_event(sheet, trace, idle->longest[i].cause.range));
    }
    sheet->n_left_out += idle->n_gaps - idle->n_longest;
}

static void add_ranges(struct nsc_sheet *sheet, const struct nsc_trace *trace, int64_t gpu,
                       const struct nsc_idle *idle)
{
    for (uint32_t i = 0; i < idle->n_ranges && i < ROWS_SHOWN; i++)
        NSC_ADD_ROW(
            sheet, late_range_row, .gpu = gpu, .of = idle->ranges[i],
            .all_late = nsc_idle_late(idle),
            .range = nsc_label_range(sheet, trace, idle->ranges[i].like, idle->ranges[i].is_mixed));
    sheet->n_left_out += idle->n_ranges > ROWS_SHOWN ? idle->n_ranges - ROWS_SHOWN : 0;
}

static void add_notes(struct nsc_sheet sheets[])
{
    nsc_sheet_note(
        &sheets[DEVICES],
        "Idle: the window minus the union of all kernels, graphs, copies and memsets. Unless you "
        "choose a window, it lasts from the first op of the GPU to its last.");
    nsc_sheet_note_empty(&sheets[DEVICES], "No GPU has work in the window.");
    nsc_sheet_note(
        &sheets[CAUSES],
        "Each gap is attributed to the first op after it. The CPU was late until the op's launch "
        "call returned; from then on the op was queued, unless it started at once. Time in which "
        "the CPU was late is attributed to what the launching thread did, or the thread it waited "
        "for. CPU work: it called neither CUDA nor the OS, as far as the export records these "
        "calls. "
        "Off the CPU: its thread is on no CPU meanwhile. Unknown: the launch call is not recorded, "
        "or no op follows.");
    nsc_sheet_note(
        &sheets[PLACES],
        "Call: after a wait that drained the queue, that wait; inside it: then the call after it. "
        "Most samples in: the function with the most CPU samples of the thread while it did CPU "
        "work in these gaps; not named with fewer than %d samples, or if two functions tie.",
        NSC_LIMIT_FEW);
    nsc_sheet_note(
        &sheets[RANGES],
        "Time is attributed to the innermost push/pop range around it; # stands for a number.");
}

struct device_idle {
    uint32_t device;
    bool is_known;
    struct nsc_idle of;
};

struct asking {
    const struct nsc_scope *scope;
    NSC_VEC(struct device_idle) devices;
};

static void ask_device(void *context, unsigned worker, uint32_t i)
{
    struct asking *asking = context;
    struct device_idle *to = &asking->devices.at[i];

    (void)worker;
    to->is_known = nsc_idle_build(&to->of, asking->scope, to->device);
}

/* Measures all devices in parallel. */
static void ask_devices(struct asking *asking)
{
    const struct nsc_trace *trace = asking->scope->trace;
    struct nsc_pool *pool;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(trace, d)) != NSC_NONE;)
        *NSC_VEC_ADD(&asking->devices) = (struct device_idle){.device = d};
    pool = nsc_pool_new(asking->devices.n > 1 ? 0 : 1);
    nsc_pool_run(pool, (uint32_t)asking->devices.n, ask_device, asking);
    nsc_pool_free(pool);
}

static void add_device(struct nsc_sheet sheets[], const struct nsc_trace *trace,
                       const struct device_idle *device)
{
    const struct nsc_idle *idle = &device->of;
    int64_t gpu = nsc_trace_track(trace, device->device)->gpu;

    NSC_ADD_ROW(&sheets[DEVICES], idle_row, .gpu = gpu, .window = nsc_window_length(idle->window),
                .late = nsc_idle_late(idle), .of = *idle,
                .longest = idle->n_longest > 0
                               ? nsc_span(idle->longest[0].of.start, idle->longest[0].of.end)
                               : 0);
    add_causes(&sheets[CAUSES], trace, gpu, idle);
    add_places(&sheets[PLACES], trace, gpu, idle);
    add_gaps(&sheets[GAPS], trace, gpu, idle);
    add_ranges(&sheets[RANGES], trace, gpu, idle);
}

void nsc_skill_idle(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct asking asking = {.scope = question->scope};
    size_t first = out->list.n;
    struct nsc_sheet *sheets;

    (void)NSC_SKILL_SHEET(out, question, idle);
    (void)nsc_question_more(out, question, "idle_causes", "What the gaps wait for",
                            nsc_cause_columns);
    (void)nsc_question_more(out, question, "idle_places", "Calls and ranges in which it passes",
                            place_columns);
    (void)nsc_question_more(out, question, "gaps", "The longest gaps", gap_columns);
    (void)nsc_question_more(out, question, "idle_ranges", "Ranges in which the CPU was late",
                            range_columns);
    sheets = &out->list.at[first];
    ask_devices(&asking);
    for (size_t i = 0; i < asking.devices.n; i++) {
        if (!asking.devices.at[i].is_known)
            continue;
        add_device(sheets, asking.scope->trace, &asking.devices.at[i]);
        nsc_idle_fini(&asking.devices.at[i].of);
    }
    NSC_VEC_FINI(&asking.devices);
    add_notes(sheets);
}
