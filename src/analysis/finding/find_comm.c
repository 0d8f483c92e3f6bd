/*
 * Finds communication that is not hidden by compute.
 *
 * First checks what could hide it: compute that no communication overlaps yet, and a stream that
 * only communication uses. Then whether anything waits for it (device/compute_absent.h): if the host
 * is late meanwhile, hiding it saves nothing. Communication beside copies, without compute, is a
 * finding if compute is known to wait for one of them. Thresholds: threshold.def.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/compute_absent.h"
#include "analysis/device/stream_use.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "analysis/names/collective.h"
#include "analysis/names/framework.h"
#include "core/sum.h"
#include "core/vec.h"

#include <stdio.h>

struct communication {
    struct nsc_breakdown time;
    struct nsc_absent absent; /* why the GPU does not compute; only if it is asked */
    nsc_time gain;            /* upper bound of the time saved by hiding communication under
                               * compute */
    uint32_t awaited;         /* device on which the same communication takes least; NSC_NONE */
    nsc_time more;            /* compute that it has more than this one */
    uint32_t n_alike;         /* other devices that compute for at least half as much longer */
    uint32_t stream;          /* track with most of the communication */
    bool is_own;              /* no compute kernel runs there */
    enum nsc_collective kind; /* takes most of the communication time on that stream */
};

/* The kind of collective that takes most of the time on a stream; sends of a stage if they take a fifth. */
static enum nsc_collective kind_on(const struct nsc_scope *scope, uint32_t stream)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    nsc_time time[NSC_N_COLLECTIVES] = {0};
    nsc_time all = 0;
    unsigned best = NSC_COLLECTIVE_OTHER;
    enum nsc_op_kind kind = NSC_OP_KIND_COMPUTE;

    for (struct nsc_scope_cursor at = nsc_scope_open_track(scope, stream); nsc_scope_next(&at);) {
        (void)nsc_op_kind_of(scope->trace, at.row, &kind);
        if (NSC_OP_KIND_BIT(kind) & NSC_COMM_KINDS)
            time[kind - NSC_OP_KIND_COMM] =
                nsc_sum(time[kind - NSC_OP_KIND_COMM], nsc_event_duration(events, at.row));
    }
    for (unsigned c = 0; c < NSC_N_COLLECTIVES; c++) {
        all = nsc_sum(all, time[c]);
        best = time[c] > time[best] ? c : best;
    }
    return time[NSC_COLLECTIVE_SENDRECV] > all / 5 ? NSC_COLLECTIVE_SENDRECV
                                                   : (enum nsc_collective)best;
}

struct device_time {
    uint32_t device;
    struct nsc_breakdown time;
};

/* The devices that communicate. */
struct device_times {
    NSC_VEC(struct device_time) list;
};

static void list_devices(struct device_times *out, const struct nsc_scope *scope)
{
    struct device_time of;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;)
        if (nsc_breakdown_build(&of.time, scope, d) && of.time.n_comm) {
            of.device = d;
            *NSC_VEC_ADD(&out->list) = of;
        }
}

/* Finds the GPU on which a communication kernel takes less than half as long, and least: most of the time
 * here may be a wait for it. Stages of a pipeline send different numbers, so the whole counts. */
static void find_awaited(struct communication *out, const struct device_times *devices)
{
    const struct nsc_breakdown *own = &out->time;
    bool is_stage = out->kind == NSC_COLLECTIVE_SENDRECV;
    nsc_time least = own->comm / (is_stage ? 1 : own->n_comm) / 2;

    out->awaited = NSC_NONE;
    for (size_t i = 0; i < devices->list.n; i++) {
        const struct nsc_breakdown *other = &devices->list.at[i].time;
        nsc_time each = other->comm / (is_stage ? 1 : other->n_comm);

        if (each < least && other->n_comm > own->n_comm / 2 - is_stage) {
            least = each;
            out->awaited = devices->list.at[i].device;
            out->more = other->compute - own->compute;
        }
    }
    for (size_t i = 0; i < devices->list.n && out->awaited != NSC_NONE; i++)
        out->n_alike += devices->list.at[i].device != out->awaited &&
                        devices->list.at[i].time.compute - own->compute > out->more / 2;
}

static bool measure(struct communication *out, const struct nsc_scope *scope,
                    const struct device_times *devices, const struct device_time *of)
{
    struct nsc_stream_uses uses;
    nsc_time most = 0;

    *out = (struct communication){.time = of->time, .stream = NSC_NONE};
    if (nsc_percent(of->time.comm_alone, of->time.whole) <
        nsc_thresholds[NSC_THRESHOLD_GPU_TIME].low)
        return false;
    out->gain = nsc_overlap_gain(out->time.exposed, out->time.compute, out->time.overlap);
    nsc_stream_uses_build(&uses, scope, of->device, NSC_STREAM_STALL_NS);
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
    find_awaited(out, devices);
    return out->stream != NSC_NONE;
}

