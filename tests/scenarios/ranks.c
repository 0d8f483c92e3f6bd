/*
 * Ranks: who is late, who waits, on clocks that differ.
 *
 * A job is simulated: each rank computes and then meets others in a collective, which ends for all
 * at once, some time after the last has come. Steps vary as training steps do.
 */
#include "scenarios/loop.h"
#include "scenarios/nccl.h"

#include <stdio.h>
#include <string.h>

enum { MAX_RANKS = 8 };
#define ALLREDUCE "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
#define SENDRECV  "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"
#define GEMM      "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn"

struct job {
    struct scenario *s[MAX_RANKS]; /* an export a rank; or all the same */
    int64_t thread[MAX_RANKS];
    int64_t ahead[MAX_RANKS];     /* ns: of its clock */
    double drift[MAX_RANKS];      /* ppm */
    int64_t now[MAX_RANKS];       /* ns on the true clock: the rank's GPU has finished everything so
                                   * far */
    int64_t end_later[MAX_RANKS]; /* ns: its kernels end later than those of the first */
    int skip[MAX_RANKS];          /* collectives that its recording misses at the beginning */
    uint64_t dice;
    int n;
    bool in_one;       /* export */
    uint64_t comm;     /* of the following collectives: their calls have payloads; 0: none */
    const char *range; /* around their launches; NULL: none */
};

/* 0 to most - 1. */
static int64_t roll(struct job *job, int64_t most)
{
    job->dice = job->dice * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((job->dice >> 33) % (uint64_t)most);
}

static void job_open(struct job *job, struct scenario *s, int n, bool in_one)
{
    memset(job, 0, sizeof *job);
    job->dice = 7;
    job->n = n;
    job->in_one = in_one;
    for (int r = 0; r < n; r++) {
        job->s[r] = in_one || r == 0 ? s : scenario_new();
        if (job->s[r] != s)
            scenario_add(s, job->s[r]);
        job->thread[r] = scenario_thread(job->s[r], 4100 + r, 4100 + r, "python");
        scenario_gpu(job->s[r], in_one ? r : 0, "NVIDIA H100 80GB HBM3");
        job->now[r] = MS(5);
    }
}

static void job_close(struct job *job)
{
    for (int r = 1; r < job->n && !job->in_one; r++)
        scenario_free(job->s[r]);
}

static int64_t clock_of(const struct job *job, int r, int64_t t)
{
    return t + job->ahead[r] + (int64_t)((double)t * job->drift[r] / 1e6);
}

static void add_kernel(struct job *job, int r, int stream, const char *name, int64_t start,
                       int64_t end)
{
    if (job->comm && stream != 7)
        nccl_call(job->s[r], job->thread[r], "ncclAllReduce", NCCL_REDUCE, job->comm, 1 << 20, 0,
                  clock_of(job, r, start - US(21)), clock_of(job, r, start - US(10)));
    if (job->range && stream != 7)
        scenario_range(job->s[r], job->thread[r], job->range, clock_of(job, r, start - US(22)),
                       clock_of(job, r, start - US(9)));
    scenario_launch(job->s[r], job->thread[r], clock_of(job, r, start - US(20)),
                    job->in_one ? r : 0, stream, name, clock_of(job, r, start),
                    clock_of(job, r, end));
}

/* A rank computes for about ns, give or take 100 us. */
static void compute(struct job *job, int r, int64_t ns)
{
    int64_t end = job->now[r] + ns + roll(job, US(200)) - US(100);

    add_kernel(job, r, 7, GEMM, job->now[r], end);
    job->now[r] = end;
}

/* The ranks of the mask meet; the collective takes ns after the last has come. */
static void meet(struct job *job, unsigned mask, int stream, const char *name, int64_t ns)
{
    int64_t end = 0;

    for (int r = 0; r < job->n; r++)
        if (mask >> r & 1 && job->now[r] > end)
            end = job->now[r];
    end += ns + roll(job, US(20));
    for (int r = 0; r < job->n; r++)
        if (mask >> r & 1) {
            int64_t mine = end + job->end_later[r] + roll(job, US(3));

            if (job->skip[r]-- <= 0)
                add_kernel(job, r, stream, name, job->now[r] + US(4), mine);
            job->now[r] = mine + US(5);
        }
}

static void ask(struct job *job, const char *options)
{
    char line[256];
    int at = snprintf(line, sizeof line, "ranks %s @", options);

    for (int r = 1; r < job->n && !job->in_one; r++)
        at += snprintf(line + at, sizeof line - (size_t)at, " @%d", r + 1);
    scenario_ask(job->s[0], line);
}

/* ---- one group ---- */

/* Data parallel, four exports: rank 3 computes 2 ms longer in each of 40 steps; its collectives are
 * the shortest. */
SCENARIO(test_the_late_rank_is_named)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(10) + (r == 3 ? MS(2) : 0));
        meet(&job, 15, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 3);
    assert_true(scenario_int(s, "late", NULL, "last") >= 39);
    assert_string_equal(scenario_text(s, "late", NULL, "cause"), "compute");
    assert_int_equal(scenario_count(s, "collectives", NULL), 1);
    assert_int_equal(scenario_int(s, "collectives", NULL, "instances"), 40);
    job_close(&job);
}

/* The same without a slow rank: each is sometimes last, none is late. */
SCENARIO(test_jitter_names_nobody)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(10));
        meet(&job, 15, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    assert_int_equal(scenario_int(s, "collectives", NULL, "instances"), 40);
    job_close(&job);
}

/* Clocks 5 ms apart and collectives of 2 ms: all are matched nevertheless, and rank 3 is late. */
SCENARIO(test_clocks_apart)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    for (int r = 1; r < 4; r++)
        job.ahead[r] = MS(5) * (r % 2 ? r : -r);
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(10) + (r == 3 ? MS(1) : 0));
        meet(&job, 15, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "--align start");
    assert_int_equal(scenario_int(s, "collectives", NULL, "instances"), 40);
    assert_int_equal(scenario_int(s, "collectives", NULL, "ranks"), 4);
    assert_int_equal(scenario_sum(s, "ranks", NULL, "matched"), 160);
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 3);
    job_close(&job);
}

/* A ring of four on one stream: each rank meets one neighbour, then the other. One computes a quarter
 * longer. */
static void ring(struct job *job, struct scenario *s, int slow)
{
    static const unsigned pairs[] = {0x3, 0xc, 0x6, 0x9};

    job_open(job, s, 4, false);
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 4; r++)
            compute(job, r, r == slow ? MS(3.75) : MS(3));
        for (int k = 0; k < 4; k++)
            meet(job, pairs[k], 20, SENDRECV, US(60));
    }
    ask(job, "--align start");
}

