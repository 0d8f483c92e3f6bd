/*
 * Chooses and explains the options of a recording by the tables of capture_option.def.
 */
#include "cli/cmd/capture_options.h"

#include "cli/scope_options.h"
#include "core/text.h"

#include <string.h>

static const struct row {
    enum nsc_option option;
    const char *name, *value, *cost, *feeds;
} rows[] = {
#define NSC_CAPTURE_OPTION(id, name, value, cost, feeds) \
    {NSC_OPTION_##id, name, value, cost, feeds},
#include "cli/cmd/capture_option.def"
};

static const struct preset {
    const char *name, *question, *options, *suffix;
} presets[] = {
#define NSC_CAPTURE_PRESET(name, question, options, suffix) {name, question, options, suffix},
#include "cli/cmd/capture_option.def"
};

enum { N_ROWS = sizeof rows / sizeof *rows, N_PRESETS = sizeof presets / sizeof *presets };

/* NULL: no --preset. */
static const struct preset *find_preset(const struct nsc_options *options)
{
    const char *name = options->arg[NSC_OPTION_PRESET][0];

    for (size_t i = 0; name && i < N_PRESETS; i++)
        if (strcmp(presets[i].name, name) == 0)
            return &presets[i];
    return NULL;
}

/* The value of "name=value" in a list of such words; n is 0 if the name is missing. */
static struct nsc_text find_value(const char *list, const char *name)
{
    struct nsc_text rest = nsc_text_from(list);

    while (rest.n) {
        struct nsc_text value = nsc_text_split(&rest, ' ');

        if (nsc_text_is(nsc_text_split(&value, '='), name))
            return value;
    }
    return (struct nsc_text){"", 0};
}

/* The option that requests stacks, which need CPU samples; NSC_N_OPTIONS: none. */
static enum nsc_option wants_samples(const struct nsc_options *options)
{
    static const enum nsc_option stacks[] = {NSC_OPTION_CUDABACKTRACE, NSC_OPTION_BACKTRACE};

    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++)
        if (options->set[stacks[i]] && strcmp(options->arg[stacks[i]][0], "none") != 0)
            return stacks[i];
    return NSC_N_OPTIONS;
}

/* *by: the source of the value. */
static struct nsc_text value_of(const struct row *row, const struct nsc_options *options,
                                const char **by)
{
    const struct preset *preset = find_preset(options);
    struct nsc_text value = find_value(preset ? preset->options : "", row->name);

    if (options->set[row->option]) {
        *by = "given";
        return nsc_text_from(options->arg[row->option][0]);
    }
    if (row->option == NSC_OPTION_SAMPLE && wants_samples(options) != NSC_N_OPTIONS) {
        *by = nsc_option_rows[wants_samples(options)].name;
        return nsc_text_from("process-tree");
    }
    *by = value.n ? preset->name : row->value[0] ? "default" : "";
    return value.n ? value : nsc_text_from(row->value);
}

/* ---- checks ---- */

/* Seconds: positive, or at least 0. */
static enum nsc_status check_seconds(const struct nsc_options *options, enum nsc_option option,
                                     bool may_be_zero, struct nsc_error *error)
{
    const char *text = options->arg[option][0];
    double seconds = 1;

    if (!text ||
        (nsc_parse_number(&seconds, text, "") && (seconds > 0 || (may_be_zero && seconds >= 0))))
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL, "--%s %.60s: give seconds%s", nsc_option_rows[option].name,
                    text, may_be_zero ? "" : ", more than 0");
}

static enum nsc_status check_samples(const struct nsc_options *options, struct nsc_error *error)
{
    enum nsc_option stacks = wants_samples(options);

    if (stacks == NSC_N_OPTIONS || !options->set[NSC_OPTION_SAMPLE] ||
        strcmp(options->arg[NSC_OPTION_SAMPLE][0], "none") != 0)
        return NSC_OK;
    return nsc_fail(error, NSC_EINVAL,
                    "--%s and --sample none: CPU samples take the stacks; leave --sample out",
                    nsc_option_rows[stacks].name);
}

