/*
 * cuda_gpu_kern_gb_sum: kernels by name and shape of the launch.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct nsc_text print_sizes(char out[NSC_STATS_SHAPE_BYTES], const int64_t of[3])
{
    int n = snprintf(out, NSC_STATS_SHAPE_BYTES, "%4" PRId64 " %4" PRId64 " %4" PRId64, of[0],
                     of[1], of[2]);

    return (struct nsc_text){out, (uint32_t)n};
}

struct nsc_text nsc_stats_shape(char out[NSC_STATS_SHAPE_BYTES], const struct nsc_fields *grid,
                                uint32_t first, uint32_t row)
{
    int64_t of[3];

    for (uint32_t c = 0; c < 3; c++)
        if (!nsc_fields_int(&of[c], grid, first + c, row))
            return (struct nsc_text){"", 0};
    return print_sizes(out, of);
}

/* Keys: the name, six sizes, and bits: which sizes are known. */
enum { NAME, SIZES, KNOWN = SIZES + 6, N_KEYS };

struct shapes {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    struct nsc_stats_list list;
    struct nsc_totals totals;
    struct nsc_spread *spread;
    char (*label)[NSC_STATS_SHAPE_BYTES]; /* scratch: grid and block */
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
        (void)nsc_totals_add(&shapes->totals, keys);
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

static struct nsc_text label_sizes(const struct shapes *shapes, const int64_t keys[], int c)
{
    if (!(keys[KNOWN] >> c & 1))
        return (struct nsc_text){"", 0};
    return print_sizes(shapes->label[c / 3], &keys[SIZES + c]);
}

static void label_shape(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct shapes *shapes = context;
    const int64_t *keys = nsc_totals_keys(&shapes->totals, group);

    cells[0] = nsc_cell_of_text(label_sizes(shapes, keys, 0));
    cells[1] = nsc_cell_of_text(label_sizes(shapes, keys, 3));
    cells[2] = nsc_cell_of_text(nsc_totals_text_of(&shapes->totals, group, NAME));
}

enum nsc_status nsc_stats_kern_gb_sum(const struct nsc_stats_input *input,
                                      const struct nsc_stats_sink *sink)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL};
    char label[2][NSC_STATS_SHAPE_BYTES];
    struct shapes shapes = {.input = input,
                            .events = nsc_trace_events(input->trace),
                            .list = nsc_stats_list(input, kinds, 1),
                            .totals = nsc_totals_new(N_KEYS, NSC_TOTALS_TEXT(NAME)),
                            .label = label};
    struct nsc_stats_groups groups = {
        .label = label_shape, .compare = compare_shapes, .context = &shapes};
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
