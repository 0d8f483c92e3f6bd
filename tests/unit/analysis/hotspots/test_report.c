/*
 * Unit tests of the hotspot report: phase maps, words of collectives, bins of durations, quantiles,
 * texts, and the documented shape of its JSON.
 */
#include "analysis/base/histogram.h"
#include "analysis/base/quantile.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/names/collective.h"
#include "core/text.h"
#include "query/answer_file.h"
#include "share/hotspots_write.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/json_schema.h"
#include "support/screen_trace.h"

#include <stdio.h>
#include <string.h>

static struct nsc_text text(const char *z)
{
    return nsc_text_from(z);
}

static struct nsc_phase_map *parse(const char *json)
{
    struct nsc_phase_map *map = NULL;
    struct nsc_error error = {NSC_OK, ""};

    if (nsc_phase_map_parse(&map, text(json), &error) != NSC_OK)
        assert_string_not_equal(error.text, "");
    return map;
}

TEST(test_phases)
{
    struct nsc_phase_map *map =
        parse("{\"first\": [\"DECODE\", \"re:^pre(fill)?$\"], \"second\": \"token\", "
              "\"third\": 42}");

    assert_non_null(map);
    assert_int_equal(nsc_phase_map_count(map), 3);
    assert_int_equal(nsc_phase_map_find(map, text("my decode token")), 0);
    assert_int_equal(nsc_phase_map_find(map, text("  prefill\n")), 0);
    assert_int_equal(nsc_phase_map_find(map, text("Prefill")), NSC_PHASE_NONE);
    assert_int_equal(nsc_phase_map_find(map, text("Token")), 1);
    assert_int_equal(nsc_phase_map_find(map, text("a42b")), 2);
    assert_true(nsc_phase_map_sees_digits(map));
    assert_int_equal(nsc_phase_map_find(map, text("")), NSC_PHASE_NONE);
    assert_memory_equal(nsc_phase_map_name(map, 1).bytes, "second", 6);
    nsc_phase_map_free(map);
    assert_null(parse("[1]"));
    assert_null(parse("{\"a\": []}"));
    assert_null(parse("{\"a\": {\"b\": \"c\"}}"));
    assert_null(parse("{\"a\": [true]}"));
    assert_null(parse("{\"a\": \"re:[\"}"));
    assert_null(parse("{\"a\": "));
    map = nsc_phase_map_builtin();
    assert_int_equal(nsc_phase_map_find(map, text("Prompt 7")), 0);
    assert_false(nsc_phase_map_sees_digits(map));
    assert_int_equal(nsc_phase_map_find(map, text("sampler")), 2);
    nsc_phase_map_free(map);
}

TEST(test_collectives)
{
    uint64_t rank = 0;

    assert_string_equal(nsc_nccl_word(text("ncclDevKernel_AllReduce_Sum_f32_RING_LL")),
                        "allreduce");
    assert_string_equal(nsc_nccl_word(text("Reduce-Scatter")), "reducescatter");
    assert_string_equal(nsc_nccl_word(text("ncclDevKernel_SendRecv")), "sendrecv");
    assert_null(nsc_nccl_word(text("aten::broadcast_tensors")));
    assert_null(nsc_nccl_word(text("")));
    assert_true(nsc_nccl_named(text("NCCL:group")));
    assert_false(nsc_nccl_named(text("gemm")));
    assert_true(nsc_nccl_rank(&rank, text("all_reduce rank = 12 x")));
    assert_int_equal(rank, 12);
    assert_true(nsc_nccl_rank(&rank, text("{\"rank\": 7}")));
    assert_int_equal(rank, 7);
    assert_false(nsc_nccl_rank(&rank, text("rank of all")));
}

TEST(test_bins)
{
    assert_int_equal(nsc_duration_bin(-5), 0);
    for (uint32_t i = 0; i < NSC_DURATION_BINS; i++) {
        struct nsc_window bin = nsc_duration_bins_at(i);

        assert_int_equal(nsc_duration_bin(bin.t0), i);
        assert_int_equal(nsc_duration_bin(bin.t1 - 1), i);
        if (i > 0)
            assert_int_equal(nsc_duration_bins_at(i - 1).t1, bin.t0);
    }
    assert_int_equal(nsc_duration_bin(INT64_MAX), NSC_DURATION_BINS - 1);
}

