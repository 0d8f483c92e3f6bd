/*
 * Carries out the effects of the application that only read: builds, details, queries, questions,
 * findings, call stacks. Each is a task (cli/session/tasks.h) whose result is an input.
 *
 * The owner carries out the other effects: the session with files and the terminal, render by
 * refusing them.
 */
#ifndef NSC_CLI_HOST_H
#define NSC_CLI_HOST_H

#include "nsyscope/job.h"

#include "cli/session/tasks.h"
#include "nsys/jobs/query.h"

struct nsc_call_details;
struct nsc_capture;
struct nsc_findings;
struct nsc_query_ask;
struct nsc_relation;
struct nsc_sheets;

/* All members are borrowed. */
struct nsc_host {
    struct nsc_app *app;
    struct nsc_tasks *tasks;
    const char *const *paths; /* of the exports, in order; NULL: only details and builds are done */
    const struct nsc_job_options *loading; /* options of their load */
    struct nsc_call_details *calls;        /* of the details; only their task uses it */
    const struct nsc_trace *trace;         /* NULL before the load has ended */
    struct nsc_job *job;                   /* its exports; NULL before the early rows */
    bool ascii;                            /* for texts of findings */
    nsc_event wanted;                      /* row to fetch when the load has ended; NSC_NONE */
    /* Carries out the other effects; NULL: they are ignored. */
    void (*others)(void *context, const struct nsc_effects *effects);
    void *context;
};

void nsc_host_do(struct nsc_host *host, const struct nsc_effects *effects);
/* Sets the trace and its job, and does what waits for them. */
void nsc_host_loaded(struct nsc_host *host, const struct nsc_trace *trace, struct nsc_job *job);
/* Gives an input, and waits for everything that follows from it, in the same order on each run. */
void nsc_host_play(struct nsc_host *host, const struct nsc_input *input);

/* ---- for other tasks of the session ---- */

/* Copies of the host's, for a task. */
struct nsc_task_source {
    const struct nsc_trace *trace;
    const struct nsc_job *job; /* if its files have changed, nothing is read or written */
    const char *const *paths;
    struct nsc_job_options loading;
};
/* The exports as a job of their own; NULL if they have changed. */
struct nsc_job *nsc_task_source_open(const struct nsc_task_source *from, struct nsc_error *error);
struct nsc_task_source nsc_task_source_of(const struct nsc_host *host);

/* ---- asked.c: the answers, on a task's thread ---- */

/*
 * Searches for findings. False if progress was cancelled. known: the iterations of the trace; NULL:
 * find them. capture NULL, or several exports: reads no further columns, and each finding that
 * needs them says that it was not assessed.
 */
bool nsc_findings_of_trace(struct nsc_findings *out, const struct nsc_trace *trace,
                           const struct nsc_iterations *known, struct nsc_capture *capture,
                           struct nsc_progress *progress);
/* Adds that columns which only the export has were not assessed, with the reason. */
void nsc_findings_lack_columns(struct nsc_findings *out, const char *reason);
/* Answers a question about the trace or a window; its line: its name, and "parameter=value" words.
 * Questions about one export are asked of each again, joined as `nsyscope skill run` does. out has
 * the sheets only on NSC_OK. progress cancels answers that are files. */
NSC_NODISCARD enum nsc_status nsc_answer_of_source(struct nsc_sheets *out,
                                                   const struct nsc_task_source *from,
                                                   const struct nsc_answer_request *request,
                                                   struct nsc_progress *progress,
                                                   struct nsc_error *error);
/* A query of the screen, and its answer. */
struct nsc_screen_query {
    struct nsc_query_ask ask; /* of the export's own tables; its SQL, limits and progress */
    struct nsc_query_request request;
    struct nsc_relation *relation; /* the answer; owned */
    bool of_trace;                 /* it is one of the trace */
    int column;                    /* as nsc_query_run */
};

/*
 * Runs a query on the trace, as nsyscope sql does (query/query.h), or on the whole tables of the
 * export that it names. A note says what narrows the trace. Opens the exports again for columns
 * beside the index.
 */
NSC_NODISCARD enum nsc_status nsc_query_of_trace(struct nsc_screen_query *query,
                                                 const struct nsc_task_source *from,
                                                 struct nsc_error *error);

#endif
