/*
 * Lists the largest times of the report, the longest first: the first rows of four other sheets.
 * They show where to look, not causes: their times may overlap. The barrier is a call of CUDA: parked
 * threads wait in the OS for as long as the recording.
 */
#include "analysis/hotspots/parts.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>

struct suspect {
    const char *kind;
    struct nsc_text name;
    nsc_time ns;
};

/* Adds a row of a sheet, if it has that. */
static void add_suspect(struct suspect *out, uint32_t *n, const char *kind,
                        const struct nsc_sheet *sheet, uint32_t row, const char *name)
{
    if (sheet && row < nsc_sheet_rows(sheet))
        out[(*n)++] = (struct suspect){kind, nsc_sheet_find_text(sheet, row, name),
                                       nsc_sheet_find(sheet, row, "total_time_ns")->integer};
}

/* The first row of a call of CUDA. */
static uint32_t find_barrier(const struct nsc_sheet *barriers)
{
    uint32_t row = 0;

    while (row < nsc_sheet_rows(barriers)) {
        struct nsc_text kind = nsc_sheet_find_text(barriers, row, "barrier_kind");

        if (nsc_text_is(kind, "blocking_memcpy") || nsc_text_is(kind, "sync_api"))
            break;
        row++;
    }
    return row;
}

/* Adds the device that is idle longest, by all its work. */
static void add_idle(const struct nsc_hotspots *report, struct suspect *out, uint32_t *n,
                     char name[32])
{
    uint32_t row = nsc_hotspots_greatest(report, "gpu_idle", "all_work_idle_ms");
    const struct nsc_sheet_cell *device = nsc_hotspots_find(report, "gpu_idle", row, "device_id");

    if (!device->is_set)
        return;
    snprintf(name, 32, "GPU %" PRId64, device->integer);
    out[(*n)++] = (struct suspect){
        "idle device", nsc_text_from(name),
        nsc_hotspots_find(report, "gpu_idle", row, "window_ns")->integer -
            nsc_hotspots_find(report, "gpu_idle", row, "all_work_busy_ns")->integer};
}

NSC_COMPARE(compare_suspects, struct suspect, NSC_MOST(ns))

void nsc_hotspots_largest_times(struct nsc_hotspots *report)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT(suspect, kind, "suspect"),
        NSC_COLUMN_TEXT(suspect, name, "name"),
        NSC_COLUMN_MS(suspect, ns, "total_time_ms"),
        NSC_COLUMN_NS(suspect, ns, "total_time_ns"),
    };
    const struct nsc_sheet *barriers = nsc_sheets_find(&report->sheets, "barriers");
    struct nsc_sheet *sheet;
    struct suspect suspects[4] = {{0}};
    char device[32];
    uint32_t n = 0;

    add_suspect(suspects, &n, "kernel", nsc_sheets_find(&report->sheets, "kernels"), 0,
                "kernel_name");
    add_suspect(suspects, &n, "collective", nsc_sheets_find(&report->sheets, "nccl_ops"), 0, "op");
    add_suspect(suspects, &n, "barrier", barriers, find_barrier(barriers), "api_name");
    add_idle(report, suspects, &n, device);
    qsort(suspects, n, sizeof *suspects, compare_suspects);
    sheet = NSC_HOTSPOTS_SHEET(report, "largest_times", "The largest times", columns);
    for (uint32_t i = 0; i < n; i++)
        NSC_SHEET_ADD_ROW(sheet, &suspects[i]);
    nsc_sheet_note(sheet, "suspects only: summed times that may overlap; barrier: the CUDA call "
                          "with the longest waits");
}
