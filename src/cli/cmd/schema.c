/*
 * nsyscope schema: prints the tables and columns of an export, or of every known version, as sheets
 * or as one HTML page.
 */
#include "cli/cmd/documents.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
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

enum nsc_status nsc_cmd_schema(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_explored explored = {0};
    struct nsc_explore_ask ask = {.path = options->file, .options = &options->open};
    enum nsc_status status = NSC_OK;

    if (options->file)
        status = nsc_explore_export(&explored, &ask, error);
    else
        nsc_explore_versions(&explored);
    if (status != NSC_OK)
        return status;
    if (!options->set[NSC_OPTION_SCHEMA_HTML])
        write_sheets(&out, &explored, options->format);
    else if (options->file)
        write_html(&out, &explored, options->file);
    else
        nsc_schema_document(&out);
    status = nsc_put(options, &out, error);
    nsc_explored_fini(&explored);
    nsc_buf_fini(&out);
    return status;
}
