/*
 * Runs nsys export and puts what it writes into the cache.
 */
#include "open/report.h"

#include "core/outfile.h"
#include "core/paths.h"
#include "core/progress.h"
#include "core/temporary.h"
#include "core/text.h"
#include "open/nsys.h"
#include "open/progress_line.h"
#include "open/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static const char *const suffixes[] = {".nsys-rep", ".qdrep", ".sqlite"}; /* reports first */

enum { N_REPORTS = 2, N_SUFFIXES = 3, TRIES = 100 };

static unsigned find_suffix(const char *path)
{
    unsigned i = 0;

    while (i < N_SUFFIXES && !nsc_text_ends(nsc_text_from(path), suffixes[i]))
        i++;
    return i;
}

bool nsc_report_is(const char *path)
{
    return find_suffix(path) < N_REPORTS;
}

size_t nsc_report_stem(const char *path)
{
    unsigned i = find_suffix(path);

    return strlen(path) - (i < N_SUFFIXES ? strlen(suffixes[i]) : 0);
}

static bool is_export(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is = fd >= 0 && nsc_outfile_is_database(fd);

    if (fd >= 0)
        (void)close(fd);
    return is;
}

static bool find_beside(struct nsc_buf *out, const char *report)
{
    struct stat old, new;

    nsc_buf_printf(out, "%.*s.sqlite", (int)nsc_report_stem(report), report);
    return stat(report, &old) == 0 && stat(out->bytes, &new) == 0 &&
           new.st_mtim.tv_sec >= old.st_mtim.tv_sec &&is_export(out->bytes);
}

/* ---- watching nsys ---- */

struct watching {
    struct nsc_progress *progress; /* in percent */
    struct nsc_buf last;           /* its last line that is no progress */
    struct nsc_buf line;
    unsigned percent;
};

