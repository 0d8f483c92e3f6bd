/* Ends subcommands: exit status, one line on stderr, all output on stdout. */
#include "cli/commands.h"
#include "cli/field_reader.h"
#include "core/outfile.h"
#include "core/paths.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"
#include "nsys/tables/schema.h"
#include "open/newer_schema.h"
#include "open/progress_line.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_WARNINGS = 5 };

static int exit_of(enum nsc_status status)
{
    static const int exits[] = {[NSC_OK] = NSC_EXIT_DONE,         [NSC_ENOMEM] = NSC_EXIT_MEMORY,
                                [NSC_EIO] = NSC_EXIT_OPEN,        [NSC_EFORMAT] = NSC_EXIT_OPEN,
                                [NSC_EINVAL] = NSC_EXIT_USAGE,    [NSC_ECANCELLED] = 128 + SIGINT,
                                [NSC_ENODATA] = NSC_EXIT_NODATA,  [NSC_EWRITE] = NSC_EXIT_WRITE,
                                [NSC_EDAMAGED] = NSC_EXIT_DAMAGED};

    return exits[status];
}

bool nsc_output_is_ascii(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        const char *codeset = value ? strchr(value, '.') : NULL;

        if (value && value[0])
            return !codeset || (strncasecmp(codeset, ".UTF-8", 6) != 0 &&
                                strncasecmp(codeset, ".UTF8", 5) != 0);
    }
    return false;
}

int nsc_complain(const struct nsc_error *error)
{
    const char *text = error->text[0] ? error->text : nsc_status_word(error->status);
    struct nsc_buf clean = NSC_BUF_INIT(4096);

    nsc_text_clean(&clean, nsc_text_from(text), nsc_output_is_ascii());
    fprintf(stderr, "nsyscope: %s\n", clean.n ? clean.bytes : "");
    nsc_buf_fini(&clean);
    return exit_of(error->status);
}

enum nsc_status nsc_print_part(const struct nsc_buf *text, bool *gone, struct nsc_error *error)
{
    if (text->overflow)
        return nsc_fail(error, NSC_EWRITE,
                        "standard output: the answer has more than the %zu bytes allowed",
                        text->limit);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe must not end the program with a signal */
    if (*gone || nsc_write_all(STDOUT_FILENO, text->bytes, text->n))
        return NSC_OK;
    *gone = errno == EPIPE;
    return *gone ? NSC_OK
                 : nsc_fail(error, NSC_EWRITE, "standard output: cannot be written: %s",
                            strerror(errno));
}

enum nsc_status nsc_print(struct nsc_buf *text, struct nsc_error *error)
{
    bool gone = false;
    enum nsc_status status = nsc_print_part(text, &gone, error);

    nsc_buf_fini(text);
    return status;
}

/* Cuts text behind the last line that fits --max-bytes, and says so; too few bytes for that give the
 * words alone. */
static void bound(struct nsc_buf *text, size_t most)
{
    static const char words[] = "Cut by --max-bytes: with 0 it is whole.\n";

    if (most == 0 || text->n <= most)
        return;
    text->n = most > sizeof words ? most - (sizeof words - 1) : 0;
    while (text->n > 0 && text->bytes[text->n - 1] != '\n')
        text->n--;
    nsc_buf_puts(text, words);
}

enum nsc_status nsc_put(const struct nsc_options *options, struct nsc_buf *text,
                        struct nsc_error *error)
{
    unsigned replace = options->set[NSC_OPTION_FORCE] ? NSC_OUTFILE_REPLACE : 0;
    enum nsc_status status;

    if (options->format == NSC_SHEET_AS_TABLE)
        bound(text, options->max_bytes);
    if (!options->set[NSC_OPTION_OUTPUT])
        return nsc_print(text, error);
    status = nsc_file_write(options->arg[NSC_OPTION_OUTPUT][0], NSC_OUTFILE_DEVICE | replace, text,
                            error);
    nsc_buf_fini(text);
    return status;
}

struct nsc_job_options nsc_options_job(const struct nsc_options *options)
{
    return (struct nsc_job_options){&options->open, options->align, options->align_range,
                                    options->named};
}

enum nsc_status nsc_open_files(struct nsc_job **job, struct nsc_files files,
                               const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_job_options job_options = nsc_options_job(options);

    if (files.at != options->operands)
        job_options.names = NULL;
    return nsc_job_open(job, files.at, files.n, &job_options, error);
}

static void warn(const struct nsc_options *options, const char *text)
{
    struct nsc_error line = {NSC_OK, ""};

    (void)snprintf(line.text, sizeof line.text, "warning: %s", text);
    (void)nsc_complain(&line);
    nsc_argv_add(&options->envelope->warnings, text);
}

enum nsc_status nsc_check_files(struct nsc_files files, const struct nsc_options *options,
                                struct nsc_error *error)
{
    struct nsc_job *job = NULL;
    enum nsc_status status = NSC_OK;

    if (files.n > 1)
        status = nsc_open_files(&job, files, options, error);
    nsc_job_close(job);
    return status;
}

/* Prints what every answer must say of the data: at most MOST_WARNINGS lines. */
static void warn_of_damage(struct nsc_job *job, const struct nsc_options *options)
{
    char text[400];
    uint32_t left = 0;

    for (uint32_t i = 0; i < nsc_job_count(job); i++) {
        uint32_t n = 0;
        const char *const *damage = nsc_capture_damage(nsc_job_capture(job, i), &n);
        const char *label = nsc_job_label(job, i);

        for (uint32_t k = 0; k < n; k++) {
            if (left++ >= MOST_WARNINGS)
                continue;
            (void)snprintf(text, sizeof text, "%.60s%s%s", label, *label ? ": " : "", damage[k]);
            warn(options, text);
        }
    }
    (void)snprintf(text, sizeof text, "%u more; nsyscope info lists them", left - MOST_WARNINGS);
    if (left > MOST_WARNINGS)
        warn(options, text);
}

