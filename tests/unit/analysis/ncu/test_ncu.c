/* Unit tests of pages of Nsight Compute: all three shapes, units, ranges, missing values. */
#include "analysis/names/kernel_name.h"
#include "analysis/ncu/ncu_kernels.h"
#include "core/text.h"
#include "support/cm.h"

#include <math.h>
#include <string.h>

static const char raw[] =
    "==PROF== Connected to process 7\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"thread Domain:Push/Pop_Range:PL_Type:"
    "Msg\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
    "\"dram__bytes_read.sum\",\"gpu__time_duration.sum\",\"sm__ops_path_tensor_src_bf16_dst_fp32."
    "sum\",\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"launch__registers_per_thread\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"Mbyte\",\"us\",\"\",\"%\","
    "\"register/thread\"\n"
    "\"0\",\"7\",\"p\",\"h\",\"7  \"\"LLM:step:none\"\" \"\"LLM:a::b:none\"\"\",\"gemm<int, 1>"
    "(float *)\",\"1\",\"7\",\"(8, 1, 1)\",\"(4, 1, 1)\",\"0\",\"9.0\",\"3.5\",\"10\",\"1,000,"
    "000\",\"40\",\"168\"\n"
    "\"1\",\"7\",\"p\",\"h\",\"7  \"\"LLM:a::b:none\"\"\",\"gemm<int, 1>(float *)\",\"1\",\"7\","
    "\"(8, 1, 1)\",\"(4, 1, 1)\",\"0\",\"9.0\",\"0.5\",\"30\",\"3000000\",\"80\",\"168\"\n"
    "\n"
    "\"2\",\"7\",\"p\",\"h\",\"\",\"add\",\"1\",\"7\",\"\",\"\",\"0\",\"9.0\",\"n/a\",\"1,200.5\","
    "\"n/a\",\"\",\"16\"\n"
    "a,b\n";

static void read_ok(struct nsc_ncu *ncu, struct nsc_ncu_kernels *kernels, const char *text)
{
    struct nsc_error error = {0};

    assert_int_equal(nsc_ncu_read(ncu, nsc_text_from(text), &error), NSC_OK);
    nsc_ncu_kernels_build(kernels, ncu);
}

static void assert_name(const struct nsc_ncu *ncu, nsc_str id, const char *wanted)
{
    struct nsc_text text = nsc_strpool_text(&ncu->texts, id);

    assert_int_equal(text.n, strlen(wanted));
    assert_memory_equal(text.bytes, wanted, text.n);
}

static void assert_near(double value, double wanted)
{
    assert_true(fabs(value - wanted) <= 1e-9 * fabs(wanted));
}

TEST(test_raw_pages_are_summed_by_kernel)
{
    const struct nsc_ncu_kernel *kernel = NULL;
    struct nsc_ncu_kernels kernels;
    struct nsc_ncu ncu;

    read_ok(&ncu, &kernels, raw);
    assert_int_equal(ncu.launches.n, 3);
    assert_int_equal(ncu.n_missing, 2);
    assert_int_equal(ncu.n_skipped, 1);
    assert_int_equal(kernels.list.n, 2);
    assert_name(&ncu, kernels.list.at[0].kernel, "add");
    assert_near(kernels.list.at[0].value[NSC_NCU_DURATION], 1200500);
    assert_true(isnan(kernels.list.at[0].value[NSC_NCU_READ]));
    assert_true(isnan(kernels.list.at[0].flop));
    kernel = &kernels.list.at[1];
    assert_name(&ncu, kernel->range, "a::b");
    assert_int_equal(kernel->calls, 2);
    assert_near(kernel->value[NSC_NCU_DURATION], 40000);
    assert_near(kernel->value[NSC_NCU_READ], 4e6);
    assert_near(kernel->value[NSC_NCU_SM], (40.0 * 10 + 80.0 * 30) / 40);
    assert_near(kernel->flop, 4e6);
    assert_near(nsc_ncu_roofline(kernel, 0).flop_per_byte, 1);
    assert_near(nsc_ncu_roofline(kernel, 0).flop_per_s, 1e11);
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
}

#define ROW(section, metric, unit, value)                                                        \
    "\"0\",\"7\",\"k\",\"(8, 1, 1)\",\"(4, 1, 1)\",\"0\",\"" section "\",\"" metric "\",\"" unit \
    "\",\"" value "\",\r\n"

