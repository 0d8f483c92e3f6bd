/*
 * nsyscope analyze: runs every diagnosis and every skill, and ranks the findings by time; with -r,
 * the rules of `nsys analyze`.
 */
#include "analysis/base/shared.h"
#include "analysis/finding/finding.h"
#include "cli/cmd/stats_run.h"
#include "cli/commands.h"
#include "cli/skill_list.h"
#include "core/text.h"
#include "core/units.h"
#include "open/progress_line.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct analysis {
    struct nsc_findings findings;
    struct nsc_skill_list list;
    struct nsc_sheets answers; /* answers of all skills; they borrow from the list */
    struct nsc_sheets shown;
};

/* ---- every skill ---- */

/* The number of rows of a skill, or the reason for none. */
struct asked_row {
    const char *skill, *question, *why_none;
    uint64_t rows;
};

/* The last note that does not describe the window. "": none. */
static const char *reason_of(const struct nsc_sheet *answer, const char *window_words)
{
    for (size_t i = answer->notes.n; i > 0; i--)
        if (!window_words || strcmp(answer->notes.at[i - 1], window_words) != 0)
            return answer->notes.at[i - 1];
    return "";
}

static void add_answer(struct nsc_sheet *sheet, const struct nsc_route_entry *entry,
                       const struct nsc_sheet *answer, const char *window_words)
{
    uint32_t rows = nsc_sheet_rows(answer);

    NSC_ADD_ROW(sheet, asked_row, .skill = entry->name, .rows = rows + answer->n_left_out,
                .question = entry->question,
                .why_none = rows == 0 ? reason_of(answer, window_words) : "");
}

/* Utility skills only list things; findings are already printed. */
static bool is_utility(const struct nsc_skill_list *list, uint32_t i)
{
    return strcmp(list->skills[i].category, "utility") == 0 ||
           strcmp(list->entries[i].name, "findings") == 0;
}

/* Keeps each skill's answer separately, without its rows, to list them in order. */
struct skill_run {
    const struct nsc_skill_list *list;
    const struct nsc_loaded_scope *loaded;
    struct nsc_sheets *answers;
};

static void ask_skill(void *context, unsigned worker, uint32_t i)
{
    struct skill_run *run = context;

    (void)worker;
    run->answers[i].counts_only = true;
    if (!is_utility(run->list, i))
        nsc_skill_list_ask(&run->answers[i], run->list, i, run->loaded);
}

/* Lists all answers and moves them to the analysis. */
static void take_answers(struct analysis *analysis, struct skill_run *run)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(asked_row, skill, "skill", "Skill"),
        NSC_COL_COUNT(asked_row, rows, "rows", "Rows"),
        NSC_COL_TEXT(asked_row, question, "question", "Question"),
        NSC_COL_TEXT(asked_row, why_none, "why_none", "Why none"),
    };
    struct nsc_sheet *sheet =
        nsc_sheets_add(&analysis->shown, "skills", "Skills asked", columns, 4);

    for (uint32_t i = 0; i < run->list->n; i++) {
        if (run->answers[i].list.n > 0)
            add_answer(sheet, &run->list->entries[i], &run->answers[i].list.at[0],
                       run->loaded->scope.words);
        for (size_t k = 0; k < run->answers[i].list.n; k++)
            *NSC_VEC_ADD(&analysis->answers.list) = run->answers[i].list.at[k];
        NSC_VEC_FINI(&run->answers[i].list);
    }
    free(run->answers);
    nsc_sheet_note(sheet, "nsyscope skill run SKILL FILE shows each.");
}

/* ---- findings, for people ---- */

static void print_lines(struct nsc_buf *out, const char *lead, const char *text, bool ascii)
{
    nsc_buf_puts(out, lead);
    nsc_text_clean(out, nsc_text_from(text), ascii);
    nsc_buf_putc(out, '\n');
}

/* number: of findings that lead so far. */
static void print_finding(struct nsc_buf *out, const struct nsc_findings *findings, size_t i,
                          size_t *number, const struct nsc_trace *trace, bool ascii)
{
    const struct nsc_finding *finding = &findings->list.at[i];
    bool is_led = finding->leader != i;
    char ns[NSC_UNITS_SPAN_BYTES] = "-";

    if (finding->ns > 0)
        nsc_units_duration(ns, finding->ns, ascii);
    if (is_led) {
        nsc_buf_puts(out, "                               the same time: ");
    } else {
        nsc_buf_printf(out, "%3zu  %-14s ", ++*number, nsc_severity_word(finding->severity));
        nsc_text_clip_right(out, nsc_text_from(ns), 10, ascii);
        nsc_buf_puts(out, "  ");
    }
    nsc_text_clean(out, nsc_text_from(finding->title), ascii);
    if (finding->track != NSC_NONE && !is_led) {
        nsc_buf_puts(out, "  [");
        nsc_text_clean(out, nsc_trace_string(trace, nsc_trace_track(trace, finding->track)->label),
                       ascii);
        nsc_buf_putc(out, ']');
    }
    nsc_buf_putc(out, '\n');
    for (size_t k = 0; k < finding->evidence.n; k++)
        if (!is_led || strncmp(finding->evidence.at[k], "threshold:", 10) != 0)
            print_lines(out, "                               ", finding->evidence.at[k], ascii);
    if (finding->has_window && !is_led) {
        nsc_buf_printf(out, "                               from %s\n",
                       nsc_units_span(ns, finding->window));
    }
    if (finding->next && !is_led)
        print_lines(out, "                               next: ", finding->next, ascii);
}