/* "Processing [====  43%]" */
static void take_line(struct watching *watching)
{
    const char *sign = watching->line.n ? strchr(watching->line.bytes, '%') : NULL;
    const char *digits = sign;
    unsigned percent;

    while (sign && digits > watching->line.bytes && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    percent = sign && sign - digits <= 3 ? (unsigned)strtoul(digits, NULL, 10) : 0;
    if (percent > watching->percent && percent <= 100) {
        nsc_progress_set_rows(watching->progress, 100);
        nsc_progress_add(watching->progress, percent - watching->percent, 0);
        watching->percent = percent;
    }
    if (!sign && nsc_text_trim(nsc_text_of_buf(&watching->line)).n) {
        nsc_buf_clear(&watching->last);
        nsc_buf_join(&watching->last, &watching->line);
    }
}

static void read_text(void *context, struct nsc_text text)
{
    struct watching *watching = context;

    for (uint32_t i = 0; i < text.n; i++) {
        bool ends = text.bytes[i] == '\n' || text.bytes[i] == '\r';

        if (!ends)
            nsc_buf_putc(&watching->line, text.bytes[i]);
        if (ends || text.bytes[i] == '%')
            take_line(watching);
        if (ends)
            nsc_buf_clear(&watching->line);
    }
}

/* Standard input as a terminal that gives each key at once; -1 if it is none, or not ours now. */
static int take_keys(struct termios *before)
{
    struct termios now;

    if (tcgetattr(STDIN_FILENO, before) != 0 || tcgetpgrp(STDIN_FILENO) != getpgrp())
        return -1;
    now = *before;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    return tcsetattr(STDIN_FILENO, TCSADRAIN, &now) == 0 ? STDIN_FILENO : -1;
}

static enum nsc_status run_nsys(const char *nsys, const char *option, const char *report,
                                const char *to, const struct nsc_reports *reports,
                                struct nsc_error *error)
{
    const char *const words[] = {nsys, "export", "--type=sqlite", "--force-overwrite=true", option};
    struct watching watching = {NULL, NSC_BUF_INIT(400), NSC_BUF_INIT(400), 0};
    struct nsc_subprocess_watch watch = {read_text, &watching, -1};
    struct nsc_progress_line *line;
    struct nsc_argv argv = {0};
    struct termios before;
    char what[NSC_PROGRESS_LINE_BYTES];
    int result = 0;
    enum nsc_status status;

    (void)snprintf(what, sizeof what, "exporting report %u of %u (Esc cancels)", reports->done + 1,
                   reports->n);
    for (size_t i = 0; i < sizeof words / sizeof *words && words[i]; i++)
        nsc_argv_add(&argv, words[i]);
    nsc_argv_printf(&argv, "--output=%s", to);
    nsc_argv_printf(&argv, "%s%s", report[0] == '-' ? "./" : "", report);
    watch.keys = take_keys(&before);
    line = nsc_progress_line_open(STDERR_FILENO, NSC_PROGRESS_LINE_MS, what);
    watching.progress = nsc_progress_line_counters(line);
    status = nsc_subprocess_read(&result, nsc_argv_vector(&argv), &watch, error);
    nsc_progress_line_close(line);
    if (watch.keys >= 0)
        (void)tcsetattr(watch.keys, TCSADRAIN, &before);
    take_line(&watching);
    if (status == NSC_OK && result == 128 + SIGINT)
        status = nsc_fail(error, NSC_ECANCELLED, "%s: the export is cancelled", report);
    else if (status == NSC_OK && (result != 0 || !is_export(to)))
        status = nsc_fail(error, NSC_EIO, "%s: %s export ended with %d%s%s", report, nsys, result,
                          watching.last.n ? ": " : " and no export",
                          watching.last.n ? watching.last.bytes : "");
    nsc_argv_fini(&argv);
    nsc_buf_fini(&watching.last);
    nsc_buf_fini(&watching.line);
    return status;
}

/* ---- the export ---- */

/* Makes the folder "export.<pid>-<n>.tmp" in the cache, and appends its path. */
static enum nsc_status make_folder(struct nsc_buf *out, const struct nsc_recordings *cache,
                                   struct nsc_error *error)
{
    nsc_buf_printf(out, "%s/export", cache->folder.bytes);
    if (nsc_file_folders(out->bytes, error) != NSC_OK)
        return error->status;
    nsc_temporary_clean_folders(out->bytes, NSC_TEMPORARY_STALE);
    for (unsigned i = 0; i < TRIES; i++) {
        nsc_buf_clear(out);
        nsc_buf_printf(out, "%s/export.%ld-%u.tmp", cache->folder.bytes, (long)getpid(), i);
        if (nsc_outfile_folder(out->bytes, 0700) == 0)
            return NSC_OK;
        if (errno != EEXIST)
            break;
    }
    return nsc_fail(error, NSC_EWRITE, "%s: cannot be made: %s", out->bytes, strerror(errno));
}

/* Moves a complete export to its place. */
static enum nsc_status keep(const char *from, const char *to, struct nsc_error *error)
{
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    bool done = fd >= 0 && fsync(fd) == 0;

    if (fd >= 0)
        (void)close(fd);
    if (!done)
        return nsc_fail(error, NSC_EWRITE, "%s: cannot be written: %s", from, strerror(errno));
    if (nsc_file_folders(to, error) != NSC_OK)
        return error->status;
    return nsc_outfile_place(from, to, NSC_OUTFILE_REPLACE | NSC_OUTFILE_DATABASE, error);
}

/* Exports by the first program that can. The error is that of the newest. */
static enum nsc_status export_by(const struct nsc_argv *programs, const char *report,
                                 const char *to, const struct nsc_reports *reports,
                                 struct nsc_error *error)
{
    enum nsc_status status = NSC_EIO;

    for (size_t i = 0; i < programs->words.n && status == NSC_EIO; i++) {
        struct nsc_error own = {NSC_OK, ""};

        status = run_nsys(programs->words.at[i], "--include-blobs=true", report, to, reports, &own);
        if (status == NSC_EIO && strstr(own.text, "--help")) /* an old one lacks the option */
            status = run_nsys(programs->words.at[i], NULL, report, to, reports, &own);
        if (status != NSC_OK && (i == 0 || status == NSC_ECANCELLED))
            *error = own;
    }
    return status;
}

static enum nsc_status export_new(const char *report, const char *to,
                                  const struct nsc_recordings *cache,
                                  const struct nsc_argv *programs,
                                  const struct nsc_reports *reports, struct nsc_error *error)
{
    struct nsc_buf folder = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf file = NSC_BUF_INIT(SIZE_MAX);
    int slots[2] = {-1, -1};
    sigset_t before;
    enum nsc_status status;

    nsc_temporary_begin(&before);
    status = make_folder(&folder, cache, error);
    nsc_buf_printf(&file, "%s/%s", folder.bytes, strrchr(to, '/') + 1);
    if (status == NSC_OK) {
        slots[0] = nsc_temporary_add(folder.bytes);
        slots[1] = nsc_temporary_add(file.bytes);
    }
    nsc_temporary_end(&before);
    if (status == NSC_OK)
        status = export_by(programs, report, file.bytes, reports, error);
    if (status == NSC_OK)
        status = keep(file.bytes, to, error);
    if (slots[0] >= 0)
        nsc_temporary_remove_folder(folder.bytes);
    nsc_temporary_drop(slots[1]);
    nsc_temporary_drop(slots[0]);
    nsc_buf_fini(&file);
    nsc_buf_fini(&folder);
    return status;
}

/* path: receives the place of the export in the cache. */
static enum nsc_status find_or_export(struct nsc_buf *path, bool *found, const char *report,
                                      const struct nsc_reports *reports, struct nsc_error *error)
{
    const char *slash = strrchr(report, '/');
    const char *leaf = slash ? slash + 1 : report;
    struct nsc_text stem = {leaf, (uint32_t)nsc_report_stem(leaf)};
    struct nsc_buf name = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_argv programs = {0};
    struct nsc_recordings cache;
    enum nsc_status status = nsc_cache_open(&cache, error);

    if (status == NSC_OK)
        status = nsc_cache_name(&name, report, error);
    *found = status == NSC_OK && nsc_cache_find(path, &cache, name.bytes, stem);
    if (status == NSC_OK && !*found)
        nsc_nsys_find(&programs, reports->nsys);
    if (programs.words.n) {
        status = nsc_cache_trim(&cache, reports->began, error);
        if (status == NSC_OK)
            status = export_new(report, path->bytes, &cache, &programs, reports, error);
        *found = status == NSC_OK;
    }
    nsc_argv_fini(&programs);
    nsc_buf_fini(&name);
    nsc_recordings_fini(&cache);
    return status;
}

enum nsc_status nsc_report_export(char **path, const char *report, struct nsc_reports *reports,
                                  struct nsc_error *error)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);
    bool found = find_beside(&out, report);
    enum nsc_status status = NSC_OK;

    if (!found) {
        nsc_buf_clear(&out);
        status = find_or_export(&out, &found, report, reports, error);
    }
    reports->done++;
    *path = found ? nsc_xcopy(out.bytes, out.n) : NULL;
    nsc_buf_fini(&out);
    return status;
}
