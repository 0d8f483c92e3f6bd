/* Runs all sources of findings; keeps, ranks and lists what they find. */
#include "analysis/finding/finding.h"

#include "analysis/base/loss.h"
#include "analysis/base/shared.h"
#include "analysis/base/tally.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/steady.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "core/progress.h"
#include "core/sort.h"
#include "core/strpool.h"
#include "core/text.h"
#include "core/threads.h"
#include "core/units.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT_BYTES 4096 /* longer lines are cut */

/* TORN: the scope has GPU work, and events of it are lost. */
enum scopes { CPU = 1, TORN = 2, WHOLE = 4, GPU = TORN | WHOLE, ANY = CPU | GPU, INFO = 8 };

static const struct {
    void (*ask)(struct nsc_findings *, const struct nsc_scope *, const struct nsc_field_sets *);
    enum scopes scopes;
} sources[] = {
#define NSC_FINDING(function, scopes) {function, scopes},
#include "analysis/finding/finding.def"
#undef NSC_FINDING
};

const char *nsc_severity_word(enum nsc_severity severity)
{
    static const char *const words[NSC_N_SEVERITIES] = {"high", "medium", "low", "info",
                                                        "not assessable"};

    return words[severity];
}

NSC_PRINTF(1, 0)
static char *print_text(const char *format, va_list args)
{
    char text[TEXT_BYTES];
    int n = vsnprintf(text, sizeof text, format, args);
    size_t kept = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    char *copy = nsc_xmalloc(kept + 1);

    memcpy(copy, text, kept);
    copy[kept] = '\0';
    return copy;
}

struct nsc_shown nsc_show_ns(const struct nsc_finding *finding, nsc_time ns)
{
    struct nsc_shown shown;

    nsc_units_duration(shown.text, ns, finding->ascii);
    return shown;
}

struct nsc_shown nsc_show(struct nsc_text text)
{
    struct nsc_shown shown;

    (void)snprintf(shown.text, sizeof shown.text, "%.*s",
                   (int)(text.n < NSC_SHOWN_BYTES ? text.n : NSC_SHOWN_BYTES), text.bytes);
    return shown;
}

struct nsc_shown nsc_show_track(const struct nsc_trace *trace, uint32_t track)
{
    return nsc_show(nsc_trace_string(trace, nsc_trace_track(trace, track)->label));
}

struct nsc_shown nsc_show_range(const struct nsc_trace *trace, nsc_event range, bool is_mixed)
{
    char name[NSC_NAME_BYTES];

    if (range == NSC_NONE)
        return (struct nsc_shown){""};
    return nsc_show((struct nsc_text){name, nsc_label_pattern(name, trace, range, is_mixed)});
}

void nsc_finding_fini(struct nsc_finding *finding)
{
    for (size_t k = 0; k < finding->evidence.n; k++)
        free(finding->evidence.at[k]);
    NSC_VEC_FINI(&finding->evidence);
    NSC_VEC_FINI(&finding->likewise);
    free(finding->title);
    free(finding->next);
}

void nsc_findings_fini(struct nsc_findings *findings)
{
    for (size_t i = 0; i < findings->list.n; i++)
        nsc_finding_fini(&findings->list.at[i]);
    NSC_VEC_FINI(&findings->list);
}

static struct nsc_finding *add_finding(struct nsc_findings *findings, const char *key,
                                       enum nsc_severity severity, char *title)
{
    struct nsc_finding *finding = NSC_VEC_ADD(&findings->list);

    *finding = (struct nsc_finding){.key = key,
                                    .leader = (uint32_t)findings->list.n - 1,
                                    .ascii = findings->ascii,
                                    .title = title,
                                    .severity = severity,
                                    .threshold = NSC_NO_THRESHOLD,
                                    .event = NSC_NONE,
                                    .track = NSC_NONE};
    return finding;
}

struct nsc_finding *nsc_findings_add(struct nsc_findings *findings, const char *key,
                                     enum nsc_severity severity, const char *title, ...)
{
    va_list args;
    char *text;

    va_start(args, title);
    text = print_text(title, args);
    va_end(args);
    return add_finding(findings, key, severity, text);
}