/* Sends tell nothing about clocks: nobody is named, and no drift. */
SCENARIO(test_a_ring_names_nobody)
{
    struct job job;

    ring(&job, *state, 2);
    assert_int_equal(scenario_count(*state, "clocks", "drift_ppm <> 0"), 0);
    assert_int_equal(scenario_count(*state, "late", NULL), 0);
    job_close(&job);
}

/* A clock that runs 40 ppm fast gains 0.4 ms in the 10 s: no rank is late. */
SCENARIO(test_drift_is_no_lateness)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, false);
    job.ahead[1] = MS(12);
    job.drift[1] = 40;
    for (int step = 0; step < 100; step++) {
        for (int r = 0; r < 2; r++)
            compute(&job, r, MS(97));
        meet(&job, 3, 20, ALLREDUCE, MS(3));
    }
    ask(&job, "--align start");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    assert_true(scenario_real(s, "clocks", "drift_ppm <> 0", "drift_ppm") > 35);
    assert_true(scenario_real(s, "clocks", "drift_ppm <> 0", "drift_ppm") < 45);
    assert_true(scenario_int(s, "clocks", "drift_ppm <> 0", "residual_p75_ns") < US(5));
    job_close(&job);
}

/* All ranks come at once and wait for the link: none is late. */
SCENARIO(test_a_slow_link_names_nobody)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(10));
        meet(&job, 15, 20, ALLREDUCE, MS(30));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    assert_int_equal(scenario_int(s, "collectives", NULL, "instances"), 40);
}

/* Ranks 1 and 5 of 8 are late in turn: both are named. */
SCENARIO(test_two_in_turn)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 8, true);
    for (int step = 0; step < 60; step++) {
        for (int r = 0; r < 8; r++)
            compute(&job, r, MS(10) + (r == (step % 2 ? 1 : 5) ? MS(2) : 0));
        meet(&job, 255, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 2);
    assert_int_equal(scenario_count(s, "late", "rank = 1"), 1);
    assert_int_equal(scenario_count(s, "late", "rank = 5"), 1);
}

/* Ranks from `first` on compute 3 ms longer than the 10 of the others in each of 12 steps. Whether the answer
 * has the words. */
static bool late_from(struct scenario *s, int first, const char *words)
{
    struct job job;

    job_open(&job, s, 8, true);
    for (int step = 0; step < 12; step++) {
        for (int r = 0; r < 8; r++)
            compute(&job, r, MS(10) + (r >= first ? MS(3) : 0));
        meet(&job, 255, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    return strstr(scenario_output(s), words);
}

/* Truth: half of the ranks are late together, so they are one verdict. */
SCENARIO(test_half_is_late)
{
    assert_true(late_from(*state, 4, "ranks 4 to 7 of 8: late in 12 of 12 steps"));
}

SCENARIO(test_three_of_eight_are_late)
{
    assert_true(late_from(*state, 5, "ranks 5 to 7 of 8: late in 12 of 12 steps"));
}

/* The near miss: all are. */
SCENARIO(test_all_are_late)
{
    assert_true(late_from(*state, 0, "No rank is shown to hold the others up"));
}

/* n steps of a job in which rank `of[step % m]` is late. How many ranks are called late. */
static int late_in_turn(struct scenario *s, int ranks, int n, const int of[], int m)
{
    struct job job;

    job_open(&job, s, ranks, true);
    for (int step = 0; step < n; step++) {
        for (int r = 0; r < ranks; r++)
            compute(&job, r, MS(10) + (r == of[step % m] ? MS(2) : 0));
        meet(&job, (1u << ranks) - 1, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    return scenario_count(s, "late", NULL);
}

/* The same among a few ranks: 0 and 3 of 4. In 48 steps each shows, in 22 only both together. */
SCENARIO(test_two_of_four_in_turn)
{
    assert_int_equal(late_in_turn(*state, 4, 48, (const int[]){0, 3}, 2), 2);
    assert_int_equal(scenario_count(*state, "late", "rank IN (0, 3)"), 2);
}

SCENARIO(test_two_of_four_in_few_turns)
{
    assert_int_equal(late_in_turn(*state, 4, 22, (const int[]){0, 3}, 2), 2);
    assert_int_equal(scenario_count(*state, "late", "rank IN (0, 3)"), 2);
}

SCENARIO(test_three_of_eight_in_turn)
{
    assert_int_equal(late_in_turn(*state, 8, 24, (const int[]){1, 4, 6}, 3), 3);
    assert_int_equal(scenario_count(*state, "late", "rank IN (1, 4, 6)"), 3);
}

/* The near misses: in so few steps chance may do it, as when who is late is drawn by lot. */
SCENARIO(test_two_of_four_in_ten_steps)
{
    assert_int_equal(late_in_turn(*state, 4, 10, (const int[]){0, 3}, 2), 0);
}

SCENARIO(test_late_by_lot)
{
    static const int lots[] = {0, 2, 0, 0, 2, 1, 2, 0, 2, 3, 0, 2, 2, 0, 1, 2, 0, 3, 0, 2, 0, 1};

    assert_int_equal(late_in_turn(*state, 4, 22, lots, 22), 0);
}

/* The near misses: each of four in turn, and three of four. */
SCENARIO(test_each_of_four_in_turn)
{
    assert_int_equal(late_in_turn(*state, 4, 40, (const int[]){0, 2, 1, 3}, 4), 0);
}

SCENARIO(test_three_of_four_in_turn)
{
    assert_int_equal(late_in_turn(*state, 4, 48, (const int[]){0, 2, 1}, 3), 0);
}

/* Of four ranks the exports of 0 and 1 are there; 3, which is late, is not: both wait for it. */
SCENARIO(test_a_missing_rank_names_nobody)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, false);
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 2; r++)
            compute(&job, r, MS(10));
        meet(&job, 3, 20, ALLREDUCE, MS(2) + MS(4) + roll(&job, MS(1)));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    assert_int_equal(scenario_int(s, "collectives", NULL, "instances"), 40);
    job_close(&job);
}

/* Truth: two ranks are late for reasons of their own, and each has its verdict. */
SCENARIO(test_two_causes)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    for (int step = 0; step < 40; step++) {
        job.now[3] += MS(2);
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(10) + (r == 1 ? MS(2) : 0));
        meet(&job, 15, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_string_equal(scenario_text(s, "late", "root and rank = 1", "cause"), "compute");
    assert_true(strncmp(scenario_text(s, "late", "root and rank = 3", "cause"), "CPU", 3) == 0);
    assert_int_equal(scenario_count(s, "late", NULL), 2);
    job_close(&job);
}

/* Truth: the clocks differ by 7 ms, and a recording misses the first five steps; rank 1 is slow. */
SCENARIO(test_one_began_later_on_another_clock)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    job.skip[2] = 5;
    for (int r = 0; r < 4; r++)
        job.ahead[r] = MS(7) * r;
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(10) + (r == 1 ? MS(2) : 0));
        meet(&job, 15, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 1);
    assert_int_equal(scenario_count(s, "late", "root and rank <> 1"), 0);
    job_close(&job);
}

