/*
 * Answers about every export of a folder: each subcommand's JSON has its documented shape, and
 * subcommands agree on common figures.
 */
#include "core/buf.h"
#include "core/json.h"
#include "support/cm.h"
#include "support/json_schema.h"
#include "support/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHEETS "answer.schema.json"

/* %s is the export, twice where the command takes two. */
static const struct {
    const char *command, *schema;
} commands[] = {
    {"info --json '%s'", SHEETS},
    {"report --json '%s'", "report.schema.json"},
    {"bookmarks '%s' list --json", SHEETS},
    {"bookmarks '%s' export", "bookmarks.schema.json"},
    {"bins '%s' --lane 0 --columns 5 --json", SHEETS},
    {"summary '%s' --format json", SHEETS},
    {"overlap '%s' --whole --format json", SHEETS},
    {"nccl '%s' --format json", SHEETS},
    {"iters '%s' --format json", SHEETS},
    {"tree '%s' --format json", SHEETS},
    {"tree --instances '%s' --format json", SHEETS},
    {"search '%s' a --format json", SHEETS},
    {"ask '%s' 'why are there bubbles?' --format json", SHEETS},
    {"analyze '%s' --format json", SHEETS},
    {"setup '%s' --format json", SHEETS},
    {"window '%s' --format json", SHEETS},
    {"streams '%s' --format json", SHEETS},
    {"stages '%s' --view all --format json", SHEETS},
    {"ranks '%s' --format json", SHEETS},
    {"diff '%s' '%s' --format json", SHEETS},
    {"ncu-plan '%s' --format json -- ./a.out", SHEETS},
    {"sql '%s' 'SELECT * FROM StringIds LIMIT 3' --format json", SHEETS},
};

/* Runs it; the exit status. */
static int run(struct nsc_buf *out, const char *command, const char *path)
{
    char line[9000], bytes[65536];
    size_t n = (size_t)snprintf(line, sizeof line, "'%s' ", NSC_PROGRAM);
    FILE *pipe = NULL;
    int status = 0;

    for (const char *at = command; *at && n + strlen(path) + 20 < sizeof line; at++) {
        if (at[0] == '%' && at[1] == 's')
            n += (size_t)snprintf(line + n, sizeof line - n, "%s", path);
        else
            line[n++] = *at;
        at += at[0] == '%';
    }
    snprintf(line + n, sizeof line - n, " 2>/dev/null");
    pipe = popen(line, "r");
    assert_non_null(pipe);
    while ((n = fread(bytes, 1, sizeof bytes, pipe)) > 0)
        nsc_buf_add(out, bytes, n);
    status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* 7, not enough data, is also an answer; its JSON, if any, has the same shape. */
static void check_shape(const char *path, const char *command, const char *schema)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 28);
    char file[512];
    int status = run(&out, command, path);

    if (status != 0 && status != 7)
        fail_msg("status %d of %s: %s", status, path, command);
    snprintf(file, sizeof file, "%s/docs/json/%s", NSC_TEST_SOURCE_DIR, schema);
    if (status == 0 && out.n == 0)
        fail_msg("no output for %s: %s", path, command);
    if (out.n)
        nsc_test_json_matches(file, (struct nsc_text){out.bytes, (uint32_t)out.n});
    nsc_buf_fini(&out);
}

/* ---- figures ---- */

static void ask(struct nsc_json_tree *tree, const char *command, const char *path)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 28);
    struct nsc_error error = {0};

    (void)run(&out, command, path);
    if (nsc_json_parse(tree, (struct nsc_text){out.bytes, (uint32_t)out.n}, &error) != NSC_OK)
        fail_msg("%s of %s: %s", command, path, error.text);
    nsc_buf_fini(&out);
}

static bool is_text(const struct nsc_json_tree *tree, uint32_t node, const char *text)
{
    struct nsc_text found;

    return nsc_json_get_text(&found, tree, node) && found.n == strlen(text) &&
           memcmp(found.bytes, text, found.n) == 0;
}

