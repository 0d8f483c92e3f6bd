/*
 * Property tests of all skills: on any trace of one export or two, window and selection each answer matches
 * docs/json/answer.schema.json, respects its limit, and has shares of a whole between 0 and 100;
 * figures of launches equal a plain loop.
 */
#include "analysis/ranges/iterations.h"
#include "analysis/skill/skill.h"
#include "core/bits.h"
#include "core/text.h"
#include "serve/envelope.h"
#include "serve/shape.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"
#include "support/json_schema.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 120, ROUNDS = 24 };

static const char *const kernel_names[] = {
    "gemm", "void softmax<float>(int)", "ncclAllReduce", "ncclDevKernel_SendRecv", "nvjet_tst", ""};
static const char *const range_names[] = {"step 1", "step 2",  "layer 3",
                                          "gc",     "forward", "a\x1b[m"};
static const char *const call_names[] = {"cudaLaunchKernel_v7000", "cudaStreamSynchronize",
                                         "cudaMalloc", "cuModuleLoadData", "cudaMemcpyAsync"};

static struct nsc_test_row roll_row(struct dice *dice, uint64_t exports)
{
    static const uint8_t kinds[] = {
        NSC_KIND_KERNEL,      NSC_KIND_KERNEL,    NSC_KIND_KERNEL,    NSC_KIND_COPY_HTOD,
        NSC_KIND_COPY_DTOD,   NSC_KIND_MEMSET,    NSC_KIND_GRAPH,     NSC_KIND_NVTX_RANGE,
        NSC_KIND_NVTX_RANGE,  NSC_KIND_NVTX_SPAN, NSC_KIND_NVTX_MARK, NSC_KIND_API_RUNTIME,
        NSC_KIND_API_RUNTIME, NSC_KIND_SYNC,      NSC_KIND_SAMPLE,    NSC_KIND_OSRT};
    uint8_t kind = kinds[dice_below(dice, sizeof kinds)];
    struct nsc_test_row row = {.kind = kind,
                               .process = 1 + dice_below(dice, 2),
                               .tid = 1 + (uint32_t)dice_below(dice, 2),
                               .device = (int64_t)dice_below(dice, 2),
                               .stream = (int64_t)dice_below(dice, 3),
                               .domain = (int64_t)dice_below(dice, 2),
                               .start = (nsc_time)dice_below(dice, 5000),
                               .correlation = 1 + (uint32_t)dice_below(dice, MAX_ROWS / 3),
                               .capture_no = (uint32_t)dice_below(dice, exports)};

    row.end = row.start + (nsc_time)dice_below(dice, 600);
    if (kind == NSC_KIND_KERNEL)
        row.name = kernel_names[dice_below(dice, 6)];
    else if (nsc_kind_is_nvtx(kind))
        row.name = range_names[dice_below(dice, 6)];
    else if (nsc_kind_is_api(kind))
        row.name = call_names[dice_below(dice, 5)];
    if (kind == NSC_KIND_NVTX_MARK || kind == NSC_KIND_SAMPLE)
        row.end = row.start;
    return row;
}

/* No part exceeds the whole of its share, except in columns that allow it. */
static void check_cells(const struct nsc_sheet *sheet)
{
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++) {
        for (uint32_t c = 0; c < sheet->n_columns; c++) {
            const struct nsc_sheet_column *column = &sheet->columns[c];
            const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, r, c);

            if (!cell->is_set)
                continue;
            if (column->kind == NSC_SHEET_NS || column->kind == NSC_SHEET_BYTES ||
                column->kind == NSC_SHEET_COUNT)
                if (cell->integer < 0 && strncmp(column->key, "delay", 5) != 0) /* a difference */
                    fail_msg("%s: %s is negative", sheet->key, column->key);
            if (column->kind == NSC_SHEET_PERCENT && (!column->of || cell->number < 0))
                fail_msg("%s: %s is no share", sheet->key, column->key);
        }
    }
}

static void check_answer(const struct nsc_skill *skill, struct nsc_sheets *sheets,
                         const struct nsc_question *question)
{
    struct nsc_sheet_style style = {.format = NSC_SHEET_AS_JSON};
    struct nsc_envelope envelope = {.is_json = true};
    struct nsc_error error = {0};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    const struct nsc_param_value *limit = &question->params[NSC_PARAM_LIMIT];

    assert_true(sheets->list.n > 0);
    assert_string_equal(sheets->list.at[0].key, skill->name);
    for (size_t i = 0; i < sheets->list.n; i++)
        check_cells(&sheets->list.at[i]);
    if (limit->is_set && limit->integer > 0 && sheets->list.at[0].n_left_out > 0)
        assert_true(nsc_sheet_rows(&sheets->list.at[0]) > 0);
    assert_int_equal(nsc_sheets_shape(sheets, &(struct nsc_wanted){.has_keys = true}, &error),
                     NSC_OK);
    assert_int_equal(nsc_envelope_take(&envelope, sheets, "nsyscope.skill", 0, &error), NSC_OK);
    nsc_envelope_write(&out, &envelope, "skill", NSC_OK, &error);
    nsc_envelope_fini(&envelope);
    nsc_test_json_matches(NSC_TEST_SOURCE_DIR "/docs/json/answer.schema.json",
                          (struct nsc_text){out.bytes, (uint32_t)out.n});
    for (int format = 0; format < NSC_N_SHEET_FORMATS; format++) {
        nsc_buf_clear(&out);
        style.format = (enum nsc_sheet_format)format;
        style.width = 80;
        nsc_sheets_write(&out, sheets, &style);
        assert_null(memchr(out.bytes, '\x1b', out.n)); /* no name of a file reaches a terminal */
    }
    nsc_buf_fini(&out);
}

