/*
 * nsyscope ncu-import: prints Nsight Compute's counters, alone or beside the kernels of an export.
 */
#include "analysis/names/peak.h"
#include "analysis/ncu/ncu_kernels.h"
#include "cli/commands.h"
#include "cli/scope_options.h"
#include "core/paths.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>

#define REPORT_BYTES ((size_t)1 << 30) /* longer reports are refused */

/* Parses a peak in FLOP/s; 0 when unknown. */
static enum nsc_status parse_peak(double *out, const struct nsc_options *options,
                                  struct nsc_error *error)
{
    const char *text = options->arg[NSC_OPTION_PEAK][0];
    char *end = NULL;

    *out = 0;
    if (!options->set[NSC_OPTION_PEAK])
        return NSC_OK;
    *out = strtod(text, &end) * 1e12;
    if (end == text || *end || !isfinite(*out) || *out <= 0)
        return nsc_fail(error, NSC_EINVAL, "--peak %s: give TFLOP/s, as 989.4", text);
    return NSC_OK;
}

/* The peak of the trace's devices when all are of one model, else 0. */
static double peak_of_trace(const struct nsc_trace *trace)
{
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n);
    const struct nsc_peak *all = NULL;

    for (uint32_t i = 0; i < n; i++) {
        const struct nsc_peak *peak = NULL;

        if (tracks[i].kind != NSC_TRACK_DEVICE)
            continue;
        peak = nsc_peak_find(nsc_trace_string(trace, tracks[i].label));
        if (!peak || (all && all != peak))
            return 0;
        all = peak;
    }
    return all ? all->bf16 * 1e12 : 0;
}

static int answer(const struct nsc_options *options, const struct nsc_ncu_kernels *kernels,
                  double peak)
{
    struct nsc_error error = {0};
    struct nsc_sheets sheets = {0};
    struct nsc_asked asked;
    enum nsc_sheet_format format = NSC_SHEET_AS_TABLE;
    int result = 0;

    if (nsc_sheet_format_option(&format, options, &error) != NSC_OK)
        return nsc_complain(&error);
    if (options->n_operands < 2) {
        nsc_ncu_sheets(&sheets, kernels, peak);
        result = nsc_sheets_print(&sheets, format, "nsyscope.ncu");
    } else {
        if (nsc_asked_open_file(&asked, options->operands[1], options, &error) != NSC_OK)
            return nsc_complain(&error);
        if (peak <= 0)
            peak = peak_of_trace(asked.trace);
        nsc_ncu_join(&sheets, kernels, &asked.scope);
        nsc_ncu_sheets(&sheets, kernels, peak);
        result = nsc_asked_print(&asked, &sheets, "nsyscope.ncu");
        nsc_asked_close(&asked);
    }
    nsc_sheets_fini(&sheets);
    return result;
}

int nsc_cmd_ncu_import(const struct nsc_options *options)
{
    struct nsc_buf text = NSC_BUF_INIT(REPORT_BYTES + 1);
    struct nsc_error error = {0};
    struct nsc_ncu_kernels kernels;
    struct nsc_ncu ncu;
    double peak = 0;
    int result = 0;
    enum nsc_status status = parse_peak(&peak, options, &error);

    if (status == NSC_OK)
        status = nsc_file_read(&text, options->file, REPORT_BYTES, &error);
    if (status == NSC_OK)
        status = nsc_ncu_read(&ncu, nsc_text_of_buf(&text), &error);
    nsc_buf_fini(&text);
    if (status != NSC_OK)
        return nsc_complain(&error);
    nsc_ncu_kernels_build(&kernels, &ncu);
    result = answer(options, &kernels, peak);
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
    return result;
}