TEST(test_quantiles)
{
    nsc_time four[] = {10, 20, 30, 50};

    assert_true(nsc_quantile_linear(four, 4, 0.5) - 25 < 1e-9);
    assert_true(nsc_quantile_linear(four, 4, 1) - 50 < 1e-9);
    assert_true(nsc_quantile_linear((nsc_time[]){10}, 1, 0.9) - 10 < 1e-9);
    /* 1.5 and 0.5 are halves: to the even place */
    assert_int_equal(nsc_quantile_nearest(four, 4, 0.5), 30);
    assert_int_equal(nsc_quantile_nearest((nsc_time[]){10, 20}, 2, 0.5), 10);
    assert_int_equal(nsc_quantile_nearest(four, 4, 0.9), 50);
}

TEST(test_texts)
{
    struct nsc_trace *trace = nsc_test_trace_parse("*40 10us nvtx 5 0 5us op_id = %d\n"
                                                   "nvtx 5 900us 901us plain\n"
                                                   "nvtx 6 900us 901us plain\n");
    struct nsc_texts texts;
    nsc_str plain[2] = {0, 0};
    uint32_t n = 0;

    nsc_texts_init(&texts, trace);
    texts.most = 10;
    for (nsc_event i = 0; i < nsc_trace_events(trace)->n; i++) {
        nsc_str number = nsc_texts_of(&texts, i);
        struct nsc_text found = nsc_texts_at(&texts, number);

        assert_int_equal(nsc_texts_of(&texts, i), number);
        if (found.n == 5 && memcmp(found.bytes, "plain", 5) == 0)
            plain[n++ & 1] = number;
    }
    assert_int_equal(n, 2);
    assert_int_equal(plain[0], plain[1]);
#ifdef NSC_SMALL                    /* else these few texts keep their counters in their names */
    assert_true(texts.all.n <= 14); /* the rest is one: "op_id = #" */
#endif
    nsc_texts_fini(&texts);
    nsc_trace_free(trace);
}

static uint32_t count_words(const char *text)
{
    uint32_t n = 0;

    for (; *text; text += strcspn(text, " ") + (text[strcspn(text, " ")] == ' '))
        n++;
    return n;
}

static void check_column(const struct nsc_sheets *sheets, const char *key, const char *column)
{
    struct nsc_markup_column found[NSC_HOTSPOTS_COLUMNS];
    const struct nsc_sheet *sheet = nsc_sheets_find(sheets, key);

    if (*column && sheet && nsc_hotspots_columns(found, column, sheet) != 1)
        fail_msg("%s has no column %s", key, column);
}

/* A mistyped column would be missing in the report, or count as 0 in a merge. */
static void check_columns(const struct nsc_sheets *sheets)
{
    struct nsc_markup_column found[NSC_HOTSPOTS_COLUMNS];
    const struct nsc_hotspots_part *part;

    for (uint32_t i = 0; (part = nsc_hotspots_part(i)); i++) {
        const struct nsc_sheet *sheet = nsc_sheets_find(sheets, part->sheet);

        if (sheet &&
            nsc_hotspots_columns(found, part->columns, sheet) != count_words(part->columns))
            fail_msg("%s has not all columns of \"%s\"", part->sheet, part->columns);
        check_column(sheets, part->sheet, part->by ? part->by : "");
    }
#define NSC_MERGE_TABLE(id, key, title, name, second, count, time, part) \
    check_column(sheets, key, name);                                     \
    check_column(sheets, key, second);                                   \
    check_column(sheets, key, count);                                    \
    check_column(sheets, key, time);                                     \
    check_column(sheets, key, part);
#include "analysis/job/merge.def"
#undef NSC_MERGE_TABLE
}

