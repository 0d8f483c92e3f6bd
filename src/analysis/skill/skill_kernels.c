/*
 * Skills about kernels by name: which take the time.
 */
#include "analysis/base/device_ops.h"
#include "analysis/device/kernel_work.h"
#include "analysis/skill/skills.h"

const struct nsc_sheet_column nsc_skill_top_kernels_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"count", "Kernels", NULL, NSC_SHEET_COUNT, 0},
    {"total_ns", "Total", NULL, NSC_SHEET_NS, 0},
    {"share", "Share", "summed kernel time", NSC_SHEET_PERCENT, 0},
    {"avg_ns", "Mean", NULL, NSC_SHEET_NS, 0},
    {"min_ns", "Min", NULL, NSC_SHEET_NS, 0},
    {"max_ns", "Max", NULL, NSC_SHEET_NS, 0},
    {"kernel", "Kernel", NULL, NSC_SHEET_TEXT, 0},
    {NULL, NULL, NULL, 0, 0},
};

void nsc_skill_top_kernels(struct nsc_sheets *out, const struct nsc_question *question)
{
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "top_kernels", nsc_skill_top_kernels_columns);
    const struct nsc_trace *trace = question->scope->trace;
    struct nsc_kernel_work work;
    size_t n;

    nsc_kernel_work_build(&work, question->scope);
    n = nsc_question_limit(question, sheet, work.n);
    for (size_t i = 0; i < n; i++) {
        const struct nsc_kernel_share *share = &work.at[i];

        nsc_device_cell(sheet, trace, share->device);
        nsc_sheet_add_int(sheet, share->count);
        nsc_sheet_add_int(sheet, share->work);
        nsc_sheet_add_share(sheet, share->work, work.work);
        nsc_sheet_add_int(sheet, share->work / share->count);
        nsc_sheet_add_int(sheet, share->shortest);
        nsc_sheet_add_int(sheet, share->longest);
        nsc_sheet_add_text(sheet,
                           nsc_trace_string(trace, nsc_trace_names(trace)->full[share->name]));
    }
    nsc_sheet_note(sheet, work.n
                              ? "Total is work, not wall time: kernels of several streams run at "
                                "once. Durations are whole, also across the window's edge."
                              : "There are no kernels in the window.");
    nsc_kernel_work_fini(&work);
}
