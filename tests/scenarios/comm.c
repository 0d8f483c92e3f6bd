/*
 * Payloads of NCCL: bytes, communicators and bandwidths of collectives.
 */
#include "scenarios/nccl.h"

#include <stdio.h>
#include <string.h>

#define H100 "NVIDIA H100 80GB HBM3"

static void add_init(struct scenario *s, int64_t thread, uint64_t id, unsigned ranks, unsigned rank)
{
    nccl_call(s, thread, "ncclCommInitRankConfig", NCCL_INIT, id, ranks | (uint64_t)rank << 32,
              rank, US(10), US(20));
}

static void add_kernel(struct scenario *s, int64_t thread, int gpu, const char *name,
                       int64_t launch, int64_t start, int64_t length)
{
    scenario_launch(s, thread, launch, gpu, 20, name, start, start + length);
}

/* One process for each of n ranks, all in this export, with a communicator of `ranks`. */
static void add_ranks(struct scenario *s, int64_t thread[], int n, unsigned ranks)
{
    nccl_schemas(s);
    for (int i = 0; i < n; i++) {
        thread[i] = scenario_thread(s, 100 + i, 100 + i, "python");
        scenario_gpu(s, i, H100);
        add_init(s, thread[i], 0xabc, ranks, (unsigned)i);
    }
}

static double bus(struct scenario *s, const char *where)
{
    return scenario_real(s, "nccl_bandwidth", where, "busbw_gbs");
}

/* 400 MB in 2 ms are 200 GB/s; of 4 ranks 2 * 3 / 4 times that on the bus: two thirds of NVLink. */
SCENARIO(test_allreduce)
{
    struct scenario *s = *state;
    int64_t thread[4];

    add_ranks(s, thread, 4, 4);
    for (int i = 0; i < 4; i++) {
        nccl_call(s, thread[i], "ncclAllReduce", NCCL_REDUCE, 0xabc, 400000000, 0, MS(1), MS(1.1));
        add_kernel(s, thread[i], i, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", MS(1.02), MS(2),
                   MS(2));
    }
    scenario_ask(s, "nccl @");
    assert_int_equal(scenario_count(s, "nccl_bandwidth", NULL), 1);
    assert_int_equal(scenario_int(s, "nccl_bandwidth", NULL, "count"), 4);
    assert_int_equal(scenario_int(s, "nccl_bandwidth", NULL, "ranks"), 4);
    assert_int_equal(scenario_int(s, "nccl_bandwidth", NULL, "bytes"), 400000000);
    assert_string_equal(scenario_text(s, "nccl_bandwidth", NULL, "communicator"),
                        "0x0000000000000abc");
    assert_float_equal(scenario_real(s, "nccl_bandwidth", NULL, "algbw_gbs"), 200, 0.01);
    assert_float_equal(bus(s, NULL), 300, 0.01);
    assert_float_equal(scenario_real(s, "nccl_bandwidth", NULL, "link_gbs"), 450, 0.01);
    assert_float_equal(scenario_real(s, "nccl_bandwidth", NULL, "link_share"), 66.67, 0.1);
}

/* A rank's 50 MB, gathered from 8: 400 MB in 2 ms, and 7 / 8 of that on the bus. */
SCENARIO(test_allgather)
{
    struct scenario *s = *state;
    int64_t thread[8];

    add_ranks(s, thread, 8, 8);
    nccl_call(s, thread[0], "ncclAllGather", NCCL_GATHER, 0xabc, 50000000, 0, MS(1), MS(1.1));
    add_kernel(s, thread[0], 0, "ncclDevKernel_AllGather_RING_LL", MS(1.02), MS(2), MS(2));
    scenario_ask(s, "nccl @");
    assert_int_equal(scenario_int(s, "nccl_bandwidth", NULL, "bytes"), 400000000);
    assert_float_equal(bus(s, NULL), 175, 0.01);
}

/* PyTorch calls NCCL in a group: the kernel starts at its end. */
SCENARIO(test_group_of_one)
{
    struct scenario *s = *state;
    int64_t thread[2];

    add_ranks(s, thread, 2, 2);
    scenario_range_in(s, thread[0], "NCCL", "ncclGroupStart", MS(1), MS(1.001));
    nccl_call(s, thread[0], "ncclAllReduce", NCCL_REDUCE, 0xabc, 1000000, 0, MS(1.01), MS(1.02));
    scenario_range_in(s, thread[0], "NCCL", "ncclGroupEnd", MS(1.03), MS(1.1));
    add_kernel(s, thread[0], 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(1.04), MS(2), US(10));
    scenario_ask(s, "nccl @");
    assert_int_equal(scenario_count(s, "nccl_bandwidth", NULL), 1);
    assert_float_equal(bus(s, NULL), 100, 0.01);
}

