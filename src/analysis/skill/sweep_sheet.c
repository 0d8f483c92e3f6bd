/* Adds the time of each GPU, cut where the classes of running work change: a table of SQL. */
#include "analysis/base/device_ops.h"
#include "analysis/device/sweep.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"

struct sweep_table_row {
    struct nsc_kept_text rank;
    int64_t gpu, start, end, dur;
    bool compute, comm, copy, memset;
};

const struct nsc_sheet_column nsc_sweep_columns[] = {
    NSC_COL_TEXT(sweep_table_row, rank, "rank", "Label of the export; NULL for a single one"),
    NSC_COL_ID(sweep_table_row, gpu, "gpu", "GPU"),
    NSC_COL_INSTANT(sweep_table_row, start, "start", "Start"),
    NSC_COL_INSTANT(sweep_table_row, end, "end", "End"),
    NSC_COL_NS(sweep_table_row, dur, "dur", "Length"),
    NSC_COL_YES(sweep_table_row, compute, "compute", "1: compute runs"),
    NSC_COL_YES(sweep_table_row, comm, "comm", "1: communication runs"),
    NSC_COL_YES(sweep_table_row, copy, "copy", "1: a copy runs"),
    NSC_COL_YES(sweep_table_row, memset, "memset", "1: a memset runs"),
    {0},
};

struct sweeping {
    struct nsc_sheet *sheet;
    struct nsc_kept_text rank;
    struct nsc_window at; /* alike so far; empty: none */
    uint32_t kinds;
};

static void put_stretch(const struct sweeping *sweeping, const struct nsc_sweep *sweep)
{
    const struct nsc_window w = sweeping->at;
    const uint32_t kinds = sweeping->kinds;

    if (w.t0 < w.t1)
        NSC_ADD_ROW(sweeping->sheet, sweep_table_row, .rank = sweeping->rank,
                    .gpu = nsc_trace_track(sweep->scope->trace, sweep->device)->gpu, .start = w.t0,
                    .end = w.t1, .dur = nsc_span(w.t0, w.t1), .compute = kinds & NSC_COMPUTE_KINDS,
                    .comm = kinds & NSC_COMM_KINDS, .copy = kinds & NSC_COPY_KINDS,
                    .memset = kinds & NSC_OP_KIND_BIT(NSC_OP_KIND_MEMSET));
}

static void begin_sweep(void *own, void *answer, const struct nsc_sweep *sweep, const void *param)
{
    struct sweeping *sweeping = own;

    (void)answer;
    *sweeping = (struct sweeping){.sheet = *(struct nsc_sheet *const *)param};
    sweeping->rank = nsc_rank_label(sweeping->sheet, sweep->scope->trace, sweep->device);
}

/* One bit a class: what a row tells. */
static uint32_t classes_of(uint32_t kinds)
{
    static const uint32_t classes[] = {NSC_COMPUTE_KINDS, NSC_COMM_KINDS, NSC_COPY_KINDS,
                                       NSC_OP_KIND_BIT(NSC_OP_KIND_MEMSET)};
    uint32_t out = 0;

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        out |= kinds & classes[i] ? classes[i] : 0;
    return out;
}

static void pass_stretch(void *own, const struct nsc_sweep *sweep,
                         const struct nsc_stretch *stretch)
{
    struct sweeping *sweeping = own;
    uint32_t kinds = classes_of(stretch->kinds);

    if (sweeping->at.t0 < sweeping->at.t1 && kinds == sweeping->kinds) {
        sweeping->at.t1 = stretch->t1;
        return;
    }
    put_stretch(sweeping, sweep);
    sweeping->at = (struct nsc_window){stretch->t0, stretch->t1};
    sweeping->kinds = kinds;
}

static bool end_sweep(void *own, const struct nsc_sweep *sweep)
{
    put_stretch(own, sweep);
    return true;
}

void nsc_sweep_sheet(struct nsc_sheets *out, const struct nsc_scope *scope)
{
    static const struct nsc_rider rider = {.own_bytes = sizeof(struct sweeping),
                                           .begin = begin_sweep,
                                           .stretch = pass_stretch,
                                           .end = end_sweep};
    struct nsc_sheet *sheet = nsc_sheets_add(out, "sweep", "Stretches", nsc_sweep_columns,
                                             nsc_columns_count(nsc_sweep_columns));

    for (uint32_t device = nsc_device_next(scope->trace, NSC_NONE);
         device != NSC_NONE && !nsc_scope_is_stopped(scope);
         device = nsc_device_next(scope->trace, device)) {
        struct nsc_ride ride = {.rider = &rider, .param = &sheet};

        nsc_sweep_run(scope, device, &ride, 1);
    }
}
