/*
 * The figures of the four diagnoses equal those of the reference beside the repository, line by
 * line; docs/analyses/diagnoses.md lists differences with reasons.
 */
#include "nsyscope/open.h"

#include "analysis/device/copies.h"
#include "analysis/device/idle.h"
#include "analysis/device/launch_times.h"
#include "cli/field_reader.h"
#include "core/buf.h"
#include "core/json.h"
#include "core/sum.h"
#include "support/cm.h"
#include "support/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 65536 };

/* Figures that differ, and our values for the first and the second device. */
static const struct exception {
    const char *file, *figure;
    double value[2];
} exceptions[] = {
    /* CUDA graphs recorded whole are GPU work. */
    {"cs336-zx-result_2_7b_compile_ro.sqlite", "window_ms", {7811.607, 0}},
    {"cs336-zx-result_2_7b_compile_ro.sqlite", "busy_pct", {100.0, 0}},
    {"cs336-zx-result_2_7b_compile_ro.sqlite", "idle_pct", {0.0, 0}},
    {"cs336-zx-result_2_7b_compile_ro.sqlite", "gap_n", {39, 0}},
    {"cs336-zx-result_2_7b_compile_ro.sqlite", "gap_ge_1ms", {0, 0}},
    {"cs336-zx-result_2_7b_compile_ro.sqlite", "kern_per_s", {3.8, 0}},
    /* Memsets have a launching call like all other work. */
    {"mordred-report1.sqlite", "idle_unknown_pct", {0.0, 0}},
    {"nsysai-h100_2gpu_1s.sqlite", "idle_unknown_pct", {38.1, 39.6}},
    /* Kernels that last 0 ns are kernels. */
    {"pith_small.sqlite", "kernels", {633, 580}},
    {"pith_small.sqlite", "kern_per_s", {35126.2, 35553.0}},
    {"pith_small.sqlite", "p50_us", {43.565, 41.21}},
    {"pith_small.sqlite", "lt10us_pct", {18.0, 17.9}},
    {"pith_small.sqlite", "launch_api_ms", {2.685, 2.467}},
    {"pith_small.sqlite", "queue_p50_us", {284.77, 299.36}},
};

struct comparing {
    const char *file;
    const struct nsc_json_tree *json;
    uint32_t node;  /* of the device */
    int64_t device; /* 0, 1 */
    uint32_t compared, differ, excepted;
};

static const struct exception *find_exception(const char *file, const char *figure)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].figure, figure) == 0 && strcmp(exceptions[i].file, file) == 0)
            return &exceptions[i];
    return NULL;
}

/* A number rounded by the reference: equal within one of its last digit. */
static void compare(struct comparing *comparing, const char *figure, double got, bool is_known)
{
    uint32_t at = nsc_json_find(comparing->json, comparing->node, figure);
    const struct nsc_json_node *node = at == NSC_NONE ? NULL : &comparing->json->nodes[at];
    char text[64];
    const struct exception *exception = find_exception(comparing->file, figure);
    const char *point;
    double want;
    double place;

    if (!node)
        return;
    comparing->compared++;
    if (node->type == NSC_JSON_NULL || !is_known) {
        if ((node->type == NSC_JSON_NULL) == is_known) {
            print_message("%s %s: known %d\n", comparing->file, figure, is_known);
            comparing->differ++;
        }
        return;
    }
    (void)snprintf(text, sizeof text, "%.*s", (int)node->n, comparing->json->bytes + node->at);
    want = strtod(text, NULL);
    point = strchr(text, '.');
    if (exception && comparing->device < 2) {
        want = exception->value[comparing->device];
        comparing->excepted++;
    }
    place = point ? pow(10, -(double)strlen(point + 1)) : 1;
    if (fabs(got - want) <= place * 1.01)
        return;
    print_message("%s %s: %s in the reference, %.4f expected, %.4f here\n", comparing->file, figure,
                  text, want, got);
    comparing->differ++;
}

static void compare_idle(struct comparing *comparing, const struct nsc_idle *idle)
{
    nsc_time whole = nsc_window_length(idle->window);
    bool is_idle = idle->idle > 0;

    compare(comparing, "window_ms", (double)whole / 1e6, true);
    compare(comparing, "busy_pct", nsc_percent(idle->busy, whole), true);
    compare(comparing, "idle_pct", nsc_percent(idle->idle, whole), true);
    compare(comparing, "gap_n", idle->n_gaps, true);
    compare(comparing, "gap_ge_1ms", idle->sizes[NSC_IDLE_SIZES - 1], true);
    /* The reference divides late from queued at the begin of the launch call, we at its return. */
    compare(comparing, "idle_unknown_pct", nsc_percent(idle->part[NSC_GAP_UNKNOWN], idle->idle),
            is_idle);
}

static void compare_transfers(struct comparing *comparing, const struct nsc_transfers *of)
{
    compare(comparing, "xfer_n", (double)of->count, true);
    compare(comparing, "xfer_ms", (double)of->time.transfer / 1e6, true);
    compare(comparing, "xfer_exposed_pct_window",
            nsc_percent(of->time.transfer_exposed, of->time.whole), true);
    compare(comparing, "xfer_hidden_pct",
            nsc_percent(of->time.transfer - of->time.transfer_exposed, of->time.transfer),
            of->time.transfer > 0);
    compare(comparing, "xfer_pageable_pct_bytes", nsc_percent(of->pageable, of->bytes),
            of->bytes > 0);
}

