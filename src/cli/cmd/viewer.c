/*
 * nsyscope viewer: writes a trace as one HTML page.
 */
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "cli/scope_window.h"
#include "core/argv.h"
#include "share/page_answers.h"

#include <string.h>

/* The times: every event of --window or of the scope's window, else of everything that is loaded. */
static enum nsc_status set_times(struct nsc_page_request *request,
                                 const struct nsc_loaded_scope *loaded,
                                 const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_window whole = nsc_trace_extent(loaded->trace);
    const char *const *window = options->arg[NSC_OPTION_PAGE_WINDOW];
    bool is_part = options->set[NSC_OPTION_RANGE_NAME] || options->set[NSC_OPTION_BOOKMARK] ||
                   options->open.has_trim;

    request->window = loaded->scope.window;
    request->detail = is_part ? loaded->scope.window : whole;
    if (!options->has_window)
        return NSC_OK;
    request->detail = request->window = options->window;
    if (options->window.t0 < whole.t1 && options->window.t1 > whole.t0)
        return NSC_OK;
    return nsc_fail(error, NSC_ENODATA,
                    "--window %.40s %.40s: lies outside of the export's time, which nsyscope info "
                    "shows; a number without a unit is seconds",
                    window[0], window[1]);
}

static void add_word(struct nsc_buf *out, const char *word)
{
    nsc_buf_putc(out, ' ');
    nsc_argv_quote(out, word);
}

/* Appends "nsyscope viewer FILE... --option value ...", quoted for a shell, for people to run again on
 * another machine. Files are named without their folders; options that say where output goes, or who
 * makes it, and those that a session sets, are left out. */
static void add_command(struct nsc_buf *out, const struct nsc_options *options)
{
    nsc_buf_printf(out, "nsyscope %s", nsc_commands[options->command].name);
    for (unsigned i = 0; i < options->n_operands; i++) {
        const char *slash = strrchr(options->operands[i], '/');

        add_word(out, slash && slash[1] ? slash + 1 : options->operands[i]);
    }
    for (int i = 0; i < NSC_N_OPTIONS; i++) {
        bool is_place = i == NSC_OPTION_OUTPUT || i == NSC_OPTION_FORCE || i == NSC_OPTION_SESSION;

        if (!options->set[i] || is_place || (nsc_option_rows[i].n && !options->arg[i][0]))
            continue;
        nsc_buf_printf(out, " --%s", nsc_option_rows[i].name);
        for (int k = 0; k < nsc_option_rows[i].n; k++)
            add_word(out, options->arg[i][k]);
    }
}

static enum nsc_status make(struct nsc_buf *page, struct nsc_loaded_scope *loaded,
                            const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf command = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_bookmarks bookmarks = {0};
    struct nsc_error ignored = {0};
    char identity[NSC_IDENTITY_BYTES];
    struct nsc_page_request request = {.scope = &loaded->scope,
                                       .bookmarks = &bookmarks,
                                       .notes = (const char *const *)loaded->notes.at,
                                       .n_notes = loaded->notes.n,
                                       .ascii = nsc_output_is_ascii()};
    enum nsc_status status = set_times(&request, loaded, options, error);

    if (status == NSC_OK)
        status = nsc_option_bytes(&request.max_size, options, NSC_OPTION_MAX_SIZE, error);
    if (nsc_job_count(loaded->job) == 1)
        request.fields = &loaded->fields.sets;
    add_command(&command, options);
    request.command = command.bytes;
    if (nsc_loaded_scope_bookmarks(&bookmarks, identity, loaded, &ignored) != NSC_OK)
        nsc_bookmarks_fini(&bookmarks); /* a page without them is better than none */
    if (status == NSC_OK)
        status = nsc_page_write(page, &request, NULL, error);
    if (status == NSC_OK)
        status = nsc_loaded_scope_check(loaded, error);
    nsc_bookmarks_fini(&bookmarks);
    nsc_buf_fini(&command);
    return status;
}

enum nsc_status nsc_cmd_viewer(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf page = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_loaded_scope loaded;
    enum nsc_status status = nsc_loaded_scope_open(&loaded, options, error);

    if (status == NSC_OK)
        status = make(&page, &loaded, options, error);
    if (status == NSC_OK)
        status = nsc_put(options, &page, error);
    nsc_loaded_scope_close(&loaded);
    nsc_buf_fini(&page);
    return status;
}