static void add_evidence(struct nsc_finding *finding, const struct communication *of,
                         const struct nsc_trace *trace)
{
    const struct nsc_breakdown *time = &of->time;
    struct nsc_text stream = nsc_trace_string(trace, nsc_trace_track(trace, of->stream)->label);

    nsc_finding_evidence(finding,
                         "%u communication kernels cover %s, %s of it while nothing else runs, "
                         "%.1f %% under compute",
                         time->n_comm, nsc_show_ns(finding, time->comm).text,
                         nsc_show_ns(finding, time->exposed).text,
                         nsc_percent(time->overlap, time->comm));
    nsc_finding_evidence(finding, "most of it runs on %.*s, %s", (int)stream.n, stream.bytes,
                         of->is_own ? "a stream without compute kernels"
                                    : "which runs compute kernels too");
    nsc_finding_evidence(finding, "hiding it under compute saves at most %s",
                         nsc_show_ns(finding, of->gain).text);
    if (of->absent.part[NSC_ABSENT_BEHIND] == 0)
        return;
    nsc_finding_evidence(finding, "beside it the host is late for %s; compute waits for it for %s",
                         nsc_show_ns(finding, of->absent.part[NSC_ABSENT_BEHIND]).text,
                         nsc_show_ns(finding, of->absent.part[NSC_ABSENT_COMM]).text);
}

enum { ALIKE_BYTES = 64 };
#define RANKS                                                                                \
    " First see whether this rank only waits for a late one: nsyscope ranks FILE... of all " \
    "ranks."

/* Advice to start communication earlier if it has its own stream. */
static const char *start_earlier(const struct nsc_trace *trace, enum nsc_collective kind)
{
    if (kind == NSC_COLLECTIVE_ALLREDUCE && nsc_trace_is_pytorch(trace))
        return "smaller gradient buckets (DDP bucket_cap_mb), or async_op.";
    if ((kind == NSC_COLLECTIVE_ALLGATHER || kind == NSC_COLLECTIVE_REDUCESCATTER) &&
        nsc_trace_is_pytorch(trace))
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
    char alike[ALIKE_BYTES] = "";

    if (of->n_alike > 0)
        (void)snprintf(alike, sizeof alike, " (%u other GPU%s at least half as much)", of->n_alike,
                       of->n_alike == 1 ? "" : "s");
    if (of->awaited != NSC_NONE && of->more > of->time.exposed / 2)
        nsc_finding_next(
            finding,
            "GPU %lld computes for %s longer%s, and the others wait for it: divide the work "
            "evenly. See it step by step: nsyscope ranks FILE.",
            (long long)nsc_trace_track(trace, of->awaited)->gpu,
            nsc_show_ns(finding, of->more).text, alike);
    else if (of->awaited != NSC_NONE)
        nsc_finding_next(
            finding,
            "On GPU %lld these kernels take less than half as long: the others may only wait "
            "for it. See whether it comes late, and why: nsyscope ranks FILE.",
            (long long)nsc_trace_track(trace, of->awaited)->gpu);
    else if (of->absent.part[NSC_ABSENT_BEHIND] > of->absent.part[NSC_ABSENT_COMM] &&
             of->absent.part[NSC_ABSENT_BEHIND] > of->time.exposed / 2)
        nsc_finding_next(finding, "Most of the time no recorded wait is for it: the host launches "
                                  "the next compute late. See what it does meanwhile (nsyscope "
                                  "skill run critical_path FILE), and launch ahead.");
    else if (of->kind != NSC_COLLECTIVE_SENDRECV &&
             of->time.comm / of->time.n_comm < 1000 * NSC_LIMIT_SHORT_MESSAGE)
        nsc_finding_next(finding,
                         "Its kernels take %s on average, most of it latency: send more in "
                         "each (larger buckets, fused tensors)." RANKS,
                         nsc_show_ns(finding, of->time.comm / of->time.n_comm).text);
    else if (nsc_percent(of->gain, of->time.exposed) < NSC_LIMIT_MATTERS)
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

    if (nsc_threshold_severity(NSC_THRESHOLD_GPU_TIME, share) >= NSC_SEVERITY_INFO)
        return;
    finding = nsc_findings_add_share(out, NSC_THRESHOLD_GPU_TIME, "exposed-communication", share,
                                     "Communication is exposed on GPU %lld for %.1f %% of %s",
                                     (long long)nsc_trace_track(scope->trace, device)->gpu, share,
                                     nsc_finding_window_words(out, scope));
    nsc_finding_place(finding, device, time->exposed, time->window);
    add_evidence(finding, of, scope->trace);
    advise(finding, of, scope->trace);
    if (of->awaited != NSC_NONE)
        nsc_finding_under(finding, "gpu-idle", of->awaited);
}

void nsc_find_exposed(struct nsc_findings *out, const struct nsc_scope *scope,
                      const struct nsc_field_sets *fields)
{
    struct nsc_depends *depends = NULL;
    struct device_times devices = {0};

    list_devices(&devices, scope);
    for (size_t i = 0; i < devices.list.n; i++) {
        uint32_t d = devices.list.at[i].device;
        struct communication of;

        if (!measure(&of, scope, &devices, &devices.list.at[i]))
            continue;
        if (!depends)
            depends = nsc_depends_ask(scope, fields);
        (void)nsc_absent_build(&of.absent, scope, depends, d);
        report_exposed(out, scope, d, &of);
    }
    nsc_depends_free(depends);
    NSC_VEC_FINI(&devices.list);
}
