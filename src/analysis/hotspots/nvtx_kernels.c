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
    struct nsc_tally kernels;    /* by (pid, text of the range) */
    struct phasing phasings[2];  /* for the given map (if any) and for the built-in map */
    struct nsc_tally any_thread; /* kernels by (text of the range of any thread, 0) */
};

/* The sum of all groups. */
static struct nsc_tally_row sum_all(const struct nsc_tally *tally)
{
    struct nsc_tally_row all = {.count = 0};

    for (size_t i = 0; i < tally->rows.n; i++) {
        all.count += tally->rows.at[i].count;
        all.total = nsc_sum(all.total, tally->rows.at[i].total);
    }
    return all;
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

/* Adds a kernel to its phase. The open ranges contain the start of the call; those that end at t1 or
 * later contain all of it. */
static void add_phase(struct phasing *phasing, const struct nsc_around *around, nsc_time t1,
                      uint32_t pid, nsc_time ns)
{
    uint32_t none = nsc_phase_map_count(phasing->finder.map);
    uint32_t phase = none;

    for (size_t n = around->open.n; n > 0 && phase == none; n--)
        if (around->open.at[n - 1].end >= t1)
            phase = find_phase(phasing, around->open.at[n - 1].id);
    nsc_tally_add(&phasing->phases, pid, phase, ns);
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
    (void)nsc_tally_add(&mapping->kernels, pid, nsc_texts_of(&mapping->report->texts, range), ns);
    for (unsigned m = 0; m < 2; m++)
        if (mapping->phasings[m].finder.map)
            add_phase(&mapping->phasings[m], around, t1, pid, ns);
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
    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_event op = nsc_launches_op(launches, i);
        nsc_time ns = nsc_event_duration(mapping->events, op);

        if (any_thread[i] != NSC_NONE)
            (void)nsc_tally_add(&mapping->any_thread,
                                nsc_texts_of(&mapping->report->texts, any_thread[i]), 0, ns);
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

    mapping->any_thread.find = NSC_TALLY_BY_FIRST;
    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_THREAD)
            map_thread(mapping, launches, any_thread, t);
}

/* ---- over all ---- */

static void add_coverage(struct mapping *mapping, size_t n_ranges)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_NS(nsc_hotspots_coverage, total, "total_kernel_time_ns"),
        NSC_COLUMN_NS(nsc_hotspots_coverage, mapped, "mapped_kernel_time_ns"),
        NSC_COLUMN_COUNT(nsc_hotspots_coverage, count, "mapped_kernel_count"),
        NSC_COLUMN_COUNT(nsc_hotspots_coverage, ranges, "distinct_ranges"),
        NSC_COLUMN_PCT(nsc_hotspots_coverage, share, "coverage_pct", OF_ALL),
        NSC_COLUMN_NS(nsc_hotspots_coverage, any, "any_thread_kernel_time_ns"),
        NSC_COLUMN_COUNT(nsc_hotspots_coverage, any_count, "any_thread_kernel_count"),
        NSC_COLUMN_PCT(nsc_hotspots_coverage, any_share, "any_thread_coverage_pct", OF_ALL),
        NSC_COLUMN_COUNT(nsc_hotspots_coverage, kernels, "kernel_count"),
    };
    struct nsc_hotspots *report = mapping->report;
    struct nsc_sheet *sheet = NSC_HOTSPOTS_SHEET(report, "nvtx_coverage",
                                                 "Kernel time attributed to NVTX ranges", columns);
    struct nsc_tally_row mapped = sum_all(&mapping->kernels);
    struct nsc_tally_row any = sum_all(&mapping->any_thread);
    nsc_time total = report->kernels.total;

    report->figures.coverage =
        (struct nsc_hotspots_coverage){.total = total,
                                       .mapped = mapped.total,
                                       .count = mapped.count,
                                       .ranges = n_ranges,
                                       .share = nsc_percent(mapped.total, total),
                                       .any = any.total,
                                       .any_count = any.count,
                                       .any_share = nsc_percent(any.total, total),
                                       .kernels = report->kernels.n};
    NSC_SHEET_ADD_ROW(sheet, &report->figures.coverage);
    nsc_sheet_note(sheet, "any_thread: attributed to the innermost range of any thread of the "
                          "process, because launching threads (autograd's) may have none");
}

static void add_ranges(struct mapping *mapping, const struct nsc_tally *names, const char *key,
                       const char *title)
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

    (void)nsc_hotspots_lines(report, sheet, names, NSC_TALLY_TOTAL, 0, NSC_HOTSPOTS_ROWS, NULL);
}

