/*
 * Finds copies between host and device that nothing hides.
 *
 * Exposed: no kernel or graph runs. Thresholds: threshold.def.
 */
#include "analysis/device/copies.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "core/sum.h"
#include "core/units.h"

#define LEAST_RATE 0.01 /* GB/s: as much as two decimals show */

static const char *next_of(const struct nsc_transfers *of)
{
    nsc_time hidden = of->time.transfer - of->time.transfer_exposed;

    if (of->has_memory && of->pageable > of->bytes / 2)
        return "Most bytes are of pageable memory: allocate the buffers pinned (pin_memory) and "
               "copy asynchronously.";
    if (of->has_bytes && of->small > of->sized / 2)
        return "Most copies are below 64 KiB: batch them into fewer.";
    if (nsc_percent(hidden, of->time.transfer) < 10)
        return "Nothing runs under the copies: move them to a stream of their own and prefetch.";
    return "Copy less, or earlier: prefetch the next batch while this one computes.";
}

/* A few bytes show how long a copy takes to start, not its rate. */
static void tell_direction(struct nsc_finding *finding, const char *word, int64_t bytes,
                           nsc_time time, bool ascii)
{
    double rate = time ? (double)bytes / (double)time : 0; /* GB/s */
    char text[NSC_UNITS_BYTES];
    char taken[NSC_UNITS_BYTES];

    if (bytes == 0 || time == 0)
        return;
    nsc_units_bytes(text, (uint64_t)bytes);
    nsc_units_duration(taken, time, ascii);
    if (rate < LEAST_RATE)
        nsc_finding_evidence(finding, "%s: %s in %s", word, text, taken);
    else
        nsc_finding_evidence(finding, "%s: %s at %.2f GB/s", word, text, rate);
}

static void tell_copies(struct nsc_finding *finding, const struct nsc_transfers *of, bool ascii)
{
    nsc_time count = (nsc_time)of->count;

    tell_direction(finding, "host to device", of->to_device, of->to_device_ns, ascii);
    tell_direction(finding, "device to host", of->to_host, of->to_host_ns, ascii);
    if (of->has_memory)
        nsc_finding_evidence(finding, "%.1f %% of the bytes touch pageable memory",
                             nsc_percent(of->pageable, of->bytes));
    else
        nsc_finding_evidence(finding, "pageable or pinned is not known");
    if (of->has_bytes)
        nsc_finding_evidence(finding, "%.1f %% of the copies are below 64 KiB",
                             nsc_percent((nsc_time)of->small, (nsc_time)of->sized));
    nsc_finding_evidence(finding, "%.1f %% go through calls without Async",
                         nsc_percent((nsc_time)of->blocking, count));
}

static void report(struct nsc_findings *out, const struct nsc_scope *scope, uint32_t device,
                   const struct nsc_transfers *of)
{
    double share = nsc_percent(of->time.transfer_exposed, of->time.whole);
    char text[2][NSC_UNITS_BYTES];
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_TRANSFERS, share) >= NSC_SEVERITY_INFO)
        return;
    finding =
        nsc_findings_add_share(out, NSC_THRESHOLD_TRANSFERS, share,
                               "Copies between host and GPU %lld are exposed for %.1f %% of %s",
                               (long long)nsc_trace_track(scope->trace, device)->gpu, share,
                               nsc_finding_window_words(scope));
    finding->ns = of->time.transfer_exposed;
    finding->track = device;
    finding->has_window = true;
    finding->window = of->time.window;
    nsc_units_duration(text[0], of->time.transfer, out->ascii);
    nsc_units_duration(text[1], of->time.transfer_exposed, out->ascii);
    nsc_finding_evidence(
        finding,
        "%llu copies cover %s, %s of it while no kernel runs: %.1f %% "
        "hidden",
        (unsigned long long)of->count, text[0], text[1],
        nsc_percent(of->time.transfer - of->time.transfer_exposed, of->time.transfer));
    tell_copies(finding, of, out->ascii);
    nsc_finding_next(finding, "%s", next_of(of));
}

void nsc_find_transfer(struct nsc_findings *out, const struct nsc_scope *scope,
                       const struct nsc_field_sets *fields)
{
    bool is_any = false;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_transfers of;

        if (!nsc_transfers_build(&of, scope, fields, d))
            continue;
        is_any = true;
        report(out, scope, d, &of);
    }
    if (!is_any)
        (void)nsc_findings_add_unassessed(out, "transfers", "Copies between host and GPU", "%s",
                                          "there is no GPU work in the window");
}
