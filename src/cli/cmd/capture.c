/*
 * nsyscope capture: builds the nsys commands of a recording, prints or runs them, and collects the
 * results in one folder.
 */
#include "cli/cmd/capture_options.h"
#include "cli/commands.h"
#include "core/argv.h"
#include "core/paths.h"
#include "core/text.h"
#include "core/units.h"
#include "open/recordings.h"
#include "open/report.h"
#include "open/subprocess.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct capture {
    const struct nsc_options *options;
    const char *nsys;
    const char *range, *range_end; /* NULL: not given */
    char folder[2048];
    char base[2100]; /* path of nsys's output, without suffix */
};

/* ---- what is asked ---- */

static bool is_one_of(const char *word, const char *const words[])
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* Whether the word is a known one, optionally with a number: "repeat:3". */
static bool is_range_end(const char *word)
{
    static const char *const words[] = {"none", "stop", "stop-shutdown", "repeat", NULL};
    size_t n = strcspn(word, ":");
    const char *count = word[n] ? word + n + 1 : "";

    if (is_one_of(word, words))
        return true;
    return ((n == 6 && strncmp(word, "repeat", n) == 0) ||
            (n == 15 && strncmp(word, "repeat-shutdown", n) == 0)) &&
           *count >= '1' && *count <= '9' && count[strspn(count, "0123456789")] == '\0';
}

static enum nsc_status check_range(struct capture *capture, struct nsc_error *error)
{
    static const char *const ranges[] = {"none", "nvtx", "cudaProfilerApi", "hotkey", NULL};
    const struct nsc_options *options = capture->options;
    bool has_nvtx = options->set[NSC_OPTION_NVTX_CAPTURE];

    capture->range = nsc_option_word(options, NSC_OPTION_CAPTURE_RANGE, has_nvtx ? "nvtx" : NULL);
    capture->range_end = nsc_option_word(options, NSC_OPTION_RANGE_END, NULL);
    if (capture->range && !is_one_of(capture->range, ranges))
        return nsc_fail(error, NSC_EINVAL,
                        "--capture-range %s: give none, nvtx, cudaProfilerApi or hotkey",
                        capture->range);
    if (has_nvtx != (capture->range && strcmp(capture->range, "nvtx") == 0))
        return nsc_fail(error, NSC_EINVAL,
                        "--capture-range nvtx and --nvtx-capture RANGE go together: the one "
                        "without the other records nothing");
    if (capture->range_end && !capture->range)
        return nsc_fail(error, NSC_EINVAL, "--range-end %s: there is no --capture-range to end",
                        capture->range_end);
    if (capture->range_end && !is_range_end(capture->range_end))
        return nsc_fail(error, NSC_EINVAL,
                        "--range-end %s: give none, stop, stop-shutdown, repeat[:N] or "
                        "repeat-shutdown:N",
                        capture->range_end);
    return NSC_OK;
}

/* "-o", "-oname", "--output", "--output=name" */
static bool is_output(const char *word)
{
    return strncmp(word, "-o", 2) == 0 || strcmp(word, "--output") == 0 ||
           strncmp(word, "--output=", 9) == 0;
}

static enum nsc_status check(struct capture *capture, struct nsc_error *error)
{
    const struct nsc_options *options = capture->options;
    const char *output = NULL;
    bool has_command = false;

    for (int i = 0; i < options->n_rest; i++)
        has_command |= options->rest[i][0] != '-';
    if (!has_command)
        return nsc_fail(error, NSC_EINVAL,
                        "capture: give the command behind --, as nsyscope capture -- python x.py");
    for (int i = 0; i < options->n_rest && options->rest[i][0] == '-' && !output; i++)
        if (is_output(options->rest[i]))
            output = options->rest[i];
    if (output)
        return nsc_fail(error, NSC_EINVAL, "%.60s: give --out DIR: capture names the report",
                        output);
    return check_range(capture, error);
}

static enum nsc_status name_folder(struct capture *capture, struct nsc_error *error)
{
    const char *folder = nsc_option_word(capture->options, NSC_OPTION_OUT, NULL);
    time_t now = time(NULL);
    struct tm local;
    char stamp[64] = "capture";

    if (!folder && localtime_r(&now, &local))
        (void)strftime(stamp, sizeof stamp, "capture-%Y%m%d-%H%M%S", &local);
    if (!folder)
        folder = stamp;
    if (strlen(folder) + 32 > sizeof capture->folder)
        return nsc_fail(error, NSC_EINVAL, "--out: the name is too long");
    (void)snprintf(capture->folder, sizeof capture->folder, "%s", folder);
    (void)snprintf(capture->base, sizeof capture->base, "%s/nsys/capture%s", folder,
                   nsc_capture_suffix(capture->options));
    return NSC_OK;
}