static void compare_launches(struct comparing *comparing, const struct nsc_launch_times *times)
{
    compare(comparing, "kernels", (double)times->n, true);
    compare(comparing, "kern_per_s",
            (double)times->n * 1e9 / (double)nsc_window_length(times->window), true);
    compare(comparing, "p50_us", (double)times->duration.median / 1e3, true);
    compare(comparing, "lt10us_pct", nsc_percent((nsc_time)times->below_10us, (nsc_time)times->n),
            true);
    compare(comparing, "launch_api_ms", (double)times->api.sum / 1e6, true);
    compare(comparing, "kernel_sum_ms", (double)times->duration.sum / 1e6, true);
    compare(comparing, "queue_p50_us", (double)times->delay_median / 1e3, times->known > 0);
    compare(comparing, "starved_pct", nsc_percent((nsc_time)times->starved, (nsc_time)times->known),
            times->known > 0);
}

static void compare_device(struct comparing *comparing, const struct nsc_scope *scope,
                           const struct nsc_field_sets *fields, uint32_t device)
{
    struct nsc_idle idle;
    struct nsc_transfers transfers;
    struct nsc_launch_times times;

    if (!nsc_idle_build(&idle, scope, device))
        return;
    compare_idle(comparing, &idle);
    nsc_idle_fini(&idle);
    assert_true(nsc_transfers_build(&transfers, scope, fields, device));
    compare_transfers(comparing, &transfers);
    assert_true(nsc_launch_times_build(&times, scope, device));
    compare_launches(comparing, &times);
}

/* The device of the reference's list by its number. */
static uint32_t find_device(const struct nsc_json_tree *json, uint32_t list, int64_t number)
{
    uint32_t at = list + 1;

    for (uint32_t i = 0; i < json->nodes[list].n; i++, at = json->nodes[at].next) {
        int64_t device;

        if (nsc_json_get_int(&device, json, nsc_json_find(json, at, "device")) && device == number)
            return at;
    }
    return NSC_NONE;
}

static void compare_file(struct comparing *comparing, const char *path, uint32_t list)
{
    struct nsc_error error = {0};
    struct nsc_capture *capture = NULL;
    struct nsc_trace *trace = NULL;
    struct nsc_field_reader fields;
    struct nsc_scope scope;

    if (nsc_capture_open(&capture, path, &(struct nsc_open_options){0}, &error) != NSC_OK ||
        nsc_capture_load(&trace, capture, NULL, &error) != NSC_OK)
        fail_msg("%s: %s", path, error.text);
    nsc_field_reader_init(&fields, capture, trace);
    scope = nsc_scope_all(trace);
    for (uint32_t d = nsc_device_next(trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(trace, d)) {
        comparing->device = nsc_trace_track(trace, d)->device;
        comparing->node = find_device(comparing->json, list, comparing->device);
        if (comparing->node != NSC_NONE)
            compare_device(comparing, &scope, &fields.sets, d);
    }
    nsc_field_reader_fini(&fields);
    nsc_trace_free(trace);
    nsc_capture_close(capture);
}

static void compare_line(struct comparing *total, const char *line)
{
    struct nsc_json_tree json = {0};
    struct nsc_error error = {0};
    struct nsc_text file;
    char name[256];
    char path[512];
    uint32_t list;
    FILE *there;

    assert_int_equal(nsc_json_parse(&json, (struct nsc_text){line, (uint32_t)strlen(line)}, &error),
                     NSC_OK);
    list = nsc_json_find(&json, 0, "devices");
    assert_true(nsc_json_get_text(&file, &json, nsc_json_find(&json, 0, "file")));
    (void)snprintf(name, sizeof name, "%.*s", (int)file.n, file.bytes);
    (void)snprintf(path, sizeof path, "%s/%s", nsc_test_exports(), name);
    there = fopen(path, "r");
    if (there && nsc_json_is(&json, list, NSC_JSON_ARRAY)) {
        total->file = name;
        total->json = &json;
        compare_file(total, path, list);
    }
    if (there)
        (void)fclose(there);
    nsc_json_fini(&json);
}

static FILE *open_reference(void)
{
    char path[512];

    (void)snprintf(path, sizeof path, "%s/four-patterns.jsonl", nsc_test_golden());
    return fopen(path, "r");
}

TEST(figures_equal_the_reference)
{
    static char line[LINE_BYTES];
    struct comparing total = {0};
    FILE *reference = open_reference();

    assert_non_null(reference);
    while (fgets(line, sizeof line, reference))
        compare_line(&total, line);
    (void)fclose(reference);
    print_message("%u figures compared, %u of them listed as different, %u differ\n",
                  total.compared, total.excepted, total.differ);
    assert_int_equal(total.differ, 0);
    assert_true(total.compared > 100);
}

TEST_MAIN
{
    return nsc_test_exports() && nsc_test_golden() ? nsc_test_run(NULL, NULL) : NSC_TEST_SKIPPED;
}