/* Different sizes have separate rows, the one with the most time first. */
SCENARIO(test_by_size)
{
    struct scenario *s = *state;
    int64_t thread[2];

    add_ranks(s, thread, 2, 2);
    for (int i = 0; i < 6; i++) {
        nccl_call(s, thread[0], "ncclAllReduce", NCCL_REDUCE, 0xabc, i % 3 ? 1000 : 1000000, 0,
                  MS(1 + i), MS(1.1 + i));
        add_kernel(s, thread[0], 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(1.02 + i),
                   MS(1.2 + i), i % 3 ? US(10) : US(100));
    }
    scenario_ask(s, "skill run nccl_bandwidth @");
    assert_int_equal(scenario_count(s, "nccl_bandwidth", NULL), 2);
    assert_int_equal(scenario_int(s, "nccl_bandwidth", NULL, "bytes"), 1000000);
    assert_float_equal(bus(s, "bytes = 1000000"), 10, 0.01);
    assert_int_equal(scenario_int(s, "nccl_bandwidth", "bytes = 1000", "count"), 4);
    assert_float_equal(bus(s, "bytes = 1000"), 0.1, 0.001);
}

/* One kernel exchanges 3 MB with two others, 1 MB of it with its own rank: 2 MB cross the link. */
SCENARIO(test_exchange)
{
    struct scenario *s = *state;
    int64_t thread[3];

    add_ranks(s, thread, 3, 3);
    scenario_range_in(s, thread[0], "NCCL", "ncclGroupStart", MS(1), MS(1.001));
    for (unsigned peer = 0; peer < 3; peer++) {
        nccl_call(s, thread[0], "ncclSend", NCCL_SEND, 0xabc, 1000000, peer, MS(1.01 + peer * 0.01),
                  MS(1.011 + peer * 0.01));
        nccl_call(s, thread[0], "ncclRecv", NCCL_SEND, 0xabc, 1000000, peer,
                  MS(1.015 + peer * 0.01), MS(1.016 + peer * 0.01));
    }
    scenario_range_in(s, thread[0], "NCCL", "ncclGroupEnd", MS(1.1), MS(1.2));
    add_kernel(s, thread[0], 0, "ncclDevKernel_SendRecv", MS(1.15), MS(2), US(20));
    scenario_ask(s, "nccl @");
    assert_int_equal(scenario_int(s, "nccl_bandwidth", NULL, "bytes"), 2000000);
    assert_float_equal(bus(s, NULL), 100, 0.01);
}

/* Calls of two communicators in a group: their kernels cannot be told apart. */
SCENARIO(test_two_communicators_in_a_group)
{
    struct scenario *s = *state;
    int64_t thread[2];

    add_ranks(s, thread, 2, 2);
    scenario_range_in(s, thread[0], "NCCL", "ncclGroupStart", MS(1), MS(1.001));
    nccl_call(s, thread[0], "ncclAllReduce", NCCL_REDUCE, 0xabc, 1000000, 0, MS(1.01), MS(1.02));
    nccl_call(s, thread[0], "ncclAllReduce", NCCL_REDUCE, 0xdef, 9000000, 0, MS(1.03), MS(1.04));
    scenario_range_in(s, thread[0], "NCCL", "ncclGroupEnd", MS(1.05), MS(1.2));
    for (int i = 0; i < 2; i++)
        add_kernel(s, thread[0], 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(1.06 + 0.01 * i),
                   MS(2 + i), US(10));
    scenario_ask(s, "nccl @");
    assert_int_equal(scenario_count(s, "nccl_bandwidth", NULL), 0);
    assert_non_null(strstr(scenario_output(s), "2 of 2 calls are not in the table"));
}

/* Captured into a graph: the call launched nothing. */
SCENARIO(test_captured)
{
    struct scenario *s = *state;
    int64_t thread[2];

    add_ranks(s, thread, 2, 2);
    nccl_call(s, thread[0], "ncclAllReduce", NCCL_REDUCE, 0xabc, 1000000, 0, MS(1), MS(1.1));
    add_kernel(s, thread[0], 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(3), MS(4), US(10));
    scenario_ask(s, "nccl @");
    assert_int_equal(scenario_count(s, "nccl_bandwidth", NULL), 0);
    assert_non_null(strstr(scenario_output(s), "1 of 1 calls are not in the table"));
}

/* The communicator was created before the recording: its ranks, and all that depends on them, are
 * unknown. */
