/* Skill "ceiling": the most that each GPU could gain if a loss were gone. */
#include "analysis/device/bound.h"
#include "analysis/device/breakdown.h"
#include "analysis/skill/skill.h"

#include <math.h>

struct loss {
    const char *what;
    nsc_time ns;
};

struct ceiling_row {
    int64_t gpu;
    struct loss loss;
    nsc_time whole, left;
    double gain;
};

const struct nsc_sheet_column nsc_skill_ceiling_columns[] = {
    NSC_COL_ID(ceiling_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(ceiling_row, loss.what, "loss", "If there were no"),
    NSC_COL_NS(ceiling_row, whole, "window_ns", "Window"),
    NSC_COL_NS(ceiling_row, loss.ns, "loss_ns", "Loss"),
    NSC_COL_SHARE(ceiling_row, loss.ns, whole, "loss_share", "of window", "window"),
    NSC_COL_NS(ceiling_row, left, "left_ns", "Left at least"),
    NSC_COL_NUMBER(ceiling_row, gain, "gain", "Gain at most, %", 1),
    {0},
};

static void add_losses(struct nsc_sheet *sheet, int64_t gpu, const struct nsc_breakdown *time,
                       const struct nsc_bound *bound)
{
    const struct loss losses[] = {
        {"idle time of the GPU", time->idle},
        {"idle time while starved", bound->part[NSC_BOUND_STARVED]},
        {"exposed communication that compute can hide",
         nsc_overlap_gain(time->exposed, time->compute, time->overlap)},
        {"exposed copies that compute can hide",
         nsc_overlap_gain(time->transfer_exposed, time->compute, time->transfer_overlap)},
    };

    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        double gain = nsc_gain_ceiling(time->whole, losses[i].ns);

        NSC_ADD_ROW(sheet, ceiling_row, .gpu = gpu, .loss = losses[i], .whole = time->whole,
                    .left = time->whole - losses[i].ns, .gain = gain >= 0 ? gain : (double)NAN);
    }
}

void nsc_skill_ceiling(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, ceiling);

    struct nsc_breakdown time;
    struct nsc_bound bound;

    for (uint32_t d = NSC_NONE; nsc_breakdown_next(&time, scope, &d);)
        if (nsc_bound_build(&bound, scope, d))
            add_losses(sheet, nsc_trace_track(scope->trace, d)->gpu, &time, &bound);
    nsc_sheet_note(sheet,
                   "These are upper bounds, not forecasts: they assume that nothing else fills the "
                   "freed time. Losses overlap, so do not add them. Hiding communication or copies "
                   "saves at most the time of the compute that none of them overlaps yet.");
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
}
