/* Iterations in scenarios: how they are found, their kinds, and slow ones. */
#include "scenarios/flow.h"
#include "scenarios/loop.h"
#include "scenarios/scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The same inside a range that ends at `end`, or with its work; then the host waits until
 * `next`. */
static void marked_step(struct flow *f, const char *name, int64_t ns, int64_t outside)
{
    int64_t start = f->host;

    flow_train_step(f, ns);
    scenario_range(f->s, f->thread, name, start, f->host);
    f->host += outside;
}

/* A text of one of the last four calls. */
__attribute__((format(printf, 1, 2))) static const char *number(const char *format, ...)
{
    static char text[4][80];
    static int at;
    va_list values;

    at = (at + 1) % 4;
    va_start(values, format);
    (void)vsnprintf(text[at], sizeof text[at], format, values);
    va_end(values);
    return text[at];
}

/* ---- what the answers say ---- */

static void has_note(struct scenario *s, const char *words)
{
    if (!strstr(scenario_output(s), words))
        fail_msg("no \"%s\" in: %.2000s", words, scenario_output(s));
}

static void has_no_note(struct scenario *s, const char *words)
{
    if (strstr(scenario_output(s), words))
        fail_msg("\"%s\" in: %.2000s", words, scenario_output(s));
}

/* ---- the period ---- */

/* 12 ranges of 80 ms that begin every 100 ms: 12 iterations of 100 ms, 20 ms of each outside its
 * range; the last one ends with its range and lasts 80 ms. None is slow. */
SCENARIO(test_period_is_from_start_to_start)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(60));
        scenario_range(s, f.thread, number("train step %d", i), start, start + MS(80));
        f.host = start + MS(100);
    }
    assert_int_equal(loop_iterations(s), 12);
    scenario_near(scenario_int(s, TIMING, "iteration = 4", "duration_ns"), MS(100), 0);
    scenario_near(scenario_int(s, TIMING, "iteration = 4", "outside_ns"), MS(20), 0);
    scenario_near(scenario_int(s, TIMING, "iteration = 4", "host_ns"), MS(80), 0);
    scenario_near(scenario_int(s, TIMING, "iteration = 11", "duration_ns"), MS(80), 0);
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(100), 0);
    assert_int_equal(scenario_count(s, TIMING, "mark <> ''"), 0);
}

/* An asynchronous tail: the last range ends before its kernels do, so the last iteration ends with
 * the kernels. */
SCENARIO(test_last_iteration_ends_with_its_work)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 6; i++) {
        int64_t start = f.host;

        for (int k = 0; k < 10; k++)
            flow_run(&f, "gemm", MS(2));
        if (i < 5)
            flow_synchronize(&f);
        scenario_range(s, f.thread, "step", start, f.host);
    }
    assert_int_equal(loop_iterations(s), 6);
    scenario_near(scenario_int(s, TIMING, "iteration = 5", "start_ns + duration_ns"), f.gpu, 0);
}

/* ---- interludes ---- */

/* An evaluation of 500 ms after step 9 of 20: listed as evaluation; no step is slow, and the mean
 * period stays 50 ms. */
SCENARIO(test_evaluation_is_an_interlude)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++) {
        marked_step(&f, number("step %d", i), MS(45), MS(2));
        if (i == 9) {
            int64_t start = f.host;

            for (int k = 0; k < 8; k++)
                flow_layer(&f, MS(60));
            flow_synchronize(&f);
            scenario_range(s, f.thread, "evaluate", start, f.host);
        }
    }
    assert_int_equal(loop_iterations(s), 20);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_count(s, "interludes", NULL), 1);
    assert_string_equal(scenario_text(s, "interludes", NULL, "name"), "evaluate");
    assert_int_equal(scenario_int(s, "interludes", NULL, "after_iteration"), 9);
    scenario_near(scenario_int(s, TIMING, "iteration = 9", "duration_ns"),
                  scenario_int(s, TIMING, "iteration = 8", "duration_ns"), 1);
}

/* A checkpoint in a range every 10th step is an interlude. Without a range it belongs to its
 * iteration, which is slow, as is every 10th. */
SCENARIO(test_checkpoint_with_and_without_a_range)
{
    for (int named = 1; named >= 0; named--) {
        struct scenario *s = named ? *state : scenario_new();
        struct flow f = flow_begin(s, 100, 0);

        for (int i = 0; i < 40; i++) {
            marked_step(&f, "train_step", MS(20), MS(1));
            if (i % 10 == 9) {
                if (named)
                    scenario_range(s, f.thread, "save_checkpoint", f.host, f.host + MS(60));
                f.host += MS(60);
            }
        }
        assert_int_equal(loop_iterations(s), 40);
        if (named) {
            assert_int_equal(scenario_count(s, "interludes", NULL), 3);
            assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
        } else {
            assert_int_equal(scenario_count(s, TIMING, "slow"), 3);
            has_note(s, "every 10th iteration is slow");
            scenario_free(s);
        }
    }
}

/* 30 batches under "run_training_batch", each after a range that fetches its input, which the iteration
 * before holds. between: a range that follows the batch every 10th time, before the next fetch. */
static void fetched_batches(struct scenario *s, const char *between, bool works)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 30; i++) {
        int64_t start = f.host;

        flow_copy(&f, HOST_TO_DEVICE, 1 << 20, US(50));
        f.host += US(100);
        scenario_range(s, f.thread, "train_dataloader_next", start, f.host);
        marked_step(&f, "run_training_batch", MS(10), US(20));
        start = f.host;
        if (between && i % 10 == 9) {
            for (int k = 0; works && k < 8; k++)
                flow_layer(&f, MS(5));
            flow_synchronize(&f);
            f.host += works ? 0 : MS(30);
            scenario_range(s, f.thread, between, start, f.host);
        }
    }
    assert_int_equal(loop_iterations(s), 30);
}

/* Truth: evaluations, or checkpoints without GPU work, lie between two iterations although the next
 * batch is fetched after them. */
