/*
 * Skill "ceiling": what each GPU could gain at most if a loss were gone.
 */
#include "analysis/device/breakdown.h"
#include "analysis/device/ceiling.h"
#include "analysis/device/compute_absent.h"
#include "analysis/device/idle.h"
#include "analysis/skill/skills.h"

const struct nsc_sheet_column nsc_skill_ceiling_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"loss", "If there were no", NULL, NSC_SHEET_TEXT, 0},
    {"window_ns", "Window", NULL, NSC_SHEET_NS, 0},
    {"loss_ns", "Loss", NULL, NSC_SHEET_NS, 0},
    {"loss_share", "of window", "window", NSC_SHEET_PERCENT, 0},
    {"left_ns", "Left at least", NULL, NSC_SHEET_NS, 0},
    {"gain", "Gain at most, %", NULL, NSC_SHEET_NUMBER, 1},
    {NULL, NULL, NULL, 0, 0},
};

struct loss {
    const char *what;
    nsc_time ns;
};

static void add_loss(struct nsc_sheet *sheet, const struct nsc_scope *scope, uint32_t device,
                     nsc_time whole, struct loss loss)
{
    double gain = nsc_gain_ceiling(whole, loss.ns);

    nsc_device_cell(sheet, scope->trace, device);
    nsc_sheet_add_puts(sheet, loss.what);
    nsc_sheet_add_int(sheet, whole);
    nsc_sheet_add_int(sheet, loss.ns);
    nsc_sheet_add_share(sheet, loss.ns, whole);
    nsc_sheet_add_int(sheet, whole - loss.ns);
    if (gain >= 0)
        nsc_sheet_add_number(sheet, gain);
    else
        nsc_sheet_add_unknown(sheet);
}

void nsc_skill_ceiling(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet =
        nsc_question_sheet(out, question, "ceiling", nsc_skill_ceiling_columns);

    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_breakdown time;
        struct nsc_absent absent;
        struct nsc_idle idle;

        if (!nsc_breakdown_build(&time, scope, d) || !nsc_absent_build(&absent, scope, d) ||
            !nsc_idle_build(&idle, scope, d))
            continue;
        for (int i = 0; i < 5; i++)
            add_loss(sheet, scope, d, time.whole,
                     (struct loss[]){
                         {"idle time of the GPU", time.idle},
                         {"idle time while the CPU is late", nsc_idle_late(&idle)},
                         {"launch-starved time without compute", absent.part[NSC_ABSENT_STARVED]},
                         {"exposed communication", time.exposed},
                         {"exposed copies between host and device", time.transfer_exposed}}[i]);
        nsc_idle_fini(&idle);
    }
    nsc_sheet_note(sheet, "Ceilings, not forecasts: the loss would have to vanish without anything "
                          "else taking its place. Losses overlap: do not add them.");
    if (nsc_sheet_rows(sheet) == 0)
        nsc_sheet_note(sheet, "No GPU has work in the window.");
}
