/* Numbers distinct launch shapes with a hash table. */
#include "analysis/ncu/ncu_shape.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

const struct nsc_field_ask nsc_ncu_shape_asks[NSC_NCU_SHAPE_COLUMNS] = {
    {"gridX", NSC_FIELD_INT},  {"gridY", NSC_FIELD_INT},  {"gridZ", NSC_FIELD_INT},
    {"blockX", NSC_FIELD_INT}, {"blockY", NSC_FIELD_INT}, {"blockZ", NSC_FIELD_INT},
};

/* Open addressing: numbers of shapes, NSC_NONE for free slots; at most half full. */
struct table {
    uint32_t *places;
    uint32_t capacity; /* a power of two */
};

static uint32_t hash(const struct nsc_ncu_shape *shape)
{
    uint64_t h = shape->brief * 0x9e3779b97f4a7c15u;

    for (int i = 0; i < NSC_NCU_SHAPE_COLUMNS; i++)
        h = (h ^ (uint64_t)shape->size[i]) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

static bool is_same(const struct nsc_ncu_shape *a, const struct nsc_ncu_shape *b)
{
    return a->brief == b->brief && memcmp(a->size, b->size, sizeof a->size) == 0;
}

/* The slot of the shape, or the free slot for it. */
static uint32_t *find_place(const struct table *table, const struct nsc_ncu_shapes *shapes,
                            const struct nsc_ncu_shape *shape)
{
    uint32_t i = hash(shape) & (table->capacity - 1);

    while (table->places[i] != NSC_NONE && !is_same(&shapes->list.at[table->places[i]], shape))
        i = (i + 1) & (table->capacity - 1);
    return &table->places[i];
}

static void grow(struct table *table, const struct nsc_ncu_shapes *shapes)
{
    free(table->places);
    table->capacity = table->capacity ? table->capacity * 2 : 256;
    table->places = nsc_xcalloc(table->capacity, sizeof *table->places);
    for (uint32_t i = 0; i < table->capacity; i++)
        table->places[i] = NSC_NONE;
    for (uint32_t i = 0; i < shapes->list.n; i++)
        *find_place(table, shapes, &shapes->list.at[i]) = i;
}

static uint32_t number_of(struct table *table, struct nsc_ncu_shapes *shapes,
                          const struct nsc_ncu_shape *shape)
{
    uint32_t *place;

    if (2 * (shapes->list.n + 1) > table->capacity)
        grow(table, shapes);
    place = find_place(table, shapes, shape);
    if (*place == NSC_NONE) {
        *place = (uint32_t)shapes->list.n;
        *NSC_VEC_ADD(&shapes->list) = *shape;
    }
    return *place;
}

bool nsc_ncu_shapes_build(struct nsc_ncu_shapes *out, const struct nsc_trace *trace,
                          const struct nsc_fields *fields)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    const struct nsc_names *names = nsc_trace_names(trace);
    struct table table = {NULL, 0};

    *out = (struct nsc_ncu_shapes){0};
    for (uint32_t c = 0; c < NSC_NCU_SHAPE_COLUMNS; c++)
        if (!nsc_fields_has(fields, c))
            return false;
    out->of = nsc_xcalloc((size_t)events->n + 1, sizeof *out->of);
    for (nsc_event event = 0; event < events->n; event++) {
        struct nsc_ncu_shape shape = {0};
        uint32_t row = nsc_fields_find(fields, event);

        out->of[event] = NSC_NONE;
        if (events->kind[event] != NSC_KIND_KERNEL)
            continue;
        shape.brief = names->brief[events->name[event]];
        for (uint32_t c = 0; c < NSC_NCU_SHAPE_COLUMNS; c++)
            (void)nsc_fields_int(&shape.size[c], fields, c, row);
        out->of[event] = number_of(&table, out, &shape);
    }
    free(table.places);
    return true;
}

void nsc_ncu_shapes_fini(struct nsc_ncu_shapes *shapes)
{
    NSC_VEC_FINI(&shapes->list);
    free(shapes->of);
    shapes->of = NULL;
}
