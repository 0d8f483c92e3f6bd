/*
 * Unit tests of the words of reports: names with arguments, times of windows, formats, units and
 * quoting.
 */
#include "analysis/stats/rows.h"
#include "analysis/stats/stats.h"
#include "cli/cmd/stats_run.h"
#include "core/text.h"
#include "share/stats_number.h"
#include "share/stats_write.h"
#include "support/cm.h"

#include <string.h>

/* ---- names ---- */

TEST(test_names)
{
    struct nsc_stats_arguments arguments;
    const struct nsc_stats *report;
    struct nsc_error error = {NSC_OK, ""};

    assert_int_equal(nsc_stats_parse(&report, &arguments, "cuda_gpu_kern_sum:base", false, NULL),
                     NSC_OK);
    assert_string_equal(report->name, "cuda_gpu_kern_sum");
    assert_true(arguments.base);
    assert_false(arguments.mangled);
    assert_int_equal(nsc_stats_parse(&report, &arguments, "gpu_gaps:rows=3:gap=1.5", true, NULL),
                     NSC_OK);
    assert_int_equal(arguments.rows, 3);
    assert_int_equal(arguments.gap, 1500000);
    assert_int_equal(nsc_stats_parse(&report, &arguments, "gpu_gaps", true, NULL), NSC_OK);
    assert_int_equal(arguments.rows, 50);
    assert_int_equal(arguments.gap, 500000000);
    assert_int_equal(nsc_stats_parse(&report, &arguments, "gpu_gaps", false, &error), NSC_EINVAL);
    assert_non_null(strstr(error.text, "--help-reports"));
    assert_int_equal(nsc_stats_parse(&report, &arguments, "", false, NULL), NSC_EINVAL);
    assert_int_equal(nsc_stats_parse(&report, &arguments, "gpu_gaps:gap=", true, NULL), NSC_EINVAL);
    assert_int_equal(nsc_stats_parse(&report, &arguments, "gpu_gaps:gap=-1", true, NULL),
                     NSC_EINVAL);
    assert_int_equal(nsc_stats_parse(&report, &arguments, "gpu_gaps:gap=1e99", true, NULL),
                     NSC_EINVAL);
    assert_int_equal(nsc_stats_parse(&report, &arguments, "gpu_time_util:chunks=0", true, NULL),
                     NSC_EINVAL);
    assert_int_equal(nsc_stats_parse(&report, &arguments, "cuda_api_sum:base", false, NULL),
                     NSC_EINVAL);
    assert_int_equal(nsc_stats_parse(&report, &arguments, "osrt_sum:", false, NULL), NSC_EINVAL);
}

/* Every row of the table is complete. */
TEST(test_table)
{
    for (int i = 0; i < NSC_N_STATS; i++) {
        const struct nsc_stats *report = &nsc_stats_all[i];

        assert_true(strlen(report->name) > 0 && strlen(report->title) > 0);
        assert_true(strlen(report->tables) > 0 && strlen(report->needs) > 0);
        assert_true(nsc_stats_columns(report) > 0 && nsc_stats_columns(report) <= 32);
        assert_non_null(report->run);
        assert_ptr_equal(nsc_stats_find(report->name, strlen(report->name), report->is_rule),
                         report);
    }
}

/* ---- windows ---- */

