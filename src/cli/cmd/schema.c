/*
 * nsyscope schema: prints the tables and columns of an export, or of every known version, as sheets
 * or as one HTML page.
 */
#include "cli/cmd/documents.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/outfile.h"
#include "core/paths.h"
#include "core/text.h"
#include "nsys/explore/explore.h"
#include "share/schema_view.h"

#include <string.h>
#include <unistd.h>

void nsc_schema_document(struct nsc_buf *out)
{
    struct nsc_explored explored;

    nsc_explore_versions(&explored);
    nsc_schema_html(out, &explored.sheets, "The schema of Nsight Systems SQLite exports");
    nsc_explored_fini(&explored);
}

static void write_html(struct nsc_buf *out, const struct nsc_explored *explored, const char *file)
{
    const char *slash = strrchr(file, '/');
    struct nsc_buf title = NSC_BUF_INIT(SIZE_MAX);

    nsc_buf_printf(&title, "The schema of %s", slash ? slash + 1 : file);
    nsc_schema_html(out, &explored->sheets, title.bytes);
    nsc_buf_fini(&title);
}

static void write_sheets(struct nsc_buf *out, const struct nsc_explored *explored,
                         enum nsc_sheet_format format)
{
    struct nsc_sheet_style style = {.format = format,
                                    .ascii = nsc_output_is_ascii(),
                                    .width = nsc_output_width(),
                                    .kind = "nsyscope.schema"};

    if (format == NSC_SHEET_AS_TABLE && isatty(STDOUT_FILENO))
        style.wrap = style.width;
    if (format == NSC_SHEET_AS_TABLE)
        nsc_schema_text(out, &explored->sheets, &style);
    else
        nsc_sheets_write(out, &explored->sheets, &style);
}

static int put(const struct nsc_options *options, const struct nsc_buf *out)
{
    unsigned replace = options->set[NSC_OPTION_FORCE] ? NSC_OUTFILE_REPLACE : 0;
    struct nsc_error error = {0};

    if (!options->set[NSC_OPTION_OUTPUT])
        return nsc_print(out);
    if (nsc_file_write(options->arg[NSC_OPTION_OUTPUT][0], NSC_OUTFILE_DEVICE | replace, out,
                       &error) == NSC_OK)
        return NSC_EXIT_DONE;
    (void)nsc_complain(&error);
    return error.status == NSC_EIO ? NSC_EXIT_WRITE : nsc_exit_of(error.status);
}

int nsc_cmd_schema(const struct nsc_options *options)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_sheet_format format;
    struct nsc_explored explored = {0};
    struct nsc_error error = {0};
    struct nsc_explore_ask ask = {.path = options->file, .options = &options->open};
    enum nsc_status status = nsc_sheet_format_option(&format, options, &error);
    int result;

    if (status == NSC_OK && options->file)
        status = nsc_explore_export(&explored, &ask, &error);
    else if (status == NSC_OK)
        nsc_explore_versions(&explored);
    if (status != NSC_OK)
        return nsc_complain(&error);
    if (!options->set[NSC_OPTION_SCHEMA_HTML])
        write_sheets(&out, &explored, format);
    else if (options->file)
        write_html(&out, &explored, options->file);
    else
        nsc_schema_document(&out);
    result = put(options, &out);
    nsc_explored_fini(&explored);
    nsc_buf_fini(&out);
    return result;
}
