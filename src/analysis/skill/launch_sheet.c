/*
 * Launching as sheets: launch and queue times, the depth of each stream's queue, the verdict on
 * what bounds a GPU, and why it does not compute.
 */
#include "analysis/device/bound.h"
#include "analysis/device/host_times.h"
#include "analysis/device/launch_times.h"
#include "analysis/device/queue_depth.h"
#include "analysis/device/stream_waits.h"
#include "analysis/skill/skill.h"
#include "core/text.h"

static struct nsc_text track_label(const struct nsc_trace *trace, uint32_t track)
{
    return nsc_trace_string(trace, nsc_trace_track(trace, track)->label);
}

static void note_no_work(struct nsc_sheet *sheet)
{
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
}

/* ---- launch: times and queues ---- */

struct launch_row {
    int64_t gpu;
    struct nsc_launch_times of;
    nsc_time api_median, queue_median, queue_p95, delay_median, total_median; /* or not known */
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
    NSC_COL_SHARE(launch_row, of.below_10us, of.n, "below_10us_share", "< 10 us", "kernels"),
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
        if (depth.n + depth.unknown > 0)
            NSC_ADD_ROW(sheet, depth_row, .gpu = tracks[device].gpu,
                        .stream = track_label(scope->trace, t), .of = depth,
                        .window = nsc_window_length(w));
    }
}

void nsc_skill_launch(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t first = out->list.n;
    struct nsc_sheet *sheets;

    (void)NSC_SKILL_SHEET(out, question, launch);
    (void)nsc_question_more(out, question, "queue_depth", "Launched and not finished, by stream",
                            depth_columns);
    sheets = &out->list.at[first];
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_launch_times of;

        if (!nsc_launch_times_build(&of, scope, d) || of.n == 0)
            continue;
        add_launch(&sheets[0], nsc_trace_track(scope->trace, d)->gpu, &of);
        add_depths(&sheets[1], scope, d);
    }
    nsc_sheet_note(&sheets[0],
                   "Queue: from the end of the launching call to the start of the kernel, for "
                   "kernels that start after the call. Delay: the same time for all kernels, "
                   "negative where the kernel starts first. Total: from the start of the call to "
                   "the end of the call or of the kernel, whichever is later.");
    nsc_sheet_note(
        &sheets[0],
        "Starved: the kernel began less than 10 us after its call ended. Short: the kernel is "
        "shorter than its call. All kernels of a CUDA graph launch share one call.");
    nsc_sheet_note(&sheets[1], "At a depth of 1024 the launching thread waits. A queue that is "
                               "always empty may mean that the GPU starves.");
    nsc_sheet_note_empty(&sheets[0], "There are no kernels in the window.");
}

/* ---- bound ---- */

struct bound_row {
    int64_t gpu;
    const char *verdict;
    struct nsc_bound of;
    nsc_time idle, queue_median;
    uint64_t no_queue, known; /* kernels */
};

