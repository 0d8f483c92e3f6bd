/* Turns effects into tasks, and their results into inputs. */
#include "cli/session/host.h"

#include "analysis/base/stacks.h"
#include "analysis/finding/finding.h"
#include "analysis/ranges/iterations.h"
#include "cli/call_details.h"
#include "cli/stack_reader.h"
#include "core/die.h"
#include "core/sheet.h"

#include <stdlib.h>
#include <string.h>

#define TASKS_BEFORE_WORK (~(1u << NSC_TASK_FINDINGS))

struct build_task {
    struct nsc_task task;
    struct nsc_app *app;
    enum nsc_build_slot slot;
};

struct details_task {
    struct nsc_task task;
    struct nsc_call_details *calls;
    nsc_event event, waited;
    struct nsc_details details;
};

struct stacks_task {
    struct nsc_task task;
    struct nsc_task_source from;
    struct nsc_stacks *stacks;
};

struct query_task {
    struct nsc_task task;
    struct nsc_task_source from;
    struct nsc_screen_query of;
    char *filter; /* of the request */
    char *sql;
};

struct answer_task {
    struct nsc_task task;
    struct nsc_task_source from;
    struct nsc_answer_request question;
    char *line, *filter;
    struct nsc_sheets sheets;
};

struct findings_task {
    struct nsc_task task;
    struct nsc_task_source from;
    struct nsc_iterations iterations; /* valid if knows */
    bool knows;
    struct nsc_findings findings;
};

struct nsc_job *nsc_task_source_open(const struct nsc_task_source *from, struct nsc_error *error)
{
    struct nsc_job *job = NULL;
    enum nsc_status status =
        nsc_job_open(&job, from->paths, nsc_job_count(from->job), &from->loading, error);

    if (nsc_job_check(from->job, status, error) == NSC_OK)
        return job;
    nsc_job_close(job);
    return NULL;
}

struct nsc_task_source nsc_task_source_of(const struct nsc_host *host)
{
    return (struct nsc_task_source){host->trace, host->job, host->paths, *host->loading};
}

/* ---- builds ---- */

static void run_build(struct nsc_task *task)
{
    struct build_task *build = (struct build_task *)task;

    nsc_app_build_run(build->app, build->slot);
}

static bool tell_build(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    out->type = what == NSC_TELL_PROGRESS ? NSC_INPUT_TICK : NSC_INPUT_BUILT;
    out->slot = ((struct build_task *)task)->slot;
    return true;
}

static void begin_builds(struct nsc_host *host, unsigned slots)
{
    for (unsigned i = 0; i < NSC_N_BUILD_SLOTS; i++) {
        struct build_task *build = NULL;

        if (!(slots & 1u << i))
            continue;
        build = nsc_task_new(sizeof *build, run_build, tell_build, NULL);
        build->app = host->app;
        build->slot = (enum nsc_build_slot)i;
        build->task.has_progress = i == NSC_BUILDS_PICK || i == NSC_BUILDS_HITS;
        nsc_tasks_begin(host->tasks, (enum nsc_task_kind)(NSC_TASK_BUILD + i), &build->task);
    }
}

/* ---- details ---- */

static void run_details(struct nsc_task *task)
{
    struct details_task *details = (struct details_task *)task;

    task->error.status =
        nsc_call_details_read(details->calls, &details->details, details->event, &task->error);
    details->waited = details->calls->waited;
}

static bool tell_details(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    struct details_task *details = (struct details_task *)task;

    (void)what;
    out->type = task->error.status == NSC_OK ? NSC_INPUT_DETAILS : NSC_INPUT_MESSAGE;
    out->text = task->error.text;
    out->event = details->event;
    out->details = &details->details;
    out->waited = details->waited;
    out->has_waited = true;
    return true;
}

static void fini_details(struct nsc_task *task)
{
    nsc_details_fini(&((struct details_task *)task)->details);
}

/* The load uses the job until it has ended. */
static void begin_details(struct nsc_host *host, nsc_event event)
{
    struct details_task *details = NULL;

    host->wanted = event;
    if (!host->trace || event >= nsc_trace_events(host->trace)->n)
        return;
    host->wanted = NSC_NONE;
    details = nsc_task_new(sizeof *details, run_details, tell_details, fini_details);
    details->calls = host->calls;
    details->event = event;
    nsc_tasks_begin(host->tasks, NSC_TASK_DETAILS, &details->task);
}

