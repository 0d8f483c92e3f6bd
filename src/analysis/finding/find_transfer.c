/*
 * Finds copies between host and device that compute does not hide, and suggests how to hide them.
 * Migrations of unified memory that a kernel asks for run under it, yet hold it up: they count as well. Their
 * cause is a column of the export, or a page fault of the GPU.
 *
 * The premise of each advice is checked on the exposed copies, weighted by their exposed time:
 * unified memory, copies in one part or throughout, pageable memory, many small copies, compute to
 * hide under, the stream used. Thresholds: threshold.def.
 */
#include "analysis/base/activity.h"
#include "analysis/device/copies.h"
#include "analysis/device/exposed_copies.h"
#include "analysis/device/stream_use.h"
#include "analysis/finding/cost_ranges.h"
#include "analysis/finding/finding_sources.h"
#include "analysis/finding/threshold.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/units.h"
#include "index/names.h"

#define LEAST_RATE 0.01 /* GB/s; smaller rates print as 0.00 */

/* ---- what is exposed ---- */

struct exposure {
    nsc_time all, pageable, small, managed; /* exposed time, in total and of these kinds of
                                             * copies */
    nsc_time to_host;
    nsc_time back, across; /* of data that goes through the host, to the same GPU or another */
    nsc_time held;         /* beside it: migrations under the kernels that ask for the pages */
    nsc_event kernel;      /* that is held up most; NSC_NONE */
    nsc_event top;         /* the most exposed copy; NSC_NONE */
    uint32_t stream;       /* its track; NSC_NONE */
    bool is_own;           /* no compute kernel runs on that stream */
    nsc_time top_ns;
    struct nsc_cost_ranges where;
};

static bool is_migration(const struct nsc_scope *scope, nsc_event copy)
{
    return nsc_copies_is_migration(scope->trace, nsc_trace_events(scope->trace)->name[copy]);
}

static void add_copy(struct exposure *of, const struct nsc_scope *scope,
                     const struct nsc_fields *fields, const struct nsc_exposed_copy *copy)
{
    uint32_t row = nsc_fields_find(fields, copy->copy);
    int64_t bytes = 0, from = -1, to = -1;

    of->all = nsc_sum(of->all, copy->exposed);
    if (nsc_trace_events(scope->trace)->kind[copy->copy] == NSC_KIND_COPY_DTOH)
        of->to_host = nsc_sum(of->to_host, copy->exposed);
    if (copy->exposed > of->top_ns) {
        of->top_ns = copy->exposed;
        of->top = copy->copy;
        of->stream = copy->stream;
    }
    if (is_migration(scope, copy->copy))
        of->managed = nsc_sum(of->managed, copy->exposed);
    else if ((nsc_fields_int(&from, fields, NSC_COPY_FROM, row) && from == NSC_COPY_PAGEABLE) ||
             (nsc_fields_int(&to, fields, NSC_COPY_TO, row) && to == NSC_COPY_PAGEABLE))
        of->pageable = nsc_sum(of->pageable, copy->exposed);
    if (nsc_fields_int(&bytes, fields, NSC_COPY_BYTES, row) && bytes < NSC_COPY_SMALL)
        of->small = nsc_sum(of->small, copy->exposed);
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

enum { BURST = 16 /* most buffers that go to the host before the first goes on */ };

static nsc_time length_of(const struct nsc_scope *scope, const struct nsc_exposed_copy *copy)
{
    return nsc_trace_events(scope->trace)->duration[copy->copy];
}

/* Whether copy b takes from the host, soon after, as many bytes as copy a brought there. between: the time of other
 * copies between them. */
static bool takes_on(const struct nsc_scope *scope, const struct nsc_fields *columns, nsc_event a,
                     nsc_event b, nsc_time between)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    int64_t bytes[2] = {0, 0};

    return events->kind[a] == NSC_KIND_COPY_DTOH && events->kind[b] == NSC_KIND_COPY_HTOD &&
           nsc_fields_int(&bytes[0], columns, NSC_COPY_BYTES, nsc_fields_find(columns, a)) &&
           nsc_fields_int(&bytes[1], columns, NSC_COPY_BYTES, nsc_fields_find(columns, b)) &&
           bytes[0] == bytes[1] && bytes[0] >= NSC_COPY_SMALL &&
           events->start[b] >= nsc_event_end(events, a) &&
           nsc_span(nsc_event_end(events, a), events->start[b]) <=
               nsc_sum(between, nsc_sum(events->duration[a], events->duration[b]));
}