/* The rows of the sheet with that key. */
static uint32_t rows_of(const struct nsc_json_tree *tree, const char *key)
{
    uint32_t sheets = nsc_json_find(tree, 0, "sheets");

    for (uint32_t at = sheets + 1; at < tree->nodes[sheets].next; at = tree->nodes[at].next)
        if (is_text(tree, nsc_json_find(tree, at, "key"), key))
            return nsc_json_find(tree, at, "rows");
    fail_msg("no sheet %s", key);
    return NSC_NONE;
}

/* The sum of a sheet's column over the rows whose column `where` is above 0 (NULL: all rows). */
static int64_t sum_where(const struct nsc_json_tree *tree, const char *key, const char *column,
                         const char *where)
{
    uint32_t rows = rows_of(tree, key);
    int64_t sum = 0;

    for (uint32_t at = rows + 1; at < tree->nodes[rows].next; at = tree->nodes[at].next) {
        int64_t value = 0;
        int64_t chosen = 1;

        if (where && !nsc_json_get_int(&chosen, tree, nsc_json_find(tree, at, where)))
            fail_msg("%s: no number %s", key, where);
        if (chosen > 0 && nsc_json_get_int(&value, tree, nsc_json_find(tree, at, column)))
            sum += value;
    }
    return sum;
}

static int64_t sum(const struct nsc_json_tree *tree, const char *key, const char *column)
{
    return sum_where(tree, key, column, NULL);
}

struct answers {
    const char *path;
    struct nsc_json_tree summary, overlap, top, idle, breakdown, report, merged, difference;
    int64_t graphs;
};

static void same(const struct answers *answers, const char *what, int64_t a, int64_t b)
{
    if (a != b)
        fail_msg("%s: %s: %lld, and %lld", answers->path, what, (long long)a, (long long)b);
}

/* Compares counts of kernels. A graph recorded whole counts as a kernel in summary and overlap, and
 * has no name elsewhere. */
static void check_kernels(const struct answers *answers)
{
    int64_t work = sum(&answers->summary, "gpu_summary", "kernel_work_ns");
    int64_t count = sum(&answers->summary, "gpu_summary", "kernels");

    same(answers, "kernels of summary and of its streams", count,
         sum(&answers->summary, "stream_concurrency", "kernels"));
    same(answers, "kernels of summary and overlap", count,
         sum(&answers->overlap, "breakdown", "kernels"));
    same(answers, "communication kernels of summary and overlap",
         sum(&answers->summary, "stream_concurrency", "comm_kernels"),
         sum(&answers->overlap, "exposed", "kernels"));
    same(answers, "kernels of summary and top_kernels", count - answers->graphs,
         sum(&answers->top, "top_kernels", "count"));
    if (answers->graphs == 0)
        same(answers, "kernel time of summary and top_kernels", work,
             sum(&answers->top, "top_kernels", "total_ns"));
    work = sum(&answers->top, "top_kernels", "total_ns");
    count -= answers->graphs;
    same(answers, "kernels of summary and report", count,
         sum(&answers->report, "pids", "kernel_count"));
    same(answers, "kernel time of top_kernels and report", work,
         sum(&answers->report, "pids", "total_kernel_time_ns"));
    same(answers, "kernel time of report and its bins", work,
         sum(&answers->report, "kernel_durations", "total_ns"));
    if (count > 0) {
        same(answers, "kernels of report and merge", count,
             sum(&answers->merged, "kernels", "count"));
        same(answers, "kernel time of report and merge", work,
             sum(&answers->merged, "kernels", "total_ns"));
    }
}

static unsigned idle_compared; /* exports for which overlap and report have the same window */

/* Idle time of the steady state agrees in summary, idle and breakdown, and so does the time between
 * a GPU's first and last kernel. */
