/* um_total_sum: unified memory in one row: migrated bytes, page faults, and addresses. */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/sum.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { UNIFIED_HTOD = 11, UNIFIED_DTOH = 12 };

struct totals {
    int64_t to_device, to_host, cpu_faults, gpu_faults;
    uint64_t least, greatest; /* addresses */
    bool any, has_address;
    bool has[4]; /* migrations to the device, to the host, faults of the CPU, of the GPU */
};

static void add_address(struct totals *totals, const struct nsc_fields *fields, uint32_t column,
                        uint32_t row)
{
    int64_t value;
    uint64_t address;

    if (!nsc_fields_int(&value, fields, column, row))
        return;
    address = (uint64_t)value;
    if (!totals->has_address || address < totals->least)
        totals->least = address;
    if (!totals->has_address || address > totals->greatest)
        totals->greatest = address;
    totals->has_address = true;
}

static int64_t add_positive(int64_t sum, int64_t value)
{
    return nsc_sum(sum, value > 0 ? value : 0);
}

static void add_migration(struct totals *totals, const struct nsc_fields *copies, uint32_t row)
{
    int64_t kind, bytes;

    if (!nsc_fields_int(&kind, copies, 1, row) || (kind != UNIFIED_HTOD && kind != UNIFIED_DTOH))
        return;
    totals->any = true;
    totals->has[kind == UNIFIED_HTOD ? 0 : 1] = true;
    (void)nsc_fields_int(&bytes, copies, 0, row);
    if (kind == UNIFIED_HTOD)
        totals->to_device = add_positive(totals->to_device, bytes);
    else
        totals->to_host = add_positive(totals->to_host, bytes);
    add_address(totals, copies, 2, row);
}

static void add_event(struct totals *totals, const struct nsc_stats_input *input, nsc_event e)
{
    const struct nsc_fields *copies = input->fields[NSC_STATS_FIELDS_MIGRATIONS];
    const struct nsc_fields *gpu = input->fields[NSC_STATS_FIELDS_GPU_FAULTS];
    const struct nsc_fields *cpu = input->fields[NSC_STATS_FIELDS_CPU_FAULTS];
    uint8_t kind = nsc_trace_events(input->trace)->kind[e];
    int64_t faults;

    if (kind == NSC_KIND_UM_GPU_FAULT) {
        totals->any = totals->has[3] = true;
        if (!nsc_fields_int(&faults, gpu, 0, nsc_fields_find(gpu, e)))
            faults = 1;
        totals->gpu_faults = add_positive(totals->gpu_faults, faults);
        add_address(totals, gpu, 1, nsc_fields_find(gpu, e));
    } else if (kind == NSC_KIND_UM_CPU_FAULT) {
        totals->any = totals->has[2] = true;
        totals->cpu_faults++;
        add_address(totals, cpu, 0, nsc_fields_find(cpu, e));
    } else {
        add_migration(totals, copies, nsc_fields_find(copies, e));
    }
}

/* Whether the tables exist. Empty tables are reported, because they show that there was no
 * activity. */
static bool has_tables(const struct nsc_stats_input *input)
{
    return nsc_fields_has(input->fields[NSC_STATS_FIELDS_MIGRATIONS], 0) &&
           nsc_fields_has(input->fields[NSC_STATS_FIELDS_GPU_FAULTS], 1) &&
           nsc_fields_has(input->fields[NSC_STATS_FIELDS_CPU_FAULTS], 0);
}

/* The reference prints an address only if each of the four figures has one. If a table is missing
 * it prints no row; ours then uses the figures that exist. */
static struct nsc_stats_cell address_cell(char out[32], const struct nsc_stats_input *input,
                                          const struct totals *totals, uint64_t address)
{
    int n = snprintf(out, 32, "0x%" PRIx64, address);
    bool has_all = totals->has[0] && totals->has[1] && totals->has[2] && totals->has[3];

    return totals->has_address && (has_all || !has_tables(input))
               ? nsc_cell_of_text((struct nsc_text){out, (uint32_t)n})
               : nsc_cell_empty();
}

enum nsc_status nsc_stats_um_total_sum(const struct nsc_stats_input *input,
                                       const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {
        NSC_KIND_COPY_HTOD,  NSC_KIND_COPY_DTOH,    NSC_KIND_COPY_DTOD,   NSC_KIND_COPY_PTOP,
        NSC_KIND_COPY_OTHER, NSC_KIND_UM_CPU_FAULT, NSC_KIND_UM_GPU_FAULT};
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizeof kinds);
    struct totals totals = {0};
    struct nsc_stats_cell cells[6] = {{0}};
    char text[2][32];

    for (uint32_t i = 0; i < list.n; i++)
        add_event(&totals, input, list.event[i]);
    free(list.event);
    if (!totals.any && !has_tables(input))
        return NSC_ENODATA;
    if (totals.has[0])
        cells[0] = nsc_cell_of_int(totals.to_device);
    if (totals.has[1])
        cells[1] = nsc_cell_of_int(totals.to_host);
    cells[2] = nsc_cell_of_int(totals.cpu_faults);
    if (totals.has[3])
        cells[3] = nsc_cell_of_int(totals.gpu_faults);
    cells[4] = address_cell(text[0], input, &totals, totals.least);
    cells[5] = address_cell(text[1], input, &totals, totals.greatest);
    do
        (void)sink->row(sink->context, cells);
    while (nsc_stats_again(sink));
    return NSC_OK;
}
