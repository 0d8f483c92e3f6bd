/*
 * Loads exports into a trace: names first, then per export the families of tables from the smallest
 * to the largest, NVTX last. The GPU's family is first if an early trace is wanted.
 */
#include "nsys/jobs/job_load.h"

#include "nsyscope/open.h"

#include "core/pages.h"
#include "core/text.h"
#include "core/units.h"
#include "core/vec.h"
#include "nsys/jobs/align.h"
#include "nsys/pages/source.h"
#include "nsys/tables/capture_data.h"

#include <stdlib.h>
#include <string.h>

/* Measured, see docs/PERFORMANCE.md: the real peak is within a fifth of this estimate. */
#define EVENT_BYTES 32
#define BASE_BYTES  ((uint64_t)24 << 18)
#define NAME_COPIES \
    4 /* copies of names in the reader, a worker and the builder, with their tables */

/* rows: NULL where the reader sets them. */
static const struct {
    enum nsc_status (*read)(struct nsc_reading *, struct nsc_family *, uint32_t *,
                            struct nsc_error *);
    nsc_row_reader *rows;
} readers[] = {
    [NSC_READER_GPU] = {nsc_reading_run, nsc_work_rows},
    [NSC_READER_FAULT] = {nsc_reading_run, nsc_fault_rows},
    [NSC_READER_CALL] = {nsc_reading_run, nsc_call_rows},
    [NSC_READER_SCHED] = {nsc_read_sched, NULL},
    [NSC_READER_SAMPLE] = {nsc_read_sample, NULL},
    [NSC_READER_METRIC] = {nsc_reading_run, nsc_metric_rows},
    [NSC_READER_MEMORY] = {nsc_reading_run, nsc_memory_rows},
    [NSC_READER_NVTX] = {nsc_read_nvtx, NULL},
};

struct family_size {
    int family;
    uint64_t rows;
};

static bool is_wanted(const struct nsc_capture *capture, int id)
{
    return capture->schema.tables[id].usable && !capture->filter.excluded[id] &&
           nsc_table_defs[id].family != NSC_FAMILY_META;
}

NSC_COMPARE(compare_families, struct family_size,
            NSC_BY((x->family == NSC_FAMILY_NVTX) - (y->family == NSC_FAMILY_NVTX)) ||
                NSC_LEAST(rows) || NSC_LEAST(family))

/* Rows of each family, smallest first. Returns their sum. */
static uint64_t measure_families(struct family_size sizes[NSC_N_FAMILIES],
                                 const struct nsc_capture *capture)
{
    uint64_t all = 0;

    for (int i = 0; i < NSC_N_FAMILIES; i++)
        sizes[i] = (struct family_size){i, 0};
    for (int i = 0; i < NSC_N_TABLES; i++) {
        if (!is_wanted(capture, i))
            continue;
        sizes[nsc_table_defs[i].family].rows += capture->schema.tables[i].rows_bound;
        all += capture->schema.tables[i].rows_bound;
    }
    qsort(sizes, NSC_N_FAMILIES, sizeof *sizes, compare_families);
    return all;
}

/* ---- memory ---- */

static uint64_t budget_of(const struct nsc_capture *capture)
{
    uint64_t available = nsc_memory_available();

    if (capture->memory)
        return capture->memory;
    return available ? available : UINT64_MAX;
}

static enum nsc_status refuse_memory(uint64_t events, uint64_t need, uint64_t budget,
                                     struct nsc_error *error)
{
    char count[NSC_UNITS_BYTES], need_text[NSC_UNITS_BYTES], budget_text[NSC_UNITS_BYTES];

    return nsc_fail(error, NSC_ENOMEM,
                    "%s events need about %s, the budget is %s; load less with --trim, --gpu, "
                    "--pid or --tables, or raise "
                    "--mem",
                    nsc_units_count(count, events), nsc_units_bytes(need_text, need),
                    nsc_units_bytes(budget_text, budget));
}

/* Refuses a job with too many rows: row numbers have 32 bits, so a larger budget would not help. */
static enum nsc_status refuse_rows(uint64_t rows, struct nsc_error *error)
{
    char count[NSC_UNITS_BYTES], most[NSC_UNITS_BYTES];

    return nsc_fail(error, NSC_ENOMEM,
                    "%s events are more than the %s that can be shown at once; leave tables out "
                    "with --tables",
                    nsc_units_count(count, rows), nsc_units_count(most, NSC_NONE - 1));
}

