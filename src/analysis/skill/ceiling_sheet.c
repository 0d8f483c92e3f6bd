/*
 * Skill "ceiling": what each GPU could gain at most if a loss were gone.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/compute_absent.h"
#include "analysis/device/idle.h"
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

void nsc_skill_ceiling(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, ceiling);

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_breakdown time;
        struct nsc_absent absent;
        struct nsc_idle idle;

        if (!nsc_breakdown_build(&time, scope, d) || !nsc_absent_build(&absent, scope, d) ||
            !nsc_idle_build(&idle, scope, d))
            continue;
        for (int i = 0; i < 5; i++) {
            struct loss loss = (struct loss[]){
                {"idle time of the GPU", time.idle},
                {"idle time while the CPU is late", nsc_idle_late(&idle)},
                {"launch-starved time without compute", absent.part[NSC_ABSENT_STARVED]},
                {"exposed communication", time.exposed},
                {"exposed copies between host and device", time.transfer_exposed}}[i];
            double gain = nsc_gain_ceiling(time.whole, loss.ns);

            NSC_ADD_ROW(sheet, ceiling_row, .gpu = nsc_trace_track(scope->trace, d)->gpu,
                        .loss = loss, .whole = time.whole, .left = time.whole - loss.ns,
                        .gain = gain >= 0 ? gain : (double)NAN);
        }
        nsc_idle_fini(&idle);
    }
    nsc_sheet_note(sheet, "These are upper bounds, not forecasts: they assume that nothing else "
                          "fills the freed time. Losses overlap, so do not add them.");
    nsc_sheet_note_empty(sheet, "No GPU has work in the window.");
}