/* Four collectives are too few to say that a rank is usually last. */
SCENARIO(test_too_few)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    for (int step = 0; step < 3; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(10) + (r == 2 ? MS(2) : 0));
        meet(&job, 15, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
}

/* Eight ranks on two nodes, whose kernels end 9 us apart: one group, and rank 6 is late. */
SCENARIO(test_two_nodes)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 8, false);
    for (int r = 4; r < 8; r++)
        job.end_later[r] = US(6);
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 8; r++)
            compute(&job, r, MS(10) + (r == 6 ? MS(1) : 0));
        meet(&job, 255, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_int(s, "collectives", NULL, "ranks"), 8);
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 6);
    job_close(&job);
}

/* The recording of rank 1 misses the first three collectives. */
SCENARIO(test_a_recording_that_began_later)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, true);
    job.skip[1] = 3;
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 2; r++)
            compute(&job, r, MS(10) + (r == 1 ? MS(1) : 0));
        meet(&job, 3, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_int(s, "collectives", NULL, "instances"), 37);
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 1);
}

/* Ranks 2 and 3 are on a slow node: both are late together, and both are named. */
SCENARIO(test_two_at_once)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 8, true);
    for (int step = 0; step < 100; step++) {
        for (int r = 0; r < 8; r++)
            compute(&job, r, MS(10) + (r == 2 || r == 3 ? MS(2) : 0));
        meet(&job, 255, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 2);
    assert_int_equal(scenario_count(s, "late", "rank IN (2, 3)"), 2);
}

/* Rank 1 always comes 20 us late in steps of 12 ms: true, but too little to matter. */
SCENARIO(test_a_trifle_names_nobody)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, true);
    for (int step = 0; step < 60; step++) {
        int64_t end;

        compute(&job, 0, MS(10));
        end = job.now[0] + US(20);
        add_kernel(&job, 1, 7, GEMM, job.now[1], end);
        job.now[1] = end;
        meet(&job, 3, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
}

/* One process drives two GPUs: they are ranks too, distinguished by their GPU. */
SCENARIO(test_two_gpus_of_a_process)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, true);
    job.thread[1] = job.thread[0];
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 2; r++)
            compute(&job, r, MS(10) + (r == 1 ? MS(2) : 0));
        meet(&job, 3, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "gpu"), 1);
    scenario_ask(s, "report --json @");
    assert_string_equal(scenario_text(s, "nccl_ops", "op = 'allreduce'", "straggler"),
                        "pid:4100,gpu:1");
}

/* ---- causes ---- */

/* Rank 2 copies 3 ms before each collective. */
SCENARIO(test_late_by_copies)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(10));
        int64_t at = clock_of(&job, 2, job.now[2]);
        int64_t call = scenario_call(job.s[2], job.thread[2], "cudaMemcpyAsync_v3020", at - US(30),
                                     at - US(20));

        scenario_copy(job.s[2], call, 0, 7, HOST_TO_DEVICE, false, 64 << 20, at, at + MS(3));
        job.now[2] += MS(3);
        meet(&job, 15, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 2);
    assert_string_equal(scenario_text(s, "late", NULL, "cause"), "copies");
    job_close(&job);
}

/* Rank 0 loads data for 4 ms before each step, while its GPU is idle. */
SCENARIO(test_late_by_cpu)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    for (int step = 0; step < 40; step++) {
        job.now[0] += MS(4);
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(10));
        meet(&job, 15, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 0);
    assert_true(strncmp(scenario_text(s, "late", NULL, "cause"), "CPU", 3) == 0);
    job_close(&job);
}

/* ---- groups ---- */

/* Tensor parallel {0,1} and {2,3}, four times per step; data parallel {0,2} and {1,3}, once per
 * step. slow: a rank that computes longer; -1: none. One stream for both, or one each. */
static void run_groups(struct job *job, int slow, int tp_stream, int dp_stream)
{
    for (int step = 0; step < 30; step++) {
        for (int layer = 0; layer < 4; layer++) {
            for (int r = 0; r < 4; r++)
                compute(job, r, MS(2) + (r == slow ? MS(0.6) : 0));
            meet(job, 3, tp_stream, ALLREDUCE, US(300));
            meet(job, 12, tp_stream, ALLREDUCE, US(300));
        }
        for (int r = 0; r < 4; r++)
            compute(job, r, MS(1));
        meet(job, 5, dp_stream, ALLREDUCE, MS(2));
        meet(job, 10, dp_stream, ALLREDUCE, MS(2));
    }
}

/* percent: of the instances may end with others by chance. */
static void check_groups(struct scenario *s, double percent)
{
    scenario_near(scenario_int(s, "collectives", "members = '0 1'", "instances"), 120, percent);
    scenario_near(scenario_int(s, "collectives", "members = '2 3'", "instances"), 120, percent);
    scenario_near(scenario_int(s, "collectives", "members = '0 2'", "instances"), 30, percent);
    scenario_near(scenario_int(s, "collectives", "members = '1 3'", "instances"), 30, percent);
    assert_int_equal(scenario_count(s, "collectives", NULL), 4);
}

/* Groups with the same kernel name are distinguished. Rank 3 is slow; rank 2 comes late to {0,2}
 * because it waits for rank 3. */
SCENARIO(test_groups_on_streams)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_groups(&job, 3, 20, 24);
    ask(&job, "");
    check_groups(s, 0);
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 3);
    assert_int_equal(scenario_count(s, "late", "root and rank <> 3"), 0);
    assert_string_equal(scenario_text(s, "late", "rank = 2", "cause"), "other collectives");
}

/* The same in four exports on clocks of their own. */
SCENARIO(test_groups_on_clocks)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    for (int r = 1; r < 4; r++)
        job.ahead[r] = MS(3) * r;
    run_groups(&job, 3, 20, 24);
    ask(&job, "");
    check_groups(s, 0);
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 3);
    job_close(&job);
}

