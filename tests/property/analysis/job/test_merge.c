/*
 * Property tests of merged reports: sums, counts and extremes equal plain loops over the written
 * figures, in any order of reports; medians are within one bin of the true ones.
 */
#include "analysis/job/merge.h"
#include "core/json_write.h"
#include "core/text.h"
#include "support/cm.h"
#include "support/dice.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 12, N_NAMES = 6, ROUNDS = 100 };

struct rank {
    int64_t time[N_NAMES]; /* of each kernel; -1: it has none */
    int64_t count[N_NAMES];
    int64_t window, busy;
    char label[32];
};

static void write_kernels(struct nsc_json *json, const struct rank *rank)
{
    nsc_json_open(json, NULL, '{');
    nsc_json_puts(json, "key", "kernels");
    nsc_json_open(json, "rows", '[');
    for (int i = 0; i < N_NAMES; i++)
        for (int device = 0; rank->time[i] >= 0 && device < 2; device++) {
            char name[16];

            (void)snprintf(name, sizeof name, "kernel %d", i);
            nsc_json_open(json, NULL, '{');
            nsc_json_puts(json, "kernel_name", name);
            nsc_json_int(json, "device_id", device);
            nsc_json_int(json, "call_count", device ? 0 : rank->count[i]);
            nsc_json_int(json, "total_time_ns",
                         device ? rank->time[i] - rank->time[i] / 2 : rank->time[i] / 2);
            nsc_json_close(json, '}');
        }
    nsc_json_close(json, ']');
    nsc_json_close(json, '}');
}

static void write_report(struct nsc_buf *out, const struct rank *rank)
{
    struct nsc_json json;

    nsc_json_init(&json, out, false);
    nsc_json_open(&json, NULL, '{');
    nsc_json_puts(&json, "format", "nsyscope-report-1");
    nsc_json_open(&json, "sheets", '[');
    write_kernels(&json, rank);
    nsc_json_open(&json, NULL, '{');
    nsc_json_puts(&json, "key", "gpu_idle");
    nsc_json_open(&json, "rows", '[');
    nsc_json_open(&json, NULL, '{');
    nsc_json_int(&json, "window_ns", rank->window);
    nsc_json_int(&json, "all_work_busy_ns", rank->busy);
    nsc_json_close(&json, '}');
    nsc_json_close(&json, ']');
    nsc_json_close(&json, '}');
    nsc_json_close(&json, ']');
    nsc_json_close(&json, '}');
}

static void roll_rank(struct rank *rank, struct dice *dice, uint32_t i)
{
    for (int k = 0; k < N_NAMES; k++) {
        rank->time[k] = dice_below(dice, 3) ? (int64_t)dice_below(dice, 1000000) : -1;
        rank->count[k] = 1 + (int64_t)dice_below(dice, 100);
    }
    rank->window = 1000 + (int64_t)dice_below(dice, 1000000);
    rank->busy = (int64_t)dice_below(dice, (uint64_t)rank->window + 1);
    (void)snprintf(rank->label, sizeof rank->label, "rank %" PRIu32, i);
}

static void add(struct nsc_merge *merge, const struct rank *rank)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_json_tree tree = {0};
    struct nsc_error error = {0};

    write_report(&text, rank);
    if (nsc_json_parse(&tree, (struct nsc_text){text.bytes, (uint32_t)text.n}, &error) != NSC_OK ||
        nsc_merge_add(merge, &tree, rank->label, &error) != NSC_OK)
        fail_msg("%s", error.text);
    nsc_json_fini(&tree);
    nsc_buf_fini(&text);
}

