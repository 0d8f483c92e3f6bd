/*
 * Lists the largest times of the report, the longest first: the first rows of four other sheets.
 * They show where to look, not causes: their times may overlap. The barrier is a call of CUDA: parked
 * threads wait in the OS for as long as the recording.
 */
#include "analysis/hotspots/parts.h"
#include "core/text.h"
#include "core/vec.h"

#include <inttypes.h>
#include <stdio.h>

struct suspect {
    const char *kind;
    struct nsc_text name;
    nsc_time ns;
};

static void add_suspect(struct suspect *out, uint32_t *n, const char *kind,
                        const struct nsc_tally_line *line)
{
    if (line->of.count > 0)
        out[(*n)++] = (struct suspect){kind, line->name, line->of.total};
}

/* Adds the device that is idle longest, by all its work. */
static void add_idle(const struct nsc_hotspots *report, struct suspect *out, uint32_t *n,
                     char name[32])
{
    const struct nsc_hotspots_idle *idlest = NULL;

    for (size_t i = 0; i < report->figures.idle.n; i++) {
        const struct nsc_hotspots_idle *device = &report->figures.idle.at[i];

        if (!idlest || device->work_idle > idlest->work_idle)
            idlest = device;
    }
    if (!idlest)
        return;
    snprintf(name, 32, "GPU %" PRId64, idlest->device);
    out[(*n)++] = (struct suspect){"idle device", nsc_text_from(name), idlest->work_idle};
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
    struct nsc_sheet *sheet;
    struct suspect suspects[4] = {{0}};
    char device[32];
    uint32_t n = 0;

    add_suspect(suspects, &n, "kernel", &report->figures.kernel);
    add_suspect(suspects, &n, "collective", &report->figures.collective);
    add_suspect(suspects, &n, "barrier", &report->figures.barrier);
    add_idle(report, suspects, &n, device);
    qsort(suspects, n, sizeof *suspects, compare_suspects);
    sheet = NSC_HOTSPOTS_SHEET(report, "largest_times", "The largest times", columns);
    for (uint32_t i = 0; i < n; i++)
        NSC_SHEET_ADD_ROW(sheet, &suspects[i]);
    nsc_sheet_note(sheet, "suspects only: summed times that may overlap; barrier: the CUDA call "
                          "with the longest waits");
}
