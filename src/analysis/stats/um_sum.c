/*
 * um_sum and um_cpu_page_faults_sum: unified memory by address, and the instructions that fault.
 *
 * Addresses are those of the rows, not ranges: a migration and a fault belong together if they
 * begin at the same byte.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/sort.h"
#include "core/sum.h"
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
    NSC_VEC(struct um_row) rows;
};

static void add_figure(struct um_rows *all, int64_t address, enum figure figure, int64_t value,
                       nsc_time duration)
{
    struct um_row *row = NSC_VEC_ADD(&all->rows);

    *row = (struct um_row){.address = (uint64_t)address, .duration = duration};
    row->figure[figure] = value;
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

static int compare_addresses(const void *left, const void *right)
{
    const struct um_row *a = left, *b = right;

    return (a->address > b->address) - (a->address < b->address);
}

/* Merges rows with the same address. */
static void merge_rows(struct um_rows *all)
{
    size_t n = 0;

    if (all->rows.n)
        qsort(all->rows.at, all->rows.n, sizeof *all->rows.at, compare_addresses);
    for (size_t i = 0; i < all->rows.n; i++) {
        const struct um_row row = all->rows.at[i];
        struct um_row *last = n ? &all->rows.at[n - 1] : NULL;

        if (!last || last->address != row.address) {
            all->rows.at[n++] = row;
            continue;
        }
        last->duration = nsc_sum(last->duration, row.duration);
        for (int f = 0; f < N_FIGURES; f++) {
            last->figure[f] = nsc_sum(last->figure[f], row.figure[f]);
            last->has[f] |= row.has[f];
        }
    }
    all->rows.n = n;
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
    return compare_addresses(x, y);
}

static struct nsc_stats_cell figure_cell(const struct um_row *row, enum figure figure)
{
    return row->has[figure] ? nsc_cell_of_int(row->figure[figure]) : nsc_cell_empty();
}

static bool put_row(const struct nsc_stats_sink *sink, const struct um_row *row)
{
    char address[32];
    int n = snprintf(address, sizeof address, "0x%" PRIx64, row->address);
    int64_t rate = throughput(row);
    struct nsc_stats_cell cells[6] = {nsc_cell_of_text((struct nsc_text){address, (uint32_t)n}),
                                      figure_cell(row, TO_DEVICE),
                                      figure_cell(row, TO_HOST),
                                      figure_cell(row, CPU_FAULTS),
                                      figure_cell(row, GPU_FAULTS),
                                      rate >= 0 ? nsc_cell_of_int(rate) : nsc_cell_empty()};

    return sink->row(sink->context, cells);
}

enum nsc_status nsc_stats_um_sum(const struct nsc_stats_input *input,
                                 const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    static const uint8_t kinds[] = {
        NSC_KIND_COPY_HTOD,  NSC_KIND_COPY_DTOH,    NSC_KIND_COPY_DTOD,   NSC_KIND_COPY_PTOP,
        NSC_KIND_COPY_OTHER, NSC_KIND_UM_CPU_FAULT, NSC_KIND_UM_GPU_FAULT};
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizeof kinds);
    struct um_rows all = {.input = input};
    uint32_t n = 0, *index = NULL, limit = input->arguments.rows;

    for (uint32_t i = 0; i < list.n; i++)
        add_event(&all, list.event[i]);
    free(list.event);
    merge_rows(&all);
    n = (uint32_t)all.rows.n;
    if (n == 0)
        return nsc_stats_nothing(error, "CUDA unified memory data");
    index = nsc_xmalloc((size_t)n * sizeof *index);
    for (uint32_t i = 0; i < n; i++)
        index[i] = i;
    nsc_sort_by(index, n, compare_rows, &all);
    do {
        for (uint32_t i = 0; i < n && (limit == 0 || i < limit); i++)
            if (!put_row(sink, &all.rows.at[index[i]]))
                break;
    } while (nsc_stats_again(sink));
    free(index);
    NSC_VEC_FINI(&all.rows);
    return NSC_OK;
}

/* ---- um_cpu_page_faults_sum ---- */

struct fault_groups {
    const struct nsc_fields *faults;
    uint32_t *count; /* by text of the fields */
};

/* Orders by faults, the most first. */
static int compare_instructions(const void *context, uint32_t a, uint32_t b)
{
    const struct fault_groups *groups = context;

    if (groups->count[a] != groups->count[b])
        return groups->count[a] > groups->count[b] ? -1 : 1;
    return (a > b) - (a < b);
}

static void put_instructions(const struct fault_groups *groups, const struct nsc_stats_sink *sink)
{
    uint32_t all = groups->faults ? groups->faults->texts.n : 0, n = 0;
    uint32_t *index = nsc_xmalloc(((size_t)all + 1) * sizeof *index);

    for (uint32_t id = 0; id <= all; id++)
        if (groups->count[id])
            index[n++] = id;
    nsc_sort_by(index, n, compare_instructions, groups);
    do {
        for (uint32_t i = 0; i < n; i++) {
            struct nsc_stats_cell cells[2] = {
                nsc_cell_of_int(groups->count[index[i]]),
                index[i] < all
                    ? nsc_cell_of_text(nsc_strpool_text(&groups->faults->texts, (nsc_str)index[i]))
                    : nsc_cell_empty()};

            if (!sink->row(sink->context, cells))
                break;
        }
    } while (nsc_stats_again(sink));
    free(index);
}

enum nsc_status nsc_stats_um_cpu_page_faults_sum(const struct nsc_stats_input *input,
                                                 const struct nsc_stats_sink *sink,
                                                 struct nsc_error *error)
{
    static const uint8_t kinds[] = {NSC_KIND_UM_CPU_FAULT};
    const struct nsc_fields *faults = input->fields[NSC_STATS_FIELDS_CPU_FAULTS];
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizeof kinds);
    uint32_t all = faults ? faults->texts.n : 0;
    struct fault_groups groups = {faults, nsc_xcalloc((size_t)all + 1, sizeof(uint32_t))};
    enum nsc_status status = NSC_OK;

    for (uint32_t i = 0; i < list.n; i++) {
        int64_t id = 0;
        bool is_known = nsc_fields_int(&id, faults, 1, nsc_fields_find(faults, list.event[i]));

        groups.count[is_known ? (uint32_t)id : all]++; /* the last group has no known instruction */
    }
    if (list.n == 0)
        status = nsc_stats_nothing(error, "CUDA Unified Memory CPU page faults data");
    else
        put_instructions(&groups, sink);
    free(groups.count);
    free(list.event);
    return status;
}
