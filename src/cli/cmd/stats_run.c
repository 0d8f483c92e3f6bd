/*
 * Runs stats reports by name: checks all words, opens each export once with the needed tables,
 * reads the fields, runs each report.
 */
#include "cli/cmd/stats_run.h"

#include "analysis/stats/ranges.h"
#include "cli/cmd/stats_output.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/sum.h"
#include "core/text.h"
#include "nsys/jobs/job_load.h"
#include "nsys/tables/fields.h"
#include "query/stats_answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct asked_report {
    const struct nsc_stats *report;
    struct nsc_stats_arguments arguments;
    char *name; /* as given; owned */
};

struct run {
    const struct nsc_options *options;
    NSC_VEC(struct asked_report) reports;
    struct nsc_stats_style style;
    bool has_window;
    struct nsc_window window;       /* --filter-time */
    struct nsc_stats_source source; /* the current export */
    struct nsc_loaded_scope loaded; /* of the current export, like the fields */
    struct nsc_fields *fields[NSC_N_STATS_FIELDS];
    size_t n_printed;
    bool is_deep;     /* the report dropped levels of ranges */
    bool is_at_least; /* one of its sums saturated at INT64_MAX */
};

/* ---- what is asked ---- */

static enum nsc_status take_reports(struct run *run, const char *names, bool is_rule,
                                    struct nsc_error *error)
{
    struct nsc_text rest = nsc_text_from(names);
    enum nsc_status status = NSC_OK;

    while (status == NSC_OK && rest.n) {
        struct nsc_text name = nsc_text_split(&rest, ',');
        struct asked_report *loaded = NSC_VEC_ADD(&run->reports);

        loaded->name = nsc_xcopy(name.bytes, name.n);
        status = nsc_stats_parse(&loaded->report, &loaded->arguments, loaded->name, is_rule, error);
    }
    return status;
}

static enum nsc_status take_style(struct run *run, struct nsc_error *error)
{
    const struct nsc_options *options = run->options;
    const char *format = options->set[NSC_OPTION_STATS_FORMAT]
                             ? options->arg[NSC_OPTION_STATS_FORMAT][0]
                             : options->arg[NSC_OPTION_SHEET_FORMAT][0];

    run->style.ascii = nsc_output_is_ascii();
    run->style.safe = isatty(STDOUT_FILENO) == 1;
    run->style.raw = options->set[NSC_OPTION_RAW_CSV];
    if (format && !nsc_stats_format_parse(&run->style, format))
        return nsc_fail(error, NSC_EINVAL,
                        "--format %.40s: give column, table, csv, tsv, json, hdoc or htable",
                        format);
    if (options->set[NSC_OPTION_TIMEUNIT] &&
        !nsc_stats_time_parse(&run->style.time, options->arg[NSC_OPTION_TIMEUNIT][0]))
        return nsc_fail(error, NSC_EINVAL, "--timeunit %.40s: give nsec, usec, msec or sec",
                        options->arg[NSC_OPTION_TIMEUNIT][0]);
    return NSC_OK;
}

static enum nsc_status take_words(struct run *run, const char *names, bool is_rule,
                                  struct nsc_error *error)
{
    const struct nsc_options *options = run->options;
    enum nsc_status status = take_reports(run, names, is_rule, error);
    const char *compat = options->arg[NSC_OPTION_NVTX_COMPAT][0];

    if (status == NSC_OK && run->reports.n == 0)
        status = nsc_fail(error, NSC_EINVAL, "-r names no report; --help-reports lists them");
    if (status == NSC_OK)
        status = take_style(run, error);
    if (status == NSC_OK && compat && strcmp(compat, "2023") != 0)
        status = nsc_fail(error, NSC_EINVAL, "--nvtx-compat %.40s: give 2023", compat);
    if (status == NSC_OK && options->set[NSC_OPTION_FILTER_TIME]) {
        run->has_window = true;
        status =
            nsc_stats_time_window(&run->window, options->arg[NSC_OPTION_FILTER_TIME][0], error);
    }
    return status;
}

/* ---- what it needs ---- */

static bool has_word(struct nsc_text list, struct nsc_text word)
{
    while (list.n)
        if (nsc_text_equal(nsc_text_split(&list, ','), word))
            return true;
    return false;
}

static void add_tables(struct nsc_buf *list, const char *tables)
{
    struct nsc_text rest = nsc_text_from(tables);

    while (rest.n) {
        struct nsc_text table = nsc_text_split(&rest, ',');

        if (!has_word(nsc_text_of_buf(list), table))
            nsc_buf_printf(list, "%s%.*s", list->n ? "," : "", (int)table.n, table.bytes);
    }
}

static enum nsc_status read_fields(struct run *run, uint32_t id, struct nsc_error *error)
{
    const struct nsc_stats_fields_def *def = &nsc_stats_fields_defs[id];
    struct nsc_fields_query query = {.kind = def->kind, .table = def->table, .asks = def->asks};