/* The same on one stream of each rank. */
SCENARIO(test_groups_on_one_stream)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_groups(&job, 3, 20, 20);
    ask(&job, "");
    check_groups(s, 10);
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 3);
}

/* The same in four exports: what meets k-th to k-th gives the clocks by which the rest meets. */
SCENARIO(test_groups_on_one_stream_of_exports)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    run_groups(&job, 2, 20, 20);
    ask(&job, "");
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 2);
    assert_int_equal(scenario_count(s, "late", "root and rank <> 2"), 0);
    job_close(&job);
}

/* ---- groups whose communicators are recorded ---- */

/* Tensor parallel {0,1} and {2,3} in lockstep: both pairs begin and end at the same time, on one
 * stream and with one kernel, so ends do not distinguish them. */
static void run_lockstep(struct job *job, bool has_payloads)
{
    for (int r = 0; r < job->n && has_payloads; r++)
        nccl_schemas(job->s[r]);
    for (int step = 0; step < 40; step++) {
        int64_t end = 0;

        for (int r = 0; r < 4; r++) {
            add_kernel(job, r, 7, GEMM, job->now[r], job->now[r] + MS(3));
            job->now[r] += MS(3);
            end = job->now[r] > end ? job->now[r] : end;
        }
        end += US(300);
        for (int r = 0; r < 4; r++) {
            job->comm = has_payloads ? r < 2 ? 0xa1 : 0xb2 : 0;
            add_kernel(job, r, 20, ALLREDUCE, job->now[r] + US(4), end);
            job->now[r] = end + US(5);
        }
        job->comm = 0;
    }
}

/* The communicators show two pairs; without payloads, equal ends make one group of four. */
SCENARIO(test_recorded_communicators)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    run_lockstep(&job, true);
    ask(&job, "");
    assert_int_equal(scenario_int(s, "collectives", "members = '0 1'", "instances"), 40);
    assert_int_equal(scenario_int(s, "collectives", "members = '2 3'", "instances"), 40);
    assert_int_equal(scenario_count(s, "collectives", NULL), 2);
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    job_close(&job);
}

SCENARIO(test_unrecorded_communicators)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    run_lockstep(&job, false);
    ask(&job, "");
    assert_int_equal(scenario_int(s, "collectives", NULL, "ranks"), 4);
    job_close(&job);
}

/* Rank 1 is slow: it is late in its own pair, and no rank in the other one. */
SCENARIO(test_late_in_its_communicator)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    nccl_schemas(s);
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(3) + (r == 1 ? MS(0.7) : 0));
        job.comm = 0xa1;
        meet(&job, 3, 20, ALLREDUCE, US(300));
        job.comm = 0xb2;
        meet(&job, 12, 20, ALLREDUCE, US(300));
        job.comm = 0;
    }
    ask(&job, "");
    assert_int_equal(scenario_int(s, "collectives", "members = '0 1'", "instances"), 40);
    assert_int_equal(scenario_int(s, "collectives", "members = '2 3'", "instances"), 40);
    assert_int_equal(scenario_count(s, "late", "root"), 1);
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 1);
}

/* Groups of one stream are exact if the communicators are recorded. */
SCENARIO(test_recorded_groups_on_one_stream)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    nccl_schemas(s);
    for (int step = 0; step < 30; step++) {
        for (int layer = 0; layer < 4; layer++) {
            for (int r = 0; r < 4; r++)
                compute(&job, r, MS(2) + (r == 3 ? MS(0.6) : 0));
            job.comm = 0xa1;
            meet(&job, 3, 20, ALLREDUCE, US(300));
            job.comm = 0xb2;
            meet(&job, 12, 20, ALLREDUCE, US(300));
            job.comm = 0;
        }
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(1));
        job.comm = 0xc3;
        meet(&job, 5, 20, ALLREDUCE, MS(2));
        job.comm = 0xd4;
        meet(&job, 10, 20, ALLREDUCE, MS(2));
        job.comm = 0;
    }
    ask(&job, "");
    check_groups(s, 0);
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 3);
}

/* ---- what a group serves ---- */

/* Tensor parallel {0,1} and {2,3}, data parallel {0,2} and {1,3}: the ranges around the launches.
 * Odd steps may have other ranges. */
static void run_named(struct scenario *s, const char *const tp[2], const char *const dp[2])
{
    struct job job;

    job_open(&job, s, 4, true);
    for (int step = 0; step < 30; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(3));
        job.range = tp[step % 2];
        meet(&job, 3, 20, ALLREDUCE, US(300));
        meet(&job, 12, 20, ALLREDUCE, US(300));
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(1));
        job.range = dp[step % 2];
        meet(&job, 5, 24, ALLREDUCE, MS(2));
        meet(&job, 10, 24, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "collectives", NULL), 4);
}

SCENARIO(test_ranges_name_groups)
{
    static const char *const tp[] = {"tp_all_reduce", "all_reduce tensor_model_parallel_group"};
    static const char *const dp[] = {"DP grad sync", "DP grad sync"};

    run_named(*state, tp, dp);
    assert_int_equal(scenario_count(*state, "collectives", "parallel = 'TP' AND members = '0 1'"),
                     1);
    assert_int_equal(scenario_count(*state, "collectives", "parallel = 'TP' AND members = '2 3'"),
                     1);
    assert_int_equal(scenario_count(*state, "collectives", "parallel = 'DP' AND members = '0 2'"),
                     1);
    assert_int_equal(scenario_count(*state, "collectives", "parallel = 'DP' AND members = '1 3'"),
                     1);
}

/* Near misses: a module's name, a step of HTTP ("http"), and names of communication without a group. */
SCENARIO(test_other_ranges_name_nothing)
{
    static const char *const tp[] = {"DistributedDataParallel.forward", "nccl:all_reduce"};
    static const char *const dp[] = {"http send", "update_dp_engine"};

    run_named(*state, tp, dp);
    assert_int_equal(scenario_count(*state, "collectives", "parallel IS NOT NULL"), 0);
}

/* Ranges that disagree, and a name of both, say nothing. */
SCENARIO(test_contradicting_ranges)
{
    static const char *const tp[] = {"tp_all_reduce", "dp_all_reduce"};
    static const char *const dp[] = {"tp dp all_reduce", "tp dp all_reduce"};

    run_named(*state, tp, dp);
    assert_int_equal(scenario_count(*state, "collectives", "parallel IS NOT NULL"), 0);
}

/* The labels of PithTrain's processes: ranks {0,1} differ in their pipeline place, {0,2} in their
 * data parallel place; {0,3} differ in both, which names no group. */
