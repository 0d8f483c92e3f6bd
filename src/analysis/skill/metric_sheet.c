/* Skill "kernel_metrics": what bounds kernels, by sampled GPU counters. */
#include "analysis/device/kernel_metrics.h"
#include "analysis/skill/skill.h"

#include <math.h>

struct metric_row {
    int64_t gpu;
    const char *verdict;
    uint32_t samples;
    double active, issue, tensor, reads, writes;
    struct nsc_text kernel;
};

const struct nsc_sheet_column nsc_skill_kernel_metrics_columns[] = {
    NSC_COL_ID(metric_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(metric_row, verdict, "bound_by", "Bound by"),
    NSC_COL_COUNT(metric_row, samples, "samples", "Samples"),
    NSC_COL_NUMBER(metric_row, active, "sm_active", "SM active, %", 1),
    NSC_COL_NUMBER(metric_row, issue, "sm_issue", "SM issue, %", 1),
    NSC_COL_NUMBER(metric_row, tensor, "tensor_active", "Tensor, %", 1),
    NSC_COL_NUMBER(metric_row, reads, "dram_read", "DRAM read, %", 1),
    NSC_COL_NUMBER(metric_row, writes, "dram_write", "DRAM write, %", 1),
    NSC_COL_TEXT(metric_row, kernel, "kernel", "Kernel"),
    {0},
};

static double percent(const struct nsc_kernel_metric *of, enum nsc_kernel_counter counter)
{
    double mean = nsc_kernel_metric_mean(of, counter);

    return mean < 0 ? (double)NAN : mean;
}

void nsc_skill_kernel_metrics(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_trace *trace = question->scope->trace;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, kernel_metrics);
    struct nsc_kernel_metrics metrics;
    size_t shown;

    nsc_kernel_metrics_build(&metrics, question->scope);
    shown = nsc_question_limit(question, sheet, metrics.n);
    for (size_t i = 0; i < shown; i++) {
        const struct nsc_kernel_metric *of = &metrics.at[i];

        NSC_ADD_ROW(sheet, metric_row, .gpu = nsc_trace_track(trace, of->device)->gpu,
                    .verdict = nsc_kernel_metric_verdict(of), .samples = of->samples,
                    .active = percent(of, NSC_COUNTER_SM_ACTIVE),
                    .issue = percent(of, NSC_COUNTER_SM_ISSUE),
                    .tensor = percent(of, NSC_COUNTER_TENSOR),
                    .reads = percent(of, NSC_COUNTER_DRAM_READ),
                    .writes = percent(of, NSC_COUNTER_DRAM_WRITE),
                    .kernel = nsc_trace_string(trace, nsc_trace_names(trace)->brief[of->name]));
    }
    nsc_sheet_note(sheet,
                   "Counters cover the whole GPU, so a sample counts only if one kernel ran alone "
                   "from the previous sample to the next. Memory: DRAM reads and writes are at %d "
                   "%% of their peak or more, and above issuing. Issuing or tensor cores: at %d %% "
                   "or more. Few active SMs: below %d %%. Else latency. A verdict needs %d "
                   "samples. nsyscope chose these thresholds; ncu measures a kernel itself.",
                   NSC_METRIC_BOUND, NSC_METRIC_BOUND, NSC_METRIC_FEW_SMS, NSC_METRIC_SAMPLES);
    nsc_sheet_note_empty(sheet, metrics.has_counters
                                    ? "No sample lies inside a kernel: the kernels are too short "
                                      "for the sampling rate (--gpu-metrics-frequency)."
                                    : "No counters of the SMs or of memory are recorded; nsys "
                                      "profile --gpu-metrics-devices=all records them.");
    nsc_kernel_metrics_fini(&metrics);
}
