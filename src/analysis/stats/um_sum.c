/*
 * um_sum and um_cpu_page_faults_sum: unified memory by address, and the instructions that fault.
 *
 * Addresses are those of the rows, not ranges: a migration and a fault belong together if they
 * begin at the same byte.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/sum.h"
#include "core/text.h"
#include "core/vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { UNIFIED_HTOD = 11, UNIFIED_DTOH = 12 };
enum figure { CPU_FAULTS, GPU_FAULTS, TO_HOST, TO_DEVICE, N_FIGURES };

struct um_row {
    uint64_t address;
    int64_t figure[N_FIGURES];
    bool has[N_FIGURES];
    nsc_time duration; /* of migrations */
};

struct um_rows {
    const struct nsc_stats_input *input;
    struct nsc_totals addresses;
    NSC_VEC(struct um_row) rows; /* by group of addresses */
    char address[32];            /* scratch */
};

static void add_figure(struct um_rows *all, int64_t address, enum figure figure, int64_t value,
                       nsc_time duration)
{
    uint32_t group = nsc_totals_find(&all->addresses, &address);
    struct um_row *row;

    if (group == all->rows.n)
        *NSC_VEC_ADD(&all->rows) = (struct um_row){.address = (uint64_t)address};
    row = &all->rows.at[group];
    row->duration = nsc_sum(row->duration, duration);
    row->figure[figure] = nsc_sum(row->figure[figure], value);
    row->has[figure] = true;
}

static void add_event(struct um_rows *all, nsc_event event)
{
    const struct nsc_fields *copies = all->input->fields[NSC_STATS_FIELDS_MIGRATIONS];
    const struct nsc_fields *gpu = all->input->fields[NSC_STATS_FIELDS_GPU_FAULTS];
    const struct nsc_fields *cpu = all->input->fields[NSC_STATS_FIELDS_CPU_FAULTS];
    const struct nsc_events *events = nsc_trace_events(all->input->trace);
    int64_t address = 0, kind = 0, value = 0;

    if (events->kind[event] == NSC_KIND_UM_CPU_FAULT) {
        if (nsc_fields_int(&address, cpu, 0, nsc_fields_find(cpu, event)))
            add_figure(all, address, CPU_FAULTS, 1, 0);
    } else if (events->kind[event] == NSC_KIND_UM_GPU_FAULT) {
        (void)nsc_fields_int(&value, gpu, 0, nsc_fields_find(gpu, event));
        if (nsc_fields_int(&address, gpu, 1, nsc_fields_find(gpu, event)))
            add_figure(all, address, GPU_FAULTS, value, 0);
    } else {
        uint32_t row = nsc_fields_find(copies, event);

        (void)nsc_fields_int(&kind, copies, 1, row);
        (void)nsc_fields_int(&value, copies, 0, row);
        if ((kind == UNIFIED_HTOD || kind == UNIFIED_DTOH) &&
            nsc_fields_int(&address, copies, 2, row))
            add_figure(all, address, kind == UNIFIED_HTOD ? TO_DEVICE : TO_HOST, value,
                       nsc_event_duration(events, event));
    }
}

/* Bytes a second, computed with whole operations a second as in the reference; -1: none
 * migrated. */
static int64_t throughput(const struct um_row *row)
{
    int64_t bytes = nsc_sum(row->figure[TO_HOST], row->figure[TO_DEVICE]), all = 0;

    if (row->duration <= 0)
        return -1;
    return __builtin_mul_overflow(bytes, 1000000000 / row->duration, &all) ? INT64_MAX : all;
}

/* The first figure of an address: faults come before migrations. */
static int first_figure(const struct um_row *row)
{
    for (int f = 0; f < N_FIGURES; f++)
        if (row->has[f])
            return f;
    return N_FIGURES;
}

static int compare_rows(const void *context, uint32_t a, uint32_t b)
{
    const struct um_rows *all = context;
    const struct um_row *x = &all->rows.at[a], *y = &all->rows.at[b];
    int64_t i = throughput(x), j = throughput(y);

    if (i != j)
        return i > j ? -1 : 1;
    if (first_figure(x) != first_figure(y))
        return first_figure(x) < first_figure(y) ? -1 : 1;
    return (x->address > y->address) - (x->address < y->address);
}

