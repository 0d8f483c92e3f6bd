/*
 * Opens several exports, labels and aligns them, and loads them as one trace.
 */
#include "nsyscope/job.h"

#include "core/buf.h"
#include "core/sum.h"
#include "core/threads.h"
#include "nsys/jobs/align.h"
#include "nsys/jobs/job_load.h"
#include "nsys/pages/source.h"
#include "nsys/tables/capture_data.h"

#include <stdlib.h>
#include <string.h>

struct nsc_job {
    enum nsc_align align;
    char *range; /* NULL: none */
    uint32_t n;
    struct nsc_capture **captures;
    struct nsc_buf *labels; /* NULL until all are open */
    struct nsc_anchor *anchors;
    bool is_aligned;
    struct nsc_aligned aligned;
    nsc_time *offsets;
    struct nsc_early early;                       /* show NULL: none */
    struct nsc_table_status tables[NSC_N_TABLES]; /* over all exports */
};

/* ---- opening ---- */

static enum nsc_status refuse_twice(const struct nsc_job *job, struct nsc_error *error)
{
    const struct nsc_source *last = job->captures[job->n - 1]->source;

    for (uint32_t i = 0; i + 1 < job->n; i++) {
        const struct nsc_source *other = job->captures[i]->source;

        if (other->stat.st_dev == last->stat.st_dev && other->stat.st_ino == last->stat.st_ino)
            return nsc_fail(error, NSC_EINVAL, "%.90s is given twice%s%.90s", last->path,
                            strcmp(other->path, last->path) != 0 ? ", also as " : "",
                            strcmp(other->path, last->path) != 0 ? other->path : "");
    }
    return NSC_OK;
}

static enum nsc_status open_exports(struct nsc_job *job, const char *const paths[], uint32_t n,
                                    const struct nsc_open_options *open, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    for (uint32_t i = 0; i < n && status == NSC_OK; i++) {
        status = nsc_capture_open(&job->captures[i], paths[i], open, error);
        if (status == NSC_OK)
            job->n = i + 1;
        if (status == NSC_OK && n > 1) /* a single export keeps its own axis */
            status = nsc_anchor_init(&job->anchors[i], job->captures[i], error);
        if (status != NSC_OK) {
            nsc_job_name_error(error, paths[i], n);
            return status;
        }
        status = refuse_twice(job, error);
    }
    return status;
}

/* ---- labels ---- */

/* Length in bytes of the folder that all names share, with its slash. */
static size_t common_folder(const char *const names[], uint32_t n_names)
{
    size_t n = strlen(names[0]);

    for (uint32_t i = 0; i < n_names; i++)
        while (n > 0 && (names[0][n - 1] != '/' || strncmp(names[0], names[i], n) != 0))
            n--;
    return n;
}

static bool hosts_differ(const struct nsc_job *job)
{
    for (uint32_t i = 1; i < job->n; i++)
        if (strcmp(job->anchors[i].host, job->anchors[0].host) != 0)
            return true;
    return false;
}

/* "0: node1/rank0 on node1": the number, the part of the name that differs, and the host if hosts
 * differ. */
static void put_label(struct nsc_buf *out, const struct nsc_job *job, uint32_t i, const char *name)
{
    const char *dot = strrchr(name, '.');
    const char *slash = strrchr(name, '/');
    size_t n =
        dot && dot != name && (!slash || dot > slash + 1) ? (size_t)(dot - name) : strlen(name);

    nsc_buf_printf(out, "%u: %.*s", i, (int)n, name);
    if (job->anchors[i].host[0] && hosts_differ(job))
        nsc_buf_printf(out, " on %s", job->anchors[i].host);
}

static void build_labels(struct nsc_job *job, const char *const names[])
{
    size_t folder = common_folder(names, job->n);

    job->labels = nsc_xcalloc(job->n, sizeof *job->labels);
    for (uint32_t i = 0; i < job->n; i++) {
        job->labels[i] = (struct nsc_buf)NSC_BUF_INIT(NSC_NAME_BYTES);
        if (job->n > 1) /* a single export needs no label */
            put_label(&job->labels[i], job, i, names[i] + folder);
        nsc_buf_puts(&job->labels[i], "");
    }
}

nsc_time nsc_job_offset(const struct nsc_job *job, uint32_t i)
{
    return job->offsets[i];
}

const char *nsc_job_label(const struct nsc_job *job, uint32_t i)
{
    return job->labels[i].bytes;
}

/* ---- open and closed ---- */

