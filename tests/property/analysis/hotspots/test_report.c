/*
 * Property tests of the hotspot report: each figure equals loops over all events, and by ns, on
 * random traces and scopes.
 */
#include "analysis/hotspots/hotspots.h"
#include "analysis/names/call_class.h"
#include "core/text.h"
#include "query/answer_file.h"
#include "support/cm.h"
#include "support/gpu_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct subject {
    struct gpu_world world;
    struct nsc_hotspots report;
    const struct nsc_events *events;
    const struct nsc_track *tracks;
};

/* ---- reading sheets ---- */

static const struct nsc_sheet *sheet_of(const struct subject *subject, const char *key)
{
    const struct nsc_sheet *sheet = nsc_sheets_find(&subject->report.sheets, key);

    assert_non_null(sheet);
    return sheet;
}

static double number(const struct nsc_sheet *sheet, uint32_t row, const char *key)
{
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (strcmp(sheet->columns[c].key, key) == 0) {
            const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, c);

            return !cell->is_set                                ? NAN
                   : sheet->columns[c].kind == NSC_SHEET_NUMBER ? cell->number
                                                                : (double)cell->integer;
        }
    fail_msg("%s has no column %s", sheet->key, key);
    return 0;
}

static struct nsc_text text_at(const struct nsc_sheet *sheet, uint32_t row, uint32_t c)
{
    return nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, c));
}

static bool is_text(struct nsc_text text, const char *z)
{
    return text.n == strlen(z) && memcmp(text.bytes, z, text.n) == 0;
}

static void expect(const struct nsc_sheet *sheet, uint32_t row, const char *key, double want)
{
    double got = number(sheet, row, key);

    if (!(fabs(got - want) < 1e-6))
        fail_msg("%s row %u %s: %.9g, not %.9g", sheet->key, row, key, got, want);
}

/* ---- events ---- */

static struct nsc_text name_of(const struct subject *subject, nsc_event event)
{
    static char scratch[NSC_NAME_BYTES];

    return nsc_trace_event_text(subject->world.trace, event, false, scratch);
}

static const struct nsc_track *track_of(const struct subject *subject, nsc_event event)
{
    return &subject->tracks[gpu_world_track(&subject->world, event)];
}

static nsc_time length_of(const struct subject *subject, nsc_event event)
{
    return nsc_event_duration(subject->events, event);
}

static bool is_kernel(const struct subject *subject, nsc_event event)
{
    return subject->events->kind[event] == NSC_KIND_KERNEL &&
           nsc_scope_has(&subject->world.scope, event);
}

static bool is_comm(const struct subject *subject, nsc_event event)
{
    return memcmp("ncclDevKernel", name_of(subject, event).bytes, 4) == 0;
}

/* ---- kernels ---- */

static void check_kernels(const struct subject *subject)
{
    const struct nsc_sheet *sheet = sheet_of(subject, "kernels");
    double all = 0, counted = 0, n = 0;

    for (nsc_event e = 0; e < subject->events->n; e++)
        if (is_kernel(subject, e)) {
            all += (double)length_of(subject, e);
            n++;
        }
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++) {
        double total = 0, count = 0, least = INFINITY, most = 0;

        for (nsc_event e = 0; e < subject->events->n; e++) {
            struct nsc_text name = text_at(sheet, r, 0);
            double ns = (double)length_of(subject, e);

            if (!is_kernel(subject, e) || name.n != name_of(subject, e).n ||
                memcmp(name.bytes, name_of(subject, e).bytes, name.n) != 0 ||
                (double)track_of(subject, e)->device != number(sheet, r, "device_id"))
                continue;
            total += ns;
            count++;
            least = ns < least ? ns : least;
            most = ns > most ? ns : most;
        }
        expect(sheet, r, "total_time_ns", total);
        expect(sheet, r, "call_count", count);
        expect(sheet, r, "min_duration_us", least / 1e3);
        expect(sheet, r, "max_duration_us", most / 1e3);
        expect(sheet, r, "avg_duration_us", total / count / 1e3);
        expect(sheet, r, "pct_total_kernel_time", all > 0 ? 100 * total / all : 0);
        if (r > 0)
            assert_true(number(sheet, r - 1, "total_time_ns") >= total);
        counted += count;
    }
    assert_true(counted == n);
}

