/*
 * cuda_gpu_kern_gb_sum: kernels by name and shape of the launch.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct nsc_text nsc_stats_shape(char out[NSC_STATS_SHAPE_BYTES], const struct nsc_fields *grid,
                                uint32_t first, uint32_t row)
{
    int64_t x, y, z;
    int n;

    if (!nsc_fields_int(&x, grid, first, row) || !nsc_fields_int(&y, grid, first + 1, row) ||
        !nsc_fields_int(&z, grid, first + 2, row))
        return (struct nsc_text){"", 0};
    n = snprintf(out, NSC_STATS_SHAPE_BYTES, "%4" PRId64 " %4" PRId64 " %4" PRId64, x, y, z);
    return (struct nsc_text){out, (uint32_t)n};
}

/* Keys: the name, six sizes, and bits: which sizes are known. */
enum { NAME, SIZES, KNOWN = SIZES + 6, N_KEYS };

struct shapes {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    struct nsc_stats_list list;
    struct nsc_totals totals;
    struct nsc_spread *spread;
};

static void find_groups(struct shapes *shapes)
{
    const struct nsc_fields *grid = shapes->input->fields[NSC_STATS_FIELDS_GRID];
    struct nsc_stats_names names;

    nsc_stats_names_init(&names, shapes->input);
    for (uint32_t i = 0; i < shapes->list.n; i++) {
        struct nsc_text name = nsc_stats_name(&names, shapes->list.event[i]);
        uint32_t row = grid ? nsc_fields_find(grid, shapes->list.event[i]) : NSC_NONE;
        int64_t keys[N_KEYS] = {nsc_totals_text(&shapes->totals, name)};

        for (uint32_t c = 0; c < 6; c++)
            keys[KNOWN] |= (int64_t)nsc_fields_int(&keys[SIZES + c], grid, c, row) << c;
        nsc_totals_add(&shapes->totals, keys);
    }
    nsc_stats_names_fini(&names);
}

static bool duration_of(const void *context, uint32_t i, int64_t *value)
{
    const struct shapes *shapes = context;

    *value = nsc_event_duration(shapes->events, shapes->list.event[i]);
    return true;
}

static int compare_shapes(const void *context, uint32_t a, uint32_t b)
{
    const struct shapes *shapes = context;
    int order = NSC_ORDER(shapes->spread[a].n, shapes->spread[b].n);

    return order ? order : nsc_totals_compare(&shapes->totals, a, b, NAME, N_KEYS);
}

struct labels {
    struct shapes *shapes;
    char grid[NSC_STATS_SHAPE_BYTES], block[NSC_STATS_SHAPE_BYTES];
};

static struct nsc_text print_sizes(char out[NSC_STATS_SHAPE_BYTES], const int64_t keys[], int c)
{
    int n = snprintf(out, NSC_STATS_SHAPE_BYTES, "%4" PRId64 " %4" PRId64 " %4" PRId64,
                     keys[SIZES + c], keys[SIZES + c + 1], keys[SIZES + c + 2]);

    return keys[KNOWN] >> c & 1 ? (struct nsc_text){out, (uint32_t)n} : (struct nsc_text){"", 0};
}

static int compare_labelled(const void *context, uint32_t a, uint32_t b)
{
    return compare_shapes(((const struct labels *)context)->shapes, a, b);
}

static void label_shape(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct labels *labels = context;
    const int64_t *keys = nsc_totals_keys(&labels->shapes->totals, group);

    cells[0] = nsc_cell_of_text(print_sizes((char *)(uintptr_t)labels->grid, keys, 0));
    cells[1] = nsc_cell_of_text(print_sizes((char *)(uintptr_t)labels->block, keys, 3));
    cells[2] = nsc_cell_of_text(nsc_totals_text_of(&labels->shapes->totals, group, NAME));
}

enum nsc_status nsc_stats_kern_gb_sum(const struct nsc_stats_input *input,
                                      const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL};
    struct shapes shapes = {.input = input,
                            .events = nsc_trace_events(input->trace),
                            .list = nsc_stats_list(input, kinds, 1),
                            .totals = nsc_totals_new(N_KEYS, NSC_TOTALS_TEXT(NAME))};
    struct labels labels = {.shapes = &shapes};
    struct nsc_stats_groups groups = {
        .label = label_shape, .compare = compare_labelled, .context = &labels};
    enum nsc_status status;

    find_groups(&shapes);
    shapes.spread = nsc_totals_measure(&shapes.totals, duration_of, &shapes);
    groups.n = shapes.totals.n;
    groups.spread = shapes.spread;
    status = nsc_stats_put_groups(&groups, sink);
    free(shapes.spread);
    free(shapes.list.event);
    nsc_totals_fini(&shapes.totals);
    return status;
}
