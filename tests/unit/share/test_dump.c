/*
 * Unit tests of dumps: the output of each format for a small known trace.
 * promises: C1
 */
#include "nsyscope/summary.h"

#include "core/progress.h"
#include "core/text.h"
#include "support/cm.h"
#include "support/dump_check.h"
#include "support/screen_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char sample[] = "nvtx 111 0 100us step\n"
                             "nvtx 111 10us 60us forward; \"quoted\"\n"
                             "nvtx 111 20us 30us layer 7\n"
                             "api 111 22us 24us cudaLaunchKernel #1\n"
                             "kernel 0:7 30us 50us gemm #1\n"
                             "kernel 0:7 60us 70us =flash\n"
                             "span 111 5us 15us beside\n"
                             "mark 111 40us 40us here\n";

static const struct nsc_window everything = {INT64_MIN, INT64_MAX};

static struct nsc_buf dump_of(const struct nsc_trace *trace, enum nsc_dump_format format)
{
    struct nsc_dump_query query = {.trace = trace, .window = everything, .format = format};

    return dump_write(&query, NSC_OK);
}

static void expect_in(const struct nsc_buf *out, const char *part)
{
    if (!strstr(out->bytes, part))
        fail_msg("no '%s' in %s", part, out->bytes);
}

TEST(all_formats_have_all_events)
{
    struct nsc_trace *trace = nsc_test_trace_parse(sample);

    for (int f = 0; f < NSC_N_DUMP_FORMATS; f++) {
        struct nsc_buf out;

        if (f == NSC_DUMP_FOLDED_SAMPLES || f == NSC_DUMP_FOLDED_CAPTURED ||
            f == NSC_DUMP_FOLDED_OWN) /* need more */
            continue;
        out = dump_of(trace, (enum nsc_dump_format)f);
        if (f == NSC_DUMP_PAGE) { /* tests/viewer reads what is in it */
            expect_in(&out, "default-src 'none'");
            nsc_buf_fini(&out);
            continue;
        }
        struct dump_seen seen =
            dump_check((enum nsc_dump_format)f, (struct nsc_text){out.bytes, (uint32_t)out.n});

        if (f != NSC_DUMP_FOLDED && f != NSC_DUMP_FOLDED_CPU)
            assert_int_equal(seen.events, nsc_trace_events(trace)->n);
        nsc_buf_fini(&out);
    }
    nsc_trace_free(trace);
}

TEST(folded_stacks_say_path_and_time)
{
    struct nsc_trace *trace = nsc_test_trace_parse(sample);
    struct nsc_buf work = dump_of(trace, NSC_DUMP_FOLDED);
    struct nsc_buf own = dump_of(trace, NSC_DUMP_FOLDED_CPU);

    assert_string_equal(work.bytes, "step;forward: \"quoted\";layer 7;gemm 20000\n=flash 10000\n");
    assert_string_equal(own.bytes, "step;forward: \"quoted\";layer 7 10000\n"
                                   "step;forward: \"quoted\" 40000\nstep 50000\n");
    nsc_buf_fini(&work);
    nsc_buf_fini(&own);
    nsc_trace_free(trace);
}

/* 1000 nested ranges: no line repeats all of them, and no time is lost. */
TEST(deep_stacks_are_cut_and_say_so)
{
    struct nsc_buf text = NSC_BUF_INIT(1 << 20);
    struct nsc_trace *trace = NULL;
    struct nsc_buf own, rows;
    long long sum = 0;

    for (int i = 0; i < 1000; i++)
        nsc_buf_printf(&text, "nvtx 111 %dus %dus r\n", i, 3000 - i);
    trace = nsc_test_trace_parse(text.bytes);
    own = dump_of(trace, NSC_DUMP_FOLDED_CPU);
    rows = dump_of(trace, NSC_DUMP_CSV);
    for (char *line = strtok(own.bytes, "\n"); line; line = strtok(NULL, "\n")) {
        const char *deeper = strstr(line, ";(deeper)");

        assert_true(strlen(line) < 256 * 2 + 40);
        assert_true(!deeper || deeper[9] == ' ');
        sum += strtoll(strrchr(line, ' ') + 1, NULL, 10);
    }
    assert_int_equal(sum, 3000 * 1000);
    expect_in(&rows, " > (deeper)");
    nsc_buf_fini(&rows);
    nsc_buf_fini(&own);
    nsc_buf_fini(&text);
    nsc_trace_free(trace);
}

/* As above: a short path has both ends and a count, even if the path is cut; others are whole. */
TEST(short_paths_say_how_many_are_between)
{
    struct nsc_buf text = NSC_BUF_INIT(1 << 20);
    struct nsc_trace *trace = NULL;
    struct nsc_dump_query query = {.window = everything, .format = NSC_DUMP_CSV};
    struct nsc_buf rows;

    for (int i = 0; i < 300; i++)
        nsc_buf_printf(&text, "nvtx 111 %dus %dus r%d\n", i, 3000 - i, i);
    trace = nsc_test_trace_parse(text.bytes);
    query.trace = trace;
    query.short_paths = true;
    rows = dump_write(&query, NSC_OK);
    expect_in(&rows, ",r0 > r1 > r2 > r3 > r4 > r5 > r6 > r7 > r8 > r9 > r10 > r11 > r12 > r13 > "
                     "r14 > r15,");
    expect_in(&rows, ",r0 > r1 > r2 > r3 > r4 > r5 > r6 > r7 > (1 between) > r9 > r10 > r11 > r12 "
                     "> r13 > r14 > r15 > r16,");
    expect_in(&rows, ",r0 > r1 > r2 > r3 > r4 > r5 > r6 > r7 > (240 between) > r248 > r249 > r250 "
                     "> r251 > r252 > r253 > r254 > r255 > (deeper),");
    nsc_buf_fini(&rows);
    nsc_buf_fini(&text);
    nsc_trace_free(trace);
}