SCENARIO(test_labels_name_groups)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    for (int r = 0; r < 4; r++) {
        char label[100];

        (void)snprintf(label, sizeof label,
                       "rank=%d; pp=%d/2 dp=%d/2 cp=0/1 ep=0/1; mbs=1 seq=4096", r, r % 2, r / 2);
        scenario_range(s, job.thread[r], label, MS(1), MS(1) + US(1));
    }
    for (int step = 0; step < 30; step++) {
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(3));
        meet(&job, 3, 20, ALLREDUCE, US(300));
        meet(&job, 5, 24, ALLREDUCE, MS(2));
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(1));
        meet(&job, 9, 28, ALLREDUCE, MS(1));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "collectives", "parallel = 'PP' AND members = '0 1'"), 1);
    assert_int_equal(scenario_count(s, "collectives", "parallel = 'DP' AND members = '0 2'"), 1);
    assert_int_equal(scenario_count(s, "collectives", "parallel IS NULL AND members = '0 3'"), 1);
}

/* Groups without a slow rank. */
SCENARIO(test_healthy_groups)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    run_groups(&job, -1, 20, 24);
    ask(&job, "");
    check_groups(s, 0);
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    assert_int_equal(scenario_count(s, "clocks", "drift_ppm <> 0"), 0);
    job_close(&job);
}

/* Two recordings of different jobs: their collectives are unrelated. */
SCENARIO(test_strangers_are_not_matched)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, false);
    for (int step = 0; step < 40; step++)
        for (int r = 0; r < 2; r++) {
            compute(&job, r, MS(10) + roll(&job, MS(2)));
            meet(&job, 1u << r, 20, ALLREDUCE, MS(2));
        }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "collectives", NULL), 0);
    assert_int_equal(scenario_count(s, "unmatched", NULL), 2);
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    job_close(&job);
}

/* ---- point to point ---- */

/* A pipeline of three stages on one stream each: 0 sends to 1, 1 to 2; matched by equal ends. */
SCENARIO(test_pipeline_pairs)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 3, true);
    for (int step = 0; step < 30; step++) {
        for (int r = 0; r < 3; r++)
            compute(&job, r, MS(3));
        meet(&job, 3, 20, SENDRECV, US(200));
        meet(&job, 6, 20, SENDRECV, US(200));
    }
    ask(&job, "");
    assert_int_equal(scenario_int(s, "collectives", "members = '0 1'", "instances"), 30);
    assert_int_equal(scenario_int(s, "collectives", "members = '1 2'", "instances"), 30);
    assert_int_equal(scenario_sum(s, "ranks", NULL, "matched"), 120);
}

/* ---- chance, and what repeats itself ---- */

/* Data parallel with five gradient buckets per step, reduced beside the backward pass: a rank that
 * is late for one bucket is late for the next ones too. slow: computes 8 % longer; waiting: its GPU
 * has no work for 2.5 ms before each step; -1: none. */
static void run_buckets(struct job *job, int slow, int waiting, uint64_t dice)
{
    enum { STEPS = 15, BUCKETS = 5 };

    job->dice = dice;
    for (int step = 0; step < STEPS; step++) {
        int64_t ready[BUCKETS][MAX_RANKS];
        int64_t done[MAX_RANKS] = {0};

        if (waiting >= 0)
            job->now[waiting] += MS(2.5);
        for (int r = 0; r < job->n; r++)
            compute(job, r, MS(4));
        for (int b = 0; b < BUCKETS; b++)
            for (int r = 0; r < job->n; r++) {
                compute(job, r, MS(1.5) + (r == slow ? US(150) : 0));
                ready[b][r] = job->now[r];
            }
        for (int b = 0; b < BUCKETS; b++) {
            int64_t end = 0;

            for (int r = 0; r < job->n; r++)
                if (ready[b][r] > end)
                    end = ready[b][r];
            for (int r = 0; r < job->n; r++)
                if (done[r] > end)
                    end = done[r];
            end += US(600) + roll(job, US(60));
            for (int r = 0; r < job->n; r++) {
                int64_t start = ready[b][r] > done[r] ? ready[b][r] : done[r];

                done[r] = end + roll(job, US(2));
                add_kernel(job, r, 20, ALLREDUCE, start + US(5), done[r]);
            }
        }
        for (int r = 0; r < job->n; r++)
            job->now[r] = (done[r] > job->now[r] ? done[r] : job->now[r]) + US(50);
    }
}

/* One accident counts for five buckets: no rank is late, for any random numbers. */
SCENARIO(test_buckets_name_nobody)
{
    for (uint64_t dice = 1; dice <= 6; dice++) {
        struct scenario *s = scenario_new();
        struct job job;

        job_open(&job, s, 4, true);
        run_buckets(&job, -1, -1, dice * 77);
        ask(&job, "");
        assert_int_equal(scenario_count(s, "late", NULL), 0);
        scenario_free(s);
    }
}

SCENARIO(test_buckets_name_the_slow_rank)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_buckets(&job, 2, -1, 7);
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 2);
    assert_string_equal(scenario_text(s, "late", NULL, "cause"), "compute");
}

/* Rank 1 has no work for 2.5 ms before each step. Its buckets keep the others waiting too, but they
 * take as long as theirs: the cause is the CPU, not compute. */
SCENARIO(test_buckets_of_a_rank_that_begins_late)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_buckets(&job, -1, 1, 7);
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 1);
    assert_true(strncmp(scenario_text(s, "late", NULL, "cause"), "CPU", 3) == 0);
}

/* Rank 0 writes a log for 6 ms every fifth step: last in few steps, but the one that costs time. */
SCENARIO(test_now_and_then)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    for (int step = 0; step < 50; step++) {
        if (step % 5 == 0)
            job.now[0] += MS(6);
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(5));
        meet(&job, 15, 20, ALLREDUCE, MS(1));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 0);
}

/* The near miss: one long wait because of rank 0 is an accident. */
SCENARIO(test_once)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    for (int step = 0; step < 50; step++) {
        if (step == 20)
            job.now[0] += MS(60);
        for (int r = 0; r < 4; r++)
            compute(&job, r, MS(5));
        meet(&job, 15, 20, ALLREDUCE, MS(1));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
}

/* Ranks 0 and 1 are on a slow node, and alternate as the last: both are named, for any random
 * numbers. */
SCENARIO(test_two_share_the_last_place)
{
    for (uint64_t dice = 1; dice <= 6; dice++) {
        struct scenario *s = scenario_new();
        struct job job;

        job_open(&job, s, 4, true);
        job.dice = dice * 91;
        for (int step = 0; step < 30; step++) {
            for (int r = 0; r < 4; r++)
                compute(&job, r, r < 2 ? MS(8) : MS(6));
            meet(&job, 15, 20, ALLREDUCE, MS(1));
        }
        ask(&job, "");
        assert_int_equal(scenario_count(s, "late", "rank < 2"), 2);
        assert_int_equal(scenario_count(s, "late", NULL), 2);
        scenario_free(s);
    }
}

