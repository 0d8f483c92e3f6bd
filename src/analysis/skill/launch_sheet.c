/*
 * Launching as sheets: launch and queue times, the depth of each stream's queue, the verdict on
 * what bounds a GPU, and why it does not compute.
 */
#include "analysis/device/bound.h"
#include "analysis/device/queue_depth.h"
#include "analysis/device/stream_waits.h"
#include "analysis/skill/skills.h"

#include <stdlib.h>

static void add_track(struct nsc_sheet *sheet, const struct nsc_trace *trace, uint32_t track)
{
    const struct nsc_track *tracks = nsc_trace_tracks(trace, NULL);

    nsc_sheet_add_text(sheet, nsc_trace_string(trace, tracks[track].label));
}

static void note_no_work(struct nsc_sheet *sheet)
{
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "No GPU has work in the window.");
}

/* ---- launch: times and queues ---- */

const struct nsc_sheet_column nsc_skill_launch_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"kernels", "Kernels", NULL, NSC_SHEET_COUNT, 0},
    {"known", "With call", NULL, NSC_SHEET_COUNT, 0},
    {"api_sum_ns", "API, summed", NULL, NSC_SHEET_NS, 0},
    {"api_median_ns", "API, median", NULL, NSC_SHEET_NS, 0},
    {"queued", "Queued", NULL, NSC_SHEET_COUNT, 0},
    {"queue_median_ns", "Queue, median", NULL, NSC_SHEET_NS, 0},
    {"queue_p95_ns", "Queue, p95", NULL, NSC_SHEET_NS, 0},
    {"delay_median_ns", "Delay, median", NULL, NSC_SHEET_NS, 0},
    {"total_median_ns", "Total, median", NULL, NSC_SHEET_NS, 0},
    {"starved_share", "Starved", "kernels with a known call", NSC_SHEET_PERCENT, 0},
    {"short_share", "Short", "kernels with a known call", NSC_SHEET_PERCENT, 0},
    {"kernel_median_ns", "Kernel, median", NULL, NSC_SHEET_NS, 0},
    {"below_10us_share", "< 10 us", "kernels", NSC_SHEET_PERCENT, 0},
    {"graph_kernels", "In graphs", NULL, NSC_SHEET_COUNT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static const struct nsc_sheet_column depth_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"stream", "Stream", NULL, NSC_SHEET_TEXT, 0},
    {"ops", "Ops", NULL, NSC_SHEET_COUNT, 0},
    {"unknown", "No call", NULL, NSC_SHEET_COUNT, 0},
    {"deepest", "Deepest", NULL, NSC_SHEET_COUNT, 0},
    {"mean", "Mean depth", NULL, NSC_SHEET_NUMBER, 2},
    {"empty_share", "Empty", "window", NSC_SHEET_PERCENT, 0},
    {"full_ns", "1024 or more", NULL, NSC_SHEET_NS, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_time(struct nsc_sheet *sheet, uint64_t n, nsc_time value)
{
    if (n > 0)
        nsc_sheet_add_int(sheet, value);
    else
        nsc_sheet_add_unknown(sheet);
}

static void add_launch(struct nsc_sheet *sheet, const struct nsc_launch_times *of)
{
    nsc_sheet_add_int(sheet, (int64_t)of->n);
    nsc_sheet_add_int(sheet, (int64_t)of->known);
    nsc_sheet_add_int(sheet, of->api.sum);
    add_time(sheet, of->api.n, of->api.median);
    nsc_sheet_add_int(sheet, (int64_t)of->queue.n);
    add_time(sheet, of->queue.n, of->queue.median);
    add_time(sheet, of->queue.n, of->queue.p95);
    add_time(sheet, of->known, of->delay_median);
    add_time(sheet, of->known, of->total.median);
    nsc_sheet_add_share(sheet, (nsc_time)of->starved, (nsc_time)of->known);
    nsc_sheet_add_share(sheet, (nsc_time)of->is_short, (nsc_time)of->known);
    nsc_sheet_add_int(sheet, of->duration.median);
    nsc_sheet_add_share(sheet, (nsc_time)of->below_10us, (nsc_time)of->n);
    nsc_sheet_add_int(sheet, (int64_t)of->replayed);
}

static void add_depths(struct nsc_sheet *sheet, const struct nsc_scope *scope, uint32_t device)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_window w;

    if (!nsc_device_window(&w, scope, device))
        return;
    for (uint32_t t = device; t < tracks[device].skip; t++) {
        struct nsc_queue_depth depth;

        if (tracks[t].kind != NSC_TRACK_STREAM)
            continue;
        nsc_queue_depth_build(&depth, scope, t, w);
        if (depth.n + depth.unknown == 0)
            continue;
        nsc_device_cell(sheet, scope->trace, device);
        add_track(sheet, scope->trace, t);
        nsc_sheet_add_int(sheet, (int64_t)depth.n);
        nsc_sheet_add_int(sheet, (int64_t)depth.unknown);
        nsc_sheet_add_int(sheet, (int64_t)depth.deepest);
        nsc_sheet_add_number(sheet, depth.mean);
        nsc_sheet_add_share(sheet, depth.empty, nsc_window_length(w));
        nsc_sheet_add_int(sheet, depth.full);
    }
}

