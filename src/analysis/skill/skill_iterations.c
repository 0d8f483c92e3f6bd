/* Skills about iterations: the GPU work of each, and one in detail. */
#include "analysis/base/shared.h"
#include "analysis/base/tally.h"
#include "analysis/names/label.h"
#include "analysis/ranges/launches.h"
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- which work belongs to which iteration ---- */

/* Launches of kernels and graphs, and of communication kernels. */
struct launches {
    struct nsc_launches *kernels, *comm;
};

struct steps {
    const struct nsc_scope *scope;
    struct nsc_iterations iterations;
    struct launches of;
    bool is_kept; /* launches: the store frees them */
};

/* The launches of a process's threads in an iteration. */
struct step {
    struct nsc_window gpu; /* first start to last end of the kernels; valid if has_gpu */
    bool has_gpu;
    uint32_t kernels, comm;
    nsc_time work, comm_work;
};

struct columns {
    const uint8_t *kind;
    const nsc_name *name;
    const uint8_t *flags; /* by name */
};

static bool is_kernel(const void *context, nsc_event op)
{
    const struct columns *columns = context;
    uint8_t kind = columns->kind[op];

    return kind == NSC_KIND_KERNEL || kind == NSC_KIND_GRAPH;
}

static bool is_comm(const void *context, nsc_event op)
{
    const struct columns *columns = context;

    return columns->kind[op] == NSC_KIND_KERNEL &&
           (columns->flags[columns->name[op]] & NSC_NAME_COMM);
}

static void free_launches(void *value)
{
    struct launches *launches = value;

    nsc_launches_free(launches->kernels);
    nsc_launches_free(launches->comm);
}

static bool build_launches(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct launches *out = value;
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const struct columns columns = {events->kind, events->name,
                                    nsc_trace_names(scope->trace)->flags};
    struct nsc_launches *all;

    (void)device;
    *out = (struct launches){NULL, NULL};
    all = nsc_launches_ask_order(scope);
    if (all) {
        out->kernels = nsc_launches_select(all, is_kernel, &columns);
        out->comm = nsc_launches_select(all, is_comm, &columns);
        nsc_launches_free(all);
    }
    return out->kernels && nsc_launches_sum(out->kernels) && out->comm &&
           !nsc_scope_is_stopped(scope) && nsc_launches_sum(out->comm);
}

/* Why there are no steps; NULL if there are. Two skills of a run ask for the same launches. */
static const char *find_steps(struct steps *steps, const struct nsc_question *question)
{
    static const struct nsc_shared_kind kind = {sizeof(struct launches), build_launches,
                                                free_launches};
    const struct nsc_scope *scope = question->scope;

    *steps = (struct steps){.scope = scope};
    if (!nsc_question_iterations(&steps->iterations, question))
        return steps->iterations.why;
    return nsc_shared_ask(&steps->of, &steps->is_kept, &kind, scope, scope->mask ? 0 : NSC_NONE)
               ? NULL
               : "No memory for the launches.";
}

static void free_steps(struct steps *steps)
{
    if (!steps->is_kept)
        free_launches(&steps->of);
    nsc_iterations_fini(&steps->iterations);
}

/* The kernels that the thread launched in the window; none for threads of other processes. */
static struct nsc_positions find_positions(const struct nsc_launches *launches, uint32_t thread,
                                           struct nsc_window window)
{
    struct nsc_positions in = nsc_launches_of_track(launches, thread);

    in.first = nsc_launches_find(launches, in, window.t0);
    in.end = nsc_launches_find_ahead(launches, in, window.t1);
    return in;
}

static bool is_thread(const struct nsc_track *track, uint64_t process)
{
    return track->kind == NSC_TRACK_THREAD && track->process == process;
}

/* Moves *t to the next thread of a line's process; NSC_NONE: to the first. They follow each other. */
static bool next_thread(uint32_t *t, const struct steps *steps, uint32_t line)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(steps->scope->trace, &n);
    const struct nsc_track *of = &tracks[steps->iterations.lines[line].track];

    if (*t != NSC_NONE)
        *t = nsc_group_end(tracks, *t);
    else
        for (*t = of->group; *t > 0 && is_thread(&tracks[tracks[*t - 1].group], of->process);)
            *t = tracks[*t - 1].group;
    return *t < n && is_thread(&tracks[*t], of->process);
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