TEST(test_details_are_told_apart_by_section)
{
    static const char text[] =
        "\xef\xbb\xbf\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\","
        "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\"\r\n" ROW(
            "GPU Speed Of Light Throughput", "Memory Throughput", "%", "61.83")
            ROW("Memory Workload Analysis", "Memory Throughput", "Gbyte/second", "143.20")
                ROW("GPU Speed Of Light Throughput", "DRAM Throughput", "%", "8")
                    ROW("GPU Speed Of Light Throughput", "Compute (SM) Throughput", "%", "41")
                        ROW("GPU Speed Of Light Throughput", "Duration", "ms", "158 (0: 158)")
                            ROW("SpeedOfLight", "", "", "");
    struct nsc_ncu_kernels kernels;
    struct nsc_ncu ncu;

    read_ok(&ncu, &kernels, text);
    assert_int_equal(kernels.list.n, 1);
    assert_near(kernels.list.at[0].value[NSC_NCU_MEMORY], 61.83);
    assert_near(kernels.list.at[0].value[NSC_NCU_MEMORY_RATE], 143.20e9);
    assert_near(kernels.list.at[0].value[NSC_NCU_DURATION], 158e6);
    assert_string_equal(nsc_ncu_bound(&kernels.list.at[0]), "cache");
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
}

TEST(test_a_summary_stands_for_many_calls)
{
    static const char text[] =
        "\"Process ID\",\"Kernel Name\",\"Device\",\"Block Size\",\"Grid Size\",\"Invocations\","
        "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\",\"Maximum\",\"Average\"\n"
        "\"7\",\"k\",\"0\",\"(8, 1, 1)\",\"(4, 1, 1)\",\"5\",\"GPU Speed Of Light Throughput\","
        "\"Duration\",\"us\",\"1\",\"3\",\"2\"\n";
    struct nsc_ncu_kernels kernels;
    struct nsc_ncu ncu;

    read_ok(&ncu, &kernels, text);
    assert_true(ncu.is_summary);
    assert_int_equal(kernels.list.at[0].calls, 5);
    assert_near(kernels.list.at[0].value[NSC_NCU_DURATION], 10000);
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
}

TEST(test_pages_of_2020_are_read)
{
#define OLD(section, metric, unit, value)                             \
    "\"0\",\"21\",\"cfd\",\"127.0.0.1\",\"step(int)\",\"2020-Apr-07 " \
    "17:01:05\",\"1\",\"7\",\"" section "\",\"" metric "\",\"" unit "\",\"" value "\"\n"
    static const char text[] =
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel Time\","
        "\"Context\",\"Stream\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric "
        "Value\"\n" OLD("GPU Speed Of Light", "SOL FB", "%", "39.60")
            OLD("GPU Speed Of Light", "Memory [%]", "%", "46.47")
                OLD("GPU Speed Of Light", "SM [%]", "%", "41.95")
                    OLD("GPU Speed Of Light", "SOL L1/TEX Cache", "%", "92.13")
                        OLD("GPU Speed Of Light", "SOL L2", "%", "26.39")
                            OLD("GPU Speed Of Light", "Duration", "nsecond", "8992")
                                OLD("Memory Workload Analysis", "Memory Throughput", "byte/second",
                                    "143") OLD("Occupancy", "Achieved Occupancy", "%", "55");
#undef OLD
    struct nsc_ncu_kernels kernels;
    const double *value;
    struct nsc_ncu ncu;

    read_ok(&ncu, &kernels, text);
    assert_int_equal(kernels.list.n, 1);
    value = kernels.list.at[0].value;
    assert_near(value[NSC_NCU_DRAM], 39.60);
    assert_near(value[NSC_NCU_MEMORY], 46.47);
    assert_near(value[NSC_NCU_SM], 41.95);
    assert_near(value[NSC_NCU_L1], 92.13);
    assert_near(value[NSC_NCU_L2], 26.39);
    assert_near(value[NSC_NCU_DURATION], 8992);
    assert_near(value[NSC_NCU_MEMORY_RATE], 143);
    assert_near(value[NSC_NCU_OCCUPANCY], 55);
    assert_string_equal(nsc_ncu_bound(&kernels.list.at[0]), "latency");
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
}

