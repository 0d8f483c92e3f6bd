/* Finds the synchronizing calls by their names, one pass over the API tracks. */
#include "analysis/base/sync_calls.h"

#include "analysis/base/shared.h"
#include "core/bisect.h"
#include "core/sort.h"

#include <stdlib.h>

static void fini_calls(void *value)
{
    struct nsc_sync_calls *calls = value;

    NSC_VEC_FINI(&calls->list);
}

/* device: NSC_NONE for all calls of the trace. */
static bool build_calls(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_sync_calls *out = value;
    struct nsc_scope all = nsc_scope_all(scope->trace);
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, &n_lanes);
    struct nsc_call_classes classes;
    nsc_event row, end;

    *out = (struct nsc_sync_calls){0};
    nsc_call_classes_build(&classes, scope->trace);
    for (uint32_t lane = 0; lane < n_lanes && !nsc_scope_is_stopped(scope);
         lane++) { /* by row, which is not by track */
        if (nsc_trace_track(scope->trace, lanes[lane].track)->kind != NSC_TRACK_API)
            continue;
        nsc_scope_rows(device == NSC_NONE ? &all : scope, lane, &row, &end);
        for (; row < end; row++)
            if (nsc_call_class_of(&classes, row) == NSC_CALL_SYNC)
                *NSC_VEC_ADD(&out->list) = row;
    }
    nsc_call_classes_fini(&classes);
    return true;
}

static const struct nsc_shared_kind calls_kind = {sizeof(struct nsc_sync_calls), build_calls,
                                                  fini_calls};

void nsc_sync_calls_build(struct nsc_sync_calls *out, const struct nsc_scope *scope)
{
    bool is_kept = nsc_shared_keeps(scope, NSC_NONE);

    if (is_kept)
        (void)nsc_shared_ask(out, NULL, &calls_kind, scope, NSC_NONE);
    else
        (void)build_calls(out, scope, 0);
    out->is_kept = is_kept;
}

void nsc_sync_calls_fini(struct nsc_sync_calls *calls)
{
    if (!calls->is_kept)
        fini_calls(calls);
}

/* The first call at or after a row. */
static size_t find_call(const struct nsc_sync_calls *calls, nsc_event row)
{
    size_t low = 0;
    size_t high = calls->list.n;

    NSC_BISECT(low, high, middle, calls->list.at[middle] < row);
    return low;
}

nsc_event *nsc_sync_calls_of_thread(size_t *n, const struct nsc_sync_calls *calls,
                                    const struct nsc_scope *scope, const struct nsc_track *of)
{
    NSC_VEC(nsc_event) list = {0};
    nsc_event row, end;

    for (uint32_t k = 0; k < of->n_lanes; k++) {
        nsc_scope_rows(scope, of->first_lane + k, &row, &end);
        for (size_t i = find_call(calls, row); i < calls->list.n && calls->list.at[i] < end; i++)
            *NSC_VEC_ADD(&list) = calls->list.at[i];
    }
    nsc_sort_by_time(list.at, (uint32_t)list.n, nsc_sort_time_at,
                     nsc_trace_events(scope->trace)->start);
    *n = list.n;
    return list.at;
}