/* Adds the launches of a line's process in the window. */
static void add_work(struct step *step, const struct steps *steps, uint32_t line,
                     struct nsc_window w)
{
    for (uint32_t t = NSC_NONE; next_thread(&t, steps, line);) {
        struct nsc_gpu_figures figures =
            nsc_launches_measure(steps->of.kernels, find_positions(steps->of.kernels, t, w));

        if (figures.ops == 0)
            continue;
        step->kernels += figures.ops;
        step->work = nsc_sum(step->work, figures.work);
        widen(step, nsc_trace_events(steps->scope->trace), &figures);
        figures = nsc_launches_measure(steps->of.comm, find_positions(steps->of.comm, t, w));
        step->comm += figures.ops;
        step->comm_work = nsc_sum(step->comm_work, figures.work);
    }
}

/* Piece k of the host's time of an iteration of a line, without interludes. */
static bool piece_of(struct nsc_window *out, const struct steps *steps, uint32_t line, uint32_t i,
                     uint32_t k)
{
    const struct nsc_iterations *all = &steps->iterations;

    return nsc_iteration_piece(out, all->interludes, all->n_interludes, all->lines[line].first + i,
                               all->lines[line].at[i].host, k);
}

static struct step measure_step(const struct steps *steps, uint32_t line, uint32_t i)
{
    struct step step = {0};
    struct nsc_window w;

    for (uint32_t k = 0; piece_of(&w, steps, line, i, k); k++)
        add_work(&step, steps, line, w);
    return step;
}

static bool touches(struct nsc_window w, const struct nsc_scope *scope)
{
    return w.t0 < scope->window.t1 && w.t1 > scope->window.t0;
}

/* ---- iteration_timing ---- */

struct step_row {
    uint32_t number;
    struct nsc_text process;
    struct step of;
    nsc_time start, period, host, outside, gpu_start, gpu, median;
    uint32_t kind;
    bool slow;
    const char *mark, *clock;
    int64_t pid;
};

const struct nsc_sheet_column nsc_skill_iteration_timing_columns[] = {
    NSC_COL_ID(step_row, number, "iteration", "Iteration"),
    NSC_COL_TEXT(step_row, process, "process", "Process"),
    NSC_COL_INSTANT(step_row, start, "start_ns", "Start"),
    NSC_COL_NS(step_row, period, "duration_ns", "Period"),
    NSC_COL_SHARE(step_row, period, median, "of_median", "Of median", "median period of its kind"),
    NSC_COL_TEXT(step_row, mark, "mark", "Mark"),
    NSC_COL_NS(step_row, host, "host_ns", "In its ranges"),
    NSC_COL_NS(step_row, outside, "outside_ns", "Outside them"),
    NSC_COL_INSTANT(step_row, gpu_start, "gpu_start_ns", "GPU start"),
    NSC_COL_NS(step_row, gpu, "gpu_ns", "On the GPU"),
    NSC_COL_COUNT(step_row, of.kernels, "kernels", "Kernels"),
    NSC_COL_NS(step_row, of.work, "work_ns", "Kernel time"),
    NSC_COL_COUNT(step_row, of.comm, "comm_kernels", "Comm kernels"),
    NSC_COL_NS(step_row, of.comm_work, "comm_work_ns", "Comm time"),
    NSC_COL_ID(step_row, kind, "kind", "Kind"),
    NSC_COL_YES(step_row, slow, "slow", "Slow"),
    NSC_COL_TEXT(step_row, clock, "clock", "Start on"),
    NSC_COL_ID(step_row, pid, "pid", "Process id"),
    {0},
};

struct interlude_row {
    struct nsc_kept_text name;
    nsc_time start, duration;
    uint32_t n, after;
};

static const struct nsc_sheet_column interlude_columns[] = {
    NSC_COL_TEXT(interlude_row, name, "name", "Range"),
    NSC_COL_INSTANT(interlude_row, start, "start_ns", "Start"),
    NSC_COL_NS(interlude_row, duration, "duration_ns", "Duration"),
    NSC_COL_COUNT(interlude_row, n, "ranges", "Ranges"),
    NSC_COL_ID(interlude_row, after, "after_iteration", "After iteration"),
    {0},
};

static void note_shift(struct nsc_sheet *sheet, const struct nsc_iterations *all)
{
    char text[2][NSC_UNITS_BYTES];

    nsc_units_duration(text[0], all->level_before, false);
    nsc_units_duration(text[1], all->level_after, false);
    if (all->drift != 0)
        nsc_sheet_note(
            sheet, "The period drifts from %s to %s, by %.2g %% from one iteration to the next.",
            text[0], text[1], 100 * all->drift / (double)all->level_before);
    if (all->swings > 0)
        nsc_sheet_note(
            sheet,
            "The period goes up and down between two levels: the medians are %s and %s, and "
            "it changes %u times. Each iteration is compared with the median of its level.",
            text[0], text[1], all->swings);
    if (all->shift == 0)
        return;
    nsc_sheet_note(sheet,
                   "The level changes at iteration %u: the median period is %s before it and %s "
                   "from it on. Each iteration is compared with the median of its level.",
                   all->shift, text[0], text[1]);
}

