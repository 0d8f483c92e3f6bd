/*
 * nsyscope export: writes the events of an export in another program's format.
 */
#include "analysis/skill/skill.h"
#include "cli/cmd/export_folder.h"
#include "cli/commands.h"
#include "cli/field_reader.h"
#include "cli/scope_window.h"
#include "cli/skill_list.h"
#include "core/outfile.h"
#include "core/paths.h"
#include "share/dump.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static enum nsc_status find_format(enum nsc_dump_format *out, const struct nsc_options *options,
                                   struct nsc_error *error)
{
    const char *word = options->arg[NSC_OPTION_TO][0];

    *out = word ? nsc_dump_format_find(nsc_text_from(word)) : NSC_N_DUMP_FORMATS;
    if (*out != NSC_N_DUMP_FORMATS || (!word && options->set[NSC_OPTION_OUTPUT]))
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL, "export --to %s: give %s", word ? word : "FORMAT",
                    nsc_option_rows[NSC_OPTION_TO].arguments);
}

/* The figures of each GPU in place of the events. */
static enum nsc_status write_summary(const struct nsc_options *options, struct nsc_asked *asked,
                                     struct nsc_error *error)
{
    const struct nsc_skill *skills[] = {nsc_skill_find("gpu_summary"),
                                        nsc_skill_find("stream_concurrency")};
    const struct nsc_question questions[] = {nsc_question_of(skills[0], NULL, NULL),
                                             nsc_question_of(skills[1], NULL, NULL)};
    const struct nsc_sheet_style style = {.format = NSC_SHEET_AS_JSON, .kind = "nsyscope.summary"};
    const char *path = options->arg[NSC_OPTION_OUTPUT][0];
    unsigned replace = options->set[NSC_OPTION_FORCE] ? NSC_OUTFILE_REPLACE : 0;
    struct nsc_buf out = NSC_BUF_INIT(1u << 30);
    struct nsc_sheets sheets = {0};
    enum nsc_status status = nsc_skills_ask(&sheets, asked, skills, questions, 2, error);

    nsc_asked_complete(asked, &sheets);
    nsc_sheets_write(&out, &sheets, &style);
    if (status == NSC_OK && path)
        status = nsc_file_write(path, NSC_OUTFILE_DEVICE | replace, nsc_text_of_buf(&out), error);
    else if (status == NSC_OK && nsc_print(&out) != NSC_EXIT_DONE)
        status = nsc_fail(error, NSC_EIO, "cannot write standard output");
    nsc_sheets_fini(&sheets);
    nsc_buf_fini(&out);
    return status;
}

/* Refuses to write a binary format, or megabytes of text, to a terminal. */
static enum nsc_status check_output(const struct nsc_options *options, enum nsc_dump_format format,
                                    struct nsc_error *error)
{
    if (!options->set[NSC_OPTION_OUTPUT] && format == NSC_DUMP_PERFETTO && isatty(STDOUT_FILENO))
        return nsc_fail(error, NSC_EINVAL,
                        "export: perfetto is binary; give --output FILE or redirect the output");
    return NSC_OK;
}

/* Narrows the query to --window. */
static enum nsc_status narrow(struct nsc_dump_query *query, const struct nsc_options *options,
                              struct nsc_error *error)
{
    struct nsc_window w = options->window;

    if (!options->has_window)
        return NSC_OK;
    query->window.t0 = w.t0 > query->window.t0 ? w.t0 : query->window.t0;
    query->window.t1 = w.t1 < query->window.t1 ? w.t1 : query->window.t1;
    if (query->window.t0 < query->window.t1)
        return NSC_OK;
    return nsc_fail(error, NSC_ENODATA, "export: the window holds nothing of what was asked for");
}

/* A closed pipe is no failure. */
static bool write_out(void *context, struct nsc_text bytes, struct nsc_error *error)
{
    bool *gone = context;

    while (bytes.n) {
        ssize_t n = write(STDOUT_FILENO, bytes.bytes, bytes.n);

        if (n < 0 && errno == EINTR)
            continue;
        *gone = n < 0 && errno == EPIPE;
        if (n <= 0) {
            (void)nsc_fail(error, NSC_EIO, "cannot write standard output: %s",
                           strerror(n ? errno : EIO));
            return false;
        }
        bytes.bytes += n;
        bytes.n -= (uint32_t)n;
    }
    return true;
}