SCENARIO(test_evaluation_before_the_next_batch)
{
    for (int works = 1; works >= 0; works--) {
        struct scenario *s = works ? *state : scenario_new();

        fetched_batches(s, works ? "run_evaluation" : "save_checkpoint", works);
        assert_int_equal(scenario_count(s, "interludes", NULL), 2);
        assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
        scenario_findings(s);
        loop_is_quiet(s, "slow-iterations");
        if (!works)
            scenario_free(s);
    }
}

/* The near misses: what is fetched for each batch is no interlude; nor is what lies inside a group, an
 * update of a moving average between backward and optimizer, which makes its iterations slow. */
SCENARIO(test_what_is_between_and_what_is_inside)
{
    struct scenario *s = *state;
    struct flow f;

    fetched_batches(s, NULL, false);
    has_no_note(s, "\"interludes\"");
    s = scenario_new();
    f = flow_begin(s, 100, 0);
    for (int i = 0; i < 40; i++) {
        for (int part = 0; part < 4; part++) {
            static const char *const names[] = {"forward", "backward", "update_ema", "optimizer"};
            int64_t start = f.host;

            if (part == 2 && i % 10 != 5)
                continue;
            flow_layer(&f, MS(4));
            flow_synchronize(&f);
            scenario_range(s, f.thread, names[part], start, f.host);
        }
    }
    assert_int_equal(loop_iterations(s), 40);
    has_no_note(s, "\"interludes\"");
    assert_int_equal(scenario_count(s, TIMING, "slow"), 4);
    scenario_free(s);
}

/* A final evaluation and a checkpoint that take twice the GPU time of the loop: the loop is still the
 * 12 steps under their range, and the last one is as long as the others. */
SCENARIO(test_final_evaluation_hides_no_loop)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int64_t start;

    for (int i = 0; i < 12; i++)
        marked_step(&f, "train_step", MS(5), US(50));
    start = f.host;
    for (int i = 0; i < 60; i++)
        flow_layer(&f, MS(2));
    flow_synchronize(&f);
    scenario_range(s, f.thread, "final evaluation", start, f.host);
    assert_int_equal(loop_iterations(s), 12);
    has_note(s, "NVTX range: train_step");
    scenario_near(scenario_int(s, TIMING, "iteration = 11", "duration_ns"), MS(5), 5);
}

/* Loading data in a range before every step is not an interlude: its time belongs to the period. */
SCENARIO(test_data_loading_belongs_to_the_iteration)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 10; i++) {
        scenario_range(s, f.thread, "get_batch", f.host, f.host + MS(5));
        f.host += MS(5);
        marked_step(&f, "train_step", MS(30), 0);
    }
    assert_int_equal(loop_iterations(s), 10);
    has_no_note(s, "\"interludes\"");
    scenario_near(scenario_int(s, TIMING, "iteration = 3", "outside_ns"), MS(5), 0.1);
}

/* 40 steps of a range. After every tenth, work runs under no range: `copies` results of 1 ms to the host,
 * or, if 0, `layers` layers of 10 ms; then the host needs `host`. */
static void work_between(struct scenario *s, bool ranges, int copies, int layers, int64_t host)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        if (ranges)
            marked_step(&f, "step", MS(20), US(10));
        else
            flow_train_step(&f, MS(20));
        if (i % 10 != 9)
            continue;
        for (int k = 0; k < copies; k++)
            flow_copy(&f, DEVICE_TO_HOST, 8 << 20, MS(1));
        for (int k = 0; k < layers; k++)
            flow_layer(&f, MS(10));
        flow_synchronize(&f);
        f.host += host;
    }
    assert_int_equal(loop_iterations(s), 40);
}

/* An evaluation and a checkpoint without a range of their own are told apart by what they run. */
SCENARIO(test_evaluation_under_no_range)
{
    work_between(*state, true, 0, 8, 0);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
    assert_int_equal(scenario_count(*state, "interludes", NULL), 3);
}

SCENARIO(test_checkpoint_under_no_range)
{
    work_between(*state, true, 30, 0, MS(80));
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
    assert_int_equal(scenario_count(*state, "interludes", NULL), 3);
}

SCENARIO(test_checkpoint_without_any_range)
{
    work_between(*state, false, 30, 0, MS(80));
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
    assert_int_equal(scenario_count(*state, "interludes", NULL), 3);
}

/* The near misses: a log copies one result and then takes long; nothing but the host's pause. */
SCENARIO(test_log_under_no_range)
{
    work_between(*state, true, 1, 0, MS(80));
    assert_true(scenario_count(*state, TIMING, "slow") >= 3);
}

SCENARIO(test_pause_of_the_host)
{
    work_between(*state, true, 0, 0, MS(80));
    assert_true(scenario_count(*state, TIMING, "slow") >= 3);
}

/* ---- candidates ---- */

/* Texts with numbers of all forms count as one name; the iterations are the steps. */
SCENARIO(test_texts_with_varying_numbers_are_one_name)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 15; i++) {
        char text[80];

        (void)snprintf(text, sizeof text, "step %d/5000 loss=%d.%02d lr=3e-%02d", 17 + i, 3 - i / 6,
                       (197 - 7 * i) % 100, 4 + i % 2);
        marked_step(&f, text, MS(20), MS(1));
    }
    assert_int_equal(loop_iterations(s), 15);
    has_note(s, "step #/# loss=# lr=#");
}

/* fit wraps everything once, and epochs wrap ten steps each: the iterations are the 30 steps. */
SCENARIO(test_wrapping_ranges_are_none)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int64_t fit = f.host;

    f.host += MS(1);
    for (int epoch = 0; epoch < 3; epoch++) {
        int64_t start = f.host;

        f.host += MS(1);
        for (int i = 0; i < 10; i++)
            marked_step(&f, "[pl][profile]run_training_batch", MS(10), US(200));
        scenario_range(s, f.thread, number("[pl][profile]run_training_epoch %d", epoch), start,
                       f.host);
        f.host += US(100);
    }
    scenario_range(s, f.thread, "[pl][profile]fit", fit, f.host);
    assert_int_equal(loop_iterations(s), 30);
    has_note(s, "run_training_batch");
}