static void build(struct nsc_buf *out, const char *rows, bool html)
{
    struct nsc_trace *trace = nsc_test_trace_parse(rows);
    struct nsc_phase_map *map = parse("{\"step\": \"step\"}");
    struct nsc_answers tables;
    const struct nsc_hotspots_query query = {.scope = nsc_scope_all(trace),
                                             .kernel_limit = 30,
                                             .percentiles = true,
                                             .map_nvtx = true,
                                             .warn_below = 0.7,
                                             .ask = nsc_answer_tables,
                                             .tables = &tables,
                                             .phases = map};
    const struct nsc_hotspots_about about = {"2026-01-01T00:00:00Z", "0", text("x.sqlite"),
                                             "name:<b>", NULL};
    struct nsc_hotspots report;

    nsc_answers_init_tables(&tables);
    nsc_hotspots_build(&report, &query);
    check_columns(&report.sheets);
    if (html)
        nsc_hotspots_write_html(out, &report, &about);
    else
        nsc_hotspots_write_json(out, &report, &about);
    nsc_hotspots_fini(&report);
    nsc_answers_fini(&tables);
    nsc_phase_map_free(map);
    nsc_trace_free(trace);
}

TEST(test_shape)
{
    const char *const traces[] = {nsc_test_trace_sample, "", "nvtx 5 0 5us alone\n",
                                  "kernel 0:7 0 5us ncclDevKernel_AllGather\n"};

    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

        build(&out, traces[i], false);
        nsc_test_json_matches(NSC_TEST_SOURCE_DIR "/docs/json/report.schema.json",
                              (struct nsc_text){out.bytes, (uint32_t)out.n});
        nsc_buf_fini(&out);
    }
}

TEST(test_html)
{
    struct nsc_buf out = NSC_BUF_INIT(SIZE_MAX);

    build(&out, "kernel 0:7 0 5us k<script>&\"x\n", true);
    assert_non_null(strstr(out.bytes, "k&lt;script&gt;&amp;&quot;x"));
    assert_non_null(strstr(out.bytes, "name:&lt;b&gt;"));
    assert_null(strstr(out.bytes, "<script"));
    nsc_buf_fini(&out);
}

/* Ranges whose digits are counters, and one whose word is moved beyond the searched bytes by its
 * counters, are found as by reading each text. */
TEST(test_ranges_of_collectives)
{
    enum { TEXTS = 7, ROWS = 3 * TEXTS };
    char texts[ROWS][640];
    static const char *const heads[TEXTS] = {"all_reduce ", "aten::view ", "NCCL:", "all",
                                             "reduce ",     "broadcast ",  ""};
    struct nsc_test_row rows[ROWS];
    struct nsc_hotspots_query query = {.kernel_limit = 30, .warn_below = 0.7};
    struct nsc_hotspots report;
    struct nsc_trace *trace;
    int64_t want = 0, got = 0;

    for (uint32_t i = 0; i < ROWS; i++) {
        char *out = texts[i];

        (void)snprintf(out, sizeof texts[i], "%s%u reduce", heads[i % TEXTS], i);
        for (uint32_t k = 0; i % TEXTS == TEXTS - 1 && k < 28; k++)
            out += snprintf(out, 20, "%u00000000000000001.", 1 + i / TEXTS);
        if (i % TEXTS == TEXTS - 1)
            memcpy(out, "allreduce", sizeof "allreduce");
        rows[i] = (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                        .process = 1,
                                        .tid = 1,
                                        .start = 10 * i,
                                        .end = 10 * i + 5,
                                        .name = texts[i]};
        want += nsc_nccl_word(text(texts[i])) || nsc_nccl_named(text(texts[i]));
    }
    trace = nsc_test_trace_build(rows, ROWS);
    query.scope = nsc_scope_all(trace);
    nsc_hotspots_build(&report, &query);
    for (uint32_t r = 0; r < nsc_sheet_rows(nsc_sheets_find(&report.sheets, "nccl_ops")); r++)
        got += nsc_sheet_at(nsc_sheets_find(&report.sheets, "nccl_ops"), r, 1)->integer;
    assert_int_equal(want, 6);
    assert_int_equal(got, want);
    nsc_hotspots_fini(&report);
    nsc_trace_free(trace);
}
