/* nsyscope diff: compares two recordings; with --gate, checks them for continuous integration. */
#include "analysis/job/diff.h"

#include "cli/baseline_file.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/scope_options.h"
#include "core/text.h"

/* Measures one side. Frees its trace unless the caller keeps it in *kept. */
static enum nsc_status measure(struct nsc_recording *run, struct nsc_loaded_scope *loaded,
                               unsigned operand, const struct nsc_options *options,
                               struct nsc_error *error)
{
    const char *named = nsc_option_word(options, NSC_OPTION_ITERATIONS, "");
    enum nsc_status status =
        nsc_loaded_scope_open_file(loaded, options->operands[operand], options, error);

    if (status != NSC_OK)
        return status;
    status = nsc_recording_measure(run, &loaded->scope, &loaded->fields.sets, nsc_text_from(named),
                                   error);
    if (status != NSC_OK) {
        struct nsc_error own = *error;

        nsc_loaded_scope_close(loaded);
        *error = (struct nsc_error){0};
        return nsc_fail(error, own.status, "%s: %s", options->operands[operand], own.text);
    }
    return NSC_OK;
}

/* NSC_ENODATA without a verdict; only a gate can fail. */
static enum nsc_status check_gate(const struct nsc_diff *diff, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    if (diff->verdict == NSC_DIFF_INCONCLUSIVE)
        return nsc_fail(error, NSC_ENODATA, "diff: no verdict. %s", diff->why);
    if (options->set[NSC_OPTION_GATE] && diff->verdict == NSC_DIFF_REGRESSION)
        *options->exit_status = NSC_EXIT_GATE;
    return NSC_OK;
}

static void put(struct nsc_buf *out, const char *before, struct nsc_text text)
{
    nsc_buf_puts(out, before);
    nsc_buf_add(out, text.bytes, text.n);
}

/* Says whose recording A is, and what its record does not tell. */
static void note_baseline(struct nsc_sheet *sheet, const struct nsc_baseline *of,
                          const struct nsc_options *options)
{
    const struct nsc_text *facts = of->facts;
    struct nsc_text whole = nsc_text_from("no options that narrow it");
    struct nsc_text with = facts[NSC_BASELINE_OPTIONS];
    struct nsc_buf own = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);

    put(&line, "A: the baseline ", nsc_text_from(options->arg[NSC_OPTION_BASELINE][0]));
    put(&line, ", of ", facts[NSC_BASELINE_FILE]);
    put(&line, ", accepted ", facts[NSC_BASELINE_WHEN]);
    put(&line, " by ", facts[NSC_BASELINE_WHO]);
    put(&line, facts[NSC_BASELINE_WHY].n ? ": " : ".", facts[NSC_BASELINE_WHY]);
    nsc_sheet_note(sheet, "%s", line.bytes);
    line.n = 0;
    nsc_baseline_options(&own, options);
    put(&line, "A: recorded with ", with.n ? with : whole);
    put(&line, "; B: with ", own.n ? nsc_text_of_buf(&own) : whole);
    if (nsc_text_compare(with, nsc_text_of_buf(&own)) != 0)
        nsc_sheet_note(sheet, "%s.", line.bytes);
    if (of->least > 0)
        nsc_sheet_note(sheet, "A: names that take less than %lld ns are summed as \"others\".",
                       (long long)of->least);
    nsc_buf_fini(&own);
    nsc_buf_fini(&line);
}

/* Sheets show A's window. The sides have different clocks, so a note states B's. baseline: A; NULL: it
 * is an export. */
static enum nsc_status print(struct nsc_loaded_scope *loaded, const struct nsc_diff *diff,
                             const struct nsc_baseline *baseline, struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};

    nsc_diff_sheets(&sheets, diff, nsc_rows_wanted(loaded->options));
    for (size_t i = 0; i < sheets.list.n; i++) {
        sheets.list.at[i].has_window = true;
        sheets.list.at[i].window = diff->a->window;
    }
    nsc_sheet_note(&sheets.list.at[0], "Windows are A's; B's is from %lld to %lld ns on its clock.",
                   (long long)diff->b->window.t0, (long long)diff->b->window.t1);
    if (baseline)
        note_baseline(&sheets.list.at[0], baseline, loaded->options);
    return nsc_loaded_scope_print(loaded, &sheets, "nsyscope.diff", error);
}

static enum nsc_status compare(const struct nsc_options *options, double gate,
                               struct nsc_error *error)
{
    const char *name = options->arg[NSC_OPTION_BASELINE][0];
    struct nsc_loaded_scope loaded;
    struct nsc_diff diff;
    struct nsc_baseline a = {0};
    struct nsc_recording b;
    enum nsc_status status = name ? nsc_baseline_open(&a, options, name, error)
                                  : measure(&a.run, &loaded, 0, options, error);

    if (status != NSC_OK)
        return status;
    if (!name)
        nsc_loaded_scope_close(&loaded); /* keep one trace in memory at a time */
    status = measure(&b, &loaded, options->n_operands - 1, options, error);
    if (status != NSC_OK) {
        nsc_baseline_fini(&a);
        return status;
    }
    nsc_diff_measure(&diff, &a.run, &b, gate, options->set[NSC_OPTION_ANYWAY]);
    status = print(&loaded, &diff, name ? &a : NULL, error);
    if (status == NSC_OK)
        status = check_gate(&diff, options, error);
    nsc_loaded_scope_close(&loaded);
    nsc_baseline_fini(&a);
    nsc_recording_fini(&b);
    return status;
}

enum nsc_status nsc_cmd_diff(const struct nsc_options *options, struct nsc_error *error)
{
    const char *text = options->arg[NSC_OPTION_GATE][0];
    double gate = (double)NSC_LIMIT_DIFF_GATE;

    if (options->n_operands != (options->set[NSC_OPTION_BASELINE] ? 1 : 2))
        return nsc_fail(error, NSC_EINVAL,
                        "diff: give two exports, the one before first, or one and --baseline NAME");
    if (text && (!nsc_parse_number(&gate, text, "%") || gate <= 0))
        return nsc_fail(error, NSC_EINVAL, "--gate %s: give a percentage above 0, as 5%%", text);
    return compare(options, gate, error);
}
