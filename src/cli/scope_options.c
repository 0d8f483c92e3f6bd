/* Turns options into a scope: loads the export, selects the rows, finds the window. */
#include "cli/scope_options.h"

#include "analysis/select/filter.h"
#include "cli/commands.h"
#include "cli/scope_window.h"
#include "core/sheet.h"
#include "core/sum.h"
#include "core/text.h"
#include "nsys/jobs/job_load.h"
#include "nsys/tables/capture_data.h"
#include "serve/bound.h"
#include "serve/shape.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Width for tables, in cells: the terminal's, else $COLUMNS; else 120 for a terminal, and 0, no limit,
 * for a pipe or a file. */
static uint32_t output_width(void)
{
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
    if (width >= 40 && width <= 4096)
        return (uint32_t)width;
    return isatty(STDOUT_FILENO) ? 120 : 0;
}

/* ---- the scope ---- */

void nsc_loaded_scope_note(struct nsc_loaded_scope *loaded, const char *format, ...)
{
    char line[NSC_SHEET_NOTE_BYTES];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    *NSC_VEC_ADD(&loaded->notes) = nsc_xcopy(line, strlen(line));
}

enum nsc_status nsc_loaded_scope_narrow(struct nsc_loaded_scope *loaded,
                                        const struct nsc_filter *filter, struct nsc_error *error)
{
    size_t words = nsc_bits_words(nsc_trace_events(loaded->trace)->n);
    uint64_t *mask = nsc_filter_apply(filter, loaded->trace, NULL, NULL);

    for (size_t i = 0; mask && loaded->mask && i < words; i++)
        mask[i] &= loaded->mask[i];
    free(loaded->mask);
    nsc_summary_free(loaded->summary);
    loaded->mask = mask;
    loaded->summary = mask ? nsc_summary_build(loaded->trace, mask) : NULL;
    if (!loaded->summary)
        return nsc_fail(error, NSC_ENOMEM, "no memory for the filter");
    loaded->scope.mask = loaded->mask;
    loaded->scope.summary = loaded->summary;
    return NSC_OK;
}

static enum nsc_status select_rows(struct nsc_loaded_scope *loaded, const struct nsc_filter *filter,
                                   struct nsc_error *error)
{
    const char *given = loaded->options->arg[NSC_OPTION_FILTER][0];

    if (!filter || nsc_filter_is_empty(filter))
        return NSC_OK;
    nsc_loaded_scope_note(loaded, "only events of the filter: %s", given);
    if (!nsc_trace_captured(loaded->trace) && nsc_filter_find(nsc_text_from(given), "captured:").n)
        nsc_loaded_scope_note(loaded, "captured: no capture of a CUDA graph is known (nsys profile "
                                      "--cuda-graph-trace=node, from before the warm-up on)");
    return nsc_loaded_scope_narrow(loaded, filter, error);
}

/* --trim keeps events that touch its window; figures count only their parts inside it. */
static enum nsc_status trim_window(struct nsc_loaded_scope *loaded, struct nsc_error *error)
{
    const struct nsc_open_options *open = &loaded->options->open;
    enum nsc_status status = nsc_check_trim(open, loaded->trace, loaded->job, error);

    if (!open->has_trim || status != NSC_OK)
        return status;
    loaded->scope.window = open->trim;
    loaded->scope.has_window = true;
    return NSC_OK;
}

static enum nsc_status build_scope(struct nsc_loaded_scope *loaded, const struct nsc_filter *filter,
                                   struct nsc_error *error)
{
    enum nsc_status status;

    loaded->scope = nsc_scope_all(loaded->trace);
    loaded->scope.is_whole = loaded->options->set[NSC_OPTION_WHOLE];
    status = trim_window(loaded, error);
    if (status == NSC_OK)
        status = nsc_loaded_scope_window(loaded, error);
    if (status == NSC_OK)
        status = select_rows(loaded, filter, error);
    return status;
}

/* Reports errors in the options before any file is read. */
static enum nsc_status check_options(struct nsc_filter **filter, const struct nsc_options *options,
                                     struct nsc_error *error)
{
    if (options->set[NSC_OPTION_RANGE_NAME] && options->set[NSC_OPTION_BOOKMARK])
        return nsc_fail(error, NSC_EINVAL, "give --range or --bookmark, not both");
    if (options->set[NSC_OPTION_PROJECTED] && !options->set[NSC_OPTION_RANGE_NAME])
        return nsc_fail(error, NSC_EINVAL, "--projected goes with --range");
    if (options->set[NSC_OPTION_FILTER])
        return nsc_filter_parse(filter, nsc_text_from(options->arg[NSC_OPTION_FILTER][0]), error);
    return NSC_OK;
}