static void expect_window(const char *text, nsc_time t0, nsc_time t1)
{
    struct nsc_window window;
    struct nsc_error error = {NSC_OK, ""};

    if (nsc_stats_time_window(&window, text, &error) != NSC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(window.t0, t0);
    assert_int_equal(window.t1, t1);
}

TEST(test_windows)
{
    static const char *const wrong[] = {"",       "1s",    "x/2s",     "2s/1s",
                                        "1s/1s",  "1q/2s", "1s 2s/3s", "1e400s/",
                                        "/1e30s", "/nan",  "//",       "1s/2s/3s"};
    struct nsc_window window;

    expect_window("1s2ms3us4ns/2.5s", 1002003004, 2500000000);
    expect_window("/300us", INT64_MIN, 300000);
    expect_window("1h1m/", 3660000000000, INT64_MAX);
    expect_window("-1.5e3us/250", -1500000, 250);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(nsc_stats_time_window(&window, wrong[i], NULL), NSC_EINVAL);
}

/* ---- numbers ---- */

static void expect_number(struct nsc_stats_cell cell, uint8_t unit, enum nsc_stats_time time,
                          bool commas, const char *wanted)
{
    struct nsc_buf text = NSC_BUF_INIT(512);

    nsc_stats_put_number(&text, &cell, unit, time, commas);
    assert_string_equal(text.bytes, wanted);
    nsc_buf_fini(&text);
}

TEST(test_numbers)
{
    struct nsc_stats_cell big = {.form = NSC_STATS_INT, .integer = 1234567890};
    struct nsc_stats_cell least = {.form = NSC_STATS_INT, .integer = INT64_MIN};
    struct nsc_stats_cell tie = {.form = NSC_STATS_REAL, .real = 841.15};
    struct nsc_stats_cell below = {.form = NSC_STATS_REAL, .real = -0.04};

    expect_number(big, NSC_STATS_TIME, NSC_STATS_NSEC, false, "1234567890");
    expect_number(big, NSC_STATS_TIME, NSC_STATS_NSEC, true, "1,234,567,890");
    expect_number(big, NSC_STATS_TIME, NSC_STATS_USEC, false, "1234567.890");
    expect_number(big, NSC_STATS_TIME, NSC_STATS_MSEC, true, "1,234.5679");
    expect_number(big, NSC_STATS_TIME, NSC_STATS_SEC, false, "1.2346");
    expect_number(big, NSC_STATS_BYTES, NSC_STATS_NSEC, false, "1234.568");
    expect_number(least, NSC_STATS_PLAIN, NSC_STATS_NSEC, false, "-9223372036854775808");
    expect_number(tie, NSC_STATS_TIME, NSC_STATS_NSEC, false, "841.2");
    expect_number(tie, NSC_STATS_PERCENT, NSC_STATS_NSEC, false, "841.2");
    expect_number(below, NSC_STATS_PLAIN, NSC_STATS_NSEC, false, "0.0");
}

/* ---- formats ---- */

static bool keep(void *context, struct nsc_buf *text)
{
    nsc_buf_add(context, text->bytes, text->n);
    nsc_buf_clear(text);
    return true;
}

/* One row of nvtx_startend_sum with this name. */
static void write_row(struct nsc_buf *out, const char *format, const char *name, bool safe)
{
    const struct nsc_stats *report = &nsc_stats_all[NSC_STATS_NVTX_STARTEND_SUM];
    struct nsc_stats_style style = {.safe = safe};
    struct nsc_stats_cell cells[9] = {{0}};
    struct nsc_stats_writer writer;
    struct nsc_stats_sink sink;

    assert_true(nsc_stats_format_parse(&style, format));
    cells[1] = (struct nsc_stats_cell){.form = NSC_STATS_INT, .integer = 1500};
    cells[8] = (struct nsc_stats_cell){.form = NSC_STATS_STRING, .text = nsc_text_from(name)};
    nsc_stats_writer_init(&writer, report, &style, keep, out);
    sink = nsc_stats_writer_sink(&writer);
    if (nsc_stats_writer_measures(&writer))
        assert_true(sink.row(sink.context, cells));
    nsc_stats_writer_begin(&writer);
    assert_true(sink.row(sink.context, cells));
    assert_true(nsc_stats_writer_end(&writer));
    nsc_stats_writer_fini(&writer);
}

static void expect_row(const char *format, const char *name, bool safe, const char *wanted)
{
    struct nsc_buf out = NSC_BUF_INIT(1u << 16);

    write_row(&out, format, name, safe);
    if (!strstr(out.bytes, wanted))
        fail_msg("%s: no \"%s\" in \"%s\"", format, wanted, out.bytes);
    nsc_buf_fini(&out);
}

TEST(test_formats)
{
    struct nsc_stats_style style;
    enum nsc_stats_time time;

    expect_row("csv", "plain", false, "Range\n,1500,,,,,,,plain\n");
    expect_row("csv:nohdr", "plain", false, ",1500,,,,,,,plain\n");
    expect_row("csv", "a,b", false, ",\"a,b\"\n");
    expect_row("csv", "say \"x\"", false, ",\"say \"\"x\"\"\"\n");
    expect_row("csv", "two\nlines", false, ",\"two\nlines\"\n");
    expect_row("csv", "esc\033[31m", false, "esc\033[31m\n");
    expect_row("csv", "esc\033[31m", true, "esc\xe2\x90\x9b[31m\n");
    expect_row("tsv", "tab\there", false, "\t\ttab here\n");
    expect_row("json", "say \"x\"\n", false, "\"Range\":\"say \\\"x\\\"\\u000a\"}");
    expect_row("json", "p", false, "{\"Time (%)\":\"\",\"Total Time (ns)\":1500,");
    expect_row("column", "esc\033[31m", false, "1,500");
    expect_row("column", "esc\033[31m", false, "esc\xe2\x90\x9b[31m\n");
    expect_row("table", "p", false, "| p     |\n");
    expect_row("hdoc", "<b>&", false, "<td>&lt;b&gt;&amp;</td>");
    expect_row("htable", "p", false, "<table>\n<tr><th");
    assert_false(nsc_stats_format_parse(&style, "yaml"));
    assert_false(nsc_stats_format_parse(&style, "csv:other"));
    assert_true(nsc_stats_time_parse(&time, "microseconds"));
    assert_false(nsc_stats_time_parse(&time, "weeks"));
}
