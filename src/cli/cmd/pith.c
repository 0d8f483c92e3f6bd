/*
 * nsyscope setup, window, streams and stages: measure the hidden communication of a PithTrain run.
 */
#include "analysis/pith/pith.h"

#include "nsyscope/job.h"

#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/units.h"
#include "nsys/tables/fields.h"
#include "share/sheet_write.h"

#include <stdio.h>
#include <stdlib.h>

struct pith_question {
    struct nsc_pith_query query;
    enum nsc_pith_view view;
    bool half_window; /* --start without --end or the reverse: ignored */
};

static enum nsc_status parse_question(struct pith_question *out, const struct nsc_options *options,
                                      struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    *out = (struct pith_question){0};
    out->query.ranks_only =
        options->command == NSC_COMMAND_SETUP || options->command == NSC_COMMAND_WINDOW;
    out->query.parity = options->set[NSC_OPTION_PARITY];
    out->query.has_window = options->set[NSC_OPTION_START] && options->set[NSC_OPTION_END];
    out->query.has_rank = options->set[NSC_OPTION_PITH_RANK];
    out->query.rank = options->rank;
    out->view = (enum nsc_pith_view)options->word[NSC_OPTION_VIEW];
    out->half_window =
        !out->query.has_window && (options->set[NSC_OPTION_START] || options->set[NSC_OPTION_END]);
    if (out->query.has_window) {
        status = nsc_units_parse_time(&out->query.start, options->arg[NSC_OPTION_START][0],
                                      NSC_UNITS_NS, error);
        if (status == NSC_OK)
            status = nsc_units_parse_time(&out->query.end, options->arg[NSC_OPTION_END][0],
                                          NSC_UNITS_NS, error);
    }
    return status;
}

/* ---- fields ---- */

static enum nsc_status read_field(struct nsc_fields **out, const struct nsc_loaded_scope *loaded,
                                  enum nsc_kind kind, const char *column, struct nsc_error *error)
{
    const struct nsc_field_ask ask = {column, NSC_FIELD_INT};
    const struct nsc_fields_query query = {.kind = kind, .asks = &ask, .n_asks = 1};

    return nsc_fields_read(out, loaded->capture, loaded->trace, &query, error);
}

/* With several exports the fields are not read; a range that was never closed then ends with the
 * trace. */
static enum nsc_status read_fields(struct nsc_pith_query *query,
                                   const struct nsc_loaded_scope *loaded, struct nsc_error *error)
{
    enum nsc_status status;

    if (nsc_job_count(loaded->job) > 1)
        return query->parity ? nsc_fail(error, NSC_EINVAL, "--parity: give one export") : NSC_OK;
    status = read_field(&query->nvtx, loaded, NSC_KIND_NVTX_RANGE, "end", error);
    if (status == NSC_OK && query->parity)
        status = read_field(&query->calls, loaded, NSC_KIND_API_RUNTIME, "correlationId", error);
    if (status == NSC_OK && query->parity)
        status = read_field(&query->kernels, loaded, NSC_KIND_KERNEL, "correlationId", error);
    return status;
}

/* ---- output ---- */

static void make_sheets(struct nsc_sheets *sheets, struct nsc_sheet_column **columns,
                        const struct nsc_pith *pith, enum nsc_command command,
                        enum nsc_pith_view view)
{
    switch (command) {
    case NSC_COMMAND_SETUP:
        nsc_pith_setup_sheet(sheets, pith);
        return;
    case NSC_COMMAND_WINDOW:
        nsc_pith_window_sheet(sheets, pith);
        return;
    case NSC_COMMAND_STREAMS:
        nsc_pith_streams_sheet(sheets, pith);
        return;
    default:
        nsc_pith_stages_sheet(sheets, pith, view, columns);
    }
}

/* Scripts read the tables, so notes go to stderr. A table without rows gets one line with the
 * reason. */
static void write_tables(struct nsc_buf *out, const struct nsc_sheets *sheets,
                         const struct pith_question *question)
{
    bool has_rows = nsc_sheet_rows(&sheets->list.at[0]) > 0;

    for (size_t i = 0; i < sheets->list.n; i++) {
        const struct nsc_sheet *sheet = &sheets->list.at[i];

        if (i > 0)
            nsc_buf_putc(out, '\n');
        if (sheets->list.n > 1)
            nsc_buf_printf(out, "%s\n", sheet->title);
        nsc_plain_table_write(out, sheet);
        for (size_t n = 0; has_rows && i == 0 && n < sheet->notes.n; n++)
            fprintf(stderr, "nsyscope: %s\n", sheet->notes.at[n]);
    }
    if (question->half_window && has_rows)
        fprintf(stderr, "nsyscope: a window needs both --start and --end; each rank's chunk is "
                        "used\n");
}

static enum nsc_status print_sheets(struct nsc_sheets *sheets, const struct pith_question *question,
                                    const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

    if (options->format != NSC_SHEET_AS_TABLE)
        return nsc_sheets_print(sheets, options, "nsyscope.pith", error);
    write_tables(&out, sheets, question);
    return nsc_print(&out, error);
}

/* An answer without rows still has its header, followed by the missing data. */
static enum nsc_status answer(const struct pith_question *question,
                              const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};
    struct nsc_sheet_column *columns = NULL;
    struct nsc_pith pith;
    struct nsc_error lack = {0};
    enum nsc_status status = nsc_pith_build(&pith, &question->query, &lack);
    enum nsc_status printed;

    make_sheets(&sheets, &columns, &pith, options->command, question->view);
    if (options->command == NSC_COMMAND_SETUP && nsc_sheet_rows(&sheets.list.at[0]) > 0)
        status = NSC_OK; /* setup needs only labels */
    else if (options->command == NSC_COMMAND_SETUP && status == NSC_OK)
        status = nsc_fail(&lack, NSC_ENODATA,
                          "no process has a label (rank=...); streams and stages take pids for "
                          "ranks");
    printed = print_sheets(&sheets, question, options, error);
    if (status == NSC_OK && pith.stages.n == 0 && options->command == NSC_COMMAND_STAGES)
        fprintf(stderr, "nsyscope: no stage: no kernel of the window is communication (a short "
                        "name that begins with nccl)\n");
    if (status != NSC_OK && printed == NSC_OK)
        *error = lack;
    nsc_sheets_fini(&sheets);
    free(columns);
    nsc_pith_fini(&pith);
    return error->status;
}

/* --range, --bookmark and --trim set one window for every rank, as --start and --end do. */
static void take_scope(struct nsc_pith_query *query, const struct nsc_scope *scope)
{
    query->trace = scope->trace;
    query->mask = scope->mask;
    if (!query->has_window && scope->has_window) {
        query->has_window = true;
        query->start = scope->window.t0;
        query->end = scope->window.t1;
    }
}

enum nsc_status nsc_cmd_pith(const struct nsc_options *options, struct nsc_error *error)
{
    struct pith_question question;
    struct nsc_loaded_scope loaded;
    enum nsc_status status = parse_question(&question, options, error);

    if (status == NSC_OK)
        status = nsc_loaded_scope_open(&loaded, options, error);
    if (status != NSC_OK)
        return status;
    take_scope(&question.query, &loaded.scope);
    status = read_fields(&question.query, &loaded, error);
    if (status == NSC_OK)
        status = answer(&question, options, error);
    nsc_fields_free(question.query.nvtx);
    nsc_fields_free(question.query.calls);
    nsc_fields_free(question.query.kernels);
    nsc_loaded_scope_close(&loaded);
    return status;
}
