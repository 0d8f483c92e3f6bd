/* Reads a report of Nsight Compute and groups its kernels. */
#include "cli/cmd/ncu_report.h"

#include "analysis/names/peak.h"
#include "analysis/ncu/ncu_kernels.h"
#include "core/paths.h"
#include "core/text.h"

#define REPORT_BYTES ((size_t)1 << 30) /* longer reports are refused */

/* The peak of the trace's devices if all are of one model, else 0. */
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
