/* Skills about kernels by name: their summed time. */
#include "analysis/device/kernel_work.h"
#include "analysis/skill/skill.h"

struct top_kernel_row {
    int64_t gpu;
    struct nsc_kernel_share of;
    nsc_time all, mean;
    struct nsc_text kernel;
};

const struct nsc_sheet_column nsc_skill_top_kernels_columns[] = {
    NSC_COL_ID(top_kernel_row, gpu, "gpu", "GPU"),
    NSC_COL_COUNT(top_kernel_row, of.count, "count", "Kernels"),
    NSC_COL_NS(top_kernel_row, of.work, "total_ns", "Total"),
    NSC_COL_SHARE(top_kernel_row, of.work, all, "share", "Share", "summed kernel time"),
    NSC_COL_NS(top_kernel_row, mean, "avg_ns", "Mean"),
    NSC_COL_NS(top_kernel_row, of.shortest, "min_ns", "Min"),
    NSC_COL_NS(top_kernel_row, of.longest, "max_ns", "Max"),
    NSC_COL_TEXT(top_kernel_row, kernel, "kernel", "Kernel"),
    {0},
};

void nsc_skill_top_kernels(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, top_kernels);
    const struct nsc_trace *trace = question->scope->trace;
    struct nsc_kernel_work work;
    size_t n;

    nsc_kernel_work_build(&work, question->scope);
    n = nsc_question_limit(question, sheet, work.n);
    for (size_t i = 0; i < n; i++) {
        const struct nsc_kernel_share *share = &work.at[i];

        NSC_ADD_ROW(sheet, top_kernel_row, .gpu = nsc_trace_track(trace, share->device)->gpu,
                    .of = *share, .all = work.work, .mean = share->work / share->count,
                    .kernel = nsc_trace_string(trace, nsc_trace_names(trace)->full[share->name]));
    }
    nsc_sheet_note(sheet, work.n
                              ? "Total adds durations, so it is not wall time: kernels of several "
                                "streams run at once. Durations are not clipped to the window."
                              : "There are no kernels in the window.");
    nsc_kernel_work_fini(&work);
}