static void note_slow(struct nsc_sheet *sheet, const struct nsc_iterations *all)
{
    nsc_sheet_note(sheet,
                   "Slow: longer than the median of its kind by 3 MAD (median absolute deviation) "
                   "and by 5 %%, if there are %d iterations of the kind; %u %s slow.",
                   NSC_LIMIT_MANY, all->n_slow, all->n_slow == 1 ? "is" : "are");
    if (all->recurs > 0)
        nsc_sheet_note(sheet, "The slow ones recur: every %u%s iteration is slow.", all->recurs,
                       nsc_units_ordinal(all->recurs));
}

static void note_steps(struct nsc_sheet *sheet, const struct steps *steps)
{
    const struct nsc_iterations *all = &steps->iterations;

    nsc_sheet_note(sheet,
                   "%u iterations, found by the %s: %s%s; they %s %.0f %% of the %s, "
                   "confidence %.0f %%.",
                   all->n, nsc_iterations_by_word(all->by), all->label,
                   strchr(all->label, '#') ? " (\"#\": any number)" : "",
                   all->by_time ? "cover" : "launch", 100 * all->coverage,
                   all->by_time ? "time of their thread" : "GPU time", 100 * all->confidence);
    nsc_sheet_note(sheet,
                   all->on_gpu
                       ? "Period: on the GPU, from the first kernel of an iteration to that of the "
                         "next, because the host runs ahead; the last one ends with its work. "
                         "Interludes do not count."
                       : "Period: from the start of an iteration to the next start; the last one "
                         "ends with its work. Interludes do not count.");
    if (all->warm_up == 1)
        nsc_sheet_note(sheet, "The first iteration is warm-up: the statistics leave it out.");
    else if (all->warm_up > 1)
        nsc_sheet_note(sheet, "The first %u are warm-up: the statistics leave them out.",
                       all->warm_up);
    note_slow(sheet, all);
    note_shift(sheet, all);
}

static const char *mark_of(const struct nsc_iteration *it)
{
    return it->warm_up ? "warm-up" : it->slow ? "slow" : "";
}

static void add_step(struct nsc_sheet *sheet, const struct steps *steps, uint32_t line, uint32_t i)
{
    const struct nsc_trace *trace = steps->scope->trace;
    const struct nsc_iterations *all = &steps->iterations;
    const struct nsc_iteration *it = &all->lines[line].at[i];
    bool has_ranges = all->by != NSC_ITERATIONS_BY_LAUNCHES;
    uint32_t group = nsc_trace_group_of(trace, all->lines[line].track);
    uint32_t pid = nsc_trace_track(trace, group)->pid;
    struct step step;

    if (nsc_sheet_count_row(sheet))
        return;
    step = measure_step(steps, line, i);
    NSC_ADD_ROW(
        sheet, step_row, .number = all->lines[line].first + i,
        .process = nsc_trace_string(trace, nsc_trace_track(trace, group)->label), .of = step,
        .start = it->window.t0, .period = it->period, .host = nsc_known(has_ranges, it->in_ranges),
        .outside = nsc_known(has_ranges, nsc_later(0, nsc_window_length(it->host) - it->in_ranges)),
        .gpu_start = nsc_known(step.has_gpu, step.gpu.t0),
        .gpu = nsc_known(step.has_gpu, nsc_span(step.gpu.t0, step.gpu.t1)),
        .median = all->kinds[it->kind].median, .kind = it->kind, .slow = it->slow,
        .mark = mark_of(it), .clock = all->on_gpu ? "GPU" : "host", .pid = nsc_known(pid, pid));
}

static void add_interludes(struct nsc_sheets *out, const struct nsc_question *question,
                           const struct steps *steps)
{
    const struct nsc_trace *trace = question->scope->trace;
    const struct nsc_iterations *all = &steps->iterations;
    struct nsc_sheet *sheet;

    if (all->n_interludes == 0)
        return;
    sheet = nsc_question_more(out, question, "interludes", "Between iterations", interlude_columns);
    for (uint32_t k = 0; k < all->n_interludes; k++) {
        const struct nsc_interlude *of = &all->interludes[k];

        if (touches(of->window, question->scope))
            NSC_ADD_ROW(sheet, interlude_row,
                        .name = nsc_label_range(sheet, trace, of->event, false),
                        .start = of->window.t0, .duration = nsc_window_length(of->window),
                        .n = of->n, .after = of->after);
    }
    nsc_sheet_note(sheet, "Interludes are work that does not recur in each iteration. Their time "
                          "counts neither for the period nor for slowness.");
}

