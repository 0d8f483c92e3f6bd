/* nsyscope diff: compares two recordings; with --gate, checks them for continuous integration. */
#include "analysis/job/diff.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/scope_options.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "5%", "2.5" */
static enum nsc_status parse_gate(double *out, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    const char *text = options->arg[NSC_OPTION_GATE][0];
    char *end = NULL;

    *out = NSC_DIFF_GATE;
    if (!options->set[NSC_OPTION_GATE])
        return NSC_OK;
    *out = strtod(text, &end);
    if (end == text || (strcmp(end, "%") != 0 && *end) || !isfinite(*out) || *out <= 0)
        return nsc_fail(error, NSC_EINVAL, "--gate %s: give a percentage above 0, as 5%%", text);
    return NSC_OK;
}

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

/* The exit status: NODATA without a verdict; only a gate can fail. */
static int gate_of(const struct nsc_diff *diff, const struct nsc_options *options)
{
    struct nsc_error error = {0};

    if (diff->verdict == NSC_DIFF_INCONCLUSIVE) {
        (void)nsc_fail(&error, NSC_ENODATA, "diff: no verdict. %s", diff->why);
        return nsc_complain(&error);
    }
    return options->set[NSC_OPTION_GATE] && diff->verdict == NSC_DIFF_REGRESSION ? NSC_EXIT_GATE
                                                                                 : NSC_EXIT_DONE;
}

/* Sheets show A's window. The sides have different clocks, so a note states B's. */
static int print(const struct nsc_loaded_scope *loaded, const struct nsc_diff *diff, uint32_t limit)
{
    struct nsc_sheets sheets = {0};
    int result = 0;

    nsc_diff_sheets(&sheets, diff, limit);
    for (size_t i = 0; i < sheets.list.n; i++) {
        sheets.list.at[i].has_window = true;
        sheets.list.at[i].window = diff->a->window;
    }
    nsc_sheet_note(&sheets.list.at[0], "Windows are A's; B's is from %lld to %lld ns on its clock.",
                   (long long)diff->b->window.t0, (long long)diff->b->window.t1);
    result = nsc_loaded_scope_print(loaded, &sheets, "nsyscope.diff");
    nsc_sheets_fini(&sheets);
    return result;
}

static int compare(const struct nsc_options *options, double gate, uint32_t limit)
{
    struct nsc_error error = {0};
    struct nsc_loaded_scope loaded;
    struct nsc_diff diff;
    struct nsc_recording a;
    struct nsc_recording b;
    int result = 0;

    if (measure(&a, &loaded, 0, options, &error) != NSC_OK)
        return nsc_complain(&error);
    nsc_loaded_scope_close(&loaded); /* keep one trace in memory at a time */
    if (measure(&b, &loaded, 1, options, &error) != NSC_OK) {
        nsc_recording_fini(&a);
        return nsc_complain(&error);
    }
    nsc_diff_measure(&diff, &a, &b, gate, options->set[NSC_OPTION_ANYWAY]);
    result = print(&loaded, &diff, limit);
    if (result == NSC_EXIT_DONE)
        result = gate_of(&diff, options);
    nsc_loaded_scope_close(&loaded);
    nsc_recording_fini(&a);
    nsc_recording_fini(&b);
    return result;
}

int nsc_cmd_diff(const struct nsc_options *options)
{
    struct nsc_error error = {0};
    uint32_t limit = 20;
    double gate = 0;

    if (options->n_operands < 2)
        (void)nsc_fail(&error, NSC_EINVAL, "diff: give two exports, the one before first");
    if (error.status == NSC_OK && parse_gate(&gate, options, &error) == NSC_OK &&
        nsc_option_u32(&limit, options, NSC_OPTION_LIMIT, &error) == NSC_OK)
        return compare(options, gate, limit);
    return nsc_complain(&error);
}