enum nsc_status nsc_job_open(struct nsc_job **out, const char *const paths[], uint32_t n,
                             const struct nsc_job_options *options, struct nsc_error *error)
{
    struct nsc_job *job = NULL;
    enum nsc_status status = NSC_OK;

    *out = NULL;
    if (n < 1 || n > NSC_JOB_EXPORTS)
        return nsc_fail(error, NSC_EINVAL, "give 1 to %d exports", NSC_JOB_EXPORTS);
    job = nsc_xcalloc(1, sizeof *job);
    job->align = options->align;
    if (options->range)
        job->range = nsc_xcopy(options->range, strlen(options->range));
    job->captures = nsc_xcalloc(n, sizeof *job->captures);
    job->anchors = nsc_xcalloc(n, sizeof *job->anchors);
    job->offsets = nsc_xcalloc(n, sizeof *job->offsets);
    status = open_exports(job, paths, n, options->open, error);
    if (status == NSC_OK) {
        build_labels(job, options->names ? options->names : paths);
        *out = job;
    } else {
        nsc_job_close(job);
    }
    return status;
}

void nsc_job_close(struct nsc_job *job)
{
    if (!job)
        return;
    for (uint32_t i = 0; i < job->n; i++) {
        nsc_anchor_fini(&job->anchors[i]);
        nsc_capture_close(job->captures[i]);
        if (job->labels)
            nsc_buf_fini(&job->labels[i]);
    }
    free(job->labels);
    free(job->anchors);
    free(job->offsets);
    free(job->captures);
    free(job->range);
    free(job);
}

uint32_t nsc_job_count(const struct nsc_job *job)
{
    return job->n;
}

struct nsc_capture *nsc_job_capture(struct nsc_job *job, uint32_t i)
{
    return job->captures[i];
}

/* Precedence among the statuses of one table in several exports. */
static int status_rank(enum nsc_table_state status)
{
    static const int ranks[] = {[NSC_TABLE_ABSENT] = 0,
                                [NSC_TABLE_IGNORED] = 1,
                                [NSC_TABLE_EXCLUDED] = 2,
                                [NSC_TABLE_LOADED] = 3};

    return ranks[status];
}

static void add_report(struct nsc_table_status *sum, const struct nsc_table_status *one)
{
    struct nsc_table_status before = *sum;

    if (!sum->name || status_rank(one->status) > status_rank(sum->status))
        *sum = *one;
    sum->rows = before.rows + one->rows;
    sum->events = before.events + one->events;
    sum->trimmed = before.trimmed + one->trimmed;
    sum->outside = before.outside;
    nsc_window_join(&sum->outside, one->outside);
    sum->odd = before.odd + one->odd;
    sum->missing_names = before.missing_names + one->missing_names;
    for (int skip = 0; skip < NSC_N_SKIPS; skip++)
        sum->skipped[skip] = before.skipped[skip] + one->skipped[skip];
}

const struct nsc_table_status *nsc_job_tables(struct nsc_job *job, uint32_t *n)
{
    if (job->n == 1)
        return nsc_capture_tables(job->captures[0], n);
    memset(job->tables, 0, sizeof job->tables);
    for (uint32_t i = 0; i < job->n; i++) {
        const struct nsc_table_status *reports = nsc_capture_tables(job->captures[i], n);

        for (uint32_t k = 0; k < *n; k++)
            add_report(&job->tables[k], &reports[k]);
    }
    *n = NSC_N_TABLES;
    return job->tables;
}

bool nsc_job_has_changed(const struct nsc_job *job)
{
    for (uint32_t i = 0; i < job->n; i++)
        if (nsc_capture_has_changed(job->captures[i]))
            return true;
    return false;
}

enum nsc_status nsc_job_check(const struct nsc_job *job, enum nsc_status status,
                              struct nsc_error *error)
{
    for (uint32_t i = 0; i < job->n; i++)
        status = nsc_source_check(job->captures[i]->source, status, error);
    return status;
}

enum nsc_status nsc_job_details(struct nsc_details *out, struct nsc_job *job,
                                const struct nsc_trace *trace, nsc_event event,
                                struct nsc_error *error)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    return nsc_capture_details(out, job->captures[nsc_trace_capture_of(trace, event)],
                               (enum nsc_kind)events->kind[event], events->source[event], error);
}

/* ---- one axis ---- */