/* Whether there is work of a GPU, or anything of a process. */
static bool has_any(const struct nsc_trace *trace, bool is_process, int64_t number)
{
    uint32_t n = 0, t = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);

    while (t < n && (is_process ? tracks[t].pid != number
                                : tracks[t].device < 0 || tracks[t].device != number))
        t++;
    return t < n;
}

bool nsc_options_lack_work(char text[NSC_LACK_TEXT], const struct nsc_trace *trace,
                           const struct nsc_open_options *open)
{
    for (uint32_t i = 0; i < open->n_gpus + open->n_pids; i++) {
        bool is_process = i >= open->n_gpus;
        int64_t number = is_process ? open->pids[i - open->n_gpus] : open->gpus[i];

        if (has_any(trace, is_process, number))
            continue;
        (void)snprintf(text, NSC_LACK_TEXT,
                       is_process ? "--pid %" PRId64 ": nothing of that process was read; nsyscope "
                                    "sql FILE 'SELECT DISTINCT pid FROM event' lists them"
                                  : "--gpu %" PRId64 ": no work of that GPU was read; nsyscope "
                                    "info lists the GPUs",
                       number);
        return true;
    }
    return false;
}

static void warn_of_lacks(const struct nsc_trace *trace, const struct nsc_options *options)
{
    char text[NSC_LACK_TEXT];

    if (nsc_options_lack_work(text, trace, &options->open))
        warn(options, text);
}

bool nsc_options_load_all(const struct nsc_options *options)
{
    const struct nsc_open_options *open = &options->open;

    return !open->has_trim && !open->n_gpus && !open->n_pids && !open->tables &&
           !options->set[NSC_OPTION_ALIGN] && !options->set[NSC_OPTION_COMPARE];
}

/* Moves a warm trace of the files to the caller. Its labels are not those of several reports. */
static bool take_warm(struct nsc_trace **trace, struct nsc_job **job, struct nsc_files files,
                      const struct nsc_options *options)
{
    struct nsc_warm *warm = nsc_warms_find(options->warm, files.at, files.n);

    if (!warm || !nsc_options_load_all(options) ||
        (files.n > 1 && options->named != options->operands) ||
        !nsc_text_is(nsc_trace_string(warm->trace, nsc_trace_info(warm->trace)->words),
                     options->open.words ? options->open.words : ""))
        return false;
    *trace = warm->trace;
    *job = warm->job;
    warm->trace = NULL;
    warm->job = NULL;
    return true;
}

enum nsc_status nsc_open_and_load(struct nsc_trace **trace, struct nsc_job **job,
                                  struct nsc_files files, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;
    struct nsc_progress_line *line;
    char newer[NSC_NEWER_BYTES];

    *trace = NULL;
    if (!take_warm(trace, job, files, options))
        status = nsc_open_files(job, files, options, error);
    if (!*trace && status == NSC_OK) {
        line = nsc_progress_line_open(STDERR_FILENO, NSC_PROGRESS_LINE_MS, NULL);
        status = nsc_job_load(trace, *job, nsc_progress_line_counters(line), error);
        nsc_progress_line_close(line);
    }
    if (status == NSC_OK && options->command != NSC_COMMAND_INFO)
        warn_of_damage(*job, options);
    if (status == NSC_OK && nsc_newer_schema(newer, *trace, *job))
        warn(options, newer);
    if (status == NSC_OK)
        warn_of_lacks(*trace, options);
    if (status == NSC_OK)
        status = nsc_find_captures(*trace, *job, 0, error);
    for (uint32_t i = 0; status == NSC_OK && i < nsc_job_count(*job); i++)
        nsc_envelope_add_file(options->envelope, &nsc_trace_captures(*trace, NULL)[i],
                              nsc_job_capture(*job, i));
    /* info reports a changed file itself */
    if (status == NSC_OK && options->command != NSC_COMMAND_INFO)
        status = nsc_job_check(*job, status, error);
    if (status != NSC_OK) {
        nsc_trace_free(*trace);
        *trace = NULL;
        nsc_job_close(*job);
        *job = NULL;
    }
    return status;
}

/* The time that --trim skips, as the extent of a trace counts it: without the rows that build graphs,
 * and of counters only when there is nothing else. */
static struct nsc_window measure_outside(struct nsc_job *job)
{
    struct nsc_window events = {0, 0};
    struct nsc_window samples = {0, 0};
    uint32_t n = 0;
    const struct nsc_table_status *tables = nsc_job_tables(job, &n);

    for (uint32_t i = 0; i < n; i++)
        if (i != NSC_TABLE_GRAPH_EVENTS && i != NSC_TABLE_GRAPH_NODE_EVENTS)
            nsc_window_join(nsc_table_defs[i].family == NSC_FAMILY_COUNTERS ? &samples : &events,
                            tables[i].outside);
    return events.t0 == events.t1 ? samples : events;
}

enum nsc_status nsc_check_trim(const struct nsc_open_options *open, const struct nsc_trace *trace,
                               struct nsc_job *job, struct nsc_error *error)
{
    struct nsc_window outside;
    char text[2][NSC_UNITS_SPAN_BYTES];

    if (!open->has_trim || nsc_trace_events(trace)->n)
        return NSC_OK;
    outside = measure_outside(job);
    if (outside.t0 == outside.t1)
        return NSC_OK;
    return nsc_fail(error, NSC_ENODATA, "--trim %s: no events there; the recording runs from %s",
                    nsc_units_span(text[0], open->trim), nsc_units_span(text[1], outside));
}
