/*
 * Adds sheets of what ops wait for: why each GPU does not compute, and the critical path of an
 * iteration.
 */
#include "analysis/device/compute_absent.h"
#include "analysis/device/critical.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"
#include "core/text.h"

/* ---- dependencies ---- */

struct absent_row {
    int64_t gpu;
    const char *cause;
    nsc_time absent, all_absent, window;
};

const struct nsc_sheet_column nsc_skill_dependencies_columns[] = {
    NSC_COL_ID(absent_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(absent_row, cause, "cause", "Cause"),
    NSC_COL_NS(absent_row, absent, "absent_ns", "No compute"),
    NSC_COL_SHARE(absent_row, absent, all_absent, "absent_share", "of no compute",
                  "time without compute"),
    NSC_COL_SHARE(absent_row, absent, window, "window_share", "of window", "window"),
    {0},
};

static void note_events(struct nsc_sheet *sheet, const struct nsc_depends *depends)
{
    if (depends->n == 0)
        nsc_sheet_note(sheet, "No wait of a stream can be matched with the event record that it "
                              "waits for, so only the order within each stream is known.");
    if (depends->n_unresolved > 0)
        nsc_sheet_note(sheet, "Waits of streams without a known event record: %u.",
                       depends->n_unresolved);
}

void nsc_skill_dependencies(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, dependencies);
    struct nsc_depends *depends;

    depends = nsc_depends_ask(scope, question->fields);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_absent absent;

        if (!nsc_absent_build(&absent, scope, depends, d))
            continue;
        for (int i = 0; i < NSC_N_ABSENT_PARTS; i++)
            NSC_ADD_ROW(sheet, absent_row, .gpu = nsc_trace_track(scope->trace, d)->gpu,
                        .cause = nsc_absent_word((enum nsc_absent_part)i), .absent = absent.part[i],
                        .all_absent = absent.absent, .window = nsc_window_length(absent.window));
    }
    nsc_sheet_note(sheet, "Each interval without compute is attributed to what the next compute "
                          "kernel waits for: its launch, earlier work on its stream, or an event. "
                          "An op that ended before the launch blocks nothing.");
    note_events(sheet, depends);
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
    nsc_depends_free(depends);
}

/* ---- critical_path ---- */

struct path_row {
    int64_t gpu;
    const char *kind;
    nsc_time start, ns, window;
};

const struct nsc_sheet_column nsc_skill_critical_path_columns[] = {
    NSC_COL_ID(path_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(path_row, kind, "class", "Class"),
    NSC_COL_NS(path_row, ns, "path_ns", "On the path"),
    NSC_COL_SHARE(path_row, ns, window, "path_share", "of path", "path"),
    {0},
};

struct step_row {
    int64_t gpu;
    const char *kind;
    nsc_time start, ns;
    struct nsc_kept_text name, where;
};

const struct nsc_sheet_column nsc_step_columns[] = {
    NSC_COL_ID(step_row, gpu, "gpu", "GPU"),
    NSC_COL_INSTANT(step_row, start, "start_ns", "From"),
    NSC_COL_NS(step_row, ns, "length_ns", "Length"),
    NSC_COL_TEXT(step_row, kind, "class", "Class"),
    NSC_COL_TEXT(step_row, name, "name", "Name"),
    NSC_COL_TEXT(step_row, where, "where", "Stream or thread"),
    {0},
};

/* The window of the chosen iteration, by default one in the middle of the run. False if there are
 * no iterations, or none of the number that is asked for, which is an error of the question. */
static bool find_iteration(struct nsc_window *out, uint32_t *number,
                           const struct nsc_question *question)
{
    const struct nsc_param_value *asked = &question->params[NSC_PARAM_ITERATION];
    struct nsc_iterations iterations = {0};
    bool found = nsc_question_iterations(&iterations, question);
    uint32_t n = found ? iterations.n : 0;

    *number = asked->is_set ? (uint32_t)asked->integer : n / 2;
    if (*number < n)
        *out = nsc_iterations_window(&iterations, *number);
    else if (asked->is_set)
        (void)nsc_fail(question->error, NSC_EINVAL,
                       "iteration=%u: there are %u iterations, numbered from 0", *number, n);
    if (found)
        nsc_iterations_fini(&iterations);
    return *number < n;
}

static void add_path(struct nsc_sheet sheets[2], const struct nsc_question *question, int64_t gpu,
                     const struct nsc_critical *path)
{
    const struct nsc_trace *trace = question->scope->trace;
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    size_t n = nsc_question_limit(question, &sheets[1], path->n);

    for (int i = 0; i < NSC_N_CRITICAL_KINDS; i++)
        NSC_ADD_ROW(&sheets[0], path_row, .gpu = gpu,
                    .kind = nsc_critical_word((enum nsc_critical_kind)i), .ns = path->part[i],
                    .window = nsc_window_length(path->window));
    for (size_t i = 0; i < n; i++) {
        const struct nsc_critical_step *step = &path->steps[i];
        struct nsc_kept_text name = {0}, where = {0};

        if (step->event != NSC_NONE) {
            uint32_t track = lanes[nsc_trace_lane_of(trace, step->event)].track;

            name = nsc_label_event(&sheets[1], trace, step->event);
            where = nsc_sheet_keep(&sheets[1],
                                   nsc_trace_string(trace, nsc_trace_track(trace, track)->label));
        }
        NSC_ADD_ROW(&sheets[1], step_row, .gpu = gpu, .start = step->start,
                    .ns = nsc_span(step->start, step->end),
                    .kind = nsc_critical_word((enum nsc_critical_kind)step->kind), .name = name,
                    .where = where);
    }
}

void nsc_skill_critical_path(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_window window = scope->window;
    bool is_whole = !scope->has_window;
    struct nsc_depends *depends;
    size_t first = out->list.n;
    struct nsc_sheet *sheets;
    uint32_t number = 0;

    (void)NSC_SKILL_SHEET(out, question, critical_path);
    (void)nsc_question_more(out, question, "critical_steps", "The steps of the path",
                            nsc_step_columns);
    sheets = &out->list.at[first];
    if ((is_whole || question->params[NSC_PARAM_ITERATION].is_set) &&
        find_iteration(&window, &number, question)) {
        is_whole = false;
        sheets[0].window = sheets[1].window = window;
        nsc_sheet_note(&sheets[0], "The path of iteration %u; -p iteration=N selects another one.",
                       number);
    } else if (is_whole) {
        nsc_sheet_note(&sheets[0], "No iteration is known there, so the path covers each GPU's "
                                   "work from the first op to the last.");
    }
    depends = nsc_depends_ask(scope, question->fields);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_critical path;
        struct nsc_window of_scope;

        if (!nsc_device_window(&of_scope, scope, d) ||
            !nsc_critical_build(&path, scope, depends, d, is_whole ? of_scope : window))
            continue;
        add_path(sheets, question, nsc_trace_track(scope->trace, d)->gpu, &path);
        nsc_critical_fini(&path);
    }
    if (scope->mask)
        nsc_sheet_note(&sheets[0], "The path includes ops that the filter drops.");
    nsc_sheet_note(
        &sheets[0],
        "The path is followed back from what the next compute op after it waited for; without one, "
        "from the op that ends last. An op is ready at the later of two times: its "
        "launch call returns, or the op it waits for ends. The classes add up to the window.");
    note_events(&sheets[0], depends);
    nsc_sheet_note_empty(&sheets[0], "No GPU has work in the window.");
    nsc_depends_free(depends);
}