static void fill_row(void *context, uint32_t i, struct nsc_stats_cell cells[])
{
    static const enum figure order[] = {TO_DEVICE, TO_HOST, CPU_FAULTS, GPU_FAULTS};
    struct um_rows *all = context;
    const struct um_row *row = &all->rows.at[i];
    int64_t rate = throughput(row);

    (void)snprintf(all->address, sizeof all->address, "0x%" PRIx64, row->address);
    cells[0] = nsc_cell_of_text(nsc_text_from(all->address));
    for (int f = 0; f < N_FIGURES; f++)
        if (row->has[order[f]])
            cells[1 + f] = nsc_cell_of_int(row->figure[order[f]]);
    if (rate >= 0)
        cells[5] = nsc_cell_of_int(rate);
}

enum nsc_status nsc_stats_um_sum(const struct nsc_stats_input *input,
                                 const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {
        NSC_KIND_COPY_HTOD,  NSC_KIND_COPY_DTOH,    NSC_KIND_COPY_DTOD,   NSC_KIND_COPY_PTOP,
        NSC_KIND_COPY_OTHER, NSC_KIND_UM_CPU_FAULT, NSC_KIND_UM_GPU_FAULT};
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizeof kinds);
    struct um_rows all = {.input = input, .addresses = nsc_totals_new(1, 0)};
    uint32_t n;

    for (uint32_t i = 0; i < list.n; i++)
        add_event(&all, list.event[i]);
    free(list.event);
    n = (uint32_t)all.rows.n;
    if (n)
        nsc_stats_put_sorted(sink, n, input->arguments.rows, compare_rows, fill_row, &all);
    NSC_VEC_FINI(&all.rows);
    nsc_totals_fini(&all.addresses);
    return n ? NSC_OK : NSC_ENODATA;
}

/* ---- um_cpu_page_faults_sum ---- */

/* The key: the text of the fields; NO_TEXT: not known, the last of equals. */
#define NO_TEXT INT64_MAX

struct fault_groups {
    const struct nsc_fields *faults;
    struct nsc_totals totals;
    NSC_VEC(uint32_t) count; /* by group */
};

/* Orders by faults, the most first. */
static int compare_instructions(const void *context, uint32_t a, uint32_t b)
{
    const struct fault_groups *groups = context;

    if (groups->count.at[a] != groups->count.at[b])
        return groups->count.at[a] > groups->count.at[b] ? -1 : 1;
    return nsc_totals_compare(&groups->totals, a, b, 0, 1);
}

static void fill_instruction(void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct fault_groups *groups = context;
    int64_t text = nsc_totals_keys(&groups->totals, group)[0];

    cells[0] = nsc_cell_of_int(groups->count.at[group]);
    if (text != NO_TEXT)
        cells[1] = nsc_cell_of_text(nsc_strpool_text(&groups->faults->texts, (nsc_str)text));
}

enum nsc_status nsc_stats_um_cpu_page_faults_sum(const struct nsc_stats_input *input,
                                                 const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {NSC_KIND_UM_CPU_FAULT};
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizeof kinds);
    struct fault_groups groups = {.faults = input->fields[NSC_STATS_FIELDS_CPU_FAULTS],
                                  .totals = nsc_totals_new(1, 0)};

    for (uint32_t i = 0; i < list.n; i++) {
        int64_t text;
        uint32_t row = nsc_fields_find(groups.faults, list.event[i]), group;

        if (!nsc_fields_int(&text, groups.faults, 1, row))
            text = NO_TEXT;
        group = nsc_totals_find(&groups.totals, &text);
        if (group == groups.count.n)
            *NSC_VEC_ADD(&groups.count) = 0;
        groups.count.at[group]++;
    }
    nsc_stats_put_sorted(sink, groups.totals.n, 0, compare_instructions, fill_instruction, &groups);
    NSC_VEC_FINI(&groups.count);
    nsc_totals_fini(&groups.totals);
    free(list.event);
    return list.n ? NSC_OK : NSC_ENODATA;
}