static void ask_all(const struct nsc_scope *scope, struct dice *dice)
{
    static const char *const given[] = {"limit=2",    "limit=0",  "name=e",         "min=0",
                                        "count=1",    "depth=0",  "iteration=1",    "marker=step #",
                                        "flops=1e12", "peak=900", "parent=forward", "factor=0.5"};
    uint32_t n = 0;
    const struct nsc_skill *skills = nsc_skills(&n);

    for (uint32_t i = 0; i < n; i++) {
        struct nsc_question question = nsc_question_of(&skills[i], scope, NULL);
        struct nsc_sheets sheets = {0};
        struct nsc_error ignored = {0};

        for (int k = 0; k < 3; k++) { /* what a skill does not take, it refuses */
            size_t at = dice_below(dice, sizeof given / sizeof *given);

            if (nsc_question_set(&question, given[at], &ignored) != NSC_OK)
                assert_true(ignored.text[0] != '\0');
        }
        skills[i].run(&sheets, &question);
        check_answer(&skills[i], &sheets, &question);
        nsc_sheets_fini(&sheets);
    }
}

/* ---- launches, by a plain loop ---- */

static int64_t get(const struct nsc_sheet *sheet, uint32_t row, const char *key)
{
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (strcmp(sheet->columns[c].key, key) == 0)
            return nsc_sheet_at(sheet, row, c)->integer;
    fail_msg("no column %s", key);
    return 0;
}

/* Of the kernels on a GPU whose short name is that of the row. */
static void check_launch_row(const struct nsc_sheet *sheet, uint32_t row,
                             const struct nsc_scope *scope)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const struct nsc_names *names = nsc_trace_names(scope->trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, NULL);
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_text name = nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, sheet->n_columns - 1));
    int64_t kernels = 0;
    int64_t queued = 0;
    nsc_time kernel = 0;
    nsc_time queue = 0;
    nsc_time queue_max = 0;

    for (nsc_event e = 0; e < events->n; e++) {
        struct nsc_text own = nsc_trace_string(scope->trace, names->brief[events->name[e]]);
        nsc_time wait;

        if (events->kind[e] != NSC_KIND_KERNEL || !nsc_scope_has(scope, e) ||
            events->link[e] == NSC_NONE || own.n != name.n ||
            memcmp(own.bytes, name.bytes, own.n) != 0 ||
            tracks[lanes[nsc_trace_lane_of(scope->trace, e)].track].device !=
                get(sheet, row, "gpu"))
            continue;
        kernels++;
        kernel += nsc_event_duration(events, e);
        wait = events->start[e] - nsc_event_end(events, events->link[e]);
        queued += wait >= 0;
        queue += wait >= 0 ? wait : 0;
        queue_max = wait > queue_max ? wait : queue_max;
    }
    assert_int_equal(get(sheet, row, "launches"), kernels);
    assert_int_equal(get(sheet, row, "kernel_avg_ns"), kernel / kernels);
    assert_int_equal(get(sheet, row, "queued"), queued);
    if (queued > 0)
        assert_int_equal(get(sheet, row, "queue_avg_ns"), queue / queued);
    assert_int_equal(get(sheet, row, "queue_max_ns"), queue_max);
}

static int64_t count_linked(const struct nsc_scope *scope)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    int64_t n = 0;

    for (nsc_event e = 0; e < events->n; e++)
        n += events->kind[e] == NSC_KIND_KERNEL && events->link[e] != NSC_NONE &&
             nsc_scope_has(scope, e);
    return n;
}

static void check_launches(const struct nsc_scope *scope)
{
    static const char *const names[] = {"launch", "cpu_gpu_pipeline"};
    static const char *const columns[] = {"launches", "kernels"};
    static const size_t at[] = {3, 0}; /* the sheet of short kernels, that of threads */
    int64_t wanted = count_linked(scope);
    uint32_t n_events = nsc_trace_events(scope->trace)->n;

    for (int i = 0; i < 2; i++) {
        const struct nsc_skill *skill = nsc_skill_find(names[i]);
        struct nsc_question question = nsc_question_of(skill, scope, NULL);
        struct nsc_sheets sheets = {0};
        struct nsc_error error = {0};
        const struct nsc_sheet *sheet;
        int64_t n = 0;

        if (i == 0) {
            assert_int_equal(nsc_question_set(&question, "count=0", &error), NSC_OK);
            assert_int_equal(nsc_question_set(&question, "below=1s", &error), NSC_OK);
            assert_int_equal(nsc_question_set(&question, "limit=0", &error), NSC_OK);
        }
        skill->run(&sheets, &question);
        sheet = &sheets.list.at[at[i]];
        for (uint32_t row = 0; row < nsc_sheet_rows(sheet); row++) {
            n += get(sheet, row, columns[i]);
            if (i == 0 && nsc_trace_captures(scope->trace, NULL)[0].n_events == n_events)
                check_launch_row(sheet, row, scope);
        }
        assert_int_equal(n, wanted);
        nsc_sheets_fini(&sheets);
    }
}