/* A raw page of --set roofline: 2 x 10 FMA and 30 additions a cycle, 1.5 GHz, 150 GB/s. */
TEST(test_raw_pages_have_a_roofline)
{
    static const char text[] =
        "\"ID\",\"Process ID\",\"Kernel "
        "Name\",\"Device\",\"derived__sm__sass_thread_inst_executed_op_"
        "ffma_pred_on_x2\",\"sm__cycles_elapsed.avg.per_second\",\"dram__bytes.sum.peak_"
        "sustained\","
        "\"dram__cycles_elapsed.avg.per_second\",\"derived__smsp__sass_thread_inst_executed_op_"
        "ffma_"
        "pred_on_x2\",\"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed\","
        "\"smsp__cycles_elapsed.avg.per_second\",\"dram__bytes.sum.per_second\"\n"
        "\"\",\"\",\"\",\"\",\"inst/cycle\",\"Ghz\",\"Kbyte/cycle\",\"cycle/nsecond\",\"inst/"
        "cycle\","
        "\"inst/cycle\",\"Ghz\",\"Gbyte/second\"\n"
        "\"0\",\"7\",\"k\",\"0\",\"1,000\",\"1.5\",\"0.25\",\"2\",\"20\",\"30\",\"1.5\",\"150\"\n";
    struct nsc_ncu_kernels kernels;
    struct nsc_roofline roof;
    struct nsc_ncu ncu;

    read_ok(&ncu, &kernels, text);
    roof = nsc_ncu_roofline(&kernels.list.at[0], 0);
    assert_true(roof.is_chart);
    assert_near(roof.flop_per_s, 75e9);
    assert_near(roof.flop_per_byte, 0.5);
    assert_near(roof.peak, 1500e9);
    assert_near(roof.memory, 500e9);
    assert_near(roof.roof, 250e9);
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
}

TEST(test_what_bounds_a_kernel)
{
    const double none = (double)NAN;
    const struct {
        double sm, memory, dram;
        const char *bound;
    } rows[] = {
        {59.9, 59.9, 20, "latency"}, {5, 30, 30, "latency"},      {5, none, 30, "latency"},
        {60, 20, 20, "compute"},     {59.9, 60, 20, "balanced"},  {20, 60, 20, "cache"},
        {20, 60, 60, "memory"},      {75, none, 72, "balanced"},  {20, 75, none, "memory"},
        {none, 90, 90, "unknown"},   {90, none, none, "unknown"}, {5, 60, 59, "memory"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct nsc_ncu_kernel kernel = {.calls = 1};

        kernel.value[NSC_NCU_SM] = rows[i].sm;
        kernel.value[NSC_NCU_MEMORY] = rows[i].memory;
        kernel.value[NSC_NCU_DRAM] = rows[i].dram;
        assert_string_equal(nsc_ncu_bound(&kernel), rows[i].bound);
    }
}

TEST(test_rules_stand_by_their_speed_up)
{
#define RULE(id, section, rule, type, text, of, speedup)                               \
    "\"" id "\",\"7\",\"k\",\"0\",\"" section "\",\"\",\"\",\"\",\"" rule "\",\"" type \
    "\",\"" text "\",\"" of "\",\"" speedup "\"\n"
    static const char text[] =
        "\"ID\",\"Process ID\",\"Kernel Name\",\"Device\",\"Section Name\",\"Metric Name\","
        "\"Metric Unit\",\"Metric Value\",\"Rule Name\",\"Rule Type\",\"Rule Description\","
        "\"Estimated Speedup Type\",\"Estimated Speedup\"\n" RULE(
            "0", "SpeedOfLight", "SOLBottleneck", "INF", "well-balanced", "", "")
            RULE("0", "SourceCounters", "UncoalescedGlobalAccess", "OPT", "12 excessive sectors",
                 "global", "20")
                RULE("0", "Occupancy", "AchievedOccupancy", "OPT", "low", "local", "85.2")
                    RULE("1", "SourceCounters", "UncoalescedGlobalAccess", "OPT",
                         "14 excessive sectors", "global", "30");
#undef RULE
    struct nsc_ncu_kernels kernels;
    struct nsc_sheets sheets = {0};
    const struct nsc_sheet *sheet;
    struct nsc_ncu ncu;

    read_ok(&ncu, &kernels, text);
    assert_int_equal(ncu.launches.n, 2);
    assert_int_equal(ncu.rules.n, 4);
    nsc_ncu_rules_sheet(&sheets, &ncu);
    sheet = nsc_sheets_find(&sheets, "rules");
    assert_non_null(sheet);
    assert_int_equal(nsc_sheet_rows(sheet), 3);
    assert_near(sheet->cells.at[4].number, 85.2);
    assert_near(sheet->cells.at[sheet->n_columns + 4].number, 25); /* the mean of two launches */
    assert_int_equal(sheet->cells.at[sheet->n_columns + 6].integer, 2);
    assert_false(sheet->cells.at[2 * sheet->n_columns + 4].is_set);

    nsc_sheets_fini(&sheets);
    nsc_ncu_kernels_fini(&kernels);
    nsc_ncu_fini(&ncu);
}

TEST(test_other_texts_are_refused)
{
    static const char *const texts[] = {"", "==PROF== nothing\n", "Time (%),Total Time (ns)\n1,2\n",
                                        "\"ID\",\"Kernel Name\"\n"};
    struct nsc_ncu ncu;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct nsc_error error = {0};

        assert_int_equal(nsc_ncu_read(&ncu, nsc_text_from(texts[i]), &error), NSC_EFORMAT);
        assert_int_equal(ncu.launches.n, 0);
    }
}