/* Of --trim reads also what runs next to its window: the work that a GPU waits for in it, and GPUs that
 * are idle in all of it. */
static enum nsc_status load(struct nsc_loaded_scope *loaded, const struct nsc_scope_source *from,
                            struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;
    struct nsc_options wide = *loaded->options;

    wide.open.trim.t0 = nsc_sum(wide.open.trim.t0, -NSC_BESIDE_TRIM);
    wide.open.trim.t1 = nsc_sum(wide.open.trim.t1, NSC_BESIDE_TRIM);
    loaded->job = from->job;
    loaded->is_lent = from->job != NULL;
    if (!from->job)
        status = nsc_open_and_load(&loaded->own, &loaded->job, from->files, &wide, error);
    else if (!from->trace)
        status = nsc_job_check(
            from->job, nsc_job_load_one(&loaded->own, from->job, from->i, NULL, error), error);
    if (from->job && status == NSC_OK && loaded->own)
        status = nsc_find_captures(loaded->own, from->job, from->i, error);
    loaded->trace = from->trace ? from->trace : loaded->own;
    if (status == NSC_OK)
        loaded->capture = nsc_job_capture(loaded->job, from->i);
    nsc_field_reader_init(&loaded->fields, loaded->capture, loaded->trace);
    return status;
}

enum nsc_status nsc_loaded_scope_open_from(struct nsc_loaded_scope *loaded,
                                           const struct nsc_scope_source *from,
                                           const struct nsc_options *options,
                                           struct nsc_error *error)
{
    struct nsc_filter *filter = NULL;
    enum nsc_status status;

    *loaded = (struct nsc_loaded_scope){.options = options};
    status = check_options(&filter, options, error);
    if (status == NSC_OK)
        status = load(loaded, from, error);
    if (status == NSC_OK && loaded->is_lent)
        nsc_envelope_add_file(options->envelope, nsc_trace_info(loaded->trace), loaded->capture);
    if (status == NSC_OK)
        status = build_scope(loaded, filter, error);
    nsc_filter_free(filter);
    if (status != NSC_OK)
        nsc_loaded_scope_close(loaded);
    return status;
}

enum nsc_status nsc_loaded_scope_open_file(struct nsc_loaded_scope *loaded, const char *file,
                                           const struct nsc_options *options,
                                           struct nsc_error *error)
{
    return nsc_loaded_scope_open_from(loaded, &(struct nsc_scope_source){.files = {&file, 1}},
                                      options, error);
}

enum nsc_status nsc_loaded_scope_open(struct nsc_loaded_scope *loaded,
                                      const struct nsc_options *options, struct nsc_error *error)
{
    return nsc_loaded_scope_open_from(
        loaded, &(struct nsc_scope_source){.files = nsc_options_files(options)}, options, error);
}

void nsc_loaded_scope_steady(struct nsc_loaded_scope *loaded)
{
    if (!loaded->scope.words && !loaded->scope.has_window)
        nsc_steady_open(&loaded->steady, &loaded->scope);
}

void nsc_loaded_scope_close(struct nsc_loaded_scope *loaded)
{
    nsc_steady_close(&loaded->steady, &loaded->scope);
    nsc_field_reader_fini(&loaded->fields);
    for (size_t i = 0; i < loaded->notes.n; i++)
        free(loaded->notes.at[i]);
    NSC_VEC_FINI(&loaded->notes);
    nsc_summary_free(loaded->summary);
    free(loaded->mask);
    nsc_trace_free(loaded->own);
    if (!loaded->is_lent)
        nsc_job_close(loaded->job);
    *loaded = (struct nsc_loaded_scope){0};
}

enum nsc_status nsc_loaded_scope_check(struct nsc_loaded_scope *loaded, struct nsc_error *error)
{
    struct nsc_error *own = &loaded->fields.error;

    if (own->status == NSC_EDAMAGED) {
        nsc_loaded_scope_note(loaded, "Some columns could not be read: %s", own->text);
        own->status = NSC_OK; /* noted once */
    }
    return own->status == NSC_OK ? NSC_OK : nsc_fail(error, own->status, "%s", own->text);
}

