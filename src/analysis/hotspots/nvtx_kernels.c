/*
 * Attributes kernel time to the NVTX range that launched it, in all and by process, and computes
 * its share of all kernel time (docs/analyses/report.md).
 *
 * A kernel belongs, once, to the call of its own process and correlation id, and to one range: of
 * all closed ranges of the calling thread, of any domain, push/pop or start/end, that have a length
 * and contain the whole call, the one that starts last. Its phase is that of the last-starting of
 * these ranges that has a phase. Autograd threads have no ranges of their own, so a second table
 * takes the innermost range of any thread of the process (analysis/ranges/process_ranges.h).
 */
#include "analysis/base/around.h"
#include "analysis/base/quantile.h"
#include "analysis/base/scope.h"
#include "analysis/hotspots/parts.h"
#include "core/sum.h"
#include "core/vec.h"

#include <math.h>

#define PID_ROWS 500 /* most rows of a process: first by kernel time, and first by wall time */

#define OF_ALL "summed duration of all kernels"

struct phasing { /* a phase map and the kernel time by its phases */
    struct nsc_phase_finder finder;
    uint32_t *of_name;       /* phase + 1 of names whose counters do not matter; 0: not known yet */
    struct nsc_tally phases; /* (pid, phase): of kernels */
};

struct mapping {
    struct nsc_hotspots *report;
    const struct nsc_events *events;
    struct nsc_text_sums kernels;    /* by range */
    struct phasing phasings[2];      /* for the given map (if any) and for the built-in map */
    struct nsc_text_sums any_thread; /* kernels by range of any thread, without processes */
};

/* Of the processes with this pid; UINT64_MAX: of all. */
static nsc_time mapped_time(const struct nsc_text_sums *sums, uint64_t pid, uint64_t *count)
{
    nsc_time total = 0;

    *count = 0;
    for (size_t k = 0; k < sums->processes.n; k++) {
        const struct nsc_text_process *process = &sums->processes.at[k];

        if (pid != UINT64_MAX && process->pid != pid)
            continue;
        for (size_t i = process->first; i < process->end; i++) {
            total = nsc_sum(total, sums->rows.at[i].total);
            *count += sums->rows.at[i].count;
        }
    }
    return total;
}

/* ---- attributing kernels to ranges ---- */

/* The next closed range with a length. */
static bool next_closed(struct nsc_around *around, struct nsc_around_range *range)
{
    do {
        range->id = nsc_lane_merge_next(&around->lanes);
        if (range->id == NSC_NONE)
            return false;
        range->start = around->events->start[range->id];
        range->end = nsc_event_end(around->events, range->id);
    } while (range->end == range->start ||
             nsc_hotspots_is_open(around->context, range->id, range->end));
    return true;
}

static uint32_t find_phase(struct phasing *phasing, nsc_event range)
{
    const struct nsc_trace *trace = phasing->finder.texts->trace;
    nsc_name name = nsc_trace_events(trace)->name[range];
    uint32_t phase;

    if (phasing->of_name[name])
        return phasing->of_name[name] - 1;
    phase = nsc_phase_finder_find(&phasing->finder, nsc_texts_of(phasing->finder.texts, range));
    if (!phasing->finder.sees_digits || nsc_trace_names(trace)->counters[name] == 0)
        phasing->of_name[name] = phase + 1;
    return phase;
}

/* The phase of the ranges around a call that ends at t1. The open ranges contain its start; those that
 * end at t1 or later contain all of it. */
static uint32_t phase_around(struct phasing *phasing, const struct nsc_around *around, nsc_time t1)
{
    uint32_t none = nsc_phase_map_count(phasing->finder.map), phase = none;

    for (size_t i = around->open.n; i-- > 0 && phase == none;)
        if (around->open.at[i].end >= t1)
            phase = find_phase(phasing, around->open.at[i].id);
    return phase;
}

