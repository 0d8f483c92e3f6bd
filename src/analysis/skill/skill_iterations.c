/*
 * Skills about iterations: what the GPU does for each, and one of them in detail.
 */
#include "analysis/base/quantile.h"
#include "analysis/names/label.h"
#include "analysis/ranges/iterations.h"
#include "analysis/ranges/launches.h"
#include "analysis/skill/skill.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>

/* ---- which work belongs to which iteration ---- */

/* Launches of kernels, and of those that communicate; iterations that touch the window. */
struct steps {
    const struct nsc_scope *scope;
    struct nsc_iterations iterations;
    struct nsc_launches *kernels, *comm;
    const struct nsc_track *marker; /* the track of the ranges */
};

/* Of an iteration. */
struct step {
    struct nsc_window host, gpu; /* gpu: first start to last end of the kernels; has_gpu */
    bool has_gpu;
    uint32_t kernels, comm;
    nsc_time work, comm_work;
};

static uint64_t *mask_kernels(const struct nsc_scope *scope, bool comm_only)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const struct nsc_names *names = nsc_trace_names(scope->trace);
    uint64_t *mask = nsc_xcalloc(nsc_bits_words(events->n) + 1, sizeof *mask);

    for (nsc_event i = 0; i < events->n; i++)
        if (events->kind[i] == NSC_KIND_KERNEL && (!scope->mask || nsc_bits_get(scope->mask, i)) &&
            (!comm_only || (names->flags[events->name[i]] & NSC_NAME_COMM)))
            nsc_bits_set(mask, i);
    return mask;
}

/* Why there are no steps; NULL when there are. */
static const char *find_steps(struct steps *steps, const struct nsc_question *question)
{
    const struct nsc_trace *trace = question->scope->trace;
    const struct nsc_param_value *marker = &question->params[NSC_PARAM_MARKER];
    uint64_t *mask;
    bool found;

    *steps = (struct steps){.scope = question->scope};
    found = marker->is_set
                ? nsc_iterations_named(&steps->iterations, trace, nsc_text_from(marker->text))
                : nsc_iterations_find(&steps->iterations, trace);
    if (!found)
        return marker->is_set
                   ? "No NVTX range has a name like that marker."
                   : "No NVTX range recurs with a steady beat through the work; name one "
                     "with -p marker=NAME. Gaps between kernels are not taken for "
                     "iterations.";
    mask = mask_kernels(question->scope, false);
    steps->kernels = nsc_launches_build(trace, mask);
    free(mask);
    mask = mask_kernels(question->scope, true);
    steps->comm = nsc_launches_build(trace, mask);
    free(mask);
    steps->marker =
        nsc_trace_track(trace, nsc_trace_lanes(trace, NULL)[steps->iterations.lane].track);
    return steps->kernels && nsc_launches_sum(steps->kernels) && steps->comm &&
                   nsc_launches_sum(steps->comm)
               ? NULL
               : "No memory for the launches.";
}

static void free_steps(struct steps *steps)
{
    nsc_launches_free(steps->kernels);
    nsc_launches_free(steps->comm);
    nsc_iterations_fini(&steps->iterations);
}

/* The thread's kernels launched in the window; threads of other processes have none. */
static struct nsc_positions find_positions(const struct nsc_launches *launches, uint32_t thread,
                                           struct nsc_window window)
{
    struct nsc_positions all = nsc_launches_of_track(launches, thread);
    struct nsc_positions in = {nsc_launches_find(launches, all, window.t0), 0};

    in.end = nsc_launches_find(launches, all, window.t1);
    return in;
}

static bool is_thread(const struct steps *steps, const struct nsc_track *track)
{
    return track->kind == NSC_TRACK_THREAD && track->process == steps->marker->process;
}

static void widen(struct step *step, const struct nsc_events *events,
                  const struct nsc_gpu_figures *figures)
{
    nsc_time start = events->start[figures->first];
    nsc_time end = nsc_event_end(events, figures->last);

    step->gpu.t0 = step->has_gpu ? nsc_earlier(step->gpu.t0, start) : start;
    step->gpu.t1 = step->has_gpu ? nsc_later(step->gpu.t1, end) : end;
    step->has_gpu = true;
}

