/*
 * nsyscope ncu-import: prints the counters of Nsight Compute, alone or beside the kernels of an
 * export.
 */
#include "analysis/base/device_ops.h"
#include "analysis/names/peak.h"
#include "analysis/ncu/ncu_kernels.h"
#include "cli/baseline_file.h"
#include "cli/cmd/ncu_report.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/paths.h"
#include "core/text.h"

static enum nsc_status fill(void *context, struct nsc_loaded_scope *loaded,
                            struct nsc_sheets *sheets, struct nsc_error *error)
{
    const double *peak = context;

    return nsc_ncu_report_read(sheets, loaded->options->file, &loaded->scope, *peak, error);
}

/* Prints counters alone, or beside the kernels of an export. Reads the report before loading the
 * export. */
static enum nsc_status answer(const struct nsc_options *options, double peak,
                              struct nsc_error *error)
{
    const struct nsc_ask ask = {fill, &peak, "nsyscope.ncu", false};
    struct nsc_sheets sheets = {0};
    enum nsc_status status = nsc_ncu_report_read(&sheets, options->file, NULL, peak, error);

    if (status == NSC_OK && options->n_operands < 2)
        status = nsc_sheets_print(&sheets, options, "nsyscope.ncu", error);
    nsc_sheets_fini(&sheets);
    if (status != NSC_OK || options->n_operands < 2)
        return status;
    return nsc_loaded_scope_walk(options, (struct nsc_files){&options->operands[1], 1}, &ask,
                                 error);
}

/* Rejects options that narrow an export: a report has no clock and no filter. */
static enum nsc_status check_narrowing(const struct nsc_options *options, struct nsc_error *error)
{
    struct nsc_buf narrowing = NSC_BUF_INIT(SIZE_MAX);
    enum nsc_status status = NSC_OK;
    int n;

    nsc_baseline_options(&narrowing, options);
    n = narrowing.n > 0 ? (int)strcspn(narrowing.bytes, " ") : 0;
    if (options->n_operands < 2 && n > 0)
        status = nsc_fail(error, NSC_EINVAL,
                          "%.*s narrows the kernels of an export, and there is none: ncu-import "
                          "REPORT.csv FILE %.*s ...",
                          n, narrowing.bytes, n, narrowing.bytes);
    nsc_buf_fini(&narrowing);
    return status;
}

enum nsc_status nsc_cmd_ncu_import(const struct nsc_options *options, struct nsc_error *error)
{
    const char *text = options->arg[NSC_OPTION_PEAK][0];
    double peak = 0;

    if (check_narrowing(options, error) != NSC_OK)
        return error->status;
    if (text && (!nsc_parse_number(&peak, text, "") || peak <= 0 || peak > 1e200))
        return nsc_fail(error, NSC_EINVAL, "--peak %s: give TFLOP/s, as 989.4", text);
    return answer(options, peak * 1e12, error);
}

/* ---- the report ---- */

#define REPORT_BYTES ((size_t)1 << 30) /* longer reports are refused */

/* The peak of the trace's devices if all are of one model, else 0. */
static double peak_of_trace(const struct nsc_trace *trace)
{
    const struct nsc_peak *all = NULL;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(trace, d)) != NSC_NONE;) {
        const struct nsc_peak *peak =
            nsc_peak_find(nsc_trace_string(trace, nsc_trace_track(trace, d)->label));

        if (!peak || (all && all != peak))
            return 0;
        all = peak;
    }
    return all ? all->half * 1e12 : 0;
}

enum nsc_status nsc_ncu_report_read(struct nsc_sheets *out, const char *path,
                                    const struct nsc_scope *scope, double peak,
                                    struct nsc_error *error)
{
    struct nsc_buf text = NSC_BUF_INIT(REPORT_BYTES + 1);
    struct nsc_ncu_kernels kernels;
    struct nsc_ncu ncu;
    struct nsc_error why = {NSC_OK, ""};
    enum nsc_status status = nsc_file_read(&text, path, REPORT_BYTES, error);

    if (status == NSC_OK && nsc_ncu_read(&ncu, nsc_text_of_buf(&text), &why) != NSC_OK)
        status = nsc_fail(error, why.status, "%s: %s", path, why.text);
    nsc_buf_fini(&text);
    if (status != NSC_OK)
        return status;
    nsc_ncu_kernels_build(&kernels, &ncu);
    if (scope && peak <= 0)
        peak = peak_of_trace(scope->trace);
    if (scope)
        nsc_ncu_join(out, &kernels, scope);
    nsc_ncu_sheets(out, &kernels, peak);
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
    return NSC_OK;
}