/* The tables over all processes; frees those of any thread. */
static void add_all(struct mapping *mapping)
{
    struct nsc_tally names = {.find = NSC_TALLY_BY_FIRST};

    nsc_tally_merge(&names, &mapping->kernels, 1);
    add_coverage(mapping, names.rows.n);
    add_ranges(mapping, &names, "nvtx_kernel_time",
               "Kernel time by the NVTX range it was launched in");
    add_ranges(mapping, &mapping->any_thread, "nvtx_kernel_time_any_thread",
               "Kernel time by the innermost NVTX range of any thread");
    nsc_tally_fini(&names);
    nsc_tally_fini(&mapping->any_thread);
}

/* ---- by process ---- */

static nsc_time total_of_pid(struct nsc_tally *by_pid, uint64_t pid)
{
    uint32_t group = nsc_tally_group(by_pid, pid, 0); /* may move them */

    return by_pid->rows.at[group].total;
}

/* mapped: kernel time in ranges by pid. */
static void add_pid_coverage(struct mapping *mapping, const struct nsc_tally *pids,
                             struct nsc_tally *mapped)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_ID(nsc_hotspots_pid_coverage, pid, "pid"),
        NSC_COLUMN_MS(nsc_hotspots_pid_coverage, total, "pid_total_kernel_time_ms"),
        NSC_COLUMN_MS(nsc_hotspots_pid_coverage, mapped, "pid_attributed_kernel_time_ms"),
        NSC_COLUMN_PCT(nsc_hotspots_pid_coverage, share, "pid_attribution_coverage_pct",
                       "summed duration of the process's kernels"),
        NSC_COLUMN_COUNT(nsc_hotspots_pid_coverage, kernels, "pid_total_kernel_count"),
        NSC_COLUMN_NS(nsc_hotspots_pid_coverage, total, "pid_total_kernel_time_ns"),
        NSC_COLUMN_NS(nsc_hotspots_pid_coverage, mapped, "pid_attributed_kernel_time_ns"),
    };
    struct nsc_sheet *sheet =
        NSC_HOTSPOTS_SHEET(mapping->report, "nvtx_coverage_by_pid",
                           "Kernel time attributed to NVTX ranges, by process", columns);
    uint32_t *order = nsc_tally_sort(pids, NSC_TALLY_TOTAL, 1, NULL);

    for (size_t i = 0; i < pids->rows.n; i++) {
        const struct nsc_tally_row *row = &pids->rows.at[order[i]];
        nsc_time in_ranges = total_of_pid(mapped, row->key[0]);
        struct nsc_hotspots_pid_coverage of = {.pid = row->key[0],
                                               .total = row->total,
                                               .mapped = in_ranges,
                                               .kernels = row->count,
                                               .share = nsc_percent(in_ranges, row->total)};

        NSC_SHEET_ADD_ROW(sheet, &of);
        if (i == 0 || of.share < mapping->report->figures.least_covered.share)
            mapping->report->figures.least_covered = of;
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

static int compare_pid_rows(const void *a, const void *b)
{
    const struct pid_row *x = a, *y = b;

    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->mapped != y->mapped)
        return x->mapped > y->mapped ? -1 : 1;
    if (x->wall != y->wall)
        return x->wall > y->wall ? -1 : 1;
    return x->text < y->text ? -1 : x->text > y->text;
}

struct pid_rows {
    struct nsc_tally groups;      /* (pid, text) */
    NSC_VEC(struct pid_row) rows; /* by group */
};

static struct pid_row *find_pid_row(struct pid_rows *of, const uint64_t key[2])
{
    uint32_t group = nsc_tally_group(&of->groups, key[0], key[1]);

    if (group == of->rows.n)
        *NSC_VEC_ADD(&of->rows) = (struct pid_row){.pid = key[0], .text = (nsc_str)key[1]};
    return &of->rows.at[group];
}

/* Joins ranges and kernels by process and text. */
static struct pid_rows join_pid_rows(const struct nsc_tally *ranges,
                                     const struct nsc_tally *kernels)
{
    struct pid_rows out = {.groups = {.find = NSC_TALLY_BY_SECOND}};

    for (size_t i = 0; i < ranges->rows.n; i++) {
        struct pid_row *row = find_pid_row(&out, ranges->rows.at[i].key);

        row->ranges = ranges->rows.at[i].count;
        row->wall = ranges->rows.at[i].total;
    }
    for (size_t i = 0; i < kernels->rows.n; i++) {
        struct pid_row *row = find_pid_row(&out, kernels->rows.at[i].key);

        row->kernels = kernels->rows.at[i].count;
        row->mapped = kernels->rows.at[i].total;
    }
    if (out.rows.n > 0)
        qsort(out.rows.at, out.rows.n, sizeof *out.rows.at, compare_pid_rows);
    return out;
}

