/*
 * Long jobs of the screen that only read: writing an export, searching for findings, answering a
 * question, reading call stacks. Each runs on a separate thread and reports progress.
 *
 * The caller polls; the wake descriptor gets a byte whenever a job ends.
 */
#ifndef NSC_CLI_BACKGROUND_H
#define NSC_CLI_BACKGROUND_H

#include "nsyscope/job.h"

#include "view/app/app.h"

struct nsc_background;
struct nsc_sheets;

/* wake_fd must be non-blocking; -1: the caller does not poll. */
struct nsc_background *nsc_background_new(int wake_fd);
/* Cancels all jobs, and waits at most ms for those that read. False if one still runs, in a read
 * that does not return: the caller then exits and frees nothing. A session being written
 * continues. */
bool nsc_background_stop(struct nsc_background *background, int ms);
/* Cancels all jobs and waits for them. NULL is allowed. */
void nsc_background_free(struct nsc_background *background);
bool nsc_background_is_busy(const struct nsc_background *background);

/* Borrowed until nsc_background_free(). */
struct nsc_find_request {
    const char *path;         /* the trace's export; NULL: several */
    const char *const *paths; /* of all its exports */
    const struct nsc_open_options *open;
    const struct nsc_job *job; /* the loaded job: if its files have changed, no columns are read */
    bool ascii;                /* as in nsc_findings */
    const struct nsc_iterations *iterations; /* of the trace, copied; NULL: not known */
};
/* Starts an export; copies the request, borrows trace and from, of which it uses the files. Does
 * nothing while one runs. The file is dropped if the job's exports have changed. */
void nsc_background_export(struct nsc_background *background, const struct nsc_trace *trace,
                           const struct nsc_find_request *from,
                           const struct nsc_export_request *request);
void nsc_background_cancel_export(struct nsc_background *background);

/* Searches the whole trace for findings. With a path it also reads the export's columns, through
 * a connection of its own. Does nothing while a search runs. */
void nsc_background_find(struct nsc_background *background, const struct nsc_trace *trace,
                         const struct nsc_find_request *request);

/*
 * Searches on the caller's thread. False if progress (may be NULL) was cancelled. known: the
 * iterations of the trace; NULL: find them. capture NULL, or several exports: reads no further
 * columns, and each finding that needs them says that it was not assessed.
 */
struct nsc_findings;
struct nsc_progress;
bool nsc_findings_of_trace(struct nsc_findings *out, const struct nsc_trace *trace,
                           const struct nsc_iterations *known, struct nsc_capture *capture,
                           struct nsc_progress *progress);
/* Adds that columns which only the export has were not assessed, with the reason. */
void nsc_findings_lack_columns(struct nsc_findings *out, const char *reason);

/* Answers a question about the trace or a window; line: its name, and "parameter=value" words. With
 * a path in the request, also reads the export's columns. Copies line. Does nothing while a
 * question runs. */
void nsc_background_answer(struct nsc_background *background, const struct nsc_trace *trace,
                           const struct nsc_find_request *request,
                           const struct nsc_answer_request *question);
/* The same on the caller's thread. out has the sheets only on NSC_OK. */
NSC_NODISCARD enum nsc_status nsc_answer_of_trace(struct nsc_sheets *out,
                                                  const struct nsc_trace *trace,
                                                  struct nsc_capture *capture,
                                                  const struct nsc_answer_request *question,
                                                  struct nsc_error *error);

/* Reads the call stacks of the CPU samples through a connection of its own. Does nothing while they
 * are being read. */
void nsc_background_stacks(struct nsc_background *background, const struct nsc_trace *trace,
                           const struct nsc_find_request *request);

/* Writes bookmarks as nsc_bookmark_session_write does; a message reports the result. Owns the
 * bookmarks from here on, copies path and borrows the rest. Does nothing while another session is
 * being written. */
struct nsc_session_order {
    const struct nsc_trace *trace;
    const struct nsc_job *loaded; /* if its files have changed, nothing is written */
    const struct nsc_job_options *job;
    const char *const *files;
    uint32_t n_files;
    const char *identity;
    struct nsc_bookmarks *bookmarks;
    struct nsc_text path;
};
void nsc_background_session(struct nsc_background *background,
                            const struct nsc_session_order *order);

/* The answer to "schema" for one export, without results of its queries. stop may be NULL. */
struct nsc_query_stop;
NSC_NODISCARD enum nsc_status nsc_schema_of_path(struct nsc_sheets *out, const char *path,
                                                 const struct nsc_open_options *open,
                                                 struct nsc_query_stop *stop,
                                                 struct nsc_error *error);

/* Runs the work for NSC_EFFECT_BUILD; builds: one bit per slot. */
void nsc_background_build(struct nsc_background *background, struct nsc_app *app, unsigned builds);
/* The next result or progress as an input; false if there is none. The input's pointers are valid
 * until the next call. */
bool nsc_background_next(struct nsc_background *background, bool progress, struct nsc_input *out);
/* Waits until the search for findings ends, and returns them as nsc_background_next does. False if
 * no search runs. */
bool nsc_background_wait_findings(struct nsc_background *background, struct nsc_input *out);

#endif
