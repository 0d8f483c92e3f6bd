/*
 * Copies as a sheet.
 */
#include "analysis/device/copies.h"
#include "analysis/skill/skills.h"

const struct nsc_sheet_column nsc_skill_copies_columns[] = {
    {"gpu", "GPU", NULL, NSC_SHEET_ID, 0},
    {"direction", "Direction", NULL, NSC_SHEET_TEXT, 0},
    {"from", "From", NULL, NSC_SHEET_TEXT, 0},
    {"to", "To", NULL, NSC_SHEET_TEXT, 0},
    {"count", "Copies", NULL, NSC_SHEET_COUNT, 0},
    {"bytes", "Bytes", NULL, NSC_SHEET_BYTES, 0},
    {"work_ns", "Summed", NULL, NSC_SHEET_NS, 0},
    {"busy_ns", "Union", NULL, NSC_SHEET_NS, 0},
    {"gb_per_s", "GB/s", NULL, NSC_SHEET_NUMBER, 2},
    {"no_compute_ns", "No compute", NULL, NSC_SHEET_NS, 0},
    {"no_compute_share", "of it", "union", NSC_SHEET_PERCENT, 0},
    {"small_share", "< 64 KiB", "copies of known size", NSC_SHEET_PERCENT, 0},
    {"blocking_share", "Blocking", "copies", NSC_SHEET_PERCENT, 0},
    {NULL, NULL, NULL, 0, 0},
};

static void add_group(struct nsc_sheet *sheet, const struct nsc_copy_group *group)
{
    nsc_sheet_add_puts(sheet, nsc_copy_direction_word(group));
    nsc_sheet_add_puts(sheet, nsc_copy_memory_word(group->from));
    nsc_sheet_add_puts(sheet, nsc_copy_memory_word(group->to));
    nsc_sheet_add_int(sheet, (int64_t)group->count);
    if (group->sized > 0)
        nsc_sheet_add_int(sheet, group->bytes);
    else
        nsc_sheet_add_unknown(sheet);
    nsc_sheet_add_int(sheet, group->work);
    nsc_sheet_add_int(sheet, group->busy);
    if (group->sized > 0 && group->duration > 0)
        nsc_sheet_add_number(sheet, (double)group->bytes / (double)group->duration);
    else
        nsc_sheet_add_unknown(sheet);
    nsc_sheet_add_int(sheet, group->no_compute);
    nsc_sheet_add_share(sheet, group->no_compute, group->busy);
    nsc_sheet_add_share(sheet, (nsc_time)group->small, (nsc_time)group->sized);
    nsc_sheet_add_share(sheet, (nsc_time)group->blocking, (nsc_time)group->count);
}

static void add_notes(struct nsc_sheet *sheet, bool has_bytes, bool has_memory)
{
    if (nsc_sheet_rows(sheet) == 0) {
        nsc_sheet_note(sheet, "There are no copies in the window.");
        return;
    }
    nsc_sheet_note(sheet, "GB/s: bytes by summed duration, 10^9 bytes a second. No compute: the "
                          "part of the union in which no compute kernel runs. Blocking calls: "
                          "without \"Async\" in their names. An asynchronous copy of pageable "
                          "memory is synchronous.");
    if (!has_bytes)
        nsc_sheet_note(sheet, "Not known: bytes, GB/s and the share of small copies; the export "
                              "does not tell sizes.");
    if (!has_memory)
        nsc_sheet_note(sheet, "Not known: pageable or pinned; the export does not tell the memory "
                              "of copies.");
}

void nsc_skill_copies(struct nsc_sheets *out, const struct nsc_question *question)
{
    const struct nsc_scope *scope = question->scope;
    struct nsc_sheet *sheet = nsc_question_sheet(out, question, "copies", nsc_skill_copies_columns);
    bool has_bytes = true;
    bool has_memory = true;

    for (uint32_t d = nsc_device_next(scope->trace, NSC_NONE); d != NSC_NONE;
         d = nsc_device_next(scope->trace, d)) {
        struct nsc_copies copies;

        if (!nsc_copies_build(&copies, scope, question->fields, d))
            continue;
        for (uint32_t i = 0; i < copies.n; i++) {
            nsc_device_cell(sheet, scope->trace, d);
            add_group(sheet, &copies.at[i]);
        }
        has_bytes = copies.has_bytes;
        has_memory = copies.has_memory;
    }
    add_notes(sheet, has_bytes, has_memory);
}