void nsc_skill_launch(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t first = out->list.n;
    struct nsc_sheet *sheets;

    (void)nsc_question_sheet(out, question, "launch", nsc_skill_launch_columns);
    (void)nsc_question_more(out, question, "queue_depth", "Launched and not finished, by stream",
                            depth_columns);
    sheets = &out->list.at[first];
    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_launch_times of;

        if (!nsc_launch_times_build(&of, scope, d) || of.n == 0)
            continue;
        nsc_device_cell(&sheets[0], scope->trace, d);
        add_launch(&sheets[0], &of);
        add_depths(&sheets[1], scope, d);
    }
    nsc_sheet_note(&sheets[0],
                   "Queue: from the end of the launching call to the start of the "
                   "kernel, where that is not negative. Delay: the same of either sign. "
                   "Total: from the start of the call to the end of the later of both.");
    nsc_sheet_note(&sheets[0],
                   "Starved: the kernel began less than 10 us after its call ended. "
                   "Short: it lasts less than its call. Kernels of one CUDA graph share "
                   "a call.");
    nsc_sheet_note(&sheets[1],
                   "A queue of 1024 makes the launching thread wait; one that is always "
                   "empty may mean a GPU that starves.");
    if (nsc_sheet_rows(&sheets[0]) == 0)
        nsc_sheet_note(&sheets[0], "There are no kernels in the window.");
}

/* ---- bound ---- */

const struct nsc_sheet_column nsc_skill_bound_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"verdict", "Verdict", NULL, NSC_SHEET_TEXT, 0},
    {"compute_share", "Compute", "window", NSC_SHEET_PERCENT, 0},
    {"starved_share", "Starved, of window", "window", NSC_SHEET_PERCENT, 0},
    {"starved_of_absent", "of no compute", "time without compute", NSC_SHEET_PERCENT, 0},
    {"no_queue_share", "No queue time", "kernels with a known call", NSC_SHEET_PERCENT, 0},
    {"queue_median_ns", "Queue, median", NULL, NSC_SHEET_NS, 0},
    {NULL, NULL, NULL, 0, 0},
};