/* Sums over all exports of a load. */
struct totals {
    uint64_t rows, strings; /* strings: bytes */
};

/* Shared by all exports of a load. */
struct loading {
    const struct nsc_job_plan *plan;
    struct nsc_pool *pool;
    struct nsc_progress *progress;
    struct nsc_builder *builder;
    struct totals totals;
    uint64_t limit, events; /* limit for all exports; events so far */
    bool shown;             /* the early trace was shown */
};

static uint64_t base_bytes(const struct totals *totals)
{
    return BASE_BYTES + NAME_COPIES * totals->strings;
}

/* Checks the memory before any row is read, so that a refusal costs no time. Sets the limit of
 * events. If options skip rows, their number is unknown and only the limit decides. */
static enum nsc_status check_memory(uint64_t *limit, const struct totals *totals,
                                    const struct nsc_capture *capture, struct nsc_error *error)
{
    uint64_t budget = budget_of(capture);
    uint64_t base = base_bytes(totals);
    uint64_t need = base + totals->rows * EVENT_BYTES;

    if (totals->rows >= NSC_NONE)
        return refuse_rows(totals->rows, error);
    if ((need > budget && !nsc_load_filter_cuts_rows(&capture->filter)) || base > budget)
        return refuse_memory(totals->rows, need, budget, error);
    *limit = (budget - base) / EVENT_BYTES;
    if (*limit > totals->rows)
        *limit = totals->rows;
    return NSC_OK;
}

static enum nsc_status over_limit(const struct nsc_table_load *load,
                                  const struct nsc_capture *capture, const struct totals *totals,
                                  struct nsc_error *error)
{
    if (load->event_limit == totals->rows)
        return nsc_fail(error, NSC_EDAMAGED,
                        "%s holds more rows than its row ids allow: it is damaged",
                        capture->source->path);
    return refuse_memory(load->events, base_bytes(totals) + load->events * EVENT_BYTES,
                         budget_of(capture), error);
}

/* ---- families ---- */

static enum nsc_status read_table(struct nsc_table_load *load, int id, struct nsc_family *family,
                                  struct nsc_namemap *names, uint32_t *tasks,
                                  struct nsc_error *error)
{
    struct nsc_reading *reading = nsc_xcalloc(1, sizeof *reading);
    unsigned w, n = nsc_pool_threads(load->pool);
    enum nsc_status status;

    reading->load = load;
    reading->id = (enum nsc_table_id)id;
    reading->def = &nsc_table_defs[id];
    reading->table = &load->schema->tables[id];
    for (w = 0; w < n; w++) {
        reading->workers[w].feed = nsc_family_feed(family, w);
        reading->workers[w].names = &names[w];
    }
    reading->rows = readers[reading->def->reader].rows;
    status = readers[reading->def->reader].read(reading, family, tasks, error);
    if (reading->table->rows_bound > load->reports[id].events)
        nsc_builder_skip(load->builder, reading->table->rows_bound - load->reports[id].events);
    free(reading);
    return status;
}

static enum nsc_status read_family(struct nsc_table_load *load, const struct nsc_capture *capture,
                                   int which, struct nsc_error *error)
{
    struct nsc_namemap names[NSC_SOURCE_WORKERS] = {{NULL, 0, 0}};
    unsigned w, n = nsc_pool_threads(load->pool);
    struct nsc_family *family = nsc_family_new(load->builder, n);
    enum nsc_status status = NSC_OK, ended;
    struct nsc_error later = {NSC_OK, ""};
    uint32_t tasks = 0;
    int id;

    for (id = 0; id < NSC_N_TABLES && status == NSC_OK; id++)
        if (is_wanted(capture, id) && (int)nsc_table_defs[id].family == which)
            status = read_table(load, id, family, names, &tasks, error);
    ended = nsc_family_end(family, status == NSC_OK ? error : &later);
    for (w = 0; w < n; w++)
        nsc_namemap_fini(&names[w]);
    /* A reader that stops for lack of memory cancels; the family reports NSC_ENOMEM. */
    if (status == NSC_ECANCELLED && ended == NSC_ENOMEM)
        return nsc_fail(error, ended, "%s", later.text);
    return status == NSC_OK ? ended : status;
}