static enum nsc_status print_text(struct analysis *analysis, struct nsc_loaded_scope *loaded,
                                  struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    bool ascii = nsc_output_is_ascii();
    size_t number = 0;

    nsc_buf_puts(&out, "Findings by the time that could be saved\n");
    for (size_t i = 0; i < analysis->findings.list.n; i++)
        print_finding(&out, &analysis->findings, i, &number, loaded->trace, ascii);
    if (analysis->findings.list.n == 0)
        nsc_buf_puts(&out, "  nothing found\n");
    if (analysis->findings.window[0])
        print_lines(&out, "  ", analysis->findings.window, ascii);
    nsc_buf_puts(&out, "  " NSC_FINDINGS_NOTE "\n\n");
    return nsc_put(loaded->options, &out, error);
}

/* ---- the whole ---- */

static enum nsc_status show(struct analysis *analysis, struct nsc_loaded_scope *loaded,
                            struct nsc_error *error)
{
    struct nsc_progress_line *line;
    const struct nsc_field_sets *fields = &loaded->fields.sets;
    struct nsc_finding_others others;
    struct skill_run run = {.list = &analysis->list, .loaded = loaded};
    bool as_text = loaded->options->format == NSC_SHEET_AS_TABLE;
    enum nsc_status status;

    nsc_shared_open(&loaded->scope);
    nsc_steady_share(&loaded->steady, &loaded->scope, fields);
    analysis->findings.ascii = nsc_output_is_ascii();
    run.answers = nsc_xcalloc((size_t)run.list->n + 1, sizeof *run.answers);
    others = (struct nsc_finding_others){run.list->n_program, ask_skill, &run};
    line = nsc_progress_line_open(STDERR_FILENO, NSC_PROGRESS_LINE_MS, "questions");
    (void)nsc_findings_run_with(&analysis->findings, &loaded->scope, fields, &others,
                                nsc_progress_line_counters(line));
    nsc_progress_line_close(line);
    for (uint32_t i = run.list->n_program; i < run.list->n; i++)
        ask_skill(&run, 0, i); /* queries share the export's connection, so they run one after the
                              * other */
    if (!as_text)
        nsc_findings_sheet(&analysis->shown, &analysis->findings, &loaded->scope);
    nsc_skill_run_named(&analysis->shown, "gpu_summary", &loaded->scope, fields);
    take_answers(analysis, &run);
    status = nsc_loaded_scope_check(loaded, error);
    if (status == NSC_OK && as_text)
        status = print_text(analysis, loaded, error);
    if (status == NSC_OK)
        status = nsc_loaded_scope_print(loaded, &analysis->shown, "nsyscope.analyze", error);
    nsc_steady_close(&loaded->steady, &loaded->scope);
    nsc_shared_close(&loaded->scope);
    return status;
}

enum nsc_status nsc_cmd_analyze(const struct nsc_options *options, struct nsc_error *error)
{
    struct analysis analysis = {0};
    struct nsc_options half = *options; /* findings as text, then the tables */
    struct nsc_loaded_scope loaded;
    enum nsc_status status;

    if (options->set[NSC_OPTION_HELP_RULES])
        return nsc_stats_print_list(true, error);
    if (options->set[NSC_OPTION_RULE])
        return nsc_stats_run(options, options->arg[NSC_OPTION_RULE][0], true, error);
    if (options->format == NSC_SHEET_AS_TABLE)
        half.max_bytes = (half.max_bytes + 1) / 2;
    status = nsc_loaded_scope_open_file(&loaded, options->file, &half, error);
    if (status != NSC_OK)
        return status;
    nsc_skill_list_init(&analysis.list);
    status = show(&analysis, &loaded, error);
    nsc_sheets_fini(&analysis.shown);
    nsc_sheets_fini(&analysis.answers);
    nsc_skill_list_fini(&analysis.list);
    nsc_findings_fini(&analysis.findings);
    nsc_loaded_scope_close(&loaded);
    return status;
}