/* ---- cost ---- */

/* Fails unless the verdict of the last answer has these words. */
static void says(struct scenario *s, const char *words)
{
    if (!strstr(scenario_output(s), words))
        fail_msg("no \"%s\" in %s", words, scenario_output(s));
}

/* Steps of 10 ms, in which the ranks of a mask come late by ns at every so many steps. */
static void run_late_now_and_then(struct job *job, int steps, unsigned mask, int every, int64_t ns)
{
    for (int step = 0; step < steps; step++) {
        for (int r = 0; r < job->n; r++) {
            if (mask >> r & 1 && step % every == every - 1)
                job->now[r] += ns;
            compute(job, r, MS(8));
        }
        meet(job, (1u << job->n) - 1, 20, ALLREDUCE, MS(2));
    }
}

/* Truth: rank 0 holds the other one up in every fifth of 20 steps: in four only, but they are 80 % of the
 * time. */
SCENARIO(test_every_fifth_step)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, true);
    run_late_now_and_then(&job, 20, 1, 5, MS(200));
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 0);
    assert_true(scenario_real(s, "late", NULL, "kept_pct") > 75);
    says(s, "Late: rank 0: late in every 5th step; kept others ");
}

/* Truth: rank 0 writes a log for 30 ms in every 10th step; that is also every second one. */
SCENARIO(test_every_tenth_step)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    run_late_now_and_then(&job, 100, 1, 10, MS(30));
    ask(&job, "");
    says(s, "Late: rank 0: late in every 10th step; kept others ");
    job_close(&job);
}

/* Truth: rank 0 of four writes three checkpoints of 400 ms; the others wait for 75 % of the time. */
SCENARIO(test_checkpoints)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    run_late_now_and_then(&job, 42, 1, 14, MS(400));
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "rank"), 0);
    assert_true(strncmp(scenario_text(s, "late", NULL, "cause"), "CPU", 3) == 0);
    job_close(&job);
}

/* Truth: one of two nodes is slow: its four ranks come late together, and each is the last one in turn. */
SCENARIO(test_a_late_node)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 8, true);
    run_late_now_and_then(&job, 20, 0xf0, 1, MS(30));
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", "rank >= 4"), 4);
    assert_int_equal(scenario_count(s, "late", NULL), 4);
}

/* Rank 0 of two writes a checkpoint of 100 ms after every 10th of 60 steps, under a range. */
SCENARIO(test_late_at_checkpoints)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, false);
    for (int step = 0; step < 60; step++) {
        int64_t from[2] = {job.now[0] - US(25), job.now[1] - US(25)};

        for (int r = 0; r < 2; r++)
            compute(&job, r, MS(8));
        meet(&job, 3, 20, ALLREDUCE, MS(2));
        for (int r = 0; r < 2; r++)
            scenario_range(job.s[r], job.thread[r], "step", from[r], job.now[r] - US(40));
        if (step % 10 == 9) {
            scenario_range(s, job.thread[0], "save_checkpoint", job.now[0] - US(39),
                           job.now[0] + MS(100) - US(30));
            job.now[0] += MS(100);
        }
    }
    ask(&job, "");
    says(s, "Late: rank 0: at save_checkpoint");
    job_close(&job);
}

/* Truth: which ranks of eight come late, and when. */
SCENARIO(test_who_and_when)
{
    static const struct {
        unsigned mask;
        int from; /* step */
        bool has_hosts;
        const char *says;
    } jobs[] = {
        {0x04, 0, false, "Late: rank 2: late in 60 of 60 steps"},
        {0x04, 36, false, "Late: rank 2: since step 36"},
        {0xaa, 0, false, "Late: every 2nd rank of 8, from rank 1: late in"},
        {0x33, 0, false, "Late: ranks 0 to 1 of every 4, of 8: late in"},
        {0xf0, 0, true, "Late: node n1 (ranks 4 to 7 of 8): late in"},
        {0x70, 0, true, "Late: ranks 4 to 6 of 8: late in"}, /* a part of the node */
    };

    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct scenario *s = scenario_new();
        struct job job;

        job_open(&job, s, 8, false);
        for (int r = 0; r < 8 && jobs[i].has_hosts; r++)
            scenario_sql(job.s[r],
                         "CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName "
                         "TEXT NOT NULL, name TEXT NOT NULL, nameEnum INTEGER NOT NULL, value "
                         "TEXT NOT NULL);"
                         "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES (NULL, 'Hostname', 'Hostname', "
                         "1, 'n%d')",
                         r / 4);
        for (int step = 0; step < 60; step++) {
            for (int r = 0; r < 8; r++)
                compute(&job, r,
                        MS(8) + (jobs[i].mask >> r & 1 && step >= jobs[i].from ? MS(3) : 0));
            meet(&job, 255, 20, ALLREDUCE, MS(2));
        }
        ask(&job, "");
        says(s, jobs[i].says);
        job_close(&job);
        scenario_free(s);
    }
}

/* The near miss: both ranks wait for each other in turn, for 75 % of the time. */
SCENARIO(test_each_of_two_in_turn)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, true);
    for (int step = 0; step < 20; step++) {
        job.now[step % 2] += MS(30);
        for (int r = 0; r < 2; r++)
            compute(&job, r, MS(8));
        meet(&job, 3, 20, ALLREDUCE, MS(2));
    }
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
}

/* The near miss: one wait of 600 ms at the first step, as for a compiler, is 75 % of the time. The answer
 * says what was seen. */
SCENARIO(test_a_long_start)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, true);
    job.now[0] += MS(600);
    run_late_now_and_then(&job, 20, 0, 1, 0);
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    says(s, "most of it in 1 step, too few to tell from chance.");
    assert_int_equal(scenario_count(s, "verdict", NULL), 0);
}

/* Two collectives are too few to name anybody, although both wait for rank 1 for most of the time. */
SCENARIO(test_two_long_waits)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 2, true);
    run_late_now_and_then(&job, 2, 2, 1, MS(100));
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    says(s, "No rank is shown to hold the others up by this test; rank 1 kept others ");
}

/* A rank computes 1.5 ms longer in each step (-1: none does), and another one, or the same, has a few steps of
 * 300 ms: a checkpoint, a compiler. The accident hides nobody, and names nobody. */