/* ---- iterations, by a plain loop ---- */

/* Whether the host is in iteration i at t, and not in an interlude of it. */
static bool is_in_iteration(const struct nsc_iterations *iterations, uint32_t i, nsc_time t)
{
    struct nsc_window host = iterations->at[i].host;

    for (uint32_t k = 0; k < iterations->n_interludes; k++) {
        const struct nsc_interlude *of = &iterations->interludes[k];

        if (of->after == i && t >= of->window.t0 && t < of->window.t1)
            return false;
    }
    return t >= host.t0 && t < host.t1;
}

/* Kernels and graphs of the scope's rows whose call begins in an iteration, on any thread of the
 * process. */
static int64_t count_launched(const struct nsc_scope *scope, uint64_t process,
                              const struct nsc_iterations *iterations, uint32_t i, nsc_time *work)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, NULL);
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    int64_t n = 0;

    *work = 0;
    for (nsc_event e = 0; e < events->n; e++) {
        nsc_event call = events->link[e];

        if ((events->kind[e] != NSC_KIND_KERNEL && events->kind[e] != NSC_KIND_GRAPH) ||
            call == NSC_NONE || (scope->mask && !nsc_bits_get(scope->mask, e)) ||
            !is_in_iteration(iterations, i, events->start[call]) ||
            tracks[lanes[nsc_trace_lane_of(scope->trace, call)].track].process != process)
            continue;
        n++;
        *work += nsc_event_duration(events, e);
    }
    return n;
}

static void check_iterations(const struct nsc_scope *scope)
{
    const struct nsc_skill *skill = nsc_skill_find("iteration_timing");
    struct nsc_question question = nsc_question_of(skill, scope, NULL);
    struct nsc_sheets sheets = {0};
    struct nsc_error error = {0};
    struct nsc_iterations iterations;
    bool found = nsc_iterations_named(&iterations, scope, nsc_text_from("step #"));

    assert_int_equal(nsc_question_set(&question, "marker=step #", &error), NSC_OK);
    skill->run(&sheets, &question);
    for (uint32_t row = 0; iterations.n_lines == 1 && row < nsc_sheet_rows(&sheets.list.at[0]);
         row++) {
        const struct nsc_sheet *sheet = &sheets.list.at[0];
        uint32_t i = (uint32_t)get(sheet, row, "iteration");
        const struct nsc_iteration *it = &iterations.at[i];
        const struct nsc_track *track = nsc_trace_track(scope->trace, iterations.lines[0].track);
        nsc_time work = 0;

        assert_true(found);
        assert_int_equal(get(sheet, row, "kernels"),
                         count_launched(scope, track->process, &iterations, i, &work));
        assert_int_equal(get(sheet, row, "work_ns"), work);
        assert_int_equal(get(sheet, row, "start_ns"), it->window.t0);
        assert_true(it->window.t0 < scope->window.t1 && it->window.t1 > scope->window.t0);
    }
    nsc_sheets_fini(&sheets);
    if (found)
        nsc_iterations_fini(&iterations);
}

TEST(test_every_skill_answers_any_trace)
{
    struct dice dice = dice_new(76);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_test_row rows[MAX_ROWS];
        uint32_t n = (uint32_t)dice_below(&dice, MAX_ROWS);
        uint64_t exports = 1 + dice_below(&dice, 2);
        struct nsc_trace *trace;
        struct nsc_scope scope;
        uint64_t mask[4];

        for (uint32_t i = 0; i < n; i++)
            rows[i] = roll_row(&dice, exports);
        trace = nsc_test_trace_build(rows, n);
        scope = nsc_scope_all(trace);
        ask_all(&scope, &dice);
        check_launches(&scope);
        check_iterations(&scope);
        for (int i = 0; i < 4; i++)
            mask[i] = dice_next(&dice);
        scope.mask = mask;
        scope.summary = nsc_summary_build(trace, mask);
        scope.has_window = true;
        scope.window.t0 = (nsc_time)dice_below(&dice, 5000);
        scope.window.t1 = scope.window.t0 + 1 + (nsc_time)dice_below(&dice, 2000);
        ask_all(&scope, &dice);
        check_launches(&scope);
        check_iterations(&scope);
        nsc_summary_free((struct nsc_summary *)(uintptr_t)scope.summary);
        nsc_trace_free(trace);
    }
}