/* Moves the GPU's family to the front. False if it is empty, or if too few rows of all exports
 * would remain after it. */
static bool put_gpu_first(struct family_size sizes[NSC_N_FAMILIES], uint64_t all, uint64_t rest)
{
    struct family_size gpu;
    int at = 0;

    while (sizes[at].family != NSC_FAMILY_GPU)
        at++;
    gpu = sizes[at];
    if (!gpu.rows || all - gpu.rows < rest || all == gpu.rows)
        return false;
    memmove(sizes + 1, sizes, (size_t)at * sizeof *sizes);
    sizes[0] = gpu;
    return true;
}

static void show_early(struct loading *loading)
{
    const struct nsc_early *early = loading->plan->early;
    struct nsc_trace *trace = nsc_builder_build_early(loading->builder);

    if (trace)
        early->show(early->context, trace);
    loading->shown = trace != NULL;
}

static enum nsc_status read_families(struct nsc_table_load *load, struct nsc_capture *capture,
                                     struct loading *loading, struct nsc_error *error)
{
    const struct nsc_early *early = loading->plan->early;
    struct family_size sizes[NSC_N_FAMILIES];
    bool is_first = capture == loading->plan->sources[0].capture;
    bool shows = false;
    enum nsc_status status = NSC_OK;

    (void)measure_families(sizes, capture);
    if (early && is_first)
        shows = put_gpu_first(sizes, loading->totals.rows, early->rows);
    for (int i = 0; i < NSC_N_FAMILIES && status == NSC_OK; i++) {
        if (sizes[i].rows)
            status = read_family(load, capture, sizes[i].family, error);
        if (i == 0 && shows && status == NSC_OK)
            show_early(loading);
    }
    if (status == NSC_ECANCELLED && load->over_budget)
        return over_limit(load, capture, &loading->totals, error);
    if (status == NSC_ECANCELLED)
        return nsc_fail(error, status, "cancelled");
    return status;
}

/* ---- the whole ---- */

static void reset_reports(struct nsc_capture *capture)
{
    for (int i = 0; i < NSC_N_TABLES; i++) {
        struct nsc_table_status *report = &capture->reports[i];

        report->outside = (struct nsc_window){0, 0};
        report->rows = report->events = report->trimmed = report->missing_names = 0;
        report->odd = 0;
        memset(report->skipped, 0, sizeof report->skipped);
        report->by_pages = false;
        report->fallback[0] = '\0';
    }
}

static void warn_of_table(struct nsc_capture *capture, const struct nsc_table_status *report)
{
    for (int skip = 0; skip < NSC_SKIP_DUPLICATE; skip++)
        if (report->skipped[skip])
            nsc_capture_warn_damage(capture, "%s: %llu rows skipped (%s)", report->name,
                                    (unsigned long long)report->skipped[skip],
                                    nsc_skip_word((enum nsc_skip)skip));
    if (report->odd)
        nsc_capture_warn_damage(
            capture, "%s: %llu rows do not fit its columns: they are older, or of another table",
            report->name, (unsigned long long)report->odd);
    if (report->missing_names)
        nsc_capture_warn_damage(capture, "%s: %llu rows have names that StringIds lacks",
                                report->name, (unsigned long long)report->missing_names);
}

static void warn_of_rows(struct nsc_capture *capture)
{
    uint64_t events = 0;
    uint64_t trimmed = 0;
    uint64_t on_gpus = 0;

    for (int i = 0; i < NSC_N_TABLES; i++) {
        const struct nsc_table_status *report = &capture->reports[i];

        if (nsc_table_defs[i].family != NSC_FAMILY_OVERHEAD &&
            nsc_table_defs[i].family != NSC_FAMILY_COUNTERS) {
            events += report->events;
            trimmed += report->trimmed;
        }
        on_gpus += nsc_table_defs[i].family == NSC_FAMILY_GPU ? report->events : 0;
        warn_of_table(capture, report);
    }
    if (on_gpus && capture->schema.tables[NSC_TABLE_TARGET_GPU].usable &&
        capture->reports[NSC_TABLE_TARGET_GPU].rows == 0)
        nsc_capture_warn_damage(capture, "TARGET_INFO_GPU is empty, although work ran on GPUs");
    if (events == 0 && trimmed)
        nsc_capture_warn(capture,
                         "--trim, --gpu and --pid skip all of %llu rows: times are seconds on "
                         "the export's clock, or have a unit (155.3s, 20ms)",
                         (unsigned long long)trimmed);
    else if (events == 0)
        nsc_capture_warn(capture,
                         "the export holds no events, only names and notes of the profiler");
    if (nsc_capture_has_changed(capture))
        nsc_capture_warn(
            capture,
            "the file changed while it was being read: figures may be mixed; load it again");
}