    while (query.n_asks < sizeof def->asks / sizeof *def->asks && def->asks[query.n_asks].name)
        query.n_asks++;
    if (id == NSC_STATS_FIELDS_DOMAINS)
        return nsc_fields_read_names(&run->fields[id], run->loaded.capture, &query, error);
    if (def->kind == NSC_KIND_UNKNOWN)
        return nsc_fields_read_table(&run->fields[id], run->loaded.capture, &query, error);
    if (id == NSC_STATS_FIELDS_NVTX)
        query.wants = nsc_stats_wants_range;
    return nsc_fields_read(&run->fields[id], run->loaded.capture, run->loaded.trace, &query, error);
}

static enum nsc_status open_export(struct run *run, struct nsc_error *error)
{
    struct nsc_options options = *run->options;
    struct nsc_buf tables = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status;
    uint32_t fields = 0;

    for (size_t i = 0; i < run->reports.n; i++) {
        const struct asked_report *loaded = &run->reports.at[i];

        add_tables(&tables, loaded->report->tables);
        if (loaded->arguments.in_ranges)
            add_tables(&tables, "nvtx,api");
        fields |= nsc_stats_wanted_fields(loaded->report, &loaded->arguments);
    }
    if (options.set[NSC_OPTION_FILTER_NVTX]) {
        options.set[NSC_OPTION_RANGE_NAME] = true;
        options.arg[NSC_OPTION_RANGE_NAME][0] = options.arg[NSC_OPTION_FILTER_NVTX][0];
        run->has_window = false;
    }
    if (options.set[NSC_OPTION_RANGE_NAME])
        add_tables(&tables,
                   options.set[NSC_OPTION_PROJECTED] ? "nvtx,api,kernel,copy,memset" : "nvtx");
    if (!options.set[NSC_OPTION_FILTER])
        options.open.tables = tables.bytes;
    status = nsc_loaded_scope_open_file(&run->loaded, run->source.file, &options, error);
    for (uint32_t id = 0; id < NSC_N_STATS_FIELDS && status == NSC_OK; id++)
        if (fields >> id & 1 &&
            (id != NSC_STATS_FIELDS_NVTX || nsc_stats_wants_nvtx(run->loaded.trace)))
            status = read_fields(run, id, error);
    nsc_buf_fini(&tables);
    return status;
}

/* ---- running ---- */

static void narrow(struct nsc_stats_input *input, struct nsc_window to)
{
    input->window = input->has_window ? nsc_window_meet(input->window, to) : to;
    input->has_window = true;
}

/* start= and end= of a rule. */
static struct nsc_window span_of(const struct nsc_stats_arguments *arguments)
{
    return (struct nsc_window){arguments->has_start ? arguments->start : INT64_MIN,
                               arguments->has_end ? arguments->end : INT64_MAX};
}

static enum nsc_status run_report(struct run *run, const struct asked_report *loaded,
                                  struct nsc_stats_writer *writer,
                                  const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    struct nsc_stats_input input = {.trace = run->loaded.trace,
                                    .has_window = run->loaded.scope.has_window,
                                    .window = run->loaded.scope.window,
                                    .mask = run->loaded.scope.mask,
                                    .compat_2023 = run->options->set[NSC_OPTION_NVTX_COMPAT],
                                    .arguments = loaded->arguments,
                                    .ask = nsc_stats_answer,
                                    .is_deep = &run->is_deep};
    enum nsc_status status = NSC_OK;

    for (uint32_t id = 0; id < NSC_N_STATS_FIELDS; id++)
        input.fields[id] = run->fields[id];
    if (run->has_window)
        narrow(&input, run->window);
    if (!(loaded->report->takes & NSC_STATS_TAKES_CHUNKS) &&
        (loaded->arguments.has_start || loaded->arguments.has_end))
        narrow(&input, span_of(&loaded->arguments));
    if (nsc_stats_writer_measures(writer))
        status = nsc_stats_report_run(loaded->report, &input, sink, error);
    if (!writer->is_measuring)
        return status; /* the report repeats its rows itself */
    nsc_stats_writer_begin(writer);
    return status == NSC_OK ? nsc_stats_report_run(loaded->report, &input, sink, error) : status;
}

/* Adds a column for the file if several exports share one output. */
static enum nsc_status write_report(struct run *run, const struct asked_report *loaded,
                                    struct nsc_stats_output *output, struct nsc_error *error)
{
    bool is_told = run->source.number != NSC_NONE && !output->path;
    struct nsc_stats_style style = run->style;
    struct nsc_stats_writer writer;
    struct nsc_stats_file file;
    struct nsc_stats_sink sink;
    struct nsc_stats_sink told;
    enum nsc_status status;