/* Finds the anchors that the alignment needs. */
static enum nsc_status find_anchors(struct nsc_job *job, enum nsc_align by,
                                    struct nsc_progress *progress, struct nsc_error *error)
{
    struct nsc_anchor_scan scan = {NULL, progress};
    enum nsc_status status = NSC_OK;

    if (by != NSC_ALIGN_START && by != NSC_ALIGN_NVTX)
        return NSC_OK;
    scan.pool = nsc_pool_new(job->captures[0]->threads);
    for (uint32_t i = 0; i < job->n && status == NSC_OK; i++) {
        nsc_progress_capture(progress, i);
        status = by == NSC_ALIGN_START
                     ? nsc_anchor_find_first(&job->anchors[i], job->captures[i], scan, error)
                     : nsc_anchor_find_range(&job->anchors[i], job->captures[i], job->range, scan,
                                             error);
        if (status != NSC_OK)
            nsc_job_name_error(error, job->anchors[i].path, job->n);
    }
    nsc_pool_free(scan.pool);
    /* restarts the count of rows for the load */
    if (progress)
        atomic_store(&progress->rows, 0);
    return status;
}

/* Aligns once; the result holds for every load. */
static enum nsc_status align(struct nsc_job *job, struct nsc_progress *progress,
                             struct nsc_error *error)
{
    struct nsc_aligned *aligned = &job->aligned;
    enum nsc_status status = NSC_OK;

    if (job->is_aligned)
        return NSC_OK;
    nsc_align_choose(aligned, job->align, job->anchors, job->n);
    if (aligned->by == NSC_ALIGN_NVTX && !job->range)
        return nsc_fail(error, NSC_EINVAL, "the name of an NVTX range to align by is missing");
    status = find_anchors(job, aligned->by, progress, error);
    if (status == NSC_OK)
        status = nsc_align_offsets(job->offsets, aligned, job->anchors, job->n, job->range, error);
    job->is_aligned = status == NSC_OK;
    return status;
}

/* ---- loading ---- */

static const struct nsc_early *early_of(const struct nsc_job *job)
{
    return job->early.show ? &job->early : NULL;
}

/* Loads exports [first, first + n) of the job. */
static enum nsc_status load_aligned(struct nsc_trace **out, struct nsc_job *job,
                                    const uint32_t range[2], struct nsc_progress *progress,
                                    struct nsc_error *error)
{
    struct nsc_job_source *sources = nsc_xcalloc(job->n, sizeof *sources);
    struct nsc_job_plan plan = {sources + range[0], range[1], &job->aligned, job->range,
                                range[1] == job->n ? early_of(job) : NULL};
    enum nsc_status status = align(job, progress, error);

    for (uint32_t i = 0; i < job->n; i++)
        sources[i] = (struct nsc_job_source){job->captures[i], job->offsets[i],
                                             job->labels[i].bytes, job->anchors[i].host};
    if (status == NSC_OK)
        status = nsc_job_load_all(out, &plan, progress, error);
    free(sources);
    return status;
}

static enum nsc_status load_lone(struct nsc_trace **out, struct nsc_job *job,
                                 struct nsc_progress *progress, struct nsc_error *error)
{
    const struct nsc_job_source source = {job->captures[0], 0, "", ""};
    const struct nsc_job_plan plan = {&source, 1, NULL, NULL, early_of(job)};

    return nsc_job_load_all(out, &plan, progress, error);
}

static enum nsc_status load_range(struct nsc_trace **out, struct nsc_job *job,
                                  const uint32_t range[2], struct nsc_progress *progress,
                                  struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""}, *failure = error ? error : &own;
    enum nsc_status status = NSC_OK;

    *out = NULL;
    if (job->n == 1)
        return load_lone(out, job, progress, failure);
    status = load_aligned(out, job, range, progress, failure);
    if (status != NSC_OK && range[1] == 1)
        nsc_job_name_error(failure, job->captures[range[0]]->source->path, job->n);
    return status;
}

void nsc_job_show_early(struct nsc_job *job, const struct nsc_early *early)
{
    job->early = *early;
}

enum nsc_status nsc_job_load(struct nsc_trace **out, struct nsc_job *job,
                             struct nsc_progress *progress, struct nsc_error *error)
{
    return load_range(out, job, (const uint32_t[]){0, job->n}, progress, error);
}

enum nsc_status nsc_job_load_one(struct nsc_trace **out, struct nsc_job *job, uint32_t i,
                                 struct nsc_progress *progress, struct nsc_error *error)
{
    return load_range(out, job, (const uint32_t[]){i, 1}, progress, error);
}