static void check_kernel(const struct nsc_merge *merge, const struct rank ranks[], uint32_t n,
                         int kernel)
{
    const struct nsc_merge_groups *groups = &merge->tables[NSC_MERGE_KERNELS];
    const struct nsc_merge_group *group = NULL;
    char name[16];
    nsc_str id = 0;
    int64_t time = 0;
    int64_t least = INT64_MAX;
    int64_t most = -1;
    uint64_t count = 0;
    uint64_t with = 0;

    (void)snprintf(name, sizeof name, "kernel %d", kernel);
    id = nsc_strpool_find(&groups->names, name, strlen(name));
    for (uint32_t i = 0; i < n; i++) {
        if (ranks[i].time[kernel] < 0)
            continue;
        with++;
        time += ranks[i].time[kernel];
        count += (uint64_t)ranks[i].count[kernel];
        least = ranks[i].time[kernel] < least ? ranks[i].time[kernel] : least;
        most = ranks[i].time[kernel] > most ? ranks[i].time[kernel] : most;
    }
    assert_int_equal(with > 0, id != NSC_NONE);
    if (!with)
        return;
    group = &groups->list.at[id];
    assert_int_equal(group->ranks, with);
    assert_int_equal(group->time, time);
    assert_int_equal(group->count, count);
    assert_int_equal(group->least, least);
    assert_int_equal(group->most, most);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static void check_idle(const struct nsc_merge *merge, const struct rank ranks[], uint32_t n)
{
    const struct nsc_merge_spread *spread = &merge->figures[NSC_FIGURE_IDLE];
    struct nsc_sheets sheets = {0};
    const struct nsc_sheet *job = NULL;
    double idle[MAX_RANKS];
    double sum = 0;
    double median = 0;

    for (uint32_t i = 0; i < n; i++) {
        idle[i] = 100.0 * (double)(ranks[i].window - ranks[i].busy) / (double)ranks[i].window;
        sum += idle[i];
    }
    qsort(idle, n, sizeof *idle, compare_doubles);
    assert_int_equal(spread->ranks, n);
    assert_true(fabs(spread->sum - sum) < 1e-6);
    assert_true(spread->least == idle[0] && spread->most == idle[n - 1]);
    nsc_merge_sheets(&sheets, merge, 0);
    job = nsc_sheets_find(&sheets, "job");
    median = nsc_sheet_at(job, 2, 6)->number; /* the third figure */
    assert_true(fabs(median - idle[(n + 1) / 2 - 1]) <= 0.011 * idle[(n + 1) / 2 - 1] + 1e-9);
    nsc_sheets_fini(&sheets);
}

TEST(test_sums_equal_plain_loops)
{
    struct dice dice = dice_new(111);
    struct nsc_merge *merge = nsc_xcalloc(1, sizeof *merge);

    for (int round = 0; round < ROUNDS; round++) {
        struct rank ranks[MAX_RANKS];
        uint32_t n = 1 + (uint32_t)dice_below(&dice, MAX_RANKS);
        uint32_t from = (uint32_t)dice_below(&dice, n);

        nsc_merge_init(merge);
        for (uint32_t i = 0; i < n; i++)
            roll_rank(&ranks[i], &dice, i);
        for (uint32_t i = 0; i < n; i++)
            add(merge, &ranks[(from + i) % n]);
        assert_int_equal(merge->ranks, n);
        for (int kernel = 0; kernel < N_NAMES; kernel++)
            check_kernel(merge, ranks, n, kernel);
        check_idle(merge, ranks, n);
        nsc_merge_fini(merge);
    }
    free(merge);
}

/* Adds a report with these findings. */
static void add_findings(struct nsc_merge *merge, const char *label, const char *findings)
{
    struct nsc_buf text = NSC_BUF_INIT(SIZE_MAX);
    struct nsc_json_tree tree = {0};
    struct nsc_error error = {0};

    nsc_buf_printf(&text, "{\"format\": \"nsyscope-report-1\", \"sheets\": [], \"findings\": [%s]}",
                   findings);
    assert_int_equal(nsc_json_parse(&tree, nsc_text_of_buf(&text), &error), NSC_OK);
    assert_int_equal(nsc_merge_add(merge, &tree, label, &error), NSC_OK);
    nsc_json_fini(&tree);
    nsc_buf_fini(&text);
}

/* A report with two GPUs has a finding twice, and is one rank of it. */
TEST(test_a_finding_of_two_gpus_is_one_rank)
{
    struct nsc_merge *merge = nsc_xcalloc(1, sizeof *merge);
    const struct nsc_merge_group *group = NULL;

    nsc_merge_init(merge);
    add_findings(merge, "a",
                 "{\"title\": \"GPU 0 is idle\", \"severity\": \"high\", \"ns\": 5}, "
                 "{\"title\": \"GPU 1 is idle\", \"severity\": \"high\", \"ns\": 6}");
    add_findings(merge, "b",
                 "{\"title\": \"GPU 0 is idle\", \"severity\": \"medium\", \"ns\": 7}, "
                 "{\"title\": \"GPU 1 is idle\", \"severity\": \"low\", \"ns\": 8}");
    group = &merge->findings.list.at[nsc_strpool_find(&merge->findings.names, "GPU # is idle", 13)];
    assert_int_equal(group->ranks, 2);
    assert_int_equal(group->count, 1);
    assert_int_equal(group->time, 18);
    assert_int_equal(group->most, 11);
    assert_string_equal(group->most_rank, "a");
    nsc_merge_fini(merge);
    free(merge);
}

static void refuse(const char *text)
{
    struct nsc_merge *merge = nsc_xcalloc(1, sizeof *merge);
    struct nsc_json_tree tree = {0};
    struct nsc_error error = {0};

    nsc_merge_init(merge);
    assert_int_equal(nsc_json_parse(&tree, nsc_text_from(text), &error), NSC_OK);
    assert_int_equal(nsc_merge_add(merge, &tree, "x.json", &error), NSC_EFORMAT);
    assert_int_equal(merge->ranks, 0);
    nsc_merge_fini(merge);
    nsc_json_fini(&tree);
    free(merge);
}

TEST(test_other_documents_are_refused)
{
    refuse("[]");
    refuse("1");
    refuse("{\"format\": \"nsyscope-sheets-1\", \"sheets\": []}");
    refuse("{\"format\": \"nsyscope-report-1\", \"sheets\": {}}");
    refuse("{\"format\": \"nsyscope-report-1\"}");
}

/* Hostile members: wrong types, negative and huge numbers, no rows: nothing is counted twice or
 * crashes. */
TEST(test_odd_rows_count_nothing)
{
    static const char text[] =
        "{\"format\": \"nsyscope-report-1\", \"sheets\": [1, {\"key\": 2}, {\"key\": \"kernels\", "
        "\"rows\": [3, {\"kernel_name\": null, \"call_count\": \"x\"}, {\"kernel_name\": \"a\", "
        "\"call_count\": -5, \"total_time_ns\": 9223372036854775807}, {\"kernel_name\": \"a\", "
        "\"total_time_ns\": 9223372036854775807}]}, {\"key\": \"gpu_idle\", \"rows\": 7}], "
        "\"findings\": [null, {\"title\": 1, \"severity\": \"high\"}]}";
    struct nsc_merge *merge = nsc_xcalloc(1, sizeof *merge);
    struct nsc_json_tree tree = {0};
    struct nsc_sheets sheets = {0};
    struct nsc_error error = {0};
    nsc_str id = 0;

    nsc_merge_init(merge);
    assert_int_equal(nsc_json_parse(&tree, nsc_text_from(text), &error), NSC_OK);
    assert_int_equal(nsc_merge_add(merge, &tree, "x.json", &error), NSC_OK);
    id = nsc_strpool_find(&merge->tables[NSC_MERGE_KERNELS].names, "a", 1);
    assert_true(id != NSC_NONE);
    assert_true(merge->tables[NSC_MERGE_KERNELS].list.at[id].time == INT64_MAX);
    assert_int_equal(merge->tables[NSC_MERGE_KERNELS].list.at[id].count, 0);
    nsc_merge_sheets(&sheets, merge, 0);
    nsc_sheets_fini(&sheets);
    nsc_merge_fini(merge);
    nsc_json_fini(&tree);
    free(merge);
}
