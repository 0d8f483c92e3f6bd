/*
 * nsyscope doctor: prints what the terminal and the system offer, and what an export lacks for which answer.
 */
#include "cli/cmd/info_devices.h"
#include "cli/commands.h"
#include "cli/sandbox.h"
#include "cli/scope_options.h"
#include "cli/session/startup.h"
#include "nsys/jobs/table_use.h"
#include "open/cache.h"
#include "open/nsys.h"
#include "start/link_speed.h"
#include "tui/terminfo.h"

#include <stdio.h>
#include <string.h>

struct doctor_row {
    const char *what, *found, *advice;
};

static const struct nsc_sheet_column found_columns[] = {
    NSC_COL_TEXT(doctor_row, what, "part", "Part"),
    NSC_COL_TEXT(doctor_row, found, "found", "Found"),
    NSC_COL_TEXT(doctor_row, advice, "advice", "Advice"),
};
static const struct nsc_sheet_column missing_columns[] = {
    NSC_COL_TEXT(doctor_row, what, "missing", "Missing"),
    NSC_COL_TEXT(doctor_row, found, "needed_for", "Needed for"),
    NSC_COL_TEXT(doctor_row, advice, "record_with", "Record with"),
};

static void add_terminal(struct nsc_sheet *sheet)
{
    static const char *const colors[] = {"", "24-bit colours", "256 colours", "16 colours",
                                         "no colours"}; /* enum nsc_color_mode */
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_terminfo info = {0};
    char link[NSC_LINK_BYTES];

    if (nsc_terminfo_init(&info, getenv("TERM"), NSC_COLOR_AUTO, &error) != NSC_OK)
        (void)snprintf(info.enter, sizeof info.enter, "%.200s", error.text);
    else
        (void)snprintf(info.enter, sizeof info.enter, "%s, %s%s", info.type, colors[info.color],
                       info.modern ? ", mouse, clipboard" : "");
    NSC_ADD_ROW(sheet, doctor_row, "terminal", info.enter,
                info.modern ? "clipboard in tmux: set -g set-clipboard on" : NULL);
    nsc_terminfo_forget();
    if (nsc_link_measure(link))
        NSC_ADD_ROW(sheet, doctor_row, "link", link, "--low-bandwidth for slow ones");
}

static void add_system(struct nsc_sheet *sheet, const char *given)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_argv programs = {0};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_recordings cache;

    NSC_ADD_ROW(sheet, doctor_row, "glyphs", nsc_locale_set() ? "Unicode" : "ASCII only",
                "LC_ALL=C.UTF-8, or --ascii");
    nsc_sandbox_print(&text, nsc_sandbox_offer());
    text.bytes[text.n - 1] = '\0'; /* the end of the line */
    NSC_ADD_ROW(sheet, doctor_row, "sandbox", strchr(text.bytes, ':') + 2, NULL);
    if (nsc_cache_open(&cache, &error) == NSC_OK)
        (void)nsc_fail(&error, NSC_OK, "%s: %zu kept", cache.folder.bytes, cache.entries.n);
    NSC_ADD_ROW(sheet, doctor_row, "cache of reports", error.text, "nsyscope cache list");
    nsc_recordings_fini(&cache);
    nsc_nsys_find(&programs, given);
    for (size_t i = 0; i < programs.words.n; i++) {
        nsc_buf_clear(&text);
        nsc_buf_printf(&text, "%s ", programs.words.at[i]);
        nsc_nsys_version(&text, programs.words.at[i]);
        NSC_ADD_ROW(sheet, doctor_row, "nsys", text.bytes, NULL);
    }
    if (!programs.words.n)
        NSC_ADD_ROW(sheet, doctor_row, "nsys", "none", "give --nsys, or export reports elsewhere");
    nsc_argv_fini(&programs);
    nsc_buf_fini(&text);
}

static enum nsc_status add_missing(struct nsc_sheet *sheet, const struct nsc_options *options,
                                   struct nsc_error *error)
{
    struct nsc_trace *trace = NULL;
    struct nsc_job *job = NULL;
    uint32_t n = 0;
    char what[120];
    enum nsc_status status =
        nsc_open_and_load(&trace, &job, nsc_options_files(options), options, error);
    const struct nsc_table_status *tables = status == NSC_OK ? nsc_job_tables(job, &n) : NULL;

    /* Tables that one option records for the same readers are one line. */
    for (uint32_t i = 0, end = 0; i < n; i = end) {
        const char *reader = nsc_table_use_find(tables[i].name)->reader;
        uint32_t lacks = 0;

        for (end = i; end < n && strcmp(tables[i].note, tables[end].note) == 0 &&
                      strcmp(reader, nsc_table_use_find(tables[end].name)->reader) == 0;
             end++)
            lacks += nsc_info_lacks(tables, n, end);
        (void)snprintf(what, sizeof what, lacks > 1 ? "%s and %u more" : "%s", tables[i].feature,
                       lacks - 1);
        if (lacks && strncmp(tables[i].note, "none recorded", 13) != 0)
            NSC_ADD_ROW(sheet, doctor_row, what, reader, tables[i].note);
    }
    nsc_trace_free(trace);
    nsc_job_close(job);
    return status;
}

enum nsc_status nsc_cmd_doctor(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};
    struct nsc_sheet *sheet =
        NSC_SHEETS_ADD(&sheets, "doctor", "This terminal and system", found_columns);
    enum nsc_status status = NSC_OK;

    add_terminal(sheet);
    add_system(sheet, options->arg[NSC_OPTION_NSYS][0]);
    nsc_limits_enter(options); /* the programs have run */
    if (options->file) {
        sheet = NSC_SHEETS_ADD(&sheets, "missing", "Not recorded", missing_columns);
        status = add_missing(sheet, options, error);
    }
    if (nsc_sheets_print(&sheets, options, "nsyscope.doctor", error) != NSC_OK)
        status = error->status;
    return status;
}
