/*
 * Finds copies between host and device that compute does not hide, and suggests how to hide them.
 *
 * The premise of each advice is checked on the exposed copies, weighted by their exposed time:
 * unified memory, copies in one part or throughout, pageable memory, many small copies, compute to
 * hide under, the stream used. Thresholds: threshold.def.
 */
#include "analysis/device/copies.h"
#include "analysis/device/exposed_copies.h"
#include "analysis/device/stream_use.h"
#include "analysis/finding/cost_ranges.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"

#define LEAST_RATE 0.01 /* GB/s; smaller rates print as 0.00 */

/* ---- what is exposed ---- */

struct exposure {
    nsc_time all, pageable, small, managed; /* exposed time, in total and of these kinds of
                                             * copies */
    nsc_time to_host;
    nsc_time back, across; /* of data that goes through the host, to the same GPU or another */
    uint64_t n, n_small;
    nsc_event top;   /* the most exposed copy; NSC_NONE */
    uint32_t stream; /* its track; NSC_NONE */
    bool is_own;     /* no compute kernel runs on that stream */
    nsc_time top_ns;
    struct nsc_cost_ranges where;
};

/* Copies of unified memory are marked in the export's column for the direction, or by name. */
static bool is_managed(const struct nsc_scope *scope, nsc_event copy, int64_t direction)
{
    const struct nsc_trace *trace = scope->trace;
    struct nsc_text name =
        nsc_trace_string(trace, nsc_trace_names(trace)->full[nsc_trace_events(trace)->name[copy]]);

    return (direction >= 11 && direction <= 13) ||
           nsc_text_contains_folded(name, nsc_text_from("unified"));
}

static void add_copy(struct exposure *of, const struct nsc_scope *scope,
                     const struct nsc_fields *fields, const struct nsc_exposed_copy *copy)
{
    uint32_t row = fields ? nsc_fields_find(fields, copy->copy) : NSC_NONE;
    int64_t bytes = 0, from = -1, to = -1, direction = -1;

    of->all = nsc_sum(of->all, copy->exposed);
    of->n++;
    if (nsc_trace_events(scope->trace)->kind[copy->copy] == NSC_KIND_COPY_DTOH)
        of->to_host = nsc_sum(of->to_host, copy->exposed);
    if (copy->exposed > of->top_ns) {
        of->top_ns = copy->exposed;
        of->top = copy->copy;
        of->stream = copy->stream;
    }
    (void)nsc_fields_int(&direction, fields, NSC_COPY_KIND, row);
    if (is_managed(scope, copy->copy, direction))
        of->managed = nsc_sum(of->managed, copy->exposed);
    else if ((nsc_fields_int(&from, fields, NSC_COPY_FROM, row) && from == NSC_COPY_PAGEABLE) ||
             (nsc_fields_int(&to, fields, NSC_COPY_TO, row) && to == NSC_COPY_PAGEABLE))
        of->pageable = nsc_sum(of->pageable, copy->exposed);
    if (nsc_fields_int(&bytes, fields, NSC_COPY_BYTES, row) && bytes < NSC_COPY_SMALL) {
        of->small = nsc_sum(of->small, copy->exposed);
        of->n_small++;
    }
    nsc_cost_ranges_add(&of->where, copy->copy, copy->start, copy->exposed);
}

/* Whether no compute kernel runs on the stream of the most exposed copy. */
static bool is_own_stream(const struct exposure *of, const struct nsc_scope *scope, uint32_t device)
{
    bool is_own = true;
    struct nsc_stream_uses uses;

    nsc_stream_uses_build(&uses, scope, device, NSC_STREAM_STALL_NS);
    for (uint32_t i = 0; i < uses.n; i++)
        is_own &= uses.at[i].track != of->stream || uses.at[i].kernels == uses.at[i].comm_kernels;
    nsc_stream_uses_fini(&uses);
    return is_own;
}

/* Whether copy b takes from the host, soon after, as many bytes as copy a brought there. */
static bool takes_on(const struct nsc_scope *scope, const struct nsc_fields *columns, nsc_event a,
                     nsc_event b)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    int64_t bytes[2] = {0, 0};

    return events->kind[a] == NSC_KIND_COPY_DTOH && events->kind[b] == NSC_KIND_COPY_HTOD &&
           nsc_fields_int(&bytes[0], columns, NSC_COPY_BYTES, nsc_fields_find(columns, a)) &&
           nsc_fields_int(&bytes[1], columns, NSC_COPY_BYTES, nsc_fields_find(columns, b)) &&
           bytes[0] == bytes[1] && bytes[0] >= NSC_COPY_SMALL &&
           events->start[b] >= nsc_event_end(events, a) &&
           nsc_span(nsc_event_end(events, a), events->start[b]) <=
               nsc_sum(events->duration[a], events->duration[b]);
}