SCENARIO(test_accidents)
{
    static const struct {
        int late, accident, times, steps;
        const char *words;
    } rows[] = {
        {2, 3, 1, 40, "Late: rank 2: late in 40 of 40 steps; kept others "},
        {2, 3, 1, 40, "because of its compute. Besides, rank 3 kept others "},
        {2, 0, 2, 40, "Late: rank 2: late in 40 of 40 steps; kept others "},
        {2, 0, 2, 40, "most of it in 2 steps, too few to tell from chance."},
        {2, 2, 1, 40, "Late: rank 2: late in 40 of 40 steps; "},      /* its own */
        {-1, 3, 1, 40, "No rank is shown to hold the others up by "}, /* the near misses */
        {-1, 3, 2, 40, "No rank is shown to hold the others up by "},
        {2, 3, 1, 4, "No rank is shown to hold the others up by "}, /* too few steps to tell */
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scenario *s = scenario_new();
        struct job job;

        job_open(&job, s, 4, true);
        for (int step = 0; step < rows[i].steps; step++) {
            if (step % 14 == 3 && step / 14 < rows[i].times)
                job.now[rows[i].accident] += MS(300);
            for (int r = 0; r < 4; r++)
                compute(&job, r, r == rows[i].late ? MS(11.5) : MS(10));
            meet(&job, 15, 20, ALLREDUCE, MS(2));
        }
        ask(&job, "");
        says(s, rows[i].words);
        scenario_free(s);
    }
}

/* 20 steps of four exports, in which rank 3 comes late in every so many; rank 1 computes `more` longer. */
static void run_seldom(struct job *job, struct scenario *s, int every, int64_t late, int64_t more)
{
    job_open(job, s, 4, false);
    for (int step = 0; step < 20; step++) {
        job->now[3] += step % every == every - 1 ? late : 0;
        for (int r = 0; r < 4; r++)
            compute(job, r, MS(5) + (r == 1 ? more : 0));
        meet(job, 15, 20, ALLREDUCE, MS(1));
    }
    ask(job, "");
}

/* Truth: rank 1 is slow, rank 3 costs more in every fourth step: too seldom to be named, but told beside it. */
SCENARIO(test_a_larger_cost_is_told_beside_a_verdict)
{
    struct job job;

    run_seldom(&job, *state, 4, MS(6.5), US(500));
    says(*state, "Late: rank 1: late in ");
    says(*state, " Besides, rank 3 kept others ");
    says(*state,
         "more than any rank that is named, most of it in 5 steps, too few to tell from chance.");
    assert_int_equal(scenario_count(*state, "verdict", "first_rank = 3"), 1);
    assert_int_equal(scenario_count(*state, "late", "rank = 3"), 0);
    job_close(&job);
}

/* The near miss: rank 1 costs more, so that its verdict stands alone. */
SCENARIO(test_a_smaller_cost_is_not_told)
{
    struct job job;

    run_seldom(&job, *state, 5, MS(6.5), MS(2));
    says(*state, "Late: rank 1: late in ");
    assert_null(strstr(scenario_output(*state), "Besides"));
    assert_int_equal(scenario_count(*state, "verdict", "first_rank = 3"), 0);
    job_close(&job);
}

/* Truth: rank 3 writes two checkpoints, for half of the time: too seldom to be proven, but told. */
SCENARIO(test_a_large_part_in_two_steps_is_told)
{
    struct job job;

    run_seldom(&job, *state, 9, MS(65), 0);
    assert_int_equal(
        scenario_count(*state, "verdict", "\"when\" LIKE '%seen, not proven%' AND first_rank = 3"),
        1);
    assert_int_equal(scenario_count(*state, "late", NULL), 0);
    job_close(&job);
}

/* Nobody is named, and a small part of the time is no row. */
SCENARIO(test_a_small_part_is_no_row)
{
    struct job job;

    run_seldom(&job, *state, 7, MS(6.5), 0);
    says(*state, "No rank is shown to hold the others up by this test; rank 3 kept others ");
    says(*state, "most of it in 2 steps, too few to tell from chance.");
    assert_int_equal(scenario_count(*state, "verdict", NULL), 0);
    job_close(&job);
}

/* ---- pipelines ---- */

/* Four stages, eight microbatches per step, each sent to the next stage; then all meet. slow: a
 * stage that computes longer; -1: none. */
static void run_pipeline(struct job *job, int slow)
{
    for (int step = 0; step < 8; step++) {
        for (int batch = 0; batch < 8; batch++)
            for (int r = 0; r < job->n; r++) {
                compute(job, r, MS(1) + (r == slow ? US(600) : 0));
                if (r + 1 < job->n)
                    meet(job, 3u << r, 30, SENDRECV, US(100));
            }
        meet(job, 15, 20, ALLREDUCE, US(400));
    }
}

/* Four exports: the sends meet on the clocks that the all-reduces give. */
SCENARIO(test_a_slow_stage_among_exports)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    job.ahead[2] = MS(4);
    run_pipeline(&job, 1);
    ask(&job, "");
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 1);
    assert_int_equal(scenario_count(s, "late", "root and rank <> 1"), 0);
    says(s, "rank 1: late in 8 of 8 steps");
    job_close(&job);
}

/* Stages wait for each other by design: nobody is late. */
SCENARIO(test_a_pipeline_names_nobody)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_pipeline(&job, -1);
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
}

/* Ranks 2 and 3 exchange for 2.5 ms before all meet; 0 and 1 send nothing, so this is no pipeline. 2 and
 * 3 are late because of it; if 0 and 1 do so too, nobody is. */
static void run_exchange(struct job *job, bool both)
{
    for (int step = 0; step < 30; step++) {
        for (int r = 0; r < job->n; r++)
            compute(job, r, MS(4));
        meet(job, 0xc, 24, SENDRECV, MS(2.5));
        if (both)
            meet(job, 0x3, 24, SENDRECV, MS(2.5));
        meet(job, 0xf, 20, ALLREDUCE, US(300));
    }
}

SCENARIO(test_two_exchange_first)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_exchange(&job, false);
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", "rank >= 2 AND cause LIKE '%collective%'"), 2);
    assert_int_equal(scenario_count(s, "late", "rank < 2"), 0);
}

SCENARIO(test_all_exchange_first)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_exchange(&job, true);
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
}

SCENARIO(test_a_slow_stage_is_named)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_pipeline(&job, 2);
    ask(&job, "");
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 2);
    assert_int_equal(scenario_count(s, "late", "root and rank <> 2"), 0);
    assert_string_equal(scenario_text(s, "late", "root", "cause"), "compute");
}

