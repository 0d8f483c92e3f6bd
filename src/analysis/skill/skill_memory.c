/* The skill about copies. */
#include "analysis/base/field_sets.h"
#include "analysis/device/copies.h"
#include "analysis/skill/skill.h"
#include "core/sum.h"

#include <math.h>

enum { N_COPIES = NSC_KIND_MEMSET - NSC_KIND_COPY_HTOD };

/* ---- copies ---- */

struct copies_row {
    int64_t gpu;
    const char *direction, *from, *to;
    struct nsc_copy_group of;
    int64_t bytes;
    double rate;
};

const struct nsc_sheet_column nsc_skill_copies_columns[] = {
    NSC_COL_ID(copies_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(copies_row, direction, "direction", "Direction"),
    NSC_COL_TEXT(copies_row, from, "from", "From"),
    NSC_COL_TEXT(copies_row, to, "to", "To"),
    NSC_COL_COUNT(copies_row, of.count, "count", "Copies"),
    NSC_COL_BYTES(copies_row, bytes, "bytes", "Bytes"),
    NSC_COL_NS(copies_row, of.work, "work_ns", "Summed"),
    NSC_COL_NS(copies_row, of.busy, "busy_ns", "Union"),
    NSC_COL_NUMBER(copies_row, rate, "gb_per_s", "GB/s", 2),
    NSC_COL_NS(copies_row, of.no_compute, "no_compute_ns", "No compute"),
    NSC_COL_SHARE(copies_row, of.no_compute, of.busy, "no_compute_share", "of it", "union"),
    NSC_COL_SHARE(copies_row, of.small, of.sized, "small_share", "< 64 KiB",
                  "copies of known size"),
    NSC_COL_SHARE(copies_row, of.blocking, of.count, "blocking_share", "Blocking", "copies"),
    {0},
};

static void add_notes(struct nsc_sheet *sheet, bool has_bytes, bool has_memory)
{
    if (nsc_sheet_rows(sheet) == 0) {
        nsc_sheet_note(sheet, "There are no copies in the window.");
        return;
    }
    nsc_sheet_note(sheet, "GB/s: bytes divided by summed duration, in 10^9 bytes a second. No "
                          "compute: the part of the union in which no compute kernel runs. "
                          "Blocking: the call held the host. Its name lacks \"Async\", or the "
                          "memory is pageable and the call covers at least half of the copy.");
    if (!has_bytes)
        nsc_sheet_note(sheet, "Bytes, GB/s and the share of small copies are unknown: the export "
                              "has no sizes of copies.");
    if (!has_memory)
        nsc_sheet_note(sheet,
                       "Pageable or pinned is unknown: the export has no memory kinds of copies.");
}

/* ---- by direction ---- */

struct direction_row {
    int64_t gpu;
    const char *direction;
    struct nsc_copy_group of;
    int64_t bytes, mean, peak_bytes;
    nsc_time peak_at;
    double rate, peak;
};

static const struct nsc_sheet_column direction_columns[] = {
    NSC_COL_ID(direction_row, gpu, "gpu", "GPU"),
    NSC_COL_TEXT(direction_row, direction, "direction", "Copies"),
    NSC_COL_COUNT(direction_row, of.count, "count", "Count"),
    NSC_COL_BYTES(direction_row, bytes, "bytes", "Bytes"),
    NSC_COL_BYTES(direction_row, mean, "avg_bytes", "Mean"),
    NSC_COL_NS(direction_row, of.work, "total_ns", "Time"),
    NSC_COL_NUMBER(direction_row, rate, "avg_gbps", "GB/s", 2),
    NSC_COL_NUMBER(direction_row, peak, "peak_gbps", "Best GB/s", 2),
    NSC_COL_BYTES(direction_row, peak_bytes, "peak_bytes", "Of bytes"),
    NSC_COL_INSTANT(direction_row, peak_at, "peak_at_ns", "At"),
    {0},
};

/* Of the best rates, the first counts. */
static void add_group(struct nsc_copy_group *to, const struct nsc_trace *trace,
                      const struct nsc_copy_group *of)
{
    const struct nsc_events *events = nsc_trace_events(trace);

    to->count += of->count;
    to->sized += of->sized;
    to->bytes = nsc_sum(to->bytes, of->bytes);
    to->duration = nsc_sum(to->duration, of->duration);
    to->work = nsc_sum(to->work, of->work);
    if (of->best_rate > to->best_rate || (of->best_rate > 0 && of->best_rate >= to->best_rate &&
                                          events->start[of->best] < events->start[to->best])) {
        to->best = of->best;
        to->best_bytes = of->best_bytes;
        to->best_rate = of->best_rate;
    }
}

static void add_direction(struct nsc_sheet *sheet, const struct nsc_trace *trace, uint32_t device,
                          unsigned i, const struct nsc_copy_group *of)
{
    bool has_peak = of->best_rate > 0; /* only copies with a known size have one */

    NSC_ADD_ROW(sheet, direction_row, .gpu = nsc_trace_track(trace, device)->gpu,
                .direction = nsc_op_kind_word((enum nsc_op_kind)(NSC_OP_KIND_HTOD + i)), .of = *of,
                .bytes = nsc_known(of->sized > 0, of->bytes),
                .mean = of->sized > 0 ? of->bytes / (int64_t)of->sized : NSC_UNKNOWN,
                .rate = of->sized > 0 ? (double)of->bytes / (double)of->duration : (double)NAN,
                .peak = has_peak ? of->best_rate : (double)NAN,
                .peak_bytes = nsc_known(has_peak, of->best_bytes),
                .peak_at = has_peak ? nsc_trace_events(trace)->start[of->best] : NSC_UNKNOWN);
}

static void add_directions(struct nsc_sheet *sheet, const struct nsc_trace *trace, uint32_t device,
                           const struct nsc_copies *copies)
{
    struct nsc_copy_group directions[N_COPIES] = {{0}};

    for (uint32_t i = 0; i < copies->n; i++)
        add_group(&directions[copies->at[i].kind - NSC_KIND_COPY_HTOD], trace, &copies->at[i]);
    for (unsigned i = 0; i < N_COPIES; i++)
        if (directions[i].count > 0)
            add_direction(sheet, trace, device, i, &directions[i]);
}

void nsc_skill_copies(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    size_t first = out->list.n;
    struct nsc_sheet *sheet;
    bool has_bytes = true;
    bool has_memory = true;

    (void)NSC_SKILL_SHEET(out, question, copies);
    (void)nsc_question_more(out, question, "directions", "How fast copies in each direction are",
                            direction_columns);
    sheet = &out->list.at[first];

    for (uint32_t d = NSC_NONE; (d = nsc_device_next(scope->trace, d)) != NSC_NONE;) {
        struct nsc_copies copies;

        if (!nsc_copies_build(&copies, scope, question->fields, d))
            continue;
        for (uint32_t i = 0; i < copies.n; i++) {
            const struct nsc_copy_group *of = &copies.at[i];
            bool has_rate = of->sized > 0 && of->duration > 0;

            NSC_ADD_ROW(sheet, copies_row, .gpu = nsc_trace_track(scope->trace, d)->gpu,
                        .direction = nsc_copy_direction_word(of),
                        .from = nsc_copy_memory_word(of->from), .to = nsc_copy_memory_word(of->to),
                        .of = *of, .bytes = nsc_known(of->sized > 0, of->bytes),
                        .rate = has_rate ? (double)of->bytes / (double)of->duration : (double)NAN);
        }
        add_directions(&out->list.at[first + 1], scope->trace, d, &copies);
        has_bytes = copies.has_bytes;
        has_memory = copies.has_memory;
    }
    add_notes(sheet, has_bytes, has_memory);
    nsc_sheet_note(&out->list.at[first + 1],
                   "The best GB/s is the rate of a single copy. A copy within a device reads "
                   "and writes, so its memory traffic is twice as high.");
}