/* Attributes a kernel to the last-starting range around its call; ns > 0. */
static void map_kernel(struct mapping *mapping, struct nsc_around *around, nsc_event kernel,
                       uint32_t pid, nsc_time ns)
{
    nsc_event call = mapping->events->link[kernel];
    nsc_time t1 = nsc_event_end(mapping->events, call);
    nsc_event range = nsc_around_latest(around, mapping->events->start[call], t1);

    if (range == NSC_NONE)
        return;
    nsc_text_sums_add(&mapping->kernels, nsc_texts_of(&mapping->report->texts, range), ns);
    for (unsigned m = 0; m < 2; m++)
        if (mapping->phasings[m].finder.map)
            nsc_tally_add(&mapping->phasings[m].phases, pid,
                          phase_around(&mapping->phasings[m], around, t1), ns);
}

/* Attributes the kernels that a thread launched. group: its track. */
static void map_thread(struct mapping *mapping, const struct nsc_launches *launches,
                       const nsc_event any_thread[], uint32_t group)
{
    const struct nsc_scope *scope = &mapping->report->query->scope;
    const struct nsc_track *track = nsc_trace_track(scope->trace, group);
    struct nsc_positions in = nsc_launches_of_track(launches, group);
    struct nsc_around around;

    nsc_around_tracks(&around, scope->trace, NSC_RANGE_TRACKS, track->process, track->tid,
                      next_closed, mapping->report);
    nsc_text_sums_begin(&mapping->kernels, track->pid);
    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_event op = nsc_launches_op(launches, i);
        nsc_time ns = nsc_event_duration(mapping->events, op);

        if (any_thread[i] != NSC_NONE)
            nsc_text_sums_add(&mapping->any_thread,
                              nsc_texts_of(&mapping->report->texts, any_thread[i]), ns);
        if (mapping->events->kind[op] == NSC_KIND_KERNEL && ns > 0 &&
            nsc_scope_has_row(scope, mapping->events, op))
            map_kernel(mapping, &around, op, track->pid, ns);
    }
    nsc_around_fini(&around);
}

static void map_threads(struct mapping *mapping)
{
    const struct nsc_launches *launches = nsc_hotspots_launches(mapping->report);
    const nsc_event *any_thread = nsc_hotspots_any_thread(mapping->report, launches);
    uint32_t n = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(mapping->report->query->scope.trace, &n);

    nsc_text_sums_begin(&mapping->any_thread, 0);
    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_THREAD)
            map_thread(mapping, launches, any_thread, t);
    nsc_text_sums_end(&mapping->kernels);
    nsc_text_sums_end(&mapping->any_thread);
}

/* ---- over all ---- */

struct coverage_row {
    nsc_time total, mapped, any; /* any: attributed by the ranges of any thread */
    uint64_t count, any_count, kernels, ranges;
    double share, any_share; /* % */
};

static void add_coverage(struct mapping *mapping, size_t n_ranges)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_NS(coverage_row, total, "total_kernel_time_ns"),
        NSC_COLUMN_NS(coverage_row, mapped, "mapped_kernel_time_ns"),
        NSC_COLUMN_COUNT(coverage_row, count, "mapped_kernel_count"),
        NSC_COLUMN_COUNT(coverage_row, ranges, "distinct_ranges"),
        NSC_COLUMN_PCT(coverage_row, share, "coverage_pct", OF_ALL),
        NSC_COLUMN_NS(coverage_row, any, "any_thread_kernel_time_ns"),
        NSC_COLUMN_COUNT(coverage_row, any_count, "any_thread_kernel_count"),
        NSC_COLUMN_PCT(coverage_row, any_share, "any_thread_coverage_pct", OF_ALL),
        NSC_COLUMN_COUNT(coverage_row, kernels, "kernel_count"),
    };
    struct nsc_hotspots *report = mapping->report;
    struct nsc_sheet *sheet = NSC_HOTSPOTS_SHEET(report, "nvtx_coverage",
                                                 "Kernel time attributed to NVTX ranges", columns);
    uint64_t count, any_count;
    nsc_time mapped = mapped_time(&mapping->kernels, UINT64_MAX, &count);
    nsc_time any = mapped_time(&mapping->any_thread, UINT64_MAX, &any_count);
    nsc_time total = report->kernels.total;

    NSC_ADD_ROW(sheet, coverage_row, .total = total, .mapped = mapped, .count = count,
                .ranges = n_ranges, .share = nsc_percent(mapped, total), .any = any,
                .any_count = any_count, .any_share = nsc_percent(any, total),
                .kernels = report->kernels.n);
    nsc_sheet_note(sheet, "any_thread: attributed to the innermost range of any thread of the "
                          "process, because launching threads (autograd's) may have none");
}

