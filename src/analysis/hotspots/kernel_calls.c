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
#include "core/sort.h"
#include "core/vec.h"

struct kept_ranges {
    nsc_event *at; /* by position of the launches; owned by the store */
};

static void free_kept(void *value)
{
    free(((struct kept_ranges *)value)->at);
}

static nsc_time call_time(const void *launches, uint32_t position)
{
    return nsc_launches_time(launches, position);
}

/* The positions of the kernels of the scope that a process launched. Its threads follow each other from
 * *thread on, which moves to their end. The caller frees them. */
static uint32_t *list_kernels(uint32_t *n, uint32_t *thread, const struct nsc_scope *scope,
                              const struct nsc_launches *launches)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n_tracks);
    uint64_t process = tracks[*thread].process;
    NSC_VEC(uint32_t) list = {0};

    for (; *thread < n_tracks && tracks[*thread].process == process;
         *thread = nsc_group_end(tracks, *thread)) {
        struct nsc_positions in = nsc_launches_of_track(launches, *thread);

        for (uint32_t i = in.first; i < in.end; i++) {
            nsc_event op = nsc_launches_op(launches, i);

            if (events->kind[op] == NSC_KIND_KERNEL && nsc_scope_has_row(scope, events, op))
                *NSC_VEC_ADD(&list) = i;
        }
    }
    *n = (uint32_t)list.n;
    return list.at;
}

/* Handles the process of a thread, which moves to the end of its threads. */
static void find_of_process(nsc_event at[], uint32_t *thread, const struct nsc_scope *scope,
                            const struct nsc_fields *nvtx, const struct nsc_launches *launches)
{
    struct nsc_process_query query = {.trace = scope->trace,
                                      .nvtx = nvtx,
                                      .process = nsc_trace_track(scope->trace, *thread)->process};
    uint32_t n;
    uint32_t *order = list_kernels(&n, thread, scope, launches);
    struct nsc_process_cursor cursor;

    if (n == 0) {
        free(order);
        return;
    }
    nsc_sort_by_time(order, n, call_time, launches);
    nsc_process_cursor_open(&cursor, &query);
    for (uint32_t i = 0; i < n; i++)
        at[order[i]] = nsc_process_cursor_find(&cursor, nsc_launches_time(launches, order[i]));
    nsc_process_cursor_close(&cursor);
    free(order);
}

static nsc_event *find_all(const struct nsc_hotspots *report, const struct nsc_launches *launches)
{
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(report->query->scope.trace, &n_tracks);
    const struct nsc_fields *nvtx = nsc_hotspots_range_ends(report);
    uint32_t n = nsc_launches_count(launches);
    nsc_event *at = nsc_xmalloc(((size_t)n + 1) * sizeof *at);

    for (uint32_t i = 0; i < n; i++)
        at[i] = NSC_NONE;
    for (uint32_t t = 0; t < n_tracks;)
        if (tracks[t].kind == NSC_TRACK_THREAD)
            find_of_process(at, &t, &report->query->scope, nvtx, launches);
        else
            t++;
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
