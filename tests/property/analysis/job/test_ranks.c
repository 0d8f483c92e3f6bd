/*
 * Property tests of a job's ranks: known delays of collectives are found, known errors of clocks
 * are corrected, and stages equal plain medians.
 */
#include "nsyscope/cover.h"

#include "analysis/job/late.h"
#include "analysis/job/rank_sheets.h"
#include "core/sort.h"
#include "support/build_trace.h"
#include "support/cm.h"
#include "support/dice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 4, MAX_INSTANCES = 20, ROUNDS = 150 };

/* The random truth: which rank each collective waited for, and how long. */
struct job {
    struct dice dice;
    struct nsc_test_row rows[3 * MAX_RANKS * MAX_INSTANCES];
    uint32_t n, n_ranks, n_instances;
    nsc_time waited[MAX_RANKS], kept[MAX_RANKS], transfer;
    uint32_t last[MAX_RANKS];
    nsc_time
        skew; /* rank 1 has a separate export whose clock is ahead by this; 0: the same export */
    struct nsc_trace *trace;
};

static void add_kernel(struct job *job, uint32_t rank, const char *name, nsc_time start,
                       nsc_time end)
{
    nsc_time skew = rank == 1 ? job->skew : 0;

    job->rows[job->n++] = (struct nsc_test_row){.kind = NSC_KIND_KERNEL,
                                                .process = 10 + rank,
                                                .device = (int64_t)rank,
                                                .stream = 7,
                                                .name = name,
                                                .start = start + skew,
                                                .end = end + skew,
                                                .capture_no = rank == 1 && skew};
}

/* How much later than the lower median of the others each rank starts: 0 unless it is more than 2 us. */
static void find_lateness(nsc_time late[], const nsc_time start[], uint32_t n)
{
    for (uint32_t rank = 0; rank < n; rank++) {
        nsc_time others[MAX_RANKS];
        uint32_t count = 0;

        for (uint32_t other = 0; other < n; other++)
            if (other != rank)
                others[count++] = start[other];
        qsort(others, count, sizeof *others, nsc_time_compare);
        late[rank] = start[rank] - others[(count - 1) / 2];
        late[rank] = late[rank] > 2000 ? late[rank] : 0;
    }
}

/* All end together; each starts at a different time. */
static nsc_time roll_instance(struct job *job, nsc_time at)
{
    nsc_time transfer = 1000 * (10 + (nsc_time)dice_below(&job->dice, 50));
    nsc_time start[MAX_RANKS];
    nsc_time late[MAX_RANKS];
    nsc_time latest = INT64_MIN;

    for (uint32_t rank = 0; rank < job->n_ranks; rank++) {
        start[rank] = at + 500 * (nsc_time)dice_below(&job->dice, 40);
        latest = start[rank] > latest ? start[rank] : latest;
    }
    find_lateness(late, start, job->n_ranks);
    for (uint32_t rank = 0; rank < job->n_ranks; rank++) {
        add_kernel(job, rank, "ncclDevKernel_AllReduce", start[rank], latest + transfer);
        job->waited[rank] += latest - start[rank];
        job->kept[rank] += late[rank];
        job->last[rank] += late[rank] > 0;
    }
    job->transfer += transfer;
    return latest + transfer;
}

static void roll_job(struct job *job)
{
    nsc_time at = 0;

    memset(job->waited, 0, sizeof job->waited);
    memset(job->kept, 0, sizeof job->kept);
    memset(job->last, 0, sizeof job->last);
    job->n = 0;
    job->transfer = 0;
    job->n_ranks = job->skew ? 2 : 2 + (uint32_t)dice_below(&job->dice, MAX_RANKS - 1);
    job->n_instances = 1 + (uint32_t)dice_below(&job->dice, MAX_INSTANCES);
    for (uint32_t i = 0; i < job->n_instances; i++) {
        at = roll_instance(job, at) + 5;
        for (uint32_t rank = 0; rank < job->n_ranks; rank++)
            add_kernel(job, rank, "gemm", at, at + 10);
        at += 20;
    }
    add_kernel(job, 0, "ncclDevKernel_Broadcast", at + 100, at + 110); /* nobody else has it */
    job->trace = nsc_test_trace_build(job->rows, job->n);
}

struct found {
    struct nsc_rank_ops ops;
    struct nsc_fleet fleet;
    struct nsc_judged judged;
    const struct nsc_late_figures *ranks;
};

static void build(struct found *found, const struct nsc_trace *trace)
{
    struct nsc_scope scope = nsc_scope_all(trace);

    nsc_rank_ops_init(&found->ops);
    nsc_rank_ops_add(&found->ops, &scope, NULL, NULL);
    nsc_fleet_init(&found->fleet);
    nsc_fleet_add_ops(&found->fleet, &found->ops);
    nsc_judge(&found->judged, &found->fleet);
    found->ranks = found->judged.verdicts.ranks;
}

