/*
 * The builder: facts about processes and devices, columns that grow with each family, and names.
 */
#include "index/builder.h"

#include "core/pages.h"
#include "index/builder_data.h"

#include <string.h>

struct nsc_builder *nsc_builder_new(uint64_t max_events, struct nsc_pool *pool,
                                    struct nsc_progress *progress)
{
    struct nsc_builder *builder = nsc_xcalloc(1, sizeof *builder);
    static const struct nsc_build_name unknown = {0};

    builder->pool = pool;
    builder->rows_left = max_events;
    builder->progress = progress;
    *NSC_VEC_ADD(&builder->captures) = (struct nsc_trace_info){0};
    nsc_strpool_init(&builder->strings);
    nsc_builder_name(builder, &unknown);
    if (max_events >= NSC_NONE)
        max_events = NSC_NONE - 1;
    if (!nsc_builder_reserve(builder, (uint32_t)max_events)) {
        nsc_builder_free(builder);
        return NULL;
    }
    return builder;
}

void nsc_builder_skip(struct nsc_builder *builder, uint64_t rows)
{
    builder->rows_left -= rows < builder->rows_left ? rows : builder->rows_left;
}

void nsc_builder_move_columns(struct nsc_trace *early, struct nsc_column columns[NSC_N_COLUMNS])
{
    for (int i = 0; early && i < NSC_N_COLUMNS; i++)
        if (i != NSC_COLUMN_LINK) {
            early->columns[i] = columns[i];
            columns[i] = (struct nsc_column){NULL, 0};
        }
}

void nsc_builder_free_slabs(struct nsc_builder *builder)
{
    for (size_t i = 0; i < builder->slab_pages.n; i++)
        nsc_pages_free(builder->slab_pages.at[i].at, builder->slab_pages.at[i].bytes);
    NSC_VEC_FINI(&builder->slab_pages);
    NSC_VEC_FINI(&builder->spares.slabs);
    NSC_VEC_FINI(&builder->spares.blocks);
}

void nsc_builder_free(struct nsc_builder *builder)
{
    if (!builder)
        return;
    nsc_builder_move_columns(builder->early, builder->columns);
    for (int i = 0; i < NSC_N_COLUMNS; i++)
        nsc_pages_free(builder->columns[i].at, builder->columns[i].bytes);
    for (size_t i = 0; i < builder->counter_columns.n; i++)
        nsc_pages_free(builder->counter_columns.at[i].at, builder->counter_columns.at[i].bytes);
    nsc_builder_free_slabs(builder);
    for (size_t i = 0; i < builder->packed.n; i++)
        nsc_pages_free(builder->packed.at[i], (size_t)1 << NSC_PACKED_BITS);
    NSC_VEC_FINI(&builder->packed);
    nsc_strpool_fini(&builder->strings);
    nsc_idtable_fini(&builder->fact_ids);
    nsc_idtable_fini(&builder->name_ids);
    NSC_VEC_FINI(&builder->captures);
    NSC_VEC_FINI(&builder->facts);
    NSC_VEC_FINI(&builder->longs);
    NSC_VEC_FINI(&builder->lanes);
    NSC_VEC_FINI(&builder->tracks);
    NSC_VEC_FINI(&builder->names);
    NSC_VEC_FINI(&builder->counters);
    NSC_VEC_FINI(&builder->counter_columns);
    free(builder);
}

static bool grow_column(struct nsc_builder *builder, int id, uint64_t capacity)
{
    struct nsc_column *column = &builder->columns[id];
    size_t bytes = (size_t)capacity * nsc_column_width(id);
    void *at = nsc_pages_new(bytes);

    if (!at)
        return false;
    if (builder->n)
        memcpy(at, column->at, (size_t)builder->n * nsc_column_width(id));
    nsc_pages_free(column->at, column->bytes);
    *column = (struct nsc_column){at, bytes};
    return true;
}

bool nsc_builder_reserve(struct nsc_builder *builder, uint32_t n)
{
    uint64_t capacity = (uint64_t)builder->n + n;

    if (capacity <= builder->capacity)
        return true;
    if (builder->early) /* the early trace reads the columns in place */
        return false;
    for (int i = 0; i < NSC_N_COLUMNS; i++)
        if (!grow_column(builder, i, capacity))
            return false;
    builder->capacity = capacity;
    return true;
}

/* ---- names ---- */

static bool is_name(const void *context, uint32_t id, const void *key)
{
    const struct nsc_builder *builder = context;
    const struct nsc_build_name *a = &builder->names.at[id];
    const struct nsc_build_name *b = key;

    return a->full == b->full && a->brief == b->brief && a->argb == b->argb &&
           a->flags == b->flags && a->counters == b->counters;
}

uint32_t nsc_builder_name(struct nsc_builder *builder, const struct nsc_build_name *name)
{
    uint64_t hash = nsc_hash_mix(name->full, name->brief);
    uint32_t id = 0;

    hash = nsc_hash_mix(hash, name->argb);
    hash = nsc_hash_mix(hash, (uint64_t)name->flags << 8 | name->counters);
    id = nsc_idtable_place(&builder->name_ids, hash, is_name, builder, name,
                           (uint32_t)builder->names.n);
    if (id == builder->names.n)
        *NSC_VEC_ADD(&builder->names) = *name;
    return id;
}

