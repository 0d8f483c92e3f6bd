/* The skill about single kernels: the NVTX range that launched each. */
#include "analysis/base/correlate.h"
#include "analysis/base/path_memo.h"
#include "analysis/names/label.h"
#include "analysis/ranges/helper_launches.h"
#include "analysis/skill/skill.h"
#include "index/lane_merge.h"

#include <stdlib.h>

struct instance_row {
    int64_t gpu, stream;
    nsc_time start, duration;
    uint32_t depth;
    struct nsc_kept_text range, kernel;
};

const struct nsc_sheet_column nsc_skill_nvtx_kernel_map_columns[] = {
    NSC_COL_ID(instance_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(instance_row, stream, "stream", "Stream"),
    NSC_COL_INSTANT(instance_row, start, "start_ns", "Start"),
    NSC_COL_NS(instance_row, duration, "duration_ns", "Duration"),
    NSC_COL_COUNT(instance_row, depth, "depth", "Depth"),
    NSC_COL_TEXT(instance_row, range, "range", "Innermost NVTX range"),
    NSC_COL_TEXT(instance_row, kernel, "kernel", "Kernel"),
    {0},
};

static void add_instance(struct nsc_sheet *sheet, const struct nsc_trace *trace, nsc_event event,
                         nsc_event range, uint32_t depth)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_lane *lanes = nsc_trace_lanes(trace, NULL);
    const struct nsc_track *track =
        nsc_trace_track(trace, lanes[nsc_trace_lane_of(trace, event)].track);

    NSC_ADD_ROW(sheet, instance_row, .gpu = track->device, .stream = track->stream,
                .start = events->start[event], .duration = nsc_event_duration(events, event),
                .depth = depth, .range = nsc_label_event(sheet, trace, range),
                .kernel = nsc_label_event(sheet, trace, event));
}

/* Adds a kernel with the innermost range around its launch; none for one outside of ranges. */
static void map_kernel(struct nsc_sheet *sheet, const struct nsc_trace *trace,
                       struct nsc_path_memo *memo, const struct nsc_helper_launches *lends,
                       nsc_event kernel)
{
    struct nsc_path path = nsc_path_memo_find(memo, kernel, nsc_trace_lane_of(trace, kernel),
                                              nsc_event_launch(trace, kernel));
    nsc_event lent = path.n == 0 && lends ? nsc_helper_launches_find(lends, kernel) : NSC_NONE;

    if (lent != NSC_NONE) {
        path = nsc_path_memo_find(memo, lent, nsc_trace_lane_of(trace, lent), NSC_NONE);
        add_instance(sheet, trace, kernel, lent,
                     path.n < NSC_PATH_MOST ? path.n + 1 : NSC_PATH_MOST);
    } else if (path.n > 0) {
        add_instance(sheet, trace, kernel, path.rows[path.n - 1], path.depth);
    }
}

/* Adds kernels of all devices by start, up to the limit. */
static void map_kernels(struct nsc_sheet *sheet, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    uint32_t n_lanes = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, &n_lanes);
    struct nsc_row_range *ranges = nsc_xcalloc((size_t)n_lanes + 1, sizeof *ranges);
    uint64_t limit = (uint64_t)question->params[NSC_PARAM_LIMIT].integer;
    struct nsc_lane_merge merge;
    struct nsc_helper_launches *lends = nsc_helper_launches_ask(scope);
    struct nsc_path_memo *memo = nsc_path_memo_new(scope->trace);
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_lanes; i++)
        if (nsc_trace_track(scope->trace, lanes[i].track)->kind == NSC_TRACK_STREAM)
            ranges[n++] = nsc_lane_rows(scope->trace, i, scope->window);
    nsc_lane_merge_open(&merge, scope->trace, ranges, n);
    for (nsc_event row;
         !nsc_scope_is_stopped(scope) && (row = nsc_lane_merge_next(&merge)) != NSC_NONE;) {
        if (events->kind[row] != NSC_KIND_KERNEL || !nsc_scope_has_row(scope, events, row))
            continue;
        if (limit > 0 && nsc_sheet_rows(sheet) >= limit)
            sheet->n_left_out++; /* an upper bound: includes kernels outside of ranges */
        else
            map_kernel(sheet, scope->trace, memo, lends, row);
    }
    nsc_lane_merge_fini(&merge);
    nsc_helper_launches_free(lends);
    nsc_path_memo_free(memo);
    free(ranges);
}

void nsc_skill_nvtx_kernel_map(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, nvtx_kernel_map);

    map_kernels(sheet, question);
    nsc_sheet_note(sheet,
                   nsc_sheet_rows(sheet)
                       ? "Kernels whose launching call starts inside a push/pop range of its "
                         "thread, by start. A kernel that a thread of autograd launches is also in "
                         "the range in which the main thread waits. Kernels outside of ranges are "
                         "not listed, but the number of rows left out includes them."
                       : "No kernel of the window was launched inside an NVTX range.");
}