static void free_found(struct found *found)
{
    nsc_judged_fini(&found->judged);
    nsc_fleet_fini(&found->fleet);
    nsc_rank_ops_fini(&found->ops);
}

/* Two exports, one clock ahead by less than a collective: the same figures, and the skew. */
TEST(test_a_wrong_clock_is_put_right)
{
    struct job job = {.dice = dice_new(103)};

    for (int round = 0; round < ROUNDS; round++) {
        struct found found;

        job.skew = 2 + 2 * (nsc_time)dice_below(&job.dice, 4);
        roll_job(&job);
        build(&found, job.trace);
        assert_int_equal(found.ops.exports.n, 2);
        assert_int_equal(found.judged.meetings.clocks[1].of.from -
                             found.judged.meetings.clocks[1].of.to,
                         job.skew);
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t rank = found.fleet.ranks.at[i].export_no;

            assert_int_equal(found.judged.meetings.clocks[i].of.residual, 0);
            assert_int_equal(found.ranks[i].waited, job.waited[rank]);
            assert_int_equal(found.ranks[i].kept, job.kept[rank]);
            assert_int_equal(found.ranks[i].last, job.last[rank]);
        }
        free_found(&found);
        nsc_trace_free(job.trace);
    }
}

static uint32_t count_unmatched(const struct found *found)
{
    uint32_t n = 0;

    for (size_t i = 0; i < found->ops.ops.n; i++)
        n += !found->judged.meetings.is_matched[i];
    return n;
}

TEST(test_known_delays_are_found)
{
    struct job job = {.dice = dice_new(101)};

    for (int round = 0; round < ROUNDS; round++) {
        struct found found;
        const struct nsc_meeting *meeting;

        roll_job(&job);
        build(&found, job.trace);
        assert_int_equal(found.fleet.ranks.n, job.n_ranks);
        for (uint32_t rank = 0; rank < job.n_ranks; rank++) {
            assert_int_equal(found.ranks[rank].matched, job.n_instances);
            assert_int_equal(found.ranks[rank].waited, job.waited[rank]);
            assert_int_equal(found.ranks[rank].kept, job.kept[rank]);
            assert_int_equal(found.ranks[rank].last, job.last[rank]);
            assert_int_equal(found.ranks[rank].transfer, job.transfer);
        }
        meeting = &found.judged.meetings.list.at[0];
        assert_int_equal(found.judged.meetings.list.n, 1);
        assert_int_equal(meeting->n_ranks, job.n_ranks);
        assert_int_equal(meeting->n, job.n_instances);
        assert_int_equal(count_unmatched(&found), 1);
        assert_int_equal(found.ops.exports.n, 1);
        free_found(&found);
        nsc_trace_free(job.trace);
    }
}

static void check_work(const struct nsc_trace *trace, uint32_t device, nsc_time to,
                       const struct nsc_rank_work *work)
{
    const struct nsc_device_covers *covers = nsc_trace_device_covers(trace, device);
    const struct nsc_cover *copies = covers->work[NSC_OP_HTOD];
    const struct nsc_cover *compute = covers->work[NSC_OP_COMPUTE];
    struct nsc_window window = {nsc_trace_extent(trace).t0, to};

    if (window.t1 < window.t0)
        window.t1 = window.t0;
    assert_int_equal(work->busy, nsc_cover_measure(covers->busy, window));
    assert_int_equal(work->compute, compute ? nsc_cover_measure(compute, window) : 0);
    if (!copies || !compute) {
        assert_int_equal(work->copy, copies ? nsc_cover_measure(copies, window) : 0);
    } else {
        struct nsc_cover *hidden = nsc_cover_intersect(copies, compute);

        assert_int_equal(work->copy,
                         nsc_cover_measure(copies, window) - nsc_cover_measure(hidden, window));
        nsc_cover_free(hidden);
    }
}

/* The work before and after each op is that of its device from the start of the extent on, also if
 * events begin before it and ops of a stream overlap. */
TEST(test_work_counts_from_the_extent_on)
{
    static const char *const names[] = {"ncclDevKernel_AllReduce", "gemm", "copy"};
    struct job job = {.dice = dice_new(105)};

    for (int round = 0; round < ROUNDS; round++) {
        struct found found;

        job.n = 0;
        for (int i = 0; i < MAX_RANKS * MAX_INSTANCES; i++) {
            uint64_t what = dice_below(&job.dice, 3);
            nsc_time start = 10 + (nsc_time)dice_below(&job.dice, 600);

            add_kernel(&job, (uint32_t)dice_below(&job.dice, 2), names[what], start,
                       start + 20 + (nsc_time)dice_below(&job.dice, 50));
            if (what == 2)
                job.rows[job.n - 1].kind = NSC_KIND_COPY_HTOD;
            job.rows[job.n - 1].end += start < 50 ? 50 : 0; /* reaches the window */
        }
        job.trace = nsc_test_trace_build_trimmed(job.rows, job.n, (struct nsc_window){50, 610});
        build(&found, job.trace);
        for (size_t i = 0; i < found.ops.all_series.n; i++)
            for (uint32_t k = 0; k < found.ops.all_series.at[i].n; k++) {
                const struct nsc_rank_op *op =
                    &found.ops.ops.at[found.ops.all_series.at[i].first + k];
                uint32_t device = found.ops.ranks.at[found.ops.all_series.at[i].rank].track;

                check_work(job.trace, device, op->start, &op->before);
                check_work(job.trace, device, op->end, &op->after);
            }
        free_found(&found);
        nsc_trace_free(job.trace);
    }
}