static void check_storm(const struct subject *subject)
{
    const struct nsc_sheet *sheet = sheet_of(subject, "launch_storm");
    const struct nsc_sheet *bins = sheet_of(subject, "kernel_durations");
    nsc_time first = INT64_MAX, last = INT64_MIN;
    double n = 0, in_bins = 0;

    for (nsc_event e = 0; e < subject->events->n; e++)
        if (is_kernel(subject, e)) {
            nsc_time end = nsc_event_end(subject->events, e);

            n++;
            first = subject->events->start[e] < first ? subject->events->start[e] : first;
            last = end > last ? end : last;
        }
    expect(sheet, 0, "total_launches", n);
    expect(sheet, 0, "under_5us", n);
    expect(sheet, 0, "is_launch_storm", 0);
    if (n > 0)
        expect(sheet, 0, "window_ns", last > first ? (double)(last - first) : 1);
    for (uint32_t r = 0; r < nsc_sheet_rows(bins); r++)
        in_bins += number(bins, r, "count");
    assert_true(in_bins == n);
}

/* ---- calls ---- */

static void check_sync(const struct subject *subject)
{
    const struct nsc_sheet *sheet = sheet_of(subject, "sync_calls");
    const struct nsc_sheet *barriers = sheet_of(subject, "barriers");
    double total = 0, found = 0, waits = 0, found_waits = 0;

    for (nsc_event e = 0; e < subject->events->n; e++) {
        uint8_t kind = subject->events->kind[e];

        if (!nsc_scope_has(&subject->world.scope, e))
            continue;
        if (nsc_kind_is_api(kind) && (nsc_call_class_api(name_of(subject, e)) == NSC_CALL_SYNC ||
                                      nsc_call_class_api(name_of(subject, e)) == NSC_CALL_QUERY))
            total += (double)length_of(subject, e);
        if (kind == NSC_KIND_OSRT && nsc_call_class_os(name_of(subject, e)) == NSC_CALL_OS_WAIT)
            waits += (double)length_of(subject, e);
    }
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++)
        found += number(sheet, r, "total_time_ns");
    assert_true(found == total);
    found = 0;
    for (uint32_t r = 0; r < nsc_sheet_rows(barriers); r++) {
        if (is_text(text_at(barriers, r, 0), "sync_api"))
            found += number(barriers, r, "total_time_ns");
        if (is_text(text_at(barriers, r, 0), "host_wait"))
            found_waits += number(barriers, r, "total_time_ns");
    }
    assert_true(found == total && found_waits == waits);
}

static nsc_time wait_of(const struct subject *subject, nsc_event kernel)
{
    nsc_event call = subject->events->link[kernel];
    nsc_time wait = subject->events->start[kernel] - nsc_event_end(subject->events, call);

    return wait > 0 ? wait : 0;
}

/* The longest latencies; equal ones in the order of rows. */
static void check_worst(const struct subject *subject)
{
    const struct nsc_sheet *sheet = sheet_of(subject, "launch_latency_worst");
    nsc_event *worst = malloc((subject->events->n + 1) * sizeof *worst);
    uint32_t n = 0;

    for (nsc_event e = 0; e < subject->events->n; e++) {
        uint32_t at = n;

        if (!is_kernel(subject, e) || subject->events->link[e] == NSC_NONE)
            continue;
        for (; at > 0 && wait_of(subject, worst[at - 1]) < wait_of(subject, e); at--)
            worst[at] = worst[at - 1];
        worst[at] = e;
        n++;
    }
    assert_int_equal(nsc_sheet_rows(sheet), n < 100 ? n : 100);
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++) {
        expect(sheet, r, "latency_ns", (double)wait_of(subject, worst[r]));
        expect(sheet, r, "start_ns", (double)subject->events->start[worst[r]]);
        expect(sheet, r, "stream_id", (double)track_of(subject, worst[r])->stream);
    }
    free(worst);
}

