/*
 * What is most likely on the critical path, the longest first: the first row of four other sheets
 * (the report's definition B14). Suspects, no proof: they may run beside each other.
 */
#include "analysis/hotspots/parts.h"
#include "core/text.h"

#include <stdio.h>

struct suspect {
    const char *kind;
    struct nsc_text name;
    char device[32];
    double ns;
};

static void add_suspect(const struct nsc_hotspots *report, struct suspect *out, uint32_t *n,
                        const char *kind, const char *const where[3])
{
    struct suspect *suspect = &out[*n];

    suspect->kind = kind;
    if (!nsc_hotspots_number(&suspect->ns, report, where[0], 0, where[2]))
        return;
    suspect->name = nsc_hotspots_text(report, where[0], 0, where[1]);
    ++*n;
}

/* The device that is idle longest, by all its work. */
static void add_idle(const struct nsc_hotspots *report, struct suspect *out, uint32_t *n)
{
    uint32_t rows = nsc_hotspots_rows(report, "gpu_idle");
    double most = -1, device = 0;

    for (uint32_t i = 0; i < rows; i++) {
        double window = 0, busy = 0;

        (void)nsc_hotspots_number(&window, report, "gpu_idle", i, "window_ns");
        (void)nsc_hotspots_number(&busy, report, "gpu_idle", i, "all_work_busy_ns");
        if (window - busy > most) {
            most = window - busy;
            (void)nsc_hotspots_number(&device, report, "gpu_idle", i, "device_id");
        }
    }
    if (most < 0)
        return;
    out[*n].kind = "idle device";
    out[*n].ns = most;
    snprintf(out[*n].device, sizeof out[*n].device, "GPU %.0f", device);
    out[*n].name = (struct nsc_text){"", 0}; /* rows move: it is named by its device */
    ++*n;
}

static int compare_suspects(const void *a, const void *b)
{
    const struct suspect *x = a, *y = b;

    return x->ns > y->ns ? -1 : x->ns < y->ns;
}

void nsc_hotspots_critical_path(struct nsc_hotspots *report)
{
    static const struct nsc_sheet_column columns[] = {
        NSC_COLUMN_TEXT("suspect"), NSC_COLUMN_TEXT("name"), NSC_COLUMN_MS("total_time_ms"),
        NSC_COLUMN_NS("total_time_ns")};
    struct nsc_sheet *sheet;
    struct suspect suspects[4] = {{0}};
    uint32_t n = 0;

    add_suspect(report, suspects, &n, "kernel",
                (const char *const[]){"kernels", "kernel_name", "total_time_ns"});
    add_suspect(report, suspects, &n, "collective",
                (const char *const[]){"nccl_ops", "op", "total_time_ns"});
    add_suspect(report, suspects, &n, "barrier",
                (const char *const[]){"barriers", "api_name", "total_time_ns"});
    add_idle(report, suspects, &n);
    qsort(suspects, n, sizeof *suspects, compare_suspects);
    sheet = nsc_hotspots_sheet(report, "critical_path", "Suspects of the critical path", columns,
                               NSC_COUNT_OF(columns));
    for (uint32_t i = 0; i < n; i++) {
        nsc_sheet_add_puts(sheet, suspects[i].kind);
        nsc_sheet_add_text(sheet, suspects[i].name.n ? suspects[i].name
                                                     : nsc_text_from(suspects[i].device));
        nsc_add_ms(sheet, (nsc_time)suspects[i].ns);
        nsc_sheet_add_int(sheet, (nsc_time)suspects[i].ns);
    }
    nsc_sheet_note(sheet, "suspects only: summed times, which may run beside each other");
}