/* Times at both limits of a file: figures saturate there. */
TEST(test_the_ends_of_time)
{
    struct job job = {.dice = dice_new(104)};
    struct found found;

    for (int i = 0; i < 5; i++)
        for (uint32_t rank = 0; rank < 2; rank++)
            add_kernel(&job, rank, "ncclDevKernel_AllReduce", INT64_MIN + 100 * i + 1,
                       INT64_MIN + 100 * i + 50);
    for (uint32_t rank = 0; rank < 2; rank++)
        add_kernel(&job, rank, "ncclDevKernel_AllReduce", rank ? INT64_MAX - 20 : INT64_MIN + 1000,
                   INT64_MAX - 10);
    job.trace = nsc_test_trace_build(job.rows, job.n);
    build(&found, job.trace);
    assert_int_equal(found.judged.meetings.list.n, 1);
    assert_in_range(found.judged.meetings.list.at[0].n, 5, 6);
    assert_int_equal(found.judged.verdicts.list.n, 0);
    free_found(&found);
    nsc_trace_free(job.trace);
}

/* ---- stages ---- */

static nsc_time plain_median(const struct nsc_test_row rows[], uint32_t n, uint64_t process,
                             const char *stage)
{
    nsc_time times[64];
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++)
        if (rows[i].process == process && strncmp(rows[i].name, stage, strlen(stage)) == 0)
            times[count++] = rows[i].end - rows[i].start;
    qsort(times, count, sizeof *times, nsc_time_compare);
    return count ? times[(count - 1) / 2] : -1;
}

static void check_stage(const struct nsc_rank_stages *stages, const struct nsc_rank_stage *stage,
                        const struct nsc_test_row rows[], uint32_t n, const char *name)
{
    nsc_time medians[8];
    uint32_t with = 0;

    assert_in_range(stages->process.n, 1, 8);
    for (uint32_t rank = 0; rank < stages->process.n; rank++) {
        nsc_time median = plain_median(rows, n, stages->process.at[rank], name);

        assert_int_equal(stage->of_rank[rank], median);
        if (median >= 0) {
            medians[with++] = median;
            assert_true(stage->of_rank[stage->slowest] >= median);
            assert_true(stage->of_rank[stage->fastest] <= median);
        }
    }
    assert_int_equal(stage->n_ranks, with);
    qsort(medians, with, sizeof *medians, nsc_time_compare);
    assert_int_equal(stage->median, medians[(with - 1) / 2]);
}

TEST(test_stages_are_medians_by_rank)
{
    struct dice dice = dice_new(102);

    for (int round = 0; round < ROUNDS; round++) {
        struct nsc_test_row rows[64];
        char texts[64][24];
        struct nsc_rank_stages stages;
        struct nsc_trace *trace = NULL;
        struct nsc_scope scope;
        uint32_t n = 1 + (uint32_t)dice_below(&dice, 64);
        nsc_time at = 0;

        for (uint32_t i = 0; i < n; i++) {
            nsc_time length = (nsc_time)dice_below(&dice, 9);

            (void)snprintf(texts[i], sizeof texts[i],
                           dice_below(&dice, 2) ? "forward %u" : "backward %u",
                           (unsigned)dice_below(&dice, 50));
            rows[i] = (struct nsc_test_row){.kind = NSC_KIND_NVTX_RANGE,
                                            .process = 1 + dice_below(&dice, 3),
                                            .tid = 1,
                                            .name = texts[i],
                                            .start = at,
                                            .end = at + length};
            at += length + 1;
        }
        trace = nsc_test_trace_build(rows, n);
        scope = nsc_scope_all(trace);
        nsc_rank_stages_init(&stages);
        nsc_rank_stages_add(&stages, &scope);
        nsc_rank_stages_measure(&stages);
        assert_in_range(stages.n, 1, 2);
        for (uint32_t i = 0; i < stages.n; i++) {
            struct nsc_text text = nsc_strpool_text(&stages.pool, stages.list[i].name);

            check_stage(&stages, &stages.list[i], rows, n,
                        text.bytes[0] == 'f' ? "forward" : "backward");
        }
        nsc_rank_stages_fini(&stages);
        nsc_trace_free(trace);
    }
}