TEST(a_launch_is_an_arrow)
{
    struct nsc_trace *trace = nsc_test_trace_parse(sample);
    struct nsc_buf chrome = dump_of(trace, NSC_DUMP_CHROME);
    struct nsc_buf perfetto = dump_of(trace, NSC_DUMP_PERFETTO);

    assert_int_equal(dump_check_chrome((struct nsc_text){chrome.bytes, (uint32_t)chrome.n}).arrows,
                     1);
    assert_int_equal(
        dump_check_perfetto((struct nsc_text){perfetto.bytes, (uint32_t)perfetto.n}).arrows, 2);
    expect_in(&chrome, "\"ts\":30.000,\"dur\":20.000");
    expect_in(&chrome, "\"ph\":\"s\"");
    nsc_buf_fini(&chrome);
    nsc_buf_fini(&perfetto);
    nsc_trace_free(trace);
}

TEST(csv_is_no_formula)
{
    struct nsc_trace *trace = nsc_test_trace_parse(sample);
    struct nsc_buf out = dump_of(trace, NSC_DUMP_CSV);

    expect_in(&out, ",'=flash,");
    expect_in(&out, ",\"step > forward");
    nsc_buf_fini(&out);
    nsc_trace_free(trace);
}

TEST(window_and_mask_decide)
{
    struct nsc_trace *trace = nsc_test_trace_parse(sample);
    uint64_t none = 0;
    struct nsc_dump_query query = {
        .trace = trace, .window = {55000, 65000}, .format = NSC_DUMP_CSV};
    struct nsc_buf out = dump_write(&query, NSC_OK);

    /* step, forward and the kernel at 60 µs touch it. */
    assert_int_equal(dump_check_csv((struct nsc_text){out.bytes, (uint32_t)out.n}).events, 3);
    nsc_buf_fini(&out);
    query.mask = &none;
    out = dump_write(&query, NSC_ENODATA);
    assert_int_equal(out.n, 0);
    nsc_buf_fini(&out);
    nsc_trace_free(trace);
}

TEST(formats_are_found_by_name)
{
    for (int f = 0; f < NSC_N_DUMP_FORMATS; f++)
        assert_int_equal(nsc_dump_format_find(nsc_text_from(nsc_dump_formats[f].name)), f);
    assert_int_equal(nsc_dump_format_find(nsc_text_from("chrom")), NSC_N_DUMP_FORMATS);
    assert_int_equal(nsc_dump_format_find(nsc_text_from("")), NSC_N_DUMP_FORMATS);
}

/* ---- files ---- */

struct folder {
    char name[64], path[96];
};

static void folder_make(struct folder *folder)
{
    snprintf(folder->name, sizeof folder->name, "dump-XXXXXX");
    assert_non_null(mkdtemp(folder->name));
    snprintf(folder->path, sizeof folder->path, "%s/out", folder->name);
}

TEST(a_file_is_there_whole_or_not_at_all)
{
    struct nsc_trace *trace = nsc_test_trace_parse(sample);
    struct nsc_dump_query query = {.trace = trace, .window = everything, .format = NSC_DUMP_CHROME};
    struct nsc_progress progress = {0};
    struct nsc_error error = {0};
    struct folder folder;
    struct stat before;
    struct stat after;

    folder_make(&folder);
    assert_int_equal(nsc_dump_file(&query, folder.path, false, NULL, &error), NSC_OK);
    assert_int_equal(stat(folder.path, &before), 0);
    assert_true(before.st_size > 0);
    assert_int_equal(nsc_dump_file(&query, folder.path, false, NULL, &error), NSC_EINVAL);
    assert_non_null(strstr(error.text, "exists"));
    query.window = (struct nsc_window){-2, -1};
    assert_int_equal(nsc_dump_file(&query, folder.path, true, NULL, &(struct nsc_error){0}),
                     NSC_ENODATA);
    query.window = everything;
    assert_int_equal(stat(folder.path, &after), 0);
    assert_true(before.st_size == after.st_size && before.st_ino == after.st_ino);
    assert_int_equal(nsc_dump_file(&query, folder.path, true, &progress, &(struct nsc_error){0}),
                     NSC_OK);
    assert_int_equal(progress.rows, progress.rows_total);
    assert_int_equal(unlink(folder.path), 0);
    assert_int_equal(rmdir(folder.name), 0); /* no temporary is left */
    nsc_trace_free(trace);
}

static bool refuse(void *context, const struct nsc_buf *bytes, struct nsc_error *error)
{
    (void)context;
    (void)bytes;
    (void)nsc_fail(error, NSC_EIO, "full");
    return false;
}

TEST(a_full_disk_ends_it)
{
    struct nsc_trace *trace = nsc_test_trace_parse(sample);
    struct nsc_dump_query query = {.trace = trace, .window = everything};
    struct nsc_dump_sink sink = {refuse, NULL};

    for (int f = 0; f < NSC_N_DUMP_FORMATS; f++) {
        struct nsc_error error = {0};

        if (f == NSC_DUMP_FOLDED_SAMPLES || f == NSC_DUMP_FOLDED_CAPTURED ||
            f == NSC_DUMP_FOLDED_OWN) /* need more */
            continue;
        query.format = (enum nsc_dump_format)f;
        assert_int_equal(nsc_dump(&query, &sink, NULL, &error), NSC_EWRITE);
        assert_string_equal(error.text, "full");
    }
    nsc_trace_free(trace);
}
