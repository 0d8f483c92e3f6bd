/*
 * Figures of nsys-ai on real exports (its first version, and v030) equal those of our skills to the
 * printed digits; exceptions are listed here with reasons (docs/analyses/peer.md).
 */
#include "nsyscope/open.h"

#include "analysis/skill/skill.h"
#include "cli/field_reader.h"
#include "support/cm.h"
#include "support/reference.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDED 0.0551 /* ms: rounded to two digits, then printed with one */

struct subject {
    const char *name;
    char folder[1024];
    struct nsc_capture *capture;
    struct nsc_trace *trace;
    struct nsc_scope scope;
    struct nsc_field_reader fields;
    unsigned compared, different, unlisted;
};

/* What differs, and why. */
static const char graphs[] =
    "CUDA graphs recorded as graphs are work of the GPU; theirs does not read GRAPH_TRACE";
static const struct difference {
    const char *export, *file;
    const char *reason;
} differences[] = {
    {"cs336-zx-result_2_7b_compile_ro", "summary.txt", graphs},
    {"cs336-zx-result_2_7b_compile_ro", "overlap.txt", graphs},
    {"cs336-zx-result_2_7b_compile_ro", "v030/overlap.txt", graphs},
    {"cs336-zx-result_2_7b_compile_ro", "pipeline_bubble_metrics", graphs},
    {"cs336-zx-result_2_7b_compile_ro", "stream_concurrency", graphs},
    {"nsysai-h100_2gpu_1s", "pipeline_bubble_metrics",
     "the span of a GPU is from its own first kernel to its own last; theirs is that of all GPUs"},
};

static bool is_listed(const struct subject *subject, const char *file)
{
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (strcmp(differences[i].export, subject->name) == 0 &&
            strcmp(differences[i].file, file) == 0)
            return differences[i].reason[0] != '\0';
    return false;
}

static void compare(struct subject *subject, const char *file, const char *what, double ours,
                    double theirs, double within)
{
    subject->compared++;
    if (ours >= theirs - within && ours <= theirs + within)
        return;
    subject->different++;
    if (is_listed(subject, file))
        return;
    subject->unlisted++;
    print_error("%s %s: %s is %.6g, theirs %.6g\n", subject->name, file, what, ours, theirs);
}

/* ---- ours ---- */

static struct nsc_sheets ask(struct subject *subject, const char *name, const char *params[])
{
    const struct nsc_skill *skill = nsc_skill_find(name);
    struct nsc_question question;
    struct nsc_sheets sheets = {0};
    struct nsc_error error = {0};

    assert_non_null(skill);
    question = nsc_question_of(skill, &subject->scope, &subject->fields.sets);
    for (size_t i = 0; params && params[i]; i++)
        assert_int_equal(nsc_question_set(&question, params[i], &error), NSC_OK);
    skill->run(&sheets, &question);
    return sheets;
}

static const struct nsc_sheet_cell *cell(const struct nsc_sheet *sheet, uint32_t row,
                                         const char *key)
{
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (strcmp(sheet->columns[c].key, key) == 0)
            return nsc_sheet_at(sheet, row, c);
    fail_msg("no column %s", key);
    return NULL;
}

static double value(const struct nsc_sheet *sheet, uint32_t row, const char *key)
{
    return (double)cell(sheet, row, key)->integer;
}

static double ms(const struct nsc_sheet *sheet, uint32_t row, const char *key)
{
    return value(sheet, row, key) / 1e6;
}

/* The row of a GPU; NSC_NONE. */
static uint32_t row_of(const struct nsc_sheet *sheet, int64_t gpu)
{
    for (uint32_t i = 0; i < nsc_sheet_rows(sheet); i++)
        if (cell(sheet, i, "gpu")->integer == gpu)
            return i;
    return NSC_NONE;
}

/* ---- theirs ---- */

static FILE *open_golden(const struct subject *subject, const char *file)
{
    char path[2048];

    snprintf(path, sizeof path, "%s/%s", subject->folder, file);
    return fopen(path, "r");
}

