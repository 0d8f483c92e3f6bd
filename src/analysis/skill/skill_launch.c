/* Skills about launches: their cost by GPU, stream, kernel and thread. */
#include "analysis/device/launch_times.h"
#include "analysis/device/stream_use.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdlib.h>

/* ---- launch: times and queues ---- */

struct launch_row {
    int64_t gpu;
    struct nsc_launch_times of;
    nsc_time api_median, queue_median, queue_p95, delay_median, total_median; /* NSC_UNKNOWN if not
                                                                               * measured */
};

const struct nsc_sheet_column nsc_skill_launch_columns[] = {
    NSC_COL_ID(launch_row, gpu, "gpu", "GPU"),
    NSC_COL_COUNT(launch_row, of.n, "kernels", "Kernels"),
    NSC_COL_COUNT(launch_row, of.known, "known", "With call"),
    NSC_COL_NS(launch_row, of.api.sum, "api_sum_ns", "API, summed"),
    NSC_COL_NS(launch_row, api_median, "api_median_ns", "API, median"),
    NSC_COL_COUNT(launch_row, of.queue.n, "queued", "Queued"),
    NSC_COL_NS(launch_row, queue_median, "queue_median_ns", "Queue, median"),
    NSC_COL_NS(launch_row, queue_p95, "queue_p95_ns", "Queue, p95"),
    NSC_COL_NS(launch_row, delay_median, "delay_median_ns", "Delay, median"),
    NSC_COL_NS(launch_row, total_median, "total_median_ns", "Total, median"),
    NSC_COL_SHARE(launch_row, of.starved, of.known, "starved_share", "Starved",
                  "kernels with a known call"),
    NSC_COL_SHARE(launch_row, of.is_short, of.known, "short_share", "Short",
                  "kernels with a known call"),
    NSC_COL_NS(launch_row, of.duration.median, "kernel_median_ns", "Kernel, median"),
    NSC_COL_SHARE(launch_row, of.below_10us, of.n, "below_10us_share", "< 10 µs", "kernels"),
    NSC_COL_COUNT(launch_row, of.replayed, "graph_kernels", "In graphs"),
    {0},
};

struct depth_row {
    int64_t gpu;
    struct nsc_text stream;
    struct nsc_queue_depth of;
    nsc_time window;
};

static const struct nsc_sheet_column depth_columns[] = {
    NSC_COL_ID(depth_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(depth_row, stream, "stream", "Stream"),
    NSC_COL_COUNT(depth_row, of.n, "ops", "Ops"),
    NSC_COL_COUNT(depth_row, of.unknown, "unknown", "No call"),
    NSC_COL_COUNT(depth_row, of.deepest, "deepest", "Deepest"),
    NSC_COL_NUMBER(depth_row, of.mean, "mean", "Mean depth", 2),
    NSC_COL_SHARE(depth_row, of.empty, window, "empty_share", "Empty", "window"),
    NSC_COL_NS(depth_row, of.full, "full_ns", "1024 or more"),
    {0},
};

static void add_launch(struct nsc_sheet *sheet, int64_t gpu, const struct nsc_launch_times *of)
{
    NSC_ADD_ROW(sheet, launch_row, .gpu = gpu, .of = *of,
                .api_median = nsc_known(of->api.n > 0, of->api.median),
                .queue_median = nsc_known(of->queue.n > 0, of->queue.median),
                .queue_p95 = nsc_known(of->queue.n > 0, of->queue.p95),
                .delay_median = nsc_known(of->known > 0, of->delay_median),
                .total_median = nsc_known(of->known > 0, of->total.median));
}

static void add_depths(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_queue_depths *depths)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);

    for (uint32_t i = 0; i < depths->n_tracks; i++) {
        const struct nsc_queue_depth *depth = &depths->at[i];

        if (depth->n + depth->unknown > 0)
            NSC_ADD_ROW(sheet, depth_row, .gpu = tracks[depths->device].gpu,
                        .stream = nsc_trace_string(scope->trace, tracks[depths->device + i].label),
                        .of = *depth, .window = nsc_window_length(depths->window));
    }
}

