/*
 * The figures of a report equal those of nsys-llm-explainer on the same exports, except for that
 * tool's defects (docs/analyses/report.md).
 */
#include "nsyscope/open.h"

#include "analysis/hotspots/hotspots.h"
#include "core/json.h"
#include "core/paths.h"
#include "core/text.h"
#include "nsys/tables/fields.h"
#include "query/answer_file.h"
#include "support/cm.h"
#include "support/reference.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *exports, *golden;

struct subject {
    const char *name;
    struct nsc_json_tree tree; /* the tool's report.json */
    struct nsc_fields *ranges;
    struct nsc_hotspots report;
    unsigned compared;
};

/* ---- the tool's side ---- */

/* "metrics.sync.sync_calls" */
static uint32_t find_path(const struct subject *subject, const char *path)
{
    uint32_t node = 0;
    char word[64];

    for (const char *at = path; *at && node != NSC_NONE;) {
        size_t n = strcspn(at, ".");

        snprintf(word, sizeof word, "%.*s", (int)n, at);
        node = nsc_json_find(&subject->tree, node, word);
        at += n + (at[n] == '.');
    }
    return node;
}

static bool get_number(double *out, const struct subject *subject, uint32_t node)
{
    const struct nsc_json_node *at = &subject->tree.nodes[node];
    char text[64];

    *out = 0;
    if (node == NSC_NONE || at->n >= sizeof text)
        return false;
    if (at->type == NSC_JSON_FALSE || at->type == NSC_JSON_TRUE) {
        *out = at->type == NSC_JSON_TRUE;
        return true;
    }
    if (at->type != NSC_JSON_NUMBER)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)at->n, subject->tree.bytes + at->at);
    *out = strtod(text, NULL);
    return true;
}

/* ---- our side ---- */

static uint32_t column_of(const struct nsc_sheet *sheet, const char *key)
{
    for (uint32_t c = 0; c < sheet->n_columns; c++)
        if (strcmp(sheet->columns[c].key, key) == 0)
            return c;
    return NSC_NONE;
}

static double value_of(const struct nsc_sheet *sheet, uint32_t row, uint32_t c)
{
    const struct nsc_sheet_cell *cell = nsc_sheet_at(sheet, row, c);

    if (!cell->is_set)
        return 0;
    return sheet->columns[c].kind == NSC_SHEET_NUMBER ? cell->number : (double)cell->integer;
}

static bool is_key_equal(const struct subject *subject, const struct nsc_sheet *sheet, uint32_t row,
                         const char *key, uint32_t member)
{
    uint32_t c = column_of(sheet, key);
    struct nsc_text text;
    double number;

    if (nsc_json_get_text(&text, &subject->tree, member)) {
        struct nsc_text own = nsc_sheet_text(sheet, nsc_sheet_at(sheet, row, c));

        return own.n == text.n && memcmp(own.bytes, text.bytes, text.n) == 0;
    }
    return get_number(&number, subject, member) && fabs(value_of(sheet, row, c) - number) < 0.5;
}

/* Our row with the keys (separated by blanks) of an object of the tool. */
static uint32_t find_row(const struct subject *subject, const struct nsc_sheet *sheet,
                         const char *keys, uint32_t object)
{
    uint32_t n = nsc_sheet_rows(sheet);

    for (uint32_t r = 0; r < n; r++) {
        bool is_equal = true;

        for (const char *at = keys; *at && is_equal;) {
            size_t length = strcspn(at, " ");
            char key[48];

            snprintf(key, sizeof key, "%.*s", (int)length, at);
            is_equal =
                is_key_equal(subject, sheet, r, key, nsc_json_find(&subject->tree, object, key));
            at += length + (at[length] == ' ');
        }
        if (is_equal)
            return r;
    }
    return NSC_NONE;
}

static void compare_number(struct subject *subject, const struct nsc_sheet *sheet, uint32_t row,
                           const char *key, uint32_t member)
{
    uint32_t c = column_of(sheet, key);
    double want, got;

    if (c == NSC_NONE || sheet->columns[c].kind == NSC_SHEET_TEXT ||
        !get_number(&want, subject, member))
        return;
    got = value_of(sheet, row, c);
    subject->compared++;
    if (fabs(got - want) > 1e-9 * fabs(want) + 1e-9)
        fail_msg("%s: %s row %u, %s: %.17g, the tool says %.17g", subject->name, sheet->key, row,
                 key, got, want);
}