static void check_summary(struct subject *subject)
{
    struct nsc_sheets sheets = ask(subject, "gpu_summary", NULL);
    const struct nsc_sheet *gpus = &sheets.list.at[0];
    const struct nsc_sheet *tops = &sheets.list.at[1];
    FILE *file = open_golden(subject, "summary.txt");
    char line[8192];
    int gpu = -1;
    uint32_t row = NSC_NONE;
    uint32_t top = NSC_NONE;

    while (file && fgets(line, sizeof line, file)) {
        double a, b, c;
        long count;
        char name[4096];

        if (sscanf(line, "GPU %d: ", &gpu) == 1 && strstr(line, " SMs")) {
            row = row_of(gpus, gpu);
            top = row_of(tops, gpu);
            assert_true(row != NSC_NONE && top != NSC_NONE);
        } else if (sscanf(line, "  Span: %lfms | Compute: %lfms | Idle: %lfms", &a, &b, &c) == 3) {
            compare(subject, "summary.txt", "span", ms(gpus, row, "span_ns"), a, ROUNDED);
            compare(subject, "summary.txt", "kernel time", ms(gpus, row, "kernel_work_ns"), b,
                    ROUNDED);
            compare(subject, "summary.txt", "no kernel", ms(gpus, row, "no_kernel_ns"), c, ROUNDED);
        } else if (sscanf(line, "  Kernels: %ld", &count) == 1) {
            compare(subject, "summary.txt", "kernels", value(gpus, row, "kernels"), (double)count,
                    0);
        } else if (sscanf(line, " %lf%% %lfms \xc3\x97%ld %4095[^\n]", &a, &b, &count, name) == 4) {
            struct nsc_text ours = nsc_sheet_text(tops, cell(tops, top, "kernel"));

            compare(subject, "summary.txt", name, ms(tops, top, "total_ns"), b, ROUNDED);
            compare(subject, "summary.txt", name, cell(tops, top, "share")->number, a, ROUNDED);
            if (ours.n == strlen(name) && memcmp(ours.bytes, name, ours.n) == 0)
                compare(subject, "summary.txt", name, value(tops, top, "count"), (double)count, 0);
            top++;
        }
    }
    if (file)
        fclose(file);
    nsc_sheets_fini(&sheets);
}

/* Of the first GPU. */
static void check_overlap(struct subject *subject)
{
    static const char *const files[] = {"overlap.txt", "v030/overlap.txt"};
    struct nsc_sheets sheets = ask(subject, "overlap_breakdown", NULL);
    struct nsc_sheets summary = ask(subject, "gpu_summary", NULL);
    struct nsc_sheets exposed = ask(subject, "exposed", NULL);
    const struct nsc_sheet *sheet = &sheets.list.at[0];
    const struct nsc_sheet *spans = &summary.list.at[0];
    double comm_kernels =
        row_of(&exposed.list.at[0], 0) == 0 ? value(&exposed.list.at[0], 0, "kernels") : 0;

    for (size_t i = 0; i < 2 && nsc_sheet_rows(spans) > 0; i++) {
        FILE *file = open_golden(subject, files[i]);
        char line[1024];

        while (file && fgets(line, sizeof line, file)) {
            double a;
            long count, comm;

            if (sscanf(line, " Total span: %lfms", &a) == 1)
                compare(subject, files[i], "span", ms(spans, 0, "span_ns"), a, ROUNDED);
            else if (sscanf(line, " Compute only: %lfms", &a) == 1)
                compare(subject, files[i], "compute only", ms(sheet, 0, "compute_alone_ns"), a,
                        ROUNDED);
            else if (sscanf(line, " NCCL only: %lfms", &a) == 1)
                compare(subject, files[i], "comm only", ms(sheet, 0, "comm_alone_ns"), a, ROUNDED);
            else if (sscanf(line, " Overlap: %lfms", &a) == 1)
                compare(subject, files[i], "both", ms(sheet, 0, "both_ns"), a, ROUNDED);
            else if (sscanf(line, " Idle: %lfms", &a) == 1)
                compare(subject, files[i], "no kernel", ms(spans, 0, "no_kernel_ns"), a, ROUNDED);
            else if (sscanf(line, " Kernels: %ld compute + %ld NCCL", &count, &comm) == 2) {
                compare(subject, files[i], "compute kernels",
                        value(sheet, 0, "kernels") - comm_kernels, (double)count, 0);
                compare(subject, files[i], "comm kernels", comm_kernels, (double)comm, 0);
            }
        }
        if (file)
            fclose(file);
    }
    nsc_sheets_fini(&exposed);
    nsc_sheets_fini(&summary);
    nsc_sheets_fini(&sheets);
}