    style.safe &= output->path == NULL;
    nsc_stats_file_init(&file, loaded->report, run->source.file);
    nsc_stats_writer_init(&writer, is_told ? &file.report : loaded->report, &style,
                          nsc_stats_output_take, output);
    sink = nsc_stats_writer_sink(&writer);
    told = nsc_stats_file_sink(&file, &sink);
    status = run_report(run, loaded, &writer, is_told ? &told : &sink, error);
    if (status == NSC_OK)
        (void)nsc_stats_writer_end(&writer);
    run->is_at_least = writer.is_at_least;
    nsc_stats_writer_fini(&writer);
    return status;
}

/* NSC_ENODATA names the report on stderr; the others continue. */
static enum nsc_status print_report(struct run *run, const struct asked_report *loaded,
                                    struct nsc_error *error)
{
    struct nsc_stats_output output;
    enum nsc_status status;

    nsc_stats_output_init(&output, run->options, run->source, loaded->name,
                          nsc_stats_suffix(run->style.format));
    status = write_report(run, loaded, &output, error);
    if (status == NSC_OK)
        status = nsc_stats_output_end(&output, error);
    nsc_stats_output_fini(&output);
    if (run->is_deep)
        fprintf(stderr,
                "nsyscope: %s: ranges nest deeper than %d levels: only the outermost are counted "
                "or listed\n",
                loaded->report->name, NSC_STATS_DEEP);
    run->is_deep = false;
    if (run->is_at_least)
        fprintf(stderr,
                "nsyscope: %s: a sum of %" PRId64 " ns is a lower bound: sums stop there, and "
                "shares of such a sum are not exact\n",
                loaded->report->name, INT64_MAX);
    run->is_at_least = false;
    return status;
}

/* The text after "the export does not contain ...". */
static const char *asked_of(const struct run *run)
{
    bool narrow = run->has_window || run->loaded.scope.has_window || run->loaded.scope.mask;

    return narrow ? " in what was asked of" : "";
}

/* Names a report that has no data on stderr. */
static void skip_report(const struct run *run, const struct asked_report *loaded,
                        const struct nsc_error *why)
{
    bool is_told = run->source.number != NSC_NONE;
    struct nsc_error line = {NSC_OK, ""};

    (void)nsc_fail(&line, NSC_ENODATA, "SKIPPED: %.90s%s%s: %s%s", is_told ? run->source.file : "",
                   is_told ? ": " : "", loaded->name, why->text, asked_of(run));
    (void)nsc_complain(&line);
}

static enum nsc_status print_reports(struct run *run, struct nsc_error *error)
{
    bool is_alone = run->reports.n == 1 && run->source.number == NSC_NONE;
    enum nsc_status status = NSC_OK;

    for (size_t i = 0; i < run->reports.n && status == NSC_OK; i++) {
        const struct asked_report *loaded = &run->reports.at[i];
        struct nsc_error own = {NSC_OK, ""};

        status = print_report(run, loaded, &own);
        run->n_printed += status == NSC_OK;
        if (status == NSC_ENODATA && !is_alone) {
            skip_report(run, loaded, &own);
            status = NSC_OK;
        } else if (status != NSC_OK) {
            return nsc_fail(error, status, "%s: %s%s", loaded->name, own.text,
                            status == NSC_ENODATA ? asked_of(run) : "");
        }
    }
    return status;
}

static enum nsc_status run_export(struct run *run, struct nsc_stats_source source,
                                  struct nsc_error *error)
{
    enum nsc_status status;

    run->source = source;
    status = open_export(run, error);
    if (status == NSC_OK)
        status = print_reports(run, error);
    for (uint32_t id = 0; id < NSC_N_STATS_FIELDS; id++) {
        nsc_fields_free(run->fields[id]);
        run->fields[id] = NULL;
    }
    nsc_loaded_scope_close(&run->loaded);
    if (status != NSC_OK)
        nsc_job_name_error(error, source.file, source.number == NSC_NONE ? 1 : 2);
    return status;
}

static enum nsc_status run_exports(struct run *run, struct nsc_error *error)
{
    const struct nsc_files files = nsc_options_files(run->options);
    enum nsc_status status = nsc_check_files(files, run->options, error);

    for (uint32_t i = 0; i < files.n && status == NSC_OK; i++)
        status = run_export(run, (struct nsc_stats_source){files.at[i], files.n > 1 ? i : NSC_NONE},
                            error);
    return status == NSC_OK && run->n_printed == 0
               ? nsc_fail(error, NSC_ENODATA, "%s nothing for any of these reports",
                          files.n > 1 ? "the exports have" : "the export has")
               : status;
}

enum nsc_status nsc_stats_run(const struct nsc_options *options, const char *names, bool is_rule,
                              struct nsc_error *error)
{
    struct run run = {.options = options};
    enum nsc_status status = take_words(&run, names, is_rule, error);

    if (status == NSC_OK)
        status = nsc_stats_output_check(options, error);
    if (status == NSC_OK)
        status = run_exports(&run, error);
    for (size_t i = 0; i < run.reports.n; i++)
        free(run.reports.at[i].name);
    NSC_VEC_FINI(&run.reports);
    return status;
}