static void add_ranges(struct mapping *mapping, const struct nsc_text_totals *totals,
                       const char *key, const char *title)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(nsc_tally_line, name, "range_name"),
        NSC_COLUMN_COUNT(nsc_tally_line, of.count, "kernel_count"),
        NSC_COLUMN_MS(nsc_tally_line, of.total, "total_kernel_time_ms"),
        NSC_COLUMN_US(nsc_tally_line, mean, "avg_kernel_duration_us"),
        NSC_COLUMN_PCT(nsc_tally_line, share, "pct_of_total_kernel_time", OF_ALL),
        NSC_COLUMN_NS(nsc_tally_line, of.total, "total_kernel_time_ns"),
    };
    struct nsc_hotspots *report = mapping->report;
    struct nsc_sheet *sheet = NSC_HOTSPOTS_SHEET(report, key, title, columns);

    nsc_hotspots_text_lines(report, sheet, totals);
}

static struct nsc_text_totals totals_of(const struct mapping *mapping,
                                        const struct nsc_text_sums *sums)
{
    return nsc_text_sums_totals(sums, mapping->report->texts.all.n);
}

/* The tables over all processes; frees those of any thread. */
static void add_all(struct mapping *mapping)
{
    struct nsc_text_totals totals = totals_of(mapping, &mapping->kernels);

    add_coverage(mapping, totals.n_texts);
    add_ranges(mapping, &totals, "nvtx_kernel_time",
               "Kernel time by the NVTX range it was launched in");
    free(totals.at);
    totals = totals_of(mapping, &mapping->any_thread);
    add_ranges(mapping, &totals, "nvtx_kernel_time_any_thread",
               "Kernel time by the innermost NVTX range of any thread");
    free(totals.at);
    nsc_text_sums_fini(&mapping->any_thread);
}

/* ---- by process ---- */

struct pid_coverage_row {
    uint64_t pid, kernels;
    nsc_time total, mapped;
    double share; /* % */
};

static void add_pid_coverage(struct mapping *mapping, const struct nsc_tally *pids)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(pid_coverage_row, pid, "pid"),
        NSC_COLUMN_MS(pid_coverage_row, total, "pid_total_kernel_time_ms"),
        NSC_COLUMN_MS(pid_coverage_row, mapped, "pid_attributed_kernel_time_ms"),
        NSC_COLUMN_PCT(pid_coverage_row, share, "pid_attribution_coverage_pct",
                       "summed duration of the process's kernels"),
        NSC_COLUMN_COUNT(pid_coverage_row, kernels, "pid_total_kernel_count"),
        NSC_COLUMN_NS(pid_coverage_row, total, "pid_total_kernel_time_ns"),
        NSC_COLUMN_NS(pid_coverage_row, mapped, "pid_attributed_kernel_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(mapping->report, "nvtx_coverage_by_pid",
                           "Kernel time attributed to NVTX ranges, by process", columns);
    uint32_t *order = nsc_tally_sort(pids, NSC_TALLY_TOTAL, 1, NULL);

    for (size_t i = 0; i < pids->rows.n; i++) {
        const struct nsc_tally_row *row = &pids->rows.at[order[i]];
        uint64_t count;
        nsc_time mapped = mapped_time(&mapping->kernels, row->key[0], &count);

        NSC_ADD_ROW(sheet, pid_coverage_row, .pid = row->key[0], .total = row->total,
                    .mapped = mapped, .kernels = row->count,
                    .share = nsc_percent(mapped, row->total));
    }
    free(order);
}

struct pid_row {
    uint64_t pid;
    nsc_str text;
    uint64_t ranges, kernels;
    nsc_time wall, mapped;
};