/* From a GPU's first kernel to its last, as nsys-ai measures. */
static struct nsc_window span_of_kernels(const struct nsc_trace *trace, int gpu)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_window span = {INT64_MAX, INT64_MIN};

    for (nsc_event e = 0; e < events->n; e++) {
        const struct nsc_track *track =
            nsc_trace_track(trace, nsc_trace_lanes(trace, NULL)[nsc_trace_lane_of(trace, e)].track);

        if ((events->kind[e] != NSC_KIND_KERNEL && events->kind[e] != NSC_KIND_GRAPH) ||
            track->gpu != gpu)
            continue;
        span.t0 = events->start[e] < span.t0 ? events->start[e] : span.t0;
        span.t1 = nsc_event_end(events, e) > span.t1 ? nsc_event_end(events, e) : span.t1;
    }
    return span;
}

static void check_bubbles(struct subject *subject)
{
    FILE *file = open_golden(subject, "v030/skill_pipeline_bubble_metrics.txt");
    struct nsc_scope all = subject->scope;
    char line[1024];

    while (file && fgets(line, sizeof line, file)) {
        double span, active, bubble;
        struct nsc_sheets sheets;
        uint32_t row;
        int gpu;

        if (sscanf(line, "%d %lf %lf %lf", &gpu, &span, &active, &bubble) != 4)
            continue;
        subject->scope.window = span_of_kernels(subject->trace, gpu);
        subject->scope.has_window = true;
        if (subject->scope.window.t0 >= subject->scope.window.t1)
            continue;
        sheets = ask(subject, "pipeline_bubble_metrics", NULL);
        row = row_of(&sheets.list.at[0], gpu);
        if (row != NSC_NONE) {
            const struct nsc_sheet *sheet = &sheets.list.at[0];

            compare(subject, "pipeline_bubble_metrics", "span", ms(sheet, row, "window_ns"), span,
                    0.02);
            compare(subject, "pipeline_bubble_metrics", "active", ms(sheet, row, "busy_ns"), active,
                    0.0051);
            compare(subject, "pipeline_bubble_metrics", "bubble", ms(sheet, row, "idle_ns"), bubble,
                    0.02);
        }
        nsc_sheets_fini(&sheets);
    }
    subject->scope = all;
    if (file)
        fclose(file);
}

/* Our words for theirs. */
static const char *direction_of(const char *theirs)
{
    return strcmp(theirs, "H2D") == 0   ? "copy host to device"
           : strcmp(theirs, "D2H") == 0 ? "copy device to host"
           : strcmp(theirs, "D2D") == 0 ? "copy device to device"
                                        : "copy peer to peer";
}

static bool is_direction(const struct nsc_sheet *sheet, uint32_t row, const char *direction)
{
    struct nsc_text text = nsc_sheet_text(sheet, cell(sheet, row, "direction"));

    return text.n == strlen(direction) && memcmp(text.bytes, direction, text.n) == 0;
}

/* The first version's skill covers all GPUs together; v030's bandwidth the first GPU. */
static void check_copies(struct subject *subject)
{
    struct nsc_sheets sheets = ask(subject, "memory_bandwidth", NULL);
    const struct nsc_sheet *sheet = &sheets.list.at[1];
    FILE *all = open_golden(subject, "skill_memory_transfers.txt");
    FILE *first = open_golden(subject, "v030/skill_memory_bandwidth.txt");
    char line[1024];
    char word[32];
    double mb, time, kb, mean, best;
    long count;

    while (all && fgets(line, sizeof line, all)) {
        double sums[3] = {0};

        if (sscanf(line, "%31s %ld %lf %lf", word, &count, &mb, &time) != 4)
            continue;
        for (uint32_t i = 0; i < nsc_sheet_rows(sheet); i++) {
            if (!is_direction(sheet, i, direction_of(word)))
                continue;
            sums[0] += value(sheet, i, "count");
            sums[1] += value(sheet, i, "bytes") / 1e6;
            sums[2] += ms(sheet, i, "total_ns");
        }
        compare(subject, "memory_transfers", "copies", sums[0], (double)count, 0);
        compare(subject, "memory_transfers", "MB", sums[1], mb, 0.0051);
        compare(subject, "memory_transfers", "ms", sums[2], time, 0.0051);
    }
    while (first && fgets(line, sizeof line, first)) {
        if (sscanf(line, "%31s %ld %lf %lf %lfGB/s %lfGB/s", word, &count, &mb, &kb, &mean,
                   &best) != 6)
            continue;
        for (uint32_t i = 0; i < nsc_sheet_rows(sheet); i++) {
            if (value(sheet, i, "gpu") != value(sheet, 0, "gpu") ||
                !is_direction(sheet, i, direction_of(word)))
                continue;
            compare(subject, "memory_bandwidth", "copies", value(sheet, i, "count"), (double)count,
                    0);
            compare(subject, "memory_bandwidth", "MB", value(sheet, i, "bytes") / 1e6, mb, 0.0051);
            compare(subject, "memory_bandwidth", "GB/s", cell(sheet, i, "avg_gbps")->number, mean,
                    0.0051);
            compare(subject, "memory_bandwidth", "best GB/s", cell(sheet, i, "peak_gbps")->number,
                    best, 0.0051);
        }
    }
    if (all)
        fclose(all);
    if (first)
        fclose(first);
    nsc_sheets_fini(&sheets);
}