enum nsc_status nsc_capture_options_check(const struct nsc_options *options,
                                          struct nsc_error *error)
{
    if (check_seconds(options, NSC_OPTION_DELAY, true, error) != NSC_OK ||
        check_seconds(options, NSC_OPTION_DURATION, false, error) != NSC_OK)
        return error->status;
    return check_samples(options, error);
}

/* ---- the command line ---- */

/* But for options that capture.c writes itself, because they depend on each other. */
void nsc_capture_options_add(struct nsc_argv *argv, const struct nsc_options *options)
{
    const char *by = "";

    for (size_t i = 0; i < N_ROWS; i++) {
        struct nsc_text value = value_of(&rows[i], options, &by);

        if (value.n && rows[i].option != NSC_OPTION_CAPTURE_RANGE &&
            rows[i].option != NSC_OPTION_NVTX_CAPTURE)
            nsc_argv_printf(argv, "--%s=%.*s", rows[i].name, (int)value.n, value.bytes);
    }
}

const char *nsc_capture_suffix(const struct nsc_options *options)
{
    const struct preset *preset = find_preset(options);

    return preset ? preset->suffix : "";
}

/* ---- explaining ---- */

struct explained {
    const char *option, *by, *cost, *feeds;
    struct nsc_text value;
};

enum nsc_status nsc_capture_explain(const struct nsc_options *options, struct nsc_error *error)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COL_TEXT(explained, option, "option", "nsys option"),
        NSC_COL_TEXT(explained, value, "value", "Value"),
        NSC_COL_TEXT(explained, by, "by", "Set by"),
        NSC_COL_TEXT(explained, cost, "cost", "Costs"),
        NSC_COL_TEXT(explained, feeds, "feeds", "Feeds"),
    };
    struct nsc_sheets sheets = {0};
    struct nsc_sheet *sheet =
        nsc_sheets_add(&sheets, "capture", "What this recording costs", columns, 5);

    for (size_t i = 0; i < N_ROWS; i++) {
        struct explained row = {
            .option = rows[i].name, .cost = rows[i].cost, .feeds = rows[i].feeds};

        row.value = value_of(&rows[i], options, &row.by);
        NSC_SHEET_ADD_ROW(sheet, &row);
    }
    nsc_sheet_note(sheet, "Costs are the order of magnitude on a current server; see nsyscope help "
                          "overhead. --format md and csv show the texts in full.");
    return nsc_sheets_print(&sheets, options, "nsyscope.capture", error);
}

void nsc_capture_document(struct nsc_buf *out)
{
    nsc_buf_puts(
        out, "# Options of a recording\n\nGenerated by `nsyscope docs capture` from "
             "`src/cli/cmd/capture_option.def`.\n`nsyscope capture --explain` prints the "
             "second table with the values of a recording; `nsyscope help overhead` says how "
             "to choose.\n\n## Presets\n\n| `--preset` | question | sets |\n| --- | --- | --- |\n");
    for (size_t i = 0; i < N_PRESETS; i++)
        nsc_buf_printf(out, "| `%s` | %s | `%s`%s%s%s |\n", presets[i].name, presets[i].question,
                       presets[i].options, presets[i].suffix[0] ? ", reports named `capture" : "",
                       presets[i].suffix, presets[i].suffix[0] ? "`" : "");
    nsc_buf_puts(out,
                 "\n## What each option costs\n\n| option of `capture` | of nsys | without it | "
                 "costs | feeds |\n| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < N_ROWS; i++)
        nsc_buf_printf(out, "| `--%s` | `--%s` | %s | %s | %s |\n",
                       nsc_option_rows[rows[i].option].name, rows[i].name,
                       rows[i].value[0] ? rows[i].value : "-", rows[i].cost, rows[i].feeds);
    nsc_buf_puts(out, "\nAny other option of nsys goes behind `--`, before the command: `nsyscope "
                      "capture -- --osrt-threshold=10000 python train.py`.\n");
}