struct nsc_finding *nsc_findings_add_unassessed(struct nsc_findings *findings, const char *key,
                                                const char *what, const char *reason, ...)
{
    char line[TEXT_BYTES];
    va_list args;
    char *text;

    va_start(args, reason);
    text = print_text(reason, args);
    va_end(args);
    (void)snprintf(line, sizeof line, "%s: not assessable: %s", what, text);
    free(text);
    return nsc_findings_add(findings, key, NSC_SEVERITY_NOT_ASSESSABLE, "%s", line);
}

void nsc_finding_evidence(struct nsc_finding *finding, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    *NSC_VEC_ADD(&finding->evidence) = print_text(format, args);
    va_end(args);
}

void nsc_finding_next(struct nsc_finding *finding, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    free(finding->next);
    finding->next = print_text(format, args);
    va_end(args);
}

void nsc_finding_place(struct nsc_finding *finding, uint32_t track, nsc_time ns,
                       struct nsc_window window)
{
    finding->track = track;
    finding->ns = ns;
    finding->has_window = true;
    finding->window = window;
}

void nsc_finding_under(struct nsc_finding *finding, const char *rule, uint32_t track)
{
    finding->head = rule;
    finding->head_track = track;
}

static bool has_gpu_work(const struct nsc_scope *scope)
{
    return nsc_scope_has_kinds(scope, NSC_KIND_KERNEL, NSC_KIND_MEMSET);
}

#define N_SOURCES (sizeof sources / sizeof *sources)

struct finding_run {
    const struct nsc_scope *scope, *narrow;
    const struct nsc_field_sets *fields;
    struct nsc_progress *progress;
    enum scopes own;
    struct nsc_finding_others others;
    struct nsc_findings parts[N_SOURCES]; /* findings of each source */
};

static void ask_source(struct finding_run *run, uint32_t i)
{
    if (sources[i].scopes & run->own && !(run->parts[i].is_of_losses && sources[i].scopes & INFO))
        sources[i].ask(&run->parts[i], sources[i].scopes & CPU ? run->scope : run->narrow,
                       run->fields);
}

/* The longest questions come first: those of the caller, the last sources. */
static void run_task(void *context, unsigned worker, uint32_t i)
{
    struct finding_run *run = context;
    uint32_t n = run->others.n;

    if (nsc_progress_is_cancelled(run->progress))
        return;
    if (i < n)
        run->others.ask(run->others.context, worker, i);
    else
        ask_source(run, (uint32_t)N_SOURCES - 1 - (i - n));
    nsc_progress_add(run->progress, 1, 0);
}

/* Finds the leaders by rule and track: the first of them. */
static void find_leaders(struct nsc_findings *findings)
{
    struct nsc_finding *at = findings->list.at;
    struct nsc_tally known = {0};
    NSC_VEC(uint32_t) first = {0}; /* by rule and track */
    struct nsc_strpool rules;

    nsc_strpool_init(&rules);
    for (uint32_t i = 0; i < findings->list.n; i++)
        for (size_t k = 0; !at[i].head && k <= at[i].likewise.n; k++)
            if (nsc_tally_group(&known, k ? at[i].likewise.at[k - 1].track : at[i].track,
                                nsc_strpool_add(&rules, at[i].key, strlen(at[i].key))) == first.n)
                *NSC_VEC_ADD(&first) = i;
    for (uint32_t i = 0; i < findings->list.n; i++) {
        uint32_t group =
            at[i].head ? nsc_tally_group(&known, at[i].head_track,
                                         nsc_strpool_add(&rules, at[i].head, strlen(at[i].head)))
                       : NSC_NONE;

        at[i].leader = group < first.n ? first.at[group] : i;
        if (group >= first.n)
            at[i].head = NULL; /* nothing is found there */
    }
    nsc_strpool_fini(&rules);
    NSC_VEC_FINI(&first);
    nsc_tally_fini(&known);
}

/* How well a finding names the cause of idle time: 3 one cause of most of it, 2 small launches, 1 what
 * the CPU does, 0 a part of it, or not at all. */
