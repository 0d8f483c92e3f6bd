/*
 * Unit tests of names: texts are preserved byte by byte, few counters stay in names, many are
 * removed, kernels are distinguished.
 */
#include "index/builder_data.h"
#include "index/fold.h"
#include "index/names.h"
#include "support/build_trace.h"
#include "support/cm.h"

#include <stdio.h>
#include <string.h>

static struct nsc_test_row range(nsc_time start, const char *name)
{
    return (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                 .process = 1,
                                 .tid = 1,
                                 .start = start,
                                 .end = start + 5,
                                 .name = name};
}

static struct nsc_text text_of(const char *z)
{
    return (struct nsc_text){z, (uint32_t)strlen(z)};
}

static void assert_text(const struct nsc_trace *trace, uint32_t i, const char *expected)
{
    char scratch[NSC_NAME_BYTES];
    struct nsc_text text = nsc_trace_event_text(trace, nsc_test_event_of(trace, i), false, scratch);

    assert_int_equal(text.n, strlen(expected));
    assert_memory_equal(text.bytes, expected, text.n);
}

enum { FEW = NSC_COUNTERS_AS_NAMES, MANY = FEW + 36 };

/* Names the trace has beyond the unknown one, for ranges whose texts count from 0 to n - 1. */
static uint32_t count_names(const char *before, const char *after, uint32_t n)
{
    static char texts[MANY][64];
    struct nsc_test_row rows[MANY] = {0};
    struct nsc_trace *trace = NULL;
    uint32_t names = 0;

    for (uint32_t i = 0; i < n; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "%s%u%s", before, i, after);
        rows[i] = range((nsc_time)i * 10, texts[i]);
    }
    trace = nsc_test_trace_build_parallel(rows, n, 3, 5);
    for (uint32_t i = 0; i < n; i++)
        assert_text(trace, i, texts[i]);
    names = nsc_trace_names(trace)->n - 1;
    nsc_trace_free(trace);
    return names;
}

TEST(few_counters_stay_in_names)
{
    assert_int_equal(count_names("layer ", "", FEW), FEW);
    assert_int_equal(count_names("layer ", ".7", 1), 1);
}

TEST(many_counters_share_one_name)
{
    assert_int_equal(count_names("op_id = ", "", FEW + 1), 1);
    assert_int_equal(count_names("op_id = ", "", MANY), 1);
    assert_int_equal(count_names("seq = 314290, op_id = ", " of 007", MANY), 1);
}

TEST(equal_texts_are_the_same)
{
    struct nsc_test_row rows[] = {range(0, "op 1"),     range(10, "op 2"),    range(20, "op 3"),
                                  range(30, "op 4"),    range(40, "op 5"),    range(50, "op 3"),
                                  range(60, "layer 1"), range(70, "layer 1"), range(80, "op #")};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 9);
    nsc_event at[9];

    for (uint32_t i = 0; i < 9; i++)
        at[i] = nsc_test_event_of(trace, i);
    for (uint32_t i = 0; i < 9; i++)
        for (uint32_t k = 0; k < 9; k++)
            assert_int_equal(nsc_trace_same_text(trace, at[i], at[k]),
                             !strcmp(rows[i].name, rows[k].name));
    nsc_trace_free(trace);
}

TEST(what_cannot_be_folded_stays)
{
    struct nsc_fold fold;
    char digits[1200];

    assert_false(nsc_fold_text(&fold, text_of("no counters")));
    assert_false(nsc_fold_text(&fold, text_of("007 has leading zeros")));
    assert_false(nsc_fold_text(&fold, text_of("1234567890123456789 is too long")));
    assert_false(nsc_fold_text(&fold, text_of("the byte itself \xff 7")));
    for (size_t i = 0; i < sizeof digits; i++)
        digits[i] = i % 2 ? ',' : '9';
    assert_false(nsc_fold_text(&fold, (struct nsc_text){digits, sizeof digits}));
    assert_true(nsc_fold_text(&fold, (struct nsc_text){digits, 510}));
    assert_int_equal(fold.counters, 255);
    assert_true(nsc_fold_text(&fold, text_of("0 and 999999999999999999 and 01")));
    assert_int_equal(fold.counters, 2);
}

TEST(long_texts_are_cut_and_say_so)
{
    static char name[NSC_NAME_BYTES + 10];
    char scratch[NSC_NAME_BYTES];
    struct nsc_test_row row = range(0, name);
    struct nsc_trace *trace = NULL;
    struct nsc_text text = {NULL, 0};

    memset(name, 'x', sizeof name - 1);
    trace = nsc_test_trace_build(&row, 1);
    text = nsc_trace_event_text(trace, 0, false, scratch);
    assert_int_equal(text.n, NSC_NAME_BYTES);
    assert_memory_equal(text.bytes + text.n - 6, " [cut]", 6);
    nsc_trace_free(trace);
}

static bool is_comm(const char *full, const char *brief)
{
    return nsc_comm_is_kernel(text_of(full), text_of(brief));
}

TEST(communication_is_told_by_name)
{
    assert_true(is_comm("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", "ncclDevKernel_AllReduce"));
    assert_true(is_comm("ncclKernel", "NCCLKERNEL_x"));
    assert_true(is_comm("void deep_ep::intranode::dispatch<8>(int)", "dispatch"));
    assert_true(is_comm("combine", "combine"));
    assert_true(is_comm("nvshmemi_barrier", "nvshmemi_barrier"));
    assert_false(is_comm("flash_fwd_splitkv_combine_kernel", "flash_fwd_splitkv_combine_kernel"));
    assert_false(is_comm("void gemm<ncclFloat>(int)", "gemm"));
    assert_false(is_comm("", ""));
}

TEST(only_kernels_are_flagged)
{
    struct nsc_test_row rows[] = {
        range(0, "ncclAllReduce"),
        {.kind = NSC_KIND_KERNEL, .process = 1, .stream = 7, .end = 5, .name = "ncclDevKernel"},
        {.kind = NSC_KIND_KERNEL, .process = 1, .stream = 7, .start = 5, .end = 9, .name = "gemm"}};
    struct nsc_trace *trace = nsc_test_trace_build(rows, 3);
    enum nsc_op_class work = NSC_OP_MEMSET;

    assert_false(nsc_trace_work_of(trace, nsc_test_event_of(trace, 0), &work));
    assert_true(nsc_trace_work_of(trace, nsc_test_event_of(trace, 1), &work));
    assert_int_equal(work, NSC_OP_COMM);
    assert_true(nsc_trace_work_of(trace, nsc_test_event_of(trace, 2), &work));
    assert_int_equal(work, NSC_OP_COMPUTE);
    nsc_trace_free(trace);
}