static const struct nsc_sheet_column absent_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"cause", "Cause", NULL, NSC_SHEET_TEXT, 0},
    {"absent_ns", "No compute", NULL, NSC_SHEET_NS, 0},
    {"absent_share", "Of no compute", "time without compute", NSC_SHEET_PERCENT, 0},
    {"window_share", "Of window", "window", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_bound(struct nsc_sheet *sheet, const struct nsc_absent *absent,
                      const struct nsc_launch_times *times)
{
    nsc_time whole = nsc_window_length(absent->window);

    nsc_sheet_add_puts(sheet, nsc_bound_word(nsc_bound_of(absent)));
    nsc_sheet_add_share(sheet, absent->compute, whole);
    nsc_sheet_add_share(sheet, absent->part[NSC_ABSENT_STARVED], whole);
    nsc_sheet_add_share(sheet, absent->part[NSC_ABSENT_STARVED], absent->absent);
    nsc_sheet_add_share(sheet, (nsc_time)(times->known - times->queue.n), (nsc_time)times->known);
    add_time(sheet, times->queue.n, times->queue.median);
}

static void add_absent(struct nsc_sheet *sheet, const struct nsc_scope *scope, uint32_t device,
                       const struct nsc_absent *absent)
{
    for (int i = 0; i < NSC_N_ABSENT_PARTS; i++) {
        nsc_device_cell(sheet, scope->trace, device);
        nsc_sheet_add_puts(sheet, nsc_absent_word((enum nsc_absent_part)i));
        nsc_sheet_add_int(sheet, absent->part[i]);
        nsc_sheet_add_share(sheet, absent->part[i], absent->absent);
        nsc_sheet_add_share(sheet, absent->part[i], nsc_window_length(absent->window));
    }
}

void nsc_skill_bound(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t first = out->list.n;
    struct nsc_sheet *sheets;

    (void)nsc_question_sheet(out, question, "bound", nsc_skill_bound_columns);
    (void)nsc_question_more(out, question, "compute_absent", "Why it does not compute",
                            absent_columns);
    sheets = &out->list.at[first];
    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_absent absent;
        struct nsc_launch_times times;

        if (!nsc_absent_build(&absent, scope, d) || !nsc_launch_times_build(&times, scope, d))
            continue;
        nsc_device_cell(&sheets[0], scope->trace, d);
        add_bound(&sheets[0], &absent, &times);
        add_absent(&sheets[1], scope, d, &absent);
    }
    nsc_sheet_note(&sheets[0],
                   "Thresholds of ours: CPU-bound from %d %% of the window "
                   "launch-starved, when that is at least half of the time without "
                   "compute; GPU-bound from %d %% of the window computing; unknown when "
                   "half of the time without compute has no known launch; else mixed.",
                   NSC_BOUND_STARVED_PERCENT, NSC_BOUND_COMPUTE_PERCENT);
    nsc_sheet_note(&sheets[1], "Laid to the next compute kernel: until its call began, it was not "
                               "issued. Dependencies made by CUDA events are not resolved: waiting "
                               "for communication is at least what is shown.");
    note_no_work(&sheets[0]);
}

/* ---- streams ---- */

const struct nsc_sheet_column nsc_skill_stream_waits_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"stream", "Stream", NULL, NSC_SHEET_TEXT, 0},
    {"ops", "Ops", NULL, NSC_SHEET_COUNT, 0},
    {"gaps", "Gaps", NULL, NSC_SHEET_COUNT, 0},
    {"host_wait_ns", "Host wait", NULL, NSC_SHEET_NS, 0},
    {"kernel_wait_ns", "Kernel wait", NULL, NSC_SHEET_NS, 0},
    {"other_ns", "Other", NULL, NSC_SHEET_NS, 0},
    {"unknown_ns", "Unknown", NULL, NSC_SHEET_NS, 0},
    {NULL, NULL, NULL, 0, 0},
};

void nsc_skill_stream_waits(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "stream_waits", nsc_skill_stream_waits_columns);

    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        uint32_t n = 0;
        struct nsc_stream_waits *streams = nsc_stream_waits_build(scope, d, &n);

        for (uint32_t i = 0; i < n; i++) {
            nsc_device_cell(sheet, scope->trace, d);
            add_track(sheet, scope->trace, streams[i].stream);
            nsc_sheet_add_int(sheet, streams[i].ops);
            nsc_sheet_add_int(sheet, streams[i].gaps);
            for (int k = 0; k < NSC_N_STREAM_WAITS; k++)
                nsc_sheet_add_int(sheet, streams[i].wait[k]);
        }
        free(streams);
    }
    nsc_sheet_note(sheet,
                   "As HTA counts: host wait when the next op was launched after the gap "
                   "began, kernel wait for gaps below %d ns, else other. Gaps of streams are "
                   "not idle time of the GPU: another stream may run.",
                   NSC_STREAM_WAIT_NS);
    note_no_work(sheet);
}