static void load(struct scenario *s, const char *name, const char *range, int n, int64_t every)
{
    int64_t thread = scenario_thread(s, 100, 177, name);

    for (int i = 0; i < n; i++) {
        int64_t start = MS(1) + i * every;

        scenario_range(s, thread, range, start, start + every * 9 / 10);
        scenario_os(s, thread, "pthread_cond_wait", start + every * 9 / 10, start + every);
    }
}

/* A loader thread decodes 60 images steadily all the time; the iterations are the 12 steps. */
SCENARIO(test_loader_ranges_are_none)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12; i++)
        marked_step(&f, "step", MS(30), MS(1));
    load(s, "python", "decode_jpeg", 60, f.host / 60);
    assert_int_equal(loop_iterations(s), 12);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    has_note(s, "NVTX range: step");
}

/* Only the loader has ranges: the iterations come from the launches, or there are none; never from
 * the loader. */
SCENARIO(test_loader_ranges_alone_are_none)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12; i++)
        flow_train_step(&f, MS(30));
    load(s, "pt_data_worker", "decode_jpeg", 60, f.host / 60);
    assert_int_equal(loop_iterations(s), 12);
    has_note(s, "period of the launches");
    has_no_note(s, "decode_jpeg");
}

/* A prefetch thread copies batches in its own ranges; the iterations are the main thread's
 * steps. */
SCENARIO(test_prefetch_thread_that_copies_is_none)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int64_t thread;

    for (int i = 0; i < 12; i++)
        flow_train_step(&f, MS(30));
    thread = scenario_thread(s, 100, 188, "python");
    for (int i = 0; i < 24; i++) {
        int64_t start = MS(1) + i * (f.host / 25);
        int64_t call = scenario_call(s, thread, "cudaMemcpyAsync_v3020", start, start + US(9));

        scenario_copy(s, call, 0, 22, HOST_TO_DEVICE, false, 1 << 24, start + MS(1),
                      start + MS(1.4));
        scenario_range(s, thread, "prefetch batch", start - US(5), start + f.host / 28);
    }
    scenario_ask(s, "iters @");
    has_no_note(s, "NVTX range");
}

/* NCCL's own domain has one range per collective; without other ranges the iterations come from the
 * launches. */
SCENARIO(test_nccl_domain_is_none)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 10; i++) {
        flow_copy(&f, HOST_TO_DEVICE, 4096, US(10));
        for (int k = 0; k < 4; k++) {
            int64_t start = f.host;

            flow_layer(&f, MS(2));
            flow_run(&f, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", MS(1));
            scenario_range_in(s, f.thread, "NCCL", "ncclAllReduce", start, f.host);
        }
        flow_run(&f, "adam_kernel", MS(1));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 10);
    has_note(s, "period of the launches");
}

/* 8 numbered layers a step and no range around them: 12 iterations, not 96. */
SCENARIO(test_numbered_layers_are_parts)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 8; k++) {
            int64_t start = f.host;

            flow_layer(&f, MS(2));
            scenario_range(s, f.thread, number("layer %d", k), start, f.host);
            if (k == 7)
                flow_synchronize(&f);
        }
    assert_int_equal(loop_iterations(s), 12);
}

/* 16 layers of one name per step, then the head and the optimizer outside of ranges: 10
 * iterations. */
SCENARIO(test_layers_of_one_name_are_parts)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 16; k++) {
            int64_t start = f.host;

            flow_layer(&f, MS(1));
            scenario_range(s, f.thread, "TransformerLayer", start, f.host);
            f.host += US(3);
        }
        flow_run(&f, "lm_head_gemm", MS(1));
        flow_run(&f, "multi_tensor_apply_adam", MS(1));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 10);
}

/* ---- groups ---- */

static void part(struct flow *f, const char *name, int kernels, int64_t ns)
{
    int64_t start = f->host;

    for (int i = 0; i < kernels; i++)
        flow_run(f, "sm90_gemm", ns / kernels);
    scenario_range(f->s, f->thread, name, start, f->host);
    f->host += US(20);
}

/* forward, backward, optimizer in turn, 14 times: 14 iterations. */
SCENARIO(test_forward_backward_optimizer)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 14; i++) {
        part(&f, "forward", 6, MS(6));
        part(&f, "backward", 8, MS(12));
        part(&f, "optimizer.step", 2, MS(2));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 14);
    has_note(s, "forward, backward, optimizer.step");
}

/* (forward, backward) four times, then the optimizer: 9 iterations, not 36. */
SCENARIO(test_gradient_accumulation)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 4; k++) {
            part(&f, "forward", 4, MS(3));
            part(&f, "backward", 5, MS(6));
        }
        part(&f, "optimizer", 2, MS(2));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 9);
}

/* Megatron's names: forward-step and backward-step 8 times, then the optimizer: 7 iterations. */
SCENARIO(test_passes_named_like_steps)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 7; i++) {
        for (int k = 0; k < 8; k++) {
            part(&f, "forward-step", 3, MS(2));
            part(&f, "backward-step", 4, MS(4));
        }
        part(&f, "optimizer", 2, MS(1));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 7);
}

/* A schedule of a pipeline with 1F1B: three forward passes, then forward and backward in turn, then
 * three backward passes, and the optimizer: 9 iterations, not 72. */
SCENARIO(test_pipeline_schedule)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 11; k++) {
            if (k < 8)
                part(&f, "forward_step", 5, MS(1));
            if (k >= 3)
                part(&f, "backward_step", 5, MS(2));
        }
        part(&f, "optimizer", 2, MS(1));
    }
    assert_int_equal(loop_iterations(s), 9);
}

