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

struct phased_range { /* an open range */
    nsc_event range;
    uint32_t phase; /* the number of phases: none */
    size_t n_below; /* open ranges up to the last one with a phase, without this one */
};

struct phasing { /* a phase map and the kernel time by its phases */
    struct nsc_phase_finder finder;
    uint32_t *of_name;       /* phase + 1 of names whose counters do not matter; 0: not known yet */
    struct nsc_tally phases; /* (pid, phase): of kernels */
    NSC_VEC(struct phased_range) open;
};

struct mapping {
    struct nsc_hotspots *report;
    const struct nsc_events *events;
    struct nsc_tally by_name, by_pid; /* kernels by (text, 0) and (pid, text) */
    struct phasing phasings[2];       /* for the given map (if any) and for the built-in map */
    struct nsc_tally *wall;           /* ranges by (pid, text); owned by the report */
    struct nsc_tally any_thread;      /* (text, 0): of kernels */
    uint64_t n_any;
    nsc_time any_total;
};

static nsc_time mapped_time(const struct nsc_tally *tally, uint64_t *count)
{
    nsc_time total = 0;

    *count = 0;
    for (size_t i = 0; i < tally->rows.n; i++) {
        total = nsc_sum(total, tally->rows.at[i].total);
        *count += tally->rows.at[i].count;
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
    } while (range->end == range->start || nsc_hotspots_is_open(around->context, range->id));
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

/* Finds the phases of the ranges opened since the last call. Ranges are opened at the end only, so
 * where both stacks have the same one, all before it are the same too. */
static void open_phases(struct phasing *phasing, const struct nsc_around *around)
{
    uint32_t none = nsc_phase_map_count(phasing->finder.map);
    size_t same = phasing->open.n < around->open.n ? phasing->open.n : around->open.n;

    while (same > 0 && phasing->open.at[same - 1].range != around->open.at[same - 1].id)
        same--;
    phasing->open.n = same;
    for (; same < around->open.n; same++) {
        nsc_event range = around->open.at[same].id;
        struct phased_range phased = {range, find_phase(phasing, range), 0};

        if (same > 0)
            phased.n_below = phasing->open.at[same - 1].phase != none
                                 ? same
                                 : phasing->open.at[same - 1].n_below;
        *NSC_VEC_ADD(&phasing->open) = phased;
    }
}

/* Adds a kernel to its phase. The open ranges contain t0; those that end at t1 or later contain the
 * call. */
static void add_phase(struct phasing *phasing, const struct nsc_around *around, nsc_time t1,
                      uint32_t pid, nsc_time ns)
{
    uint32_t none = nsc_phase_map_count(phasing->finder.map);
    uint32_t phase = none;

    open_phases(phasing, around);
    for (size_t n = phasing->open.n; n > 0 && phase == none; n = phasing->open.at[n - 1].n_below)
        if (around->open.at[n - 1].end >= t1)
            phase = phasing->open.at[n - 1].phase;
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
    nsc_tally_add(&mapping->by_pid, pid, nsc_texts_of(&mapping->report->texts, range), ns);
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
    for (unsigned m = 0; m < 2; m++)
        NSC_VEC_CLEAR(&mapping->phasings[m].open);
    for (uint32_t i = in.first; i < in.end; i++) {
        nsc_event op = nsc_launches_op(launches, i);
        nsc_time ns = nsc_event_duration(mapping->events, op);

        if (any_thread[i] != NSC_NONE)
            nsc_tally_add(&mapping->any_thread,
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

    for (uint32_t t = 0; t < n; t++)
        if (tracks[t].kind == NSC_TRACK_THREAD)
            map_thread(mapping, launches, any_thread, t);
    nsc_tally_merge(&mapping->by_name, &mapping->by_pid, 1);
    mapping->any_total = mapped_time(&mapping->any_thread, &mapping->n_any);
}

/* ---- over all ---- */

static void add_coverage(struct mapping *mapping)
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
    uint64_t count = 0;
    nsc_time mapped = mapped_time(&mapping->by_name, &count);
    nsc_time total = report->kernels.total;

    report->figures.coverage =
        (struct nsc_hotspots_coverage){.total = total,
                                       .mapped = mapped,
                                       .count = count,
                                       .ranges = mapping->by_name.rows.n,
                                       .share = nsc_percent(mapped, total),
                                       .any = mapping->any_total,
                                       .any_count = mapping->n_any,
                                       .any_share = nsc_percent(mapping->any_total, total),
                                       .kernels = report->kernels.n};
    NSC_SHEET_ADD_ROW(sheet, &report->figures.coverage);
    nsc_sheet_note(sheet, "any_thread: attributed to the innermost range of any thread of the "
                          "process, because launching threads (autograd's) may have none");
}

static void add_ranges(struct mapping *mapping, const struct nsc_tally *tally, const char *key,
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

    (void)nsc_hotspots_lines(report, sheet, tally, NSC_TALLY_TOTAL, 0, NSC_HOTSPOTS_ROWS, NULL);
}

/* ---- by process ---- */

static nsc_time mapped_of_pid(const struct mapping *mapping, uint64_t pid)
{
    nsc_time total = 0;

    for (size_t i = 0; i < mapping->by_pid.rows.n; i++)
        if (mapping->by_pid.rows.at[i].key[0] == pid)
            total = nsc_sum(total, mapping->by_pid.rows.at[i].total);
    return total;
}

static void add_pid_coverage(struct mapping *mapping, const struct nsc_tally *pids)
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
        nsc_time mapped = mapped_of_pid(mapping, row->key[0]);
        struct nsc_hotspots_pid_coverage of = {.pid = row->key[0],
                                               .total = row->total,
                                               .mapped = mapped,
                                               .kernels = row->count,
                                               .share = nsc_percent(mapped, row->total)};

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

/* Ranges and kernels joined by process and text. */
struct pid_rows {
    const struct nsc_tally *ranges, *kernels;
    uint32_t *kernels_of; /* by group of ranges: the group of its kernels + 1; 0: none */
    size_t n;
};

/* The caller frees kernels_of. */
static struct pid_rows join_pid_rows(struct mapping *mapping)
{
    const struct nsc_tally *kernels = &mapping->by_pid;
    struct pid_rows rows = {mapping->wall, kernels, NULL, 0};

    for (size_t i = 0; i < kernels->rows.n; i++) /* adds those with kernels only */
        (void)nsc_tally_group(mapping->wall, kernels->rows.at[i].key[0],
                              kernels->rows.at[i].key[1]);
    rows.n = mapping->wall->rows.n;
    rows.kernels_of = nsc_xcalloc(rows.n + 1, sizeof *rows.kernels_of);
    for (size_t i = 0; i < kernels->rows.n; i++)
        rows.kernels_of[nsc_tally_group(mapping->wall, kernels->rows.at[i].key[0],
                                        kernels->rows.at[i].key[1])] = (uint32_t)i + 1;
    return rows;
}

/* Row i; false if it is of another process. */
static bool read_pid_row(struct pid_row *out, const struct pid_rows *rows, uint64_t pid, size_t i)
{
    const struct nsc_tally_row *range = &rows->ranges->rows.at[i];

    if (range->key[0] != pid)
        return false;
    *out = (struct pid_row){pid, (nsc_str)range->key[1], range->count, 0, range->total, 0};
    if (rows->kernels_of[i] > 0) {
        out->kernels = rows->kernels->rows.at[rows->kernels_of[i] - 1].count;
        out->mapped = rows->kernels->rows.at[rows->kernels_of[i] - 1].total;
    }
    return true;
}

/* The k-th greatest of n values, from 1; INT64_MIN if n <= k. */
static nsc_time bar_of(nsc_time values[], size_t n, size_t k)
{
    return n <= k ? INT64_MIN : nsc_select(values, n, n - k);
}

/* The limits above which a row is shown: among the first PID_ROWS by kernel time or by wall
 * time. */
struct bars {
    nsc_time wall, mapped;
    nsc_time tied; /* wall time of the rows whose kernel time equals `mapped` */
};

static struct bars measure_bars(const struct pid_rows *rows, uint64_t pid)
{
    nsc_time *values = nsc_xmalloc((rows->n + 1) * sizeof *values);
    struct pid_row row;
    struct bars bars;
    size_t n = 0, above = 0, tied = 0;

    for (size_t i = 0; i < rows->n; i++)
        if (read_pid_row(&row, rows, pid, i))
            values[n++] = row.wall;
    bars.wall = bar_of(values, n, PID_ROWS);
    n = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (read_pid_row(&row, rows, pid, i))
            values[n++] = row.mapped;
    bars.mapped = bar_of(values, n, PID_ROWS);
    for (size_t i = 0; i < rows->n; i++) {
        if (!read_pid_row(&row, rows, pid, i))
            continue;
        above += row.mapped > bars.mapped;
        if (row.mapped == bars.mapped)
            values[tied++] = row.wall;
    }
    bars.tied = above < PID_ROWS ? bar_of(values, tied, PID_ROWS - above) : INT64_MIN;
    free(values);
    return bars;
}

static bool may_show(const struct pid_row *row, const struct bars *bars)
{
    return row->wall >= bars->wall || row->mapped > bars->mapped ||
           (row->mapped == bars->mapped && row->wall >= bars->tied);
}

/* Adds the shown rows of one process, in order, and counts the others. */
static void add_pid_rows(struct mapping *mapping, struct nsc_sheet *sheet,
                         const struct pid_rows *rows, uint64_t pid, double coverage)
{
    struct bars bars = measure_bars(rows, pid);
    NSC_VEC(struct pid_row) kept = {0};
    struct pid_row row;

    for (size_t i = 0; i < rows->n; i++)
        if (read_pid_row(&row, rows, pid, i)) {
            if (may_show(&row, &bars))
                *NSC_VEC_ADD(&kept) = row;
            else
                sheet->n_left_out++;
        }
    if (kept.n > 0)
        qsort(kept.at, kept.n, sizeof *kept.at, compare_pid_rows);
    for (size_t i = 0; i < kept.n; i++)
        if (i < PID_ROWS || kept.at[i].wall >= bars.wall)
            NSC_ADD_ROW(sheet, pid_range_row, .of = kept.at[i],
                        .name = nsc_texts_at(&mapping->report->texts, kept.at[i].text),
                        .coverage = kept.at[i].kernels ? coverage : (double)NAN);
        else
            sheet->n_left_out++;
    NSC_VEC_FINI(&kept);
}

/* The least pid of the rows from least on; false if there is none. */
static bool next_pid(uint64_t *pid, const struct pid_rows *rows, uint64_t least)
{
    bool is_found = false;

    for (size_t i = 0; i < rows->n; i++) {
        uint64_t of = rows->ranges->rows.at[i].key[0];

        if (of < least || (is_found && of >= *pid))
            continue;
        *pid = of;
        is_found = true;
    }
    return is_found;
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
    struct pid_rows rows = join_pid_rows(mapping);

    for (uint64_t pid = 0; next_pid(&pid, &rows, pid); pid++) {
        uint32_t group = nsc_tally_group(pids, pid, 0); /* may move them */
        double coverage = nsc_percent(mapped_of_pid(mapping, pid), pids->rows.at[group].total);

        add_pid_rows(mapping, sheet, &rows, pid, coverage);
    }
    free(rows.kernels_of);
}

static void init_phasing(struct phasing *phasing, const struct nsc_phase_map *map,
                         struct nsc_texts *texts)
{
    nsc_phase_finder_init(&phasing->finder, map, texts);
    phasing->of_name = nsc_xcalloc((size_t)nsc_trace_names(texts->trace)->n + 1, sizeof(uint32_t));
    phasing->phases.find = NSC_TALLY_BY_SECOND;
}

void nsc_hotspots_nvtx_kernels(struct nsc_hotspots *report)
{
    struct mapping mapping = {.report = report,
                              .events = nsc_trace_events(report->query->scope.trace),
                              .by_name = {.find = NSC_TALLY_BY_FIRST},
                              .by_pid = {.find = NSC_TALLY_BY_SECOND},
                              .wall = &report->ranges,
                              .any_thread = {.find = NSC_TALLY_BY_FIRST}};
    struct nsc_tally pids = nsc_hotspots_pid_tally(report);
    struct nsc_phase_map *builtin = nsc_phase_map_builtin();
    bool mapped;

    if (report->query->phases)
        init_phasing(&mapping.phasings[0], report->query->phases, &report->texts);
    init_phasing(&mapping.phasings[1], builtin, &report->texts);
    if (report->query->map_nvtx) {
        map_threads(&mapping);
        add_coverage(&mapping);
        add_ranges(&mapping, &mapping.by_name, "nvtx_kernel_time",
                   "Kernel time by the NVTX range it was launched in");
        add_ranges(&mapping, &mapping.any_thread, "nvtx_kernel_time_any_thread",
                   "Kernel time by the innermost NVTX range of any thread");
        nsc_tally_fini(&mapping.any_thread);
        add_pid_coverage(&mapping, &pids);
        if (report->query->phases)
            nsc_hotspots_kernel_phases(report, &mapping.phasings[0].phases);
    }
    add_by_pid(&mapping, &pids);
    mapped = mapping.by_name.rows.n > 0;
    if (!mapped) /* wall time: by text alone */
        for (size_t i = 0; i < mapping.wall->rows.n; i++) {
            uint32_t group = nsc_tally_group(&mapping.by_name, mapping.wall->rows.at[i].key[1], 0);
            struct nsc_tally_row *row = &mapping.by_name.rows.at[group];

            row->total = nsc_sum(row->total, mapping.wall->rows.at[i].total);
        }
    nsc_hotspots_phase_split(report, builtin, mapped ? &mapping.phasings[1].phases : NULL,
                             &mapping.by_name);
    nsc_phase_map_free(builtin);
    for (unsigned m = 0; m < 2; m++) {
        NSC_VEC_FINI(&mapping.phasings[m].finder.known);
        free(mapping.phasings[m].of_name);
        NSC_VEC_FINI(&mapping.phasings[m].open);
        nsc_tally_fini(&mapping.phasings[m].phases);
    }
    nsc_tally_fini(&mapping.by_name);
    nsc_tally_fini(&mapping.by_pid);
    nsc_tally_fini(&pids);
}
