/* Reports of nsys stats and rules of nsys analyze, for cases that no export of nsys covers. */
#include "scenarios/loop.h"
#include "scenarios/scenario.h"

#include <string.h>

static void expect(struct scenario *s, const char *arguments, const char *text)
{
    assert_int_equal(scenario_run(s, arguments), 0);
    if (strcmp(scenario_output(s), text) != 0)
        fail_msg("%s\nprints\n%s\nand not\n%s", arguments, scenario_output(s), text);
}

/* A GPU that works 1 ms of every 101, in two contexts in turn: gaps are the device's. */
static void add_work(struct scenario *s, int n)
{
    int64_t thread = scenario_thread(s, 100, 100, "app");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < n; i++)
        scenario_launch(s, thread, MS(1) + MS(101) * i, 0, 7, "kernel", MS(1.1) + MS(101) * i,
                        MS(2.1) + MS(101) * i);
    scenario_sql(s, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET contextId = 1 + rowid %% 2");
}

/* The gaps lie between operations of different contexts; each names the context of the previous
 * operation. */
SCENARIO(test_gaps_of_a_device)
{
    struct scenario *s = *state;

    add_work(s, 4);
    expect(s, "analyze -r gpu_gaps:gap=99 --format csv @",
           "Row#,Duration (ns),Start (ns),PID,Device ID,Context ID\n"
           "1,100000000,2100000,100,0,2\n"
           "2,100000000,103100000,100,0,1\n"
           "3,100000000,204100000,100,0,2\n\n");
    expect(s, "analyze -r gpu_gaps:gap=100 --format csv @",
           "Row#,Duration (ns),Start (ns),PID,Device ID,Context ID\n\n");
}

/* The profiler flushes its data for 60 ms of the second gap: 40 ms of it remain. */
SCENARIO(test_profiler_flush)
{
    struct scenario *s = *state;

    add_work(s, 3);
    scenario_sql(s, "CREATE TABLE PROFILER_OVERHEAD (start INTEGER NOT NULL, end INTEGER NOT NULL, "
                    "globalTid INTEGER, nameId INTEGER NOT NULL, overheadType INTEGER)");
    scenario_sql(s, "INSERT INTO PROFILER_OVERHEAD VALUES (%lld, %lld, %lld, %lld, 1)",
                 (long long)MS(104), (long long)MS(164), (long long)((int64_t)100 << 24 | 100),
                 (long long)scenario_string(s, "CUDA profiling data flush overhead"));
    expect(s, "analyze -r gpu_gaps:gap=50 --format csv @",
           "Row#,Duration (ns),Start (ns),PID,Device ID,Context ID\n"
           "1,100000000,2100000,100,0,2\n\n");
    expect(s, "analyze -r gpu_gaps:gap=30 --format csv @",
           "Row#,Duration (ns),Start (ns),PID,Device ID,Context ID\n"
           "1,100000000,2100000,100,0,2\n"
           "2,39100000,164000000,100,0,2\n\n");
}

/* Another kind of overhead hides nothing. */
SCENARIO(test_other_overhead)
{
    struct scenario *s = *state;

    add_work(s, 2);
    scenario_sql(s, "CREATE TABLE PROFILER_OVERHEAD (start INTEGER NOT NULL, end INTEGER NOT NULL, "
                    "globalTid INTEGER, nameId INTEGER NOT NULL, overheadType INTEGER)");
    scenario_sql(s, "INSERT INTO PROFILER_OVERHEAD VALUES (%lld, %lld, %lld, %lld, 1)",
                 (long long)MS(10), (long long)MS(60), (long long)((int64_t)100 << 24 | 100),
                 (long long)scenario_string(s, "OS runtime libraries overhead"));
    expect(s, "analyze -r gpu_gaps:gap=60 --format csv @",
           "Row#,Duration (ns),Start (ns),PID,Device ID,Context ID\n"
           "1,100000000,2100000,100,0,2\n\n");
}