const struct nsc_sheet_column nsc_skill_bound_columns[] = {
    NSC_COL_ID(bound_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(bound_row, verdict, "verdict", "Verdict"),
    NSC_COL_NS(bound_row, of.whole, "window_ns", "Window"),
    NSC_COL_SHARE(bound_row, of.part[NSC_BOUND_COMPUTE], of.whole, "compute_share", "Compute",
                  "window"),
    NSC_COL_SHARE(bound_row, of.part[NSC_BOUND_COMM], of.whole, "comm_alone_share", "Comm alone",
                  "window"),
    NSC_COL_SHARE(bound_row, of.part[NSC_BOUND_COPIES], of.whole, "copies_alone_share",
                  "Copies alone", "window"),
    NSC_COL_SHARE(bound_row, idle, of.whole, "idle_share", "Idle", "window"),
    NSC_COL_SHARE(bound_row, of.part[NSC_BOUND_STARVED], of.whole, "starved_share", "Starved",
                  "window"),
    NSC_COL_SHARE(bound_row, no_queue, known, "no_queue_share", "No queue time",
                  "kernels with a known call"),
    NSC_COL_NS(bound_row, queue_median, "queue_median_ns", "Queue, median"),
    {0},
};

struct time_part_row {
    int64_t gpu;
    const char *part;
    nsc_time time, window;
};

static const struct nsc_sheet_column time_part_columns[] = {
    NSC_COL_ID(time_part_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(time_part_row, part, "part", "Part"),
    NSC_COL_NS(time_part_row, time, "time_ns", "Time"),
    NSC_COL_SHARE(time_part_row, time, window, "time_share", "Share", "window"),
    {0},
};

static void add_bound(struct nsc_sheet *sheet, int64_t gpu, const struct nsc_bound *bound,
                      const struct nsc_launch_times *times)
{
    NSC_ADD_ROW(sheet, bound_row, .gpu = gpu, .verdict = nsc_bound_verdict(bound), .of = *bound,
                .idle = bound->part[NSC_BOUND_STARVED] + bound->part[NSC_BOUND_WAITING] +
                        bound->part[NSC_BOUND_UNKNOWN],
                .no_queue = times->known - times->queue.n, .known = times->known,
                .queue_median = nsc_known(times->queue.n > 0, times->queue.median));
}

static void add_parts(struct nsc_sheet *sheet, int64_t gpu, const struct nsc_bound *bound)
{
    for (int i = 0; i < NSC_N_BOUND_PARTS; i++)
        NSC_ADD_ROW(sheet, time_part_row, .gpu = gpu,
                    .part = nsc_bound_part_word((enum nsc_bound_part)i), .time = bound->part[i],
                    .window = bound->whole);
}

struct phase_row {
    int64_t gpu;
    const char *verdict;
    struct nsc_kept_text phase;
    uint32_t n, of_n;
    struct nsc_phase_times of;
    nsc_time idle;
};

static const struct nsc_sheet_column phase_columns[] = {
    NSC_COL_ID(phase_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(phase_row, phase, "phase", "Phase"),
    NSC_COL_TEXT(phase_row, verdict, "verdict", "Verdict"),
    NSC_COL_COUNT(phase_row, n, "measured", "Measured"),
    NSC_COL_COUNT(phase_row, of_n, "spans", "of spans"),
    NSC_COL_NS(phase_row, of.bound.whole, "window_ns", "Time"),
    NSC_COL_SHARE(phase_row, of.bound.part[NSC_BOUND_COMPUTE], of.bound.whole, "compute_share",
                  "Compute", "time"),
    NSC_COL_SHARE(phase_row, of.bound.part[NSC_BOUND_COMM], of.bound.whole, "comm_alone_share",
                  "Comm alone", "time"),
    NSC_COL_SHARE(phase_row, of.bound.part[NSC_BOUND_COPIES], of.bound.whole, "copies_alone_share",
                  "Copies alone", "time"),
    NSC_COL_SHARE(phase_row, idle, of.bound.whole, "idle_share", "Idle", "time"),
    NSC_COL_SHARE(phase_row, of.host.launch, of.host.whole, "launch_share", "Launch calls", "time"),
    NSC_COL_SHARE(phase_row, of.host.exposed, of.host.whole, "exposed_share", "Preparation",
                  "time, that the GPU waits for"),
    NSC_COL_SHARE(phase_row, of.host.exposed, of.host.prepared, "exposed_of_preparation",
                  "of all prep.", "all preparation"),
    {0},
};

static void add_phases(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                       const struct nsc_job_phases *phases, uint32_t device)
{
    struct nsc_phase_times times[NSC_PHASES_MOST];

    if (!nsc_phase_times_build(times, phases, scope, device))
        return;
    for (uint32_t i = 0; i < phases->n; i++)
        if (times[i].n > 0)
            NSC_ADD_ROW(sheet, phase_row, .gpu = nsc_trace_track(scope->trace, device)->gpu,
                        .verdict = nsc_bound_verdict(&times[i].bound),
                        .phase = nsc_sheet_keep(sheet, nsc_text_from(phases->name[i])),
                        .n = times[i].n, .of_n = phases->count[i], .of = times[i],
                        .idle = times[i].host.idle);
}

/* What bounds each phase of the iterations, where there are several. */
static void ask_phases(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_job_phases phases;
    struct nsc_sheet *sheet;

    if (!nsc_job_phases_find(&phases, scope))
        return;
    sheet = nsc_question_more(out, question, "phases", "What bounds each phase", phase_columns);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;)
        add_phases(sheet, scope, &phases, d);
    nsc_sheet_note(sheet,
                   "A span of a phase lasts on the GPU from the end of the work before it to "
                   "the end of the work launched in it, so waiting for a phase belongs to "
                   "it. At most %d spans of each are measured, evenly.",
                   NSC_PHASE_SPANS);
    nsc_sheet_note(sheet, "The finding host-bound applies TensorRT-LLM's thresholds to idle time, "
                          "launch calls and preparation: nsyscope docs findings.");
    nsc_job_phases_fini(&phases);
}

void nsc_skill_bound(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t first = out->list.n;
    struct nsc_sheet *sheets;

    (void)NSC_SKILL_SHEET(out, question, bound);
    (void)nsc_question_more(out, question, "time_parts", "The window of each GPU, part by part",
                            time_part_columns);
    sheets = &out->list.at[first];
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        int64_t gpu = nsc_trace_track(scope->trace, d)->gpu;
        struct nsc_bound bound;
        struct nsc_launch_times times;

        if (!nsc_bound_build(&bound, scope, d) || !nsc_launch_times_build(&times, scope, d))
            continue;
        add_bound(&sheets[0], gpu, &bound, &times);
        add_parts(&sheets[1], gpu, &bound);
    }
    nsc_sheet_note(&sheets[0],
                   "GPU-bound: computing for %d %% of the window or more; that does not say what "
                   "bounds the kernels. Else the part with at least %d %% of the time without "
                   "compute and %d %% of the window gives the verdict: starved is CPU-bound, and a "
                   "GPU that runs communication alone waits for it, whatever its host does. Mixed "
                   "without such a part. nsyscope chose these thresholds.",
                   NSC_BOUND_COMPUTE_PERCENT, NSC_BOUND_MOST_PERCENT, NSC_BOUND_LOSS_PERCENT);
    nsc_sheet_note(&sheets[1], "The parts add up to the window. Compute includes CUDA graphs "
                               "recorded whole. nsyscope skill run idle FILE names the causes of "
                               "idle time.");
    note_no_work(&sheets[0]);
    ask_phases(out, question);
}

/* ---- streams ---- */

struct stream_waits_row {
    int64_t gpu;
    struct nsc_text stream;
    struct nsc_stream_wait_sums of;
};

const struct nsc_sheet_column nsc_skill_stream_waits_columns[] = {
    NSC_COL_ID(stream_waits_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(stream_waits_row, stream, "stream", "Stream"),
    NSC_COL_COUNT(stream_waits_row, of.ops, "ops", "Ops"),
    NSC_COL_COUNT(stream_waits_row, of.gaps, "gaps", "Gaps"),
    NSC_COL_NS(stream_waits_row, of.wait[0], "host_wait_ns", "Host wait"),
    NSC_COL_NS(stream_waits_row, of.wait[1], "kernel_wait_ns", "Kernel wait"),
    NSC_COL_NS(stream_waits_row, of.wait[2], "other_ns", "Other"),
    NSC_COL_NS(stream_waits_row, of.wait[3], "unknown_ns", "Unknown"),
    {0},
};

void nsc_skill_stream_waits(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, stream_waits);

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_stream_waits streams;

        nsc_stream_waits_build(&streams, scope, d);
        for (uint32_t i = 0; i < streams.n; i++)
            NSC_ADD_ROW(sheet, stream_waits_row, .gpu = nsc_trace_track(scope->trace, d)->gpu,
                        .stream = track_label(scope->trace, streams.at[i].stream),
                        .of = streams.at[i]);
        nsc_stream_waits_fini(&streams);
    }
    nsc_sheet_note(sheet,
                   "As in HTA: host wait if the next op was launched after the gap began, kernel "
                   "wait if the gap is below %d ns, else other. A gap of a stream is not idle time "
                   "of the GPU: another stream may run.",
                   NSC_STREAM_WAIT_NS);
    note_no_work(sheet);
}
