/* Skills about communication kernels: their time by collective, and outliers. */
#include "analysis/base/device_rows.h"
#include "analysis/base/longest.h"
#include "analysis/device/work_times.h"
#include "analysis/names/label.h"
#include "analysis/skill/skill.h"
#include "core/die.h"
#include "core/sum.h"

#include <stdlib.h>

struct collective_row {
    int64_t gpu;
    const char *class;
    struct nsc_op_kind_sum of;
    nsc_time all, mean, busy, hidden;
};

const struct nsc_sheet_column nsc_skill_nccl_breakdown_columns[] = {
    NSC_COL_ID(collective_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(collective_row, class, "collective", "Collective"),
    NSC_COL_COUNT(collective_row, of.count, "count", "Kernels"),
    NSC_COL_NS(collective_row, of.work, "total_ns", "Total"),
    NSC_COL_SHARE(collective_row, of.work, all, "share", "Share",
                  "summed communication time of the GPU"),
    NSC_COL_NS(collective_row, mean, "avg_ns", "Mean"),
    NSC_COL_NS(collective_row, of.min, "min_ns", "Min"),
    NSC_COL_NS(collective_row, of.max, "max_ns", "Max"),
    NSC_COL_NS(collective_row, busy, "busy_ns", "Union"),
    NSC_COL_NS(collective_row, hidden, "hidden_ns", "Under compute"),
    NSC_COL_SHARE(collective_row, hidden, busy, "hidden_share", "Hidden",
                  "union of the collective"),
    {0},
};

static void add_collective(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                           const struct nsc_work_times *times, enum nsc_op_kind class, nsc_time all)
{
    const struct nsc_op_kind_sum *of = &times->of[class];

    NSC_ADD_ROW(sheet, collective_row, .gpu = nsc_trace_track(scope->trace, times->device)->gpu,
                .class = nsc_op_kind_word(class), .of = *of, .all = all,
                .mean = of->work / of->count, .busy = times->both[class][class],
                .hidden = times->both[class][NSC_OP_KIND_COMPUTE]);
}

/* Adds collectives by total, the greatest first; ties keep the order of the enum. */
static void add_collectives(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                            const struct nsc_work_times *times)
{
    bool done[NSC_N_OP_KINDS] = {false};
    nsc_time all = 0;

    for (unsigned i = NSC_OP_KIND_COMM; i < NSC_OP_KIND_HTOD; i++)
        all = nsc_sum(all, times->of[i].work);
    for (;;) {
        unsigned top = NSC_N_OP_KINDS;

        for (unsigned i = NSC_OP_KIND_COMM; i < NSC_OP_KIND_HTOD; i++)
            if (!done[i] && times->of[i].count > 0 &&
                (top == NSC_N_OP_KINDS || times->of[i].work > times->of[top].work))
                top = i;
        if (top == NSC_N_OP_KINDS)
            return;
        done[top] = true;
        add_collective(sheet, scope, times, (enum nsc_op_kind)top, all);
    }
}

void nsc_skill_nccl_breakdown(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, nccl_breakdown);
    struct nsc_work_times times;

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        nsc_work_times_build(&times, scope, d);
        add_collectives(sheet, scope, &times);
    }
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "The window has no communication kernels: NCCL exchanged nothing, or "
                              "it was not recorded.");
    else
        nsc_sheet_note(sheet, "Communication kernels are recognized by name. The duration of a "
                              "kernel includes its wait for other ranks.");
}

/* ---- nccl_anomaly ---- */

struct anomaly_row {
    int64_t gpu, stream;
    const char *class;
    nsc_time start, duration, mean;
    double times;
    struct nsc_kept_text kernel;
};

const struct nsc_sheet_column nsc_skill_nccl_anomaly_columns[] = {
    NSC_COL_ID(anomaly_row, gpu, "gpu", "GPU"),
    NSC_COL_ID(anomaly_row, stream, "stream", "Stream"),
    NSC_COL_TEXT(anomaly_row, class, "collective", "Collective"),
    NSC_COL_INSTANT(anomaly_row, start, "start_ns", "Start"),
    NSC_COL_NS(anomaly_row, duration, "duration_ns", "Duration"),
    NSC_COL_NS(anomaly_row, mean, "avg_ns", "Usual"),
    NSC_COL_NUMBER(anomaly_row, times, "times", "Times", 1),
    NSC_COL_TEXT(anomaly_row, kernel, "kernel", "Kernel"),
    {0},
};