struct pid_range_row {
    struct pid_row of;
    struct nsc_text name;
    double coverage; /* %; NAN without kernels */
};

NSC_COMPARE(compare_pid_rows, struct pid_row,
            NSC_LEAST(pid) || NSC_MOST(mapped) || NSC_MOST(wall) || NSC_LEAST(text))

/* Ranges and kernels of a process, joined by text. */
struct pid_rows {
    NSC_VEC(struct pid_row) list; /* those with kernels, and the first by wall time */
    nsc_time wall;                /* from this on a row is among the first by wall time */
    size_t n_others;
    uint32_t *of_text; /* by text: its row in the list + 1; 0: none */
};

/* The time from which on a row is among the first PID_ROWS. */
static nsc_time bar_of(const struct nsc_text_sums *sums, struct nsc_text_process process)
{
    NSC_VEC(nsc_time) times = {0};
    nsc_time bar;

    for (size_t i = process.first; i < process.end; i++)
        *NSC_VEC_ADD(&times) = sums->rows.at[i].total;
    bar = nsc_greatest(times.at, times.n, PID_ROWS);
    NSC_VEC_FINI(&times);
    return bar;
}

static struct pid_row *pid_row_of(struct pid_rows *rows, uint64_t pid, nsc_str text)
{
    if (rows->of_text[text] == 0) {
        *NSC_VEC_ADD(&rows->list) = (struct pid_row){.pid = pid, .text = text};
        rows->of_text[text] = (uint32_t)rows->list.n;
    }
    return &rows->list.at[rows->of_text[text] - 1];
}

/* Replaces the rows by those of a process. */
static void join_pid_rows(struct pid_rows *rows, const struct mapping *mapping, uint64_t pid)
{
    const struct nsc_text_sums *ranges = &mapping->report->ranges, *kernels = &mapping->kernels;
    struct nsc_text_process in = nsc_text_sums_process(ranges, pid);
    struct nsc_text_process of = nsc_text_sums_process(kernels, pid);

    NSC_VEC_CLEAR(&rows->list);
    rows->n_others = 0;
    rows->wall = bar_of(ranges, in);
    for (size_t i = of.first; i < of.end; i++) {
        struct pid_row *row = pid_row_of(rows, pid, kernels->rows.at[i].text);

        row->kernels = kernels->rows.at[i].count;
        row->mapped = kernels->rows.at[i].total;
    }
    for (size_t i = in.first; i < in.end; i++) {
        const struct nsc_text_row *range = &ranges->rows.at[i];
        struct pid_row *row;

        if (rows->of_text[range->text] == 0 && range->total < rows->wall) {
            rows->n_others++;
            continue;
        }
        row = pid_row_of(rows, pid, range->text);
        row->ranges = range->count;
        row->wall = range->total;
    }
    for (size_t i = 0; i < rows->list.n; i++)
        rows->of_text[rows->list.at[i].text] = 0;
}

/* Adds the shown rows of one process, in order, and counts the others. Of rows without kernels, those
 * that are among the first by kernel time, and then by wall time, are among the first by wall time. */
static void add_pid_rows(struct mapping *mapping, struct nsc_sheet *sheet, struct pid_rows *rows,
                         double coverage)
{
    struct pid_row *list = rows->list.at;
    size_t shown = 0;

    if (rows->list.n > 0)
        qsort(list, rows->list.n, sizeof *list, compare_pid_rows);
    for (size_t i = 0; i < rows->list.n; i++) {
        if (i >= PID_ROWS && list[i].wall < rows->wall)
            continue;
        NSC_ADD_ROW(sheet, pid_range_row, .of = list[i],
                    .name = nsc_texts_at(&mapping->report->texts, list[i].text),
                    .coverage = list[i].kernels ? coverage : (double)NAN);
        shown++;
    }
    sheet->n_left_out += rows->n_others + rows->list.n - shown;
}

/* Lowers *pid to the least one of sums that is at least `least`. */
static void lower_pid(uint64_t *pid, const struct nsc_text_sums *sums, uint64_t least)
{
    for (size_t k = 0; k < sums->processes.n; k++)
        if (sums->processes.at[k].pid >= least && sums->processes.at[k].pid < *pid)
            *pid = sums->processes.at[k].pid;
}