struct launch_pattern_row {
    int64_t gpu, stream;
    uint32_t pid;
    struct nsc_stream_use of;
    nsc_time span, mean_pause, longest_at;
    double rate; /* kernels per ms */
};

static const struct nsc_sheet_column pattern_columns[] = {
    NSC_COL_ID(launch_pattern_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(launch_pattern_row, pid, "pid", "Process"),
    NSC_COL_ID(launch_pattern_row, stream, "stream", "Stream"),
    NSC_COL_COUNT(launch_pattern_row, of.kernels, "kernels", "Kernels"),
    NSC_COL_NS(launch_pattern_row, span, "span_ns", "Span"),
    NSC_COL_NUMBER(launch_pattern_row, rate, "rate_per_ms", "Kernels/ms", 1),
    NSC_COL_SHARE(launch_pattern_row, of.busy, span, "busy_share", "Busy", "the stream's span"),
    NSC_COL_COUNT(launch_pattern_row, of.pauses, "pauses", "Pauses"),
    NSC_COL_NS(launch_pattern_row, mean_pause, "mean_pause_ns", "Mean pause"),
    NSC_COL_NS(launch_pattern_row, of.longest_pause, "longest_pause_ns", "Longest"),
    NSC_COL_INSTANT(launch_pattern_row, longest_at, "longest_pause_at_ns", "At"),
    NSC_COL_COUNT(launch_pattern_row, of.stalls, "stalls", "Stalls"),
    {0},
};

static void add_pattern(struct nsc_sheet *sheet, const struct nsc_scope *scope, uint32_t device,
                        const struct nsc_stream_use *use)
{
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    nsc_time span = nsc_span(use->span.t0, use->span.t1);

    NSC_ADD_ROW(sheet, launch_pattern_row, .gpu = tracks[device].gpu, .pid = tracks[use->track].pid,
                .stream = tracks[use->track].stream, .of = *use, .span = span,
                .rate = (double)use->kernels / ((double)span / 1e6),
                .mean_pause = use->pauses ? use->paused / use->pauses : 0,
                .longest_at = nsc_known(use->pauses > 0, use->longest_pause_at));
}

static void add_patterns(struct nsc_sheet *sheet, const struct nsc_scope *scope, uint32_t device,
                         nsc_time stall)
{
    struct nsc_stream_uses uses;

    nsc_stream_uses_build(&uses, scope, device, stall);
    for (uint32_t i = 0; i < uses.n; i++)
        add_pattern(sheet, scope, device, &uses.at[i]);
    nsc_stream_uses_fini(&uses);
}

/* ---- launches by name and by thread ---- */

struct launches { /* of a name */
    uint32_t device;
    struct nsc_launch_sums of;
};

struct launch_list {
    struct launches *at;
    size_t n, capacity;
};

/* Adds those of a device, by the first name with their brief one. */
static void add_by_brief(struct launch_list *list, const struct nsc_launch_table *by_name,
                         const struct nsc_trace *trace, const nsc_name first[], uint32_t device)
{
    struct nsc_launch_table by_brief;

    nsc_launch_table_init(&by_brief, nsc_trace_names(trace)->n + 1);
    for (size_t i = 0; i < by_name->n; i++)
        nsc_launch_table_add(&by_brief, first[by_name->at[i].key], &by_name->at[i]);
    for (size_t i = 0; i < by_brief.n; i++)
        *NSC_VEC_ADD(list) = (struct launches){device, by_brief.at[i]};
    nsc_launch_table_fini(&by_brief);
}

struct short_kernel_row {
    int64_t gpu;
    struct nsc_launch_sums of;
    nsc_time kernel_mean, api_mean, queue_mean;
    struct nsc_text kernel;
};

static const struct nsc_sheet_column short_columns[] = {
    NSC_COL_ID(short_kernel_row, gpu, "gpu", "GPU"),
    NSC_COL_COUNT(short_kernel_row, of.kernels, "launches", "Kernels"),
    NSC_COL_NS(short_kernel_row, kernel_mean, "kernel_avg_ns", "Mean kernel"),
    NSC_COL_NS(short_kernel_row, api_mean, "api_avg_ns", "Mean call"),
    NSC_COL_NS(short_kernel_row, of.api_max, "api_max_ns", "Longest call"),
    NSC_COL_COUNT(short_kernel_row, of.queued, "queued", "Queued"),
    NSC_COL_NS(short_kernel_row, queue_mean, "queue_avg_ns", "Mean queue"),
    NSC_COL_NS(short_kernel_row, of.queue_max, "queue_max_ns", "Longest queue"),
    NSC_COL_NS(short_kernel_row, of.api, "api_total_ns", "Calls in all"),
    NSC_COL_TEXT(short_kernel_row, kernel, "kernel", "Kernel"),
    {0},
};

NSC_COMPARE(compare_short, struct launches,
            NSC_MOST(of.kernels) || NSC_LEAST(device) || NSC_LEAST(of.key))

static nsc_time mean(nsc_time sum, uint32_t n)
{
    return n > 0 ? sum / n : NSC_UNKNOWN;
}

static void add_short_kernels(struct nsc_sheet *sheet, const struct nsc_question *question,
                              struct launch_list *list)
{
    const struct nsc_trace *trace = question->scope->trace;
    nsc_time below = question->params[NSC_PARAM_BELOW].integer;
    int64_t least = question->params[NSC_PARAM_COUNT].integer;
    size_t n = 0;
    size_t shown;

    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].of.kernels >= least &&
            list->at[i].of.kernel / list->at[i].of.kernels < below)
            list->at[n++] = list->at[i];
    if (n > 1)
        qsort(list->at, n, sizeof *list->at, compare_short);
    shown = nsc_question_limit(question, sheet, n);
    for (size_t i = 0; i < shown; i++) {
        const struct nsc_launch_sums *of = &list->at[i].of;

        NSC_ADD_ROW(sheet, short_kernel_row, .gpu = nsc_trace_track(trace, list->at[i].device)->gpu,
                    .of = *of, .kernel_mean = mean(of->kernel, of->kernels),
                    .api_mean = mean(of->api, of->calls), .queue_mean = mean(of->queue, of->queued),
                    .kernel = nsc_trace_string(trace, nsc_trace_names(trace)->brief[of->key]));
    }
    nsc_sheet_note(
        sheet,
        "Kernels of one name on one GPU with a known call, at least %lld of them, shorter than "
        "%.6g µs on average (-p count= below=). Queueing alone loses no time.",
        (long long)least, (double)below / 1e3);
}

