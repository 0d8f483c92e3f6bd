/*
 * Prepares the attribution of kernels to NVTX ranges: the innermost range of any thread of their
 * process around each call (analysis/ranges/process_ranges.h).
 *
 * It needs no texts, so another thread computes it beside the first sheets.
 */
#include "analysis/base/shared.h"
#include "analysis/hotspots/parts.h"
#include "analysis/ranges/launches.h"
#include "analysis/ranges/process_ranges.h"

struct kept_ranges {
    nsc_event *at; /* by position of the launches; owned by the store */
};

static void free_kept(void *value)
{
    free(((struct kept_ranges *)value)->at);
}

/* The positions of the kernels that threads of a process launched, and the times of their calls. */
struct process_launches {
    uint32_t *position;
    nsc_time *time;
    uint32_t n;
};

static void add_group(struct process_launches *out, const struct nsc_hotspots *report,
                      const struct nsc_launches *launches, uint32_t group)
{
    const struct nsc_scope *scope = &report->query->scope;
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    struct nsc_positions in = nsc_launches_of_track(launches, group);

    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_event op = nsc_launches_op(launches, i);

        if (events->kind[op] != NSC_KIND_KERNEL || !nsc_scope_has_row(scope, events, op))
            continue;
        out->position[out->n] = i;
        out->time[out->n++] = events->start[events->link[op]];
    }
}

static void find_of_process(nsc_event at[], const struct nsc_hotspots *report,
                            const struct nsc_launches *launches, uint64_t process)
{
    const struct nsc_trace *trace = report->query->scope.trace;
    struct nsc_process_query query = {
        .trace = trace, .nvtx = nsc_hotspots_range_ends(report), .process = process};
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(trace, &n_tracks);
    size_t most = report->kernels.n + 1;
    struct process_launches list = {nsc_xmalloc(most * sizeof *list.position),
                                    nsc_xmalloc(most * sizeof *list.time), 0};
    nsc_event *found;

    for (uint32_t t = 0; t < n_tracks; t++)
        if (tracks[t].kind == NSC_TRACK_THREAD && tracks[t].process == process)
            add_group(&list, report, launches, t);
    found = nsc_xmalloc(((size_t)list.n + 1) * sizeof *found);
    nsc_process_innermost(found, &query, list.time, list.n);
    for (uint32_t i = 0; i < list.n; i++)
        at[list.position[i]] = found[i];
    free(found);
    free(list.position);
    free(list.time);
}

static nsc_event *find_all(const struct nsc_hotspots *report, const struct nsc_launches *launches)
{
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(report->query->scope.trace, &n_tracks);
    uint32_t n = nsc_launches_count(launches);
    nsc_event *at = nsc_xmalloc(((size_t)n + 1) * sizeof *at);

    for (uint32_t i = 0; i < n; i++)
        at[i] = NSC_NONE;
    for (uint32_t t = 0; t < n_tracks; t++) { /* handles each process once, at its first stream */
        bool is_first = tracks[t].kind == NSC_TRACK_STREAM;

        for (uint32_t k = 0; k < t && is_first; k++)
            is_first = tracks[k].kind != NSC_TRACK_STREAM || tracks[k].process != tracks[t].process;
        if (is_first)
            find_of_process(at, report, launches, tracks[t].process);
    }
    return at;
}

struct nsc_launches *nsc_hotspots_launches(const struct nsc_hotspots *report)
{
    struct nsc_launches *launches = nsc_launches_ask_order(&report->query->scope);

    if (!launches)
        nsc_die_oom();
    return launches;
}

const nsc_event *nsc_hotspots_any_thread(const struct nsc_hotspots *report,
                                         const struct nsc_launches *launches)
{
    static const struct nsc_shared_kind kind = {sizeof(struct kept_ranges), NULL, free_kept};
    const struct nsc_scope *scope = &report->query->scope;
    struct kept_ranges kept;
    bool result;

    if (nsc_shared_find(&kept, &result, &kind, NULL, scope, 0))
        return kept.at;
    kept.at = find_all(report, launches);
    nsc_shared_keep(&kept, true, &kind, NULL, scope, 0);
    return kept.at;
}

void nsc_hotspots_find_kernel_ranges(struct nsc_hotspots *report)
{
    if (!report->query->map_nvtx)
        return;
    (void)nsc_hotspots_any_thread(report, nsc_hotspots_launches(report));
}