static int rate_cause(const struct nsc_finding *finding, const struct nsc_finding *idle)
{
    if (finding == idle || strcmp(idle->key, "gpu-idle") != 0 ||
        idle->severity >= NSC_SEVERITY_INFO || strcmp(finding->key, "exposed-communication") == 0 ||
        strcmp(finding->key, "slow-iterations") == 0)
        return 0;
    return finding->is_cause ? 3 * (finding->ns >= idle->ns / 2)
                             : 2 - (strcmp(finding->key, "cpu-bottleneck") == 0);
}

/* The finding that names the cause of a GPU's idle time best leads; those of the same time are under
 * it. If it names one cause, the other causes stand alone. */
static void lead_groups(struct nsc_findings *findings)
{
    struct nsc_finding *at = findings->list.at;
    uint32_t n = (uint32_t)findings->list.n;
    int *most = nsc_xcalloc(n + 1, sizeof *most);
    uint32_t *lead = nsc_sort_numbers(n);

    find_leaders(findings);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t idle = at[i].leader;
        int rate = rate_cause(&at[i], &at[idle]);

        if (rate > most[idle]) {
            most[idle] = rate;
            lead[idle] = i;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t idle = at[i].leader;

        if (most[idle] > 0)
            nsc_finding_under(
                &at[i],
                lead[idle] == i || (most[idle] == 3 && at[i].is_cause) ? NULL : at[lead[idle]].key,
                at[idle].track);
    }
    free(most);
    free(lead);
}

/* Asks questions about GPUs of narrow, which may be the steady state, and all others of scope. */
static bool ask_sources(struct nsc_findings *out, const struct nsc_scope *scope,
                        const struct nsc_scope *narrow, const struct nsc_field_sets *fields,
                        const struct nsc_finding_others *others, struct nsc_progress *progress)
{
    struct nsc_loss loss;
    struct finding_run run = {.scope = scope,
                              .narrow = narrow,
                              .fields = fields,
                              .progress = progress,
                              .others = *others,
                              .own = !has_gpu_work(scope)                  ? CPU
                                     : nsc_loss_find(&loss, scope, fields) ? TORN
                                                                           : WHOLE};
    struct nsc_pool *pool = nsc_pool_new(0);
    uint32_t n = (uint32_t)N_SOURCES + others->n;

    for (size_t i = 0; i < N_SOURCES; i++) {
        run.parts[i] = *out;
        memset(&run.parts[i].list, 0, sizeof run.parts[i].list);
    }
    nsc_progress_set_rows(progress, n);
    nsc_pool_run(pool, n, run_task, &run);
    nsc_pool_free(pool);
    for (size_t i = 0; i < N_SOURCES; i++) {
        for (size_t k = 0; k < run.parts[i].list.n; k++)
            *NSC_VEC_ADD(&out->list) = run.parts[i].list.at[k];
        NSC_VEC_FINI(&run.parts[i].list);
    }
    if (nsc_progress_is_cancelled(progress))
        return false;
    nsc_find_healthy(out, narrow);
    lead_groups(out);
    nsc_findings_join_gpus(out, scope->trace);
    nsc_findings_cite(out);
    nsc_findings_rank(out);
    return !nsc_progress_is_cancelled(progress);
}

const char *nsc_finding_window_words(const struct nsc_findings *findings,
                                     const struct nsc_scope *scope)
{
    if (findings->is_steady)
        return "the steady state";
    return scope->has_window ? "the window asked for" : "the time from its first to its last work";
}

/* The same; computes common answers about narrow once, in a store. */
static bool ask_shared(struct nsc_findings *out, const struct nsc_scope *scope,
                       const struct nsc_scope *narrow, const struct nsc_field_sets *fields,
                       const struct nsc_finding_others *others, struct nsc_progress *progress)
{
    struct nsc_scope own = *narrow;
    bool result;

    if (nsc_shared_keeps(narrow, 0))
        return ask_sources(out, scope, narrow, fields, others, progress);
    nsc_shared_open(&own);
    result = ask_sources(out, scope, &own, fields, others, progress);
    nsc_shared_close(&own);
    return result;
}

bool nsc_findings_run(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields, struct nsc_progress *progress)
{
    return nsc_findings_run_with(out, scope, fields, &(struct nsc_finding_others){0}, progress);
}