/* Every number of an object that our sheet has too, except those in `except`. */
static void compare_object(struct subject *subject, const struct nsc_sheet *sheet, uint32_t row,
                           uint32_t object, const char *except)
{
    for (uint32_t at = object + 1; at < subject->tree.nodes[object].next;
         at = subject->tree.nodes[at + 1].next) {
        struct nsc_text key;
        char word[64];

        assert_true(nsc_json_get_text(&key, &subject->tree, at));
        snprintf(word, sizeof word, "%.*s", (int)key.n, key.bytes);
        if (!except || !strstr(except, word))
            compare_number(subject, sheet, row, word, at + 1);
    }
}

/* ---- tables ---- */

static const struct table {
    const char *path, *sheet, *keys;
    const char *except; /* figures that differ for a reason */
    const char *where;  /* only the tool's rows in which this is not 0; NULL: all */
    bool may_miss;      /* equal counts: which rows a limit keeps is chance */
    bool in_order;
} tables[] = {
    {"metrics.top_kernels.kernels", "kernels", "kernel_name device_id", NULL, NULL, false, true},
    {"metrics.launch_storm.tiny_kernels", "tiny_kernels", "kernel_name", NULL, NULL, true, false},
    {"metrics.sync.sync_calls", "sync_calls", "api_name", NULL, NULL, false, true},
    {"metrics.gpu_idle.devices", "gpu_idle", "device_id", NULL, NULL, false, true},
    {"metrics.gpu_idle.gaps", "gpu_gaps", "device_id gap_start_ns gap_end_ns", NULL, NULL, false,
     true},
    {"metrics.nvtx.ranges", "nvtx_ranges", "range_name", NULL, NULL, false, false},
    {"metrics.nvtx.instances", "nvtx_instances", "start_ns end_ns tid range_name", NULL, NULL,
     false, true},
    {"metrics.nvtx_kernel_time.ranges", "nvtx_kernel_time", "range_name", NULL, NULL, false, false},
    {"metrics.by_pid.kernels.pids", "pids", "pid", NULL, NULL, false, true},
    {"metrics.by_pid.kernels.kernels", "kernels_by_pid", "pid kernel_name device_id", NULL, NULL,
     false, true},
    {"metrics.by_pid.sync.sync_calls", "sync_by_pid", "pid api_name", NULL, NULL, false, true},
    /* Compares each side only up to the tool's limits, and coverage with its own join. */
    {"metrics.by_pid.nvtx.ranges", "nvtx_by_pid", "pid range_name",
     "attributed_kernel_time_ms attributed_kernel_count pid_attribution_coverage_pct", "nvtx_count",
     false, false},
    {"metrics.by_pid.nvtx.ranges", "nvtx_by_pid", "pid range_name",
     "nvtx_count nvtx_total_time_ms pid_attribution_coverage_pct", "attributed_kernel_count", false,
     false},
};

static void compare_table(struct subject *subject, const struct table *table)
{
    const struct nsc_sheet *sheet = nsc_sheets_find(&subject->report.sheets, table->sheet);
    uint32_t list = find_path(subject, table->path), n = 0, missed = 0;

    assert_non_null(sheet);
    if (!nsc_json_is(&subject->tree, list, NSC_JSON_ARRAY))
        return;
    for (uint32_t at = list + 1; at < subject->tree.nodes[list].next;
         at = subject->tree.nodes[at].next, n++) {
        double counts = 1;
        uint32_t row;

        if (table->where)
            (void)get_number(&counts, subject, nsc_json_find(&subject->tree, at, table->where));
        if (counts < 0.5)
            continue;
        row = find_row(subject, sheet, table->keys, at);
        if (row == NSC_NONE && table->may_miss) {
            missed++;
            continue;
        }
        if (row == NSC_NONE || (table->in_order && row != n))
            fail_msg("%s: %s: row %u of the tool is at %d", subject->name, table->sheet, n,
                     (int)row);
        compare_object(subject, sheet, row, at, table->except);
    }
    assert_true(missed <= 2);
}