/* ---- call stacks ---- */

static void run_stacks(struct nsc_task *task)
{
    struct stacks_task *stacks = (struct stacks_task *)task;
    struct nsc_job *job = nsc_task_source_open(&stacks->from, &task->error);

    if (job)
        task->error.status =
            nsc_stacks_read_job(&stacks->stacks, stacks->from.trace, job, &task->error);
    nsc_job_close(job);
}

static bool tell_stacks(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    struct stacks_task *stacks = (struct stacks_task *)task;

    (void)what;
    out->type = NSC_INPUT_STACKS;
    out->stacks = stacks->stacks; /* the application owns them */
    out->text = task->error.text;
    stacks->stacks = NULL;
    return true;
}

static void fini_stacks(struct nsc_task *task)
{
    nsc_stacks_free(((struct stacks_task *)task)->stacks);
}

static void begin_stacks(struct nsc_host *host)
{
    struct stacks_task *stacks = nsc_task_new(sizeof *stacks, run_stacks, tell_stacks, fini_stacks);

    stacks->from = nsc_task_source_of(host);
    nsc_tasks_begin(host->tasks, NSC_TASK_STACKS, &stacks->task);
}

/* ---- queries ---- */

static void run_query(struct nsc_task *task)
{
    struct query_task *query = (struct query_task *)task;
    struct nsc_screen_query *of = &query->of;

    task->error.status = query->from.trace
                             ? nsc_query_of_trace(of, &query->from, &task->error)
                             : nsc_query_run(&of->relation, &of->ask, &of->column, &task->error);
}

/* The progress of a query is the time it takes, which the application measures. */
static bool tell_query(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    struct query_task *query = (struct query_task *)task;

    out->type = what == NSC_TELL_PROGRESS ? NSC_INPUT_TICK : NSC_INPUT_QUERY;
    if (what == NSC_TELL_PROGRESS)
        return true;
    out->relation = query->of.relation;
    out->of_trace = query->of.of_trace;
    out->text = task->error.text;
    out->column = query->of.column;
    query->of.relation = NULL;
    return true;
}

static void fini_query(struct nsc_task *task)
{
    struct query_task *query = (struct query_task *)task;

    nsc_relation_free(query->of.relation);
    free(query->filter);
    free(query->sql);
}

static void begin_query(struct nsc_host *host, struct nsc_text sql, uint32_t capture_no)
{
    struct query_task *query = nsc_task_new(sizeof *query, run_query, tell_query, fini_query);

    query->task.has_progress = true;
    query->from = nsc_task_source_of(host);
    if (host->trace) { /* first rows of an export: only its own tables can be asked */
        query->of.request = nsc_app_query_request(host->app);
        query->filter = nsc_xcopy(query->of.request.filter, strlen(query->of.request.filter));
        query->of.request.filter = query->filter;
    }
    query->sql = nsc_xcopy(sql.bytes, sql.n);
    query->of.ask = (struct nsc_query_ask){.path = host->paths[capture_no],
                                           .options = host->loading->open,
                                           .sql = query->sql,
                                           .limits = NSC_QUERY_SCREEN,
                                           .progress = &query->task.progress,
                                           .loaded = nsc_job_capture(host->job, capture_no)};
    nsc_tasks_begin(host->tasks, NSC_TASK_QUERY, &query->task);
}

/* ---- questions and findings ---- */

static void run_answer(struct nsc_task *task)
{
    struct answer_task *answer = (struct answer_task *)task;

    task->error.status = nsc_answer_of_source(&answer->sheets, &answer->from, &answer->question,
                                              &task->progress, &task->error);
}

static bool tell_answer(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    (void)what;
    out->type = NSC_INPUT_ANSWER;
    if (task->error.status == NSC_OK)
        out->sheets = &((struct answer_task *)task)->sheets;
    else
        out->text = task->error.text;
    return true;
}

static void fini_answer(struct nsc_task *task)
{
    struct answer_task *answer = (struct answer_task *)task;

    nsc_sheets_fini(&answer->sheets);
    free(answer->line);
    free(answer->filter);
}

