/*
 * Finds communication that is not hidden by compute, or that runs after compute instead of beside
 * it.
 *
 * First checks what could hide it: compute that no communication overlaps yet, and a stream that
 * only communication uses. Thresholds: threshold.def.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/stream_use.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/collective.h"
#include "analysis/names/framework.h"
#include "core/sum.h"
#include "core/units.h"

struct communication {
    struct nsc_breakdown time;
    nsc_time gain;            /* upper bound of the time saved by hiding communication under
                               * compute */
    uint32_t stream;          /* track with most of the communication */
    bool is_own;              /* no compute kernel runs there */
    enum nsc_collective kind; /* takes most of the communication time on that stream */
};

/* The kind of collective that takes most of the time on a stream. */
static enum nsc_collective kind_on(const struct nsc_scope *scope, uint32_t stream)
{
    const struct nsc_trace *trace = scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_names *names = nsc_trace_names(trace);
    const struct nsc_track *track = nsc_trace_track(trace, stream);
    nsc_time time[NSC_N_COLLECTIVES] = {0};
    enum nsc_collective kind = NSC_COLLECTIVE_OTHER;
    nsc_name known = NSC_NONE;
    unsigned best = NSC_COLLECTIVE_OTHER;

    for (uint32_t k = 0; k < track->n_lanes; k++) {
        const struct nsc_lane *lane = &nsc_trace_lanes(trace, NULL)[track->first_lane + k];

        for (nsc_event op = lane->first; op < lane->first + lane->n; op++) {
            if (events->kind[op] != NSC_KIND_KERNEL ||
                !(names->flags[events->name[op]] & NSC_NAME_COMM))
                continue;
            if (events->name[op] != known) {
                known = events->name[op];
                kind = nsc_collective_of(nsc_trace_string(trace, names->full[known]));
            }
            time[kind] = nsc_sum(time[kind], nsc_event_duration(events, op));
        }
    }
    for (unsigned c = 0; c < NSC_N_COLLECTIVES; c++)
        best = time[c] > time[best] ? c : best;
    return (enum nsc_collective)best;
}

static bool measure(struct communication *out, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_stream_uses uses;
    nsc_time most = 0;

    *out = (struct communication){.stream = NSC_NONE};
    if (!nsc_breakdown_build(&out->time, scope, device) || out->time.n_comm == 0)
        return false;
    out->gain = nsc_overlap_gain(out->time.exposed, out->time.compute, out->time.overlap);
    nsc_stream_uses_build(&uses, scope, device, INT64_MAX);
    for (uint32_t i = 0; i < uses.n; i++) {
        if (uses.at[i].comm_work <= most)
            continue;
        most = uses.at[i].comm_work;
        out->stream = uses.at[i].track;
        out->is_own = uses.at[i].kernels == uses.at[i].comm_kernels;
    }
    nsc_stream_uses_fini(&uses);
    if (out->stream != NSC_NONE)
        out->kind = kind_on(scope, out->stream);
    return out->stream != NSC_NONE;
}

static void tell(struct nsc_finding *finding, const struct communication *of,
                 const struct nsc_trace *trace, bool ascii)
{
    const struct nsc_breakdown *time = &of->time;
    struct nsc_text stream = nsc_trace_string(trace, nsc_trace_track(trace, of->stream)->label);
    char text[2][NSC_UNITS_BYTES];

    nsc_units_duration(text[0], time->comm, ascii);
    nsc_units_duration(text[1], time->exposed, ascii);
    nsc_finding_evidence(finding,
                         "%u communication kernels cover %s, %s of it while nothing else runs",
                         time->n_comm, text[0], text[1]);
    nsc_finding_evidence(finding, "%.1f %% of it under compute",
                         nsc_percent(time->overlap, time->comm));
    nsc_finding_evidence(finding, "most of it runs on %.*s, %s", (int)stream.n, stream.bytes,
                         of->is_own ? "a stream without compute kernels"
                                    : "which runs compute kernels too");
    nsc_units_duration(text[0], of->gain, ascii);
    nsc_finding_evidence(finding, "hiding it under compute saves at most %s", text[0]);
}

