/*
 * mpi_event_sum and mpi_msg_size_sum: MPI calls by table and name, with their durations or the
 * sizes of their messages.
 *
 * One row per event of the export, as in mpi_event_trace. A collective that sends and receives
 * counts once in each direction.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/text.h"
#include "core/vec.h"

#include <stdlib.h>

/* In the order of their words. */
enum source { COLLECTIVES, RECEIVED, SENT, OTHER, P2P, START_WAIT };
static const char *const source_words[] = {"collectives", "coll_recv", "coll_send",
                                           "other",       "p2p",       "start-wait"};

/* Keys: the source, the name. */
enum { SOURCE, NAME, N_KEYS };

struct mpi_rows {
    const struct nsc_stats_input *input;
    struct nsc_stats_names names;
    struct nsc_stats_order order;
    struct nsc_totals totals;
    NSC_VEC(int64_t) values; /* by row */
    struct nsc_spread *spread;
};

static void add_row(struct mpi_rows *all, enum source source, nsc_event event, int64_t value)
{
    struct nsc_text name = nsc_stats_known(nsc_stats_name(&all->names, event));

    nsc_totals_add(&all->totals, (int64_t[]){source, nsc_totals_text(&all->totals, name)});
    *NSC_VEC_ADD(&all->values) = value;
}

static void add_duration(struct mpi_rows *all, nsc_event event)
{
    const struct nsc_events *events = nsc_trace_events(all->input->trace);
    uint8_t kind = events->kind[event];
    enum source source = kind == NSC_KIND_MPI_P2P          ? P2P
                         : kind == NSC_KIND_MPI_COLLECTIVE ? COLLECTIVES
                         : kind == NSC_KIND_MPI_WAIT       ? START_WAIT
                                                           : OTHER;

    add_row(all, source, event, nsc_event_duration(events, event));
}

static void add_sizes(struct mpi_rows *all, nsc_event event)
{
    const struct nsc_fields *p2p = all->input->fields[NSC_STATS_FIELDS_MPI_P2P];
    const struct nsc_fields *group = all->input->fields[NSC_STATS_FIELDS_MPI_COLLECTIVE];
    int64_t size = 0;

    if (nsc_trace_events(all->input->trace)->kind[event] == NSC_KIND_MPI_P2P) {
        if (nsc_fields_int(&size, p2p, 2, nsc_fields_find(p2p, event)))
            add_row(all, P2P, event, size);
        return;
    }
    if (nsc_fields_int(&size, group, 1, nsc_fields_find(group, event)))
        add_row(all, SENT, event, size);
    if (nsc_fields_int(&size, group, 2, nsc_fields_find(group, event)))
        add_row(all, RECEIVED, event, size);
}

static bool value_of(const void *context, uint32_t i, int64_t *value)
{
    const struct mpi_rows *all = context;

    *value = all->values.at[i];
    return true;
}

/* Orders by source, then by position in StringIds. */
static int compare_groups(const void *context, uint32_t a, uint32_t b)
{
    const struct mpi_rows *all = context;
    int order = nsc_totals_compare(&all->totals, a, b, SOURCE, NAME);
    int64_t i = nsc_stats_order_of(&all->order, nsc_totals_text_of(&all->totals, a, NAME));
    int64_t j = nsc_stats_order_of(&all->order, nsc_totals_text_of(&all->totals, b, NAME));

    if (order)
        return order;
    return i != j ? (i < j ? -1 : 1) : nsc_totals_compare(&all->totals, a, b, NAME, N_KEYS);
}

/* Orders by instances, the most first. */
static int compare_counts(const void *context, uint32_t a, uint32_t b)
{
    const struct mpi_rows *all = context;

    if (all->spread[a].n != all->spread[b].n)
        return all->spread[a].n > all->spread[b].n ? -1 : 1;
    return compare_groups(context, a, b);
}

static void label_group(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct mpi_rows *all = context;

    cells[0] =
        nsc_cell_of_text(nsc_text_from(source_words[nsc_totals_keys(&all->totals, group)[SOURCE]]));
    cells[1] = nsc_cell_of_text(nsc_totals_text_of(&all->totals, group, NAME));
}

static void fill_sizes(void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct mpi_rows *all = context;
    const struct nsc_spread *spread = &all->spread[group];

    cells[0] = nsc_cell_of_int(spread->total);
    cells[1] = nsc_cell_of_int((int64_t)spread->n);
    nsc_stats_put_spread(cells + 2, spread);
    cells[6] = nsc_cell_of_real(spread->deviation);
    label_group(all, group, cells + 7);
}

enum nsc_status nsc_stats_mpi_sum(const struct nsc_stats_input *input,
                                  const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {NSC_KIND_MPI_P2P, NSC_KIND_MPI_COLLECTIVE, NSC_KIND_MPI_WAIT,
                                    NSC_KIND_MPI_OTHER};
    bool sizes = input->id == NSC_STATS_MPI_MSG_SIZE_SUM;
    struct nsc_stats_list list = nsc_stats_list(input, kinds, sizes ? 2 : 4);
    struct mpi_rows all = {.input = input, .totals = nsc_totals_new(N_KEYS, NSC_TOTALS_TEXT(NAME))};
    struct nsc_stats_groups groups = {
        .label = label_group, .compare = compare_groups, .context = &all};
    enum nsc_status status = NSC_ENODATA;

    nsc_stats_names_init(&all.names, input);
    nsc_stats_order_init(&all.order, input);
    for (uint32_t i = 0; i < list.n; i++)
        (sizes ? add_sizes : add_duration)(&all, list.event[i]);
    all.spread = nsc_totals_measure(&all.totals, value_of, &all);
    groups.n = all.totals.n;
    groups.spread = all.spread;
    if (!sizes || !all.spread) {
        status = nsc_stats_put_groups(&groups, sink);
    } else if (all.totals.n) {
        nsc_stats_put_sorted(sink, all.totals.n, 0, compare_counts, fill_sizes, &all);
        status = NSC_OK;
    }
    free(all.spread);
    free(list.event);
    NSC_VEC_FINI(&all.values);
    nsc_totals_fini(&all.totals);
    nsc_stats_order_fini(&all.order);
    nsc_stats_names_fini(&all.names);
    return status;
}