/* The copies of two GPUs, or of one, by time. */
struct detour {
    const struct nsc_scope *scope;
    const struct nsc_fields *columns;
    const struct nsc_exposed_copies *own, *other;
    bool is_same; /* own and other are of one GPU */
};

/* Whether copy i of the first GPU brings on what a copy of the other GPU has brought to the host, or the other
 * way round. first: the first copy of the other GPU that does not begin before it. */
static bool goes_on(const struct detour *of, size_t i, size_t first)
{
    const struct nsc_exposed_copy *own = of->own->list.at;
    const struct nsc_exposed_copy *other = of->other->list.at;
    nsc_time before = 0; /* copies of a burst that lie between */
    nsc_time after = 0;

    for (size_t k = 1; k <= BURST; k++) {
        size_t next = first + of->is_same + k - 1;

        if (k <= first &&
            takes_on(of->scope, of->columns, other[first - k].copy, own[i].copy, before))
            return true;
        if (next < of->other->list.n &&
            takes_on(of->scope, of->columns, own[i].copy, other[next].copy, after))
            return true;
        before = k <= first ? nsc_sum(before, length_of(of->scope, &other[first - k])) : before;
        after =
            next < of->other->list.n ? nsc_sum(after, length_of(of->scope, &other[next])) : after;
        if (of->is_same)
            continue;
        before = k <= i ? nsc_sum(before, length_of(of->scope, &own[i - k])) : before;
        after = i + k < of->own->list.n ? nsc_sum(after, length_of(of->scope, &own[i + k])) : after;
    }
    return false;
}

/* Counts the copies that bring data through the host to this GPU or another one. Their sizes are known
 * for the GPUs of one export only. */
static void add_detours(struct exposure *of, const struct nsc_scope *scope,
                        const struct nsc_fields *columns, const struct nsc_exposed_copies *own,
                        uint32_t device)
{
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_time *sum = d == device ? &of->back : &of->across;
        struct nsc_exposed_copies all;
        const struct detour detour = {scope, columns, own, &all, d == device};
        size_t k = 0;

        (void)nsc_exposed_copies_build(&all, scope, d);
        for (size_t i = 0; i < own->list.n; i++) {
            while (k < all.list.n && all.list.at[k].start < own->list.at[i].start)
                k++;
            if (goes_on(&detour, i, k))
                *sum = nsc_sum(*sum, own->list.at[i].exposed);
        }
        nsc_exposed_copies_fini(&all);
    }
}

/* ---- migrations under kernels ---- */

/* ENUM_CUDA_UNIF_MEM_MIGRATION: FAULT to EVICTION are what a kernel on the GPU causes. */
enum { UNCLEAR, PREFETCH, FAULT, SPECULATIVE, EVICTION };

struct asking {
    const struct nsc_scope *scope;
    const struct nsc_fields *columns; /* NULL: no cause is recorded */
    uint32_t device;
    bool is_clear; /* keeps those that a kernel asks for, else those of unknown cause */
};

/* The cause of a migration that begins at t, by the page faults of its GPU: where these are recorded, one that
 * begins in none is a prefetch. */
static int64_t cause_by_faults(const struct asking *of, nsc_time t)
{
    const struct nsc_trace *trace = of->scope->trace;
    int64_t cause = UNCLEAR;

    for (struct nsc_lane_walk at =
             nsc_group_lanes(trace, of->device, NSC_TRACK_BIT(NSC_TRACK_GPU_FAULT));
         nsc_lane_walk_next(&at);) {
        nsc_event fault = nsc_lane_find(trace, at.lane, t);

        if (fault < at.rows->first + at.rows->n && nsc_trace_events(trace)->start[fault] <= t)
            return FAULT;
        cause = PREFETCH;
    }
    return cause;
}