TEST(test_units_are_base_units)
{
    static const struct {
        const char *number, *unit;
        double value;
    } rows[] = {
        {"1", "s", 1e9},
        {"2", "usecond", 2e3},
        {"1,234.5", "nsecond", 1234.5},
        {"3", "Kbyte", 3e3},
        {"1", "Tbyte/s", 1e12},
        {"1.5", "Ghz", 1.5e9},
        {"12", "%", 12},
        {"7", "inst/cycle", 7},
        {"1.21", "cycle/nsecond", 1.21e9},
        {"763.55", "cycle/usecond", 763.55e6},
        {"2,184,141", "cycle", 2184141},
        {"-1e3", "", -1000},
    };
    static const char *const none[] = {"", "n/a", "nan", "inf", "1e999", "abc", "--1", "(1, 2)"};
    double value = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(
            nsc_ncu_parse(&value, nsc_text_from(rows[i].number), nsc_text_from(rows[i].unit)));
        assert_near(value, rows[i].value);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(nsc_ncu_parse(&value, nsc_text_from(none[i]), nsc_text_from("us")));
}

static void expect_form(void (*form)(struct nsc_buf *, struct nsc_text), const char *name,
                        const char *wanted)
{
    struct nsc_buf out = NSC_BUF_INIT(4096);

    form(&out, nsc_text_from(name));
    assert_string_equal(out.bytes ? out.bytes : "", wanted);
    nsc_buf_fini(&out);
}

TEST(test_operations_count_once)
{
    static const struct {
        const char *name;
        double operations;
    } rows[] = {{"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 1},
                {"sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum", 0}, /* part of it */
                {"sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_on.sum", 0},
                {"sm__ops_path_tensor_src_bf16_dst_fp32.avg", 0},
                {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 2},
                {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 4},
                {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 2},
                {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 1},
                {"smsp__sass_thread_inst_executed_op_fp32_pred_on.sum", 0}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(nsc_ncu_flop_of(nsc_text_from(rows[i].name)) == rows[i].operations);
}

TEST(test_names_of_two_tools_meet)
{
    expect_form(nsc_kernel_plain, "void cutlass::Kernel2<cutlass_80>(T1::Params)",
                "Kernel2<cutlass_80>(Params)");
    expect_form(nsc_kernel_plain, "void Kernel2<cutlass_80>(Params)",
                "Kernel2<cutlass_80>(Params)");
    expect_form(nsc_kernel_plain,
                "std::enable_if<!T7, void>::type internal::gemvx::kernel<int, (bool)0, "
                "(unsigned long)2>(T13)",
                "enable_if<!T7, void>::type kernel<int, 0, 2>(T13)");
    expect_form(nsc_kernel_plain, "void (anonymous namespace)::f<(int)-1>(int)", "f<-1>(int)");
    expect_form(nsc_kernel_base, "void at::native::f<a<b>, (int)4>(g(int), b[2])", "f");
    expect_form(nsc_kernel_base, "ncclDevKernel_SendRecv(ncclDevKernelArgs)",
                "ncclDevKernel_SendRecv");
    expect_form(nsc_kernel_base, "plain", "plain");
    expect_form(nsc_kernel_base, ">>)", ">>)");
    expect_form(nsc_kernel_base, "", "");
    expect_form(nsc_kernel_regex, "a.b<c>(\x1b)", "a\\.b<c>\\(.\\)");
}