static struct step measure_step(const struct steps *steps, uint32_t i)
{
    const struct nsc_trace *trace = steps->scope->trace;
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);
    struct step step = {.host = nsc_iterations_window(&steps->iterations, trace, i)};

    for (uint32_t t = 0; t < n_tracks; t = tracks[t].skip) {
        struct nsc_gpu_figures figures;

        if (!is_thread(steps, &tracks[t]))
            continue;
        figures =
            nsc_launches_measure(steps->kernels, find_positions(steps->kernels, t, step.host));
        if (figures.ops == 0)
            continue;
        step.kernels += figures.ops;
        step.work = nsc_sum(step.work, figures.work);
        widen(&step, nsc_trace_events(trace), &figures);
        figures = nsc_launches_measure(steps->comm, find_positions(steps->comm, t, step.host));
        step.comm += figures.ops;
        step.comm_work = nsc_sum(step.comm_work, figures.work);
    }
    return step;
}

static bool is_in_scope(const struct step *step, const struct nsc_scope *scope)
{
    return step->host.t0 < scope->window.t1 && step->host.t1 > scope->window.t0;
}

/* ---- iteration_timing ---- */

struct step_row {
    uint32_t number;
    struct step of;
    nsc_time host, gpu_start, gpu, median;
    bool slow;
};

const struct nsc_sheet_column nsc_skill_iteration_timing_columns[] = {
    NSC_COL_ID(step_row, number, "iteration", "Iteration"),
    NSC_COL_INSTANT(step_row, of.host.t0, "start_ns", "Start"),
    NSC_COL_NS(step_row, host, "host_ns", "On the CPU"),
    NSC_COL_INSTANT(step_row, gpu_start, "gpu_start_ns", "GPU start"),
    NSC_COL_NS(step_row, gpu, "gpu_ns", "On the GPU"),
    NSC_COL_COUNT(step_row, of.kernels, "kernels", "Kernels"),
    NSC_COL_COUNT(step_row, of.comm, "comm_kernels", "Comm kernels"),
    NSC_COL_NS(step_row, of.work, "work_ns", "Kernel time"),
    NSC_COL_NS(step_row, of.comm_work, "comm_work_ns", "Comm time"),
    NSC_COL_SHARE(step_row, host, median, "of_median", "Of median", "median time on the CPU"),
    NSC_COL_YES(step_row, slow, "slow", "Slow"),
    {0},
};

/* The median plus three MAD (median absolute deviations): longer iterations are slow. */
static nsc_time slow_from(const nsc_time durations[], size_t n, nsc_time *median)
{
    nsc_time *copy = nsc_xcalloc(n + 1, sizeof *copy);
    nsc_time distance;

    for (size_t i = 0; i < n; i++)
        copy[i] = durations[i];
    *median = n ? nsc_quantile(copy, n, 500) : 0;
    for (size_t i = 0; i < n; i++)
        copy[i] = durations[i] > *median ? durations[i] - *median : *median - durations[i];
    distance = n ? nsc_quantile(copy, n, 500) : 0;
    free(copy);
    return nsc_sum(*median, distance > INT64_MAX / 3 ? INT64_MAX : 3 * distance);
}

static void note_steps(struct nsc_sheet *sheet, const struct steps *steps)
{
    nsc_sheet_note(sheet,
                   "Iterations are the NVTX ranges %s (\"#\": any number) of process %u, thread "
                   "%u, numbered from 0. A kernel belongs to the iteration in which any thread of "
                   "the process launched it; it may run later.",
                   steps->iterations.label, (unsigned)steps->marker->pid,
                   (unsigned)steps->marker->tid);
    nsc_sheet_note(sheet, "Slow: longer than median + 3 MAD (median absolute deviation).");
    if (steps->iterations.other_n > 0)
        nsc_sheet_note(sheet, "%s would give %u iterations as well; -p marker= selects one.",
                       steps->iterations.other, (unsigned)steps->iterations.other_n);
}