/* ---- printing ---- */

/* Which window the first table is about. */
static void tell_window(const struct nsc_loaded_scope *loaded, const struct nsc_sheets *sheets)
{
    struct nsc_window extent = nsc_trace_extent(loaded->trace);
    struct nsc_envelope *envelope = loaded->options->envelope;
    const char *words = loaded->scope.words ? loaded->scope.words : "A part of the recording.";

    if (!envelope->is_json)
        return; /* the screen asks on many threads */
    envelope->window = sheets->list.n ? sheets->list.at[0].window : loaded->scope.window;
    if (envelope->window.t0 == extent.t0 && envelope->window.t1 == extent.t1)
        words = "The whole recording.";
    (void)snprintf(envelope->words, sizeof envelope->words, "%s", words);
}

enum nsc_status nsc_loaded_scope_complete(struct nsc_loaded_scope *loaded,
                                          struct nsc_sheets *sheets, struct nsc_error *error)
{
    enum nsc_status status = nsc_loaded_scope_check(loaded, error);

    for (size_t i = 0; i < sheets->list.n; i++) {
        struct nsc_sheet *sheet = &sheets->list.at[i];

        if (!sheet->has_window) {
            sheet->has_window = true;
            sheet->window = loaded->scope.window;
        }
        for (size_t k = 0; i == 0 && k < loaded->notes.n; k++)
            nsc_sheet_note(sheet, "%s", loaded->notes.at[k]);
    }
    tell_window(loaded, sheets);
    return status;
}

/* Prints notes on stderr, because CSV and TSV have no place for them. */
static void say_at_least(const struct nsc_sheets *sheets, enum nsc_sheet_format format)
{
    bool is_at_least = false;

    for (size_t i = 0; i < sheets->list.n; i++)
        is_at_least |= sheets->list.at[i].is_at_least;
    if (is_at_least && (format == NSC_SHEET_AS_CSV || format == NSC_SHEET_AS_TSV))
        fprintf(stderr,
                "nsyscope: a sum of %" PRId64 " ns is a lower bound: sums stop there, and averages "
                "and shares of such a sum are not exact\n",
                INT64_MAX);
}

struct nsc_sheet_style nsc_output_style(const struct nsc_options *options)
{
    uint32_t width = output_width();
    bool wraps = options->format == NSC_SHEET_AS_TABLE && isatty(STDOUT_FILENO);

    return (struct nsc_sheet_style){.format = options->format,
                                    .ascii = nsc_output_is_ascii(),
                                    .width = width,
                                    .wrap = wraps ? width : 0}; /* a pipe's reader wraps itself */
}

enum nsc_status nsc_sheets_print(struct nsc_sheets *sheets, const struct nsc_options *options,
                                 const char *kind, struct nsc_error *error)
{
    const struct nsc_sheet_style style = nsc_output_style(options);
    /* the lists of diff end with sums of the rest, and its other tables are facts */
    bool cuts = options->set[NSC_OPTION_LIMIT] &&
                (options->set[NSC_OPTION_SORT] || options->command != NSC_COMMAND_DIFF);
    const struct nsc_wanted wanted = {.fields = options->arg[NSC_OPTION_FIELDS][0],
                                      .sort = options->arg[NSC_OPTION_SORT][0],
                                      .limit = cuts ? options->limit : 0,
                                      .has_keys = options->envelope->is_json};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    uint64_t left = 0;
    enum nsc_status status = nsc_sheets_shape(sheets, &wanted, error);

    if (status == NSC_OK && options->envelope->is_json)
        status = nsc_envelope_take(options->envelope, sheets, kind, options->max_bytes, error);
    else if (status == NSC_OK && options->max_bytes > 0)
        status = nsc_sheets_write_within(&out, &left, sheets, &style, options->max_bytes, error);
    else if (status == NSC_OK)
        nsc_sheets_write(&out, sheets, &style);
    if (status == NSC_OK && !options->envelope->is_json)
        status = nsc_put(options, &out, error);
    nsc_buf_fini(&out);
    if (left > 0 && !nsc_output_is_for_people(options))
        fprintf(stderr, "nsyscope: %" PRIu64 " more rows are left out by --max-bytes\n", left);
    say_at_least(sheets, options->format);
    nsc_sheets_fini(sheets);
    return status;
}