/* Tensor parallel {0-3} and {4-7}, data parallel {0,4} {1,5} {2,6} {3,7}, one stream and one name; the
 * pairs end within 50 us of each other. Rank 5 is slow. */
SCENARIO(test_pairs_that_end_nearly_together)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 8, false);
    for (int step = 0; step < 15; step++) {
        for (int layer = 0; layer < 4; layer++) {
            for (int r = 0; r < 8; r++)
                compute(&job, r, US(800) + (r == 5 ? US(320) : 0));
            meet(&job, 0x0f, 20, ALLREDUCE, US(150));
            meet(&job, 0xf0, 20, ALLREDUCE, US(150));
        }
        for (int r = 0; r < 4; r++)
            meet(&job, 0x11u << r, 20, ALLREDUCE, MS(1) + roll(&job, US(80)));
    }
    ask(&job, "");
    scenario_near(scenario_int(s, "collectives", "members = '0-3'", "instances"), 60, 10);
    scenario_near(scenario_int(s, "collectives", "members = '4-7'", "instances"), 60, 10);
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 5);
    assert_int_equal(scenario_count(s, "late", "root and rank <> 5"), 0);
    job_close(&job);
}

/* ---- the same from other commands ---- */

static void run_late_rank(struct job *job, int late)
{
    for (int step = 0; step < 40; step++) {
        for (int r = 0; r < job->n; r++)
            compute(job, r, MS(10) + (r == late ? MS(2) : 0));
        meet(job, (1u << job->n) - 1, 20, ALLREDUCE, MS(2));
    }
}

/* Reports of four exports, merged. */
static void merge(struct job *job)
{
    struct scenario *s = job->s[0];
    char folder[512];
    char line[4096];
    int at = snprintf(line, sizeof line, "merge");

    snprintf(folder, sizeof folder, "%s", scenario_path(s));
    *strrchr(folder, '/') = '\0';
    for (int r = 0; r < job->n; r++) {
        char path[600];
        FILE *file = NULL;

        assert_int_equal(scenario_run(job->s[r], "report --json @"), 0);
        snprintf(path, sizeof path, "%s/r%d.json", folder, r);
        file = fopen(path, "wb");
        assert_non_null(file);
        assert_true(fputs(scenario_output(job->s[r]), file) >= 0);
        assert_int_equal(fclose(file), 0);
        at += snprintf(line + at, sizeof line - (size_t)at, " %s", path);
    }
    scenario_ask(s, line);
}

/* Truth: each rank is idle at the end of its steps, one for longer: a row of the merged findings tells all
 * of them, and which is the worst. */
SCENARIO(test_merge_groups_by_rule_and_place)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    for (int r = 0; r < 4; r++) {
        const struct loop loop = {.thread = job.thread[r], .idle = MS(r == 2 ? 4 : 2)};

        loop_run(job.s[r], &loop);
    }
    merge(&job);
    assert_int_equal(scenario_int(s, "findings", "finding LIKE 'GPU # is idle%'", "ranks"), 4);
    assert_int_equal(scenario_count(s, "findings", "finding LIKE 'GPU # is idle%'"), 1);
    assert_non_null(strstr(
        scenario_text(s, "findings", "finding LIKE 'GPU # is idle%'", "worst_rank"), "r2.json"));
    job_close(&job);
}

/* The merge of reports names the late rank, and why, as ranks does. */
SCENARIO(test_merge_names_the_late_rank)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    run_late_rank(&job, 3);
    merge(&job);
    assert_int_equal(scenario_count(s, "late", NULL), 1);
    assert_int_equal(scenario_int(s, "late", NULL, "pid"), 4103);
    assert_string_equal(scenario_text(s, "late", NULL, "cause"), "compute");
    job_close(&job);
}

SCENARIO(test_merge_names_nobody)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, false);
    run_late_rank(&job, -1);
    merge(&job);
    assert_int_equal(scenario_count(s, "late", NULL), 0);
    job_close(&job);
}

/* The straggler of a report is the late rank, not the one that waits longest. */
SCENARIO(test_report_names_the_late_rank)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_late_rank(&job, 2);
    scenario_ask(s, "report --json @");
    assert_string_equal(scenario_text(s, "nccl_ops", "op = 'allreduce'", "straggler"), "pid:4102");
}

SCENARIO(test_report_names_nobody)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    run_late_rank(&job, -1);
    scenario_ask(s, "report --json @");
    assert_string_equal(scenario_text(s, "nccl_ops", "op = 'allreduce'", "straggler"), "");
}

/* The same four stages, each with a stream for what it sends and one for what it receives. A receive is posted
 * as soon as the one before it ends, so a stage computes while it waits. */
static void receive_early(struct job *job, int slow)
{
    int64_t free[MAX_RANKS] = {0}; /* when the link from stage r is free */

    for (int step = 0; step < 12; step++) {
        int64_t last = 0;

        for (int batch = 0; batch < 8; batch++)
            for (int r = 0; r < job->n; r++) {
                compute(job, r, MS(1) + (r == slow ? US(600) : 0));
                if (r + 1 < job->n) {
                    int64_t start = job->now[r] > free[r] ? job->now[r] : free[r];
                    int64_t end = start + US(100);

                    add_kernel(job, r, 30 + r, SENDRECV, start + US(4), end);
                    add_kernel(job, r + 1, 30 + r, SENDRECV, free[r] + US(4),
                               end + roll(job, US(3)));
                    free[r] = end + US(5);
                    job->now[r + 1] = job->now[r + 1] > free[r] ? job->now[r + 1] : free[r];
                }
            }
        for (int r = 0; r < job->n; r++)
            last = job->now[r] > last ? job->now[r] : last;
        for (int r = 0; r < job->n; r++)
            free[r] = job->now[r] = last + US(50);
    }
}

/* Truth: the sender is last each time, because the next stage posts its receive early, and computes meanwhile:
 * nobody is late. */
SCENARIO(test_early_receives_name_nobody)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    receive_early(&job, -1);
    ask(&job, "");
    assert_int_equal(scenario_count(s, "late", NULL), 0);
}

/* The sick twin: stage 1 computes 60 % longer. It alone is the root. */
SCENARIO(test_a_slow_stage_before_early_receives)
{
    struct scenario *s = *state;
    struct job job;

    job_open(&job, s, 4, true);
    receive_early(&job, 1);
    ask(&job, "");
    assert_int_equal(scenario_int(s, "late", "root", "rank"), 1);
    assert_int_equal(scenario_count(s, "late", "root and rank <> 1"), 0);
    assert_string_equal(scenario_text(s, "late", "root", "cause"), "compute");
}
