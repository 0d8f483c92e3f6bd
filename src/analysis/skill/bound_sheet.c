/* Adds sheets of what bounds a GPU and each phase of its iterations. */
#include "analysis/device/bound.h"
#include "analysis/device/launch_times.h"
#include "analysis/skill/skill.h"
#include "core/text.h"

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

static nsc_time idle_of(const struct nsc_bound *bound)
{
    return bound->whole - bound->part[NSC_BOUND_COMPUTE] - bound->part[NSC_BOUND_COMM] -
           bound->part[NSC_BOUND_COPIES];
}

static void add_bound(struct nsc_sheet *sheet, int64_t gpu, const struct nsc_bound *bound,
                      const struct nsc_launch_times *times)
{
    NSC_ADD_ROW(sheet, bound_row, .gpu = gpu, .verdict = nsc_bound_verdict(bound), .of = *bound,
                .idle = idle_of(bound), .no_queue = times->known - times->queue.n,
                .known = times->known,
                .queue_median = nsc_known(times->queue.n > 0, times->queue.median));
}

static void add_parts(struct nsc_sheet *sheet, int64_t gpu, const struct nsc_bound *bound)
{
    for (int i = 0; i < NSC_N_BOUND_PARTS; i++)
        if (i != NSC_BOUND_OTHER_GPU || bound->part[i] > 0)
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

const struct nsc_sheet_column nsc_phase_columns[] = {
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
    {0},
};

static void add_phases(struct nsc_sheet *sheet, const struct nsc_question *question,
                       const struct nsc_job_phases *job, uint32_t device)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_phase_times times[NSC_PHASES_MOST];
    const struct nsc_process_phases *phases =
        nsc_phase_times_build(times, job, scope, device, question->fields);

    if (!phases)
        return;
    for (uint32_t i = 0; i < phases->n; i++)
        if (times[i].n > 0)
            NSC_ADD_ROW(sheet, phase_row, .gpu = nsc_trace_track(scope->trace, device)->gpu,
                        .verdict = nsc_bound_verdict(&times[i].bound),
                        .phase = nsc_sheet_keep(sheet, nsc_text_from(phases->name[i])),
                        .n = times[i].n, .of_n = phases->count[i], .of = times[i],
                        .idle = idle_of(&times[i].bound));
}

/* Adds a sheet of the phases, if the iterations have several. */
static void ask_phases(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_job_phases phases;
    struct nsc_sheet *sheet;

    if (!nsc_job_phases_find(&phases, scope))
        return;
    sheet = nsc_question_more(out, question, "phases", "What bounds each phase", nsc_phase_columns);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;)
        add_phases(sheet, question, &phases, d);
    nsc_sheet_note(sheet,
                   "On the GPU, a span of a phase lasts from the end of the previous work to the "
                   "end of the work launched in the span, so the wait for a phase belongs to the "
                   "phase. At most %d evenly spaced spans of each phase are measured.",
                   NSC_PHASE_SPANS);
    nsc_job_phases_fini(&phases);
}

void nsc_skill_bound(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t first = out->list.n;
    struct nsc_depends *depends = NULL;
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
        nsc_bound_look_behind(&bound, scope, d, &depends, question->fields);
        add_bound(&sheets[0], gpu, &bound, &times);
        add_parts(&sheets[1], gpu, &bound);
    }
    nsc_depends_free(depends);
    nsc_sheet_note(&sheets[0],
                   "GPU-bound: compute runs for at least %d %% of the window; that does not say "
                   "what bounds the kernels. Otherwise a part with at least %d %% of the time "
                   "without compute and %d %% of the window decides: starved means CPU-bound. "
                   "Communication and copies count for that too while the CPU neither waits nor "
                   "has launched the next compute. "
                   "Mixed: there is no such part. nsyscope chose these thresholds.",
                   100 - NSC_LIMIT_MATTERS, NSC_LIMIT_MOST, NSC_LIMIT_MATTERS);
    nsc_sheet_note(&sheets[1], "The parts add up to the window. Compute includes CUDA graphs "
                               "recorded whole. nsyscope skill run idle FILE names the causes of "
                               "idle time.");
    nsc_sheet_note_empty(&sheets[0], "No GPU has work in the window.");
    ask_phases(out, question);
}