bool nsc_findings_run_with(struct nsc_findings *out, const struct nsc_scope *scope,
                           const struct nsc_field_sets *fields,
                           const struct nsc_finding_others *others, struct nsc_progress *progress)
{
    struct nsc_scope all = *scope;
    struct nsc_steady steady;
    bool is_own = !nsc_shared_keeps(scope, 0);
    bool result;

    progress = progress ? progress : scope->stop;
    all.stop = progress;
    if (is_own)
        nsc_shared_open(&all);
    nsc_steady_open(&steady, &all);
    out->is_steady = all.steady != NULL;
    (void)snprintf(out->window, sizeof out->window, "%s",
                   all.steady  ? all.steady->words
                   : all.words ? all.words
                               : "");
    result = ask_shared(out, &all, all.steady ? all.steady : &all, fields, others, progress);
    nsc_steady_close(&steady, &all);
    if (is_own)
        nsc_shared_close(&all);
    return result;
}

/* Class for ranking: lost events; findings with time to save, or that there are none; information;
 * questions that were not assessable. */
static int class_of(const struct nsc_finding *finding)
{
    if (finding->severity < NSC_SEVERITY_INFO || strcmp(finding->key, "healthy") == 0)
        return strcmp(finding->key, "lost-events") == 0 ? -1 : 0;
    return (int)finding->severity;
}

static int compare_ranks(const void *context, uint32_t a, uint32_t b)
{
    const struct nsc_finding *x = (const struct nsc_finding *)context + a;
    const struct nsc_finding *y = (const struct nsc_finding *)context + b;

    if (class_of(x) != class_of(y))
        return class_of(x) - class_of(y);
    return x->ns != y->ns ? NSC_ORDER(y->ns, x->ns) : (int)x->severity - (int)y->severity;
}

/* The leader comes first. */
static int compare_groups(const void *context, uint32_t a, uint32_t b)
{
    const struct nsc_finding *at = context;

    return at[a].leader != at[b].leader ? NSC_ORDER(at[a].leader, at[b].leader)
                                        : (at[a].leader != a) - (at[b].leader != b);
}

/* Sorts; equal findings keep their order. */
static void sort_findings(struct nsc_findings *findings,
                          int (*compare)(const void *context, uint32_t a, uint32_t b))
{
    uint32_t n = (uint32_t)findings->list.n;
    uint32_t *order = nsc_sort_numbers(n);
    struct nsc_finding *sorted = nsc_xcalloc(n + 1, sizeof *sorted);

    nsc_sort_by(order, n, compare, findings->list.at);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = findings->list.at[order[i]];
    free(order);
    free(findings->list.at);
    findings->list.at = sorted;
    findings->list.capacity = n + 1;
}

/* Puts each finding that explains another one behind it. */
void nsc_findings_rank(struct nsc_findings *findings)
{
    sort_findings(findings, compare_ranks);
    find_leaders(findings);
    sort_findings(findings, compare_groups);
    find_leaders(findings);
}

struct finding_row {
    size_t number; /* from 1 */
    int64_t under;
    const char *severity, *key, *title, *next;
    nsc_time ns, start, end;
    struct nsc_kept_text evidence, where;
};

static struct nsc_kept_text keep_evidence(struct nsc_sheet *sheet,
                                          const struct nsc_finding *finding)
{
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);

    for (size_t i = 0; i < finding->evidence.n; i++) {
        nsc_buf_puts(&line, i > 0 ? "; " : "");
        nsc_buf_puts(&line, finding->evidence.at[i]);
    }
    return nsc_sheet_keep_buf(sheet, &line);
}

static void add_row(struct nsc_sheet *sheet, const struct nsc_findings *findings, size_t i,
                    const struct nsc_trace *trace)
{
    const struct nsc_finding *finding = &findings->list.at[i];
    size_t head = finding->leader;
    struct finding_row row = {
        .severity = nsc_severity_word(finding->severity),
        .number = i + 1,
        .under = nsc_known(head != i, (int64_t)head + 1),
        .key = finding->key,
        .title = finding->title,
        .ns = nsc_known(finding->ns > 0 && finding->severity < NSC_SEVERITY_INFO, finding->ns),
        .next = finding->next ? finding->next : "",
        .start = nsc_known(finding->has_window, finding->window.t0),
        .end = nsc_known(finding->has_window, finding->window.t1),
        .evidence = keep_evidence(sheet, finding)};

    if (finding->track != NSC_NONE)
        row.where = nsc_sheet_keep(
            sheet, nsc_trace_string(trace, nsc_trace_track(trace, finding->track)->label));
    NSC_SHEET_ADD_ROW(sheet, &row);
}

