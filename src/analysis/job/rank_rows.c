/* Measures the parts of each iteration of a rank. */
#include "analysis/job/rank_rows.h"

#include "analysis/base/activity.h"
#include "analysis/base/tally.h"
#include "analysis/device/idle_covers.h"
#include "core/die.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"

#include <stdlib.h>

static void add_part(struct nsc_rank_rows *rows, enum nsc_part_class class, nsc_str cause)
{
    *NSC_VEC_ADD(&rows->parts) =
        (struct nsc_row_part){class, cause, 0, nsc_xcalloc(rows->n, sizeof(nsc_time))};
}

static void add_time(struct nsc_rank_rows *rows, unsigned number, uint32_t row, nsc_time ns)
{
    struct nsc_row_part *part = &rows->parts.at[number];

    part->total = nsc_sum(part->total, ns);
    part->ns[row] = nsc_sum(part->ns[row], ns);
}

NSC_COMPARE(compare_parts, struct nsc_row_part, NSC_MOST(total) || NSC_LEAST(cause))

/* Keeps the largest causes. */
static void keep_causes(struct nsc_rank_rows *rows)
{
    qsort(rows->parts.at + NSC_N_PART_CLASSES, NSC_N_GAP_PARTS, sizeof *rows->parts.at,
          compare_parts);
    while (rows->parts.n > NSC_N_PART_CLASSES + NSC_RANK_CAUSES ||
           (rows->parts.n > NSC_N_PART_CLASSES && rows->parts.at[rows->parts.n - 1].total == 0))
        free(rows->parts.at[--rows->parts.n].ns);
}

/* ---- devices ---- */

/* When a device is busy, and what it waits for when it is not. */
struct device {
    struct nsc_scope_covers busy;
    struct nsc_cover *idle[NSC_GAP_UNKNOWN];
};

static void build_device(struct device *out, const struct nsc_scope *scope, uint32_t track)
{
    struct nsc_scope of = *scope;

    *out = (struct device){0};
    if (track == NSC_NONE)
        return;
    of.window = nsc_trace_extent(scope->trace);
    of.has_window = true;
    if (!nsc_scope_covers_build(&out->busy, scope, track))
        nsc_die_oom();
    (void)nsc_gap_covers_build(out->idle, &of, track);
}

static void measure_row(struct nsc_rank_rows *out, const struct device *device, uint32_t row,
                        struct nsc_window window)
{
    struct nsc_activity of = nsc_device_activity(&device->busy.of, window);
    nsc_time unknown = of.idle;

    add_time(out, NSC_PART_COMPUTE, row, of.compute);
    add_time(out, NSC_PART_EXPOSED, row, of.exposed);
    add_time(out, NSC_PART_OTHER, row, of.busy - of.compute - of.exposed);
    add_time(out, NSC_PART_IDLE, row, of.idle);
    for (unsigned i = 0; i < NSC_GAP_UNKNOWN; i++) {
        nsc_time ns = device->idle[i] ? nsc_cover_measure(device->idle[i], window) : 0;

        unknown -= ns;
        add_time(out, NSC_N_PART_CLASSES + i, row, ns);
    }
    add_time(out, NSC_N_PART_CLASSES + NSC_GAP_UNKNOWN, row, unknown);
}

/* ---- the whole ---- */

static void build_parts(struct nsc_rank_rows *out, struct nsc_strpool *texts)
{
    out->start = nsc_xcalloc(out->n, sizeof *out->start);
    for (unsigned class = 0; class < NSC_N_PART_CLASSES; class ++)
        add_part(out, (enum nsc_part_class) class, 0);
    for (unsigned i = 0; i < NSC_N_GAP_PARTS; i++)
        add_part(out, NSC_PART_IDLE,
                 nsc_recording_keep(texts, nsc_text_from(nsc_gap_part_word((enum nsc_gap_part)i))));
}

/* The rows of a device in n iterations. */
static struct nsc_rank_rows build(struct nsc_strpool *texts, const struct nsc_scope *scope,
                                  const struct device *device, const struct nsc_iteration at[],
                                  uint32_t n)
{
    struct nsc_rank_rows out = {.each = n / NSC_RANK_ROWS + (n % NSC_RANK_ROWS > 0)};

    out.n = n ? n / out.each + (n % out.each > 0) : 1;
    build_parts(&out, texts);
    for (uint32_t i = 0; i < out.n; i++) {
        struct nsc_window window = scope->window;

        if (n) {
            uint32_t last = (i + 1) * out.each < n ? (i + 1) * out.each - 1 : n - 1;

            window = (struct nsc_window){at[i * out.each].window.t0, at[last].window.t1};
        }
        window.t0 = i > 0 ? nsc_later(window.t0, out.end) : window.t0;
        out.start[i] = window.t0;
        out.end = window.t1 = nsc_later(window.t0, window.t1);
        measure_row(&out, device, i, window);
    }
    keep_causes(&out);
    return out;
}

void nsc_rank_rows_build(struct nsc_all_rank_rows *out, struct nsc_strpool *texts,
                         const struct nsc_scope *scope, const struct nsc_iterations *iterations,
                         const struct nsc_rank_ops *ops)
{
    struct nsc_tally known = {0}, tracks = {0}; /* device and line: the place of the rows; device */
    NSC_VEC(struct device) devices = {0};

    *out = (struct nsc_all_rank_rows){.of = nsc_xcalloc(ops->ranks.n + 1, sizeof *out->of)};
    for (size_t i = 0; i < ops->ranks.n; i++) {
        const struct nsc_rank_place *rank = &ops->ranks.at[i];
        uint32_t line = nsc_iterations_line(iterations, scope->trace, rank->process, NSC_NONE);
        uint32_t device = nsc_tally_group(&tracks, rank->track, 0);

        if (device == devices.n)
            build_device(NSC_VEC_ADD(&devices), scope, rank->track);
        out->of[i] = nsc_tally_group(&known, rank->track, line);
        if (out->of[i] == out->at.n)
            *NSC_VEC_ADD(&out->at) =
                line == NSC_NONE
                    ? build(texts, scope, &devices.at[device], iterations->at, iterations->n)
                    : build(texts, scope, &devices.at[device], iterations->lines[line].at,
                            iterations->lines[line].n);
    }
    for (size_t i = 0; i < devices.n; i++) {
        nsc_scope_covers_fini(&devices.at[i].busy);
        for (unsigned k = 0; k < NSC_GAP_UNKNOWN; k++)
            nsc_cover_free(devices.at[i].idle[k]);
    }
    NSC_VEC_FINI(&devices);
    nsc_tally_fini(&known);
    nsc_tally_fini(&tracks);
}

void nsc_rank_rows_fini(struct nsc_all_rank_rows *rows)
{
    for (size_t i = 0; i < rows->at.n; i++) {
        for (size_t k = 0; k < rows->at.at[i].parts.n; k++)
            free(rows->at.at[i].parts.at[k].ns);
        NSC_VEC_FINI(&rows->at.at[i].parts);
        free(rows->at.at[i].start);
    }
    NSC_VEC_FINI(&rows->at);
    free(rows->of);
}