/* By short name, of the first GPU. */
static void check_launches(struct subject *subject)
{
    const char *params[] = {"limit=0", NULL};
    struct nsc_sheets sheets = ask(subject, "kernel_launch_overhead", params);
    const struct nsc_sheet *sheet = &sheets.list.at[3];
    FILE *file = open_golden(subject, "v030/skill_kernel_launch_overhead.txt");
    char line[1024];

    while (file && fgets(line, sizeof line, file)) {
        char name[256];
        long count;
        double api, queue, kernel;

        if (sscanf(line, "%255s %ld %lf %lf %lf", name, &count, &api, &queue, &kernel) != 5)
            continue;
        for (uint32_t i = 0; i < nsc_sheet_rows(sheet); i++) {
            struct nsc_text ours = nsc_sheet_text(sheet, cell(sheet, i, "kernel"));

            if (ours.n != strlen(name) || memcmp(ours.bytes, name, ours.n) != 0 ||
                value(sheet, i, "gpu") != 0)
                continue;
            compare(subject, "kernel_launch_overhead", name, value(sheet, i, "launches"),
                    (double)count, 0);
            compare(subject, "kernel_launch_overhead", name, ms(sheet, i, "api_avg_ns") * 1e3, api,
                    0.0511);
            compare(subject, "kernel_launch_overhead", name, ms(sheet, i, "kernel_avg_ns") * 1e3,
                    kernel, 0.00151);
            if (value(sheet, i, "queued") == (double)count)
                compare(subject, "kernel_launch_overhead", name, ms(sheet, i, "queue_avg_ns") * 1e3,
                        queue, 0.0511);
        }
    }
    if (file)
        fclose(file);
    nsc_sheets_fini(&sheets);
}

static void check_streams(struct subject *subject)
{
    struct nsc_sheets sheets = ask(subject, "stream_concurrency", NULL);
    struct nsc_sheets patterns = ask(subject, "kernel_launch_pattern", NULL);
    const struct nsc_sheet *sheet = &sheets.list.at[0];
    const struct nsc_sheet *pattern = &patterns.list.at[2];
    FILE *file = open_golden(subject, "v030/skill_stream_concurrency.txt");
    FILE *other = open_golden(subject, "v030/skill_kernel_launch_pattern.txt");
    char line[1024];
    int gpu, stream;
    long count, stalls;
    double a, b, c, d;

    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%d s %d %ld %lf %lf", &gpu, &stream, &count, &a, &b) != 5)
            continue;
        for (uint32_t i = 0; i < nsc_sheet_rows(sheet); i++) {
            if (value(sheet, i, "gpu") != gpu || value(sheet, i, "stream") != stream)
                continue;
            compare(subject, "stream_concurrency", "kernels", value(sheet, i, "kernels"),
                    (double)count, 0);
            compare(subject, "stream_concurrency", "time", ms(sheet, i, "work_ns"), a, 0.0051);
            compare(subject, "stream_concurrency", "mean", ms(sheet, i, "avg_ns") * 1e3, b, 0.0511);
        }
    }
    while (other && fgets(line, sizeof line, other)) {
        if (sscanf(line, "s %d %ld %lf %lf %lf%% %lfms %ld", &stream, &count, &a, &b, &c, &d,
                   &stalls) != 7)
            continue;
        for (uint32_t i = 0; i < nsc_sheet_rows(pattern); i++) {
            if (value(pattern, i, "stream") != stream)
                continue;
            compare(subject, "kernel_launch_pattern", "kernels", value(pattern, i, "kernels"),
                    (double)count, 0);
            compare(subject, "kernel_launch_pattern", "span", ms(pattern, i, "span_ns"), a, 0.0051);
            compare(subject, "kernel_launch_pattern", "rate",
                    cell(pattern, i, "rate_per_ms")->number, b, ROUNDED);
            compare(subject, "kernel_launch_pattern", "longest", ms(pattern, i, "longest_pause_ns"),
                    d, 0.000501);
            compare(subject, "kernel_launch_pattern", "stalls", value(pattern, i, "stalls"),
                    (double)stalls, 0);
        }
    }
    if (file)
        fclose(file);
    if (other)
        fclose(other);
    nsc_sheets_fini(&patterns);
    nsc_sheets_fini(&sheets);
}