void nsc_job_name_error(struct nsc_error *error, const char *path, uint32_t n)
{
    struct nsc_error named = {NSC_OK, ""};

    if (!error || n < 2 || error->status == NSC_ENOMEM || error->status == NSC_ECANCELLED ||
        strstr(error->text, path))
        return;
    (void)nsc_fail(&named, error->status, "%s: %s", path, error->text);
    *error = named;
}

static void free_metrics(struct nsc_table_load *load)
{
    for (size_t i = 0; i < load->metrics.n; i++)
        free(load->metrics.at[i].name);
    NSC_VEC_FINI(&load->metrics);
}

static void note_source(struct loading *loading, uint32_t i)
{
    const struct nsc_job_source *source = &loading->plan->sources[i];
    struct nsc_trace_info *info = nsc_builder_info(loading->builder);

    info->offset = source->offset;
    info->label = nsc_builder_string(loading->builder, nsc_text_from(source->label));
    info->host = nsc_builder_string(loading->builder, nsc_text_from(source->host));
}

static void note_alignment(struct loading *loading)
{
    const struct nsc_aligned *aligned = loading->plan->aligned;
    struct nsc_alignment *out = nsc_builder_alignment(loading->builder);

    out->residual = -1;
    if (!aligned)
        return;
    out->by = aligned->by;
    out->instances = aligned->instances;
    out->residual = aligned->residual;
    out->why = nsc_builder_string(loading->builder, nsc_text_from(aligned->why));
    if (aligned->by == NSC_ALIGN_NVTX)
        out->range = nsc_builder_string(loading->builder, nsc_text_from(loading->plan->range));
}

/* Reads all rows of one export. */
static enum nsc_status load_source(struct loading *loading, uint32_t i, struct nsc_error *error)
{
    struct nsc_capture *capture = loading->plan->sources[i].capture;
    struct nsc_table_load load = {
        .source = capture->source,
        .schema = &capture->schema,
        .strings = &capture->strings,
        .filter = &capture->filter,
        .builder = loading->builder,
        .pool = loading->pool,
        .progress = loading->progress,
        .reports = capture->reports,
        .nvtx_names = &capture->nvtx_names,
        .offset = loading->plan->sources[i].offset,
        .no_pages = capture->no_pages,
        .event_limit = loading->limit,
        .events = loading->events,
    };
    enum nsc_status status = NSC_OK;

    nsc_progress_capture(loading->progress, i);
    if (i)
        nsc_builder_next_capture(loading->builder);
    if (load.filter->has_trim)
        nsc_builder_set_trim(load.builder, load.filter->trim);
    note_source(loading, i);
    status = nsc_meta_read(capture, &load, error);
    if (status == NSC_OK)
        status = read_families(&load, capture, loading, error);
    if (status == NSC_OK)
        status = nsc_pages_check(capture->source, error);
    if (status == NSC_OK && capture->source->pages_ok)
        status = nsc_tables_check(capture, error);
    if (status != NSC_OK)
        nsc_job_name_error(error, capture->source->path, loading->plan->n);
    loading->events = load.events;
    free_metrics(&load);
    return status;
}

static enum nsc_status load_rows(struct nsc_trace **out, struct loading *loading,
                                 struct nsc_error *error)
{
    uint64_t rows = loading->totals.rows;
    enum nsc_status status =
        check_memory(&loading->limit, &loading->totals, loading->plan->sources[0].capture, error);

    if (status != NSC_OK)
        return status;
    if (loading->progress)
        atomic_store(&loading->progress->rows_total, rows);
    loading->builder = nsc_builder_new(rows, loading->pool, loading->progress);
    if (!loading->builder)
        return nsc_fail(error, NSC_ENOMEM, "not enough memory for %llu events",
                        (unsigned long long)rows);
    nsc_progress_phase(loading->progress, NSC_PHASE_ROWS);
    note_alignment(loading);
    for (uint32_t i = 0; i < loading->plan->n && status == NSC_OK; i++)
        status = load_source(loading, i, error);
    nsc_progress_phase(loading->progress, NSC_PHASE_INDEX);
    if (status == NSC_OK)
        status = nsc_builder_finish(out, loading->builder, error);
    nsc_builder_free(loading->builder);
    return status;
}