static void check_idle(const struct answers *answers)
{
    int64_t whole = sum_where(&answers->overlap, "breakdown", "window_ns", "kernels");

    same(answers, "idle of summary and idle", sum(&answers->summary, "gpu_summary", "idle_ns"),
         sum(&answers->idle, "idle", "idle_ns"));
    if (answers->graphs == 0) {
        same(answers, "spans of summary and report",
             sum_where(&answers->summary, "gpu_summary", "span_ns", "kernels"),
             sum(&answers->report, "gpu_idle", "window_ns"));
        if (whole == sum(&answers->report, "gpu_idle", "window_ns")) { /* no copy is outside */
            idle_compared++;
            same(answers, "idle of overlap and report",
                 sum_where(&answers->overlap, "breakdown", "idle_ns", "kernels"),
                 whole - sum(&answers->report, "gpu_idle", "all_work_busy_ns"));
        }
        same(answers, "busy of summary and report",
             sum_where(&answers->summary, "gpu_summary", "kernel_busy_ns", "kernels"),
             sum(&answers->report, "gpu_idle", "busy_ns"));
    }
    same(answers, "idle of idle and breakdown", sum(&answers->idle, "idle", "idle_ns"),
         sum(&answers->breakdown, "breakdown", "idle_ns"));
    same(answers, "windows of idle and breakdown", sum(&answers->idle, "idle", "window_ns"),
         sum(&answers->breakdown, "breakdown", "window_ns"));
}

/* A recording beside itself has not changed. */
static void check_difference(const struct answers *answers)
{
    uint32_t rows = rows_of(&answers->difference, "iterations");
    const struct nsc_json_node *nodes = answers->difference.nodes;

    same(answers, "change of a recording to itself",
         sum(&answers->difference, "iterations", "change_ns"), 0);
    for (uint32_t at = rows + 1; at < nodes[rows].next; at = nodes[at].next) {
        int64_t idle = 0;

        if (nodes[rows_of(&answers->idle, "idle")].n == 1 &&
            is_text(&answers->difference, nsc_json_find(&answers->difference, at, "metric"),
                    "Idle") &&
            is_text(&answers->difference,
                    nsc_json_find(&answers->difference,
                                  rows_of(&answers->difference, "comparability") + 1, "a"),
                    "none") &&
            nsc_json_get_int(&idle, &answers->difference,
                             nsc_json_find(&answers->difference, at, "a_median_ns")))
            same(answers, "idle of diff and idle", idle, sum(&answers->idle, "idle", "idle_ns"));
    }
}

/* The report of one rank, merged. */
static void merge_one(struct answers *answers)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 28);
    char file[] = "/tmp/nsc_answers_XXXXXX";
    int descriptor = mkstemp(file);

    assert_true(descriptor >= 0);
    assert_int_equal(run(&out, "report --json '%s'", answers->path), 0);
    assert_int_equal(write(descriptor, out.bytes, out.n), out.n);
    close(descriptor);
    ask(&answers->merged, "merge '%s' --limit 0 --format json", file);
    check_shape(file, "merge '%s' --format json", SHEETS);
    unlink(file);
    nsc_buf_fini(&out);
}

static void check_figures(const char *path)
{
    struct answers answers = {.path = path};
    struct nsc_json_tree *trees[] = {&answers.summary, &answers.overlap,   &answers.top,
                                     &answers.idle,    &answers.breakdown, &answers.report,
                                     &answers.merged,  &answers.difference};
    struct nsc_buf out = NSC_BUF_INIT(1u << 28);

    ask(&answers.summary, "summary '%s' --format json", path);
    ask(&answers.overlap, "overlap '%s' --whole --format json", path);
    ask(&answers.top, "skill run top_kernels '%s' -p limit=0 --format json", path);
    ask(&answers.idle, "skill run idle '%s' --format json", path);
    ask(&answers.breakdown, "skill run breakdown '%s' --format json", path);
    ask(&answers.report, "report --json '%s'", path);
    merge_one(&answers);
    answers.graphs = sum(&answers.overlap, "breakdown", "graphs");
    check_kernels(&answers);
    check_idle(&answers);
    if (run(&out, "diff '%s' '%s' --format json", path) == 0) {
        ask(&answers.difference, "diff '%s' '%s' --format json", path);
        check_difference(&answers);
    }
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        nsc_json_fini(trees[i]);
    nsc_buf_fini(&out);
}

/* ---- the exports ---- */

static void check_shapes(const char *path)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        check_shape(path, commands[i].command, commands[i].schema);
}

TEST(test_answers_have_their_shape)
{
    assert_true(nsc_test_each_export(check_shapes) > 0);
}

TEST(test_a_figure_is_the_same_everywhere)
{
    assert_true(nsc_test_each_export(check_figures) > 0);
    assert_true(idle_compared > 0);
}

TEST_MAIN
{
    return nsc_test_exports() ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