/* All GPUs together, by full name; our names begin with their truncated ones. */
static void check_top(struct subject *subject)
{
    const char *params[] = {"limit=0", NULL};
    struct nsc_sheets sheets = ask(subject, "top_kernels", params);
    const struct nsc_sheet *sheet = &sheets.list.at[0];
    FILE *file = open_golden(subject, "skill_top_kernels.txt");
    char line[1024];

    while (file && fgets(line, sizeof line, file)) {
        double total, mean, least, most;
        double sums[2] = {0};
        long count;
        size_t n = strcspn(line, "\n");

        if (n < 64 ||
            sscanf(line + 58, "%ld %lf %lf %lf %lf", &count, &total, &mean, &least, &most) != 5)
            continue;
        for (n = 58; n > 0 && (line[n - 1] == ' ' || line[n - 1] == '.');)
            n--;
        for (uint32_t i = 0; i < nsc_sheet_rows(sheet); i++) {
            struct nsc_text name = nsc_sheet_text(sheet, cell(sheet, i, "kernel"));

            if (name.n < n || memcmp(name.bytes, line, n) != 0)
                continue;
            sums[0] += value(sheet, i, "count");
            sums[1] += ms(sheet, i, "total_ns");
        }
        /* Several names may begin so: no fewer. */
        compare(subject, "skill_top_kernels.txt", line, sums[0] < (double)count, 0, 0);
        compare(subject, "skill_top_kernels.txt", line, sums[1] < total - 0.0051, 0, 0);
    }
    if (file)
        fclose(file);
    nsc_sheets_fini(&sheets);
}

/* ---- every export that has results ---- */

static unsigned check_export(const char *name, const char *golden, const char *exports,
                             unsigned *unlisted)
{
    struct subject subject = {.name = name};
    char path[2048];
    struct nsc_error error = {0};
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;

    snprintf(subject.folder, sizeof subject.folder, "%s/nsys-ai/%s", golden, name);
    snprintf(path, sizeof path, "%s/%s.sqlite", exports, name);
    if (nsc_capture_open(&subject.capture, path, &options, &error) != NSC_OK ||
        nsc_capture_load(&subject.trace, subject.capture, NULL, &error) != NSC_OK)
        fail_msg("%s: %s", path, error.text);
    subject.scope = nsc_scope_all(subject.trace);
    nsc_field_reader_init(&subject.fields, subject.capture, subject.trace);
    check_summary(&subject);
    check_overlap(&subject);
    check_top(&subject);
    check_bubbles(&subject);
    check_copies(&subject);
    check_launches(&subject);
    check_streams(&subject);
    printf("%s: %u figures, %u of them differ as listed\n", name, subject.compared,
           subject.different);
    nsc_field_reader_fini(&subject.fields);
    nsc_trace_free(subject.trace);
    nsc_capture_close(subject.capture);
    *unlisted += subject.unlisted;
    return subject.compared;
}

TEST(test_figures_equal_nsys_ai)
{
    char peer_path[2048];
    const char *golden = nsc_test_golden();
    const char *exports = nsc_test_exports();
    struct dirent *entry;
    unsigned compared = 0;
    unsigned unlisted = 0;
    DIR *folder;

    snprintf(peer_path, sizeof peer_path, "%s/nsys-ai", golden);
    folder = opendir(peer_path);
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            compared += check_export(entry->d_name, golden, exports, &unlisted);
    closedir(folder);
    assert_int_equal(unlisted, 0);
    assert_true(compared > 300);
}

TEST_MAIN
{
    return nsc_test_exports() && nsc_test_golden() ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