static bool keeps(const void *context, nsc_event event)
{
    const struct asking *of = context;
    const struct nsc_events *events = nsc_trace_events(of->scope->trace);
    uint8_t kind = events->kind[event];
    int64_t cause = UNCLEAR;

    if (!nsc_kind_is_copy(kind) || !is_migration(of->scope, event) ||
        !nsc_scope_selects(of->scope, event))
        return false;
    (void)nsc_fields_int(&cause, of->columns, NSC_COPY_CAUSE, nsc_fields_find(of->columns, event));
    if (kind == NSC_KIND_COPY_DTOH && cause != EVICTION)
        return false;
    if (cause == UNCLEAR)
        cause = cause_by_faults(of, events->start[event]);
    return of->is_clear ? cause >= FAULT && cause <= EVICTION : cause == UNCLEAR;
}

/* The time in the window in which these migrations run under kernels of a device. *held: the cover of
 * it; the caller frees it. */
static nsc_time measure_held(struct nsc_cover **held, const struct asking *of,
                             struct nsc_window window)
{
    struct nsc_cover *moves = nsc_device_cover_of(of->scope->trace, of->device, keeps, of);
    struct nsc_scope_covers covers;

    *held = NULL;
    if (nsc_cover_count(moves) > 0) {
        if (!nsc_scope_covers_build(&covers, of->scope, of->device))
            nsc_die_oom();
        if (covers.of.work[NSC_OP_COMPUTE] &&
            !(*held = nsc_cover_intersect(moves, covers.of.work[NSC_OP_COMPUTE])))
            nsc_die_oom();
        nsc_scope_covers_fini(&covers);
    }
    nsc_cover_free(moves);
    return *held ? nsc_cover_measure(*held, window) : 0;
}

/* Adds the place: the kernels that are held up, and where they are launched. */
static void add_held(struct exposure *of, const struct nsc_scope *scope,
                     const struct nsc_cover *held, uint32_t device)
{
    struct nsc_device_ops ops;
    struct nsc_device_op op;
    nsc_time most = 0;

    nsc_device_ops_init(&ops, scope, device);
    while (nsc_device_ops_next(&ops, &op)) {
        nsc_time ns = op.kind == NSC_OP_KIND_COMPUTE
                          ? nsc_cover_measure(held, (struct nsc_window){op.start, op.end})
                          : 0;

        if (ns > 0)
            nsc_cost_ranges_add(&of->where, op.event, op.start, ns);
        of->kernel = ns > most ? op.event : of->kernel;
        most = nsc_later(most, ns);
    }
    nsc_device_ops_fini(&ops);
}

/* held: the cover whose time in the window is held_ns. */
static struct exposure measure(const struct nsc_scope *scope, const struct nsc_fields *columns,
                               uint32_t device, const struct nsc_breakdown *time,
                               const struct nsc_cover *held, nsc_time held_ns)
{
    struct exposure of = {.stream = NSC_NONE, .top = NSC_NONE, .kernel = NSC_NONE, .held = held_ns};
    struct nsc_exposed_copies copies;
    bool is_mostly_held = held_ns > time->transfer_exposed;

    nsc_cost_ranges_init(&of.where, scope, device, time->window);
    if (is_mostly_held)
        add_held(&of, scope, held, device);
    if (nsc_exposed_copies_build(&copies, scope, device) && copies.list.n > 0) {
        for (size_t i = 0; i < copies.list.n; i++)
            add_copy(&of, scope, columns, &copies.list.at[i]);
        of.is_own = is_own_stream(&of, scope, device);
        if (columns)
            add_detours(&of, scope, columns, &copies, device);
    }
    nsc_exposed_copies_fini(&copies);
    if (held_ns > 0 && !is_mostly_held)
        add_held(&of, scope, held, device);
    of.all = nsc_sum(of.all, held_ns);
    of.managed = nsc_sum(of.managed, held_ns);
    return of;
}

/* ---- advice ---- */

/* The name of the call that issued the most exposed copy. */
static struct nsc_text call_name(const struct nsc_trace *trace, const struct exposure *of)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_event call = of->top == NSC_NONE ? NSC_NONE : events->link[of->top];

    if (call == NSC_NONE)
        return nsc_text_from("the copies");
    return nsc_event_name(trace, call);
}