/* ---- launch ---- */

static void note_launches(struct nsc_sheet sheets[], nsc_time stall)
{
    nsc_sheet_note(&sheets[0],
                   "Queue: from the end of the launching call to the start of the kernel, for "
                   "kernels that start after the call. Delay: the same time for all kernels, "
                   "negative where the kernel starts first. Total: from the start of the call to "
                   "the end of the call or of the kernel, whichever is later.");
    nsc_sheet_note(&sheets[0],
                   "Starved: the kernel began less than 10 µs after its call ended. Short: the "
                   "kernel is shorter than its call. All kernels of a CUDA graph launch share one "
                   "call. The number of kernels, their median and those below 10 µs include "
                   "kernels without a known call; the rest does not.");
    nsc_sheet_note(&sheets[1], "At a depth of 1024 the launching thread waits. A queue that is "
                               "always empty may mean that the GPU starves.");
    nsc_sheet_note_empty(&sheets[0], "There are no kernels in the window.");
    nsc_sheet_note(&sheets[2],
                   "Pause: the time between two kernels of a stream. Stall: a pause longer than "
                   "%.6g ms (-p min=). Copies and other streams may run in it.",
                   (double)stall / 1e6);
}

void nsc_skill_launch(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    nsc_time stall = question->params[NSC_PARAM_MIN].integer;
    size_t first = out->list.n;
    struct nsc_sheet *sheets;
    struct launch_list list = {0};
    nsc_name *names = nsc_names_by_brief(scope->trace); /* the first of each brief name */

    (void)NSC_SKILL_SHEET(out, question, launch);
    (void)nsc_question_more(out, question, "queue_depth", "Launched and not finished, by stream",
                            depth_columns);
    (void)nsc_question_more(out, question, "launch_patterns",
                            "How dense the kernels of each stream are", pattern_columns);
    (void)nsc_question_more(out, question, "short_kernels", "Short kernels that are launched often",
                            short_columns);
    sheets = &out->list.at[first];
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_launch_detail detail;

        if (nsc_launch_detail_build(&detail, scope, d, NSC_DEEP_QUEUE_NS) && detail.times.n > 0) {
            add_launch(&sheets[0], nsc_trace_track(scope->trace, d)->gpu, &detail.times);
            add_depths(&sheets[1], scope, &detail.depths);
            add_patterns(&sheets[2], scope, d, stall);
        }
        add_by_brief(&list, &detail.by_name, scope->trace, names, d);
        nsc_launch_detail_fini(&detail);
    }
    add_short_kernels(&sheets[3], question, &list);
    note_launches(sheets, stall);
    free(names);
    free(list.at);
}