void nsc_skill_iteration_timing(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, iteration_timing);
    struct steps steps;
    const char *why = find_steps(&steps, question);

    if (why)
        nsc_sheet_note(sheet, "%s", why);
    for (uint32_t i = 0; !why && i < steps.iterations.n; i++)
        for (uint32_t l = 0; l < steps.iterations.n_lines; l++) {
            const struct nsc_iteration_line *line = &steps.iterations.lines[l];

            if (i >= line->first && i - line->first < line->n &&
                touches(line->at[i - line->first].window, question->scope))
                add_step(sheet, &steps, l, i - line->first);
        }
    if (!why) {
        note_steps(sheet, &steps);
        add_interludes(out, question, &steps);
    }
    free_steps(&steps);
}

/* ---- iteration_detail ---- */

struct detail_row {
    uint32_t iteration;
    struct nsc_tally_row of;
    nsc_time all;
    struct nsc_text kernel;
};

const struct nsc_sheet_column nsc_skill_iteration_detail_columns[] = {
    NSC_COL_ID(detail_row, iteration, "iteration", "Iteration"),
    NSC_COL_COUNT(detail_row, of.count, "count", "Kernels"),
    NSC_COL_NS(detail_row, of.total, "total_ns", "Total"),
    NSC_COL_SHARE(detail_row, of.total, all, "share", "Share",
                  "summed kernel time of the iteration"),
    NSC_COL_TEXT(detail_row, kernel, "kernel", "Kernel"),
    {0},
};

/* Adds the kernels that the process of the first line launches in the window, by the first name with
 * their brief one. */
static void add_kernels(struct nsc_tally *tally, const struct steps *steps, const nsc_name first[],
                        struct nsc_window w)
{
    const struct nsc_events *events = nsc_trace_events(steps->scope->trace);

    for (uint32_t t = NSC_NONE; next_thread(&t, steps, 0);) {
        struct nsc_positions in = find_positions(steps->of.kernels, t, w);

        for (uint32_t at = in.first; at < in.end; at++) {
            nsc_event op = nsc_launches_op(steps->of.kernels, at);

            (void)nsc_tally_add(tally, first[events->name[op]], 0, nsc_event_duration(events, op));
        }
    }
}

static void add_details(struct nsc_sheet *sheet, const struct nsc_question *question,
                        const struct steps *steps, uint32_t iteration)
{
    const struct nsc_trace *trace = steps->scope->trace;
    uint32_t at = iteration - steps->iterations.lines[0].first;
    struct step step = measure_step(steps, 0, at);
    nsc_name *first = nsc_names_by_brief(trace);
    struct nsc_tally tally = {0};
    struct nsc_window w;
    uint32_t *order;
    size_t shown;

    for (uint32_t k = 0; piece_of(&w, steps, 0, at, k); k++)
        add_kernels(&tally, steps, first, w);
    order = nsc_tally_sort(&tally, NSC_TALLY_TOTAL, 1, NULL);
    shown = nsc_question_limit(question, sheet, tally.rows.n);
    for (size_t i = 0; i < shown; i++) {
        const struct nsc_tally_row *of = &tally.rows.at[order[i]];

        NSC_ADD_ROW(sheet, detail_row, .iteration = iteration, .of = *of, .all = step.work,
                    .kernel = nsc_trace_string(trace, nsc_trace_names(trace)->brief[of->key[0]]));
    }
    free(order);
    free(first);
    nsc_tally_fini(&tally);
    sheet->window = steps->iterations.lines[0].at[at].host;
}

void nsc_skill_iteration_detail(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, iteration_detail);
    int64_t iteration = question->params[NSC_PARAM_ITERATION].integer;
    struct steps steps;
    const char *why = find_steps(&steps, question);

    if (why) {
        nsc_sheet_note(sheet, "%s", why);
    } else if (iteration < steps.iterations.lines[0].first ||
               iteration - steps.iterations.lines[0].first >= steps.iterations.lines[0].n) {
        (void)nsc_fail(question->error, NSC_EINVAL,
                       "iteration=%lld: there are %u iterations, numbered from %u",
                       (long long)iteration, (unsigned)steps.iterations.lines[0].n,
                       (unsigned)steps.iterations.lines[0].first);
    } else {
        add_details(sheet, question, &steps, (uint32_t)iteration);
        note_steps(sheet, &steps);
        if (nsc_sheet_rows(sheet) > 0)
            nsc_iteration_compare_add(out, question, (uint32_t)iteration);
        else
            nsc_sheet_note(sheet, "Iteration %u launches no kernels.", (uint32_t)iteration);
    }
    free_steps(&steps);
}
