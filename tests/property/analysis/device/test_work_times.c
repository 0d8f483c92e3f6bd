/* Property tests of the times of classes of work: each figure equals a count by ns. */
#include "analysis/device/work_times.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <string.h>

enum { MAX_ROWS = 60, ROUNDS = 300, END = 140 };

static const char *const kernels[] = {"gemm",
                                      "ncclDevKernel_AllGather_RING",
                                      "ncclDevKernel_ReduceScatter",
                                      "ncclKernel_AllReduce",
                                      "ncclDevKernel_SendRecv",
                                      "ncclReduce",
                                      "nccl_all_to_all",
                                      "ncclOther",
                                      "softmax"};
static const enum nsc_op_kind classes[] = {
    NSC_OP_KIND_COMPUTE,
    NSC_OP_KIND_COMM + NSC_COLLECTIVE_ALLGATHER,
    NSC_OP_KIND_COMM + NSC_COLLECTIVE_REDUCESCATTER,
    NSC_OP_KIND_COMM + NSC_COLLECTIVE_ALLREDUCE,
    NSC_OP_KIND_COMM + NSC_COLLECTIVE_SENDRECV,
    NSC_OP_KIND_COMM + NSC_COLLECTIVE_REDUCE,
    NSC_OP_KIND_COMM + NSC_COLLECTIVE_ALLTOALL,
    NSC_OP_KIND_COMM + NSC_COLLECTIVE_OTHER,
    NSC_OP_KIND_COMPUTE,
};

/* A row and the class it should be of. */
static enum nsc_op_kind roll_row(struct nsc_test_row *row, struct dice *dice)
{
    static const uint8_t kinds[] = {NSC_KIND_COPY_HTOD, NSC_KIND_COPY_DTOD, NSC_KIND_MEMSET,
                                    NSC_KIND_GRAPH};
    static const enum nsc_op_kind of_kind[] = {NSC_OP_KIND_HTOD, NSC_OP_KIND_DTOD,
                                               NSC_OP_KIND_MEMSET, NSC_OP_KIND_COMPUTE};
    uint64_t other = dice_below(dice, 12);
    uint64_t kernel = dice_below(dice, sizeof kernels / sizeof *kernels);

    *row = (struct nsc_test_row){.kind = other < 4 ? kinds[other] : NSC_KIND_KERNEL,
                                 .process = 1 + dice_below(dice, 2),
                                 .device = (int64_t)dice_below(dice, 2),
                                 .stream = (int64_t)dice_below(dice, 3),
                                 .name = other < 4 ? NULL : kernels[kernel],
                                 .start = (nsc_time)dice_below(dice, 100)};
    row->end = row->start + (nsc_time)dice_below(dice, 15);
    return other < 4 ? of_kind[other] : classes[kernel];
}

/* Which classes run in each ns, a bit each. */
struct naive {
    uint32_t at[END];
    struct nsc_op_kind_sum of[NSC_N_OP_KINDS];
    nsc_time first, last; /* of kernels, clipped */
    bool has_kernels;
};

static void mark(struct naive *naive, const struct nsc_test_row *row, enum nsc_op_kind class,
                 struct nsc_window w)
{
    nsc_time start = row->start > w.t0 ? row->start : w.t0;
    nsc_time end = row->end < w.t1 ? row->end : w.t1;
    struct nsc_op_kind_sum *of = &naive->of[class];

    if (row->start >= w.t1 || (row->end > row->start ? row->end : row->start + 1) <= w.t0)
        return;
    end = end < start ? start : end;
    for (nsc_time t = start; t < end; t++)
        naive->at[t] |= 1u << class;
    of->count++;
    of->work += row->end - row->start;
    if (class >= NSC_OP_KIND_HTOD)
        return;
    naive->first = !naive->has_kernels || start < naive->first ? start : naive->first;
    naive->last = !naive->has_kernels || end > naive->last ? end : naive->last;
    naive->has_kernels = true;
}

static nsc_time count_ns(const struct naive *naive, uint32_t any, nsc_time from, nsc_time to)
{
    nsc_time n = 0;

    for (nsc_time t = from; t < to; t++)
        n += (naive->at[t] & any) != 0;
    return n;
}

static void check(const struct nsc_work_times *times, const struct naive *naive)
{
    uint32_t comm = 0;
    uint32_t all = (1u << NSC_N_OP_KINDS) - 1;

    for (unsigned i = 0; i < NSC_N_COLLECTIVES; i++)
        comm |= 1u << (NSC_OP_KIND_COMM + i);
    for (unsigned a = 0; a < NSC_N_OP_KINDS; a++) {
        assert_int_equal(times->of[a].count, naive->of[a].count);
        assert_int_equal(times->of[a].work, naive->of[a].work);
        for (unsigned b = 0; b < NSC_N_OP_KINDS; b++)
            assert_int_equal(times->both[a][b], count_ns(naive, 1u << a, 0, END) +
                                                    count_ns(naive, 1u << b, 0, END) -
                                                    count_ns(naive, 1u << a | 1u << b, 0, END));
    }
    assert_int_equal(times->comm, count_ns(naive, comm, 0, END));
    assert_int_equal(times->kernels, count_ns(naive, comm | 1u, 0, END));
    assert_int_equal(times->busy, count_ns(naive, all, 0, END));
    assert_int_equal(times->has_kernels, naive->has_kernels);
    if (!naive->has_kernels)
        return;
    assert_int_equal(times->span.t0, naive->first);
    assert_int_equal(times->span.t1, naive->last);
    assert_int_equal(times->busy_in_span, count_ns(naive, all, naive->first, naive->last));
}

static void check_devices(const struct nsc_scope *scope, const struct nsc_test_row rows[],
                          const enum nsc_op_kind class[], uint32_t n)
{
    uint32_t n_tracks = 0;
    const struct nsc_track *tracks = nsc_trace_tracks(scope->trace, &n_tracks);

    for (uint32_t t = 0; t < n_tracks; t++) {
        struct nsc_work_times times;
        struct naive naive = {0};

        if (tracks[t].kind != NSC_TRACK_DEVICE)
            continue;
        for (uint32_t i = 0; i < n; i++)
            if (rows[i].device == tracks[t].device)
                mark(&naive, &rows[i], class[i], scope -> window);
        nsc_work_times_build(&times, scope, t);
        check(&times, &naive);
    }
}

TEST(test_times_are_what_each_ns_says)
{
    struct dice dice = dice_new(73);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_test_row rows[MAX_ROWS];
        enum nsc_op_kind class[MAX_ROWS];
        uint32_t n = 1 + (uint32_t)dice_below(&dice, MAX_ROWS);
        struct nsc_trace *trace;
        struct nsc_scope scope;

        for (uint32_t i = 0; i < n; i++)
            class[i] = roll_row(&rows[i], &dice);
        trace = nsc_test_trace_build(rows, n);
        scope = nsc_scope_all(trace);
        check_devices(&scope, rows, class, n);
        scope.has_window = true;
        scope.window.t0 = (nsc_time)dice_below(&dice, 110);
        scope.window.t1 = scope.window.t0 + 1 + (nsc_time)dice_below(&dice, 20);
        check_devices(&scope, rows, class, n);
        nsc_trace_free(trace);
    }
}