static void add_by_pid(struct mapping *mapping, struct nsc_tally *pids)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(pid_range_row, of.pid, "pid"),
        NSC_COLUMN_TEXT(pid_range_row, name, "range_name"),
        NSC_COLUMN_COUNT(pid_range_row, of.ranges, "nvtx_count"),
        NSC_COLUMN_MS(pid_range_row, of.wall, "nvtx_total_time_ms"),
        NSC_COLUMN_MS(pid_range_row, of.mapped, "attributed_kernel_time_ms"),
        NSC_COLUMN_COUNT(pid_range_row, of.kernels, "attributed_kernel_count"),
        NSC_COLUMN_PCT(pid_range_row, coverage, "pid_attribution_coverage_pct",
                       "summed duration of the process's kernels"),
        NSC_COLUMN_NS(pid_range_row, of.wall, "nvtx_total_time_ns"),
        NSC_COLUMN_NS(pid_range_row, of.mapped, "attributed_kernel_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(mapping->report, "nvtx_by_pid", "NVTX ranges by process", columns);
    struct pid_rows rows = {
        .of_text = nsc_xcalloc(mapping->report->texts.all.n + 1, sizeof *rows.of_text)};

    for (uint64_t least = 0, pid = UINT64_MAX;; least = pid + 1, pid = UINT64_MAX) {
        uint32_t group;
        uint64_t count;

        lower_pid(&pid, &mapping->report->ranges, least);
        lower_pid(&pid, &mapping->kernels, least);
        if (pid == UINT64_MAX)
            break;
        group = nsc_tally_group(pids, pid, 0); /* may move them */
        join_pid_rows(&rows, mapping, pid);
        add_pid_rows(
            mapping, sheet, &rows,
            nsc_percent(mapped_time(&mapping->kernels, pid, &count), pids->rows.at[group].total));
    }
    NSC_VEC_FINI(&rows.list);
    free(rows.of_text);
}

static void init_phasing(struct phasing *phasing, const struct nsc_phase_map *map,
                         struct nsc_texts *texts)
{
    nsc_phase_finder_init(&phasing->finder, map, texts);
    phasing->of_name = nsc_xcalloc((size_t)nsc_trace_names(texts->trace)->n + 1, sizeof(uint32_t));
}

static void fini_mapping(struct mapping *mapping)
{
    for (unsigned m = 0; m < 2; m++) {
        NSC_VEC_FINI(&mapping->phasings[m].finder.known);
        free(mapping->phasings[m].of_name);
        nsc_tally_fini(&mapping->phasings[m].phases);
    }
    nsc_text_sums_fini(&mapping->kernels);
}

void nsc_hotspots_nvtx_kernels(struct nsc_hotspots *report)
{
    struct mapping mapping = {.report = report,
                              .events = nsc_trace_events(report->query->scope.trace)};
    struct nsc_tally pids = nsc_hotspots_pid_tally(report);
    struct nsc_phase_map *builtin = nsc_phase_map_builtin();
    struct nsc_text_totals names;
    bool mapped;

    if (report->query->phases)
        init_phasing(&mapping.phasings[0], report->query->phases, &report->texts);
    init_phasing(&mapping.phasings[1], builtin, &report->texts);
    if (report->query->map_nvtx) {
        map_threads(&mapping);
        add_all(&mapping);
        add_pid_coverage(&mapping, &pids);
        if (report->query->phases)
            nsc_hotspots_kernel_phases(report, &mapping.phasings[0].phases);
    }
    add_by_pid(&mapping, &pids);
    mapped = mapping.kernels.rows.n > 0;
    names = totals_of(&mapping, mapped ? &mapping.kernels : &report->ranges);
    nsc_hotspots_phase_split(report, builtin, mapped ? &mapping.phasings[1].phases : NULL, &names);
    free(names.at);
    nsc_phase_map_free(builtin);
    fini_mapping(&mapping);
    nsc_tally_fini(&pids);
}