void nsc_skill_iteration_timing(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, iteration_timing);
    const struct nsc_scope *scope = question->scope;
    struct steps steps;
    const char *why = find_steps(&steps, question);
    nsc_time *durations = nsc_xcalloc((size_t)steps.iterations.n + 1, sizeof *durations);
    size_t n = 0;
    nsc_time median = 0;
    nsc_time slow;

    if (why)
        nsc_sheet_note(sheet, "%s", why);
    for (uint32_t i = 0; i < steps.iterations.n; i++) {
        struct nsc_window w = nsc_iterations_window(&steps.iterations, scope->trace, i);

        if (w.t0 < scope->window.t1 && w.t1 > scope->window.t0)
            durations[n++] = nsc_span(w.t0, w.t1);
    }
    slow = slow_from(durations, n, &median);
    for (uint32_t i = 0; !why && i < steps.iterations.n; i++) {
        struct step step = measure_step(&steps, i);

        nsc_time host = nsc_span(step.host.t0, step.host.t1);

        if (is_in_scope(&step, scope))
            NSC_ADD_ROW(sheet, step_row, .number = i, .of = step, .host = host,
                        .gpu_start = nsc_known(step.has_gpu, step.gpu.t0),
                        .gpu = nsc_known(step.has_gpu, nsc_span(step.gpu.t0, step.gpu.t1)),
                        .median = median, .slow = host > slow);
    }
    if (!why)
        note_steps(sheet, &steps);
    free(durations);
    free_steps(&steps);
}

/* ---- iteration_detail ---- */

struct detail {
    nsc_name name;
    uint32_t count;
    nsc_time work;
};

struct detail_row {
    uint32_t iteration;
    struct detail of;
    nsc_time all;
    struct nsc_text kernel;
};

const struct nsc_sheet_column nsc_skill_iteration_detail_columns[] = {
    NSC_COL_ID(detail_row, iteration, "iteration", "Iteration"),
    NSC_COL_COUNT(detail_row, of.count, "count", "Kernels"),
    NSC_COL_NS(detail_row, of.work, "total_ns", "Total"),
    NSC_COL_SHARE(detail_row, of.work, all, "share", "Share",
                  "summed kernel time of the iteration"),
    NSC_COL_TEXT(detail_row, kernel, "kernel", "Kernel"),
    {0},
};

static int compare_details(const void *a, const void *b)
{
    const struct detail *x = a;
    const struct detail *y = b;

    if (x->work != y->work)
        return x->work > y->work ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* Kernels of the iteration by short name, a slot each; to be given to free(). */
static struct detail *gather_details(const struct steps *steps, struct nsc_window host)
{
    const struct nsc_trace *trace = steps->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);
    uint32_t n_names = nsc_trace_names(trace)->n;
    nsc_name *first = nsc_names_by_brief(trace);
    struct detail *list = nsc_xcalloc((size_t)n_names + 1, sizeof *list);

    for (nsc_name i = 0; i < n_names; i++)
        list[i].name = i;
    for (uint32_t t = 0; t < n_tracks; t = tracks[t].skip) {
        struct nsc_positions in;

        if (!is_thread(steps, &tracks[t]))
            continue;
        in = find_positions(steps->kernels, t, host);
        for (uint32_t at = in.first; at < in.end; at++) {
            nsc_event op = nsc_launches_op(steps->kernels, at);
            struct detail *to = &list[first[events->name[op]]];

            to->count++;
            to->work = nsc_sum(to->work, nsc_event_duration(events, op));
        }
    }
    free(first);
    return list;
}

static void add_details(struct nsc_sheet *sheet, const struct nsc_question *question,
                        const struct steps *steps, uint32_t iteration)
{
    const struct nsc_trace *trace = steps->scope->trace;
    uint32_t n_names = nsc_trace_names(trace)->n;
    struct step step = measure_step(steps, iteration);
    struct detail *list = gather_details(steps, step.host);
    size_t n = 0;
    size_t shown;

    qsort(list, n_names, sizeof *list, compare_details);
    while (n < n_names && list[n].count > 0)
        n++;
    shown = nsc_question_limit(question, sheet, n);
    for (size_t i = 0; i < shown; i++)
        NSC_ADD_ROW(sheet, detail_row, .iteration = iteration, .of = list[i], .all = step.work,
                    .kernel = nsc_trace_string(trace, nsc_trace_names(trace)->brief[list[i].name]));
    free(list);
    sheet->window = step.host;
}

void nsc_skill_iteration_detail(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, iteration_detail);
    int64_t iteration = question->params[NSC_PARAM_ITERATION].integer;
    struct steps steps;
    const char *why = find_steps(&steps, question);

    if (why) {
        nsc_sheet_note(sheet, "%s", why);
    } else if (iteration >= steps.iterations.n) {
        nsc_sheet_note(sheet, "There are %u iterations, from 0 (-p iteration=).",
                       (unsigned)steps.iterations.n);
    } else {
        add_details(sheet, question, &steps, (uint32_t)iteration);
        note_steps(sheet, &steps);
    }
    free_steps(&steps);
}