static void compare_storms(struct subject *subject)
{
    const struct nsc_sheet *all = nsc_sheets_find(&subject->report.sheets, "launch_storm");
    const struct nsc_sheet *by_pid = nsc_sheets_find(&subject->report.sheets, "storm_by_pid");
    uint32_t pids = find_path(subject, "metrics.per_pid.pids");

    compare_object(subject, all, 0, find_path(subject, "metrics.launch_storm"), NULL);
    if (!nsc_json_is(&subject->tree, pids, NSC_JSON_ARRAY))
        return;
    for (uint32_t at = pids + 1; at < subject->tree.nodes[pids].next;
         at = subject->tree.nodes[at].next) {
        uint32_t row = find_row(subject, by_pid, "pid", at);

        assert_true(row != NSC_NONE);
        compare_object(subject, by_pid, row, nsc_json_find(&subject->tree, at, "launch_storm"),
                       NULL);
    }
}

/* The findings equal those of analyze: docs/analyses/report.md. */
static void compare_warnings(struct subject *subject)
{
    assert_int_equal(subject->report.warnings.n,
                     subject->tree.nodes[find_path(subject, "warnings")].n);
}

/* ---- an export ---- */

static const struct nsc_fields *get_fields(void *context, enum nsc_field_set set)
{
    return set == NSC_FIELDS_LAST_RANGES ? context : NULL;
}

static void compare_all(struct subject *subject, struct nsc_capture *capture,
                        struct nsc_trace *trace)
{
    const struct nsc_field_set_source *source = nsc_field_set_source(NSC_FIELDS_LAST_RANGES);
    const struct nsc_fields_query ask = {.kind = source->kind,
                                         .asks = source->asks,
                                         .n_asks = nsc_field_set_columns(NSC_FIELDS_LAST_RANGES)};
    struct nsc_field_sets sets = {get_fields, NULL};
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_answers answers;
    const struct nsc_hotspots_query query = {.scope = nsc_scope_all(trace),
                                             .fields = &sets,
                                             .kernel_limit = 30,
                                             .percentiles = true,
                                             .map_nvtx = true,
                                             .warn_below = 0.7,
                                             .ask = nsc_answer_tables,
                                             .tables = &answers};

    assert_int_equal(nsc_fields_read(&subject->ranges, capture, trace, &ask, &error), NSC_OK);
    sets.context = subject->ranges;
    nsc_answers_init_tables(&answers);
    nsc_hotspots_build(&subject->report, &query);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        compare_table(subject, &tables[i]);
    compare_storms(subject);
    compare_warnings(subject);
    nsc_hotspots_fini(&subject->report);
    nsc_answers_fini(&answers);
    nsc_fields_free(subject->ranges);
}

static void check_export(const char *name)
{
    struct subject subject = {.name = name};
    struct nsc_buf text = NSC_BUF_INIT(64u << 20);
    struct nsc_open_options options = NSC_OPEN_OPTIONS_INIT;
    struct nsc_error error = {NSC_OK, ""};
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;
    char path[4096];

    snprintf(path, sizeof path, "%s/llm-explainer/%s/default/report.json", golden, name);
    assert_int_equal(nsc_file_read(&text, path, 64u << 20, &error), NSC_OK);
    assert_int_equal(
        nsc_json_parse(&subject.tree, (struct nsc_text){text.bytes, (uint32_t)text.n}, &error),
        NSC_OK);
    snprintf(path, sizeof path, "%s/%s.sqlite", exports, name);
    if (nsc_capture_open(&capture, path, &options, &error) != NSC_OK ||
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK)
        fail_msg("%s: %s", path, error.text);
    compare_all(&subject, capture, trace);
    printf("%s: %u figures\n", name, subject.compared);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
    nsc_json_fini(&subject.tree);
    nsc_buf_fini(&text);
}

TEST(test_golden)
{
    char path[4096];
    DIR *dir;
    unsigned n = 0;

    snprintf(path, sizeof path, "%s/llm-explainer", golden);
    dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.') {
            check_export(entry->d_name);
            n++;
        }
    closedir(dir);
    assert_true(n > 0);
}

TEST_MAIN
{
    exports = nsc_test_exports();
    golden = nsc_test_golden();
    return exports && golden ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