#define RANKS                                                                                \
    " First see whether this rank only waits for a late one: nsyscope ranks FILE... of all " \
    "ranks."

/* Advice to start communication earlier if it has its own stream. */
static const char *start_earlier(const struct nsc_trace *trace, enum nsc_collective kind)
{
    bool is_pytorch = nsc_trace_is_pytorch(trace);

    if (kind == NSC_COLLECTIVE_ALLREDUCE && is_pytorch)
        return "smaller gradient buckets (DDP bucket_cap_mb), or async_op.";
    if ((kind == NSC_COLLECTIVE_ALLGATHER || kind == NSC_COLLECTIVE_REDUCESCATTER) && is_pytorch)
        return "gather the weights of the next layer earlier (FSDP forward_prefetch and "
               "backward_prefetch, ZeRO's prefetch bucket), or async_op.";
    if (kind == NSC_COLLECTIVE_SENDRECV || kind == NSC_COLLECTIVE_ALLTOALL)
        return "between stages of a pipeline, more micro-batches or interleaved stages; between "
               "experts, exchange one half of the batch while the other computes.";
    return "issue it in smaller pieces as soon as its data is ready.";
}

static void advise(struct nsc_finding *finding, const struct communication *of,
                   const struct nsc_trace *trace)
{
    struct nsc_text stream = nsc_trace_string(trace, nsc_trace_track(trace, of->stream)->label);

    if (nsc_percent(of->gain, of->time.exposed) < NSC_LIMIT_HIDEABLE)
        nsc_finding_next(finding, "There is too little compute to hide it under: communicate less, "
                                  "less often, or in a smaller type." RANKS);
    else if (!of->is_own)
        nsc_finding_next(finding,
                         "It runs on %.*s between the compute kernels: give it a stream of its own "
                         "and issue it before compute that does not need it." RANKS,
                         (int)stream.n, stream.bytes);
    else
        nsc_finding_next(finding,
                         "It has a stream of its own and starts too late to be hidden: %s" RANKS,
                         start_earlier(trace, of->kind));
}

static void report_exposed(struct nsc_findings *out, const struct nsc_scope *scope, uint32_t device,
                           const struct communication *of)
{
    const struct nsc_breakdown *time = &of->time;
    double share = nsc_percent(time->exposed, time->whole);
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_EXPOSED, share) >= NSC_SEVERITY_INFO)
        return;
    finding = nsc_findings_add_share(out, NSC_THRESHOLD_EXPOSED, share,
                                     "Communication is exposed on GPU %lld for %.1f %% of %s",
                                     (long long)nsc_trace_track(scope->trace, device)->gpu, share,
                                     nsc_finding_window_words(out, scope));
    finding->ns = time->exposed;
    finding->track = device;
    finding->has_window = true;
    finding->window = time->window;
    tell(finding, of, scope->trace, out->ascii);
    advise(finding, of, scope->trace);
}

static void report_serial(struct nsc_findings *out, const struct nsc_scope *scope, uint32_t device,
                          const struct communication *of)
{
    const struct nsc_breakdown *time = &of->time;
    double share = nsc_percent(of->gain, time->whole);
    double under = nsc_percent(time->overlap, time->comm);
    struct nsc_finding *finding;

    if (nsc_threshold_severity(NSC_THRESHOLD_SERIAL, share) >= NSC_SEVERITY_INFO ||
        under > NSC_LIMIT_SERIAL_OVERLAP)
        return;
    finding = nsc_findings_add_share(out, NSC_THRESHOLD_SERIAL, share,
                                     "Communication and compute of GPU %lld run one after the "
                                     "other: %.1f %% of it is under compute",
                                     (long long)nsc_trace_track(scope->trace, device)->gpu, under);
    finding->ns = of->gain;
    finding->track = device;
    nsc_finding_under(finding, "exposed-communication", device);
    tell(finding, of, scope->trace, out->ascii);
    advise(finding, of, scope->trace);
}

void nsc_find_exposed(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields)
{
    (void)fields;
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct communication of;

        if (!measure(&of, scope, d))
            continue;
        report_exposed(out, scope, d, &of);
        report_serial(out, scope, d, &of);
    }
}