/* ---- the commands ---- */

/* By default nsys looks only for registered strings; this option makes it look for any range. */
static void add_range(struct nsc_argv *argv, const struct capture *capture)
{
    if (!capture->range)
        return;
    nsc_argv_printf(argv, "--capture-range=%s", capture->range);
    if (strcmp(capture->range, "nvtx") == 0) {
        nsc_argv_printf(argv, "--nvtx-capture=%s",
                        capture->options->arg[NSC_OPTION_NVTX_CAPTURE][0]);
        nsc_argv_add(argv, "--env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0");
    }
    if (capture->range_end)
        nsc_argv_printf(argv, "--capture-range-end=%s", capture->range_end);
}

/* Always uses the same settings, so that recordings are comparable. */
static void build_profile(struct nsc_argv *argv, const struct capture *capture)
{
    const struct nsc_options *options = capture->options;

    NSC_ARGV_WORDS(argv, capture->nsys, "profile");
    nsc_capture_options_add(argv, options);
    nsc_argv_add(argv, "--stats=false");
    add_range(argv, capture);
    NSC_ARGV_WORDS(argv, "-o", capture->base);
    for (int i = 0; i < options->n_rest; i++)
        nsc_argv_add(argv, options->rest[i]);
}

static void build_export(struct nsc_argv *argv, const struct capture *capture, const char *report,
                         const char *sqlite)
{
    /* the blobs of NVTX payloads contain the bytes of NCCL's calls */
    NSC_ARGV_WORDS(argv, capture->nsys, "export", "--type=sqlite", "--force-overwrite=true",
                   "--include-blobs=true", "--output", sqlite, report);
}

static enum nsc_status print_commands(const struct capture *capture, struct nsc_error *error)
{
    struct nsc_argv profile = {0};
    struct nsc_argv export = {0};
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    char report[2200];
    char sqlite[2200];

    (void)snprintf(report, sizeof report, "%s.nsys-rep", capture->base);
    (void)snprintf(sqlite, sizeof sqlite, "%s.sqlite", capture->base);
    build_profile(&profile, capture);
    build_export(&export, capture, report, sqlite);
    nsc_buf_puts(&out, "mkdir -p ");
    nsc_argv_quote(&out, capture->folder);
    nsc_buf_puts(&out, "/nsys\n");
    nsc_argv_print(&out, &profile);
    nsc_buf_putc(&out, '\n');
    if (nsc_capture_suffix(capture->options)[0]) {
        struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);

        nsc_argv_print(&line, &export);
        nsc_buf_puts(&out, "# then for each report of the folder:\n# ");
        nsc_text_clean(&out, nsc_text_of_buf(&line), false); /* a comment is one line */
        nsc_buf_fini(&line);
    } else {
        nsc_argv_print(&out, &export);
    }
    nsc_buf_putc(&out, '\n');
    nsc_argv_fini(&profile);
    nsc_argv_fini(&export);
    return nsc_print(&out, error);
}

/* ---- the folder ---- */

static enum nsc_status make_folder(const char *path, struct nsc_error *error)
{
    if (nsc_outfile_folder(path, 0777) == 0)
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL, "%s: cannot be made: %s; give another with --out", path,
                    strerror(errno));
}

/* Describes how to repeat the recording: command, place, time, and CUDA's environment variables. */
static void describe(struct nsc_buf *out, const struct capture *capture)
{
    static const char *const variables[] = {"CUDA_VISIBLE_DEVICES",
                                            "CUDA_LAUNCH_BLOCKING",
                                            "CUDA_DEVICE_MAX_CONNECTIONS",
                                            "NCCL_DEBUG",
                                            "NCCL_ALGO",
                                            "NCCL_PROTO",
                                            "PYTORCH_CUDA_ALLOC_CONF",
                                            "CUBLAS_WORKSPACE_CONFIG",
                                            "OMP_NUM_THREADS",
                                            "RANK",
                                            "WORLD_SIZE",
                                            "LOCAL_RANK"};
    struct nsc_argv profile = {0};
    char folder[4096];
    char stamp[40];

    build_profile(&profile, capture);
    nsc_argv_print(out, &profile);
    nsc_argv_fini(&profile);
    nsc_units_now(stamp);
    nsc_buf_printf(out, "\n# %s\n", stamp);
    if (getcwd(folder, sizeof folder)) {
        nsc_buf_puts(out, "# in ");
        nsc_text_clean(out, nsc_text_from(folder), false); /* a comment is one line */
        nsc_buf_putc(out, '\n');
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);

        if (!value)
            continue;
        nsc_buf_printf(out, "# %s=", variables[i]);
        nsc_text_clean(out, nsc_text_from(value), false);
        nsc_buf_putc(out, '\n');
    }
}

