/* Finds GPUs whose work is in CUDA graphs recorded whole, so that their kernels have no names. */
#include "analysis/device/breakdown.h"
#include "analysis/device/graphs.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "core/sum.h"

void nsc_find_graphs(struct nsc_findings *out, const struct nsc_scope *scope,
                     const struct nsc_field_sets *fields)
{
    struct nsc_breakdown time;

    (void)fields;
    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);) {
        struct nsc_graph_use use;
        struct nsc_finding *finding;

        if (time.n_graphs == 0 || !nsc_graph_use_build(&use, scope, d) ||
            nsc_percent(use.whole_busy, use.busy) < NSC_LIMIT_MOST)
            continue;
        finding =
            nsc_findings_add(out, "opaque-graphs", NSC_SEVERITY_INFO,
                             "CUDA graphs recorded whole are %.1f %% of the busy time of GPU %lld",
                             nsc_percent(use.whole_busy, use.busy),
                             (long long)nsc_trace_track(scope->trace, d)->gpu);
        finding->track = d;
        nsc_finding_evidence(finding,
                             "%u launches of graphs, busy for %s of %s; the export has no rows for "
                             "their kernels, so shares of kernels and of communication leave them "
                             "out",
                             use.n_whole, nsc_show_ns(finding, use.whole_busy).text,
                             nsc_show_ns(finding, use.busy).text);
        nsc_finding_next(finding, "Record with nsys profile --cuda-graph-trace=node to see the "
                                  "kernels inside. Check with: nsyscope skill run graphs FILE.");
    }
}