SCENARIO(test_ranks_unknown)
{
    struct scenario *s = *state;
    int64_t thread = scenario_thread(s, 100, 100, "python");

    nccl_schemas(s);
    scenario_gpu(s, 0, H100);
    nccl_call(s, thread, "ncclAllReduce", NCCL_REDUCE, 0xabc, 1000000, 0, MS(1), MS(1.1));
    add_kernel(s, thread, 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(1.02), MS(2), US(10));
    nccl_call(s, thread, "ncclAllGather", NCCL_GATHER, 0xabc, 1000000, 0, MS(3), MS(3.1));
    add_kernel(s, thread, 0, "ncclDevKernel_AllGather_RING_LL", MS(3.02), MS(4), US(10));
    scenario_ask(s, "nccl @");
    assert_float_equal(scenario_real(s, "nccl_bandwidth", "collective = 'AllReduce'", "algbw_gbs"),
                       100, 0.01);
    assert_int_equal(scenario_count(s, "nccl_bandwidth", "busbw_gbs IS NOT NULL"), 0);
    assert_int_equal(
        scenario_count(s, "nccl_bandwidth", "collective = 'AllGather' AND algbw_gbs IS NOT NULL"),
        0);
}

/* Two of four ranks are recorded. The others may be on another machine, so the link is unknown
 * unless given. */
SCENARIO(test_link_of_other_machines)
{
    struct scenario *s = *state;
    int64_t thread[2];

    add_ranks(s, thread, 2, 4);
    nccl_call(s, thread[0], "ncclAllReduce", NCCL_REDUCE, 0xabc, 1000000, 0, MS(1), MS(1.1));
    add_kernel(s, thread[0], 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(1.02), MS(2),
               US(100));
    scenario_ask(s, "nccl @");
    assert_float_equal(bus(s, NULL), 15, 0.01);
    assert_int_equal(scenario_count(s, "nccl_bandwidth", "link_gbs IS NOT NULL"), 0);
    scenario_ask(s, "nccl -p link=50 @");
    assert_float_equal(scenario_real(s, "nccl_bandwidth", NULL, "link_share"), 30, 0.01);
}

/* Without payloads, and with damaged ones: not known, with the reason. */
SCENARIO(test_no_payloads)
{
    struct scenario *s = *state;
    int64_t thread[2];

    add_ranks(s, thread, 2, 2);
    nccl_call(s, thread[0], "ncclAllReduce", NCCL_REDUCE, 0xabc, 1000000, 0, MS(1), MS(1.1));
    add_kernel(s, thread[0], 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(1.02), MS(2),
               US(100));
    scenario_sql(s, "UPDATE NVTX_EVENTS SET binaryData = substr(binaryData, 1, 40)");
    scenario_ask(s, "nccl @");
    assert_int_equal(scenario_count(s, "nccl_bandwidth", NULL), 0);
    scenario_sql(s, "UPDATE NVTX_EVENTS SET binaryData = NULL");
    scenario_ask(s, "nccl @");
    assert_non_null(strstr(scenario_output(s), "--include-blobs=true"));
    scenario_sql(s, "DROP TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES");
    scenario_ask(s, "nccl @");
    assert_non_null(strstr(scenario_output(s), "the export has no payloads of NCCL"));
}

/* The Details pane of the kernel shows its call's payload: 2 ranks, 400 MB in 2 ms. */
SCENARIO(test_kernel_details)
{
    struct scenario *s = *state;
    int64_t thread[2];

    add_ranks(s, thread, 2, 2);
    nccl_call(s, thread[0], "ncclAllReduce", NCCL_REDUCE, 0xabc, 400000000, 0, MS(1), MS(1.1));
    add_kernel(s, thread[0], 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(1.02), MS(2), MS(2));
    add_kernel(s, thread[0], 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(5), MS(6), MS(2));
    assert_int_equal(
        scenario_run(s, "render @ --size 110x60 --filter kind:kernel --keys 'V Enter q Enter'"), 0);
    assert_non_null(strstr(scenario_output(s), "collective AllReduce of 2 ranks"));
    assert_non_null(strstr(scenario_output(s), "message 381.5 MiB"));
    assert_non_null(strstr(scenario_output(s), "bus bandwidth 200.00 GB/s"));
    assert_int_equal(
        scenario_run(s,
                     "render @ --size 110x60 --filter kind:kernel --keys 'V Down Enter q Enter'"),
        0);
    assert_non_null(strstr(scenario_output(s), "rank 1 of 2"));
    assert_null(strstr(scenario_output(s), "bus bandwidth"));
}

/* The Details pane decodes the payload, with the word of the reduction. */
SCENARIO(test_details)
{
    struct scenario *s = *state;
    int64_t thread[2];

    add_ranks(s, thread, 2, 2);
    nccl_call(s, thread[0], "ncclAllReduce", NCCL_REDUCE, 0xabcdef0123456789, 1048576, 0, MS(1),
              MS(1.1));
    add_kernel(s, thread[0], 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", MS(1.02), MS(2),
               US(100));
    assert_int_equal(scenario_run(s, "render @ --size 110x60 --filter 'kind:nvtx "
                                     "name:ncclAllReduce' --keys 'V Enter q Enter'"),
                     0);
    assert_non_null(strstr(scenario_output(s), "0xabcdef0123456789"));
    assert_non_null(strstr(scenario_output(s), "1.0 MiB (1048576)"));
    assert_non_null(strstr(scenario_output(s), "Sum (0)"));
}