/* Copies of 64 KiB or less to the device do not block; copies to the host always do. */
SCENARIO(test_small_copies)
{
    static const struct {
        int64_t bytes;
        enum scenario_copy kind;
    } copies[] = {{65536, HOST_TO_DEVICE}, {65537, HOST_TO_DEVICE}, {4, DEVICE_TO_HOST}};
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "app");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 3; i++) {
        int64_t call = scenario_call(s, thread, "cudaMemcpy_v3020", MS(1 + i), MS(1 + i) + US(30));

        scenario_copy(s, call, 0, 7, copies[i].kind, true, copies[i].bytes, MS(1 + i) + US(10),
                      MS(1 + i) + US(20 + i));
    }
    assert_int_equal(scenario_run(s, "analyze -r cuda_memcpy_sync --format csv @"), 0);
    assert_null(strstr(scenario_output(s), "1010000,"));
    assert_non_null(strstr(scenario_output(s), "2010000,"));
    assert_non_null(strstr(scenario_output(s), "3010000,"));
}

/* Two collectives of 190 years at once, whose sum stops at the greatest time: so does the median of
 * the ranks' sums. */
SCENARIO(test_median_of_centuries)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "app");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 2; i++)
        (void)scenario_launch(s, thread, MS(1 + i), 0, 7,
                              "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", MS(1.1 + i),
                              INT64_C(6000000000000000000));
    scenario_ask(s, "report @ --json");
    assert_int_equal(
        scenario_int(s, "nccl_rank_skew", NULL, "total_time_ns == 9223372036854775807"), 1);
    assert_true(scenario_real(s, "nccl_rank_skew", NULL, "median_total_ms") > 9.2e12);
    assert_true(scenario_real(s, "nccl_rank_skew", NULL, "skew_pct") == 0);
}

/* Two sends and a reduction, which sends and receives; the most calls first. */
SCENARIO(test_mpi_sums)
{
    struct scenario *s = *state;
    long long thread = (long long)scenario_thread(s, 100, 100, "app");

    scenario_sql(s, "CREATE TABLE MPI_P2P_EVENTS (start INTEGER NOT NULL, end INTEGER NOT NULL, "
                    "globalTid INTEGER, textId INTEGER, commHandle INTEGER, tag INTEGER, "
                    "remoteRank INTEGER, size INTEGER, requestHandle INTEGER)");
    scenario_sql(s, "CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER NOT NULL, end INTEGER NOT "
                    "NULL, globalTid INTEGER, textId INTEGER, commHandle INTEGER, rootRank "
                    "INTEGER, size INTEGER, recvSize INTEGER, requestHandle INTEGER)");
    for (int i = 0; i < 2; i++)
        scenario_sql(s, "INSERT INTO MPI_P2P_EVENTS VALUES (%d, %d, %lld, %lld, 1, 0, 1, %d, NULL)",
                     1000 + i * 1000, 1100 + i * 1000, thread,
                     (long long)scenario_string(s, "MPI_Send"), 8 + 8 * i);
    scenario_sql(s,
                 "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (5000, 5600, %lld, %lld, 1, NULL, 64, "
                 "64, NULL)",
                 thread, (long long)scenario_string(s, "MPI_Allreduce"));
    expect(s, "stats -r mpi_event_sum --format csv @",
           "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
           "(ns),Source,Name\n"
           "75.0,600,1,600.0,600.0,600,600,0.0,collectives,MPI_Allreduce\n"
           "25.0,200,2,100.0,100.0,100,100,0.0,p2p,MPI_Send\n\n");
    expect(s, "stats -r mpi_msg_size_sum --format csv @",
           "Total Message Volume (B),Instances,Avg (B),Med (B),Min (B),Max (B),StdDev "
           "(B),Source,Name\n"
           "24,2,12.0,12.0,8,16,5.7,p2p,MPI_Send\n"
           "64,1,64.0,64.0,64,64,0.0,coll_recv,MPI_Allreduce\n"
           "64,1,64.0,64.0,64,64,0.0,coll_send,MPI_Allreduce\n\n");
}