/* A step with an average of the weights after every 10th: 40 iterations, not 4. */
SCENARIO(test_work_after_every_10th_step)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        marked_step(&f, "train_step", MS(5), US(100));
        if (i % 10 == 9)
            part(&f, "ema_update", 2, MS(1));
    }
    assert_int_equal(loop_iterations(s), 40);
    assert_int_equal(scenario_count(s, "interludes", NULL), 3);
}

/* No ranges, 4 micro-batches with an input copy each and one optimizer: 8 iterations, not 32. */
SCENARIO(test_micro_batches_without_ranges)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 4; k++) {
            flow_copy(&f, HOST_TO_DEVICE, 1 << 16, US(10));
            flow_run(&f, "embedding_kernel", US(100));
            for (int l = 0; l < 3; l++)
                flow_layer(&f, MS(1));
            flow_run(&f, "cross_entropy_backward", US(200));
        }
        flow_run(&f, "multi_tensor_apply_adam", US(500));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 8);
}

/* How many micro-batches the steps of a run with a token budget have, without order. */
static const int budget[] = {4, 4, 3, 5, 3, 5, 4, 3, 3, 5, 5, 4,
                             5, 3, 4, 5, 3, 4, 3, 3, 5, 4, 4, 5};
enum { N_BUDGET = sizeof budget / sizeof *budget };

/* micro_batch 3 to 5 times, then the optimizer: 24 iterations, not 96. Without a period the ranges tell
 * neither. */
SCENARIO(test_any_number_of_micro_batches)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < N_BUDGET; i++) {
        for (int k = 0; k < budget[i]; k++)
            part(&f, "micro_batch", 8, MS(7));
        part(&f, "optimizer_step", 2, MS(1));
        flow_synchronize(&f);
        f.host += US(60);
    }
    assert_int_equal(loop_iterations(s), 0);
}

/* n passes without ranges, with an input copy each. After each of the numbers in budget comes the
 * kernel. */
static void pass_by_budget(struct scenario *s, const char *kernel)
{
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < N_BUDGET; i++) {
        for (int k = 0; k < budget[i]; k++) {
            flow_copy(&f, HOST_TO_DEVICE, 1 << 16, US(10));
            flow_run(&f, "embedding_kernel", US(100));
            for (int l = 0; l < 6; l++)
                flow_layer(&f, MS(1));
            flow_run(&f, "cross_entropy_backward", US(200));
        }
        flow_run(&f, kernel, US(500));
        flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
        flow_synchronize(&f);
        f.host += US(60);
    }
}

/* The same without ranges: the optimizer's kernel ends the steps. */
SCENARIO(test_any_number_without_ranges)
{
    pass_by_budget(*state, "multi_tensor_apply_adam");
    assert_int_equal(loop_iterations(*state), N_BUDGET);
    assert_int_equal(scenario_count(*state, TIMING, "slow"), 0);
}

/* The near miss: what follows now and then is no optimizer, so each pass is an iteration. */
SCENARIO(test_passes_with_a_report)
{
    pass_by_budget(*state, "histogram_kernel");
    assert_int_equal(loop_iterations(*state), 96);
}

/* Steps with 6, 8 or 10 kernels of 2 ms in no order are of three kinds, and none is slow. */
SCENARIO(test_steps_of_three_sizes)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < N_BUDGET; i++) {
        part(&f, "train_step", 2 * budget[i], MS(4) * budget[i]);
        flow_synchronize(&f);
        f.host += US(60);
    }
    assert_int_equal(loop_iterations(s), N_BUDGET);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_true(scenario_count(s, TIMING, "kind = 2") > 0);
}

/* The near miss of kinds: steps that take 20 % longer now and then and launch no more than others are
 * of one kind. */
SCENARIO(test_longer_steps_with_equal_launches)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < N_BUDGET; i++)
        marked_step(&f, "train_step", budget[i] == 5 ? MS(12) : MS(10), US(100));
    assert_int_equal(loop_iterations(s), N_BUDGET);
    assert_int_equal(scenario_count(s, TIMING, "kind = 0"), N_BUDGET);
}

/* 16 micro-batches, then the optimizer: 6 iterations, not 96. */
SCENARIO(test_many_micro_batches)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 16; k++)
            part(&f, number("forward_backward micro-batch %d", k), 3, MS(2));
        part(&f, "optimizer", 2, MS(2));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 6);
}

/* The backward pass is launched by the autograd thread while the main thread waits: its GPU time
 * counts for the main thread's steps. */
SCENARIO(test_autograd_thread_works_for_the_step)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    struct flow back = f;

    back.thread = scenario_thread(s, 100, 160, "pt_autograd_0");
    for (int i = 0; i < 10; i++) {
        int64_t start = f.host;

        flow_layer(&f, MS(3));
        back.host = f.host + US(30);
        back.gpu = f.gpu;
        for (int k = 0; k < 3; k++)
            flow_layer(&back, MS(3));
        scenario_os(s, f.thread, "pthread_cond_wait", f.host, back.host);
        f.host = back.host;
        f.gpu = back.gpu;
        flow_synchronize(&f);
        scenario_range(s, f.thread, "step", start, f.host);
        f.host += MS(1);
    }
    assert_int_equal(loop_iterations(s), 10);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 2", "kernels"), 16);
}

/* ---- several processes ---- */

/* Two ranks with 12 steps each: 12 iterations, each with a row a process. */
SCENARIO(test_two_processes_have_the_same_iterations)
{
    struct scenario *s = *state;

    for (int rank = 0; rank < 2; rank++) {
        struct flow f = flow_begin(s, 100 + rank, rank);

        f.host += rank * US(300);
        for (int i = 0; i < 12; i++)
            marked_step(&f, number("step %d", i), MS(20), MS(2));
    }
    assert_int_equal(loop_iterations(s), 24);
    assert_int_equal(scenario_count(s, TIMING, "iteration = 7"), 2);
    assert_int_equal(scenario_count(s, TIMING, "iteration > 11"), 0);
    has_note(s, "12 iterations");
}

/* ---- where the GPU does it ---- */