/* Events of these kinds were not recorded, unless a table with rows of them is there. */
static void tell_lack(struct nsc_envelope *envelope, enum nsc_kind first, enum nsc_kind last)
{
    for (uint32_t i = 0; i < envelope->n_tables; i++) {
        const struct nsc_table_status *table = &envelope->tables[i];

        if (nsc_table_defs[i].kind < first || nsc_table_defs[i].kind > last)
            continue;
        envelope->is_empty |= table->rows > 0;
        nsc_argv_add(&envelope->missing, table->name);
        nsc_argv_add(&envelope->missing, table->note);
    }
    if (envelope->is_empty)
        nsc_argv_fini(&envelope->missing);
}

enum nsc_status nsc_loaded_scope_nothing(const struct nsc_options *options, const char *events,
                                         enum nsc_kind first, enum nsc_kind last,
                                         struct nsc_error *error)
{
    tell_lack(options->envelope, first, last);
    return nsc_fail(error, NSC_ENODATA, "no %s there; nsyscope info tells what an export holds",
                    events);
}

enum nsc_status nsc_loaded_scope_print(struct nsc_loaded_scope *loaded, struct nsc_sheets *sheets,
                                       const char *kind, struct nsc_error *error)
{
    enum nsc_status status = nsc_loaded_scope_complete(loaded, sheets, error);

    if (status == NSC_OK)
        return nsc_sheets_print(sheets, loaded->options, kind, error);
    nsc_sheets_fini(sheets);
    return status;
}

/* ---- one export after the other ---- */

enum nsc_status nsc_answers_join(struct nsc_sheets *out, struct nsc_job *job,
                                 const struct nsc_options *options, const struct nsc_ask *ask,
                                 struct nsc_error *error)
{
    uint32_t n = nsc_job_count(job);
    struct nsc_sheets *parts = nsc_xcalloc(n, sizeof *parts);
    struct nsc_text *labels = nsc_xcalloc(n, sizeof *labels);
    uint32_t n_lacking = 0;
    enum nsc_status status = NSC_OK;

    for (uint32_t i = 0; i < n && status == NSC_OK; i++) {
        struct nsc_loaded_scope loaded;

        status = nsc_loaded_scope_open_from(&loaded, &(struct nsc_scope_source){.job = job, .i = i},
                                            options, error);
        if (status != NSC_OK)
            break;
        labels[i] = nsc_text_from(nsc_job_label(job, i));
        status = ask->fill(ask->context, &loaded, &parts[i], error);
        if (status == NSC_ENODATA && ++n_lacking < n) { /* one export suffices */
            *error = (struct nsc_error){0};
            status = NSC_OK;
        }
        if (status == NSC_OK)
            status = nsc_loaded_scope_complete(&loaded, &parts[i], error);
        if (status != NSC_OK)
            nsc_job_name_error(error, loaded.capture->source->path, n);
        nsc_loaded_scope_close(&loaded);
    }
    if (status == NSC_OK)
        nsc_sheets_join(out, parts, labels, n);
    for (uint32_t i = 0; i < n; i++)
        nsc_sheets_fini(&parts[i]);
    free(parts);
    free(labels);
    return status;
}

enum nsc_status nsc_loaded_scope_walk(const struct nsc_options *options, struct nsc_files files,
                                      const struct nsc_ask *ask, struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};
    struct nsc_loaded_scope loaded;
    struct nsc_job *job = NULL;
    enum nsc_status status;

    if (files.n > 1 && !ask->is_of_all_once) {
        status = nsc_open_files(&job, files, options, error);
        if (status == NSC_OK)
            status = nsc_answers_join(&sheets, job, options, ask, error);
        if (status == NSC_OK)
            status = nsc_sheets_print(&sheets, options, ask->kind, error);
        nsc_job_close(job);
        return status;
    }
    status = nsc_loaded_scope_open_from(&loaded, &(struct nsc_scope_source){.files = files},
                                        options, error);
    if (status != NSC_OK)
        return status;
    status = ask->fill(ask->context, &loaded, &sheets, error);
    if (status == NSC_OK)
        status = nsc_loaded_scope_print(&loaded, &sheets, ask->kind, error);
    nsc_sheets_fini(&sheets);
    nsc_loaded_scope_close(&loaded);
    return status;
}