static void check_latency(const struct subject *subject)
{
    const struct nsc_sheet *sheet = sheet_of(subject, "launch_latency");
    const struct nsc_sheet *histogram = sheet_of(subject, "launch_latency_histogram");
    double n = 0, total = 0, most = 0, in_bins = 0;

    for (nsc_event e = 0; e < subject->events->n; e++) {
        nsc_time wait;

        if (!is_kernel(subject, e) || subject->events->link[e] == NSC_NONE)
            continue;
        wait = wait_of(subject, e);
        n++;
        total += (double)wait;
        most = (double)wait > most ? (double)wait : most;
    }
    expect(sheet, 0, "count", n);
    expect(sheet, 0, "total_ns", total);
    if (n > 0)
        expect(sheet, 0, "max_us", most / 1e3);
    for (uint32_t r = 0; r < nsc_sheet_rows(histogram); r++)
        in_bins += number(histogram, r, "count");
    assert_true(in_bins == n);
}

/* ---- time, ns by ns ---- */

/* Bits of what runs on a device in [t, t + 1): 1 kernels, 2 any work, 4 compute, 8 communication,
 * 16 copies. */
static unsigned running(const struct subject *subject, int64_t device, nsc_time t)
{
    unsigned what = 0;

    for (nsc_event e = 0; e < subject->events->n; e++) {
        uint8_t kind = subject->events->kind[e];

        if (!nsc_kind_is_gpu(kind) || !nsc_scope_has(&subject->world.scope, e) ||
            (device >= 0 && track_of(subject, e)->device != device) ||
            subject->events->start[e] > t || nsc_event_end(subject->events, e) <= t)
            continue;
        what |= 2;
        if (kind == NSC_KIND_KERNEL)
            what |= 1u | (is_comm(subject, e) ? 8 : 4);
        else if (kind == NSC_KIND_GRAPH)
            what |= 4;
        else if (kind != NSC_KIND_MEMSET)
            what |= 16;
    }
    return what;
}

static void check_idle(const struct subject *subject)
{
    const struct nsc_sheet *sheet = sheet_of(subject, "gpu_idle");
    const struct nsc_sheet *gaps = sheet_of(subject, "gpu_gaps");
    const struct nsc_scope *scope = &subject->world.scope;
    double idle = 0, in_gaps = 0;

    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++) {
        int64_t device = (int64_t)number(sheet, r, "device_id");
        nsc_time first = INT64_MAX, last = INT64_MIN;
        double busy = 0, work = 0;

        for (nsc_time t = -50; t < GPU_WORLD_SPAN + 200; t++)
            if ((running(subject, device, t) & 1) &&
                (!scope->has_window || (t >= scope->window.t0 && t < scope->window.t1))) {
                first = t < first ? t : first;
                last = t + 1;
                busy++;
            }
        for (nsc_time t = first; t < last; t++)
            work += (running(subject, device, t) & 2) != 0;
        expect(sheet, r, "busy_ns", busy);
        /* A window that a kernel crosses begins inside it; else with the first kernel. */
        expect(sheet, r, "window_ns", (double)(last - first));
        expect(sheet, r, "all_work_busy_ns", work);
        idle += (double)(last - first) - busy;
    }
    for (uint32_t r = 0; r < nsc_sheet_rows(gaps); r++)
        in_gaps += number(gaps, r, "gap_ns");
    if (gaps->n_left_out == 0)
        assert_true(fabs(in_gaps - idle) < 1e-6);
}

static void check_overlap(const struct subject *subject)
{
    static const struct {
        const char *word;
        unsigned own;
    } works[] = {{"compute", 4}, {"communication", 8}, {"copies", 16}};
    const struct nsc_sheet *sheet = sheet_of(subject, "stream_overlap");
    const struct nsc_scope *scope = &subject->world.scope;

    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++) {
        int64_t device = (int64_t)number(sheet, r, "device_id");
        double busy = 0, both = 0;
        unsigned own = 0;

        for (size_t i = 0; i < 3; i++)
            own |= is_text(text_at(sheet, r, 1), works[i].word) ? works[i].own : 0;
        for (nsc_time t = -50; t < GPU_WORLD_SPAN + 200; t++) {
            unsigned now = running(subject, device, t);

            if (scope->has_window && (t < scope->window.t0 || t >= scope->window.t1))
                continue;
            busy += (now & own) != 0;
            both += (now & own) && (now & (28u & ~own));
        }
        expect(sheet, r, "busy_ns", busy);
        expect(sheet, r, "overlap_ns", both);
    }
}