/* Ranges of 0.4 ms launch 14 ms of work: the host runs ahead, the period is 14 ms. */
SCENARIO(test_host_runs_ahead)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++) {
        int64_t start = f.host;

        for (int k = 0; k < 28; k++)
            flow_run(&f, "sm90_gemm", US(500));
        scenario_range(s, f.thread, "step", start, start + US(400));
        f.host = start + US(420);
    }
    assert_int_equal(loop_iterations(s), 20);
    has_note(s, "because the host runs ahead");
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(14), 1);
    scenario_near(scenario_int(s, TIMING, "iteration = 10", "start_ns"), MS(1) + 10 * MS(14), 1);
}

/* The same work with a wait at the end of each step is measured on the host. */
SCENARIO(test_host_that_waits_is_not_ahead)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++)
        marked_step(&f, "step", MS(14), US(50));
    assert_int_equal(loop_iterations(s), 20);
    has_no_note(s, "because the host runs ahead");
}

/* ---- without ranges ---- */

/* Training steps of 4 layers without annotation: 12 iterations, not 48, and the answer names the
 * method. */
SCENARIO(test_period_of_launches_is_the_step)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 12; i++) {
        flow_train_step(&f, MS(20));
        f.host += MS(1);
    }
    assert_int_equal(loop_iterations(s), 12);
    has_note(s, "period of the launches");
    has_note(s, "confidence");
    scenario_near(scenario_int(s, TIMING, "iteration = 5", "duration_ns"),
                  scenario_int(s, TIMING, "iteration = 6", "duration_ns"), 1);
}

/* 24 layers of 5 launches, an embedding and a head, and no copy at all: 8 iterations, not 192. */
SCENARIO(test_period_of_launches_is_not_the_layer)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 8; i++) {
        flow_run(&f, "embedding_kernel", US(100));
        for (int k = 0; k < 24; k++)
            flow_layer(&f, MS(1));
        flow_run(&f, "layer_norm_kernel", US(50));
        flow_run(&f, "sm90_gemm_mlp", US(400));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 8);
}

/* Kernels of eight names in random order: no iterations, with a reason. */
SCENARIO(test_random_launches_have_no_period)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    uint32_t dice = 12345;

    for (int i = 0; i < 600; i++) {
        dice = dice * 1664525u + 1013904223u;
        flow_run(&f, number("kernel_%d", (int)(dice >> 24) % 8), US(50 + (dice >> 16) % 100));
    }
    assert_int_equal(loop_iterations(s), 0);
    has_note(s, "has no period");
}

/* One kernel over and over, as a benchmark does: no iterations. */
SCENARIO(test_one_kernel_is_no_period)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 300; i++)
        flow_run(&f, "sm90_gemm", US(200));
    assert_int_equal(loop_iterations(s), 0);
}

/* A server decodes 60 tokens, a graph, a sampler and a copy each: each token is one. */
SCENARIO(test_each_token_of_a_graph_is_one)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++) {
        flow_copy(&f, HOST_TO_DEVICE, 4096, US(3));
        flow_run_graph(&f, 12, MS(8));
        flow_run(&f, "softmax_kernel", US(20));
        flow_run(&f, "argmax_kernel", US(10));
        flow_copy(&f, DEVICE_TO_HOST, 256, US(2));
        flow_synchronize(&f);
        f.host += US(300);
    }
    assert_int_equal(loop_iterations(s), 60);
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(8.4), 3);
}

/* Graphs alone, one a token. */
SCENARIO(test_graphs_alone_are_tokens)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        flow_run_graph(&f, 12, MS(5));
        flow_synchronize(&f);
        f.host += US(100);
    }
    assert_int_equal(loop_iterations(s), 40);
}

/* ---- kinds ---- */

/* Two prefills among 30 decodes, all under the range of one name: two kinds, none slow. */
SCENARIO(test_prefill_and_decode_are_kinds)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++) {
        int64_t start = f.host;

        if (i % 13 == 0) {
            for (int k = 0; k < 10; k++) {
                flow_run(&f, "flash_fwd_splitkv_kernel", MS(4));
                flow_run(&f, "sm90_xmma_gemm_prefill", MS(4));
                flow_run(&f, "silu_and_mul_kernel", MS(1));
            }
        } else {
            flow_run_graph(&f, 7, MS(9));
        }
        flow_copy(&f, DEVICE_TO_HOST, 64, US(2));
        flow_synchronize(&f);
        scenario_range(s, f.thread, number("execute_model: %d reqs", 3 + i % 5), start, f.host);
        f.host += US(200);
    }
    assert_int_equal(loop_iterations(s), 40);
    assert_int_equal(scenario_count(s, "iteration_kinds", NULL), 2);
    assert_int_equal(scenario_count(s, TIMING, "kind = 1"), 4);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_near(scenario_int(s, "iteration_kinds", "kind = 0", "median_ns"), MS(9.2), 2);
}

/* prefill and decode under ranges of their own names are iterations of two kinds. */
SCENARIO(test_prefill_and_decode_by_name)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 24; i++) {
        bool prefill = i == 0 || i == 7 || i == 18;
        int64_t start = f.host;

        for (int k = 0; k < 6; k++) {
            flow_run(&f, prefill ? "flash_fwd_kernel" : "paged_attention_v2_kernel",
                     prefill ? MS(5) : MS(1));
            flow_run(&f, prefill ? "sm90_gemm_256x128" : "gemv_kernel", prefill ? MS(5) : MS(1));
        }
        flow_synchronize(&f);
        scenario_range(s, f.thread, prefill ? "prefill" : "decode", start, f.host);
        f.host += US(100);
    }
    assert_int_equal(loop_iterations(s), 24);
    assert_int_equal(scenario_count(s, "iteration_kinds", NULL), 2);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
}

/* Short and long sequences in turn: two kinds, none slow. */
SCENARIO(test_short_and_long_buckets)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 24; i++)
        marked_step(&f, "train_step", i % 2 ? MS(40) : MS(20), MS(1));
    assert_int_equal(loop_iterations(s), 24);
    assert_int_equal(scenario_count(s, "iteration_kinds", NULL), 2);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    has_no_note(s, "level changes");
}