static enum nsc_status dump_out(const struct nsc_dump_query *query, struct nsc_error *error)
{
    bool gone = false;
    struct nsc_dump_sink sink = {write_out, &gone};
    enum nsc_status status = NSC_OK;

    signal(SIGPIPE, SIG_IGN);
    status = nsc_dump(query, &sink, NULL, error);
    return gone ? NSC_OK : status;
}

static enum nsc_status check_exports(const void *job, struct nsc_error *error)
{
    return nsc_job_check(job, NSC_OK, error);
}

static enum nsc_status write_dump(const struct nsc_options *options,
                                  const struct nsc_dump_query *query, struct nsc_error *error)
{
    const char *path = options->arg[NSC_OPTION_OUTPUT][0];

    if (query->format == NSC_N_DUMP_FORMATS)
        return nsc_export_folder(query, path, options->set[NSC_OPTION_FORCE], error);
    return path ? nsc_dump_file(query, path, options->set[NSC_OPTION_FORCE], NULL, error)
                : dump_out(query, error);
}

static enum nsc_status dump(const struct nsc_options *options, struct nsc_asked *asked,
                            enum nsc_dump_format format, struct nsc_error *error)
{
    const char *filter = options->arg[NSC_OPTION_FILTER][0];
    struct nsc_field_reader fields;
    struct nsc_bookmarks bookmarks = {0};
    struct nsc_error ignored = {0};
    char identity[NSC_IDENTITY_BYTES];
    struct nsc_dump_query query = {.trace = asked->trace,
                                   .mask = asked->mask,
                                   .window = asked->scope.window,
                                   .filter = nsc_text_from(filter ? filter : ""),
                                   .format = format,
                                   .fields = &fields.sets,
                                   .bookmarks = &bookmarks,
                                   .has_gpu_views = true,
                                   .raw_csv = options->set[NSC_OPTION_RAW_CSV],
                                   .threads = options->open.threads,
                                   .check = check_exports,
                                   .check_context = asked->job};
    enum nsc_status status = NSC_OK;

    if (!asked->scope.has_window) /* events outside of the extent too */
        query.window = (struct nsc_window){INT64_MIN, INT64_MAX};
    status = narrow(&query, options, error);
    if (status != NSC_OK)
        return status;
    if (nsc_asked_bookmarks(&bookmarks, identity, asked, options, &ignored) != NSC_OK)
        nsc_bookmarks_fini(&bookmarks); /* a trace without them is better than none */
    nsc_field_reader_init(&fields, asked->capture, asked->trace);
    status = write_dump(options, &query, error);
    if (status == NSC_OK)
        status = nsc_field_reader_check(&fields, asked, error);
    nsc_field_reader_fini(&fields);
    nsc_bookmarks_fini(&bookmarks);
    return status;
}

int nsc_cmd_export(const struct nsc_options *options)
{
    struct nsc_error error = {0};
    struct nsc_asked asked;
    enum nsc_dump_format format;
    bool has_changed;
    enum nsc_status status = find_format(&format, options, &error);

    if (status == NSC_OK)
        status = check_output(options, format, &error);
    if (status == NSC_OK)
        status = nsc_asked_open(&asked, options, &error);
    if (status != NSC_OK)
        return nsc_complain(&error);
    status = options->set[NSC_OPTION_SUMMARY] ? write_summary(options, &asked, &error)
                                              : dump(options, &asked, format, &error);
    has_changed = nsc_job_has_changed(asked.job);
    nsc_asked_close(&asked);
    if (status == NSC_OK)
        return NSC_EXIT_DONE;
    (void)nsc_complain(&error);
    return status == NSC_EIO && !has_changed ? NSC_EXIT_WRITE : nsc_exit_of(status);
}