/* Counts the copies that bring data through the host to this GPU or another one. */
static void add_detours(struct exposure *of, const struct nsc_scope *scope,
                        const struct nsc_fields *columns, const struct nsc_exposed_copies *own,
                        uint32_t device)
{
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_time *sum = d == device ? &of->back : &of->across;
        struct nsc_exposed_copies all;
        size_t k = 0;

        (void)nsc_exposed_copies_build(&all, scope, d);
        for (size_t i = 0; i < own->list.n; i++) {
            nsc_event copy = own->list.at[i].copy;
            size_t next;

            while (k < all.list.n && all.list.at[k].start < own->list.at[i].start)
                k++;
            next = k + (d == device);
            if ((k > 0 && takes_on(scope, columns, all.list.at[k - 1].copy, copy)) ||
                (next < all.list.n && takes_on(scope, columns, copy, all.list.at[next].copy)))
                *sum = nsc_sum(*sum, own->list.at[i].exposed);
        }
        nsc_exposed_copies_fini(&all);
    }
}

static struct exposure measure(const struct nsc_scope *scope, const struct nsc_field_sets *fields,
                               uint32_t device)
{
    const struct nsc_fields *columns = nsc_field_set(fields, NSC_FIELDS_COPIES);
    struct exposure of = {.stream = NSC_NONE, .top = NSC_NONE};
    struct nsc_exposed_copies copies;

    if (nsc_exposed_copies_build(&copies, scope, device)) {
        nsc_cost_ranges_init(&of.where, scope, device, copies.window);
        for (size_t i = 0; i < copies.list.n; i++)
            add_copy(&of, scope, columns, &copies.list.at[i]);
        of.is_own = is_own_stream(&of, scope, device);
        add_detours(&of, scope, columns, &copies, device);
    }
    nsc_exposed_copies_fini(&copies);
    return of;
}

/* ---- advice ---- */

static struct nsc_text stream_name(const struct nsc_trace *trace, const struct exposure *of)
{
    return nsc_trace_string(trace, nsc_trace_track(trace, of->stream)->label);
}

/* The name of the call that issued the most exposed copy. */
static struct nsc_text call_name(const struct nsc_trace *trace, const struct exposure *of)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event call = of->top == NSC_NONE ? NSC_NONE : events->link[of->top];

    if (call == NSC_NONE)
        return nsc_text_from("the copies");
    return nsc_trace_string(trace, nsc_trace_names(trace)->full[events->name[call]]);
}

static bool is_most(nsc_time part, const struct exposure *of)
{
    return nsc_percent(part, of->all) >= NSC_LIMIT_MOST_OF_EXPOSED;
}

#define CHECK "Check with: nsyscope skill run copies FILE."

static void advise_overlap(struct nsc_finding *finding, const struct exposure *of,
                           const struct nsc_trace *trace, const char *where,
                           const struct nsc_breakdown *time)
{
    nsc_time gain = nsc_overlap_gain(time->transfer_exposed, time->compute, time->transfer_overlap);
    struct nsc_text stream = stream_name(trace, of);

    if (nsc_percent(gain, time->transfer_exposed) < NSC_LIMIT_HIDEABLE)
        nsc_finding_next(finding,
                         "Too little compute runs to hide the copies%s: copy less, keep the data "
                         "on the GPU, or copy it in a smaller type. " CHECK,
                         where);
    else
        nsc_finding_next(finding,
                         of->is_own
                             ? "The copies%s already have %.*s to themselves, yet nothing runs "
                               "beside them: copy asynchronously, and %s. " CHECK
                             : "The copies%s run on %.*s, which also runs kernels: give them a "
                               "stream of their own and %s. " CHECK,
                         where, (int)stream.n, stream.bytes,
                         is_most(of->to_host, of) ? "launch the next work before you wait for them"
                                                  : "issue them one step earlier");
}

static void advise(struct nsc_finding *finding, const struct exposure *of,
                   const struct nsc_trace *trace, const struct nsc_breakdown *time)
{
    const struct nsc_shown words = nsc_cost_ranges_words(&of->where);
    const char *where = words.text;
    struct nsc_text call = call_name(trace, of);

    if (is_most(of->managed, of))
        nsc_finding_next(finding,
                         "Most of it is migration of unified memory%s: prefetch the pages "
                         "(cudaMemPrefetchAsync) and advise their place (cudaMemAdvise); pinned "
                         "buffers do not help there. " CHECK,
                         where);
    else if (nsc_cost_ranges_is_once(&of->where))
        nsc_finding_next(
            finding, "The copies%s happen once, not in each step%s. " CHECK, where,
            is_most(of->pageable, of)
                ? ": if this start matters, read into pinned memory; otherwise leave it"
                : ": shorten the start, or leave it");
    else if (is_most(of->across, of))
        nsc_finding_next(
            finding,
            "The copies%s bring data through the host to another GPU: copy it directly "
            "(cudaMemcpyPeer with peer access, over NVLink, or NCCL). " CHECK,
            where);
    else if (is_most(of->back, of))
        nsc_finding_next(
            finding,
            "The copies%s bring as many bytes back as they took to the host just before: "
            "keep the data on the GPU (an OpenACC data region, a cache there). " CHECK,
            where);
    else if (of->n_small >= NSC_LIMIT_SMALL_COPIES && is_most(of->small, of))
        nsc_finding_next(finding,
                         "%llu of the copies%s are below 64 KiB and take most of the exposed time: "
                         "batch them into few large ones. " CHECK,
                         (unsigned long long)of->n_small, where);
    else if (is_most(of->pageable, of))
        nsc_finding_next(
            finding,
            "%.80s%s copies pageable memory for most of the exposed time: allocate these "
            "buffers pinned (pin_memory, cudaHostAlloc) and copy them asynchronously. " CHECK,
            nsc_show(call).text, where);
    else
        advise_overlap(finding, of, trace, where, time);
}

