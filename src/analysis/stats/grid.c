/*
 * cuda_gpu_kern_gb_sum: kernels by name and shape of the launch.
 */
#include "analysis/stats/functions.h"
#include "analysis/stats/rows.h"
#include "core/die.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A name and six numbers; groups are the numbers of such keys in the pool, from 1. */
struct key {
    int64_t size[6];
    uint64_t name; /* in the pool of names */
    uint64_t set;  /* bits: which sizes are known */
};

struct shapes {
    const struct nsc_stats_input *input;
    const struct nsc_events *events;
    struct nsc_stats_list list;
    struct nsc_strpool names, keys;
    uint32_t *group; /* by row of the list */
    struct nsc_spread *spread;
};

static void find_groups(struct shapes *shapes)
{
    const struct nsc_fields *grid = shapes->input->fields[NSC_STATS_FIELDS_GRID];
    struct nsc_stats_names names;

    nsc_stats_names_init(&names, shapes->input);
    shapes->group = nsc_xmalloc(((size_t)shapes->list.n + 1) * sizeof *shapes->group);
    for (uint32_t i = 0; i < shapes->list.n; i++) {
        struct nsc_text name = nsc_stats_name(&names, shapes->list.event[i]);
        uint32_t row = grid ? nsc_fields_find(grid, shapes->list.event[i]) : NSC_NONE;
        struct key key = {.name = nsc_strpool_add(&shapes->names, name.bytes, name.n)};

        for (uint32_t c = 0; c < 6; c++)
            key.set |= (uint64_t)nsc_fields_int(&key.size[c], grid, c, row) << c;
        shapes->group[i] = nsc_strpool_add(&shapes->keys, (const char *)&key, sizeof key);
    }
    nsc_stats_names_fini(&names);
}

static bool shape_row(const void *context, uint32_t i, uint32_t *group, int64_t *value)
{
    const struct shapes *shapes = context;

    *group = shapes->group[i];
    *value = nsc_event_duration(shapes->events, shapes->list.event[i]);
    return true;
}

static struct key key_of(const struct shapes *shapes, uint32_t group)
{
    struct nsc_text bytes = nsc_strpool_text(&shapes->keys, group);
    struct key key = {.name = 0};

    if (bytes.n == sizeof key)
        memcpy(&key, bytes.bytes, sizeof key);
    return key;
}

static int compare_shapes(const void *context, uint32_t a, uint32_t b)
{
    const struct shapes *shapes = context;
    struct key x = key_of(shapes, a), y = key_of(shapes, b);

    if (shapes->spread[a].n != shapes->spread[b].n)
        return shapes->spread[a].n < shapes->spread[b].n ? -1 : 1;
    if (x.name != y.name)
        return nsc_text_compare(nsc_strpool_text(&shapes->names, (nsc_str)x.name),
                                nsc_strpool_text(&shapes->names, (nsc_str)y.name));
    for (int c = 0; c < 6; c++)
        if (x.size[c] != y.size[c])
            return x.size[c] < y.size[c] ? -1 : 1;
    return 0;
}

struct labels {
    struct shapes *shapes;
    char grid[NSC_STATS_SHAPE_BYTES], block[NSC_STATS_SHAPE_BYTES];
};

static struct nsc_text print_sizes(char out[NSC_STATS_SHAPE_BYTES], const struct key *key, int c)
{
    int n = snprintf(out, NSC_STATS_SHAPE_BYTES, "%4" PRId64 " %4" PRId64 " %4" PRId64,
                     key->size[c], key->size[c + 1], key->size[c + 2]);

    return key->set >> c & 1 ? (struct nsc_text){out, (uint32_t)n} : (struct nsc_text){"", 0};
}

static int compare_labelled(const void *context, uint32_t a, uint32_t b)
{
    return compare_shapes(((const struct labels *)context)->shapes, a, b);
}

static void label_shape(const void *context, uint32_t group, struct nsc_stats_cell cells[])
{
    const struct labels *labels = context;
    struct key key = key_of(labels->shapes, group);

    cells[0] = nsc_cell_of_text(print_sizes((char *)(uintptr_t)labels->grid, &key, 0));
    cells[1] = nsc_cell_of_text(print_sizes((char *)(uintptr_t)labels->block, &key, 3));
    cells[2] = nsc_cell_of_text(nsc_strpool_text(&labels->shapes->names, (nsc_str)key.name));
}

enum nsc_status nsc_stats_kern_gb_sum(const struct nsc_stats_input *input,
                                      const struct nsc_stats_sink *sink, struct nsc_error *error)
{
    static const uint8_t kinds[] = {NSC_KIND_KERNEL};
    struct shapes shapes = {.input = input,
                            .events = nsc_trace_events(input->trace),
                            .list = nsc_stats_list(input, kinds, 1)};
    struct labels labels = {.shapes = &shapes};
    enum nsc_status status = NSC_OK;

    nsc_strpool_init(&shapes.names);
    nsc_strpool_init(&shapes.keys);
    find_groups(&shapes);
    shapes.spread = nsc_spreads_measure(shapes.keys.n, shapes.list.n, shape_row, &shapes);
    if (!shapes.spread) {
        status = nsc_fail(error, NSC_ENOMEM, "the system refuses the memory for the durations");
    } else if (shapes.list.n == 0) {
        status = nsc_stats_nothing(error, "CUDA kernel data");
    } else {
        struct nsc_stats_groups groups = {.n = shapes.keys.n,
                                          .spread = shapes.spread,
                                          .label = label_shape,
                                          .compare = compare_labelled,
                                          .context = &labels};

        nsc_stats_put_groups(&groups, sink);
    }
    free(shapes.spread);
    free(shapes.group);
    free(shapes.list.event);
    nsc_strpool_fini(&shapes.names);
    nsc_strpool_fini(&shapes.keys);
    return status;
}
