/* nsyscope diff: compares two recordings; with --gate, checks them for continuous integration. */
#include "analysis/job/diff.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/scope_options.h"
#include "core/text.h"

/* Measures one side. Frees its trace unless the caller keeps it in *kept. */
static enum nsc_status measure(struct nsc_recording *run, struct nsc_loaded_scope *loaded,
                               unsigned operand, const struct nsc_options *options,
                               struct nsc_error *error)
{
    struct nsc_text named = {"", 0};
    enum nsc_status status =
        nsc_loaded_scope_open_file(loaded, options->operands[operand], options, error);

    if (options->set[NSC_OPTION_ITERATIONS])
        named = nsc_text_from(options->arg[NSC_OPTION_ITERATIONS][0]);
    if (status != NSC_OK)
        return status;
    status = nsc_recording_measure(run, &loaded->scope, named, error);
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

/* Sheets show A's window. The sides have different clocks, so a note states B's. */
static enum nsc_status print(const struct nsc_loaded_scope *loaded, const struct nsc_diff *diff,
                             uint32_t limit, struct nsc_error *error)
{
    struct nsc_sheets sheets = {0};

    nsc_diff_sheets(&sheets, diff, limit);
    for (size_t i = 0; i < sheets.list.n; i++) {
        sheets.list.at[i].has_window = true;
        sheets.list.at[i].window = diff->a->window;
    }
    nsc_sheet_note(&sheets.list.at[0], "Windows are A's; B's is from %lld to %lld ns on its clock.",
                   (long long)diff->b->window.t0, (long long)diff->b->window.t1);
    return nsc_loaded_scope_print(loaded, &sheets, "nsyscope.diff", error);
}

static enum nsc_status compare(const struct nsc_options *options, double gate,
                               struct nsc_error *error)
{
    struct nsc_loaded_scope loaded;
    struct nsc_diff diff;
    struct nsc_recording a;
    struct nsc_recording b;
    enum nsc_status status = measure(&a, &loaded, 0, options, error);

    if (status != NSC_OK)
        return status;
    nsc_loaded_scope_close(&loaded); /* keep one trace in memory at a time */
    status = measure(&b, &loaded, 1, options, error);
    if (status != NSC_OK) {
        nsc_recording_fini(&a);
        return status;
    }
    nsc_diff_measure(&diff, &a, &b, gate, options->set[NSC_OPTION_ANYWAY]);
    status = print(&loaded, &diff, nsc_rows_wanted(options), error);
    if (status == NSC_OK)
        status = check_gate(&diff, options, error);
    nsc_loaded_scope_close(&loaded);
    nsc_recording_fini(&a);
    nsc_recording_fini(&b);
    return status;
}

enum nsc_status nsc_cmd_diff(const struct nsc_options *options, struct nsc_error *error)
{
    const char *text = options->arg[NSC_OPTION_GATE][0];
    double gate = (double)NSC_LIMIT_DIFF_GATE;

    if (options->n_operands < 2)
        return nsc_fail(error, NSC_EINVAL, "diff: give two exports, the one before first");
    if (text && (!nsc_parse_number(&gate, text, "%") || gate <= 0))
        return nsc_fail(error, NSC_EINVAL, "--gate %s: give a percentage above 0, as 5%%", text);
    return compare(options, gate, error);
}