static bool is_most(nsc_time part, const struct exposure *of)
{
    return nsc_percent(part, of->all) >= NSC_LIMIT_MOST;
}

struct advice { /* two words of it may be "" */
    const char *what, *next, *more;
};

static struct advice advise_overlap(const struct exposure *of, const struct nsc_breakdown *time)
{
    nsc_time gain = nsc_overlap_gain(time->transfer_exposed, time->compute, time->transfer_overlap);

    if (nsc_percent(gain, time->transfer_exposed) < NSC_LIMIT_MATTERS)
        return (struct advice){"Too little compute runs to hide the copies",
                               ": copy less, keep the data on the GPU, or copy it in a smaller "
                               "type",
                               ""};
    return (struct advice){
        "The copies",
        of->is_own
            ? " already have a stream to themselves, yet nothing runs beside them: copy "
              "asynchronously, and "
            : " run on a stream that also runs kernels: give them a stream of their own and ",
        is_most(of->to_host, of) ? "launch the next work before you wait for them"
                                 : "issue them one step earlier"};
}

static struct advice advice_of(const struct exposure *of, const struct nsc_breakdown *time,
                               const char *call)
{
    if (is_most(of->managed, of))
        return (struct advice){"Most of it is migration of unified memory",
                               ": move the pages earlier, beside kernels (cudaMemPrefetchAsync on "
                               "another stream), and advise their place (cudaMemAdvise)",
                               ""};
    if (nsc_cost_ranges_is_once(&of->where))
        return (struct advice){"The copies", " happen once, not in each step: ",
                               is_most(of->pageable, of)
                                   ? "if this start matters, read into pinned "
                                     "memory; otherwise leave it"
                                   : "shorten the start, or leave it"};
    if (is_most(of->across, of))
        return (struct advice){"The copies",
                               " bring data through the host to another GPU: copy it directly "
                               "(cudaMemcpyPeer with peer access, over NVLink, or NCCL)",
                               ""};
    if (is_most(of->back, of))
        return (struct advice){"The copies",
                               " bring as many bytes back as they took to the host just before: "
                               "keep the data on the GPU (an OpenACC data region, a cache there)",
                               ""};
    if (is_most(of->small, of))
        return (struct advice){"Copies below 64 KiB", " take most of the exposed time: ",
                               is_most(of->to_host, of)
                                   ? "read the results of several steps at once"
                                   : "batch them into few large ones"};
    if (is_most(of->pageable, of))
        return (struct advice){call,
                               " copies pageable memory for most of the exposed time: allocate "
                               "these buffers pinned (pin_memory, cudaHostAlloc) and copy them "
                               "asynchronously",
                               ""};
    return advise_overlap(of, time);
}