/* The same with one long step that takes half as long again: it is slow among the long ones. */
SCENARIO(test_slow_within_its_kind)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 32; i++)
        marked_step(&f, "train_step", i == 21 ? MS(60) : i % 2 ? MS(40) : MS(20), MS(1));
    assert_int_equal(loop_iterations(s), 32);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 1);
    assert_int_equal(scenario_int(s, TIMING, "slow", "iteration"), 21);
}

/* ---- warm-up, slow, level ---- */

/* 20 equal steps: no warm-up, none slow, no change of level. */
SCENARIO(test_a_healthy_run_is_quiet)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++)
        marked_step(&f, "step", MS(20) + (i * 7 % 5) * US(60), MS(1));
    assert_int_equal(loop_iterations(s), 20);
    assert_int_equal(scenario_count(s, TIMING, "mark <> ''"), 0);
    has_no_note(s, "level changes");
    has_no_note(s, "warm-up;");
    scenario_findings(s);
    loop_is_quiet(s, "level-change");
    loop_is_quiet(s, "slow-iterations");
}

/* The first 3 of 20 compile and autotune: they are warm-up, not slow, and not in the statistics. */
SCENARIO(test_warm_up)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++)
        marked_step(&f, "step", i == 0 ? MS(300) : i < 3 ? MS(60) : MS(20), MS(1));
    assert_int_equal(loop_iterations(s), 20);
    assert_int_equal(scenario_count(s, TIMING, "mark = 'warm-up'"), 3);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    assert_int_equal(scenario_int(s, "iteration_stats", "figure = 'period'", "n"), 17);
    assert_true(scenario_int(s, "iteration_stats", "figure = 'period'", "max_ns") < MS(25));
}

/* One of 20 takes twice as long: it is slow, and only it. */
SCENARIO(test_one_slow_step)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 20; i++)
        marked_step(&f, "step", i == 13 ? MS(40) : MS(20) + i % 3 * US(50), MS(1));
    assert_int_equal(loop_iterations(s), 20);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 1);
    assert_int_equal(scenario_int(s, TIMING, "slow", "iteration"), 13);
}

/* 4 % longer is not slow, however steady the others are; 7 are too few to judge. */
SCENARIO(test_near_misses_of_slow)
{
    struct scenario *few = scenario_new();
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    struct flow g = flow_begin(few, 100, 0);

    for (int i = 0; i < 20; i++)
        marked_step(&f, "step", i == 13 ? MS(20.8) : MS(20), 0);
    assert_int_equal(loop_iterations(s), 20);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    for (int i = 0; i < 7; i++)
        marked_step(&g, "step", i == 4 ? MS(50) : MS(20), 0);
    assert_int_equal(loop_iterations(few), 7);
    assert_int_equal(scenario_count(few, TIMING, "slow"), 0);
    scenario_free(few);
}

/* Every 20th of 100 is slow (a log with a wait): reported as recurring. */
SCENARIO(test_every_20th_is_slow)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 100; i++)
        marked_step(&f, "step", i % 20 == 19 ? MS(9) : MS(5), US(100));
    assert_int_equal(loop_iterations(s), 100);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 5);
    has_note(s, "every 20th iteration is slow");
    scenario_findings(s);
    loop_fires(s, "slow-iterations");
    has_note(s, "they recur: every 20th");
}

/* 4 slow ones at places without order do not recur. */
SCENARIO(test_slow_ones_without_order)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++)
        marked_step(&f, "step", i == 14 || i == 17 || i == 38 || i == 51 ? MS(9) : MS(5), US(100));
    assert_int_equal(loop_iterations(s), 60);
    assert_int_equal(scenario_count(s, TIMING, "slow"), 4);
    has_no_note(s, "iteration is slow");
}

/* From step 24 of 40 on the clocks are throttled: a change of level, and no slow step. */
SCENARIO(test_throttling_is_a_change_of_level)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 40; i++)
        marked_step(&f, "step", (i < 24 ? MS(20) : MS(26)) + i % 4 * US(80), US(100));
    assert_int_equal(loop_iterations(s), 40);
    has_note(s, "level changes at iteration 24");
    assert_int_equal(scenario_count(s, TIMING, "slow"), 0);
    scenario_findings(s);
    loop_fires(s, "level-change");
    loop_is_quiet(s, "slow-iterations");
}

/* The clocks fall by a tenth after step 60 of 100: the same, with noise of 1 %. */
SCENARIO(test_a_small_change_of_level)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 100; i++)
        marked_step(&f, "step", (i < 60 ? MS(20) : MS(22)) + i * 7 % 5 * US(50), US(100));
    assert_int_equal(loop_iterations(s), 100);
    has_note(s, "level changes at iteration 60");
    has_no_note(s, "drifts");
    scenario_findings(s);
    loop_fires(s, "level-change");
    loop_is_quiet(s, "drift");
}

/* The near miss: 4 % from step 60 on is no change of level, and no drift. */
SCENARIO(test_a_change_below_the_threshold)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 100; i++)
        marked_step(&f, "step", (i < 60 ? MS(20) : MS(20.8)) + i * 7 % 5 * US(50), US(100));
    assert_int_equal(loop_iterations(s), 100);
    has_no_note(s, "level changes");
    has_no_note(s, "drifts");
}

/* Each step takes 0.1 % longer than the previous one: a drift with its slope, not a change of
 * level. No step is warm-up. */
SCENARIO(test_a_slow_drift)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 150; i++)
        marked_step(&f, "step", MS(20) + i * US(20) + i * 7 % 5 * US(20), US(10));
    assert_int_equal(loop_iterations(s), 150);
    has_no_note(s, "level changes");
    has_note(s, "The period drifts from 20.");
    has_note(s, "by 0.099 % from one iteration to the next");
    assert_int_equal(scenario_count(s, TIMING, "mark <> ''"), 0);
    scenario_findings(s);
    loop_fires(s, "drift");
    loop_is_quiet(s, "level-change");
    loop_is_quiet(s, "slow-iterations");
}