/* Reads the names of an export and counts its rows. */
static enum nsc_status load_names(struct loading *loading, struct nsc_capture *capture,
                                  struct nsc_error *error)
{
    struct nsc_table_status *strings = &capture->reports[NSC_TABLE_STRINGS];
    struct family_size sizes[NSC_N_FAMILIES];
    enum nsc_status status = NSC_OK;

    reset_reports(capture);
    nsc_capture_warn_again(capture);
    nsc_strings_fini(&capture->strings);
    status = nsc_strings_read(&capture->strings, capture->source, &capture->schema, loading->pool,
                              capture->no_pages, error);
    strings->rows = capture->strings.n + capture->strings.mistyped + capture->strings.repeated;
    strings->skipped[NSC_SKIP_TYPE] = capture->strings.mistyped;
    strings->skipped[NSC_SKIP_DUPLICATE] = capture->strings.repeated;
    loading->totals.rows += measure_families(sizes, capture);
    loading->totals.strings += nsc_strings_bytes(&capture->strings);
    return status;
}

static enum nsc_status load_once(struct nsc_trace **out, const struct nsc_job_plan *plan,
                                 struct nsc_progress *progress, bool *shown,
                                 struct nsc_error *failure)
{
    struct loading loading = {.plan = plan, .progress = progress};
    enum nsc_status status = NSC_OK;

    *out = NULL;
    nsc_progress_phase(progress, NSC_PHASE_NAMES);
    loading.pool = nsc_pool_new(plan->sources[0].capture->threads);
    for (uint32_t i = 0; i < plan->n && status == NSC_OK; i++) {
        nsc_progress_capture(progress, i);
        status = load_names(&loading, plan->sources[i].capture, failure);
        if (status != NSC_OK)
            nsc_job_name_error(failure, plan->sources[i].capture->source->path, plan->n);
    }
    if (status == NSC_OK)
        status = load_rows(out, &loading, failure);
    for (uint32_t i = 0; i < plan->n && status == NSC_OK; i++)
        warn_of_rows(plan->sources[i].capture);
    nsc_pool_free(loading.pool);
    *shown = loading.shown;
    return status;
}

static bool has_changed(const struct nsc_job_plan *plan)
{
    for (uint32_t i = 0; i < plan->n; i++)
        if (nsc_capture_has_changed(plan->sources[i].capture))
            return true;
    return false;
}

/* A failed read may look like damage, so the load is tried a second time, unless an early trace was
 * shown. */
enum nsc_status nsc_job_load_all(struct nsc_trace **out, const struct nsc_job_plan *plan,
                                 struct nsc_progress *progress, struct nsc_error *error)
{
    struct nsc_error own = {NSC_OK, ""};
    bool shown = false;
    enum nsc_status status;

    for (uint32_t i = 0; i < plan->n; i++)
        nsc_source_hold(plan->sources[i].capture->source);
    status = load_once(out, plan, progress, &shown, &own);
    if ((status == NSC_EDAMAGED || status == NSC_EIO) && !shown && !has_changed(plan)) {
        own = (struct nsc_error){NSC_OK, ""};
        nsc_progress_begin(progress);
        status = load_once(out, plan, progress, &shown, &own);
    }
    for (uint32_t i = 0; i < plan->n; i++) {
        if (status != NSC_OK)
            status = nsc_source_check(plan->sources[i].capture->source, status, &own);
        nsc_source_release(plan->sources[i].capture->source);
    }
    if (status != NSC_OK)
        (void)nsc_fail(error, own.status, "%s", own.text);
    nsc_progress_phase(progress, NSC_PHASE_DONE);
    return status;
}

enum nsc_status nsc_capture_load(struct nsc_trace **out, struct nsc_capture *capture,
                                 struct nsc_progress *progress, struct nsc_error *error)
{
    const struct nsc_job_source source = {capture, 0, "", ""};
    const struct nsc_job_plan plan = {&source, 1, NULL, NULL, NULL};

    return nsc_job_load_all(out, &plan, progress, error);
}