/* ---- cpu_gpu_pipeline ---- */

struct pipeline_row {
    uint32_t pid, tid, not_queued;
    struct nsc_launch_sums of;
    int64_t all; /* number of kernels */
    nsc_time queue_mean;
};

const struct nsc_sheet_column nsc_skill_cpu_gpu_pipeline_columns[] = {
    NSC_COL_ID(pipeline_row, pid, "pid", "Process"),
    NSC_COL_ID(pipeline_row, tid, "tid", "Thread"),
    NSC_COL_COUNT(pipeline_row, of.calls, "calls", "Calls"),
    NSC_COL_COUNT(pipeline_row, of.kernels, "kernels", "Kernels"),
    NSC_COL_SHARE(pipeline_row, of.kernels, all, "share", "Share", "kernels with a known call"),
    NSC_COL_COUNT(pipeline_row, not_queued, "not_queued", "Not queued"),
    NSC_COL_NS(pipeline_row, queue_mean, "queue_avg_ns", "Mean queue"),
    NSC_COL_NS(pipeline_row, of.queue_max, "queue_max_ns", "Longest queue"),
    NSC_COL_COUNT(pipeline_row, of.late, "deep", "Deep queue"),
    NSC_COL_NS(pipeline_row, of.api, "api_total_ns", "In calls"),
    {0},
};

NSC_COMPARE(compare_threads, struct nsc_launch_sums, NSC_MOST(kernels) || NSC_LEAST(key))

void nsc_skill_cpu_gpu_pipeline(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_trace *trace = question->scope->trace;
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);
    nsc_time deep = question->params[NSC_PARAM_MIN].integer;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, cpu_gpu_pipeline);
    struct nsc_launch_table by_thread;
    int64_t all = 0;

    nsc_launch_table_init(&by_thread, n_tracks + 1);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(trace, d)) != NSC_NONE;) {
        struct nsc_launch_detail detail;

        (void)nsc_launch_detail_build(&detail, question->scope, d, deep);
        for (size_t i = 0; i < detail.by_thread.n; i++)
            nsc_launch_table_add(&by_thread, detail.by_thread.at[i].key, &detail.by_thread.at[i]);
        nsc_launch_detail_fini(&detail);
    }
    if (by_thread.n > 1)
        qsort(by_thread.at, by_thread.n, sizeof *by_thread.at, compare_threads);
    for (size_t i = 0; i < by_thread.n; i++)
        all += by_thread.at[i].kernels;
    for (size_t i = 0; i < by_thread.n; i++) {
        const struct nsc_launch_sums *of = &by_thread.at[i];

        NSC_ADD_ROW(sheet, pipeline_row, .pid = tracks[of->key].pid, .tid = tracks[of->key].tid,
                    .of = *of, .all = all, .not_queued = of->kernels - of->queued,
                    .queue_mean = mean(of->queue, of->queued));
    }
    nsc_sheet_note(
        sheet,
        "A deep queue (longer than %.6g ms, -p min=) means that the CPU runs ahead of the "
        "GPU: the opposite of starvation. Not queued: the kernel began before its call "
        "had ended, so the GPU was free.",
        (double)deep / 1e6);
    if (by_thread.n == 0)
        nsc_sheet_note(sheet, "No kernel of the window has a known call (CUDA API not recorded?).");
    nsc_launch_table_fini(&by_thread);
}
