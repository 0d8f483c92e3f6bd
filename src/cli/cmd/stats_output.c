/*
 * Writes the text of stats reports in pieces.
 */
#include "cli/cmd/stats_output.h"

#include "cli/cmd/stats_run.h"
#include "cli/commands.h"
#include "cli/file_name.h"
#include "core/text.h"
#include "open/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static enum nsc_status check_stems(const struct nsc_options *options, struct nsc_error *error)
{
    const struct nsc_files files = {options->named, options->n_operands};

    for (unsigned i = 0; i < files.n; i++)
        for (unsigned k = 0; k < i; k++)
            if (nsc_report_stem(files.at[i]) == nsc_report_stem(files.at[k]) &&
                memcmp(files.at[i], files.at[k], nsc_report_stem(files.at[i])) == 0)
                return nsc_fail(error, NSC_EINVAL,
                                "--output .: %.90s and %.90s would write the same files",
                                files.at[k], files.at[i]);
    return NSC_OK;
}

enum nsc_status nsc_stats_output_check(const struct nsc_options *options, struct nsc_error *error)
{
    const char *base = options->arg[NSC_OPTION_STATS_OUTPUT][0];

    if (base && base[0] == '@')
        return nsc_fail(error, NSC_EINVAL,
                        "--output %.60s: commands are not run; use a pipe of the shell", base);
    return base && strcmp(base, ".") == 0 ? check_stems(options, error) : NSC_OK;
}

void nsc_stats_output_init(struct nsc_stats_output *output, const struct nsc_options *options,
                           struct nsc_stats_source source, const char *name, const char *suffix)
{
    const char *base = options->arg[NSC_OPTION_STATS_OUTPUT][0];
    const char *named = options->named[source.number == NSC_NONE ? 0 : source.number];
    struct nsc_buf path = NSC_BUF_INIT(SIZE_MAX);

    *output = (struct nsc_stats_output){.file.fd = -1, .force = options->set[NSC_OPTION_FORCE]};
    if (!base || strcmp(base, "-") == 0)
        return;
    if (strcmp(base, ".") == 0)
        nsc_buf_add(&path, named, nsc_report_stem(named));
    else
        nsc_buf_puts(&path, base);
    nsc_buf_putc(&path, '_');
    if (source.number != NSC_NONE && strcmp(base, ".") != 0) {
        nsc_file_number_name(&path, source.file, source.number);
        nsc_buf_putc(&path, '_');
    }
    for (; *name; name++)
        nsc_buf_putc(&path, *name == ':' || *name == '/' ? '_' : *name);
    nsc_buf_printf(&path, ".%s", suffix);
    output->path = path.bytes;
}

static void write_file(struct nsc_stats_output *output, const struct nsc_buf *text)
{
    unsigned flags = output->force ? NSC_OUTFILE_REPLACE : 0;

    if (!output->is_open)
        output->is_open =
            nsc_outfile_open(&output->file, output->path, flags, &output->error) == NSC_OK;
    if (output->is_open)
        (void)(nsc_outfile_write(&output->file, text, &output->error) == NSC_OK);
}

bool nsc_stats_output_take(void *context, struct nsc_buf *text)
{
    struct nsc_stats_output *output = context;

    if (output->error.status == NSC_OK && !output->path)
        (void)nsc_print_part(text, &output->gone, &output->error);
    else if (output->error.status == NSC_OK)
        write_file(output, text);
    nsc_buf_clear(text);
    return output->error.status == NSC_OK && !output->gone;
}

enum nsc_status nsc_stats_output_end(struct nsc_stats_output *output, struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(16);

    if (!output->path)
        nsc_buf_putc(&text, '\n');
    (void)nsc_stats_output_take(output, &text);
    nsc_buf_fini(&text);
    if (output->error.status != NSC_OK)
        return nsc_fail(error, output->error.status, "%s", output->error.text);
    return output->is_open ? nsc_outfile_commit(&output->file, error) : NSC_OK;
}

void nsc_stats_output_fini(struct nsc_stats_output *output)
{
    nsc_outfile_drop(&output->file);
    free(output->path);
}

/* ---- a column for the file ---- */

void nsc_stats_file_init(struct nsc_stats_file *file, const struct nsc_stats *report,
                         const char *path)
{
    uint32_t n = nsc_stats_columns(report);

    assert(n + 2 <= NSC_STATS_FILE_COLUMNS);
    *file = (struct nsc_stats_file){.report = *report, .n = n};
    file->report.columns = file->columns;
    file->columns[0] = (struct nsc_stats_column){"File", NSC_STATS_TEXT};
    memcpy(file->columns + 1, report->columns, n * sizeof *report->columns);
    file->cells[0] = (struct nsc_stats_cell){.form = NSC_STATS_STRING, .text = nsc_text_from(path)};
}

static bool take_row(void *context, const struct nsc_stats_cell cells[])
{
    struct nsc_stats_file *file = context;

    memcpy(file->cells + 1, cells, file->n * sizeof *cells);
    return file->sink->row(file->sink->context, file->cells);
}

static bool wants_again(void *context)
{
    const struct nsc_stats_file *file = context;

    return nsc_stats_again(file->sink);
}

struct nsc_stats_sink nsc_stats_file_sink(struct nsc_stats_file *file,
                                          const struct nsc_stats_sink *sink)
{
    file->sink = sink;
    return (struct nsc_stats_sink){take_row, file, wants_again};
}