static uint32_t device_of(const struct subject *subject, nsc_event event)
{
    const struct nsc_trace *trace = subject->report.query->scope.trace;
    uint32_t lane = nsc_trace_lane_of(trace, event);

    return nsc_trace_group_of(trace, nsc_trace_lanes(trace, NULL)[lane].track);
}

static void check_nccl(const struct subject *subject)
{
    const struct nsc_sheet *sheet = sheet_of(subject, "nccl_ops");
    double n = 0, total = 0, hidden = 0;

    for (nsc_event e = 0; e < subject->events->n; e++) {
        if (!is_kernel(subject, e) || !is_comm(subject, e))
            continue;
        n++;
        total += (double)length_of(subject, e);
        for (nsc_time t = subject->events->start[e]; t < nsc_event_end(subject->events, e); t++)
            for (nsc_event other = 0; other < subject->events->n; other++)
                if (is_kernel(subject, other) && !is_comm(subject, other) &&
                    device_of(subject, other) == device_of(subject, e) &&
                    subject->events->start[other] <= t &&
                    nsc_event_end(subject->events, other) > t) {
                    hidden++;
                    break;
                }
    }
    if (n > 0) {
        assert_int_equal(nsc_sheet_rows(sheet), 1);
        expect(sheet, 0, "count", n);
        expect(sheet, 0, "total_time_ns", total);
        expect(sheet, 0, "compute_overlap_ns", hidden);
    }
}

/* ---- NVTX ---- */

static bool is_range(const struct subject *subject, nsc_event event)
{
    return subject->events->kind[event] == NSC_KIND_NVTX_RANGE && length_of(subject, event) > 0;
}

/* Whether a range whose text contains `word` is around a call; *out: start of the latest. */
static bool range_start(const struct subject *subject, nsc_event call, const char *word,
                        nsc_time *out)
{
    char scratch[NSC_NAME_BYTES];
    bool found = false;

    *out = 0;
    for (nsc_event e = 0; e < subject->events->n; e++)
        if (is_range(subject, e) &&
            track_of(subject, e)->process == track_of(subject, call)->process &&
            track_of(subject, e)->tid == track_of(subject, call)->tid &&
            subject->events->start[e] <= subject->events->start[call] &&
            nsc_event_end(subject->events, e) >= nsc_event_end(subject->events, call) &&
            nsc_text_contains_folded(nsc_trace_event_text(subject->world.trace, e, false, scratch),
                                     nsc_text_from(word)) &&
            (!found || subject->events->start[e] > *out)) {
            *out = subject->events->start[e];
            found = true;
        }
    return found;
}

/* Names of ranges with equal starts may divide the kernels differently, but with equal sums. */
static void check_nvtx(const struct subject *subject)
{
    const struct nsc_sheet *sheet = sheet_of(subject, "nvtx_kernel_time");
    const struct nsc_sheet *coverage = sheet_of(subject, "nvtx_coverage");
    const struct nsc_sheet *names = sheet_of(subject, "nvtx_ranges");
    const struct nsc_sheet *phases = sheet_of(subject, "nvtx_kernel_phases");
    double mapped = 0, forward = 0, n = 0, listed = 0, wall = 0, walls = 0;

    for (nsc_event e = 0; e < subject->events->n; e++) {
        nsc_event call = is_kernel(subject, e) ? subject->events->link[e] : NSC_NONE;
        nsc_time start;

        if (is_range(subject, e) && nsc_scope_has(&subject->world.scope, e))
            wall += (double)length_of(subject, e);
        if (call == NSC_NONE || length_of(subject, e) == 0 ||
            !range_start(subject, call, "", &start))
            continue;
        mapped += (double)length_of(subject, e);
        if (range_start(subject, call, "forward", &start))
            forward += (double)length_of(subject, e);
        n++;
    }
    expect(coverage, 0, "mapped_kernel_time_ns", mapped);
    expect(coverage, 0, "mapped_kernel_count", n);
    for (uint32_t r = 0; r < nsc_sheet_rows(sheet); r++)
        listed += number(sheet, r, "total_kernel_time_ns");
    assert_true(listed == mapped);
    assert_int_equal(nsc_sheet_rows(phases), (forward > 0) + (mapped > forward));
    if (forward > 0)
        expect(phases, 0, "total_kernel_time_ns", forward);
    for (uint32_t r = 0; r < nsc_sheet_rows(names); r++)
        walls += number(names, r, "total_time_ns");
    assert_true(walls == wall);
}

