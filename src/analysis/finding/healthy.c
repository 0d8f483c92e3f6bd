/* Adds the finding that a recording is healthy. */
#include "analysis/device/breakdown.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "core/sum.h"
#include "core/units.h"

#include <math.h>
#include <string.h>

/* The greatest share of any GPU, in percent of its window. */
struct worst {
    double idle, copies;
    double comm;   /* without compute, beside copies too */
    double memory; /* any copies and memsets without kernels */
    uint32_t n_gpus;
};

static struct worst measure_worst(const struct nsc_scope *scope)
{
    struct worst worst = {0};
    struct nsc_breakdown time;

    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);) {
        worst.n_gpus++;
        worst.idle = fmax(worst.idle, nsc_percent(time.idle, time.whole));
        worst.comm = fmax(worst.comm, nsc_percent(time.comm_alone, time.whole));
        worst.copies = fmax(worst.copies, nsc_percent(time.transfer_exposed, time.whole));
        worst.memory = fmax(worst.memory, nsc_percent(time.memory_alone, time.whole));
    }
    return worst;
}

void nsc_find_healthy(struct nsc_findings *out, const struct nsc_scope *scope)
{
    struct worst worst;
    char share[3][NSC_UNITS_BYTES];
    struct nsc_finding *finding;

    for (size_t i = 0; i < out->list.n; i++)
        if (out->list.at[i].severity < NSC_SEVERITY_INFO ||
            strcmp(out->list.at[i].key, "transfers") == 0) /* not known whether they cost */
            return;
    worst = measure_worst(scope);
    if (worst.n_gpus == 0 || worst.idle >= nsc_thresholds[NSC_THRESHOLD_GPU_TIME].low ||
        fmax(worst.comm, worst.memory) >= nsc_thresholds[NSC_THRESHOLD_GPU_TIME].low ||
        worst.copies >= nsc_thresholds[NSC_THRESHOLD_TRANSFERS].low)
        return;
    finding = nsc_findings_add(
        out, "healthy", NSC_SEVERITY_INFO,
        "Healthy: %s idle for %s, communication exposed for %s, blocking copies for %s of %s",
        worst.n_gpus == 1 ? "the GPU is" : "each GPU is at most",
        nsc_units_share(share[0], worst.idle), nsc_units_share(share[1], worst.comm),
        nsc_units_share(share[2], worst.copies), nsc_finding_window_words(out, scope));
    nsc_finding_evidence(finding, "no finding is above information");
    for (size_t i = 0; i < out->list.n; i++)
        if (strcmp(out->list.at[i].key, "opaque-graphs") == 0)
            return; /* its own finding says how to see the kernels */
    nsc_finding_next(finding, "To go faster, make the kernels themselves faster: nsyscope ncu-plan "
                              "names those that take the time.");
}