static void begin_answer(struct nsc_host *host)
{
    struct nsc_answer_request question;
    struct answer_task *answer = NULL;

    if (!nsc_app_answer_request(host->app, &question))
        return;
    answer = nsc_task_new(sizeof *answer, run_answer, tell_answer, fini_answer);
    answer->from = nsc_task_source_of(host);
    answer->line = nsc_xcopy(question.line, strlen(question.line));
    answer->question = question;
    answer->question.line = answer->line;
    answer->filter = nsc_xcopy(question.of.filter, strlen(question.of.filter));
    answer->question.of.filter = answer->filter;
    nsc_tasks_begin(host->tasks, NSC_TASK_ANSWER, &answer->task);
}

static void run_findings(struct nsc_task *task)
{
    struct findings_task *find = (struct findings_task *)task;
    struct nsc_error error = {0};
    struct nsc_job *job =
        nsc_job_count(find->from.job) == 1 ? nsc_task_source_open(&find->from, &error) : NULL;
    struct nsc_capture *capture = job ? nsc_job_capture(job, 0) : NULL;

    if (!nsc_findings_of_trace(&find->findings, find->from.trace,
                               find->knows ? &find->iterations : NULL, capture, &task->progress))
        task->error.status = NSC_ECANCELLED;
    else if (error.status != NSC_OK)
        nsc_findings_lack_columns(&find->findings, error.text);
    nsc_job_close(job);
}

static bool tell_findings(struct nsc_task *task, enum nsc_tell what, struct nsc_input *out)
{
    out->type = NSC_INPUT_FINDINGS;
    out->progress = nsc_progress_view(&task->progress);
    if (what == NSC_TELL_RESULT)
        out->findings = &((struct findings_task *)task)->findings;
    return true;
}

static void fini_findings(struct nsc_task *task)
{
    struct findings_task *find = (struct findings_task *)task;

    nsc_findings_fini(&find->findings);
    nsc_iterations_fini(&find->iterations);
}

static void begin_findings(struct nsc_host *host)
{
    const struct nsc_iterations *known = nsc_app_iterations(host->app);
    struct findings_task *find =
        nsc_task_new(sizeof *find, run_findings, tell_findings, fini_findings);

    find->task.has_progress = true;
    find->from = nsc_task_source_of(host);
    find->knows = known != NULL;
    if (known)
        nsc_iterations_copy(&find->iterations, known);
    find->findings.ascii = host->ascii;
    nsc_tasks_begin(host->tasks, NSC_TASK_FINDINGS, &find->task);
}

/* ---- the host ---- */

/* Those that open the exports again. */
static void begin_readers(struct nsc_host *host, const struct nsc_effects *effects)
{
    if (effects->set & NSC_EFFECT_ANSWER)
        begin_answer(host);
    if (effects->set & NSC_EFFECT_STACKS)
        begin_stacks(host);
    if (effects->set & NSC_EFFECT_FINDINGS)
        begin_findings(host);
}

void nsc_host_do(struct nsc_host *host, const struct nsc_effects *effects)
{
    if (effects->set & NSC_EFFECT_DETAILS)
        begin_details(host, effects->event);
    if ((effects->set & NSC_EFFECT_QUERY) && host->job && host->paths)
        begin_query(host, effects->text, effects->capture_no);
    if (effects->set & NSC_EFFECT_QUERY_STOP)
        nsc_tasks_cancel(host->tasks, NSC_TASK_QUERY);
    if (effects->set & NSC_EFFECT_BUILD)
        begin_builds(host, effects->builds);
    if (host->trace && host->paths)
        begin_readers(host, effects);
    if (host->others)
        host->others(host->context, effects);
}

void nsc_host_loaded(struct nsc_host *host, const struct nsc_trace *trace, struct nsc_job *job)
{
    host->trace = host->calls->trace = trace;
    host->job = host->calls->job = job;
    begin_details(host, host->wanted);
}

/* Returns whether the application has work left. */
static bool give(struct nsc_host *host, const struct nsc_input *input)
{
    struct nsc_effects effects = nsc_app_input(host->app, input);

    nsc_host_do(host, &effects);
    return effects.set & NSC_EFFECT_WORK;
}

void nsc_host_play(struct nsc_host *host, const struct nsc_input *input)
{
    const struct nsc_input tick = {.type = NSC_INPUT_TICK};
    bool work = give(host, input);

    for (;;) {
        struct nsc_input result = {0};

        if (nsc_tasks_wait(host->tasks, TASKS_BEFORE_WORK, &result) ||
            (!work && nsc_tasks_wait(host->tasks, 1u << NSC_TASK_FINDINGS, &result)))
            work = give(host, &result);
        else if (work)
            work = give(host, &tick);
        else
            return;
    }
}