/* Sums by process are those of all, if no limit cuts them. */
static void check_pids(const struct subject *subject)
{
    static const struct {
        const char *all, *by_pid, *column;
    } pairs[] = {{"sync_calls", "sync_by_pid", "total_time_ns"},
                 {"kernels", "kernels_by_pid", "total_time_ns"},
                 {"nccl_ops", "nccl_by_pid", "total_time_ns"},
                 {"nvtx_kernel_time", "nvtx_by_pid", NULL}};

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct nsc_sheet *all = sheet_of(subject, pairs[i].all);
        const struct nsc_sheet *by_pid = sheet_of(subject, pairs[i].by_pid);
        double sum = 0, sum_by_pid = 0;

        if (by_pid->n_left_out > 0 || sheet_of(subject, "pids")->n_left_out > 0)
            continue;
        for (uint32_t r = 0; r < nsc_sheet_rows(all); r++)
            sum += number(all, r, pairs[i].column ? pairs[i].column : "total_kernel_time_ns");
        for (uint32_t r = 0; r < nsc_sheet_rows(by_pid); r++)
            sum_by_pid +=
                number(by_pid, r, pairs[i].column ? pairs[i].column : "attributed_kernel_time_ns");
        assert_true(fabs(sum - sum_by_pid) < 1e-6);
    }
}

TEST(test_figures)
{
    struct subject subject = {.world = {.dice = dice_new(0x9e907), .is_alone = true}};
    struct nsc_phase_map *map = NULL;
    struct nsc_error error = {0};
    struct nsc_answers tables;
    unsigned kernels = 0, mapped = 0;

    nsc_answers_init_tables(&tables);
    if (nsc_phase_map_parse(&map, nsc_text_from("{\"forward\": \"forward\"}"), &error) != NSC_OK)
        fail_msg("%s", error.text);
    for (int round = 0; round < 150; round++) {
        struct nsc_hotspots_query query = {.kernel_limit = 30,
                                           .percentiles = true,
                                           .map_nvtx = true,
                                           .warn_below = 0.7,
                                           .ask = nsc_answer_tables,
                                           .tables = &tables,
                                           .phases = map};

        gpu_world_roll(&subject.world);
        query.scope = subject.world.scope;
        subject.events = nsc_trace_events(subject.world.trace);
        subject.tracks = nsc_trace_tracks(subject.world.trace, NULL);
        nsc_hotspots_build(&subject.report, &query);
        check_kernels(&subject);
        check_storm(&subject);
        check_sync(&subject);
        check_latency(&subject);
        check_worst(&subject);
        check_idle(&subject);
        check_overlap(&subject);
        check_nccl(&subject);
        check_nvtx(&subject);
        check_pids(&subject);
        kernels += nsc_sheet_rows(sheet_of(&subject, "kernels")) > 0;
        mapped += nsc_sheet_rows(sheet_of(&subject, "nvtx_kernel_time")) > 0;
        nsc_hotspots_fini(&subject.report);
        gpu_world_clear(&subject.world);
    }
    nsc_phase_map_free(map);
    nsc_answers_fini(&tables);
    assert_true(kernels > 50 && mapped > 30);
}
