/*
 * A training loop for scenarios, and what the findings say about it.
 */
#include "scenarios/loop.h"

#include <stdio.h>
#include <string.h>

static const char *const bf16_names[] = {
    "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>>",
    "ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_nn",
    "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>",
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>",
    NULL};

static int64_t or_default(int64_t value, int64_t usual)
{
    return value ? value : usual;
}

int64_t loop_step(const struct loop *loop, int i)
{
    return or_default(loop->start, MS(10)) + i * or_default(loop->period, MS(10));
}

int64_t loop_run(struct scenario *s, const struct loop *loop)
{
    int64_t thread = loop->thread ? loop->thread : scenario_thread(s, 100, 100, "python");
    int64_t kernel = or_default(loop->kernel, US(95));
    const char *const *names = loop->names ? loop->names : bf16_names;
    int next = 0;

    for (int i = 0; i < (loop->steps ? loop->steps : 20); i++) {
        int64_t end = loop_step(loop, i + 1) - loop->idle;

        for (int64_t at = loop_step(loop, i); at + kernel <= end; at += kernel + US(1)) {
            next = names[next] ? next : 0;
            scenario_launch(s, thread, at - or_default(loop->ahead, US(30)), loop->device,
                            loop->stream ? loop->stream : 7, names[next++], at, at + kernel);
        }
        if (!loop->range || loop->range[0])
            scenario_range(s, thread, loop->range ? loop->range : "train_step",
                           loop_step(loop, i) - or_default(loop->ahead, US(30)) - US(1),
                           loop_step(loop, i + 1) - or_default(loop->ahead, US(30)) - US(2));
    }
    return thread;
}

/* ---- what the findings say ---- */

static int count_faults(struct scenario *s, const char *rule)
{
    char where[200];

    snprintf(where, sizeof where, "severity IN ('high', 'medium', 'low')%s%s%s",
             rule ? " AND rule = '" : "", rule ? rule : "", rule ? "'" : "");
    return scenario_count(s, "findings", where);
}

int loop_faults(struct scenario *s, const char *rule)
{
    return count_faults(s, rule);
}

/* For a rule: its findings with an answer, and all including those not assessable. */
static void count_rule(int *told, int *all, struct scenario *s, const char *rule)
{
    char where[200];

    snprintf(where, sizeof where, "rule = '%s'", rule);
    *all = scenario_count(s, "findings", where);
    snprintf(where, sizeof where, "rule = '%s' AND severity <> 'not assessable'", rule);
    *told = scenario_count(s, "findings", where);
}

void loop_fires(struct scenario *s, const char *rule)
{
    int told, all;

    count_rule(&told, &all, s, rule);
    if (told != 1)
        fail_msg("%s: %d findings", rule, told);
}

void loop_is_quiet(struct scenario *s, const char *rule)
{
    loop_abstains(s, rule, 0);
}

void loop_abstains(struct scenario *s, const char *rule, int says)
{
    int told, all;

    count_rule(&told, &all, s, rule);
    if (told != 0 || all != says)
        fail_msg("%s: %d findings, of which %d tell something", rule, all, told);
}

int loop_iterations(struct scenario *s)
{
    scenario_ask(s, "iters @");
    return scenario_count(s, TIMING, NULL);
}

bool loop_notes(struct scenario *s, const char *words)
{
    return strstr(scenario_output(s), words) != NULL;
}

void loop_is_healthy(struct scenario *s)
{
    if (count_faults(s, NULL) != 0)
        fail_msg("not healthy: %s",
                 scenario_text(s, "findings", "severity IN ('high', 'medium', 'low')",
                               "severity || ' ' || finding || '; ' || evidence"));
    assert_int_equal(scenario_count(s, "findings", "rule = 'healthy'"), 1);
    assert_int_equal(scenario_int(s, "findings", "rule = 'healthy'", "number"), 1);
}

void loop_severity(struct scenario *s, const char *rule, const char *severity)
{
    char where[200];

    snprintf(where, sizeof where, "rule = '%s'", rule);
    assert_int_equal(scenario_count(s, "findings", where), 1);
    assert_string_equal(scenario_text(s, "findings", where, "severity"), severity);
}

/* The number of the finding that leads the time of a rule's only one. */
static int64_t lead_of(struct scenario *s, const char *rule)
{
    char where[200];

    snprintf(where, sizeof where, "rule = '%s'", rule);
    return scenario_int(s, "findings", where, "coalesce(under, number)");
}

void loop_same_time(struct scenario *s, const char *rule, const char *other)
{
    assert_int_equal(lead_of(s, rule), lead_of(s, other));
}

void loop_leads(struct scenario *s, const char *rule)
{
    char where[200];

    snprintf(where, sizeof where, "rule = '%s' AND under IS NULL", rule);
    assert_int_equal(scenario_count(s, "findings", where), 1);
}