static void advise(struct nsc_finding *finding, const struct exposure *of,
                   const struct nsc_trace *trace, const struct nsc_breakdown *time)
{
    const struct nsc_shown where = nsc_cost_ranges_words(&of->where);
    const struct nsc_shown call = nsc_show(call_name(trace, of));
    struct advice advice = advice_of(of, time, call.text);

    nsc_finding_next(finding, "%.80s%s%s%s. Check with: nsyscope skill run copies FILE.",
                     advice.what, where.text, advice.next, advice.more);
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
    struct nsc_text stream = nsc_trace_string(trace, nsc_trace_track(trace, of->stream)->label);
    nsc_time exposed = of->all - of->held;

    if (copies->has_memory)
        nsc_finding_evidence(
            finding,
            "of the exposed time: %.1f %% pageable memory, %.1f %% unified memory, "
            "%.1f %% copies below 64 KiB",
            nsc_percent(of->pageable, exposed), nsc_percent(of->managed - of->held, exposed),
            nsc_percent(of->small, exposed));
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

static void add_held_up(struct nsc_finding *finding, const struct nsc_scope *scope,
                        const struct exposure *of)
{
    const struct nsc_trace *trace = scope->trace;

    if (of->kernel == NSC_NONE)
        return;
    finding->event = of->held > of->all / 2 ? of->kernel : of->top;
    nsc_finding_evidence(finding, "migrations that kernels ask for hold these up for %s, most %s",
                         nsc_show_ns(finding, of->held).text,
                         nsc_show(nsc_event_name(trace, of->kernel)).text);
}

static void report(struct nsc_findings *out, const struct nsc_scope *scope,
                   const struct exposure *of, uint32_t device, const struct nsc_transfers *copies)
{
    const struct nsc_breakdown *time = &copies->time;
    nsc_time cost = nsc_sum(time->transfer_exposed, of->held);
    double share = nsc_percent(cost, time->whole);
    struct nsc_finding *finding;

    finding = nsc_findings_add_share(
        out, NSC_THRESHOLD_TRANSFERS, "transfers", share,
        of->held > 0 ? "Copies between host and GPU %lld hold it up for %.1f %% of %s"
                     : "Copies between host and GPU %lld are exposed for %.1f %% of %s",
        (long long)nsc_trace_track(scope->trace, device)->gpu, share,
        nsc_finding_window_words(out, scope));
    nsc_finding_place(finding, device, cost, time->window);
    finding->event = of->top;
    add_held_up(finding, scope, of);
    nsc_finding_evidence(
        finding, "%llu copies cover %s, %s of it while no kernel runs: %.1f %% hidden",
        (unsigned long long)copies->count, nsc_show_ns(finding, time->transfer).text,
        nsc_show_ns(finding, time->transfer_exposed).text,
        nsc_percent(time->transfer - time->transfer_exposed, time->transfer));
    add_rate(finding, "host to device", copies->to_device, copies->to_device_ns);
    add_rate(finding, "device to host", copies->to_host, copies->to_host_ns);
    if (time->transfer_exposed > 0 && of->stream != NSC_NONE) /* NSC_NONE: stopped meanwhile */
        add_exposure(finding, of, copies, scope->trace);
    advise(finding, of, scope->trace, time);
}

static bool has_migrations(const struct nsc_trace *trace)
{
    nsc_name n = nsc_trace_names(trace)->n;
    nsc_name i = 0;

    while (i < n && !nsc_copies_is_migration(trace, i))
        i++;
    return i < n;
}

static void find_of(struct nsc_findings *out, const struct nsc_scope *scope,
                    const struct nsc_field_sets *fields, uint32_t device,
                    const struct nsc_breakdown *time, bool migrates)
{
    double least = nsc_thresholds[NSC_THRESHOLD_TRANSFERS].low;
    struct asking asking = {scope, nsc_field_set(fields, NSC_FIELDS_COPIES), device, true};
    nsc_time under = migrates ? time->memory - time->memory_alone : 0; /* at most that is held up */
    struct nsc_cover *cover = NULL;
    struct nsc_transfers copies;
    nsc_time held;

    if (nsc_percent(nsc_sum(time->transfer_exposed, under), time->whole) < least)
        return;
    held = under > 0 ? measure_held(&cover, &asking, time->window) : 0;
    if (nsc_percent(nsc_sum(time->transfer_exposed, held), time->whole) >= least &&
        nsc_transfers_build(&copies, scope, fields, device)) {
        const struct exposure of = measure(scope, asking.columns, device, time, cover, held);

        report(out, scope, &of, device, &copies);
    } else if (under > 0) {
        nsc_cover_free(cover);
        asking.is_clear = false;
        if (nsc_percent(measure_held(&cover, &asking, time->window), time->whole) >= least)
            nsc_findings_add_unassessed(
                out, "transfers", "Migrations of memory under kernels",
                asking.columns ? "the export does not say whether kernels or a prefetch asked for "
                                 "the pages of GPU %lld"
                               : "who asked for the pages of GPU %lld is read for one export at a "
                                 "time",
                (long long)nsc_trace_track(scope->trace, device)->gpu)
                ->track = device;
    }
    nsc_cover_free(cover);
}

void nsc_find_transfer(struct nsc_findings *out, const struct nsc_scope *scope,
                       const struct nsc_field_sets *fields)
{
    bool migrates = has_migrations(scope->trace);
    struct nsc_breakdown time;

    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);)
        find_of(out, scope, fields, d, &time, migrates);
}
