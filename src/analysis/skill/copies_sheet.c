/*
 * Copies as a sheet.
 */
#include "analysis/device/copies.h"
#include "analysis/skill/skill.h"

#include <math.h>

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
    nsc_sheet_note(
        sheet,
        "GB/s: bytes divided by summed duration, in 10^9 bytes a second. No compute: the part of "
        "the union in which no compute kernel runs. Blocking: copied by a call that held the host: "
        "one without \"Async\" in its name, or one of pageable memory that lasts over half of the "
        "copy or more.");
    if (!has_bytes)
        nsc_sheet_note(sheet, "Bytes, GB/s and the share of small copies are unknown: the export "
                              "has no sizes of copies.");
    if (!has_memory)
        nsc_sheet_note(sheet,
                       "Pageable or pinned is unknown: the export has no memory kinds of copies.");
}

void nsc_skill_copies(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = NSC_SKILL_SHEET(out, question, copies);
    bool has_bytes = true;
    bool has_memory = true;

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
        has_bytes = copies.has_bytes;
        has_memory = copies.has_memory;
    }
    add_notes(sheet, has_bytes, has_memory);
}