static enum nsc_status make_folders(const struct capture *capture, struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(1u << 20);
    char path[2200];
    enum nsc_status status = make_folder(capture->folder, error);

    (void)snprintf(path, sizeof path, "%s/nsys", capture->folder);
    if (status == NSC_OK)
        status = make_folder(path, error);
    (void)snprintf(path, sizeof path, "%s/cmd.txt", capture->folder);
    describe(&text, capture);
    if (status == NSC_OK)
        status = nsc_file_write(path, 0, &text, error);
    nsc_buf_fini(&text);
    return status;
}

/* ---- running ---- */

/* Runs one of the two commands and reports a failure. */
static enum nsc_status run_step(struct nsc_argv *argv, int *exit_status, struct nsc_error *error)
{
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);

    nsc_argv_print(&line, argv);
    fprintf(stderr, "+ %s\n", line.bytes);
    nsc_buf_fini(&line);
    return nsc_subprocess_run(exit_status, nsc_argv_vector(argv), STDIN_FILENO, error);
}

/* Exports one report into the same folder. */
static enum nsc_status export_one(const struct capture *capture, const char *report,
                                  struct nsc_error *error)
{
    struct nsc_argv argv = {0};
    struct nsc_buf next = NSC_BUF_INIT(SIZE_MAX);
    const char *dot = strrchr(report, '.');
    char sqlite[4096];
    int exit_status = 0;
    enum nsc_status status;

    (void)snprintf(sqlite, sizeof sqlite, "%.*s.sqlite", (int)(dot - report), report);
    build_export(&argv, capture, report, sqlite);
    status = run_step(&argv, &exit_status, error);
    nsc_argv_fini(&argv);
    nsc_buf_puts(&next, "nsyscope ");
    nsc_argv_quote(&next, sqlite);
    if (status == NSC_OK && exit_status != 0)
        status = nsc_fail(error, NSC_EIO, "%s: nsys export ended with %d; the report is kept",
                          report, exit_status);
    if (status == NSC_OK)
        printf("%s\n", next.bytes);
    nsc_buf_fini(&next);
    return status;
}

static bool add_report(void *context, struct nsc_recorded recorded)
{
    if (nsc_report_is(recorded.file))
        nsc_argv_add(context, recorded.file);
    nsc_recorded_fini(&recorded);
    return true;
}

/* A repeating range gives several reports; exports them all. */
static enum nsc_status export_all(const struct capture *capture, struct nsc_error *error)
{
    char path[4096];
    struct nsc_argv reports = {0};
    enum nsc_status status = NSC_OK;

    (void)snprintf(path, sizeof path, "%s/nsys", capture->folder);
    nsc_recordings_walk(path, false, add_report, &reports);
    if (!reports.words.n)
        status = nsc_fail(error, NSC_ENODATA,
                          "%s: nsys wrote no report; was the range ever entered?", path);
    for (size_t i = 0; i < reports.words.n && status == NSC_OK; i++)
        status = export_one(capture, reports.words.at[i], error);
    nsc_argv_fini(&reports);
    return status;
}

/* Returns the exit status of the profiled command if everything else succeeded. */
static enum nsc_status record(const struct capture *capture, int *exit_status,
                              struct nsc_error *error)
{
    struct nsc_argv argv = {0};
    enum nsc_status status;

    if (!nsc_subprocess_finds(NULL, capture->nsys))
        return nsc_fail(error, NSC_EINVAL,
                        "%s: no such program; install Nsight Systems or name it with --nsys "
                        "(--dry-run prints the commands)",
                        capture->nsys);
    status = make_folders(capture, error);
    if (status != NSC_OK)
        return status;
    build_profile(&argv, capture);
    status = run_step(&argv, exit_status, error);
    nsc_argv_fini(&argv);
    if (status == NSC_OK)
        status = export_all(capture, error);
    return status;
}

enum nsc_status nsc_cmd_capture(const struct nsc_options *options, struct nsc_error *error)
{
    struct capture capture = {.options = options,
                              .nsys = nsc_option_word(options, NSC_OPTION_NSYS, "nsys")};
    enum nsc_status status = nsc_capture_options_check(options, error);

    if (status == NSC_OK && options->set[NSC_OPTION_EXPLAIN])
        return nsc_capture_explain(options, error);
    if (status == NSC_OK)
        status = check(&capture, error);
    if (status == NSC_OK)
        status = name_folder(&capture, error);
    if (status == NSC_OK && options->set[NSC_OPTION_DRY_RUN])
        return print_commands(&capture, error);
    return status == NSC_OK ? record(&capture, options->exit_status, error) : status;
}