/* The mean of the other kernels of its class on its device; 0 if there are none. */
static nsc_time mean_of_others(const struct nsc_op_kind_sum *of, nsc_time duration)
{
    return of->count > 1 ? (of->work - duration) / (of->count - 1) : 0;
}

struct anomalies {
    struct nsc_longest found;
    const struct nsc_work_times *times;
    double factor;
    uint8_t *kind_of_name; /* of communication kernels: enum nsc_op_kind; 0: not known yet */
};

static enum nsc_op_kind find_kind(uint8_t *known, const struct nsc_trace *trace, nsc_event kernel)
{
    enum nsc_op_kind kind = (enum nsc_op_kind) * known;

    if (*known == 0 && nsc_op_kind_of(trace, kernel, &kind))
        *known = (uint8_t)kind;
    return kind;
}

static void find_anomalies(void *context, const struct nsc_scope *scope, nsc_event row,
                           nsc_event end)
{
    struct anomalies *anomalies = context;
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const uint8_t *flags = nsc_trace_names(scope->trace)->flags;

    for (; row < end; row++) {
        enum nsc_op_kind kind;
        nsc_time duration, mean;

        if (events->kind[row] != NSC_KIND_KERNEL || !(flags[events->name[row]] & NSC_NAME_COMM) ||
            !nsc_scope_has_row(scope, events, row))
            continue;
        kind = find_kind(&anomalies->kind_of_name[events->name[row]], scope->trace, row);
        duration = nsc_event_duration(events, row);
        mean = mean_of_others(&anomalies->times->of[kind], duration);
        if (mean > 0 && (double)duration > anomalies->factor * (double)mean)
            nsc_longest_add(&anomalies->found, row, duration - mean);
    }
}

static void add_anomaly(struct nsc_sheet *sheet, const struct nsc_scope *scope,
                        const struct nsc_work_times *times, const struct nsc_long_event *found)
{
    const struct nsc_events *events = nsc_trace_events(scope->trace);
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, NULL);
    const struct nsc_lane *lanes = nsc_trace_lanes(scope->trace, NULL);
    nsc_time duration = nsc_event_duration(events, found->event);
    nsc_time mean = duration - found->length;
    enum nsc_op_kind class = NSC_OP_KIND_COMPUTE;

    (void)nsc_op_kind_of(scope->trace, found->event, &class);
    NSC_ADD_ROW(sheet, anomaly_row, .gpu = tracks[times->device].gpu,
                .stream = tracks[lanes[nsc_trace_lane_of(scope->trace, found->event)].track].stream,
                .class = nsc_op_kind_word(class), .start = events->start[found->event],
                .duration = duration, .mean = mean, .times = (double)duration / (double)mean,
                .kernel = nsc_label_event(sheet, scope->trace, found->event));
}

void nsc_skill_nccl_anomaly(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    double factor = question->params[NSC_PARAM_FACTOR].number;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, nccl_anomaly);
    struct nsc_work_times times;
    struct anomalies anomalies = {.times = &times, .factor = factor};
    bool has_comm = false;

    anomalies.kind_of_name = nsc_xcalloc((size_t)nsc_trace_names(scope->trace)->n + 1, 1);
    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_longest *found = &anomalies.found;

        *found = nsc_longest_new((size_t)question->params[NSC_PARAM_LIMIT].integer);
        nsc_work_times_build(&times, scope, d);
        has_comm = has_comm || times.comm > 0;
        nsc_device_rows_walk(scope, d, find_anomalies, &anomalies);
        nsc_longest_end(found);
        for (size_t i = 0; i < found->kept.n; i++)
            add_anomaly(sheet, scope, &times, &found->kept.at[i]);
        sheet->n_left_out += found->offered - found->kept.n;
        nsc_longest_fini(found);
    }
    free(anomalies.kind_of_name);
    if (!has_comm)
        nsc_sheet_note(sheet, "The window has no communication kernels.");
    else
        nsc_sheet_note(
            sheet,
            "Longer than %.3g times the mean of the other kernels of the same collective on "
            "the same GPU%s",
            factor, nsc_sheet_rows(sheet) ? "; the limit applies to each GPU." : ": no kernel is.");
}