static void add_notes(struct nsc_sheet *sheet, const struct nsc_findings *findings)
{
    if (findings->window[0])
        nsc_sheet_note(sheet, "%s", findings->window);
    nsc_sheet_note(sheet, NSC_FINDINGS_NOTE);
}

void nsc_findings_sheet(struct nsc_sheets *out, const struct nsc_findings *findings,
                        const struct nsc_scope *scope)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(finding_row, severity, "severity", "Severity"),
        NSC_COL_TEXT(finding_row, key, "rule", "Rule"),
        NSC_COL_NS(finding_row, ns, "stands_for_ns", "Could save"),
        NSC_COL_TEXT(finding_row, title, "finding", "Finding"),
        NSC_COL_TEXT(finding_row, evidence, "evidence", "Evidence"),
        NSC_COL_TEXT(finding_row, next, "next_step", "Next step"),
        NSC_COL_TEXT(finding_row, where, "where", "Where"),
        NSC_COL_INSTANT(finding_row, start, "start_ns", "From"),
        NSC_COL_INSTANT(finding_row, end, "end_ns", "To"),
        NSC_COL_ID(finding_row, number, "number", "No."),
        NSC_COL_ID(finding_row, under, "under", "Same time as No."),
    };
    struct nsc_sheet *sheet =
        nsc_sheets_add(out, "findings", "Findings by the time that could be saved", columns,
                       sizeof columns / sizeof *columns);

    sheet->has_window = true;
    sheet->window = scope->window;
    for (size_t i = 0; i < findings->list.n; i++)
        add_row(sheet, findings, i, scope->trace);
    add_notes(sheet, findings);
}

/* ---- the skill: a line a finding, and what speaks for it below ---- */

const struct nsc_sheet_column nsc_skill_findings_columns[] = {
    NSC_COL_ID(finding_row, number, "number", "No."),
    NSC_COL_TEXT(finding_row, severity, "severity", "Severity"),
    NSC_COL_NS(finding_row, ns, "stands_for_ns", "Could save"),
    NSC_COL_TEXT(finding_row, key, "rule", "Rule"),
    NSC_COL_TEXT(finding_row, title, "finding", "Finding"),
    NSC_COL_ID(finding_row, under, "under", "Same time as No."),
    {0},
};

struct evidence_row {
    size_t number; /* number of the finding */
    const char *what, *line;
};

static const struct nsc_sheet_column evidence_columns[] = {
    NSC_COL_ID(evidence_row, number, "number", "No."),
    NSC_COL_TEXT(evidence_row, what, "what", ""),
    NSC_COL_TEXT(evidence_row, line, "line", "Evidence and next step"),
    {0},
};

static void add_lines(struct nsc_sheet *sheet, const struct nsc_finding *finding, size_t number)
{
    for (size_t i = 0; i < finding->evidence.n; i++)
        NSC_ADD_ROW(sheet, evidence_row, .number = number, .what = "evidence",
                    .line = finding->evidence.at[i]);
    if (finding->next)
        NSC_ADD_ROW(sheet, evidence_row, .number = number, .what = "next step",
                    .line = finding->next);
}

void nsc_skill_findings(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_findings findings = {.ascii = true};
    size_t first = out->list.n;
    struct nsc_sheet *sheets;

    (void)nsc_findings_run(&findings, question->scope, question->fields, NULL);
    (void)NSC_SKILL_SHEET(out, question, findings);
    (void)nsc_question_more(out, question, "evidence", "What speaks for them", evidence_columns);
    sheets = &out->list.at[first];
    for (size_t i = 0; i < findings.list.n; i++) {
        add_row(&sheets[0], &findings, i, question->scope->trace);
        add_lines(&sheets[1], &findings.list.at[i], i + 1);
    }
    add_notes(&sheets[0], &findings);
    nsc_findings_fini(&findings);
}