/* The least wall time among the first PID_ROWS by wall time. */
static nsc_time measure_bar(const struct pid_row rows[], size_t n)
{
    nsc_time *walls = nsc_xmalloc((n + 1) * sizeof *walls);
    nsc_time bar;

    for (size_t i = 0; i < n; i++)
        walls[i] = rows[i].wall;
    bar = n > PID_ROWS ? nsc_select(walls, n, n - PID_ROWS) : INT64_MIN;
    free(walls);
    return bar;
}

/* Adds the shown rows of one process, and counts the others. coverage: of the process, %. */
static void add_pid_rows(struct mapping *mapping, struct nsc_sheet *sheet,
                         const struct pid_row rows[], size_t n, double coverage)
{
    nsc_time bar = measure_bar(rows, n);

    for (size_t i = 0; i < n; i++)
        if (i < PID_ROWS || rows[i].wall >= bar)
            NSC_ADD_ROW(sheet, pid_range_row, .of = rows[i],
                        .name = nsc_texts_at(&mapping->report->texts, rows[i].text),
                        .coverage = rows[i].kernels ? coverage : (double)NAN);
        else
            sheet->n_left_out++;
}

/* pids: kernels by pid; mapped: those in ranges. */
static void add_by_pid(struct mapping *mapping, struct nsc_tally *pids, struct nsc_tally *mapped)
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
    struct pid_rows all = join_pid_rows(&mapping->report->ranges, &mapping->kernels);

    for (size_t first = 0, end = 0; first < all.rows.n; first = end) {
        uint64_t pid = all.rows.at[first].pid;

        while (end < all.rows.n && all.rows.at[end].pid == pid)
            end++;
        add_pid_rows(mapping, sheet, all.rows.at + first, end - first,
                     nsc_percent(total_of_pid(mapped, pid), total_of_pid(pids, pid)));
    }
    NSC_VEC_FINI(&all.rows);
    nsc_tally_fini(&all.groups);
}

static void init_phasing(struct phasing *phasing, const struct nsc_phase_map *map,
                         struct nsc_texts *texts)
{
    nsc_phase_finder_init(&phasing->finder, map, texts);
    phasing->of_name = nsc_xcalloc((size_t)nsc_trace_names(texts->trace)->n + 1, sizeof(uint32_t));
    phasing->phases.find = NSC_TALLY_BY_SECOND;
}

static void fini_mapping(struct mapping *mapping)
{
    for (unsigned m = 0; m < 2; m++) {
        NSC_VEC_FINI(&mapping->phasings[m].finder.known);
        free(mapping->phasings[m].of_name);
        nsc_tally_fini(&mapping->phasings[m].phases);
    }
    nsc_tally_fini(&mapping->kernels);
}

void nsc_hotspots_nvtx_kernels(struct nsc_hotspots *report)
{
    struct mapping mapping = {.report = report,
                              .events = nsc_trace_events(report->query->scope.trace),
                              .kernels = {.find = NSC_TALLY_BY_SECOND}};
    struct nsc_tally pids = nsc_hotspots_pid_tally(report);
    struct nsc_tally mapped = {.find = NSC_TALLY_HASH}, names = {.find = NSC_TALLY_BY_FIRST};
    struct nsc_phase_map *builtin = nsc_phase_map_builtin();
    bool has_mapped;

    if (report->query->phases)
        init_phasing(&mapping.phasings[0], report->query->phases, &report->texts);
    init_phasing(&mapping.phasings[1], builtin, &report->texts);
    if (report->query->map_nvtx) {
        map_threads(&mapping);
        add_all(&mapping);
        nsc_tally_merge(&mapped, &mapping.kernels, 0);
        add_pid_coverage(&mapping, &pids, &mapped);
        if (report->query->phases)
            nsc_hotspots_kernel_phases(report, &mapping.phasings[0].phases);
    }
    add_by_pid(&mapping, &pids, &mapped);
    has_mapped = mapping.kernels.rows.n > 0;
    nsc_tally_merge(&names, has_mapped ? &mapping.kernels : &report->ranges, 1);
    nsc_hotspots_phase_split(report, builtin, has_mapped ? &mapping.phasings[1].phases : NULL,
                             &names);
    nsc_tally_fini(&names);
    nsc_tally_fini(&mapped);
    nsc_phase_map_free(builtin);
    fini_mapping(&mapping);
    nsc_tally_fini(&pids);
}