/* A steep drift with some slow steps in it: both are told. */
SCENARIO(test_a_steep_drift)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 60; i++)
        marked_step(&f, "step", MS(10) + i * US(100) + (i == 33 || i == 50 ? MS(20) : 0), US(10));
    assert_int_equal(loop_iterations(s), 60);
    has_no_note(s, "level changes");
    scenario_findings(s);
    loop_fires(s, "drift");
    loop_is_quiet(s, "level-change");
    loop_fires(s, "slow-iterations");
}

/* The near miss: 0.02 % a step makes 3 % in all. */
SCENARIO(test_hardly_a_drift)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 150; i++)
        marked_step(&f, "step", MS(20) + i * US(4) + i * 7 % 5 * US(20), US(10));
    assert_int_equal(loop_iterations(s), 150);
    has_no_note(s, "level changes");
    has_no_note(s, "drifts");
}

/* Each step takes less than the previous one: no fault. */
SCENARIO(test_a_drift_to_the_better)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 100; i++)
        marked_step(&f, "step", MS(30) - i * US(60), US(10));
    assert_int_equal(loop_iterations(s), 100);
    has_no_note(s, "level changes");
    scenario_findings(s);
    loop_is_quiet(s, "drift");
    assert_int_equal(loop_faults(s, NULL), 0);
}

/* Steps that take longer and longer. Their texts: the word and the number of the step, and what grows
 * from 512 by `more` a step, if it has a word. */
static void growing_steps(struct flow *f, const char *step, const char *size, double more)
{
    for (int i = 0; i < 90; i++) {
        char text[80];

        (void)snprintf(text, sizeof text, "%s %d", step, i);
        if (size)
            (void)snprintf(text, sizeof text, "%s %d %s=%d", step, i, size,
                           (int)(512 + i / 10 * 10 * more));
        marked_step(f, text, MS(10) + i / 10 * MS(1) + i * 7 % 5 * US(20), US(10));
    }
}

static bool work_grows(struct scenario *s)
{
    scenario_findings(s);
    loop_fires(s, "drift");
    return strstr(scenario_text(s, "findings", "rule = 'drift'", "finding"),
                  "because their work grows") != NULL;
}

/* The growing steps are a fault: what grows is no work, or grows too little. */
static void expect_drift(struct scenario *s, const char *step, const char *size, double more)
{
    struct flow f = flow_begin(s, 100, 0);

    growing_steps(&f, step, size, more);
    assert_false(work_grows(s));
    assert_int_equal(loop_faults(s, "drift"), 1);
}

/* A curriculum: sequences grow from 512 to 960 in nine stages. That is the work, no fault. */
SCENARIO(test_a_curriculum_is_no_fault)
{
    struct flow f = flow_begin(*state, 100, 0);

    growing_steps(&f, "step", "len", 5.6);
    assert_true(work_grows(*state));
    loop_is_healthy(*state);
}

/* Images grow by 40 %, and the steps by 80 %: pixels are squares. */
SCENARIO(test_growing_images_are_no_fault)
{
    struct flow f = flow_begin(*state, 100, 0);

    growing_steps(&f, "step", "res", 2.6);
    assert_true(work_grows(*state));
    loop_is_healthy(*state);
}

/* The grids of the kernels grow, and no text tells it. */
SCENARIO(test_growing_grids_are_no_fault)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    growing_steps(&f, "step", NULL, 0);
    scenario_sql(s, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 100 + start / 10000000, "
                    "gridY = 1, gridZ = 1");
    assert_true(work_grows(s));
    loop_is_healthy(s);
}

/* The near miss: the number that grows counts the steps. */
SCENARIO(test_a_counter_is_no_size)
{
    expect_drift(*state, "batch", NULL, 0);
}

/* The near miss: sequences grow by 5 %, the steps by 80 %. */
SCENARIO(test_sequences_grow_too_little)
{
    expect_drift(*state, "step", "len", 0.3);
}

/* The near miss: what grows is memory. */
SCENARIO(test_a_leak_is_no_work)
{
    expect_drift(*state, "step", "mem_size", 5.6);
}

/* The near miss: what grows is a loss. */
SCENARIO(test_a_loss_is_no_size)
{
    expect_drift(*state, "step", "loss", 5.6);
}

/* From step 60 on the batch is half as large again, and the steps take that much longer. */
SCENARIO(test_a_larger_batch_is_no_fault)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 100; i++)
        marked_step(&f, i < 60 ? "step bs=32" : "step bs=48",
                    (i < 60 ? MS(20) : MS(29)) + i * 7 % 5 * US(50), US(100));
    scenario_findings(s);
    loop_fires(s, "level-change");
    assert_int_equal(loop_faults(s, NULL), 0);
}

/* Three levels: reported neither as a change nor as a drift. */
SCENARIO(test_three_levels_are_withheld)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    for (int i = 0; i < 90; i++)
        marked_step(&f, "step", MS(20) + i / 30 * MS(3) + i * 7 % 5 * US(20), US(10));
    assert_int_equal(loop_iterations(s), 90);
    has_no_note(s, "level changes");
    has_no_note(s, "drifts");
    scenario_findings(s);
    loop_is_quiet(s, "level-change");
    loop_is_quiet(s, "drift");
}

/* Whether every eighth of 90 steps from one to another takes 30 ms longer, and the notes say that it
 * recurs. */
static bool every_eighth(struct scenario *s, int from, int to)
{
    struct flow f = flow_begin(s, 100, 0);
    int n = 0;

    for (int i = 0; i < 90; i++) {
        bool is_slow = i >= from && i < to && i % 8 == 7;

        marked_step(&f, "step", MS(12) + (is_slow ? MS(30) : 0) + i * 7 % 5 * US(20), US(10));
        n += is_slow;
    }
    assert_int_equal(loop_iterations(s), 90);
    assert_int_equal(scenario_count(s, TIMING, "slow"), n);
    return loop_notes(s, "every 8th iteration is slow");
}