/* ---- facts ---- */

static bool is_fact(const void *context, uint32_t id, const void *key)
{
    const struct nsc_builder *builder = context;
    const struct nsc_fact *a = &builder->facts.at[id];
    const struct nsc_fact *b = key;

    return a->kind == b->kind && a->process == b->process && a->a == b->a && a->b == b->b;
}

static uint64_t hash_fact(const struct nsc_fact *fact)
{
    uint64_t hash = nsc_hash_mix(fact->kind, fact->process);

    return nsc_hash_mix(nsc_hash_mix(hash, (uint64_t)fact->a), (uint64_t)fact->b);
}

int64_t nsc_builder_fact(const struct nsc_builder *builder, const struct nsc_fact *key,
                         int64_t fallback)
{
    uint32_t id = nsc_idtable_find(&builder->fact_ids, hash_fact(key), is_fact, builder, key);

    return id == NSC_NONE ? fallback : builder->facts.at[id].value;
}

static void add_fact(struct nsc_builder *builder, const struct nsc_fact *fact)
{
    uint32_t id = nsc_idtable_place(&builder->fact_ids, hash_fact(fact), is_fact, builder, fact,
                                    (uint32_t)builder->facts.n);

    if (id == builder->facts.n)
        (void)NSC_VEC_ADD(&builder->facts);
    builder->facts.at[id] = *fact;
}

nsc_str nsc_builder_string(struct nsc_builder *builder, struct nsc_text text)
{
    return text.n ? nsc_strpool_add(&builder->strings, text.bytes, text.n) : 0;
}

struct nsc_trace_info *nsc_builder_info(struct nsc_builder *builder)
{
    return nsc_builder_at_hand(builder);
}

struct nsc_alignment *nsc_builder_alignment(struct nsc_builder *builder)
{
    return &builder->alignment;
}

void nsc_bounds_add(struct nsc_bounds *bounds, nsc_time t0, nsc_time t1)
{
    if (!bounds->any || t0 < bounds->t0)
        bounds->t0 = t0;
    if (!bounds->any || t1 > bounds->t1)
        bounds->t1 = t1;
    bounds->any = true;
}

static void add_bounds(struct nsc_bounds *all, struct nsc_bounds *one)
{
    if (one->any)
        nsc_bounds_add(all, one->t0, one->t1);
    *one = (struct nsc_bounds){false, 0, 0};
}

void nsc_builder_end_capture(struct nsc_builder *builder)
{
    struct nsc_trace_info *info = nsc_builder_at_hand(builder);
    const struct nsc_bounds *bounds =
        builder->bounds.any ? &builder->bounds : &builder->graph_bounds;

    info->n_events = builder->n - info->first_event;
    info->recorded = (struct nsc_window){bounds->t0, bounds->t1};
    add_bounds(&builder->before, &builder->bounds);
    add_bounds(&builder->graph_before, &builder->graph_bounds);
}

void nsc_builder_next_capture(struct nsc_builder *builder)
{
    nsc_builder_end_capture(builder);
    *NSC_VEC_ADD(&builder->captures) = (struct nsc_trace_info){.first_event = builder->n};
}

static void add_text(struct nsc_builder *builder, enum nsc_fact_kind kind, uint64_t process,
                     int64_t a, int64_t b, struct nsc_text text)
{
    struct nsc_fact fact = {kind, nsc_builder_key(builder, process), a, b,
                            nsc_builder_string(builder, text)};

    add_fact(builder, &fact);
}

void nsc_builder_process(struct nsc_builder *builder, uint64_t process, struct nsc_text name)
{
    add_text(builder, NSC_FACT_PROCESS, process, 0, 0, name);
}

void nsc_builder_thread(struct nsc_builder *builder, uint64_t process, uint32_t tid,
                        struct nsc_text name)
{
    add_text(builder, NSC_FACT_THREAD, process, tid, 0, name);
}

void nsc_builder_device(struct nsc_builder *builder, int64_t gpu, struct nsc_text name)
{
    add_text(builder, NSC_FACT_DEVICE, 0, gpu, 0, name);
}

void nsc_builder_device_map(struct nsc_builder *builder, uint64_t process, int64_t device,
                            int64_t gpu)
{
    struct nsc_fact fact = {NSC_FACT_MAP, nsc_builder_key(builder, process), device, 0, gpu};

    add_fact(builder, &fact);
}

void nsc_builder_domain(struct nsc_builder *builder, uint64_t process, int64_t domain,
                        struct nsc_text name)
{
    add_text(builder, NSC_FACT_DOMAIN, process, domain, 0, name);
}

void nsc_builder_stream(struct nsc_builder *builder, uint64_t process, int64_t context,
                        int64_t stream, struct nsc_text note)
{
    add_text(builder, NSC_FACT_STREAM, process, context, stream, note);
}

void nsc_builder_set_trim(struct nsc_builder *builder, struct nsc_window window)
{
    builder->has_trim = true;
    builder->trim = window;
}
