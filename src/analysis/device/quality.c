/* Counts the data that a recording lacks. */
#include "analysis/device/quality.h"

#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/sum.h"
#include "index/lane_merge.h"

#include <stdlib.h>

static void count_rows(struct nsc_quality *out, const struct nsc_scope *scope)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);

    for (struct nsc_scope_cursor at = nsc_scope_open(scope, UINT32_MAX); nsc_scope_next(&at);) {
        uint8_t kind = events->kind[at.row];
        bool is_known = events->link[at.row] != NSC_NONE;

        out->kinds[kind]++;
        out->ops += nsc_kind_is_gpu(kind);
        out->known_ops += nsc_kind_is_gpu(kind) && is_known;
        out->kernels += kind == NSC_KIND_KERNEL;
        out->known_kernels += kind == NSC_KIND_KERNEL && is_known;
    }
}

static void measure_overhead(struct nsc_quality *out, const struct nsc_scope *scope)
{
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, &n);
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    struct nsc_row_range *ranges = nsc_xcalloc((size_t)n + 1, sizeof *ranges);
    uint32_t n_ranges = 0;
    nsc_time reach = INT64_MIN;
    struct nsc_lane_merge merge;
    nsc_event row;

    for (uint32_t k = 0; k < n; k++)
        if (tracks[lanes[k].track].kind == NSC_TRACK_OVERHEAD) {
            nsc_scope_rows(scope, k, &ranges[n_ranges].first, &ranges[n_ranges].end);
            n_ranges++;
        }
    nsc_lane_merge_open(&merge, scope->trace, ranges, n_ranges);
    while ((row = nsc_lane_merge_next(&merge)) != NSC_NONE) {
        nsc_time start;
        nsc_time end;

        if (!nsc_scope_clip(scope, row, &start, &end))
            continue;
        out->overhead_rows++;
        out->overhead = nsc_sum(out->overhead, nsc_extend(&reach, start, end));
    }
    nsc_lane_merge_fini(&merge);
    free(ranges);
}

static void count_messages(struct nsc_quality *out, const struct nsc_fields *messages)
{
    out->has_messages = nsc_fields_has(messages, NSC_DIAGNOSTIC_SEVERITY);
    for (uint32_t i = 0; out->has_messages && i < messages->n; i++) {
        int64_t severity;

        if (!nsc_fields_int(&severity, messages, NSC_DIAGNOSTIC_SEVERITY, i))
            continue;
        out->errors += severity == NSC_DIAGNOSTIC_ERROR;
        out->warnings += severity == NSC_DIAGNOSTIC_WARNING;
    }
}

/* What depends on the trace and the scope alone. */
static bool build_counts(void *out, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_quality *quality = out;

    (void)device;
    *quality = (struct nsc_quality){0};
    count_rows(quality, scope);
    measure_overhead(quality, scope);
    return true;
}

void nsc_quality_build(struct nsc_quality *out, const struct nsc_scope *scope,
                       const struct nsc_field_sets *fields, const struct nsc_range_work *ranges)
{
    static const struct nsc_shared_kind kind = {sizeof *out, build_counts, NULL};

    (void)nsc_shared_ask(out, NULL, &kind, scope, 0);
    count_messages(out, nsc_field_set(fields, NSC_FIELDS_DIAGNOSTICS));
    if (!ranges)
        return;
    out->has_ranges = ranges->tree->n > 0;
    out->work = ranges->work;
    out->range_work = ranges->work - ranges->none.own.work;
}