SCENARIO(test_every_eighth_is_slow)
{
    assert_true(every_eighth(*state, 0, 90));
}

/* It begins at the 16th. */
SCENARIO(test_nearly_every_eighth_is_slow)
{
    assert_true(every_eighth(*state, 16, 90));
}

/* The near misses: it did so for half of the time, at its beginning or its end. */
SCENARIO(test_every_eighth_was_slow)
{
    assert_false(every_eighth(*state, 0, 44));
}

SCENARIO(test_every_eighth_became_slow)
{
    assert_false(every_eighth(*state, 44, 90));
}

/* ---- withheld ---- */

/* Ranges that recur but launch a tenth of the GPU time, in a job without order: withheld, with this
 * reason. */
SCENARIO(test_ranges_without_work_are_withheld)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    uint32_t dice = 99;

    for (int i = 0; i < 10; i++) {
        int64_t start = f.host;

        flow_run(&f, "log_softmax", MS(1));
        scenario_range(s, f.thread, "log metrics step", start, f.host);
        for (int k = 0; k < 30; k++) {
            dice = dice * 1664525u + 1013904223u;
            flow_run(&f, number("kernel_%d", (int)(dice >> 24) % 9), US(300));
        }
    }
    assert_int_equal(loop_iterations(s), 0);
    has_note(s, "half of the GPU time");
}

/* Two steps are too few. */
SCENARIO(test_two_steps_are_too_few)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    marked_step(&f, "step 1", MS(20), MS(1));
    marked_step(&f, "step 2", MS(20), MS(1));
    assert_int_equal(loop_iterations(s), 0);
}

/* ---- times of centuries ---- */

#define CENTURIES INT64_C(6000000000000000000)

/* The host runs ahead, so steps begin with their first kernel on the stream with most compute. That
 * is stream 7, also with two kernels of 190 years at once, whose sum does not fit in 64 bits. */
SCENARIO(test_sum_of_centuries_leads)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int64_t first = 0;

    for (int i = 0; i < 12; i++) {
        int64_t start = f.host;

        (void)scenario_launch(s, f.thread, f.host, 0, 8, "gather", f.host + US(8), f.host + US(9));
        f.host += US(10);
        for (int k = 0; k < 2 && i == 10; k++, f.host += US(10))
            (void)scenario_launch(s, f.thread, f.host, 0, 7, "gemm", f.host + US(8),
                                  f.host + US(8) + CENTURIES);
        first = i == 4 ? f.gpu : first;
        for (int k = 0; k < 4; k++)
            flow_run(&f, "gemm", MS(2));
        scenario_range(s, f.thread, "step", start, f.host);
    }
    assert_int_equal(loop_iterations(s), 12);
    assert_int_equal(scenario_int(s, TIMING, "iteration = 4", "start_ns"), first);
}

/* The last step lasts 190 years on each of two GPUs: their summed busy time is a lower bound. */
SCENARIO(test_busy_time_of_centuries_stops)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);

    scenario_gpu(s, 1, "NVIDIA H100 80GB HBM3");
    for (int i = 0; i < 12; i++) {
        int64_t start = f.host;

        for (int device = 0; device < 2; device++, f.host += US(10))
            (void)scenario_launch(s, f.thread, f.host, device, 9, "gemm", f.host + US(8),
                                  f.host + US(8) + (i < 11 ? MS(1) : CENTURIES));
        flow_train_step(&f, MS(60));
        scenario_range(s, f.thread, "step", start, f.host);
    }
    assert_int_equal(loop_iterations(s), 12);
    assert_true(scenario_int(s, "iterations", "iteration = 11", "busy_ns") == INT64_MAX);
    assert_int_equal(scenario_count(s, "iteration_stats", "min_ns < 0"), 0);
}

/* ---- where a step begins ---- */

/* Truth: a step ends with the loss, for which the host waits. Two of three steps fill a buffer right after that: it is
 * their own, not of the step before. */
SCENARIO(test_a_kernel_after_the_wait)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    int64_t begins[20];

    for (int i = 0; i < 5; i++)
        flow_run(&f, "init_kernel", MS(1));
    for (int i = 0; i < 20; i++) {
        begins[i] = f.host;
        if (i % 3 > 0)
            flow_run(&f, "fill_kernel", US(30));
        for (int k = 0; k < 4; k++)
            flow_layer(&f, MS(1));
        flow_run(&f, "multi_tensor_apply_adam", MS(1));
        flow_copy(&f, DEVICE_TO_HOST, 4, US(2));
        flow_synchronize(&f);
    }
    assert_int_equal(loop_iterations(s), 20);
    for (int i = 1; i < 20; i++)
        assert_int_equal(scenario_int(s, "iterations", number("iteration = %d", i), "start_ns"),
                         begins[i]);
}

/* ---- one answer ---- */

/* iters, the screen and the report have the same number and the same median. */
SCENARIO(test_all_views_agree)
{
    struct scenario *s = *state;
    struct flow f = flow_begin(s, 100, 0);
    char command[64];

    for (int i = 0; i < 12; i++) {
        int64_t start = f.host;

        flow_train_step(&f, MS(60));
        scenario_range(s, f.thread, number("train step %d", i), start, start + MS(80));
        f.host = start + MS(100);
    }
    assert_int_equal(loop_iterations(s), 12);
    scenario_near(scenario_int(s, "iteration_stats", "figure = 'period'", "median_ns"), MS(100), 0);
    (void)snprintf(command, sizeof command, "render @ --size 120x40 --keys }");
    assert_int_equal(scenario_run(s, command), 0);
    has_note(s, "n 12, median 100 ms");
    assert_int_equal(scenario_run(s, "report @ --json"), 0);
    has_note(s, "\"iterations\"");
    has_note(s, "100.0");
}