static void add_um_tables(struct scenario *s)
{
    scenario_sql(s, "CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start INTEGER NOT NULL, "
                    "globalPid INTEGER NOT NULL, address INTEGER NOT NULL, CpuInstruction "
                    "INTEGER)");
    scenario_sql(s, "CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER NOT NULL, end "
                    "INTEGER NOT NULL, globalPid INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
                    "address INTEGER NOT NULL, numberOfPageFaults INTEGER NOT NULL, "
                    "faultAccessType INTEGER NOT NULL)");
}

/* A table without rows means that nothing happened, which is reported as a row. */
SCENARIO(test_no_unified_memory)
{
    struct scenario *s = *state;

    add_work(s, 1);
    add_um_tables(s);
    expect(s, "stats -r um_total_sum --format csv @",
           "Total HtoD Migration Size (MB),Total DtoH Migration Size (MB),Total CPU Page "
           "Faults,Total GPU PageFaults,Minimum Virtual Address,Maximum Virtual Address\n"
           ",,0,,,\n\n");
}

/* Three faults of the CPU at two addresses, by two instructions. */
SCENARIO(test_page_faults)
{
    struct scenario *s = *state;
    long long a, b;

    add_work(s, 1);
    add_um_tables(s);
    a = (long long)scenario_string(s, "main+0x10");
    b = (long long)scenario_string(s, "init+0x20");
    for (int i = 0; i < 3; i++)
        scenario_sql(s, "INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES (%d, %lld, %d, %lld)",
                     1500000 + i, (long long)100 << 24, i < 2 ? 0x1000 : 0x2000, i < 2 ? b : a);
    scenario_sql(s,
                 "INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (1500000, 1500100, %lld, 0, "
                 "%d, 5, 1)",
                 (long long)100 << 24, 0x2000);
    expect(s, "stats -r um_cpu_page_faults_sum --format csv @",
           "CPU Page Faults,CPU Instruction Address\n2,init+0x20\n1,main+0x10\n\n");
    expect(s, "stats -r um_sum --format csv @",
           "Virtual Address,HtoD Migration size (MB),DtoH Migration size (MB),CPU Page Faults, GPU "
           "Page Faults,Migration Throughput (MB/s)\n"
           "0x1000,,,2,,\n"
           "0x2000,,,1,5,\n\n");
}

/* The text of analyze names the GPU of a finding in full. */
SCENARIO(test_long_names_are_whole)
{
    struct scenario *s = *state;
    const struct loop loop = {.idle = MS(3)};

    scenario_gpu(s, 0, "NVIDIA GeForce RTX 2060 with Max-Q Design");
    (void)loop_run(s, &loop);
    assert_int_equal(scenario_run(s, "analyze @"), 0);
    assert_non_null(strstr(scenario_output(s), "with Max-Q Design]"));
}

/* The unit of times is judged by kernels: the warning says which are missing. */
SCENARIO(test_warning_of_units)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "app");

    scenario_gpu(s, 0, "NVIDIA H100 80GB HBM3");
    scenario_launch(s, thread, MS(1), 0, 7, "kernel", MS(1.1), MS(1.2));
    assert_int_equal(scenario_run(s, "report @ --json"), 0);
    assert_non_null(strstr(scenario_output(s), "could not be checked"));
}

SCENARIO(test_warning_of_no_kernels)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "app");

    scenario_range(s, thread, "solve", MS(1), MS(2));
    assert_int_equal(scenario_run(s, "report @ --json"), 0);
    assert_null(strstr(scenario_output(s), "could not be checked"));
    assert_non_null(strstr(scenario_output(s), "There are no kernels"));
}