/* ---- evidence ---- */

/* Reports the rate only for enough bytes: a copy of a few bytes measures its latency. */
static void add_rate(struct nsc_finding *finding, const char *word, int64_t bytes, nsc_time time)
{
    double rate = time ? (double)bytes / (double)time : 0; /* GB/s */
    char text[NSC_UNITS_BYTES];

    nsc_units_bytes(text, (uint64_t)bytes);
    if (rate >= LEAST_RATE)
        nsc_finding_evidence(finding, "%s: %s at %.2f GB/s", word, text, rate);
    else if (rate > 0)
        nsc_finding_evidence(finding, "%s: %s in %s", word, text, nsc_show_ns(finding, time).text);
}

static void add_exposure(struct nsc_finding *finding, const struct exposure *of,
                         const struct nsc_transfers *copies, const struct nsc_trace *trace)
{
    const struct nsc_breakdown *time = &copies->time;
    struct nsc_text stream = stream_name(trace, of);

    if (copies->has_memory)
        nsc_finding_evidence(
            finding,
            "of the exposed time: %.1f %% pageable memory, %.1f %% unified memory, "
            "%.1f %% copies below 64 KiB",
            nsc_percent(of->pageable, of->all), nsc_percent(of->managed, of->all),
            nsc_percent(of->small, of->all));
    else
        nsc_finding_evidence(
            finding, "the export does not say which memory is pageable and which is pinned");
    nsc_finding_evidence(finding, "the longest runs on %.*s, %s", (int)stream.n, stream.bytes,
                         of->is_own ? "where no compute kernel runs" : "where kernels run too");
    nsc_finding_evidence(
        finding, "hiding them under compute saves at most %s",
        nsc_show_ns(finding,
                    nsc_overlap_gain(time->transfer_exposed, time->compute, time->transfer_overlap))
            .text);
}

static void report(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields, uint32_t device,
                   const struct nsc_transfers *copies)
{
    const struct nsc_breakdown *time = &copies->time;
    double share = nsc_percent(time->transfer_exposed, time->whole);
    struct exposure of = measure(scope, fields, device);
    struct nsc_finding *finding;

    finding =
        nsc_findings_add_share(out, NSC_THRESHOLD_TRANSFERS, share,
                               "Copies between host and GPU %lld are exposed for %.1f %% of %s",
                               (long long)nsc_trace_track(scope->trace, device)->gpu, share,
                               nsc_finding_window_words(out, scope));
    nsc_finding_place(finding, device, time->transfer_exposed, time->window);
    finding->event = of.top;
    nsc_finding_evidence(
        finding, "%llu copies cover %s, %s of it while no kernel runs: %.1f %% hidden",
        (unsigned long long)copies->count, nsc_show_ns(finding, time->transfer).text,
        nsc_show_ns(finding, time->transfer_exposed).text,
        nsc_percent(time->transfer - time->transfer_exposed, time->transfer));
    add_rate(finding, "host to device", copies->to_device, copies->to_device_ns);
    add_rate(finding, "device to host", copies->to_host, copies->to_host_ns);
    add_exposure(finding, &of, copies, scope->trace);
    advise(finding, &of, scope->trace, time);
}

void nsc_find_transfer(struct nsc_findings *out, const struct nsc_scope *scope,
                       const struct nsc_field_sets *fields)
{
    bool is_any = false;
    struct nsc_breakdown time;
    struct nsc_transfers of;

    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);) {
        is_any = true;
        if (nsc_percent(time.transfer_exposed, time.whole) >=
                nsc_thresholds[NSC_THRESHOLD_TRANSFERS].low &&
            nsc_transfers_build(&of, scope, fields, d))
            report(out, scope, fields, d, &of);
    }
    if (!is_any)
        (void)nsc_findings_add_unassessed(out, "transfers", "Copies between host and GPU", "%s",
                                          "there is no GPU work in the window");
}
